"""Conditions that ask if something is none, and those that take it for granted.

Input: a rule set. Output: whether a condition takes for granted what another one asks, and the facts of an action.
Guarantee: a fact comes with what has to hold for it to have a value; one that needs more than that is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from golpae.ir import expr as ir
from golpae.ir import facts
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.traverse import conjuncts, free, nodes
from golpae.ir.types import Bool, Opt


class NoneGuards:
    """What of a rule set may be none, and which conditions ask that."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules

    def take_for_granted(self, expr: ir.Expr, bound: Collection[str]) -> bool:
        """Return whether an expression reads as a value what may be none, because a condition before it asks that.

        What it reads of keys that are not `bound` does not count.
        """
        return any(self._may_be_none(n, bound) and not isinstance(n.type, Opt) for n in nodes(expr))

    def _may_be_none(self, expr: ir.Expr, bound: Collection[str]) -> bool:
        """Return whether an expression that a condition can ask to be none may be none."""
        reads = expr.STRUCTURE.reads
        if reads is not None and reads.part in ("end", "places"):  # of a row, which may be empty
            return not isinstance(expr.type, Bool)
        if isinstance(expr, ir.Builtin):
            return expr.name == "winner"
        if isinstance(expr, ir.StateRead | ir.CallDef):
            return expr.name in self._with_none
        return isinstance(expr, ir.Local) and expr.name in self._optional and expr.name in bound

    @cached_property
    def _with_none(self) -> frozenset[str]:
        """The states and definitions that may be none."""
        rules = self.rules
        types = {d.name: d.type for d in rules.definitions} | {v.name: v.type for v in rules.vars}
        return frozenset(name for name, kind in types.items() if isinstance(kind, Opt))

    @cached_property
    def _optional(self) -> frozenset[str]:
        """The keys that may be none, of all actions."""
        return frozenset(p.name for a in self.rules.actions for p in a.params if isinstance(p.type, Opt))

    def facts_of(self, action: Action, bound: set[str]) -> Iterator[tuple[tuple[ir.Expr, ...], facts.Fact]]:
        """Yield the facts of an action's conditions, each with what is asked before it and can be checked.

        That is the parts of its own condition, and, if it takes for granted that something is not none, those of the
        conditions before that ask for it. If these do not hold, the fact need not have a value:
        `who is not none and tile in who's hand`. A fact that needs what cannot be checked yet is left out.
        """
        exprs: tuple[ir.Expr, ...] = ()
        is_unsure = False
        for condition in action.conditions:
            given: tuple[ir.Expr, ...] = ()
            for part in conjuncts(condition.expr):
                needs = self.take_for_granted(part, bound)
                asks = asks_for_none(part, bound)
                if needs and is_unsure:
                    is_unsure |= asks
                    continue
                yield (*exprs, *given) if needs else given, facts.fact_of(part)
                if free(part) <= bound:
                    given = (*given, part)
                    exprs = (*exprs, part) if asks else exprs
                else:
                    is_unsure |= asks


def asks_for_none(expr: ir.Expr, bound: Collection[str]) -> bool:
    """Return whether an expression asks if something is none, other than a key that is not `bound`."""
    return any(
        isinstance(n, ir.Op)
        and n.op == "is_none"
        and not (isinstance(n.args[0], ir.Local) and n.args[0].name not in bound)
        for n in nodes(expr)
    )
