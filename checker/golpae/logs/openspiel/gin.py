"""Hands of gin rummy that OpenSpiel played.

OpenSpiel knocks in steps: it says so, discards a card, lays melds one by one, and passes when no more are laid; the
other player lays off cards, passes, lays melds, and passes. The rules have one event for each of these two. While the
steps come, the list of a state is compared with what they can still lead to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from typing import ClassVar

from golpae.logs.adapter import Choice, event
from golpae.logs.openspiel.melds import DECK, RANKS, Cards, best, onto
from golpae.logs.openspiel.playthrough import State
from golpae.logs.openspiel.told_game import CHANCE, OpenSpielGame, Spoilt, quoted
from golpae.trace.log_text import Place

HAND = 10
UPCARD, STOCK, PASS, KNOCK = range(DECK, DECK + 4)
FIRST_MELD = DECK + 4
_WORDS = ("Draw upcard", "Draw stock", "Pass", "Knock")
_NAMES = [f"{rank}{suit}" for suit in "SCDH" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]
_SHORT = [f"{rank}{suit}" for suit in "scdh" for rank in "A23456789TJQK"]


def _all_melds() -> list[Cards]:
    """Return all melds in the order of OpenSpiel's numbers: sets of three and four by rank, then runs by length."""
    sets: list[Cards] = []
    for rank in range(RANKS):
        four = [rank + RANKS * suit for suit in range(4)]
        sets += [frozenset(four) - {four[left_out]} for left_out in range(4)]
        sets.append(frozenset(four))
    runs = [
        frozenset(range(RANKS * suit + low, RANKS * suit + low + size))
        for size in (3, 4, 5)
        for suit in range(4)
        for low in range(RANKS - size + 1)
    ]
    return sets + runs


MELDS = _all_melds()


class Phase(Enum):
    """What the player who acts has to do."""

    OFFER = auto()
    DRAW = auto()
    COMES = auto()  # the card of the stock
    DISCARD = auto()
    WALL = auto()  # two cards are left
    KNOCKING = auto()  # the discard of a knock
    LAYING = auto()  # the melds of a knock
    ANSWERING = auto()
    SHOWING = auto()  # the melds of an answer


class GinTable(OpenSpielGame):
    """A hand of gin rummy; OpenSpiel's player 0 is first."""

    rules = "gin-rummy+may-return+tie-scores-nothing+fiftieth-card+fifty-takes"
    title = "gin rummy"
    players = ("P0", "P1")
    needs: ClassVar[Mapping[str, str]] = {"hand_size": "10", "num_ranks": "13", "num_suits": "4"}

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        super().__init__(parameters, place)
        self._dealt: list[int] = []
        self._begun: Place | None = None
        self._hands: list[set[int]] = [set(), set()]
        self._discards: list[int] = []
        self._stock = {*range(DECK)}
        self._turn = 0
        self._phase = Phase.OFFER
        self._offers = 0
        self._knocked: tuple[int, Place] | None = None  # the discard of a knock
        self._laid: list[Cards] = []  # by the player who acts
        self._table: list[Cards] = []  # of the knocker
        self._with_gin: int | None = None

    def as_rules(self) -> tuple[list[str], dict[str, int]]:
        options = {}
        for key, option, most in (
            ("knock_card", "knock-limit", 10),
            ("gin_bonus", "gin-bonus", 100),
            ("undercut_bonus", "undercut-bonus", 100),
        ):
            if key in self.parameters:
                value = self.parameters[key]
                if not value.isdecimal() or len(value) > 4 or int(value) > most:
                    raise Spoilt(f"golpae has no rules for {self.title} with `{key}={value[:20]}`")
                options[option] = int(value)
        return ["ace-means-gin"] if self.parameters.get("oklahoma") == "True" else [], options

    # ------------------------------------------------------------------ numbers

    def words(self, number: int) -> str:
        if number < DECK:
            return _SHORT[number]
        if number < FIRST_MELD:
            return _WORDS[number - DECK]
        return "".join(_SHORT[card] for card in sorted(MELDS[number - FIRST_MELD]))

    def acting(self) -> int:
        return CHANCE if len(self._dealt) <= 2 * HAND or self._phase is Phase.COMES else self._turn

    def by_chance(self) -> Sequence[int]:
        return sorted(self._stock)

    # ------------------------------------------------------------------ actions

    def apply(self, number: int, place: Place) -> None:
        if len(self._dealt) <= 2 * HAND:
            self._deal(number, place)
            return
        if number >= FIRST_MELD or number in (KNOCK, PASS):
            self._in_words(number, place)
        elif number == UPCARD:
            self._take(place)
        elif number == STOCK:
            if self._phase not in (Phase.OFFER, Phase.DRAW, Phase.WALL):
                raise Spoilt("no card can be drawn here")
            self._phase = Phase.COMES  # whether it may, the rules say
        elif self._phase is Phase.COMES:
            self._stock.discard(number)
            self.game.tell("draw", place, by=self._turn, tile=_NAMES[number])
            self._hands[self._turn].add(number)
            self._phase = Phase.DISCARD
        else:
            self._card(number, place)

    def _expect(self, phase: Phase, number: int) -> None:
        if self._phase is not phase:
            raise Spoilt(f"`{self.words(number)}` is not what can be done here")

    def _deal(self, number: int, place: Place) -> None:
        self._begun = self._begun or place
        self._dealt.append(number)
        self._stock.discard(number)
        if len(self._dealt) <= 2 * HAND:
            return
        self._hands = [{*self._dealt[:HAND]}, {*self._dealt[HAND : 2 * HAND]}]
        self._discards = [number]
        hands = [_named(self._dealt[:HAND]), _named(self._dealt[HAND : 2 * HAND])]
        self.game.tell("deal", self._begun, first=0, hands=hands, discards=_named([number]))

    def _take(self, place: Place) -> None:
        if self._phase not in (Phase.OFFER, Phase.DRAW, Phase.WALL) or not self._discards:
            raise Spoilt("no card can be taken here")
        card = self._discards.pop()
        self.game.tell("take", place, by=self._turn, tile=_NAMES[card])
        self._hands[self._turn].add(card)
        self._phase = Phase.DISCARD

    def _card(self, card: int, place: Place) -> None:
        """Tell a card that is discarded, or laid off."""
        if self._phase is Phase.KNOCKING:
            self._knocked = card, self._knocked[1] if self._knocked else place
            self._phase = Phase.LAYING
        elif self._phase is Phase.ANSWERING:
            number = onto(card, self._table)
            on = self._table[number if number is not None else 0] if self._table else {card}
            self.game.tell("lay-off", place, by=self._turn, tile=_NAMES[card], onto=_NAMES[min(on)])
            if number is not None:
                self._table[number] |= {card}
            self._hands[self._turn].discard(card)
        else:
            self._expect(Phase.DISCARD, card)
            self.game.tell("discard", place, by=self._turn, tile=_NAMES[card])
            self._hands[self._turn].discard(card)
            self._discards.append(card)
            self._turn = 1 - self._turn
            self._phase = Phase.WALL if len(self._stock) <= 2 else Phase.DRAW

    def _in_words(self, number: int, place: Place) -> None:
        """Tell a pass, a knock, or a meld."""
        phase = self._phase
        if number >= FIRST_MELD:
            if phase not in (Phase.LAYING, Phase.SHOWING):
                raise Spoilt("no melds are laid here")
            self._laid.append(MELDS[number - FIRST_MELD])
        elif number == KNOCK:
            if phase is Phase.WALL:
                self._take(place)
            self._expect(Phase.DISCARD, number)
            self._phase, self._knocked = Phase.KNOCKING, (0, place)
        elif phase is Phase.OFFER or phase is Phase.WALL:
            self.game.tell("pass", place, by=self._turn)
            self._offers += 1
            self._turn = 1 - self._turn
            self._phase = Phase.OFFER if self._offers < 2 else Phase.DRAW
        elif phase is Phase.LAYING and self._knocked is not None:
            self._knock(*self._knocked)
        elif phase is Phase.ANSWERING:
            self._phase = Phase.SHOWING
        elif phase is Phase.SHOWING:
            self.game.tell("answer", place, by=self._turn, sets=_sets(self._laid))
        else:
            raise Spoilt("nobody can pass here")

    def _knock(self, card: int, place: Place) -> None:
        self.game.tell("knock", place, by=self._turn, tile=_NAMES[card], sets=_sets(self._laid))
        left = self._hands[self._turn] - {card} - {one for meld in self._laid for one in meld}
        self._table, self._laid = self._laid, []
        self._with_gin = None if left else self._turn
        self._turn = 1 - self._turn
        self._phase = Phase.ANSWERING if left else Phase.SHOWING

    def end(self, state: State, returns: Sequence[int], place: Place) -> None:
        winner = returns.index(max(returns)) if any(returns) else self._with_gin
        self.game.tell("end", place, winner=winner, pay=[max(0, own) for own in returns])

    # ------------------------------------------------------------------ what is legal

    def list_chance(self, state: State, place: Place) -> None:
        if self._phase is Phase.COMES:
            drawn = {card: [event("draw", self._turn, tile=_NAMES[card])] for card in range(DECK)}
            legal = [Choice(quoted(_SHORT[card]), drawn[card]) for card in sorted(self._stock)]
            self.game.lists(place, legal, besides=None)

    def list_legal(self, state: State, place: Place) -> None:
        told = {number: Choice(quoted(self.words(number)), self._means(number)) for number in state.legal}
        others = [number for number in self._could() if number not in told]
        left_out = [Choice(quoted(self.words(number)), self._means(number)) for number in others]
        steps = (Phase.KNOCKING, Phase.LAYING, Phase.SHOWING)
        besides = None if self._phase in steps else ("knock", "answer")
        self.game.lists(place, list(told.values()), left_out, besides)

    def _could(self) -> Collection[int]:
        """Return the actions that golpae does not find by itself if they are not listed."""
        hand = frozenset(self._hands[self._turn])
        match self._phase:
            case Phase.DISCARD:
                return [KNOCK]
            case Phase.KNOCKING:
                return sorted(hand)
            case Phase.LAYING | Phase.SHOWING:
                rest = self._rest()
                return [*(FIRST_MELD + n for n, meld in enumerate(MELDS) if meld <= rest), PASS]
            case _:
                return []

    def _rest(self) -> Cards:
        """Return the cards of the player who lays melds that are not laid yet."""
        knocked = {self._knocked[0]} if self._phase is Phase.LAYING and self._knocked else set()
        laid = {card for meld in self._laid for card in meld}
        return frozenset(self._hands[self._turn] - knocked - laid)

    def _means(self, number: int) -> list[Mapping[str, object]]:
        """Return the events that an action may stand for, or begin."""
        player, phase = self._turn, self._phase
        match number:
            case _ if number == STOCK:
                return [event("draw", player, tile=_NAMES[card]) for card in sorted(self._stock)]
            case _ if number == UPCARD or (number == KNOCK and phase is Phase.WALL):
                return [event("take", player, tile=_NAMES[card]) for card in self._discards[-1:]]
            case _ if number == KNOCK:
                return [self._knock_with(card) for card in sorted(self._hands[player])]
            case _ if number == PASS:
                if phase in (Phase.OFFER, Phase.WALL):
                    return [event("pass", player)]
                return [self._shown(())]
            case _ if number >= FIRST_MELD:
                meld = MELDS[number - FIRST_MELD]
                return [self._shown((meld, *best(self._rest() - meld)))]
            case _ if phase is Phase.KNOCKING:
                return [self._knock_with(number)]
            case _ if phase is Phase.ANSWERING:
                name, heads = _NAMES[number], [card for meld in self._table for card in meld]
                return [event("lay-off", player, tile=name, onto=_NAMES[head]) for head in heads]
            case _:
                return [event("discard", player, tile=_NAMES[number])]

    def _knock_with(self, card: int) -> Mapping[str, object]:
        melds = best(frozenset(self._hands[self._turn] - {card}))
        return event("knock", self._turn, tile=_NAMES[card], sets=_sets(melds))

    def _shown(self, melds: Sequence[Cards]) -> Mapping[str, object]:
        """Return the knock or the answer with melds beside those that are laid."""
        sets = _sets((*self._laid, *melds))
        if self._phase is Phase.LAYING and self._knocked is not None:
            return event("knock", self._turn, tile=_NAMES[self._knocked[0]], sets=sets)
        return event("answer", self._turn, sets=sets)


def _named(cards: Collection[int]) -> list[str]:
    return [_NAMES[card] for card in cards]


def _sets(melds: Collection[Cards]) -> list[list[str]]:
    return [_named(sorted(meld)) for meld in melds]
