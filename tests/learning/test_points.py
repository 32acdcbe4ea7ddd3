"""What hands are worth is learned from hands with their points."""

from __future__ import annotations

import pytest

from golpae.elaborate.check import check
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.learn.hands.answer import points_learned
from golpae.learn.hands.slices import scoring
from golpae.learn.text import flat
from golpae.mutate.judge import silent
from golpae.mutate.recorded import Hand
from tests.learning.couples import TEXT, couples, given
from tests.learning.scored import scored, switchless, worths

HANDS = 40

LEARNED = {
    "hidden-alone": "replace worth.self-drawn: not shown and drawn",
    "dear": "add worth.one-group 4 spots: every t in hand: t in a-tiles",
    "high": "replace most: 6",
    "doubled": "replace worth.total: (the smaller of most and spots) * 2",
}


@pytest.mark.parametrize("switch", LEARNED)
def test_a_variant_that_was_taken_out_is_found(switch: str) -> None:
    loaded = couples()
    hands = scored(loaded, switch, given(), HANDS, 1)
    answer = points_learned(switchless(loaded), "couples", hands)
    assert answer.hands == len(hands) == HANDS
    assert answer.wrong
    assert answer.best is not None
    assert not answer.best.wrong
    assert answer.best.variant is not None
    assert LEARNED[switch] in " ".join(answer.best.variant.split())
    new = scored(loaded, switch, given(), HANDS, 2)
    base, _, _ = TEXT.partition("\nvariant ")
    rules = check(resolve("couples+learned", load_text(f"{base}\n\n{answer.best.variant}")))
    assert worths(rules, new) == [hand.worth for hand in new]


def test_hands_of_the_text_teach_nothing() -> None:
    hands = scored(couples(), "", given(), HANDS, 1)
    answer = points_learned(couples(), "couples", hands)
    assert (answer.wrong, answer.best) == ((), None)


def test_a_hand_that_was_recorded_wrongly_hides_no_rule() -> None:
    hands = scored(couples(), "high", given(), HANDS, 1)
    cheap = next(number for number, hand in enumerate(hands) if hand.worth == 1)
    hands[cheap] = Hand("wrong", hands[cheap].given, 77)
    answer = points_learned(switchless(couples()), "couples", hands)
    assert answer.best is not None
    assert answer.best.said == (("most", "5 -> 6"),)
    assert [number for number, _ in answer.best.wrong] == [cheap]


def test_what_scores_hands_stands_alone_and_scores_them_alike() -> None:
    text = silent(flat(switchless(couples()), "couples"))
    alone = scoring(text)
    assert len(alone.decls) < len(text.decls)
    hands = scored(couples(), "", given(), HANDS, 1)
    assert worths(check(resolve("couples", alone)), hands) == [hand.worth for hand in hands]
