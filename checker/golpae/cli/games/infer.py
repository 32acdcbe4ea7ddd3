"""`golpae infer`: what is certain of tiles that nobody saw."""

from __future__ import annotations

import argparse
import sys

from golpae import exit_codes
from golpae.cli.files.seen_files import SeenFiles
from golpae.cli.inputs import add_spec_path, add_traces, complain_of, traces_of
from golpae.cli.rule_sets import RULES_HELP, rules_to_play
from golpae.cli.terminal.output import printable, put_json
from golpae.corpus.inferred import everything, inferred
from golpae.corpus.seen import SeatView, SeenGame
from golpae.report.games.inferred import document, lines
from golpae.rule_names import UsageError
from golpae.trace import Source, Verdict


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add(
        "--seat",
        metavar="SEAT",
        help="what this player could know, by name or number from 0; `none` sees what all players see",
    )
    add("--at", metavar="N", type=int, help="what could be known after this event (default: at the end)")
    add("--why", action="store_true", help="say why tiles are certain")
    add(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people, or a JSON object a line for each game",
    )
    add("--rules", metavar="RULES", help=f"the rules of the games: {RULES_HELP}")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    if args.at is not None and args.at < 1:
        complain_of(UsageError("--at", f"`--at` must be the number of an event, from 1, not {args.at}").fault)
        return exit_codes.WRONG_INPUT
    rules = rules_to_play(args, args.paths)
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if rules is None or not files:
        return exit_codes.WRONG_INPUT
    seen = SeenFiles(rules, everything if args.seat is None else SeatView(args.seat), "inferring", args.at)
    statuses = [exit_codes.WRONG_INPUT if faults else exit_codes.HOLDS]

    def tell(source: Source, game: SeenGame) -> None:
        outcome = game.report.outcome
        inferred_game = None if game.fault is not None else inferred(game, args.why)
        if inferred_game is None:
            seen.left_out(source, game)
            statuses.append(_status(outcome.verdict))
        elif args.format == "json":
            put_json(document(inferred_game, outcome))
        else:
            name = "" if outcome.id is None else f"  `{outcome.id}`"
            for line in lines(inferred_game, f"{source.shown}:{outcome.line}{name}"):
                sys.stdout.write(f"{printable(line)}\n")
        sys.stdout.flush()

    seen.games_of(files, tell)
    if seen.failed:
        statuses.append(exit_codes.WRONG_INPUT)
    return exit_codes.worst(*statuses)


def _status(verdict: Verdict) -> int:
    """Return the status for a game of which nothing is inferred."""
    if verdict is Verdict.ILLEGAL:
        return exit_codes.FAILS
    return exit_codes.UNKNOWN if verdict is Verdict.UNKNOWN else exit_codes.WRONG_INPUT
