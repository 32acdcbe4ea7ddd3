"""The matrix of patterns has exactly the pairs that hold."""

from __future__ import annotations

from golpae.prove.pattern_matrix import Matrix, matrix
from tests.prove.probe import SCORE, rule_set, theorems_of


def matrix_of(text: str = SCORE) -> Matrix:
    rules = rule_set(text)
    theorems = theorems_of(rules)
    evaluator, ways = theorems.scoring.ways("worth")
    patterns = [p.name for p in rules.scores[0].patterns]
    return matrix(theorems.solver, evaluator, "worth", patterns, ways)


def test_a_pattern_brings_each_pattern_that_every_way_with_it_has() -> None:
    assert matrix_of().brings == {
        "red": frozenset({"some-red"}),
        "some-red": frozenset(),
        "blue": frozenset(),
        "own": frozenset(),
    }


def test_patterns_that_no_way_has_together_exclude_each_other() -> None:
    excludes = matrix_of().excludes
    assert excludes["blue"] == {"red", "some-red"}
    assert excludes["own"] == frozenset()


def test_an_impossible_pattern_is_never() -> None:
    assert matrix_of().never == {"none-at-all"}
    assert matrix_of().unknown == ()


def test_a_definition_of_a_hand_covers_all_such_hands() -> None:
    patterns = SCORE.replace(
        "  pattern own", "  pattern laid 1: hand is pairs\n  pattern mixed 1: hand is one-each\n  pattern own"
    )
    made = matrix_of(
        patterns
        + "arrangement one-each: 1 red-twin and 1 blue-twin\nshape blue-twin(a, b): a = b and a in blues\n"
    )
    assert made.unknown == ()
    assert made.brings["red"] == {"some-red", "laid"}
    assert made.brings["mixed"] == {"some-red", "laid"}
    assert made.excludes["mixed"] == {"red", "blue"}
