"""`golpae check`: are recorded games legal?"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from golpae import exit_codes
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
from golpae.cli.terminal.output import MOST_TOLD, Plain, Printer, all_of, printable, printer
from golpae.cli.verdicts.expected import Expected, verdicts_file
from golpae.corpus.paths import Legal, Listed, Look, Paths, Reports, each_changed
from golpae.corpus.reading import CheckTraces, NoCluster, NotOpened, Reader, open_source
from golpae.corpus.rulings import UsedRulings, uses_of
from golpae.elaborate.names import ENDING
from golpae.progress import Progress
from golpae.replay.report import Report
from golpae.report.ci.forms import FORMS
from golpae.trace import InputFault, Source, Verdict, quoted
from golpae.trace.packed import MissingExtra
from golpae.trace.remote import is_url
from golpae.trace.ruling import Rulings

if TYPE_CHECKING:
    from golpae.cli.verdicts.completions import Completions
    from golpae.corpus.jobs import Pool, Run

STATUS = {
    Verdict.LEGAL: exit_codes.HOLDS,
    Verdict.INCOMPLETE: exit_codes.HOLDS,
    Verdict.ILLEGAL: exit_codes.FAILS,
    Verdict.MALFORMED: exit_codes.WRONG_INPUT,
    Verdict.RULED: exit_codes.HOLDS,
    Verdict.UNKNOWN: exit_codes.UNKNOWN,
}


@dataclass(slots=True)
class VerdictTally:
    """The verdicts in all files."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    surprises: int = 0
    unknown: int = 0
    """Traces without an expected verdict."""
    faults: bool = False
    """Some input could not be read, or not to its end."""
    whole: bool = True
    """The last file was read to its end."""
    same: int = 0
    """Files whose `.verdicts` file stays as it is."""
    texts: FaultyTexts = field(default_factory=FaultyTexts)
    """The faults of rule texts."""
    written: dict[Path, str] = field(default_factory=dict)
    """The files of verdicts that belong to trace files of this call, and those trace files."""
    paths: Paths = field(default_factory=Paths)
    """How the traces of large files were checked."""

    def add(self, report: Report | Legal) -> None:
        """Count traces, and print the faults of the text of their rules if they are new."""
        if isinstance(report, Legal):
            self.verdicts[Verdict.LEGAL] += report.games
            return
        self.verdicts[report.outcome.verdict] += 1
        if report.text_faults is not None:
            self.texts.add(str(report.outcome.rules), report.text_faults)

    def compared(self) -> str:
        """Return how the verdicts compare with the expected ones."""
        parts = [f"{self.surprises} not as expected"] if self.surprises else []
        parts += [f"{self.unknown} without an expected verdict"] if self.unknown else []
        return ", ".join(parts) or "all as expected"

    def unchanged(self) -> list[str]:
        """Return a line on the files whose expected verdicts agree already, if there are some."""
        if not self.same:
            return []
        from golpae.cli.verdicts.new_verdicts import NOTHING_CHANGED

        return [f"{NOTHING_CHANGED} in {self.same} file{'s' * (self.same != 1)}"]

    def mistakes(self) -> list[str]:
        """Return a line that says why bad games are as expected, if there are some and all are."""
        refused = [v for v in (Verdict.ILLEGAL, Verdict.MALFORMED) if self.verdicts[v]]
        if not refused or self.surprises or self.unknown:
            return []
        names = " and ".join(verdict.value for verdict in refused)
        if sum(self.verdicts[verdict] for verdict in refused) == 1:
            return [f"the {names} one is a recorded mistake, which golpae has to refuse"]
        return [f"the {names} ones are recorded mistakes, which golpae has to refuse"]

    def status(self, args: argparse.Namespace) -> int:
        """Return the exit status: that of the worst verdict, or of what was done with the expected ones."""
        if args.expected:
            codes = [exit_codes.FAILS] if self.surprises else []
        elif args.write_expected:
            codes = []
        else:
            codes = [STATUS[verdict] for verdict in self.verdicts]
            codes += [exit_codes.FAILS] if args.complete and self.verdicts[Verdict.INCOMPLETE] else []
        codes += [exit_codes.WRONG_INPUT] if self.faults or self.texts else []
        codes += [exit_codes.FAULT] if self.paths.disagree else []
        return exit_codes.worst(*codes, exit_codes.HOLDS)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add(
        "--format",
        choices=("text", "json", *FORMS),
        default="text",
        help="for people, one JSON object a trace, or for continuous integration: JUnit, SARIF, commands of GitHub's "
        "workflows, Markdown",
    )
    add("--complete", action="store_true", help="count incomplete games as illegal")
    add(
        "--rules",
        metavar="RULES",
        help=f"check against these rules, not those that the headers name: {RULES_HELP}",
    )
    add(
        "--expected",
        action="store_true",
        help="list only what differs from the `.verdicts` files beside the traces",
    )
    add(
        "--write-expected",
        action="store_true",
        help="write the `.verdicts` file beside each trace file; lines that agree stay as they are",
    )
    add(
        "--verbose",
        action="store_true",
        help="list all games: the legal ones too, with `--expected` those that are as expected, and each refused one "
        "(otherwise the first 20)",
    )
    add(
        "--rulings",
        metavar="FILE",
        help="events that break a rule and stand by a director's ruling: one JSON object a line, with `trace`, "
        "`event`, `clause` and `reason`",
    )
    add(
        "--seat",
        metavar="SEAT",
        help="check each game as this player saw it, by name or number from 0; `none` sees what all players see",
    )
    add(
        "--complete-with",
        metavar="FILE",
        help="write the legal and incomplete games to this file, with tiles in place of unknown ones",
    )
    add("--view", action="store_true", help="show the table as it was before a refused event")
    add_jobs(parser)
    add_output(parser, "each trace", "the verdict")
    add("--scheduler", metavar="ADDRESS", help="check on the Dask cluster whose scheduler is there")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        return _run(args)
    except NoCluster as fault:
        complain_of(InputFault("--scheduler", str(fault)))
        return exit_codes.WRONG_INPUT
    except MissingExtra as missing:
        complain_of(InputFault("--scheduler", str(missing.strerror)))
        return exit_codes.WRONG_INPUT


def _run(args: argparse.Namespace) -> int:
    rules = rules_to_play(args, args.paths)
    if rules is None:
        return exit_codes.WRONG_INPUT
    fault = _wrong_call(args)
    if fault is not None:
        complain_of(fault)
        return exit_codes.WRONG_INPUT
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if args.complete_with is not None:
        from golpae.cli.verdicts.completions import wrong_file

        taken = wrong_file(args.complete_with, files)
        if taken is not None:
            complain_of(taken)
            return exit_codes.WRONG_INPUT
    rulings = None if args.rulings is None else UsedRulings(args.rulings)
    files = files if rulings is None else rulings.without(files)
    jobs = 1 if args.view else jobs_of(args, files)
    tally = VerdictTally(faults=bool(faults))
    out = _printer(args, rules)
    if args.output is not None:
        return _to_file(args, rules, files, run_of(args, jobs), tally, rulings)
    with reading("checking", "traces", files) as progress:
        check = _Check(rules, args, out, tally, progress, rulings)
        run = run_of(args, jobs)
        if run is None:
            check.files(files)
        else:
            from golpae.corpus.jobs import Pool

            task = _task(args, rules, check, () if rulings is None else rulings.rulings)
            with Pool(files, task, run, progress.has_read) as pool:
                check.files(files, pool)
    if rulings is not None:
        _tell_faults(rulings, out, tally)
    if files:
        _print_summary(args, check, out, tally)
    _tell_missing(args, tally)
    return out.finish(tally.status(args))


def _task(args: argparse.Namespace, rules: RulesToPlay, check: _Check, rulings: Rulings) -> CheckTraces:
    """Return the task of each process: to check a piece of a file."""
    is_json = args.format == "json"
    return CheckTraces(
        rules.again,
        rules.rules,
        check.each,
        not is_json,
        is_json,
        rulings,
        _look_of(args),
        _is_listed(args),
    )


def _print_summary(args: argparse.Namespace, check: _Check, out: Printer, tally: VerdictTally) -> None:
    """Print the counts of verdicts, and remarks on texts, paths and completions."""
    paths = tally.paths.words() if args.verbose else tally.paths.slow_words()
    remarks = tally.texts.remarks() + tally.unchanged() + paths
    remarks += [] if check.completions is None else [check.completions.summary()]
    if args.expected:
        out.summary(tally.verdicts, tally.compared(), False, tally.mistakes() + remarks)
    else:
        out.summary(tally.verdicts, None, args.complete and not args.write_expected, remarks)


def _to_file(
    args: argparse.Namespace,
    rules: RulesToPlay,
    files: Sequence[Source],
    run: Run | None,
    tally: VerdictTally,
    rulings: UsedRulings | None,
) -> int:
    """Check files, write the verdicts, and return the exit status."""
    from golpae.cli.verdicts.results import FileTask, to_file
    from golpae.corpus.forms import VerdictsForm

    used_rulings = () if rulings is None else rulings.rulings
    task = CheckTraces(
        rules.again, rules.rules, True, False, True, used_rulings, _look_of(args), rulings is None
    )
    with reading("checking", "traces", files) as progress:

        def note(report: Report | Legal, file: Source) -> list[tuple[int, str]]:
            progress.done += 1
            if isinstance(report, Legal):
                progress.done += report.games - 1
                return []
            if report.text_faults is not None:
                tally.texts.add(str(report.outcome.rules), report.text_faults)
            return uses_of(report.outcome)

        call = [rules.rules, *(() if rulings is None else [rulings.digest])]
        call += [] if args.seat is None else ["seat", args.seat]
        work = FileTask(files, task, VerdictsForm(), rules.again, call, "trace", "verdicts")
        results = to_file(args, work, run, note, progress)
    if results is None:
        return exit_codes.WRONG_INPUT
    tally.faults = tally.faults or bool(results.faults)
    tally.verdicts.update({Verdict(word): count for word, count in results.counts.items()})
    tally.paths.add(results.paths)
    out = Plain(False)
    for words in _faults_of_golpae(rules, used_rulings, files, results.disagree) if results.disagree else ():
        out.note(words)
    if rulings is not None:
        rulings.note_uses(results.notes)
        _tell_faults(rulings, out, tally)
    out.summary(tally.verdicts, None, args.complete, tally.texts.remarks())
    _tell_missing(args, tally)
    return tally.status(args)


def _tell_missing(args: argparse.Namespace, tally: VerdictTally) -> None:
    """Say on standard error why large files were not checked on the compiled path, if the call is to tell all."""
    if args.verbose and tally.paths.missing is not None:
        words = (
            f"large files are checked without the compiled path, which takes longer: {tally.paths.missing}"
        )
        sys.stderr.write(f"golpae: {printable(words)}\n")


def _tell_faults(rulings: UsedRulings, out: Printer, tally: VerdictTally) -> None:
    """Print what is wrong with rulings."""
    for words in rulings.faults():
        out.note(words)
        tally.faults = True


def run_of(args: argparse.Namespace, jobs: int) -> Run | None:
    """Return the function that checks parts of files in other processes; None if this process checks them itself."""
    if args.scheduler is not None:
        from golpae.corpus.cluster import in_cluster

        return partial(in_cluster, address=args.scheduler)
    if jobs == 1:
        return None
    from golpae.corpus.jobs import in_workers  # which loads what runs processes

    return partial(in_workers, jobs=jobs)


def _look_of(args: argparse.Namespace) -> Look | None:
    """Return how a call looks at games, if there is more to do than to check them."""
    if args.seat is None and args.complete_with is None:
        return None
    return Look(args.seat, args.complete_with is not None)


def _is_listed(args: argparse.Namespace) -> bool:
    """Return whether legal games of large files may be printed together."""
    return args.format == "json" and not (args.rulings or args.expected or args.write_expected)


def _printer(args: argparse.Namespace, rules: RulesToPlay) -> Printer:
    """Return the printer for the reports of a call."""
    if args.format in FORMS:
        from golpae.cli.terminal.ci import Collected

        return Collected(args.format, rules, args.complete)
    return printer(args.format, args.verbose)


def _wrong_call(args: argparse.Namespace) -> InputFault | None:
    """Return why the options of a call do not go together, or None if they do."""
    if args.expected and args.write_expected:
        message = "`--expected` compares with the expected verdicts, `--write-expected` replaces them"
        return InputFault("--write-expected", message, "give one of the two")
    for option in ("expected", "write_expected", "rulings") if args.seat is not None else ():
        if getattr(args, option):
            name = "--" + option.replace("_", "-")
            return InputFault("--seat", f"`{name}` is about whole games, so it does not go with `--seat`")
    if args.scheduler is not None:
        for option in ("view", "rulings"):
            if getattr(args, option):
                return InputFault("--scheduler", f"`--scheduler` does not go with `--{option}`")
        for path in args.paths:
            if Source(path, is_url(path)).is_only_here:
                what = (
                    "standard input"
                    if path == "-"
                    else f"{quoted(path)}, which is in the memory of this process"
                )
                return InputFault(path, f"`--scheduler` needs files: workers cannot read {what}")
    if args.resume or args.output is not None:
        from golpae.cli.verdicts.results import wrong_output

        wrong = wrong_output(args, ("expected", "write_expected", "view", "complete_with"), args.paths)
        if wrong is not None:
            return wrong
    if args.write_expected and args.format in FORMS:
        message = f"`--write-expected` compares nothing, so it does not go with `--format {args.format}`"
        return InputFault("--write-expected", message)
    if args.view and (args.expected or args.write_expected or args.format != "text"):
        other = (
            f"--format {args.format}"
            if args.format != "text"
            else "--expected"
            if args.expected
            else "--write-expected"
        )
        return InputFault("--view", f"`--view` shows positions to people, so it does not go with `{other}`")
    if (args.expected or args.write_expected) and "-" in args.paths:
        option = "--expected" if args.expected else "--write-expected"
        return InputFault("-", f"`{option}` needs files: standard input has no `.verdicts` file")
    return None


class _Check:
    """One call: the rules to play by, its options, and where its results go."""

    def __init__(
        self,
        rules: RulesToPlay,
        args: argparse.Namespace,
        out: Printer,
        tally: VerdictTally,
        progress: Progress,
        rulings: UsedRulings | None,
    ) -> None:
        self.args, self.out, self.tally, self.progress = args, out, tally, progress
        self.rules = rules
        self._rulings = rulings
        held = () if rulings is None else rulings.rulings
        cited = args.format == "json"
        is_explained = args.format != "text" or args.expected or args.write_expected
        self._reader = Reader(
            rules.library, rules.rules, cited, held, _look_of(args), _is_listed(args), is_explained
        )
        self.completions: Completions | None = None
        if args.complete_with is not None:
            from golpae.cli.verdicts.completions import Completions

            self.completions = Completions(args.complete_with)
        self._pool: Pool[Report | Legal] | None = None
        expects = args.expected or args.write_expected
        self.each: bool = expects or args.verbose or args.format == "json"
        """Whether somebody wants to see each legal game."""

    def files(self, files: Sequence[Source], pool: Pool[Report | Legal] | None = None) -> None:
        """Check files as the options ask, in other processes if there is a pool of them. Raises `UsageError`."""
        self._pool = pool
        with self.completions if self.completions is not None and files else nullcontext():
            for source in files:
                self._file(source)

    def _file(self, source: Source) -> None:
        if self.args.write_expected:
            self._write(source)
        elif self.args.expected:
            self._compare(source)
        else:
            for report in self._reports(source):
                self.tally.add(report)
                if isinstance(report, Legal):
                    self.progress.done += report.games - 1
                    if isinstance(report, Listed):
                        self.out.listed(report)
                    else:
                        self.out.legal(source.name, report.games)
                else:
                    self.out.report(report, None)
                    self._view(report)

    def _view(self, report: Report) -> None:
        """Print the position before a refused event, if the call asks for it."""
        if (
            self.args.view
            and self.out.is_listed
            and report.outcome.verdict in (Verdict.ILLEGAL, Verdict.MALFORMED)
        ):
            from golpae.cli.games.view import before_the_fault

            sys.stdout.write("".join(f"{line}\n" for line in before_the_fault(report)))

    def _compare(self, source: Source) -> None:
        """Check a file and compare what was found with its expected verdicts."""
        out, tally = self.out, self.tally
        with Expected(source) as expected:
            for report in self._each(source):
                tally.add(report)
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
                out.fault(source.name, left, surprise=True)
            if expected.fault is not None:
                tally.faults = True
                out.fault(source.name, expected.fault)

    def _write(self, source: Source) -> None:
        """Check a file and write what was found as its expected verdicts."""
        from golpae.cli.verdicts.new_verdicts import NOTHING_CHANGED, NewVerdicts

        out, tally = self.out, self.tally
        with NewVerdicts(source) as new:
            owner = tally.written.setdefault(new.path, source.path)
            if os.path.realpath(owner) != os.path.realpath(source.path):
                new.give_up(f"it belongs to {quoted(os.path.basename(owner))}")
            for report in self._each(source):
                tally.add(report)
                if report.text_faults is not None:
                    new.give_up("the rules of some traces have faults")
                near = report.unknown_rules and _lies_near(source, str(report.outcome.rules))
                out.report(report, *new.add(report.outcome, report.unknown_rules, near))
            if not tally.whole:
                new.give_up("the traces cannot be read to their end")
            done = new.finish()
            if done == NOTHING_CHANGED and not self.args.verbose:
                tally.same += 1
            elif done is not None:
                out.about_file(f"{verdicts_file(source)}: {done}")
            else:
                tally.faults = True
                out.note(f"{source.shown}: {new.fault}")

    def _each(self, source: Source) -> Iterator[Report]:
        """Yield the report on each trace of a file."""
        for report in self._reports(source):
            assert isinstance(report, Report)
            yield report

    def _reports(self, source: Source) -> Iterator[Report | Legal]:
        """Yield the reports on the traces of a file; unless each is wanted, legal games of a large file are only
        counted.
        """
        try:
            whole = yield from all_of(
                source, each_changed(self._read(source), self._noted), self.out, self.progress
            )
        except NotOpened as fault:
            cannot_open(source, str(fault))
            whole = False
        self.tally.whole = whole
        if not whole:
            self.tally.faults = True

    def _noted(self, report: Report | Legal) -> Report | Legal:
        """Note which rulings a report uses, write the game if the call asks for it, and return the report."""
        if self.completions is not None and isinstance(report, Report):
            self.completions.add(report)
        if self._rulings is not None and isinstance(report, Report):
            self._rulings.note(report.outcome)
        return report

    def _read(self, source: Source) -> Reports:
        """Yield the reports on a file, and count which way its traces went. Raises `NotOpened`."""
        paths = Paths()
        if self._pool is not None:
            unread = yield from self._pool.items(paths)
        else:
            with open_source(source) as stream:
                watched = self.progress.watched(stream)
                unread = yield from self._reader.reports(source, watched, self.each, paths)
        self.tally.paths.add(paths)
        if paths.disagree:
            self._tell_fault(source, paths.disagree)
        return unread

    def _tell_fault(self, source: Source, places: Sequence[int]) -> None:
        """Say which traces the two ways judge differently, and write reports on them."""
        held = () if self._rulings is None else self._rulings.rulings
        for words in _faults_of_golpae(self.rules, held, [source], [f"{source.shown}:{n}" for n in places]):
            self.out.note(words)


def _faults_of_golpae(
    rules: RulesToPlay, rulings: Rulings, files: Sequence[Source], places: Sequence[str]
) -> Iterator[str]:
    """Write a report on each trace that the two paths judge differently, and yield a complaint about it."""
    from golpae.cli.games.two_ways import by_reference, complaints

    call = {"call": "check", "rules": rules.rules}
    return complaints(call, files, places[:MOST_TOLD], by_reference(rules.library, rules.rules, rulings))


def _lies_near(source: Source, rules: str) -> bool:
    """Return whether a file of the name of these rules is in the working folder or beside the traces."""
    name = rules.partition("+")[0] + ENDING
    return any(os.path.isfile(os.path.join(folder, name)) for folder in ("", os.path.dirname(source.path)))
