"""The text of one rule set, ready for edits.

Input: a loaded text and the name of a rule set, `base+switch+...`.
Output: the text as these switches leave it, with no switches and no properties of its own.
Guarantee: it has the games of the rule set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.syntax import tree as t


def flat(loaded: Loaded, rules: str) -> Loaded:
    """Return the text of a rule set as one without switches. Raises `SpecError`."""
    resolved = resolve(rules, loaded)
    return replace(loaded, decls=tuple(d for d in resolved.decls if not isinstance(d, t.Property)))


def with_clauses(loaded: Loaded, block: str, clauses: Sequence[t.Clause]) -> Loaded:
    """Return a text with more clauses of an action, behind its other conditions."""
    decls = []
    for decl in loaded.decls:
        if isinstance(decl, t.Action) and decl.name.text == block:
            at = _first_effect(decl)
            decl = replace(decl, clauses=(*decl.clauses[:at], *clauses, *decl.clauses[at:]))
        decls.append(decl)
    return replace(loaded, decls=tuple(decls))


def _first_effect(action: t.Action) -> int:
    for at, clause in enumerate(action.clauses):
        if isinstance(clause.body, t.Effects):
            return at
    return len(action.clauses)
