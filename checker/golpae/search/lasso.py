"""Find lassos: games that return to an earlier state, and so can go on for ever.

Input: a machine.
Output: a game that returns, within one hand, to an earlier state, or None.
Guarantee: replay accepts the game. A state is everything that the rules can read: the contents of zones (heaps as bags,
rows by the part of their order that players see), the states that a rule reads, and the turn. The totals of the match
are left out: no event of a hand changes them.

The search follows one game, goes back if it can go no further, and first tries events that undo most: they add
nothing to what stays for good, and put away the tile that came last (or first, by turns).

    deal, ..., put, take, put, take (as at the start)    ->    those events, and where the loop begins
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.ir import expr as ir
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import random_deal
from golpae.replay.state_layout import StateKey, var_in, zones_in
from golpae.search import witness
from golpae.search.shrink import apply_if_legal, shrink
from golpae.search.unread_states import unread_states

STYLES = ("newest", "oldest", "settled", "chance")
TRIES = 40  # games in which a loop is looked for
AGAIN = 16  # tries for a shorter loop, once there is one
PRELUDES = (0, 0, 4, 12, 30)  # events of chance before the search for a loop
TRIED = 40  # events looked at ahead, of those that can follow


@dataclass(frozen=True, slots=True)
class Lasso:
    """A game that returns to a state.

    `lines` are its trace, header first; the state after the last event is that after `start` events, the deal
    being one. `style` says how it was played, in try `attempt` (from 0) of `seed`.
    """

    lines: tuple[dict[str, Any], ...]
    start: int
    style: str
    attempt: int
    seed: int

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """Return the lines without the header."""
        return self.lines[1:]

    @property
    def length(self) -> int:
        """Return the number of events from the state back to it."""
        return len(self.events) - self.start


def find_lasso(
    machine: Machine,
    *,
    seed: int,
    steps: int = 5_000,
    tries: int = TRIES,
    falling: ir.Expr | None = None,
) -> Lasso | None:
    """Return a game that returns within one hand to an earlier state, or None.

    Makes at most `tries` games of `steps` events each, including events that were taken back; the
    result is the same every time. After a success it makes AGAIN more games, for a shorter one. `falling` is a number
    that should fall with every event: events after which it does not fall come first. None proves nothing.
    """
    best: tuple[_Search, list[Event]] | None = None
    attempt, last = 0, tries
    key = _key(machine)
    while attempt < last:
        search = _Search(machine, key, seed, attempt, falling)
        if best is None:
            events = search.run(steps, None)
        else:
            events = search.run(min(steps, 2 * len(best[1])), len(best[1]) - 1)
        if events is not None:
            if best is None:
                last = min(last, attempt + 1 + AGAIN)
            best = search, events
        attempt += 1
    if best is None:
        return None
    loop = best[0].loop(best[1])
    assert witness.replays(machine, loop.lines[0], loop.events).accepted
    return loop


def returns(machine: Machine, events: Sequence[Mapping[str, Any]]) -> int | None:
    """Return after how many of these events, the lines of a trace, the state after the last one was there first.

    None if replay refuses an event, or if the last state was not there before in the same hand.
    """
    key = _key(machine)
    state = machine.new_state()
    seen: dict[Hashable, int] = {}
    for at, event in enumerate(events, 1):
        step = machine.steps.get(str(event.get("do")))
        try:
            if step is None or step(state, event) is not None:
                return None
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return None
        if machine.actions[str(event["do"])].kind == "deal":
            seen.clear()
        if machine.stage(state) == "playing":
            first = seen.setdefault(key(state), at)
            if first < at:
                return first if at == len(events) else None
    return None


def changed_unread(machine: Machine, events: Sequence[Mapping[str, Any]], start: int) -> list[str]:
    """Return the states that no rule reads and that are not the same after all of these events and after `start`.

    The events are the lines of a legal trace.
    """
    unread = unread_states(machine.instance)
    state = machine.new_state()
    values: list[list[Any]] = []
    for at, event in enumerate(events, 1):
        machine.steps[str(event["do"])](state, event)
        if at in (start, len(events)):
            values.append([repr(var_in(state, v.name)) for v in machine.rules.vars])
    return [
        v.name
        for v, *each in zip(machine.rules.vars, *values, strict=True)
        if v.name in unread and each[0] != each[-1]
    ]


def _key(machine: Machine) -> StateKey:
    """Return the function that makes keys of states; states that nothing reads are left out."""
    return StateKey(machine.rules, unread=unread_states(machine.instance))


@dataclass(slots=True)
class _Place:
    """A state on the way, and the events not yet tried from there."""

    state: State
    key: Hashable
    rest: Iterator[tuple[Event, State]]


class _Search:
    """One try: a deal, perhaps some random events, and then a depth-first search."""

    def __init__(
        self, machine: Machine, key: StateKey, seed: int, attempt: int, falling: ir.Expr | None
    ) -> None:
        self.machine, self.key = machine, key
        self.seed, self.attempt = seed, attempt
        self.rng = random.Random(f"{seed}/{attempt}")
        self.style = STYLES[attempt % len(STYLES)]
        self.legal = Legal(machine)
        self.falling = None if falling is None else machine.function(falling, ())
        zones = machine.rules.zones
        self._hands = [z for z in zones if z.kind == "tiles" and z.each_player]
        self._melds = [z for z in zones if z.kind == "melds"]

    def run(self, steps: int, longest: int | None) -> list[Event] | None:
        """Return a game with a lasso of at most `longest` events, after at most `steps` tried events."""
        machine, rng = self.machine, self.rng
        state = machine.new_state()
        seats = self.legal.can_deal(state)
        if not seats:
            return None
        deal = self.legal.dealt(random_deal(machine, state, rng.choice(seats), rng, reserve=False), state)
        if deal is None:
            return None
        before = [deal]
        machine.apply(deal.action, state, deal.args)
        for _ in range(rng.choice(PRELUDES)):
            going = [(e, s) for e, s in self._following(state) if machine.stage(s) == "playing"]
            if not going:
                break
            event, state = rng.choice(going)
            before.append(event)
        return self._search(before, state, steps, longest)

    def _search(
        self, before: list[Event], state: State, steps: int, longest: int | None
    ) -> list[Event] | None:
        key = self.key(state)
        way = [_Place(state, key, self._ordered(state))]
        events: list[Event] = []
        on_way = {key}
        seen = {key}
        while way and steps > 0:
            place = way[-1]
            step = next(place.rest, None)
            if step is None or (longest is not None and len(before) + len(events) >= longest):
                way.pop()
                on_way.remove(place.key)
                if events:
                    events.pop()
                continue
            steps -= 1
            event, state = step
            key = self.key(state)
            if key in on_way:
                return [*before, *events, event]
            if key in seen:
                continue
            seen.add(key)
            on_way.add(key)
            events.append(event)
            way.append(_Place(state, key, self._ordered(state)))
        return None

    def loop(self, events: Sequence[Event]) -> Lasso:
        """Return the lasso of a game, shrunk."""
        whole = shrink(self.machine, events, self._closing)
        closed = self._closed(whole)
        assert closed is not None
        lines = witness.as_trace(self.machine, whole)
        return Lasso(tuple(lines), closed[1], self.style, self.attempt, self.seed)

    def _closing(self, events: Sequence[Event]) -> list[Event] | None:
        closed = self._closed(events)
        return None if closed is None else list(events[: closed[0]])

    def _closed(self, events: Sequence[Event]) -> tuple[int, int] | None:
        """Return the number of events after which a state of the hand returns, and after which it was there first."""
        state = self.machine.new_state()
        seen: dict[Hashable, int] = {}
        for at, event in enumerate(events, 1):
            if apply_if_legal(self.machine, state, event) is None:
                return None
            if self.machine.stage(state) == "playing":
                first = seen.setdefault(self.key(state), at)
                if first < at:
                    return at, first
        return None

    # ------------------------------------------------------------------ what to try first

    def _following(self, state: State) -> Iterator[tuple[Event, State]]:
        """Yield the events that can follow, with the states that they lead to."""
        events = list(self.legal.events(state))
        for event in events if len(events) <= TRIED else self.rng.sample(events, TRIED):
            following = self.machine.copy(state)
            self.machine.apply(event.action, following, event.args)
            yield event, following

    def _ordered(self, state: State) -> Iterator[tuple[Event, State]]:
        """Return the events that do not end the hand, the likeliest to close a lasso first."""
        going = [(e, s) for e, s in self._following(state) if self.machine.stage(s) == "playing"]
        self.rng.shuffle(going)
        going.sort(key=lambda step: self._dislike(state, step[1]))
        return iter(going)

    def _dislike(self, state: State, following: State) -> tuple[float, ...]:
        lying = self._lying(following) - self._lying(state)
        falls = 0.0
        if self.falling is not None:
            falls = float(bool(self.falling(following) < self.falling(state)))
        age = 0.0 if self.style == "chance" else self._age(state, following)
        if self.style == "settled":
            return (-lying, falls, age)
        return (lying, falls, -age if self.style == "oldest" else age)

    def _lying(self, state: State) -> int:
        """Return the number of tiles in melds."""
        return sum(len(m) for zone in self._melds for own in zones_in(state, zone) for m in own)

    def _age(self, state: State, following: State) -> float:
        """Return how many tiles came to a player's heap after the tile that leaves it now; 0 if none leaves."""
        age = 0
        for zone in self._hands:
            for old, new in zip(zones_in(state, zone), zones_in(following, zone), strict=True):
                at = next((i for i, t in enumerate(old) if i >= len(new) or new[i] != t), len(old))
                age = max(age, len(old) - 1 - at)
        return float(age)
