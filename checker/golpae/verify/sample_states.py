"""States of games played at random, from which invariant templates are filled.

Input: a machine and a seed.
Output: states as the prover sees them, with every stage of a match among them.
Guarantee: the same seed gives the same states.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from golpae.prove.symbolic.state import SymbolicState
from golpae.replay import simulate
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.verify.replay_bridge import symbolic_state

GAMES = 60
LONGEST = 150  # events of a game
OFTEN, RARELY = 12, 0.1  # every state up to this event, then this part of them


def sample_states(machine: Machine, seed: int) -> Iterator[SymbolicState]:
    """Yield states of games played at random, as the prover sees them."""
    for state in played_states(machine, seed, GAMES):
        yield symbolic_state(machine, state)


def played_states(machine: Machine, seed: int, games: int) -> Iterator[State]:
    """Yield the state of games played at random, again after each event: a caller that keeps it copies it."""
    rng = random.Random(seed)
    legal = Legal(machine)
    before = any(a.kind == "before" for a in machine.rules.actions)
    for number in range(games):
        state = machine.new_state(1)
        yield state
        try:
            if before and number % 3 == 0:
                for _ in range(rng.randrange(3 * machine.instance.players)):
                    events = list(legal.events(state))
                    if not events:
                        break
                    simulate.take(machine, state, rng.choice(events))
                    yield state
            for event, _ in enumerate(simulate.play(machine, state, rng, hands=2, longest=LONGEST)):
                if event < OFTEN or machine.stage(state) != "playing" or rng.random() < RARELY:
                    yield state
        except (
            simulate.DeadEnd,
            ValueError,
        ):  # nobody can go on, or a tile is not at the place it is taken from
            continue
