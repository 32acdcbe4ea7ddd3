"""Sums, counts and quantifiers over the numbers up to one that the solver does not know."""

from __future__ import annotations

import pytest

from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.options import Settings
from golpae.verify.verifier import verify
from tests.prove.probe import rule_set

GAME = """
state of the hand
  owed: number = 0
  few: number from 0 to 3 = 0

define price(n: number): if n > 2 then 5 else 1
define cost: sum of price(n) for n in {1 to owed}

action borrow(more: number) by p
  more: more > 0
  then owed := owed + more

action choose(which: number from 0 to 3) by p
  then few := which

action pay by p
  owes: owed > 0
  then p scores cost
  then p's right scores -cost
  then the hand is over
"""


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("(sum of p's total for p in players) = 0", PROVED),  # the same number is paid and received
        ("owed = 0 implies cost = 0", PROVED),  # there are no numbers from 1 to 0
        ("(number of n in {1 to owed}: price(n) = 1) >= 0", PROVED),
        ("(number of n in {1 to owed - 1}: price(n) = 1) <= owed", "unknown"),  # true, and not known
        ("owed = 0 implies (no n in {1 to owed}: price(n) = 1)", PROVED),
        ("owed = 0 implies (every n in {1 to owed}: price(n) = 7)", PROVED),
        ("few < 2 implies (sum of price(n) for n in {1 to few}) <= 1", PROVED),
        ("every n in {1 to owed}: price(n) = 1", REFUTED),
        ("(most of price(n) for n in {1 to owed}) < 5", REFUTED),
    ],
)
def test_what_is_over_unknown_numbers(stated: str, verdict: str) -> None:
    rules = rule_set(f"{GAME}\nalways so: {stated}\n")
    (result,) = verify(rules, 2, {}, Settings(games=20), only="so")
    assert result.verdict == verdict, result.story
