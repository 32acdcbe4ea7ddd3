"""`golpae perft`: how many games can follow a recorded one?"""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from io import BytesIO

import msgspec

from golpae import exit_codes
from golpae.cli.games.legal import tell_refusal, to_read
from golpae.cli.inputs import add_form, add_spec_path, complain_of
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import put_json
from golpae.ir.limits import TooManySteps
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.replay.simulate import header
from golpae.search.perft import Perft
from golpae.trace import InputFault, Verdict

MOST_DEPTH = 100
MOST_BYTES = 64 << 20


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("rules", metavar="RULES", help=f"play by these rules: {RULES_HELP}")
    add("path", metavar="TRACE", help="a trace file; golpae goes on from where its last trace ends")
    add("depth", metavar="DEPTH", type=int, help="count sequences of up to this many events")
    add("--format", choices=("text", "json"), default="text", help="for people, or one count a line")
    add_form(parser)
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.depth <= MOST_DEPTH:
        message = f"`DEPTH` must be a whole number from 1 to {MOST_DEPTH}, not `{args.depth}`"
        complain_of(InputFault("DEPTH", message))
        return exit_codes.WRONG_INPUT
    given = to_read(args)
    if given is None:
        return exit_codes.WRONG_INPUT
    rules, source, stream = given
    with stream:
        text = stream.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        complain_of(InputFault(source.path, f"`{source.shown}` is too large", "name a file with one game"))
        return exit_codes.WRONG_INPUT
    reports: deque[Report] = deque(replay(BytesIO(text), source.name, rules.library, rules.rules), maxlen=1)
    if not reports:
        complain_of(InputFault(source.path, f"there is no trace in `{source.shown}`"))
        return exit_codes.WRONG_INPUT
    (report,) = reports
    tell_refusal(report)
    if report.outcome.verdict is Verdict.UNKNOWN:
        return exit_codes.UNKNOWN
    if report.end is None or report.outcome.verdict in (Verdict.ILLEGAL, Verdict.MALFORMED):
        illegal = report.outcome.verdict is Verdict.ILLEGAL
        return exit_codes.FAILS if illegal else exit_codes.WRONG_INPUT
    return _counted(report, text, args)


def _counted(report: Report, text: bytes, args: argparse.Namespace) -> int:
    assert report.end is not None
    machine, head, state = report.end
    first = msgspec.json.encode(header(machine, head.stake)) + b"\n"
    completion = report.outcome.completion
    if completion is None:
        events = text.splitlines(keepends=True)[report.outcome.line :]
    else:
        events = [msgspec.json.encode(line) + b"\n" for line in completion]
    perft = Perft(machine, state, first + b"".join(events))
    begin, total = time.perf_counter(), 0
    try:
        for depth in range(1, args.depth + 1):
            games = perft.count(depth)
            total += games
            if args.format == "json":
                put_json({"depth": depth, "games": games, "compiled": perft.compiled})
            else:
                sys.stdout.write(f"{depth:>5}  {games:>20,}\n")
            sys.stdout.flush()
    except TooManySteps as long:
        complain_of(InputFault(args.rules, str(long), long.advice))
        return exit_codes.UNKNOWN
    except KeyboardInterrupt:
        sys.stderr.write("golpae: interrupted; what was counted so far is shown\n")
        return exit_codes.INTERRUPTED
    path = "on the compiled path" if perft.compiled else "by the reference"
    speed = total / max(time.perf_counter() - begin, 1e-9)
    sys.stderr.write(f"golpae: {speed:,.0f} positions a second, {path}\n")
    return exit_codes.HOLDS
