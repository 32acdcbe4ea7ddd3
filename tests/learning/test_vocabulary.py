"""What a text can name in a scope."""

from __future__ import annotations

from golpae.elaborate.check import check
from golpae.elaborate.resolve import resolve
from golpae.learn.asked import asked, parsed
from golpae.learn.terms import scope_of_action, with_words
from golpae.learn.text import flat
from golpae.learn.vocabulary import Vocabulary
from tests.learning.processes import printed_with_two_seeds
from tests.learning.sticks import sticks

PRINTED = """
from golpae.elaborate.check import check
from golpae.elaborate.resolve import resolve
from golpae.learn.terms import scope_of_action
from golpae.learn.text import flat
from golpae.learn.vocabulary import Vocabulary
from tests.learning.sticks import sticks
text = flat(sticks(), "sticks")
rules = check(resolve("sticks", text))
for action in rules.actions:
    print(*Vocabulary(text, rules).conditions(scope_of_action(action)), sep="\\n")
"""


def test_names_are_replaced_all_at_once() -> None:
    assert with_words("p in q's hand", {"p": "q", "q": "p"}) == "q in p's hand"
    assert with_words("some p-1 in p: p", {"p": "q"}) == "some p-1 in q: q"


def test_conditions_are_those_of_the_text_and_mean_something() -> None:
    text = flat(sticks(), "sticks")
    rules = check(resolve("sticks", text))
    action = next(a for a in rules.actions if a.name == "play")
    conditions = Vocabulary(text, rules).conditions(scope_of_action(action))
    assert len(conditions) == len(set(conditions))
    assert all(parsed(words) is not None for words in conditions)
    meant = {one.words for one in asked(text, "play", conditions)}
    assert len(meant) > len(conditions) // 2
    assert {"p = mover", "tile in p's hand", "top of pile is none or alike(tile, top of pile)"} <= meant


def test_they_are_the_same_with_every_hash_seed() -> None:
    printed = printed_with_two_seeds(PRINTED)
    assert len(printed) == 1
    assert len(printed.pop().splitlines()) > 100
