"""`golpae lint`: faults in rule texts, every switch tried."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from golpae.cli.inputs import add_spec_path, complain, spec_path
from golpae.diagnostics import SpecError, render


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("texts", nargs="+", metavar="RULES", help="names of games, or files ending in .golpae")
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    places = spec_path(found)
    if places is None:
        return 2
    status = 0
    for text in found.texts:
        status = max(status, _lint(text, places))
    return status


def _lint(text: str, places: Sequence[Path]) -> int:
    from golpae.elaborate.check import check_text
    from golpae.elaborate.load import ENDING, load

    name, where = text, list(places)
    if text.endswith(ENDING):
        path = Path(text)
        name, where = path.name.removesuffix(ENDING), [path, path.parent, *places]
        if not path.is_file():
            sys.stderr.write(f"golpae: there is no `{text}`\n")
            return 2
    try:
        loaded = load(name, where)
        faults = check_text(loaded)
    except SpecError as fault:
        complain(fault)
        return 2
    for diagnostic in faults:
        sys.stdout.write(render(diagnostic) + "\n")
    if not faults:
        sys.stdout.write(f"{text}: no faults\n")
    return 2 if faults else 0
