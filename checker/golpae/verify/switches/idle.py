"""Where switches change nothing at one table, under which settings of the others.

Input: a `FamilyName`, switches with settings of the others, a table. Output: `Changes`, one for each switch, in which
`otherwise` is where it changes anything, in any way.
Guarantee: where a switch is said to change something, a game shows it, as `Pairs` says. Where it is said to change
nothing, that is proved: each property of the switch, in both directions, for all settings of a case at once. What comes
out depends on counted work alone.

Games come first (`where_unshown`), because most of them show a switch that changes something. Where no game does,
`where_same` asks for proofs, one property after the other. Where a proof fails with some switches on, it is tried with
each of these off. The rule set for which it fails is decided by itself. A game that is found so is replayed under all
other settings. What is left is asked again, with invariants of its own, and then in halves. The sets of settings that
are asked about, and the rule sets that are decided by themselves, are counted for each switch: what they do not settle
is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from golpae.diagnostics.amounts import many
from golpae.families.choices import Choices
from golpae.families.region import Cube, Region, bits_of
from golpae.families.switched import SwitchProperty, asked_of, together
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.deciders.game_search import DEPTH
from golpae.verify.families.family_table import own_property
from golpae.verify.families.scheduler import FamilyName, beyond, groups
from golpae.verify.families.searches import Events
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.switches.apart import Apart, sides_of
from golpae.verify.switches.of_switch import (
    Changes,
    Machines,
    SwitchGroup,
    paired,
    reasons_in_words,
    united,
    without,
)
from golpae.verify.switches.pairs import Pairs
from golpae.workers import tell_doing, tell_found

CASES = 24  # sets of settings that are asked about for one switch, of one group at one table
ALONE = 12  # rule sets of larger sets that are decided by themselves for it

Switches = Sequence[tuple[str, Sequence[Cube]]]


def where_unshown(
    name: FamilyName, switches: Switches, players: int, options: Mapping[str, int], settings: Settings
) -> Iterator[Changes]:
    """Yield for each switch where games by chance show that it changes something; the rest is `unknown`. Raises
    `SpecError` and `TableFault`.
    """
    request = _Asked(name, switches, settings)
    for group, own in request.groups():
        by_group = SwitchGroup(name, group, players, options, settings)
        for switch, region in own.items():
            tell_doing(f"{switch}: games by chance")
            request.note(switch, region.difference(_pairs(by_group, request.bit(switch)).left(region)))
    for switch, apart, region in request.apart(players, options, settings.seed):
        if not apart.is_choice:
            tell_doing(f"{switch}: games by chance")
            request.note(switch, region.difference(apart.unshown(region)))
    for switch, _ in switches:
        left = request.left(switch)
        told = many(left.size, "setting")
        tell_found(
            f"`{switch}`: games with {players} players show no difference in {told} of the others"
            if left
            else f"`{switch}`: games with {players} players show a difference in all settings of the others"
        )
        request.leave_open(switch, left, None)
        yield request.changes(switch, players)


def where_same(
    name: FamilyName, switches: Switches, players: int, options: Mapping[str, int], settings: Settings
) -> Iterator[Changes]:
    """Yield for each switch where it changes something, and where nobody knows; elsewhere it changes nothing, which is
    proved. Raises `SpecError` and `TableFault`.
    """
    request = _Asked(name, switches, settings)
    for group, own in request.groups():
        properties: dict[str, tuple[SwitchProperty, ...]] = {}
        several: list[Choices] = []
        for switch, region in own.items():
            if switch in group.of_table:
                continue
            try:
                made, properties[switch] = asked_of(group, switch)
                several.append(made)
            except ValueError as fault:
                request.leave_open(switch, region, str(fault))
        by_group = SwitchGroup(name, together(group, several), players, options, settings)
        for switch, of_switch in properties.items():
            _Proofs(by_group, switch, request).decide(of_switch, own[switch])
    for switch, apart, among in request.apart(players, options, settings.seed):
        for region, can in apart.can_differ():
            if can.conditions or can.effects:
                request.leave_open(switch, region.intersection(among), apart.unproved)
    for switch, _ in switches:
        yield request.changes(switch, players)


class _Asked:
    """What is asked of switches, and what is found of each."""

    def __init__(self, name: FamilyName, switches: Switches, settings: Settings) -> None:
        self._name = name
        self._family, self._made = groups(name)
        space = self._family.space
        self._among = {switch: space.region(among) for switch, among in switches}
        self._differs = dict.fromkeys(self._among, space.nothing)
        self._open = dict.fromkeys(self._among, space.nothing)
        self._reasons: dict[str, list[str]] = {switch: [] for switch in self._among}
        self._beyond = beyond(self._family, self._made, settings)

    def bit(self, switch: str) -> int:
        return self._family.bits([switch])

    def setting(self, switch: str, number: int) -> Region:
        """Return the setting of the other switches that a rule set has."""
        others = self._family.every & ~self.bit(switch)
        return self._family.universe.restrict((self._family.every, number & others))

    def groups(self) -> Iterator[tuple[Choices, dict[str, Region]]]:
        """Yield the groups of rule sets, each with the settings of other switches that are asked about there."""
        for group, too_many in zip(self._made, self._beyond, strict=True):
            own = {
                switch: region
                for switch, among in self._among.items()
                if switch in group.free
                and (region := without(group.region, self.bit(switch)).intersection(among))
            }
            if too_many is not None:
                for switch, region in own.items():
                    self.leave_open(switch, region, too_many)
            elif own:
                yield group, own

    def apart(
        self, players: int, options: Mapping[str, int], seed: int
    ) -> Iterator[tuple[str, Apart, Region]]:
        """Yield each switch where it is no choice, or one of the table, with the settings of the others there."""
        too_many = dict(zip(map(id, self._made), self._beyond, strict=True))
        alone = Machines(self._name, players, options)
        for switch in self._among:
            for sides in sides_of(self._family, self._made, switch):
                region = sides.settings.intersection(self.left(switch))
                why = too_many[id(sides.off)] or too_many[id(sides.on)]
                if region and why is not None:
                    self.leave_open(switch, region, why)
                elif region and not sides.is_choice(switch):
                    yield switch, Apart(sides, switch, players, options, seed, alone), region

    def note(self, switch: str, region: Region) -> None:
        """Note where a switch changes something."""
        self._differs[switch] = united(self._differs[switch], region)

    def leave_open(self, switch: str, region: Region, why: str | None) -> None:
        """Note that nobody knows whether a switch changes anything somewhere."""
        if region:
            self._open[switch] = united(self._open[switch], region)
            self._reasons[switch] += [] if why is None else [why]

    def left(self, switch: str) -> Region:
        """Return where nothing is noted."""
        return self._among[switch].difference(self._differs[switch]).difference(self._open[switch])

    def changes(self, switch: str, players: int) -> Changes:
        """Return the changes that were found of a switch."""
        open_ = self._open[switch].difference(self._differs[switch])
        why = reasons_in_words(self._reasons[switch]) if open_ else None
        among, differs = self._among[switch], self._differs[switch]
        return Changes(switch, players, among.cubes, (), (), differs.cubes, open_.cubes, (), why)


def _pairs(group: SwitchGroup, bit: int) -> Pairs:
    """Return the player of pairs of games, one with a switch and one without it."""
    table = group.verifier.table
    return Pairs(table.choices, table.instance, bit, table.settings.seed, group.machine)


class _Proofs:
    """Proofs that a switch changes nothing, among the rule sets of a group."""

    def __init__(self, group: SwitchGroup, switch: str, asked: _Asked) -> None:
        self._group, self._switch, self._asked = group, switch, asked
        self._bit = asked.bit(switch)
        scaled = group.verifier.table.settings.scaled
        self._most = self._cases = scaled(CASES)
        self._left_alone = scaled(ALONE)

    @cached_property
    def _pairs(self) -> Pairs:
        return _pairs(self._group, self._bit)

    def decide(self, properties: Sequence[SwitchProperty], left: Region) -> None:
        """Note where some property fails, and where one is not decided, of these settings of the other switches."""
        for switch_property in properties:  # each only where those before it hold
            tell_doing(switch_property.name)
            left = self._holds(switch_property, left)
        if left:
            tell_found(f"`{self._switch}`: changes nothing in {many(left.size, 'setting')} of the others")

    def _holds(self, switch_property: SwitchProperty, left: Region) -> Region:
        """Return where a property holds, of these settings."""
        verifier, prop = self._group.verifier, self._group.property_of(switch_property)
        waiting = [left]
        while waiting:
            case = waiting.pop(0).intersection(left)
            region = paired(case, self._bit).intersection(verifier.region_of(prop))
            if not region:
                continue
            if self._cases == 0:
                left = self._leave_open(case, left, f"{many(self._most, 'case')} of settings are not enough")
                continue
            self._cases -= 1
            if verifier.proved(prop, region, thorough=False) is not None:
                continue
            guess = verifier.guess(region)
            narrower = self._narrowed(prop, region, guess)
            if narrower != region:
                waiting.insert(0, without(narrower, self._bit).intersection(case))
                continue
            number = region.restrict(guess).sample
            property_result = self._alone(prop, number, region)
            if (
                property_result is not None
                and property_result.witness is not None
                and property_result.verdict == REFUTED
            ):
                left = self._without_shown(prop, left, number, property_result.witness.events)
                waiting.insert(0, case)
            elif region.varies:
                if verifier.proved(prop, region) is None:
                    bit = verifier.parting(region, guess)
                    waiting += [case.restrict((bit, 0)), case.restrict((bit, bit))]
            elif property_result is not None and property_result.verdict != PROVED:
                left = self._leave_open(case, left, property_result.story)
        return left

    def _narrowed(self, prop: PropertyDecl, region: Region, guess: Cube) -> Region:
        """Return a region, in which a proof failed, without the halves in which a switch is off that was on there, as
        far as the property is proved in these.
        """
        for bit in bits_of(region.varies & guess[0] & guess[1]):
            off = region.restrict((bit, 0))
            if off and self._group.verifier.proved(prop, off, thorough=False) is not None:
                region = region.restrict((bit, bit))
        return region

    def _alone(self, prop: PropertyDecl, number: int, region: Region) -> PropertyResult | None:
        """Return the result of a property under one rule set of a region; None for a larger region if the limit of such
        results is reached.
        """
        if region.varies:
            if self._left_alone == 0:
                return None
            self._left_alone -= 1
        alone = self._group.verifier.table.verifier(number)
        return alone.verify(own_property(alone, prop))

    def _without_shown(self, prop: PropertyDecl, left: Region, number: int, events: Events) -> Region:
        """Note where a game that was found under one rule set, or games like it, show that the switch changes anything.
        Return the other settings.
        """
        shown = self._pairs.shown_by(left, number, events)
        if isinstance(shown, str):
            return self._leave_open(self._asked.setting(self._switch, number), left, shown)
        self._asked.note(self._switch, shown)
        left = left.difference(shown)
        verifier = self._group.verifier
        region = paired(left, self._bit).intersection(verifier.region_of(prop))
        if region and len(events) <= DEPTH:
            for part in verifier.games.paths.along(prop, region, events):
                if part.witness is not None and part.rules is not None:
                    on = verifier.family.named(part.rules)
                    shown = self._pairs.shown_by(left, on, part.witness.events)
                    if not isinstance(shown, str):
                        self._asked.note(self._switch, shown)
                        left = left.difference(shown)
        return left

    def _leave_open(self, region: Region, left: Region, why: str) -> Region:
        """Note where nobody knows, and return the other settings."""
        self._asked.leave_open(self._switch, region, why)
        return left.difference(region)
