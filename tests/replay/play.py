"""Random matches, for the tests: lots, hands, and a policy that differs from match to match."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import random_deal
from golpae.replay.simulate import header, take

TIRED = 300  # events of one hand, after which anything goes
LONGEST = 5_000
TRIES = 100


class Taste:
    """A policy with a weight for each action, so that some matches are won quickly and some are long.

    A policy that prefers one action could repeat it for ever if no rule forbids that; hence `TIRED`.
    """

    def __init__(self, rng: random.Random) -> None:
        self.liked: dict[str, float] = {}
        self.rng = rng

    def choose(self, events: Sequence[Event]) -> Event:
        for event in events:
            if event.action not in self.liked:
                self.liked[event.action] = self.rng.choice((0.1, 1, 5, 100))
        return self.rng.choices(events, [self.liked[event.action] for event in events])[0]


def deal(machine: Machine, state: State, first: int, rng: random.Random) -> Event:
    """Return a random deal, often with equal tiles in one hand, so that melds are possible."""
    event = random_deal(machine, state, first, rng)
    if rng.random() < 0.4:
        return event
    _, hands, reserve, *others = event.args
    order = list(machine.instance.whole)
    worth = {kind: rng.random() for kind in order}
    order.sort(key=worth.__getitem__)
    for _ in range(rng.choice((0, 3, 10))):
        i, j = rng.randrange(len(order)), rng.randrange(len(order))
        order[i], order[j] = order[j], order[i]
    hands = [[order.pop() for _ in hand] for hand in hands]
    return Event(event.action, (first, hands, None if reserve is None else order, *others))


def moments(
    machine: Machine, rng: random.Random, hands: int, stake: int = 1
) -> Iterator[tuple[State, dict[str, Any]]]:
    """Yield the events of a random match, each with the state before it, which callers must not change.

    Every hand is played to its end. The match ends after `hands` of them, or if no hand can be dealt.
    """
    state = machine.new_state(stake)
    legal = Legal(machine)
    taste = Taste(rng)
    for _ in range(rng.randint(0, 3 * machine.instance.players)):
        if events := list(legal.events(state)):
            before = machine.copy(state)
            yield before, take(machine, state, rng.choice(events))
    while machine.stage(state) == "before" and not legal.can_deal(state):
        before = machine.copy(state)
        yield before, take(machine, state, rng.choice(list(legal.events(state))))
    for _ in range(hands):
        seats = legal.can_deal(state)
        if not seats:
            break
        before = machine.copy(state)
        deals = (
            deal(machine, state, rng.choice(seats), rng) for _ in range(TRIES)
        )  # some have keys that are illegal
        yield before, take(machine, state, next(event for event in deals if legal.can_be(event, state)))
        for length in range(LONGEST):
            events = list(legal.events(state))
            event = taste.choose(events) if length < TIRED else rng.choice(events)
            before = machine.copy(state)
            yield before, take(machine, state, event)
            if machine.stage(state) == "ended":
                break
        else:
            raise AssertionError(f"a hand of over {LONGEST} events")
    finishes = [event for event in legal.events(state) if machine.actions[event.action].kind == "finish"]
    if finishes and rng.random() < 0.5:
        before = machine.copy(state)
        yield before, take(machine, state, finishes[0])


def match(machine: Machine, rng: random.Random, hands: int, stake: int = 1) -> list[dict[str, Any]]:
    """Return a random match as a trace: header and events."""
    return [header(machine, stake), *(event for _, event in moments(machine, rng, hands, stake))]
