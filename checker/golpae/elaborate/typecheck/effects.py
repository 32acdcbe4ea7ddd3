"""Surface effects to IR effects: what happens when an action is taken.

In: the effects of a clause and the scope of its action. Out: IR effects, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import UNKNOWN, advice_for, zone_type
from golpae.elaborate.typecheck.type_errors import kind_of, no_members
from golpae.ir import expr as ir
from golpae.ir.types import INT, MELD, SEAT, TILE, TILES, Bag, Meld, Opt, Type
from golpae.syntax import tree as t

SIDES = ("right", "left")


def check_effects(
    checker: Checker, effects: Iterable[t.Effect], scope: Scope
) -> tuple[tuple[ir.Effect, ...], Scope]:
    """The effects checked one after the other, and the scope after them."""
    out: list[ir.Effect] = []
    for effect in effects:
        found = _effect(checker, effect, scope)
        if found is not None:
            out.append(found)
        scope = scope.after_change(_changed(effect))
    return tuple(out), scope


def _changed(effect: t.Effect) -> Iterator[str]:
    """The names of the states and zones that an effect changes."""
    match effect:
        case t.Assign(target=place):
            yield from _named(place)
        case t.Move(source=source, target=target):
            yield from (*_named(source), *_named(target))
        case t.Shuffle(row=row) | t.Arrange(row=row):
            yield from _named(row)
        case t.PassOn(zone=zone):
            yield zone.text
        case t.Wins():
            yield "winner"
        case t.When(effects=inner) | t.ForEach(effects=inner):
            for each in inner:
                yield from _changed(each)
        case t.Pays() | t.Scores():
            pass


def _named(place: t.Expr) -> tuple[str, ...]:
    match place:
        case t.Name(name=name) | t.Possessive(name=name):
            return (name,)
        case t.RowEnd(row=row):
            return _named(row)
        case _:
            return ()


def _effect(checker: Checker, effect: t.Effect, scope: Scope) -> ir.Effect | None:
    symbols = checker.symbols
    match effect:
        case t.Move():
            return _move(checker, effect, scope)
        case t.Assign(target=target, value=value):
            return _assign(checker, target, value, scope)
        case t.Wins(seat=seat):
            return ir.Win(None if seat is None else checker.expect(seat, SEAT, scope))
        case t.Pays():
            payer = checker.expect(effect.payer, SEAT, scope)
            payee = checker.expect(effect.payee, SEAT, scope)
            return ir.Pay(payer, payee, checker.expect(effect.amount, INT, scope))
        case t.Scores():
            return ir.Gain(
                checker.expect(effect.seat, SEAT, scope), checker.expect(effect.amount, INT, scope)
            )
        case t.Shuffle(row=row):
            place = _place(checker, row, scope)
            return ir.Shuffle(place) if isinstance(place, ir.Place) else None
        case t.Arrange():
            place = _place(checker, effect.row, scope)
            tiles = checker.expect(effect.tiles, TILES, scope)
            return ir.Arrange(place, tiles) if isinstance(place, ir.Place) else None
        case t.PassOn(zone=zone, side=side):
            if zone.text not in symbols.zones or not symbols.zones[zone.text].each_player:
                owned = [z.name for z in symbols.zones.values() if z.each_player]
                advice = advice_for(zone.text, owned, f"the zones of a player are {quoted_list(owned)}")
                symbols.fault("T004", f"no player has a zone `{zone.text}`", zone.span, advice)
                return None
            if side.text not in SIDES:
                advice = advice_for(side.text, SIDES, "write `to the right` or `to the left`")
                symbols.fault("N001", f"nobody sits to the `{side.text}` of a player", side.span, advice)
                return None
            return ir.PassOn(zone.text, side.text)
        case t.When(test=test, effects=inner):
            condition, known, _ = checker.condition(test, scope)
            done, _ = check_effects(checker, inner, known)
            return ir.When(condition, done)
        case t.ForEach(name=name, domain=domain, effects=inner):
            found = checker.any(domain, scope)
            item: Type = UNKNOWN
            if found is not None and isinstance(found.type, Bag):
                item = found.type.item
            elif found is not None:
                symbols.record(no_members(domain, found.type, "go through"))
            again = scope.after_change(changed for each in inner for changed in _changed(each))
            done, _ = check_effects(checker, inner, again.with_local(name.text, item))
            return None if found is None else ir.ForEach(name.text, found, done)


def _move(checker: Checker, effect: t.Move, scope: Scope) -> ir.Effect | None:
    what: ir.Expr | None = None
    if effect.what is not None:
        what = checker.any(effect.what, scope)
        if what is None:
            return None
        if what.type in (Opt(TILE), Opt(TILES), Opt(MELD)):
            # which says that it may be none
            checker.expect(effect.what, TILE if what.type == Opt(TILE) else TILES, scope)
            return None
        if what.type != TILE and not isinstance(what.type, Meld) and what.type != TILES:
            message = f"`{effect.what.span.excerpt}` is {kind_of(what.type)}, and only tiles can be moved"
            advice = "write which tile: `move tile from a to b`"
            checker.symbols.fault("T001", message, effect.what.span, advice)
            return None
    source = _place(checker, effect.source, scope, meld=True)
    target = _place(checker, effect.target, scope, meld=True)
    if source is None or target is None:
        return None
    if isinstance(source, ir.MeldPlace) and what is None:
        message = f"`{effect.source.span.excerpt}` is a meld, and `all` moves what lies in a zone"
        checker.symbols.fault("T004", message, effect.source.span, "write which tiles: `move tile from ...`")
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
    found = checker.any(row, scope)
    if found is None:
        return None
    if meld and end is None and found.type in (MELD, Opt(MELD)):
        return ir.MeldPlace(found)
    if not isinstance(found, ir.ZoneRead):
        symbols.no_zone(row.span, "zone")
        return None
    if isinstance(node, t.RowEnd) and symbols.zones[found.name].kind != "row":
        symbols.no_row(found.name, node)
        return None
    return ir.Place(found.name, found.seat, end)


def _assign(checker: Checker, target: t.Expr, value: t.Expr, scope: Scope) -> ir.Effect | None:
    symbols = checker.symbols
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
        elif name == "winner":
            advice = "write `p wins`, or `nobody wins`"
        else:
            advice = advice_for(name, symbols.vars, "values that change stand under `state`")
        symbols.fault("T004", f"`{target.span.excerpt}` is no state that can be set", target.span, advice)
        return None
    var = symbols.vars[name]
    seat = checker.expect(target.owner, SEAT, scope) if isinstance(target, t.Possessive) else None
    return ir.SetState(name, seat, checker.expect(value, var.type, scope))


def zone_value(checker: Checker, name: str, span: Span) -> ir.Expr | None:
    """A shared zone by its name, or None after a fault."""
    zone = checker.symbols.zones.get(name)
    if zone is None or zone.each_player:
        shared = [z.name for z in checker.symbols.zones.values() if not z.each_player]
        message = f"there is no zone `{name}`"
        if zone is not None:
            message = f"each player has a `{name}`, and tiles are dealt from one zone of all"
        advice = advice_for(name, shared, f"the zones of all are {quoted_list(shared)}")
        checker.symbols.fault("T004", message, span, advice)
        return None
    return ir.ZoneRead(name, None, zone_type(zone))
