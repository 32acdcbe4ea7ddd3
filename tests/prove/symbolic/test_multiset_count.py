"""Choices of several members are counted exactly, each copy as a different member."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, prod

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.prove.solving.solver import Solver
from golpae.prove.symbolic.multiset_count import Count, choices, space, tally, ways_to_take
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.replay.runtime import choices_with_counts
from golpae.replay_bridge import ReplayShapes
from tests.prove.probe import answer_to, rule_set

BAGS: tuple[dict[str, int], ...] = (
    {},
    {"a": 1},
    {"a": 2, "b": 1},
    {"a": 3, "b": 2, "c": 1, "d": 4},
    {"a": 0, "b": 3},
)


@pytest.mark.parametrize("bag", BAGS)
@pytest.mark.parametrize("size", range(6))
def test_choices_agree_with_combinations_of_distinct_tiles(bag: dict[str, int], size: int) -> None:
    members = [(member, copy) for member, often in bag.items() for copy in range(often)]
    expected = Counter(tuple(sorted(m for m, _ in chosen)) for chosen in combinations(members, size))
    listed = list(choices(bag, size))
    assert {tuple(sorted(choice)): ways for choice, ways in listed} == expected
    assert len(listed) == len(expected)
    assert space(bag, size) == Count(len(expected), comb(len(members), size))
    items = [m for m, _ in members]
    assert {tuple(sorted(c)): often for c, often in choices_with_counts(items, size)} == expected


def test_a_tally_counts_the_choices_for_each_answer() -> None:
    assert tally({"a": 2, "b": 1}, 2, lambda choice: choice[0] == choice[1]) == {
        True: Count(1, 1),
        False: Count(1, 2),
    }


ALIKE = "number of h of 2 in tiles: size of kinds of h = 1"


def test_a_theorem_may_count_choices() -> None:
    proved = answer_to(f"({ALIKE}) = 5")
    assert (proved.verdict, proved.story) == ("proved", "number of h = 5 of 55")
    refuted = answer_to(f"({ALIKE}) = 6")
    assert refuted.verdict == "refuted"
    assert refuted.witness is not None
    assert refuted.witness.values == (("number of h", "5 of 55"),)


def test_a_count_of_choices_may_contain_another() -> None:
    within = "number of h of 2 in tiles: (number of g of 1 in h: g /= {x}) = 1"
    assert answer_to(f"({within}) = 10").verdict == "proved"


def test_a_count_of_too_many_choices_is_unknown() -> None:
    answer = answer_to("(number of h of 1000 in each-twice: yes) = 0", TWENTY)
    assert answer.verdict == "unknown"
    assert "only up to 1,000,000" in answer.story


TWENTY = "define ten: tiles + tiles + tiles + tiles\ndefine each-twice: " + " + ".join(["ten"] * 40) + "\n"


def test_an_unknown_bag_is_not_counted() -> None:
    answer = answer_to("some h of 3 in tiles: (number of g of 2 in h: size of kinds of g = 1) = 3")
    assert answer.verdict == "unknown"
    assert "counting choices from unknown tiles" in answer.story


def test_replay_counts_the_same_choices() -> None:
    machine = Machine(instantiate(rule_set(f"define alike: {ALIKE}\n"), 2, {}))
    [alike] = [d for d in machine.rules.definitions if d.name == "alike"]
    assert machine.value(alike.cases[0].expr, machine.new_state(1), {}) == 5


def test_counting_hands_of_an_arrangement_counts_all_choices() -> None:
    """If a condition requires an arrangement, only such hands are tried; the count is that of all choices."""
    instance = instantiate(elaborate_cached("ho-hpai"), 3, {})
    machine = Machine(instance)
    copies = Counter(instance.whole)
    wins = {
        hand for hand, _ in choices(copies, 6) if machine.scorers["count"].best(None, list(hand)) is not None
    }
    by_hand = sum(prod(comb(copies[t], n) for t, n in Counter(h).items()) for h in wins)
    assert sum(ways_to_take(copies, Counter(hand)) for hand in wins) == by_hand == 1080
    prop = next(p for p in instance.rule_set.properties if p.name == "winning-hands-for-three")
    theorems = Theorems(instance, ReplayShapes(machine), Solver())
    assert theorems.prove(prop.name, prop.expr).verdict == "proved"
