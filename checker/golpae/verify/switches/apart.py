"""What a switch changes that is no choice within one rule set: tiles, shapes, scores, what another switch brings.

Input: a `FamilyName`, a switch, a table and settings. Output: what differs where, with a game, as `SwitchGroup` yields
it, or that it is unknown.
Guarantee: a game that shows a difference is replayed by the rule sets themselves. That nothing differs follows from
their texts, as `can_differ` says. What neither shows is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from golpae.elaborate.instance import Instance, instantiate
from golpae.families.at_table import CanDiffer, can_differ
from golpae.families.choices import Choices
from golpae.families.family import Family
from golpae.families.region import Region
from golpae.families.switched import NO_CHOICE, OF_TABLE
from golpae.ir.limits import TooManySteps
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.simulate import written
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.replay.steps import MOST_IN_ALL
from golpae.search.shrink import shrink
from golpae.search.witness import completed
from golpae.verify.deciders.agreement import Contradiction
from golpae.verify.switches.of_switch import (
    WHATS,
    Hit,
    Machines,
    PartingGame,
    What,
    having_both,
    united,
    without,
)
from golpae.verify.switches.pairs import Pairs
from golpae.verify.switches.refusals import TOO_LONG, Parting, parting_of

SHRINKING = 15_000  # events that are replayed to shorten one game


@dataclass(frozen=True, slots=True)
class Sides:
    """Choices that have rule sets without a switch, and with it; `settings` are those of the other switches."""

    off: Choices
    on: Choices
    settings: Region

    def is_choice(self, switch: str) -> bool:
        """Return whether the switch is a choice within one rule set."""
        return self.off is self.on and switch in self.off.free and switch not in self.off.of_table


def sides_of(family: Family, made: Sequence[Choices], switch: str) -> Iterator[Sides]:
    """Yield the choices of all settings of the other switches, in which a switch can be on and off."""
    bit, both = family.bits([switch]), having_both(family, switch)
    with_it = [one for one in made if one.region.restrict((bit, bit))]
    for off in made:
        left = off.region.restrict((bit, 0)).intersection(both)
        while left:
            on = next(one for one in with_it if left.sample | bit in one.region)
            settings = left.intersection(without(on.region.restrict((bit, bit)), bit))
            left = left.difference(settings)
            yield Sides(off, on, settings)


class Apart:
    """The rule sets with a switch and without it, at one table, if it is no choice. Raises `TableFault`."""

    def __init__(
        self, sides: Sides, switch: str, players: int, options: Mapping[str, int], seed: int, alone: Machines
    ) -> None:
        self._sides, self._switch, self._alone = sides, switch, alone
        self.is_choice = switch in sides.off.free  # of the table
        self._players, self._options = players, options
        self._family = sides.off.family
        self._bit = self._family.bits([switch])
        self._seed = seed
        self._steps = MOST_IN_ALL  # that are left to shorten games
        self._key = StateKey(sides.off.rule_set, (*WORD_SLOTS, "total"))

    @cached_property
    def _pairs(self) -> Pairs | None:
        """What plays games under both sides; None if an event of the one cannot be asked of the other."""
        sides = self._sides
        off, on = (one.instance(self._players, self._options) for one in (sides.off, sides.on))
        if not _have_same_events(off, on):
            return None
        others = None if sides.off is sides.on else (sides.on, on)
        return Pairs(sides.off, off, self._bit, self._seed, self._alone, others)

    def can_differ(self) -> Iterator[tuple[Region, CanDiffer]]:
        """Yield settings of the other switches, with what the switch can change there as far as the texts say."""
        mine, theirs = self._instances(self._sides.off, 0), self._instances(self._sides.on, self._bit)
        for region, one in mine:
            for other_region, other in theirs:
                settings = region.intersection(other_region).intersection(self._sides.settings)
                if settings:
                    yield settings, can_differ(one, other)

    def _instances(self, choices: Choices, side: int) -> list[tuple[Region, Instance]]:
        """Return the alternatives of one side, each with settings of the other switches."""
        out = []
        rule_sets = [(one.cube, one.rule_set) for one in choices.alternatives] or [((0, 0), choices.rule_set)]
        for cube, rules in rule_sets:
            region = choices.region.restrict(cube).restrict((self._bit, side))
            if region:
                instance = instantiate(rules, self._players, self._options)
                out.append((without(region, self._bit), instance))
        return out

    def unshown(self, region: Region) -> Region:
        """Return the settings of the other switches in a region under which no game by chance shows a difference."""
        region = region.intersection(self._sides.settings)
        return region if self._pairs is None else self._pairs.left(region)

    def parts(self) -> Iterator[tuple[What, Region, PartingGame | str]]:
        """Yield each kind of difference with the rule sets that have it and a game that shows it; or, if it is unknown,
        with the reason.
        """
        wanted: dict[What, Region] = dict.fromkeys(WHATS, self._family.space.nothing)
        for region, can in self.can_differ():
            for what in WHATS:
                if can.effects if what == "otherwise" else can.conditions:
                    wanted[what] = united(wanted[what], region)
        hits, left = ([], wanted) if self._pairs is None else self._pairs.hits(wanted)
        for hit, region in hits:
            yield hit.what, region, self._shown(hit, region)
        for what, region in left.items():
            if region:
                yield what, region, self.unproved

    @property
    def unproved(self) -> str:
        """Why it is unknown what no game shows."""
        changes = OF_TABLE if self._switch in self._sides.off.of_table else NO_CHOICE
        if self._pairs is None:
            return f"`{self._switch}` {changes}, and neither proofs nor games can compare that"
        return f"`{self._switch}` {changes}, and no proof can compare that; games by chance show no more"

    def _shown(self, hit: Hit, region: Region) -> PartingGame | str:
        """Return how the rule sets with the fewest switches of a region part in a game."""
        family = self._family
        least = min(region.smallest()) | hit.switches_on & self._bit
        rules, other = family.called(least), family.called(least ^ self._bit)
        mine, theirs = self._alone(rules), self._alone(other)
        try:
            parting = self._parting(mine, theirs, hit.events, MOST_IN_ALL)
        except TooManySteps:  # a first value passes a limit, or too much is asked
            return TOO_LONG
        if not isinstance(parting, Parting) or (parting.at, parting.refused_by) != (len(hit.events), 1):
            raise Contradiction(
                f"a game shows as a choice that `{rules}` and `{other}` part, and not with each alone"
            )
        events, parting = self._shortened(mine, theirs, hit.events, parting)
        lines = [written(mine, event) for event in events]
        return PartingGame(
            rules, other, parting.how, parting.clause, tuple(map(dict, completed(mine, lines)))
        )

    def _shortened(
        self, mine: Machine, theirs: Machine, events: Sequence[Event], parting: Parting
    ) -> tuple[Sequence[Event], Parting]:
        """Return a part of a game in which two rule sets part in the same way at its end."""
        best = parting

        def still_shows(some: Sequence[Event]) -> list[Event] | None:
            nonlocal best
            try:
                shorter = self._parting(mine, theirs, some, max(1, self._steps))
            except (
                ValueError,
                TypeError,
                IndexError,
                TooManySteps,
            ):  # events that do not fit where they come now
                return None
            if not isinstance(shorter, Parting) or not shorter.at or shorter.refused_by != 1:
                return None
            if (shorter.refused is None) != (parting.refused is None):
                return None
            if shorter.refused and parting.refused and shorter.refused.by != parting.refused.by:
                return None
            best = shorter
            return list(some[: shorter.at])

        return shrink(mine, events, still_shows, SHRINKING), best

    def _parting(self, mine: Machine, theirs: Machine, events: Sequence[Event], most: int) -> Parting | str:
        """Return how two rule sets part in a game. Raises `TooManySteps`."""
        for machine in (mine, theirs):
            machine.limit_steps(most)
        try:
            return parting_of((mine, theirs), self._key, (mine.new_state(), theirs.new_state()), events)
        finally:
            self._steps -= mine.steps_taken + theirs.steps_taken


def _have_same_events(one: Instance, other: Instance) -> bool:
    """Return whether an event of one rule set can be asked of the other."""
    tiles = [[kind.name for kind in own.kinds] for own in (one, other)]
    actions = [
        [(a.name, a.kind, a.by, [(p.name, p.type, p.parts) for p in a.params]) for a in own.rule_set.actions]
        for own in (one, other)
    ]
    return tiles[0] == tiles[1] and actions[0] == actions[1]
