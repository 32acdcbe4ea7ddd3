"""A trace followed under all rule sets of a game at once, event by event.

In: the machines of a table and the events of a trace. Out: the rule sets under which every event is legal, and where
and why each of the others refuses. Guarantees: the answer is that of a replay under each rule set. An event is
tried under one of them, and the switches that mattered are noted: those of the clauses asked, and of the definitions
that these asked in turn. All rule sets that agree on them meet the same answer.

A world is a state with the region of the rule sets under which the events so far lead to it. There is one world, but
for the time after an event whose effects differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from golpae.attribute.family import Family
from golpae.attribute.footprint import ActionTouched
from golpae.attribute.region import Box, Region
from golpae.replay.decode import Bad
from golpae.replay.explain import reason
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.report import Refusal
from golpae.replay.state_layout import same_state
from golpae.trace import Header

HOLDS = -1  # what a check says where all conditions hold
UNDONE = -2  # they hold, yet a tile is to be moved from where it does not lie, which replay refuses as `then`


class Faulty(Exception):
    """There is no machine for a rule set whose switches can each be on: the text has a fault where all are."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Rule sets that refuse a trace, and where: the event (0: the header), its line and the clause.

    `parts` are the region's parts, each with a way to tell what the clause says under a rule set of it.
    """

    region: Region
    event: int
    at: int
    clause: str | None
    parts: tuple[tuple[Region, Callable[[int], str]], ...]

    def words(self, rules: int) -> str:
        """What the clause says under one of these rule sets."""
        return next(say(rules) for region, say in self.parts if rules in region)


@dataclass(frozen=True, slots=True)
class World:
    """A state, and the rule sets under which the events so far lead to it."""

    state: State
    region: Region


@dataclass(frozen=True, slots=True)
class Runner:
    """An action under one rule set."""

    machine: Machine
    read: Callable[[Mapping[str, object]], Any]
    check: Callable[..., int]
    apply: Callable[..., None]


class Table:
    """The machines of a game at one table, made as they are needed."""

    def __init__(self, family: Family, library: Library, players: int, options: Mapping[str, int]) -> None:
        self.family = family
        self.asked = 0  # the switches of all definitions that were asked since this was last 0
        self._library = library
        self._players = players
        self._options = dict(options)
        self._machines: dict[int, Machine | str] = {}
        self._runners: dict[tuple[str, int], Runner] = {}

    def machine(self, rules: int, mask: int) -> Machine | str:
        """A machine of a rule set that agrees with this one on the switches of `mask`; or why there is none."""
        wanted = rules & mask
        found = self._machines.get(wanted)
        if isinstance(found, Machine):
            return found
        for known, machine in self._machines.items():
            if known & mask == wanted and isinstance(machine, Machine):
                return machine
        if found is None:
            found = self._machines[wanted] = self._made(wanted)
        if isinstance(found, str) and rules != wanted:  # a switch may need another one
            return self.machine(rules, self.family.every)
        return found

    def _made(self, rules: int) -> Machine | str:
        made = self._library.machine(self.family.called(rules), self._players, self._options)
        if isinstance(made, Machine):
            for name, switches in self.family.touched.told.items():
                made.tell(name, self._telling(switches))
        return made

    def _telling(self, switches: int) -> Callable[[], None]:
        def tell() -> None:
            self.asked |= switches

        return tell

    def runner(self, action: str, rules: int, mask: int) -> Runner:
        """An action under this rule set, `mask` being the switches that can matter to it. Raises `Faulty`."""
        key = (action, rules & mask)
        found = self._runners.get(key)
        if found is None:
            machine = self.machine(rules, mask)
            if isinstance(machine, str):
                raise Faulty(machine)
            found = self._runners[key] = Runner(machine, *machine.functions(action))
        return found


@dataclass(frozen=True, slots=True)
class _Event:
    at: int
    line: Mapping[str, object]
    do: str
    about: ActionTouched


@dataclass(frozen=True, slots=True)
class _Answers:
    """What an event meets in a world: who refuses it and why, and who accepts it, under one of whom `passed` ran."""

    args: Any
    refused: list[tuple[Region, Runner, int]]
    accepting: Region
    passed: Runner | None


class Worlds:
    """The worlds that a trace leads to. `number` counts its events; `refused` are the rule sets that it left."""

    def __init__(self, table: Table, header: Header, at: int) -> None:
        self.table = table
        self.header = header
        self.number = 0
        self.refused: list[Refused] = []
        self.worlds: list[World] = []
        mask = table.family.touched.table
        waiting = table.family.universe
        while waiting:
            rules = waiting.sample
            box = (mask, rules & mask)
            machine = table.machine(rules, mask)
            if isinstance(machine, str):
                here = waiting.meet(box)
                self.refused.append(Refused(here, 0, at, None, ((here, _saying(machine)),)))
            else:
                self.worlds.append(World(machine.new_state(header.stake), waiting.meet(box)))
            waiting = waiting.minus(box)

    def accepting(self) -> tuple[Region, bool]:
        """The rule sets that are left, and whether the last hand has ended under one of them."""
        region, whole = self.table.family.space.nothing, False
        for world in self.worlds:
            region = region.plus(world.region)
            machine = self.table.machine(world.region.sample, self.table.family.touched.table)
            assert isinstance(machine, Machine)
            whole = whole or machine.stage(world.state) in ("ended", "finished")
        return region, whole

    def event(self, at: int, line: Mapping[str, object], do: str) -> str | None:
        """Go on by one event, of an action that the game has. Gives what is wrong with its keys, if that is."""
        self.number += 1
        event = _Event(at, line, do, self.table.family.touched.actions[do])
        left: list[World] = []
        for world in self.worlds:
            fault = self._in_world(world, event, left)
            if fault is not None:
                return fault
        self.worlds = left if len(left) < 2 else _together(left)
        return None

    def _in_world(self, world: World, event: _Event, left: list[World]) -> str | None:
        """One event in one world; the worlds that this leads to are put into `left`."""
        answers = self._asked(world, event)
        if isinstance(answers, str):
            return answers
        for region, runner, failed in answers.refused:
            self._refuse(region, runner, event, world.state, answers.args, failed)
        if answers.passed is not None:
            self._done(world.state, answers, answers.passed, event, left)
        return None

    def _runner(self, rules: int, event: _Event) -> Runner | Box:
        """The action under a rule set; or the rule set as a box, where there turns out to be none."""
        try:
            return self.table.runner(event.do, rules, event.about.reach)
        except Faulty:
            alone = (self.table.family.every, rules)
            self.table.family.leave_out(alone)
            return alone

    def _asked(self, world: World, event: _Event) -> _Answers | str:
        """All conditions of an event, asked under as few rule sets as can answer for all."""
        table, about = self.table, event.about
        waiting = region = world.region
        passed: Runner | None = None
        refused: list[tuple[Region, Runner, int]] = []
        args: Any = None
        read_as = -1
        while waiting:
            rules = waiting.sample
            runner = self._runner(rules, event)
            if not isinstance(runner, Runner):
                region, waiting = region.minus(runner), waiting.minus(runner)
                continue
            if rules & about.reading != read_as:
                read_as = rules & about.reading
                args = runner.read(event.line)
                if args.__class__ is Bad:
                    fault: str = args.message
                    return fault
            table.asked = 0
            try:
                failed = runner.check(world.state, *args)
            except ValueError:
                failed = UNDONE
            if failed == HOLDS:
                mask = table.asked | about.asking
                passed = runner
            else:
                mask = table.asked | _until(about, runner, event.do, failed)
            here, waiting = _told_by(waiting, mask, rules)
            if failed != HOLDS:
                refused.append((here, runner, failed))
                region = region.without(here)
        return _Answers(args, refused, region, passed)

    def _done(
        self, state: State, answers: _Answers, passed: Runner, event: _Event, left: list[World]
    ) -> None:
        """The effects of an event, once for all rule sets under which they are the same."""
        table, about, region = self.table, event.about, answers.accepting
        if region.varies & about.done == 0:
            try:
                passed.apply(state, *answers.args)
            except ValueError:
                self._refuse(region, passed, event, state, answers.args, UNDONE)
            else:
                left.append(World(state, region))
            return
        while region:
            rules = region.sample
            runner = self._runner(rules, event)
            if not isinstance(runner, Runner):
                region = region.minus(runner)
                continue
            after = runner.machine.copy(state)
            table.asked = 0
            try:
                runner.apply(after, *answers.args)
                undone = False
            except ValueError:
                undone = True
            here, region = _told_by(region, table.asked | about.doing, rules)
            if undone:
                self._refuse(here, runner, event, state, answers.args, UNDONE)
            else:
                left.append(World(after, here))

    def _refuse(
        self, region: Region, runner: Runner, event: _Event, state: State, args: Any, failed: int
    ) -> None:
        action = runner.machine.actions[event.do]
        condition = action.conditions[failed] if failed >= 0 else None
        clause = f"{self.table.family.base}.{event.do}.{'then' if condition is None else condition.name}"
        part = (region, self._say(runner, event, runner.machine.copy(state), args, clause))
        for place, before in enumerate(self.refused):
            if before.event == self.number and before.clause == clause:
                joined, parts = before.region.plus(region), (*before.parts, part)
                self.refused[place] = Refused(joined, self.number, event.at, clause, parts)
                return
        self.refused.append(Refused(region, self.number, event.at, clause, (part,)))

    def _say(
        self, runner: Runner, event: _Event, state: State, args: Any, clause: str
    ) -> Callable[[int], str]:
        """Tells what a clause says under a rule set for which `runner` answers."""

        def say(rules: int) -> str:
            machine = self.table.machine(rules, event.about.saying)
            if isinstance(machine, str):
                machine = runner.machine
            action = machine.actions[event.do]
            name = clause.rsplit(".", 1)[1]
            condition = next((c for c in action.conditions if c.name == name), None)
            return reason(Refusal(machine, self.header, state, action, args, condition, clause))

        return say


def _saying(words: str) -> Callable[[int], str]:
    return lambda rules: words


def _until(about: ActionTouched, runner: Runner, do: str, failed: int) -> int:
    """The switches of the conditions that were asked before one failed."""
    if failed == UNDONE:
        return about.asking
    return about.until.get(runner.machine.actions[do].conditions[failed].name, about.asking)


def _told_by(region: Region, mask: int, rules: int) -> tuple[Region, Region]:
    """Those of a region for which a rule set answers, being the same in `mask`; and the others."""
    if region.varies & mask == 0:
        return region, region.space.nothing
    box = (mask, rules & mask)
    return region.meet(box), region.minus(box)


def _together(worlds: Iterable[World]) -> list[World]:
    """Worlds of equal states made one."""
    out: list[World] = []
    for world in worlds:
        for place, other in enumerate(out):
            if same_state(world.state, other.state):
                out[place] = World(other.state, other.region.plus(world.region))
                break
        else:
            out.append(world)
    return out
