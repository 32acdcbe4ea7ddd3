"""Games along paths: sequences of actions by players, whose tiles and switches the solver chooses.

Input: a property, a region, and a game if others like it are asked for. Output: `RegionVerdict`s of the region, each
with a game. Guarantee: replay accepts the game under each rule set of its part, and shows there what it decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.families.region import Region, bits_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.bmc import BoundedModelChecker, Ending
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify.analysis import NotKept
from golpae.verify.deciders.game_search import reaching
from golpae.verify.families.analysis import at_table
from golpae.verify.families.family_table import RegionVerdict
from golpae.verify.families.replays import Replays
from golpae.verify.families.searches import Events, target_of


class PathGames:
    """Looks for games along paths at one table."""

    def __init__(self, replays: Replays) -> None:
        self.replays, self.table, self._family = replays, replays.table, replays.family

    def along(self, prop: PropertyDecl, region: Region, like: Events) -> list[RegionVerdict]:
        """Return parts of a region in which games of the same actions by the same players decide a property."""
        analysis, left = self.table.analysis(region), region
        out: list[RegionVerdict] = []
        try:
            with analysis.apart(prop.name), parts_apart():
                checker = BoundedModelChecker(analysis.induction.system, analysis.solver)
                goal, assumed = reaching(analysis, target_of(prop), prop), analysis.induction.assumed
                for ending in checker.endings(goal, prop.after, len(like), assumed, like):
                    for part in self.of_ending(prop, left, ending):
                        out.append(part)
                        left = left.difference(part.region)
        except (NotKept, Unsupported, TooManySteps, LimitReached, MemoryError):
            pass  # what was found counts
        return out

    def of_ending(self, prop: PropertyDecl, left: Region, ending: Ending) -> Iterator[RegionVerdict]:
        """Yield parts of a region in which games along one path decide a property."""
        while left and (least := self._least(ending, left)) is not None:
            if not self.replays.shows(prop, *least):
                ending.checker.complete = False  # another game along it may be accepted
                return
            part = self.replays.part(prop, left, *least)
            left = left.difference(part.region)
            yield part

    def _least(self, ending: Ending, region: Region) -> tuple[int, Events] | None:
        """Return a game along a path under a rule set of a region, from which no single switch can be left out."""
        least = self._game_along(ending, region)
        if least is None:
            return None
        for bit in bits_of(least[0] & region.varies):
            off = bit | self._family.every & ~least[0]
            fewer = region.restrict((off, 0))
            least = (self._game_along(ending, fewer) if fewer else None) or least
        return least

    def _game_along(self, ending: Ending, region: Region) -> tuple[int, Events] | None:
        """Return a game along a path under a rule set of a region, if the solver has one."""
        states = self.table.analysis(self.table.choices.region).induction.system.states
        path_game = ending.game(states.settled(self.table.choices.settings(region)))
        if path_game is None:
            return None
        events, model = path_game
        under = region.restrict(self.table.cube(at_table(states, model)))
        if not under:
            ending.checker.complete = False
            return None
        return under.sample, events
