"""A state of which nothing is known but what is certain whatever the tiles were: for proofs that need no past.

Input: a state with unknown values. Output: a state with new symbols in place of these, and what is certain of them.
Guarantee: whatever values the unknown ones of the first state have, the new ones can have them too.

Most conflicts are about a few events that follow each other. If all events before them are formulas, a proof takes
long, although it needs none of these.

    a hand with 13 tiles less those of nine events     ->     a hand with four unknown tiles
"""

from __future__ import annotations

from typing import Any

import z3

from golpae.hidden.lemmas import each_of
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    Value,
    any_of,
    at_least,
    bag_of,
    equal,
    order_of,
    size,
    total_of,
)
from golpae.prove.symbolic.zones import SymbolicRow, Zone


class Past:
    """The new symbols for one state."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._symbols = evaluator.symbols
        self._new: dict[int, tuple[Any, Any]] = {}  # by the node of a term, which is held with its symbol
        self._made: dict[int, tuple[Any, Any]] = {}  # by identity: values, which are held, and the new ones

    def forgotten(self, state: SymbolicState) -> SymbolicState:
        """Return a state with new symbols; what is certain of them becomes a fact. Raises `Unsupported`."""
        out = state.copy()
        out.at, out.winner = self._value(state.at), self._value(state.winner)
        out.stake, out.hands_played = self._value(state.stake), self._value(state.hands_played)
        out.total = [self._value(one) for one in state.total]
        out.vars = {name: self._value(value) for name, value in state.vars.items()}
        out.zones = {
            name: [*map(self._zone, zone)] if isinstance(zone, list) else self._zone(zone)
            for name, zone in state.zones.items()
        }
        self._conserve(out)
        return out

    def _conserve(self, state: SymbolicState) -> None:
        """Say that all tiles of the set are somewhere."""
        bags = [zone.bag for zones in state.zones.values() for zone in each_of(zones)]
        if all(isinstance(key, int) for bag in bags for key in bag.counts):
            for kind, often in self._evaluator.copies.items():
                self._symbols.fact(equal(total_of(bag.count(kind) for bag in bags), often))

    def _value(self, value: Value) -> Value:
        if isinstance(value, z3.BoolRef):
            return self._term(value, lambda: self._symbols.truth("past"))
        if isinstance(value, z3.ExprRef):
            return self._term(value, lambda: z3.Int(self._symbols.name("past")))
        if isinstance(value, list):
            return [self._value(one) for one in value]
        if not isinstance(value, GuardedUnion | Bag):
            return value
        if id(value) not in self._made:
            self._made[id(value)] = value, self._bag(value) if isinstance(value, Bag) else self._union(value)
        return self._made[id(value)][1]

    def _term(self, term: Any, make: Any) -> Any:
        node = term.ast.value
        if node not in self._new:
            self._new[node] = term, make()
        return self._new[node][1]

    def _union(self, value: GuardedUnion) -> Value:
        """Return one of the same values, by new guards of which one holds."""
        cases = tuple((self._value(guard), self._value(inner)) for guard, inner in value.cases)
        self._symbols.fact(any_of(guard for guard, _ in cases))
        unknown = [(guard, 1) for guard, _ in cases if isinstance(guard, z3.BoolRef)]
        if len(unknown) == len(cases):
            self._symbols.fact(z3.PbLe(unknown, 1))
        return GuardedUnion(cases)

    def _bag(self, bag: Bag) -> Bag:
        if bag.concrete:
            return bag
        if order_of(bag):
            raise Unsupported("a list in its order")
        if bag._only:
            return bag_of([self._value(one) for one in bag._only])
        counts = {key: self._value(count) for key, count in bag.counts.items()}
        for key, count in counts.items():
            if not isinstance(count, int):
                self._symbols.fact(at_least(count, 0))
                if isinstance(key, int):
                    self._symbols.fact(at_least(self._evaluator.copies.get(key, 0), count))
        whole = size(bag)
        if not isinstance(whole, int):
            return Bag(counts)
        self._symbols.fact(equal(total_of(counts.values()), whole))
        return Bag(counts, _sized=lambda: whole)

    def _zone(self, zone: Zone) -> Zone:
        if zone.row is None:
            return Zone(self._value(zone.bag))
        row = zone.row
        places = tuple(self._value(row.places[number]) for number in range(len(row.places)))
        new = SymbolicRow(
            self._value(row.front),
            self._value(row.back),
            self._value(row.hidden),
            places,
            self._value(row.free),
        )
        return Zone(self._value(zone.bag), new)
