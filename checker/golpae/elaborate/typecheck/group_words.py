"""Faults of groups of tiles at a place where they are no values: `t in {boats, nets}`, `trump := nets`.

Input: an expression, its type and the type needed. Output: the fault with advice that works, or None.
Guarantee: only what is refused anyway gets here.

A group by its name is its tiles. Its name is a word where one of the groups is needed.

    t's group = nets         a word        if a then nets else t's group        two words
"""

from __future__ import annotations

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.overloads import member_type, without_none
from golpae.elaborate.typecheck.symbols import RefusedExpression, SymbolTable
from golpae.elaborate.typecheck.type_errors import no_members
from golpae.ir import expr as ir
from golpae.ir.types import TILE, TILES, Choice, Type
from golpae.syntax import tree as t

GROUP_TYPES = ("group", "groups")


def named_groups(symbols: SymbolTable, kind: Type) -> tuple[str, ...]:
    """Return the words of a type if each is the name of a group, or nothing."""
    bare = without_none(kind)
    words = bare.words if isinstance(bare, Choice) else ()
    return words if words and symbols.groups.issuperset(words) else ()


def is_group(symbols: SymbolTable, expr: t.Expr) -> bool:
    """Return whether an expression is the name of a group alone."""
    return isinstance(expr, t.Name) and expr.name in symbols.groups


def as_value(symbols: SymbolTable, expr: t.Expr, needed: Type) -> RefusedExpression | None:
    """Return the fault of a group by its name where one of some other words is needed, or None."""
    bare = without_none(needed)
    words = bare.words if isinstance(bare, Choice) else ()
    name = expr.span.words
    if not is_group(symbols, expr) or not words or name in words:
        return None
    return _not_listed(symbols, expr, words)


def _not_listed(symbols: SymbolTable, expr: t.Expr, words: tuple[str, ...]) -> RefusedExpression:
    name = expr.span.words
    groups = sorted(symbols.groups) if set(words) <= set(GROUP_TYPES) else [*words, name]
    message = f"`{name}` is not one of {quoted_list(words)}"
    return RefusedExpression(
        "T001", message, expr.span, f"declare it with the names of the groups: `one of {', '.join(groups)}`"
    )


def as_word(symbols: SymbolTable, expr: t.Expr, value: ir.Expr, other: Type) -> ir.Expr:
    """Return a group by its name as this word, if the other branch of an `if` is one of some words with it."""
    bare = without_none(other)
    if isinstance(expr, t.Name) and is_group(symbols, expr) and isinstance(bare, Choice):
        return ir.Const(expr.name, bare) if expr.name in bare.words else value
    return value


def in_branch(
    symbols: SymbolTable, yes: t.Expr, yes_type: Type, no: t.Expr, no_type: Type
) -> RefusedExpression | None:
    """Return the fault of one branch of `if` that names a group beside one that is a group's word, or None."""
    for branch, kind, other in ((yes, yes_type, no_type), (no, no_type, yes_type)):
        if kind == TILES and named_groups(symbols, other):
            return as_value(symbols, branch, other)
    return None


def beside(
    symbols: SymbolTable, left: t.Expr, left_type: Type, right: t.Expr, right_type: Type
) -> RefusedExpression | None:
    """Return the fault of `t = boats`, `t in {boats, nets}` or `t's group in {boats, nets}`, or None."""
    if left_type == TILE and right_type == TILES:
        message = f"`{right.span.excerpt}` are tiles, but a tile is needed here"
        return RefusedExpression(
            "T001", message, right.span, f"write `{left.span.excerpt} in {right.span.excerpt}`"
        )
    owner = left.owner.span.excerpt if isinstance(left, t.Possessive) else "t"
    tile = left.span.excerpt if left_type == TILE else owner if named_groups(symbols, left_type) else None
    if tile is None or member_type(right_type) != TILES:
        return None
    parts = right.items if isinstance(right, t.Bag) else ()
    words = [f"{tile} in {part.span.excerpt}" for part in parts] or [
        f"some g in {right.span.excerpt}: {tile} in g"
    ]
    message = f"`{right.span.excerpt}` holds groups of tiles, so this asks whether one of them is a tile"
    return RefusedExpression("T001", message, left.span.to(right.span), f"write `{' or '.join(words)}`")


def member_of(symbols: SymbolTable, expr: t.Binary, domain: Type) -> Type:
    """Return the type of the members of the right side of `in`. Raises `RefusedExpression`, also for `t in trump`."""
    item = member_type(domain)
    if item is not None:
        return item
    if named_groups(symbols, domain):
        message = f"`{expr.right.span.excerpt}` is the name of a group, not its tiles"
        advice = f"write `{expr.left.span.excerpt}'s group = {expr.right.span.excerpt}`"
        raise RefusedExpression("T001", message, expr.right.span, advice)
    raise no_members(expr.right, domain)


def type_named(symbols: SymbolTable, name: str) -> str | None:
    """Return advice on a group, or the word for it, that stands for a kind of value."""
    if name not in GROUP_TYPES and name not in symbols.groups:
        return None
    words = sorted(symbols.groups) or ["low", "high"]
    return f"name the groups: `one of {', '.join(words)}`"


def call_of_tiles(name: str, args: tuple[t.Expr, ...], word: Span) -> RefusedExpression:
    """Return the fault of `boats(t)`."""
    advice = f"write `{name}` without brackets"
    if len(args) == 1:
        advice = f"write `{args[0].span.excerpt} in {name}`"
    return RefusedExpression("N001", f"`{name}` takes no values", word, advice)
