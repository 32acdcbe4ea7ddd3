"""The text of a clause, as the rule text has it.

Input: the folders of rule texts; the name of a rule set, and the path of a clause of an action.
Output: its lines, with the switches of the rule set applied; or None.
Guarantee: each rule set is read once, and only if somebody asks for one of its clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from golpae.diagnostics import SpecError
from golpae.elaborate.blocks import clauses_of
from golpae.elaborate.load import load
from golpae.elaborate.resolve import Resolved, resolve, split
from golpae.syntax import tree as t
from golpae.syntax.format import format_clause


class ClauseTexts:
    """The clauses of the texts in some folders."""

    def __init__(self, places: Sequence[Path]) -> None:
        self._places = places
        self._resolved = lru_cache(maxsize=64)(self._resolve)

    def __call__(self, rules: str, path: str) -> str | None:
        """Return the text of a clause, or None: every game has some clauses that no text states."""
        resolved = self._resolved(rules)
        if resolved is None:
            return None
        action, _, name = path.partition(".")
        for block in resolved.decls:
            if isinstance(block, t.Action) and block.name.text == action:
                return (
                    "".join(format_clause(c) for c in clauses_of(block) if c.name.text == name).rstrip("\n")
                    or None
                )
        return None

    def _resolve(self, rules: str) -> Resolved | None:
        try:
            return resolve(rules, load(split(rules)[0], self._places))
        except SpecError:
            return None
