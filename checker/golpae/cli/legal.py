"""`golpae legal`: what can follow a recorded game?"""

from __future__ import annotations

import argparse
import json
import sys

from golpae.cli.inputs import add_spec_path, complain, library, spec_path
from golpae.replay.explain import Speaker
from golpae.replay.legal import Legal
from golpae.replay.play import Report, replay
from golpae.replay.simulate import written
from golpae.trace import Verdict, sources


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a trace file, or `-` for standard input")
    parser.add_argument("--trace", metavar="N", type=int, help="which trace of the file, from 1; without it, the last")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or one event a line as a trace has it")
    parser.add_argument("--rules", metavar="RULES", help="play by these rules, whatever the header says")
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    places = spec_path(found)
    if places is None:
        return 2
    files, faults = sources([found.path])
    for fault in faults:
        sys.stderr.write(f"golpae: {fault.message}\n" + (f"  help: {fault.help}\n" if fault.help else ""))
    if faults or len(files) != 1:
        if not faults:
            sys.stderr.write(f"golpae: `{found.path}` holds {len(files)} trace files\n  help: name one of them\n")
        return 2
    rules = library(places)
    chosen: Report | None = None
    with files[0].open() as stream:
        for number, report in enumerate(replay(stream, files[0].name, rules, found.rules), 1):
            chosen = report if found.trace in (None, number) else chosen
            if found.trace == number:
                break
    for spec_fault in rules.faults.values():
        if any(d.span is not None for d in spec_fault.diagnostics):
            complain(spec_fault)
    if chosen is None:
        what = "no trace" if found.trace is None else f"no trace {found.trace}"
        sys.stderr.write(f"golpae: there is {what} in {files[0].shown}\n")
        return 2
    return _answer(chosen, found.format)


def _answer(report: Report, form: str) -> int:
    outcome = report.outcome
    if outcome.verdict in (Verdict.ILLEGAL, Verdict.MALFORMED):
        sys.stderr.write(f"golpae: {outcome.file}:{outcome.at}: {outcome.verdict.value}: {outcome.message}\n")
        sys.stderr.write("  help: what could have stood there instead is listed\n" if report.end else "")
    if report.end is None:
        return 2
    machine, header, state = report.end
    legal = Legal(machine)
    speaker = Speaker(machine, header)
    for event in legal.events(state):
        if form == "json":
            sys.stdout.write(json.dumps(written(machine, event), ensure_ascii=False, separators=(",", ":")) + "\n")
        else:
            by = machine.actions[event.action].by
            who = "" if by is None else f"{speaker.names[event.args[0]]}: "
            sys.stdout.write(f"{who}{speaker.event(event)}\n")
    seats = legal.can_deal(state)
    if seats:
        if form == "json":
            sys.stdout.writelines(json.dumps({"do": "deal", "first": p}, separators=(",", ":")) + "\n" for p in seats)
        else:
            sys.stdout.write(f"deal, with {' or '.join(speaker.names[p] for p in seats)} first\n")
    for name in legal.unlisted(state):
        sys.stderr.write(f"golpae: `{name}` may be possible too; its events are too many to list\n")
    return {Verdict.ILLEGAL: 1, Verdict.MALFORMED: 2}.get(outcome.verdict, 0)
