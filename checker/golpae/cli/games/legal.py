"""`golpae legal`: what can follow a recorded game?"""

from __future__ import annotations

import argparse
import sys
from typing import BinaryIO

from golpae import exit_codes
from golpae.cli.inputs import add_form, add_spec_path, complain, complain_of, opened, reading, traces_of
from golpae.cli.rule_sets import RULES_HELP, RulesToPlay, rules_to_play
from golpae.cli.terminal.output import put_json
from golpae.replay.legal_events import Legal
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.replay.simulate import written
from golpae.replay.speaker import Speaker
from golpae.trace import InputFault, Source, Verdict, quoted

ONE_OF_SEVERAL = "some tiles are unknown: this is about one of the games that agree with what is recorded"


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("path", metavar="FILE", help="a trace file, or `-` for standard input")
    add("--trace", metavar="N", type=int, help="number of the trace in the file, from 1 (default: the last)")
    add(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people, or one event a line as in a trace",
    )
    add(
        "--rules", metavar="RULES", help=f"play by these rules, not those that the header names: {RULES_HELP}"
    )
    add_form(parser)
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    given = to_read(args)
    if given is None:
        return exit_codes.WRONG_INPUT
    rules, source, stream = given
    chosen: Report | None = None
    with stream, reading("reading", "traces", [source]) as progress:
        reports = replay(progress.watched(stream), source.name, rules.library, rules.rules)
        for number, report in enumerate(reports, 1):
            progress.done = number
            if args.trace is None:
                chosen = report
            elif number == args.trace:
                chosen = report
                break
    if chosen is None:
        what = "no trace" if args.trace is None else f"no trace {args.trace}"
        complain_of(InputFault(source.path, f"there is {what} in `{source.shown}`"))
        return exit_codes.WRONG_INPUT
    return _answer(chosen, args.format)


def to_read(args: argparse.Namespace) -> tuple[RulesToPlay, Source, BinaryIO] | None:
    """Return the rules of a call, its one file and its content, or None after a complaint."""
    rules = rules_to_play(args, [args.path])
    source = None if rules is None else one_source(args)
    stream = None if source is None else opened(source)
    return None if rules is None or source is None or stream is None else (rules, source, stream)


def one_source(args: argparse.Namespace) -> Source | None:
    """Return the one file of a call, or None after a complaint."""
    path = args.path
    files, faults = traces_of(args, [path])
    for fault in faults:
        complain_of(fault)
    if faults:
        return None
    if len(files) > 1:
        complain_of(InputFault(path, f"`{path}` holds {len(files)} trace files", "name one of them"))
        return None
    return files[0]


def tell_refusal(report: Report) -> None:
    """Complain of a trace that is not legal, and say so if some of its tiles are unknown."""
    outcome = report.outcome
    if report.unseen and outcome.verdict is not Verdict.UNKNOWN:
        sys.stderr.write(f"golpae: {ONE_OF_SEVERAL}\n")
    if outcome.verdict not in (Verdict.ILLEGAL, Verdict.MALFORMED, Verdict.UNKNOWN):
        return
    is_known = report.end is not None and outcome.verdict is not Verdict.UNKNOWN
    advice = f"the listed events are legal at line {outcome.at}" if is_known else None
    name = "<stdin>" if outcome.file == "-" else outcome.file
    message = outcome.message
    if report.text_faults is not None:
        complain(report.text_faults)
        message = f"its rules {quoted(str(outcome.rules))} have the faults shown above"
    words = f"{name}:{outcome.at}: {outcome.verdict.value}: {message}"
    complain_of(InputFault(outcome.file, words, advice))


def _answer(report: Report, form: str) -> int:
    tell_refusal(report)
    if report.outcome.verdict is Verdict.UNKNOWN:
        return exit_codes.UNKNOWN
    if report.end is None:
        return exit_codes.WRONG_INPUT
    machine, header, state = report.end
    legal = Legal(machine)
    speaker = Speaker(machine, header)
    following = legal.can_follow(state)
    for event in following.events:
        if form == "json":
            put_json(written(machine, event))
        else:
            by = machine.actions[event.action].by
            who = "" if by is None else f"{speaker.names[event.args[0]]}: "
            sys.stdout.write(f"{who}{speaker.event(event)}\n")
    if seats := following.seats:
        deal = f"deal, with {' or '.join(speaker.names[p] for p in seats)} first"
        if form == "json":
            sys.stderr.write(f"golpae: `deal` has too many events to list: {deal}, is legal too\n")
        else:
            sys.stdout.write(f"{deal}\n")
    listed = {event.action for event in following.events}
    for name in following.unlisted:
        more = "more events like these may be legal" if name in listed else "it may be legal too"
        sys.stderr.write(f"golpae: `{name}` has too many events to list: {more}\n")
    for name, long in following.endless.items():
        sys.stderr.write(f"golpae: whether `{name}` is legal cannot be said: {long}\n")
    if not any(following):
        over = machine.stage(state) == "finished"
        sys.stderr.write(f"golpae: nothing can follow{': the match is finished' if over else ''}\n")
    if report.outcome.verdict is Verdict.ILLEGAL:
        return exit_codes.FAILS
    return exit_codes.WRONG_INPUT if report.outcome.verdict is Verdict.MALFORMED else exit_codes.HOLDS
