"""Describe a value of the wrong kind.

Input: the author's words, their type and the type needed. Output: a message and advice.
Guarantee: the message names both kinds in players' words.

    `p's hand` instead of a number  ->  "`p's hand` are tiles, but a number is needed here",
                                        "count them: `size of p's hand`"
"""

from __future__ import annotations

from typing import Literal

from golpae.diagnostics import Span
from golpae.elaborate.typecheck.builtins import EARLIER
from golpae.elaborate.typecheck.scope import Present, Scope, value_key
from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.ir.types import (
    TILE,
    Bag,
    Bool,
    Choice,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Seat,
    Tile,
    Type,
    fits,
    spoken,
)
from golpae.syntax import tree as t

Use = Literal["value", "moved", "owner"]  # what a value is needed for


def mismatched(
    expr: t.Expr, actual: Type, needed: Type, scope: Scope | None = None, use: Use = "value"
) -> RefusedExpression:
    """Return the fault of an expression whose type is not the one needed, in a scope that may know more of it."""
    words = expr.span.excerpt
    if isinstance(actual, Opt) and fits(actual.item, needed):
        if isinstance(expr, t.Fold | t.If | t.Binary):  # which would take in what follows
            words = f"({words})"
        if isinstance(expr, t.Fold):  # a condition has asked for `the one`; another place asks for `the`
            words = words.replace("(the one ", "(the ", 1)
        advice = _advice_for_none(expr, words, scope, use)
        return RefusedExpression("T002", f"`{words}` may be none here", with_brackets(expr), advice)
    message, advice = mismatch(words, actual, needed)
    if use == "owner" and isinstance(actual, Bag) and actual.item == needed:
        one = "q" if isinstance(needed, Seat) else "t"
        advice = (
            f"ask of each: `some {one} in {words}: {one}'s ...`, or find the one: `the {one} in {words}: ...`"
        )
    if isinstance(actual, Int) and isinstance(needed, Bool):
        advice = f"write the whole comparison, as in `n = {words}`" if isinstance(expr, t.Number) else advice
        advice = f"compare it: `({words}) = 1`" if isinstance(expr, t.Fold | t.If) else advice
    return RefusedExpression("T001", message, expr.span, advice)


def _advice_for_none(expr: t.Expr, words: str, scope: Scope | None, use: Use) -> str:
    """Return the advice for an expression that may be none. What is moved has no other value, and an owner is
    a name.
    """
    key = value_key(expr)
    if scope is not None and scope.message:
        return f"the condition does not hold here: write `if {words} is none then ... else ...`"
    if key is None and use == "moved":
        return "give it a name with `define`, and write `when ... is not none: move ...` with that name"
    if key is None:
        return f"write `({words} otherwise ...)`, or give it a name with `define`, and check that"
    if scope is not None and Present(key) in scope.changed:
        changed = "it may have changed since it was checked: write"
        if isinstance(expr, t.Fold) and expr.span.excerpt.startswith(
            "the one "
        ):  # a `where` line has no `when`
            return f"{changed} `({words} otherwise ...)` here, with what it is then"
        return f"{changed} `when {words} is not none: ...` here"
    if use == "moved":
        return f"write `when {words} is not none: move {words} ...`"
    if use == "owner":
        return f"check `{words} is not none` first, with `and`, `if` or `when`"
    return f"check `{words} is not none` first, or write `({words} otherwise ...)`"


def with_brackets(expr: t.Expr) -> Span:
    """Return the place of an expression with the brackets round it, if it has any."""
    span, content = expr.span, expr.span.text.content
    start, end = span.start, span.end
    if expr.bracketed:
        while start and content[start - 1].isspace():
            start -= 1
        while content[end : end + 1].isspace():
            end += 1
        if content[start - 1 : start] == "(" and content[end : end + 1] == ")":
            return Span(span.text, start - 1, end + 1)
    return span


def mismatch(words: str, actual: Type, needed: Type) -> tuple[str, str]:
    """Return the message and the advice for `words`."""
    requirement = f"{_requirement(needed)} {_be(needed)} needed here"
    if isinstance(actual, NoneType):
        return f"{requirement}, not `none`", "only what is declared with `or none` can be none"
    message = f"`{words}` {_be(actual)} {kind_of(actual)}, but {requirement}"
    return message, _advice(words, actual, needed)


def no_members(expr: t.Expr, kind: Type) -> RefusedExpression:
    """Return the fault of a single value instead of several."""
    message = f"`{expr.span.excerpt}` is {kind_of(kind)}, but several values are needed here"
    return RefusedExpression("T001", message, expr.span, "name tiles, players, melds or numbers")


def kind_of(kind: Type) -> str:
    """Return the words of a message for a type of value; the words of a choice are in backticks."""
    if isinstance(kind, Choice):
        return f"one of {', '.join(f'`{word}`' for word in kind.words)}"
    if isinstance(kind, Opt):
        return f"{kind_of(kind.item)} or none"
    return spoken(kind)


def _requirement(kind: Type) -> str:
    return "a condition" if isinstance(kind, Bool) else kind_of(kind)


def _be(kind: Type) -> str:
    several = isinstance(kind, Patterns) or (
        isinstance(kind, Bag) and not isinstance(kind.item, Bag | Choice)
    )
    return "are" if several else "is"


def _advice(words: str, actual: Type, needed: Type) -> str:
    match actual, needed:
        case Bag(Meld()), Tile() | Bag(Tile()):
            return f"take the tiles of all: `(sum of m for m in {words})`"
        case Bag() | Meld(), Bool():
            return f"write `{words} is not empty`"
        case Opt(), Bool():
            return f"write `{words} is not none`"
        case Int(), Bool():
            return f"compare it: `{words} = 1`"
        case _, Bool():
            return f"compare it: `{words} = ...`"
        case Bag() | Meld(), Int():
            return f"count them: `size of {words}`"
        case Int(), Bag(Tile() | Seat() | Meld()):
            return f"write {_requirement(needed)} here, or count them: `size of ...`"
        case Bag(item), _ if item == needed:
            return choose_from(words)
        case Bag(Tile()), Choice():
            return f"ask whether a tile is one of them: `t in {words}`"
        case Opt(Bag(Tile())), Choice():
            return f"ask whether a tile is one of them: `t in ({words} otherwise {{}})`"
        case Choice(), Int():
            return f"write `next after {words} in ...` for the next word, or `place of {words} in ...` for its number"
        case Choice(), Choice(wanted):
            both = ", ".join(dict.fromkeys((*wanted, *actual.words)) if len(wanted) > 1 else actual.words)
            return f"declare both with the same words: `one of {both}`"
        case Meld(), _ if needed == TILE:
            return f"choose from it: `some t in {words}: ...`"
        case _, Bag(item) if item == actual:
            return f"put it in braces: `{{{words}}}`"
        case _:
            return f"write {_requirement(needed)} here"


def choose_from(words: str) -> str:
    """Return the advice for several values where one is needed."""
    return f"choose from them: `some x in {words}: ...`"


def hidden_order(expr: t.RowEnd) -> RefusedExpression:
    """Return the fault of an end of a row that is read although its order may be hidden."""
    words = expr.row.span.excerpt
    advice = f"check whether a tile can be there: `t fits {expr.end} of {words}`"
    return RefusedExpression("T006", f"the order of `{words}` may be hidden", expr.span, advice)


def no_order(expr: t.Expr, scope: Scope) -> RefusedExpression:
    """Return the fault of tiles that have no order where one is needed."""
    words = expr.span.excerpt
    advice = "only a list of the event has one: add a key such as `tiles`"
    if isinstance(expr, t.Name) and expr.name in scope.lists:
        advice = f"a key with names for its tiles has none: write the key as `{words}: tiles`, without names"
    return RefusedExpression("T006", f"the tiles of `{words}` have no order", expr.span, advice)


def no_event(expr: t.Earlier) -> RefusedExpression:
    """Return the fault of `earlier` where no event has just happened."""
    word = Span(expr.span.text, expr.span.start, expr.span.start + len(EARLIER))
    message = "`earlier` compares with the moment before an event, but there is no event here"
    advice = (
        "leave it out of conditions, which are asked before their event; use it in a property of an action "
        "(`always ... after draw: ... earlier(...) ...`), not inside another `earlier`; an `ends` compares with "
        "that moment already"
    )
    return RefusedExpression("T007", message, word, advice)


def misplaced_share(expr: t.Share) -> RefusedExpression:
    """Return the fault of a share of hands that no claim states."""
    head = Span(expr.span.text, expr.span.start, expr.policy.span.end)
    return RefusedExpression(
        "R005", "only a `claim` can state a share of hands", head, "write a condition here"
    )


def misplaced_ways(head: Span, score: str, inside: bool) -> RefusedExpression:
    """Return the fault of `every way of` a score inside another one, or in what is no theorem and no claim."""
    if inside:
        message = f"a way of `{score}` cannot be inside another way"
        return RefusedExpression("R005", message, head, "write two conditions and join them with `and`")
    message = f"only a `theorem` or a `claim` can go through the ways of `{score}`"
    return RefusedExpression("R005", message, head, "write one of these instead")


def ways_read(span: Span, score: str, read: str) -> RefusedExpression:
    """Return the fault of ways of a score that read more than a hand and what is given."""
    message = f"a way of `{score}` depends only on the hand and what is given, not on `{read}`"
    return RefusedExpression("T001", message, span, "use only the hand and the values under `given`")


def ways_of_game(span: Span, score: str, read: str) -> RefusedExpression:
    """Return the fault of ways of a score that reads a game in progress."""
    message = f"`every way of` goes through hands without a game, and `{score}` reads `{read}`"
    return RefusedExpression(
        "T001", message, span, f"let `{score}` be given what it needs of `{read}`, in a line under `given`"
    )
