"""Replay a trace under all rule sets of a game at once, event by event.

Input: the machines of a table and the events of a trace.
Output: the rule sets under which every event is legal, and for every other rule set the event and the clause.
Guarantee: the answer is that of a replay under each rule set. An event is tried under one of them, and the switches
that mattered are recorded: those of the conditions checked, and of the definitions that these called. All rule sets
that agree on them have the same answer.

A branch is a state with the region of the rule sets under which the events so far lead to it. There is one branch,
except after an event whose effects differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from golpae.attribute.machines import Faulty, Machines, Runner
from golpae.families.footprint import ActionFootprint
from golpae.families.region import Cube, Region
from golpae.ir.limits import TooManySteps
from golpae.replay.decode import Bad
from golpae.replay.explain import reason
from golpae.replay.machine import Machine, State
from golpae.replay.replay import OF_RULES
from golpae.replay.report import Refusal
from golpae.replay.runtime import EFFECTS, midway
from golpae.replay.state_layout import same_state
from golpae.trace import Header

ALL_HOLD = -1  # the result of a check if all conditions hold
IMPOSSIBLE = -2  # they hold, but a tile is not where it is moved from; replay refuses this as `then`


@dataclass(frozen=True, slots=True)
class RefusedTrace:
    """Rule sets that refuse a trace, and where: the event (0: the header), its line and the clause.

    There is no clause if the header or the event is malformed under these rule sets alone.

    `parts` are the region's parts, each with a function that returns the clause's message under a rule set of it.
    """

    region: Region
    event: int
    at: int
    clause: str | None
    parts: tuple[tuple[Region, Callable[[int], str]], ...]

    def words(self, switches_on: int) -> str:
        """Return the clause's message under one of these rule sets."""
        return next(say(switches_on) for region, say in self.parts if switches_on in region)


@dataclass(frozen=True, slots=True)
class Branch:
    """A state, and the rule sets under which the events so far lead to it."""

    state: State
    region: Region


@dataclass(frozen=True, slots=True)
class _Event:
    at: int
    line: Mapping[str, object]
    do: str
    footprint: ActionFootprint


@dataclass(slots=True)
class _Passed:
    """Rule sets that accept an event with its lists in one order; `runner` ran for one of them."""

    region: Region
    runner: Runner
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Answers:
    """The result of all checks of an event in a branch: the rule sets that refuse it, and those that accept it."""

    refused: list[tuple[Region, Runner, int, tuple[Any, ...]]]
    passed: list[_Passed]


@dataclass(frozen=True, slots=True)
class _Malformed:
    """Rule sets under which an event is malformed, and why."""

    region: Region
    words: str


class MultiReplay:
    """The branches of a trace. `number` counts its events; `refused` are the rule sets that refuse one."""

    def __init__(self, machines: Machines, header: Header, at: int) -> None:
        self.machines = machines
        self.header = header
        self.number = 0
        self.refused: list[RefusedTrace] = []
        self.branches: list[Branch] = []
        mask = machines.family.footprint.start
        waiting = machines.family.universe
        while waiting:
            switches_on = waiting.sample
            cube = (mask, switches_on & mask)
            machine = machines.machine(switches_on, mask)
            if isinstance(machine, str):
                here = waiting.restrict(cube)
                self.refused.append(RefusedTrace(here, 0, at, None, ((here, _always(machine)),)))
                waiting = waiting.subtract(cube)
                continue
            here = waiting.restrict(cube)
            try:
                self.branches.append(Branch(machine.new_state(header.stake), here))
            except TooManySteps as long:
                self.refused.append(RefusedTrace(here, 0, at, None, ((here, _always(_too_long(long))),)))
            waiting = waiting.subtract(cube)

    def accepting(self) -> tuple[Region, bool]:
        """Return the rule sets that are left, and whether the last hand has ended under one of them."""
        region, ended = self.machines.family.space.nothing, False
        for branch in self.branches:
            region = region.union(branch.region)
            machine = self.machines.machine(branch.region.sample, self.machines.family.footprint.start)
            assert isinstance(machine, Machine)
            ended = ended or machine.stage(branch.state) in ("ended", "finished")
        return region, ended

    def event(self, at: int, line: Mapping[str, object], do: str) -> str | None:
        """Replay an event of an action that the game has. Return why it is malformed under all rule sets, or None.

        Rule sets under which it is malformed refuse it if it is not under others.
        """
        self.number += 1
        event = _Event(at, line, do, self.machines.family.footprint.actions[do])
        left: list[Branch] = []
        malformed: list[_Malformed] = []
        illegal = False
        for branch in self.branches:
            illegal = self._in_branch(branch, event, left, malformed) or illegal
        if malformed and not left and not illegal:
            return malformed[0].words
        for one in malformed:
            refused = RefusedTrace(one.region, self.number, at, None, ((one.region, _always(one.words)),))
            self.refused.append(refused)
        self.branches = left if len(left) < 2 else _merged(left)
        return None

    def _in_branch(
        self, branch: Branch, event: _Event, left: list[Branch], malformed: list[_Malformed]
    ) -> bool:
        """Replay an event in one branch. Return whether it is illegal under some rule set.

        The branches that it leads to are put into `left`.
        """
        answers = self._check(branch, event, malformed)
        for region, runner, failed, args in answers.refused:
            self._refuse(region, runner, event, branch.state, args, failed)
        illegal = bool(answers.refused)
        for passed in answers.passed:
            last = passed is answers.passed[-1]
            illegal = self._apply(branch.state, passed, event, left, malformed, last) or illegal
        return illegal

    def _runner(self, switches_on: int, event: _Event) -> Runner | Cube:
        """Return the action under a rule set; or the rule set as a cube, if its text turns out to be faulty."""
        try:
            return self.machines.runner(event.do, switches_on, event.footprint.every)
        except Faulty:
            alone = (self.machines.family.every, switches_on)
            self.machines.family.leave_out(alone)
            return alone

    def _check(self, branch: Branch, event: _Event, malformed: list[_Malformed]) -> _Answers:
        """Read an event and check all its conditions, under as few rule sets as answer for all."""
        machines, footprint = self.machines, event.footprint
        waiting = branch.region
        passed: list[_Passed] = []
        refused: list[tuple[Region, Runner, int, tuple[Any, ...]]] = []
        read: Any = None
        read_as = -1
        while waiting:
            switches_on = waiting.sample
            runner = self._runner(switches_on, event)
            if not isinstance(runner, Runner):
                waiting = waiting.subtract(runner)
                continue
            if switches_on & footprint.decoding != read_as:
                read_as = switches_on & footprint.decoding
                read = runner.read(event.line)
            if read.__class__ is Bad:
                here, waiting = _split(waiting, footprint.decoding, switches_on)
                malformed.append(_Malformed(here, read.message))
                continue
            machines.reported = 0
            try:
                failed, args = runner.first(branch.state, read)
            except ValueError:
                failed, args = IMPOSSIBLE, read
            except TooManySteps as long:
                mask = machines.reported | footprint.checking
                here, waiting = _split(waiting, mask, switches_on)
                malformed.append(_Malformed(here, _too_long(long)))
                continue
            if failed == ALL_HOLD:
                here, waiting = _split(waiting, machines.reported | footprint.checking, switches_on)
                _put(passed, _Passed(here, runner, args))
            else:
                mask = machines.reported | _checked_until(footprint, runner, event.do, failed)
                here, waiting = _split(waiting, mask, switches_on)
                refused.append((here, runner, failed, args))
        return _Answers(refused, passed)

    def _apply(
        self,
        state: State,
        passed: _Passed,
        event: _Event,
        left: list[Branch],
        malformed: list[_Malformed],
        last: bool,
    ) -> bool:
        """Apply the effects of an event, once for all rule sets under which they are the same. Return whether they are
        impossible under some of them.

        The state may be changed if this is the `last` time that it is used.
        """
        machines, footprint, region = self.machines, event.footprint, passed.region
        if region.varies & footprint.effects == 0:
            machine = passed.runner.machine
            may_fail = event.do in machine.may_fail_midway
            after = state if last and not may_fail else machine.copy(state)
            try:
                passed.runner.apply(after, *passed.args)
            except ValueError as fault:
                self._refuse(region, passed.runner, event, state, passed.args, IMPOSSIBLE, midway(fault))
                return True
            except TooManySteps as long:
                malformed.append(_Malformed(region, _too_long(long)))
            else:
                left.append(Branch(after, region))
            return False
        illegal = False
        while region:
            switches_on = region.sample
            runner = self._runner(switches_on, event)
            if not isinstance(runner, Runner):
                region = region.subtract(runner)
                continue
            after = runner.machine.copy(state)
            machines.reported = 0
            words, impossible = None, ""
            try:
                runner.apply(after, *passed.args)
            except ValueError as fault:
                impossible = midway(fault)
            except TooManySteps as long:
                words = _too_long(long)
            here, region = _split(region, machines.reported | footprint.applying, switches_on)
            if words is not None:
                malformed.append(_Malformed(here, words))
            elif impossible:
                self._refuse(here, runner, event, state, passed.args, IMPOSSIBLE, impossible)
                illegal = True
            else:
                left.append(Branch(after, here))
        return illegal

    def _refuse(
        self,
        region: Region,
        runner: Runner,
        event: _Event,
        state: State,
        args: Any,
        failed: int,
        effects: str = EFFECTS,
    ) -> None:
        action = runner.machine.actions[event.do]
        condition = action.conditions[failed] if failed >= 0 else None
        clause = f"{self.machines.family.base}.{event.do}.{effects if condition is None else condition.name}"
        part = (region, self._message(runner, event, runner.machine.copy(state), args, clause))
        for place, before in enumerate(self.refused):
            if before.event == self.number and before.clause == clause:
                joined, parts = before.region.union(region), (*before.parts, part)
                self.refused[place] = RefusedTrace(joined, self.number, event.at, clause, parts)
                return
        self.refused.append(RefusedTrace(region, self.number, event.at, clause, (part,)))

    def _message(
        self, runner: Runner, event: _Event, state: State, args: Any, clause: str
    ) -> Callable[[int], str]:
        """Return a function that returns a clause's message under a rule set for which `runner` answers."""

        def message(switches_on: int) -> str:
            machine = self.machines.machine(switches_on, event.footprint.explaining)
            if isinstance(machine, str):
                machine = runner.machine
            action = machine.actions[event.do]
            name = clause.rsplit(".", 1)[1]
            condition = next((c for c in action.conditions if c.name == name), None)
            return reason(Refusal(machine, self.header, state, action, args, condition, clause))

        return message


def _put(passed: list[_Passed], more: _Passed) -> None:
    """Enter rule sets that accept an event, with those that accept it in the same order."""
    for same in passed:
        if same.args == more.args:
            same.region = same.region.union(more.region)
            return
    passed.append(more)


def _too_long(long: TooManySteps) -> str:
    """Return why an event has no meaning under rules that take too many steps."""
    return f"{long}{OF_RULES}"


def _always(words: str) -> Callable[[int], str]:
    return lambda switches_on: words


def _checked_until(footprint: ActionFootprint, runner: Runner, do: str, failed: int) -> int:
    """Return the switches of the conditions up to the one that failed."""
    if failed == IMPOSSIBLE:
        return footprint.checking
    name = runner.machine.actions[do].conditions[failed].name
    return footprint.checking_until.get(name, footprint.checking)


def _split(region: Region, mask: int, switches_on: int) -> tuple[Region, Region]:
    """Return the part of a region that agrees with a rule set on `mask`, which answers for it, and the rest."""
    if region.varies & mask == 0:
        return region, region.space.nothing
    cube = (mask, switches_on & mask)
    return region.restrict(cube), region.subtract(cube)


def _merged(branches: Iterable[Branch]) -> list[Branch]:
    """Return branches with those of equal states made one."""
    out: list[Branch] = []
    for branch in branches:
        for place, other in enumerate(out):
            if same_state(branch.state, other.state):
                out[place] = Branch(other.state, other.region.union(branch.region))
                break
        else:
            out.append(branch)
    return out
