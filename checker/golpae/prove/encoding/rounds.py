"""The rounds of a loop over a bag that may be unknown.

Input: the domain of a `for each` and its value. Output: its values in the order of the rounds, and how often each can
come at most. Guarantee: no value comes more often than is said.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from golpae.ir import expr as ir
from golpae.ir.traverse import names_in
from golpae.ir.types import TILES, Tile, words_in
from golpae.ir.wellformed_expr import item_of
from golpae.lower import statements as st
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Bag, MeldValue, Number

MOST_ROUNDS = 20  # of a loop for one value
ENDLESS = "a loop over a bag that may hold a value any number of times"


class GroupMove(NamedTuple):
    """Each member of a bag, a tile or a group, leaves one zone for another, as a meld if melds lie there."""

    source: ir.Place
    target: ir.Place
    label: str | None


class Rounds:
    """The rounds of the loops of one table."""

    def __init__(self, evaluator: Evaluator, states: StateEncoder) -> None:
        self._evaluator = evaluator
        self._states = states

    def in_order(self, bag: Bag, domain: ir.Expr) -> list[tuple[Any, Number]]:
        """Return the values that may be in a bag, with their numbers of copies, in the order of a loop's rounds."""
        words = words_in(domain.type)

        def place(key: Any) -> Any:
            if key is None:
                return False, 0  # before any other
            if isinstance(key, MeldValue):  # which may be a bag of words
                return True, sorted(map(place, key.tiles)), key.label or ""
            return True, words.index(key) if words else key

        return sorted(bag.items(), key=lambda pair: place(pair[0]))

    def most(self, key: Any, count: Number, domain: ir.Expr, bounded: bool) -> int | None:
        """Return how often a value can be in a bag at most, or None if nothing bounds it.

        Raises `Unsupported` for such a bag if it has to be `bounded`.
        """
        if isinstance(count, int):
            return count
        most = self._copies_in(key, domain)
        if most is not None and most <= MOST_ROUNDS:
            return most
        if bounded:
            raise Unsupported(ENDLESS)
        return None

    def _copies_in(self, key: Any, bag: ir.Expr) -> int | None:
        """Return how often a value can be in a bag at most, by what the bag is made of; None if nothing bounds it."""
        copies = self._evaluator.copies
        if isinstance(bag, ir.Local) and self._evaluator.instance.has_likes:
            return None  # a bag of faces has more of a kind than the set
        if isinstance(bag, ir.ZoneRead | ir.Local):
            if isinstance(key, MeldValue):
                return min((copies.get(t, 0) // key.tiles.count(t) for t in key.tiles), default=1)
            return copies.get(key, 0) if item_of(bag.type) == Tile() else None
        if isinstance(bag, ir.Builtin):
            return copies[key] if bag.name == "tiles" else 1
        if isinstance(bag, ir.Group):
            return 1
        if isinstance(bag, ir.BagOf):
            return len(bag.items)
        if isinstance(bag, ir.Fold) and bag.kind == "those":
            return self._copies_in(key, bag.domain)
        if isinstance(bag, ir.Fold):
            return self._size_of(bag.domain) if bag.kind == "each" and bag.size is None else None
        if isinstance(bag, ir.CallDef):
            definition = self._evaluator.definitions[bag.name]
            plain = definition.single and not definition.params
            return self._copies_in(key, definition.cases[0].expr) if plain else None
        if isinstance(bag, ir.If):
            return _largest([self._copies_in(key, bag.yes), self._copies_in(key, bag.no)])
        if isinstance(bag, ir.Op):
            return self._copies_of(key, bag)
        return None

    def _size_of(self, bag: ir.Expr) -> int | None:
        """Return how many values a bag can hold at most, by what it is made of; None if nothing bounds it."""
        if isinstance(bag, ir.BagOf):
            return len(bag.items)
        if isinstance(bag, ir.Builtin) and bag.name == "players":
            return self._evaluator.players
        if isinstance(bag, ir.ZoneRead):
            return sum(self._evaluator.copies.values())
        if isinstance(bag, ir.Fold) and bag.kind == "those":
            return self._size_of(bag.domain)
        return None

    def _copies_of(self, key: Any, bag: ir.Op) -> int | None:
        """Return how often a value can be in the result of an operator at most; None if nothing bounds it."""
        if bag.op in ("kinds", "range"):
            return 1
        if bag.op == "bag_sub":
            return self._copies_in(key, bag.args[0])
        if bag.op not in ("bag_add", "otherwise"):
            return None
        parts = [self._copies_in(key, part) for part in bag.args]
        bounded = [most for most in parts if most is not None]
        if bag.op == "otherwise" or len(bounded) < len(parts):
            return _largest(parts)
        return sum(bounded)

    def group_move(self, body: tuple[st.Statement, ...], name: str) -> GroupMove | None:
        """Return how a loop just moves each member of a bag to another zone, if it does: then all move together."""

        def plain(place: ir.Place, kinds: tuple[str, ...]) -> bool:
            if place.seat is not None and (name in names_in(place.seat) or self._changes(place.seat)):
                return False
            return place.end is None and self._states.zone_decls[place.zone].kind in kinds

        match body:
            case (st.Take(what=what, place=source), st.Put(what=put, place=target)) if put == what:
                move = GroupMove(source, target, None)
            case (st.Take(what=what, place=source), st.NewMeld(tiles=put, label=label, place=target)):
                if put not in (what, ir.BagOf((what,), TILES)):
                    return None
                move = GroupMove(source, target, label)
            case _:
                return None
        if isinstance(what, ir.Op) and what.op == "tiles":
            what = what.args[0]
        away = isinstance(what, ir.Local) and what.name == name and source.zone != target.zone
        return move if away and plain(source, ("tiles",)) and plain(target, ("tiles", "melds")) else None

    def _changes(self, expr: ir.Expr) -> bool:
        """Return whether an expression reads something that a round of a loop may change."""
        return bool(self._evaluator.context.dependencies.reads([expr]))


def _largest(numbers: list[int | None]) -> int | None:
    """Return the largest of some bounds; None if one of them is no bound."""
    known = [number for number in numbers if number is not None]
    return max(known) if len(known) == len(numbers) else None
