"""Go through all games of a table, where these are few enough.

Input: a machine.
Output: every position that a game can reach, and the events between positions; or None if the events of an action
cannot all be listed, or if more can be dealt than the limits allow.
Guarantee: each position comes once, those that fewer events lead to first, so the first game that shows something is a
shortest one. Positions count as one if no rule can tell them apart: `unread_states` are left out, and what no rule
reads of `MATCH_WORDS`, except totals that another payment may carry beyond the limit of numbers.
The limits count positions and events, so the result does not depend on how fast the machine is. If one is reached, the
games are not `whole`: there may be more.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.lifecycle import Stage
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import StateKey
from golpae.search import witness
from golpae.search.deals import MATCH_WORDS, Deals, words_read
from golpae.search.unread_states import unread_states

MOST_POSITIONS = 10_000
MOST_EVENTS = 100_000


@dataclass(slots=True)
class Position:
    """The state before the first event, or after some event, of a game.

    `way` is the number of the position before it on a shortest game, and the event between. `next` are the events that
    can follow, except deals, and the numbers of the positions that they lead to. `deals` are the same for deals;
    positions that are dealt from alike share one list.
    """

    number: int
    state: State
    depth: int
    way: tuple[int, Event] | None
    next: list[tuple[Event, int]] = field(default_factory=list)
    deals: list[tuple[Event, int]] = field(default_factory=list)


@dataclass(slots=True)
class AllGames:
    """The positions of all games of a table.

    `forgotten` are words and states that no rule reads and that positions do not tell apart.
    """

    machine: Machine
    forgotten: frozenset[str]
    positions: list[Position] = field(default_factory=list)
    left: int = 0  # positions, from the first on, whose events are all there
    whole: bool = True

    def stage(self, position: Position) -> Stage:
        """Return the stage of the match at a position."""
        return self.machine.stage(position.state)

    def events(self) -> Iterator[tuple[Position, Event, Position]]:
        """Yield every event, with the positions before and after it, in the order of the first ones."""
        for position in self.positions:
            for event, to in (*position.next, *position.deals):
                yield position, event, self.positions[to]

    def game(self, position: Position, *more: Event) -> list[dict[str, Any]]:
        """Return the events of a shortest game to a position, and `more`, as a trace has them. Replay accepts them."""
        events = [*self.path(position), *more]
        lines = witness.as_trace(self.machine, events)
        replayed = witness.replays(self.machine, lines[0], lines[1:])
        if not replayed.accepted:
            raise AssertionError(f"replay refuses event {replayed.events + 1} of a game: {replayed.refused}")
        return lines[1:]

    def path(self, position: Position) -> list[Event]:
        """Return the events of a shortest game to a position."""
        events = []
        while position.way is not None:
            before, event = position.way
            events.append(event)
            position = self.positions[before]
        return events[::-1]


def all_games(
    machine: Machine,
    most_positions: int = MOST_POSITIONS,
    most_events: int = MOST_EVENTS,
    also: Sequence[ir.Expr] = (),
) -> AllGames | None:
    """Return the positions of all games, as far as the limits go, or None if some events cannot be listed.

    Positions are told apart by what rules read, and by what the expressions in `also` read of the states of the text.
    """
    walk = _Walk(machine, most_positions, most_events, unread_states(machine.instance, also))
    return walk.run() if walk.can_begin() else None


class _Walk:
    """One walk."""

    def __init__(
        self, machine: Machine, most_positions: int, most_events: int, unread: frozenset[str]
    ) -> None:
        self.machine = machine
        self.most_positions, self.most_events = most_positions, most_events
        read = words_read(machine.rules, unread)
        self.games = AllGames(machine, (MATCH_WORDS - read) | unread)
        self._reads_stake = "stake" in read
        self._legal = Legal(machine)
        self._key = StateKey(machine.rules, read, unread=unread)
        self._deals = Deals(machine, read, unread)
        self._found: dict[Hashable, int] = {}
        self._dealt: dict[Hashable, list[tuple[Event, int]]] = {}
        self._tried = 0

    def can_begin(self) -> bool:
        """Return whether no rule depends on the stake, all keys of deals can be listed, and the deals are few."""
        return not self._reads_stake and self._deals.are_few(self.most_positions)

    def run(self) -> AllGames | None:
        games = self.games
        self._reach(self.machine.new_state(), None)
        for position in games.positions:  # which grows
            if self._legal.unlisted(position.state):
                return None
            position.next = self._followed(position, self._legal.events(position.state))
            if self._legal.can_deal(position.state):
                alike = self._deals.key(position.state)
                if alike not in self._dealt:
                    self._dealt[alike] = self._followed(position, self._deals.of(position.state))
                position.deals = self._dealt[alike]
            if self._is_too_much or self._deals.are_many:
                games.whole = False
                break
            games.left += 1
        return games

    @property
    def _is_too_much(self) -> bool:
        return self._tried > self.most_events or len(self.games.positions) > self.most_positions

    def _followed(self, position: Position, events: Iterable[Event]) -> list[tuple[Event, int]]:
        """Return the events that can follow, with the numbers of the positions that they lead to."""
        out: list[tuple[Event, int]] = []
        for event in events:
            self._tried += 1
            if self._is_too_much:
                break
            state = self.machine.copy(position.state)
            self.machine.apply(event.action, state, event.args)
            out.append((event, self._reach(state, (position.number, event))))
        return out

    def _reach(self, state: State, way: tuple[int, Event] | None) -> int:
        """Return the number of a position, which is new if no position has this state."""
        positions = self.games.positions
        number = self._found.setdefault(self._key(state), len(positions))
        if number == len(positions):
            depth = 0 if way is None else positions[way[0]].depth + 1
            positions.append(Position(number, state, depth, way))
        return number
