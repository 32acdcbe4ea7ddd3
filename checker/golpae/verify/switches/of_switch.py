"""The rule sets of one group at a table, with a switch and without it.

Input: `Choices`, and properties that say what a switch changes. Output: a `SwitchGroup`, which decides them.
Guarantee: a game that shows a difference is replayed by the rule sets themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from golpae.elaborate.instance import instantiate
from golpae.families.choices import Choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.families.switched import SwitchProperty, tells_orders_apart, under
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.answer import PROVED, REFUTED
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.verify.families.by_length import LONGEST, ByLength
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.family_table import RegionVerdict
from golpae.verify.families.scheduler import FamilyName
from golpae.verify.families.searches import Events
from golpae.verify.options import Settings
from golpae.verify.switches.refusals import ALIKE, TOO_LONG, UNPLAYED, event_of, parting_of
from golpae.workers import tell_doing

What = Literal["less", "more", "otherwise"]
WHATS: tuple[What, ...] = ("less", "more", "otherwise")


@dataclass(frozen=True, slots=True)
class PartingGame:
    """A game after which a rule set and the one with the other setting of the switch part. `rules` play it; `at` says
    how they part at its last event: it is `refused`, `paid` otherwise, or goes on `otherwise`. It `is_shortest` if no
    game with fewer events of these rules shows that the switch allows less, or more, or that games go on otherwise.
    """

    rules: str
    other: str
    at: str
    clause: str | None
    events: Events
    is_shortest: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A game under a rule set, at whose last event the one with the other setting of a switch parts from it."""

    what: What
    switches_on: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class HandChange:
    """Under which settings of the others, as cubes, a switch makes hands of a score that no game asks for count
    differently, and where that is not decided. `example` is a hand in words, with the rule sets that count it.
    """

    score: str
    differs: tuple[Cube, ...]
    unknown: tuple[Cube, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What a switch changes at one table, in sets of settings of the other switches, as cubes.

    `less`: some game without it is refused with it. `more`: the other way round. `otherwise`: some game goes on, or
    pays, otherwise. `unknown`: not decided, and `why`. Where none is, no game changes. `shown` has a game for each part
    of these. `hands` are the scores that no game asks for and that may count otherwise.
    """

    switch: str
    players: int
    all: tuple[Cube, ...]
    less: tuple[Cube, ...]
    more: tuple[Cube, ...]
    otherwise: tuple[Cube, ...]
    unknown: tuple[Cube, ...]
    shown: tuple[PartingGame, ...]
    why: str | None = None
    hands: tuple[HandChange, ...] = ()


def what_of(switch_property: SwitchProperty) -> What:
    """Return the kind of difference that a property excludes."""
    if switch_property.way == "alike":
        return "otherwise"
    return "more" if switch_property.on else "less"


def reasons_in_words(reasons: Sequence[str]) -> str | None:
    """Return the reasons why something is not decided, each once."""
    return "; ".join(dict.fromkeys(reasons)) or None


def having_both(family: Family, switch: str) -> Region:
    """Return the settings of the other switches that are rule sets with a switch and without it."""
    bit = family.bits([switch])
    on, off = family.universe.restrict((bit, bit)), family.universe.restrict((bit, 0))
    return without(on, bit).intersection(off)


def paired(region: Region, bit: int) -> Region:
    """Return rule sets with a switch and without it."""
    return region.space.region((fixed & ~bit, on & ~bit) for fixed, on in region.cubes)


def without(region: Region, bit: int) -> Region:
    """Return the settings of the other switches in a region, as rule sets without the switch."""
    space = region.space
    out = space.nothing
    for fixed, on in region.cubes:
        out = united(out, space.region(((fixed | bit, on & ~bit),)))
    return out


def united(one: Region, other: Region) -> Region:
    """Return the rule sets in either region; no two cubes of it overlap."""
    return one.union(other.difference(one))


class Machines:
    """The machines of single rule sets at one table."""

    def __init__(self, name: FamilyName, players: int, options: Mapping[str, int]) -> None:
        self._name, self._players, self._options = name, players, options
        self._made: dict[str, Machine] = {}

    def __call__(self, rules: str) -> Machine:
        if rules not in self._made:
            instance = instantiate(self._name.load(rules), self._players, self._options)
            self._made[rules] = Machine(instance, counting=True)
        return self._made[rules]


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was found of a property under the rule sets of a region that state it."""

    region: Region
    search: ByLength
    parts: Sequence[RegionVerdict]

    def none_under(self, switches_on: int) -> int:
        """Return of up to how many events there is certainly no game that refutes it under a rule set."""
        return self.search.none_under(switches_on, self.parts) if switches_on in self.region else LONGEST


class SwitchGroup:
    """The rule sets of one group, at one table, with what is asked about switches."""

    def __init__(
        self,
        name: FamilyName,
        choices: Choices,
        players: int,
        options: Mapping[str, int],
        settings: Settings,
    ) -> None:
        self._choices = choices
        self._family: Family = choices.family
        self.machine = Machines(name, players, options)
        self._key = StateKey(choices.rule_set, (*WORD_SLOTS, "total"))
        self.verifier = FamilyVerifier(choices, self._settled, players, options, settings)

    def _settled(self, rules: str) -> RuleSet:
        """Return one rule set of the choices, with what is asked of it."""
        own = self._choices
        return under(own, rules, self._family.named(rules))

    def property_of(self, switch_property: SwitchProperty) -> PropertyDecl:
        return next(p for p in self._choices.rule_set.properties if p.name == switch_property.name)

    def parts(
        self, switch: str, properties: Sequence[SwitchProperty]
    ) -> Iterator[tuple[What, Region, PartingGame | str]]:
        """Yield each kind of difference with the rule sets that have it and a game that shows it; or, if it is unknown,
        with the reason.
        """
        bit = self._family.bits([switch])
        proved: dict[str, Region] = {
            switch_property.name: self._family.space.nothing for switch_property in properties
        }
        for what in WHATS:
            games: list[tuple[Region, PartingGame]] = []
            looked: list[_Looked] = []
            skipped = []
            for switch_property in properties:
                prop = self.property_of(switch_property)
                region = self.verifier.region_of(prop)
                if what_of(switch_property) != what or not region:
                    continue
                if not without(region, bit).difference(self._where(bit, games)):
                    skipped.append(switch_property)  # an action before it shows that everywhere
                    continue
                tell_doing(switch_property.name)
                parts = self.verifier.decide(prop)
                looked.append(_Looked(region, self.verifier.searches[prop.name], parts))
                for part in parts:
                    shown = self._shown(switch_property, bit, part)
                    if isinstance(shown, PartingGame):
                        games.append((part.region, shown))
                    elif part.verdict == PROVED:
                        proved[switch_property.name] = united(
                            proved[switch_property.name], without(part.region, bit)
                        )
                    else:
                        yield what, part.region, shown
            looked += [self._shorter(switch_property, bit, games) for switch_property in skipped]
            for region, shown in games:
                none_up_to = min(one.none_under(self._family.named(shown.rules)) for one in looked)
                yield what, region, replace(shown, is_shortest=len(shown.events) <= none_up_to + 1)
        yield from self._orders(switch, properties, proved)

    def _where(self, bit: int, found: Sequence[tuple[Region, PartingGame]]) -> Region:
        """Return the settings of the other switches for which a game was found."""
        out = self._family.space.nothing
        for region, _ in found:
            out = united(out, without(region, bit))
        return out

    def _shown(self, switch_property: SwitchProperty, bit: int, part: RegionVerdict) -> PartingGame | str:
        """Return how rule sets part in the game of a part, or why it shows nothing."""
        if part.verdict != REFUTED or part.rules is None or part.witness is None:
            return part.story
        return self._confirmed(switch_property, bit, part.rules, part.witness.events)

    def _shorter(
        self, switch_property: SwitchProperty, bit: int, parting_games: list[tuple[Region, PartingGame]]
    ) -> _Looked:
        """Add games of another action that are shorter than all that were found."""
        prop = self.property_of(switch_property)
        region = self.verifier.region_of(prop)
        most = min(len(shown.events) for _, shown in parting_games) - 1
        search = ByLength(self.verifier.games.paths, prop, region, most)
        parts = search.within(region) if most else []
        for part in parts:
            shown = self._shown(switch_property, bit, part)
            if isinstance(shown, PartingGame):
                parting_games.append((part.region, shown))
        return _Looked(region, search, parts)

    def _orders(
        self, switch: str, properties: Sequence[SwitchProperty], proved: Mapping[str, Region]
    ) -> Iterator[tuple[What, Region, str]]:
        """Yield where other conditions may choose another order of an event's tiles, which its effects tell apart:
        where it is not proved that both settings allow the same events.
        """
        bit = self._family.bits([switch])
        for action in self._choices.rule_set.actions:
            of_action = [one for one in properties if one.action == action.name and one.way == "allowed"]
            if not of_action or not tells_orders_apart(action):
                continue
            for one in of_action:
                region = without(self.verifier.region_of(self.property_of(one)), bit)
                if left := region.difference(proved[one.name]):
                    yield (
                        "otherwise",
                        left,
                        f"`{switch}` may change which order the tiles of `{action.name}` have",
                    )

    def _confirmed(
        self, switch_property: SwitchProperty, bit: int, rules: str, events: Events
    ) -> PartingGame | str:
        """Return how the rule sets of both settings of a switch part at the end of a game, or why they do not."""
        try:
            return self._parted(switch_property, bit, rules, events)
        except TooManySteps:  # a first value passes a limit, or too much is asked
            return TOO_LONG

    def _parted(
        self, switch_property: SwitchProperty, bit: int, rules: str, events: Events
    ) -> PartingGame | str:
        """Return how both settings of a switch part at the end of a game, or why they do not. Raises `TooManySteps`."""
        family = self._family
        other = family.called(family.named(rules) ^ bit)
        mine, theirs = (self.machine(name) for name in (rules, other))
        played = [event for line in events if (event := event_of(mine, line)) is not None]
        if len(played) < len(events):
            return UNPLAYED
        parting = parting_of((mine, theirs), self._key, (mine.new_state(), theirs.new_state()), played)
        if isinstance(parting, str):
            return parting
        if switch_property.way == "allowed" and parting.refused is None:
            return ALIKE
        if parting.refused_by == 0 or (
            switch_property.way == "alike" and parting.refused and parting.at < len(events)
        ):
            return UNPLAYED
        if parting.at:  # perhaps an event before the one that was asked about
            events = events[: parting.at]
        return PartingGame(rules, other, parting.how, parting.clause, events)
