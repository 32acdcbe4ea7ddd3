"""Walks over statements: which tests lead to one, and which tiles belong together."""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.types import BOOL, MELD, SEAT, TILE, TILES
from golpae.lower import statements as st
from golpae.lower.walk import Transfer, exprs_of, guarded, together, transfers

A, B = ir.Local("a", TILE), ir.Local("b", TILE)
TEST = ir.StateRead("late", None, BOOL)
HAND, LINE = ir.Place("hand", ir.Local("p", SEAT), None), ir.Place("line", None, "back")
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


def test_a_move_is_read_as_the_text_says_it() -> None:
    named, meld = ir.Local("tiles~~1", TILES), ir.Local("m", MELD)
    lane = ir.Place("lane", ir.Local("seat~~2", SEAT), "front")
    last = ir.StateRead("last", None, SEAT)
    statements: list[st.Statement] = [
        st.Let("tiles~~1", ir.Op("tiles", (meld,), TILES)),
        st.Let("seat~~2", last),
        st.Take(named, lane),
        st.Put(named, LINE),
        st.TakeFromMeld(ir.BagOf((A,), TILES), meld, ir.ZoneRead("shown", None, TILES)),
        st.Put(ir.BagOf((A,), TILES), HAND),
        st.MoveRow(LINE, HAND),
    ]
    assert list(transfers(statements)) == [
        Transfer(meld, ir.Place("lane", last, "front"), LINE),
        Transfer(A, ir.ZoneRead("shown", None, TILES), HAND),
        Transfer(None, LINE, HAND),
    ]


def test_the_expressions_of_a_statement_are_its_own_and_those_of_its_places() -> None:
    take = st.Take(A, HAND)
    assert list(exprs_of(take)) == [A, HAND.seat]
    assert list(exprs_of(st.Branch("grab.then when", TEST, (take,), ()))) == [TEST]
    assert list(exprs_of(st.Over(None))) == []
