"""`golpae hide`: recorded games as one player saw them."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from golpae import exit_codes
from golpae.beside import written
from golpae.cli.files.seen_files import SeenFiles
from golpae.cli.inputs import add_spec_path, add_traces, complain_of, overwritten, traces_of, unwritable
from golpae.cli.rule_sets import RULES_HELP, rules_to_play
from golpae.corpus.seen import ChanceView, SeatView, SeenGame, View
from golpae.diagnostics.amounts import many
from golpae.rule_names import UsageError
from golpae.trace import Source
from golpae.trace.written import trace_text


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add(
        "--seat",
        metavar="SEAT",
        help="the player, by name or number from 0; `none` sees what all players see",
    )
    add("--chance", metavar="P", type=float, help="instead, hide each tile with this probability")
    add("--seed", metavar="N", type=int, help="with `--chance`: the seed (default: 1)")
    add("--rules", metavar="RULES", help=f"the rules that say who sees what: {RULES_HELP}")
    add("-o", "--output", metavar="FILE", help="write the games to this file (default: standard output)")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    view = _view(args)
    rules = rules_to_play(args, args.paths)
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if rules is None or not files:
        return exit_codes.WRONG_INPUT
    wrong = None if args.output is None else overwritten(files, "--output", args.output)
    if wrong is not None:
        complain_of(wrong)
        return exit_codes.WRONG_INPUT
    seen = SeenFiles(rules, view, "hiding")
    try:
        if args.output is None:
            _hide(seen, files, sys.stdout.buffer)
        else:
            with written(Path(args.output)) as out:
                games = _hide(seen, files, out)
            sys.stdout.write(f"{many(games, 'game')}\n")
    except BrokenPipeError:
        raise
    except OSError as error:
        complain_of(unwritable(args.output or "-", error).fault)
        return exit_codes.WRONG_INPUT
    return exit_codes.WRONG_INPUT if faults or seen.failed or seen.left else exit_codes.HOLDS


def _view(args: argparse.Namespace) -> View:
    """Return the view that a call chooses: that of a seat or an onlooker, or one that hides tiles by chance. Raises
    `UsageError`.
    """
    if args.chance is None:
        if args.seed is not None:
            raise UsageError("--seed", "`--seed` goes with `--chance`")
        if args.seat is None:
            advice = "for example `--seat 0`, or `--chance 0.3`, which hides some tiles by chance"
            raise UsageError("--seat", "`--seat` is missing: who sees the games?", advice)
        return SeatView(args.seat)
    if args.seat is not None:
        raise UsageError(
            "--chance", "`--chance` hides tiles whoever sees them, so it does not go with `--seat`"
        )
    if not 0 < args.chance <= 1:
        raise UsageError("--chance", f"`--chance` must be more than 0 and at most 1, not `{args.chance:g}`")
    return ChanceView(args.chance, random.Random(1 if args.seed is None else args.seed))


def _hide(seen: SeenFiles, files: Sequence[Source], out: BinaryIO) -> int:
    """Write what is seen of the games of all files. Return of how many."""
    games = 0

    def write(source: Source, game: SeenGame) -> None:
        nonlocal games
        first = game.lines[0][1]
        if game.events is None or first is None:
            seen.left_out(source, game)
            return
        games += 1
        header = first if seen.rules.rules is None else {**first, "rules": game.report.outcome.rules}
        out.write(trace_text([header, *game.events]))

    seen.games_of(files, write)
    return games
