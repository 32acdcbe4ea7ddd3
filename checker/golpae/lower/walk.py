"""Walks over statements.

Input: statements. Output: those within them; what they change.
Guarantee: each class of statement is named, so that one that is forgotten fails the type check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import NamedTuple, assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import ZoneDecl
from golpae.ir.traverse import children
from golpae.ir.types import BOOL, TILES
from golpae.lower import statements as st

OVER = ("winner", "over")  # the words that the end of a hand sets


def flat(statements: Iterable[st.Statement]) -> Iterator[st.Statement]:
    """Yield statements and all statements within them, outermost first."""
    for statement in statements:
        yield statement
        if isinstance(statement, st.Branch):
            yield from flat((*statement.yes, *statement.no))
        elif isinstance(statement, st.Loop):
            yield from flat(statement.body)


def guarded(
    statements: Iterable[st.Statement], tests: tuple[ir.Expr, ...] = ()
) -> Iterator[tuple[st.Statement, tuple[ir.Expr, ...]]]:
    """Yield statements and all statements within them, each with `tests` and the tests that lead to it.

    A test that has to be no is there as `not ...`; the tiles of `{a, b}` are `together`.
    """
    for statement in together(statements):
        yield statement, tests
        if isinstance(statement, st.Branch):
            yield from guarded(statement.yes, (*tests, statement.test))
            yield from guarded(statement.no, (*tests, ir.Op("not", (statement.test,), BOOL)))
        elif isinstance(statement, st.Loop):
            yield from guarded(statement.body, tests)


def together(statements: Iterable[st.Statement]) -> Iterator[st.Statement]:
    """Yield statements, with the tiles of `{a, b}` that leave a row, or arrive, one by one as a bag in one statement.

    What else takes or puts tiles does not stand next to its like: each takes, then puts.
    """
    taken: st.Take | st.Put | None = None
    for statement in statements:
        moves = isinstance(statement, st.Take | st.Put)
        if taken is not None and moves and type(statement) is type(taken) and statement.place == taken.place:
            items = taken.what.items if isinstance(taken.what, ir.BagOf) else (taken.what,)
            taken = replace(taken, what=ir.BagOf((*items, statement.what), TILES))
            continue
        if taken is not None:
            yield taken
        taken = statement if isinstance(statement, st.Take | st.Put) else None
        if taken is None:
            yield statement
    if taken is not None:
        yield taken


def exprs_of(statement: st.Statement) -> Iterator[ir.Expr]:
    """Yield the expressions in a statement itself, without those in statements within it."""
    for field in fields(statement):
        value = getattr(statement, field.name)
        if isinstance(value, ir.Expr):
            yield value
        elif isinstance(value, ir.Place):
            yield from children(value)


class Transfer(NamedTuple):
    """A move: what leaves (None: all), and from where to where; a meld that is changed is given by its zone."""

    what: ir.Expr | None
    source: ir.Place | ir.ZoneRead
    target: ir.Place | ir.ZoneRead


def transfers(statements: Iterable[st.Statement]) -> Iterator[Transfer]:
    """Yield the moves among statements and those within them, without the names that lowering makes."""
    named: dict[str, ir.Expr] = {}
    what: ir.Expr | None = None
    source: ir.Place | ir.ZoneRead | None = None
    for statement in together(flat(statements)):
        target: ir.Place | ir.ZoneRead | None = None
        match statement:
            case st.Let(name=name, value=value):
                named[name] = value
            case st.Take(what=taken, place=place) | st.TakeMeld(meld=taken, place=place):
                what, source = meant(taken, named), _found(place, named)
            case st.TakeAll(place=place, name=_):
                what, source = None, _found(place, named)
            case st.TakeFromMeld(tiles=taken, zone=zone, meld=_):
                what, source = meant(taken, named), zone
                if isinstance(what, ir.BagOf) and len(what.items) == 1:  # a tile leaves a meld as `{tile}`
                    what = what.items[0]
            case (
                st.Put(place=place, what=_)
                | st.NewMeld(place=place, tiles=_, label=_)
                | st.PutMeld(place=place, meld=_, label=_)
            ):
                target = _found(place, named)
            case st.AddToMeld(zone=zone, tiles=_, meld=_, label=_):
                target = zone
            case st.MoveRow(source=place, target=other) | st.MoveMelds(source=place, target=other, label=_):
                what, source, target = None, place, other
            case (
                st.Set(name=_, seat=_, value=_)
                | st.Credit(seat=_, amount=_)
                | st.Over(winner=_)
                | st.Shuffle(place=_)
                | st.Cut(place=_, number=_)
                | st.Arrange(tiles=_, place=_)
                | st.Rotate(zone=_, side=_)
                | st.Branch(path=_, test=_, yes=_, no=_)
                | st.Loop(name=_, domain=_, body=_)
                | st.Ensure(path=_, test=_)
            ):
                pass
            case _:
                assert_never(statement)
        if target is not None:
            assert source is not None
            yield Transfer(what, source, target)


def meant(what: ir.Expr, named: Mapping[str, ir.Expr]) -> ir.Expr:
    """Return the expression that a statement moves, as the text says it: without names that lowering made, and a meld
    instead of its tiles.
    """
    while isinstance(what, ir.Local) and what.name in named:
        what = named[what.name]
    if isinstance(what, ir.BagOf):
        return replace(what, items=tuple(meant(item, named) for item in what.items))
    return what.args[0] if isinstance(what, ir.Op) and what.op == "tiles" else what


def _found(place: ir.Place, named: Mapping[str, ir.Expr]) -> ir.Place:
    return place if place.seat is None else replace(place, seat=meant(place.seat, named))


def moves_melds(statement: st.Statement, zones: Mapping[str, ZoneDecl]) -> bool:
    """Return whether a statement itself takes a meld from a zone, makes one, or changes one."""
    if isinstance(statement, st.TakeAll):
        return zones[statement.place.zone].kind == "melds"
    return isinstance(
        statement, st.NewMeld | st.TakeMeld | st.PutMeld | st.MoveMelds | st.AddToMeld | st.TakeFromMeld
    )


def filled_by(statement: st.Statement) -> str | None:
    """Return the zone in which tiles or melds arrive by a statement itself, if they become no part of a meld there."""
    match statement:
        case (
            st.Put(place=place, what=_)
            | st.NewMeld(place=place, tiles=_, label=_)
            | st.PutMeld(place=place, meld=_, label=_)
        ):
            return place.zone
        case st.MoveRow(target=target, source=_) | st.MoveMelds(target=target, source=_, label=_):
            return target.zone
        case (
            st.Let(name=_, value=_)
            | st.Take(what=_, place=_)
            | st.TakeAll(name=_, place=_)
            | st.TakeMeld(meld=_, place=_)
            | st.AddToMeld(tiles=_, meld=_, label=_, zone=_)
            | st.TakeFromMeld(tiles=_, meld=_, zone=_)
            | st.Set(name=_, seat=_, value=_)
            | st.Credit(seat=_, amount=_)
            | st.Over(winner=_)
            | st.Shuffle(place=_)
            | st.Cut(place=_, number=_)
            | st.Arrange(tiles=_, place=_)
            | st.Rotate(zone=_, side=_)
            | st.Branch(path=_, test=_, yes=_, no=_)
            | st.Loop(name=_, domain=_, body=_)
            | st.Ensure(path=_, test=_)
        ):
            return None
        case _:
            assert_never(statement)


def written_by(statement: st.Statement) -> set[str]:
    """Return the states, zones and words that a statement changes, with all statements within it."""
    return {name for each in flat([statement]) for name in written_itself(each)}


def written_itself(statement: st.Statement) -> tuple[str, ...]:
    """Return the states, zones and words that a statement changes, without statements within it."""
    match statement:
        case (
            st.Let(name=_, value=_)
            | st.Credit(seat=_, amount=_)
            | st.Branch(path=_, test=_, yes=_, no=_)
            | st.Loop(name=_, domain=_, body=_)
            | st.Ensure(path=_, test=_)
        ):
            return ()
        case (
            st.Take(place=place, what=_)
            | st.TakeAll(place=place, name=_)
            | st.Put(place=place, what=_)
            | st.NewMeld(place=place, tiles=_, label=_)
            | st.TakeMeld(place=place, meld=_)
            | st.PutMeld(place=place, meld=_, label=_)
            | st.Shuffle(place=place)
            | st.Cut(place=place, number=_)
            | st.Arrange(place=place, tiles=_)
        ):
            return (place.zone,)
        case st.MoveRow(source=source, target=target) | st.MoveMelds(source=source, target=target, label=_):
            return source.zone, target.zone
        case st.AddToMeld(zone=zone, tiles=_, meld=_, label=_) | st.TakeFromMeld(zone=zone, tiles=_, meld=_):
            return (zone.name,)
        case st.Set(name=name, seat=_, value=_):
            return (name,)
        case st.Rotate(zone=zone_name, side=_):
            return (zone_name,)
        case st.Over(winner=_):
            return OVER
        case _:
            assert_never(statement)
