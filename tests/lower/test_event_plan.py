"""How the events of an action are listed: which values are tried."""

from __future__ import annotations

import pytest

from golpae.bundled import spec_dir
from golpae.ir import expr as ir
from golpae.lower.event_plan import AnyValue, Either, EventPlans, Members, Only, RowEnd, Source
from golpae.rule_names import named, named_rule_set


def tried(rules: str, name: str) -> list[Source]:
    """Return where the values come from of who acts and of each key."""
    rule_set = named_rule_set(named(rules, (spec_dir(),)))
    (action,) = (a for a in rule_set.actions if a.name == name)
    plan = EventPlans(rule_set, lambda param, source: True).plan(action, action.params)
    assert plan is not None
    return [choice.offered.source for choice in plan if choice.names]


@pytest.mark.parametrize(("action", "state"), [("draw", "mover"), ("lay", "mover"), ("discard", "mover")])
def test_only_the_player_whom_a_condition_names_is_tried(action: str, state: str) -> None:
    who, what = tried("jjak", action)
    assert isinstance(who, Only)
    assert isinstance(who.value, ir.StateRead)
    assert who.value.name == state
    assert isinstance(what, Members)


def test_all_players_are_tried_if_any_of_several_may_act() -> None:
    assert isinstance(tried("jjak+relaxed", "claim")[0], AnyValue)
    assert isinstance(tried("ho-hpai", "show")[0], AnyValue)


def test_a_tile_can_be_at_either_end_that_a_condition_names() -> None:
    _, put, take, _ = tried("ho-hpai", "exchange")
    assert isinstance(put, Members)
    assert isinstance(take, Either)
    assert isinstance(take.one, RowEnd)
    assert isinstance(take.other, RowEnd)
    assert isinstance(take.one.of, ir.Fits)
    assert isinstance(take.other.of, ir.Fits)
    assert (take.one.of.end, take.other.of.end) == ("back", "front")
