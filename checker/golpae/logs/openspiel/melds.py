"""Melds of gin rummy, and how to lay a hand out in them.

Input: cards as OpenSpiel numbers them: the suit times 13, and the rank from ace low. Output: melds, layouts.
Guarantee: of layouts with the same melds laid first, `best` leaves the fewest points outside melds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

Cards = frozenset[int]

RANKS = 13
SUITS = 4
DECK = RANKS * SUITS


def pips(card: int) -> int:
    """Return the points of a card: face cards count 10."""
    return min(card % RANKS + 1, 10)


def count(cards: Collection[int]) -> int:
    return sum(map(pips, cards))


def is_meld(cards: Collection[int]) -> bool:
    """Return whether cards are three or four of a rank, or a run of a suit."""
    own = sorted(cards)
    if len(own) < 3:
        return False
    ranks = {card % RANKS for card in own}
    if len(ranks) == 1:
        return len(own) <= SUITS
    return len({card // RANKS for card in own}) == 1 and own[-1] - own[0] == len(own) - 1


@lru_cache(maxsize=1 << 12)
def melds_of(hand: Cards) -> tuple[Cards, ...]:
    """Return all melds of a hand."""
    return tuple({*_sets(hand), *_runs(hand)})


def _sets(hand: Cards) -> Iterator[Cards]:
    for rank in range(RANKS):
        same = frozenset(card for card in hand if card % RANKS == rank)
        if len(same) >= 3:
            yield same
        if len(same) == SUITS:
            yield from (same - {card} for card in same)


def _runs(hand: Cards) -> Iterator[Cards]:
    for card in hand:
        run = [card]
        while run[-1] + 1 in hand and (run[-1] + 1) % RANKS:
            run.append(run[-1] + 1)
            if len(run) >= 3:
                yield frozenset(run)


@lru_cache(maxsize=1 << 14)
def best(hand: Cards) -> tuple[Cards, ...]:
    """Return disjoint melds of a hand that leave the fewest points outside."""
    cards: tuple[Cards, ...] = ()
    melded = 0
    for meld in melds_of(hand):
        rest = best(hand - meld)
        own = count(meld) + sum(map(count, rest))
        if own > melded:
            cards, melded = (meld, *rest), own
    return cards


def onto(card: int, laid: Sequence[Cards]) -> int | None:
    """Return which of the melds laid a card is added to, or None. A run comes first: it can be added to again."""
    fits = [number for number, meld in enumerate(laid) if is_meld(meld | {card})]
    runs = [number for number in fits if len({one % RANKS for one in laid[number]}) > 1]
    return next(iter(runs or fits), None)
