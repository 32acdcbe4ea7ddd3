"""Recorded games replayed by a text that is tried.

Input: a rule set, games.
Output: how far each game is legal, and which clause refuses the next event.
Guarantee: as replay has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from golpae.elaborate.instance import TableFault, instantiate
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.learn.superposed import SLOT
from golpae.mutate.recorded import Trace
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import midway

if TYPE_CHECKING:
    from golpae.learn.chances import Moment

NO_TABLE = "table"
MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many events are legal, and the action and clause that refuse the next one, None if all are."""

    events: int
    action: str | None = None
    clause: str | None = None

    @property
    def legal(self) -> bool:
        return self.action is None

    @property
    def refused_by(self) -> str:
        return f"{self.action}.{self.clause}"


@dataclass(slots=True)
class Replays:
    """Replays games by one rule set."""

    rules: RuleSet
    _machines: dict[Any, Machine | None] = field(default_factory=dict)

    def machine(self, game: Trace) -> Machine | None:
        """Return the machine of a game's table, None if these rules have no such table."""
        if game.table not in self._machines:
            try:
                instance = instantiate(self.rules, len(game.header.players), game.header.options)
                self._machines[game.table] = Machine(instance)
            except TableFault:
                self._machines[game.table] = None
        return self._machines[game.table]

    @staticmethod
    def start(machine: Machine, game: Trace, edit: int | None) -> State:
        """Return the state before a game; `edit` is the number of the edit that holds, of a text that has several."""
        state = machine.new_state(game.header.stake)
        if edit is not None:
            setattr(state, SLOT, edit)
        return state

    def outcome(self, game: Trace, edit: int | None = None) -> Outcome:
        """Replay a game; `edit` is the number of the edit that holds, of a text that has several."""
        machine = self.machine(game)
        if machine is None:
            return Outcome(0, NO_TABLE, NO_TABLE)
        state = self.start(machine, game, edit)
        steps = machine.steps
        for number, event in enumerate(game.events):
            action = event.get("do") if event else None
            step = steps.get(action) if isinstance(action, str) else None
            if event is None or step is None or not isinstance(action, str):
                return Outcome(number, str(action), MALFORMED)
            try:
                found = step(state, event)
            except ValueError as fault:
                return Outcome(number, action, midway(fault))
            except (TooManySteps, TypeError, IndexError):
                return Outcome(number, action, "no value")
            if isinstance(found, Bad):
                return Outcome(number, action, MALFORMED)
            if found is not None:
                failed, _ = found
                clause = machine.actions[action].conditions[failed].name if failed >= 0 else "then"
                return Outcome(number, action, clause)
        return Outcome(len(game.events))

    def refuses(
        self, moments: Sequence[Moment], games: Sequence[Trace], action: str
    ) -> Callable[[int], list[int]]:
        """Return what says for the number of an edit how many of an action's events it refuses at each moment."""
        states = self._states(moments, games)

        def refused(edit: int) -> list[int]:
            counts = []
            for moment, (machine, state) in zip(moments, states, strict=True):
                if machine is None:
                    counts.append(0)
                    continue
                setattr(state, SLOT, edit)
                try:
                    counts.append(sum(machine.check(action, state, args) >= 0 for args in moment.others))
                except (TypeError, ValueError, IndexError, TooManySteps):
                    counts.append(0)
            return counts

        return refused

    def _states(self, moments: Sequence[Moment], games: Sequence[Trace]) -> list[tuple[Machine | None, Any]]:
        """Return the states before some events, by a text with no edit that holds."""
        wanted: dict[int, dict[int, Any]] = {}
        for moment in moments:
            wanted.setdefault(moment.game, {})[moment.number] = None
        for number, places in wanted.items():
            game = games[number]
            machine = self.machine(game)
            if machine is None:
                continue
            state = machine.new_state(game.header.stake)
            for place, event in enumerate(game.events[: max(places) + 1]):
                if place in places:
                    places[place] = machine.copy(state)
                if event is None or machine.steps[str(event["do"])](state, event) is not None:
                    break
        found: list[tuple[Machine | None, Any]] = []
        for moment in moments:
            state = wanted[moment.game][moment.number]
            found.append((None if state is None else self.machine(games[moment.game]), state))
        return found

    def outcomes(self, games: Iterable[Trace]) -> list[Outcome]:
        return [self.outcome(game) for game in games]
