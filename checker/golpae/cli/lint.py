"""`golpae lint`: faults in rule texts with every switch; with `--deep`, also what is vacuous."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import add_spec_path, complain, complain_of, processors, spec_path
from golpae.diagnostics import SpecError, near
from golpae.elaborate.load import ENDING, NAME, Loaded, load, read
from golpae.elaborate.resolve import resolve, split
from golpae.syntax.tree import Variant
from golpae.trace import InputFault, quoted

# the status of the whole call is the first of these that some text has
WORST = (exit_codes.WRONG_INPUT, exit_codes.FAILS, exit_codes.UNKNOWN, exit_codes.HOLDS)
SECONDS = 10  # for one question to the solver


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts",
        nargs="+",
        metavar="RULES",
        help=f"names of games, files ending in {ENDING}, or folders of them",
    )
    parser.add_argument(
        "--deep",
        action="store_true",
        help="look too for what speaks of nothing: actions that can never happen, conditions that can never "
        "refuse, properties that hold of nothing, clauses that no property depends on, and what nothing uses. "
        "RULES may be `base+variant+...` then",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="of `--deep`: processes at a time; without it, one for each processor",
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=float, help="of `--deep`: for one question to the solver (10)"
    )
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    places = spec_path(args)
    if places is None:
        return exit_codes.WRONG_INPUT
    deep = _deep(args)
    if isinstance(deep, InputFault):
        complain_of(deep)
        return exit_codes.WRONG_INPUT
    codes = [_lint(text, places, deep) for text in args.texts]
    return next(code for code in WORST if code in codes)


@dataclass(frozen=True, slots=True)
class _Deep:
    """The limits of the vacuity lint."""

    jobs: int
    milliseconds: int


def _lint(text: str, places: Sequence[Path], deep: _Deep | None) -> int:
    path = Path(text)
    if path.is_dir() and not NAME.fullmatch(text):
        return _folder(path, places, deep)
    if text.endswith(ENDING) or path.name != text:
        return _file(path, places, deep)
    base = split(text)[0] if deep else text
    try:
        loaded = load(base, places)
        if base != text:
            resolve(text, loaded)
    except SpecError as fault:
        if path.is_dir():
            return _folder(path, places, deep)
        complain(fault, sys.stdout)
        return exit_codes.WRONG_INPUT
    return _loaded(text, loaded, deep, [text] if base != text else None)


def _folder(path: Path, places: Sequence[Path], deep: _Deep | None) -> int:
    files = sorted(f for f in path.glob("*" + ENDING) if f.is_file())
    if not files:
        message = f"no rule texts in folder {quoted(str(path))}"
        complain_of(InputFault(str(path), message, f"their names end in `{ENDING}`"))
        return exit_codes.WRONG_INPUT
    codes = [_file(file, places, deep) for file in files]
    return next(code for code in WORST if code in codes)


def _file(path: Path, places: Sequence[Path], deep: _Deep | None) -> int:
    name = path.name.removesuffix(ENDING)
    if not path.is_file():
        beside = [f.name for f in path.parent.glob("*" + ENDING)]
        complain_of(InputFault(str(path), f"there is no file {quoted(str(path))}", near(path.name, beside)))
        return exit_codes.WRONG_INPUT
    if not NAME.fullmatch(name):
        advice = "names are of the letters a to z, digits, `-` and `_`"
        complain_of(InputFault(str(path), f"{quoted(path.name)} can be no game's name", advice))
        return exit_codes.WRONG_INPUT
    try:
        loaded = load(name, [path, path.parent, *places])
    except SpecError as fault:
        if _is_part(path, fault):
            sys.stdout.write(f"{path}: no faults (a part of other texts: it has no `game` line)\n")
            return exit_codes.HOLDS
        complain(fault, sys.stdout)
        return exit_codes.WRONG_INPUT
    return _loaded(str(path), loaded, deep)


def _is_part(path: Path, fault: SpecError) -> bool:
    """Return whether a text has no faults but is no game by itself."""
    from golpae.syntax.parse import parse

    [*others, last] = fault.diagnostics
    return not others and last.code == "L004" and last.span is None and bool(parse(read(path)[0]).decls)


def _loaded(text: str, loaded: Loaded, deep: _Deep | None, rule_sets: Sequence[str] | None = None) -> int:
    from golpae.elaborate.check import check_text

    faults = check_text(loaded)
    if faults:
        complain(SpecError(faults), sys.stdout)
        return exit_codes.WRONG_INPUT
    if deep is not None:
        return _vacuous(text, loaded, deep, rule_sets)
    sys.stdout.write(f"{text}: no faults\n")
    return exit_codes.HOLDS


def _vacuous(text: str, loaded: Loaded, deep: _Deep, rule_sets: Sequence[str] | None) -> int:
    """Print what is vacuous in a text: in the rule sets named, or in its base and with each switch."""
    from golpae.lint.vacuity import notes
    from golpae.verify.options import Settings

    if rule_sets is None:
        base = loaded.game.name.text
        rule_sets = [base, *(f"{base}+{d.name.text}" for d in loaded.decls if isinstance(d, Variant))]
    printed = notes(loaded, rule_sets, Settings(milliseconds=deep.milliseconds), deep.jobs)
    for note in printed:
        sys.stdout.write(f"{note}\n")
    if any(not note.unknown for note in printed):
        return exit_codes.FAILS
    if printed:
        return exit_codes.UNKNOWN
    sys.stdout.write(f"{text}: no faults, and nothing that speaks of nothing\n")
    return exit_codes.HOLDS


def _deep(args: argparse.Namespace) -> _Deep | InputFault | None:
    """Return the limits of `--deep`, or the fault of the call, or None without `--deep`."""
    for name in ("jobs", "time_limit"):
        value, option = getattr(args, name), "--" + name.replace("_", "-")
        if value is not None and not args.deep:
            return InputFault(
                option, f"`{option}` says what `--deep` may cost, and `--deep` is not asked for"
            )
        if value is not None and not 0 < value < 1_000_000:
            return InputFault(option, f"`{option}` is more than 0 and less than a million, not `{value:g}`")
    if not args.deep:
        return None
    return _Deep(args.jobs or processors(), max(1, round(1000 * (args.time_limit or SECONDS))))
