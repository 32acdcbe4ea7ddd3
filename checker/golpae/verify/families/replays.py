"""Under which rule sets of a family a game decides a property.

Input: a `FamilyTable`, a property, a region and a game. Output: where it does; or a `RegionVerdict` of the region.
Guarantee: replay accepts the game under each of these rule sets, and shows there what it decides.
"""

from __future__ import annotations

from golpae.families.region import Region
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, Witness
from golpae.replay.steps import MOST_IN_ALL
from golpae.search.witness import completed
from golpae.verify.deciders.agreement import Contradiction
from golpae.verify.deciders.phrases import events_of
from golpae.verify.families.family_table import FamilyTable, RegionVerdict, own_property
from golpae.verify.families.searches import Events, shows

MOST_SHOWN = 4_096  # replays of one game


class Replays:
    """Replays games at one table."""

    def __init__(self, table: FamilyTable) -> None:
        self.table = table
        self.family = table.family

    def shows(self, prop: PropertyDecl, switches_on: int, events: Events) -> bool:
        """Return whether replay accepts a game under a rule set, and it decides a property there."""
        machine = self.table.machine
        with machine.at(self.table.choices.values(switches_on)):
            machine.limit_steps(MOST_IN_ALL)
            try:
                return shows(machine, prop, events)
            except TooManySteps:
                return False

    def where_it_shows(self, prop: PropertyDecl, region: Region, first: int, events: Events) -> Region:
        """Return the rule sets of a region under which replay accepts a game, and it decides a property. `first` is the
        one under which it was found.

        One replay stands for all rule sets that agree on what it reads of the switches.
        """
        out, left = region.space.nothing, region
        for _ in range(MOST_SHOWN):
            if not left:
                break
            switches_on = first if first in left else left.sample
            with self.table.machine.noting() as read:
                is_shown = self.shows(prop, switches_on, events)
            cube = self.table.cube(dict.fromkeys(read, True))[0]
            if is_shown:
                out = out.union(left.restrict((cube, switches_on & cube)))
            left = left.subtract((cube, switches_on & cube))
        return out

    def part(self, prop: PropertyDecl, region: Region, switches_on: int, events: Events) -> RegionVerdict:
        """Return the part of a region in which a game decides a property."""
        shown = self.where_it_shows(prop, region, switches_on, events)
        verdict = PROVED if prop.kind == "reachable" else REFUTED
        least = min(shown.smallest())
        rules = self.family.called(least)
        verifier = self.table.verifier(least)
        machine = verifier.analysis.machine
        if not shows(machine, own_property(verifier, prop), events):
            raise Contradiction(f"{prop.name}: a game shows it under `{rules}` as a choice, and not alone")
        return RegionVerdict(
            shown,
            verdict,
            events_of(events),
            rules,
            Witness((), tuple(map(dict, completed(machine, events)))),  # with what these rules pay
        )
