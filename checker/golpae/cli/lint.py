"""`golpae lint`: faults in rule texts, every switch tried."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from golpae.cli.inputs import add_spec_path, complain, complain_of, spec_path
from golpae.diagnostics import SpecError, near
from golpae.elaborate.load import ENDING, NAME, Loaded, load, read
from golpae.trace import InputFault, quoted


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts",
        nargs="+",
        metavar="RULES",
        help=f"names of games, files ending in {ENDING}, or folders of them",
    )
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    places = spec_path(found)
    if places is None:
        return 2
    return max(_lint(text, places) for text in found.texts)


def _lint(text: str, places: Sequence[Path]) -> int:
    path = Path(text)
    if path.is_dir() and not NAME.fullmatch(text):
        return _folder(path, places)
    if text.endswith(ENDING) or path.name != text:
        return _file(path, places)
    try:
        loaded = load(text, places)
    except SpecError as fault:
        if path.is_dir():
            return _folder(path, places)
        complain(fault, sys.stdout)
        return 2
    return _told(text, loaded)


def _folder(path: Path, places: Sequence[Path]) -> int:
    files = sorted(f for f in path.glob("*" + ENDING) if f.is_file())
    if not files:
        message = f"no rule texts in folder {quoted(str(path))}"
        complain_of(InputFault(str(path), message, f"their names end in `{ENDING}`"))
        return 2
    return max(_file(file, places) for file in files)


def _file(path: Path, places: Sequence[Path]) -> int:
    name = path.name.removesuffix(ENDING)
    if not path.is_file():
        beside = [f.name for f in path.parent.glob("*" + ENDING)]
        complain_of(InputFault(str(path), f"there is no file {quoted(str(path))}", near(path.name, beside)))
        return 2
    if not NAME.fullmatch(name):
        advice = "names are of the letters a to z, digits, `-` and `_`"
        complain_of(InputFault(str(path), f"{quoted(path.name)} can be no game's name", advice))
        return 2
    try:
        loaded = load(name, [path, path.parent, *places])
    except SpecError as fault:
        if _is_part(path, fault):
            sys.stdout.write(f"{path}: no faults (a part of other texts: it has no `game` line)\n")
            return 0
        complain(fault, sys.stdout)
        return 2
    return _told(str(path), loaded)


def _is_part(path: Path, fault: SpecError) -> bool:
    """Whether a text is well written as far as it goes, but no game by itself."""
    from golpae.syntax.parse import parse

    [*others, last] = fault.diagnostics
    return not others and last.code == "L004" and last.span is None and bool(parse(read(path)[0]).decls)


def _told(text: str, loaded: Loaded) -> int:
    from golpae.elaborate.check import check_text

    faults = check_text(loaded)
    if not faults:
        sys.stdout.write(f"{text}: no faults\n")
        return 0
    complain(SpecError(faults), sys.stdout)
    return 2
