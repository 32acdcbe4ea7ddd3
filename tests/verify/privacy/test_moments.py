"""What a player knows after statements, by hand."""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.types import BOOL, INT, TILE, Opt
from golpae.lower import statements as st
from golpae.verify.privacy.flow import Flow
from golpae.verify.privacy.levels import HIDDEN, KNOWN, Knowledge, Level, Levels, given
from golpae.verify.privacy.moments import Moments
from tests.verify.privacy.peeks import machine_of, peek, text_of

FLAG, COUNT = ir.StateRead("flag", None, BOOL), ir.StateRead("count", None, INT)
TAKEN = ir.StateRead("taken", None, Opt(TILE))


def is_number(number: int) -> ir.Expr:
    return ir.Op("eq", (COUNT, ir.Const(number, INT)), BOOL)


def after(*statements: st.Statement, **states: Level) -> tuple[Levels, Knowledge]:
    """Return what is known after statements, if only these states of a small game are not known before."""
    rules = peek().rules
    levels = Levels(rules, 2)
    known = dict.fromkeys(
        ("mover", "flag", "count", "taken", given("taken"), "mark", "over", "winner"), KNOWN
    )
    return levels, Moments(rules, levels).after(statements, Knowledge({**known, **states}))


def test_a_test_that_a_player_does_not_know_says_nothing_after_it() -> None:
    yes, no = (st.Ensure("put.asked", is_number(number)) for number in (1, 2))
    levels, known = after(st.Branch("put.when", FLAG, (yes,), (no,)), flag=HIDDEN, count=HIDDEN)
    assert levels.of(COUNT, known) is HIDDEN


def test_what_holds_in_every_event_is_known_after_it() -> None:
    levels, known = after(st.Ensure("put.asked", is_number(1)), count=HIDDEN)
    assert levels.of(COUNT, known) is KNOWN


def test_a_value_that_is_set_either_way_is_known() -> None:
    one, two = (st.Set("count", None, ir.Const(number, INT)) for number in (1, 2))
    for no, level in ((one, KNOWN), (two, HIDDEN), (st.Set("count", None, COUNT), HIDDEN)):
        _, known = after(st.Branch("put.when", FLAG, (one,), (no,)), flag=HIDDEN)
        assert known.states["count"] is level


def test_a_tile_that_is_hidden_may_be_known_to_be_there() -> None:
    drawn = ir.Local("tile", TILE)
    levels, known = after(st.Set("taken", None, drawn))
    assert levels.of(TAKEN, known) is HIDDEN
    assert levels.of(ir.Op("is_none", (TAKEN,), BOOL), known) is KNOWN


def test_an_end_does_not_say_whether_the_hand_was_over() -> None:
    text = text_of(effect="  then when 4c in p's right's hand: nobody wins\n")
    text = text.replace(
        "state of the hand", "state of the match\n  late: yes or no = no\n\nstate of the hand", 1
    )
    text = text.replace("due: over", "due: over or table is not empty") + "  then late := over\n"
    flow = Flow(machine_of(text).instance)
    flow.leaks()
    assert flow.states["late"] is HIDDEN
