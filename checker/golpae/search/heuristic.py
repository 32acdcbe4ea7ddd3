"""The distance of a state from one in which an expression holds.

Input: a machine and an expression of type yes-or-no.
Output: a number for each state, smaller if more of the expression holds.
Guarantee: the number is 0 exactly if the expression holds. It only guides a search: other distances may be wrong.

    size of p's catch = 3 and p's hand is empty    ->    |size of catch - 3| + size of hand
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import log2
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.types import BOOL, INT, Bool, Int
from golpae.replay.codegen.expressions import Emitter
from golpae.replay.machine import Machine, State
from golpae.search.enabling_actions import EnablingActions, Env, Measure, Names, Setter
from golpae.search.shape_distance import ShapeDistance

NEGATED = {"eq": "ne", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
NEXT, FAR = 1, 2  # how far ahead to look
BAGS = {"bag_eq", "within"}


class Heuristic:
    """Measures states of one machine against one expression without open names."""

    def __init__(self, machine: Machine, target: ir.Expr) -> None:
        self.machine = machine
        self._emitter = Emitter(machine.instance)
        self._definitions = {d.name: d for d in machine.rules.definitions}
        self._actions = EnablingActions(machine, self)
        self._shapes = ShapeDistance(machine)
        self._measure = self.distance(target, True, (), FAR)

    def __call__(self, state: State) -> float:
        """Return the distance of a state, 0 or more."""
        self._actions.forget_state()
        return self._measure(state, ())

    def to_action(self, name: str) -> Measure:
        """Return a function to how far an action is from being legal, from 0 up to 1."""
        approach = self._actions.to_action(name, NEXT)

        def measure(state: State, env: Env) -> float:
            self._actions.forget_state()
            return approach(state, env)

        return measure

    def value(self, expr: ir.Expr, names: Names) -> Callable[[State, Env], Any]:
        """Return a function to an expression's value, or to None if it has none."""
        function = self.machine.function(expr, names)

        def value(state: State, env: Env) -> Any:
            try:
                return function(state, *env)
            except (TypeError, IndexError):
                return None

        return value

    def distance(self, expr: ir.Expr, yes: bool, names: Names, depth: int) -> Measure:
        """Return a function to the distance from a state in which an expression is yes, or no.

        If `depth` is FAR, a state that is not set counts by the actions that can set it; if it is NEXT or FAR, an
        empty zone counts by the actions that can fill it.
        """
        if isinstance(expr, ir.Op):
            return self._operator(expr, yes, names, depth)
        if isinstance(expr, ir.If):
            return self._choice(expr, yes, names, depth)
        if (
            isinstance(expr, ir.CallDef)
            and isinstance(expr.type, Bool)
            and not self._emitter.of_definitions.fixed(expr)
        ):
            return self._call(expr, yes, names, depth)
        if isinstance(expr, ir.Quant) and expr.size is None:
            return self._quantified(expr, yes, names, depth)
        if isinstance(expr, ir.IsShape) and yes:
            return self._shaped(expr, names)
        return self._atom(expr, yes, names, depth)

    def _operator(self, expr: ir.Op, yes: bool, names: Names, depth: int) -> Measure:
        op = expr.op
        if op == "not":
            return self.distance(expr.args[0], not yes, names, depth)
        if op in ("and", "or", "implies"):
            signs = [yes] * len(expr.args)
            if op == "implies":
                signs[0] = not yes
            parts = [self.distance(a, s, names, depth) for a, s in zip(expr.args, signs, strict=True)]
            return _sum(parts) if (op == "and") == yes else _least(parts)
        if op in NEGATED and isinstance(expr.args[0].type, Int):
            left, right = expr.args
            return self._compared(op if yes else NEGATED[op], left, right, names)
        if yes and op in BAGS:
            left, right = expr.args
            return self._bags(op, left, right, names)
        return self._atom(expr, yes, names, depth)

    def _choice(self, expr: ir.If, yes: bool, names: Names, depth: int) -> Measure:
        test = self.value(expr.test, names)
        then, instead = (self.distance(e, yes, names, depth) for e in (expr.yes, expr.no))
        return lambda state, env: then(state, env) if test(state, env) else instead(state, env)

    def _atom(self, expr: ir.Expr, yes: bool, names: Names, depth: int) -> Measure:
        value = self.value(expr, names)
        setters = self._actions.that_set(expr, yes) if depth == FAR else ()
        approaches = [self._actions.to_setter(s, NEXT) for s in setters]

        def measure(state: State, env: Env) -> float:
            truth = value(state, env)
            if truth is not None and bool(truth) == yes:
                return 0.0
            return 1.0 + min((approach(state, ()) for approach in approaches), default=0.0)

        return measure

    def _call(self, expr: ir.CallDef, yes: bool, names: Names, depth: int) -> Measure:
        definition = self._definitions[expr.name]
        inner = tuple(p.name for p in definition.params)
        cases = [self.distance(c.expr, yes, inner, depth) for c in definition.cases]
        body = _least(cases) if yes else _sum(cases)
        values = [self.value(a, names) for a in expr.args]
        return lambda state, env: body(state, tuple(v(state, env) for v in values))

    def _quantified(self, expr: ir.Quant, yes: bool, names: Names, depth: int) -> Measure:
        kind, own, domain = expr.kind, expr.names, expr.domain
        sign = kind != "no" if yes else kind == "no"
        every = (kind != "some") == yes
        if self._emitter.of_definitions.fixed(expr.body) or len(own) > 1:
            # all are equally near: count the choices that fail
            body = expr.body if sign else ir.Op("not", (expr.body,), BOOL)
            if every:
                wrong = ir.Op("not", (body,), BOOL)
                count = self.value(ir.Fold("count", own, domain, None, wrong, INT), names)
                return lambda state, env: float(1 if (n := count(state, env)) is None else n)
            return self._atom(ir.Quant("some", own, domain, body, BOOL), True, names, 0)
        members = self.value(domain, names)
        part = self.distance(expr.body, sign, names + own, depth)
        feeders: list[Setter] = []
        if depth and not every and isinstance(domain, ir.ZoneRead):
            feeders = self._actions.that_fill(domain.name)
        approaches = [self._actions.to_setter(f, depth - 1) for f in feeders]

        def measure(state: State, env: Env) -> float:
            items = members(state, env)
            if items is None:
                return 1.0
            if not items and approaches:
                return 2.0 + min(approach(state, ()) for approach in approaches)
            distances = (part(state, env + chosen) for chosen in permutations(items, len(own)))
            if every:
                return sum(distances)
            least = 2.0
            for at, distance in enumerate(distances):
                if distance == 0:
                    return 0.0
                least = distance if at == 0 else min(least, distance)
            return least

        return measure

    def _compared(self, op: str, left: ir.Expr, right: ir.Expr, names: Names) -> Measure:
        one, other = self.value(left, names), self.value(right, names)

        def measure(state: State, env: Env) -> float:
            a, b = one(state, env), other(state, env)
            if not isinstance(a, int) or not isinstance(b, int):
                return 0.0 if op == "ne" and a is not b else (0.0 if op == "eq" and a is b else 1.0)
            by = a - b
            match op:
                case "eq":
                    off = abs(by)
                case "ne":
                    off = 0 if by else 1
                case "lt":
                    off = by + 1
                case "le":
                    off = by
                case "gt":
                    off = 1 - by
                case _:
                    off = -by
            return log2(1 + off) if off > 0 else 0.0

        return measure

    def _bags(self, op: str, left: ir.Expr, right: ir.Expr, names: Names) -> Measure:
        one, other = self.value(left, names), self.value(right, names)

        def measure(state: State, env: Env) -> float:
            a, b = one(state, env), other(state, env)
            if a is None or b is None:
                return 1.0
            have, want = Counter(map(_hashable, a)), Counter(map(_hashable, b))
            lacking = (have - want).total()
            return float(lacking + (want - have).total() if op == "bag_eq" else lacking)

        return measure

    def _shaped(self, expr: ir.IsShape, names: Names) -> Measure:
        tiles = self.value(expr.arg, names)
        truth = self.value(expr, names)
        shape, compositions = expr.shape, self._shapes.compositions(expr.shape)

        def measure(state: State, env: Env) -> float:
            if truth(state, env):
                return 0.0
            given = tiles(state, env)
            if not compositions or given is None:
                return 1.0
            faces = tuple(sorted(t for t in given if t is not None))
            return max(1.0, self._shapes.distance(shape, compositions, faces))

        return measure


def _sum(parts: list[Measure]) -> Measure:
    return lambda state, env: sum(part(state, env) for part in parts)


def _least(parts: list[Measure]) -> Measure:
    return lambda state, env: min((part(state, env) for part in parts), default=1.0)


def _hashable(item: Any) -> Any:
    return tuple(item) if isinstance(item, list) else item
