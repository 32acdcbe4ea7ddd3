"""What one switch changes, over all settings of the others.

Input: a `FamilyName`, a switch, a table and settings.
Output: a `Changes`: under which settings of the others the switch allows more, or less, and under which games go on or
pay otherwise; each with a game, or a proof.
Guarantee: what is said to be the same is proved, also without the switch for what it allows with it. A game that shows
a difference is replayed by the rule sets themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from golpae import cache
from golpae.diagnostics.amounts import many
from golpae.elaborate.instance import instantiate
from golpae.families.choices import Choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.families.switched import Asked, asked_of, together, under
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.progress import Progress
from golpae.prove.answer import PROVED, REFUTED
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.state_layout import same_state
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.pairs import Pairs
from golpae.verify.families.run import FamilyName, beyond, entry, groups
from golpae.verify.families.searches import Events
from golpae.verify.options import Settings
from golpae.workers import Crash, OuterLimits, Told, results, tell_doing, tell_found

What = Literal["less", "more", "otherwise"]
WHATS: tuple[What, ...] = ("less", "more", "otherwise")
UNPLAYED = "a game that shows it could not be played by single rule sets"


@dataclass(frozen=True, slots=True)
class Shown:
    """A game after which a rule set and the one with the other setting of the switch part. `rules` play it; `at` says
    how they part at its last event: it is `refused`, `paid` otherwise, or goes on `otherwise`.
    """

    rules: str
    other: str
    at: str
    clause: str | None
    events: Events


@dataclass(frozen=True, slots=True)
class Changes:
    """What a switch changes at one table, in sets of settings of the other switches, as cubes.

    `less`: some game without it is refused with it. `more`: the other way round. `otherwise`: some game goes on, or
    pays, otherwise. `unknown`: not decided, and `why`. Where none is, nothing changes. `shown` has a game for each part
    of these.
    """

    switch: str
    players: int
    all: tuple[Cube, ...]
    less: tuple[Cube, ...]
    more: tuple[Cube, ...]
    otherwise: tuple[Cube, ...]
    unknown: tuple[Cube, ...]
    shown: tuple[Shown, ...]
    why: str | None = None


def changes(
    name: FamilyName, switch: str, players: int, options: Mapping[str, int], settings: Settings
) -> Changes:
    """Return what a switch changes at a table. Raises `SpecError` and `TableFault`."""
    family, made = groups(name)
    bit = family.bits([switch])
    nothing = family.space.nothing
    found: dict[What, Region] = dict.fromkeys(WHATS, nothing)
    unsure: dict[What, Region] = dict.fromkeys(WHATS, nothing)
    shown: list[Shown] = []
    reasons: list[tuple[What, Region, str]] = []
    whole = nothing
    both = having_both(family, switch)
    off, too_many = beyond(family, made, settings)
    for group in made:
        settings_of = _without(group.region, bit).intersection(both)
        one = replace(group, region=_paired(settings_of, bit).intersection(group.region))
        if not settings_of:
            continue
        whole = _both(whole, settings_of)
        if group.region.sample & off:
            unsure = {what: _both(region, settings_of) for what, region in unsure.items()}
            reasons += [(what, settings_of, too_many) for what in WHATS]
            continue
        try:
            asked = asked_of(one, switch)
        except ValueError as fault:
            unsure = {what: _both(region, settings_of) for what, region in unsure.items()}
            reasons += [(what, settings_of, str(fault)) for what in WHATS]
            continue
        by_group = _Group(name, asked[0], players, options, settings)
        for what, region, game in by_group.parts(switch, asked[1]):
            into = unsure if isinstance(game, str) else found
            into[what] = _both(into[what], _without(region, bit))
            if isinstance(game, str):
                reasons.append((what, _without(region, bit), game))
            else:
                shown.append(game)
    unknown = nothing
    for what in WHATS:
        unknown = _both(unknown, unsure[what].difference(found[what]))
    open_ones = [why for what, region, why in reasons if region.difference(found[what])]
    shown.sort(key=lambda game: (len(game.events), game.rules))
    less, more, otherwise = (found[what].cubes for what in WHATS)
    return Changes(
        switch, players, whole.cubes, less, more, otherwise, unknown.cubes, tuple(shown), _why(open_ones)
    )


def where_idle(
    name: FamilyName,
    switches: Sequence[tuple[str, Sequence[Cube]]],
    players: int,
    options: Mapping[str, int],
    settings: Settings,
) -> Iterator[Changes]:
    """Yield whether each switch changes anything at a table, under settings of the others, as rule sets without it.
    What differs in any way is `otherwise`; `shown` is left out. Raises `SpecError` and `TableFault`.

    Games by chance leave out what differs at sight, and the rest is proved, with the same invariants for all switches:
    each property only where those before it hold.
    """
    family, made = groups(name)
    nothing = family.space.nothing
    same, unsure = (
        dict.fromkeys((s for s, _ in switches), nothing),
        dict.fromkeys((s for s, _ in switches), nothing),
    )
    reasons: dict[str, list[str]] = {switch: [] for switch, _ in switches}
    off, too_many = beyond(family, made, settings)
    for group in made:
        left: dict[str, Region] = {}
        for switch, among in switches:
            bit = family.bits([switch])
            own = _without(group.region, bit).intersection(family.space.region(among))
            if own and group.region.sample & off:
                unsure[switch] = _both(unsure[switch], own)
                reasons[switch].append(too_many)
            elif own:
                left[switch] = own
        asked: dict[str, tuple[Asked, ...]] = {}
        several: list[Choices] = []
        for switch, own in left.items():
            try:
                made_of_it, asked[switch] = asked_of(group, switch)
                several.append(made_of_it)
            except ValueError as fault:
                unsure[switch] = _both(unsure[switch], own)
                reasons[switch].append(str(fault))
        if not asked:
            continue
        by_group = _Group(name, together(group, several), players, options, settings)
        for switch in asked:  # the quick answers first
            left[switch] = by_group.where_unshown(switch, left[switch])
            told = many(left[switch].size, "setting")
            tell_found(
                f"`{switch}`: games show no difference in {told} of the others"
                if left[switch]
                else f"`{switch}`: changes something in all settings of the others"
            )
        for switch, properties in asked.items():
            held, open_, why = by_group.where_same(switch, properties, left[switch])
            same[switch], unsure[switch] = _both(same[switch], held), _both(unsure[switch], open_)
            reasons[switch] += why
    for switch, among in switches:
        whole = family.space.region(among)
        differs = whole.difference(same[switch]).difference(unsure[switch])
        why_not = _why(reasons[switch]) if unsure[switch] else None
        yield Changes(switch, players, whole.cubes, (), (), differs.cubes, unsure[switch].cubes, (), why_not)


def _why(reasons: Sequence[str]) -> str | None:
    """Return the reasons why something is not decided, each once."""
    return "; ".join(dict.fromkeys(reasons)) or None


def having_both(family: Family, switch: str) -> Region:
    """Return the settings of the other switches that are rule sets with a switch and without it."""
    bit = family.bits([switch])
    on, off = family.universe.restrict((bit, bit)), family.universe.restrict((bit, 0))
    return _without(on, bit).intersection(off)


def _paired(region: Region, bit: int) -> Region:
    """Return rule sets with a switch and without it."""
    return region.space.region((fixed & ~bit, on & ~bit) for fixed, on in region.cubes)


def _without(region: Region, bit: int) -> Region:
    """Return the settings of the other switches in a region, as rule sets without the switch."""
    space = region.space
    out = space.nothing
    for fixed, on in region.cubes:
        out = _both(out, space.region(((fixed | bit, on & ~bit),)))
    return out


def _both(one: Region, other: Region) -> Region:
    """Return what is in either region; no two cubes of it overlap."""
    return one.union(other.difference(one))


class _Group:
    """The rule sets of one group, at one table, with what is asked about switches."""

    def __init__(
        self,
        name: FamilyName,
        choices: Choices,
        players: int,
        options: Mapping[str, int],
        settings: Settings,
    ) -> None:
        self._name, self._choices = name, choices
        self._players, self._options = players, options
        self._family: Family = choices.family
        self._machines: dict[str, Machine] = {}
        self._verifier = FamilyVerifier(choices, self._settled, players, options, settings)

    def _settled(self, rules: str) -> RuleSet:
        """Return one rule set of the choices, with what is asked of it."""
        own = self._choices
        return under(own, rules, self._family.bits(rules.split("+")[1:]))

    def _property(self, asked: Asked) -> PropertyDecl:
        return next(p for p in self._choices.rule_set.properties if p.name == asked.name)

    def parts(self, switch: str, properties: Sequence[Asked]) -> Iterator[tuple[What, Region, Shown | str]]:
        """Yield what differs where, with a game; or what is unknown there, with the reason."""
        bit = self._family.bits([switch])
        found: dict[What, Region] = dict.fromkeys(WHATS, self._family.space.nothing)
        for asked in properties:
            what: What = "otherwise" if asked.way == "alike" else "more" if asked.on else "less"
            prop = self._property(asked)
            if not _without(self._verifier.region_of(prop), bit).difference(found[what]):
                continue  # an action before it shows that everywhere
            tell_doing(asked.name)
            for part in self._verifier.decide(prop):
                shown = None
                if part.verdict == REFUTED and part.rules is not None and part.witness is not None:
                    shown = self._confirmed(asked, bit, part.rules, part.witness.events)
                if shown is not None:
                    found[what] = _both(found[what], _without(part.region, bit))
                if part.verdict != PROVED:
                    yield what, part.region, shown or (UNPLAYED if part.verdict == REFUTED else part.story)

    def where_unshown(self, switch: str, region: Region) -> Region:
        """Return the settings of the other switches, of these, in which no game by chance shows a difference."""
        tell_doing(f"{switch}: games by chance")
        table, bit = self._verifier.table, self._family.bits([switch])
        return Pairs(self._choices, table.instance, bit, table.settings.seed, self._machine).left(region)

    def where_same(
        self, switch: str, properties: Sequence[Asked], left: Region
    ) -> tuple[Region, Region, list[str]]:
        """Return where all properties hold, of these settings of the other switches, and where that is unknown, with
        the reasons.
        """
        bit = self._family.bits([switch])
        unsure = self._family.space.nothing
        reasons: list[str] = []
        for asked in properties:
            if not left:
                break
            tell_doing(asked.name)
            for part in self._verifier.decide(self._property(asked), _paired(left, bit)):
                if part.verdict == PROVED:
                    continue
                here = _without(part.region, bit).intersection(left)
                left = left.difference(here)
                if part.verdict == REFUTED and part.rules is not None and part.witness is not None:
                    if self._confirmed(asked, bit, part.rules, part.witness.events) is not None:
                        continue
                    reasons.append(UNPLAYED)
                else:
                    reasons.append(part.story)
                unsure = _both(unsure, here)
        return left, unsure, reasons

    def _confirmed(self, asked: Asked, bit: int, rules: str, events: Events) -> Shown | None:
        """Return how the rule sets of both settings of a switch part at the end of a game, or None if they do not."""
        family = self._family
        other = family.called(family.bits(rules.split("+")[1:]) ^ bit)
        mine, theirs = (self._machine(name) for name in (rules, other))
        one, two = mine.new_state(), theirs.new_state()
        for number, event in enumerate(events, 1):
            ended = _step(mine, one, event)
            if ended is not None:
                return None
            clause = _step(theirs, two, event)
            last = number == len(events)
            if clause is not None:
                if asked.way == "alike":
                    paid = clause.endswith(".pay")
                    return (
                        Shown(rules, other, "paid" if paid else "refused", clause, events) if last else None
                    )
                return Shown(rules, other, "refused", clause, events)
            if not same_state(one, two):
                return Shown(rules, other, "otherwise", None, events) if asked.way == "alike" else None
        return None

    def _machine(self, rules: str) -> Machine:
        if rules not in self._machines:
            rule_set = self._name.load(rules)
            self._machines[rules] = Machine(instantiate(rule_set, self._players, self._options))
        return self._machines[rules]


def _step(machine: Machine, state: Any, event: Mapping[str, object]) -> str | None:
    """Carry out an event. Return the clause that refuses it, or None."""
    action = str(event["do"])
    args = machine.read(action, event)
    if isinstance(args, Bad):
        return f"{machine.rules.game}.{action}"
    failed, ordered = machine.first(action, state, args)
    if failed >= 0:
        return f"{machine.rules.game}.{action}.{machine.actions[action].conditions[failed].name}"
    machine.apply(action, state, ordered)
    return None


# ------------------------------------------------------------------ several tables


@dataclass(frozen=True, slots=True)
class SwitchCall:
    """What is asked: what these switches change, at tables for so many `players`. With `idle`, only whether each of
    them changes anything, under these settings of the others.
    """

    name: FamilyName
    switches: tuple[str, ...]
    players: tuple[int, ...]
    options: Mapping[str, int]
    settings: Settings
    idle: tuple[tuple[Cube, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _Job:
    """What one switch changes at one table; or where it changes nothing, `idle`."""

    call: SwitchCall
    switch: str
    players: int
    idle: tuple[Cube, ...] | None = None

    @property
    def key(self) -> tuple[str, int]:
        """The switch and the table, which tell the jobs of a call apart."""
        return self.switch, self.players


@dataclass(frozen=True, slots=True)
class _Table:
    """Jobs at one table. What several ask of it is looked for once."""

    jobs: tuple[_Job, ...]

    @property
    def told(self) -> str:
        """What people are told of it."""
        first = self.jobs[0]
        switch = "" if first.idle is not None else f"{first.switch} in "
        return f"{switch}{first.call.name.rules} with {first.players} players"


def decide_switches(call: SwitchCall, processes: int, cached: bool, progress: Progress) -> Iterator[Changes]:
    """Yield what each switch changes at each table, as soon as it and all before are decided. Raises `SpecError` and
    `TableFault`. A table whose process exceeds an outer limit is unknown, and costs no other.
    """
    among = call.idle or (None,) * len(call.switches)
    asked = zip(call.switches, among, strict=True)
    jobs = [_Job(call, switch, players, idle) for switch, idle in asked for players in call.players]
    found: dict[tuple[str, int], Changes] = {}
    for job in jobs if cached else ():
        kept = cache.load_as(_entry(job), Changes)
        if kept is not None:
            found[job.key] = kept
    left = [job for job in jobs if job.key not in found]
    waiting = [_Table((job,)) for job in left]
    if call.idle:
        by_players = {
            players: tuple(job for job in left if job.players == players) for players in call.players
        }
        waiting = [_Table(own) for own in by_players.values() if own]
    progress.begin("comparing", len(waiting), "tables")
    begun: set[int] = set()

    def on_told(place: int, told: Told) -> None:
        if place not in begun:
            begun.add(place)
            progress.start(waiting[place].told)
        progress.at(waiting[place].told, told.at)
        if told.found is not None:
            progress.found(waiting[place].told, told.found)

    limits = OuterLimits(None, call.settings.megabytes)
    at = 0
    for place, answer in results(_decide, waiting, processes, limits=limits, on_told=on_told):
        table = waiting[place]
        if isinstance(answer, Crash):
            if isinstance(answer.exception, Exception) and not answer.limited:
                raise answer.exception
            found.update((job.key, _unknown(job, answer.reason)) for job in table.jobs)
        else:
            for job, own in zip(table.jobs, answer, strict=True):
                found[job.key] = own
                if cached and not own.unknown:
                    cache.store_as(_entry(job), own)
        progress.done += 1
        progress.end(table.told)
        while at < len(jobs) and jobs[at].key in found:
            yield found[jobs[at].key]
            at += 1
    yield from (found[job.key] for job in jobs[at:])


def _unknown(job: _Job, reason: str) -> Changes:
    whole = _settings_of(job.call.name, job.switch).cubes if job.idle is None else job.idle
    return Changes(job.switch, job.players, whole, (), (), (), whole, (), reason)


def _decide(table: _Table) -> list[Changes]:
    first = table.jobs[0]
    call, players = first.call, first.players
    if first.idle is None:
        return [changes(call.name, job.switch, players, call.options, call.settings) for job in table.jobs]
    idle = [(job.switch, job.idle or ()) for job in table.jobs]
    return list(where_idle(call.name, idle, players, call.options, call.settings))


def _settings_of(name: FamilyName, switch: str) -> Region:
    """Return the settings of the other switches."""
    family, _ = groups(name)
    return having_both(family, switch)


def _entry(job: _Job) -> str:
    """Return the name of the cache entry of a job."""
    call = job.call
    rules = (call.name.base, call.name.fixed, call.name.left_out)
    spec_hash = groups(call.name)[1][0].rule_set.spec_hash
    asked = (spec_hash, rules, job.switch, job.players, sorted(call.options.items()), job.idle)
    return entry("switches", asked, call.settings)
