"""Walks over effects follow the structure that every effect states."""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.traverse import deciding_test, flat, nested, parts, with_nested
from golpae.ir.types import BOOL, INT, SEATS

YES = ir.Const(True, BOOL)
ONE, TWO = (ir.SetState("count", None, ir.Const(value, INT)) for value in (1, 2))
WHEN = ir.When(YES, (ONE, TWO))
LOOP = ir.ForEach("p", ir.Builtin("players", None, SEATS), (WHEN, TWO))


def test_effects_within_effects_come_outermost_first() -> None:
    assert list(flat([LOOP])) == [LOOP, WHEN, ONE, TWO, TWO]
    assert nested(ONE) == ()


def test_a_test_decides_about_the_effects_of_a_when_and_not_of_a_loop() -> None:
    assert (deciding_test(WHEN), deciding_test(LOOP), deciding_test(ONE)) == (YES, None, None)
    assert list(parts(WHEN)) == [(True, (ONE, TWO)), (False, ())]
    assert list(parts(ir.When(YES, (ONE,), (TWO,)))) == [(True, (ONE,)), (False, (TWO,))]
    assert list(parts(LOOP)) == [(True, (WHEN, TWO))]
    assert list(parts(ONE)) == []


def test_nested_effects_are_changed_in_place() -> None:
    changed = with_nested(LOOP, lambda effects: [e for e in effects if e != TWO])
    assert changed == ir.ForEach("p", LOOP.domain, (WHEN,))
    assert with_nested(ONE, lambda effects: []) == ONE
