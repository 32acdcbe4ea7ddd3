"""What generated code has to know of a rule set's definitions: which have tables, and which ask for a score or a shape.

Input: the definitions. Output: the answers, each found once.
"""

from __future__ import annotations

from collections.abc import Mapping

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, chooses_together
from golpae.ir.limits import Limited
from golpae.ir.ruleset import Definition, RuleSet
from golpae.ir.traverse import nodes
from golpae.ir.types import Tile


class Definitions:
    """The definitions of one rule set, which never depend on themselves."""

    def __init__(self, rules: RuleSet, limited: Limited, noting: bool = False) -> None:
        self._named: Mapping[str, Definition] = {d.name: d for d in rules.definitions}
        self._dependencies, self._limited, self._noting = Dependencies(rules), limited, noting
        self._tables: dict[str, bool] = {}
        self._searches: dict[str, bool] = {}

    def is_table(self, definition: Definition) -> bool:
        """Return whether a definition has one or two tiles as parameters, reads nothing that changes, and surely has a
        value for all tiles: one that may be too large has to be asked for each tile by itself. If it is noted which
        definitions are asked, only those have a table that are no cases and ask no others: a value that is looked up
        asks nothing.
        """
        if definition.name not in self._tables:
            self._tables[definition.name] = (
                all(isinstance(p.type, Tile) for p in definition.params)
                and 1 <= len(definition.params) <= 2
                and not (self._noting and _asks_more(definition))
                and all(self.fixed(c.expr) for c in definition.cases)
                and not any(chooses_together(c.expr, self._named) for c in definition.cases)
                and not any(self._limited.can_fail(c.expr) for c in definition.cases)
            )
        return self._tables[definition.name]

    def fixed(self, expr: ir.Expr) -> bool:
        """Return whether an expression's value depends on nothing but its names."""
        return not self._dependencies.reads([expr])

    def asks_score(self, definition: Definition) -> bool:
        """Return whether a definition asks for a score or a shape, itself or through others.

        Their functions may call definitions that come after this one.
        """
        if definition.name not in self._searches:
            self._searches[definition.name] = any(self.may_search(case.expr) for case in definition.cases)
        return self._searches[definition.name]

    def may_search(self, expr: ir.Expr) -> bool:
        """Return whether an expression asks for a score or a shape, itself or through definitions."""
        for node in nodes(expr):
            if isinstance(node, ir.CallScore | ir.IsShape | ir.LayOut | ir.IsBeside | ir.Parted):
                return True
            if isinstance(node, ir.CallDef) and self.asks_score(self._named[node.name]):
                return True
        return False


def _asks_more(definition: Definition) -> bool:
    """Return whether it matters which cases of a definition hold, or which other definitions it asks."""
    return not definition.single or any(
        isinstance(node, ir.CallDef) for case in definition.cases for node in nodes(case.expr)
    )
