"""Patterns that ask about those above them, or count alone: all hands of a small text, on both paths and in proofs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.kernel.language.host import available
from golpae.replay.machine import Machine
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.kernel.score_harness import Hands

TEXT = """
game asked "Patterns that ask about patterns"
players 2 to 2
tiles
  beads: four of each "{size}b" for size in 1 to 4
zones
  box: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
shape twins(a, b): a = b
shape string(a, b, c): b's size = a's size + 1 and c's size = b's size + 1
shape three(a, b, c): a = b and b = c
shape chain: string or three
arrangement all-twins: 3 different twins
arrangement two-chains: 2 chains
score worth
  given
    hand: tiles
  hand: hand
  as: all-twins or two-chains
  keep: plain or large or ones
  total: sum
  pattern large 10: every c in chains: c is three
  pattern ones 2 for each t in hand: t's size = 1
  pattern same (size of hand) - 6: yes
  pattern plain 1: not large and not same
  pattern poor 3: ones and plain
deal from box
  hands: 6 for everyone
action show by p "show a hand"
  counts: worth(p's hand) is not none "it counts nothing"
  then p wins
end
payout
  won: when winner is not none: winner scores worth(winner's hand) otherwise 0
claim large-is-not-plain: every way of worth: large implies not plain
claim twins-are-plain: every way of worth: arrangement is all-twins implies plain
claim always-large: every way of worth: large
claim ten: every way of worth: large implies points = 10
"""


def ways(hand: tuple[int, ...]) -> list[bool]:
    """Return the ways to lay out six beads, by hand: whether all groups of each are three alike."""
    count = Counter(hand)
    out = [False] if sorted(count.values()) == [2, 2, 2] else []
    groups = [(a, a, a) for a in range(1, 5)] + [(1, 2, 3), (2, 3, 4)]
    for one, other in combinations_with_replacement(groups, 2):
        if Counter(one) + Counter(other) == count:
            out.append(one[0] == one[1] and other[0] == other[1])
    return out


ALONE = TEXT.replace("pattern large 10:", "pattern large 10, alone:")


def points(large: bool, ones: int, alone: bool) -> int:
    if large:
        return 10 if alone else 10 + 2 * ones
    return 1 + 2 * ones + (3 if ones else 0)


@pytest.mark.skipif(not available(), reason="wasmtime does not load here")
@pytest.mark.parametrize("text", [TEXT, ALONE], ids=["added", "alone"])
def test_every_hand_counts_as_by_hand_on_both_paths(text: str) -> None:
    instance = instantiate(check(resolve("asked", load_text(text))), 2, {})
    made, compiled = Machine(instance), Hands(instance)
    tiles = {number: tile for tile, number in enumerate(range(1, 5))}
    counted = Counter[int | None]()
    for hand in combinations_with_replacement(range(1, 5), 6):
        if max(Counter(hand).values()) > 4:
            continue
        given = [tiles[n] for n in hand]
        expected = max((points(large, hand.count(1), text == ALONE) for large in ways(hand)), default=None)
        best = made.scorers["worth"].best(made.new_state(), given)
        assert (None if best is None else best.total) == expected
        assert compiled.score("worth", {"hand": given}, {}) == (expected, False)
        counted[expected] += 1
    assert len(counted) > 5
    assert counted[None] > 1


@pytest.mark.solver
@pytest.mark.parametrize("text", [TEXT, ALONE], ids=["added", "alone"])
def test_claims_about_every_way_are_decided(text: str) -> None:
    verifier = Verifier(instantiate(check(resolve("asked", load_text(text))), 2, {}), Settings())
    found = {p.name: verifier.verify(p).verdict for p in verifier.instance.rule_set.properties}
    sums = {"always-large": "refuted", "ten": "proved" if text == ALONE else "refuted"}
    assert found == {"large-is-not-plain": "proved", "twins-are-plain": "proved", **sums}
