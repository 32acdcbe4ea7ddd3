"""Formulas have at most so many parts, whatever was built before."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.prove.symbolic import parts
from golpae.prove.symbolic.parts import ConditionsThatFit, clause_of_faults, parts_apart, parts_within
from golpae.prove.symbolic.terms import PARTS, Unsupported, spend
from golpae.verify.verifier import Verifier
from tests.prove.meanings import PUT, SETTINGS, game, rule_set_of

TWELVE = 'two of each "{size}c" for size in 1 to 12'
PROPERTIES = (
    "always wide: every a, b in table: a's size * b's size + size of table > 0",
    "always plain: size of stall <= 24",
    "always twice: every a, b in table: a's size + b's size + size of table > 0",
)


def test_what_is_built_within_counts_for_what_is_around_it() -> None:
    with parts_apart(10):
        with parts_within():
            spend(4)
        assert PARTS.left == 6
        with parts_apart(100):
            spend(50)
        assert PARTS.left == 6
        with pytest.raises(Unsupported, match="a formula of more than 10 parts"):
            spend(7)


def test_a_clause_has_parts_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_OF_CLAUSE", 3)
    with parts_apart(10):
        with pytest.raises(Unsupported) as raised, clause_of_faults("put.turn"):
            spend(4)
        assert raised.value.clause == "put.turn"
        spend(6)
    spend(1_000_000_000)  # outside of a question nothing is counted


def decided(order: int) -> dict[str, tuple[str, str, object]]:
    text = game(
        coins=TWELVE,
        hands=3,
        zones="table: tiles seen by everyone",
        actions=PUT,
        properties="\n".join(PROPERTIES),
    )
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    results = [verifier.verify(p) for p in verifier.instance.rule_set.properties[::order]]
    return {r.name: (r.verdict, r.story, r.unsupported and r.unsupported.clause) for r in results}


def test_a_property_with_too_large_a_formula_costs_no_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {verdict for verdict, _, _ in decided(1).values()} == {"proved"}
    monkeypatch.setattr(parts, "MOST_OF_CLAUSE", 600)
    found = decided(1)
    assert found["plain"][0] == "proved"
    for name in ("wide", "twice"):
        verdict, story, clause = found[name]
        assert verdict != "proved"
        assert "a formula of more than 600 parts" in story
        assert clause == f"property {name}"
    assert decided(-1) == found


def built_in_vain(parts: int) -> None:
    spend(parts)
    raise Unsupported("what comes last")


def test_a_condition_that_is_too_large_is_left_out_and_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_OF_CHOICES", 10)
    fitting = ConditionsThatFit()
    with parts_apart(20):
        with fitting.counting("put.held"):
            spend(6)
        with fitting.counting("put.wide"):  # cheap for each choice, and there are many
            spend(6)
        with fitting.counting("put.wide"):
            spend(6)
        assert PARTS.left == 14
        too_large = pytest.raises(Unsupported, match="more than 10 parts for all its choices")
        with too_large as raised, fitting.counting("put.wide"):
            raise AssertionError("it is not built again")
        assert raised.value.clause == "put.wide"
        with pytest.raises(Unsupported), fitting.counting("put.broken"):  # that has no encoding costs, too
            built_in_vain(11)
        assert PARTS.left == 14
    with parts_apart(20):  # each question counts anew, whatever was asked before it
        with fitting.counting("put.wide"):
            spend(6)
        assert PARTS.left == 14


def test_a_question_within_another_does_not_change_what_conditions_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "MOST_OF_CHOICES", 10)
    fitting = ConditionsThatFit()
    with parts_apart(100):
        for _ in range(2):
            with fitting.counting("put.wide"):
                spend(6)
            with parts_apart(100), fitting.counting("put.wide"):
                spend(6)
        with pytest.raises(Unsupported, match="for all its choices"), fitting.counting("put.wide"):
            spend(6)
        assert PARTS.left == 100


def test_what_a_shared_search_leaves_out_is_left_out_by_all_who_use_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "MOST_OF_CHOICES", 10)
    fitting = ConditionsThatFit()
    before = fitting.saved()
    with parts_apart(100):
        for path, many in (("put.wide", 12), ("put.held", 8)):
            with fitting.counting(path):
                spend(many)
        shared = fitting.saved()
    shared()
    with parts_apart(100):  # a property that uses the search, and finds another one too large
        with pytest.raises(Unsupported, match="for all its choices"), fitting.counting("put.wide"):
            raise AssertionError("it is not built")
        with fitting.counting("put.held"):
            spend(12)
    shared()
    with parts_apart(100):  # the next property does not learn of that
        with fitting.counting("put.held"):
            spend(5)
        with pytest.raises(Unsupported), fitting.counting("put.wide"):
            raise AssertionError("it is not built")
        assert PARTS.left == 95
    before()
    with parts_apart(100), fitting.counting("put.wide"):
        spend(5)


WIDE = """
action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  wide: some a, b, c in p's hand: a's size * b's size >= c's size * tile's size "no"
  then move tile from p's hand to table
  then mover := p's right
"""


def test_a_condition_that_is_too_large_stops_no_proof_that_can_do_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "MOST_OF_CHOICES", 20_000)
    monkeypatch.setattr(parts, "MOST_IN_ALL", 60_000)
    text = game(
        coins=TWELVE,
        hands=3,
        zones="table: tiles seen by everyone",
        actions=WIDE,
        properties="always none-lost: size of stall + size of table <= 24",
    )
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    (result,) = [verifier.verify(p) for p in verifier.instance.rule_set.properties]
    assert result.verdict == "proved", result.story
