"""LIN, the records of Bridge Base Online: a row of `command|value|`.

Input: the text of a file of boards. Output: their games.
Guarantee: the hand that a deal leaves out is what is left of the deck. Remarks, questions and pages are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from golpae.logs.adapter import Adapter, Game, Log, LogFault
from golpae.logs.bridge import VULNERABLE, Board, call_of, card_of, fourth_hand, hand_of
from golpae.trace.log_text import Place

_COMMAND = re.compile(r"([A-Za-z0-9]{2})\|([^|]*)\|")
_SEATS = (2, 3, 0, 1)  # south, west, north, east: the order in which LIN names hands and players
_HAND = re.compile(r"S?([^SHDC]*)H?([^SHDC]*)D?([^SHDC]*)C?([^SHDC]*)")


class Lin(Adapter):
    """Reads LIN."""

    name = "lin"
    what = "boards of bridge as Bridge Base Online records them"
    endings = (".lin",)

    def recognises(self, start: bytes) -> bool:
        return re.match(rb"\s*(?:vg|pn|qx|st|rs|pw|mp|bt)\|", start) is not None and b"|md|" in start

    def games(self, log: Log) -> Iterator[Game]:
        board: Board | None = None
        players: tuple[str, ...] | None = None
        for number, line in log.lines():
            for found in _COMMAND.finditer(line):
                place = Place(number, found.start() + 1)
                command, value = found[1].lower(), found[2]
                if command == "pn":
                    names = (value.split(",") + [""] * 4)[:4]
                    players = tuple(names[_SEATS.index(seat)].strip() or str(seat) for seat in range(4))
                elif command == "md":
                    if board is not None:
                        yield board.game()
                    board = _dealt(value, place)
                    if players is not None:
                        board.players = players
                elif board is not None and board.fault is None:
                    _told(board, command, value.strip(), place)
        if board is not None:
            yield board.game()
        elif log.data.strip():
            raise LogFault("there is no deal (`md|...|`) in it", Place(1))


def _dealt(value: str, place: Place) -> Board:
    """Return a board from its deal: the number of the dealer, then hands."""
    board = Board(place, dealt=place)
    try:
        board.dealer = _SEATS[int(value[0]) - 1]
        told = [hand.strip().upper() for hand in value[1:].split(",")][:4]
        hands = [_hand(hand) for hand in told] + [None] * (4 - len(told))
        board.hands = fourth_hand([hands[_SEATS.index(seat)] for seat in range(4)])
    except (ValueError, IndexError):
        board.fault = f"`{value}` does not tell at least three hands of a deal", place
    return board


def _hand(told: str) -> list[str] | None:
    """Return the cards of a hand, or None if it is left out. Raises ValueError."""
    if not told:
        return None
    suits = _HAND.fullmatch(told)
    if suits is None:
        raise ValueError
    return hand_of(suits.groups())


def _told(board: Board, command: str, value: str, place: Place) -> None:
    """Add what a command says to a board."""
    match command:
        case "sv":
            board.vulnerable = VULNERABLE.get(value.upper(), board.vulnerable)
        case "ah":
            board.name = value.lower() or None
        case "mb":
            call = call_of(value.rstrip("!?"))
            if call is None:
                board.fault = f"`{value}` is no call", place
            else:
                board.calls.append((call, place))
        case "pc":
            card = card_of(value)
            if card is None:
                board.fault = f"`{value}` is no card", place
            else:
                board.cards.append((card, place))
        case "mc":
            if value.isdigit() and int(value) <= 13:
                board.tricks, board.claimed, board.ended = int(value), True, place
            else:
                board.fault = f"`{value}` is no number of tricks", place
        case _:
            pass  # remarks, alerts, pages
