"""Folds and quantifiers over numbers and truths that are written out, and that the solver does not know."""

from __future__ import annotations

import pytest

from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.options import Settings
from golpae.verify.verifier import verify
from tests.prove.probe import rule_set

GAME = """
state of the hand
  owed: number = 0
  paid: number = 0
  mine: yes or no = no

action borrow(more: number from 0 to 3) by p
  then owed := owed + more

action pay(some-of-it: number from 0 to 3) by p
  then paid := paid + the smaller of some-of-it and owed - paid

action turn by p
  then mine := not mine

action leave by p
  then p scores most of n for n in {owed, paid, 0}
  then p's right scores -(the larger of owed and 0)
  then the hand is over
"""


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("paid <= owed and paid >= 0", PROVED),
        ("(sum of p's total for p in players) = 0 or over", PROVED),
        ("(the larger of owed and paid) >= owed", PROVED),
        ("(sum of n for n in {owed, paid, owed}) = 2 * owed + paid", PROVED),
        ("(number of n in {owed, paid, owed}: n = owed) >= 2", PROVED),  # equal members count each
        ("some a, b in {owed, paid, owed}: a = b", PROVED),
        ("(the n in {owed, owed, paid}: n >= owed) = owed", PROVED),
        ("(number of b in {mine, not mine, owed > 0}: b) >= 1", PROVED),
        ("(those b in {mine, not mine}: b) = {yes}", PROVED),
        ("(the smaller of owed and paid) < 2", REFUTED),
        ("no a, b in {owed, paid + 1}: a = b", REFUTED),
        ("(number of b in {mine, owed > 0}: b) < 2", REFUTED),
    ],
)
def test_what_is_over_written_numbers(stated: str, verdict: str) -> None:
    rules = rule_set(f"{GAME}\nalways so: {stated}\n")
    (result,) = verify(rules, 2, {}, Settings(games=20), only="so")
    assert result.verdict == verdict, result.story
