"""`golpae learn`: which small edit of a rule text explains recorded games?"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from golpae import __version__, exit_codes
from golpae.cli.inputs import add_spec_path, add_traces, complain_of, spec_path, traces_of
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import printable, put_json, say_empty
from golpae.diagnostics.amounts import many
from golpae.elaborate.load import load
from golpae.elaborate.names import ENDING, NAME, find
from golpae.elaborate.resolve import split
from golpae.learn.answer import Learned, learned, sound
from golpae.learn.hands.answer import of_game, points_learned
from golpae.learn.nearest import nearest
from golpae.learn.reading import read
from golpae.mutate.recorded import NotHands, Trace
from golpae.mutate.recorded import hands as hands_in
from golpae.progress import Progress, Shown
from golpae.report.learning import learned_json, learned_lines
from golpae.report.learning_points import points_json, points_lines
from golpae.rule_names import Named, UsageError, loader, named, named_rule_set
from golpae.trace import InputFault, quoted
from golpae.unreadable import reason_of

FORMAT = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("rules", metavar="RULES", help=f"{RULES_HELP}; these variants are on in any case")
    add_traces(parser)
    add(
        "--write",
        metavar="FILE",
        help=f"also write the edit to this new file, as a text that includes the game (`NAME{ENDING}`)",
    )
    add(
        "--hands",
        action="store_true",
        help="the files hold hands as `golpae score` takes them, each with its `points`: which edit of the score "
        "explains these?",
    )
    add("--format", choices=("text", "json"), default="text", help="for people, or as one JSON object")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        if args.hands:
            return _run_hands(args)
        found = _found(args)
    except OSError as unread:
        name = quoted(str(unread.filename or "a file"))
        complain_of(InputFault("", f"{name} cannot be read: {reason_of(unread)}"))
        return exit_codes.WRONG_INPUT
    if found is None:
        return exit_codes.WRONG_INPUT
    answer = found.answer
    if args.format == "text":
        told = learned_lines(answer, found.games, found.near)
        sys.stdout.write("".join(f"{printable(line)}\n" for line in told))
    written, unwritten = None, None
    if args.write is not None:
        variant = None if answer.best is None else answer.best.variant
        written, unwritten = _write(Path(args.write), split(answer.rules)[0], variant)
    if args.format == "json":
        whole = learned_json(answer, found.games, found.near)
        put_json({"format": FORMAT, "golpae": __version__, **whole, "written": written})
    if unwritten is not None:
        complain_of(unwritten)
        return exit_codes.WRONG_INPUT
    if written is not None and args.format == "text":
        sys.stdout.write(f"{printable(_next(args, found, written))}\n")
    legal = max(answer.legal, 0 if answer.best is None else answer.best.legal)
    return exit_codes.HOLDS if legal == answer.games else exit_codes.FAILS


def _run_hands(args: argparse.Namespace) -> int:
    """Answer about hands. Raises `SpecError`, `UsageError` and OSError."""
    places = spec_path(args, args.paths)
    if places is None:
        return exit_codes.WRONG_INPUT
    name = named(args.rules, places)
    named_rule_set(name)  # the faults of its text are said here
    game, _ = split(name.rules)
    if args.write is not None:
        _refuse_file(Path(args.write), game)
    try:
        every = of_game([hand for path in args.paths for hand in hands_in(Path(path))], game)
    except NotHands as wrong:
        raise UsageError("", f"`--hands`: {wrong}") from None
    if not every:
        raise UsageError("", f"there is no hand of {quoted(game)} in these files to learn from")
    progress = Progress("trying", unit="edits")
    with Shown(progress):
        answer = points_learned(load(game, name.places), name.rules, every, progress)
    if args.format == "text":
        sys.stdout.write("".join(f"{printable(line)}\n" for line in points_lines(answer, every)))
    written, unwritten = None, None
    if args.write is not None:
        variant = None if answer.best is None else answer.best.variant
        written, unwritten = _write(Path(args.write), game, variant)
    if args.format == "json":
        put_json({"format": FORMAT, "golpae": __version__, **points_json(answer, every), "written": written})
    if unwritten is not None:
        complain_of(unwritten)
        return exit_codes.WRONG_INPUT
    left = answer.wrong if answer.best is None else answer.best.wrong
    return exit_codes.FAILS if left else exit_codes.HOLDS


@dataclass(frozen=True, slots=True)
class _Found:
    """The answer, the games that it is about, all rule sets that these come nearest to, and the text of the game."""

    answer: Learned
    games: list[Trace]
    near: list[str]
    name: Named


def _found(args: argparse.Namespace) -> _Found | None:
    """Return the answer with its games, or None after a complaint."""
    places = spec_path(args, args.paths)
    if places is None:
        return None
    name = named(args.rules, places)
    named_rule_set(name)  # the faults of its text are said here
    game, _ = split(name.rules)
    if args.write is not None:
        _refuse_file(Path(args.write), game)
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        raise UsageError(fault.path, fault.message, fault.help, fault.examples)
    had = read(files, game)
    for file in had.empty:
        say_empty(file)
    progress = Progress("trying", unit="edits")
    with Shown(progress):
        progress.begin("trying the rule sets")
        near = nearest(name.rules, loader(name.places), had.games)
        games, unsound = sound(load(game, name.places), near[0], had.games)
        _say_left_out({**had.left_out, **unsound})
        if not games:
            raise UsageError("", f"there is no recorded game of {quoted(game)} in these files to learn from")
        progress.begin("trying", unit="edits")
        return _Found(learned(load(game, name.places), near[0], games, progress), games, near, name)


def _say_left_out(left_out: Mapping[str, Sequence[str]]) -> None:
    for reason, names in sorted(left_out.items()):
        complain_of(
            InputFault("", f"{many(len(names), 'game')} left out, {reason}; the first is {quoted(names[0])}")
        )


def _refuse_file(file: Path, game: str) -> None:
    name = file.name.removesuffix(ENDING)
    if not file.name.endswith(ENDING) or not NAME.fullmatch(name):
        advice = "a name consists of the letters a to z, digits, `-` and `_`, and starts with a letter"
        message = f"`--write` takes the name of a rule text, `NAME{ENDING}`, not {quoted(str(file))}"
        raise UsageError("--write", message, advice)
    if name == game or find(name, ()) is not None:
        advice = "choose another name: recorded games would be taken for those of the other one"
        raise UsageError(str(file), f"there is a game called {quoted(name)} already", advice)
    if os.path.lexists(file):
        raise UsageError(str(file), f"{quoted(str(file))} is there already", "write to a new file")
    if not file.parent.is_dir():
        raise UsageError(str(file), f"there is no folder {quoted(str(file.parent))}", "make it first")


def _write(file: Path, game: str, variant: str | None) -> tuple[str | None, InputFault | None]:
    """Write the best edit as a text. Returns its file, or why it was not written."""
    if variant is None:
        return None, InputFault(
            str(file), f"{quoted(str(file))} was not written: there is no variant to write"
        )
    name = file.name.removesuffix(ENDING)
    text = f'game {name} "{name}, as recorded games have it"\n\ninclude {game}\n\n{variant.rstrip()}\n'
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except OSError as wrong:
        return None, InputFault(str(file), f"{quoted(str(file))} cannot be written: {reason_of(wrong)}")
    return str(file), None


def _next(args: argparse.Namespace, found: _Found, file: str) -> str:
    """Return the next steps with a text that was written."""
    assert found.answer.best is not None
    assert found.answer.best.variant is not None
    _, switches = split(found.answer.rules)
    word = args.rules.partition("+")[0]
    old = "+".join((word, *switches))
    new = "+".join((file, *switches, found.answer.best.variant.split()[1]))
    places = [part for place in args.spec_path or () for part in ("--spec-path", str(place))]
    return (
        f"wrote {quoted(file)}; what else it changes: {shlex.join(['golpae', 'compare', old, new, *places])}"
    )
