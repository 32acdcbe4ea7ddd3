"""What is learned does not depend on the order of a hash."""

from __future__ import annotations

from tests.learning.processes import printed_with_two_seeds

PRINTED = """
from golpae.learn.answer import learned
from golpae.learn.hands.answer import points_learned
from golpae.elaborate.check import check
from golpae.elaborate.resolve import resolve
from tests.learning.couples import couples, given
from tests.learning.dropped import played
from tests.learning.scored import scored, switchless
from tests.learning.sticks import sticks
hands = scored(couples(), "hidden-alone", given(), 30, 1)
print(points_learned(switchless(couples()), "couples", hands))
games = [*played(check(resolve("sticks+any-tile", sticks())), "sticks", 6, 1)]
answer = learned(switchless(sticks()), "sticks", games)
print(answer.tried, answer.best, answer.others)
"""


def test_two_hash_seeds_give_one_answer() -> None:
    printed = printed_with_two_seeds(PRINTED)
    assert len(printed) == 1
    assert b"not shown" in printed.pop()
