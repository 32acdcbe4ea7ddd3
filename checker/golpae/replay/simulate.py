"""Random legal games, from the rules alone.

Input: a machine, a random generator and a policy.
Output: events of a game, as a trace has them.
Guarantee: every event is legal. The default policy takes any legal event with equal chance; `any_action` takes any
action that has one, so rare actions come more often, and only few of the events are looked for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, assert_never

from golpae.ir.ruleset import Action
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay import runtime
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import DEALS, random_deal

Policy = Callable[[Legal, State, random.Random], Event | None]  # gives what happens; None if nothing can


def any_event(legal: Legal, state: State, rng: random.Random) -> Event | None:
    """Return a legal event, each with the same chance."""
    events = list(legal.events(state))
    return rng.choice(events) if events else None


def any_action(legal: Legal, state: State, rng: random.Random) -> Event | None:
    """Return a legal event: one of an action, each of those that have some with the same chance."""
    actions = [events for _, events in legal.by_action(state)]
    while actions:
        events = list(actions.pop(rng.randrange(len(actions))))
        if events:
            return rng.choice(events)
    return None


class DeadEnd(Exception):
    """No event is legal in `state`, and the hand has not ended."""

    def __init__(self, state: State) -> None:
        super().__init__("no event is legal, and the hand has not ended")
        self.state = state


def header(machine: Machine, stake: int = 1) -> dict[str, Any]:
    """Return a header for a game of this machine."""
    line: dict[str, Any] = {
        "golpae": 1,
        "rules": machine.rules.rules,
        "players": [f"P{i}" for i in range(machine.instance.players)],
    }
    if stake != 1:
        line["stake"] = stake
    if machine.instance.options and machine.rules.options:
        line["options"] = dict(machine.instance.options)
    return line


def play(
    machine: Machine,
    state: State,
    rng: random.Random,
    hands: int = 1,
    policy: Policy = any_event,
    longest: int = 10_000,
) -> Iterator[dict[str, Any]]:
    """Yield the events of up to `hands` hands; fewer only if no other can be dealt. Raises `DeadEnd`."""
    legal = Legal(machine)
    for _ in range(hands):
        seats = legal.can_deal(state)
        if not seats:
            return
        first = rng.choice(seats)
        deals = (random_deal(machine, state, first, rng) for _ in range(DEALS))
        deal = legal.first_dealt(deals, state)
        if deal is None:
            raise DeadEnd(state)
        yield take(machine, state, deal)
        for _ in range(longest):
            event = policy(legal, state, rng)
            if event is None:
                raise DeadEnd(state)
            yield take(machine, state, event)
            if machine.stage(state) == "ended":
                break


def take(machine: Machine, state: State, event: Event) -> dict[str, Any]:
    """Apply an event, and return it as a trace has it."""
    machine.apply(event.action, state, event.args)
    return written(machine, event)


def written(machine: Machine, event: Event) -> dict[str, Any]:
    """Return an event as a line of a trace."""
    action: Action = machine.actions[event.action]
    line: dict[str, Any] = {"do": event.action}
    args = list(event.args)
    if action.by is not None:
        line["by"] = args.pop(0)
    for param, value in zip(action.params, args, strict=True):
        if param.optional and value is None:
            continue
        line[param.name] = value_written(machine, value, param.type)
    return line


def _meld(machine: Machine, meld: runtime.Meld) -> list[Any]:
    """Return a meld as a trace has it: its label if it has one, and its tiles."""
    tiles = [machine.tile(t) for t in meld]
    if meld.label is None:
        return tiles
    stands_for_more = len(tiles) == 1 and machine.reader.sizes.get(meld.label, 1) != 1
    return [meld.label, tiles] if stands_for_more else [meld.label, *tiles]


def value_written(machine: Machine, value: Any, kind: Type) -> Any:
    """Return a value of a type as a trace has it."""
    match kind:
        case Tile():
            return machine.tile(value)
        case Opt(item):
            return None if value is None else value_written(machine, value, item)
        case Bag(item) | Each(item):
            return [value_written(machine, v, item) for v in value]
        case Meld():
            return _meld(machine, value)
        case Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
            return value
        case _:
            assert_never(kind)
