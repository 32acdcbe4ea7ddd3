"""`golpae simulate`: play many games by a policy, and count what comes of them."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from contextlib import ExitStack
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import (
    UsageError,
    add_spec_path,
    complain,
    complain_of,
    processors,
    refuse_numbers,
    spec_path,
)
from golpae.cli.output import printable, put_json
from golpae.cli.rule_sets import RULES_HELP, named, named_rule_set
from golpae.diagnostics import SpecError
from golpae.elaborate.instance import TableFault, bounds, instantiate, options_of
from golpae.progress import Progress, Shown
from golpae.replay.chance import WORDS
from golpae.report.simulation import Played, lines
from golpae.report.simulation_json import to_json
from golpae.report.simulation_plot import svg
from golpae.simulate.policies import MADE, PolicyFault, names_of
from golpae.simulate.run import Series, Simulated, simulate
from golpae.simulate.traces import TraceFile
from golpae.trace import InputFault, quoted

MOST_GAMES = 1_000_000_000
TWO_WAYS = "a fault in golpae: its two ways to play game {} disagree; the game of the reference counts"


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("rules", metavar="RULES", help=RULES_HELP)
    add("--games", metavar="N", type=int, default=1000, help="how many games to play (default: 1000)")
    add("--hands", metavar="N", type=int, default=1, help="hands of each game, at most (default: 1)")
    add("--seed", metavar="N", type=int, default=1, help="the same seed gives the same games (default: 1)")
    add(
        "--policy",
        metavar="NAME",
        default="random",
        help=f"how everybody plays: {', '.join(MADE)}, or MODULE:NAME for a policy in Python; "
        "`A,B,C` names one for each seat (default: random)",
    )
    add(
        "--players",
        metavar="N",
        type=int,
        help="number of players (default: the fewest that the rules allow)",
    )
    add(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="play with this option; may be given several times",
    )
    add("--jobs", metavar="N", type=int, help="number of processes (default: one for each processor)")
    add("--format", choices=("table", "json"), default="table", help="for people, or as one JSON object")
    add("--plot", metavar="FILE", help="also write a picture of the result to this file, as SVG")
    add(
        "--traces",
        metavar="FILE",
        help="also write all games to this file, as traces; compressed if its name ends in `.gz`",
    )
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        series = _series(args)
        if series is None:
            return exit_codes.WRONG_INPUT
        result, notes = _simulated(series, args)
    except SpecError as fault:
        complain(fault)
        return exit_codes.WRONG_INPUT
    except UsageError as error:
        complain_of(error.fault)
        return exit_codes.WRONG_INPUT
    except PolicyFault as fault:
        complain_of(InputFault("--policy", fault.message, fault.advice))
        return exit_codes.WRONG_INPUT
    played = _played(series, result, notes)
    if args.format == "json":
        put_json(to_json(played))
    else:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines(played)))
    status = exit_codes.HOLDS
    if args.plot is not None:
        try:
            Path(args.plot).write_text(svg(played), encoding="utf-8")
        except OSError as fault:
            complain_of(_unwritable(args.plot, fault).fault)
            status = exit_codes.WRONG_INPUT
    if result.differ:
        complain_of(InputFault(args.rules, TWO_WAYS.format(result.differ[0]), "please report this call"))
        status = exit_codes.FAULT
    if result.interrupted:
        sys.stderr.write("golpae: interrupted; what was played so far is shown\n")
        return exit_codes.INTERRUPTED
    return status


def _series(args: argparse.Namespace) -> Series | None:
    """Return what a call wants played, or None after a complaint. Raises `UsageError`, `SpecError`, `PolicyFault`."""
    refuse_numbers(args, "players", "jobs", "hands")
    if not 0 < args.games <= MOST_GAMES:
        message = f"`--games` must be more than 0 and at most {MOST_GAMES:,}, not `{args.games}`"
        raise UsageError("--games", message)
    if not 0 <= args.seed < WORDS:
        raise UsageError(
            "--seed", f"`--seed` must be a whole number from 0 to {WORDS - 1}, not `{args.seed}`"
        )
    if args.plot is not None and not Path(args.plot).absolute().parent.is_dir():
        raise _unwritable(args.plot, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    options = _options(args.option)
    places = spec_path(args)
    if places is None:
        return None
    rule_set = named_rule_set(named(args.rules, places))
    try:
        whole = options_of(rule_set, options)
        players = bounds(rule_set, whole)[0] if args.players is None else args.players
        instantiate(rule_set, players, whole)
    except TableFault as fault:
        raise UsageError("--players", str(fault)) from None
    names = names_of(args.policy, players)
    return Series(rule_set, players, whole, tuple(names), args.seed, args.games, args.hands)


def _options(words: list[str]) -> dict[str, int]:
    """Return the options that a call sets. Raises `UsageError`."""
    out: dict[str, int] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            out[name.strip()] = int(value)
        except ValueError:
            raise UsageError("--option", f"`--option` is NAME=NUMBER, not {quoted(word)}") from None
    return out


def _simulated(series: Series, args: argparse.Namespace) -> tuple[Simulated, list[str]]:
    """Play the games, and write their traces if the call wants them. Return what came of them, and what people should
    know of the policies. Raises `UsageError` and `PolicyFault`.
    """
    progress = Progress("playing", series.games, "games")
    processes = args.jobs or processors()
    with ExitStack() as stack:
        on_traces = None
        if args.traces is not None:
            try:
                on_traces = stack.enter_context(TraceFile(Path(args.traces))).write
            except OSError as fault:
                raise _unwritable(args.traces, fault) from None
        with Shown(progress):
            made = (
                series.table().policies
            )  # a policy that cannot be loaded is reported before any process starts
            notes = dict.fromkeys(policy.note for policy in made if policy.note is not None)
            return simulate(series, processes, progress, on_traces), list(notes)


def _unwritable(path: str, fault: OSError) -> UsageError:
    reason = (fault.strerror or str(fault)).lower()
    return UsageError(path, f"{quoted(path)} cannot be written to: {reason}", "check its name and its folder")


def _played(series: Series, result: Simulated, notes: list[str]) -> Played:
    names = series.policies
    return Played(
        series.rule_set.rules,
        series.players,
        dict(series.options),
        names[:1] if len(set(names)) == 1 else names,
        series.seed,
        series.hands,
        series.games,
        result.tally,
        notes,
    )
