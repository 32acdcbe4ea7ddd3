"""Random deals: their tiles, and the random numbers that they use."""

import random
from collections import Counter

from golpae.elaborate.instance import instantiate
from golpae.replay.legal_events import Legal, hand_sizes
from golpae.replay.machine import Machine
from golpae.replay.random_deal import (
    random_deal,
    random_deal_with,
    set_has,
    undealt,
    with_reserve,
)
from tests.differential.texts import RuleText
from tests.replay.shared import machine
from tests.verify.shells import SIZED

TABLE = machine("jjak", 3)


def test_hands_are_as_large_as_the_state_and_the_keys_say() -> None:
    table = Machine(instantiate(RuleText("sized", SIZED).rule_set(), 2, {}))
    state = table.new_state()
    assert [hand_sizes(table, state, first, (2,)) for first in (0, 1)] == [[2, 2], [2, 2]]
    state.hands_played, state.v_dealer = 1, 0
    assert hand_sizes(table, state, 1, (2,)) == [2, 3]
    deals = [random_deal(table, state, 1, random.Random(seed)) for seed in range(20)]
    legal = Legal(table)
    assert {deal.args[3] for deal in deals if legal.dealt(deal, state) is not None} == {0, 1}


def test_a_deal_without_enough_tiles_is_not_legal() -> None:
    text = SIZED.replace("(cards: number from 0 to 2)", "").replace("cards", "3")
    table = Machine(instantiate(RuleText("sized", text).rule_set(), 2, {}))
    state = table.new_state()
    assert Legal(table).can_deal(state) == []
    assert Legal(table).dealt(random_deal(table, state, 0, random.Random(1)), state) is None


def test_the_dealt_and_the_undealt_tiles_are_the_set() -> None:
    event = random_deal(TABLE, TABLE.new_state(), 0, random.Random(1), reserve=False)
    dealt = [t for hand in event.args[1] for t in hand]
    assert [len(hand) for hand in event.args[1]] == hand_sizes(TABLE, TABLE.new_state(), 0)
    assert event.args[2] is None
    assert Counter(dealt + undealt(TABLE, event.args[1])) == Counter(TABLE.instance.whole)


def test_a_listed_reserve_does_not_change_later_random_numbers() -> None:
    listed, unlisted, chance = random.Random(7), random.Random(7), random.Random(7)
    first = random_deal(TABLE, TABLE.new_state(), 0, listed, reserve=True)
    second = random_deal(TABLE, TABLE.new_state(), 0, unlisted, reserve=False)
    random_deal(TABLE, TABLE.new_state(), 0, chance)
    assert with_reserve(first, None) == second
    assert listed.getstate() == unlisted.getstate() == chance.getstate()


def test_a_deal_with_a_given_hand_contains_it_and_respects_the_set() -> None:
    whole = list(TABLE.instance.whole)
    size = hand_sizes(TABLE, TABLE.new_state(), 0)[1]
    event = random_deal_with(TABLE, TABLE.new_state(), 0, 1, whole[: size + 1], random.Random(3))
    hands = event.args[1]
    assert hands[1] == whole[:size]
    assert set_has(TABLE, [t for hand in hands for t in hand] + whole[size : size + 1])
    assert not set_has(TABLE, [*whole, whole[0]])
