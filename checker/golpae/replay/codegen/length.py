"""How long an evaluation may be: a rough upper bound on its steps, from the text alone.

Input: an instance, and its expressions and effects.
Output: the bound. If it is above `LONG`, generated code counts the steps of each clause; above `VERY_LONG`, also those
of all clauses that decide a property.
Guarantee: quantifiers, sums and loops inside one another multiply, also through definitions. Bags that a state or a key
holds are taken to have no more members than there are tiles; a text with larger ones may take longer than the bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import chooses_together, nodes_through
from golpae.ir.limits import WIDEST
from golpae.ir.ruleset import effects_of, form_of
from golpae.ir.traverse import children, exprs_in

LONG = 500_000
VERY_LONG = 50_000_000


class Lengths:
    """The bounds of one instance."""

    def __init__(self, instance: Instance) -> None:
        self._rules = instance.rule_set
        self._players = instance.players
        self._tiles = max(len(instance.whole), len(instance.kinds), instance.players, 2)
        self._definitions = {d.name: d for d in self._rules.definitions}
        self._known: dict[str, int] = {}

    def longest(self) -> int:
        """Return the largest bound of a clause, or of a property that replay evaluates."""
        rules = self._rules
        clauses = [*(c for a in rules.actions for c in a.effects), *rules.payout]
        exprs = [c.expr for a in rules.actions for c in a.conditions]
        exprs += [v.initial for v in rules.vars if v.initial is not None]
        for prop in rules.properties:
            ways = (n for n in nodes_through(prop.expr, self._definitions) if isinstance(n, ir.Ways))
            if not any(ways) and not chooses_together(prop.expr, self._definitions):
                if not form_of(prop.kind).of_rules:
                    exprs.append(prop.expr)
        for score in rules.scores:
            exprs += [e for p in score.patterns for e in (p.test, p.value)]
            exprs += [e for _, e in score.defines]
            exprs += [] if score.keep is None else [score.keep]
        return max(self._effects(effects_of(clauses)), *map(self.steps, exprs))

    def steps(self, expr: ir.Expr) -> int:
        """Return a bound on the steps of an expression."""
        if isinstance(expr, ir.Quant):
            return self.steps(expr.domain) + self._rounds(expr, expr.size) * self.steps(expr.body)
        if isinstance(expr, ir.Fold):
            inner = sum(self.steps(e) for e in (expr.item, expr.test) if e is not None)
            return self.steps(expr.domain) + self._rounds(expr, expr.size) * (1 + inner)
        below = 1 + sum(map(self.steps, children(expr)))
        return below + self._of_definition(expr.name) if isinstance(expr, ir.CallDef) else below

    def _of_definition(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = 1  # a definition cannot depend on itself
            self._known[name] = sum(self.steps(case.expr) for case in self._definitions[name].cases)
        return self._known[name]

    def _rounds(self, expr: ir.Quant | ir.Fold, size: ir.Expr | None) -> int:
        members = self._members(expr.domain)
        if size is None:
            return power(members, expr.names)
        return 1  # the choices of several members count by themselves

    def _effects(self, effects: Iterable[ir.Effect]) -> int:
        total = 0
        for effect in effects:
            inner = self._effects(effect.effects) if isinstance(effect, ir.When | ir.ForEach) else 0
            own = sum(map(self.steps, exprs_in([effect])))
            rounds = self._members(effect.domain) if isinstance(effect, ir.ForEach) else 1
            total += own + rounds * (1 + inner)
        return total

    def _members(self, domain: ir.Expr) -> int:
        """Return how many members a bag has at most, as far as the text shows."""
        match domain:
            case ir.Builtin(name="players"):
                return self._players
            case ir.BagOf(items=items):
                return len(items)
            case ir.Op(op="range", args=(low, high)):
                if isinstance(low, ir.Const) and isinstance(high, ir.Const):
                    if isinstance(low.value, int) and isinstance(high.value, int):
                        return min(max(high.value - low.value + 1, 0), WIDEST)
                return WIDEST
            case ir.Op(op="bag_add", args=args):
                return sum(map(self._members, args))
            case ir.Op(op="bag_sub", args=args):
                return self._members(args[0])
            case ir.Fold(kind="those" | "each", domain=inner, names=names):
                return power(self._members(inner), names)
            case ir.Fold(kind="gather", domain=inner, names=names, item=item):
                return power(self._members(inner), names) * (1 if item is None else self._members(item))
            case _:
                return self._tiles


def power(members: int, names: tuple[str, ...]) -> int:
    """Return how many choices of a member for each name there are."""
    return prod(members for _ in names)
