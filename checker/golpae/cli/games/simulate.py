"""`golpae simulate`: play many games by a policy, and count what comes of them."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from contextlib import ExitStack
from pathlib import Path

from golpae import exit_codes
from golpae.beside import write_whole
from golpae.cli.arguments.table_of_call import add_table, table_of
from golpae.cli.inputs import add_processes, complain_of, processors, refuse_games, refuse_numbers, unwritable
from golpae.cli.terminal.output import printable, put_json
from golpae.progress import Progress, Shown
from golpae.replay.chance import WORDS
from golpae.report.simulation import Played, lines
from golpae.report.simulation_json import to_json
from golpae.report.simulation_plot import svg
from golpae.rule_names import UsageError
from golpae.simulate.policies import MADE, PolicyFault, names_of
from golpae.simulate.profile import Profile
from golpae.simulate.series import Series, Simulated, simulate
from golpae.simulate.traces import TraceFile
from golpae.trace import InputFault, quoted

OTHER_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pdf", ".ps", ".eps")
TWO_WAYS = "a fault in golpae: its two ways to play game {} disagree; the game of the reference counts"
NEVER = "{} is never played: a key of it may have too many values to list"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    add = parser.add_argument
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
    add_processes(parser)
    add("--format", choices=("table", "json"), default="table", help="for people, or as one JSON object")
    add(
        "--profile",
        action="store_true",
        help="also list the clauses by their share of the time; the reference plays all games, in one process",
    )
    add("--plot", metavar="FILE", help="also write a picture of the result to this file, as SVG")
    add(
        "--traces",
        metavar="FILE",
        help="also write all games to this file, as traces; compressed if its name ends in `.gz` or `.zst`",
    )


def run(args: argparse.Namespace) -> int:
    try:
        series = _series(args)
        if series is None:
            return exit_codes.WRONG_INPUT
        profile = Profile() if args.profile else None
        result, notes = _simulated(series, args, profile)
    except PolicyFault as fault:
        complain_of(InputFault("--policy", fault.message, fault.advice))
        return exit_codes.WRONG_INPUT
    played = _played(series, result, notes, profile)
    if args.format == "json":
        put_json(to_json(played))
    else:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines(played)))
    status = exit_codes.HOLDS
    if args.plot is not None:
        try:
            write_whole(Path(args.plot), svg(played))
        except OSError as fault:
            complain_of(unwritable(args.plot, fault).fault)
            status = exit_codes.WRONG_INPUT
    if result.differ:
        from golpae.cli.games.two_ways import of_game

        advice = of_game({"call": "simulate"}, series, result.differ[0])
        complain_of(InputFault(args.rules, TWO_WAYS.format(result.differ[0]), advice))
        status = exit_codes.FAULT
    if result.interrupted:
        sys.stderr.write("golpae: interrupted; what was played so far is shown\n")
        return exit_codes.INTERRUPTED
    return status


def _series(args: argparse.Namespace) -> Series | None:
    """Return the games that a call wants played, or None after a complaint. Raises `UsageError`, `SpecError`,
    `PolicyFault`.
    """
    refuse_numbers(args, "players", "jobs", "hands")
    refuse_games(args.games)
    if not 0 <= args.seed < WORDS:
        raise UsageError(
            "--seed", f"`--seed` must be a whole number from 0 to {WORDS - 1}, not `{args.seed}`"
        )
    for option, what in (("plot", "picture"), ("traces", "traces")):
        if getattr(args, option) == "-":
            message = f"`--{option}` needs the name of a file: the {what} cannot go to standard output"
            raise UsageError(f"--{option}", message, "the numbers of the result go there")
    if args.plot is not None and Path(args.plot).suffix.lower() in OTHER_PICTURES:
        instead = quoted(str(Path(args.plot).with_suffix(".svg")))
        raise UsageError(
            args.plot, f"`--plot` writes SVG, not {quoted(args.plot)}", f"write `--plot` {instead}"
        )
    if args.plot is not None and not Path(args.plot).absolute().parent.is_dir():
        raise unwritable(args.plot, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    if None not in (args.plot, args.traces) and Path(args.plot).resolve() == Path(args.traces).resolve():
        message = f"`--plot` and `--traces` cannot both be written to {quoted(args.plot)}"
        raise UsageError(args.plot, message, "give each a file of its own")
    table = table_of(args)
    if table is None:
        return None
    names = names_of(args.policy, table.players)
    return Series(
        table.rule_set, table.players, table.options, tuple(names), args.seed, args.games, args.hands
    )


def _simulated(
    series: Series, args: argparse.Namespace, profile: Profile | None
) -> tuple[Simulated, list[str]]:
    """Play the games, and write their traces if the call wants them. Return what came of them, and what people should
    know of the policies and of what is never played. Raises `UsageError` and `PolicyFault`.
    """
    progress = Progress("playing", series.games, "games")
    processes = args.jobs or processors()
    with ExitStack() as stack:
        on_traces = None
        if args.traces is not None:
            try:
                on_traces = stack.enter_context(TraceFile(Path(args.traces))).write
            except OSError as fault:
                raise unwritable(args.traces, fault) from None
        with Shown(progress):
            table = series.table()  # a policy that cannot be loaded is reported before any process starts
            notes = dict.fromkeys(policy.note for policy in table.policies if policy.note is not None)
            never = [NEVER.format(quoted(name)) for name in table.legal.never_listed()]
            return simulate(series, processes, progress, on_traces, profile), [*notes, *never]


def _played(series: Series, result: Simulated, notes: list[str], profile: Profile | None) -> Played:
    names = tuple(one if isinstance(one, str) else one.name for one in series.policies)
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
        profile,
    )
