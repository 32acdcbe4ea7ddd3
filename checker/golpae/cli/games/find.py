"""`golpae find`: where in recorded games does an expression of the rules language hold?"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from golpae import exit_codes
from golpae.cli.inputs import (
    add_spec_path,
    add_traces,
    complain,
    complain_of,
    opened,
    reading,
    spec_path,
    traces_of,
    unwritable,
)
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import printable, put_json, read_to_end
from golpae.diagnostics import SpecError
from golpae.diagnostics.amounts import many
from golpae.elaborate.resolve import split
from golpae.find.matching_games import Finder, MatchingGame
from golpae.find.question import Question
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.rule_names import UsageError, located, named
from golpae.simulate.traces import TraceFile
from golpae.trace import InputFault, Source, quoted
from golpae.trace.unseen import ALL_TILES

MOST_SHOWN = 20
LONGEST = 160  # characters of an event in words


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "rules",
        metavar="RULES",
        help=f"look at games of this game, with at least these variants: {RULES_HELP}",
    )
    add(
        "expression",
        metavar="EXPRESSION",
        help="what has to hold, as a rule text would say it; after `after ACTION:` it is asked after each event of "
        "that action and may read its names, for example `after put: size of p's hand = 2`",
    )
    add_traces(parser)
    add(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people, or one JSON object for each place",
    )
    add(
        "--traces",
        metavar="FILE",
        help="write each game that has a place to this file, cut after its first one; compressed if its name ends in "
        "`.gz`",
    )
    add(
        "--most",
        metavar="N",
        type=int,
        default=MOST_SHOWN,
        help=f"games that the text lists; all are counted (default: {MOST_SHOWN})",
    )
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    places = spec_path(args, args.paths)
    if places is None:
        return exit_codes.WRONG_INPUT
    if args.most < 0:
        raise UsageError("--most", f"`--most` must be 0 or more, not `{args.most}`")
    finder = _finder(args, places)
    with ExitStack() as stack:
        cut = None
        if args.traces is not None:
            _refuse_input(args)
            try:
                cut = stack.enter_context(TraceFile(Path(args.traces)))
            except OSError as fault:
                raise unwritable(args.traces, fault) from None
        return _Search(args, finder, cut).run()


def _refuse_input(args: argparse.Namespace) -> None:
    """Raise `UsageError` if the games that are cut out would take the place of a file that is read."""
    files, _ = traces_of(args, args.paths, silent=True)
    if any(os.path.realpath(file.path) == os.path.realpath(args.traces) for file in files):
        advice = "give the games that are cut out another name, or another folder"
        raise UsageError("--traces", f"{quoted(args.traces)} is one of the files to look through", advice)


def _finder(args: argparse.Namespace, places: list[Path]) -> Finder:
    """Return the finder of the expression in games. Raises `SpecError` if the rules of the call have no such
    expression.
    """
    name = named(args.rules, places)
    question = Question.of(args.expression)
    base, switches = split(name.rules)
    try:
        first = question.asked_of(name.rules, name.places)
    except SpecError as fault:
        raise located(fault, name.rules, name.places) from None

    def load(rules: str) -> RuleSet:
        return first if rules == name.rules else question.asked_of(rules, name.places)

    return Finder(load, base, frozenset(switches), question.after is not None)


@dataclass(slots=True)
class _Search:
    """One call."""

    args: argparse.Namespace
    finder: Finder
    cut: TraceFile | None
    found: int = 0
    """Places."""
    games: int = 0
    failed: bool = False

    def run(self) -> int:
        files, faults = traces_of(self.args, self.args.paths)
        for fault in faults:
            complain_of(fault)
        self.failed = bool(faults)
        with reading("looking through games", "games", files) as progress:
            for source in files:
                self._file(source, progress)
        questions = self.finder.asked
        for rules, spec_fault in questions.faults.items():
            sys.stderr.write(f"golpae: the expression means nothing in `{printable(rules)}`:\n")
            complain(spec_fault)
        if self.args.format == "text" and files:
            sys.stdout.write("".join(f"{line}\n" for line in self._summary(len(files))))
        if files and not questions.games and not self.failed:
            help_ = "the name of the rules is that in the headers of the games, with or without variants"
            complain_of(InputFault(self.args.rules, f"no game of `{self.args.rules}` was found", help_))
            self.failed = True
        if self.failed or questions.faults or questions.unread:
            return exit_codes.WRONG_INPUT
        if self.found:
            return exit_codes.HOLDS
        return exit_codes.UNKNOWN if questions.unseen else exit_codes.FAILS

    def _file(self, source: Source, progress: Progress) -> None:
        stream = opened(source)
        if stream is None:
            self.failed = True
            return
        with stream:
            games, asked = self.finder.file(progress.watched(stream)), self.finder.asked
            take = partial(self._game, source)
            if not read_to_end(source, games, progress, take, lambda: asked.all_games):
                self.failed = True

    def _game(self, source: Source, game: MatchingGame) -> None:
        self.found += len(game.places)
        self.games += 1
        if self.cut is not None:
            self.cut.write(b"".join(map(_written, game.lines)))
        if self.args.format == "json":
            for one in _json(source, game):
                put_json(one)
        elif self.games <= self.args.most:
            first = game.places[0]
            where = "before the first event" if first.event == 0 else f"event {first.event}, line {first.at}"
            said = printable(first.words or "")
            words = f"  {said if len(said) <= LONGEST else f'{said[: LONGEST - 1]}…'}" if said else ""
            more = f"  (and {len(game.places) - 1:,} more)" if len(game.places) > 1 else ""
            sys.stdout.write(f"{source.shown}:{game.line}  {where}{words}{more}\n")

    def _summary(self, files: int) -> Iterator[str]:
        questions = self.finder.asked
        if self.games > self.args.most:
            yield f"and in {many(self.games - self.args.most, 'more game')}"
        what = "event" if self.finder.of_events else "position"
        yield (
            f"{self.found:,} {what}{'s' * (self.found != 1)} in {self.games:,} of {questions.games:,} "
            f"game{'s' * (questions.games != 1)}, {files:,} file{'s' * (files != 1)}"
        )
        if questions.other_games:
            yield f"{questions.other_games:,} of other rules left out"
        if questions.unread:
            yield f"{questions.unread:,} left out: their rules, or their headers, cannot be read"
        if questions.unseen:
            yield f"{questions.unseen:,} asked only up to a tile that nobody saw; {ALL_TILES}"
        if questions.stopped:
            yield f"{questions.stopped:,} not asked to the end: that takes too many steps"


def _json(source: Source, game: MatchingGame) -> Iterator[dict[str, Any]]:
    for place in game.places:
        yield {
            "file": source.name,
            "line": game.line,
            "id": game.header.id,
            "rules": game.header.rules,
            "event": place.event,
            "at": place.at,
            "words": place.words,
            "names": dict(place.names),
        }


def _written(line: Mapping[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
