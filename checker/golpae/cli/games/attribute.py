"""`golpae attribute`: under which rules can recorded games have been played?"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from golpae import exit_codes
from golpae.attribute.compiled import CompiledAttribution
from golpae.attribute.corpus import Corpus
from golpae.attribute.pieces import AttributeTraces, Received, SentResult
from golpae.attribute.traces import Attribution, TraceResult
from golpae.cli.inputs import (
    add_jobs,
    add_output,
    add_spec_path,
    add_traces,
    cannot_open,
    complain_of,
    jobs_of,
    reading,
    traces_of,
)
from golpae.cli.rule_sets import RULES_HELP, FaultyTexts, RulesToPlay, rules_to_play
from golpae.cli.terminal.output import Plain, Printer, all_of, printable, printer, put_json
from golpae.corpus.jobs import Pool, in_workers
from golpae.corpus.paths import Items, Paths
from golpae.corpus.reading import NotOpened, open_source, refuse_damaged
from golpae.corpus.results import encode
from golpae.diagnostics.amounts import many
from golpae.progress import Progress
from golpae.report.attribution import answer_json, answer_lines, trace_json, trace_lines
from golpae.trace import InputFault, Outcome, Source, Verdict


@dataclass(slots=True)
class AttributionTally:
    """The traces of each game in all files, and how many are left out."""

    games: dict[str, Corpus] = field(default_factory=dict)
    malformed: Counter[str | None] = field(default_factory=Counter)
    unseen: Counter[str | None] = field(default_factory=Counter)
    """The traces of each game with tiles that nobody saw."""
    faults: bool = False
    """Some input could not be read, or not to its end."""
    texts: FaultyTexts = field(default_factory=FaultyTexts)
    """The faults of rule texts."""

    def add(self, trace: TraceResult) -> None:
        """Count a trace, and print the faults of the text of its rules if they are new."""
        if trace.text_faults is not None:
            self.texts.add(str(trace.claimed), trace.text_faults)
        if trace.fault is not None and trace.fault.verdict is Verdict.UNKNOWN:
            self.unseen[None if trace.family is None else trace.family.base] += 1
        elif trace.fault is not None:
            self.malformed[None if trace.family is None else trace.family.base] += 1
        elif trace.family is not None:
            self.games.setdefault(trace.family.base, Corpus(trace.family)).add(trace)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add(
        "--rules",
        metavar="RULES",
        help=f"the game of all traces, not the one that their headers name: {RULES_HELP}; these variants are on",
    )
    add("--each", action="store_true", help="show for each trace which rule sets accept it")
    add(
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people, or as JSON: one object for each trace and one for each game",
    )
    add_jobs(parser)
    add_output(parser, "each trace", "the rule sets", "the answer for each game")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    rules = rules_to_play(args, args.paths)
    if rules is None:
        return exit_codes.WRONG_INPUT
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    wrong = _wrong_output(args)
    if wrong is not None:
        complain_of(wrong)
        return exit_codes.WRONG_INPUT
    attribution = Attribution(rules.load, rules.rules)
    out = printer(args.format, False)
    # who refuses each trace is not asked where nobody shows it
    in_short = isinstance(out, Plain) and not args.each
    jobs = jobs_of(args, files)
    tally = AttributionTally(faults=bool(faults))
    if args.output is not None:
        all_hold = _to_file(args, rules, files, jobs, attribution, tally)
        return exit_codes.WRONG_INPUT if all_hold is None else _status(all_hold, attribution, tally, files)
    with reading("trying the rule sets", "traces", files) as progress, ExitStack() as stack:
        if jobs > 1:
            task = AttributeTraces(rules.again.places, rules.again.beside, rules.rules, in_short)
            run = partial(in_workers, jobs=jobs)
            pool = stack.enter_context(Pool(files, task, run, progress.has_read))
            items_of = _sent(pool, Received(attribution))
        else:
            reader = CompiledAttribution(attribution, rules.places) if in_short else attribution
            items_of = _here(reader, progress)
        for source in files:
            for trace in _traces(source, items_of, out, tally, progress):
                tally.add(trace)
                _print_trace(trace, args.each, out)
        progress.begin("choosing among the rule sets")
        all_hold = _print_answers(tally, out)
    return _status(all_hold, attribution, tally, files)


def _status(
    all_hold: bool, attribution: Attribution, tally: AttributionTally, files: Sequence[Source]
) -> int:
    """Print what is wrong with rule texts, and return the exit status. `all_hold`: all traces of each game are accepted
    by some rule set.
    """
    tally.texts.add_all(attribution.library)
    tally.faults = tally.faults or bool(tally.texts)
    if not tally.games and not tally.unseen:
        if files and not tally.malformed and not tally.faults:
            complain_of(InputFault("", "there is no trace to attribute"))
        return exit_codes.WRONG_INPUT
    if tally.faults or tally.malformed:
        return exit_codes.WRONG_INPUT
    return exit_codes.worst(
        exit_codes.HOLDS if all_hold else exit_codes.FAILS,
        exit_codes.UNKNOWN if tally.unseen else exit_codes.HOLDS,
    )


def _wrong_output(args: argparse.Namespace) -> InputFault | None:
    if args.output is None and not args.resume:
        return None
    from golpae.cli.verdicts.results import wrong_output

    return wrong_output(args, ("each",), args.paths)


def _to_file(
    args: argparse.Namespace,
    rules: RulesToPlay,
    files: Sequence[Source],
    jobs: int,
    attribution: Attribution,
    tally: AttributionTally,
) -> bool | None:
    """Write which rule sets accept each trace to a file, and print the answers. Return whether each game has a rule set
    that accepts all its traces, or None after a complaint.
    """
    from golpae.attribute.written import AttributedForm
    from golpae.cli.verdicts.results import FileTask, to_file

    def written(trace: TraceResult) -> bytes:
        tally.add(trace)
        return encode(trace_json(trace)) + b"\n"

    def behind() -> Iterator[bytes]:
        for name, corpus in tally.games.items():
            yield encode(answer_json(corpus.answer(), tally.malformed[name], tally.unseen[name])) + b"\n"

    def note(sent: SentResult, file: Source) -> None:
        progress.done += 1

    with reading("trying the rule sets", "traces", files) as progress:
        task = AttributeTraces(rules.again.places, rules.again.beside, rules.rules, False)
        run = partial(in_workers, jobs=jobs) if jobs > 1 else None
        form, call = AttributedForm(attribution, written, behind), [rules.rules]
        work = FileTask(files, task, form, rules.again, call, "trace", "traces")
        results = to_file(args, work, run, note, progress)
        if results is None:
            return None
        progress.begin("choosing among the rule sets")
        tally.faults = tally.faults or bool(results.faults)
        return _print_answers(tally, Plain(False))


def _here(
    reader: Attribution | CompiledAttribution, progress: Progress
) -> Callable[[Source], Items[TraceResult]]:
    """Return a function that attributes a source in this process. It raises `NotOpened`."""

    def results(source: Source) -> Items[TraceResult]:
        with open_source(source) as stream:
            refuse_damaged(source)
            return (yield from reader.traces(progress.watched(stream), source.name))

    return results


def _sent(pool: Pool[SentResult], received: Received) -> Callable[[Source], Items[TraceResult]]:
    """Return a function that attributes the next source in other processes. It raises `NotOpened`."""

    def results(source: Source) -> Items[TraceResult]:
        items = pool.items(Paths())
        while True:
            try:
                sent = next(items)
            except StopIteration as end:
                return cast("tuple[int, str] | None", end.value)
            yield received.result(sent)

    return results


def _traces(
    source: Source,
    results: Callable[[Source], Items[TraceResult]],
    out: Printer,
    tally: AttributionTally,
    progress: Progress,
) -> Iterator[TraceResult]:
    try:
        whole = yield from all_of(source, results(source), out, progress)
    except NotOpened as fault:
        cannot_open(source, str(fault))
        whole = False
    if not whole:
        tally.faults = True


def _print_trace(trace: TraceResult, each: bool, out: Printer) -> None:
    if not isinstance(out, Plain):
        put_json(trace_json(trace))
    elif each or (
        trace.fault is not None and trace.text_faults is None and not _is_repeated(trace.fault, out)
    ):
        out.write("".join(f"{printable(line)}\n" for line in trace_lines(trace)))


def _is_repeated(fault: Outcome, out: Plain) -> bool:
    """Return whether the fault of a header has been printed; then it is counted."""
    is_header = fault.event == 0 and fault.rules is not None and fault.message is not None
    return is_header and bool(out.unlisted.header(str(fault.rules), str(fault.message)))


def _print_answers(tally: AttributionTally, out: Printer) -> bool:
    """Print the answer for each game. Return whether each game has a rule set that accepts all its traces."""
    all_hold = True
    for name, corpus in tally.games.items():
        answer = corpus.answer()
        all_hold = all_hold and answer.all_legal
        if isinstance(out, Plain):
            out.write("".join(f"{printable(line)}\n" for line in answer_lines(answer)))
        else:
            put_json(answer_json(answer, tally.malformed[name], tally.unseen[name]))
    left_out = tally.malformed.total()
    if left_out and isinstance(out, Plain):
        out.write("".join(f"{printable(line)}\n" for line in out.unlisted.lines()))
        out.write(f"{left_out} trace{'s' * (left_out != 1)} malformed, left out\n")
        out.write("".join(f"{printable(line)}\n" for line in tally.texts.remarks("trace", "attributed")))
    unseen = tally.unseen.total()
    if unseen and isinstance(out, Plain):
        out.write(f"{many(unseen, 'trace')} left out: some tiles are unknown, because nobody saw them\n")
    return all_hold
