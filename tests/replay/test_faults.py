"""Small texts that golpae once read wrongly, and what it says about each and about games by it.

A case is a text `faults/NAME.golpae`, with games in `faults/NAME.jsonl`; `faults/NAME.txt` holds what `lint`, `check`,
`legal` and `attribute` print. The paragraphs in its title are those of docs/semantics.md. `pytest --renew` writes the
answers anew.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from golpae.cli.main import main

FAULTS = Path(__file__).parent / "faults"
ATTRIBUTED = ("large-first-value", "squares")  # though they have no variants
CASES = sorted(path.stem for path in FAULTS.glob("*.golpae") if path.stem not in ("bare", "table"))


def said(*args: str) -> str:
    """Return what golpae prints, after the command, with its exit status."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status = main([*args, "--spec-path", "."])
    words = re.sub(r"(?m)^golpae: ", "", out.getvalue())
    return f"$ golpae {' '.join(args)}    # {status}\n{words}"


def answers(name: str) -> Iterator[str]:
    """Yield what golpae prints about a text, about its games, and about what can follow those that have not ended."""
    found = said("lint", f"{name}.golpae")
    yield found
    variants = re.findall(r"(?m)^variant (\S+)", Path(f"{name}.golpae").read_text(encoding="utf-8"))
    for variant in variants:
        yield said("lint", f"{name}+{variant}")
    games = Path(f"{name}.jsonl")
    if "no faults" not in found or not games.exists():
        return
    checked = said("check", games.name)
    yield checked
    for number in range(1, 1 + games.read_text(encoding="utf-8").count('{"golpae"')):
        if f"incomplete  `{number}`" in checked:
            yield said("legal", games.name, "--trace", str(number), "--format", "json")
    if variants or name in ATTRIBUTED:
        yield said("attribute", games.name, "--each")


@pytest.mark.parametrize("name", CASES)
def test_golpae_means_what_the_page_says(name: str, renew: bool) -> None:
    with chdir(FAULTS):
        found = "\n".join(answers(name))
    golden = FAULTS / f"{name}.txt"
    if renew:
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
