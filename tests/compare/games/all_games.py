"""All games of two rule sets, tried one by one, as the measure of a comparison.

Input: two machines of a tiny game.
Output: for each question, the length of the shortest game that tells the two apart.
Guarantee: the search is brute force. It tries every event that either rule set lists, by replay alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any

from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, QUESTIONS
from golpae.elaborate.constant import constant_int
from golpae.ir.types import INT
from golpae.replay import simulate
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State

NUMBERS = range(-1, 5)  # that an event may say


@dataclass(frozen=True, slots=True)
class Gone:
    """`parted` has, for each question, the length of the shortest game that tells the two apart. `deep` is the
    length up to which all games were tried.
    """

    parted: dict[str, int]
    deep: int


def go_through(a: Machine, b: Machine, events: int, hands: int, most: int = 20_000) -> Gone:
    """Try all games of up to so many events and hands; stop after `most` states."""
    walk = _Walk(a, b)
    parted: dict[str, int] = {}
    level = [(a.new_state(), b.new_state())]
    seen: set[Any] = set()
    for deep in range(events):
        after = []
        for states in level:
            for ways, pair in walk.next(states, hands):
                for way in ways:
                    parted.setdefault(way, deep + 1)
                if pair is not None and (key := walk.key(pair)) not in seen:
                    seen.add(key)
                    after.append(pair)
        level = after
        if len(parted) == len(QUESTIONS) or not level:
            return Gone(parted, events)
        if len(seen) > most:
            return Gone(parted, deep + 1)
    return Gone(parted, events)


class _Walk:
    def __init__(self, a: Machine, b: Machine) -> None:
        self.machines = (a, b)
        self.legal = (Legal(a), Legal(b))

    def next(self, states: tuple[State, State], hands: int) -> Iterator[tuple[list[str], Any]]:
        """Yield each event that either allows: how the two differ there, and the next states if both allow it."""
        for side in (0, 1):
            for event in self._listed(side, states[side], hands):
                ours, theirs = (self._taken(s, states[s], event) for s in (side, 1 - side))
                if ours is None:
                    continue
                if theirs is None:
                    yield [B_IN_A if side else A_IN_B], None
                elif side == 0:
                    yield [PAID] if ours[1] != theirs[1] else [], (ours[0], theirs[0])

    def _listed(self, side: int, state: State, hands: int) -> Iterator[Event]:
        machine = self.machines[side]
        tried = [a.name for a in machine.rules.actions if any(p.parts or p.type == INT for p in a.params)]
        yield from (e for e in self.legal[side].events(state) if e.action not in tried)
        for name in tried:  # one order of tiles is listed, and no numbers
            yield from _whatever(machine, name)
        if self.machines[side].stage(state) in ("before", "ended") and state.hands_played < hands:
            for first in range(self.machines[side].instance.players):
                yield from self._deals(self.machines[side], first)

    def _deals(self, machine: Machine, first: int) -> Iterator[Event]:
        action = next(a for a in machine.rules.actions if a.kind == "deal")
        dealing = action.dealing
        assert dealing is not None
        sizes = [
            constant_int(dealing.first if seat == first else dealing.others, machine.instance.static)
            for seat in range(machine.instance.players)
        ]
        for hands in _handed(tuple(sorted(machine.instance.whole)), sizes):
            rest = list(machine.instance.whole)
            for tile in (t for h in hands for t in h):
                rest.remove(tile)
            row = machine.rules.zone(dealing.zone).kind == "row"
            for order in (None, *(sorted(set(permutations(rest))) if row else [tuple(rest)])):
                reserve = None if order is None else list(order)
                yield Event(action.name, (first, [list(h) for h in hands], reserve))

    def _taken(self, side: int, state: State, event: Event) -> tuple[State, Any] | None:
        """Return the state after an event, and its payments under this rule set."""
        machine = self.machines[side]
        action = machine.actions.get(event.action)
        if action is None:
            return None
        args, pay = event.args, None
        if action.kind == "end":
            pay = machine.payout(state)
            args = (args[0], pay, *args[2:])
        if action.kind == "finish":
            totals = machine.totals_left(state)
            pay = [left - total for left, total in zip(totals, state.total, strict=True)]
            args = (list(totals), [p for p, n in enumerate(totals) if n == max(totals)], *args[2:])
        after = machine.copy(state)
        line = json.loads(json.dumps(simulate.written(machine, Event(event.action, args))))
        try:
            if machine.steps[event.action](after, line) is not None:
                return None
        except ValueError:
            return None
        return after, pay

    def key(self, states: tuple[State, State]) -> Any:
        return tuple(
            tuple(_frozen(getattr(state, name), name) for name in state.__slots__) for state in states
        )


def _whatever(machine: Machine, name: str) -> Iterator[Event]:
    """Yield every event of an action by a player with a number or a `{a, b}`, legal or not."""
    [param] = machine.actions[name].params
    kinds = range(len(machine.instance.kinds))
    values: list[Any] = [list(tiles) for tiles in product(kinds, repeat=len(param.parts))]
    for seat in range(machine.instance.players):
        for value in values if param.parts else NUMBERS:
            yield Event(name, (seat, value))


def _handed(tiles: tuple[int, ...], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not sizes:
        yield ()
        return
    for hand in dict.fromkeys(combinations(tiles, sizes[0])):
        rest = list(tiles)
        for tile in hand:
            rest.remove(tile)
        for others in _handed(tuple(rest), sizes[1:]):
            yield hand, *others


def _frozen(value: Any, name: str) -> Any:
    """Return a value that can be compared; the order of tiles in a heap does not matter."""
    if isinstance(value, list):
        found = [_frozen(v, name) for v in value]
        heap = name.startswith("z_") and all(isinstance(v, int) for v in value)
        return tuple(sorted(found) if heap else found)
    if isinstance(value, tuple | set | frozenset):
        return tuple(_frozen(v, name) for v in value)
    if hasattr(value, "__slots__"):
        return tuple(_frozen(getattr(value, slot), name) for slot in value.__slots__ if hasattr(value, slot))
    return value
