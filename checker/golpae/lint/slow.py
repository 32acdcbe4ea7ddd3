"""Where games by chance leave the compiled path, and actions whose events take long to list.

Input: an instance.
Output: paths of clauses, each with what is slow there.
Guarantee: the games are those of a fixed seed, and what is slow is counted in steps, so the same text has the same
notes. No more than a number of steps is taken.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from golpae.elaborate.instance import Instance
from golpae.ir.limits import TooLarge
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.language.limits import ENOUGH
from golpae.kernel.player import Player
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import DeadEnd, play
from golpae.replay.steps import TooManySteps

SEED = 1
GAMES = 20  # by chance
LONGEST = 500  # events of a game
LISTED = 30  # positions whose events are listed
MOST_STEPS = 3_000_000  # of all these
LONG = 20_000  # steps that it takes to list the events of an action in one position


def referred_games(instance: Instance) -> Iterator[tuple[str, str]]:
    """Yield the path of each clause at which games by chance are referred, and why. Raises `Unsupported`, and
    `MemoryError`.
    """
    asking = Asking(LONGEST)
    player = Player(instance, instance.rule_set.rules, True, asking=asking, located=True)
    placed = {reason for clause, reason in player.clauses if clause}
    yield from ((clause, reason) for clause, reason in player.clauses if clause or reason not in placed)
    for _ in player.games(SEED, 0, GAMES, 1):
        pass
    for (clause, reason), many in player.reasons.items():
        if reason not in (ENOUGH, *player.refused):  # the latter have been named
            yield clause, f"{reason}, in {many} of {GAMES} games by chance"


def slow_actions(instance: Instance) -> Iterator[tuple[str, str]]:
    """Yield each action whose events take long to list in a position of a game by chance, and how long."""
    machine = Machine(instance, counting=True)
    machine.limit_steps(MOST_STEPS)
    steps = Counter[str]()

    def listing(legal: Legal, state: State, rng: random.Random) -> Event | None:
        """Choose an event, and note the most steps that an action takes in one position."""
        events: list[Event] = []
        for action, found in legal.by_action(state):
            before = machine.steps_taken
            try:
                events += found
            finally:
                steps[action] = max(steps[action], machine.steps_taken - before)
        events = [event for event in events if machine.actions[event.action].kind != "finish"]
        return rng.choice(events) if events else None

    with suppress(TooManySteps, TooLarge, DeadEnd):
        for _ in play(machine, machine.new_state(1), random.Random(SEED), 1, listing, LISTED):
            pass
    for action, most in steps.items():
        if most >= LONG:
            yield action, f"{most:,} steps or more in one position of a game by chance"
