"""Look for two games that a player cannot tell apart, in which this player is offered or told other things.

Input: a machine, a seed, a number of games.
Output: two games of equal length and what differs after them, or None, which proves nothing.
Guarantee: replay accepts both games, and every event of one looks to the player like that of the other. The same seed
gives the same games, and what is looked at is counted.

A random game is dealt again: tiles that the player does not see change places, and the events after it follow as they
were seen. What differs after the last event in common shows that a rule knew more than the player.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.ir.limits import TooManySteps
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import DEALS, random_deal
from golpae.replay.simulate import any_action, any_event, written
from golpae.simulate.sight import Sight
from golpae.verify.privacy.answers import Difference, PlayerAnswers, Questions
from golpae.verify.privacy.view import Line, SeenGame, happened

LENGTHS = (4, 8, 16, 32)  # events of a game at most, by turns
SWAPS = 16  # other games that are tried for one game and one player
PLACES = 3  # positions of one of them that are asked
COMPARED = 600  # pairs of positions that are asked in all
MOST_LISTED = 400  # legal events among which one is looked for that looks the same


@dataclass(frozen=True, slots=True)
class PairOfGames:
    """Two games that look the same to a seat, and what differs after them."""

    seat: int
    one: tuple[Line, ...]
    other: tuple[Line, ...]
    difference: Difference


class PairSearch:
    """One search at one table."""

    def __init__(self, machine: Machine, seed: int, only: Collection[str] | None = None) -> None:
        self.machine, self._seed = machine, seed
        self._legal = Legal(machine)
        sight = Sight(machine)
        self._questions = [
            Questions(machine, sight, self._legal, seat, only) for seat in range(machine.instance.players)
        ]
        self.compared = 0  # pairs of positions that were asked

    def find(self, games: int, most: int = COMPARED) -> PairOfGames | None:
        """Return the first pair that is found in so many games, with at most so many pairs of positions."""
        for game in range(games):
            rng = random.Random(f"{self._seed}/{game}")
            lines = self._game(rng, LENGTHS[game % len(LENGTHS)])
            pair_of_games = self._of_game(lines, rng) if lines else None
            if pair_of_games is not None:
                return pair_of_games
            if self.compared >= most:
                return None
        return None

    # ------------------------------------------------------------------ one game

    def _game(self, rng: random.Random, length: int) -> list[Line]:
        """Return the lines of a random game: events before the first deal, a deal, events after it."""
        machine, state = self.machine, self.machine.new_state()
        lines: list[Line] = []
        policy = rng.choice((any_event, any_action))
        try:
            while len(lines) < length:
                seats = self._legal.can_deal(state)
                if seats and (machine.stage(state) != "before" or rng.random() < 0.8 or not lines):
                    first = rng.choice(seats)
                    deals = (random_deal(machine, state, first, rng, reserve=True) for _ in range(DEALS))
                    event = self._legal.first_dealt(deals, state)
                else:
                    event = policy(self._legal, state, rng)
                if event is None:
                    break
                line = written(machine, event)
                machine.apply(event.action, state, event.args)
                lines.append(line)
        except (TooManySteps, ValueError):
            return lines
        return lines

    def _of_game(self, lines: Sequence[Line], rng: random.Random) -> PairOfGames | None:
        seats = [*range(self.machine.instance.players)]
        rng.shuffle(seats)
        for seat in seats:
            questions = self._questions[seat]
            game = current = questions.eyes.seen(lines)
            if game is None or current is None:
                return None
            asked = [questions.asked(state) for state in game.states]
            for _ in range(SWAPS):
                other = self._changed(questions, current, rng)
                if other is not None:
                    pair_of_games = self._compared(questions, game, asked, other, rng)
                    if pair_of_games is not None:
                        return pair_of_games
                    if len(other.lines) == len(game.lines):
                        current = other
        return None

    def _compared(
        self,
        questions: Questions,
        game: SeenGame,
        player_answers: Sequence[PlayerAnswers],
        other: SeenGame,
        rng: random.Random,
    ) -> PairOfGames | None:
        """Return the beginnings of two games after which the player is offered or told other things, if any."""
        events = len(other.lines)
        first = next((n for n in range(events) if game.lines[n] != other.lines[n]), events) + 1
        if first > events:  # it has become the first game again
            return None
        places = {events, *(rng.randint(first, events) for _ in range(PLACES - 1))}
        for place in sorted(places):
            self.compared += 1
            try:
                difference = questions.difference(player_answers[place], other.states[place])
            except (TooManySteps, ValueError):
                continue
            if difference is not None:
                return PairOfGames(questions.seat, game.lines[:place], other.lines[:place], difference)
        return None

    # ------------------------------------------------------------------ another game

    def _changed(self, questions: Questions, game: SeenGame, rng: random.Random) -> SeenGame | None:
        """Return another game that looks the same to the player, or None if this try leads to none."""
        if rng.random() < 0.3:
            return self._follow(questions, game, {}, rng, turn=rng.randrange(len(game.lines)))
        actions = self.machine.actions
        deals = [place for place, line in enumerate(game.lines) if actions[line["do"]].kind == "deal"]
        if not deals:
            return self._follow(questions, game, {}, rng, turn=rng.randrange(len(game.lines)))
        place = rng.choice(deals)
        dealt = _swapped(game.lines[place], questions.seat, rng)
        return None if dealt is None else self._follow(questions, game, {place: dealt}, rng)

    def _follow(
        self,
        questions: Questions,
        game: SeenGame,
        instead: dict[int, Line],
        rng: random.Random,
        turn: int | None = None,
    ) -> SeenGame | None:
        """Return the game that has these lines `instead`, followed by events that look as they did, as far as it goes.

        At `turn` another event is taken that looks the same, if there is one.
        """
        states: list[State] = [self.machine.new_state()]
        lines: list[Line] = []
        is_changed = False
        for place, line in enumerate(game.lines):
            wanted = game.views[place]
            if not is_changed and place not in instead and place != turn:
                states.append(game.states[place + 1])
                lines.append(line)
                continue
            step = None
            if place != turn:
                step = self._same(questions, states[-1], instead.get(place, line), wanted)
            if step is None:
                others = self._alike(questions, states[-1], line, wanted, rng, place == turn)
                step = next(others, None)
            if step is None:
                break
            is_changed = is_changed or step[0] != line
            states.append(step[1])
            lines.append(step[0])
        return SeenGame(tuple(lines), tuple(states), game.views[: len(lines)]) if is_changed else None

    def _same(
        self, questions: Questions, state: State, line: Line, wanted: object
    ) -> tuple[Line, State] | None:
        after = happened(self.machine, state, line)
        if after is None or questions.eyes.view(state, after, line) != wanted:
            return None
        return line, after

    def _alike(
        self,
        questions: Questions,
        state: State,
        line: Line,
        wanted: object,
        rng: random.Random,
        is_other: bool,
    ) -> Iterator[tuple[Line, State]]:
        """Yield legal events that look to the player like the one of this line."""
        action = self.machine.actions[str(line["do"])]
        if action.kind == "deal":
            return
        try:
            events = []
            for name, listed in self._legal.by_action(state):
                if name == action.name or action.kind in ("end", "finish"):
                    events += [event for _, event in zip(range(MOST_LISTED), listed, strict=False)]
        except TooManySteps:
            return
        rng.shuffle(events)
        for event in events:
            if event.action == action.name and (action.by is None or event.args[0] == line.get("by")):
                other = written(self.machine, event)
                if is_other and other == line:
                    continue
                step = self._same(questions, state, other, wanted)
                if step is not None:
                    yield step


def _swapped(deal: Line, seat: int, rng: random.Random) -> Line | None:
    """Return a deal in which two tiles that lie with other players or in the reserve have changed places."""
    hands: list[list[Any]] = [list(hand) for hand in deal["hands"]]
    heaps = [hand for owner, hand in enumerate(hands) if owner != seat]
    reserve = list(deal.get("reserve") or ())
    heaps.append(reserve)
    places = [(heap, place) for heap in heaps for place in range(len(heap))]
    if len(places) < 2:
        return None
    for _ in range(rng.choice((1, 1, 2, 4))):
        (one, first), (other, second) = rng.sample(places, 2)
        one[first], other[second] = other[second], one[first]
    out = {**deal, "hands": hands}
    if reserve:
        out["reserve"] = reserve
    return out if out != deal else None
