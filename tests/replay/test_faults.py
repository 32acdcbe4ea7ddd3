"""Small texts that golpae once read wrongly, and what it says about each and about games by it.

A case is a text `faults/NAME.golpae`, with games in `faults/NAME.jsonl`; `faults/NAME.txt` holds what `check`,
`legal` and `attribute` print, or what `lint` prints about the faults of the text. The paragraphs in its title are
those of docs/semantics.md. `pytest --renew` writes the answers anew.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate, read_attributes
from golpae.replay.machine import Machine

FAULTS = Path(__file__).parent / "faults"
ATTRIBUTED = ("large-first-value", "squares")  # though they have no variants
CASES = sorted(
    path.stem for path in FAULTS.glob("*.golpae") if path.stem not in ("bare", "boxed", "fewer", "table")
)


def said(*args: str) -> str:
    """Return what golpae prints, after the command, with its exit status."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status = main([*args, "--spec-path", "."])
    words = re.sub(r"(?m)^golpae: ", "", out.getvalue())
    return f"$ golpae {' '.join(args)}    # {status}\n{words}"


def answers(name: str) -> Iterator[str]:
    """Yield what golpae prints about a text, about its games, and about what can follow those that have not ended."""
    variants = re.findall(r"(?m)^variant (\S+)", Path(f"{name}.golpae").read_text(encoding="utf-8"))
    for rules in (f"{name}.golpae", *(f"{name}+{variant}" for variant in variants)):
        found = said("lint", rules)
        if "error[" in found:
            yield found
            return
    games = Path(f"{name}.jsonl")
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


def test_loops_may_lie_deep_inside_one_another(tmp_path: Path) -> None:
    names = ["mover", *(f"seat-{number}" for number in range(30))]
    loops = "".join(f"for each {inner} in {{{outer}}}: " for outer, inner in pairwise(names))
    (tmp_path / "deep.golpae").write_text(DEEP.replace("LOOPS", loops), encoding="utf-8")
    for name in ("bare.golpae", "table.golpae"):
        (tmp_path / name).write_text((FAULTS / name).read_text(encoding="utf-8"), encoding="utf-8")
    machine = Machine(instantiate(elaborate("deep", [tmp_path]), 2, {}))
    state = machine.new_state()
    deal = {"do": "deal", "first": 1, "hands": [["1c", "2c"], ["3c", "4c"]]}
    assert machine.steps["deal"](state, deal) is None
    assert machine.steps["name"](state, {"do": "name", "by": 0}) is None
    assert state.v_named == 1


DEEP = """
game deep "Loops inside one another"
include table

state of the hand
  named: seat or none = none

action name by p
  then LOOPSnamed := seat-29
"""


@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("65", "{high}{low}", {"high": 6, "low": 5}),
        ("655", "{high}{low}", {"high": 65, "low": 5}),
        ("1-1", "{high}-{high}", {"high": 1}),
        ("1-2", "{high}-{high}", {}),
        ("12a12", "{b}{c}a{b}{c}", {"b": 1, "c": 2}),
        ("1" * 60 + "y", "{a}{b}{c}{d}{e}{f}{g}{h}{i}{j}x", {}),
    ],
)
def test_the_numbers_of_a_tile_are_read_from_its_name(name: str, written: str, read: dict[str, int]) -> None:
    """1.6"""
    assert read_attributes(name, (written,)) == read
