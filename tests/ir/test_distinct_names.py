"""No name of a rule set hides another one; a text whose names hide none is left as it is."""

from __future__ import annotations

from dataclasses import replace

from golpae.elaborate.check import elaborate
from golpae.ir import expr as ir
from golpae.ir.distinct_names import with_distinct_names, word_of
from golpae.ir.ruleset import EffectClause, RuleSet
from golpae.ir.traverse import free, nodes
from golpae.ir.types import BOOL, INT, SEAT, SEATS
from golpae.ir.wellformed import wellformed

P = ir.Local("p", SEAT)
PLAYERS = ir.Builtin("players", None, SEATS)


def with_effects(*effects: ir.Effect) -> RuleSet:
    """Return a game in which an action by `p` has these effects."""
    rules = elaborate("jjak")
    acting = next(a for a in rules.actions if a.by == "p")
    changed = replace(acting, effects=(EffectClause("then", effects, ()),))
    return replace(rules, actions=tuple(changed if a is acting else a for a in rules.actions))


def effects(rules: RuleSet) -> tuple[ir.Effect, ...]:
    return next(a for a in rules.actions if a.by == "p").effects[0].effects


def test_a_loop_that_hides_the_player_who_acts_has_its_own_name() -> None:
    rules = with_effects(ir.ForEach("p", PLAYERS, (ir.Win(P),)), ir.Win(P))
    assert any("hides" in fault for fault in wellformed(rules))
    loop, after = effects(with_distinct_names(rules))
    assert isinstance(loop, ir.ForEach)
    assert loop.name != "p"
    assert word_of(loop.name) == "p"
    assert loop.effects == (ir.Win(ir.Local(loop.name, SEAT)),)
    assert after == ir.Win(P)


def test_the_domain_of_a_name_does_not_know_it() -> None:
    others = ir.Op("bag_sub", (PLAYERS, ir.BagOf((P,), SEATS)), SEATS)
    inner = ir.Quant("some", ("p",), others, ir.Op("eq", (P, P), BOOL), BOOL)
    fold = ir.Fold("count", ("p",), others, None, inner, INT)
    rules = with_effects(ir.When(ir.Op("eq", (fold, fold), BOOL), ()))
    (when,) = effects(with_distinct_names(rules))
    assert isinstance(when, ir.When)
    assert free(when.test) == {"p"}
    found = next(n for n in nodes(when.test) if isinstance(n, ir.Fold))
    within = next(n for n in nodes(when.test) if isinstance(n, ir.Quant))
    assert found.domain == others
    assert free(within.domain) == set(found.names)
    assert len({"p", *found.names, *within.names}) == 3


def test_names_that_hide_none_stay() -> None:
    rules = elaborate("jjak")
    assert with_distinct_names(rules) == rules
