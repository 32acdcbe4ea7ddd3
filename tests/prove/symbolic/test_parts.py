"""Formulas have at most so many parts, whatever was built before."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.prove.symbolic import parts
from golpae.prove.symbolic.parts import clause_of_faults, parts_apart, parts_within
from golpae.prove.symbolic.terms import PARTS, Unsupported, spend
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, game, rule_set_of

PUT = """
action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to table
  then mover := p's right
"""
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
