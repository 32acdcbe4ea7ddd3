"""Checks and statements as text, to be read by people who change golpae, and by tests.

Input: checks, or statements. Output: lines, one for each, blocks indented.
Guarantee: each class and each field of them shows; expressions are written close to the language.

    branch put.then when: tile in jokers
      take tile from hand of p
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from golpae.ir import expr as ir
from golpae.lower import statements as st
from golpae.lower.checks import Amounts, AtStage, Check, HandSizes, Holds, Settled, Test

INFIX: dict[ir.OpName, str] = {
    "and": "and", "or": "or", "implies": "implies", "otherwise": "otherwise",
    "eq": "=", "bag_eq": "=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "member": "in", "bag_member": "in", "within": "in",
    "add": "+", "sub": "-", "mul": "*", "div": "div", "mod": "mod", "pow": "^", "bag_add": "+", "bag_sub": "-",
}  # fmt: skip

WORDS: dict[bool | None, str] = {True: "yes", False: "no", None: "none"}


def check_lines(checks: Iterable[Check]) -> Iterator[str]:
    """Yield the lines of checks."""
    for check in checks:
        yield f"check {check.path}: {_test(check.test)}"


def _test(test: Test) -> str:
    match test:
        case Holds(expr=expr):
            return text(expr)
        case AtStage(stages=stages):
            return f"at stage {' or '.join(stages)}"
        case HandSizes(first=first, others=others):
            return f"hands of {text(first)} for first, of {text(others)} for others"
        case Amounts(key=key, account=account, optional=optional):
            return f"{key} as {account}{', or none' if optional else ''}"
        case Settled(expr=expr):
            return f"with the totals that are left, {text(expr)}"
        case _:
            assert_never(test)


def lines(statements: Iterable[st.Statement], depth: int = 0) -> Iterator[str]:
    """Yield the lines of statements."""
    for statement in statements:
        yield from _lines(statement, "  " * depth, depth)


def _lines(statement: st.Statement, indent: str, depth: int) -> Iterator[str]:
    match statement:
        case st.Let(name=name, value=value):
            yield f"{indent}let {name} be {text(value)}"
        case st.Take(what=what, place=place):
            yield f"{indent}take {text(what)} from {_place(place)}"
        case st.TakeAll(name=name, place=place):
            yield f"{indent}take all from {_place(place)} as {name}"
        case st.Put(what=what, place=place):
            yield f"{indent}put {text(what)} to {_place(place)}"
        case st.MoveRow(source=source, target=target):
            yield f"{indent}move row {_place(source)} to {_place(target)}"
        case st.MoveMelds(source=source, label=label, target=target):
            yield f"{indent}move melds {_place(source)} to {_place(target)}{_labelled(label)}"
        case st.NewMeld(tiles=tiles, label=label, place=place):
            yield f"{indent}new meld of {text(tiles)} in {_place(place)}{_labelled(label)}"
        case st.TakeMeld(meld=meld, place=place):
            yield f"{indent}take meld {text(meld)} from {_place(place)}"
        case st.PutMeld(meld=meld, label=label, place=place):
            yield f"{indent}put meld {text(meld)} to {_place(place)}{_labelled(label)}"
        case st.AddToMeld(tiles=tiles, meld=meld, label=label, zone=zone):
            yield f"{indent}add {text(tiles)} to meld {text(meld)} of {text(zone)}{_labelled(label)}"
        case st.TakeFromMeld(tiles=tiles, meld=meld, zone=zone):
            yield f"{indent}take {text(tiles)} from meld {text(meld)} of {text(zone)}"
        case st.Set(name=name, seat=seat, value=value):
            yield f"{indent}set {name}{_of(seat)} to {text(value)}"
        case st.Credit(seat=seat, amount=amount):
            yield f"{indent}credit {text(seat)} with {text(amount)}"
        case st.Over(winner=winner):
            yield f"{indent}over, won by {'nobody' if winner is None else text(winner)}"
        case st.Shuffle(place=place):
            yield f"{indent}shuffle {_place(place)}"
        case st.Cut(place=place, number=number):
            yield f"{indent}cut {_place(place)} at {text(number)}"
        case st.Arrange(tiles=tiles, place=place):
            yield f"{indent}arrange {_place(place)} as {text(tiles)}"
        case st.Rotate(zone=zone_name, side=side):
            yield f"{indent}rotate {zone_name} to the {side}"
        case st.Branch(path=path, test=test, yes=yes, no=no):
            yield f"{indent}branch {path}: {text(test)}"
            yield from lines(yes, depth + 1)
            if no:
                yield f"{indent}otherwise"
                yield from lines(no, depth + 1)
        case st.Ensure(path=path, test=test):
            yield f"{indent}ensure {path}: {text(test)}"
        case st.Loop(name=name, domain=domain, body=body):
            yield f"{indent}loop {name} in {text(domain)}"
            yield from lines(body, depth + 1)
        case _:
            assert_never(statement)


def text(expr: ir.Expr) -> str:
    """Return an expression as text: close to the language where it is short, otherwise as a call."""
    if isinstance(expr, ir.Const):
        value = expr.value
        return WORDS[value] if value is None or isinstance(value, bool) else str(value)
    if isinstance(expr, ir.Local):
        return expr.name
    if isinstance(expr, ir.Builtin) and expr.name == "winner":
        return "the winner"  # `winner` is a key
    if isinstance(expr, ir.StateRead | ir.ZoneRead | ir.Builtin):
        return f"{expr.name}{_of(expr.seat)}"
    if isinstance(expr, ir.ZoneEnd):
        return f"{expr.end} of {expr.name}{_of(expr.seat)}"
    if isinstance(expr, ir.CallDef):
        return f"{expr.name}({', '.join(map(text, expr.args))})"
    if isinstance(expr, ir.BagOf):
        return f"{{{', '.join(map(text, expr.items))}}}"
    if isinstance(expr, ir.Op):
        if expr.op in INFIX:
            return f" {INFIX[expr.op]} ".join(map(text, expr.args)).join("()")
        return f"{expr.op}({', '.join(map(text, expr.args))})"
    return _members(expr) if isinstance(expr, ir.Quant | ir.Fold) and expr.size is None else _call(expr)


def _members(expr: ir.Quant | ir.Fold) -> str:
    """Return a quantifier or a fold over the members of a bag as text."""
    names, domain = " ".join(expr.names), text(expr.domain)
    if isinstance(expr, ir.Quant):
        return f"({expr.kind} {names} in {domain}: {text(expr.body)})"
    what = "" if expr.item is None else f" {text(expr.item)}"
    only = "" if expr.test is None else f": {text(expr.test)}"
    return f"({expr.kind}{what} for {names} in {domain}{only})"


def _call(expr: ir.Expr) -> str:
    """Return any node as a call: its class, its children, and what else it holds."""
    children = expr.STRUCTURE.children
    parts = []
    for field in expr.__slots__:
        value = getattr(expr, field)
        if field == "type" or value is None:
            continue
        if field not in children:
            parts.append(" ".join(map(str, value)) if isinstance(value, tuple) else str(value))
        else:
            parts += map(text, value) if isinstance(value, tuple) else [text(value)]
    return f"{type(expr).__name__}({', '.join(parts)})"


def _of(seat: ir.Expr | None) -> str:
    return "" if seat is None else f" of {text(seat)}"


def _place(place: ir.Place) -> str:
    if place.number is not None:
        return f"{place.zone}{_of(place.seat)} at {text(place.number)}"
    end = "" if place.end is None else f"{place.end} of "
    return f"{end}{place.zone}{_of(place.seat)}"


def _labelled(label: str | None) -> str:
    return "" if label is None else f" as {label}"
