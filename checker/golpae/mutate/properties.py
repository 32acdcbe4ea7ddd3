"""Whether the properties of a text, or the solver, tell a mutant from it.

Input: a mutant of a whole text, with its properties.
Output: the properties that have the expected verdict without the change, and not with it; and whether both texts have
the same games and the same payments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable
from golpae.compare.games.refinement import RefinementChecker
from golpae.compare.games.verdict import PROVED
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.mutate.mutants import Mutant
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.scheduler import tables
from golpae.verify.status import UNDECIDED, status
from golpae.verify.verifier import Verifier

TABLES = 2  # the smallest ones


class Noticed(NamedTuple):
    """A property that notices a mutant: the number of players, and its verdict there."""

    name: str
    players: int
    verdict: str


def _tables(rules: RuleSet) -> list[int]:
    return sorted({players for players, _ in tables(rules)})[:TABLES]


def noticed(mutant: Mutant, loaded: Loaded) -> Iterator[Noticed]:
    """Yield the properties that are decided as expected for a text, and not for its mutant, theorems first."""
    changed, usual = (check(resolve(mutant.rules, text)) for text in (mutant.loaded, loaded))
    return falling(usual, changed)


def falling(usual: RuleSet, changed: RuleSet) -> Iterator[Noticed]:
    """Yield the properties that are decided as expected for a rule set, and not for a changed one, theorems first."""
    for players in _tables(changed):
        verifier = Verifier(instantiate(changed, players, {}), Settings())
        for prop in sorted(properties_of(changed), key=lambda p: p.kind not in ("theorem", "claim")):
            property_result = verifier.verify(prop)
            if property_result.as_expected or status(property_result) == UNDECIDED:
                continue
            if players not in _tables(usual) or _as_expected(usual, players, prop.name):
                yield Noticed(property_result.name, players, property_result.verdict)


def _as_expected(rules: RuleSet, players: int, name: str) -> bool:
    """Return whether a property has the expected verdict."""
    prop = next((p for p in properties_of(rules) if p.name == name), None)
    return prop is not None and Verifier(instantiate(rules, players, {}), Settings()).verify(prop).as_expected


def proved_same(mutant: Mutant, loaded: Loaded) -> str | None:
    """Return why a mutant of a text may have other games or payments; None if it is proved to have the same."""
    ours, theirs = check(resolve(mutant.rules, loaded)), check(resolve(mutant.rules, mutant.loaded))
    why = why_incomparable(ours, theirs)
    if why is not None:
        return why
    other = aligned(ours, theirs)
    for players in _tables(ours):
        a = Analysis(instantiate(ours, players, {}), Settings(), "a ", other)
        b = Analysis(instantiate(other, players, {}), Settings(), "b ", ours)
        checker = RefinementChecker(a, b, Rewritten(ours, other))
        for verdict in (checker.all_legal(a, b), checker.all_legal(b, a), checker.paid_alike()):
            if verdict.verdict != PROVED:
                return verdict.detail
    return None
