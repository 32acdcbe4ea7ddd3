"""LIN, the records of Bridge Base Online: a row of `command|value|`.

Input: the text of a file of boards. Output: their games.
Guarantee: the hand that a deal leaves out is what is left of the deck; if it leaves out more, they are unknown.
Remarks, questions and pages are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from golpae.logs.adapter import Adapter, Game, Log, LogFault
from golpae.logs.bridge import (
    VULNERABLE,
    Board,
    LinePlaces,
    by_board,
    call_of,
    card_of,
    four_hands,
    hand_of,
    text_of,
)
from golpae.trace.log_text import Place

_COMMAND = re.compile(r"([A-Za-z0-9]{2})\|([^|\n]*)\|")
_PROSE = re.compile(r"\b(?:nt|at|bt|hf)\|[^|]*\|", re.IGNORECASE)  # may go over several lines
_SEATS = (2, 3, 0, 1)  # south, west, north, east: the order in which LIN names hands and players
_HAND = re.compile(r"S?([^SHDC]*)H?([^SHDC]*)D?([^SHDC]*)C?([^SHDC]*)")
_CALL = re.compile(r"([1-7](?:NT|[CDHSN])|REDOUBLE|RDBL|DOUBLE|DBL|XX|X|PASS|P|D|R|-)[!?*]*", re.IGNORECASE)
_CARD = re.compile(r"([SHDC](?:10|[2-9TJQKA]))[!?*]*", re.IGNORECASE)


_NUMBERED = re.compile(r"(?:board\s*|[oc])?(\d{1,9})", re.IGNORECASE | re.ASCII)


class Lin(Adapter):
    """Reads LIN."""

    name = "lin"
    what = "boards of bridge as Bridge Base Online records them"
    endings = (".lin",)

    def recognises(self, start: bytes) -> bool:
        return re.match(rb"\s*(?:vg|pn|qx|st|rs|pw|mp|bt)\|", start) is not None and b"|md|" in start

    def games(self, log: Log) -> Iterator[Game]:
        text = _PROSE.sub(lambda prose: re.sub(r"[^\n]", " ", prose[0]), text_of(log))
        places = LinePlaces(text)
        board: Board | None = None
        head = _Head()
        for match in _COMMAND.finditer(text):
            place = places.place(match.start())
            command, value = match[1].lower(), match[2].strip()
            if command == "pn":
                head.names = [name.strip() for name in value.split(",")]
            elif command == "qx":
                head.board = value
            elif command == "md":
                if board is not None:
                    yield board.game()
                board = _dealt(value, place)
                head.write(board)
            elif board is not None and board.fault is None:
                _told(board, command, value, place)
        if board is not None:
            yield board.game()
        elif log.data.strip():
            raise LogFault("there is no deal (`md|...|`) in it", Place(1))


@dataclass(slots=True)
class _Head:
    """What stands before a deal: the players, four of each room, and the board, such as `o7` or `c7`."""

    names: list[str] = field(default_factory=list)
    board: str = ""

    def write(self, board: Board) -> None:
        """Write it to the board that follows."""
        room = self.names[4:8] if self.board[:1].lower() == "c" and len(self.names) > 4 else self.names[:4]
        if room:
            names = [*room, "", "", "", ""]
            board.players = tuple(names[_SEATS.index(seat)] or str(seat) for seat in range(4))
        if self.board:
            _number(board, self.board)


def _dealt(value: str, place: Place) -> Board:
    """Return a board from its deal: the number of the dealer, then hands."""
    board = Board(place, dealt=place)
    try:
        board.dealer = _SEATS[int(value[0]) - 1]
        told = [hand.strip().upper() for hand in value[1:].split(",")][:4]
        hands = [_hand(hand) for hand in told] + [None] * (4 - len(told))
        board.hands = four_hands([hands[_SEATS.index(seat)] for seat in range(4)])
    except (ValueError, IndexError):
        board.fault = (
            f"`{value}` is no deal: the dealer, 1 to 4, and four hands, some of which may be left out",
            place,
        )
    return board


def _hand(told: str) -> list[str] | None:
    """Return the cards of a hand, or None if it is left out. Raises ValueError."""
    if not told:
        return None
    suits = _HAND.fullmatch(told)
    if suits is None:
        raise ValueError
    return hand_of(suits.groups())


def _number(board: Board, name: str) -> None:
    """Name a board. Its number says who is vulnerable, unless the record does."""
    board.name = name.lower()
    own = _NUMBERED.fullmatch(name.strip())
    board.number = int(own[1]) or None if own is not None else None
    digits = re.search(r"\d{1,9}", name, re.ASCII)
    if digits is not None and int(digits[0]) > 0 and not board.says_vulnerable:
        board.vulnerable = by_board(int(digits[0]))[1]


def _told(board: Board, command: str, value: str, place: Place) -> None:
    """Add what a command says to a board."""
    match command:
        case "sv" if value.upper() in VULNERABLE:
            board.vulnerable, board.says_vulnerable = VULNERABLE[value.upper()], True
            board.places["vulnerable"] = place
        case "ah" if value:
            _number(board, value)
        case "mb":
            calls = [call_of(match[1]) for match in _CALL.finditer(value) if match[1] != "-"]
            if _CALL.sub("", value).strip() or None in calls:
                board.fault = f"`{value}` is no call", place
            else:
                board.calls += [(call, place) for call in calls if call is not None]
        case "pc":
            cards = [card_of(match[1]) for match in _CARD.finditer(value)]
            if _CARD.sub("", value).strip() or None in cards:
                board.fault = f"`{value}` is no card", place
            else:
                board.cards += [(card, place) for card in cards if card is not None]
                board.claimed = False  # a claim that was made before was not accepted
        case "mc":
            if value.isdecimal() and value.isascii() and int(value) <= 13:
                board.tricks, board.claimed, board.ended = int(value), True, place
            else:
                board.fault = f"`{value}` is no number of tricks", place
        case _:
            pass  # remarks, alerts, pages
