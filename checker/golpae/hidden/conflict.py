"""What cannot stand together in a game that no tiles make legal.

Input: the first event at which no tiles are left, and the lines up to it. Output: a `Decision` with a smallest
conflict: records, and conditions of events, that cannot stand together. Guarantee: each part was left out, and then
tiles were found with which replay accepts the rest; where the effort did not reach for that, the part stays.

A record is left out by hiding its tiles too; a condition, by not asking it at its event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from golpae.hidden.completing import Completing
from golpae.hidden.following import Clause, Completed, Effort, Impossible
from golpae.hidden.lines import HiddenLine, read_line, without_tiles
from golpae.hidden.told import Told
from golpae.ir.dependencies import Dependencies
from golpae.prove.solving.solver import MILLION
from golpae.replay.explain import reason
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.replay.report import Refusal
from golpae.trace import Conflicting, Header
from golpae.trace.unseen import Decision

Record = tuple[int, int | None]
"""The number of an event, and the seat of a hand if it is a deal (None: all other tiles of the event)."""

EFFORT = 40  # choices of tiles for one question about a conflict
UNITS = MILLION  # of the solver's work for one question
FEW = 16  # records that are left out one by one
MOST_QUESTIONS = 120  # about one conflict
OPEN = "open"  # whether an event can happen now at all, whatever its keys are
MOST_KNOWN = 100  # events before the first unknown tile that are part of a conflict


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
    known: Sequence[Mapping[str, Any]],
) -> Decision:
    """Return the decision that an event is illegal. `before` events were legal before these lines; `known` are the
    first ones of them. Those of the same hand are records, too.
    """
    last = {name for event, name in found.clauses if event == found.event}  # the conflict may have fewer
    action = machine.actions[lines[found.event - 1].line["do"]]
    in_order = [condition.name for condition in action.conditions if condition.name in last]
    name = in_order[0] if in_order else "then"
    broken = _broken(machine, header, found, lines[found.event - 1], name)
    more = _since_deal(machine, header, before, known)
    shift = 0
    if more is not None:
        state, own = more
        shift = len(own)
        lines, found = [*own, *lines], _behind(shift, found)
    search = _Conflict(machine, header, state, lines, found.event)
    records, clauses = search.smallest(found.clauses, found.likely)
    told = Told(machine, header)
    first = before - shift
    conflict = [
        Conflicting(first + number, seat, told.record(lines[number - 1], seat)) for number, seat in records
    ]
    conflict += [
        Conflicting(
            first + event,
            None,
            told.condition(lines[event - 1], clause),
            f"{machine.rules.game}.{lines[event - 1].line['do']}.{clause}",
        )
        for event, clause in sorted(clauses)
    ]
    alone = all(record == (found.event, None) for record in records)
    is_open = any(condition.of_game == OPEN for condition in action.conditions if condition.name == name)
    if broken is not None and (alone or is_open):
        message = broken
    else:
        message = told.message(records, sorted(clauses), lines, first, found.event, name)
    return Decision(
        "illegal",
        event=found.event - shift,
        clause=f"{machine.rules.game}.{action.name}.{name}",
        message=message,
        conflict=tuple(conflict),
    )


def _broken(machine: Machine, header: Header, found: Impossible, line: HiddenLine, name: str) -> str | None:
    """Return what replay says of an event that breaks a condition, if the words are the same whatever the hidden tiles
    are.
    """
    if found.before is None:
        return None
    whole = line.filled([machine.instance.kinds[0].name] * len(line.places))
    refused = happen(machine, header, machine.copy(found.before.state), whole)
    if not isinstance(refused, Refusal) or refused.condition is None or refused.condition.name != name:
        return None
    condition = refused.condition
    if condition.of_game == OPEN:
        return reason(refused)
    if condition.of_game is not None or line.places:
        return None
    asked = [part for part in condition.message if not isinstance(part, str)]
    reads = Dependencies(machine.rules).reads(asked)
    zones, states = machine.rules.zones, machine.rules.vars
    of_state = {*(zone.name for zone in zones), *(var.name for var in states)}
    return reason(refused) if of_state.isdisjoint(reads) else None


def _since_deal(
    machine: Machine, header: Header, before: int, known: Sequence[Mapping[str, Any]]
) -> tuple[State, list[HiddenLine]] | None:
    """Return the state before the last deal among events, or before the first event, and the events since then; None if
    they are not all known, or so many that a conflict with them takes long.
    """
    deals = [number for number, line in enumerate(known) if line.get("do") == "deal"]
    begin = deals[-1] if deals else 0
    if len(known) != before or before - begin > MOST_KNOWN:
        return None
    state = machine.new_state(header.stake)
    for line in known[:begin]:
        if happen(machine, header, state, line) is not None:
            return None  # it stands by a ruling
    lines = [read_line(machine, line) for line in known[begin:]]
    read = [line for line in lines if isinstance(line, HiddenLine)]
    return (state, read) if len(read) == len(lines) else None


def _behind(shift: int, found: Impossible) -> Impossible:
    """Return the same event behind so many others."""
    clauses = frozenset((event + shift, name) for event, name in found.clauses)
    likely = frozenset((event + shift, name) for event, name in found.likely)
    return replace(found, event=found.event + shift, clauses=clauses, likely=likely)
