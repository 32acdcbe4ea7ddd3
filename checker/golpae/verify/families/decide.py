"""Decides a property for all rule sets of a family at one table.

Input: `Choices`, a number of players, options and settings. Output: for a property, the regions in which it is proved,
refuted or unknown; each refuted one with a game.
Guarantee: what is proved in a region is proved for each of its rule sets. A game that refutes is accepted by replay
under each rule set of its region, and shows there that the property fails.

A region is proved as a whole, with the switches as unknowns; if that fails, a game is looked for under some of its rule
sets. Where there is one, the region in which it counts is left out, and the rest is asked again. Where there is none,
the region is halved, down to single rule sets, which are decided by the means for one.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from golpae.elaborate.blocks import BRINGS
from golpae.families.choices import Choices
from golpae.families.region import Cube, Region
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.distinct_names import MARK
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, WORKED_OUT, Answer
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.steps import MOST_IN_ALL
from golpae.verify.analysis import Analysis, NotKept
from golpae.verify.deciders.always import decide_always, invariant_failure
from golpae.verify.deciders.any_game import decide_conservation, decide_deadlock_freedom
from golpae.verify.deciders.ends import decide_ends
from golpae.verify.deciders.phrases import says_shortest
from golpae.verify.families.analysis import FamilyAnalysis
from golpae.verify.families.by_length import ByLength
from golpae.verify.families.deciding_games import Games
from golpae.verify.families.family_table import FamilyTable, Load, RegionVerdict, own_property
from golpae.verify.families.of_rules import alike, stated_alike
from golpae.verify.families.searches import Events
from golpae.verify.families.ways import DecidedAlternatives
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, properties_of

MOST_PARTS = 8  # regions of one property that are asked about
FEW_CASES = 8  # in which such a property is decided by itself each time
TOGETHER = 64  # cases after which memory is freed
MOST_CASES = 256  # parts in which a property of the rules alone refers to the same
MOST_ALONE = 256  # rule sets whose games are gone through one by one
MOST_SEARCHED = 3  # regions of one property in which a game that chance does not find is looked for


class FamilyVerifier:
    """Decides the properties of the rule sets of some choices at one table. Raises `TableFault`."""

    def __init__(
        self, choices: Choices, load: Load, players: int, options: Mapping[str, int], settings: Settings
    ) -> None:
        self.choices = choices
        self.family = choices.family
        self.table = FamilyTable(choices, load, players, options, settings)
        self.games = Games(self.table)
        self.searches: dict[str, ByLength] = {}  # the last one for each property
        self._last: FamilyAnalysis  # of the last proof

    @property
    def properties(self) -> tuple[PropertyDecl, ...]:
        """Those that rule sets of the family state, and what every game has to keep."""
        return stated_properties(self.choices)

    def region_of(self, prop: PropertyDecl) -> Region:
        """Return the rule sets that state a property."""
        stated = self.choices.stated.get(prop.name)
        return self.choices.region if stated is None else stated.region

    def decide(
        self,
        prop: PropertyDecl,
        within: Region | None = None,
        games: Sequence[tuple[str, Events]] = (),
    ) -> tuple[RegionVerdict, ...]:
        """Return the verdicts on a property by regions, which cover the rule sets that state it, or those `within` a
        region. These `games`, each with its rule set, are tried before others are looked for.
        """
        region = self.region_of(prop)
        if within is not None:
            region = region.intersection(within)
        if not region:
            return ()
        if self.is_static(prop, region):
            return tuple(self._of_rules(prop, region))
        search = self.searches[prop.name] = ByLength(self.games.paths, prop, region)
        shown = [] if self._is_small(region) else self.games.known(prop, region, games)
        for part in shown:
            region = region.difference(part.region)
        return search.shortest((*shown, *self._of_games(prop, region, search)))

    # ------------------------------------------------------------------ what no position matters to

    def is_static(self, prop: PropertyDecl, region: Region) -> bool:
        """Return whether a property speaks of the rules alone."""
        if prop.name.endswith(BRINGS):
            return True
        if prop.after is not None or prop.kind not in ("theorem", "claim"):
            return False
        rules = self.table.load(self.family.called(region.sample))
        own = next(p for p in rules.properties if p.name == prop.name)
        return not Dependencies(rules).reads([own.expr])

    def _of_rules(self, prop: PropertyDecl, region: Region) -> Iterator[RegionVerdict]:
        """Decide a property for each setting of the switches that it depends on, or about ways to score for all."""
        parts = self.parts_of_rules(prop, region)
        few = len(parts) <= FEW_CASES
        if not few:
            left = region
            for same in stated_alike(self.choices, prop, region):
                for shown in self._of_ways(prop, same):
                    left = left.difference(shown.region)
                    yield shown
            parts = self.parts_of_rules(prop, left) if left else []
        for number, part in enumerate(parts):
            if number % TOGETHER == TOGETHER - 1:
                gc.collect()  # what decided so many of them, which nothing will ask again
            yield (
                self._alone(prop, part, few)
                if number < MOST_CASES
                else RegionVerdict(part, UNKNOWN, "too many cases")
            )

    def _of_ways(self, prop: PropertyDecl, region: Region) -> Iterator[RegionVerdict]:
        """Yield the verdicts on a statement about ways to score, with the switches as unknowns. If a verdict rests on a
        hand, or is not that the statement holds, one rule set by itself is checked, too.
        """
        regions = [region.restrict(one.cube) for one in self.choices.alternatives]
        asked = [number for number, own in enumerate(regions) if own]
        try:
            with parts_apart():
                for shown in self._shown(prop, region, asked):
                    where = self.family.space.nothing
                    for number in shown.numbers:
                        where = where.union(regions[number])
                    if shown.holds and not shown.by_hand:
                        yield RegionVerdict(where, PROVED, WORKED_OUT)
                        continue
                    part = self._alone(prop, where)
                    if part.verdict == (PROVED if shown.holds else REFUTED):
                        yield part
        except (Unsupported, TooManySteps, LimitReached):
            return  # the rest is decided case by case

    def _shown(
        self, prop: PropertyDecl, region: Region, asked: Sequence[int]
    ) -> Iterator[DecidedAlternatives]:
        """Yield the alternatives for which a property is decided with the switches as unknowns; none if it is no
        statement about ways to score.
        """
        if not asked:
            return
        if prop.name.endswith(BRINGS):
            yield from self.table.ways.brings(prop.name.removesuffix(BRINGS), asked)
            return
        rules = self.table.load(self.family.called(region.sample))
        expr = next(p.expr for p in rules.properties if p.name == prop.name)
        if isinstance(expr, ir.Ways):
            yield from self.table.ways.statement(prop.name, expr, asked)

    def parts_of_rules(self, prop: PropertyDecl, region: Region) -> list[Region]:
        """Return the parts of a region in which a property of the rules alone is the same."""
        return alike(self.choices, prop, region)

    # ------------------------------------------------------------------ what games decide

    def _of_games(self, prop: PropertyDecl, region: Region, search: ByLength) -> Iterator[RegionVerdict]:
        waiting, queries, played, searched = [region] if region else [], 0, 0, 0
        is_found = True  # by the last games that chance played where a proof failed again
        while waiting:
            left = waiting.pop(0)
            queries += 1
            shown: list[RegionVerdict] = []
            story = self.proved(prop, left, thorough=False)
            if story is None and played > 1 and is_found:  # games are quicker than invariants
                shown = self.games.played_again(prop, left, self.guess(left))
                is_found = bool(shown)
            if story is None and not shown and left != self.choices.region:
                story = self.proved(prop, left)
            if story is not None:
                yield RegionVerdict(left, REFUTED if prop.kind == "reachable" else PROVED, story)
                continue
            if queries == 1 and self._is_small(left):
                for number in left.members():
                    yield self._alone(prop, self.family.space.region(((self.family.every, number),)))
                return
            if queries > MOST_PARTS and not shown:
                yield RegionVerdict(left, UNKNOWN, "too many cases")
                continue
            guess = self.guess(left)
            if queries == 1:
                shown = search.within(left)
            if not shown:
                played += 1
            if not shown and played == 1:
                shown = self.games.played(prop, left, guess)
            elif not shown and played == 2:
                shown = self.games.played_again(prop, left, guess)
                is_found = bool(shown)
            if not shown and left.varies and searched < MOST_SEARCHED:
                searched += 1
                shown = self.games.solved(prop, left, left.restrict(guess).sample)
            if shown:
                yield from shown
                for part in shown:
                    left = left.difference(part.region)
                waiting = [left, *waiting] if left else waiting
            elif left.varies:
                bit = self.parting(left, guess)
                waiting += [left.restrict((bit, 0)), left.restrict((bit, bit))]
            else:
                yield self._alone(prop, left)

    def _is_small(self, region: Region) -> bool:
        """Return whether all games of the rule sets of a region can be gone through, as it seems."""
        return region.size <= MOST_ALONE and self.table.verifier(region.sample).analysis.games is not None

    def guess(self, region: Region) -> Cube:
        """Return where the last proof failed, as a cube; it need not be in the region whole."""
        cube = self.table.cube(self._last.suspected())
        return cube if region.restrict(cube) else (0, 0)

    @staticmethod
    def parting(region: Region, guess: Cube) -> int:
        """Return the switch by which a region is halved: one that is on where the proof failed, if there is one."""
        for bits in (region.varies & guess[0] & guess[1], region.varies & guess[0], region.varies):
            if bits:
                return bits & -bits
        raise ValueError("nothing varies in this region")

    def proved(self, prop: PropertyDecl, region: Region, thorough: bool = True) -> str | None:
        """Return why a property holds under all rule sets of a region, or None. If it says that games can get
        somewhere, return why none can. Unless it is `thorough`, no invariants are looked for that a larger region has
        not.
        """
        analysis = self._last = self.table.analysis(region, thorough)
        analysis.machine.limit_steps(MOST_IN_ALL)
        analysis.failure = None
        try:
            with analysis.apart(prop.name), parts_apart():
                return self._story(analysis, prop)
        except (NotKept, Unsupported, TooManySteps, LimitReached, MemoryError):
            return None

    def _story(self, analysis: Analysis, prop: PropertyDecl) -> str | None:
        if prop.kind == "reachable":
            return None if invariant_failure(analysis, prop) is not None else "unreachable, by induction"
        answer = self._answer(analysis, prop)
        return answer.story if answer.verdict == PROVED else None

    def _answer(self, analysis: Analysis, prop: PropertyDecl) -> Answer:
        if prop.name == CONSERVATION:
            return decide_conservation(analysis, prop)
        if prop.name == DEADLOCK_FREEDOM:
            return decide_deadlock_freedom(analysis, prop)
        if prop.kind == "ends":
            return decide_ends(analysis, replace(prop, expected=None))
        return decide_always(analysis, prop)

    # ------------------------------------------------------------------ one rule set

    def _alone(self, prop: PropertyDecl, region: Region, again: bool = True) -> RegionVerdict:
        """Decide a property under one rule set of a region, in which it is the same under all. This rule set may be
        asked about `again`.
        """
        least = min(region.smallest())
        rules = self.family.called(least)
        verifier = self.table.verifier(least) if again else self.table.new_verifier(least)
        result = verifier.verify(own_property(verifier, prop))
        game = None if result.verdict == UNKNOWN else result.witness  # which only shows why it is unknown
        is_shortest = says_shortest(result.story, () if game is None else game.events)
        return RegionVerdict(region, result.verdict, result.story, rules, game, is_shortest)


def stated_properties(made: Choices) -> tuple[PropertyDecl, ...]:
    """Return the properties that rule sets of some choices state, and what every game has to keep."""
    own = properties_of(made.rule_set)
    stated = made.stated
    return tuple(
        p for p in own if not p.name.endswith(MARK) and (p.name not in stated or stated[p.name].region)
    )
