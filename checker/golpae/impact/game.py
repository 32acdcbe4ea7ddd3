"""One recorded game under one rule set, as it would have gone on.

Input: the events of a trace, one after the other.
Output: a `Course`: how far the game is legal, and the amounts that these rules give on the way.
Guarantee: an event that only states other amounts than these rules give (points, a payment) counts as the event with
their amounts, and the game goes on; every other refused event ends the game as in `replay`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from golpae.impact.amounts import Amounts
from golpae.ir.limits import TooManySteps
from golpae.replay.asked_scores import may_win, scores_of
from golpae.replay.decode import Bad
from golpae.replay.explain import explain
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.report import Refusal, bounded
from golpae.replay.runtime import EFFECTS, midway
from golpae.trace import Header, Verdict
from golpae.trace.unseen import NOBODY_SAW, is_hidden


@dataclass(frozen=True, slots=True)
class AmountsOfEvent:
    """An event with amounts: its number (1 is the first after the header), who acts (None: nobody), its amounts by key,
    and the patterns of the hand that wins by it, with their points.
    """

    event: int
    action: str
    by: int | None
    amounts: Mapping[str, Any]
    patterns: Mapping[str, int] | None = None


@dataclass(slots=True)
class Course:
    """How a game goes. If `verdict` is illegal or malformed, `event` is the first at fault, and `clause` and `message`
    say why; if it is unknown, `event` is the first with an unknown tile; `counted` are the events with amounts before
    it. `amended` counts events whose amounts were others.
    """

    verdict: Verdict
    event: int | None = None
    clause: str | None = None
    message: str | None = None
    counted: list[AmountsOfEvent] = field(default_factory=list)
    amended: int = 0


class ImpactTable:
    """A machine with what is needed to follow games on it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.amounts = Amounts(machine)
        self.can_win = frozenset(
            name for name, action in machine.actions.items() if machine.rules.scores and may_win(action)
        )


class Follower:
    """Follows one game. Raises `TooManySteps` if the rules take too long, or have too large numbers."""

    def __init__(self, table: ImpactTable, header: Header) -> None:
        self._table, self._header = table, header
        self._machine = table.machine
        self._state = table.machine.new_state(header.stake)
        self._events = 0
        self.course = Course(Verdict.INCOMPLETE)
        self.stopped = False

    def line(self, line: Mapping[str, object] | None, fault: str | None) -> None:
        """Carry out the event of a line, or note why it is refused. What cannot be read after the match is none."""
        if line is None and self._machine.stage(self._state) == "finished":
            return
        self._events += 1
        action = None if line is None else line.get("do")
        if (
            line is None
            or fault is not None
            or action.__class__ is not str
            or action not in self._machine.steps
        ):
            self._stop(Verdict.MALFORMED, None, fault or "the rules have no such action")
            return
        try:
            self._event(str(action), line)
        except TooManySteps as long:
            self._stop(Verdict.MALFORMED, None, str(long))

    def _event(self, action: str, line: Mapping[str, object]) -> None:
        machine, table = self._machine, self._table
        args = machine.read(action, line)
        if isinstance(args, Bad):
            if is_hidden(line):
                self._stop(Verdict.UNKNOWN, None, NOBODY_SAW)
            else:
                self._stop(Verdict.MALFORMED, None, args.message)
            return
        failed, ordered = machine.first(action, self._state, args)
        if failed >= 0:
            amended = table.amounts.amended(action, self._state, args)
            if amended is None:
                self._refuse(action, failed, ordered)
                return
            ordered = amended
            self.course.amended += 1
        event = Event(action, ordered)
        before = self._state
        after = machine.copy(before) if self._keeps(action) else before
        try:
            machine.apply(action, after, ordered)
        except ValueError as fault:
            self._refuse(action, -1, ordered, midway(fault))
            return
        amounts = dict(table.amounts.of(action, ordered))
        if amounts:
            by = None if machine.actions[action].by is None else int(ordered[0])
            self.course.counted.append(
                AmountsOfEvent(self._events, action, by, amounts, self._patterns(event, before, after))
            )
        self._state = after

    def _keeps(self, action: str) -> bool:
        return action in self._table.can_win or action in self._machine.may_fail_midway

    def _patterns(self, event: Event, before: Any, after: Any) -> Mapping[str, int] | None:
        """Return the patterns of the hand that wins by an event, or None if none does."""
        if event.action not in self._table.can_win or after.winner is None or after.winner == before.winner:
            return None
        scores = scores_of(self._machine, self._machine.copy(before), event)
        return dict(scores[0]["patterns"]) if scores else None

    def _refuse(self, action: str, failed: int, args: tuple[Any, ...], effects: str = EFFECTS) -> None:
        machine = self._machine
        rule = machine.actions[action]
        condition = rule.conditions[failed] if failed >= 0 else None
        clause = f"{machine.rules.game}.{action}.{effects if condition is None else condition.name}"
        refusal = Refusal(machine, self._header, self._state, rule, args, condition, clause)
        self._stop(Verdict.ILLEGAL, clause, explain(refusal).message)

    def _stop(self, verdict: Verdict, clause: str | None, message: str) -> None:
        self.stopped = True
        course = self.course
        course.verdict, course.event, course.clause = verdict, self._events, clause
        course.message = bounded(message)

    def finish(self) -> Course:
        """Return the course, once the trace is read."""
        if not self.stopped and self._machine.stage(self._state) in ("ended", "finished"):
            self.course.verdict = Verdict.LEGAL
        return self.course
