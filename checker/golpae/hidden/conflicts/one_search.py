"""One search for all questions about what a conflict needs: each record and each condition behind a literal.

Input: the lines up to the event that no tiles make legal, records of them, and conditions. Output: for some of the
records and conditions whether they can stand together: tiles that replay has accepted, or those that a proof needs.
Guarantee: an answer holds for the rules, whatever other questions were answered before.

All tiles of the records are unknown here, and the literal of a record says which they are. So a question is a call of
the solver with assumptions. What replay teaches about shapes, scores and refused states does not depend on records, and
helps with the questions after it. Where conditions decide the order of a list, it depends on those that are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from golpae.hidden.completing import Completing
from golpae.hidden.conflicts.past import Past
from golpae.hidden.following import Clause, Completed, Effort
from golpae.hidden.lemmas import each_of
from golpae.hidden.lines import HiddenLine, without_tiles
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import SAT, UNSAT
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import GuardedUnion, Truth, all_of, any_of, implies, size
from golpae.replay.machine import Machine, State
from golpae.replay.report import Refusal
from golpae.trace import Header

Record = tuple[int, int | None]
"""The number of an event, and the seat of a hand if it is a deal (None: all other tiles of the event)."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Records and conditions that cannot stand together."""

    records: frozenset[Record]
    clauses: frozenset[Clause]


class OneSearch(Completing):
    """The search for tiles that agree with some records and fulfil some conditions, which are others each time."""

    def __init__(
        self,
        machine: Machine,
        header: Header,
        state: State,
        lines: Sequence[HiddenLine],
        records: Iterable[Record],
        clauses: frozenset[Clause],
        narrows: frozenset[Clause] = frozenset(),
        forgets: SymbolicState | None = None,
    ) -> None:
        """The records are those that can be left out; all others hold. So do the conditions that `narrows` names.
        If it `forgets` how this state came about before the lines, it finds no tiles, but proofs that need no past.
        Raises `Unsupported`, if this state is of a kind that cannot be forgotten.
        """
        open_lines = [*lines]
        for number, seat in records:
            open_lines[number - 1] = without_tiles(machine, open_lines[number - 1], seat)
        super().__init__(machine, header, state, open_lines, Effort(0, 0), clauses, False, narrows)
        self._only_proves = forgets is not None  # it looks for no tiles
        if forgets is not None:
            self.game.state = Past(self.game.evaluator).forgotten(forgets)
            self.game.orders.begin({})
            self._solver.add([fact for fact in self.game.evaluator.symbols.facts if fact is not True])
        self._follow_all()
        self._optional = {f"{event} {name}" for event, name in clauses - self.narrowed}
        self._stated: dict[Record, Any] = {}
        for number, seat in records:
            truth = self.agrees(number, lines[number - 1], seat)
            if truth is not None:
                self._stated[number, seat] = z3.Bool(f"stated {number} {seat}")
                self._solver.add([implies(self._stated[number, seat], truth)])

    def _follow_all(self) -> None:
        """Follow all events. Say of states of the table that they have one of their values: the solver takes long to
        see that one of four players takes a trick, whichever cards are in it.
        """
        seen = set()
        for number in range(1, len(self.lines) + 1):
            before = self.state_after(number - 1)
            if before is None:
                break
            for zones in before.zones.values():
                for zone in each_of(zones):
                    size(zone.bag)  # now, because it goes back to the sizes of all states before
            for value in (one for values in before.vars.values() for one in each_of(values)):
                if isinstance(value, GuardedUnion) and id(value) not in seen:
                    seen.add(id(value))
                    self._solver.add([any_of(guard for guard, _ in value.cases)])
        self._follow(len(self.lines))

    def asked_of(
        self, records: Iterable[Record], clauses: frozenset[Clause], units: int, tries: int
    ) -> Completed | Apart | None:
        """Return tiles for which some records and conditions stand together, or those that cannot; None if that is not
        known with this effort, or if values here depend on a condition that is not among these.
        """
        self.effort = Effort(units, tries)
        self._only = clauses
        number = len(self.lines)
        stated = {f"stated {one}": one for one in records if one in self._stated}
        while self.effort.tries > 0:
            self.effort.tries -= 1
            literals = self._assumed(clauses) | {name: self._stated[one] for name, one in stated.items()}
            status = self._asked_of(literals, units)
            if status == UNSAT and not self._doubtful:
                if not self.narrowed <= clauses:
                    return None
                core = self._solver.core(literals)
                needed = {self._named[name] for name in core if name in self._optional}
                return Apart(
                    frozenset(stated[name] for name in core if name in stated),
                    frozenset(needed | self.narrowed),
                )
            if status != SAT:
                return None
            model = self._solver.model()
            if self._only_proves:
                lemmas = [one for event in range(1, number + 1) for one in self._about(event, model)]
                if not lemmas:
                    return None
                self._solver.add(lemmas)
                continue
            lines = self._filled(model, number)
            played = self._play(lines)
            if not isinstance(played, tuple):
                return Completed(tuple(lines), played)
            event, refusal = played
            self._learn(model, event, refusal, number)
        return None

    @property
    def has_orders(self) -> bool:
        """Whether conditions of an event decide in which order the tiles of a list are taken."""
        actions = (self.machine.actions[line.line["do"]] for line in self.lines)
        return any(map(self.game.system.parameter_choices.is_order_sensitive, actions))

    def _never_again(self, model: Model, event: int, refusal: Refusal | None) -> Truth:
        """Return that an event is not refused again for the same reason."""
        again = super()._never_again(model, event, refusal)
        if not self.has_orders or self._only is None:
            return again
        asked = (f"{at} {name}" for at, name in sorted(self._only))
        return implies(all_of(self._literal_of[one] for one in asked if one in self._literal_of), again)

    def _assumed(self, clauses: frozenset[Clause]) -> dict[str, Any]:
        """Return the literals of these conditions, and of what is asked in any case."""
        return {
            name: literal
            for name, literal in self._literal_of.items()
            if self._named[name] in clauses or name not in self._optional
        }
