"""What cannot stand together in a game that no tiles make legal.

Input: the first event at which no tiles are left, and the lines up to it. Output: a `Decision` with a smallest
conflict: records, and conditions of events, that cannot stand together. Guarantee: each part was left out, and then
tiles were found with which replay accepts the rest; where the effort did not reach for that, the part stays.

A record is left out by hiding its tiles too; a condition, by not asking it at its event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from golpae.hidden.completing import Clause, Completed, Completing, Effort, Impossible
from golpae.hidden.lines import HiddenLine, without_tiles
from golpae.hidden.told import Told
from golpae.prove.solving.solver import MILLION
from golpae.replay.machine import Machine, State
from golpae.trace import Conflicting, Header
from golpae.trace.unseen import Decision

Record = tuple[int, int | None]
"""The number of an event, and the seat of a hand if it is a deal (None: all other tiles of the event)."""

EFFORT = 40  # choices of tiles for one question about a conflict
UNITS = MILLION  # of the solver's work for one question
FEW = 16  # records that are left out one by one
MOST_QUESTIONS = 120  # about one conflict


class _Conflict:
    """The search for a smallest conflict."""

    def __init__(
        self, machine: Machine, header: Header, state: State, lines: Sequence[HiddenLine], event: int
    ) -> None:
        self._machine, self._header, self._state = machine, header, state
        self._lines = lines[:event]
        self._questions = MOST_QUESTIONS
        self._all = self._records()

    def _records(self) -> list[Record]:
        """Return the records that state tiles."""
        out: list[Record] = []
        for number, line in enumerate(self._lines, 1):
            hands = line.line.get("hands") if line.line.get("do") == "deal" else None
            seats: list[int | None] = [*range(len(hands))] if isinstance(hands, list) else []
            out += [
                (number, seat) for seat in (*seats, None) if without_tiles(self._machine, line, seat) != line
            ]
        return out

    def stands(self, records: Iterable[Record], clauses: frozenset[Clause]) -> bool:
        """Return whether some tiles agree with these records and fulfil these conditions; unknown counts as yes."""
        if self._questions <= 0:
            return True
        self._questions -= 1
        return not isinstance(self._search(records, clauses).upto(len(self._lines)), Impossible)

    def _search(
        self, records: Iterable[Record], clauses: frozenset[Clause], units: int = UNITS
    ) -> Completing:
        """Return a search for tiles that agree with these records alone."""
        kept = set(records)
        lines = list(self._lines)
        for number, seat in self._all:
            if (number, seat) not in kept:
                lines[number - 1] = without_tiles(self._machine, lines[number - 1], seat)
        return Completing(self._machine, self._header, self._state, lines, Effort(units, EFFORT), clauses)

    def smallest(
        self, clauses: frozenset[Clause], likely: frozenset[Clause]
    ) -> tuple[list[Record], frozenset[Clause]]:
        """Return records and conditions of which none can be left out; of the conditions those that are `likely` enough
        are tried first.
        """
        if likely < clauses and not self.stands(self._all, likely):
            clauses = likely
        near = {event for event, _ in clauses}
        records = self._core(clauses)
        records = sorted(records, key=lambda record: record[0] in near)
        records = self._needed(records, clauses)
        needed = clauses
        for clause in sorted(clauses):
            fewer = needed - {clause}
            if not self._is_needed(self._all, fewer) and not self.stands(records, fewer):
                needed = fewer
        return sorted(records, key=lambda record: (record[0], -1 if record[1] is None else record[1])), needed

    def _core(self, clauses: frozenset[Clause]) -> list[Record]:
        """Return records that cannot stand together, by the solver's proof: few of them, if it finds one."""
        search = self._search((), clauses, 10 * UNITS)
        stated = {}
        for record in self._all:
            truth = search.agrees(record[0], self._lines[record[0] - 1], record[1])
            if truth is not None:
                stated[str(record)] = truth
        core = search.core(len(self._lines), stated)
        return self._all if core is None else [record for record in self._all if str(record) in core]

    def _is_needed(self, others: Iterable[Record], clauses: frozenset[Clause]) -> bool:
        """Return whether tiles are found, with little effort."""
        if self._questions <= 0:
            return True
        self._questions -= 1
        return isinstance(self._search(others, clauses).upto(len(self._lines)), Completed)

    def _needed(self, records: list[Record], clauses: frozenset[Clause]) -> list[Record]:
        """Return records of which none can be left out; halves of many are left out first."""
        needed: list[Record] = []
        waiting = [[record] for record in records] if len(records) <= FEW else [records]
        while waiting:
            part = waiting.pop()
            others = [*needed, *(record for rest in waiting for record in rest)]
            if len(part) == 1:
                every_other = [record for record in self._all if record not in part]
                if self._is_needed(every_other, clauses) or self.stands(others, clauses):
                    needed += part
            elif self.stands(others, clauses):
                half = len(part) // 2
                waiting += [part[half:], part[:half]]
        return needed


def conflict_of(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[HiddenLine],
    found: Impossible,
    before: int,
) -> Decision:
    """Return the decision that an event is illegal. `before` events were legal before these lines."""
    search = _Conflict(machine, header, state, lines, found.event)
    records, clauses = search.smallest(found.clauses, found.likely)
    last = {name for event, name in found.clauses if event == found.event}  # the conflict has no others
    action = machine.actions[lines[found.event - 1].line["do"]]
    in_order = [condition.name for condition in action.conditions if condition.name in last]
    name = in_order[0] if in_order else "then"
    told = Told(machine, header)
    conflict = [
        Conflicting(before + number, seat, told.record(lines[number - 1], seat)) for number, seat in records
    ]
    conflict += [
        Conflicting(
            before + event,
            None,
            told.condition(lines[event - 1], clause),
            f"{machine.rules.game}.{lines[event - 1].line['do']}.{clause}",
        )
        for event, clause in sorted(clauses)
    ]
    return Decision(
        "illegal",
        event=found.event,
        clause=f"{machine.rules.game}.{action.name}.{name}",
        message=told.message(records, sorted(clauses), lines, before, found.event, name),
        conflict=tuple(conflict),
    )
