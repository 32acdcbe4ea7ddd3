"""Expressions over lines.

Input: an expression, and the words before and after it. Output: lines, each narrow enough if its words allow it.
Guarantee: the lines parse to an equal expression. They continue each other only inside brackets or behind the `:`
of their first line (syntax/layout.py), so the caller has to provide one of these.

    held: a in p's hand
      and b in p's hand          before `and`, `or`, `implies`, `+`, `-`, `*`, `div`, `mod`, and comparisons
    some t in p's hand:
      pair(t, u)                 after the `:` of a quantifier
    if over
      then 0
      else 1                     before `then` and `else`; one line for each `else if`
"""

from __future__ import annotations

from typing import assert_never

from golpae.syntax import tree as t
from golpae.syntax.cases import written_out
from golpae.syntax.format.expressions import (
    ANY,
    NEGATION,
    OTHER,
    POSTFIX,
    PRODUCT,
    SUM,
    UNARY,
    UNBROKEN,
    arguments,
    before_domain,
    else_level,
    fold_head,
    format_expression,
    left_side,
    needs_brackets,
    of_size,
    operand,
    place,
    quantifier,
    share_head,
    shielded,
    starts_with,
)
from golpae.syntax.format.lines import STEP, fits, message, names

# Operations of one strength that are broken together, each at the beginning of a line.
CHAINED: dict[t.BinaryOp, tuple[t.BinaryOp, ...]] = {
    "and": ("and",),
    "or": ("or",),
    "implies": ("implies",),
    "+": ("+", "-"),
    "-": ("+", "-"),
    "*": ("*",),
    "div": ("div",),
    "mod": ("mod",),
}


def labelled(
    first: str, expr: t.Expr, text: str | None = None, indent: str = "", words: str | None = None
) -> list[str]:
    """Return the lines of `first`, an expression and a message after it.

    `first` ends with a `:` and possibly words after it. The expression is in brackets if its first name is
    one of `words`.
    """
    deeper = indent + STEP
    bracketed = words is not None and starts_with(format_expression(expr), words)
    line = first + (format_expression(expr) if words is None else shielded(expr, words))
    if fits(line + message(text)):
        return [line + message(text)]
    if not bracketed:
        lines = broken(expr, first, deeper)
    elif isinstance(expr, t.Binary) and isinstance(expr.right, t.Share):
        lines = broken(expr.left, f"{first}(", deeper, last=")")
        lines += broken(expr.right, f"{deeper}{expr.op} ", deeper + STEP)
    else:
        lines = broken(expr, f"{first}(", deeper, last=")")
    return lines if text is None else [*lines, f'{deeper}"{text}"']


def broken(
    expr: t.Expr, first: str, indent: str, level: int = ANY, followed: bool = False, last: str = ""
) -> list[str]:
    """Return the expression between `first` and `last`; if it is too wide, over lines that start with `indent`."""
    flat = f"{first}{format_expression(expr, level, followed)}{last}"
    if fits(flat):
        return [flat]
    if needs_brackets(expr, level, followed):
        return broken(expr, f"{first}(", indent, last=f"){last}")
    if isinstance(expr, UNBROKEN):
        return [flat]
    deeper = indent + STEP
    match expr:
        case t.Binary(op=op) if op in CHAINED:
            return _broken_chain(expr, first, indent, followed, last)
        case t.Binary():
            return _broken_pair(expr, first, indent, followed, last)
        case t.Unary(op=op, arg=arg):
            start = f"{first}{op}{'' if op == '-' else ' '}"
            return broken(arg, start, indent, NEGATION if op == "not" else UNARY, followed, last)
        case t.Quantified(body=body) | t.Ways(body=body):
            return [*_head(expr, first, deeper), *broken(body, indent, deeper, last=last)]
        case t.Share(event=event):
            return [first + share_head(expr), *broken(event, indent, deeper, last=last)]
        case t.Fold():
            return _broken_fold(expr, first, indent, last)
        case t.Cases(by=_, rows=_, in_line=_):
            return broken(written_out(expr), first, indent, level, followed, last)
        case t.Rounded(number=number, direction=direction, unit=unit):
            end = f" rounded {direction} to {format_expression(unit, UNARY, followed)}{last}"
            return broken(number, first, indent, SUM, True, end)
        case t.Extreme(kind=kind, left=left, right=right):
            lines = broken(left, f"{first}the {kind} of ", deeper, SUM, True)
            return lines + broken(right, f"{indent}and ", deeper, SUM, followed, last)
        case t.NextTo(side=side, item=item, order=order):
            return broken(item, f"{first}next {side} ", indent, POSTFIX, last=f" in {order}{last}")
        case t.PlaceOf(item=item, order=order):
            return broken(item, f"{first}place of ", indent, POSTFIX, last=f" in {order}{last}")
        case t.If():
            return _broken_if(expr, first, indent, last)
        case t.Call() if expr.args:
            return _filled(f"{first}{expr.name}(", arguments(expr), expr.args, indent, f"){last}")
        case t.Bag(items=items) if items:
            return _filled(f"{first}{{", [*map(format_expression, items)], items, indent, f"}}{last}")
        case t.EachOf(item=item, name=word, domain=domain, test=test, size=size):
            lines = broken(item, f"{first}{{", deeper, SUM, True)
            end = f"}}{last}" if test is None else ":"
            of = of_size(size)
            lines += broken(domain, f"{indent}for {word.text}{of} in ", deeper, SUM, test is not None, end)
            return lines if test is None else lines + broken(test, indent, deeper, last=f"}}{last}")
        case t.RangeBag(low=low, high=high):
            lines = broken(low, f"{first}{{", deeper, SUM, True)
            return lines + broken(high, f"{indent}to ", deeper, SUM, True, f"}}{last}")
        case t.Earlier(arg=arg):
            return broken(arg, f"{first}earlier(", indent, last=f"){last}")
        case t.Is(arg=arg, word=word, negated=negated) if word.text != "of":
            return broken(
                arg, first, indent, OTHER, True, f" is {'not ' if negated else ''}{word.text}{last}"
            )
        case t.Beside(tiles=tiles, melds=melds, arrangement=word, negated=negated):
            lines = broken(tiles, first, deeper, OTHER, True)
            end = f" is {'not ' if negated else ''}{word.text}{last}"
            return lines + broken(melds, f"{indent}beside ", deeper, OTHER, True, end)
        case t.Parted(kind="within", shape=word, tiles=tiles):
            return broken(tiles, f"{first}{word.text} within ", indent, PRODUCT, followed, last)
        case t.Parted(shape=word, tiles=tiles, kind=_):
            level = UNARY if isinstance(tiles, t.Rounded) else SUM
            return broken(tiles, first, indent, level, True, f" without {word.text}{last}")
        case t.LayOut(groups=groups, tiles=tiles, arrangement=word):
            lines = broken(groups, first, deeper, OTHER, True)
            return lines + broken(tiles, f"{indent}lay out ", deeper, OTHER, True, f" as {word.text}{last}")
        case t.Bag() | t.Call() | t.Is() | t.With():  # by class
            return [flat]
        case _:
            assert_never(expr)


# ---------------------------------------------------------------- operations


def _broken_chain(expr: t.Binary, first: str, indent: str, followed: bool, last: str) -> list[str]:
    """Return operations of one strength, each operand after the first on a line that starts with its operator."""
    deeper = indent + STEP
    (_, start, level), *others = _chain(expr, CHAINED[expr.op])
    lines = broken(start, first, deeper, level, True)
    for number, (op, side, level) in enumerate(others, 1):
        ends = number == len(others)
        lines += broken(
            side, f"{indent}{op} ", deeper, level, followed if ends else True, last if ends else ""
        )
    return lines


def _chain(expr: t.Binary, ops: tuple[t.BinaryOp, ...]) -> list[tuple[t.BinaryOp, t.Expr, int]]:
    """Return the operands of `a - b + c`, each with the operator before it and its level."""
    left, level = operand(expr.op, expr.left, False)
    right, right_level = operand(expr.op, expr.right, True)
    end = (expr.op, right, right_level)
    if isinstance(left, t.Binary) and left.op in ops and not needs_brackets(left, level, True):
        return [*_chain(left, ops), end]
    return [(expr.op, left, level), end]


def _broken_pair(expr: t.Binary, first: str, indent: str, followed: bool, last: str) -> list[str]:
    """Return two sides of an operation: broken on the right if the left side leaves room, or else at the operator."""
    deeper = indent + STEP
    op, words = expr.op, left_side(expr.op, expr.left)
    left, level = operand(op, expr.left, False)
    right, right_level = operand(op, expr.right, True)
    if op == "fits":
        end, right_level = place(right), POSTFIX
    else:
        end = format_expression(right, right_level, followed)
    opens = isinstance(
        right, t.Quantified | t.Ways | t.Share | t.Fold | t.If
    )  # these have their own places to break
    on_one_line = fits(first + words) and fits(f"{indent}{op} {end}{last}") and not opens
    if fits(f"{first}{words} {op} {_opening(right)}") and not on_one_line:
        return _broken_right(right, f"{first}{words} {op} ", indent, right_level, followed, last)
    unbroken = fits(first + words) or words != format_expression(left, level, True)
    lines = [first + words] if unbroken else broken(left, first, deeper, level, True)
    return lines + _broken_right(right, f"{indent}{op} ", deeper, right_level, followed, last)


def _broken_right(expr: t.Expr, first: str, indent: str, level: int, followed: bool, last: str) -> list[str]:
    """Return the right side of an operation, which for `fits` may be a part of a row without brackets."""
    if level == POSTFIX and isinstance(expr, t.RowEnd):
        return broken(expr.row, f"{first}{expr.end} of ", indent, POSTFIX, last=last)
    if level == POSTFIX and isinstance(expr, t.RowPart):
        return [f"{first}{place(expr)}{last}"]
    return broken(expr, first, indent, level, followed, last)


def _opening(expr: t.Expr) -> str:
    """Return the words with which an expression begins and that stay on one line."""
    if isinstance(expr, UNBROKEN):
        return format_expression(expr)
    match expr:
        case t.Quantified(body=_):
            return f"({quantifier(expr)}"
        case t.Share(event=_):
            return share_head(expr)
        case t.Fold():
            return f"({fold_head(expr)}"
        case t.If(test=test, yes=_, no=_):
            return f"(if {_opening(test)}"
        case t.Binary(left=left, op=_, right=_):
            return _opening(left)
        case t.Call(name=name, args=_, names=_):
            return f"{name}("
        case (
            t.Ways() | t.Bag() | t.EachOf() | t.RangeBag() | t.Unary() | t.Earlier() | t.Is() | t.LayOut()
            | t.Beside() | t.Parted()
            | t.Cases() | t.Rounded() | t.Extreme() | t.NextTo() | t.PlaceOf()
        ):  # by class  # fmt: skip
            return ""
        case t.With(values=_, body=_):
            return ""
        case _:
            assert_never(expr)


# ---------------------------------------------------------------- quantifiers, choices and lists


def _head(expr: t.Quantified | t.Ways, first: str, indent: str) -> list[str]:
    """Return a quantifier up to its `:`."""
    if isinstance(expr, t.Ways) or fits(first + quantifier(expr)):
        return [first + quantifier(expr)]
    together = "" if expr.size is None else f" of {format_expression(expr.size, SUM, True)}"
    return broken(
        expr.domain, f"{first}{expr.kind} {names(expr.names)}{together} in ", indent, SUM, True, ":"
    )


def _broken_fold(expr: t.Fold, first: str, indent: str, last: str) -> list[str]:
    """Return a fold: the test on a line of its own, and before it what is counted, if that is too wide."""
    deeper = indent + STEP
    tested = expr.test is not None
    end = ":" if tested else last
    together = "" if expr.size is None else f" of {format_expression(expr.size, SUM, True)}"
    over = f"{names(expr.names)}{together} {before_domain(expr)} "
    if fits(f"{first}{fold_head(expr)}{'' if tested else last}"):
        lines = [f"{first}{fold_head(expr)}{'' if tested else last}"]
    elif expr.item is None:
        lines = broken(expr.domain, f"{first}{expr.kind} {over}", deeper, SUM, tested, end)
    else:
        lines = broken(expr.item, f"{first}{expr.kind} ", deeper, SUM, True)
        lines += broken(expr.domain, f"{indent}for {over}", deeper, SUM, tested, end)
    return lines if expr.test is None else lines + broken(expr.test, indent, deeper, last=last)


def _broken_if(expr: t.If, first: str, indent: str, last: str) -> list[str]:
    """Return a choice, with one line for each `else if` whose words fit."""
    deeper = indent + STEP
    lines = broken(expr.test, f"{first}if ", deeper)
    lines += broken(expr.yes, f"{indent}then ", deeper)
    other, start = expr.no, f"{indent}else "
    while isinstance(other, t.If) and not fits(f"{start}{format_expression(other)}{last}"):
        line = f"{start}if {format_expression(other.test)} then {format_expression(other.yes)}"
        if fits(line):
            lines.append(line)
        else:
            lines += broken(other.test, f"{start}if ", deeper)
            lines += broken(other.yes, f"{deeper}then ", deeper + STEP)
        other = other.no
    return lines + broken(other, start, deeper, else_level(other), last=last)


def _filled(first: str, texts: list[str], values: tuple[t.Expr, ...], indent: str, last: str) -> list[str]:
    """Return a list in brackets, as many values on each line as fit."""
    lines = [first]
    row = indent
    for number, (text, value) in enumerate(zip(texts, values, strict=True), 1):
        end = last if number == len(texts) else ","
        if row != indent and not fits(f"{row} {text}{end}"):
            lines.append(row)
            row = indent
        start = row if row == indent else f"{row} "
        called = text[
            : len(text) - len(format_expression(value))
        ]  # the name of the value, if it is given by name
        *above, row = broken(value, start + called, indent + STEP, last=end)
        lines += above
    return [*lines, row]
