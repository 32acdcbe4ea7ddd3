"""How long an evaluation may be: a rough upper bound on its steps, from the text alone.

Input: an instance, and its expressions and effects.
Output: the bound. If it is above `LONG`, generated code counts the steps of each clause; above `VERY_LONG`, also those
of all clauses that decide a property.
Guarantee: quantifiers, sums and loops inside one another multiply, also through definitions. Bags that a state or a key
holds are taken to have no more members than there are tiles; a text with larger ones may take longer than the bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, factorial, prod

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import chooses_together, nodes_through
from golpae.ir.limits import WIDEST
from golpae.ir.ruleset import Action, effects_of, form_of
from golpae.ir.traverse import children, exprs_in
from golpae.replay.steps import MOST_ORDERS

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
        """Return the largest bound of a clause, of the orders of an event, or of a property that replay evaluates."""
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
        orders = (self._orders(action) for action in rules.actions)
        return max(self._effects(effects_of(clauses)), *orders, *map(self.steps, exprs))

    def _orders(self, action: Action) -> int:
        """Return a bound on the steps of the conditions of an event, in all orders of its lists."""
        orders = prod(factorial(len(p.parts)) for p in action.params if len(p.parts) > 1)
        return min(orders, MOST_ORDERS) * sum(self.steps(c.expr) for c in action.conditions)

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
        together = size.value if isinstance(size, ir.Const) and isinstance(size.value, int) else members // 2
        return comb(members, max(0, min(together, members)))

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
        if isinstance(domain, ir.Builtin) and domain.name == "players":
            return self._players
        if isinstance(domain, ir.BagOf):
            return len(domain.items)
        if isinstance(domain, ir.Op) and domain.op in ("range", "bag_add", "bag_sub"):
            return self._combined(domain)
        if isinstance(domain, ir.Fold) and domain.kind in ("those", "each", "gather"):
            gathered = domain.item if domain.kind == "gather" else None
            return power(self._members(domain.domain), domain.names) * (
                1 if gathered is None else self._members(gathered)
            )
        return self._tiles  # every other bag is in a zone, a state or a key, or is made of one

    def _combined(self, bag: ir.Op) -> int:
        """Return how many members a range, a sum of bags or a difference of bags has at most."""
        if bag.op == "range":
            low, high = (end.value if isinstance(end, ir.Const) else None for end in bag.args)
            if isinstance(low, int) and isinstance(high, int):
                return min(max(high - low + 1, 0), WIDEST)
            return WIDEST
        if bag.op == "bag_add":
            return sum(map(self._members, bag.args))
        return self._members(bag.args[0])


def power(members: int, names: tuple[str, ...]) -> int:
    """Return how many choices of a member for each name there are."""
    return prod(members for _ in names)
