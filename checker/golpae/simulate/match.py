"""A match that people play, alone or with policies: one event after the other, with a way back.

Input: a machine, who plays each seat, chance.
Output: the events that happen by themselves, and what people are asked.
Guarantee: every event is legal. Chance draws as in a game of `golpae simulate`, and going back takes what was drawn
back: who chooses the same again gets the same tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import deal_by_chance
from golpae.simulate.asking import Ask, asks, by_seat, choices_of
from golpae.simulate.policy import Choice, Policy, Random, Turn
from golpae.simulate.sight import Sight


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked: what a seat does, or, with `seat` None, whether another hand is dealt.

    With `can_wait`, the seat may let others act. `legal` counts all choices of the position, also those of others.
    """

    seat: int | None
    choices: tuple[Choice, ...]
    can_wait: bool = False
    can_deal: bool = False
    first: bool = False
    legal: int = 0


class _Moment(NamedTuple):
    """All that an answer changes."""

    state: State
    chance: Chance
    events: int
    asks: list[Ask] | None


class Match:
    """A match under way. A seat without a policy is played by a person."""

    def __init__(self, machine: Machine, policies: Sequence[Policy | None], chance: Chance) -> None:
        self.machine, self.policies, self.chance = machine, tuple(policies), chance
        self.legal, self.sight = Legal(machine), Sight(machine)
        self.state = machine.new_state()
        self.events: list[Event] = []
        self.before: State | None = None  # the last event, if hands are scored in this game
        self._asks: list[Ask] | None = None  # who is still asked in this position
        self._past: list[_Moment] = []  # before each answer of a person

    @property
    def people(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat, policy in enumerate(self.policies) if policy is None]

    def go_on(self) -> Event | Question | None:
        """Let the next event happen that no person chooses, and return it; or return what a person is asked; or None,
        if nothing can follow. Raises what a policy raises, and `TooManySteps`.
        """
        if self._asks is None:
            if self.machine.stage(self.state) == "ended" and self.people:
                return self._between()
            if self.legal.can_deal(self.state):
                return self.deal()
        events = self.legal.in_play(self.state)
        if not events:
            return None
        choices = choices_of(self.sight, self.state, events)
        if all(isinstance(policy, Random) for policy in self.policies):
            return self._by_chance(choices)
        own, nobody = by_seat(self.machine, choices)
        if not own:
            return self._by_chance(nobody)
        if self._asks is None:
            self._asks = asks(self.chance.shuffled(own), bool(nobody))
        return self._ask(self._asks, own, nobody, len(choices))

    def _ask(
        self, left: list[Ask], choices: dict[int, list[Choice]], nobody: Sequence[Choice], legal: int
    ) -> Event | Question:
        """Ask one after the other, until an event happens or a person has to say something."""
        while True:
            seat, first, can_wait = left[0]
            if seat is None:
                return self._by_chance(nobody)
            policy, theirs = self.policies[seat], choices[seat]
            if policy is None and (first or not can_wait):
                return Question(seat, tuple(theirs), can_wait, first=first, legal=legal)
            if policy is not None:
                place: int | None = 0
                if len(theirs) > 1 or can_wait:
                    turn = Turn(self.sight, self.state, seat, theirs, self.chance, legal, first, can_wait)
                    place = policy.choose(turn)
                if place is not None:
                    return self._happen(theirs[place].event(self.chance))
            del left[0]

    def _between(self) -> Question | None:
        """Return the question after a hand; None if the match cannot go on."""
        following = self.legal.can_follow(self.state)
        choices = tuple(Choice((event,), (1,)) for event in following.events)
        if not following.seats and not choices:
            return None
        return Question(None, choices, can_deal=bool(following.seats), legal=len(choices))

    def _by_chance(self, choices: Sequence[Choice]) -> Event:
        return self._happen(self.chance.choice(choices).event(self.chance))

    # ------------------------------------------------------------------ answers

    def choose(self, question: Question, place: int | None) -> Event | None:
        """Take a choice; None: wait, and return None."""
        self._remember()
        if place is not None:
            return self._happen(question.choices[place].event(self.chance))
        assert self._asks is not None
        del self._asks[0]
        return None

    def take(self, event: Event) -> Event:
        """Let a legal event happen that a person has named."""
        self._remember()
        return self._happen(event)

    def deal_again(self) -> Event | None:
        """Deal the next hand, because people want one; None if no deal can be made."""
        self._remember()
        return self.deal()

    def deal(self) -> Event | None:
        """Deal by chance; None if no deal can be made."""
        deal = deal_by_chance(self.legal, self.state, self.chance)
        return None if deal is None else self._happen(deal)

    def undo(self) -> bool:
        """Go back to before the last answer. Return whether there was one."""
        if not self._past:
            return False
        self.state, self.chance, size, self._asks = self._past.pop()
        del self.events[size:]
        return True

    def hint(self, question: Question, policy: Policy) -> int | None:
        """Return the choice that a policy would take; None if it would wait."""
        assert question.seat is not None
        if len(question.choices) == 1 and not question.can_wait:
            return 0
        choices, chance = question.choices, copy(self.chance)
        state, wait = self.machine.copy(self.state), question.can_wait
        turn = Turn(self.sight, state, question.seat, choices, chance, question.legal, question.first, wait)
        return policy.choose(turn)

    def _remember(self) -> None:
        left = None if self._asks is None else [*self._asks]
        self._past.append(_Moment(self.machine.copy(self.state), copy(self.chance), len(self.events), left))

    def _happen(self, event: Event) -> Event:
        self.before = self.machine.copy(self.state) if self.machine.rules.scores else None
        self.machine.apply(event.action, self.state, event.args)
        self.events.append(event)
        self._asks = None
        return event
