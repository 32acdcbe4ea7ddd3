"""Reads, writes and closures, on expressions of the bundled texts and on small ones."""

from dataclasses import replace

import pytest

from golpae.elaborate.check import elaborate
from golpae.ir import expr as ir
from golpae.ir.dependencies import (
    SET,
    Dependencies,
    closure,
    ordered_rows,
    pays,
    read_by,
    written_by,
)
from golpae.ir.ruleset import EffectClause, PatternDecl, ScoreDecl
from golpae.ir.traverse import free, names_in
from golpae.ir.types import BOOL, INT, POINTS, SEAT, SEATS, TILE, TILES, Opt

JJAK = elaborate("jjak")
OF_JJAK = Dependencies(JJAK)
P = ir.Local("p", SEAT)
ONE = ir.Const(1, INT)
PLAYERS = ir.Builtin("players", None, SEATS)


def state(name: str) -> ir.Expr:
    return ir.StateRead(name, None, SEAT)


def test_a_closure_holds_its_start_and_each_thing_once() -> None:
    edges = {"a": "bc", "b": "d", "c": "d", "d": "a"}
    assert sorted(closure("a", lambda at: edges[at])) == ["a", "b", "c", "d"]
    assert closure((), lambda at: [at]) == []


def test_words_that_do_not_change_are_not_read() -> None:
    assert read_by(PLAYERS) is None
    read = read_by(ir.Builtin("total", P, INT))
    assert read is not None
    assert (read.kind, read.name, read.seat) == ("word", "total", P)


def test_reads_of_a_players_own_zones_can_be_left_out() -> None:
    own, others = (ir.ZoneRead("hand", seat, SEATS) for seat in (P, ir.Local("q", SEAT)))
    assert OF_JJAK.reads([own], own_of="p") == frozenset()
    assert OF_JJAK.reads([others], own_of="p") == OF_JJAK.reads([own]) == {"hand"}


def test_reads_go_through_definitions() -> None:
    call = ir.CallDef("at-once", (P,), BOOL)
    assert OF_JJAK.reads([call]) == OF_JJAK.reads(OF_JJAK.exprs_of(("definition", "at-once")))
    assert OF_JJAK.first_read(call) in OF_JJAK.reads([call])
    pair = ir.CallDef("pair", (), BOOL)
    assert (OF_JJAK.first_read(pair), OF_JJAK.reads([pair])) == (None, frozenset())


def test_reads_go_through_scores_also_of_a_players_own_zones() -> None:
    own = ir.ZoneRead("hand", P, SEATS)
    pattern = PatternDecl("kept", ONE, None, ir.Op("is_none", (own,), BOOL), False, ())
    score = ScoreDecl("worth", (), ir.BagOf((), TILES), None, (), None, None, "sum", (), (pattern,), ())
    dependencies = Dependencies(replace(JJAK, scores=(score,)))
    call = ir.CallScore("worth", (), POINTS)
    assert dependencies.reads([call, own], own_of="p") == {"hand"}
    assert dependencies.first_read(call) == "hand"
    assert own in [*dependencies.nodes([call])]


def test_a_bound_name_is_open_in_the_domain_only() -> None:
    some = ir.Quant("some", ("p",), ir.BagOf((P,), SEATS), ir.Op("eq", (P, state("mover")), BOOL), BOOL, None)
    assert free(some) == {"p"}
    every = ir.Quant("every", ("p",), PLAYERS, ir.Op("eq", (P, ir.Local("q", SEAT)), BOOL), BOOL, None)
    assert free(every) == {"q"}
    assert names_in(every) == {"p", "q"}


def test_payments_write_no_state() -> None:
    pay = ir.Pay(P, P, ir.Const(1, INT))
    assert (written_by([pay]), pays(pay)) == (set(), True)
    inner = ir.When(ir.Const(True, BOOL), (ir.Win(P), ir.SetState("mover", None, P)))
    assert (written_by([inner]), pays(inner)) == ({"winner", "over", "mover"}, False)


def test_dependencies_reach_the_names_in_each_part_and_a_score_reaches_the_set() -> None:
    mahjong = elaborate("korean-mahjong")
    dependencies = Dependencies(mahjong)
    for part, content in dependencies.contents.items():
        assert dependencies.uses(part) >= content.names
    score = ir.CallScore(mahjong.scores[0].name, (), INT)
    reached = dependencies.reached_by([score])
    assert SET in reached
    assert {("shape", a) for a in mahjong.scores[0].arrangements} <= reached


@pytest.mark.parametrize(
    ("rules", "rows"),
    [("jjak", {"discards"}), ("jjak+row", {"discards", "reserve"}), ("ho-hpai", {"line"})],
)
def test_the_order_of_a_row_counts_if_something_asks_for_it(rules: str, rows: set[str]) -> None:
    assert ordered_rows(elaborate(rules)) == rows


def test_the_order_of_a_row_counts_if_its_tiles_go_on_to_a_row_whose_order_counts() -> None:
    whole, one = ir.Place("reserve", None, None), ir.Const("6-6", TILE)
    for move, ordered in (
        (ir.Move(None, whole, ir.Place("discards", None, "back"), None), True),
        (ir.Move(one, whole, ir.Place("discards", None, "back"), None), False),
        (ir.Move(None, whole, ir.Place("hand", P, None), None), False),
        (ir.Move(one, ir.Place("reserve", None, "front"), whole, None), True),
        (ir.Arrange(whole, ir.Local("tiles", TILES)), True),
    ):
        clause = EffectClause("moved", (ir.When(ir.Const(True, BOOL), (move,)),), ())
        action = replace(JJAK.actions[-1], effects=(clause,))
        rules = replace(JJAK, actions=(*JJAK.actions[:-1], action))
        assert ("reserve" in ordered_rows(rules)) == ordered, move


def test_the_order_of_a_row_counts_if_something_else_that_is_asked_reads_it() -> None:
    last = ir.ZoneEnd("reserve", None, "back", Opt(TILE))
    assert ordered_rows(JJAK, (last,)) == {"discards", "reserve"}


def test_the_order_of_a_row_counts_if_the_size_of_a_hand_reads_it() -> None:
    last = ir.Op("is_none", (ir.ZoneEnd("reserve", None, "back", Opt(TILE)),), BOOL)
    (deal,) = (action for action in JJAK.actions if action.dealing is not None)
    assert deal.dealing is not None
    changed = replace(deal, dealing=replace(deal.dealing, first=ir.If(last, ONE, ONE, INT)))
    rules = replace(JJAK, actions=tuple(changed if a is deal else a for a in JJAK.actions))
    assert ordered_rows(rules) == {"discards", "reserve"}
