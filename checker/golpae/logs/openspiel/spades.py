"""Hands of spades that OpenSpiel played: four bids, and the play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from golpae.logs.adapter import event
from golpae.logs.openspiel.playthrough import State
from golpae.logs.openspiel.told_game import Spoilt
from golpae.logs.openspiel.trick_table import CARDS, RANKS, SUITS, TrickTable
from golpae.trace.log_text import Place

MOST_BID = 13


class SpadesTable(TrickTable):
    """A hand of spades."""

    rules = "spades+nil-helps+thirteen-together+spades-last"
    title = "spades"

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        super().__init__(parameters, place)
        self._bids = 0

    def card(self, number: int) -> str:
        return RANKS[number % 13] + SUITS[number // 13]

    def card_words(self, number: int) -> str:
        return SUITS[number // 13] + RANKS[number % 13].replace("10", "T")

    def words(self, number: int) -> str:
        if number < CARDS:
            return self.card_words(number)
        if number > CARDS + MOST_BID:
            raise LookupError
        return str(number - CARDS) if number > CARDS else "Nil"

    def trumps(self) -> str:
        return "spades"

    def tell_deal(self, place: Place) -> None:
        self.game.tell("deal", place, first=0, hands=self.hands)

    def listed(self, number: int) -> Sequence[Mapping[str, object]]:
        if number < CARDS:
            return self.playing(number, self.turn)
        return [event("bid", self.turn, tricks=number - CARDS)]

    def act(self, number: int, place: Place) -> None:
        if self._bids == 4:
            self.play(number, place, self.turn)
            return
        if number < CARDS:
            raise Spoilt(f"`{self.words(number)}` is no bid", place)
        self.game.tell("bid", place, by=self.turn, tricks=number - CARDS)
        self._bids += 1
        self.turn = (self.turn + 1) % 4

    def end(self, state: State, returns: Sequence[int], place: Place) -> None:
        self.game.tell("end", place, winner=None, pay=[*returns])
