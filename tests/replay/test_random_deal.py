"""Random deals: their tiles, and the random numbers that they use."""

import random
from collections import Counter

from golpae.replay.random_deal import (
    hand_sizes,
    random_deal,
    random_deal_with,
    set_has,
    undealt,
    with_reserve,
)
from tests.replay.shared import machine

TABLE = machine("jjak", 3)


def test_the_dealt_and_the_undealt_tiles_are_the_set() -> None:
    event = random_deal(TABLE, 0, random.Random(1), reserve=False)
    dealt = [t for hand in event.args[1] for t in hand]
    assert [len(hand) for hand in event.args[1]] == hand_sizes(TABLE, 0)
    assert event.args[2] is None
    assert Counter(dealt + undealt(TABLE, event.args[1])) == Counter(TABLE.instance.whole)


def test_a_listed_reserve_does_not_change_later_random_numbers() -> None:
    listed, unlisted, chance = random.Random(7), random.Random(7), random.Random(7)
    first = random_deal(TABLE, 0, listed, reserve=True)
    second = random_deal(TABLE, 0, unlisted, reserve=False)
    random_deal(TABLE, 0, chance)
    assert with_reserve(first, None) == second
    assert listed.getstate() == unlisted.getstate() == chance.getstate()


def test_a_deal_with_a_given_hand_contains_it_and_respects_the_set() -> None:
    whole = list(TABLE.instance.whole)
    size = hand_sizes(TABLE, 0)[1]
    event = random_deal_with(TABLE, 0, 1, whole[: size + 1], random.Random(3))
    hands = event.args[1]
    assert hands[1] == whole[:size]
    assert set_has(TABLE, [t for hand in hands for t in hand] + whole[size : size + 1])
    assert not set_has(TABLE, [*whole, whole[0]])
