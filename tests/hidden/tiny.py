"""Games of random texts with so few tiles that all ways to fill in a log can be listed.

Input: a seed. Output: a text, its machine, and the events of a game.
Guarantee: the same seed makes the same games. The set has at most `MOST_TILES` tiles, a game at most `LONGEST` events.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from golpae.elaborate.instance import TableFault, bounds, instantiate
from golpae.ir.limits import TooManySteps
from golpae.replay.machine import Machine
from golpae.replay.simulate import DeadEnd, header, play
from golpae.trace import Header, read_header
from tests.differential.texts import RuleText, random_text
from tests.hidden.brute import Event

MOST_TILES, LONGEST = 8, 9


class TinyGame(NamedTuple):
    """A game of a random text: its events, and what plays it."""

    text: RuleText
    machine: Machine
    events: list[Event]


def table(machine: Machine) -> Header:
    """Return the header of a game that a machine plays."""
    found = read_header(header(machine))
    assert isinstance(found, Header)
    return found


def tiny_games(first: int, games: int = 2) -> Iterator[TinyGame]:
    """Yield games of random texts, so many of each, from a seed on; without end."""
    seed = first
    while True:
        text = random_text(seed, small=True, switches=0)
        rules, rng = text.rule_set(), random.Random(seed)
        seed += 1
        with suppress(TableFault):
            machine = Machine(instantiate(rules, bounds(rules, {})[0], {}), counting=True)
            if sum(kind.copies for kind in machine.instance.kinds) > MOST_TILES:
                continue
            for _ in range(games):
                events: list[Event] = []
                with suppress(DeadEnd, TooManySteps):
                    events += play(machine, machine.new_state(), rng, hands=2, longest=LONGEST)
                yield TinyGame(text, machine, events[:LONGEST])
