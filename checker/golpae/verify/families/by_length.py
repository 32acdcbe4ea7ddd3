"""The shortest games that decide a property, under each rule set of a region.

Input: a property and a region; `RegionVerdict`s of it that games decide. Output: parts of the same, each with a game.
Guarantee: replay accepts each game under each rule set of its part, and shows there what it decides. Where a game is
said to be the shortest, no game with fewer events decides the property under any rule set of its part.

Paths are looked at by their length, with the switches as unknowns, as long as there is effort for it. Of the games that
were found in another way, those with few events count first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from golpae.diagnostics.amounts import many
from golpae.families.region import Region
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED
from golpae.prove.bmc import BoundedModelChecker
from golpae.prove.solving.solver import MILLION, LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify.analysis import NotKept
from golpae.verify.deciders.game_search import reaching
from golpae.verify.deciders.phrases import events_of, shortest
from golpae.verify.families.by_path import PathGames
from golpae.verify.families.family_table import RegionVerdict
from golpae.verify.families.searches import Events, target_of
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM

PATHS, UNITS = 2_000, 10 * MILLION  # that are looked at for one property, and that they cost the solver
LONGEST = 400  # events of a game that is looked for


@dataclass(frozen=True, slots=True)
class _Known:
    """A game that decides the property under the rule set with these switches."""

    switches_on: int
    events: Events


class ByLength:
    """Looks for the shortest games by which rule sets of a region decide a property, of at most `most` events. Paths
    are looked at once.

    `none_up_to` counts events: no game of so many decides the property under rule sets that were `looked_at`, where
    none was found.
    """

    def __init__(self, paths: PathGames, prop: PropertyDecl, region: Region, most: int = LONGEST) -> None:
        self._paths, self._prop, self._replays = paths, prop, paths.replays
        self._most = most
        self._found: list[RegionVerdict] | None = None
        self._left = region
        self._known = [_Known(region.sample, ())] if prop.after is None else []
        self.none_up_to = 0
        self.looked_at = region.space.nothing
        self._is_asked = prop.kind != "ends" and prop.name not in (CONSERVATION, DEADLOCK_FREEDOM)

    def within(self, region: Region) -> list[RegionVerdict]:
        """Return the verdicts that paths show, limited to a region."""
        parts = (replace(part, region=part.region.intersection(region)) for part in self._searched())
        return [part for part in parts if part.region]

    def shortest(self, parts: Sequence[RegionVerdict]) -> tuple[RegionVerdict, ...]:
        """Return the parts that another search has found, each with the shortest game that is known for its rule sets,
        and whether it is certainly a shortest one.
        """
        again = self._found is not None  # paths have shown some of these parts
        shown = [p for p in parts if p.witness and p.witness.events and (again or not p.is_shortest)]
        others = [part for part in parts if part not in shown]
        if not shown or not self._is_asked:
            return tuple(parts)
        region, family = self._left.space.nothing, self._paths.table.family
        for part in shown:
            assert part.witness is not None
            assert part.rules is not None
            region = region.union(part.region)
            self._known.append(_Known(family.named(part.rules), part.witness.events))
        self._known.sort(key=lambda game: (len(game.events), game.switches_on.bit_count()))
        if self._found is None:
            self._left = region
        out = self.within(region)
        for part in out:
            region = region.difference(part.region)
        self._left = region
        out += self._of_known(None)
        for part in shown:  # a game was replayed too often to say where else it counts
            if rest := part.region.intersection(self._left):
                out.append(replace(part, region=rest))
        return (*out, *others)

    def none_under(self, switches_on: int, parts: Sequence[RegionVerdict]) -> int:
        """Return of up to how many events there is certainly no game that decides the property under a rule set of the
        region, by these parts of it.
        """
        part = next((part for part in parts if switches_on in part.region), None)
        if part is not None and part.verdict == (REFUTED if self._prop.kind == "reachable" else PROVED):
            return LONGEST
        if part is not None and part.witness is not None and part.is_shortest:
            return len(part.witness.events) - 1
        return self.none_up_to if switches_on in self.looked_at else 0

    def _searched(self) -> list[RegionVerdict]:
        """Return the parts that paths show, as long as these can be looked at, those with short games first."""
        if self._found is None:
            self._found = []
            with suppress(NotKept, Unsupported, TooManySteps, LimitReached, MemoryError):
                for part in self._along_paths() if self._is_asked else ():
                    self._found.append(part)
        return self._found

    def _along_paths(self) -> Iterator[RegionVerdict]:
        table, prop = self._paths.table, self._prop
        analysis = table.analysis(table.choices.region)
        yield from self._of_known(1)
        if not self._left:
            return
        self.looked_at = self._left
        with analysis.apart(prop.name), parts_apart():
            system = analysis.induction.system
            checker = BoundedModelChecker(system, analysis.solver, PATHS, UNITS)
            here = (*analysis.induction.assumed, system.states.settled(table.choices.settings(self._left)))
            goal = reaching(analysis, target_of(prop), prop)
            longest = max((len(game.events) - 1 for game in self._known), default=self._most)
            for ending in checker.endings(goal, prop.after, prop.within or longest, here):
                if len(ending.steps) > self.none_up_to + 1 and checker.complete:
                    self.none_up_to = len(ending.steps) - 1
                yield from self._of_known(len(ending.steps))
                for part in self._paths.of_ending(prop, self._left, ending):
                    yield self._told(part)
                if not self._left:
                    return
            if checker.complete:
                self.none_up_to = max(self.none_up_to, checker.depth)

    def _of_known(self, most: int | None) -> Iterator[RegionVerdict]:
        """Yield the parts of what is left in which games of at most so many events decide the property that are
        known.
        """
        while self._left and self._known and (most is None or len(self._known[0].events) <= most):
            game = self._known.pop(0)
            question = self._prop, self._left, game.switches_on, game.events
            if self._replays.where_it_shows(*question):
                yield self._told(self._replays.part(*question))

    def _told(self, part: RegionVerdict) -> RegionVerdict:
        """Return a part that is found with what is certain of its game; it is left no longer."""
        assert part.witness is not None
        self._left = self._left.difference(part.region)
        events = part.witness.events
        is_shortest = len(events) <= self.none_up_to + 1
        return replace(part, story=self._story(events, is_shortest), is_shortest=is_shortest)

    def _story(self, events: Sequence[object], is_shortest: bool) -> str:
        if is_shortest:
            return shortest(events)
        if not self.none_up_to:
            return events_of(events)
        return f"{events_of(events)}; none of up to {many(self.none_up_to, 'event')} shows it"
