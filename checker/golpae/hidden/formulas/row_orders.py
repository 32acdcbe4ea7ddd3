"""The order of whole rows whose tiles are partly unknown: a reserve that a log gives, a row that somebody has arranged.

Input: what an event names, and the state after it. Output: the state after it, in which the rows lie in
their order. Guarantee: only what follows from the rules is said. An order that an event may change in a way that is not
followed here is forgotten, and the state is what the prover says.

The prover knows the first places of a row and forgets the rest, and many events are enough to draw from a row.

    reserve 3-3 ? 2-1 6-6, and 3-3 is drawn from its front     ->     the row is ? 2-1 6-6
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.types import Tile
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat, written_by
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Value,
    any_of,
    at_least,
    cases,
    conj,
    equal,
    ite_number,
    merge,
    negate,
    order_of,
    size,
    sized,
    total_of,
)
from golpae.prove.symbolic.zones import PLACES, SymbolicRow, Zone

FRONT = "front"
MOST_TAKEN = 12  # tiles that leave a row from anywhere in one event, whose places are followed
Order = list[Value]


class RowOrders:
    """The orders of the shared rows of a game, front first, as far as they are known."""

    def __init__(self, rules: RuleSet, copies: Mapping[int, int]) -> None:
        self._rules = rules
        self._single = all(often == 1 for often in copies.values())
        self._rows = [zone.name for zone in rules.zones if zone.kind == "row" and not zone.each_player]
        self._orders: dict[str, Order] = {}
        self._changes: dict[tuple[str, str], tuple[st.Statement, ...]] = {}

    def begin(self, orders: Mapping[str, Sequence[Value]]) -> None:
        """Say in which order the tiles of rows lie before the effects of an event; nobody knows those of other rows."""
        self._orders = {name: [*order] for name, order in orders.items() if name in self._rows}

    def dealt(self, name: str, order: Sequence[Value] | None) -> None:
        """Say in which order the row that is dealt from lies, if a deal says it; all other rows are empty."""
        self.begin({row: [] for row in self._rows if row != name} | ({} if order is None else {name: order}))

    def rebuilt(self, rebuild: Callable[[Value], Value]) -> None:
        """Replace values by what they are now."""
        for name, order in self._orders.items():
            self._orders[name] = [rebuild(tile) for tile in order]

    def after(self, action: Action, names: Mapping[str, Value], state: SymbolicState) -> SymbolicState:
        """Return the state after an event, with the rows whose order is known in it. The orders begin as they were
        before its effects.
        """
        out = state.copy()
        for name in self._rows:
            order = self._changed(name, action, names, state)
            if order is None:
                self._orders.pop(name, None)
                continue
            self._orders[name] = order
            zone = state.zones[name]
            if zone.row is not None:
                out.zones[name] = Zone(sized(zone.bag, len(order)), _row(zone, order))
        return out

    def _changed(
        self, name: str, action: Action, names: Mapping[str, Value], state: SymbolicState
    ) -> Order | None:
        """Return the order of a row after an event; None if it is not known."""
        order = self._orders.get(name)
        for change in self._changes_of(name, action):
            match change:
                case st.Arrange(tiles=ir.Local(name=key), place=_):
                    tiles = names.get(key)
                    order = [*order_of(tiles)] if isinstance(tiles, Bag) and order_of(tiles) else None
                case st.Take(what=ir.Local(name=key, type=kind), place=place) if order is not None:
                    order = self._without(order, names.get(key), isinstance(kind, Tile), place)
                case _:
                    order = None
        if order is None:
            return None
        there = size(state.zones[name].bag)  # unknown if the event may not be legal
        return None if isinstance(there, int) and there != len(order) else order

    def _changes_of(self, name: str, action: Action) -> tuple[st.Statement, ...]:
        """Return the statements of an action that change a row, those inside tests and rounds as these."""
        if (action.name, name) not in self._changes:
            self._changes[action.name, name] = tuple(
                one
                for one in statements_of(self._rules, action)
                if any(name in written_by(inner) for inner in flat([one]))
            )
        return self._changes[action.name, name]

    def _without(self, order: Order, what: Value, is_one: bool, place: ir.Place) -> Order | None:
        """Return an order without tiles that left it; None if it is not followed."""
        if place.number is not None or place.seat is not None:
            return None
        if place.end is not None:
            certain = is_one and all(tile is not None for _, tile in cases(what))
            return (order[1:] if place.end == FRONT else order[:-1]) if certain and order else None
        if is_one or not isinstance(what, Bag) or not isinstance(size(what), int):
            return None
        if what.concrete and all(isinstance(tile, int) for tile in order):
            return _without_first(order, what)
        return _without_each(order, what) if self._single and size(what) <= MOST_TAKEN else None


def _row(zone: Zone, order: Order) -> SymbolicRow:
    places = (*order[:PLACES], *[None] * (PLACES - len(order)))
    assert zone.row is not None
    there = bool(zone.row.places)
    front, back = (order[0], order[-1]) if order else (None, None)
    return SymbolicRow(front, back, EMPTY, places if there else (), False)


def _without_first(order: Order, tiles: Bag) -> Order | None:
    """Return an order without known tiles, each of which leaves its first place."""
    out = [*order]
    for tile in tiles.tiles():
        if tile not in out:
            return None
        out.remove(tile)
    return out


def _without_each(order: Order, tiles: Bag) -> Order:
    """Return an order without some tiles, of which the set has one each.

    INVARIANT: they lie there, or the event cannot happen.
    """
    number = size(tiles)
    leaves = [
        any_of(conj(guard, at_least(tiles.count(kind), 1)) for guard, kind in cases(place)) for place in order
    ]
    left = [total_of(ite_number(one, 1, 0) for one in leaves[:place]) for place in range(len(order))]
    out = []
    for place in range(len(order) - number):
        options = [
            (conj(equal(left[place + more], more), negate(leaves[place + more])), order[place + more])
            for more in range(number + 1)
        ]
        out.append(
            merge(
                [*options[:-1], (negate(any_of(guard for guard, _ in options[:-1])), order[place + number])]
            )
        )
    return out
