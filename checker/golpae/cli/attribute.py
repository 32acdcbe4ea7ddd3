"""`golpae attribute`: under which rules can recorded games have been played?"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from golpae.attribute.corpus import Corpus
from golpae.attribute.traces import Attribution, Found
from golpae.cli.inputs import (
    add_spec_path,
    chosen_rules,
    complain_of,
    complain_of_texts,
    opened,
    spec_path,
)
from golpae.cli.output import Plain, Printer, all_of, printable, printer, put_json
from golpae.elaborate.cache import elaborate_cached
from golpae.report.attribution import answer_json, answer_lines, trace_json, trace_lines
from golpae.trace import InputFault, Source, sources


@dataclass(slots=True)
class Tally:
    """What was found in all files: the traces of each game, and how many are malformed."""

    games: dict[str, Corpus] = field(default_factory=dict)
    malformed: Counter[str | None] = field(default_factory=Counter)
    faults: bool = False
    """Some input could not be read, or not to its end."""

    def add(self, found: Found) -> None:
        if found.fault is not None:
            self.malformed[None if found.family is None else found.family.base] += 1
        elif found.family is not None:
            self.games.setdefault(found.family.base, Corpus(found.family)).add(found)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        metavar="FILE",
        help="trace files, folders of them, or `-` for standard input; gzip and zstd too",
    )
    add(
        "--rules",
        metavar="RULES",
        help="the game that all traces are of, whatever their headers say; with switches, those are on",
    )
    add("--each", action="store_true", help="say of each trace which rule sets accept it")
    add(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people, or one JSON object a trace and one a game",
    )
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    places = spec_path(found)
    if places is None or chosen_rules(found) is None:
        return 2
    files, faults = sources(found.paths)
    for fault in faults:
        complain_of(fault)
    attribution = Attribution(lambda rules: elaborate_cached(rules, places), found.rules)
    tally = Tally(faults=bool(faults))
    out = printer(found.format, files, False)
    with out:
        for source in files:
            for trace in _traces(source, attribution, out, tally):
                tally.add(trace)
                _say_trace(trace, found.each, out)
        held = _say_answers(tally, out)
    if complain_of_texts(attribution.library):
        tally.faults = True
    if not tally.games:
        if files and not tally.malformed and not tally.faults:
            complain_of(InputFault("", "there is no trace to attribute"))
        return 2
    return 2 if tally.faults or tally.malformed else (0 if held else 1)


def _traces(source: Source, attribution: Attribution, out: Printer, tally: Tally) -> Iterator[Found]:
    stream = opened(source)
    if stream is None:
        tally.faults = True
        return
    with stream:
        traces = attribution.traces(out.watched(stream), source.name)
        if not (yield from all_of(source, traces, out)):
            tally.faults = True


def _say_trace(trace: Found, each: bool, out: Printer) -> None:
    if not isinstance(out, Plain):
        put_json(trace_json(trace))
    elif each or trace.fault is not None:
        out.write("".join(f"{printable(line)}\n" for line in trace_lines(trace)))


def _say_answers(tally: Tally, out: Printer) -> bool:
    """Print the answer for each game; whether every trace of each is legal under some rule set of it."""
    held = True
    for name, corpus in tally.games.items():
        answer = corpus.answer()
        held = held and answer.holds
        if isinstance(out, Plain):
            out.write("".join(f"{printable(line)}\n" for line in answer_lines(answer)))
        else:
            put_json(answer_json(answer, tally.malformed[name]))
    left_out = tally.malformed.total()
    if left_out and isinstance(out, Plain):
        out.write(f"{left_out} trace{'s' * (left_out != 1)} malformed, left out\n")
    return held
