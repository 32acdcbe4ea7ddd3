"""Cached comparisons, so that nothing is decided twice.

Input: two rule sets at one table and the settings.
Output: the comparison last stored for exactly these.
Guarantee: a comparison with an open question is not stored: more time may decide it.
"""

from __future__ import annotations

from collections.abc import Mapping

from golpae import cache
from golpae.compare.games.verdict import PROVED, REFUTED, AtTable
from golpae.ir.ruleset import RuleSet
from golpae.verify.cache import CODE, packages_of
from golpae.verify.options import Settings
from golpae.verify.properties import meaning_of

FORM = 2


def load(name: str) -> AtTable | None:
    """Return the comparison stored under a name, if any."""
    return cache.load_as(name, AtTable)


def store(name: str, comparison: AtTable) -> None:
    """Store the comparison at one table if all of it is decided."""
    if all(verdict in (PROVED, REFUTED) for verdict in comparison.verdicts):
        cache.store_as(name, comparison)


def name_of(a: RuleSet, b: RuleSet, players: int, options: Mapping[str, int], settings: Settings) -> str:
    """Return the name of the entry for two rule sets at one table."""
    return cache.fingerprint(
        "compared",
        FORM,
        meaning_of(a),
        meaning_of(b),
        players,
        sorted(options.items()),
        settings.effort,
        settings.most,
        settings.solver_seed,
        settings.seed,
        code=(*CODE, "compare"),
        packages=packages_of(settings),
    )
