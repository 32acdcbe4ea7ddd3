"""The games that an engine is driven through.

Input: a machine, a seed.
Output: games, each as its events.
Guarantee: every event is legal, and the same seed gives the same games. One game in four is played by chance, one by
the greedy policy (which comes to the end of hands), one takes what was played least, and one goes through the choices
after a deal in order: first each event of its first position, then each of those that follow these, and so on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence

from golpae.ir.limits import TooManySteps
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine
from golpae.replay.random_deal import deal_by_chance
from golpae.simulate.greedy import Greedy
from golpae.simulate.play import SimulatedTable
from golpae.simulate.sight import Sight

LONGEST = 1_000  # events of a game
MOST_WAITING = 10_000  # beginnings that are to be tried

Choose = Callable[
    [int, Sequence[Event], Chance], Event
]  # of the events of a position, with its number in the game


class Games:
    """The games of one table."""

    def __init__(self, machine: Machine, seed: int, hands: int = 1) -> None:
        self.machine, self._seed, self._hands = machine, seed, hands
        self._legal = Legal(machine)
        self._greedy = SimulatedTable(
            machine, [Greedy(Sight(machine))] * machine.instance.players, LONGEST, scored=False
        )
        self._played: Counter[str] = Counter()
        self._waiting: deque[tuple[int, ...]] = deque([()])

    def __iter__(self) -> Iterator[list[Event]]:
        """Yield games without end."""
        number = 0
        while True:
            yield self.game(number)
            number += 1

    def game(self, number: int) -> list[Event]:
        """Return a game. Those that go by what was played before depend on the games that were asked for before."""
        match number % 4:
            case 0:
                return self.by_chance(number)
            case 1:
                return self._by_policy(number)
            case 2:
                return self._play(number, self._least)
            case _:
                return self._in_order(number)

    def by_chance(self, number: int, longest: int = LONGEST) -> list[Event]:
        """Return a game by chance, or its first events."""
        return self._play(number, lambda at, events, chance: chance.choice(events), longest)

    def _by_policy(self, number: int) -> list[Event]:
        try:
            return list(self._greedy.play(self._seed, number, self._hands).events)
        except TooManySteps:
            return []

    def _least(self, at: int, events: Sequence[Event], chance: Chance) -> Event:
        """Return an event of the action that was played least."""
        fewest = min(self._played[event.action] for event in events)
        event = chance.choice([e for e in events if self._played[e.action] == fewest])
        self._played[event.action] += 1
        return event

    def _in_order(self, number: int) -> list[Event]:
        """Play the next beginning that waits, and go on by chance. Beginnings that are one event longer then wait."""
        if not self._waiting:
            self._waiting.append(())
        begin = self._waiting.popleft()

        def choose(at: int, events: Sequence[Event], chance: Chance) -> Event:
            if at < len(begin):
                return events[begin[at] % len(events)]
            if at == len(begin) and len(self._waiting) < MOST_WAITING:
                self._waiting.extend((*begin, choice) for choice in range(len(events)))
            return chance.choice(events)

        # one deal for all of these games, so that their beginnings are of the same game
        return self._play(3, choose)

    def _play(self, number: int, choose: Choose, longest: int = LONGEST) -> list[Event]:
        """Return a game by these choices; it ends early if nothing can follow, or that takes too many steps."""
        machine, chance = self.machine, Chance(self._seed, number)
        state, game, hands, at = machine.new_state(), list[Event](), 0, 0
        try:
            while len(game) < longest:
                if self._legal.can_deal(state):
                    deal = deal_by_chance(self._legal, state, chance) if hands < self._hands else None
                    if deal is None:
                        break
                    hands, event = hands + 1, deal
                else:
                    events = self._legal.in_play(state)
                    if not events:
                        break
                    event = choose(at, events, chance)
                    at += 1
                machine.apply(event.action, state, event.args)
                game.append(event)
        except TooManySteps:
            pass
        return game
