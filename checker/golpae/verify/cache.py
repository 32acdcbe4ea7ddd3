"""Cached results of properties, so that nothing is decided twice.

Input: a rule set, a table and the settings.
Output: the results last stored for exactly these, by name of property.
Guarantee: an unknown result is not stored: more time may decide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from golpae import cache
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import UNKNOWN
from golpae.verify.options import Settings
from golpae.verify.properties import meaning_of
from golpae.verify.result import PropertyResult

FORM = 1
CODE = ("ir", "elaborate", "trace", "replay", "prove", "search", "verify")  # what takes part in a decision


class Entry:
    """The entry of a rule set at one table. Comments, layout and switches that are off do not count.

    What the name depends on is put into words once; golpae's code is looked at each time that the name is asked.
    """

    def __init__(
        self, rule_set: RuleSet, players: int, options: Mapping[str, int], settings: Settings
    ) -> None:
        self._spec_hash = rule_set.spec_hash
        self._packages = packages_of(settings)
        self._depends = cache.digest(
            FORM,
            meaning_of(rule_set),
            players,
            sorted(options.items()),
            settings.counted,
            None if settings.kept is None else replace(settings.kept, places=()),
        )

    @property
    def name(self) -> str:
        """The name of the entry."""
        return cache.fingerprint("proofs", self._depends, code=CODE, packages=self._packages)

    def load(self) -> dict[str, PropertyResult]:
        """Return the results that are stored, by name of property, marked as cached."""
        results = cache.load_as(self.name, list[PropertyResult]) or []
        return {r.name: replace(r, spec_hash=self._spec_hash, kept=True) for r in results}


def store(name: str, results: Iterable[PropertyResult]) -> None:
    """Store all decided results as the entry of this name, which they replace."""
    decided = [replace(r, kept=False, witness_file=None) for r in results if r.verdict != UNKNOWN]
    if decided:
        cache.store_as(name, decided)


def solvers(settings: Settings) -> dict[str, str]:
    """Return the versions of the solvers that the settings use, as they call themselves; no solver is imported."""
    versions = {
        package.removesuffix("-solver"): cache.version_of(package) for package in packages_of(settings)
    }
    return {name: ".".join(version.split(".")[:3]) for name, version in versions.items()}


def packages_of(settings: Settings) -> tuple[str, ...]:
    """Return the distributions of the solvers that the settings use."""
    return ("z3-solver", "cvc5") if settings.crosscheck else ("z3-solver",)
