"""Theorems: proved with the clauses that they need, refuted with a counterexample."""

from __future__ import annotations

import pytest

from tests.prove.probe import answer_to


def test_a_proof_names_the_clauses_that_it_used() -> None:
    answer = answer_to("every t in reds: mates(t, t)")
    assert (answer.verdict, answer.clauses) == ("proved", ("mates.same",))
    answer = answer_to("some t in reds: mates(t, b2)")
    assert (answer.verdict, answer.clauses) == ("proved", ("mates.odd",))


def test_a_refuted_theorem_shows_the_tiles() -> None:
    answer = answer_to("every t in kinds: mates(t, t)")
    assert answer.verdict == "refuted"
    assert answer.witness is not None
    assert answer.witness.values == (("t", "x"),)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("some h of 2 in tiles: h = {x, r1}", "proved"),
        ("some h of 2 in tiles: h = {x, x}", "refuted"),
        ("every h of 2 in reds: no t in h: t in blues", "proved"),
        ("no h of 3 in tiles: size of kinds of h = 1", "proved"),
        ("no h of 2 in tiles: size of kinds of h = 1", "refuted"),
        ("some h of 4 in tiles: some k of 4 in tiles - h: x in h and x in k", "refuted"),
        ("some h of 4 in tiles: some k of 4 in tiles - h: x in h and r1 in k", "proved"),
    ],
)
def test_several_tiles_together_come_from_the_set_once(statement: str, verdict: str) -> None:
    assert answer_to(statement).verdict == verdict


def test_a_statement_about_nothing_is_vacuous() -> None:
    assert answer_to("every t in reds - reds: no u in kinds: mates(t, u)").vacuous is not None
    assert answer_to("every t in kinds: t in reds and t in blues implies t = x").vacuous is not None
    assert answer_to("every t in kinds: t in reds implies mates(t, t)").vacuous is None


def test_an_unsupported_theorem_is_unknown() -> None:
    answer = answer_to("some h of 2 in tiles: some t in h: some k of 2 in h: t in k and k = h")
    assert answer.verdict == "unknown"
    assert "the prover does not support" in answer.story
