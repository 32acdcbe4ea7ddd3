"""Portable Bridge Notation (PBN), the records of clubs and federations: `[Tag "value"]`, an auction, tricks in rows.

Input: the text of a file of boards. Output: their games.
Guarantee: a row of cards is read from the hand that led the first trick on, as the standard says, and put into the
order of play. Remarks, directives and notes are passed over. Cards that nobody saw are unknown; those behind the last
one that somebody saw are left out.

Source: the PBN standard 2.1 (www.tistis.nl/pbn), 2 to 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from golpae.logs.adapter import Adapter, Game, Log, LogFault, Ways
from golpae.logs.bridge import (
    NAMES,
    SEATS,
    STRAINS,
    VULNERABLE,
    Board,
    Call,
    LinePlaces,
    Stated,
    by_board,
    call_of,
    card_of,
    four_hands,
    hand_of,
    text_of,
)
from golpae.logs.tricks import Cell, Played, Rows
from golpae.trace.log_text import Place
from golpae.trace.unseen import UNKNOWN

_TOKEN = re.compile(
    r"""
      (?P<skip> \s+ | ;[^\n]* | \{[^}]*\} | ^%[^\n]* )
    | \[ \s* (?P<tag> \w+ ) \s+ "(?P<value> (?: [^"\\] | \\. )* )" \s* \]
    | (?P<word> [^\s;{}\[\]]+ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
OPEN = "who took a trick of which nobody saw every card"
_REMARK = re.compile(r"=\d+=|\$\d+|[!?]+|\^\S*|=\S*")  # beside a call or a card


class Pbn(Adapter):
    """Reads PBN."""

    name = "pbn"
    what = "boards of bridge in Portable Bridge Notation"
    endings = (".pbn",)

    def recognises(self, start: bytes) -> bool:
        return start.lstrip(b"\xef\xbb\xbf \r\n").startswith((b"% PBN", b'[Event "')) and b'[Board "' in start

    def games(self, log: Log) -> Iterator[Game | Ways]:
        text = text_of(log)
        before: dict[str, str] = {}
        any_game = False
        for tags, words, broken in _boards(text, LinePlaces(text)):
            any_game = True
            for name, (value, place) in tags.items():
                if value == "#":
                    tags[name] = before.get(name, ""), place
            before = {name: value for name, (value, _) in tags.items()}
            yield _Reader(tags, words, broken).game()
        if not any_game and text.strip():
            raise LogFault('there is no tag of PBN in it, such as `[Deal "N:..."]`', Place(1))


Tags = dict[str, tuple[str, Place]]
Words = dict[str, list[tuple[str, Place]]]


def _boards(text: str, lines: LinePlaces) -> Iterator[tuple[Tags, Words, Place | None]]:
    """Yield the tags of each board, the words behind them, and where a tag is broken. A tag that a board has already
    begins the next one.
    """
    tags: Tags = {}
    broken: Place | None = None
    words: Words = {}
    under: list[tuple[str, Place]] = []
    for match in _TOKEN.finditer(text):
        if match["skip"]:
            continue
        place = lines.place(match.start())
        if match["tag"]:
            if match["tag"] in tags and match["tag"] != "Note":
                yield tags, words, broken
                tags, words, broken = {}, {}, None
            tags[match["tag"]] = match["value"].replace('\\"', '"'), place
            under = words.setdefault(match["tag"], [])
        elif match["word"]:
            under.append((match["word"], place))
        elif match["other"] in "[]":
            broken = broken or place
    if tags or broken is not None:
        yield tags, words, broken


class _Reader:
    """Reads one board."""

    def __init__(self, tags: Tags, words: Words, broken: Place | None) -> None:
        self._tags, self._words, self._broken = tags, words, broken

    def _value(self, tag: str) -> str:
        value = self._tags[tag][0] if tag in self._tags else ""
        return "" if value == "?" else value

    def game(self) -> Game | Ways:
        """Return the game; if a card that nobody saw leaves open who took a trick, all ways to read it."""
        board = self._board()
        first = board.game()
        if next(self._others(board), None) is None:
            return first
        return Ways(first, lambda: self._others(board), OPEN)

    def _others(self, board: Board) -> Iterator[Game]:
        """Yield the other ways to read a board, if it is open who took a trick."""
        if board.takers and board.fault is None:
            for played in islice(self._plays(board), 1, None):
                yield replace(board, cards=[*played.cards], takers=played.takers, fault=played.fault).game()

    def _board(self) -> Board:
        place = next((place for _, place in self._tags.values()), self._broken or Place(1))
        number = self._value("Board")
        dealer, vulnerable = by_board(int(number)) if number.isdecimal() and int(number) else (0, "neither")
        board = Board(place, f"board {number}" if number else None, dealer=dealer, vulnerable=vulnerable)
        board.players = tuple(self._value(seat) or seat for seat in ("North", "East", "South", "West"))
        told = self._value("Dealer")[:1].upper()
        if told and told in SEATS:
            board.dealer = SEATS.index(told)
        board.vulnerable = VULNERABLE.get(self._value("Vulnerable").upper(), board.vulnerable)
        if number.isdecimal() and int(number) and self._is_duplicate():
            board.number = int(number)
        tags = {"dealer": "Dealer", "vulnerable": "Vulnerable", "declarer": "Declarer", "scored": "Score"}
        board.places = {name: self._tags[tag][1] for name, tag in tags.items() if tag in self._tags}
        if self._broken is not None:
            board.fault = 'this is no tag of PBN, which is written `[Name "value"]`', self._broken
        else:
            self._deal(board)
        if board.fault is None:
            self._auction(board)
        if board.fault is None:
            board.stated = self._contract()
            if not board.calls and self._value("Contract").upper() == "PASS":
                board.calls = [(Call("pass"), self._tags["Contract"][1])] * 4
            self._play(board)
        if board.fault is None:
            self._result(board)
        return board

    def _is_duplicate(self) -> bool:
        return re.search("rubber|chicago", self._value("Scoring"), re.IGNORECASE) is None

    def _deal(self, board: Board) -> None:
        if "Deal" not in self._tags:
            board.fault = "this board has no tag `Deal`", board.place
            return
        value, place = self._tags["Deal"]
        board.dealt = place
        if value in ("", "?"):
            board.hands = four_hands([None] * 4)
            return
        first, _, told = value.partition(":")
        try:
            begin = SEATS.index(first.strip().upper())
            hands = [None if hand == "-" else hand_of(hand.split(".")) for hand in told.split()]
            turned = [hands[(seat - begin) % 4] for seat in range(4)]
            board.hands = four_hands(turned)
        except (ValueError, IndexError):
            board.fault = (
                f"`{value}` is no deal: who is first, and four hands, some of which may be `-`",
                place,
            )

    def _auction(self, board: Board) -> None:
        auction, dealer = self._tags.get("Auction"), board.dealer
        if auction is None:
            return
        if auction[0] and auction[0][:1].upper() in SEATS:
            board.dealer = SEATS.index(auction[0][:1].upper())
        for word, place in self._words.get("Auction", ()):
            own = _REMARK.sub("", word)
            if own in ("", "*", "+"):
                continue
            if own == "-":  # no call yet
                board.dealer = (board.dealer + (not board.calls)) % 4
                continue
            if own.upper() == "AP":
                closing = call_of("pass")
                while closing is not None and not board.auction_is_over() and len(board.calls) < 400:
                    board.calls.append((closing, place))
                continue
            call = call_of(own)
            if call is None:
                board.fault = f"`{word}` is no call", place
                return
            board.calls.append((call, place))
        if self._value("Dealer")[:1].upper() in tuple(SEATS) and board.dealer != dealer:
            words = f"{NAMES[dealer]} deals, but the auction begins with {NAMES[board.dealer]}"
            board.fault = words, self._tags["Dealer"][1]

    def _contract(self) -> Stated | None:
        """Return the contract that the tags state, or None. A declarer with `^` before it is one by a ruling."""
        match = re.fullmatch(
            r"([1-7])(C|D|H|S|NT?)(X{0,2})", self._value("Contract").upper().replace(" ", "")
        )
        if match is None:
            return None
        declarer = self._value("Declarer").upper()
        seat = SEATS.index(declarer) if len(declarer) == 1 and declarer in SEATS else None
        risk = ("undoubled", "doubled", "redoubled")[len(match[3])]
        return Stated(int(match[1]), STRAINS[match[2][0]], risk, seat, self._tags["Contract"][1])

    def _play(self, board: Board) -> None:
        """Read the cards that are played, in the likeliest way."""
        board.revokes = any("^R" in word.upper() for word, _ in self._words.get("Play", ()))
        for played in self._plays(board):
            board.cards, board.takers, board.fault = [*played.cards], played.takers, played.fault
            return

    def _plays(self, board: Board) -> Iterator[Played]:
        """Yield all ways in which the rows can have been played."""
        play, contract, declarer = self._tags.get("Play"), board.contract(), board.declarer()
        if play is None or contract is None or declarer is None:
            return
        leader = (declarer + 1) % 4
        first = SEATS.find(play[0][:1].upper()) if play[0] else leader
        cells: list[Cell] = []
        for word, place in self._words.get("Play", ()):
            if own := _REMARK.sub("", word):
                if own.strip("*+") == "":
                    break
                cells.append(Cell(UNKNOWN if own.strip("-") == "" else card_of(own), own, place))
        rows = [cells[begin : begin + 4] for begin in range(0, len(cells), 4)]
        column = first if first >= 0 else leader
        yield from Rows(rows, board.hands, leader, column, contract[1]).ways()

    def _result(self, board: Board) -> None:
        """Read the tricks of the declarer, or of a side, and the points of a side."""
        match = re.fullmatch(r"\^?(?:(NS|EW) )?(\d{1,9})(?: .*)?", self._value("Result").upper(), re.ASCII)
        declarer = board.declarer()
        if match is not None:
            tricks, place = int(match[2]), self._tags["Result"][1]
            if tricks > 13:
                board.fault = f"`{match[2]}` is no number of tricks", place
                return
            if match[1] and declarer is not None and match[1] != _side(declarer):
                tricks = 13 - tricks
            board.tricks, board.claimed, board.ended = tricks, len(board.cards) < 52, place
        score = re.fullmatch(r"(?:(NS|EW) )?([-+]?\d{1,9})(?: (?:NS|EW) .*)?", self._value("Score"), re.ASCII)
        if score is not None and self._is_duplicate():
            own = int(score[2])
            board.score = own if (score[1] or _side(declarer or 0)) == "NS" else -own


def _side(seat: int) -> str:
    return ("NS", "EW")[seat % 2]
