"""The smallest conflict: records and conditions that cannot stand together, of which none can be left out.

Input: the lines up to an event that no tiles make legal, and conditions that a proof of this needs. Output: records and
conditions. Guarantee: each part was left out, and then tiles were found with which replay accepts the rest; where the
effort did not reach for that, the part stays.

A record is left out by hiding its tiles too; a condition, by not asking it at its event. Searches share formulas and
lemmas between questions. In the *far* one all records are behind literals: it proves quickly that few records do not
stand together, but takes long to fill in whole games. In a *near* one only few records are, and all others hold: it
finds quickly what happens if one of these is otherwise. Tiles for more records are tiles for fewer ones, so both count.
A *local* one knows nothing of the events before the first record.

If the effects of events go by a seat that is a matter of tiles (who takes a trick), conditions that say which seat it
is are parts of the conflict at first. Without them formulas are too large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from golpae.hidden.conflicts.one_search import Apart, OneSearch, Record
from golpae.hidden.following import Clause, Completed, can_be_left_out
from golpae.hidden.lines import HiddenLine, without_tiles
from golpae.hidden.steering import steering_clauses
from golpae.prove.solving.solver import MILLION
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.machine import Machine, State
from golpae.trace import Header

TRIES = 40  # choices of tiles for one question about a conflict
UNITS = MILLION  # of the solver's work for one question
NEAR = MILLION // 2  # the same, if almost all records hold
LOCAL = 2 * MILLION  # the same, for a proof about a few events that follow each other
FIRST = 6 * MILLION  # the same, for the first proof
ALL = 15 * MILLION  # the same, for all questions about one conflict
HIDDEN = MILLION // 20  # what it counts as to follow the events with one more record hidden
RESERVED = 4 * MILLION  # the same, for the questions about conditions
TOGETHER = 8  # records that one near search is about
MOST_OPEN = 16  # records that are hidden where tiles for all others are looked for
MOST_ROUNDS = 8  # cores of one question
MOST_STEERING = 8  # questions about conditions that steer events


class Smallest:
    """The search for a smallest conflict."""

    def __init__(
        self, machine: Machine, header: Header, state: State, lines: Sequence[HiddenLine], event: int
    ) -> None:
        self._machine, self._header, self._state = machine, header, state
        self._lines = lines[:event]
        self._left = ALL  # units
        self._has_orders = False  # whether conditions decide in which order the tiles of a list are taken
        self._steering: frozenset[Clause] = frozenset()
        self._all = self._records()
        self._far: OneSearch | None = None
        self._blanks: dict[frozenset[Clause], OneSearch] = {}
        self._local: dict[tuple[int, frozenset[Clause]], OneSearch | None] = {}

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

    def conflict(
        self, clauses: frozenset[Clause], likely: frozenset[Clause]
    ) -> tuple[list[Record], frozenset[Clause]]:
        """Return records and conditions of which none can be left out; of the conditions those that are `likely` enough
        are tried first.
        """
        clauses, likely = self._that_can_be_left_out(clauses), self._that_can_be_left_out(likely)
        self._steering = steering_clauses(self._machine, self._lines) - likely
        if likely < clauses:
            enough = likely | self._steering
            found = self._asked(self._search((), enough), (), enough, UNITS)
            clauses = likely if isinstance(found, Apart) else clauses
        self._far = self._search(self._all, clauses | self._steering)
        self._steering &= self._far.narrowed
        self._has_orders = self._far.has_orders
        self._blanks = {self._steering: self._far}
        clauses |= self._steering
        records = self._fewer_records(clauses)
        clauses = self._fewer_clauses(records, clauses)
        return sorted(
            records, key=lambda record: (record[0], -1 if record[1] is None else record[1])
        ), clauses

    def _that_can_be_left_out(self, clauses: frozenset[Clause]) -> frozenset[Clause]:
        """Return those of some conditions that are not asked in any case."""
        return frozenset(
            (event, name)
            for event, name in clauses
            if name in can_be_left_out(self._machine.actions[self._lines[event - 1].line["do"]])
        )

    # ------------------------------------------------------------------ records

    def _fewer_records(self, clauses: frozenset[Clause]) -> list[Record]:
        """Return records of which none can be left out."""
        found: Completed | Apart | None = self._without_past(self._of_its_tiles(), clauses, FIRST)
        if found is None:
            found = self._asked(self._far, self._all, clauses, FIRST)
        if not isinstance(found, Apart):
            self._far = None  # its formulas are too much for the solver
        kept = found.records if isinstance(found, Apart) else frozenset(self._all)
        near = {event for event, _ in clauses - self._steering}
        left = sorted((one for one in self._all if one in kept), key=lambda one: one[0] in near)
        needed: list[Record] = []
        while left:
            some, left = left[:TOGETHER], left[TOGETHER:]
            stays = self._needed_with_all(some, clauses)
            needed += [one for one in some if one in stays]
            some = [one for one in some if one not in stays]
            while some:
                one = some.pop(0)
                without = self._apart([*needed, *some, *left], clauses, one)
                if without is None:
                    needed.append(one)
                    continue
                held = without.records
                needed, some, left = ([r for r in part if r in held] for part in (needed, some, left))
        return needed

    def _of_its_tiles(self) -> list[Record]:
        """Return the records with a tile that the last event has too: often they are more than the set has."""
        tiles = {*_tiles(self._machine, self._lines[-1])}
        return [
            (event, seat)
            for event, seat in self._all
            if seat is None and not tiles.isdisjoint(_tiles(self._machine, self._lines[event - 1]))
        ]

    def _needed_with_all(self, some: Sequence[Record], clauses: frozenset[Clause]) -> set[Record]:
        """Return which of some records are needed, because all others stand together without them."""
        near = self._search(some, clauses) if self._left > 0 else None
        return {
            one
            for one in some
            if isinstance(self._asked(near, [r for r in some if r != one], clauses, NEAR), Completed)
        }

    def _apart(self, records: Sequence[Record], clauses: frozenset[Clause], left_out: Record) -> Apart | None:
        """Return those of some records and conditions that cannot stand together; None if they can, or if that is not
        known. Of all other records but the one that is left out, as many hold as can: then few tiles are open.
        """
        local = self._without_past(records, clauses)
        if local is not None:
            return local
        if self._left <= 0:
            return None
        wanted = frozenset(records)
        hidden = [one for one in self._all if one not in wanted]
        if self._far is None:
            found = self._asked(self._search((), clauses, hidden), (), clauses, UNITS)
            return Apart(wanted, clauses) if isinstance(found, Apart) else None
        held = frozenset(self._all) - {left_out}
        for _ in range(MOST_ROUNDS):
            found = self._asked(self._far, held, clauses, NEAR)
            if isinstance(found, Completed):
                return None
            if found is None:
                break
            if found.records <= wanted:
                return found
            held -= found.records - wanted
        some = [one for one in self._all if one not in held]
        if len(some) <= MOST_OPEN:
            found = self._asked(self._search((), clauses, some), (), clauses, NEAR)
            if isinstance(found, Completed):
                return None
        found = self._asked(self._far, wanted, clauses, UNITS)
        return found if isinstance(found, Apart) else None

    def _without_past(
        self, records: Sequence[Record], clauses: frozenset[Clause], units: int = LOCAL
    ) -> Apart | None:
        """Return those of some records and conditions that cannot stand together, whatever was before the first record;
        None if that is not known.
        """
        begins = [event for event, _ in records] or [event for event, _ in clauses - self._steering]
        shift = min(begins, default=1) - 1
        own = [(event - shift, seat) for event, seat in self._all if event > shift]
        if 2 * len(own) > len(self._all):
            return None
        if (shift, clauses) not in self._local:
            self._local[shift, clauses] = self._forgetting(shift, own, clauses)
        search = self._local[shift, clauses]
        if search is None:
            return None
        shifted = [(event - shift, seat) for event, seat in records]
        found = self._asked(search, shifted, _later(clauses, -shift), units)
        if not isinstance(found, Apart):
            return None
        return Apart(
            frozenset((event + shift, seat) for event, seat in found.records), _later(found.clauses, shift)
        )

    def _forgetting(
        self, shift: int, records: Sequence[Record], clauses: frozenset[Clause]
    ) -> OneSearch | None:
        """Return a search that knows nothing of the first events; None if there is none."""
        if self._left <= 0:
            return None
        before = self._blank_of(shift, clauses).state_after(shift)
        if before is None:
            return None
        self._left -= HIDDEN * len(records)
        asked, steering = _later(clauses, -shift), _later(self._steering & clauses, -shift)
        table = self._machine, self._header, self._state
        try:
            return OneSearch(*table, self._lines[shift:], records, asked, steering, before)
        except Unsupported:
            return None

    def _blank_of(self, shift: int, clauses: frozenset[Clause]) -> OneSearch:
        """Return a search in which no record holds, and which takes for granted what conditions say of seats at the
        first events only if they are among these conditions.
        """
        early = frozenset(one for one in self._steering & clauses if one[0] <= shift)
        for taken, search in self._blanks.items():
            of_states = {one for one in search.narrowed if one[0] <= shift}
            if of_states <= early == {one for one in taken if one[0] <= shift}:
                return search
        self._blanks[early] = self._search(self._all, early)
        return self._blanks[early]

    # ------------------------------------------------------------------ conditions

    def _fewer_clauses(self, records: Sequence[Record], clauses: frozenset[Clause]) -> frozenset[Clause]:
        """Return conditions of which none can be left out, if these records hold."""
        self._left = max(self._left, RESERVED)
        hidden = [one for one in self._all if one not in records]
        far = None if self._steering or self._has_orders else self._far
        found = self._asked(far, records, clauses, UNITS)
        if isinstance(found, Apart):
            clauses = found.clauses & clauses
        clauses = self._less_steering(records, hidden, clauses)
        is_open = (
            not self._has_orders and len(records) <= TOGETHER and clauses - self._steering and self._left > 0
        )
        near = self._search(records, clauses) if is_open else None
        exact: OneSearch | None = None
        for clause in sorted(clauses - self._steering):
            if clause not in clauses:
                continue
            fewer = clauses - {clause}
            if isinstance(self._asked(near, records, fewer, NEAR), Completed):
                continue
            without: Completed | Apart | None = self._without_past(records, fewer)
            if without is None:
                without = self._asked(far, records, fewer, UNITS)
            if without is None and self._left > 0:
                if not self._has_orders and (exact is None or not exact.narrowed <= clauses):
                    exact = self._search((), clauses, hidden)
                shares = exact is not None and clause not in exact.narrowed
                without = self._asked(exact if shares else self._search((), fewer, hidden), (), fewer, UNITS)
            if isinstance(without, Apart):
                clauses = fewer if self._has_orders else (without.clauses | self._steering) & fewer
        return clauses

    def _less_steering(
        self, records: Sequence[Record], hidden: Sequence[Record], clauses: frozenset[Clause]
    ) -> frozenset[Clause]:
        """Return conditions without those that steer events, as far as they are not needed."""
        begin = min((event for event, _ in records), default=1)
        of_all = sorted(self._steering)
        waiting = [[one for one in of_all if one[0] < begin], [one for one in of_all if one[0] >= begin]]
        for _ in range(MOST_STEERING):
            part = waiting.pop(0) if waiting else []
            if not part:
                continue
            fewer = clauses.difference(part)
            self._steering &= fewer
            found: Completed | Apart | None = self._without_past(records, fewer)
            if found is None and begin == 1 and self._left > 0:
                found = self._asked(self._search((), fewer, hidden), (), fewer, UNITS)
            if isinstance(found, Apart):
                clauses = fewer
                continue
            self._steering |= set(part)
            if len(part) > 1:
                half = len(part) // 2
                waiting += [part[:half], part[half:]]
        return clauses

    # ------------------------------------------------------------------ searches

    def _search(
        self, records: Iterable[Record], clauses: frozenset[Clause], hidden: Sequence[Record] = ()
    ) -> OneSearch:
        """Return a search in which these records can be left out, and others are hidden."""
        own, lines = [*records], list(self._lines)
        for number, seat in hidden:
            lines[number - 1] = without_tiles(self._machine, lines[number - 1], seat)
        self._left -= HIDDEN * (len(own) + len(hidden))
        table = self._machine, self._header, self._state
        return OneSearch(*table, lines, own, clauses, self._steering & clauses)

    def _asked(
        self, search: OneSearch | None, records: Iterable[Record], clauses: frozenset[Clause], units: int
    ) -> Completed | Apart | None:
        """Return what a search finds, within the effort for one conflict."""
        if self._left <= 0 or search is None:
            return None
        found = search.asked_of(records, clauses, units, TRIES)
        self._left -= units - search.effort.units
        return found


def _later(clauses: frozenset[Clause], shift: int) -> frozenset[Clause]:
    """Return conditions with events that count so many more, without those of events before the first one."""
    return frozenset((event + shift, name) for event, name in clauses if event + shift > 0)


def _tiles(machine: Machine, line: HiddenLine) -> Iterator[str]:
    """Yield the tiles that an event states, but for those of a deal."""
    waiting = [] if machine.actions[line.line["do"]].kind == "deal" else [*line.line.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and value in machine.reader.numbers:
            yield machine.tile(machine.reader.numbers[value])
