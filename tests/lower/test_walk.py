"""Walks over statements: which tests lead to one, and which tiles belong together."""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.types import BOOL, TILE, TILES
from golpae.lower import statements as st
from golpae.lower.walk import guarded, together

A, B = ir.Local("a", TILE), ir.Local("b", TILE)
TEST = ir.StateRead("late", None, BOOL)
HAND, LINE = ir.Place("hand", ir.Local("p", TILE), None), ir.Place("line", None, "back")
BOTH = ir.BagOf((A, B), TILES)


def test_a_test_leads_to_the_other_part_if_it_is_no() -> None:
    on, off = st.Over(None), st.Shuffle(LINE)
    branch = st.Branch("grab.then when", TEST, (on,), (off,))
    negated = ir.Op("not", (TEST,), BOOL)
    assert list(guarded([branch, on])) == [(branch, ()), (on, (TEST,)), (off, (negated,)), (on, ())]


def test_tiles_that_move_one_by_one_at_a_row_are_one_bag() -> None:
    one_by_one: list[st.Statement] = [st.Take(BOTH, HAND), st.Put(A, LINE), st.Put(B, LINE)]
    assert list(together(one_by_one)) == [st.Take(BOTH, HAND), st.Put(BOTH, LINE)]


def test_tiles_of_two_moves_are_not_together() -> None:
    two: list[st.Statement] = [st.Take(A, HAND), st.Put(A, LINE), st.Take(B, HAND), st.Put(B, LINE)]
    assert list(together(two)) == two
