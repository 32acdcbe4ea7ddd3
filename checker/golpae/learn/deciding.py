"""A game that tells two rule sets apart.

Input: two rule sets under which the same recorded games are legal, and the tables of these games.
Output: the shortest game that was found whose last event is legal by one of the two alone.
Guarantee: both judge each event of the game. Games are played by chance from fixed seeds, and positions are counted:
the same rule sets and tables give the same game.

    both              deal, draw 6-1, discard 3-2, draw 5-4
    one of them       lay 5-4
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.elaborate.instance import TableFault, instantiate
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.mutate.recorded import Trace
from golpae.replay.chance import Chance
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import deal_by_chance
from golpae.replay.simulate import written
from golpae.simulate.asking import by_chance
from golpae.simulate.sight import Sight

SEED = 1
GAMES = 40
"""Games at each table; in every second one, the events are those of the other rule set."""

HANDS = 3
MOST_TABLES = 3
MOST_POSITIONS = 3_000
"""Positions at each table whose legal events are listed by both."""

Table = tuple[int, tuple[tuple[str, int], ...]]
"""The number of players, and the options."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """A game of `players`, with the names of the first recorded game at this table. `events` are as a trace has them;
    the last one is legal by the first rule set alone, or (`by_other`) by the other alone. `clause` refuses it.
    """

    players: tuple[str, ...]
    options: Mapping[str, int]
    events: tuple[Mapping[str, Any], ...]
    by_other: bool
    clause: str


def deciding(one: RuleSet, other: RuleSet, games: Iterable[Trace]) -> Deciding | None:
    """Find a game that only one of two rule sets allows, at the tables of some recorded games; None if chance finds
    none.
    """
    best: Deciding | None = None
    for (_, options), players in _tables(games).items():
        try:
            sides = tuple(_Side(rules, len(players), dict(options)) for rules in (one, other))
        except TableFault:
            continue
        positions = 0
        for game in range(GAMES):
            most = MOST_POSITIONS - positions
            if best is not None:
                most = min(most, len(best.events) - 1)
            positions, found = _played(sides, game, most, positions)
            if found is not None:
                events, by_other, clause = found
                best = Deciding(players, dict(options), events, by_other, clause)
    return best


def _tables(games: Iterable[Trace]) -> dict[Table, tuple[str, ...]]:
    """Return the first tables of games, each with the players of its first game."""
    found: dict[Table, tuple[str, ...]] = {}
    for game in games:
        _, players, options = game.table
        if len(found) < MOST_TABLES:
            found.setdefault((players, options), game.header.players)
    return found


class _Side:
    """One of the two rule sets at a table, and its state of the game that both play."""

    def __init__(self, rules: RuleSet, players: int, options: Mapping[str, int]) -> None:
        self.machine = Machine(instantiate(rules, players, options))
        self.legal = Legal(self.machine)
        self.sight = Sight(self.machine)
        self.state: State = self.machine.new_state()

    def begin(self) -> None:
        self.state = self.machine.new_state()

    def refuses(self, line: Mapping[str, Any]) -> str | None:
        """Return the clause that refuses an event now, None if it is legal. Raises `TooManySteps`."""
        args = self._args(line)
        if args is None:
            return str(line["do"])
        action = str(line["do"])
        failed, ordered = self.machine.first(action, self.state, args)
        if failed >= 0:
            return f"{action}.{self.machine.actions[action].conditions[failed].name}"
        event = Event(action, ordered)
        return (
            None
            if self.legal.can_be(event, self.state)
            else f"{action}.{self.legal.broken(event, self.state)}"
        )

    def take(self, line: Mapping[str, Any]) -> None:
        """Let a legal event happen. Raises `TooManySteps`."""
        args = self._args(line)
        assert args is not None
        action = str(line["do"])
        self.machine.apply(action, self.state, self.machine.first(action, self.state, args)[1])

    def _args(self, line: Mapping[str, Any]) -> tuple[Any, ...] | None:
        if line["do"] not in self.machine.actions:
            return None
        args = self.machine.read(str(line["do"]), line)
        return None if isinstance(args, Bad) else args

    def legal_lines(self) -> Iterator[Mapping[str, Any]]:
        """Yield the events that are legal now, but for deals, as a trace has them. Raises `TooManySteps`."""
        return (written(self.machine, event) for event in self.legal.in_order(self.state))

    def dealt(self, chance: Chance) -> Mapping[str, Any] | None:
        """Return a deal by chance, None if there can be none now. Raises `TooManySteps`."""
        deal = deal_by_chance(self.legal, self.state, chance) if self.legal.can_deal(self.state) else None
        return None if deal is None else written(self.machine, deal)

    def chosen(self, chance: Chance) -> Mapping[str, Any] | None:
        """Return a legal event by chance, None if there is none. Raises `TooManySteps`."""
        events = self.legal.in_play(self.state)
        return written(self.machine, by_chance(self.sight, self.state, events, chance)) if events else None


_Decided = tuple[tuple[Mapping[str, Any], ...], bool, str]


def _played(sides: Sequence[_Side], game: int, most: int, positions: int) -> tuple[int, _Decided | None]:
    """Play a game by both rule sets, up to `most` events. Returns how many positions were looked at with those of
    before, and the game up to the first event that only one of them allows.
    """
    chance, leader = Chance(SEED, game), sides[game % 2]
    events: list[Mapping[str, Any]] = []
    for side in sides:
        side.begin()
    hands = 0
    try:
        while len(events) < most:
            deal = leader.dealt(chance)
            hands += deal is not None
            if hands > HANDS:
                break
            positions += 1
            found = _differing(sides, deal, leader)
            if found is not None:
                last, by_other, clause = found
                return positions, ((*events, last), by_other, clause)
            line = leader.chosen(chance) if deal is None else deal
            if line is None:
                break
            for side in sides:
                side.take(line)
            events.append(line)
    except (TooManySteps, ValueError):
        pass  # the rules have a fault there: this game tells nothing
    return positions, None


def _differing(
    sides: Sequence[_Side], deal: Mapping[str, Any] | None, leader: _Side
) -> tuple[Mapping[str, Any], bool, str] | None:
    """Return an event that only one of two rule sets allows now, whether it is the other one, and what refuses it."""
    for side, opposite in ((sides[0], sides[1]), (sides[1], sides[0])):
        deals = [deal] if deal is not None and side is leader else []
        for line in (*deals, *side.legal_lines()):
            clause = opposite.refuses(line)
            if clause is not None:
                return line, side is sides[1], clause
    return None
