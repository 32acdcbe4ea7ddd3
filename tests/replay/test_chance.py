"""Random numbers, deals and the order of events: what `docs/semantics.md` says of games by chance."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import pytest

from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.ir.types import Each
from golpae.replay.chance import DRAWS, Chance, threefry
from golpae.replay.legal_events import Event, EventOrder, Legal
from golpae.replay.machine import Machine
from golpae.replay.random_deal import deal_by_chance
from golpae.replay.runtime import Meld
from golpae.replay.simulate import take
from tests.differential.texts import RuleText, random_text
from tests.replay.play import moments
from tests.replay.shared import machine
from tests.verify.shells import SIZED

ALL = (1 << 64) - 1


# ---------------------------------------------------------------------- numbers


def test_threefry_gives_the_known_answers_of_random123() -> None:
    assert threefry((0, 0), (0, 0)) == (0xC2B6E3A8C2C69865, 0x6F81ED42F350084D)
    assert threefry((ALL, ALL), (ALL, ALL)) == (0xE02CB7C4D95D277A, 0xD06633D0893B8B68)
    pi = (0xA4093822299F31D0, 0x082EFA98EC4E6C89), (0x243F6A8885A308D3, 0x13198A2E03707344)
    assert threefry(*pi) == (0x263C7D30BB0F0AF1, 0x56BE8361D3311526)


def test_a_block_has_four_numbers() -> None:
    chance = Chance(7, 9)
    words = [word for n in range(2) for word in threefry((7, 9), (n, 0))]
    halves = [half for word in words for half in (word % DRAWS, word >> 32)]
    assert [chance.draw() for _ in range(7)] == halves[:7]
    assert chance.draws == 7
    assert [Chance(0, 0).draw(), DRAWS] == [0xC2C69865, 1 << 32]


def test_a_choice_of_one_draws_nothing() -> None:
    chance = Chance(1, 2)
    assert (chance.below(1), chance.choice("x"), chance.shuffled([4]), chance.draws) == (0, "x", [4], 0)


def test_a_draw_that_would_make_some_numbers_more_likely_is_drawn_again() -> None:
    size = DRAWS // 2 + 1  # almost half of all draws are left out
    for game in range(20):
        chance, plain = Chance(3, game), Chance(3, game)
        products = (drawn * size for drawn in iter(plain.draw, None))
        expected = next(p for p in products if p % DRAWS >= DRAWS % size)
        assert [chance.below(size), chance.draws] == [expected // DRAWS, plain.draws]
    assert Chance(3, 4).below(DRAWS) == Chance(3, 4).draw()


@pytest.mark.parametrize("size", [2, 3, 5, 6, 7])
def test_each_number_comes_from_as_many_draws(size: int) -> None:
    # what 11.2 says with words of 4 bits instead of 32
    kept = Counter(draw * size // 16 for draw in range(16) if draw * size % 16 >= 16 % size)
    assert sorted(kept) == [*range(size)]
    assert len({*kept.values()}) == 1


def test_a_choice_of_very_many_draws_as_many_numbers_as_it_needs() -> None:
    first, second = 0xC2C69865, 0xC2B6E3A8
    assert Chance(0, 0).below(1 << 40) == (first << 32 | second) >> 24
    assert Chance(0, 0).below(DRAWS + 1) == (first << 32 | second) * (DRAWS + 1) >> 64
    chance = Chance(0, 0)
    assert (chance.below(1 << 96) < 1 << 96, chance.draws) == (True, 3)


@pytest.mark.parametrize("size", [0, -1])
def test_a_choice_of_too_few_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="no choice"):
        Chance(0, 0).below(size)


@pytest.mark.parametrize(("seed", "game"), [(-1, 0), (0, -1), (1 << 64, 0), (0, 1 << 64)])
def test_a_seed_of_more_than_64_bits_is_refused(seed: int, game: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        Chance(seed, game)


def test_every_order_has_the_same_chance() -> None:
    orders = Counter("".join(Chance(5, game).shuffled("abc")) for game in range(6_000))
    assert len(orders) == 6
    assert all(850 < count < 1_150 for count in orders.values())  # 1,000, five standard deviations


# ---------------------------------------------------------------------- deals


def test_a_deal_is_made_as_the_page_says() -> None:
    table = machine("jjak", 3)
    state, chance = table.new_state(), Chance(11, 5)
    deal = deal_by_chance(Legal(table), table.new_state(), Chance(11, 5))
    first = chance.below(3)
    tiles = list(table.instance.whole)
    for place in range(31, 0, -1):
        other = chance.below(place + 1)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    hands = [[tiles.pop(0) for _ in range(6 if seat == first else 5)] for seat in range(3)]
    assert deal == Event("deal", (first, hands, tiles))
    assert Legal(table).dealt(deal, state) == deal


def test_a_deal_that_cannot_be_made_is_drawn_anew() -> None:
    table = Machine(instantiate(RuleText("sized", SIZED).rule_set(), 2, {}))
    legal, keys = Legal(table), Counter[int]()
    state = table.new_state()
    state.hands_played, state.v_dealer = 1, 0
    for game in range(40):
        deal = deal_by_chance(legal, state, Chance(1, game))
        assert deal is not None
        assert legal.dealt(deal, state) == deal
        keys[deal.args[3]] += 1
    assert sorted(keys) == [0, 1]  # with 2 cards each, the set is too small


def test_there_is_no_deal_in_the_middle_of_a_hand() -> None:
    table = machine("jjak", 2)
    state = table.new_state()
    deal = deal_by_chance(Legal(table), state, Chance(0, 0))
    assert deal is not None
    take(table, state, deal)
    assert deal_by_chance(Legal(table), state, Chance(0, 0)) is None


# ---------------------------------------------------------------------- the order of events


@cache
def tables() -> list[Machine]:
    """Return the tables of some texts, so random that their keys are of all types."""
    out = [
        machine(game, 4) for game in ("jjak+relaxed", "korean-mahjong", "ho-hpai+nearest-end", "three-dozen")
    ]
    for seed in range(12):
        rules = random_text(seed).rule_set()
        out.append(Machine(instantiate(rules, bounds(rules, options_of(rules, {}))[0], {})))
    return out


@pytest.mark.parametrize("number", range(16))
def test_the_order_of_legal_events_is_a_total_one(number: int) -> None:
    table = tables()[number]
    legal, order, rng = Legal(table), EventOrder(table), random.Random(number)
    try:
        states = [state for state, _ in moments(table, rng, hands=1)][:60]
    except (AssertionError, IndexError, StopIteration):  # a random text may allow no deal, or no end
        return
    for state in states:
        events = legal.in_order(state)
        mixed = rng.sample(events, len(events)) + events[:2]
        assert order.sorted(mixed) == events
        keys = [order.key(event) for event in events]
        assert all(a < b for a, b in pairwise(keys))
        for event, other in combinations(events[:12], 2):
            assert event != other


def test_actions_come_in_the_order_of_the_text_and_end_comes_last() -> None:
    table = machine("korean-mahjong", 4)
    names = [a.name for a in table.rules.actions if a.kind == "play"]
    seen = set()
    for state, _ in moments(table, random.Random(3), hands=2):
        ranks = [
            names.index(e.action) if e.action in names else len(names) + (e.action == "finish")
            for e in Legal(table).in_order(state)
        ]
        seen.update(ranks)
        assert ranks == sorted(ranks)
    assert len(seen) > 4


KEYS = """\
game keys "Keys of every type"

players 2 to 2

tiles
  coins: 2 of each copper silver gold

zones
  purse: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

state of the hand
  done: yes or no = no

deal from purse
  hands: 3 for everyone

action put(tiles, m: meld, word: one of up, down, away, is: yes or no, optional n: number from -1 to 1, LISTS) by p "-"
  open: not done "no"
  then done := yes

end
  due: done "no"

finish
"""


def test_values_are_compared_by_their_type() -> None:
    table = Machine(
        instantiate(RuleText("keys", KEYS.replace("LISTS", "lists: each player's number")).rule_set(), 2, {})
    )
    assert any(isinstance(param.type, Each) for param in table.actions["put"].params)
    order = EventOrder(table)
    plain = (0, [0], Meld([0]), "up", False, None, [0, 0])
    in_order = [
        plain,
        (*plain[:6], [0, 1]),
        (*plain[:6], [1, 0]),
        (*plain[:5], -1, [0, 0]),
        (*plain[:5], 1, [0, 0]),
        (*plain[:4], True, None, [0, 0]),
        (*plain[:3], "down", *plain[4:]),
        (*plain[:3], "away", *plain[4:]),
        (*plain[:2], Meld([0], "a"), *plain[3:]),
        (*plain[:2], Meld([0], "b"), *plain[3:]),
        (*plain[:2], Meld([1, 0]), *plain[3:]),
        (*plain[:2], Meld([1]), *plain[3:]),
        (0, [2, 0], *plain[2:]),
        (0, [1], *plain[2:]),
        (1, [0], *plain[2:]),
    ]
    events = [Event("put", args) for args in in_order]
    for seed in range(20):
        mixed = random.Random(seed).sample(events, len(events))
        assert order.sorted(mixed) == events
    assert order.sorted([Event("put", (0, [0, 2], *plain[2:])), events[-3]]) == [
        Event("put", (0, [0, 2], *plain[2:]))
    ]
