"""Expressions as text, on one line or broken over lines.

Input: an expression, how tightly it must bind, what comes before and after it. Output: its text.
Guarantee: the text parses to an equal expression, and has no more brackets than a reader needs: those without
which it would mean something else, those round an `and` beside `or`, and those round a fold in a product.
"""

from __future__ import annotations

import re
from typing import assert_never

from golpae.syntax import tree as t
from golpae.syntax.format.lines import STEP, fits, message, names

# How tightly an expression binds. Each level is named after its loosest form.
ANY, EITHER, BOTH, NEGATION, COMPARISON, OTHER, SUM, PRODUCT, POWER, UNARY, POSTFIX = range(11)

# The operators to break at, and the level of each side.
CHAINED: dict[t.BinaryOp, int] = {
    "and": NEGATION,
    "or": NEGATION,
    "implies": EITHER,
}


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
            return SUM, SUM, PRODUCT
        case "*" | "div" | "mod":
            return PRODUCT, PRODUCT, POWER
        case "^":
            return POWER, UNARY, POWER
        case _:
            assert_never(op)


# ---------------------------------------------------------------- on one line


def format_expression(expr: t.Expr, level: int = ANY, followed: bool = False) -> str:
    """Return an expression on one line.

    `level` is the loosest level that needs no brackets. `followed` means that words come after the expression
    which it could swallow.
    """
    if _needs_brackets(expr, level, followed):
        return f"({_bare(expr, False)})"
    return _bare(expr, followed)


def _needs_brackets(expr: t.Expr, level: int, followed: bool) -> bool:
    if followed and isinstance(expr, t.Quantified | t.Ways | t.If | t.Fold):
        return True
    if isinstance(expr, t.Fold) and level in (PRODUCT, POWER):
        return True
    return _level(expr) < level


def _level(expr: t.Expr) -> int:
    match expr:
        case t.Binary(op=op):
            return _levels(op)[0]
        case t.Quantified() | t.Ways() | t.If() | t.Unary(op="not"):
            return NEGATION
        case t.Is() | t.LayOut():
            return COMPARISON
        case t.Unary() | t.Fold() | t.RowEnd() | t.RowPlace():
            return UNARY
        case (
            t.Number() | t.Truth() | t.Nothing() | t.TileName() | t.Name() | t.Possessive() | t.Call()
            | t.Bag() | t.EachOf() | t.RangeBag() | t.Earlier()
        ):  # fmt: skip
            return POSTFIX
        case _:
            assert_never(expr)


def _bare(expr: t.Expr, followed: bool) -> str:
    """Return the expression without brackets round it."""
    match expr:
        case t.Number(value=value):
            return str(value)
        case t.Truth(value=value):
            return "yes" if value else "no"
        case t.Nothing():
            return "none"
        case t.TileName(name=name):
            return name
        case t.Name(name=name):
            # `some in x` would be read as the start of `some a in x: ...`, `no and of` of `no a of 2 in x: ...`
            return f"({name})" if name in ("some", "every", "of") else name
        case t.Possessive(owner=owner, name=name):
            return f"its {name}" if owner == t.Name(expr.span, "it") else f"{_owner(owner)}'s {name}"
        case t.Call(name=name):
            return f"{name}({', '.join(_arguments(expr))})"
        case t.Bag(items=items):
            return f"{{{', '.join(map(format_expression, items))}}}"
        case t.EachOf(item=item, name=word, domain=domain, test=test):
            over = format_expression(domain, SUM, test is not None)
            head = f"{format_expression(item, SUM, True)} for {word.text} in {over}"
            return f"{{{head}}}" if test is None else f"{{{head}: {format_expression(test)}}}"
        case t.RangeBag(low=low, high=high):
            return f"{{{bounds(low, high)}}}"
        case t.Unary(op=op, arg=arg):
            level = NEGATION if op == "not" else UNARY
            return f"{op}{'' if op == '-' else ' '}{format_expression(arg, level, followed)}"
        case t.RowEnd(end=end, row=row):
            return f"{end} of {format_expression(row, POSTFIX)}"
        case t.RowPlace(row=row, number=number):
            return f"{format_expression(row, POSTFIX)} at {format_expression(number, POSTFIX)}"
        case t.Earlier(arg=arg):
            return f"earlier({format_expression(arg)})"
        case t.Binary(op=op, left=left, right=right):
            return _binary(op, left, right, followed)
        case t.Is(arg=arg, word=word, negated=negated):
            # `no is of` would be read as the start of `no a of 2 in x: ...`
            text = _not_a_quantifier(arg) if word.text == "of" else format_expression(arg, OTHER, True)
            return f"{text} is {'not ' if negated else ''}{word.text}"
        case t.LayOut(groups=groups, tiles=tiles, arrangement=word):
            layout = (
                f"{format_expression(groups, OTHER, True)} lay out {format_expression(tiles, OTHER, True)}"
            )
            return f"{layout} as {word.text}"
        case t.Quantified(body=body) | t.Ways(body=body):
            return f"{_quantifier(expr)} {format_expression(body)}"
        case t.Fold(test=test):
            return _fold(expr) if test is None else f"{_fold(expr)} {format_expression(test)}"
        case t.If(test=test, yes=yes, no=no):
            choice = f"if {format_expression(test)} then {format_expression(yes)}"
            return f"{choice} else {format_expression(no)}"
        case _:
            assert_never(expr)


def _binary(op: t.BinaryOp, left: t.Expr, right: t.Expr, followed: bool) -> str:
    if op == "fits":
        return f"{format_expression(left, OTHER, True)} fits {place(right)}"
    if op == "not in":
        # `no not in x` would be read as the start of `no a in x: ...`
        return f"{_not_a_quantifier(left)} not in {format_expression(right, OTHER, followed)}"
    _, at_left, at_right = _levels(op)
    return f"{_side(op, left, at_left, True)} {op} {_side(op, right, at_right, followed)}"


def _side(op: t.BinaryOp, expr: t.Expr, level: int, followed: bool) -> str:
    """Return one side of an operation."""
    mixed = op == "or" and isinstance(expr, t.Binary) and expr.op == "and"
    return format_expression(expr, NEGATION if mixed else level, followed)


def _arguments(call: t.Call) -> list[str]:
    """Return the values of a call, each with the name of its parameter if the author wrote names."""
    values = [format_expression(arg) for arg in call.args]
    if not call.names:
        return values
    return [f"{word.text}: {value}" for word, value in zip(call.names, values, strict=True)]


def _quantifier(expr: t.Quantified | t.Ways) -> str:
    """Return a quantifier up to its `:`."""
    match expr:
        case t.Quantified(kind=kind, domain=domain, size=size):
            together = "" if size is None else f" of {format_expression(size, SUM, True)}"
            return f"{kind} {names(expr.names)}{together} in {format_expression(domain, SUM, True)}:"
        case t.Ways(kind=kind, score=word):
            return f"{kind} way of {word.text}:"
        case _:
            assert_never(expr)


def _not_a_quantifier(expr: t.Expr) -> str:
    """Return the left side of words that would be read with a `no` before them."""
    text = format_expression(expr, OTHER, True)
    return f"({text})" if re.search(r"(?<![\w'-])no$", text) else text


def _fold(expr: t.Fold) -> str:
    """Return a fold up to its test."""
    tested = expr.test is not None
    item = "" if expr.item is None else f"{format_expression(expr.item, SUM, True)} for "
    together = "" if expr.size is None else f" of {format_expression(expr.size, SUM, True)}"
    domain = format_expression(expr.domain, SUM, tested)
    return f"{expr.kind} {item}{names(expr.names)}{together} in {domain}{':' if tested else ''}"


def _owner(owner: t.Owner) -> str:
    match owner:
        case t.Name(name=name):
            return name
        case t.Possessive(owner=inner, name=name):
            return f"{_owner(inner)}'s {name}"
        case _:
            assert_never(owner)


def place(expr: t.Expr) -> str:
    """Return an expression that names a zone, or an end of a row without brackets."""
    return _bare(expr, False) if isinstance(expr, t.RowEnd) else format_expression(expr, POSTFIX)


def bounds(low: t.Expr, high: t.Expr) -> str:
    """Return `low to high`."""
    return f"{format_expression(low, SUM, True)} to {format_expression(high, SUM, True)}"


def guarded(text: str, words: str) -> str:
    """Return the text of an expression, in brackets if its first name is one of the words."""
    return f"({text})" if _starts_with(text, words) else text


def _starts_with(text: str, words: str) -> bool:
    return re.match(rf"(?:{words})(?![\w'-])", text) is not None


# ------------------------------------------------------------------ over lines


def labelled(
    first: str, expr: t.Expr, text: str | None = None, indent: str = "", words: str | None = None
) -> list[str]:
    """Return the lines of `first`, an expression and a message after it.

    `first` ends with a `:` and possibly words after it. The expression is in brackets if its first name is
    one of `words`.
    """
    deeper = indent + STEP
    flat = format_expression(expr)
    bracketed = words is not None and _starts_with(flat, words)
    line = first + (f"({flat})" if bracketed else flat)
    if fits(line + message(text)):
        return [line + message(text)]
    lines = broken(expr, f"{first}(", deeper, last=")") if bracketed else broken(expr, first, deeper)
    return lines if text is None else [*lines, f'{deeper}"{text}"']


def broken(
    expr: t.Expr, first: str, indent: str, level: int = ANY, followed: bool = False, last: str = ""
) -> list[str]:
    """Return the expression between `first` and `last`; if it is too wide, over lines that start with `indent`."""
    flat = f"{first}{format_expression(expr, level, followed)}{last}"
    if fits(flat):
        return [flat]
    if _needs_brackets(expr, level, followed):
        return broken(expr, f"{first}(", indent, last=f"){last}")
    deeper = indent + STEP
    match expr:
        case t.Binary(op=op) if op in CHAINED:
            return _broken_chain(expr, first, indent, followed, last)
        case t.Binary(op="fits"):
            return [flat]
        case t.Binary(op=op, left=left, right=right):
            _, at_left, at_right = _levels(op)
            start = f"{first}{format_expression(left, at_left, True)} {op} "
            return broken(right, start, indent, at_right, followed, last)
        case t.Unary(op="not", arg=arg):
            return broken(arg, f"{first}not ", indent, NEGATION, followed, last)
        case t.Quantified(body=body) | t.Ways(body=body):
            return [first + _quantifier(expr), *broken(body, indent, deeper, last=last)]
        case t.Fold(test=test):
            return [flat] if test is None else [first + _fold(expr), *broken(test, indent, deeper, last=last)]
        case t.If(test=test, yes=yes, no=no):
            lines = broken(test, f"{first}if ", deeper)
            lines += broken(yes, f"{indent}then ", deeper)
            return lines + broken(no, f"{indent}else ", deeper, last=last)
        case t.Call():
            return _broken_call(expr, first, indent, last) if len(expr.args) > 1 else [flat]
        case (
            t.Number() | t.Truth() | t.Nothing() | t.TileName() | t.Name() | t.Possessive() | t.Bag()
            | t.EachOf() | t.RangeBag() | t.Unary() | t.RowEnd() | t.RowPlace() | t.Earlier() | t.Is()
            | t.LayOut()
        ):  # fmt: skip
            return [flat]
        case _:
            assert_never(expr)


def _broken_chain(expr: t.Binary, first: str, indent: str, followed: bool, last: str) -> list[str]:
    """Return what one operator joins, each side after the first on a line that starts with the operator."""
    op, deeper = expr.op, indent + STEP
    lines: list[str] = []
    *sides, end = _chain(expr, op)
    for side in sides:
        lines += broken(side, f"{indent}{op} " if lines else first, deeper, CHAINED[op], True)
    return lines + broken(end, f"{indent}{op} ", deeper, CHAINED[op], followed, last)


def _chain(expr: t.Expr, op: t.BinaryOp) -> list[t.Expr]:
    """Return what one operator joins: `a`, `b` and `c` of `a and b and c`."""
    if not isinstance(expr, t.Binary) or expr.op != op:
        return [expr]
    if op == "implies":  # which associates to the right
        return [expr.left, *_chain(expr.right, op)]
    return [*_chain(expr.left, op), expr.right]


def _broken_call(call: t.Call, first: str, indent: str, last: str) -> list[str]:
    """Return a call with its values on lines of their own, as many on each as fit."""
    values = _arguments(call)
    lines = [f"{first}{call.name}("]
    row = indent
    for value in (*(f"{x}," for x in values[:-1]), values[-1]):
        if row != indent and not fits(f"{row} {value}"):
            lines.append(row)
            row = indent
        row += value if row == indent else f" {value}"
    return [*lines, f"{row}){last}"]
