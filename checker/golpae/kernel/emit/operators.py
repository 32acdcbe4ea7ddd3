"""Operators on truths, numbers and single values.

Input: an operator and its operands. Output: its value.
Guarantee: `and`, `or` and `implies` evaluate the right side only if it matters; a number of more than 62 bits is
referred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from golpae.ir import expr as ir
from golpae.ir.traverse import conjuncts
from golpae.ir.types import (
    BOOL,
    INT,
    join,
)
from golpae.kernel.emit.parts import Names, bare
from golpae.kernel.emit.values import FAR, Bits, Group, PerSeat, Recorded, Scalar, Scored, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    below,
    both,
    either,
    eq,
    ge,
    gt,
    is_zero,
    le,
    lt,
    mul,
    ne,
    select,
    sub,
    xor,
)
from golpae.kernel.layout import NO_NUMBER, holds_list, none_of
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


COMPARED = {"lt": lt, "le": le, "gt": gt, "ge": ge}


class Operators:
    """Writes operators into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer, self.bags = expressions.layout, expressions.writer, expressions.bags

    def op(self, expr: ir.Op, names: Names) -> Value:
        op, args = expr.op, expr.args
        match op:
            case "and":
                return Scalar(self.first_that(conjuncts(expr), names, ZERO), BOOL, 1)
            case "or":
                return Scalar(self.first_that(args, names, ONE), BOOL, 1)
            case "implies":
                test = self._of.scalar(args[0], names)
                truth = self.writer.var(1)
                with self.writer.when(test):
                    self.writer.set(truth, self._of.scalar(args[1], names))
                return Scalar(truth, BOOL, 1)
            case "not":
                return Scalar(self.writer.let(is_zero(self._of.scalar(args[0], names))), BOOL, 1)
            case "eq":
                return Scalar(self.writer.let(self._equal(args[0], args[1], names)), BOOL, 1)
            case "lt" | "le" | "gt" | "ge":
                one, other = self._of.scalar(args[0], names), self._of.scalar(args[1], names)
                return Scalar(self.writer.let(COMPARED[op](one, other)), BOOL, 1)
            case "is_none":
                value = self._of.value(args[0], names)
                if isinstance(value, Scalar):
                    none = eq(value.value, Lit(none_of(args[0].type)))
                elif isinstance(value, Bits | Group | Stream | PerSeat | Recorded):
                    none = is_zero(value.present)
                elif isinstance(value, Scored):
                    none = eq(value.total, Lit(NO_NUMBER))
                else:
                    raise NotCompiled("whether an arrangement is none")
                return Scalar(self.writer.let(none), BOOL, 1)
            case "add" | "sub" | "mul" | "div" | "mod" | "pow" | "neg":
                return self.arithmetic(op, [self._of.number(a, names) for a in args])
            case "otherwise":
                return self._otherwise(args[0], args[1], names)
            case "range":
                return self._range(self._of.scalar(args[0], names), self._of.scalar(args[1], names))
            case "total":
                score = self._of.value(args[0], names)
                if not isinstance(score, Scored):
                    raise NotCompiled("the points of a value that is no score")
                return Scalar(score.total, expr.type)
            case "size":
                return Scalar(self._of.bag_operators.size(args[0], names), INT, 1 << 32)
            case "member" | "bag_member":
                has = self._of.bag_operators.member(args[0], args[1], names)
                return Scalar(self.writer.let(has), BOOL, 1)
            case "bag_eq" | "within" | "bag_add" | "bag_sub":
                return self._of.bag_operators.of_two_bags(op, args[0], args[1], names)
            case "kinds":
                return self._of.bag_operators.kinds(args[0], names)
            case "tiles":
                return self._of.bits(args[0], names)
            case _:
                assert_never(op)

    def first_that(self, tests: Iterable[ir.Expr], names: Names, stop: Lit) -> Expr:
        """Write tests one after the other until one is `stop`. Return the value of the last one that was asked."""
        writer = self.writer
        truth = writer.var(stop)
        with writer.block() as done:
            for test in tests:
                value = self._of.scalar(test, names)
                if isinstance(value, Lit):
                    if value.value == stop.value:
                        writer.leave(done)
                        break
                    continue
                writer.leave(done, value if stop.value else is_zero(value))
            else:
                writer.set(truth, 1 - stop.value)
        return truth

    def _equal(self, left: ir.Expr, right: ir.Expr, names: Names) -> Expr:
        if isinstance(left, ir.Op) and left.op == "size" and right == ir.Const(0, right.type):
            value = self._of.value(left.args[0], names)
            if isinstance(value, Bits | Group):
                return self.bags.is_empty(self._of.collecting.as_bits(value))
            return is_zero(self._of.bag_operators.size_of(value))
        kind = join(left.type, right.type)
        assert kind is not None
        coerced = self._of.collecting.coerced
        one, other = coerced(self._of.value(left, names), kind), coerced(self._of.value(right, names), kind)
        return self._of.bag_operators.same(kind, one, other)

    def arithmetic(self, op: str, args: list[Scalar]) -> Scalar:
        writer, let = self.writer, self.writer.let
        if op == "neg":
            return Scalar(let(sub(ZERO, args[0].value)), INT, args[0].bound)
        one, other = args
        a, b = let(one.value), let(other.value)
        match op:
            case "add" | "sub":
                made = let(add(a, b) if op == "add" else sub(a, b))
                bound = one.bound + other.bound
                if bound > FAR:
                    self.within_limits(made)
                return Scalar(made, INT, min(bound, FAR))
            case "mul":
                bound = one.bound * other.bound
                if bound > FAR:
                    for value, known in ((a, one.bound), (b, other.bound)):
                        if known >= 1 << 31:
                            writer.refer_if(
                                is_zero(below(add(value, Lit((1 << 31) - 1)), Lit((1 << 32) - 1))),
                                Limit.NUMBERS,
                            )
                return Scalar(let(mul(a, b)), INT, min(bound, FAR))
            case "div" | "mod":
                return self._divided(op, a, b, one.bound)
            case _:
                return self._power(a, b)

    def within_limits(self, value: Expr) -> None:
        """Refer if a number is further from 0 than any that is kept."""
        self.writer.refer_if(is_zero(below(add(value, Lit(FAR)), Lit(2 * FAR + 1))), Limit.NUMBERS)

    def _divided(self, op: str, a: Expr, b: Expr, bound: int) -> Scalar:
        from golpae.kernel.language.writer import arithmetic

        writer = self.writer
        result = writer.var(0)
        with writer.when(ne(b, ZERO)):
            part = writer.let(arithmetic("div_s", a, b))
            rest = writer.let(arithmetic("rem_s", a, b))
            down = writer.let(both(ne(rest, ZERO), lt(xor(rest, b), ZERO)))  # towards 0 is up here
            if op == "div":
                writer.set(result, sub(part, down))
            else:
                writer.set(result, add(rest, select(down, b, ZERO)))
        return Scalar(result, INT, min(bound + 1, FAR) if op == "div" else FAR)

    def _power(self, base: Expr, exponent: Expr) -> Scalar:
        writer = self.writer
        power, left = writer.var(1), writer.var(exponent)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, le(left, ZERO))
            writer.refer_if(gt(left, Lit(64)), Limit.NUMBERS)
            for value in (power, base):
                writer.refer_if(
                    is_zero(below(add(value, Lit((1 << 31) - 1)), Lit((1 << 32) - 1))), Limit.NUMBERS
                )
            writer.set(power, mul(power, base))
            writer.set(left, sub(left, ONE))
            writer.leave(again)
        return Scalar(power, INT)

    def _otherwise(self, first: ir.Expr, instead: ir.Expr, names: Names) -> Value:
        value = self._of.value(first, names)
        if isinstance(value, Scalar):
            value_or_instead = self.writer.var(value.value)
            with self.writer.when(eq(value.value, Lit(none_of(first.type)))):
                self.writer.set(value_or_instead, self._of.scalar(instead, names))
            return Scalar(value_or_instead, instead.type)
        if isinstance(value, Scored):
            nothing = self.writer.let(eq(value.total, Lit(NO_NUMBER)))
            second = self._of.scores.first_of([(nothing, instead)], names, self._of)
            return self._of.collecting.chosen(nothing, second, value)
        kind = join(bare(first.type), instead.type)
        if kind is not None and holds_list(kind):
            if not isinstance(value, Bits | Stream | PerSeat):
                raise NotCompiled("`otherwise` between a meld or patterns and a list")
            some, there = value, value.present
            branches = [
                (there, lambda: replace(some, present=ONE)),
                (is_zero(there), lambda: self._of.value(instead, names)),
            ]
            return self._of.keeping.one_of(kind, branches)
        other = self._of.value(instead, names)
        if isinstance(value, Group) and isinstance(other, Group):
            chosen = self._of.collecting.chosen(value.present, value, other)
            assert isinstance(chosen, Group)
            return Group(chosen.label, chosen.tiles, self._there(value.present, other.present))
        if isinstance(value, Bits | Group):
            collecting = self._of.collecting
            one, bag = (
                collecting.as_bits(value),
                collecting.as_bits(collecting.coerced(other, bare(first.type))),
            )
            either_bag = self.bags.chosen(one.present, one, bag)
            return Bits(bag.item, either_bag.planes, self._there(one.present, bag.present))
        raise NotCompiled("`otherwise` after patterns or a value for each player")

    def _there(self, one: Expr, other: Expr) -> Expr:
        """Return whether one of two values is there."""
        return ONE if ONE in (one, other) else self.writer.let(either(one, other))

    def _range(self, low: Expr, high: Expr) -> Stream:
        low, high = self.writer.let(low), self.writer.let(high)
        size = self.writer.let(select(lt(high, low), ZERO, add(sub(high, low), ONE)))
        self.writer.refer_if(gt(size, Lit(100_000)), Limit.STEPS)

        def each(run: Callable[[Value, Expr], None]) -> None:
            self._of.memory.counted(size, lambda at: run(Scalar(self.writer.let(add(low, at)), INT), ONE))

        return Stream(INT, each, size, short=True)
