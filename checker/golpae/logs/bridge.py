"""Boards of bridge, as PBN and LIN record them, told as games of `bridge`.

Input: a board: who deals, the hands, the calls, the cards in the order of play, and what the record says of the result.
Output: its game. Guarantee: what a record leaves out is left out; hands and cards that it does not show are unknown.

Seats are numbered in the order of play: 0 north, 1 east, 2 south, 3 west.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from golpae.logs.adapter import Game, Log, LogFault
from golpae.trace.log_text import Place
from golpae.trace.unseen import UNKNOWN

SEATS = "NESW"
SUITS = "SHDC"
STRAINS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no-trump"}
RANKS = "23456789TJQKA"
_NAMES_OF_CARDS = {
    suit + rank: f"{rank.replace('T', '10')}{suit}" for suit in SUITS for rank in reversed(RANKS)
}  # by the suit and the rank, each suit from the highest card on
NAMES = ("North", "East", "South", "West")
VULNERABLE = {
    **dict.fromkeys(("", "NONE", "LOVE", "-", "O", "0"), "neither"),
    **dict.fromkeys(("NS", "N", "N-S"), "north-south"),
    **dict.fromkeys(("EW", "E", "E-W"), "east-west"),
    **dict.fromkeys(("ALL", "BOTH", "B"), "both"),
}
_BY_BOARD = ("neither", "north-south", "east-west", "both")  # turned by one after each four boards
_BID = re.compile(r"([1-7])(C|D|H|S|NT?)")
_CALLS = {
    **dict.fromkeys(("P", "PASS"), "pass"),
    **dict.fromkeys(("X", "D", "DBL", "DOUBLE"), "double"),
    **dict.fromkeys(("XX", "R", "RDBL", "REDOUBLE"), "redouble"),
}


Hand = list[str] | int
"""The cards of a hand, or how many they are if nobody saw it."""
CARDS = 13  # of a hand


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the auction: `double`, or `bid` with its level and strain."""

    do: str
    level: int = 0
    strain: str = ""


class LinePlaces:
    """Finds the lines of places in a text that are asked for in order."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line, self._begin = text, 0, 1, 0

    def place(self, at: int) -> Place:
        """Return the line and column of a place, from 0, at or behind the one before."""
        self._line += self._text.count("\n", self._at, at)
        self._begin = max(self._begin, self._text.rfind("\n", self._at, at) + 1)
        self._at = at
        return Place(self._line, at - self._begin + 1)


def text_of(log: Log) -> str:
    """Return the text of a log, which may be Latin-1."""
    try:
        log.data.decode("utf-8")
    except UnicodeDecodeError:
        return log.data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    return log.text()


def call_of(word: str) -> Call | None:
    """Return the call that a word means, or None."""
    own = word.upper()
    if own in _CALLS:
        return Call(_CALLS[own])
    bid = _BID.fullmatch(own)
    return None if bid is None else Call("bid", int(bid[1]), STRAINS[bid[2][0]])


def card_of(word: str) -> str | None:
    """Return the name of the card that a word such as `ST` or `h10` means, suit first, or None."""
    return _NAMES_OF_CARDS.get(word.upper().replace("10", "T"))


def hand_of(suits: Sequence[str]) -> list[str]:
    """Return the cards of a hand: its ranks suit by suit, spades first. Raises ValueError."""
    cards = [
        card_of(f"{suit}{rank}") for suit, held in zip(SUITS, suits, strict=True) for rank in _ranks(held)
    ]
    if None in cards:
        raise ValueError
    return [card for card in cards if card is not None]


def _ranks(held: str) -> Iterable[str]:
    return held.upper().replace("10", "T")


def by_board(number: int) -> tuple[int, str]:
    """Return who deals the board of a number, and who is vulnerable, if a record does not say it."""
    turn = (number - 1) % 16
    return turn % 4, _BY_BOARD[(turn + turn // 4) % 4]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a record says of the contract, besides the auction."""

    level: int
    strain: str
    risk: str
    """`undoubled`, `doubled` or `redoubled`."""
    declarer: int | None
    place: Place

    def keys(self) -> dict[str, Any]:
        """Return the keys of the event that says so."""
        keys: dict[str, Any] = {"level": self.level, "strain": self.strain, "risked": self.risk}
        return keys if self.declarer is None else {**keys, "played-by": self.declarer}


@dataclass(slots=True)
class Board:
    """What a record says of a board. Cards are in the order of play, with the seats that they lie before."""

    place: Place
    name: str | None = None
    number: int | None = None
    """The number, if it says who deals and who is vulnerable, as in duplicate."""
    players: tuple[str, ...] = NAMES
    dealer: int = 0
    vulnerable: str = "neither"
    says_vulnerable: bool = False
    """Whether the record says who is vulnerable."""
    hands: list[Hand] = field(default_factory=list)
    dealt: Place | None = None
    calls: list[tuple[Call, Place]] = field(default_factory=list)
    cards: list[tuple[str, Place]] = field(default_factory=list)
    takers: Mapping[int, int] = field(default_factory=dict)
    """The seat that takes a trick, by its number from 0, if the cards do not tell it."""
    tricks: int | None = None
    """Tricks of the declarer."""
    claimed: bool = False
    """Whether play stopped, and the tricks are what was agreed."""
    score: int | None = None
    """Points of north and south."""
    stated: Stated | None = None
    revokes: bool = False
    """Whether the record marks a revoke."""
    ended: Place | None = None
    fault: tuple[str, Place] | None = None
    places: dict[str, Place] = field(default_factory=dict)
    """Where the dealer, the vulnerable sides, the declarer and the score stand, by the conditions that ask for them."""

    def game(self) -> Game:
        """Return the game."""
        given = self.given()
        rules = "bridge" + "+contract-given" * (given is not None) + "+revokes-ruled" * self.revokes
        game = Game(rules, self.players, self.place, name=self.name)
        if self.fault is not None and not self.hands:
            game.spoil(*self.fault)
            return game
        game.tell(
            "deal",
            self.dealt or self.place,
            first=self.dealer,
            hands=self.hands,
            vulnerable=self.vulnerable,
            **({} if self.number is None else {"board": self.number}),
        )
        self._tell_places(game, "dealer", "vulnerable")
        for number, (call, place) in enumerate(self.calls):
            seat = (self.dealer + number) % 4
            if call.do == "bid":
                game.tell("bid", place, by=seat, level=call.level, strain=call.strain)
            else:
                game.tell(call.do, place, by=seat)
        if given is not None:
            game.tell("name-contract", given.place, **given.keys())
        elif self.stated is not None and self.auction_is_over() and self.declarer() is not None:
            game.tell("contract", self.stated.place, **self.stated.keys())
            self._tell_places(game, "declarer")
        for seat, (card, place) in zip(self._order(), self.cards, strict=False):
            game.tell("play", place, by=self._speaker(seat), tile=card)
        if self.fault is not None:
            game.spoil(*self.fault)
            return game
        end = self.ended or [self.place, *(place for _, place in (*self.calls, *self.cards))][-1]
        if self.claimed and self.tricks is not None and self.declarer() is not None and len(self.cards) < 52:
            game.tell("claim", end, tricks=self.tricks)
        if self.is_over():
            self._end(game, end)
        return game

    def _end(self, game: Game, place: Place) -> None:
        keys: dict[str, Any] = {"winner": None}
        if self.tricks is not None:
            keys["tricks"] = self.tricks
        if self.score is not None:
            keys["scored"] = self.score
        game.tell("end", place, **keys)
        self._tell_places(game, "scored")

    def _tell_places(self, game: Game, *conditions: str) -> None:
        for condition in conditions:
            if condition in self.places:
                game.tells_at(condition, self.places[condition])

    def is_over(self) -> bool:
        """Return whether the record has the board to its end."""
        if self.given() is None and not self.auction_is_over():
            return False
        return self.declarer() is None or len(self.cards) == 52 or (self.claimed and self.tricks is not None)

    def auction_is_over(self) -> bool:
        """Return whether nobody can call any more."""
        calls = [call.do for call, _ in self.calls]
        return len(calls) >= 4 and calls[-3:] == ["pass"] * 3

    def contract(self) -> tuple[int, str] | None:
        """Return the seat of the last bid and its strain, or None if there is none."""
        given = self.given()
        if given is not None and given.declarer is not None:
            return given.declarer, given.strain
        bids = [(n, call) for n, (call, _) in enumerate(self.calls) if call.do == "bid"]
        if not bids:
            return None
        number, bid = bids[-1]
        return (self.dealer + number) % 4, bid.strain

    def declarer(self) -> int | None:
        """Return who plays the contract: the first of the side to name its strain."""
        last = self.contract()
        if last is None:
            return None
        seat, strain = last
        for number, (call, _) in enumerate(self.calls):
            own = (self.dealer + number) % 4
            if call.strain == strain and own % 2 == seat % 2:
                return own
        return seat

    def given(self) -> Stated | None:
        """Return the contract that a record says instead of an auction."""
        return None if self.calls or self.stated is None or self.stated.declarer is None else self.stated

    def _speaker(self, seat: int) -> int | None:
        """Return who plays the cards of a seat: the declarer plays those of dummy."""
        declarer = self.declarer()
        return declarer if declarer is not None and seat == (declarer + 2) % 4 else seat

    def _order(self) -> Iterable[int]:
        """Yield the seats in the order of play, as far as the cards tell it."""
        declarer, contract = self.declarer(), self.contract()
        if declarer is None or contract is None:
            return
        leader = (declarer + 1) % 4
        for begin in range(0, len(self.cards), 4):
            trick = [card for card, _ in self.cards[begin : begin + 4]]
            for place in range(4):
                yield (leader + place) % 4
            if UNKNOWN not in trick:
                leader = (leader + taken_by(trick, contract[1])) % 4
            elif begin // 4 in self.takers:
                leader = self.takers[begin // 4]


def taken_by(trick: Sequence[str], trumps: str) -> int:
    """Return which card of a trick takes it, from 0: the highest trump, or else the highest of the suit led."""
    return max(range(len(trick)), key=lambda place: strength(trick[place], trick[0][-1], trumps))


def strength(card: str, led: str, trumps: str) -> tuple[bool, bool, int]:
    """Return how high a card is in a trick to which a suit was led: the highest takes it."""
    return STRAINS[card[-1]] == trumps, card[-1] == led, RANKS.index(card[:-1].replace("10", "T"))


def four_hands(hands: Sequence[list[str] | None]) -> list[Hand]:
    """Return four hands, some of which may be left out: one is what is left of the deck, more are unknown. Raises
    ValueError if they are no deal.
    """
    if len(hands) != 4:
        raise ValueError
    if sum(not hand for hand in hands) > 1:
        return [hand or CARDS for hand in hands]
    seen = {card for hand in hands if hand is not None for card in hand}
    left = [card for card in _NAMES_OF_CARDS.values() if card not in seen]
    return [hand or left for hand in hands]


def all_cards() -> Iterable[str]:
    """Return the cards of the deck."""
    return _NAMES_OF_CARDS.values()


def told_seat(letter: str, place: Place) -> int:
    """Return the seat of a letter. Raises `LogFault`."""
    if letter[:1].upper() not in SEATS or not letter:
        raise LogFault(f"`{letter}` is no seat: N, E, S or W", place)
    return SEATS.index(letter[0].upper())
