"""Section 10 of docs/semantics.md, on the judge. Expected answers are by hand."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from tests.judge.comparison import Comparison, compare
from tests.judge.table import rules_of
from tests.judge.texts import game

PUT = """
action put(tile) by p "put"
  held: tile in p's hand "no"
  %s
  then move tile from p's hand to heap
  then p wins
"""


def text(
    condition: str = "", payout: str = "some: for each q in players - winner-now: winner-now scores 1"
) -> str:
    parts = PUT % condition + "define winner-now: winner otherwise mover\n"
    return game(parts, tiles="coins: one of each 1c 2c 3c", hands="1 for everyone", payout=payout)


SAME = Comparison(only_first=False, only_second=False, pay_the_same=True)
CASES = [
    (text(), text(), SAME),
    (text(), text('more: tile in kinds "never"'), SAME),
    (text('turn: p = mover "no"'), text(), Comparison(only_first=False, only_second=True, pay_the_same=True)),
    (text('one: tile /= 1c "no"'), text('two: tile /= 2c "no"'), Comparison(True, True, True)),
    (text(), text(payout="some: winner-now scores 2"), Comparison(False, False, False)),
    (text(), text(payout="some: winner-now scores 1"), SAME),
]


@pytest.mark.parametrize(("first", "second", "expected"), CASES, ids=range(len(CASES)))
def test_10_1_comparison(first: str, second: str, expected: Comparison) -> None:
    instances = [instantiate(rules_of(rules), 2, {}) for rules in (first, second)]
    found = compare(instances[0], instances[1])
    assert found == expected
    assert found.allow_the_same is (not expected.only_first and not expected.only_second)
    back = compare(instances[1], instances[0])
    assert (back.only_first, back.only_second) == (expected.only_second, expected.only_first)
    assert found.first_is_narrower is (expected.only_second and not expected.only_first)
