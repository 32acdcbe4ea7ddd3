"""Decide for a small table whether its rules are private, by going through all that a player can come to believe.

Input: a machine.
Output: two games that look the same to a player and in which this player is offered or told other things; or how many
positions there are, if no two do; or None if they are too many, or if the events of an action cannot be listed.
Guarantee: it goes through every game, so a proof needs no invariant; a pair of games is among the shortest.

What a player believes after a game is the set of all states that a game can have led to which looks the same. Games
with the same belief are one from then on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from golpae.ir.dependencies import Dependencies
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import written
from golpae.replay.state_layout import StateKey
from golpae.search.deals import MATCH_WORDS, Deals, words_read
from golpae.search.unread_states import unread_states
from golpae.simulate.sight import Sight
from golpae.verify.privacy.answers import Questions
from golpae.verify.privacy.pairs import PairOfGames
from golpae.verify.privacy.view import Line, messages

MOST_STATES = 4_000  # in all beliefs of one player together
MOST_EVENTS = 40_000


@dataclass(slots=True)
class Belief:
    """States that a player cannot tell apart, each with the belief and the state before it, and the event between."""

    states: dict[Hashable, State]
    ways: dict[Hashable, tuple[int, Hashable, Line] | None]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What going through all beliefs has come to: a pair of games, or how many states were looked at."""

    pair: PairOfGames | None
    states: int


@dataclass(slots=True)
class _Walk:
    """One walk through the beliefs of one player."""

    machine: Machine
    questions: Questions
    legal: Legal
    deals: Deals
    key: StateKey
    beliefs: list[Belief] = field(default_factory=list)
    found: dict[frozenset[Hashable], int] = field(default_factory=dict)
    states: int = 0
    events: int = 0

    def run(self) -> PairOfGames | None:
        """Return two games that look the same to the player, and are told apart, if there are any. Raises `TooMany`."""
        first = self.machine.new_state()
        key = self.key(first)
        self._reach(Belief({key: first}, {key: None}))
        for number, belief in enumerate(self.beliefs):  # which grows
            pair = self._compared(number, belief)
            if pair is not None:
                return pair
            self._go_on(number, belief)
        return None

    def _reach(self, belief: Belief) -> None:
        name = frozenset(belief.states)
        if name not in self.found:
            self.found[name] = len(self.beliefs)
            self.beliefs.append(belief)
            self.states += len(belief.states)
            if self.states > MOST_STATES:
                raise TooMany

    def _go_on(self, number: int, belief: Belief) -> None:
        """Reach the beliefs that one more event leads to."""
        by_view: dict[Hashable, Belief] = {}
        for before, state in belief.states.items():
            if self.legal.unlisted(state):
                raise TooMany
            for event in self._events(state):
                self.events += 1
                if self.events > MOST_EVENTS or self.deals.are_many:
                    raise TooMany
                after = self.machine.copy(state)
                self.machine.apply(event.action, after, event.args)
                line = written(self.machine, event)
                view = self.questions.eyes.view(state, after, line)
                next_one = by_view.setdefault(view, Belief({}, {}))
                next_one.states.setdefault(self.key(after), after)
                next_one.ways.setdefault(self.key(after), (number, before, line))
        for next_one in by_view.values():
            self._reach(next_one)

    def _events(self, state: State) -> Iterator[Event]:
        yield from self.legal.events(state)
        if self.legal.can_deal(state):
            yield from self.deals.of(state)

    def _compared(self, number: int, belief: Belief) -> PairOfGames | None:
        (first, state), *others = belief.states.items()
        one = self.questions.asked(state)
        for key, other in others:
            difference = self.questions.difference(one, other)
            if difference is not None:
                games = self._game(number, first), self._game(number, key)
                return PairOfGames(self.questions.seat, *games, difference)
        return None

    def _game(self, number: int, key: Hashable) -> tuple[Line, ...]:
        """Return the lines of a game that leads to a state of a belief."""
        lines: list[Line] = []
        way = self.beliefs[number].ways[key]
        while way is not None:
            number, key, line = way
            lines.append(line)
            way = self.beliefs[number].ways[key]
        return tuple(reversed(lines))


class TooMany(Exception):
    """There are more beliefs than the limits allow."""


def decide_by_beliefs(machine: Machine) -> Beliefs | None:
    """Return the result of going through all beliefs of each player, or None if they are too many."""
    rules = machine.rules
    said = messages(rules)
    unread = unread_states(machine.instance, said)
    words = words_read(rules, unread) | (MATCH_WORDS & Dependencies(rules).reads(said))
    legal, deals = Legal(machine), Deals(machine, words, unread)
    if not deals.are_few(MOST_STATES):
        return None
    key, sight, states = StateKey(rules, words, unread=unread), Sight(machine), 0
    for seat in range(machine.instance.players):
        walk = _Walk(machine, Questions(machine, sight, legal, seat), legal, deals, key)
        try:
            pair = walk.run()
        except TooMany:
            return None
        states += walk.states
        if pair is not None:
            return Beliefs(pair, states)
    return Beliefs(None, states)
