"""Terms made by the C functions are the terms of z3, and a fault shows at once."""

from __future__ import annotations

import pytest
import z3

from golpae.prove.symbolic import terms

A, B, N = z3.Bool("a"), z3.Bool("b"), z3.Int("n")


def test_terms_are_those_of_z3() -> None:
    one = z3.IntVal(1)
    made = [
        (terms.and_([A, B]), z3.And(A, B)),
        (terms.or_([A, B]), z3.Or(A, B)),
        (terms.not_(A), z3.Not(A)),
        (terms.implies(A, B), z3.Implies(A, B)),
        (terms.eq(N, one), N == 1),
        (terms.ge(N, one), N >= 1),
        (terms.add([N, one]), N + 1),
        (terms.sub(N, one), N - 1),
        (terms.mul(N, N), N * N),
        (terms.ite(A, N, one), z3.If(A, N, one)),
    ]
    for mine, theirs in made:
        assert mine.eq(theirs)
    assert isinstance(made[0][0], z3.BoolRef)
    assert isinstance(made[-1][0], z3.ArithRef)


def test_a_negation_is_taken_back() -> None:
    assert terms.negated(terms.not_(A)).eq(A)
    assert terms.negated(A) is None
    assert terms.negated(z3.ForAll([N], N >= N)) is None


def test_a_term_that_z3_refuses_is_a_fault() -> None:
    with pytest.raises(z3.Z3Exception):
        terms.and_([A, N])
