"""Replay traces: check that every event is legal, or report the first that is not, and why.

Input: the lines of a file and a library of rules.
Output: one `Report` a trace, in order.
Guarantee: the file is read as a stream; memory holds only the state of the current trace, and its first lines.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import BinaryIO, NamedTuple, TypeVar

from golpae.ir.limits import TooManySteps
from golpae.replay.citing import rules_of
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library, Waived
from golpae.replay.report import Explanation, Refusal, Report, bounded
from golpae.replay.runtime import EFFECTS, midway
from golpae.trace import (
    NO_HEADER,
    Header,
    Outcome,
    Ruled,
    Unread,
    Verdict,
    identity,
    is_header,
    lines,
    quoted,
    read_header,
)
from golpae.trace.digest import Digest
from golpae.trace.ruling import Ruling, Rulings, is_hash, on_trace
from golpae.trace.unseen import NOBODY_SAW, Decision, is_hidden, needs_tiles

Setting = TypeVar("Setting")  # what sets a condition aside

_Line = tuple[int, dict[str, object] | None, str | None]  # as `lines` gives them
_First = _Line  # the first of a trace: that of a header, or one that is no header where no trace is open

MOST_KEPT = (
    100_000  # lines of a trace that are kept; a longer one with unknown tiles is decided without a completion
)
OF_RULES = "; the fault is in the rules, not in this game"


def replay(
    stream: BinaryIO,
    file: str,
    library: Library,
    rules: str | None = None,
    explained: bool = True,
    cited: bool = False,
) -> Generator[Report, None, tuple[int, str] | None]:
    """Yield the reports on a file's traces, each as soon as it is complete. `rules` replaces those of the headers.
    Unless `explained`, an illegal trace has no message; unless `cited`, no trace has hashes.

    The generator returns the line at which reading stopped, and why, if no report mentions that fault because an
    event before it was refused.
    """
    return OneTrace(file, library, rules, cited, explained=explained).reports(stream)


class OneTrace:
    """The traces of a file, one at a time, for a caller that finds them itself.

    Unless `explained`, an illegal trace has no message.
    """

    def __init__(
        self,
        file: str,
        library: Library,
        rules: str | None = None,
        cited: bool = False,
        rulings: Rulings = (),
        explained: bool = True,
    ) -> None:
        digest = Digest() if cited or rulings else None
        self._replay = _Replay(file, library, rules, explained, digest, rulings)
        self.see = None if digest is None else digest.see
        """What has to see the lines, if traces are to be cited."""

    def reports(self, stream: BinaryIO) -> Generator[Report, None, tuple[int, str] | None]:
        """Yield the reports on the traces of a stream, as `replay` does."""
        return self._replay.run(lines(stream, self.see))

    @property
    def unread(self) -> tuple[int, str] | None:
        """What `replay` returns."""
        return self._replay.unread

    def report(self, read: Iterator[_Line]) -> tuple[Report | None, _First | None]:
        """Return the report on the trace that begins with the first of these lines, and the first line of the next one,
        if it has been read: its number, its object and its fault. Each is None if there is none.
        """
        first = next(read, None)
        if first is None:
            return None, None
        return self.after(first, read)

    def after(self, first: _First, read: Iterator[_Line]) -> tuple[Report, _First | None]:
        """Return the report on a trace of which the first line has been read, and the first line of the next one, as
        `report` does.
        """
        return self._replay.one(first, read)

    def games(self, read: Iterator[_Line]) -> Iterator[tuple[Report, list[_Line]]]:
        """Yield the report on each trace with all its lines, once the next one begins."""
        tape = Tape(read)
        report, first = self.report(tape)
        begin: list[_Line] = []
        while report is not None:
            following = self.behind(first, tape)
            lines = begin + tape.cut()
            if following is None:
                yield report, lines
                return
            yield report, lines[:-1]
            begin = [following]
            report, first = self.after(following, tape)

    def behind(self, following: _First | None, read: Iterator[_Line]) -> _First | None:
        """Return the first line of the next trace, after a report that came with `following`."""
        return following or self._replay.skip(read)


class Tape:
    """Lines as they are read, and those that were read since the last cut."""

    def __init__(self, read: Iterator[_Line]) -> None:
        self._read = read
        self._lines: list[_Line] = []

    def __iter__(self) -> Iterator[_Line]:
        return self

    def __next__(self) -> _Line:
        line = next(self._read)
        self._lines.append(line)
        return line

    def cut(self) -> list[_Line]:
        lines, self._lines = self._lines, []
        return lines


class _Named(NamedTuple):
    """The line at which a trace starts, its name, and the rule set that its header names."""

    start: int
    name: str | int | None
    rules: str | None


@dataclass(slots=True)
class _Game:
    """The game of the trace that is being read."""

    named: _Named
    header: Header
    machine: Machine
    state: State

    @property
    def of_header(self) -> _Named:
        """The names that the header gives."""
        return _Named(self.named.start, self.header.id, self.header.rules)

    @property
    def end(self) -> tuple[Machine, Header, State]:
        return self.machine, self.header, self.state


@dataclass(slots=True)
class _Rest:
    """The lines of a trace from the first unknown tile on, their numbers, and the digest of the trace up to each if
    there is one; what `following` begins, or the fault of the line at which it is `broken` off.
    """

    lines: list[Mapping[str, object]] = field(default_factory=list)
    ats: list[int] = field(default_factory=list)
    hashes: list[str | None] = field(default_factory=list)
    following: _First | None = None
    broken: tuple[int, str] | None = None

    @staticmethod
    def of(read: Iterator[_Line], digest: Digest | None) -> _Rest:
        """Read the rest of a trace."""
        rest = _Rest()
        for at, line, fault in read:
            if line is not None and is_header(line):
                rest.following = at, line, fault
                break
            if line is None and rest.lines and _is_finish(rest.lines[-1]):
                rest.following = at, line, fault
                break
            if line is None or fault is not None:
                rest.broken = at, fault or ""
                break
            rest.lines.append(line)
            rest.ats.append(at)
            rest.hashes.append(None if digest is None else digest.text(True))
        return rest


class _Replay:
    def __init__(
        self,
        file: str,
        library: Library,
        rules: str | None,
        explained: bool = True,
        digest: Digest | None = None,
        rulings: Rulings = (),
    ) -> None:
        self._digest = digest
        self._rulings, self._waived = rulings, Waived()
        self._ruled: list[Ruled] = []  # of the trace that is being read
        self.file = file
        self.explained = explained
        self.library = library
        self.rules = rules
        self.unread: tuple[int, str] | None = None
        self.closed = False  # the trace that is being read has had its `finish`

    def run(self, read: Iterator[_Line]) -> Generator[Report, None, tuple[int, str] | None]:
        first: _First | None = next(read, None)
        while first is not None:
            self.closed = False
            report, following = self._trace(first, read)
            yield report
            first = following or self.skip(read)
        return self.unread

    def one(self, first: _First, read: Iterator[_Line]) -> tuple[Report, _First | None]:
        """Return the report on one trace, and the first line of the next one if it has been read already."""
        self.closed = False
        return self._trace(first, read)

    def skip(self, read: Iterator[_Line]) -> _First | None:
        """Skip the rest of a trace, and return the first line of the next one."""
        for at, line, fault in read:
            if line is None:
                if self.closed:
                    return at, line, fault
                if isinstance(fault, Unread):
                    self.unread = at, fault
            elif is_header(line):
                return at, line, fault
            else:
                self.closed = self.closed or _is_finish(line)
        return None

    def _trace(self, first: _First, read: Iterator[_Line]) -> tuple[Report, _First | None]:
        """Return the report on one trace, and the first line of the next one if it has been read already."""
        self._ruled.clear()
        if self._digest is not None:
            self._digest.begin()
        game = self._begin(first)
        return (game, None) if isinstance(game, Report) else self._events(game, read)

    def _begin(self, first: _First) -> _Game | Report:
        """Return the game that a line begins, or the report on a header that is wrong."""
        start, line, fault = first
        if line is None or not is_header(line):
            return self._malformed(_Named(start, None, None), 0, start, fault or NO_HEADER)
        name, rules = identity(line)
        named = _Named(start, name, self.rules or rules)
        if fault is not None:
            return self._malformed(named, 0, start, fault)
        if self.rules is not None and isinstance(line.get("rules"), str):
            line = {**line, "rules": self.rules}
        header = read_header(line)
        if isinstance(header, str):
            return self._malformed(named, 0, start, header)
        machine = self.library.machine(header.rules, len(header.players), header.options)
        if isinstance(machine, str):
            report = self._malformed(named, 0, start, machine)
            faults, unknown = self.library.text_faults(header.rules), self.library.is_unknown(header.rules)
            return replace(report, text_faults=faults, unknown_rules=unknown)
        try:
            state = machine.new_state(header.stake)
        except TooManySteps as long:
            return self._malformed(named, 0, start, f"{long}{OF_RULES}")
        return _Game(named, header, machine, state)

    def _events(self, game: _Game, read: Iterator[_Line]) -> tuple[Report, _First | None]:
        """Return the report on a trace whose header is read, and the first line of the next one if it has been read."""
        header, machine = game.header, game.machine
        event = 0
        most_kept = 0 if self.library.completes is None else MOST_KEPT
        before: list[Mapping[str, object]] = []  # the first lines, for a completion
        for at, line_read, fault in read:
            if fault is None and line_read is not None:
                if "golpae" in line_read or ("do" not in line_read and is_header(line_read)):
                    return self._finished(game, event), (at, line_read, None)
                event += 1
                try:
                    refused = happen(machine, header, game.state, line_read)
                    if self._rulings and isinstance(refused, Refusal):
                        refused = self._with_rulings(game, refused, line_read, event, at)
                except TooManySteps as long:
                    self._close(machine, game.state, line_read)
                    return self._malformed(game.named, event, at, f"{long}{OF_RULES}"), None
                if refused is None:
                    if event <= most_kept:
                        before.append(line_read)
                    continue
                if not isinstance(refused, str):
                    self._close(machine, refused.state, line_read)
                    return self._illegal(game, refused, event, at), None
                if self.library.completes is not None and is_hidden(line_read):
                    from_here = chain([(at, line_read, fault)], read)
                    return self._unseen(game, event - 1, before, from_here)
                if needs_tiles(line_read, machine.steps):
                    self._close(machine, game.state, line_read)
                    return self._undecided(game, event, at), None
                fault = refused
            elif line_read is not None and is_header(line_read):
                return self._finished(game, event), (at, line_read, fault)
            elif line_read is None and machine.stage(game.state) == "finished":
                return self._finished(game, event), (at, None, fault)
            else:
                event += 1
            self._close(machine, game.state, line_read)
            return self._malformed(game.named, event, at, fault or "", game), None
        return self._finished(game, event, True), None

    def _with_rulings(
        self, game: _Game, refused: Refusal, line: Mapping[str, object], event: int, at: int
    ) -> Refusal | None:
        """Let a refused event happen if rulings let it stand; return what refuses it otherwise."""
        rulings = on_trace(self._rulings, self.file, game.named.start, game.header.id)
        allowed = self._allowed(refused, line, event, at, rulings)
        if isinstance(allowed, Refusal):
            return allowed
        game.state = allowed
        return None

    def _unseen(
        self, game: _Game, events: int, before: list[Mapping[str, object]], read: Iterator[_Line]
    ) -> tuple[Report, _First | None]:
        """Return the report on a trace whose next line has unknown tiles, and the first line of the next trace.

        `events` came before it, and `before` holds the first of these.
        """
        header, machine = game.header, game.machine
        rest = _Rest.of(read, self._digest)
        rulings = on_trace(self._rulings, self.file, game.named.start, header.id) if self._rulings else []
        decision = self._decided(game, rest, events, rulings, before)
        if decision.state is not None:
            game.state = decision.state
        event = events + decision.event
        if decision.verdict == "completed" and rest.broken is not None:
            at, message = rest.broken
            event = events + len(rest.lines) + 1
            report = self._malformed(game.of_header, event, at, message, game)
        elif decision.verdict == "completed":
            events, with_last = events + len(rest.lines), rest.following is None
            report = self._finished(game, events, with_last)
            if len(before) == events - len(rest.lines):
                outcome = replace(report.outcome, completion=(*before, *decision.lines))
                report = replace(report, outcome=outcome)
        else:
            verdict, at = Verdict(decision.verdict), rest.ats[decision.event - 1]
            outcome = Outcome(
                self.file,
                *game.of_header,
                verdict,
                event,
                at,
                decision.clause,
                bounded(decision.message),
            )
            outcome = self._cited(replace(outcome, conflict=decision.conflict), machine, True)
            outcome = replace(outcome, trace_hash=rest.hashes[decision.event - 1])
            report = Report(outcome, None, game.end, event)
            if decision.clause is not None:
                rules = tuple(rules_of(machine.rules, decision.clause))
                explanation = Explanation(outcome.message or "", (), rules, None)
                report = replace(report, explanation=explanation)
        self.closed = any(map(_is_finish, rest.lines))
        return replace(report, unseen=True), rest.following

    def _decided(
        self,
        game: _Game,
        rest: _Rest,
        events: int,
        rulings: Sequence[Ruling],
        known: Sequence[Mapping[str, object]],
    ) -> Decision:
        """Return the decision on the rest of a trace. A condition that refuses an event whatever its tiles are is set
        aside if there is a ruling on it.
        """
        assert self.library.completes is not None
        aside: dict[int, frozenset[str]] = {}
        while True:
            decision = self.library.completes(
                game.machine, game.header, game.state, rest.lines, events, aside, known
            )
            if decision.verdict != "illegal" or not rulings:
                return decision
            number, clause = decision.event, str(decision.clause)
            name, already = clause.rpartition(".")[2], aside.get(number, frozenset())
            if (
                name in already
            ):  # setting it aside did not help: it is one without which no event can be followed
                self._ruled.pop()
                return decision
            ruling = self._ruling(clause, events + number, rulings, rest.hashes[number - 1])
            if ruling is None:
                return decision
            aside[number] = already | {name}
            ruled = events + number, rest.ats[number - 1], clause, bounded(decision.message)
            self._ruled.append(Ruled(*ruled, ruling.reason, ruling.line))

    def _allowed(
        self, refused: Refusal, line: Mapping[str, object], event: int, at: int, rulings: Rulings
    ) -> State | Refusal:
        """Return the state behind a refused event if rulings let it stand, or what refuses it still."""
        assert self._digest is not None
        digest = self._digest.text(True)
        state_or_refusal, waived = let_stand(
            refused, line, lambda clause: self._ruling(clause, event, rulings, digest), self._waived
        )
        for clause, message, ruling in waived:  # they were needed, even if they are not enough
            self._ruled.append(Ruled(event, at, clause, message, ruling.reason, ruling.line))
        return state_or_refusal

    @staticmethod
    def _ruling(clause: str, event: int, rulings: Sequence[Ruling], digest: str | None) -> Ruling | None:
        """Return the ruling on a clause that an event breaks. `digest` is that of the trace up to there."""
        for ruling in rulings:
            if (ruling.event, ruling.clause) == (event, clause):
                if not is_hash(ruling.trace) or ruling.trace == digest:
                    return ruling
        return None

    def _close(self, machine: Machine, state: State, line: Mapping[str, object] | None) -> None:
        """Note whether a trace that is refused at a line has had its `finish`."""
        self.closed = machine.stage(state) == "finished" or (line is not None and _is_finish(line))

    # ------------------------------------------------------------------ reports

    def _malformed(
        self, named: _Named, event: int, at: int, message: str, game: _Game | None = None
    ) -> Report:
        outcome = Outcome(self.file, *named, Verdict.MALFORMED, event, at, None, bounded(message))
        outcome = self._cited(outcome, None if game is None else game.machine, True)
        return Report(outcome, None, None if game is None else game.end, event)

    def _undecided(self, game: _Game, event: int, at: int) -> Report:
        """Return the report on a trace of which nobody decides whether some tiles make an event legal."""
        report = self._malformed(game.of_header, event, at, NOBODY_SAW, game)
        return replace(report, outcome=replace(report.outcome, verdict=Verdict.UNKNOWN))

    def _finished(self, game: _Game, events: int, with_last: bool = False) -> Report:
        whole = game.machine.stage(game.state) in ("ended", "finished")
        verdict = Verdict.INCOMPLETE if not whole else Verdict.RULED if self._ruled else Verdict.LEGAL
        outcome = Outcome(self.file, *game.of_header, verdict)
        outcome = self._cited(outcome, game.machine, with_last)
        return Report(outcome, None, game.end, events)

    def _cited(self, outcome: Outcome, machine: Machine | None, with_last: bool) -> Outcome:
        """Return an outcome with the hashes of what it is about, if these are asked for."""
        if self._ruled:
            outcome = replace(outcome, rulings=tuple(self._ruled))
        if self._digest is None:
            return outcome
        text = None if machine is None else machine.rules.spec_hash
        return replace(outcome, spec_hash=text, trace_hash=self._digest.text(with_last))

    def _illegal(self, game: _Game, refusal: Refusal, event: int, at: int) -> Report:
        explanation, message = None, None
        if self.explained:
            from golpae.replay.explain import explain, one_line

            explanation = explain(refusal)
            message = bounded(one_line(explanation))
        outcome = Outcome(self.file, *game.of_header, Verdict.ILLEGAL, event, at, refusal.clause, message)
        outcome = self._cited(outcome, refusal.machine, True)
        end = (refusal.machine, game.header, refusal.state)
        return Report(outcome, refusal, end, event, explanation=explanation)


def happen(
    machine: Machine, header: Header, state: State, line: Mapping[str, object]
) -> Refusal | str | None:
    """Let an event of a match happen, in place. Return None, the rule that it breaks, or why it is no event.

    A refusal has the state before the event, which is another object if the effects had begun. Raises `TooManySteps`;
    effects may have begun then.
    """
    do = line.get("do")
    step = machine.steps.get(do) if isinstance(do, str) else None
    if step is None:
        return no_such_action(machine, line)
    name = str(do)
    before = machine.copy(state) if name in machine.may_fail_midway else state
    try:
        refusal = step(state, line)
    except ValueError as fault:  # it passed all conditions, but moves a tile from a place where it is not
        args = machine.read(name, line)
        assert not isinstance(args, Bad)
        refused = _refusal(machine, header, before, name, (-1, args))
        return replace(refused, clause=f"{machine.rules.game}.{name}.{midway(fault)}")
    if refusal is None:
        return None
    return refusal.message if isinstance(refusal, Bad) else _refusal(machine, header, state, name, refusal)


def let_stand(
    refused: Refusal, line: Mapping[str, object], ruling_on: Callable[[str], Setting | None], waived: Waived
) -> tuple[State | Refusal, list[tuple[str, str, Setting]]]:
    """Set conditions aside that refuse an event, one after the other, as long as there is a ruling on each.

    Return the state behind the event, or what refuses it still; and the clauses that were set aside, each with the
    reason why it refuses the event, and with its ruling. Raises `TooManySteps`.
    """
    from golpae.replay.explain import reason

    machine, played, header = refused.machine, refused.machine, refused.header
    out: list[tuple[str, str, Setting]] = []
    while True:
        refused = replace(refused, machine=machine)
        ruling = ruling_on(refused.clause)
        if ruling is None or refused.condition is None:
            return refused, out
        out.append((refused.clause, bounded(reason(refused)), ruling))
        played = waived.without(played, refused.action.name, refused.condition.name)
        state = machine.copy(refused.state)
        outcome = happen(played, header, state, line)
        if not isinstance(outcome, Refusal):
            return state, out
        refused = outcome


def _refusal(
    machine: Machine, header: Header, state: State, do: str, result: tuple[int, tuple[object, ...]]
) -> Refusal:
    failed, args = result
    action = machine.actions[do]
    condition = action.conditions[failed] if failed >= 0 else None
    clause = f"{machine.rules.game}.{do}.{EFFECTS if condition is None else condition.name}"
    return Refusal(machine, header, state, action, args, condition, clause)


def _is_finish(line: Mapping[str, object]) -> bool:
    return line.get("do") == "finish"


def no_such_action(machine: Machine, event: Mapping[str, object]) -> str:
    from golpae.diagnostics import near

    if "do" not in event:
        return "this line lacks the key `do`"
    do = event["do"]
    if not isinstance(do, str):
        return "`do` must be the name of an action, in quotes"
    advice = near(do, machine.steps)
    return f"`{machine.rules.game}` has no action {quoted(do)}{'; ' + advice if advice else ''}"
