"""Whether the properties of a text, or the solver, tell a mutant from it.

Input: a mutant of a whole text, with its properties.
Output: the first property whose verdict is not the one that the text expects, or None; and whether both texts have the
same games and the same payments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable
from golpae.compare.games.refinement import RefinementChecker
from golpae.compare.games.verdict import PROVED
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.scheduler import tables
from golpae.verify.verifier import Verifier
from tests.mutation.mutate import Mutant
from tests.replay.shared import rule_set

TABLES = 2  # the smallest ones


class Noticed(NamedTuple):
    """A property that notices a mutant: the number of players, and its verdict there."""

    name: str
    players: int
    verdict: str


def rules_of(mutant: Mutant) -> str:
    """Return the rule set that contains a mutant's change."""
    game = mutant.loaded.game.name.text
    return game if mutant.switch is None else f"{game}+{mutant.switch}"


def _tables(rules: RuleSet) -> list[int]:
    return sorted({players for players, _ in tables(rules)})[:TABLES]


def noticed(mutant: Mutant) -> Iterator[Noticed]:
    """Yield the properties that notice a mutant, theorems first."""
    changed = check(resolve(rules_of(mutant), mutant.loaded))
    for players in _tables(changed):
        verifier = Verifier(instantiate(changed, players, {}), Settings())
        for prop in sorted(properties_of(changed), key=lambda p: p.kind not in ("theorem", "claim")):
            found = verifier.verify(prop)
            if not found.as_expected:
                yield Noticed(found.name, players, found.verdict)


def proved_same(mutant: Mutant) -> str | None:
    """Return why the mutant may have other games or payments; None if it is proved to have the same."""
    ours, theirs = rule_set(rules_of(mutant)), check(resolve(rules_of(mutant), mutant.loaded))
    why = why_incomparable(ours, theirs)
    if why is not None:
        return why
    other = aligned(ours, theirs)
    for players in _tables(ours):
        a = Analysis(instantiate(ours, players, {}), Settings(), "a ", other)
        b = Analysis(instantiate(other, players, {}), Settings(), "b ", ours)
        checker = RefinementChecker(a, b, Rewritten(ours, other))
        for held in (checker.all_legal(a, b), checker.all_legal(b, a), checker.paid_alike()):
            if held.verdict != PROVED:
                return held.detail
    return None
