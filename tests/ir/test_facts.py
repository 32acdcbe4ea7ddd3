"""Facts that follow from conditions."""

from golpae.ir import expr as ir
from golpae.ir.facts import AtEnd, EachSeat, Equal, InOrder, LaidOut, Member, Other, Within, facts
from golpae.ir.types import BOOL, SEAT, SEATS, TILE, TILES, Bag

A, B = ir.Local("a", TILE), ir.Local("b", TILE)
HAND = ir.ZoneRead("hand", None, TILES)
PLAYERS = ir.Builtin("players", None, SEATS)


def op(name: ir.OpName, *args: ir.Expr) -> ir.Op:
    return ir.Op(name, args, BOOL)


def test_each_part_of_a_conjunction_is_a_fact() -> None:
    fits = ir.Fits(A, "line", None, "front", BOOL)
    both = op(
        "and", op("and", op("eq", A, B), op("member", A, HAND)), op("and", op("within", HAND, HAND), fits)
    )
    assert list(facts(both)) == [
        Equal(A, B),
        Member(A, HAND),
        Within(HAND, HAND),
        AtEnd(A, "line", None, "front", fits),
    ]


def test_rows_arrangements_and_players_have_facts_of_their_own() -> None:
    laid = ir.LayOut(ir.Local("g", Bag(TILES)), HAND, "good", BOOL)
    every = ir.Quant("every", ("p",), PLAYERS, op("eq", A, B), BOOL)
    assert list(facts(laid)) == [LaidOut(laid.groups, HAND, laid)]
    assert list(facts(ir.FitsOrder(HAND, "line", None, BOOL))) == [InOrder(HAND, "line", None)]
    assert list(facts(every)) == [EachSeat("p", PLAYERS, Equal(A, B))]


def test_any_other_condition_is_a_fact_as_it_is() -> None:
    some = ir.Quant("some", ("p",), PLAYERS, op("eq", A, ir.Local("p", SEAT)), BOOL)
    either = op("or", op("eq", A, B), op("member", A, HAND))
    assert list(facts(op("and", some, either))) == [Other(some), Other(either)]


def test_an_equation_is_read_both_ways() -> None:
    assert Equal(A, B).sides() == ((A, B), (B, A))
