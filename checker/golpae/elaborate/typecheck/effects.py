"""Check and type effects: what an action changes.

Input: the effects of a clause and the scope of its action. Output: IR effects, in the same order, and the scope after
them. Faults go to the symbol table.
Guarantee: the pass goes on after each fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck import overloads
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.parameters import given
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import UNKNOWN, RefusedExpression, advice_for, zone_type
from golpae.elaborate.typecheck.type_errors import choose_from, kind_of, mismatched, no_members, no_order
from golpae.ir import expr as ir
from golpae.ir.substitute import substituted
from golpae.ir.types import INT, MELD, SEAT, TILE, TILES, Bag, Meld, Opt, Type
from golpae.syntax import tree as t
from golpae.syntax.traverse import leaves

SIDES = ("right", "left")


def check_effects(
    checker: Checker, effects: Iterable[t.Effect], scope: Scope
) -> tuple[tuple[ir.Effect, ...], Scope]:
    """Return the effects, checked one after the other, and the scope after them."""
    out: list[ir.Effect] = []
    for effect in effects:
        if isinstance(effect, t.Given):
            out += _given(checker, effect.values, effect.effects, scope)
        elif (checked := _effect(checker, effect, scope)) is not None:
            out.append(checked)
        scope = scope.after_change(changed_by([effect]))
    return tuple(out), scope


def changed_by(effects: Iterable[t.Effect]) -> Iterator[str]:
    """Return the names of the states and zones that effects change."""
    for effect in leaves(effects):
        match effect:
            case t.Assign(target=place, value=_):
                yield from _named(place)
            case t.Move(source=source, target=target, what=_, label=_):
                yield from (*_named(source), *_named(target))
            case t.Shuffle(row=row) | t.Arrange(row=row, tiles=_) | t.Cut(row=row, number=_):
                yield from _named(row)
            case t.PassOn(zone=zone, side=_):
                yield zone.text
            case t.Wins(seat=_, over=_):
                yield from ("winner", "over")
            case t.Pays(payer=_, payee=_, amount=_) | t.Scores(seat=_, amount=_):
                pass
            case t.Use(group=_):
                pass  # written out before
            case _:
                assert_never(effect)


def _named(place: t.Expr) -> tuple[str, ...]:
    """Return the name of the state or zone that a place is in, or that a meld lies in."""
    match place:
        case t.Name(name=name) | t.Possessive(name=name):
            return (name,)
        case t.Fold(domain=inner):
            return _named(inner)
        case _:
            return _named(place.row) if isinstance(place, t.RowPart) else ()


def _effect(checker: Checker, effect: t.Effect, scope: Scope) -> ir.Effect | None:
    """Return the typed effect; None after a fault that leaves nothing of it."""
    symbols = checker.symbols
    match effect:
        case t.Move():
            return _move(checker, effect, scope)
        case t.Assign():
            return _assign(checker, effect, scope)
        case t.Wins(seat=seat, over=_):
            return ir.Win(None if seat is None else _player(checker, seat, effect, scope))
        case t.Pays():
            payer = _player(checker, effect.payer, effect, scope)
            payee = _player(checker, effect.payee, effect, scope)
            return ir.Pay(payer, payee, checker.expect(effect.amount, INT, scope))
        case t.Scores():
            return ir.Gain(
                _player(checker, effect.seat, effect, scope), checker.expect(effect.amount, INT, scope)
            )
        case t.Shuffle(row=row):
            place = _place(checker, row, scope)
            return ir.Shuffle(place) if isinstance(place, ir.Place) else None
        case t.Cut(row=row, number=number):
            place = _place(checker, row, scope)
            where = checker.expect(number, INT, scope)
            if not isinstance(place, ir.Place):
                return None
            if symbols.zones[place.zone].kind != "row":
                symbols.no_row(place.zone, row, "order", "cut")
            return ir.Cut(place, where)
        case t.Arrange():
            place = _place(checker, effect.row, scope)
            faults = len(symbols.diagnostics)
            tiles = checker.expect(effect.tiles, TILES, scope)
            if len(symbols.diagnostics) == faults and not scope.has_order(effect.tiles):
                symbols.record(no_order(effect.tiles, scope))
            if not isinstance(place, ir.Place):
                return None
            if symbols.zones[place.zone].kind != "row":
                symbols.no_row(place.zone, effect.row, "order", "arrange")
            return ir.Arrange(place, tiles)
        case t.PassOn(zone=zone, side=side):
            if zone.text not in symbols.zones or not symbols.zones[zone.text].each_player:
                owned = [z.name for z in symbols.zones.values() if z.each_player]
                advice = advice_for(zone.text, owned, f"each player's zones are {quoted_list(owned)}")
                symbols.fault("T004", f"a player has no zone `{zone.text}`", zone.span, advice)
                return None
            if side.text not in SIDES:
                advice = advice_for(side.text, SIDES, "write `to the right` or `to the left`")
                symbols.fault("N001", f"there is no player to the `{side.text}`", side.span, advice)
                return None
            return ir.PassOn(zone.text, side.text)
        case t.When(test=test, effects=inner, otherwise=otherwise):
            condition, when_true, when_false = checker.condition(test, scope)
            checked, _ = check_effects(checker, inner, when_true)
            other, _ = check_effects(checker, () if otherwise is None else otherwise.effects, when_false)
            return ir.When(condition, checked, other)
        case t.ForEach(name=name, domain=domain, effects=inner, spoken=_):
            members = checker.any(domain, scope)
            item: Type = UNKNOWN
            if members is not None and isinstance(members.type, Bag):
                item = members.type.item
            elif members is not None:
                symbols.record(no_members(domain, members.type))
            again = scope.after_change(changed_by(inner))
            checked, _ = check_effects(checker, inner, again.with_local(name.text, item))
            return None if members is None else ir.ForEach(name.text, members, checked)
        case t.Repeat():
            raise AssertionError("it is written out before")
        case t.Given(values=_, effects=_) | t.Use(group=_):
            return None  # the first is several effects; the second is written out before
        case _:
            assert_never(effect)


def _player(checker: Checker, player: t.Expr, effect: t.Effect, scope: Scope) -> ir.Expr:
    """Return the player of an effect; the advice for several players is a loop."""
    try:
        return checker.check(player, SEAT, scope)
    except RefusedExpression as fault:
        diagnostic, words = fault.diagnostic, player.span.excerpt
        if diagnostic is not None and diagnostic.help == choose_from(words):
            rest = effect.span.excerpt.replace(words, "q", 1)
            if " pays " in rest and effect.span.excerpt.count("'s team") > 1:
                rest = effect.span.excerpt.replace("'s team", "")
                advice = f"one player pays for a team, and one is paid: `{rest}`"
                checker.symbols.record(
                    RefusedExpression(diagnostic.code, diagnostic.message, diagnostic.span, advice)
                )
                return ir.Const(False, SEAT)
            fault = RefusedExpression(
                diagnostic.code, diagnostic.message, diagnostic.span, f"write `for each q in {words}: {rest}`"
            )
        checker.symbols.record(fault)
        return ir.Const(False, SEAT)


def _given(
    checker: Checker, values: tuple[t.Value, ...], effects: tuple[t.Effect, ...], scope: Scope
) -> tuple[ir.Effect, ...]:
    """Return effects in which names stand for values, which are found before the first effect.

    A name or a constant is put in place. Any other value is a loop of one round, which lowering knows by its name.
    """
    given_values = [(value.name.text, *given(checker, value, scope)) for value in values]
    inner = scope
    for name, _, kind in given_values:
        inner = inner.with_local(name, kind)
    checked, _ = check_effects(checker, effects, inner)
    plain = (ir.Local, ir.Const)
    in_place = {name: v for name, v, kind in given_values if isinstance(v, plain) and v.type == kind}
    checked = substituted(checked, in_place)
    for name, value, kind in reversed(given_values):
        if value is not None and name not in in_place:
            checked = (ir.ForEach(name, ir.BagOf((value,), Bag(kind)), checked),)
    return checked


def _move(checker: Checker, effect: t.Move, scope: Scope) -> ir.Effect | None:
    what: ir.Expr | None = None
    if effect.what is not None:
        what = checker.any(effect.what, scope)
        if what is None:
            return None
        if what.type in (Opt(TILE), Opt(TILES), Opt(MELD)):
            needed = TILE if what.type == Opt(TILE) else TILES
            checker.symbols.record(mismatched(effect.what, what.type, needed, scope, "moved"))
            return None
        if what.type != TILE and not isinstance(what.type, Meld) and what.type != TILES:
            message = f"`{effect.what.span.excerpt}` is {kind_of(what.type)}, but only tiles can be moved"
            advice = "write which tile: `move tile from a to b`"
            if what.type == INT:
                advice = (
                    "name each tile in the event, as `tile` in `action draw(tile)`: `move tile from a to b`"
                )
            checker.symbols.fault("T001", message, effect.what.span, advice)
            return None
    source = _place(checker, effect.source, scope, meld=True)
    target = _place(checker, effect.target, scope, meld=True)
    if source is None or target is None or not _is_from_place(checker, effect, what, (source, target)):
        return None
    if isinstance(source, ir.MeldPlace) and what is None:
        message = f"`{effect.source.span.excerpt}` is a meld, but `all` moves the tiles of a zone"
        checker.symbols.fault("T004", message, effect.source.span, "write which tiles: `move tile from ...`")
        return None
    symbols = checker.symbols
    from_melds = isinstance(source, ir.Place) and symbols.zones[source.zone].kind == "melds"
    if from_melds and what is not None and effect.what is not None and not isinstance(what.type, Meld):
        zone = effect.source.span.excerpt
        message = f"`{effect.what.span.excerpt}` is {kind_of(what.type)}, but `{zone}` holds melds"
        advice = f"move a meld, or take tiles out of one: `from (the m in {zone}: ...)`"
        symbols.fault("T001", message, effect.what.span, advice)
        return None
    label = None if effect.label is None else effect.label.text
    return ir.Move(what, source, target, label)


def _place(
    checker: Checker, node: t.Expr, scope: Scope, meld: bool = False
) -> ir.Place | ir.MeldPlace | None:
    symbols = checker.symbols
    end = None
    row = node
    if isinstance(node, t.RowEnd):
        row, end = node.row, "front" if node.end == "front" else "back"
    elif isinstance(node, t.RowPart):
        return _numbered(checker, node, scope)
    zone = checker.any(row, scope)
    if zone is None:
        return None
    if meld and end is None and zone.type in (MELD, Opt(MELD)):
        lies = isinstance(zone, ir.Fold) and zone.kind == "the" and isinstance(zone.domain, ir.ZoneRead)
        if not lies:
            message = f"`{row.span.excerpt}` does not say in which zone the meld lies"
            symbols.fault(
                "T004", message, row.span, "write `(the m in p's melds: ...)`, with a zone of yours"
            )
            return None
        return ir.MeldPlace(replace(zone, type=Opt(MELD)))
    if not isinstance(zone, ir.ZoneRead):
        symbols.no_zone(row.span, "zone")
        return None
    if isinstance(node, t.RowEnd) and symbols.zones[zone.name].kind != "row":
        symbols.no_row(zone.name, node, node.end, f"{node.end} of")
        return None
    return ir.Place(zone.name, zone.seat, end)


def _numbered(checker: Checker, node: t.RowPart, scope: Scope) -> ir.Place | None:
    """Return a place of a row that has a number."""
    assert not isinstance(node, t.RowEnd)
    row = checker.any(node.row, scope)
    if row is None:
        return None
    if not isinstance(row, ir.ZoneRead):
        checker.symbols.no_zone(node.row.span, "row")
        return None
    if checker.symbols.zones[row.name].kind != "row":
        checker.symbols.no_row(row.name, node, "places", "at ...")
        return None
    number = checker.expect(overloads.from_front(node.row, node.number, node.end), INT, scope)
    return ir.Place(row.name, row.seat, "places", number)


def _is_from_place(checker: Checker, effect: t.Move, what: ir.Expr | None, places: Sequence[object]) -> bool:
    """Return whether the places of a move that have a number may have one: a single tile leaves such a place."""
    source, target = (isinstance(place, ir.Place) and place.number is not None for place in places)
    fault = checker.symbols.fault
    if target:
        span = effect.target.span
        row = effect.target.row.span.excerpt if isinstance(effect.target, t.RowPart) else span.excerpt
        advice = f"write `to front of {row}`, or `to {row}` alone"
        fault("T004", "tiles come to a row at an end of it", span, advice)
    elif source and what is None:
        row = effect.source.row.span.excerpt if isinstance(effect.source, t.RowPart) else "row"
        advice = f"write which tile: `move tile from ...`; `move all from {row}` moves the whole row"
        fault("T004", "one tile lies at a place of a row", effect.source.span, advice)
    elif source and what is not None and effect.what is not None and what.type != TILE:
        message = (
            f"`{effect.what.span.excerpt}` is {kind_of(what.type)}, but one tile lies at a place of a row"
        )
        fault("T001", message, effect.what.span, "move one tile after the other")
    else:
        return True
    return False


def _assign(checker: Checker, effect: t.Assign, scope: Scope) -> ir.Effect | None:
    symbols, target, value = checker.symbols, effect.target, effect.value
    name = target.name if isinstance(target, t.Name | t.Possessive) else ""
    if name not in symbols.vars or symbols.vars[name].each_player is isinstance(target, t.Name):
        if name in symbols.vars and isinstance(target, t.Name):
            advice = f"say whose: `p's {name} := ...`"
            symbols.fault("T004", f"each player has a `{name}`", target.span, advice)
            return None
        if name in symbols.vars:
            advice = f"write `{name} := ...`"
        elif name in symbols.zones:
            advice = "tiles are moved: `move tile from a to b`"
        elif name in ("winner", "winners"):
            advice = "write `p wins`, or `nobody wins`"
        else:
            advice = advice_for(name, symbols.vars, "declare values that change under `state`")
        symbols.fault("T004", f"`{target.span.excerpt}` cannot be set", target.span, advice)
        return None
    var = symbols.vars[name]
    known = len(symbols.diagnostics)
    seat = _player(checker, target.owner, effect, scope) if isinstance(target, t.Possessive) else None
    if len(symbols.diagnostics) > known:  # a payment that is written out names its player in the value, too
        return None
    return ir.SetState(name, seat, checker.expect(value, var.type, scope))


def zone_value(checker: Checker, name: str, span: Span) -> ir.Expr | None:
    """Return a shared zone by its name, or None after a fault."""
    zone = checker.symbols.zones.get(name)
    if zone is None or zone.each_player:
        shared = [z.name for z in checker.symbols.zones.values() if not z.each_player]
        message = f"there is no zone `{name}`"
        if zone is not None:
            message = f"each player has a `{name}`, but tiles are dealt from a shared zone"
        advice = advice_for(name, shared, f"the shared zones are {quoted_list(shared)}")
        checker.symbols.fault("T004", message, span, advice)
        return None
    return ir.ZoneRead(name, None, zone_type(zone))
