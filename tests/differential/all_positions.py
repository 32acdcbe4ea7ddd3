"""The positions that golpae goes through instead of all games: none stands for another one that rules tell apart.

Input: a machine. Output: findings and counts.
Guarantee: each event between positions leads replay from the one to the other, but for words of the match and states
that are said to be forgotten. The same events are legal in both, and the same is paid.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable

from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.search.all_games import all_games
from tests.differential.against_judge import Say
from tests.differential.walk import frozen

POSITIONS, EVENTS = 400, 4_000  # of one table
LOOKED_AT = 150  # of these events
WORDS = ("over", "stake", "winner", "hands-played", "total")  # as `frozen` has them first


def check_positions(machine: Machine, rng: random.Random, say: Say, counts: Counter[str]) -> None:
    """Let events happen between positions, each in the first game that leads to its position."""
    games = all_games(machine, POSITIONS, EVENTS)
    if games is None:
        return
    events = [
        (position, event, to)
        for position in games.positions[: games.left]
        for event, to in (*position.next, *position.deals)
        if games.positions[to].way != (position.number, event)  # which made it
    ]
    for position, event, to in rng.sample(events, min(len(events), LOOKED_AT)):
        after = machine.copy(position.state)
        machine.apply(event.action, after, event.args)
        counts["events between positions"] += 1
        if _key(machine, after, games.forgotten) != _key(machine, games.positions[to].state, games.forgotten):
            say("positions", f"{event}: another state than that of the position", [])
            return
        one, other = (_legal(machine, state) for state in (after, games.positions[to].state))
        if one != other:
            say("positions", f"{event}: other events are legal than at the position", [])
            return


def _key(machine: Machine, state: State, forgotten: frozenset[str]) -> Hashable:
    whole = frozen(machine.rules, state)
    assert isinstance(whole, tuple)
    names = [*WORDS, *(v.name for v in machine.rules.vars), *(z.name for z in machine.rules.zones)]
    return tuple(value for name, value in zip(names, whole, strict=True) if name not in forgotten)


def _legal(machine: Machine, state: State) -> list[str]:
    """Return the legal events of a state, without what they say about totals, which may be forgotten."""
    events = Legal(machine).events(state)
    kinds = {name: action.kind for name, action in machine.actions.items()}
    return sorted(repr((e.action, () if kinds[e.action] == "finish" else e.args)) for e in events)
