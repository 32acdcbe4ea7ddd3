"""Go through all games of a table, where these are few enough.

Input: a machine.
Output: every position that a game can reach, and the events between positions; or None if the events of an action
cannot all be listed, or if more can be dealt than the limits allow.
Guarantee: each position comes once, those that fewer events lead to first, so the first game that shows something is a
shortest one. Positions count as one if no rule can tell them apart: what no rule reads of `FORGETTABLE` is left out.
The limits count positions and events, so the result does not depend on how fast the machine is. If one is reached, the
games are not `whole`: there may be more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import factorial
from typing import Any

from golpae.elaborate.lifecycle import lifecycle_params
from golpae.ir import expr as ir
from golpae.ir.dependencies import reads_through
from golpae.ir.lifecycle import Stage
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.traverse import exprs_in
from golpae.replay.event_planner import EventPlanner
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import hand_sizes, undealt
from golpae.replay.state_layout import StateKey
from golpae.search import witness

MOST_POSITIONS = 10_000
MOST_EVENTS = 100_000
FORGETTABLE = frozenset({"stake", "hands-played", "total"})  # words of a match that rules may leave unread

Tiles = tuple[int, ...]


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

    `forgotten` are words that no rule reads and that positions do not tell apart.
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
    machine: Machine, most_positions: int = MOST_POSITIONS, most_events: int = MOST_EVENTS
) -> AllGames | None:
    """Return the positions of all games, as far as the limits go, or None if some events cannot be listed."""
    walk = _Walk(machine, most_positions, most_events)
    return walk.run() if walk.can_begin() else None


class _Walk:
    def __init__(self, machine: Machine, most_positions: int, most_events: int) -> None:
        self.machine = machine
        self.most_positions, self.most_events = most_positions, most_events
        read = _words_read(machine.rules)
        self.games = AllGames(machine, FORGETTABLE - read)
        self._reads_stake = "stake" in read
        self._legal = Legal(machine)
        self._key = StateKey(machine.rules, read)
        self._deal = next(a for a in machine.rules.actions if a.kind == "deal")
        sees_hand = _reads_of_hand(machine.rules, self._deal)
        self._match_key = self._key if sees_hand else StateKey(machine.rules, read, match=True)
        self._found: dict[Hashable, int] = {}
        self._dealt: dict[Hashable, list[tuple[Event, int]]] = {}
        self._tried = 0

    def can_begin(self) -> bool:
        """Return whether no rule depends on the stake, all keys of deals can be listed, and the deals are few."""
        return not self._reads_stake and _can_list(self.machine, self._deal) and self._are_few()

    def _are_few(self) -> bool:
        machine = self.machine
        whole = Counter(machine.instance.whole)
        for first in range(machine.instance.players):
            sizes = hand_sizes(machine, first)
            if any(_number_of_bags(whole, size) > self.most_positions for size in sizes):
                return False
            count = 0
            for hands in _all_hands(whole, sizes):
                count += 1
                if self._has_reserve:
                    count += _number_of_orders(undealt(machine, hands))
                if count > self.most_positions:
                    return False
        return True

    @property
    def _has_reserve(self) -> bool:
        """Return whether it matters in which order the tiles lie that are not dealt."""
        dealing = self._deal.dealing
        return dealing is not None and self.machine.rules.zone(dealing.zone).kind == "row"

    def run(self) -> AllGames | None:
        games = self.games
        self._reach(self.machine.new_state(), None)
        for position in games.positions:  # which grows
            if self._legal.unlisted(position.state):
                return None
            position.next = self._followed(position, self._legal.events(position.state))
            seats = self._legal.can_deal(position.state)
            if seats:
                alike = (position.state.at, self._match_key(position.state))
                if alike not in self._dealt:
                    self._dealt[alike] = self._followed(position, self._deals(seats, position.state))
                position.deals = self._dealt[alike]
            if self._is_too_much:
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

    # ------------------------------------------------------------------ deals

    def _deals(self, seats: Sequence[int], state: State) -> Iterator[Event]:
        """Yield every legal deal."""
        machine, deal = self.machine, self._deal
        planner = EventPlanner(machine)
        whole = Counter(machine.instance.whole)
        own = [
            planner.values(deal, param, (param.name,), ())
            for param in deal.params[len(lifecycle_params("deal")) :]
        ]
        added: list[tuple[Any, ...]] = [()]
        for values in own:
            assert values is not None, "`can_begin` has looked"
            added = [(*before, *value) for before in added for value in values(state)]
        for first in seats:
            for hands in _all_hands(whole, hand_sizes(machine, first)):
                rest = undealt(machine, hands)
                for reserve in (None, *(_all_orders(Counter(rest)) if self._has_reserve else ())):
                    for more in added:
                        args = (first, [list(h) for h in hands], None if reserve is None else list(reserve))
                        event = Event(deal.name, (*args, *more))
                        if machine.check(deal.name, state, event.args) < 0 and self._legal.can_be(
                            event, state
                        ):
                            yield event


def _can_list(machine: Machine, deal: Action) -> bool:
    """Return whether the values of all keys of a deal can be listed."""
    planner = EventPlanner(machine)
    own = deal.params[len(lifecycle_params("deal")) :]
    return all(not p.parts and planner.values(deal, p, (p.name,), ()) is not None for p in own)


# ------------------------------------------------------------------ what rules read


def _words_read(rules: RuleSet) -> frozenset[str]:
    """Return the words of `FORGETTABLE` on which some event, or the state after it, depends."""
    definitions = {d.name: d for d in rules.definitions}
    read = {n for expr in _exprs_of(rules) for n in reads_through(expr, definitions)}
    if "total" in read:  # so do the payments
        paid = exprs_in(e for clause in rules.payout for e in clause.effects)
        read |= {n for expr in paid for n in reads_through(expr, definitions)}
    return FORGETTABLE & read


def _exprs_of(rules: RuleSet) -> Iterator[ir.Expr]:
    """Yield every expression on which an event, or the state after it, depends; payments aside."""
    for action in rules.actions:
        yield from (c.expr for c in action.conditions if not isinstance(c.expr, ir.Implicit))
        yield from exprs_in(e for clause in action.effects for e in clause.effects)
        yield from (e for p in action.params for e in (p.low, p.high, p.initial) if e is not None)
        if action.dealing is not None:
            yield from (action.dealing.first, action.dealing.others)
    yield from (v.initial for v in rules.vars if v.initial is not None)
    yield from (s.test for s in rules.shapes if s.test is not None)
    for score in rules.scores:
        yield from (e for e in (score.hand, score.fixed, score.keep) if e is not None)
        yield from (expr for _, expr in score.defines)
        yield from (condition.expr for condition in score.provided)
        for pattern in score.patterns:
            yield from (pattern.value, pattern.test, *(() if pattern.each is None else (pattern.each[1],)))
        if score.marking is not None:
            yield score.marking[0]


def _reads_of_hand(rules: RuleSet, deal: Action) -> bool:
    """Return whether what can be dealt depends on the hand before."""
    definitions = {d.name: d for d in rules.definitions}
    asked: list[ir.Expr] = [c.expr for c in deal.conditions if not isinstance(c.expr, ir.Implicit)]
    asked += [e for p in deal.params for e in (p.low, p.high) if e is not None]
    of_match = FORGETTABLE | {v.name for v in rules.vars if v.scope == "match"}
    return any(reads_through(expr, definitions) - of_match for expr in asked)


# ------------------------------------------------------------------ ways to deal


def _all_hands(whole: Counter[int], sizes: Sequence[int]) -> Iterator[list[Tiles]]:
    """Yield every way to deal hands of these sizes, each once."""
    if not sizes:
        yield []
        return
    for hand in _bags(whole, sizes[0]):
        for others in _all_hands(whole - Counter(hand), sizes[1:]):
            yield [hand, *others]


def _bags(whole: Counter[int], size: int) -> Iterator[Tiles]:
    """Yield every bag of so many tiles, each once."""
    kinds = sorted(whole)

    def chosen(at: int, left: int, room: int) -> Iterator[Tiles]:
        if left == 0:
            yield ()
        elif at < len(kinds) and left <= room:
            kind, copies = kinds[at], whole[kinds[at]]
            for count in range(min(copies, left), -1, -1):
                for others in chosen(at + 1, left - count, room - copies):
                    yield (*(kind,) * count, *others)

    yield from chosen(0, size, sum(whole.values()))


def _number_of_bags(whole: Counter[int], size: int) -> int:
    """Return how many different bags of so many tiles there are."""
    ways = [1, *[0] * size]
    for copies in whole.values():
        ways = [sum(ways[max(0, n - copies) : n + 1]) for n in range(size + 1)]
    return ways[size]


def _number_of_orders(tiles: Sequence[int]) -> int:
    """Return in how many different orders tiles can lie."""
    number = factorial(len(tiles))
    for copies in Counter(tiles).values():
        number //= factorial(copies)
    return number


def _all_orders(tiles: Counter[int]) -> Iterator[Tiles]:
    """Yield every order of tiles, each once."""
    if not tiles:
        yield ()
        return
    for tile in sorted(tiles):
        for others in _all_orders(tiles - Counter((tile,))):
            yield (tile, *others)
