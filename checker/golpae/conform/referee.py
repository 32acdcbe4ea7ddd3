"""Compare an engine with the rules, event by event.

Input: a script: events that are offered to the engine one after the other, legal or not.
Output: the first difference between what the engine says and what the rules say.
Guarantee: the rules alone judge each event, where it comes, so every script has a meaning. Only what the engine tells
is compared, and each comparison is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from golpae.conform.answer import Answer, EngineFault, Failing, shown
from golpae.conform.engine import Engine
from golpae.conform.positions import PositionReader
from golpae.conform.spoil import Judged, judge
from golpae.diagnostics import near
from golpae.replay.decode import Bad
from golpae.replay.explain import explain
from golpae.replay.legal_events import Event, EventOrder, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.report import Explanation, Refusal
from golpae.replay.simulate import header, written
from golpae.replay.speaker import Speaker
from golpae.trace import Header, read_header

PAYS = {"pay", "totals"}
MOST_SHOWN = 6  # events of a list in words


class Kind(StrEnum):
    """What kinds of differences there are, in words about the engine."""

    REFUSES = "refuses a legal event"
    TAKES = "takes an illegal event"
    MISSES = "does not list a legal event"
    LISTS = "lists an illegal event"
    POSITION = "has another position"
    OVER = "disagrees on whether the hand is over"
    WINNER = "names another winner"
    PAY = "pays otherwise"
    TOTALS = "has other totals"
    FAULT = "fails"


COUNTED = {
    "legal": "lists of legal events",
    "state": "positions",
    "over": "whether the hand is over",
    "winner": "winners",
    "pay": "payments",
    "totals": "totals",
}
"""What is compared if the engine tells it, by the key of its answer."""
LEGAL, ILLEGAL, ENDINGS = ALWAYS = ("legal events", "illegal events", "wrong ends")
"""What is compared whatever the engine tells; but one that tells payments itself is not tried with wrong ends."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference. `where` tells it from others of its kind: a clause, an action, a zone, a way to fail.

    `explanation` is that of the refused event, if one is at issue, and `clause` what it breaks.
    """

    kind: Kind
    where: str
    by_rules: str | None
    by_engine: str
    explanation: Explanation | None = None
    clause: str | None = None

    @property
    def key(self) -> tuple[Kind, str]:
        """What is the same for two sights of one fault."""
        return self.kind, self.where


class Run(NamedTuple):
    """How far a script was played, and the difference at the last event that was offered, if any."""

    length: int
    difference: Difference | None


class Referee:
    """The rules at one table, held against an engine."""

    def __init__(self, machine: Machine, engine: Engine) -> None:
        self.machine, self.engine = machine, engine
        self.header_line = header(machine)
        read = read_header(self.header_line)
        assert isinstance(read, Header)
        self.header = read
        self.compared: Counter[str] = Counter()
        self.legal = Legal(machine)
        self._speaker = Speaker(machine, read)
        self._order = EventOrder(machine)
        self._positions = PositionReader(machine)

    def begin(self) -> Answer:
        """Let the engine begin a game. Raises `EngineFault`."""
        return self.engine.new(self.header_line)

    def run(self, script: Sequence[Event]) -> Run:
        """Offer events to the engine until it differs from the rules."""
        state = self.machine.new_state()
        at, pays, goes_on = 0, False, False
        try:
            if not self.begin().takes:
                refusal = "it refuses a table that it took before"
                return Run(0, Difference(Kind.FAULT, Failing.GARBAGE, None, refusal))
            for at, event in enumerate(script, 1):
                judged = judge(self.machine, state, event)
                if judged is None:
                    return Run(at - 1, None)
                ends = self.machine.actions[event.action].kind in ("end", "finish")
                if ends and not judged.legal and (pays or goes_on):
                    continue  # it ends hands and pays by itself, and that is compared
                answer = self.engine.event(written(self.machine, event))
                if answer.takes:
                    pays = pays or bool(PAYS & answer.told.keys())
                    goes_on = answer.told.get("over") is False
                self.compared[LEGAL if judged.legal else ENDINGS if ends else ILLEGAL] += 1
                difference = self._difference(event, judged, answer, state)
                if difference is not None:
                    return Run(at, difference)
        except EngineFault as fault:
            return Run(at, Difference(Kind.FAULT, fault.how, None, fault.words))
        return Run(len(script), None)

    def _difference(self, event: Event, judged: Judged, answer: Answer, state: State) -> Difference | None:
        said = "" if answer.why is None else f": {answer.why}"
        if not judged.legal:
            if not answer.takes:
                return None
            return self._illegal(Kind.TAKES, event, judged, state, "takes it")
        if not answer.takes:
            return Difference(
                Kind.REFUSES, event.action, f"`{self._words(event)}` is legal", f"refuses it{said}"
            )
        for key in COUNTED:
            if key in answer.told:
                difference = self._told(key, answer.told[key], state)
                if difference is not None:
                    return difference
        return None

    def _illegal(self, kind: Kind, event: Event, judged: Judged, state: State, by_engine: str) -> Difference:
        action = self.machine.actions[event.action]
        condition = action.conditions[judged.failed] if judged.failed >= 0 else None
        clause = judged.clause(self.machine, event.action)
        copy = self.machine.copy(state)
        refusal = Refusal(self.machine, self.header, copy, action, judged.args, condition, clause)
        return Difference(kind, clause, None, by_engine, explain(refusal), clause)

    # ------------------------------------------------------------------ what it tells

    def _told(self, key: str, value: Any, state: State) -> Difference | None:
        """Return how one thing that the engine tells differs."""
        if key == "legal":
            self.compared[COUNTED[key]] += 1
            return self._of_list(value, state)
        if key == "state":
            self.compared[COUNTED[key]] += 1
            difference = self._positions.difference(value, state)
            if difference is None:
                return None
            return Difference(Kind.POSITION, difference.where, difference.by_rules, difference.by_engine)
        if key == "totals":
            return self._same(key, Kind.TOTALS, list(state.total), value)
        ends = [e for e in self.legal.closings(state) if self.machine.actions[e.action].kind == "end"]
        if key == "over":
            if ends and any(self._is_play(e) for e in self.legal.events(state)):
                return None  # both can follow
            over = bool(ends) or self.machine.stage(state) in ("ended", "finished")
            return self._same(key, Kind.OVER, over, value)
        if not ends:
            return None
        winner, pay = ends[0].args[:2]
        if key == "winner":
            return self._same(key, Kind.WINNER, winner, value)
        return self._same(key, Kind.PAY, list(pay), value)

    def _same(self, key: str, kind: Kind, by_rules: Any, by_engine: Any) -> Difference | None:
        self.compared[COUNTED[key]] += 1
        if by_rules == by_engine:
            return None
        return Difference(kind, "", f"`{key}` is {shown(by_rules)}", f"`{key}` is {shown(by_engine)}")

    def _is_play(self, event: Event) -> bool:
        return self.machine.actions[event.action].kind == "play"

    def _of_list(self, told: Sequence[Mapping[str, Any]], state: State) -> Difference | None:
        """Return how a list of legal events differs; deals, ends and events before the deal are passed over."""
        machine = self.machine
        own = {self._order.kept(e): e for e in self.legal.in_order(state) if self._is_play(e)}
        seen: set[Any] = set()
        for line in told:
            do = line.get("do")
            action = machine.actions.get(do) if isinstance(do, str) else None
            if action is None:
                advice = near(str(do)[:40], machine.actions)
                words = f"lists {shown(line)}; there is no such action{f'; {advice}' if advice else ''}"
                return Difference(Kind.LISTS, "", None, words)
            if action.kind != "play":
                continue
            args = machine.read(action.name, line)
            if isinstance(args, Bad):
                return Difference(Kind.LISTS, "", args.message, f"lists {shown(line)}")
            event = Event(action.name, args)
            judged = judge(machine, machine.copy(state), event)
            if judged is None:
                return None
            if not judged.legal:
                return self._illegal(Kind.LISTS, event, judged, state, f"lists {shown(line)}")
            seen.add(self._order.kept(Event(action.name, machine.first(action.name, state, args)[1])))
        missing = [event for key, event in own.items() if key not in seen]
        if not missing:
            return None
        words = " | ".join(self._words(event) for event in missing[:MOST_SHOWN])
        more = f" and {len(missing) - MOST_SHOWN} more" if len(missing) > MOST_SHOWN else ""
        listed = len(told)
        return Difference(
            Kind.MISSES,
            missing[0].action,
            f"legal too: {words}{more}",
            f"lists {listed} event{'s' * (listed != 1)}",
        )

    def _words(self, event: Event) -> str:
        by = self.machine.actions[event.action].by
        who = "" if by is None else f"{self._speaker.names[event.args[0]]}: "
        return f"{who}{self._speaker.event(event)}"
