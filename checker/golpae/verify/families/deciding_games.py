"""Games that decide a property under some rule sets of a family, and where else they do.

Input: a `FamilyTable`, a property and a region. Output: `RegionVerdict`s of the region, each with a game. Guarantee:
replay accepts the game under each rule set of its part, and shows there what it decides.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from golpae.families.region import Cube, Region
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl
from golpae.replay.legal_events import Event
from golpae.replay.steps import MOST_IN_ALL
from golpae.search.random_play import shortened
from golpae.verify.deciders.game_search import DEPTH
from golpae.verify.families.by_chance import ChanceGames, chance_games
from golpae.verify.families.by_path import PathGames
from golpae.verify.families.family_table import FamilyTable, RegionVerdict, own_property
from golpae.verify.families.replays import Replays
from golpae.verify.families.searches import Events, search, target_of
from golpae.verify.properties import DEADLOCK_FREEDOM

FEW_GAMES, GAMES, MORE_GAMES = 8, 30, 100  # that are played under each rule set, and where a proof failed
AGAIN = 3  # times as many games by chance, where a proof failed again
SUSPECTS = 12  # rule sets of a region under which a game is looked for
DENSITIES = (0.2, 0.5, 0.8)


class Games:
    """Looks for games at one table."""

    def __init__(self, table: FamilyTable) -> None:
        self.table = table
        self.family = table.family
        self.replays = Replays(table)
        self.paths = PathGames(self.replays)
        self._chance: dict[str, ChanceGames | None] = {}

    def known(
        self, prop: PropertyDecl, left: Region, games: Sequence[tuple[str, Events]]
    ) -> list[RegionVerdict]:
        """Return parts of a region in which one of these games, each of which has a rule set, decides a property."""
        out: list[RegionVerdict] = []
        for rules, events in games:
            base, *switches = rules.split("+")
            switches_on = self.family.bits(switches)
            if (
                base == self.family.base
                and switches_on in left
                and switches_on.bit_count() == len(switches)
                and self.replays.shows(prop, switches_on, events)
            ):
                out.append(self.replays.part(prop, left, switches_on, events))
                left = left.difference(out[-1].region)
        return out

    def played(self, prop: PropertyDecl, left: Region, guess: Cube) -> list[RegionVerdict]:
        """Return parts of a region in which a game decides a property that chance finds: under the rule set where the
        last proof failed, or under others.
        """
        first = left.restrict(guess).sample
        chance = self._chance_games(prop)
        if chance is not None:
            game = self._game(prop, left, [first], FEW_GAMES)  # guided games are shorter
            out = [] if game is None else self._around(prop, left, *game, FEW_GAMES)
            for part in out:
                left = left.difference(part.region)
            return out + self._by_chance(chance, prop, left, first, 1)
        suspects = self._suspects(left)
        game = (
            self._game(prop, left, [first], MORE_GAMES)
            or self._game(prop, left, suspects, FEW_GAMES)
            or self._game(prop, left, suspects, GAMES)
        )
        return [] if game is None else self._around(prop, left, *game)

    def played_again(self, prop: PropertyDecl, left: Region, guess: Cube) -> list[RegionVerdict]:
        """Return parts of what is left, where the last proof failed too: of more games by chance, if these are
        quick, the first that decides the property.
        """
        chance = self._chance_games(prop)
        first = left.restrict(guess).sample
        return [] if chance is None else self._by_chance(chance, prop, left, first, AGAIN)

    def _chance_games(self, prop: PropertyDecl) -> ChanceGames | None:
        """Return a player of games for a property on the compiled path, if that can be had."""
        if prop.name not in self._chance:
            choices, settings = self.table.choices, self.table.settings
            self._chance[prop.name] = chance_games(
                choices, self.table.instance, prop, settings.seed, settings.scaled(1)
            )
        return self._chance[prop.name]

    def _by_chance(
        self, chance: ChanceGames, prop: PropertyDecl, left: Region, first: int, times: int
    ) -> list[RegionVerdict]:
        """Return parts of a region in which games decide a property that chance finds on the compiled path, in `times`
        as many games as usual.
        """
        out: list[RegionVerdict] = []
        while left and (hit := chance.hit(left, first if first in left else left.sample, times)) is not None:
            before = left
            for some in levels(left):  # few switches on before many
                for switches_on, events in chance.found(hit, (on for on in some if on in left)):
                    lines = self._shortened(prop, switches_on, events) if switches_on in left else None
                    if lines is not None and self.replays.shows(prop, switches_on, lines):
                        out.append(self.replays.part(prop, left, switches_on, lines))
                        left = left.difference(out[-1].region)
            if left == before or times > 1:
                break
        return out

    def shown_by(self, prop: PropertyDecl, switches_on: int, events: Sequence[Event]) -> bool:
        """Return whether a game that was played decides a property under a rule set, as replay sees it."""
        lines = self._shortened(prop, switches_on, events)
        return lines is not None and self.replays.shows(prop, switches_on, lines)

    def _shortened(self, prop: PropertyDecl, switches_on: int, events: Sequence[Event]) -> Events | None:
        """Return the shortest part of a game that decides a property under a rule set, as lines of a trace."""
        machine = self.table.machine
        with machine.at(self.table.choices.values(switches_on)):
            machine.limit_steps(MOST_IN_ALL)
            try:
                game = shortened(machine, target_of(prop), events, prop.after)
            except TooManySteps:
                return None
        return None if game is None else tuple(game.events)

    def solved(self, prop: PropertyDecl, left: Region, switches_on: int) -> list[RegionVerdict]:
        """Return parts of a region in which a game decides a property that the means for one rule set find."""
        verifier = self.table.verifier(switches_on)
        witness = verifier.verify(own_property(verifier, prop)).witness
        return (
            []
            if witness is None or not witness.events
            else self._around(prop, left, switches_on, witness.events)
        )

    def _around(
        self, prop: PropertyDecl, left: Region, switches_on: int, events: Events, games: int = GAMES
    ) -> list[RegionVerdict]:
        """Return parts of a region in which a game like this one decides a property, which does so under one of its
        rule sets.
        """
        if not self.replays.shows(prop, switches_on, events):
            return []
        out = [self.replays.part(prop, left, switches_on, events)]
        left = left.difference(out[0].region)
        if not left:
            return out
        if len(events) <= DEPTH and prop.kind != "ends" and prop.name != DEADLOCK_FREEDOM:
            return out + self.paths.along(prop, left, events)
        failing = [switches_on]
        while (game := self._game(prop, left, self._near(left, failing), games)) is not None:
            failing.append(game[0])
            out.append(self.replays.part(prop, left, *game))
            left = left.difference(out[-1].region)
        return out

    def _game(
        self, prop: PropertyDecl, region: Region, suspects: Iterable[int], games: int
    ) -> tuple[int, Events] | None:
        """Return one of these rule sets of a region and a game that decides a property under it, or None."""
        machine = self.table.machine
        for switches_on in suspects:
            with machine.at(self.table.choices.values(switches_on)):
                machine.limit_steps(MOST_IN_ALL)
                try:
                    events = search(
                        machine, prop, self.table.settings.seed, self.table.settings.scaled(games)
                    )
                except TooManySteps:
                    continue
            if events is not None:
                return switches_on, events
        return None

    def _suspects(self, region: Region) -> list[int]:
        """Return rule sets of a region: those with few switches on, and some by chance."""
        out: dict[int, None] = {region.sample: None}
        first = region.sample
        for number in range(len(self.family.names)):
            if first ^ 1 << number in region:
                out[first ^ 1 << number] = None
        rng = random.Random("suspects")
        for _ in range(SUSPECTS):
            fixed, on = rng.choice(region.cubes)
            density = rng.choice(DENSITIES)
            chance = sum(1 << n for n in range(len(self.family.names)) if rng.random() < density)
            out[on | (chance & ~fixed)] = None
        return list(out)[:SUSPECTS]

    def _near(self, region: Region, failing: Sequence[int]) -> list[int]:
        """Return rule sets of a region that have all switches on of one under which a game was found."""
        out: dict[int, None] = {}
        for switches_on in failing:
            for _, on in region.restrict((switches_on, switches_on)).cubes:
                out[on] = None
        return sorted(out, key=lambda on: (on.bit_count(), on))[:SUSPECTS]


def levels(region: Region) -> Iterator[list[int]]:
    """Yield the rule sets of a region by how many switches are on."""
    yield from (list(some) for _, some in groupby(region.members(), key=int.bit_count))
