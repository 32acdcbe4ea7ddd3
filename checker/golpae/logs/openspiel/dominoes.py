"""Hands of block dominoes that OpenSpiel played: it names an action by the pips that a tile is laid at, and passes over
a player who can lay nothing without a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from golpae.logs.adapter import event
from golpae.logs.openspiel.playthrough import State
from golpae.logs.openspiel.told_game import CHANCE, OpenSpielGame, Spoilt, choices
from golpae.trace.log_text import Place

Tile = tuple[int, int]

TILES: list[Tile] = [(low, high) for low in range(7) for high in range(low, 7)]
_LAID = [
    (player, tile, pips)
    for player in range(2)
    for tile in TILES
    for pips in (None, *range(7))
    if pips is None or pips in tile
]
HAND = 7
SIDES = ("to-the-left", "to-the-right")


class DominoesTable(OpenSpielGame):
    """A hand of block dominoes for two; OpenSpiel's player 0 begins."""

    rules = "block-dominoes"
    title = "block dominoes"
    players = ("P0", "P1")

    def __init__(self, parameters: Mapping[str, str], place: Place) -> None:
        super().__init__(parameters, place)
        self._dealt: list[int] = []
        self._first: Place | None = None
        self._left = [HAND, HAND]
        self._turn = 0
        self._ends: list[int] = []

    def words(self, number: int) -> str:
        if self.acting() == CHANCE:
            return f"Deal {_shown(TILES[number])}"
        player, tile, pips = _LAID[number]
        return f"p{player} tile:{_shown(tile)} pip:{pips if pips is None else float(pips)}"

    def acting(self) -> int:
        return CHANCE if len(self._dealt) < 2 * HAND else self._turn

    def by_chance(self) -> Sequence[int]:
        return [number for number in range(len(TILES)) if number not in self._dealt]

    def apply(self, number: int, place: Place) -> None:
        if self.acting() == CHANCE:
            self._deal(number, place)
            return
        player, tile, pips = _LAID[number]
        self.before(player, place)
        sides = self._sides(pips)
        if not sides:
            raise Spoilt(f"no end of the line shows {pips}", place)
        self.game.tell("play", place, by=player, tile=_name(tile), side=sides[0])
        low, high = tile
        if not self._ends:
            self._ends = [high, low]
        else:
            self._ends[SIDES.index(sides[0])] = high if pips == low else low
        self._left[player] -= 1
        self._turn = 1 - player

    def _deal(self, number: int, place: Place) -> None:
        self._first = self._first or place
        self._dealt.append(number)
        if len(self._dealt) == 2 * HAND:
            names = [_name(TILES[one]) for one in self._dealt]
            self.game.tell("deal", self._first, first=0, hands=[names[:HAND], names[HAND:]])

    def _sides(self, pips: int | None) -> list[str]:
        """Return the ends of the line that show some pips; for the first tile, any."""
        if pips is None or not self._ends:
            return [*SIDES] if pips is None and not self._ends else []
        return [side for side, end in zip(SIDES, self._ends, strict=True) if end == pips]

    def before(self, player: int, place: Place) -> None:
        if self._turn != player and self._ends:
            self.game.tell("pass", place, by=self._turn)
            self._turn = player

    def list_legal(self, state: State, place: Place) -> None:
        self.game.lists(place, choices(dict(self._listed(state))))

    def _listed(self, state: State) -> Iterator[tuple[str, Sequence[Mapping[str, object]]]]:
        for number in state.legal:
            player, tile, pips = _LAID[number]
            events = [event("play", player, tile=_name(tile), side=side) for side in self._sides(pips)]
            yield self.words(number), events

    def end(self, state: State, returns: Sequence[int], place: Place) -> None:
        if all(self._left):  # nobody can lay a tile
            for player in (self._turn, 1 - self._turn):
                self.game.tell("pass", place, by=player)
        out = [player for player in range(2) if not self._left[player]]  # who may have won nothing
        winner = out[0] if out else returns.index(max(returns)) if any(returns) else None
        self.game.tell("end", place, winner=winner, pay=[max(0, own) for own in returns])


def _name(tile: Tile) -> str:
    return f"{tile[1]}-{tile[0]}"


def _shown(tile: Tile) -> str:
    return f"({float(tile[0])}, {float(tile[1])})"
