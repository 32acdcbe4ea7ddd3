"""The facts that make a condition true, for readers that look for values or for places of tiles.

Input: an expression that must hold. Output: its facts, one for each part that `and` joins.
Guarantee: a fact means exactly what its expression means; an expression without a form of its own is an `Other`.
`Fact` is closed: readers take it apart with `match` and `assert_never`.

    tile in p's hand and tile = top of discards    ->    Member(tile, hand p), Equal(tile, back of discards)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from golpae.ir import expr as ir
from golpae.ir.traverse import conjuncts
from golpae.records import dataclass


@dataclass(frozen=True, slots=True)
class Equal:
    """Two values are equal."""

    left: ir.Expr
    right: ir.Expr

    def sides(self) -> tuple[tuple[ir.Expr, ir.Expr], ...]:
        """Return both readings: the left value is the right one, and the other way round."""
        return (self.left, self.right), (self.right, self.left)


@dataclass(frozen=True, slots=True)
class Member:
    """A value is in a bag."""

    item: ir.Expr
    bag: ir.Expr


@dataclass(frozen=True, slots=True)
class Within:
    """A bag is part of another one."""

    part: ir.Expr
    whole: ir.Expr


@dataclass(frozen=True, slots=True)
class AtEnd:
    """A tile can be the one at an end of a row, or at one of its `places`."""

    tile: ir.Expr
    zone: str
    seat: ir.Expr | None
    end: str
    expr: ir.Fits | ir.FitsPlace

    @property
    def number(self) -> ir.Expr | None:
        """Return the number of the place; None for an end."""
        return None if isinstance(self.expr, ir.Fits) else self.expr.number


@dataclass(frozen=True, slots=True)
class InOrder:
    """Tiles, front first, can be the order of a row."""

    tiles: ir.Expr
    zone: str
    seat: ir.Expr | None


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Groups are all of some tiles, laid out as an arrangement."""

    groups: ir.Expr
    tiles: ir.Expr
    expr: ir.LayOut


@dataclass(frozen=True, slots=True)
class EachSeat:
    """A fact holds for every player; `seat` is the player's name in it."""

    seat: str
    players: ir.Expr
    fact: Fact


@dataclass(frozen=True, slots=True)
class Other:
    """A condition of any other form."""

    expr: ir.Expr


Fact = Equal | Member | Within | AtEnd | InOrder | LaidOut | EachSeat | Other


def facts(condition: ir.Expr) -> Iterator[Fact]:
    """Yield the facts that a condition states, in the order in which its parts are checked."""
    for part in conjuncts(condition):
        yield fact_of(part)


def fact_of(expr: ir.Expr) -> Fact:
    """Return the fact that one part of a condition states."""
    if isinstance(expr, ir.Op) and len(expr.args) == 2:
        left, right = expr.args
        if expr.op == "eq":
            return Equal(left, right)
        if expr.op == "member" or (expr.op == "bag_member" and is_listed(right)):
            return Member(left, right)
        if expr.op == "within":
            return Within(left, right)
    if isinstance(expr, ir.Fits):
        return AtEnd(expr.tile, expr.name, expr.seat, expr.end, expr)
    if isinstance(expr, ir.FitsPlace):
        return AtEnd(expr.tile, expr.name, expr.seat, "places", expr)
    if isinstance(expr, ir.FitsOrder):
        return InOrder(expr.tiles, expr.name, expr.seat)
    if isinstance(expr, ir.LayOut):
        return LaidOut(expr.groups, expr.tiles, expr)
    if isinstance(expr, ir.Quant) and _is_for_all_players(expr):
        return EachSeat(expr.names[0], expr.domain, fact_of(expr.body))
    return Other(expr)


def is_listed(bags: ir.Expr) -> bool:
    """Return whether bags come from a list that can be gone through: what a shape parts, a list that is made, or a
    definition.
    """
    return isinstance(bags, ir.Parted | ir.CallDef | ir.Fold)


ORDER = "order"  # instead of an end: these are all tiles of a row, front first
GROUPS = "groups"  # instead of an end: groups of tiles that are all there


class Location(NamedTuple):
    """A value is in a zone: at an end of it, at a place, as its whole order, in groups, or anywhere (None)."""

    what: ir.Expr
    zone: str
    seat: ir.Expr | None
    end: str | None
    number: ir.Expr | None = None


def locations_of(condition: ir.Expr) -> Iterator[Location]:
    """Yield the location of each value that a condition states to be in a zone."""
    for fact in facts(condition):
        match fact:
            case Member(item=what, bag=bag) | Within(part=what, whole=bag):
                if isinstance(bag, ir.Parted):
                    bag = bag.tiles
                if isinstance(bag, ir.ZoneRead):
                    yield Location(what, bag.name, bag.seat, None)
            case AtEnd(tile=what, zone=zone, seat=seat, end=end):
                yield Location(what, zone, seat, end, fact.number)
            case Equal():
                for what, at in fact.sides():
                    if isinstance(at, ir.ZoneEnd) and not isinstance(what, ir.ZoneEnd):
                        yield Location(what, at.name, at.seat, at.end)
            case InOrder(tiles=what, zone=zone, seat=seat):
                yield Location(what, zone, seat, ORDER)
            case LaidOut(groups=what, tiles=tiles):
                if isinstance(tiles, ir.ZoneRead):
                    yield Location(what, tiles.name, tiles.seat, GROUPS)
            case EachSeat() | Other():
                pass
            case _:
                assert_never(fact)


def _is_for_all_players(expr: ir.Quant) -> bool:
    every = expr.kind == "every" and expr.size is None and len(expr.names) == 1
    return every and isinstance(expr.domain, ir.Builtin) and expr.domain.name == "players"
