"""Numbers of tiles under `deal`: `market: 4` deals four to a shared zone; `hands: 5` lacks whose hands get so many.

Input: the clauses of `deal`. Output: what goes to shared zones, written out as a key of the event, a condition and a
move; a fault for each other number.
Guarantee: a clause that is a condition is left to others. No text can name such a key: its name means the zone.

    floor: 8        becomes        deal(floor: tiles), the condition `floor: size of floor = 8`,
                                   and, before all other effects, `move floor from stock to floor`
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from golpae.elaborate.lifecycle import KEYS, lifecycle_params
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.messages import check_message
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.ir import expr as ir
from golpae.ir.ruleset import Condition, DealtToZone, EffectClause, ParamDecl
from golpae.ir.types import BOOL, INT, TILES
from golpae.syntax import tree as t

HANDS = ("hand", "hands")


@dataclass(frozen=True, slots=True)
class ToZone:
    """A clause that deals tiles to a zone, and what it is written out as."""

    clause: t.Clause
    dealt: DealtToZone
    param: ParamDecl
    condition: Condition
    effects: EffectClause


def to_zones(checker: Checker, node: t.Action, scope: Scope) -> tuple[ToZone, ...]:
    """Return the shared zones to which `deal` deals, each with its number of tiles, in the order of the text."""
    if node.kind != "deal" or node.zone is None:
        return ()
    return tuple(
        _to_zone(checker, node, node.zone.text, clause, scope)
        for clause in node.clauses
        if isinstance(clause.body, t.Condition)
        and not clause.body.afterwards
        and _is_shared(checker, clause.name.text, node.zone.text)
        and _is_number(checker, clause.body, scope)
    )


def _is_shared(checker: Checker, name: str, source: str) -> bool:
    zone = checker.symbols.zones.get(name)
    return zone is not None and not zone.each_player and name != source


def _to_zone(checker: Checker, node: t.Action, source: str, clause: t.Clause, scope: Scope) -> ToZone:
    body, name = clause.body, clause.name.text
    assert isinstance(body, t.Condition)
    if name in (*KEYS, *(param.name for param in lifecycle_params("deal"))):
        message = f"every `deal` already has a `{name}`, so its tiles cannot stand under this name"
        checker.symbols.fault("N002", message, clause.name.span, "give the zone another name")
    number = checker.expect(body.expr, INT, scope)
    key = ir.Local(name, TILES)
    size = ir.Op("size", (key,), INT)
    expr = ir.Op("eq", (size, number), BOOL)
    ids = tuple(word.text for word in (clause.ids or node.ids))
    words = check_message(checker, body, scope) or (
        number,
        f" tiles have to be dealt to `{name}`, not ",
        size,
    )
    move = ir.Move(key, ir.Place(source, None, None), ir.Place(name, None, None), None)
    return ToZone(
        clause,
        DealtToZone(name, number),
        ParamDecl(name, TILES),
        Condition(name, expr, words, ids),
        EffectClause(name, (move,), ids),
    )


def numbers_dealt(
    checker: Checker, node: t.Action, scope: Scope, to_zones: Collection[str]
) -> tuple[t.Clause, ...]:
    """Return the clauses that are numbers but deal to none of these zones, a fault entered for each."""
    if node.kind != "deal":
        return ()
    dealt = tuple(
        c
        for c in node.clauses
        if isinstance(c.body, t.Condition)
        and not c.body.afterwards
        and c.name.text not in to_zones
        and _is_number(checker, c.body, scope)
    )
    deals = any(isinstance(c.body, t.Hands) for c in node.clauses)
    for clause in dealt:
        assert isinstance(clause.body, t.Condition)
        number = clause.body.expr
        words = number.span.excerpt if isinstance(number, t.Number | t.Name) else f"({number.span.excerpt})"
        advice = f"write `hands: {words} for everyone`, or `hands: 6 for first, 5 for the others`"
        if deals or clause.name.text not in HANDS:
            advice = tiles_on_the_table(checker, node, clause)
        message = f"`{number.span.excerpt}` does not say which hands get so many tiles"
        checker.symbols.fault("T001", message, number.span, advice)
    return dealt


def tiles_on_the_table(checker: Checker, node: t.Action, clause: t.Clause) -> str:
    """Return how tiles come to the table as a hand is dealt."""
    stock = None if node.zone is None else node.zone.text
    zone = checker.symbols.zones.get(clause.name.text)
    if zone is not None and zone.each_player:
        advice = "deal to a zone that all share, or move tiles there after the deal"
        return f"each player has a `{clause.name.text}`: {advice}"
    if clause.name.text == stock:
        return f"`{stock}` keeps what is not dealt"
    return (
        f"tiles for the table go to a zone of this name: write `{clause.name.text}: tiles seen by everyone` under "
        f"`zones`, and here `{clause.name.text}: 4`"
    )


def _is_number(checker: Checker, body: t.Condition, scope: Scope) -> bool:
    faults = len(checker.symbols.diagnostics)
    try:
        return checker.infer(body.expr, scope).type == INT
    except RefusedExpression:
        return False
    finally:
        del checker.symbols.diagnostics[faults:]  # the check of the condition enters them again
