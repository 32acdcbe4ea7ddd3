"""Expressions as text, on one line.

Input: an expression, how tightly it must bind, what comes after it. Output: its text.
Guarantee: the text parses to an equal expression. It has brackets where it would mean something else without
them, where few readers know which operation comes first (`(a and b) or c`), and where they help and its author
wrote them (`a or (some b in c: d)`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import assert_never

from golpae.syntax import tree as t
from golpae.syntax.cases import written_out
from golpae.syntax.format.lines import names

# How tightly an expression binds. Each level is named after its loosest form.
ANY, EITHER, BOTH, NEGATION, COMPARISON, OTHER, SUM, ADDED, PRODUCT, POWER, UNARY, POSTFIX = range(12)


# What the author's brackets can make clear as a part of something else.
HELPED = t.Binary | t.Quantified | t.Ways | t.Fold | t.Rounded | t.Extreme | t.If | t.Is | t.LayOut | t.Beside

# What always stands on one line.
UNBROKEN = (
    t.Number | t.Truth | t.Nothing | t.TileName | t.Name | t.Possessive | t.RowEnd | t.RowPlace
)  # fmt: skip


def _levels(op: t.BinaryOp) -> tuple[int, int, int]:
    """Return the level of an operation, and the levels that its left and right sides must have."""
    match op:
        case "implies":
            return ANY, EITHER, ANY
        case "or":
            return EITHER, EITHER, BOTH
        case "and":
            return BOTH, BOTH, NEGATION
        case "=" | "/=" | "<" | "<=" | ">" | ">=" | "in" | "not in":
            return COMPARISON, OTHER, OTHER
        case "fits":
            return COMPARISON, OTHER, POSTFIX
        case "otherwise":
            return OTHER, OTHER, SUM
        case "+" | "-":
            return ADDED, ADDED, PRODUCT
        case "*" | "div" | "mod":
            return PRODUCT, PRODUCT, POWER
        case "^":
            return POWER, UNARY, POWER
        case _:
            assert_never(op)


def operand(op: t.BinaryOp, expr: t.Expr, right: bool) -> tuple[t.Expr, int]:
    """Return one side of an operation, without the author's brackets if they say nothing, and its level."""
    level = _levels(op)[2 if right else 1]
    if _is_unclear(op, expr, right):
        return expr, POSTFIX
    if expr.bracketed and _is_clear(op, expr):
        return replace(expr, bracketed=False), level
    return expr, POSTFIX if expr.bracketed and isinstance(expr, HELPED) else level


def _is_unclear(op: t.BinaryOp, expr: t.Expr, right: bool) -> bool:
    """Return whether few readers know that this side of an operation needs no brackets."""
    if not isinstance(expr, t.Binary):
        return op == "^" and isinstance(expr, t.Unary) and expr.op == "-"
    match op:
        case "or":
            return expr.op == "and"
        case "implies":
            return right and expr.op == "implies"
        case "otherwise":
            return expr.op in ("+", "-", "*", "div", "mod", "^")
        case "*" | "div" | "mod":
            return expr.op in ("*", "div", "mod") and expr.op != op
        case "^":
            return right and expr.op == "^"
        case "and" | "=" | "/=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "fits" | "+" | "-":
            return False
        case _:
            assert_never(op)


def _is_clear(op: t.BinaryOp, expr: t.Expr) -> bool:
    """Return whether every reader knows that this side of an operation needs no brackets."""
    joins = op in ("and", "or", "implies")
    match expr:
        case t.Binary(op=inner):
            compares = inner in ("=", "/=", "<", "<=", ">", ">=", "in", "not in", "fits")
            return inner == op or (compares if joins else op in ("=", "/=", "<", "<=", ">", ">="))
        case t.Is() | t.Unary():
            return joins
        case _:
            return False


# ---------------------------------------------------------------- on one line


def format_expression(expr: t.Expr, level: int = ANY, followed: bool = False) -> str:
    """Return an expression on one line.

    `level` is the loosest level that needs no brackets. `followed` means that words come after the expression
    which it could swallow.
    """
    if needs_brackets(expr, level, followed):
        return f"({_bare(expr, False)})"
    return _bare(expr, followed)


def needs_brackets(expr: t.Expr, level: int, followed: bool) -> bool:
    """Return whether an expression stands in brackets: because of its level, or because its author wrote them."""
    if level > ANY and expr.bracketed and isinstance(expr, HELPED):
        return True
    if followed and isinstance(expr, t.Quantified | t.Ways | t.If | t.Cases | t.Fold | t.Extreme):
        return True
    if isinstance(expr, t.Fold | t.Extreme) and level in (PRODUCT, POWER):
        return True
    return _level(expr) < level


def _level(expr: t.Expr) -> int:
    match expr:
        case t.Binary(op=op, left=_, right=_):
            return _levels(op)[0]
        case t.Unary(op="not", arg=_):
            return NEGATION
        case t.Quantified() | t.Ways() | t.Share() | t.If() | t.Cases() | t.With():  # by class
            return NEGATION
        case t.Is() | t.LayOut() | t.Beside():  # by class
            return COMPARISON
        case t.Rounded() | t.Parted():  # by class
            return SUM
        case (
            t.Unary() | t.Fold() | t.RowEnd() | t.RowPlace() | t.Extreme() | t.NextTo() | t.PlaceOf()
        ):  # by class  # fmt: skip
            return UNARY
        case (
            t.Number() | t.Truth() | t.Nothing() | t.TileName() | t.Name() | t.Possessive() | t.Call()
            | t.Bag() | t.EachOf() | t.RangeBag() | t.Earlier()
        ):  # by class  # fmt: skip
            return POSTFIX
        case _:
            assert_never(expr)


def _bare(expr: t.Expr, followed: bool) -> str:
    """Return the expression without brackets round it."""
    match expr:
        case t.Cases(by=_, rows=_, in_line=_):  # only a definition can write them so
            return _bare(written_out(expr), followed)
        case t.Number(value=value):
            return str(value)
        case t.Truth(value=value):
            return "yes" if value else "no"
        case t.Nothing():
            return "none"
        case t.TileName(name=name):
            return name
        case t.Name(name=name, words=_):
            # `some in x` would be read as the start of `some a in x: ...`, `no and of` of `no a of 2 in x: ...`
            return f"({name})" if name in ("some", "every", "of") else name
        case t.Possessive(owner=owner, name=name):
            if owner == t.Name(expr.span, "it"):
                return f"its {name}"
            return f"{_owner(owner)}'s {name}"
        case t.Call(name=name):
            return f"{name}({', '.join(arguments(expr))})"
        case t.Bag(items=items):
            return f"{{{', '.join(map(format_expression, items))}}}"
        case t.EachOf(item=item, name=word, domain=domain, test=test, size=size):
            over = format_expression(domain, SUM, test is not None)
            head = f"{format_expression(item, SUM, True)} for {word.text}{of_size(size)} in {over}"
            return f"{{{head}}}" if test is None else f"{{{head}: {format_expression(test)}}}"
        case t.RangeBag(low=low, high=high):
            return f"{{{bounds(low, high)}}}"
        case t.Unary(op=op, arg=arg):
            level = NEGATION if op == "not" else UNARY
            return f"{op}{'' if op == '-' else ' '}{format_expression(arg, level, followed)}"
        case t.RowEnd(end=end, row=row):
            return f"{end} of {format_expression(row, POSTFIX)}"
        case t.RowPlace(row=row, number=number, end=end):
            from_back = " from the back" if end == "back" else ""
            return f"{format_expression(row, POSTFIX)} at {format_expression(number, POSTFIX)}{from_back}"
        case t.Earlier(arg=arg):
            return f"earlier({format_expression(arg)})"
        case t.Binary(op=op, left=left, right=right):
            return _binary(op, left, right, followed)
        case t.Is(arg=arg, word=word, negated=negated):
            # `no is of` would be read as the start of `no a of 2 in x: ...`
            text = _not_a_quantifier(arg) if word.text == "of" else format_expression(arg, OTHER, True)
            return f"{text} is {'not ' if negated else ''}{word.text}"
        case t.Beside(tiles=tiles, melds=melds, arrangement=word, negated=negated):
            ends = f"{format_expression(tiles, OTHER, True)} beside {format_expression(melds, OTHER, True)}"
            return f"{ends} is {'not ' if negated else ''}{word.text}"
        case t.Parted(kind="within", shape=word, tiles=tiles):
            return f"{word.text} within {format_expression(tiles, PRODUCT, followed)}"
        case t.Parted(shape=word, tiles=tiles, kind=_):
            level = UNARY if isinstance(tiles, t.Rounded) else SUM
            return f"{format_expression(tiles, level, True)} without {word.text}"
        case t.LayOut(groups=groups, tiles=tiles, arrangement=word):
            layout = (
                f"{format_expression(groups, OTHER, True)} lay out {format_expression(tiles, OTHER, True)}"
            )
            return f"{layout} as {word.text}"
        case t.Quantified(body=body) | t.Ways(body=body):
            return f"{quantifier(expr)} {format_expression(body)}"
        case t.Share(event=event):
            return f"{share_head(expr)} {format_expression(event)}"
        case t.Fold(test=test):
            return fold_head(expr) if test is None else f"{fold_head(expr)} {format_expression(test)}"
        case t.Rounded(number=number, direction=direction, unit=unit):
            said = format_expression(number, SUM, True)
            return f"{said} rounded {direction} to {format_expression(unit, UNARY, followed)}"
        case t.Extreme(kind=kind, left=left, right=right):
            first = f"the {kind} of {format_expression(left, SUM, True)}"
            return f"{first} and {format_expression(right, SUM, followed)}"
        case t.NextTo(side=side, item=item, order=order):
            return f"next {side} {format_expression(item, POSTFIX)} in {order}"
        case t.PlaceOf(item=item, order=order):
            return f"place of {format_expression(item, POSTFIX)} in {order}"
        case t.If(test=test, yes=yes, no=no):
            choice = f"if {format_expression(test)} then {format_expression(yes)}"
            return f"{choice} else {format_expression(no, else_level(no), followed)}"
        case t.With(values=values, body=body):
            named = ", ".join(f"{value.name.text} is {format_expression(value.expr)}" for value in values)
            return f"{format_expression(body)} where {named}"
        case _:
            assert_never(expr)


def _binary(op: t.BinaryOp, left: t.Expr, right: t.Expr, followed: bool) -> str:
    end = place(right) if op == "fits" else format_expression(*operand(op, right, True), followed)
    return f"{left_side(op, left)} {op} {end}"


def left_side(op: t.BinaryOp, left: t.Expr) -> str:
    """Return the left side of an operation as text."""
    # `no not in x` would be read as the start of `no a in x: ...`
    return _not_a_quantifier(left) if op == "not in" else format_expression(*operand(op, left, False), True)


def else_level(expr: t.Expr) -> int:
    """Return the level of what stands after `else`: brackets show how far it goes."""
    joins = isinstance(expr, t.Binary) and expr.op in ("and", "or", "implies")
    return POSTFIX if joins or (isinstance(expr, t.Binary) and expr.bracketed) else ANY


def arguments(call: t.Call) -> list[str]:
    """Return the values of a call, each with the name of its parameter if the author wrote names."""
    values = [format_expression(arg) for arg in call.args]
    if not call.names:
        return values
    return [f"{word.text}: {value}" for word, value in zip(call.names, values, strict=True)]


def quantifier(expr: t.Quantified | t.Ways) -> str:
    """Return a quantifier up to its `:`."""
    match expr:
        case t.Quantified(kind=kind, domain=domain, size=size, body=_):
            together = "" if size is None else f" of {format_expression(size, SUM, True)}"
            return f"{kind} {names(expr.names)}{together} in {format_expression(domain, SUM, True)}:"
        case t.Ways(kind=kind, score=word, body=_):
            return f"{kind} way of {word.text}:"
        case _:
            assert_never(expr)


def share_head(expr: t.Share) -> str:
    """Return a share up to its `:`."""
    percents = " and ".join(word.text for word in expr.percents)
    return f"{expr.word} {percents} of hands by {expr.policy.text}:"


def _not_a_quantifier(expr: t.Expr) -> str:
    """Return the left side of words that would be read with a `no` before them."""
    text = format_expression(expr, OTHER, True)
    return f"({text})" if re.search(r"(?<![\w'-])no$", text) else text


def fold_head(expr: t.Fold) -> str:
    """Return a fold up to its test."""
    tested = expr.test is not None
    item = "" if expr.item is None else f"{format_expression(expr.item, SUM, True)} for "
    together = of_size(expr.size)
    domain = format_expression(expr.domain, SUM, tested)
    return f"{expr.kind} {item}{names(expr.names)}{together} {before_domain(expr)} {domain}{':' if tested else ''}"


def of_size(size: t.Expr | None) -> str:
    """Return the words between a name and `in` that say how many members it is."""
    return "" if size is None else f" of {format_expression(size, SUM, True)}"


def before_domain(expr: t.Fold) -> str:
    """Return the word between the names of a fold and its domain."""
    match expr.kind:
        case "the next":
            return "after"
        case "the last":
            return "before"
        case "number of" | "sum of" | "most of" | "least of" | "the" | "the one" | "those":
            return "in"
        case _:
            assert_never(expr.kind)


def _owner(owner: t.Expr) -> str:
    """Return an owner; in brackets if it is more than a name or the use of a definition."""
    match owner:
        case t.Name(name=name, words=_) | t.TileName(name=name):
            return name
        case t.Possessive() | t.Call():
            return _bare(owner, False)
        case _:
            return f"({format_expression(owner)})"


def place(expr: t.Expr) -> str:
    """Return an expression that names a zone, or an end or a place of a row without brackets."""
    return _bare(expr, False) if isinstance(expr, t.RowPart) else format_expression(expr, POSTFIX)


def bounds(low: t.Expr, high: t.Expr) -> str:
    """Return `low to high`."""
    return f"{format_expression(low, SUM, True)} to {format_expression(high, SUM, True)}"


def guarded(text: str, words: str) -> str:
    """Return the text of an expression, in brackets if its first name is one of the words."""
    return f"({text})" if starts_with(text, words) else text


def shielded(expr: t.Expr, words: str) -> str:
    """Return an expression on one line; in brackets if its first name is one of the words, or what comes before
    a share of hands, which cannot stand in brackets.
    """
    flat = format_expression(expr)
    if isinstance(expr, t.Binary) and isinstance(expr.right, t.Share) and starts_with(flat, words):
        return f"({format_expression(expr.left)}) {expr.op} {format_expression(expr.right)}"
    return guarded(flat, words)


def starts_with(text: str, words: str) -> bool:
    """Return whether a text begins with one of the words."""
    return re.match(rf"(?:{words})(?![\w'-])", text) is not None
