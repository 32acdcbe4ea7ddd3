"""What came of many hands.

Input: hands.
Output: counts and sums, from which `golpae.report.simulation` makes shares and means.
Guarantee: whole numbers only, so tallies of parts of the games add up to the same in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from golpae.simulate.play import Ending, SimulatedGame


@dataclass(slots=True)
class Sum:
    """Whole numbers: how many, their sum, and the sum of their squares."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, number: int, times: int = 1) -> None:
        self.count += times
        self.total += times * number
        self.squares += times * number * number

    def merge(self, other: Sum) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares


@dataclass(slots=True)
class Tally:
    """Games and hands. `wins` counts by seat, several of a hand that several won, `lengths` the events of hands that
    ended, `pay` is by seat, `asked` by what was asked of each hand.

    `patterns` counts the won hands with each pattern, `scored` those that an event asked the score of.
    """

    players: int
    games: int = 0
    endings: Counter[Ending] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    patterns: Counter[str] = field(default_factory=Counter)
    scored: int = 0
    asked: Counter[int] = field(default_factory=Counter)
    pay: list[Sum] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)
    """The first games with a hand that did not end."""

    def __post_init__(self) -> None:
        self.pay = self.pay or [Sum() for _ in range(self.players)]

    @property
    def hands(self) -> int:
        """All hands, those that did not end too."""
        return self.endings.total()

    @property
    def ended(self) -> int:
        """The hands that ended."""
        return self.endings[Ending.WON] + self.endings[Ending.DRAWN]

    def add(self, numbers: Sequence[int], game: SimulatedGame) -> None:
        """Count games of these numbers, in all of which the same came of each hand."""
        times = len(numbers)
        self.games += times
        for hand in game.hands:
            self.endings[hand.ending] += times
            for number, holds in enumerate(hand.asked):
                self.asked[number] += times * holds
            if hand.ending in (Ending.DEAD_END, Ending.BROKEN_OFF):
                self.stuck = sorted([*self.stuck, *numbers])[:MOST_STUCK]
                continue
            self.lengths[hand.events] += times
            for winner in hand.winners:
                self.wins[winner] += times
            for own, paid in zip(self.pay, hand.pay, strict=True):
                own.add(paid, times)
            for pattern in hand.patterns:
                self.patterns[pattern] += times
            self.scored += times * bool(hand.patterns)

    def merge(self, other: Tally) -> None:
        """Add the counts of other games."""
        self.games += other.games
        self.scored += other.scored
        self.endings.update(other.endings)
        self.wins.update(other.wins)
        self.lengths.update(other.lengths)
        self.patterns.update(other.patterns)
        self.asked.update(other.asked)
        for own, theirs in zip(self.pay, other.pay, strict=True):
            own.merge(theirs)
        self.stuck = sorted([*self.stuck, *other.stuck])[:MOST_STUCK]


MOST_STUCK = 5
