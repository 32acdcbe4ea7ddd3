"""The source of an action's conditions.

Input: an action of an instance. Output: the lines of `check_x`.
Guarantee: `check_x` returns the number of the first condition that fails, -1 if all hold; conditions are checked in
the order of the action.
"""

from __future__ import annotations

from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.lifecycle import open_at
from golpae.ir.ruleset import Action
from golpae.replay.codegen.expressions import Emitter, arguments, local
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.state import stage_constant
from golpae.replay.state_layout import mangled


class ConditionEmitter:
    """Writes the conditions of one instance's actions."""

    def __init__(self, instance: Instance, expressions: Emitter, lines: Lines) -> None:
        self._players = instance.players
        self._emit = expressions.emit
        self._counts = expressions.counts
        self._put = lines.put

    def check(self, action: Action) -> None:
        """Write `check_x`."""
        self._put(0, f"def check_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        for number, condition in enumerate(action.conditions):
            implicit = condition.expr.kind if isinstance(condition.expr, ir.Implicit) else None
            test = self._emit(condition.expr) if implicit is None else self._implicit(implicit, action)
            dealing = action.dealing
            evaluated = [condition.expr] if implicit is None else []
            if implicit == "hands" and dealing is not None:  # the others evaluate nothing, or the payout
                evaluated = [dealing.first, dealing.others]
            if evaluated and self._counts(evaluated):
                self._put(1, f"begin_steps({f'{action.name}.{condition.name}'!r})")
            self._put(1, f"if not ({test}): return {number}")
            if condition.expr == _size_condition(action, condition.name):
                self._unpack_one(action, condition.name)
        self._put(1, "return -1")

    def _unpack_one(self, action: Action, name: str) -> None:
        """Bind the parts of a `{a, b}` parameter, whose size has just been checked."""
        for param in action.params:
            if param.name == name and param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(name)}")

    def _implicit(self, kind: ir.ImplicitKind, action: Action) -> str:
        match kind:
            case "open":
                return " or ".join(f"S.at == {stage_constant(stage)}" for stage in open_at(action.kind))
            case "hands":
                assert action.dealing is not None
                first, others = self._emit(action.dealing.first), self._emit(action.dealing.others)
                size = f"(({first}) if p == l_first else ({others}))"
                return f"len(l_hands) == {self._players} and all(len(h) == {size} for p, h in enumerate(l_hands))"
            case "set":
                return "within([t for h in l_hands for t in h], WHOLE)"
            case "rest":
                return "l_reserve is None or same(l_reserve, minus(WHOLE, [t for h in l_hands for t in h]))"
            case "winner":
                return "l_winner == S.winner"
            case "pay":
                return "l_pay == payout(S)"
            case "totals":
                return "l_totals == S.total"
            case "winners":
                return "sorted(l_winners) == [p for p in PLAYERS if S.total[p] == max(S.total)]"
            case _:
                assert_never(kind)


def _size_condition(action: Action, name: str) -> ir.Expr | None:
    """Return the condition of a `{a, b}` parameter of this name, if there is one."""
    for param in action.params:
        if param.parts and param.name == name:
            condition = next(c for c in action.conditions if c.name == name)
            return condition.expr
    return None
