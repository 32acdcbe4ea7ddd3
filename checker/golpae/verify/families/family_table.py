"""What deciding a property for a family needs at one table: analyses of regions, and means for single rule sets.

Input: `Choices`, a number of players, options and settings. Output: `FamilyTable`, and `RegionVerdict`, a verdict on a
region.
Guarantee: each analysis is made once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from golpae.elaborate.instance import instantiate
from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Cube, Region
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.answer import Witness
from golpae.verify.families.analysis import FamilyAnalysis, ShapesOfMany
from golpae.verify.families.machine import FamilyMachine
from golpae.verify.families.ways import WaysOfMany
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier

Load = Callable[[str], RuleSet]


@dataclass(frozen=True, slots=True)
class RegionVerdict:
    """A verdict on the rule sets of a region, with the reason. `rules` names the rule set of the witness, a game that
    `is_shortest` if it is certain that none with fewer events shows the same under any of them.
    """

    region: Region
    verdict: str
    story: str
    rules: str | None = None
    witness: Witness | None = None
    is_shortest: bool = False


class FamilyTable:
    """Analyses of the rule sets of some choices at one table. Raises `TableFault`."""

    def __init__(
        self, choices: Choices, load: Load, players: int, options: Mapping[str, int], settings: Settings
    ) -> None:
        self.choices = choices
        self.family = choices.family
        self.players, self.options = players, options
        self.settings = replace(settings, kept=None)
        self.load = load
        self.instance = choices.instance(players, options)
        self._analyses: dict[tuple[Region, bool], FamilyAnalysis] = {}
        self._verifiers: dict[int, Verifier] = {}

    def analysis(self, region: Region, thorough: bool = True) -> FamilyAnalysis:
        """Return the analysis of a region. Unless it is `thorough`, it has the invariants of all rule sets alone."""
        whole = region == self.choices.region
        key = region, thorough or whole
        if key not in self._analyses:
            larger = None if whole else self.analysis(self.choices.region)
            made = FamilyAnalysis(self.choices, region, self.instance, self.settings, larger, thorough)
            self._analyses[key] = made
        return self._analyses[key]

    def verifier(self, switches_on: int) -> Verifier:
        """Return the verifier under one rule set."""
        if switches_on not in self._verifiers:
            self._verifiers[switches_on] = self.new_verifier(switches_on)
        return self._verifiers[switches_on]

    def new_verifier(self, switches_on: int) -> Verifier:
        """Return a verifier under one rule set, which nothing else uses."""
        rules = self.load(self.family.called(switches_on))
        return Verifier(instantiate(rules, self.players, self.options), self.settings)

    @cached_property
    def ways(self) -> WaysOfMany:
        """The scores of all rule sets."""
        analysis = self.analysis(self.choices.region)
        assert isinstance(analysis.shapes, ShapesOfMany)
        return WaysOfMany(self.instance, analysis.shapes.of, analysis.solver)

    @property
    def machine(self) -> FamilyMachine:
        """The machine of all rule sets."""
        machine = self.analysis(self.choices.region).machine
        assert isinstance(machine, FamilyMachine)
        return machine

    def cube(self, values: Mapping[str, bool]) -> Cube:
        """Return the rule sets in which states of the table have these values."""
        fixed = on = 0
        for name, value in values.items():
            bit = self.family.bits([name.removeprefix(PREFIX)])
            fixed |= bit
            on |= bit if value else 0
        return fixed, on


def own_property(verifier: Verifier, prop: PropertyDecl) -> PropertyDecl:
    """Return a property as the rule set of a verifier states it."""
    return next(p for p in properties_of(verifier.instance.rule_set) if p.name == prop.name)
