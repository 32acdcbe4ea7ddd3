"""Operators on values.

Input: an operator of the IR and the values of its arguments. Output: its value. Guarantee: no expression is evaluated
here; operators that may leave an argument unevaluated belong to the evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

import z3

from golpae.ir import expr as ir
from golpae.ir import limits
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    MeldValue,
    Number,
    Truth,
    Value,
    any_of,
    as_bag,
    as_key,
    as_number,
    as_truth,
    at_least,
    bags_same,
    cases,
    conj,
    each_case,
    equal,
    group_bag,
    guarded_union,
    holds,
    ite_number,
    joined,
    minus,
    negate,
    number_of,
    plus,
    same,
    size,
    times,
    within,
    without,
)

LARGEST_POWER = 12
LARGEST_EXPONENT = 64  # of an unknown number


def apply(op: ir.OpName, values: list[Value], unbounded: Callable[[str], Number]) -> Value:
    """Return the value of an operator on values; `unbounded` returns a number that may be any. Raises `Unsupported`."""
    left, right = values[0], values[-1]
    match op:
        case "not":
            return negate(as_truth(left))
        case "eq":
            return same(left, right)
        case "bag_eq":
            return bags_same(as_bag(left), as_bag(right))
        case "member":
            return _member(left, as_bag(right))
        case "bag_member":
            tiles = as_bag(left)
            return any_of(
                conj(at_least(c, 1), bags_same(tiles, group_bag(g))) for g, c in as_bag(right).items()
            )
        case "within":
            return within(as_bag(left), as_bag(right))
        case "lt":
            return negate(at_least(as_number(left), as_number(right)))
        case "ge":
            return at_least(as_number(left), as_number(right))
        case "gt":
            return negate(at_least(as_number(right), as_number(left)))
        case "le":
            return at_least(as_number(right), as_number(left))
        case "add":
            return _case_by_case(plus, left, right)
        case "sub":
            return _case_by_case(minus, left, right)
        case "mul":
            return times(as_number(left), as_number(right))
        case "neg":
            return times(-1, as_number(left))
        case "div" | "mod":
            return _divide(op, as_number(left), as_number(right))
        case "pow":
            powers = [(g, _power(as_number(left), as_number(k), unbounded)) for g, k in cases(right)]
            return number_of(powers)
        case "bag_add":
            return joined(as_bag(left), as_bag(right))
        case "bag_sub":
            return without(as_bag(left), as_bag(right))
        case "size":
            return len(left) if isinstance(left, list) else size(as_bag(left))
        case "kinds":
            return Bag({k: ite_number(at_least(c, 1), 1, 0) for k, c in as_bag(left).items()})
        case "tiles":
            return each_case(left, lambda one: None if one is None else as_bag(one))
        case "is_none":
            return same(left, None)
        case "range":
            return between(as_number(left), as_number(right))
        case "total":
            return left
        case "and" | "or" | "implies" | "otherwise":
            raise AssertionError(f"`{op}` may leave an argument unevaluated")
        case _:
            assert_never(op)


def between(low: Number, high: Number) -> Bag:
    """Return the numbers between two. Raises `Unsupported` if a bound is unknown, or if they are too many."""
    if not isinstance(low, int) or not isinstance(high, int):
        raise Unsupported("numbers between unknown bounds")
    try:
        return Bag(dict.fromkeys(limits.between(low, high), 1))
    except limits.TooManySteps:
        raise Unsupported(f"more than {limits.WIDEST:,} numbers between two") from None


def by_face(value: Value, faces: Sequence[int]) -> Value:
    """Return a tile, or what holds tiles, with the face of each tile."""
    match value:
        case GuardedUnion():
            return each_case(value, lambda one: by_face(one, faces))
        case MeldValue(tiles=tiles, label=label):
            return MeldValue(tuple(sorted(faces[tile] for tile in tiles)), label)
        case Bag():
            return joined(*(Bag({by_face(key, faces): count}) for key, count in value.items()))
        case list():
            return [by_face(one, faces) for one in value]
        case int():
            return faces[value]
        case None:
            return None
        case _:
            raise Unsupported("the faces of tiles that have no names here")


def _member(value: Value, bag: Bag) -> Truth:
    """Return whether a value, which may be one of several, is in a bag."""
    if isinstance(value, GuardedUnion) and bag.concrete and all(v.__class__ is int for _, v in value.cases):
        return any_of(guard for guard, one in value.cases if bag.count(one))
    return each_case(value, lambda one: _is_member(one, bag))


def _is_member(value: Value, bag: Bag) -> Truth:
    if isinstance(value, Bag):
        value = as_key(value)
    if isinstance(value, z3.ExprRef):
        return any_of(conj(same(value, k), at_least(c, 1)) for k, c in bag.items())
    return holds(bag, value)


def _case_by_case(operator: Callable[[Number, Number], Number], left: Value, right: Value) -> Value:
    """Return an operator of two numbers; one of finitely many numbers stays one of finitely many."""
    if all(v.__class__ is int for side in (left, right) for _, v in cases(side)) and (
        left.__class__ is int or right.__class__ is int
    ):
        return guarded_union((conj(g, h), operator(a, b)) for g, a in cases(left) for h, b in cases(right))
    return operator(as_number(left), as_number(right))


def _divide(op: str, left: Number, right: Number) -> Number:
    if isinstance(right, int):
        if right == 0:
            return 0
        if isinstance(left, int):
            return left // right if op == "div" else left % right
        return _divide_by(op, left, right)
    up, down = _divide_by(op, left, right), _divide_by(op, left, right, negative=True)
    return ite_number(equal(right, 0), 0, ite_number(at_least(right, 1), up, down))


def _divide_by(op: str, left: Number, right: Number, negative: bool | None = None) -> Number:
    """Return a quotient or rest by a number that is not 0, and `negative` or not if it is unknown.

    z3 rounds down if the divisor is positive: `a div b` is `-a div -b`, and `a mod b` is `-(-a mod -b)`.
    """
    if negative is None:
        negative = isinstance(right, int) and right < 0
    above, below = (times(-1, left), times(-1, right)) if negative else (left, right)
    above = z3.IntVal(above) if isinstance(above, int) else above
    if op == "div":
        return above / below
    return times(-1, above % below) if negative else above % below


def _power(base: Number, exponent: Number, unbounded: Callable[[str], Number]) -> Number:
    if isinstance(exponent, int):
        if isinstance(base, int):
            try:
                return limits.power(base, exponent)
            except limits.TooManySteps:
                raise Unsupported(f"numbers of more than {limits.MOST_DIGITS:,} digits") from None
        if exponent > LARGEST_EXPONENT:
            raise Unsupported(f"a power above {LARGEST_EXPONENT}")
        power: Number = 1
        for _ in range(max(0, exponent)):
            power = times(power, base)
        return power
    steps = [_power(base, k, unbounded) for k in range(LARGEST_POWER + 1)]
    beyond = unbounded("power")
    guards = [(equal(exponent, k), step) for k, step in enumerate(steps)][1:]
    return number_of(
        [(at_least(0, exponent), steps[0]), *guards, (at_least(exponent, LARGEST_POWER + 1), beyond)]
    )
