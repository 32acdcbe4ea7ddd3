"""What the games of tricks have in common: four seats, cards dealt one by one, and who plays next."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from golpae.logs.adapter import event
from golpae.logs.bridge import NAMES, taken_by
from golpae.logs.openspiel.playthrough import State
from golpae.logs.openspiel.told_game import CHANCE, OpenSpielGame, Spoilt, choices
from golpae.trace.log_text import Place

SUITS = "CDHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARDS = 52


class TrickTable(OpenSpielGame):
    """A game of tricks for four; OpenSpiel's player 0 is North."""

    players = NAMES
    besides: ClassVar[Collection[str]] = ()
    """Actions of the rules that OpenSpiel has none for."""

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        super().__init__(parameters, place)
        self._dealt: list[int] = []
        self.hands: list[list[str]] = [[], [], [], []]
        self.trick: list[str] = []
        self.turn = 0
        self._first: Place | None = None

    # ------------------------------------------------------------------ what a game has of its own

    @abstractmethod
    def card(self, number: int) -> str:
        """Return the card of a number, which is less than 52."""

    @abstractmethod
    def card_words(self, number: int) -> str:
        """Return OpenSpiel's words for a card."""

    @abstractmethod
    def trumps(self) -> str:
        """Return the strain of the trumps, as bridge names it."""

    @abstractmethod
    def tell_deal(self, place: Place) -> None:
        """Tell the deal."""

    @abstractmethod
    def listed(self, number: int) -> Sequence[Mapping[str, object]]:
        """Return the events that an action of a player may stand for."""

    @abstractmethod
    def act(self, number: int, place: Place) -> None:
        """Tell an action of a player. Raises `Spoilt`."""

    # ------------------------------------------------------------------ what is the same for all

    @property
    def is_dealt(self) -> bool:
        return len(self._dealt) == CARDS

    def acting(self) -> int:
        return self.turn if self.is_dealt else CHANCE

    def by_chance(self) -> Sequence[int]:
        return [number for number in range(CARDS) if number not in self._dealt]

    def apply(self, number: int, place: Place) -> None:
        if self.is_dealt:
            self.act(number, place)
            return
        self._first = self._first or place
        self.hands[len(self._dealt) % 4].append(self.card(number))
        self._dealt.append(number)
        if len(self._dealt) == CARDS:
            self.tell_deal(self._first)

    def list_legal(self, state: State, place: Place) -> None:
        listed = {self.words(number): self.listed(number) for number in state.legal}
        self.game.lists(place, choices(listed), besides=self.besides)

    def play(self, number: int, place: Place, by: int) -> None:
        """Tell a card that is played, and find who plays next. Raises `Spoilt`."""
        if number >= CARDS:
            raise Spoilt(f"`{self.words(number)}` is no card to play")
        card = self.card(number)
        self.game.tell("play", place, by=by, tile=card)
        self.trick.append(card)
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            self.turn = (self.turn + taken_by(self.trick, self.trumps())) % 4
            self.trick = []

    def playing(self, number: int, by: int) -> list[dict[str, object]]:
        """Return the event of a card that is played."""
        return [event("play", by, tile=self.card(number))]
