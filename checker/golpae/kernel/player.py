"""Games by chance on the compiled path.

Input: an instance, a seed, the numbers of games. Output: what came of each hand.
Guarantee: the same games as `docs/semantics.md` (11) describes for the policy `random`; one that is not compiled is
given as None, and is for the reference to play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from golpae.elaborate.instance import Instance
from golpae.kernel.emit.playing.chance import BROKEN_OFF, DEAD_END, ENDED, ROOM
from golpae.kernel.language.host import Referred
from golpae.kernel.layout import NONE, WORD
from golpae.kernel.start import started

__all__ = ["BROKEN_OFF", "DEAD_END", "ENDED", "Hand", "Player"]
_MOST_GAMES = 1_000  # that are played at once


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: how it ended (`ENDED`, `DEAD_END`, `BROKEN_OFF`), its events, who won, what each player was paid."""

    ending: int
    events: int
    winner: int | None
    pay: tuple[int, ...]


class Player:
    """One instance, compiled to play. With `counted`, an event whose loops have very many rounds is referred.

    Raises `Unsupported` if it cannot be compiled, and `MemoryError`.
    """

    def __init__(self, instance: Instance, rules: str, counted: bool) -> None:
        made, self._host = started(instance, rules, counted, plays=True)
        assert made.plays is not None
        self.refused = made.refused
        self._told = made.plays.told
        self._players = instance.players
        self._games = self._host.function("games")

    def games(self, seed: int, first: int, many: int, hands: int) -> Iterator[tuple[Hand, ...] | None]:
        """Yield what came of so many games of up to `hands` hands, from the number `first` on; None of one that is
        referred.
        """
        size = 1 + hands * (3 + self._players)
        if size > ROOM:
            yield from (None for _ in range(many))
            return
        self._write(self._told.hands, hands)
        while many > 0:
            asked = min(many, ROOM // size, _MOST_GAMES)
            try:
                self._games(_signed(seed), _signed(first), asked)
                referred = 0
            except Referred:
                referred = 1
            (played,) = self._words(self._told.played, 1)
            yield from self._read(played)
            yield from (None for _ in range(referred))
            first, many = first + played + referred, many - played - referred

    def _read(self, played: int) -> Iterator[tuple[Hand, ...]]:
        (end,) = self._words(self._told.next, 1)
        words = self._words(self._told.first, (end - self._told.first) // WORD)
        at = 0
        for _ in range(played):
            hands, at = words[at], at + 1
            game = []
            for _ in range(hands):
                ending, events, winner, *pay = words[at : at + 3 + self._players]
                game.append(Hand(ending, events, None if winner == NONE else winner, tuple(pay)))
                at += 3 + self._players
            yield tuple(game)

    def _words(self, address: int, many: int) -> list[int]:
        return memoryview(self._host.read(address, many * WORD)).cast("q").tolist()

    def _write(self, address: int, word: int) -> None:
        self._host.write(address, word.to_bytes(WORD, "little"))


def _signed(word: int) -> int:
    return word - (1 << 64) if word >= 1 << 63 else word
