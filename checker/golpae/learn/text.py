"""The text of one rule set, ready for edits.

Input: a loaded text and the name of a rule set, `base+switch+...`.
Output: the text as these switches leave it, with no switches and no properties of its own.
Guarantee: it has the games of the rule set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.syntax import tree as t


def flat(loaded: Loaded, rules: str) -> Loaded:
    """Return the text of a rule set as one without switches. Raises `SpecError`."""
    resolved = resolve(rules, loaded)
    return replace(loaded, decls=tuple(d for d in resolved.decls if not isinstance(d, t.Property)))


def with_action(
    loaded: Loaded, name: str, change: Callable[[tuple[t.Clause, ...]], Iterable[t.Clause]]
) -> Loaded:
    """Return a text with other clauses of an action."""
    decls = (
        replace(d, clauses=tuple(change(d.clauses))) if isinstance(d, t.Action) and d.name.text == name else d
        for d in loaded.decls
    )
    return replace(loaded, decls=tuple(decls))


def before_effects(clauses: tuple[t.Clause, ...], more: Iterable[t.Clause]) -> tuple[t.Clause, ...]:
    """Return clauses with more of them, behind the other conditions."""
    at = next((at for at, clause in enumerate(clauses) if isinstance(clause.body, t.Effects)), len(clauses))
    return (*clauses[:at], *more, *clauses[at:])


def with_clauses(loaded: Loaded, action: str, more: Sequence[t.Clause]) -> Loaded:
    """Return a text with more clauses of an action, behind its other conditions."""
    return with_action(loaded, action, lambda clauses: before_effects(clauses, more))


def without(loaded: Loaded, action: str, name: str) -> Loaded:
    """Return a text without a clause of an action."""
    return with_action(loaded, action, lambda clauses: (c for c in clauses if c.name.text != name))
