"""Orders of tiles or words: the next one, the one at a place, the place of one.

Input: an `order`, a `circle` or a kind of value in order, and expressions that ask about it. Output: their values.
Guarantee: the IR has no orders: each question is a choice between the members.

    order sizes: small, middle, large
    next after t in sizes        if t = small then middle else if t = middle then large else none
    place of t in sizes          if t = small then 1 else if t = middle then 2 else if t = large then 3 else 0
    place of p in players        if p = the first player then 1 else if p = the second one then 2 else 3
    sizes at n                   if n = 1 then small else if n = 2 then middle else if n = 3 then large else none
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import UNKNOWN, Listed, RefusedExpression, SymbolTable, advice_for
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, INT, NONE, SEAT, TILE, Bag, Choice, Opt, Type, join
from golpae.syntax import tree as t

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker


PLAYERS = "players"
MOST_AS_NUMBER = "write the most players as a number, as in `players 2 to 4`"


def check_order(checker: Checker, node: t.Order) -> None:
    """Enter an order; one without members after a fault in them."""
    symbols = checker.symbols
    symbols.sequences[node.name.text] = Listed((), UNKNOWN, node.circle)
    words = [t.Word(item.span, item.span.words) for item in node.items]
    symbols.once_each(words, f"`{node.name.text}` has two members", "leave one out")
    unknown = [item for item in node.items if _is_unknown(symbols, item)]
    if len(unknown) == len(node.items):
        listed = ", ".join(item.span.words for item in node.items)
        advice = f"write `kind {node.name.text} in order: {listed}` for words of its own, or list tiles here"
        if node.circle:
            advice = f"write `kind ...: one of {listed}` for words of its own, or list tiles here"
        message = f"an order lists tiles, or words that the text has, and it has no `{unknown[0].span.words}`"
        symbols.fault("N001", message, unknown[0].span, advice)
        return
    values = [_member(checker, item) for item in node.items]
    kind: Type | None = None
    for item, value in zip(node.items, values, strict=True):
        if value is None:
            return
        joined = value.type if kind is None else join(kind, value.type)
        if (
            not isinstance(value, ir.Const)
            or joined is None
            or (joined != TILE and not isinstance(joined, Choice))
        ):
            message = f"`{item.span.excerpt}` is not a tile or a word as the others are"
            symbols.fault("T001", message, item.span, "list tiles, or words of one kind of value")
            return
        kind = joined
    assert kind is not None
    items = tuple(ir.Const(value.value, kind) for value in values if isinstance(value, ir.Const))
    symbols.sequences[node.name.text] = Listed(items, kind, node.circle)


def _is_unknown(symbols: SymbolTable, item: t.Expr) -> bool:
    """Return whether an item is a word that nothing in the text is called by."""
    return (
        isinstance(item, t.Name)
        and item.name not in symbols.plain_words()
        and symbols.kind_with(item.name) is None
        and not any(item.name in kind.words for kind in symbols.choices.values())
    )


def _member(checker: Checker, item: t.Expr) -> ir.Expr | None:
    """Return a tile or a word: the name of a group is a word here; None after a fault."""
    symbols = checker.symbols
    if isinstance(item, t.Name) and item.name in symbols.groups:
        kind = symbols.kind_with(item.name)
        return checker.any(item, Scope({})) if kind is None else ir.Const(item.name, kind)
    return checker.any(item, Scope({}))


def named(symbols: SymbolTable, name: str, needed: Choice | None) -> ir.Expr | None:
    """Return the members of an order as a bag, or a word of a named kind of value if no word of another is needed.

    Raises `RefusedExpression`.
    """
    if name not in symbols.ordered:
        kind = None if needed is not None else symbols.kind_with(name)
        return None if kind is None else ir.Const(name, kind)
    listed = symbols.sequences[name]
    if listed.type == UNKNOWN:
        raise RefusedExpression
    return ir.BagOf(listed.items, Bag(listed.type))


def next_to(checker: Checker, expr: t.NextTo, scope: Scope) -> ir.Expr:
    """Return the member after, or before, another one: none behind the last, and for what is no member."""
    listed = _listed(checker.symbols, expr)
    item = checker.check(expr.item, listed.type, scope)
    members = listed.items if expr.side == "after" else listed.items[::-1]
    following = [*members[1:], *(members[:1] if listed.circle else [])]
    return _choice(item, members[: len(following)], following, listed.type)


def place_of(checker: Checker, expr: t.PlaceOf, scope: Scope) -> ir.Expr:
    """Return the place of a member, counted from 1; 0 for what is no member. Players are in the order of play."""
    if expr.order == PLAYERS and PLAYERS not in checker.symbols.sequences:
        return _place_of_player(checker, expr, scope)
    listed = _listed(checker.symbols, expr)
    item = checker.check(expr.item, listed.type, scope)
    places: ir.Expr = ir.Const(0, INT)
    for number, member in reversed([*enumerate(listed.items, 1)]):
        places = ir.If(ir.Op("eq", (item, member), BOOL), ir.Const(number, INT), places, INT)
    return places


def _place_of_player(checker: Checker, expr: t.PlaceOf, scope: Scope) -> ir.Expr:
    player = checker.check(expr.item, SEAT, scope)
    most = checker.symbols.most_players
    if most is None:
        message = "`place of ... in players` asks about a table of unknown size: an option decides how many may play"
        raise RefusedExpression("G007", message, expr.span, MOST_AS_NUMBER)
    place: ir.Expr = ir.Const(most, INT)
    for seat in range(most - 2, -1, -1):
        asked = ir.Op("eq", (player, ir.Const(seat, SEAT)), BOOL)
        place = ir.If(asked, ir.Const(seat + 1, INT), place, INT)
    return place


def listed_at(checker: Checker, row: t.Expr, place: t.Expr, scope: Scope) -> ir.Expr | None:
    """Return the member at a place of an order, or None if the place is one of a row."""
    symbols = checker.symbols
    if not isinstance(row, t.Name) or row.name not in symbols.sequences:
        return None
    if row.name in symbols.zones:
        return None
    listed = symbols.sequences[row.name]
    if listed.type == UNKNOWN:
        raise RefusedExpression
    number = checker.check(place, INT, scope)
    if not listed.circle:
        places = [ir.Const(place, INT) for place in range(1, len(listed.items) + 1)]
        return _choice(number, places, listed.items, listed.type)
    size = ir.Const(len(listed.items), INT)
    rest = ir.Op("mod", (number, size), INT)
    out: ir.Expr = listed.items[-1]
    for at in range(len(listed.items) - 1, 0, -1):
        out = ir.If(ir.Op("eq", (rest, ir.Const(at, INT)), BOOL), listed.items[at - 1], out, listed.type)
    return out


def _choice(expr: ir.Expr, keys: Sequence[ir.Expr], values: Sequence[ir.Expr], kind: Type) -> ir.Expr:
    """Return the value beside the key that equals what is asked, or none."""
    out: ir.Expr = ir.Const(None, NONE)
    for key, value in reversed([*zip(keys, values, strict=True)]):
        out = ir.If(ir.Op("eq", (expr, key), BOOL), value, out, Opt(kind))
    return out


def _listed(symbols: SymbolTable, expr: t.NextTo | t.PlaceOf) -> Listed:
    listed = symbols.sequences.get(expr.order)
    if listed is None:
        span = Span(expr.span.text, expr.span.end - len(expr.order), expr.span.end)
        names = quoted_list(symbols.sequences) if symbols.sequences else ""
        otherwise = f"the orders are {names}" if names else "list its members: `order ...: a, b, c`"
        if expr.order in ("seats", "player"):
            raise RefusedExpression(
                "N001", f"there is no order `{expr.order}`", span, "write `place of p in players`"
            )
        if expr.order == "winners":
            advice = "count those before `p`: `number of q in winners: place of q in players < place of p in players`"
            raise RefusedExpression("N001", "`winners` has no order", span, advice)
        message = f"there is no order `{expr.order}`"
        raise RefusedExpression("N001", message, span, advice_for(expr.order, symbols.sequences, otherwise))
    if listed.type == UNKNOWN:
        raise RefusedExpression
    return listed
