"""Check whether the conditions of an action guarantee that its effects can be carried out.

Input: a rule set and an action.
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
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.traverse import nodes
from golpae.ir.types import BOOL, TILES, Bool, Choice, Opt, Tile, Type
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat, meant, together

Locations = frozenset[Location]
MOST_CASES = 16
Values = Mapping[str, ir.Const]  # of keys
States = Mapping[tuple[str, ir.Expr | None], ir.Const]  # by their name and player
_NOTHING: States = {}
_DECIDED = ("is_none", "not", "otherwise", "eq", "implies", "and", "or")


def moves_safely(rules: RuleSet, action: Action) -> bool:
    """Return whether the conditions of an action state where all tiles are that it moves."""
    statements = statements_of(rules, action)
    return _is_safe(action, statements, {}) or all(
        _is_safe(action, statements, values) for values in cases_of(action)
    )


def _is_safe(action: Action, statements: Iterable[st.Statement], values: Values) -> bool:
    """Return whether that is so where some keys have these values."""
    conditions = [simplified(c.expr, values) for c in action.conditions]
    if any(isinstance(c, ir.Const) and not c.value for c in conditions):
        return True  # there is no such event
    stated = frozenset(at for c in conditions for at in locations_of(c))
    return _Moves(values).are_safe(statements, stated)


class _Moves:
    """The statements so far: the zones that tiles were taken from, the ends that they were put at, the states set.

    `values` are those of some keys, `states` what is known of states because of them, `named` what lowering gave a
    name.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        self.states: dict[tuple[str, ir.Expr | None], ir.Const] = {}
        self.named: dict[str, ir.Expr] = {}
        self.taken: set[str] = set()
        self.put: set[tuple[str, str | None]] = set()
        self.changed: set[str] = set()

    def are_safe(self, statements: Iterable[st.Statement], locations: Locations) -> bool:
        """Return whether all tiles that statements take are where they are taken from."""
        return all(self._is_safe(statement, locations) for statement in together(statements))

    def _is_safe(self, statement: st.Statement, locations: Locations) -> bool:
        match statement:
            case st.Let(name=name, value=value):
                self.named[name] = value
                return True
            case st.Take(what=what, place=place) | st.TakeMeld(meld=what, place=place):
                safe = self._still_lies(meant(what, self.named), place, place.end, locations)
                self.taken.add(place.zone)
                return safe
            case st.TakeAll(place=place, name=_):
                self.taken.add(place.zone)
                return True
            case (
                st.Put(place=place, what=_)
                | st.NewMeld(place=place, tiles=_, label=_)
                | st.PutMeld(place=place, meld=_, label=_)
            ):
                self.put.add((place.zone, place.end))
                return True
            case (
                st.MoveRow(source=source, target=target) | st.MoveMelds(source=source, target=target, label=_)
            ):
                self.taken.add(source.zone)
                self.put.add((target.zone, target.end))
                return True
            case (
                st.AddToMeld(tiles=_, meld=_, label=_, zone=_)
                | st.TakeFromMeld(tiles=_, meld=_, zone=_)
                | st.Cut(place=_, number=_)
            ):
                return False
            case st.Arrange(tiles=what, place=place):
                safe = not self._was_put_in(place.zone) and self._still_lies(what, place, ORDER, locations)
                self.put.add((place.zone, None))
                return safe
            case st.Rotate(zone=zone, side=_):
                self.taken.add(zone)
                return True
            case st.Ensure(path=_, test=test):
                return simplified(test, self.values) == ir.Const(True, BOOL)
            case st.Branch(test=test, yes=yes, no=no, path=_):
                return self._is_safe_branch(simplified(test, self.values, self.states), yes, no, locations)
            case st.Loop(body=body, name=_, domain=_):
                self._forget(body)
                safe = self._is_safe_loop(statement, locations)
                self._forget(body)
                return safe
            case st.Set(name=name, seat=seat, value=value):
                value = simplified(value, self.values, self.states)
                self._forget([statement])
                self.changed.add(name)
                if isinstance(value, ir.Const) and (seat is None or isinstance(seat, ir.Local)):
                    self.states[name, seat] = value
                return True
            case st.Over(winner=_) | st.Credit(seat=_, amount=_) | st.Shuffle(place=_):
                return True  # a shuffled row can still have the tile anywhere
            case _:
                assert_never(statement)

    def _forget(self, statements: Iterable[st.Statement]) -> None:
        """Forget what is known of states that statements may set."""
        names = _set_by(statements)
        for known in [known for known in self.states if known[0] in names]:
            del self.states[known]

    def _is_safe_branch(
        self,
        test: ir.Expr,
        yes: tuple[st.Statement, ...],
        no: tuple[st.Statement, ...],
        locations: Locations,
    ) -> bool:
        """Return whether both parts are safe, or the one that happens if that is known."""
        if isinstance(test, ir.Const):
            return self.are_safe(yes if test.value else no, locations)
        before = dict(self.states)
        safe = self.are_safe(yes, locations | {*locations_of(test)})
        self.states = before
        safe = safe and self.are_safe(no, locations)
        self._forget((*yes, *no))
        return safe

    def _is_safe_loop(self, loop: st.Loop, locations: Locations) -> bool:
        """Return whether a loop is safe: an earlier iteration may have moved any tile that is not the loop variable.

        A group is still in its place only if its own move is all that takes tiles from there.
        """
        leaves = Counter(_left_by(loop.body))
        groups = [
            at for at in locations if at.end == GROUPS and at.what == loop.domain and leaves[at.zone] == 1
        ]
        self.named |= {let.name: let.value for let in loop.body if isinstance(let, st.Let)}
        moved = {meant(s.what, self.named) for s in loop.body if isinstance(s, st.Take)}
        moved |= {meant(s.meld, self.named) for s in loop.body if isinstance(s, st.TakeMeld)}
        own = {what for what in moved if isinstance(what, ir.Local) and what.name == loop.name}
        self.changed |= _set_by(loop.body)
        inner = (Location(what, at.zone, at.seat, None) for what in own for at in groups)
        return self.are_safe(loop.body, frozenset(inner))

    def _still_lies(self, what: ir.Expr, place: ir.Place, end: str | None, locations: Locations) -> bool:
        """Return whether a value is still where a condition states."""
        seat = None if place.seat is None else meant(place.seat, self.named)
        at = Location(what, place.zone, seat, end, place.number)
        if place.zone in self.taken or not _is_stated(what, at, locations):
            return False
        if end in ("front", "back") and {(place.zone, end), (place.zone, None)} & self.put:
            return False
        if place.number is not None and (self._was_put_in(place.zone) or not self._is_same(place)):
            return False
        read = [n for e in (what, seat) if e is not None for n in nodes(e)]
        return all(
            isinstance(n, ir.Local | ir.Const | ir.BagOf)
            or (isinstance(n, ir.StateRead) and n.name not in self.changed)
            for n in read
        )

    def _is_same(self, place: ir.Place) -> bool:
        """Return whether the number of a place is what it was, if nothing has moved in its row."""
        assert place.number is not None
        return all(
            isinstance(n, ir.Local | ir.Const | ir.Op)
            or (isinstance(n, ir.StateRead) and n.name not in self.changed)
            or (isinstance(n, ir.ZoneRead) and (n.name, n.seat) == (place.zone, place.seat))
            for n in nodes(place.number)
        )

    def _was_put_in(self, zone: str) -> bool:
        return any(name == zone for name, _ in self.put)


def _is_stated(what: ir.Expr, at: Location, locations: Locations) -> bool:
    """Return whether a condition states a location, for a tile also as `{tile}`."""
    one = isinstance(what.type, Tile) and at._replace(what=ir.BagOf((what,), TILES)) in locations
    return at in locations or one


def _set_by(statements: Iterable[st.Statement]) -> set[str]:
    """Return the states that statements may set."""
    return {s.name for s in flat(statements) if isinstance(s, st.Set)}


def _left_by(statements: Iterable[st.Statement]) -> Iterator[str]:
    """Yield the zones that tiles leave, once for each time that they do."""
    for statement in together(flat(statements)):
        match statement:
            case (
                st.Take(place=place, what=_)
                | st.TakeAll(place=place, name=_)
                | st.TakeMeld(place=place, meld=_)
            ):
                yield place.zone
            case st.MoveRow(source=source, target=_) | st.MoveMelds(source=source, label=_, target=_):
                yield source.zone
            case st.Rotate(zone=zone_name, side=_):
                yield zone_name
            case st.TakeFromMeld(zone=zone, tiles=_, meld=_):
                yield zone.name
            case (
                st.Let(name=_, value=_)
                | st.Put(what=_, place=_)
                | st.NewMeld(tiles=_, label=_, place=_)
                | st.PutMeld(meld=_, label=_, place=_)
                | st.AddToMeld(tiles=_, meld=_, label=_, zone=_)
                | st.Arrange(tiles=_, place=_)
                | st.Branch(path=_, test=_, yes=_, no=_)
                | st.Loop(name=_, domain=_, body=_)
                | st.Ensure(path=_, test=_)
                | st.Set(name=_, seat=_, value=_)
                | st.Over(winner=_)
                | st.Credit(seat=_, amount=_)
                | st.Shuffle(place=_)
                | st.Cut(place=_, number=_)
            ):
                pass
            case _:
                assert_never(statement)


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
    """Return the simplified form of an operation on simplified operands; the operation itself if they do not
    decide it.
    """
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
