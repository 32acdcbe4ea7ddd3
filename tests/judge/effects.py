"""What effects do (section 7), except payments.

Input: effects and a scene. Output: the state after them.
Guarantee: the state that came in is as it was. Raises `CannotHappen` if the effects cannot happen.

What the page leaves open, and what is done here: no tiles at all make no meld; `move all` from a row takes it from
its front on, whatever end is written; a meld that loses tiles keeps its label; a meld that is named, and taken from a
zone of tiles or a row, is moved as its tiles and loses its label; an order that `arrange` cannot give is illegal under
`then`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import EffectClause
from golpae.ir.types import Tile
from tests.judge import words
from tests.judge.evaluate import Scene, evaluate, kept, listed, slot
from tests.judge.faults import CannotHappen, Refused, Unclear, Unmet
from tests.judge.lines import GIVEN
from tests.judge.rows import (
    Row,
    cut,
    fits_order,
    hidden_row,
    known_row,
    put,
    put_hidden,
    put_row,
    taken,
    tiles_of,
)
from tests.judge.state import Slot, State
from tests.judge.values import Bag, Meld, Value, bag, in_turn, item_of, members, number, truth, used_as


@dataclass(frozen=True, slots=True)
class InOrder:
    """Tiles on their way in the order in which the text moves them."""

    tiles: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Unordered:
    """Tiles on their way without an order."""

    tiles: Bag


@dataclass(frozen=True, slots=True)
class Melds:
    """Melds on their way, each by itself."""

    melds: Bag


Cargo = InOrder | Unordered | Melds | Row


def perform_clauses(clauses: Iterable[EffectClause], scene: Scene) -> State:
    """Return the state after the effects of some clauses. Raises `Refused`."""
    for clause in clauses:
        try:
            scene = scene.at(perform(clause.effects, scene))
        except CannotHappen:
            raise Refused("then") from None
        except Unmet:
            raise Refused(clause.name) from None
    return scene.state


def perform(effects: Iterable[ir.Effect], scene: Scene) -> State:
    """Return the state after effects, each of which sees what those before it did (7.1)."""
    for effect in effects:
        scene = scene.at(_perform(effect, scene))
    return scene.state


def _perform(effect: ir.Effect, scene: Scene) -> State:
    state = scene.state
    match effect:
        case ir.Move():
            return _move(effect, scene)
        case ir.SetState(name=name, seat=seat, value=value):
            kind = scene.table.var(name).type
            return state.with_var(slot(name, seat, scene), used_as(kept(evaluate(value, scene)), kind))
        case ir.Win(seat=seat):
            winners = Bag()
            if seat is not None:
                winners = state.winners.plus(bag([evaluate(seat, scene)])).kinds()
            return replace(state, winners=winners, stage="over")
        case ir.Pay(payer=payer, payee=payee, amount=amount):
            seats = [number(evaluate(seat, scene)) for seat in (payer, payee)]
            return _gained(seats, number(evaluate(amount, scene)), scene)
        case ir.Gain(seat=seat, amount=amount):
            return _gained([number(evaluate(seat, scene))], number(evaluate(amount, scene)), scene)
        case ir.Shuffle(zone=zone):
            where = slot(zone.zone, zone.seat, scene)
            content = state.content(where)
            return (
                state.with_content(where, hidden_row(tiles_of(content)))
                if isinstance(content, Row)
                else state
            )
        case ir.Cut(zone=zone, number=places):
            where = slot(zone.zone, zone.seat, scene)
            row = cut(state.row(where), number(evaluate(places, scene)))
            if row is None:
                raise CannotHappen
            return state.with_content(where, row)
        case ir.Arrange(zone=zone, tiles=tiles):
            where = slot(zone.zone, zone.seat, scene)
            order = listed(tiles, scene)
            if not fits_order(state.row(where), order):
                raise CannotHappen
            return state.with_content(where, known_row(order))
        case ir.PassOn(zone=name, side=side):
            step = 1 if side == "right" else -1
            for seat_ in scene.table.seats:
                to = (seat_ + step) % scene.table.instance.players
                state = state.with_content((name, to), scene.state.content((name, seat_)))
            return state
        case ir.When(test=test, effects=effects, otherwise=otherwise):
            return perform(effects if truth(evaluate(test, scene)) else otherwise, scene)
        case ir.ForEach(name=words.TIMES | words.UNTIL | words.WHILE):
            return _repeat(words.repeated(effect), scene)
        case ir.ForEach(name=words.PAYS | words.SCORES):
            return _paid(effect, scene)
        case ir.ForEach(name=name) if words.team_size(name):
            return _set_for_team(effect, scene)
        case ir.ForEach(name=name, domain=domain, effects=effects) if name.startswith(GIVEN):
            (given,) = members(evaluate(domain, scene if scene.start is None else scene.at(scene.start)))
            return perform(effects, scene.having({name: given}))
        case ir.ForEach(name=name, domain=domain, effects=effects):
            for member in in_turn(members(evaluate(domain, scene)), item_of(domain.type)):
                inner = scene.having({name: member}).at(state)
                state = perform(effects, inner)
            return state
        case ir.Ensure(test=test, said=_, values=_):
            if not truth(evaluate(test, scene)):
                raise Unmet
            return state
        case _:
            assert_never(effect)


def _paid(loop: ir.ForEach, scene: Scene) -> State:
    """Return the state after a payment during the hand (5.6)."""
    assert isinstance(loop.domain, ir.BagOf)
    (amount_is,) = loop.effects
    assert isinstance(amount_is, ir.When)
    assert isinstance(amount_is.test, ir.Op)
    seats = [number(evaluate(seat, scene)) for seat in loop.domain.items]
    return _gained(seats, number(evaluate(amount_is.test.args[0], scene)), scene)


def _gained(seats: list[int], amount: int, scene: Scene) -> State:
    """Return the state after the last of some seats got an amount, from the first if there are two."""
    gains = [*(scene.state.gains or [0] * scene.table.instance.players)]
    if len(seats) > 1:
        gains[seats[0]] -= amount
    gains[seats[-1]] += amount
    return replace(scene.state, gains=tuple(gains))


def _set_for_team(loop: ir.ForEach, scene: Scene) -> State:
    """Return the state after all players of a team got the value of a state of teams (7.5)."""
    (change,) = loop.effects
    assert isinstance(change, ir.SetState)
    assert change.seat is not None
    kind = scene.table.var(change.name).type
    value = used_as(kept(evaluate(change.value, scene)), kind)
    state = scene.state
    for seat in scene.table.team(number(evaluate(change.seat, scene)), words.team_size(loop.name)):
        state = state.with_var((change.name, seat), value)
    return state


def _repeat(loop: words.Repeated, scene: Scene) -> State:
    """Return the state after effects that are repeated (7.12)."""
    for _ in range(number(evaluate(loop.times, scene))):
        if loop.before is not None and not truth(evaluate(loop.before, scene)):
            break
        scene = scene.at(perform(loop.effects, scene))
        if loop.after is not None and truth(evaluate(loop.after, scene)):
            break
    return scene.state


# ---------------------------------------------------------------- moves


def _move(effect: ir.Move, scene: Scene) -> State:
    """Tiles leave, then the place they go to is found, then they arrive (7.2)."""
    if isinstance(effect.source, ir.MeldPlace):
        cargo, state = _leave_meld(effect, effect.source, scene)
    else:
        cargo, state = _leave_zone(effect, effect.source, scene)
    scene = scene.at(state)
    if isinstance(effect.target, ir.MeldPlace):
        where, meld = _found(effect.target, scene)
        label = meld.label if effect.label is None else effect.label
        grown = Meld(meld.tiles.plus(_all_tiles(cargo)), label)
        rest = members(state.content(where)).minus(bag([meld]))
        return state.with_content(where, rest.plus(bag([grown])))
    target = effect.target
    return arrive(cargo, slot(target.zone, target.seat, scene), target.end, effect.label, scene)


def _found(place: ir.MeldPlace, scene: Scene) -> tuple[Slot, Meld]:
    """Return one meld of a zone, and the zone (7.4). Raises `CannotHappen` if there is none."""
    found = place.meld
    if not isinstance(found, ir.Fold) or not isinstance(found.domain, ir.ZoneRead):
        raise Unclear("a meld that is not looked for in one zone")
    meld = evaluate(found, scene)
    if meld is None:
        raise CannotHappen
    assert isinstance(meld, Meld)
    return slot(found.domain.name, found.domain.seat, scene), meld


def _tiles_on_their_way(what: ir.Expr, scene: Scene) -> InOrder | Unordered:
    """Return the tiles that are moved: written between braces they have an order, in any other bag none (4.5)."""
    if isinstance(what, ir.BagOf):
        items = [evaluate(item, scene) for item in what.items]
        if not all(item.type == Tile() for item in what.items):
            raise Unclear("several melds moved at once")
        return InOrder(tuple(items))
    value = evaluate(what, scene)
    return Unordered(members(value)) if isinstance(value, Bag | Meld) else InOrder((value,))


def _leave_meld(effect: ir.Move, source: ir.MeldPlace, scene: Scene) -> tuple[Cargo, State]:
    cargo = None if effect.what is None else _tiles_on_their_way(effect.what, scene)
    where, meld = _found(source, scene)
    if cargo is None:
        cargo = Unordered(meld.tiles)
    leaving = _all_tiles(cargo)
    if not meld.tiles.holds(leaving):
        raise CannotHappen
    left = Meld(meld.tiles.minus(leaving), meld.label)
    rest = members(scene.state.content(where)).minus(bag([meld]))
    content = rest.plus(bag([left])) if left.tiles.members else rest
    return cargo, scene.state.with_content(where, content)


def _leave_zone(effect: ir.Move, source: ir.Place, scene: Scene) -> tuple[Cargo, State]:
    state = scene.state
    is_melds = scene.table.zone(source.zone).kind == "melds"
    if effect.what is None:
        where = slot(source.zone, source.seat, scene)
        content = state.content(where)
        empty = state.with_content(where, Row() if isinstance(content, Row) else Bag())
        if isinstance(content, Row):
            return content, empty
        return Melds(content) if is_melds else Unordered(content), empty
    if is_melds:
        meld = evaluate(effect.what, scene)
        where = slot(source.zone, source.seat, scene)
        if not isinstance(meld, Meld):
            raise Unclear("tiles moved from a zone of melds")
        lying = members(state.content(where))
        if lying.count(meld) == 0:
            raise CannotHappen
        return Melds(bag([meld])), state.with_content(where, lying.minus(bag([meld])))
    cargo = _tiles_on_their_way(effect.what, scene)
    where = slot(source.zone, source.seat, scene)
    place = None if source.number is None else number(evaluate(source.number, scene))
    for tile in cargo.tiles:
        state = without_tile(state, where, tile, source.end, place)
    return cargo, state


def without_tile(state: State, where: Slot, tile: Value, end: str | None, place: int | None = None) -> State:
    """Return the state after a tile left a zone of tiles or a row. Raises `CannotHappen`."""
    content = state.content(where)
    if isinstance(content, Row):
        row = taken(content, tile, end, place)
        if row is None:
            raise CannotHappen
        return state.with_content(where, row)
    if content.count(tile) == 0:
        raise CannotHappen
    return state.with_content(where, content.minus(bag([tile])))


def _all_tiles(cargo: Cargo) -> Bag:
    match cargo:
        case InOrder(tiles):
            return bag(tiles)
        case Unordered(tiles):
            return tiles
        case Melds(melds):
            return bag(tile for meld in melds for tile in members(meld))
        case Row():
            return tiles_of(cargo)
        case _:
            assert_never(cargo)


def arrive(cargo: Cargo, where: Slot, end: str | None, label: str | None, scene: Scene) -> State:
    """Return the state after tiles came to a zone (4.4, 4.5, 7.3)."""
    state = scene.state
    content = state.content(where)
    if isinstance(content, Row):
        return state.with_content(where, _arrived_in_row(cargo, content, end))
    if scene.table.zone(where[0]).kind != "melds":
        return state.with_content(where, content.plus(_all_tiles(cargo)))
    if isinstance(cargo, Melds):
        new = [m if label is None else Meld(members(m), label) for m in cargo.melds]
    else:
        tiles = _all_tiles(cargo)
        new = [Meld(tiles, label)] if tiles.members else []
    return state.with_content(where, content.plus(bag(new)))


def _arrived_in_row(cargo: Cargo, row: Row, end: str | None) -> Row:
    match cargo:
        case InOrder(tiles):
            for tile in tiles:
                row = put(row, tile, end)
            return row
        case Row():
            return put_row(row, cargo, end)
        case Unordered() | Melds():
            unordered = _all_tiles(cargo)
            if len(unordered) == 1:
                return put(row, unordered.members[0], end)
            return put_hidden(row, unordered, end)
        case _:
            assert_never(cargo)
