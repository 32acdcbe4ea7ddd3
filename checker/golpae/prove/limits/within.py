"""The condition under which an expression has a value: that no number in it passes a limit.

Input: an expression, and bounds of the names in it.
Output: an expression that is true or false; `WITHIN` if the bounds settle that the limits are kept.
Guarantee: where it is true, evaluating the expression passes no limit, in the order in which replay evaluates: a power
counts only where it is asked, within a quantifier or a sum for all members. Where it is false, a limit may be passed or
not.

    n < 9 => 2 ^ k > n                          ->    n < 9 => k <= 3321
    every p in players: 10 ^ (p's x) > 0        ->    every p in players: p's x <= 999

A definition whose value may pass a limit gets one beside it, of the same parameters, that says where it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Literal, assert_never

from golpae.ir import expr as ir
from golpae.ir.distinct_names import MARK
from golpae.ir.limits import LIMIT, WIDEST
from golpae.ir.ruleset import CaseDecl, Definition
from golpae.ir.traverse import children
from golpae.ir.types import BOOL, INT
from golpae.prove.limits.bounds import Bound, largest_base, largest_exponent
from golpae.prove.limits.static import Names, Static

WITHIN = ir.Const(True, BOOL)
UNSETTLED = ir.Const(False, BOOL)
EXPONENTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 512, 3_321)  # tried for unknown bases


class Within:
    """The conditions of one rule set. `definitions` are those that they use, with a `suffix` in their names."""

    def __init__(self, static: Static, definitions: Mapping[str, Definition], suffix: str) -> None:
        self._static = static
        self._suffix = suffix
        self._of_text = definitions
        self.definitions: dict[str, Definition] = {}

    def of(self, expr: ir.Expr, names: Names) -> ir.Expr:
        """Return the condition under which an expression has a value."""
        if not self._static.passing(expr, names):
            return WITHIN
        if isinstance(expr, ir.DuringGame) and not isinstance(expr, ir.Earlier):
            return _all(self.of(child, names) for child in children(expr))
        match expr:
            case ir.Op():
                return self._op(expr, names)
            case ir.If(test=test, yes=yes, no=no):
                branches = self.of(yes, names), self.of(no, names)
                chosen = WITHIN if branches == (WITHIN, WITHIN) else ir.If(test, *branches, BOOL)
                return _all([self.of(test, names), chosen])
            case ir.Quant(body=body):
                return self._each(expr, self._inner(expr, body, names), names)
            case ir.Fold(item=item, test=test):
                inside = WITHIN if item is None else self._inner(expr, item, names)
                if test is not None:
                    inside = _all([self._inner(expr, test, names), _implied(test, inside)])
                return self._each(expr, inside, names)
            case ir.CallDef(name=name, args=args):
                return _all([*(self.of(arg, names) for arg in args), self._definition(name, args)])
            case ir.Earlier(expr=inner):
                return ir.Earlier(self.of(inner, names), BOOL)
            case ir.IsShape() | ir.LayOut() | ir.CallScore() | ir.Ways():
                return UNSETTLED  # what shapes and scores ask, no solver knows
            case ir.FitsScore() | ir.Builtin() | ir.Attr() | ir.OwnValue() | ir.BagOf():
                return _all(self.of(child, names) for child in children(expr))
            case ir.Const() | ir.Local() | ir.OptionRead() | ir.Group():
                return WITHIN
            case _:
                assert_never(expr)

    def _op(self, expr: ir.Op, names: Names) -> ir.Expr:
        parts = [self.of(arg, names) for arg in expr.args]
        left, right = expr.args[0], expr.args[-1]
        match expr.op:
            case "and" | "or" | "implies":
                whole = parts[-1]
                for arg, part in zip(expr.args[-2::-1], parts[-2::-1], strict=True):
                    asked = ir.Op("not", (arg,), BOOL) if expr.op == "or" else arg
                    whole = _all([part, _implied(asked, whole)])
                return whole
            case "otherwise":
                return _all([parts[0], _implied(ir.Op("is_none", (left,), BOOL), parts[1])])
            case "pow":
                bounds = self._static.of(left, names), self._static.of(right, names)
                return _all([*parts, _is_power_within(left, right, *bounds)])
            case "range":
                few = ir.Op("lt", (ir.Op("sub", (right, left), INT), _number(WIDEST)), BOOL)
                return _all([*parts, few])
            case (
                "not"
                | "eq"
                | "bag_eq"
                | "lt"
                | "le"
                | "gt"
                | "ge"
                | "member"
                | "bag_member"
                | "within"
                | "is_none"
                | "add"
                | "sub"
                | "mul"
                | "div"
                | "mod"
                | "neg"
                | "bag_add"
                | "bag_sub"
                | "size"
                | "kinds"
                | "tiles"
                | "total"
            ):
                return _all(parts)
            case _:
                assert_never(expr.op)

    def _inner(self, expr: ir.Quant | ir.Fold, inner: ir.Expr, names: Names) -> ir.Expr:
        domain = self._static.domain(expr.domain, names)
        return self.of(inner, {**names, **dict.fromkeys(expr.names, domain)})

    def _each(self, expr: ir.Quant | ir.Fold, inside: ir.Expr, names: Names) -> ir.Expr:
        """Return that the domain has a value, and that something holds of each choice of its members."""
        parts = [self.of(expr.domain, names)]
        if expr.size is not None:
            parts.append(self.of(expr.size, names))
        if inside != WITHIN:
            parts.append(ir.Quant("every", expr.names, expr.domain, inside, BOOL, expr.size))
        return _all(parts)

    def _definition(self, name: str, args: tuple[ir.Expr, ...]) -> ir.Expr:
        """Return that a definition has a value for these arguments, which have one."""
        own = f"{name}{MARK}{self._suffix}"
        if own not in self.definitions:
            definition = self._of_text[name]
            condition = _all(self.of(case.expr, {}) for case in definition.cases)
            case = CaseDecl(own, condition, ())
            self.definitions[own] = replace(definition, name=own, cases=(case,), type=BOOL)
        return ir.CallDef(own, args, BOOL)


def _all(parts: Iterable[ir.Expr]) -> ir.Expr:
    """Return that all of these hold, the first ones first."""
    left = [part for part in parts if part != WITHIN]
    if UNSETTLED in left:
        return UNSETTLED
    return _joined("and", left) if left else WITHIN


def _joined(op: Literal["and", "or"], parts: Iterable[ir.Expr]) -> ir.Expr:
    return reduce(lambda left, right: ir.Op(op, (left, right), BOOL), parts)


def _implied(premise: ir.Expr, condition: ir.Expr) -> ir.Expr:
    return WITHIN if condition == WITHIN else ir.Op("implies", (premise, condition), BOOL)


def _is_power_within(base: ir.Expr, exponent: ir.Expr, base_is: Bound, exponent_is: Bound) -> ir.Expr:
    """Return that a power is within the limit, as far as its base or its exponent says so."""
    certain = largest_exponent(max(2, base_is.size)) if not base_is.factor else 0
    ways = [_at_most(exponent, certain)]
    highest = exponent_is.high
    tried = {e for e in EXPONENTS if e < highest} | ({highest} if highest < LIMIT.bit_length() else set())
    if not isinstance(base, ir.Const):
        for e in sorted(e for e in tried if e > certain):
            largest = largest_base(e)
            is_small = [_at_most(base, largest), ir.Op("ge", (base, _number(-largest)), BOOL)]
            ways.append(_joined("and", (_at_most(exponent, e), *is_small)))
        is_small = [_at_most(base, 1), ir.Op("ge", (base, _number(-1)), BOOL)]
        ways.append(_joined("and", is_small))
    return _joined("or", ways)


def _at_most(number: ir.Expr, most: int) -> ir.Expr:
    return ir.Op("le", (number, _number(most)), BOOL)


def _number(value: int) -> ir.Expr:
    return ir.Const(value, INT)
