"""`golpae learn`: which small edit of a rule text explains recorded games?"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from golpae import __version__, exit_codes
from golpae.cli.inputs import add_spec_path, add_traces, complain_of, make_folder, spec_path, traces_of
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import printable, put_json, say_empty
from golpae.diagnostics.amounts import many
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.names import ENDING, NAME, find
from golpae.elaborate.resolve import resolve, split
from golpae.learn.answer import Learned, learned, sound
from golpae.learn.deciding import Deciding, deciding
from golpae.learn.hands.answer import points_learned
from golpae.learn.hands.reading import sound as sound_hands
from golpae.learn.reading import nearest, read
from golpae.mutate.properties import falling
from golpae.mutate.recorded import Hand, NotHands, Trace
from golpae.mutate.recorded import hands as hands_in
from golpae.progress import Progress, Shown
from golpae.report.learning import DecidingGames, learned_json, learned_lines
from golpae.report.learning_points import points_json, points_lines
from golpae.rule_names import Named, UsageError, loader, named, named_rule_set
from golpae.search.witness import save
from golpae.trace import InputFault, Source, quoted, sources
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
    add(
        "--witnesses",
        metavar="DIR",
        help="write the games that decide between edits to this folder, each as a trace",
    )
    add(
        "--prove",
        action="store_true",
        help="also say which properties of the text do not hold with the best edit",
    )
    add("--format", choices=("text", "json"), default="text", help="for people, or as one JSON object")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        asked = _asked(args)
        found = None if asked is None else (_of_hands if args.hands else _of_games)(args, asked)
    except OSError as unread:
        name = quoted(str(unread.filename or "a file"))
        complain_of(InputFault("", f"{name} cannot be read: {reason_of(unread)}"))
        return exit_codes.WRONG_INPUT
    if found is None:
        return exit_codes.WRONG_INPUT
    if args.format == "text":
        sys.stdout.write("".join(f"{printable(line)}\n" for line in found.lines))
    written, unwritten = None, None
    if args.write is not None:
        written, unwritten = _write(Path(args.write), found)
    if args.format == "json":
        put_json(
            {"format": FORMAT, "golpae": __version__, "kind": found.kind, **found.json, "written": written}
        )
    if unwritten is not None:
        complain_of(unwritten)
        return exit_codes.WRONG_INPUT
    if written is not None and args.format == "text":
        sys.stdout.write(f"{printable(_next(args, found, written))}\n")
    return exit_codes.HOLDS if found.explained else exit_codes.FAILS


@dataclass(frozen=True, slots=True)
class _Asked:
    """The rules that a call names, their game and its text, and the files."""

    name: Named
    game: str
    loaded: Loaded
    files: Sequence[Source]


@dataclass(frozen=True, slots=True)
class _Found:
    """An answer about `kind`, for people and for programs. `variant` is its best edit, None if there is none in the
    language; `explained` is whether it leaves nothing open.
    """

    kind: Literal["games", "hands"]
    rules: str
    lines: Iterable[str]
    json: Mapping[str, object]
    variant: str | None
    explained: bool


def _asked(args: argparse.Namespace) -> _Asked | None:
    """Return the rules and files that a call names, or None after a complaint. Raises `SpecError` and `UsageError`."""
    if args.hands and args.form is not None:
        raise UsageError("--from", "`--from` is for games, not for hands", "leave `--from` or `--hands` out")
    for option, is_given in (("--witnesses", args.witnesses is not None), ("--prove", args.prove)):
        if args.hands and is_given:
            advice = f"leave `{option}` or `--hands` out"
            raise UsageError(option, f"`{option}` is about games, not about hands", advice)
    places = spec_path(args, args.paths)
    if places is None:
        return None
    make_folder(args.witnesses)
    name = named(args.rules, places)
    rule_set = named_rule_set(name)  # the faults of its text are said here
    if args.hands and not rule_set.scores:
        raise UsageError(args.rules, f"{quoted(name.rules)} has no `score`: hands are not worth points in it")
    game, _ = split(name.rules)
    if args.write is not None:
        _refuse_file(Path(args.write), game)
    files, faults = sources(args.paths) if args.hands else traces_of(args, args.paths)
    for fault in faults:
        raise UsageError(fault.path, fault.message, fault.help, fault.examples)
    return _Asked(name, game, load(game, name.places), files)


def _of_hands(args: argparse.Namespace, asked: _Asked) -> _Found:
    """Return the answer about hands. Raises `SpecError`, `UsageError` and OSError."""
    every: list[Hand] = []
    try:
        for file in asked.files:
            had = hands_in(file, asked.game)
            if not had:
                say_empty(file.name, "hand")
            every += had
    except NotHands as wrong:
        raise UsageError("", str(wrong)) from None
    hands, left_out = sound_hands(asked.loaded, asked.name.rules, every)
    _say_left_out(left_out, "hand")
    if not hands:
        raise UsageError("", f"there is no hand of {quoted(asked.game)} in these files to learn from")
    progress = Progress("trying", unit="edits")
    with Shown(progress):
        answer = points_learned(asked.loaded, asked.name.rules, hands, progress)
    best = answer.best
    return _Found(
        "hands",
        answer.rules,
        points_lines(answer, hands),
        points_json(answer, hands),
        None if best is None else best.variant,
        not (answer.wrong if best is None else best.wrong),
    )


def _of_games(args: argparse.Namespace, asked: _Asked) -> _Found:
    """Return the answer about games. Raises `SpecError`, `UsageError` and OSError."""
    name = asked.name
    had = read(asked.files, asked.game)
    for file in had.empty:
        say_empty(file)
    progress = Progress("trying", unit="edits")
    with Shown(progress):
        progress.begin("trying the rule sets")
        near = nearest(name.rules, loader(name.places), had.games)
        games, unsound = sound(asked.loaded, near[0], had.games)
        _say_left_out({**had.left_out, **unsound}, "game")
        if not games:
            message = f"there is no recorded game of {quoted(asked.game)} in these files to learn from"
            raise UsageError("", message)
        progress.begin("trying", unit="edits")
        answer = learned(asked.loaded, near[0], games, progress)
        progress.begin("looking for games that decide")
        decided = _decided(answer, games, args.witnesses)
        best = answer.best
        fallen = None
        if args.prove and best is not None and best.as_variant is not None:
            progress.begin("deciding the properties")
            fallen = [*falling(check(resolve(near[0], asked.loaded)), best.as_variant)]
    return _Found(
        "games",
        answer.rules,
        learned_lines(answer, games, near, decided, fallen),
        learned_json(answer, games, near, decided, fallen),
        None if best is None else best.variant,
        max(answer.legal, 0 if best is None else best.legal) == answer.games,
    )


def _decided(answer: Learned, games: Sequence[Trace], folder: str | None) -> DecidingGames:
    """Return the games that decide between the edits, and write them to a folder. Raises `UsageError`."""
    best = answer.best
    if best is None:
        return DecidingGames((), ())
    found = [deciding(best.rule_set, answer.without, games)]
    found += [deciding(best.rule_set, other.rule_set, games) for other in answer.others]
    files = [
        None
        if folder is None or game is None
        else _saved(game, answer.rules, Path(folder, f"edit-{number}.jsonl"))
        for number, game in enumerate(found, 1)
    ]
    return DecidingGames(tuple(found), tuple(files))


def _saved(game: Deciding, rules: str, file: Path) -> str:
    """Write a game as a trace. Raises `UsageError`."""
    header = {"golpae": 1, "rules": rules, "players": [*game.players]}
    if game.options:
        header["options"] = dict(game.options)
    try:
        save(file, [header, *game.events])
    except OSError as fault:
        raise UsageError(str(file), f"{quoted(str(file))} cannot be written: {reason_of(fault)}") from None
    return str(file)


def _say_left_out(left_out: Mapping[str, Sequence[str]], what: str) -> None:
    for reason, names in sorted(left_out.items()):
        complain_of(
            InputFault("", f"{many(len(names), what)} left out, {reason}; the first is {quoted(names[0])}")
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


def _write(file: Path, found: _Found) -> tuple[str | None, InputFault | None]:
    """Write the best edit as a text. Returns its file, or why it was not written."""
    if found.variant is None:
        return None, InputFault(
            str(file), f"{quoted(str(file))} was not written: there is no variant to write"
        )
    name = file.name.removesuffix(ENDING)
    game, _ = split(found.rules)
    head = f'game {name} "{name}, as recorded {found.kind} have it"'
    text = f"{head}\ninclude {game}\n\n{found.variant.rstrip()}\n"
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except OSError as wrong:
        return None, InputFault(str(file), f"{quoted(str(file))} cannot be written: {reason_of(wrong)}")
    return str(file), None


def _next(args: argparse.Namespace, found: _Found, file: str) -> str:
    """Return the line that names the written text and the call that shows what else it changes."""
    assert found.variant is not None
    _, switches = split(found.rules)
    word = args.rules.partition("+")[0]
    old = "+".join((word, *switches))
    new = "+".join((file, *switches, found.variant.split()[1]))
    places = [part for place in args.spec_path or () for part in ("--spec-path", str(place))]
    return (
        f"wrote {quoted(file)}; what else it changes: {shlex.join(['golpae', 'compare', old, new, *places])}"
    )
