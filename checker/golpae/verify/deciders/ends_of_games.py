"""Decides whether hands end, by going through all games.

Input: all games of a table, and a property whose expression is a number.
Output: an answer, or None if the games are not all there and none of them decides it.
Guarantee: a bound is the greatest number of events that some hand has. A hand that goes on for ever is shown by a game
that returns to a position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from golpae.ir import expr as ir
from golpae.ir.lifecycle import PLAYING
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, Answer, Witness
from golpae.replay.legal_events import Event
from golpae.search.all_games import AllGames, Position
from golpae.verify.deciders.phrases import all_positions, in_a_hand, never_happens, refuted_by_return


def decide_ends_by_games(games: AllGames, prop: PropertyDecl, has_number: bool) -> Answer | None:
    """Decide whether every hand has a bounded number of events.

    `has_number` is whether positions that count as one have the same number of the property.
    """
    hands = _Hands(games, prop.after)
    loop = hands.loop() if games.whole else None
    if loop is not None:
        position, event, back = loop
        lines = games.game(position, event, *back)
        return refuted_by_return(games.machine, lines, position.depth)
    if not games.whole:
        return None
    most, way = hands.longest()
    story = in_a_hand(most, prop.after)
    if prop.within is not None and most > prop.within:
        start, events = way
        lines = games.game(start, *events)
        story = f"{story}; more than {prop.within}"
        return Answer(REFUTED, story, witness=Witness((), tuple(lines)), bound=most)
    positions = len(games.positions)
    shown = not has_number or _falls(games, prop.expr, prop.after)
    story += f": {all_positions(positions)}{'' if shown else '; the number does not show it'}"
    vacuous = never_happens(prop.after) if prop.after is not None and not hands.counts_any else None
    return Answer(PROVED, story, bound=most, vacuous=vacuous, positions=positions)


def _falls(games: AllGames, number: ir.Expr, after: str | None) -> bool:
    """Return whether a number is never negative in a hand, falls with each event that counts and rises with none."""
    value = games.machine.function(number, ())
    for before, event, then in games.events():
        if games.machine.actions[event.action].kind != "play":
            continue
        old, new = value(before.state), value(then.state)
        falls = new < old if after in (None, event.action) else new <= old
        if old < 0 or not falls or (new < 0 and games.stage(then) == PLAYING):
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Edge:
    """An event of an action in a hand."""

    before: int
    event: Event
    after: int


class _Hands:
    """The events of actions in a hand; those of the action `counted` count, or all if there is none."""

    def __init__(self, games: AllGames, counted: str | None) -> None:
        self.games = games
        self.counted = counted
        self._next: list[list[_Edge]] = [
            [
                _Edge(position.number, event, to)
                for event, to in position.next
                if games.machine.actions[event.action].kind == "play"
            ]
            for position in games.positions
        ]
        self._group = self._groups()

    def _counts(self, edge: _Edge) -> bool:
        return self.counted in (None, edge.event.action)

    @property
    def counts_any(self) -> bool:
        """Whether any event in a hand counts."""
        return any(self._counts(edge) for edges in self._next for edge in edges)

    def loop(self) -> tuple[Position, Event, list[Event]] | None:
        """Return a position, an event that counts, and the fewest events that lead back to the position."""
        for edges in self._next:
            for edge in edges:
                if self._counts(edge) and self._group[edge.before] == self._group[edge.after]:
                    return self.games.positions[edge.before], edge.event, self._way(edge.after, edge.before)
        return None

    def _way(self, start: int, end: int) -> list[Event]:
        """Return the fewest events from one position to another."""
        came: dict[int, _Edge | None] = {start: None}
        waiting = deque([start])
        while end not in came:
            for edge in self._next[waiting.popleft()]:
                if edge.after not in came:
                    came[edge.after] = edge
                    waiting.append(edge.after)
        events: list[Event] = []
        while (last := came[end]) is not None:
            events.append(last.event)
            end = last.before
        return events[::-1]

    def longest(self) -> tuple[int, tuple[Position, list[Event]]]:
        """Return the most events of a hand that count, and a position and events with as many. There is no `loop`."""
        most = [0] * len(self._next)
        best: list[_Edge | None] = [None] * len(self._next)
        for group in self._in_order():  # those that others lead to first
            # within a group nothing counts, so that all have what the best of them has
            leaving = [e for n in group for e in self._next[n] if self._group[e.after] != self._group[n]]
            if leaving:
                leave = max(leaving, key=lambda e: most[e.after] + self._counts(e))
                for number in group:
                    most[number] = most[leave.after] + self._counts(leave)
                    best[number] = leave
        start = max(range(len(most)), key=most.__getitem__)
        events: list[Event] = []
        at = start
        while (edge := best[at]) is not None:
            events += [*self._way(at, edge.before), edge.event]
            at = edge.after
        return most[start], (self.games.positions[start], events)

    # ------------------------------------------------------------------ positions that lead to one another

    def _in_order(self) -> list[list[int]]:
        """Return the groups of positions, each after those that it leads to."""
        groups: dict[int, list[int]] = {}
        for number, group in enumerate(self._group):
            groups.setdefault(group, []).append(number)
        return [groups[n] for n in sorted(groups)]

    def _groups(self) -> list[int]:
        """Return for each position its group: those that lead to it and that it leads to (Tarjan, 1972).

        A group has a higher number than those that it leads to.
        """
        group = [-1] * len(self._next)
        index = [-1] * len(self._next)
        low = [0] * len(self._next)
        open_: list[int] = []
        count = groups = 0
        for root in range(len(self._next)):
            if index[root] >= 0:
                continue
            index[root] = low[root] = count
            count += 1
            open_.append(root)
            way = [(root, self._after(root))]
            while way:
                at, rest = way[-1]
                to = next(rest, None)
                if to is None:
                    way.pop()
                    if way:
                        low[way[-1][0]] = min(low[way[-1][0]], low[at])
                    if low[at] == index[at]:
                        while group[at] < 0:
                            group[open_.pop()] = groups
                        groups += 1
                elif index[to] < 0:
                    index[to] = low[to] = count
                    count += 1
                    open_.append(to)
                    way.append((to, self._after(to)))
                elif group[to] < 0:
                    low[at] = min(low[at], index[to])
        return group

    def _after(self, number: int) -> Iterator[int]:
        return (edge.after for edge in self._next[number])
