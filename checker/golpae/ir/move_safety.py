"""Check whether the conditions of an action guarantee that its effects can be carried out.

Input: an action.
Output: whether, for every tile that the action moves, a condition states that the tile is where the action takes it.
Guarantee: if yes, no event that passes the conditions fails midway. If no, an event may pass all conditions and still
be impossible because its tiles are elsewhere: only a try on a copy of the state shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.facts import GROUPS, ORDER, Location, locations_of
from golpae.ir.ruleset import Action, effects_of
from golpae.ir.traverse import flat, nodes

Locations = frozenset[Location]


def moves_safely(action: Action) -> bool:
    """Return whether the conditions of an action state where all tiles are that it moves."""
    stated = frozenset(at for c in action.conditions for at in locations_of(c.expr))
    return _Moves().are_safe(effects_of(action.effects), stated)


class _Moves:
    """The effects so far: the zones that tiles were taken from, the ends that they were put at, the states set."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.put: set[tuple[str, str | None]] = set()
        self.changed: set[str] = set()

    def are_safe(self, effects: Iterable[ir.Effect], locations: Locations) -> bool:
        """Return whether all tiles that effects move are where the effects take them."""
        return all(self._is_safe(effect, locations) for effect in effects)

    def _is_safe(self, effect: ir.Effect, locations: Locations) -> bool:
        match effect:
            case ir.Move():
                return self._is_safe_move(effect, locations)
            case ir.Arrange(zone=place, tiles=what):
                safe = not self._was_put_in(place.zone) and self._still_lies(what, place, ORDER, locations)
                self.put.add((place.zone, None))
                return safe
            case ir.PassOn(zone=zone):
                self.taken.add(zone)
                return True
            case ir.When(test=test, effects=inner):
                return self.are_safe(inner, locations | {*locations_of(test)})
            case ir.ForEach():
                return self._is_safe_loop(effect, locations)
            case ir.SetState(name=name):
                self.changed.add(name)
                return True
            case (
                ir.Win() | ir.Pay() | ir.Gain() | ir.Shuffle()
            ):  # a shuffled row can still have the tile anywhere
                return True
            case _:
                assert_never(effect)

    def _is_safe_move(self, move: ir.Move, locations: Locations) -> bool:
        what, source, target = move.what, move.source, move.target
        if isinstance(source, ir.MeldPlace) or isinstance(target, ir.MeldPlace):
            return False
        safe = what is None or self._still_lies(what, source, source.end, locations)
        self.taken.add(source.zone)
        self.put.add((target.zone, target.end))
        return safe

    def _is_safe_loop(self, loop: ir.ForEach, locations: Locations) -> bool:
        """Return whether a loop is safe: an earlier iteration may have moved any tile that is not the loop variable.

        A group is still in its place only if its own move is all that takes tiles from there.
        """
        leaves = Counter(_left_by(loop.effects))
        groups = [
            at for at in locations if at.end == GROUPS and at.what == loop.domain and leaves[at.zone] == 1
        ]
        moved = {e.what for e in loop.effects if isinstance(e, ir.Move)}
        own = {what for what in moved if isinstance(what, ir.Local) and what.name == loop.name}
        self.changed |= {e.name for e in flat(loop.effects) if isinstance(e, ir.SetState)}
        inner = (Location(what, at.zone, at.seat, None) for what in own for at in groups)
        return self.are_safe(loop.effects, frozenset(inner))

    def _still_lies(self, what: ir.Expr, place: ir.Place, end: str | None, locations: Locations) -> bool:
        """Return whether a value is still where a condition states."""
        if place.zone in self.taken or Location(what, place.zone, place.seat, end) not in locations:
            return False
        if end in ("front", "back") and {(place.zone, end), (place.zone, None)} & self.put:
            return False
        read = [n for e in (what, place.seat) if e is not None for n in nodes(e)]
        return all(
            isinstance(n, ir.Local | ir.Const | ir.BagOf)
            or (isinstance(n, ir.StateRead) and n.name not in self.changed)
            for n in read
        )

    def _was_put_in(self, zone: str) -> bool:
        return any(name == zone for name, _ in self.put)


def _left_by(effects: Iterable[ir.Effect]) -> Iterator[str]:
    """Yield the zones that tiles leave, once for each effect by which they do."""
    for effect in flat(effects):
        match effect:
            case ir.Move(source=ir.Place(zone=zone)) | ir.PassOn(zone=zone):
                yield zone
            case ir.Move(source=ir.MeldPlace(meld=meld)):
                yield from (node.name for node in nodes(meld) if isinstance(node, ir.ZoneRead))
            case (
                ir.Move()
                | ir.Arrange()
                | ir.When()
                | ir.ForEach()
                | ir.SetState()
                | ir.Win()
                | ir.Pay()
                | ir.Gain()
                | ir.Shuffle()
            ):
                pass
            case _:
                assert_never(effect)
