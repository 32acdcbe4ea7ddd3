"""States of games played at random, from which invariant templates are filled.

Input: a machine and a seed.
Output: states as the prover sees them, with every stage of a match among them.
Guarantee: the same seed gives the same states.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from golpae.ir.limits import TooManySteps
from golpae.prove.symbolic.state import SymbolicState
from golpae.replay import simulate
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay_bridge import symbolic_state

GAMES = 30
LONGEST = 150  # events of a game
OFTEN, RARELY = 12, 0.1  # every state up to this event, then this part of them


class PlayedGames:
    """Games of one machine played at random. They are played once, however many ask for their states."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine = machine
        self.seed = seed
        self._states: list[tuple[int, State]] = []  # each with the number of its game
        self._events: list[Event | None] = []  # that led from the state before each to it, if one did
        self._more = _played(machine, seed)
        self._fault: TooManySteps | None = None  # that ended the games

    def states(self, games: int) -> Iterator[State]:
        """Yield the states of the first games, which nobody may change. Raises `TooManySteps`, each time anew."""
        for number, state in self.numbered():
            if number >= games:
                return
            yield state

    def numbered(self) -> Iterator[tuple[int, State]]:
        """Yield all states, each with the number of its game. Raises `TooManySteps`, each time anew."""
        for at in count():
            if at == len(self._states) and not self._play_on():
                return
            yield self._states[at]

    def steps(self, games: int) -> Iterator[tuple[State, Event, State]]:
        """Yield events of the first games, each with the states before and after it. Raises `TooManySteps`."""
        before: State | None = None
        for at, state in enumerate(self.states(games)):
            event = self._events[at]
            if event is not None and before is not None:
                yield before, event, state
            before = state

    def _play_on(self) -> bool:
        """Add one more state. Return whether there is one."""
        if self._fault is not None:
            raise self._fault
        try:
            number, state, event = next(self._more)
        except StopIteration:
            return False
        except TooManySteps as long:
            self._fault = long
            raise
        self._states.append((number, self.machine.copy(state)))
        self._events.append(event)
        return True


def sample_states(played: PlayedGames) -> Iterator[SymbolicState]:
    """Yield states of games played at random, as the prover sees them."""
    for state in played.states(GAMES):
        yield symbolic_state(played.machine, state)


def _played(machine: Machine, seed: int) -> Iterator[tuple[int, State, Event | None]]:
    """Yield the state of games played at random, again after each event, with the number of the game.

    And the event that led to it from the state before, unless it is a deal or states were left out.
    """
    rng = random.Random(seed)
    legal = Legal(machine)
    chosen: list[Event] = []

    def policy(legal: Legal, state: State, rng: random.Random) -> Event | None:
        event = simulate.any_action(legal, state, rng)
        chosen[:] = [] if event is None else [event]
        return event

    before = any(a.kind == "before" for a in machine.rules.actions)
    for number in range(GAMES):
        state = machine.new_state(1)
        yield number, state, None
        try:
            if before and number % 3 == 0:
                for _ in range(rng.randrange(3 * machine.instance.players)):
                    event = simulate.any_action(legal, state, rng)
                    if event is None:
                        break
                    simulate.take(machine, state, event)
                    yield number, state, event
            chosen.clear()
            is_next = True  # the last state is that before the next event
            for often, _ in enumerate(simulate.play(machine, state, rng, 2, policy, LONGEST)):
                led = chosen[0] if is_next and chosen else None
                chosen.clear()
                is_next = often < OFTEN or machine.stage(state) != "playing" or rng.random() < RARELY
                if is_next:
                    yield number, state, led
        except (
            simulate.DeadEnd,
            ValueError,
        ):  # nobody can go on, or a tile is not at the place it is taken from
            continue
