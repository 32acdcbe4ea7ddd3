"""Boards of bridge that OpenSpiel played: the auction and the play, or the auction and what its play would come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from golpae.logs.adapter import event
from golpae.logs.bridge import Board, Call
from golpae.logs.openspiel.playthrough import State
from golpae.logs.openspiel.told_game import Spoilt
from golpae.logs.openspiel.trick_table import CARDS, RANKS, SUITS, TrickTable
from golpae.trace.log_text import Place

STRAINS = ("clubs", "diamonds", "hearts", "spades", "no-trump")
_SIGNS = "♣♦♥♠"
_CALLS = (("pass", "Pass"), ("double", "Dbl"), ("redouble", "RDbl"))
_FIRST_BID = CARDS + len(_CALLS)
_LAST_BID = _FIRST_BID + 7 * len(STRAINS) - 1
_SIDES = {
    (False, False): "neither",
    (True, False): "north-south",
    (False, True): "east-west",
    (True, True): "both",
}


class BridgeTable(TrickTable):
    """A board of bridge. The declarer plays the cards of dummy."""

    rules = "bridge"
    title = "bridge"
    besides = ("claim", "contract")

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        super().__init__(parameters, place)
        dealer = parameters.get("dealer", "0")
        if dealer not in ("0", "1", "2", "3"):
            raise Spoilt(f"`dealer={dealer[:20]}` is no seat", place)
        self.turn = int(dealer)
        self._board = Board(place, dealer=self.turn)
        own, other = (parameters.get(key) == "True" for key in ("dealer_vul", "non_dealer_vul"))
        self._vulnerable = _SIDES[(own, other) if self.turn % 2 == 0 else (other, own)]

    def card(self, number: int) -> str:
        return RANKS[number // 4] + SUITS[number % 4]

    def card_words(self, number: int) -> str:
        return _SIGNS[number % 4] + RANKS[number // 4]

    def words(self, number: int) -> str:
        if number < CARDS:
            return self.card_words(number)
        if number < _FIRST_BID:
            return _CALLS[number - CARDS][1]
        if number > _LAST_BID:
            raise LookupError
        level, strain = divmod(number - _FIRST_BID, len(STRAINS))
        return f"{level + 1}{(*_SIGNS, 'NT')[strain]}"

    def trumps(self) -> str:
        contract = self._board.contract()
        return "no-trump" if contract is None else contract[1]

    def tell_deal(self, place: Place) -> None:
        self.game.tell("deal", place, first=self.turn, hands=self.hands, vulnerable=self._vulnerable)

    def acting(self) -> int:
        return super().acting() if not self.is_dealt or self._board.declarer() is None else self._speaker()

    def _speaker(self) -> int:
        """Return who plays the next card: the declarer for dummy."""
        declarer = self._board.declarer()
        is_dummys = self._board.auction_is_over() and declarer is not None and self.turn == (declarer + 2) % 4
        return (self.turn + 2) % 4 if is_dummys else self.turn

    def listed(self, number: int) -> Sequence[Mapping[str, object]]:
        if number < CARDS:
            return self.playing(number, self._speaker())
        call = _call(number)
        if call.do == "bid":
            return [event("bid", self.turn, level=call.level, strain=call.strain)]
        return [event(call.do, self.turn)]

    def act(self, number: int, place: Place) -> None:
        board = self._board
        if board.auction_is_over():
            self.play(number, place, self._speaker())
            return
        if number < CARDS:
            raise Spoilt(f"`{self.words(number)}` is no call", place)
        call = _call(number)
        if call.do == "bid":
            self.game.tell("bid", place, by=self.turn, level=call.level, strain=call.strain)
        else:
            self.game.tell(call.do, place, by=self.turn)
        board.calls.append((call, place))
        declarer = board.declarer()
        is_over = board.auction_is_over() and declarer is not None
        self.turn = ((declarer or 0) if is_over else self.turn) + 1
        self.turn %= 4

    def end(self, state: State, returns: Sequence[int], place: Place) -> None:
        if self.parameters.get("use_double_dummy_result") != "False" and self._board.declarer() is not None:
            if state.tricks is None:
                raise Spoilt("the last state does not say how many tricks the declarer makes", place)
            self.game.tell("claim", place, tricks=state.tricks)  # as if all four saw all cards
        self.game.tell("end", place, winner=None, pay=[*returns])


def _call(number: int) -> Call:
    if number < _FIRST_BID:
        return Call(_CALLS[number - CARDS][0])
    level, strain = divmod(number - _FIRST_BID, len(STRAINS))
    return Call("bid", level + 1, STRAINS[strain])
