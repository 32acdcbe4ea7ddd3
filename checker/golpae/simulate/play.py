"""Play one game by chance and by policies, as `docs/semantics.md` says.

Input: a table, the seed and the number of a game, how many hands to play.
Output: what came of each hand, and the events of the game.
Guarantee: every event is legal. The same input gives the same game, whatever was played before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.traverse import free, nodes
from golpae.ir.types import Points
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import deal_by_chance
from golpae.replay.scoring.score import Best
from golpae.replay.simulate import header, written
from golpae.replay.state_layout import winners_in
from golpae.simulate.asking import asks, by_seat, choices_of
from golpae.simulate.policy import Choice, Policy, Random, Turn
from golpae.simulate.sight import Sight

LONGEST = 10_000  # events of a hand


class Ending(Enum):
    """How a hand ends."""

    WON = "won"
    DRAWN = "without a winner"
    DEAD_END = "dead end"
    BROKEN_OFF = "broken off"


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand: how it ended, the seats that won, its events with `deal` and `end`, what each seat was paid, the patterns
    of the won hand, and the answers to what is `asked` of each hand. Of a hand that did not end, nobody was paid.
    """

    ending: Ending
    events: int
    winners: tuple[int, ...] = ()
    pay: tuple[int, ...] = ()
    patterns: tuple[str, ...] = ()
    asked: tuple[bool, ...] = ()


class SimulatedTable:
    """A rule set at a table, with a policy for each seat.

    Hands of `longest` events are broken off. What is `asked` are conditions on the position after the last event of a
    hand; a hand that was never dealt has none of them. Without `scored`, nobody asks for the patterns of won hands.
    """

    def __init__(
        self,
        machine: Machine,
        policies: Sequence[Policy],
        longest: int = LONGEST,
        exprs: tuple[ir.Expr, ...] = (),
        scored: bool = True,
    ) -> None:
        if len(policies) != machine.instance.players:
            raise ValueError("there is one policy for each seat")
        self.machine = machine
        self.legal = Legal(machine)
        self.sight = Sight(machine)
        self.policies = tuple(policies)
        self.longest, self.asked = longest, exprs
        self._asked = [machine.function(expr, ()) for expr in exprs]
        self.all_random = all(isinstance(policy, Random) for policy in policies)
        self._scores = {
            action.name: _score_in(machine, action.name) if scored else None
            for action in machine.rules.actions
        }

    def answers(self, state: State, dealt: bool) -> tuple[bool, ...]:
        """Return which of what is asked holds of a hand that is over. Raises `TooManySteps`."""
        return tuple(dealt and bool(function(state)) for function in self._asked)

    def header(self, game: int) -> dict[str, Any]:
        """Return the header of a game."""
        line = header(self.machine)
        return {"golpae": line.pop("golpae"), "id": game, **line}

    def play(self, seed: int, game: int, hands: int = 1) -> SimulatedGame:
        """Play a game. Raises what a policy raises, and `TooManySteps`."""
        return _Playing(self, Chance(seed, game), hands).run()

    def patterns(self, event: Event, state: State) -> tuple[str, ...]:
        """Return the patterns of the score that an event asks for, in a state before it."""
        score = self._scores[event.action]
        if score is None:
            return ()
        action = self.machine.actions[event.action]
        names = [] if action.by is None else [action.by]
        names += [param.name for param in action.params]
        best = self.machine.value(score, state, dict(zip(names, event.args, strict=True)))
        return tuple(best.layouts[0].patterns) if isinstance(best, Best) else ()

    def happen(self, event: Event, state: State) -> tuple[str, ...]:
        """Apply an event. Return the patterns of the score that it asks for, if somebody has won by it."""
        is_scored = self._scores[event.action] is not None and state.winner is None
        before = self.machine.copy(state) if is_scored else None
        self.machine.apply(event.action, state, event.args)
        return () if before is None or state.winner is None else self.patterns(event, before)

    @property
    def scores_hands(self) -> bool:
        """Whether some event asks for the score of a hand."""
        return any(score is not None for score in self._scores.values())

    def patterns_won(self, events: Sequence[Event]) -> list[tuple[str, ...]]:
        """Return the patterns that are counted in each hand of a game, when somebody has won it."""
        state, out = self.machine.new_state(), [list[str]()]
        for event in events:
            out[-1] += self.happen(event, state)
            if self.machine.actions[event.action].kind == "end":
                out.append([])
        if not out[-1] and self.machine.stage(state) == "ended":
            out.pop()
        return [tuple(patterns) for patterns in out]


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A game: its hands, and its events."""

    hands: tuple[PlayedHand, ...]
    events: tuple[Event, ...]

    def lines(self, machine: Machine) -> Iterator[dict[str, Any]]:
        """Yield the events as lines of a trace."""
        return (written(machine, event) for event in self.events)


class _Playing:
    """A game under way."""

    def __init__(self, table: SimulatedTable, chance: Chance, hands: int) -> None:
        self.table, self.chance, self.most = table, chance, hands
        self.state = table.machine.new_state()
        self.events: list[Event] = []
        self.begun = 0  # events before this hand
        self.patterns: tuple[str, ...] = ()

    def run(self) -> SimulatedGame:
        hands: list[PlayedHand] = []
        while len(hands) < self.most:
            self.begun, self.patterns = len(self.events), ()
            hand = self._hand(is_first=not hands)
            if hand is None:
                break
            hands.append(hand)
            if hand.ending in (Ending.DEAD_END, Ending.BROKEN_OFF):
                break
        return SimulatedGame(tuple(hands), tuple(self.events))

    def _hand(self, is_first: bool) -> PlayedHand | None:
        """Play a hand; None if no further one can be dealt."""
        legal, state = self.table.legal, self.state
        dealt = False
        while len(self.events) - self.begun < self.table.longest:
            deal = None
            if not dealt and legal.can_deal(state):
                deal = deal_by_chance(legal, state, self.chance)
                if deal is None:
                    return self._over(Ending.DEAD_END, dealt)
                dealt = True
                self._take(deal)
                continue
            events = legal.in_play(state)
            if not events:
                return self._over(Ending.DEAD_END, dealt) if dealt or is_first else None
            event = self._chosen(events)
            self._take(event)
            if self.table.machine.actions[event.action].kind == "end":
                winners, pay = winners_in(state, self.table.machine.rules), event.args[1]
                ending = Ending.WON if winners else Ending.DRAWN
                events_of_hand = len(self.events) - self.begun
                asked = self.table.answers(state, dealt)
                return PlayedHand(ending, events_of_hand, winners, tuple(pay), self.patterns, asked)
        return self._over(Ending.BROKEN_OFF, dealt)

    def _over(self, ending: Ending, dealt: bool) -> PlayedHand:
        events = len(self.events) - self.begun
        return PlayedHand(ending, events, asked=self.table.answers(self.state, dealt))

    def _take(self, event: Event) -> None:
        self.patterns += self.table.happen(event, self.state)
        self.events.append(event)

    # ------------------------------------------------------------------ choosing

    def _chosen(self, events: Sequence[Event]) -> Event:
        """Return the event that happens."""
        choices = choices_of(self.table.sight, self.state, events)
        if self.table.all_random:
            return self.chance.choice(choices).event(self.chance)
        own, nobody = by_seat(self.table.machine, choices)
        if not own:
            return self.chance.choice(nobody).event(self.chance)
        for ask in asks(self.chance.shuffled(own), bool(nobody)):
            if ask.seat is None:
                return self.chance.choice(nobody).event(self.chance)
            wanted = self._asked(ask.seat, own[ask.seat], len(choices), ask.first, ask.can_wait)
            if wanted is not None:
                return wanted
        raise AssertionError("the last who is asked cannot wait")

    def _asked(
        self, seat: int, choices: Sequence[Choice], legal: int, first: bool, can_wait: bool
    ) -> Event | None:
        """Return the event that a seat wants, or None if it lets others act."""
        if len(choices) == 1 and not can_wait:
            return choices[0].event(self.chance)
        turn = Turn(self.table.sight, self.state, seat, choices, self.chance, legal, first, can_wait)
        place = self.table.policies[seat].choose(turn)
        if place is None and can_wait:
            return None
        assert place is not None
        return choices[place].event(self.chance)


def _score_in(machine: Machine, name: str) -> ir.Expr | None:
    """Return a score that the conditions of an action ask for, if only its keys are needed to tell it; else None."""
    action = machine.actions[name]
    known = {param.name for param in action.params} | ({action.by} if action.by is not None else set())
    for condition in action.conditions:
        for node in nodes(condition.expr):
            if isinstance(node.type, Points) and free(node) <= known:
                return node
    return None
