"""Hands that show patterns: each is scored by replay, and has nothing that it can do without."""

from __future__ import annotations

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.verify.pattern_hands import PatternHand, pattern_hands
from tests.prove.probe import SCORE, rule_set


def test_each_pattern_has_the_plainest_hand_that_counts_it_or_none() -> None:
    names = ["red", "some-red", "blue", "own", "none-at-all"]
    noted: list[None] = []
    instance = instantiate(rule_set(SCORE), 2, {})
    found = [*pattern_hands(instance, {"worth": names}, lambda: noted.append(None))]
    assert [hand.pattern for hand in found] == names
    assert len(noted) == len(names)
    counted = [
        hand.score and ({pattern for pattern, _ in hand.score["patterns"]}, hand.given) for hand in found
    ]
    assert counted[:3] == [({"red", "some-red"}, ()), ({"some-red"}, ()), ({"blue"}, ())]
    assert counted[3] in (({"some-red", "own"}, (("drawn", "yes"),)), ({"blue", "own"}, (("drawn", "yes"),)))
    assert found[4] == PatternHand("none-at-all", None)
    red = found[0].score
    assert red is not None
    assert {tile[0] for group in red["groups"] for tile in group["tiles"]} == {"r"}


def test_hands_are_looked_for_only_where_somebody_asks() -> None:
    assert [*pattern_hands(instantiate(rule_set(SCORE), 2, {}), {"other": ["red"]})] == []


def test_a_table_without_tiles_that_count_as_others_shows_hands_of_all() -> None:
    riichi = elaborate("riichi")
    [hand, orphans] = pattern_hands(instantiate(riichi, 4, {}), {"worth": ["pinfu", "thirteen-orphans"]})
    assert hand.score is not None
    assert "pinfu" in {pattern for pattern, _ in hand.score["patterns"]}
    assert {name for name, _ in hand.given} == {"win", "own-wind", "round"}
    assert orphans.score is not None
    assert [(len(group["tiles"]), len({*group["tiles"]})) for group in orphans.score["groups"]] == [(14, 13)]
