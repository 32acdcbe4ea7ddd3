"""Hands of hearts that OpenSpiel played: three cards passed on one by one, and the play. It pays 26 less the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from golpae.logs.adapter import Choice, event
from golpae.logs.openspiel.playthrough import State
from golpae.logs.openspiel.told_game import CHANCE, Spoilt, quoted
from golpae.logs.openspiel.trick_table import CARDS, RANKS, SUITS, TrickTable
from golpae.trace.log_text import Place

ALL_POINTS = 26
PASSED = 3
FIRST_CARD = "2C"
_DIRECTIONS = (("No Pass", "hold"), ("Left", "left"), ("Across", "across"), ("Right", "right"))
"""OpenSpiel's words, and those of the rules; the number is that of the seat that gets the cards, from the giver on."""
_VARIANTS = (
    ("qs_breaks_hearts", "True", "queen-breaks"),
    ("must_break_hearts", "False", "hearts-free"),
    ("can_lead_hearts_instead_of_qs", "True", "hearts-for-queen"),
    ("can_lead_any_club", "True", "any-club"),
    ("no_pts_on_first_trick", "False", "points-at-once"),
    ("jd_bonus", "True", "jack-of-diamonds"),
    ("avoid_all_tricks_bonus", "True", "no-trick-bonus"),
)
_USUALLY = {"qs_breaks_hearts": "True"}


class HeartsTable(TrickTable):
    """A hand of hearts."""

    rules = "hearts+any-direction"
    title = "hearts"

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        super().__init__(parameters, place)
        self._direction: int | None = None
        self._chosen: list[tuple[int, Place]] = []
        self._passed: list[list[str]] = []

    def as_rules(self) -> tuple[list[str], dict[str, int]]:
        given = _USUALLY | dict(self.parameters)
        return [variant for key, value, variant in _VARIANTS if given.get(key) == value], {}

    def card(self, number: int) -> str:
        return RANKS[number // 4] + SUITS[number % 4]

    def card_words(self, number: int) -> str:
        return self.card(number).replace("10", "T")

    def words(self, number: int) -> str:
        if self._direction is None:
            return _DIRECTIONS[number][0]
        if number >= CARDS:
            raise LookupError
        return self.card_words(number)

    def trumps(self) -> str:
        return "no-trump"

    def acting(self) -> int:
        return CHANCE if self._direction is None else super().acting()

    def by_chance(self) -> Sequence[int]:
        if self._direction is not None:
            return super().by_chance()
        return range(len(_DIRECTIONS)) if self.parameters.get("pass_cards") != "False" else [0]

    def apply(self, number: int, place: Place) -> None:
        if self._direction is None:
            self._direction = number
            if number == 0:
                self._passed = [[], [], [], []]
        else:
            super().apply(number, place)

    def tell_deal(self, place: Place) -> None:
        passing = _DIRECTIONS[self._direction or 0][1]
        self.game.tell("deal", place, first=0, hands=self.hands, passing=passing)
        self._begin_play()

    def _begin_play(self) -> None:
        if len(self._passed) == 4:
            self.turn = next(seat for seat, hand in enumerate(self.hands) if FIRST_CARD in hand)

    def list_legal(self, state: State, place: Place) -> None:
        if len(self._passed) == 4:
            super().list_legal(state, place)
            return
        cards = {self.card(number): quoted(self.words(number)) for number in state.legal if number < CARDS}
        chosen = [self.card(number) for number, _ in self._chosen]
        legal = [Choice(words, [self._passing(card)]) for card, words in cards.items()]
        others = [card for card in self.hands[self.turn] if card not in cards and card not in chosen]
        self.game.lists(place, legal, [Choice(quoted(card), [self._passing(card)]) for card in others], None)

    def _passing(self, card: str) -> Mapping[str, object]:
        """Return three cards to pass on: those chosen, this one, and others of the hand."""
        first = [*(self.card(number) for number, _ in self._chosen), card]
        rest = (other for other in self.hands[self.turn] if other not in first)
        return event("pass", self.turn, tiles=[*first, *islice(rest, PASSED - len(first))])

    def listed(self, number: int) -> Sequence[Mapping[str, object]]:
        return self.playing(number, self.turn)

    def act(self, number: int, place: Place) -> None:
        if len(self._passed) == 4:
            self.play(number, place, self.turn)
            return
        if number in [chosen for chosen, _ in self._chosen]:
            raise Spoilt(f"`{self.words(number)}` is passed on already", place)
        self._chosen.append((number, place))
        if len(self._chosen) == PASSED:
            self._pass_on()

    def _pass_on(self) -> None:
        cards = [self.card(number) for number, _ in self._chosen]
        self.game.tell("pass", self._chosen[0][1], by=self.turn, tiles=cards)
        self._passed.append(cards)
        self._chosen = []
        self.turn = (self.turn + 1) % 4
        if len(self._passed) < 4:
            return
        for seat, given in enumerate(self._passed):
            own, other = self.hands[seat], self.hands[(seat + (self._direction or 0)) % 4]
            own[:] = [card for card in own if card not in given]
            other += given
        self._begin_play()

    def end(self, state: State, returns: Sequence[int], place: Place) -> None:
        self.game.tell("end", place, winner=None, pay=[own - ALL_POINTS for own in returns])
