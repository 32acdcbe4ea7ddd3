"""Tricks that a record has in rows, put into the order of play, some of their cards unknown.

Input: rows of cards, the hands as far as they are known, who leads first, and the trumps. Output: all ways in which the
rows can have been played. Guarantee: a way that is left out is against the rules of tricks.

A card that nobody saw may have taken its trick, so it can be open who leads the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from golpae.logs.bridge import SUITS, Hand, all_cards, strength, taken_by
from golpae.trace.log_text import Place
from golpae.trace.unseen import UNKNOWN

MOST_OPEN = 4  # tricks of a board of which it is open who took them; what is played behind them is left out


@dataclass(frozen=True, slots=True)
class Cell:
    """A card of a row: `UNKNOWN` if nobody saw it, None if the word is no card."""

    card: str | None
    word: str
    place: Place


@dataclass(frozen=True, slots=True)
class Played:
    """Cards in the order of play, and who took the tricks, by their numbers from 0, of which a card is unknown."""

    cards: tuple[tuple[str, Place], ...]
    takers: Mapping[int, int]
    fault: tuple[str, Place] | None = None


@dataclass(frozen=True, slots=True)
class _Way:
    """A way up to a row."""

    row: int
    leader: int
    cards: tuple[tuple[str, Place], ...] = ()
    takers: tuple[tuple[int, int], ...] = ()
    open: int = 0


class Rows:
    """The rows of a board: a card for each seat, from the one of the first column on, or in the order of play."""

    def __init__(
        self, rows: Sequence[Sequence[Cell]], hands: Sequence[Hand], leader: int, column: int, trumps: str
    ) -> None:
        self._rows, self._leader, self._column, self._trumps = rows, leader, column, trumps
        self._holder = {
            card: seat for seat, hand in enumerate(hands) if isinstance(hand, list) for card in hand
        }
        shown = {cell.card for row in rows for cell in row}
        unseen = {card for card in all_cards() if card not in self._holder} - shown
        self._left = [{*hand} - shown if isinstance(hand, list) else unseen for hand in hands]
        known = [n for n, row in enumerate(rows) if any(cell.card != UNKNOWN for cell in row)]
        self._last = known[-1] if known else -1

    def ways(self) -> Iterator[Played]:
        """Yield all ways in which the rows can have been played, the likeliest first."""
        waiting = [_Way(0, self._leader)]
        while waiting:
            played, others = self._play(waiting.pop())
            waiting += reversed(others)
            yield played

    def _play(self, way: _Way) -> tuple[Played, list[_Way]]:
        """Return a way to its end, and those that part from it, the later ones last."""
        cards, takers, leader, opened = [*way.cards], dict(way.takers), way.leader, way.open
        others: list[_Way] = []
        for number in range(way.row, self._last + 1):
            of_seat = self._by_seat(self._rows[number], leader)
            trick = [of_seat[seat] for step in range(4) if (seat := (leader + step) % 4) in of_seat]
            first_gap = next((step for step in range(4) if (leader + step) % 4 not in of_seat), 4)
            for cell in trick[:first_gap]:
                if cell.card is None:
                    return Played(tuple(cards), takers, (f"`{cell.word}` is no card", cell.place)), others
                cards.append((cell.card, cell.place))
            if first_gap < 4 or number == self._last:
                break
            names = [cell.card or "" for cell in trick]
            if UNKNOWN not in names:
                leader = (leader + taken_by(names, self._trumps)) % 4
                continue
            likeliest, *rest = self._takers(names, leader)
            opened += bool(rest)
            if opened > MOST_OPEN:
                break
            so_far = tuple(takers.items())
            others += [
                _Way(number + 1, taker, tuple(cards), (*so_far, (number, taker)), opened) for taker in rest
            ]
            takers[number] = leader = likeliest
        while cards and cards[-1][0] == UNKNOWN:
            cards.pop()
        return Played(tuple(cards), takers), others

    def _by_seat(self, row: Sequence[Cell], leader: int) -> dict[int, Cell]:
        """Return who played each card of a row."""
        holders = [self._holder.get(cell.card or "") for cell in row]
        seats = [(self._column + step) % 4 for step in range(len(row))]
        in_order = [(leader + step) % 4 for step in range(len(row))]
        if not _fits(holders, seats):  # some programs write a row in the order of play
            known = [holder for holder in holders if holder is not None]
            if len({*known}) == 4:
                seats = known
            elif _fits(holders, in_order):
                seats = in_order
        return dict(zip(seats, row, strict=True))

    def _takers(self, trick: Sequence[str], leader: int) -> list[int]:
        """Return who can have taken a trick, the likeliest first; `leader`, if nobody can."""
        seats = [(leader + step) % 4 for step in range(4)]
        takers: dict[int, None] = {}
        for led in SUITS if trick[0] == UNKNOWN else trick[0][-1]:
            shown = [
                (strength(card, led, self._trumps), seat)
                for seat, card in zip(seats, trick, strict=True)
                if card != UNKNOWN
            ]
            hidden = {
                seat: [
                    strength(card, led, self._trumps)
                    for card in self._left[seat]
                    if seat != leader or card[-1] == led
                ]
                for seat, card in zip(seats, trick, strict=True)
                if card == UNKNOWN
            }
            if not all(hidden.values()):
                continue
            best = max(shown, default=None)
            if best is not None and all(min(cards) < best[0] for cards in hidden.values()):
                takers[best[1]] = None
            takers |= {seat: None for seat, cards in hidden.items() if best is None or max(cards) > best[0]}
        return [*takers] or [leader]


def _fits(holders: Sequence[int | None], seats: Sequence[int]) -> bool:
    return all(holder in (None, seat) for holder, seat in zip(holders, seats, strict=True))
