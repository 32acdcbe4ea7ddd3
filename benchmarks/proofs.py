"""What golpae decides of each rule text from nothing, and how many seconds of a processor that takes.

`python -m benchmarks.proofs TEXT...` measures texts: names of games, or files such as `my/game.golpae`. It measures the
game by itself, without its variants and readings, at every number of players, in one process. `--page` writes the
table into `docs/proofs.md`, `--check` says whether it is there as it was measured.

Input: rule texts. Output: `proofs.json` beside this file, with an entry for each text that was ever measured, and the
table. Guarantee: a cold run knows no cache and nothing that is kept beside a text.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOP = Path(__file__).parent.parent
MEASURED = Path(__file__).parent / "proofs.json"
PAGE = TOP / "docs" / "proofs.md"
BEGIN, END = "<!-- measured: python -m benchmarks.proofs -->", "<!-- end -->"
KEPT = ".proofs.json"
DECIDED = ("proved", "refuted", "measured")
ASK = """
import json, sys
import golpae
rules = golpae.load(sys.argv[1], spec_path=sys.argv[2:])
proofs = [proof for proof in rules.prove() if proof.kind != "share"]
print(json.dumps([(p.name, p.players, p.verdict, p.story) for p in proofs]))
"""


def measure(text: str) -> dict[str, Any]:
    """Return what is measured of a text."""
    path = Path(text)
    file = path if path.suffix == ".golpae" else TOP / "spec" / f"{text}.golpae"
    cold, seconds = decide(file, with_kept=False)
    found: dict[str, Any] = {"seconds": round(seconds), "properties": len(cold)}
    found["undecided"] = sorted({name for name, _, verdict, _ in cold if verdict not in DECIDED})
    if file.with_name(file.stem + KEPT).is_file():
        found["kept"] = round(decide(file, with_kept=True)[1])
    return found


def decide(file: Path, with_kept: bool) -> tuple[list[Any], float]:
    """Return what is decided of a text in a process of its own, and how many seconds of a processor it takes."""
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder) / "specs"
        shutil.copytree(file.parent, specs, ignore=None if with_kept else shutil.ignore_patterns(f"*{KEPT}"))
        for bundled in (TOP / "spec").glob("*.golpae"):
            if not (specs / bundled.name).exists():
                shutil.copy(bundled, specs)
        environment = os.environ | {"XDG_CACHE_HOME": str(Path(folder) / "cache"), "GOLPAE_PROGRESS": "off"}
        before = used()
        ran = subprocess.run(
            [sys.executable, "-c", ASK, str(specs / file.name), str(specs)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            raise RuntimeError(ran.stderr)
        return json.loads(ran.stdout), used() - before


def used() -> float:
    """Return the seconds of a processor that processes which have ended took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def table(measured: dict[str, Any]) -> Iterator[str]:
    """Yield the rows of the table."""
    yield "| text | decided | seconds | kept | undecided |"
    yield "| --- | --- | --- | --- | --- |"
    for name, found in sorted(measured.items()):
        names = ", ".join(f"`{name}`" for name in found["undecided"])
        decided = f"{found['properties'] - len(found['undecided'])} of {found['properties']}"
        yield f"| {name} | {decided} | {found['seconds']} | {found.get('kept', '')} | {names} |"


def with_table(page: str, measured: dict[str, Any]) -> str:
    """Return a page with the table."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = "\n".join(table(measured))
    return f"{before}{BEGIN}\n{rows}\n{END}{after}"


def main(words: list[str] | None = None) -> int:
    """Measure texts, or write or check the table. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs", description=__doc__)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="the name of a game, or a file")
    parser.add_argument("--as", dest="name", help="the name of a single text in the table")
    parser.add_argument("--page", action="store_true", help="write the table into docs/proofs.md")
    parser.add_argument("--check", action="store_true", help="say whether docs/proofs.md has the table")
    args = parser.parse_args(words)
    for text in args.texts:
        found = measure(text)
        measured = json.loads(MEASURED.read_text("utf-8")) if MEASURED.is_file() else {}
        measured[args.name or Path(text).stem] = found
        MEASURED.write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", "utf-8")
        sys.stdout.write(f"{text}: {json.dumps(found)}\n")
    measured = json.loads(MEASURED.read_text("utf-8")) if MEASURED.is_file() else {}
    page = PAGE.read_text("utf-8")
    if args.check:
        return int(with_table(page, measured) != page)
    if args.page:
        PAGE.write_text(with_table(page, measured), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
