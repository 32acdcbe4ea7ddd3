"""Play games at random under two rule sets at once, or by players who go towards a win, to find where they diverge.

Input: the machines of two rule sets with the same zones and tiles, a seed, and the questions to answer.
Output: for each question a game that both allow except for its last event: one side allows that event, and the other
refuses it or pays otherwise.
Guarantee: the same seed plays the same games. An empty result proves nothing.

Games at random seldom come to a win, still less to one of a kind that few hands have; but there the value of a hand
matters.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from golpae.compare.games.alignment import Rewritten
from golpae.compare.games.near_wins import NearWins
from golpae.compare.games.paired_machines import PairedMachines, pays_otherwise
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, QUESTIONS
from golpae.ir.limits import TooManySteps
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.random_deal import random_deal, random_deal_with
from golpae.search.shrink import shrink
from golpae.simulate.compiled import compiled_table
from golpae.simulate.play import SimulatedTable
from golpae.simulate.sight import Sight
from golpae.simulate.towards import Towards

LENGTHS = (15, 60, 15, 200)  # events of a hand at most, by turns
HANDS = (1, 1, 1, 2, 12)  # hands of a game at most, by turns
AGAIN = 60  # games that are played for shorter ones after every question has an answer
BEFORE = 0.2  # share of matches that begin with events before the deal
GIFTS, LEADS = (
    0.5,
    0.6,
)  # share of deals that give a seat a near win, and share of these that give it the first player
TAKEN = 0.8  # share of chances at which that seat takes a tile that its hand waits for
UNLIMITED = 10_000  # events
LONGEST = 2_000  # events of a hand of players who go towards a win


@dataclass(frozen=True, slots=True)
class Divergence:
    """The events of a game, as the side that accepts them all has them; the last one answers the question."""

    events: tuple[Event, ...]
    question: str


def find_divergences(
    machines: PairedMachines,
    rewritten: Rewritten,
    seed: int,
    games: int,
    tries: int,
    questions: Sequence[str] = QUESTIONS,
) -> dict[str, Divergence]:
    """Return the shortest game for each question that random play answers.

    Hands with rewritten shapes are dealt more often. At most `games` games are played, and about `tries` events of one
    side tried on the other.
    """
    a, b = machines.machines
    near_wins = (NearWins(a, rewritten), NearWins(b, rewritten))
    return _RandomSearch(machines, near_wins, seed, games, tries, questions).run()


class _RandomSearch:
    def __init__(
        self,
        pair: PairedMachines,
        near_wins: tuple[NearWins, NearWins],
        seed: int,
        games: int,
        tries: int,
        questions: Sequence[str],
    ) -> None:
        self.pair = pair
        self.near_wins = near_wins
        self.seed = seed
        self.games = games
        self.tries = tries
        self.questions = questions
        self.waiting: tuple[int, list[int]] = (0, [])  # a seat, and the tiles that its hand waits for
        self.divergences: dict[str, Divergence] = {}

    def run(self) -> dict[str, Divergence]:
        number, last = 0, self.games
        while number < last and self.tries > 0:
            before = self._complete
            self._game(number)
            number += 1
            if not before and self._complete:
                last = min(last, number + AGAIN)
        for question, divergence in self.divergences.items():
            machine = self.pair.machines[1 if question == B_IN_A else 0]
            prefix = partial(self.pair.diverging_prefix, question=question)
            events = shrink(machine, divergence.events, prefix)
            self.divergences[question] = replace(divergence, events=tuple(events))
        return self.divergences

    @property
    def _complete(self) -> bool:
        return len(self.divergences) == len(self.questions)

    def _game(self, number: int) -> None:
        rng = random.Random(f"{self.seed}/{number}")
        self.pair.begin()
        events: list[Event] = []
        longest = UNLIMITED
        if self._complete:
            longest = max((len(d.events) for d in self.divergences.values()), default=UNLIMITED)
        for _ in self._moves(events, rng, number):
            if len(events) > longest or self.tries <= 0:
                return

    def _moves(self, events: list[Event], rng: random.Random, number: int) -> Iterator[None]:
        """Take events that both sides allow, one at a time, and note each divergence on the way."""
        pair = self.pair
        if rng.random() < BEFORE:
            for _ in range(rng.randint(1, 3 * pair.machines[0].instance.players)):
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
                return  # the last deal only shows which seats can be dealt the next hand
            for _ in range(LENGTHS[number % len(LENGTHS)]):
                if not self._move(events, rng):
                    return
                yield
                if pair.machines[0].stage(pair.states[0]) in ("ended", "finished"):
                    break

    def _deal(self, events: list[Event], rng: random.Random) -> bool:
        """Take a deal that both allow. Return whether there is one."""
        pair = self.pair
        deals: list[Event] = []
        for side in (0, 1):
            for seat in pair.legal[side].can_deal(pair.states[side]):
                deal = pair.allowed(side, self._random_deal(side, seat, rng))
                if deal is not None:
                    deals.append(deal)
                    self._check_other_side(events, deal, side)
        both = [
            ours for d in deals if (ours := pair.allowed(0, d)) is not None and pair.allowed(1, d) is not None
        ]
        return self._take(events, both, rng)

    def _random_deal(self, side: int, first: int, rng: random.Random) -> Event:
        """Return a random deal, which may give one seat most of an arrangement."""
        machine, state = self.pair.machines[side], self.pair.states[side]
        deal = random_deal(machine, state, first, rng)
        sizes = [len(hand) for hand in deal.args[1]]
        seat = first if rng.random() < LEADS else rng.randrange(len(sizes))
        self.waiting = (seat, [])
        gift = self.near_wins[side].draw(rng, min(sizes), max(sizes) + 1) if rng.random() < GIFTS else None
        if gift is None:
            return deal
        self.waiting = (seat, gift[sizes[seat] :])
        return random_deal_with(machine, state, first, seat, gift, rng)

    def _move(self, events: list[Event], rng: random.Random) -> bool:
        """Take an event that both allow. Return whether there is one."""
        pair = self.pair
        listed = [
            [e for e in legal.events(state) if pair.allowed(side, e) is not None]
            for side, legal, state in zip((0, 1), pair.legal, pair.states, strict=True)
        ]
        both = [event for event in listed[0] if self._check_other_side(events, event, 0)]
        for event in listed[1]:
            self._check_other_side(events, event, 1)
        return self._take(events, both, rng)

    def _take(self, events: list[Event], both: list[Event], rng: random.Random) -> bool:
        """Take one of the events that both allow. Return whether there is one."""
        if not both:
            return False
        seat, tiles = self.waiting
        actions = sorted({e.action for e in both})
        awaited = [e for e in both if e.args[:1] == (seat,) and any(t in e.args[1:] for t in tiles)]
        if awaited and rng.random() < TAKEN:
            both = awaited
            self.waiting = (seat, [])
        elif rng.random() < 0.5:  # a rare action is as likely as a common one
            name = rng.choice(actions)
            both = [e for e in both if e.action == name]
        event = rng.choice(both)
        other = self.pair.allowed(1, event)
        assert other is not None
        self.pair.take(event, other)
        events.append(event)
        return True

    def _check_other_side(self, events: list[Event], event: Event, side: int) -> bool:
        """Return whether the other side allows an event too, and note a divergence."""
        self.tries -= 1
        other = self.pair.allowed(1 - side, event)
        if other is None:
            self._note(B_IN_A if side else A_IN_B, events, event)
        elif side == 0 and pays_otherwise(event, other):
            self._note(PAID, events, event)
        return other is not None

    def _note(self, question: str, events: list[Event], event: Event) -> None:
        """Keep a game if it answers an open question, or is shorter than the game that does."""
        if question not in self.questions:
            return
        best = self.divergences.get(question)
        if best is None or len(events) + 1 < len(best.events):
            self.divergences[question] = Divergence((*events, event), question)


def towards_divergences(
    pair: PairedMachines, seed: int, games: int, questions: Sequence[str]
) -> dict[str, Divergence]:
    """Return a game for each question that such players answer in so many games of one hand by each rule set."""
    found: dict[str, Divergence] = {}
    for side, machine in enumerate(pair.machines):
        still = [question for question in questions if (question == B_IN_A) == bool(side)]
        for events in _played(machine, seed, games) if still else ():
            for question in still:
                prefix = pair.diverging_prefix(events, question)
                if prefix is not None:
                    shorter = shrink(machine, prefix, partial(pair.diverging_prefix, question=question))
                    found[question] = Divergence(tuple(shorter), question)
            still = [question for question in still if question not in found]
            if not still:
                break
    return found


def _played(machine: Machine, seed: int, games: int) -> Iterator[Sequence[Event]]:
    """Yield the events of games of one hand."""
    sight = Sight(machine)
    policies = [Towards(sight) for _ in range(machine.instance.players)]
    table = SimulatedTable(machine, policies, LONGEST, scored=False)
    compiled = compiled_table(table, traced=True)
    try:
        if compiled is None:
            for game in range(games):
                yield table.play(seed, game).events
        else:
            for _, played in compiled.games(seed, 0, games, 1):
                yield played.events
    except TooManySteps:
        return
