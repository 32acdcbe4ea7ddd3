"""The conditions of actions, as the rule text has them.

Input: the folders of rule texts; the name of a rule set.
Output: the lines of each condition, by its path (`draw.turn`), with the switches of the rule set applied.
Guarantee: each rule set is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from golpae.diagnostics import SpecError
from golpae.elaborate.blocks import clauses_of
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve, split
from golpae.syntax import tree as t
from golpae.syntax.format import format_clause

MOST_CACHED = 64


class ClauseTexts:
    """The conditions of the texts in some folders."""

    def __init__(self, places: Sequence[Path]) -> None:
        self._places = places
        self.of = lru_cache(maxsize=MOST_CACHED)(self._of)

    def _of(self, rules: str) -> dict[str, str]:
        """Return the conditions of a rule set. Those of every game, which no text states, are not among them."""
        try:
            resolved = resolve(rules, load(split(rules)[0], self._places))
        except SpecError:
            return {}
        return {
            f"{block.name.text}.{clause.name.text}": format_clause(clause).rstrip("\n")
            for block in resolved.decls
            if isinstance(block, t.Action)
            for clause in clauses_of(block)
            if isinstance(clause.body, t.Condition)
        }
