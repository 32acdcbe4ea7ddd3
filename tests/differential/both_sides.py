"""What going through all games of two rule sets says, held against a walk that merges nothing.

Input: two machines, and what `go_through` says of them. Output: what is wrong with that.
Guarantee: the walk tells positions apart by all that the two states hold, and lists the deals of each. A question that
it answers is answered by `go_through`, if that has seen games as long, and by a game as short, if it says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator

from golpae.compare.games.all_games import MOST_DEALS, AllGames
from golpae.compare.games.paired_machines import PairedMachines, pays_otherwise
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.search.deals import MATCH_WORDS, Deals
from tests.differential.walk import frozen

POSITIONS, EVENTS = 200, 2_000  # of both sides, at one table


def wrong_about_all(machines: tuple[Machine, Machine], games: AllGames) -> Iterator[str]:
    """Yield what a walk contradicts. The machines number their tiles alike, and have the same keys."""
    for question, events in _Both(machines).shortest().items():
        said = games.refuted.get(question)
        if said is None and (games.whole or len(events) <= games.exhausted) and question in games.exact:
            yield f"{question} is refuted by {events}, and by no game that was gone through"
        elif said is not None and len(said) > len(events) and question in games.exact:
            yield f"{question} is refuted by {events}, and {len(said)} events are said to be fewest"


class _Both:
    def __init__(self, machines: tuple[Machine, Machine]) -> None:
        self.machines = machines
        self.pair = PairedMachines(*machines)
        self.legal = tuple(map(Legal, machines))
        self.deals = tuple(Deals(machine, MATCH_WORDS) for machine in machines)

    def shortest(self) -> dict[str, list[Event]]:
        """Return for each question a shortest game that refutes it, as far as the walk goes."""
        found: dict[str, list[Event]] = {}
        if not all(deals.are_few(MOST_DEALS) for deals in self.deals):
            return found
        begin = (self.machines[0].new_state(), self.machines[1].new_state())
        path: tuple[Event, ...] = ()
        waiting = deque([(begin, path)])
        seen = {self._key(begin)}
        tried = 0
        while waiting and tried < EVENTS and not any(deals.are_many for deals in self.deals):
            states, path = waiting.popleft()
            for side in (0, 1):
                for event in self._events(side, states[side]):
                    tried += 1
                    self.pair.states = (self._copy(0, states), self._copy(1, states))
                    other = self.pair.allowed(1 - side, event)
                    if other is None:
                        found.setdefault(B_IN_A if side else A_IN_B, [*path, event])
                        continue
                    if side == 1:
                        continue
                    if pays_otherwise(event, other):
                        found.setdefault(PAID, [*path, event])
                    self.pair.take(event, other)
                    after = self.pair.states
                    if len(seen) < POSITIONS and self._key(after) not in seen:
                        seen.add(self._key(after))
                        waiting.append((after, (*path, event)))
        return found

    def _events(self, side: int, state: State) -> Iterator[Event]:
        yield from self.legal[side].events(state)
        if self.legal[side].can_deal(state):
            yield from self.deals[side].of(state)

    def _copy(self, side: int, states: tuple[State, State]) -> State:
        return self.machines[side].copy(states[side])

    def _key(self, states: tuple[State, State]) -> Hashable:
        return tuple(frozen(m.rules, s) for m, s in zip(self.machines, states, strict=True))
