"""States and values with other terms in place of some of theirs.

Input: a function that returns what stands in place of a term. Output: states and values. Guarantee: a value in which no
term changes is the same object.

    a turn that is 0 if x and else 1, where x is certain     ->     0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import z3

from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, GuardedUnion, Value, guarded_union, size
from golpae.prove.symbolic.zones import Places, SymbolicRow, Zone


class Rebuilding:
    """States and values in which `of_term` says what stands in place of each term."""

    def __init__(self, of_term: Callable[[Any], Value]) -> None:
        self._of_term = of_term
        self._made: dict[
            int, tuple[Any, Any]
        ] = {}  # by identity: values, which are held, and what they are now

    def forget(self) -> None:
        """Ask `of_term` anew about all terms."""
        self._made.clear()

    def state(self, state: SymbolicState) -> SymbolicState:
        """Return a state with other terms."""
        out = state.copy()
        out.at, out.winner = self.value(state.at), self.value(state.winner)
        out.stake, out.hands_played = self.value(state.stake), self.value(state.hands_played)
        out.total = [self.value(one) for one in state.total]
        out.vars = {name: self.value(value) for name, value in state.vars.items()}
        out.zones = {
            name: [*map(self._zone, zone)] if isinstance(zone, list) else self._zone(zone)
            for name, zone in state.zones.items()
        }
        return out

    def value(self, value: Value) -> Value:
        """Return a value with other terms; the same object if none changes."""
        if isinstance(value, z3.ExprRef):
            return self._of_term(value)
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if not isinstance(value, GuardedUnion | Bag):
            return value
        if id(value) not in self._made:
            made = self._bag(value) if isinstance(value, Bag) else self._union(value)
            self._made[id(value)] = value, made
            self._made[id(made)] = made, made
        return self._made[id(value)][1]

    def _union(self, value: GuardedUnion) -> Value:
        made = [(self.value(guard), self.value(inner)) for guard, inner in value.cases]
        if all(a is c and b is d for (a, b), (c, d) in zip(made, value.cases, strict=True)):
            return value
        return guarded_union(made)

    def _bag(self, bag: Bag) -> Bag:
        counts = {key: self.value(count) for key, count in bag.counts.items()}
        if all(count is bag.counts[key] for key, count in counts.items()):
            return bag
        left = {key: count for key, count in counts.items() if not (count.__class__ is int and count == 0)}
        return Bag(left, _sized=lambda: self.value(size(bag)), _only=[*map(self.value, bag._only)])

    def _zone(self, zone: Zone) -> Zone:
        bag = self.value(zone.bag)
        if zone.row is None:
            return zone if bag is zone.bag else Zone(bag)
        return Zone(bag, self._row(zone.row))

    def _row(self, row: SymbolicRow) -> SymbolicRow:
        places: Sequence[Value] = Places(
            [partial(self._place, row.places, i) for i in range(len(row.places))]
        )
        if isinstance(row.places, tuple) and not any(isinstance(one, GuardedUnion) for one in row.places):
            places = row.places
        hidden = self.value(row.hidden)
        return SymbolicRow(self.value(row.front), self.value(row.back), hidden, places, self.value(row.free))

    def _place(self, places: Sequence[Value], number: int) -> Value:
        return self.value(places[number])


def with_certain(truths: Sequence[tuple[Any, bool]]) -> Rebuilding:
    """Return a rebuilding that puts yes and no in place of truths that are certain, wherever they stand in a term."""
    instead = [(truth, z3.BoolVal(value, truth.ctx)) for truth, value in truths]
    done: dict[int, tuple[Any, Value]] = {}  # by the node of a term, which is held

    def of_term(term: Any) -> Value:
        node = term.ast.value
        if node not in done:
            made = z3.substitute(term, *instead)
            done[node] = term, term if made.eq(term) else plain(z3.simplify(made))
        return done[node][1]

    return Rebuilding(of_term)


def plain(term: Any) -> Value:
    """Return a term, or the truth or number that it is."""
    if z3.is_true(term) or z3.is_false(term):
        return z3.is_true(term)
    return term.as_long() if z3.is_int_value(term) else term
