"""`golpae check`: are recorded games legal?"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from golpae.cli.expected import Expected
from golpae.cli.inputs import add_spec_path, complain, library, spec_path
from golpae.cli.output import Printer, printer
from golpae.replay.library import Library
from golpae.replay.play import Report, replay
from golpae.trace import InputFault, Source, Verdict, sources

STATUS = {Verdict.LEGAL: 0, Verdict.INCOMPLETE: 0, Verdict.ILLEGAL: 1, Verdict.MALFORMED: 2}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="trace files, folders of them, or `-` for standard input; gzip and zstd too")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or one JSON object a trace")
    parser.add_argument("--complete", action="store_true", help="count incomplete games as illegal")
    parser.add_argument("--rules", metavar="RULES", help="check against these rules, whatever the headers say")
    parser.add_argument("--expected", action="store_true", help="compare with the `.verdicts` file beside each trace file")
    parser.add_argument("--verbose", action="store_true", help="name the legal games too")
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    places = spec_path(found)
    if places is None:
        return 2
    files, faults = sources(found.paths)
    for fault in faults:
        _complain_of(fault)
    rules = library(places)
    out = printer(found.format, files, verbose=found.verbose or found.expected)
    counts: Counter[Verdict] = Counter()
    status = 2 if faults else 0
    surprises = 0
    with out:
        for source in files:
            expected = Expected.beside(source.name) if found.expected else None
            surprises += _one_file(source, rules, found.rules, out, counts, expected)
        if found.expected:
            status = max(status, 1 if surprises else 0)
        else:
            for verdict, number in counts.items():
                if number:
                    status = max(status, STATUS[verdict])
            if found.complete and counts[Verdict.INCOMPLETE]:
                status = max(status, 1)
        out.summary(counts, surprises if found.expected else None, found.complete)
    for spec_fault in rules.faults.values():
        if any(d.span is not None for d in spec_fault.diagnostics):
            complain(spec_fault)
            status = 2
    return status


def _one_file(source: Source, rules: Library, override: str | None, out: Printer, counts: Counter[Verdict], expected: Expected | None) -> int:
    """Check one file; gives how many verdicts were not the expected ones."""
    surprises = 0
    seen = 0
    for report in _reports(source, rules, override, out):
        seen += 1
        counts[report.outcome.verdict] += 1
        surprise = None if expected is None else expected.differs(report.outcome)
        surprises += surprise is not None
        out.report(report, None if expected is None else surprise or "as expected")
    if not seen:
        out.note(f"{source.shown}: no trace in it")
    if expected is not None:
        for missing in expected.left():
            surprises += 1
            out.note(f"{source.shown}: {missing}")
    return surprises


def _reports(source: Source, rules: Library, override: str | None, out: Printer) -> Iterator[Report]:
    try:
        stream = source.open()
    except OSError as fault:
        _complain_of(InputFault(source.name, f"`{source.shown}` cannot be read: {fault.strerror}"))
        return
    with stream:
        yield from replay(out.watched(stream), source.name, rules, override)


def _complain_of(fault: InputFault) -> None:
    sys.stderr.write(f"golpae: {fault.message}\n")
    if fault.help:
        sys.stderr.write(f"  help: {fault.help}\n")


