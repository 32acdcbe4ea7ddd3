"""Matches of riichi, told event by event as games of `riichi`; what the formats of several programs share.

Input: what happens at the table, in order. Output: a game.
Guarantee: what a record states (hands, calls, indicators, patterns, han, fu, points, payments) is told, so that the
rules decide it; the order of the wall, which no record states, is not.

Tiles are written `1m` to `9s`, `5mr` `5pr` `5sr` for red fives, E S W N, and P F C for the white, green and red dragon.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.logs.adapter import Game, LogFault
from golpae.trace.log_text import Place

RULES = "riichi"
START = {3: 35_000, 4: 25_000}
"""Points of each player at the beginning of a match, by the number of players."""


@dataclass(frozen=True, slots=True)
class RiichiTable:
    """What a log says of the rules of its table."""

    seats: int = 4
    reds: bool = True
    open_simples: bool = True
    east_only: bool = False

    @property
    def rules(self) -> str:
        """The rule set."""
        switches = ("closed-simples" if not self.open_simples else "", "sanma" if self.seats == 3 else "")
        return "+".join((RULES, *filter(None, switches)))

    @property
    def options(self) -> dict[str, int] | None:
        """The options that are not as usual."""
        chosen = ({} if self.reds else {"red-fives": 0}) | ({"rounds": 1} if self.east_only else {})
        return chosen or None


STICK = 1000
_ROUNDED = 0.05  # of a point for places, which is written with one digit after the point at most

LIMITS = {"no limit": 0, "mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "yakuman": 8000}
"""The names of limits, in order, and the basic points of each."""


def limit_of(points: int, *, dealer: bool, drawn: bool, seats: int) -> str | None:
    """Return the limit of a hand by what all others pay together, or None if no hand is paid so."""
    if drawn:
        shares = 2 * (seats - 1) if dealer else seats
    else:
        shares = 6 if dealer else 4
    basic, rest = divmod(points, shares)
    if basic < LIMITS["mangan"]:
        return "no limit"
    if rest == 0 and basic % LIMITS["yakuman"] == 0:
        return "yakuman"
    return next((name for name, base in LIMITS.items() if base == basic and rest == 0), None)


def check_places(scores: Sequence[int], points: Sequence[float], where: str, place: Place) -> None:
    """Check the points for places that a log states at the end of a match, if it does: they add up to nothing, and
    whoever has a better place gets at least what the scores differ by. Raises `LogFault`.
    """
    if not any(points):
        return
    total = sum(points)
    if not abs(total) <= _ROUNDED * len(points):
        raise LogFault(f"the points for places in {where} add up to {total:g}, not to 0", place)
    for score, own in zip(scores, points, strict=True):
        for other, less in zip(scores, points, strict=True):
            if score > other and not own - less >= (score - other) / 1000 - 1 - _ROUNDED:
                words = f"{score:,} points of {where} are worth {own:g}, and {other:,} are worth {less:g}"
                raise LogFault(f"{words}: they differ by less than the points", place)


def passed_on(round_: int, seats: int) -> int:
    """Return how often the deal has passed on, by the number of a round: four to a wind, however many play."""
    return round_ // 4 * seats + round_ % 4


class Match:
    """A match that is being told."""

    def __init__(
        self, players: Sequence[str], place: Place, table: RiichiTable, *, name: str | None = None
    ) -> None:
        self.game = Game(table.rules, players, place, name=name, options=table.options)
        self._seats = table.seats
        self._due = False  # a replacement is drawn next
        self._begun = False
        self._first = [START[table.seats]] * table.seats  # points with which the record begins
        self._offered: tuple[int, str] | None = None  # who gave the last tile that others may win on
        self.mover = 0

    # ------------------------------------------------------------------ the beginning of a hand

    def deal(
        self,
        place: Place,
        hands: Sequence[Sequence[str]],
        indicator: str,
        *,
        dealer: int,
        passed: int,
        counters: int,
        sticks: int,
        scores: Sequence[int],
    ) -> None:
        """Tell a deal. The first one of a record that begins in the middle of a match says how it stands."""
        if not self._begun and (passed or counters or sticks or [*scores] != self._first):
            keys: dict[str, Any] = {"passed-on": passed, "counters": counters, "bets": sticks}
            self.game.tell("go-on", place, scores=[*scores], **keys)
        if not self._begun:
            self._first = [*scores]
        self._begun, self._due = True, False
        keys = {"passed-on": passed, "counters": counters, "bets": sticks, "scores": [*scores]}
        self.game.tell("deal", place, first=dealer, hands=[[*hand] for hand in hands], **keys)
        self.flip(place, indicator)

    def flip(self, place: Place, indicator: str) -> None:
        """Tell that an indicator is turned up."""
        self.game.tell("flip", place, tile=indicator)

    # ------------------------------------------------------------------ turns

    def draw(self, place: Place, seat: int, tile: str) -> None:
        """Tell a draw: from the dead wall after a kan."""
        self.game.tell("replace" if self._due else "draw", place, by=seat, tile=tile)
        self.mover, self._due = seat, False

    def discard(self, place: Place, seat: int, tile: str) -> None:
        self._offered = seat, tile
        self.game.tell("discard", place, by=seat, tile=tile)

    def call(self, place: Place, do: str, seat: int, tile: str, own: Iterable[str] = ()) -> None:
        """Tell a call: `chi` and `pon` with the tiles of the hand that it is made with, or a kan."""
        self.mover, self._due = seat, do.endswith("kan")
        if self._due:
            self._offered = seat, tile
        if do in ("chi", "pon"):
            self.game.tell(do, place, by=seat, tile=tile, tiles=[*own])
        else:
            self.game.tell(do, place, by=seat, tile=tile)

    def north(self, place: Place, seat: int) -> None:
        """Tell that a north is set aside."""
        self.mover, self._due = seat, True
        self.game.tell("north", place, by=seat)

    def riichi(self, place: Place, seat: int) -> None:
        self.game.tell("riichi", place, by=seat)

    def stick(self, place: Place, seat: int) -> None:
        """Tell that the stick for riichi is put down: nobody won on the discard."""
        self.game.tell("stick", place, by=seat)

    # ------------------------------------------------------------------ the end of a hand

    def wins(self, place: Place, seat: int, giver: int, tile: str, liable: int | None = None) -> None:
        """Tell a win, on a tile drawn if the winner is the giver, and who is liable for it, if that is stated."""
        keys = {} if liable is None else {"fed-by": liable}
        self.game.tell("tsumo" if seat == giver else "ron", place, by=seat, tile=tile, **keys)

    def all_others_win(self, place: Place) -> None:
        """Tell that all others win on the tile offered last, in the order of turns."""
        if self._offered is None:
            raise LogFault("three players win, but no tile was discarded", place)
        giver, tile = self._offered
        for step in range(1, self._seats):
            self.wins(place, (giver + step) % self._seats, giver, tile)

    def under(self, place: Place, tiles: Iterable[str]) -> None:
        """Tell the tiles under the indicators, as far as they are turned up."""
        for tile in tiles:
            self.game.tell("under_indicator", place, tile=tile)

    def count(self, place: Place, seat: int, tile: str, **stated: object) -> None:
        """Tell what a hand counts: `points`, `han`, `fu` and `patterns`, as far as they are stated."""
        given = {key: value for key, value in stated.items() if value is not None}
        self.game.tell("count", place, seat, tile=tile, **given)

    def nine_kinds(self, place: Place) -> None:
        """Tell that the mover calls the hand off."""
        self.game.tell("nine_kinds", place, by=self.mover)

    def end(
        self,
        place: Place,
        winner: int | None,
        gains: Sequence[int] | None,
        *,
        tenpai: Iterable[int] | None = None,
        nagashi: bool = False,
    ) -> None:
        """Tell the end of a hand: who won alone, and what each player gained, as far as it is stated."""
        keys: dict[str, Any] = {"winner": winner}
        if gains is not None:
            keys["pay"] = [*gains]
        if tenpai is not None:
            keys["tenpai"] = [*tenpai]
        if nagashi:
            keys["nagashi"] = True
        self.game.tell("end", place, **keys)

    def finish(self, place: Place, scores: Sequence[int] | None) -> None:
        """Tell the end of the match, with the points of the players if they are stated."""
        if scores is None:
            self.game.tell("finish", place)
            return
        totals = [score - first for score, first in zip(scores, self._first, strict=True)]
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        self.game.tell("finish", place, totals=totals, winners=best)
