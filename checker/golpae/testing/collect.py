"""Recorded games, expected verdicts and rule texts as tests of pytest.

Input: the files that pytest goes through.
Output: an item for each trace, for each file of expected verdicts, for the file of rulings, for each rule text and, if
asked, for each of its properties.
Guarantee: an item passes if `golpae check` or `golpae prove` would end with 0 for it alone, and a failure is printed as
these print it. Nothing is proved and no trace is checked before its item runs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ExceptionInfo, TerminalRepr
from _pytest.pathlib import fnmatch_ex

from golpae.cli.terminal.output import Plain
from golpae.cli.verdicts.expected import Expected, agrees, in_words, verdicts_file
from golpae.diagnostics import SpecError, render
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.load import games_in
from golpae.elaborate.names import ENDING, OwnFolder
from golpae.hidden.lazily import completes
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace
from golpae.replay.report import Report
from golpae.rule_names import UsageError, loader, named, named_rule_set
from golpae.testing.rulings import comes_to_all, rulings_in, rulings_path
from golpae.testing.segments import Line, Segment, segments
from golpae.trace import Source, Verdict, lines
from golpae.trace.discover import SUFFIXES
from golpae.trace.ruling import Rulings, on_trace

VERDICTS = ".verdicts"
NO_RULES = "  help: say with `--golpae-spec-path`, or the setting `golpae_spec_path`, where rule texts lie"
NO_GAMES = "  help: if this file holds no games, say with the setting `golpae_traces` which files do"


class Failure(Exception):
    """Why an item fails, in the words of golpae."""


class Collector:
    """Collects golpae's files in one run of pytest."""

    def __init__(self, config: pytest.Config, prove: bool) -> None:
        self.config, self.prove = config, prove
        self.complete = bool(config.getoption("golpae_complete") or config.getini("golpae_complete"))
        self.patterns: list[str] = config.getini("golpae_traces")
        given = [Path(config.invocation_params.dir, place) for place in config.getoption("golpae_spec_path")]
        self.places: list[Path] = [*given, *config.getini("golpae_spec_path")]
        for place in self.places:
            if not place.exists():
                raise pytest.UsageError(f"golpae: there is no `{place}`, which the spec path names")
        self._libraries: dict[Path, Library] = {}
        self.rulings_path = rulings_path(config)
        self.rulings: Rulings = ()
        if self.rulings_path is not None:
            self.rulings = rulings_in(self.shown(self.rulings_path)).rulings
        self.trace_files: list[TraceFile] = []

    @pytest.hookimpl
    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Return the collector of a file, if it is one of golpae's."""
        name = file_path.name
        explicit = parent.session.isinitpath(file_path)
        if self.rulings_path is not None and file_path.samefile(self.rulings_path):
            return RulingsFile.from_parent(parent, path=file_path, own=self)
        if name.endswith(SUFFIXES) if explicit else self._is_trace_file(file_path):
            return TraceFile.from_parent(parent, path=file_path, own=self)
        if name.endswith(ENDING):
            return TextFile.from_parent(parent, path=file_path, own=self)
        if name.endswith(VERDICTS):
            stem = name.removesuffix(VERDICTS)
            if not any(file_path.with_name(stem + suffix).exists() for suffix in SUFFIXES):
                return LonelyVerdicts.from_parent(parent, path=file_path)
        return None

    def _is_trace_file(self, path: Path) -> bool:
        return not path.name.startswith(".") and any(fnmatch_ex(p, path) for p in self.patterns)

    def places_for(self, folder: Path) -> tuple[Path, ...]:
        """Return where texts are searched for games in a folder."""
        return (*self.places, OwnFolder(folder))

    def library(self, folder: Path) -> Library:
        """Return the rules of games in a folder."""
        if folder not in self._libraries:
            self._libraries[folder] = Library(loader(self.places_for(folder)), completes=completes)
        return self._libraries[folder]

    def shown(self, path: Path) -> str:
        """Return the path of a file as a call in the folder of this one would name it."""
        with suppress(ValueError):  # another drive
            return os.path.relpath(path, self.config.invocation_params.dir)
        return str(path)


class _Item(pytest.Item):
    """An item whose failure is printed without a traceback."""

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """Return the text that is printed about a failure."""
        if isinstance(excinfo.value, Failure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return the file, the line and the name, for the head of a failure."""
        return self.path, None, self.nodeid


# ------------------------------------------------------------------ recorded games


class TraceFile(pytest.File):
    """A file of traces."""

    def __init__(self, *, own: Collector, **more: Any) -> None:
        super().__init__(**more)
        self.own = own
        self.source = Source(os.fspath(self.path))
        self.shown = own.shown(self.path)
        self.segments: tuple[Segment, ...] = ()
        self._replay: OneTrace | None = None
        self._read: Iterator[Line] = iter(())
        self._next = 0  # the first line that `_read` has not given yet; 0: nothing is open

    def collect(self) -> Iterable[pytest.Item]:
        """Yield an item for each trace, and one for the expected verdicts if there are some."""
        parts = self.segments = tuple(segments(self._lines()))
        self.own.trace_files.append(self)
        expected: list[dict[str, object]] | None = None
        fault: str | None = None
        if verdicts_file(self.source).exists():
            with Expected(self.source) as verdicts:
                expected = [*verdicts.rest()]
                fault = verdicts.fault
        names = Counter(str(segment.id) for segment in parts if segment.id is not None)
        for place, segment in enumerate(parts):
            own = None if expected is None or place >= len(expected) else expected[place]
            name = f"line {segment.first}"
            if segment.id is not None and names[str(segment.id)] == 1:
                name = on_one_line(str(segment.id)).replace("::", ":")[:80]
            yield TraceItem.from_parent(self, name=name, segment=segment, expected=own)
        if expected is not None:
            yield VerdictsItem.from_parent(
                self, name="verdicts", traces=len(parts), expected=len(expected), fault=fault
            )
        elif not parts:
            yield EmptyItem.from_parent(self, name="traces")

    def report(self, segment: Segment) -> Report:
        """Return the report on a trace."""
        if self._replay is None:
            own = self.own
            self._replay = OneTrace(self.shown, own.library(self.path.parent), rulings=own.rulings)
        report, _ = self._replay.report(self._between(segment.first, segment.last))
        assert report is not None
        return report

    def _between(self, first: int, last: int) -> Iterator[Line]:
        """Yield lines of the file. One item after the other, it is read once."""
        if not 0 < self._next <= first:
            self._read, self._next = self._lines(), 1
        for line in self._read:
            self._next = line[0] + 1
            if line[0] >= first:
                yield line
            if line[0] >= last:
                return

    def _lines(self) -> Iterator[Line]:
        with self.source.open() as stream:
            yield from lines(stream, None if self._replay is None else self._replay.see)


class TraceItem(_Item):
    """A trace. It passes if its verdict is the expected one; if none is expected, if it is not refused."""

    parent: TraceFile

    def __init__(self, *, segment: Segment, expected: Mapping[str, object] | None, **more: Any) -> None:
        super().__init__(**more)
        self.segment, self.expected = segment, expected

    def runtest(self) -> None:
        """Check the trace. Raises `Failure`."""
        report = self.parent.report(self.segment)
        outcome, remark = report.outcome, None
        if self.expected is not None:
            if agrees(self.expected, outcome):
                return
            remark = f"expected {in_words(self.expected)}"
        elif outcome.verdict is Verdict.INCOMPLETE and self.parent.own.complete:
            remark = "counts as illegal"
        elif outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE, Verdict.RULED):
            return
        faults = [] if report.text_faults is None else [render(d) for d in report.text_faults.diagnostics]
        advice = []
        if outcome.event == 0 and outcome.rules is None:
            advice = [NO_GAMES]
        elif outcome.event == 0 and (outcome.message or "").startswith("there are no rules"):
            advice = [NO_RULES]
        raise Failure("\n".join([*faults, *Plain(True).lines(report, remark), *advice]))

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return the file, the line of the header and the name."""
        return self.path, self.segment.first - 1, self.nodeid


class VerdictsItem(_Item):
    """A file of expected verdicts. It passes if it has one for each trace."""

    parent: TraceFile

    def __init__(self, *, traces: int, expected: int, fault: str | None, **more: Any) -> None:
        super().__init__(**more)
        self.counts, self.fault = (traces, expected), fault

    def runtest(self) -> None:
        """Compare the numbers of traces and verdicts. Raises `Failure`."""
        traces, expected = self.counts
        name = self.parent.own.shown(verdicts_file(self.parent.source))
        if self.fault is not None:
            raise Failure(f"{name}: {self.fault}")
        if traces != expected:
            advice = "`golpae check --write-expected` writes it"
            many = f"{expected} verdict{'s' * (expected != 1)} for {traces} trace{'s' * (traces != 1)}"
            raise Failure(f"{name}: {many}\n  help: {advice}")


class EmptyItem(_Item):
    """A file without any trace, which fails."""

    parent: TraceFile

    def runtest(self) -> None:
        """Raise `Failure`."""
        raise Failure(f"{self.parent.shown}: no trace in it")


class LonelyVerdicts(pytest.File):
    """A file of verdicts beside which no trace file lies."""

    def collect(self) -> Iterable[pytest.Item]:
        """Yield an item that fails."""
        yield LonelyItem.from_parent(self, name="verdicts")


class LonelyItem(_Item):
    """Expected verdicts of no traces, which fail."""

    def runtest(self) -> None:
        """Raise `Failure`."""
        stem = self.path.name.removesuffix(VERDICTS)
        raise Failure(
            f"{self.path.name}: there is no `{stem}.jsonl` beside it, whose verdicts these would be"
        )


class RulingsFile(pytest.File):
    """The file of rulings of the run."""

    def __init__(self, *, own: Collector, **more: Any) -> None:
        super().__init__(**more)
        self.own = own

    def collect(self) -> Iterable[pytest.Item]:
        """Yield one item."""
        yield RulingsItem.from_parent(self, name="rulings")


class RulingsItem(_Item):
    """The rulings of the run. It passes if each is needed by one of the games that were collected."""

    parent: RulingsFile

    def runtest(self) -> None:
        """Check the games that rulings name. Raises `Failure`."""
        own = self.parent.own
        if not comes_to_all(own.config):
            pytest.skip("this run has not collected all games")
        used = rulings_in(own.shown(self.path))
        for file in own.trace_files:
            for segment in file.segments:
                if on_trace(used.rulings, file.shown, segment.first, segment.id):
                    used.note(file.report(segment).outcome)
        faults = [*used.faults()]
        if faults:
            raise Failure("\n".join(faults))


# ------------------------------------------------------------------ rule texts


class TextFile(pytest.File):
    """A rule text. Parts of texts, which have no `game` line, have no items."""

    def __init__(self, *, own: Collector, **more: Any) -> None:
        super().__init__(**more)
        self.own = own

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Yield an item for the text and, if properties are asked for, a collector for each rule set."""
        if not games_in(self.path):
            return
        yield TextItem.from_parent(self, name="text")
        if self.own.prove:
            with suppress(SpecError, UsageError):  # which the item of the text tells
                for rule_set in self.rule_sets():
                    yield RuleSetProperties.from_parent(self, name=rule_set.rules, rule_set=rule_set)

    def rule_sets(self) -> list[RuleSet]:
        """Return the rule set of the text, and that with each variant or reading. Raises SpecError and UsageError."""
        name = named(str(self.path), self.places)
        first = named_rule_set(name)
        return [first, *(elaborate_cached(f"{first.rules}+{s.name}", name.places) for s in first.switches)]

    @property
    def places(self) -> tuple[Path, ...]:
        """Where texts are searched that this one names."""
        return (self.path, *self.own.places_for(self.path.parent))


class TextItem(_Item):
    """A rule text with its variants and readings. It passes if they have no faults."""

    parent: TextFile

    def runtest(self) -> None:
        """Load the text. Raises `Failure`."""
        try:
            self.parent.rule_sets()
        except SpecError as fault:
            raise Failure("\n".join(render(diagnostic) for diagnostic in fault.diagnostics)) from None
        except UsageError as error:
            raise Failure(f"{error.fault.message}\n  help: {error.fault.help}") from None


class RuleSetProperties(pytest.Collector):
    """The properties of one rule set."""

    parent: TextFile

    def __init__(self, *, rule_set: RuleSet, **more: Any) -> None:
        super().__init__(**more)
        self.rule_set = rule_set

    def collect(self) -> Iterable[pytest.Item]:
        """Yield an item for each property."""
        from golpae.testing.properties import PropertyItem
        from golpae.verify.properties import properties_of

        for prop in properties_of(self.rule_set):
            yield PropertyItem.from_parent(self, name=prop.name)
