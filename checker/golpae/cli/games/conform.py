"""`golpae conform`: does another program play by the rules?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from golpae import exit_codes
from golpae.beside import write_whole
from golpae.cli.arguments.table_of_call import add_table, tables_of
from golpae.cli.inputs import refuse_numbers, unwritable
from golpae.cli.terminal.output import json_text, put_json
from golpae.conform.answer import EngineFault, Failing
from golpae.conform.drive import Conformance, DriveSettings, drive, try_out
from golpae.conform.program import NoProgram, Program
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.instance import Instance
from golpae.progress import Progress, Shown
from golpae.replay.chance import WORDS
from golpae.rule_names import UsageError
from golpae.trace import quoted

FILE = "disagreements.jsonl"
ADVICE = "write the command after `--`, as in `golpae conform RULES -- python engine.py`"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "golpae conform [options] RULES -- PROGRAM [ARGUMENT ...]"
    add_table(parser, "only tables with this number of players (default: each that the rules allow)")
    add = parser.add_argument
    add("--games", metavar="N", type=int, default=100, help="games at each table (default: 100)")
    add("--hands", metavar="N", type=int, default=1, help="hands of a game, at most (default: 1)")
    add(
        "--illegal",
        metavar="N",
        type=int,
        default=3,
        help="illegal events that are tried before each event (default: 3)",
    )
    add("--seed", metavar="N", type=int, default=1, help="seed of the games (default: 1)")
    add(
        "--time-limit",
        metavar="SECONDS",
        type=float,
        default=10.0,
        help="how long the program may take for an answer (default: 10)",
    )
    add(
        "-o",
        "--out",
        metavar="FILE",
        default=FILE,
        help=f"where the games go that show disagreements, as traces (default: {FILE}); written only if there are some",
    )
    add(
        "--scores",
        metavar="N",
        type=int,
        help="play no games: let the program count so many hands, and compare the points",
    )
    add("--score", metavar="NAME", help="with `--scores`: which score, if the rules have several")
    add("--format", choices=("text", "json"), default="text", help="for people, or one JSON object")


def run(args: argparse.Namespace) -> int:
    refuse_numbers(args, "games", "hands", "time_limit", "scores")
    if not 0 <= args.illegal < 1000:
        raise UsageError("--illegal", f"`--illegal` must be from 0 to 999, not `{args.illegal}`")
    if not 0 <= args.seed < WORDS:
        raise UsageError("--seed", f"`--seed` must be a number from 0 to {WORDS - 1}")
    if not args.command:
        raise UsageError("", "the command of the program is missing", ADVICE)
    instances = tables_of(args)
    if instances is None:
        return exit_codes.WRONG_INPUT
    settings = DriveSettings(args.games, args.hands, args.illegal, args.seed)
    program = Program(args.command, args.time_limit)
    if args.scores is not None:
        return _scores(instances[0], program, args)
    try:
        _try_out(program, instances, args)
        with Shown(Progress("playing")) as progress:
            found = drive(instances, program, settings, progress)
    finally:
        program.close()
    _print(found, args)
    return found.status


def _scores(instance: Instance, program: Program, args: argparse.Namespace) -> int:
    """Let the program count hands. Return the exit status. Raises `UsageError`."""
    from golpae.conform.scores import drive_scores, named_score
    from golpae.conform.stated_hands import NoHands
    from golpae.report.games import scoring

    try:
        name = named_score(instance, args.score)
        program.start()
        with Shown(Progress("scoring")) as progress:
            result = drive_scores(instance, name, program, args.scores, args.seed, progress)
    except NoHands as fault:
        raise UsageError("--scores", str(fault)) from None
    except NoProgram as fault:
        raise UsageError(args.command[0], f"{quoted(args.command[0])}: {fault.words}", ADVICE) from None
    finally:
        program.close()
    if args.format == "json":
        put_json(scoring.document(result))
    else:
        sys.stdout.write("".join(f"{on_one_line(line)}\n" for line in scoring.lines(result)))
    return result.status


def _try_out(program: Program, instances: Sequence[Instance], args: argparse.Namespace) -> None:
    """Start the program, and see whether it answers at all. Raises `UsageError`."""
    word = args.command[0]
    try:
        try_out(instances, program)
    except NoProgram as fault:
        raise UsageError(word, f"{quoted(word)}: {fault.words}", ADVICE) from None
    except EngineFault as fault:
        message = f"{quoted(' '.join(args.command))} does not answer as an engine does: {fault.words}"
        hangs = "the program has to flush each line that it writes; " if fault.how is Failing.HANGS else ""
        advice = f"{hangs}docs/testing.md says what a program has to read and write"
        raise UsageError(word, message, advice) from None


def _print(found: Conformance, args: argparse.Namespace) -> None:
    """Write the games, and print what came of it. Raises `UsageError`, after all is printed."""
    from golpae.report.games import conformance

    file: str | None = args.out if found.disagreements else None
    fault: UsageError | None = None
    if file is not None:
        text = "".join(f"{json_text(line)}\n" for line in conformance.traces(found))
        try:
            write_whole(Path(file), text)
        except (OSError, ValueError) as error:
            reason = error if isinstance(error, OSError) else OSError(str(error))
            file, fault = None, unwritable(args.out, reason)
    if args.format == "json":
        put_json(conformance.document(found))
    else:
        sys.stdout.write("".join(f"{on_one_line(line)}\n" for line in conformance.lines(found, file)))
    if fault is not None:
        raise fault
