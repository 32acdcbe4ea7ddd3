"""Check whether the conditions of an action guarantee that its effects can be carried out.

Input: an action.
Output: whether, for every tile that the action moves, a condition states that the tile is where the action takes it.
Guarantee: if yes, no event that passes the conditions fails midway. Keys that have few values are looked at value by
value, since conditions and effects can depend on them. If no, an event may pass all conditions and still
be impossible because its tiles are elsewhere: only a try on a copy of the state shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.facts import GROUPS, ORDER, Location, locations_of
from golpae.ir.ruleset import Action, effects_of
from golpae.ir.traverse import flat, nodes
from golpae.ir.types import BOOL, Bool, Choice, Opt, Type

Locations = frozenset[Location]
MOST_CASES = 16
Values = Mapping[str, ir.Const]  # of keys
States = Mapping[tuple[str, ir.Expr | None], ir.Const]  # by their name and player
_NOTHING: States = {}
_DECIDED = ("is_none", "not", "otherwise", "eq", "implies", "and", "or")


def moves_safely(action: Action) -> bool:
    """Return whether the conditions of an action state where all tiles are that it moves."""
    return _is_safe(action, {}) or all(_is_safe(action, values) for values in cases_of(action))


def _is_safe(action: Action, values: Values) -> bool:
    """Return whether that is so where some keys have these values."""
    conditions = [simplified(c.expr, values) for c in action.conditions]
    if any(isinstance(c, ir.Const) and not c.value for c in conditions):
        return True  # there is no such event
    stated = frozenset(at for c in conditions for at in locations_of(c))
    return _Moves(values).are_safe(effects_of(action.effects), stated)


class _Moves:
    """The effects so far: the zones that tiles were taken from, the ends that they were put at, the states set.

    `values` are those of some keys, `states` what is known of states because of them.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        self.states: dict[tuple[str, ir.Expr | None], ir.Const] = {}
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
                test = simplified(test, self.values, self.states)
                if isinstance(test, ir.Const):
                    return not test.value or self.are_safe(inner, locations)
                safe = self.are_safe(inner, locations | {*locations_of(test)})
                self._forget(inner)
                return safe
            case ir.ForEach(effects=inner):
                self._forget(inner)
                safe = self._is_safe_loop(effect, locations)
                self._forget(inner)
                return safe
            case ir.SetState(name=name, seat=seat, value=value):
                value = simplified(value, self.values, self.states)
                self._forget([effect])
                self.changed.add(name)
                if isinstance(value, ir.Const) and (seat is None or isinstance(seat, ir.Local)):
                    self.states[name, seat] = value
                return True
            case (
                ir.Win() | ir.Pay() | ir.Gain() | ir.Shuffle()
            ):  # a shuffled row can still have the tile anywhere
                return True
            case _:
                assert_never(effect)

    def _forget(self, effects: Iterable[ir.Effect]) -> None:
        """Forget what is known of states that effects may set."""
        names = {e.name for e in flat(effects) if isinstance(e, ir.SetState)}
        for known in [known for known in self.states if known[0] in names]:
            del self.states[known]

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


# ---------------------------------------------------------------------- the cases of an event


def cases_of(action: Action) -> Iterator[Values]:
    """Yield the values that keys with few values can have together; no value of any, if these are many."""
    few = {param.name: _values(param.type) for param in action.params if not param.parts}
    few = {name: values for name, values in few.items() if values}
    many = 1
    for values in few.values():
        many *= len(values)
    if many > MOST_CASES:
        few = {}
    for chosen in product(*few.values()):
        yield dict(zip(few, chosen, strict=True))


def simplified(expr: ir.Expr, values: Values, states: States = _NOTHING) -> ir.Expr:
    """Return an expression without what is decided by the values of keys and states."""

    def of(inner: ir.Expr) -> ir.Expr:
        return simplified(inner, values, states)

    if isinstance(expr, ir.Local):
        return values.get(expr.name, expr)
    if isinstance(expr, ir.StateRead):
        return states.get((expr.name, expr.seat), expr)
    if isinstance(expr, ir.If):
        test = of(expr.test)
        if isinstance(test, ir.Const):
            return of(expr.yes if test.value else expr.no)
        return replace(expr, test=test, yes=of(expr.yes), no=of(expr.no))
    if isinstance(expr, ir.Op) and expr.op in _DECIDED:
        return _decided(replace(expr, args=tuple(map(of, expr.args))))
    return expr


def _decided(expr: ir.Op) -> ir.Expr:
    """Return what an operation with simplified operands comes to."""
    first, last = expr.args[0], expr.args[-1]
    if isinstance(first, ir.Const):
        value = first.value
        if expr.op == "is_none":
            return _truth(value is None)
        if expr.op == "not":
            return _truth(not value)
        if expr.op == "otherwise":
            return last if value is None else first
        if expr.op == "implies":
            return last if value else _truth(True)
        if expr.op == "eq":
            return _truth(value == last.value) if isinstance(last, ir.Const) else expr
        return first if value is (expr.op == "or") else last
    neutral = expr.op in ("and", "or") and isinstance(last, ir.Const) and last.value is (expr.op == "and")
    return first if neutral else expr


def _truth(value: bool) -> ir.Const:
    return ir.Const(value, BOOL)


def _values(kind: Type) -> list[ir.Const]:
    """Return all values of a type that has few, or nothing."""
    if isinstance(kind, Opt):
        values = _values(kind.item)
        return [ir.Const(None, kind), *values] if values else []
    if isinstance(kind, Bool):
        return [_truth(False), _truth(True)]
    return [ir.Const(word, kind) for word in kind.words] if isinstance(kind, Choice) else []
