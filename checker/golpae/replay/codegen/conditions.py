"""The source of an action's conditions.

Input: an action of an instance. Output: the lines of `check_x`.
Guarantee: `check_x` returns the number of the first condition that fails, -1 if all hold; conditions are checked in
the order of the action.
"""

from __future__ import annotations

from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import DEALT_PLAYER, Action
from golpae.lower.checks import (
    DEALT,
    Account,
    Amounts,
    AtStage,
    HandSizes,
    Holds,
    Settled,
    Test,
    asked_in,
    checks,
)
from golpae.replay.codegen.expressions import Emitter, arguments
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.names import local
from golpae.replay.codegen.state import stage_constant
from golpae.replay.state_layout import mangled

AMOUNTS: dict[Account, str] = {"payout": "payout(S)", "total": "S.total", "settled": "settled(S).total"}


class ConditionEmitter:
    """Writes the conditions of one instance's actions."""

    def __init__(self, instance: Instance, expressions: Emitter, lines: Lines) -> None:
        self._players = instance.players
        self._emit = expressions.emit
        self._counts, self._timing = expressions.counts, expressions.timing
        self._put = lines.put

    def check(self, action: Action) -> None:
        """Write `check_x`."""
        self._put(0, f"def check_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        if action.kind == "deal":
            self._put(1, f"{local(DEALT.name)} = [t for h in l_hands for t in h]")
        for number, (condition, check) in enumerate(zip(action.conditions, checks(action), strict=True)):
            exprs = asked_in(check.test)
            if self._timing:
                self._put(1, f"at({check.path!r})")
            if exprs and self._counts(exprs):
                self._put(1, f"begin_steps({check.path!r})")
            self._put(1, f"if not ({self._test(check.test)}): return {number}")
            if condition.expr == _size_condition(action, condition.name):
                self._unpack_one(action, condition.name)
        self._put(1, "return -1")

    def _unpack_one(self, action: Action, name: str) -> None:
        """Bind the parts of a `{a, b}` parameter, whose size has just been checked."""
        for param in action.params:
            if param.name == name and param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(name)}")

    def _test(self, test: Test) -> str:
        """Return the source of a test."""
        match test:
            case Holds(expr=expr):
                return self._emit(expr)
            case AtStage(stages=stages):
                return " or ".join(f"S.at == {stage_constant(stage)}" for stage in stages)
            case HandSizes(first=first, others=others):
                seat = local(DEALT_PLAYER)
                size = f"(({self._emit(first)}) if {seat} == l_first else ({self._emit(others)}))"
                are_right = f"all(len(h) == {size} for {seat}, h in enumerate(l_hands))"
                return f"len(l_hands) == {self._players} and {are_right}"
            case Amounts(key=key, account=account, optional=optional):
                is_none = f"{local(key)} is None or " if optional else ""
                return f"{is_none}{local(key)} == {AMOUNTS[account]}"
            case Settled(expr=expr):  # read of a state with these totals
                return f"(lambda S: {self._emit(expr)})(settled(S))"
            case _:
                assert_never(test)


def _size_condition(action: Action, name: str) -> ir.Expr | None:
    """Return the condition of a `{a, b}` parameter of this name, if there is one."""
    for param in action.params:
        if param.parts and param.name == name:
            condition = next(c for c in action.conditions if c.name == name)
            return condition.expr
    return None
