"""What one switch changes, over all settings of the others.

Input: a `FamilyName`, switches, tables and settings.
Output: for each switch at each table a `Changes`: under which settings of the others the switch allows more, or less,
and under which games go on or pay otherwise; each with a game, or a proof. If only that is asked: whether it changes
anything.
Guarantee: what is said to be the same is proved, also without the switch for what it allows with it. A game that shows
a difference is replayed by the rule sets themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from golpae import cache
from golpae.families.region import Cube, Region
from golpae.families.switched import asked_of
from golpae.progress import Progress
from golpae.verify.families.scheduler import FamilyName, beyond, entry, exceeded, groups
from golpae.verify.options import Settings
from golpae.verify.switches.apart import Apart, Sides, sides_of
from golpae.verify.switches.idle import where_same, where_unshown
from golpae.verify.switches.of_switch import (
    WHATS,
    Changes,
    Machines,
    PartingGame,
    SwitchGroup,
    What,
    having_both,
    paired,
    reasons_in_words,
    united,
    without,
)
from golpae.workers import Crash, JobNews, OuterLimits, results, tell_doing

Ask = Literal["changes", "unshown", "same"]


def changes(
    name: FamilyName, switch: str, players: int, options: Mapping[str, int], settings: Settings
) -> Changes:
    """Return the changes that a switch makes at a table. Raises `SpecError` and `TableFault`."""
    family, made = groups(name)
    bit = family.bits([switch])
    nothing = family.space.nothing
    regions: dict[What, Region] = dict.fromkeys(WHATS, nothing)
    unsure: dict[What, Region] = dict.fromkeys(WHATS, nothing)
    shown: list[PartingGame] = []
    reasons: list[tuple[What, Region, str]] = []
    whole = nothing
    too_many = dict(zip(map(id, made), beyond(family, made, settings), strict=True))
    alone = Machines(name, players, options)
    chosen = nothing  # where the switch is a choice
    for sides in sides_of(family, made, switch):
        whole = united(whole, sides.settings)
        why = too_many[id(sides.off)] or too_many[id(sides.on)]
        parts: Iterator[tuple[What, Region, PartingGame | str]]
        if why is not None:
            parts = ((what, sides.settings, why) for what in WHATS)
        elif sides.is_choice(switch):
            chosen = united(chosen, sides.settings)
            parts = _parts(name, sides, switch, players, options, settings)
        else:
            tell_doing(f"{switch}: games by chance")
            parts = Apart(sides, switch, players, options, settings.seed, alone).parts()
        for what, region, game in parts:
            into = unsure if isinstance(game, str) else regions
            into[what] = united(into[what], without(region, bit))
            if isinstance(game, str):
                reasons.append((what, without(region, bit), game))
            else:
                shown.append(game)
    unknown = nothing
    for what in WHATS:
        unknown = united(unknown, unsure[what].difference(regions[what]))
    open_region = unknown.intersection(chosen)
    if open_region:  # whether it changes anything there at all is asked in more ways
        tell_doing(f"{switch}: whether anything changes")
        (same,) = where_same(name, [(switch, open_region.cubes)], players, options, settings)
        changed = united(family.space.region(same.otherwise), family.space.region(same.unknown))
        unknown = unknown.difference(open_region.difference(changed))
    open_ones = [
        why for what, region, why in reasons if region.difference(regions[what]).intersection(unknown)
    ]
    shown.sort(key=lambda game: (len(game.events), game.rules.count("+"), game.rules))
    less, more, otherwise = (regions[what].cubes for what in WHATS)
    return Changes(
        switch,
        players,
        whole.cubes,
        less,
        more,
        otherwise,
        unknown.cubes,
        tuple(shown),
        reasons_in_words(open_ones),
    )


def _parts(
    name: FamilyName,
    sides: Sides,
    switch: str,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
) -> Iterator[tuple[What, Region, PartingGame | str]]:
    """Yield each kind of difference that a switch makes that is a choice, with the rule sets that have it and a game
    that shows it; or, if it is unknown, with the reason.
    """
    group = sides.off
    bit = group.family.bits([switch])
    one = replace(group, region=paired(sides.settings, bit).intersection(group.region))
    try:
        made, switch_properties = asked_of(one, switch)
    except ValueError as fault:
        yield from ((what, sides.settings, str(fault)) for what in WHATS)
        return
    yield from SwitchGroup(name, made, players, options, settings).parts(switch, switch_properties)


# ------------------------------------------------------------------ several tables


@dataclass(frozen=True, slots=True)
class SwitchCall:
    """What is asked of these switches, at tables for so many `players`: all their `changes`; where games by chance show
    that they change anything, and where they do not (`unshown`); or where they certainly change nothing (`same`). The
    last two are asked `among` these settings of the others.
    """

    name: FamilyName
    switches: tuple[str, ...]
    players: tuple[int, ...]
    options: Mapping[str, int]
    settings: Settings
    ask: Ask = "changes"
    among: tuple[tuple[Cube, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _Job:
    """What is asked of one switch at one table, `among` some settings of the others if these are named."""

    call: SwitchCall
    switch: str
    players: int
    among: tuple[Cube, ...] | None = None

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
        switch = "" if first.among is not None else f"{first.switch} in "
        return f"{switch}{first.call.name.rules} with {first.players} players"


def decide_switches(call: SwitchCall, processes: int, cached: bool, progress: Progress) -> Iterator[Changes]:
    """Yield the changes of each switch at each table, as soon as it and all before are decided. Raises `SpecError` and
    `TableFault`. A table whose process exceeds an outer limit is unknown, and costs no other.
    """
    among = call.among or (None,) * len(call.switches)
    asked = zip(call.switches, among, strict=True)
    jobs = [_Job(call, switch, players, own) for switch, own in asked for players in call.players]
    changes_of: dict[tuple[str, int], Changes] = {}
    for job in jobs if cached else ():
        cached_changes = cache.load_as(_entry(job), Changes)
        if cached_changes is not None:
            changes_of[job.key] = cached_changes
    left = [job for job in jobs if job.key not in changes_of]
    waiting = [_Table((job,)) for job in left]
    if call.ask != "changes":
        asked_about = left
        if call.ask == "same":  # all of a table again: of fewer switches the answer may be another
            open_tables = {job.players for job in left}
            asked_about = [job for job in jobs if job.players in open_tables]
        by_players = {
            players: tuple(job for job in asked_about if job.players == players) for players in call.players
        }
        waiting = [_Table(own) for own in by_players.values() if own]
        for job in asked_about:
            changes_of.pop(job.key, None)
    progress.begin("comparing", len(waiting), "tables")
    begun: set[int] = set()

    def on_told(place: int, job_news: JobNews) -> None:
        if place not in begun:
            begun.add(place)
            progress.start(waiting[place].told)
        progress.at(waiting[place].told, job_news.at)
        if job_news.found is not None:
            progress.found(waiting[place].told, job_news.found)

    limits = OuterLimits(call.settings.seconds, call.settings.megabytes)
    at = 0
    for place, answer in results(_decide, waiting, processes, limits=limits, on_told=on_told):
        table = waiting[place]
        if isinstance(answer, Crash):
            reason = exceeded(answer)
            changes_of.update((job.key, _unknown(job, reason)) for job in table.jobs)
        else:
            for job, own in zip(table.jobs, answer, strict=True):
                changes_of[job.key] = own
                if cached and (call.ask == "unshown" or not own.unknown):
                    cache.store_as(_entry(job), own)
        progress.done += 1
        progress.end(table.told)
        while at < len(jobs) and jobs[at].key in changes_of:
            yield changes_of[jobs[at].key]
            at += 1
    yield from (changes_of[job.key] for job in jobs[at:])


def _unknown(job: _Job, reason: str) -> Changes:
    whole = _settings_of(job.call.name, job.switch).cubes if job.among is None else job.among
    return Changes(job.switch, job.players, whole, (), (), (), whole, (), reason)


def _decide(table: _Table) -> list[Changes]:
    first = table.jobs[0]
    call, players = first.call, first.players
    if call.ask == "changes":
        return [changes(call.name, job.switch, players, call.options, call.settings) for job in table.jobs]
    among = [(job.switch, job.among or ()) for job in table.jobs]
    ask = where_unshown if call.ask == "unshown" else where_same
    return list(ask(call.name, among, players, call.options, call.settings))


def _settings_of(name: FamilyName, switch: str) -> Region:
    """Return the settings of the other switches."""
    family, _ = groups(name)
    return having_both(family, switch)


def _entry(job: _Job) -> str:
    """Return the name of the cache entry of a job. Whether a proof that a switch changes nothing is found may depend on
    what else is asked at the table.
    """
    call = job.call
    rules = (call.name.base, call.name.fixed, call.name.left_out)
    spec_hash = groups(call.name)[1][0].rule_set.spec_hash
    asked = (spec_hash, rules, job.switch, job.players, sorted(call.options.items()), call.ask, job.among)
    together = (call.switches, call.among) if call.ask == "same" else ()
    return entry("switches", (*asked, *together), call.settings)
