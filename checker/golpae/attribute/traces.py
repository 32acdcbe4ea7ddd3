"""Find the rule sets that accept a trace, among all combinations of a game's variants and readings.

Input: the lines of a file, and a function that loads rule sets by name.
Output: a `TraceResult` for each trace, in order: the region of the rule sets that accept it and, for every other rule
set, the event and clause that refuses it.
Guarantee: the file is read as a stream; memory holds only the states that a trace can have led to.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO, NamedTuple

from golpae.attribute.machines import Machines
from golpae.attribute.multi_replay import MultiReplay, RefusedTrace
from golpae.diagnostics import SpecError, near
from golpae.families.family import Family, Load
from golpae.families.region import Region
from golpae.replay.machine_cache import Library
from golpae.replay.report import bounded
from golpae.trace import (
    NO_HEADER,
    Header,
    Outcome,
    Unread,
    Verdict,
    identity,
    is_header,
    lines,
    quoted,
    read_header,
)
from golpae.trace.unseen import NOBODY_SAW, needs_tiles

MOST_TABLES = 16  # of which machines are cached

Results = Generator["TraceResult", None, "tuple[int, str] | None"]


@dataclass(frozen=True, slots=True)
class TraceResult:
    """The rule sets that accept one trace.

    `claimed` is the rule set that its header names, `unknown` the switches in it that the game does not have.
    `accepting` are the rule sets under which every event is legal, and `ended` whether the last hand has ended under
    one of them. `refused` are all other rule sets. A malformed trace has only the `fault`, and the game if the header
    names one; the verdict of the fault is unknown if the trace has tiles that nobody saw. `text_faults` are those of
    the text of its rules, if there is no answer because of them. With `in_full`, only the rule sets that accept the
    trace have been asked for, and this gives the rest.
    """

    file: str
    line: int
    id: str | int | None
    claimed: str | None
    family: Family | None
    accepting: Region | None = None
    ended: bool = False
    refused: tuple[RefusedTrace, ...] = ()
    unknown: tuple[str, ...] = ()
    fault: Outcome | None = None
    text_faults: SpecError | None = None
    in_full: Callable[[], TraceResult] | None = None

    def whole(self) -> TraceResult:
        """Return the result with all that is known: who refuses the trace, too, if only who accepts it was asked."""
        return self if self.in_full is None else self.in_full()

    def refusal(self, switches_on: int) -> RefusedTrace | None:
        """Return why a rule set refuses the trace, or None if it does not."""
        return next((r for r in self.refused if switches_on in r.region), None)

    @property
    def furthest(self) -> RefusedTrace | None:
        """Return the refusal at the latest event; None if no rule set refuses."""
        return max(self.refused, key=lambda r: r.event, default=None)


class Attribution:
    """Attributes traces to rule sets. `load` returns a rule set by name and may raise `SpecError`.

    With `rules`, every trace is of that game, even if its header names another one, and the switches in it are on.
    """

    def __init__(self, load: Load, rules: str | None = None) -> None:
        self.library = Library(load)
        self._load = load
        self._rules = rules
        self._families: dict[str, Family | str] = {}
        self._machines: OrderedDict[object, Machines] = OrderedDict()

    def named(self, result: TraceResult) -> dict[str, str | None]:
        """Return the rules that replace those of all headers, and the game of a trace with the hash of its text."""
        base = None if result.family is None else result.family.base
        rule_set = None if base is None else self.library.rule_set(base)
        text = None if rule_set is None else rule_set.spec_hash
        return {"rules": self._rules, "game": base, "spec_hash": text}

    def traces(self, stream: BinaryIO, file: str) -> Results:
        """Yield the result of each trace of a file as soon as it is complete.

        The generator returns the line at which reading stopped, and why, if no result has that fault.
        """
        return self.results(lines(stream), file)

    def results(
        self, read: Iterator[tuple[int, Mapping[str, object] | None, str | None]], file: str
    ) -> Results:
        """Yield the results of the traces on lines that were read: each its number, itself, and its fault."""
        current: _Trace | None = None
        orphans = True  # no trace is open, and no fault has been reported yet for lines without a header
        closed = False  # the trace that is being read has had its `finish`
        unread: tuple[int, str] | None = None
        for at, line, fault in read:
            if line is None and closed:
                if current is not None:
                    yield current.result()
                current, orphans = None, True
            closed = line is not None and not is_header(line) and (closed or line.get("do") == "finish")
            if line is not None and is_header(line):
                if current is not None:
                    yield current.result()
                begun = self._begun(file, at, line, fault)
                current = begun if isinstance(begun, _Trace) else None
                if isinstance(begun, TraceResult):
                    yield begun
            elif current is not None and current.replay.branches:
                malformed = current.read(at, line, fault)
                if malformed is not None:
                    yield malformed
                    current = None
            elif isinstance(fault, Unread) and not (orphans and current is None):
                unread = at, fault
            elif orphans and current is None:
                words = fault or NO_HEADER
                yield _malformed(_Named(file, at, None, None), None, 0, at, words)
            orphans = False
        if current is not None:
            yield current.result()
        return unread

    def family(self, base: str) -> Family | str:
        """Return the game of this name with all its switches, or why there is none."""
        if base not in self._families:
            fixed = () if self._rules is None else tuple(self._rules.split("+")[1:])
            try:
                self._families[base] = Family(base, self._load, fixed)
            except SpecError:
                words = self.library.machine(
                    base, 0, {}
                )  # the message of `check`; the library records the fault
                self._families[base] = words if isinstance(words, str) else f"`{base}` cannot be used"
        return self._families[base]

    def header(self, line: Mapping[str, object]) -> Header | str:
        """Return the header on a line, or what is wrong with it."""
        if self._rules is not None and isinstance(line.get("rules", ""), str):
            line = {**line, "rules": self._rules}
        return read_header(line)

    def _begun(
        self, file: str, at: int, line: Mapping[str, object], fault: str | None
    ) -> _Trace | TraceResult:
        name, claimed = identity(line)
        header = self.header(line) if fault is None else fault
        if isinstance(header, str):
            return _malformed(_Named(file, at, name, claimed), None, 0, at, header)
        family = self.family(header.base)
        if isinstance(family, str):
            result = _malformed(_Named(file, at, name, claimed), None, 0, at, family)
            return replace(result, text_faults=self.library.text_faults(header.base))
        replay = MultiReplay(self._machines_for(family, header), header, at)
        if not replay.branches:
            first = replay.refused[0]
            return _malformed(
                _Named(file, at, name, claimed), family, 0, at, first.words(first.region.sample)
            )
        return _Trace(file, at, claimed, family, replay)

    def _machines_for(self, family: Family, header: Header) -> Machines:
        key = (family.base, len(header.players), tuple(sorted(header.options.items())))
        machines = self._machines.get(key)
        if machines is None:
            machines = Machines(family, self.library, len(header.players), header.options)
            self._machines[key] = machines
            if len(self._machines) > MOST_TABLES:
                self._machines.popitem(last=False)
        self._machines.move_to_end(key)
        return machines


@dataclass(frozen=True, slots=True)
class _Trace:
    """A trace that is being read."""

    file: str
    line: int
    claimed: str | None
    family: Family
    replay: MultiReplay

    def read(self, at: int, line: Mapping[str, object] | None, fault: str | None) -> TraceResult | None:
        """Read one line. Return the result if it is malformed."""
        replay = self.replay
        do = None if line is None else line.get("do")
        if fault is None and line is not None and isinstance(do, str) and do in self.family.footprint.actions:
            fault = replay.event(at, line, do)
            if fault is None:
                return None
            number = replay.number
        else:
            number = replay.number + 1
            fault = fault or _unknown_action(self.family, line or {})
        header = replay.header
        trace_result = _malformed(
            _Named(self.file, self.line, header.id, self.claimed), self.family, number, at, fault
        )
        if line is None or trace_result.fault is None or not needs_tiles(line, self.family.footprint.actions):
            return trace_result
        return replace(
            trace_result, fault=replace(trace_result.fault, verdict=Verdict.UNKNOWN, message=NOBODY_SAW)
        )

    def result(self) -> TraceResult:
        """Return the result, once all lines are read."""
        accepting, ended = self.replay.accepting()
        return TraceResult(
            self.file,
            self.line,
            self.replay.header.id,
            self.claimed,
            self.family,
            accepting,
            ended,
            tuple(self.replay.refused),
            unknown_in(self.claimed, self.family),
        )


def unknown_in(claimed: str | None, family: Family) -> tuple[str, ...]:
    """Return the switches that a header names and the game does not have."""
    words = () if claimed is None else tuple(claimed.split("+"))
    unknown = () if words[:1] != (family.base,) else words[1:]
    return tuple(name for name in unknown if name not in family.names)


class _Named(NamedTuple):
    """The file and the line at which a trace starts, its name, and the rule set that its header names."""

    file: str
    line: int
    name: str | int | None
    claimed: str | None


def _malformed(named: _Named, family: Family | None, event: int, at: int, words: str) -> TraceResult:
    outcome = Outcome(*named, Verdict.MALFORMED, event, at, None, bounded(words))
    return TraceResult(*named, family, fault=outcome)


def _unknown_action(family: Family, event: Mapping[str, object]) -> str:
    do = event.get("do")
    if "do" not in event:
        return "this line lacks the key `do`"
    if not isinstance(do, str):
        return "`do` must be the name of an action, in quotes"
    advice = near(do, family.footprint.actions)
    return f"`{family.base}` has no action {quoted(do)}{'; ' + advice if advice else ''}"
