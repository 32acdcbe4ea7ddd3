"""The place of a judge: a second meaning of rule texts, with which golpae is compared.

Input: a rule set, a number of players and options. Output: what a position of a game is worth for the judge.
Guarantee: none; a judge that is not given is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from golpae.ir.expr import Expr
from golpae.ir.ruleset import RuleSet

Line = Mapping[str, Any]  # an event as a trace has it
Situation = Any  # a judge's own state of a match, which it does not change


class Judge(Protocol):
    """A second interpreter at one table. It reads events as traces have them."""

    def start(self, stake: int = 1) -> Situation:
        """Return the situation at the start of a match."""
        ...

    def after(self, situation: Situation, event: Line) -> Situation | str:
        """Return the situation after an event, or the name of the condition that fails (`malformed` if it cannot be
        read).
        """
        ...

    def legal(self, situation: Situation) -> list[Line] | None:
        """Return every legal event, or None if they cannot be listed."""
        ...

    def value(
        self, expr: Expr, situation: Situation, names: Mapping[str, Any], before: Situation | None = None
    ) -> Any:
        """Return the value of an expression, with tiles as their names and bags as sorted lists."""
        ...


class MakesJudge(Protocol):
    """Makes the judge of a table."""

    def __call__(self, rules: RuleSet, players: int, options: Mapping[str, int]) -> Judge: ...
