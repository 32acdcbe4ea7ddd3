"""Surface effects to IR effects: what happens when an action is taken.

In: the effects of a clause and the scope of its action. Out: IR effects, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable

from golpae.diagnostics import Span
from golpae.elaborate.expressions import Checker
from golpae.elaborate.scope import Scope, advice_for, key_of, learnt, zone_type
from golpae.ir import expr as ir
from golpae.ir.types import INT, MELD, SEAT, TILE, TILES, Bag, Meld, Opt, spoken
from golpae.syntax import tree as t


def check_effects(checker: Checker, effects: Iterable[t.Effect], scope: Scope) -> tuple[tuple[ir.Effect, ...], Scope]:
    """The effects checked one after the other, and the scope after them."""
    out: list[ir.Effect] = []
    for effect in effects:
        found = _effect(checker, effect, scope)
        if found is not None:
            out.append(found)
        if isinstance(effect, t.Assign) and (key := key_of(effect.target)) is not None:
            scope = scope.forgetting(key)
    return tuple(out), scope


def _effect(checker: Checker, effect: t.Effect, scope: Scope) -> ir.Effect | None:
    tables = checker.tables
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
            return ir.Gain(checker.expect(effect.seat, SEAT, scope), checker.expect(effect.amount, INT, scope))
        case t.Shuffle(row=row):
            place = _place(checker, row, scope)
            return ir.Shuffle(place) if isinstance(place, ir.Place) else None
        case t.Arrange():
            place = _place(checker, effect.row, scope)
            tiles = checker.expect(effect.tiles, TILES, scope)
            return ir.Arrange(place, tiles) if isinstance(place, ir.Place) else None
        case t.PassOn(zone=zone, side=side):
            if zone.text not in tables.zones or not tables.zones[zone.text].each_player:
                owned = [z.name for z in tables.zones.values() if z.each_player]
                tables.fault("T004", f"no player has a zone `{zone.text}`", zone.span, advice_for(zone.text, owned, "name a zone of each player"))
                return None
            if side.text not in ("right", "left"):
                tables.fault("N001", f"hands are passed to the right or to the left, not `{side.text}`", side.span, None)
                return None
            return ir.PassOn(zone.text, side.text)
        case t.When(test=test, effects=inner):
            condition = checker.truth(test, scope)
            done, _ = check_effects(checker, inner, scope.knowing(learnt(test, True)))
            return ir.When(condition, done)
        case t.ForEach(name=name, domain=domain, effects=inner):
            found = checker.any(domain, scope)
            if found is None:
                return None
            if not isinstance(found.type, Bag):
                tables.fault("T001", f"`{domain.span.words}` is {spoken(found.type)}, nothing to go through", domain.span, None)
                return None
            done, _ = check_effects(checker, inner, scope.with_local(name.text, found.type.item))
            return ir.ForEach(name.text, found, done)


def _move(checker: Checker, effect: t.Move, scope: Scope) -> ir.Effect | None:
    what: ir.Expr | None = None
    if effect.what is not None:
        what = checker.any(effect.what, scope)
        if what is None:
            return None
        if what.type != TILE and not isinstance(what.type, Meld) and what.type != TILES:
            words = effect.what.span.words
            checker.tables.fault("T001", f"`{words}` is {spoken(what.type)}; only tiles can be moved", effect.what.span, None)
            return None
    source = _place(checker, effect.source, scope, meld=True)
    target = _place(checker, effect.target, scope, meld=True)
    if source is None or target is None:
        return None
    if isinstance(source, ir.MeldPlace) and what is None:
        checker.tables.fault("T004", "say which tile is taken from the meld", effect.source.span, "write `move tile from ...`")
        return None
    label = None if effect.label is None else effect.label.text
    return ir.Move(what, source, target, label)


def _place(checker: Checker, node: t.Expr, scope: Scope, meld: bool = False) -> ir.Place | ir.MeldPlace | None:
    tables = checker.tables
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
        tables.fault("T004", f"`{row.span.words}` is no zone", row.span, advice_for(row.span.words, tables.zones, "zones stand under `zones`"))
        return None
    if end is not None and tables.zones[found.name].kind != "row":
        tables.fault("T004", f"`{found.name}` has no {end}: it is no row", node.span, "declare it as `row`")
        return None
    return ir.Place(found.name, found.seat, end)


def _assign(checker: Checker, target: t.Expr, value: t.Expr, scope: Scope) -> ir.Effect | None:
    tables = checker.tables
    name = target.name if isinstance(target, t.Name | t.Possessive) else ""
    if name not in tables.vars or tables.vars[name].each_player is isinstance(target, t.Name):
        advice = advice_for(name, tables.vars, "values that change stand under `state`")
        if name in tables.zones:
            advice = "tiles are moved: `move tile from a to b`"
        tables.fault("T004", f"`{target.span.words}` is no state that can be set", target.span, advice)
        return None
    var = tables.vars[name]
    seat = checker.expect(target.owner, SEAT, scope) if isinstance(target, t.Possessive) else None
    return ir.SetState(name, seat, checker.expect(value, var.type, scope))


def zone_value(checker: Checker, name: str, span: Span) -> ir.Expr | None:
    """A shared zone by its name, or None after a fault."""
    zone = checker.tables.zones.get(name)
    if zone is None or zone.each_player:
        shared = [z.name for z in checker.tables.zones.values() if not z.each_player]
        checker.tables.fault("T004", f"there is no shared zone `{name}`", span, advice_for(name, shared, "declare it under `zones`"))
        return None
    return ir.ZoneRead(name, None, zone_type(zone))
