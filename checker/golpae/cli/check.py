"""`golpae check`: are recorded games legal?"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from golpae.cli.expected import Expected
from golpae.cli.inputs import add_spec_path, chosen_rules, complain_of, complain_of_texts, opened
from golpae.cli.output import Printer, all_of, printer
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.trace import InputFault, Source, Verdict, sources

STATUS = {Verdict.LEGAL: 0, Verdict.INCOMPLETE: 0, Verdict.ILLEGAL: 1, Verdict.MALFORMED: 2}


@dataclass(slots=True)
class Tally:
    """What was found in all files."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    surprises: int = 0
    unknown: int = 0
    """Traces of which nobody said what to expect."""
    faults: bool = False
    """Some input could not be read, or not to its end."""

    def compared(self) -> str:
        """How the verdicts compare with the expected ones."""
        said = [f"{self.surprises} not as expected"] if self.surprises else []
        said += [f"{self.unknown} with nothing to compare with"] if self.unknown else []
        return ", ".join(said) or "all as expected"

    def status(self, expected: bool, complete: bool) -> int:
        found = [2 * self.faults]
        if expected:
            found.append(1 if self.surprises else 0)
        else:
            found.extend(STATUS[verdict] for verdict in self.verdicts)
            found.append(1 if complete and self.verdicts[Verdict.INCOMPLETE] else 0)
        return max(found)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        metavar="FILE",
        help="trace files, folders of them, or `-` for standard input; gzip and zstd too",
    )
    add("--format", choices=("text", "json"), default="text", help="for people, or one JSON object a trace")
    add("--complete", action="store_true", help="count incomplete games as illegal")
    add("--rules", metavar="RULES", help="check against these rules, whatever the headers say")
    add("--expected", action="store_true", help="compare with the `.verdicts` file beside each trace file")
    add("--verbose", action="store_true", help="name the legal games too, and those that are as expected")
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    rules = chosen_rules(found)
    if rules is None:
        return 2
    if found.expected and "-" in found.paths:
        complain_of(InputFault("-", "`--expected` needs files: nothing lies beside standard input"))
        return 2
    files, faults = sources(found.paths)
    for fault in faults:
        complain_of(fault)
    tally = Tally(faults=bool(faults))
    out = printer(found.format, files, found.verbose)
    with out:
        for source in files:
            _one_file(source, rules, found, out, tally)
    if files:
        compared = tally.compared() if found.expected else None
        out.summary(tally.verdicts, compared, found.complete and not found.expected)
    if complain_of_texts(rules):
        tally.faults = True
    return tally.status(found.expected, found.complete)


def _one_file(source: Source, rules: Library, found: argparse.Namespace, out: Printer, tally: Tally) -> None:
    if not found.expected:
        for report in _reports(source, rules, found.rules, out, tally):
            tally.verdicts[report.outcome.verdict] += 1
            out.report(report, None)
        return
    with Expected(source) as expected:
        for report in _reports(source, rules, found.rules, out, tally):
            tally.verdicts[report.outcome.verdict] += 1
            surprise = expected.differs(report.outcome)
            if expected.fault is not None:
                tally.unknown += 1
                out.report(report, None)
            else:
                tally.surprises += surprise is not None
                out.report(report, surprise or "as expected", surprise is not None)
        left = expected.left()
        if left is not None:
            tally.surprises += 1
            out.note(f"{source.shown}: {left}")
        if expected.fault is not None:
            tally.faults = True
            out.note(f"{source.shown}: {expected.fault}")


def _reports(
    source: Source, rules: Library, override: str | None, out: Printer, tally: Tally
) -> Iterator[Report]:
    stream = opened(source)
    if stream is None:
        tally.faults = True
        return
    with stream:
        reports = replay(out.watched(stream), source.name, rules, override)
        if not (yield from all_of(source, reports, out)):
            tally.faults = True
