"""mjai, the records of programs that play riichi: a JSON object a line.

Input: the text of a log. Output: its matches.
Guarantee: the payments of a hand are those of its `deltas`, and the sticks that were put down in it. A tile that nobody
saw (`?`) stays unknown; a draw is known if it was discarded at once (`tsumogiri`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from golpae.logs.adapter import Adapter, Game, Log, LogFault
from golpae.logs.riichi import STICK, Match, RiichiTable
from golpae.trace.log_text import Place
from golpae.trace.unseen import UNKNOWN

_ROUNDS = {"E": 0, "S": 1, "W": 2, "N": 3}
_CALLS = {"chi": "chi", "pon": "pon", "daiminkan": "kan", "kakan": "add_kan", "ankan": "concealed_kan"}
_NINE_KINDS = ("yao9", "kyushukyuhai", "kyushu_kyuhai", "kyuushu_kyuuhai", "kyushu")
_PASSED_OVER = frozenset(("start_game", "none", "hello", "end_kyoku", "error"))
_NORTHS, _NORTH = ("nukidora", "kita"), "N"
_USES = frozenset(
    ("dahai", "ankan", "kakan", "hora", *_NORTHS)
)  # what a player does with a tile that he has drawn
_NEAR = 4  # lines behind a draw, one of which uses it

_Line = Mapping[str, Any]


class Mjai(Adapter):
    """Reads mjai's JSON lines."""

    name = "mjai"
    what = "matches of riichi as mjai's programs record them, a JSON object a line"
    endings = (".mjson", ".mjai")

    def recognises(self, start: bytes) -> bool:
        first = start.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")[0].replace(b" ", b"")
        return first.startswith(b'{"type":"start_game"')

    def games(self, log: Log) -> Iterator[Game]:
        reader: _Reader | None = None
        begun: tuple[_Line, Place] | None = None  # a match of which no hand has been dealt
        for place, line in _draws_known(_lines(log)):
            if line is None:
                fault = LogFault("this line is no JSON object with a `type`", place)
            else:
                if line["type"] == "start_game":
                    if reader is not None:
                        yield reader.match.game
                    reader, begun = None, (line, place)
                    continue
                if reader is None:
                    first, at = begun or (line, place)
                    reader = _Reader(_names(first, line), at)
                try:
                    reader.read(line, place)
                    continue
                except LogFault as spoilt:
                    fault = spoilt
                except (KeyError, TypeError, ValueError, IndexError):
                    fault = LogFault(f"`{line['type']}` lacks a value, or has one of another kind", place)
            if reader is None:
                raise fault
            reader.match.game.spoil(fault.message, place)
            yield reader.match.game
            return
        if reader is None and begun is not None:
            reader = _Reader(_names(begun[0], {}), begun[1])
        if reader is not None:
            yield reader.match.game


def _lines(log: Log) -> Iterator[tuple[Place, _Line | None]]:
    """Yield the lines of a log; None for one that is no object with a type."""
    for number, text in log.lines():
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        yield Place(number), line if isinstance(line, dict) and isinstance(line.get("type"), str) else None


def _draws_known(lines: Iterator[tuple[Place, _Line | None]]) -> Iterator[tuple[Place, _Line | None]]:
    """Yield lines; a draw that nobody saw has its tile if the player discards it at once."""
    pending: list[tuple[Place, _Line | None]] = []  # such a draw, and lines behind it
    for place, line in lines:
        pending.append((place, line))
        first = pending[0][1]
        if first is None or first["type"] != "tsumo" or first.get("pai") != UNKNOWN:
            yield from pending
            pending = []
        elif line is None or line["type"] in _USES or len(pending) > _NEAR:
            if line is not None and line["type"] == "dahai" and line.get("tsumogiri") is True:
                pending[0] = pending[0][0], {**first, "pai": line.get("pai")}
            yield from pending
            pending = []
    yield from pending


def _names(first: _Line, line: _Line) -> list[str]:
    """Return the names of the players: as many as are dealt a hand, if `names` does not say them."""
    names = first.get("names")
    hands = line.get("tehais")
    seats = 3 if isinstance(hands, list) and len([hand for hand in hands if hand]) == 3 else 4
    if isinstance(names, list) and len(names) in (3, 4) and all(isinstance(name, str) for name in names):
        seats = min(seats, len(names))
        return [name or f"P{seat}" for seat, name in enumerate(names[:seats])]
    return [f"P{seat}" for seat in range(seats)]


class _Reader:
    """Reads the lines of one match. What it lacks raises `KeyError` and the like."""

    def __init__(self, names: list[str], place: Place) -> None:
        self._seats = len(names)
        self.match = Match(names, place, RiichiTable(seats=self._seats))
        self._tile = ""  # drawn, discarded or added last: what a win is on
        self._names = names
        self._hands: list[Counter[str]] = [Counter() for _ in names]
        self._drawn = ""  # by whoever has to discard; nothing after a call
        self._sticks = [0] * self._seats  # put down in this hand
        self._wins: list[_Line] = []

    def read(self, line: _Line, place: Place) -> None:
        """Tell what a line says."""
        kind, match = line["type"], self.match
        if kind == "hora":
            self._wins.append(line)
            match.wins(
                place,
                self._seat(line["actor"]),
                self._seat(line["target"]),
                _tile(line.get("pai", self._tile)),
            )
            return
        if self._wins:
            self._won(place)
        if kind == "start_kyoku":
            self._deal(line, place)
        elif kind == "tsumo":
            self._tile = self._drawn = _tile(line["pai"])
            self._hands[self._seat(line["actor"])][self._tile] += 1
            match.draw(place, self._seat(line["actor"]), self._tile)
        elif kind == "dahai":
            self._tile = _tile(line["pai"])
            self._check_drawn(line, self._seat(line["actor"]))
            self._leaves(line, [self._tile])
            match.discard(place, self._seat(line["actor"]), self._tile)
        elif kind in _CALLS:
            own = [_tile(one) for one in line.get("consumed", ())]
            called = _tile(line["pai"]) if "pai" in line else own[0]
            self._leaves(line, [called] if kind == "kakan" else own)
            match.call(place, _CALLS[kind], self._seat(line["actor"]), called, own)
            self._tile = called
        elif kind in _NORTHS:
            self._leaves(line, [_NORTH])
            match.north(place, self._seat(line["actor"]))
            self._tile = _NORTH
        elif kind == "dora":
            match.flip(place, _tile(line["dora_marker"]))
        elif kind == "reach":
            match.riichi(place, self._seat(line["actor"]))
        elif kind == "reach_accepted":
            match.stick(place, self._seat(line["actor"]))
            self._sticks[self._seat(line["actor"])] += STICK
        elif kind == "ryukyoku":
            if line.get("reason") in _NINE_KINDS:
                match.nine_kinds(place)
            match.end(place, None, self._gains([line]))
        elif kind == "end_game":
            match.finish(
                place, [int(score) for score in line["scores"][: self._seats]] if line.get("scores") else None
            )
        elif kind not in _PASSED_OVER:
            raise LogFault(f"mjai has no `{kind}`", place)

    def _deal(self, line: _Line, place: Place) -> None:
        if line["bakaze"] not in _ROUNDS:
            raise LogFault(f"`{line['bakaze']}` is no wind of a round", place)
        self._sticks = [0] * self._seats
        hands = [[_tile(one) for one in hand] for hand in line["tehais"][: self._seats]]
        self._hands, self._drawn = [Counter(hand) for hand in hands], ""
        self.match.deal(
            place,
            hands,
            _tile(line["dora_marker"]),
            dealer=self._seat(line["oya"]),
            passed=_ROUNDS[line["bakaze"]] * self._seats + int(line["kyoku"]) - 1,
            counters=int(line["honba"]),
            sticks=int(line["kyotaku"]),
            scores=[int(score) for score in line["scores"][: self._seats]],
        )

    def _leaves(self, line: _Line, tiles: list[str]) -> None:
        """Note that tiles leave the hand of whoever acts."""
        self._hands[self._seat(line["actor"])].subtract(tiles)
        self._drawn = ""

    def _check_drawn(self, line: _Line, seat: int) -> None:
        """Check whether a discard is the tile just drawn, if the line says it. Raises `LogFault`."""
        name, tile, drawn = self._names[seat], self._tile, self._drawn
        stated = line.get("tsumogiri")
        if stated is True and tile != drawn:
            words = f"`tsumogiri` says that {name} has just drawn {tile}"
            raise LogFault(f"{words}, but it was {drawn}" if drawn else f"{words}, but {name} drew nothing")
        hand = self._hands[seat]
        if stated is False and tile == drawn and hand[tile] == 1 and UNKNOWN not in hand:
            raise LogFault(f"`tsumogiri` says that {name} keeps the tile just drawn, but has no other {tile}")

    def _won(self, place: Place) -> None:
        wins, self._wins = self._wins, []
        under: list[object] = next((win["ura_markers"] for win in wins if win.get("ura_markers")), [])
        self.match.under(place, [_tile(one) for one in under])
        for win in wins:
            self.match.count(place, self._seat(win["actor"]), _tile(win.get("pai", self._tile)))
        first = wins[0]
        alone = self._seat(first["actor"]) if len(wins) == 1 else None
        self.match.end(place, alone, self._gains(wins))

    def _gains(self, ends: list[_Line]) -> list[int] | None:
        """Return the gain of each player in the hand, or None if a line does not say it."""
        if any(end.get("deltas") is None for end in ends):
            return None
        gains = [sum(int(end["deltas"][seat]) for end in ends) for seat in range(self._seats)]
        return [gain - stick for gain, stick in zip(gains, self._sticks, strict=True)]

    def _seat(self, value: object) -> int:
        if type(value) is not int or not 0 <= value < self._seats:
            raise ValueError
        return value


def _tile(value: object) -> str:
    """Return the name of a tile, which may be unknown."""
    if not isinstance(value, str):
        raise TypeError
    return value
