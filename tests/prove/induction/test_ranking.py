"""A number that decreases at each event and is never negative shows that every hand ends."""

from __future__ import annotations

from golpae.prove.induction.ranking import check_ranking, highest_after_deal
from tests.prove.induction.pile import GAME, PUT, induction_of

ENDS = "\nends all: sum of size of p's hand for p in players\n"


def test_a_number_that_decreases_at_each_event_is_a_ranking_function() -> None:
    induction = induction_of(PUT + ENDS)
    measure = induction.system.rules.properties[0].expr
    assert check_ranking(induction, measure, None) is None
    assert highest_after_deal(induction, measure) == 2


def test_the_action_that_increases_it_is_named() -> None:
    induction = induction_of(GAME + ENDS)
    failure = check_ranking(induction, induction.system.rules.properties[0].expr, None)
    assert failure is not None
    assert failure.where == "take"


def test_the_ranking_of_one_action_ignores_the_others() -> None:
    induction = induction_of(PUT + "\naction rest by p\n  then turns := turns + 1\n" + ENDS)
    measure = induction.system.rules.properties[0].expr
    assert check_ranking(induction, measure, "put") is None
    assert check_ranking(induction, measure, None) is not None
