"""Games played at random by two rule sets at once, in search of where they part.

In: the machines of two rule sets with the same places and tiles. Out: for each way to part, a game that both allow
but for its last event: one allows it, and the other does not, or pays otherwise. Finding nothing proves nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from golpae.compare.games.alignment import Rewritten
from golpae.compare.games.near_wins import Hands
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, QUESTIONS
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.ir.traverse import flat
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import random_deal
from golpae.search.shrink import shrink

LENGTHS = (15, 60, 15, 200)  # events of a hand at most, by turns
HANDS = (1, 1, 1, 2, 12)  # hands of a game at most, by turns
AGAIN = 60  # games that are played for shorter ones, once there is one of each
BEFORE = 0.2  # how many matches begin with events before the deal
GIFTS, LEADS = 0.5, 0.6  # how many deals give somebody a hand, and how often it is the first player
TAKEN = 0.8  # how often he takes a tile that his hand waits for


@dataclass(frozen=True, slots=True)
class Divergence:
    """Events of a game, as the rule set that accepts them all has them; the last one is where the two part."""

    events: tuple[Event, ...]
    which: str


class Pair:
    """Two machines in the same state, as long as both allow what happens.

    An event is one of the first machine; what it says of payments is said anew for the second.
    """

    def __init__(self, a: Machine, b: Machine) -> None:
        self.machines = (a, b)
        self.legal = (Legal(a), Legal(b))
        self.moving = (_moving(a.rules), _moving(b.rules))
        self.states: tuple[State, State] = (a.new_state(), b.new_state())

    def begin(self) -> None:
        self.states = (self.machines[0].new_state(), self.machines[1].new_state())

    def allowed(self, side: int, event: Event) -> Event | None:
        """The event as the rule set on this side has it, if it is legal there."""
        machine, state = self.machines[side], self.states[side]
        action = machine.actions.get(event.action)
        if action is None:
            return None
        if action.kind in ("end", "finish"):
            others = event.args[2:]
            found = (e for e in self.legal[side].closings(state) if e.action == event.action)
            said = next((e for e in found if e.args[2:] == others and _winner(e) == _winner(event)), None)
            return said if said is not None and self._goes(side, said) else None
        try:
            allowed = machine.check(event.action, state, event.args) < 0
        except (ValueError, TypeError, IndexError):
            return None
        return event if allowed and self._goes(side, event) else None

    def _goes(self, side: int, event: Event) -> bool:
        """Whether every tile lies where the effects of an event take it from."""
        machine = self.machines[side]
        if event.action not in self.moving[side]:
            return True
        try:
            machine.apply(event.action, machine.copy(self.states[side]), event.args)
        except (ValueError, TypeError, IndexError):
            return False
        return True

    def take(self, event: Event, other: Event) -> None:
        for machine, state, taken in zip(self.machines, self.states, (event, other), strict=True):
            machine.apply(taken.action, state, taken.args)

    def parts(self, events: Sequence[Event], which: str) -> list[Event] | None:
        """The shortest beginning of these events that parts the two in this way; None where there is none."""
        side = 1 if which == B_IN_A else 0
        self.begin()
        for number, event in enumerate(events):
            ours, theirs = self.allowed(side, event), self.allowed(1 - side, event)
            if ours is None:
                return None
            if theirs is None or (which == PAID and _paid(ours, theirs)):
                wanted = which == PAID if theirs is not None else which != PAID
                return [*events[:number], ours] if wanted else None
            self.take(*((ours, theirs) if side == 0 else (theirs, ours)))
        return None


def part(
    a: Machine,
    b: Machine,
    rewritten: Rewritten,
    seed: int,
    games: int,
    seconds: float,
    wanted: Sequence[str] = QUESTIONS,
) -> dict[str, Divergence]:
    """For each wanted way to part, the shortest game found. `rewritten` says where to look first."""
    search = _Search(Pair(a, b), seed, games, time.process_time() + seconds, wanted)
    search.hands = (Hands(a, rewritten), Hands(b, rewritten))
    return search.run()


def _moving(rules: RuleSet) -> frozenset[str]:
    """The actions that move tiles, which have to be there."""
    return frozenset(
        a.name
        for a in rules.actions
        if any(isinstance(e, ir.Move | ir.Arrange) for e in flat(e for c in a.effects for e in c.effects))
    )


def _winner(event: Event) -> object:
    """What an end says but of payments, which follow from it."""
    return event.args[0] if event.action == "end" else None


def _paid(one: Event, other: Event) -> bool:
    """Whether an event says other payments than another."""
    return one.action == "end" and one.args[1] != other.args[1]


class _Search:
    def __init__(self, pair: Pair, seed: int, games: int, until: float, wanted: Sequence[str]) -> None:
        self.pair = pair
        self.seed = seed
        self.games = games
        self.until = until
        self.wanted = wanted
        self.hands: tuple[Hands, ...] = ()
        self.waits: tuple[int, list[int]] = (0, [])  # who waits for which tiles
        self.found: dict[str, Divergence] = {}

    def run(self) -> dict[str, Divergence]:
        number, last = 0, self.games
        while number < last and not self._late():
            waiting = len(self.found) < len(self.wanted)
            self._game(number)
            number += 1
            if waiting and len(self.found) == len(self.wanted):
                last = min(last, number + AGAIN)
        for which, found in self.found.items():
            side = 1 if which == B_IN_A else 0
            machine = self.pair.machines[side]
            parts = partial(self.pair.parts, which=which)
            less = shrink(machine, found.events, parts, self._late)
            self.found[which] = replace(found, events=tuple(less))
        return self.found

    def _late(self) -> bool:
        return time.process_time() > self.until

    def _game(self, number: int) -> None:
        rng = random.Random(f"{self.seed}/{number}")
        pair = self.pair
        pair.begin()
        events: list[Event] = []
        longest = max((len(f.events) for f in self.found.values()), default=10_000)
        if len(self.found) < len(self.wanted):
            longest = 10_000
        for _ in self._moves(events, rng, number):
            if len(events) > longest or self._late():
                return

    def _moves(self, events: list[Event], rng: random.Random, number: int) -> Iterator[None]:
        """Take events that both allow, one at a time, and note where they part."""
        pair = self.pair
        if rng.random() < BEFORE:
            for _ in range(rng.randint(1, 3 * pair.machines[0].table.players)):
                if not self._move(events, rng):
                    break
                yield
        for hand in range(1 + HANDS[number % len(HANDS)]):
            if not self._deal(events, rng):
                if not self._move(events, rng):
                    return
                yield
                continue
            yield
            if hand == HANDS[number % len(HANDS)]:
                return  # who can be dealt the next hand was worth a look
            for _ in range(LENGTHS[number % len(LENGTHS)]):
                if not self._move(events, rng):
                    return
                yield
                if pair.machines[0].stage(pair.states[0]) in ("ended", "finished"):
                    break

    def _deal(self, events: list[Event], rng: random.Random) -> bool:
        pair = self.pair
        deals: list[Event] = []
        for side in (0, 1):
            for seat in pair.legal[side].can_deal(pair.states[side]):
                deal = self._dealt(side, seat, rng)
                if pair.allowed(side, deal) is not None:
                    deals.append(deal)
                    self._look(events, deal, side)
        both = [d for d in deals if pair.allowed(0, d) is not None and pair.allowed(1, d) is not None]
        return self._take(events, both, rng)

    def _dealt(self, side: int, first: int, rng: random.Random) -> Event:
        """A random deal, by which somebody may hold nearly all of an arrangement."""
        machine = self.pair.machines[side]
        deal = random_deal(machine, first, rng)
        sizes = [len(hand) for hand in deal.args[1]]
        seat = first if rng.random() < LEADS else rng.randrange(len(sizes))
        self.waits = (seat, [])
        gift = self.hands[side].any(rng, min(sizes), max(sizes) + 1) if rng.random() < GIFTS else None
        if gift is None:
            return deal
        self.waits = (seat, gift[sizes[seat] :])
        rest = list(machine.table.whole)
        for tile in gift:
            rest.remove(tile)
        rng.shuffle(rest)
        hands = [gift[:size] if i == seat else [] for i, size in enumerate(sizes)]
        for hand, size in zip(hands, sizes, strict=True):
            while len(hand) < size and rest:
                hand.append(rest.pop())
        return Event(deal.action, (first, hands, None, *deal.args[3:]))

    def _move(self, events: list[Event], rng: random.Random) -> bool:
        """Take an event that both allow. Whether there is one."""
        pair = self.pair
        listed = [
            [e for e in legal.events(state) if pair.allowed(side, e) is not None]
            for side, legal, state in zip((0, 1), pair.legal, pair.states, strict=True)
        ]
        both = [event for event in listed[0] if self._look(events, event, 0)]
        for event in listed[1]:
            self._look(events, event, 1)
        return self._take(events, both, rng)

    def _take(self, events: list[Event], both: list[Event], rng: random.Random) -> bool:
        if not both:
            return False
        seat, tiles = self.waits
        actions = sorted({e.action for e in both})
        awaited = [e for e in both if e.args[:1] == (seat,) and any(t in e.args[1:] for t in tiles)]
        if awaited and rng.random() < TAKEN:
            both = awaited
            self.waits = (seat, [])
        elif rng.random() < 0.5:  # a rare action is as likely as a common one
            name = rng.choice(actions)
            both = [e for e in both if e.action == name]
        event = rng.choice(both)
        other = self.pair.allowed(1, event)
        assert other is not None
        self.pair.take(event, other)
        events.append(event)
        return True

    def _look(self, events: list[Event], event: Event, side: int) -> bool:
        """Whether the other side allows an event too; where the two part is noted."""
        other = self.pair.allowed(1 - side, event)
        if other is None:
            self._note(B_IN_A if side else A_IN_B, events, event)
        elif side == 0 and _paid(event, other):
            self._note(PAID, events, event)
        return other is not None

    def _note(self, which: str, events: list[Event], event: Event) -> None:
        if which not in self.wanted:
            return
        best = self.found.get(which)
        if best is None or len(events) + 1 < len(best.events):
            self.found[which] = Divergence((*events, event), which)
