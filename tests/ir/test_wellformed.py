"""Every elaborated rule set is well formed, and damage is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.load import game_names, load
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, PropertyDecl, PropertyKind, RuleSet
from golpae.ir.types import BOOL, INT, SEAT, TILE, TILES
from golpae.ir.wellformed import wellformed
from golpae.syntax import tree as t

NO_OPERATOR = cast("ir.OpName", "xor")
GAMES = Path(__file__).parent.parent / "games"


def rule_sets() -> list[str]:
    """Yield every game without switches, with each switch, and with all switches that can be combined."""
    out = []
    for game in game_names([GAMES]):
        switches = [d.name.text for d in load(game, [GAMES]).decls if isinstance(d, t.Variant)]
        out += [game, *(f"{game}+{s}" for s in switches)]
    return out


@pytest.mark.parametrize("rules", rule_sets())
def test_every_elaborated_rule_set_is_well_formed(rules: str) -> None:
    assert wellformed(elaborate(rules, [GAMES])) == []


@pytest.fixture(scope="module")
def jjak() -> RuleSet:
    return elaborate("jjak")


def with_condition(rules: RuleSet, action: str, expr: ir.Expr) -> RuleSet:
    """Return the rule set with another last condition of an action."""

    def changed(a: Action) -> Action:
        last = replace(a.conditions[-1], expr=expr)
        return replace(a, conditions=(*a.conditions[:-1], last)) if a.name == action else a

    return replace(rules, actions=tuple(changed(a) for a in rules.actions))


P = ir.Local("p", SEAT)
YES = ir.Const(True, BOOL)


def with_property(rules: RuleSet, kind: PropertyKind, expr: ir.Expr, after: str | None = None) -> RuleSet:
    return replace(rules, properties=(PropertyDecl(kind, "new", expr, None, None, (), after),))


DAMAGE: dict[str, tuple[str, Callable[[RuleSet], RuleSet]]] = {
    "a property after no action": (
        "always new: after nothing",
        lambda r: with_property(r, "always", YES, "nothing"),
    ),
    "a theorem after an action": (
        "theorem new: after lay",
        lambda r: with_property(r, "theorem", YES, "lay"),
    ),
    "a property of another action's value": (
        "always new: tile is not in scope",
        lambda r: with_property(r, "always", ir.Op("eq", (ir.Local("tile", TILE),) * 2, BOOL), "lay"),
    ),
    "tiles together by two names": (
        "theorem new: 2 names of members together",
        lambda r: with_property(
            r, "theorem", ir.Quant("some", ("a", "b"), ir.Group("civil", TILES), YES, BOOL, ir.Const(2, INT))
        ),
    ),
    "so many tiles that is no number": (
        "theorem new: yes or no stands for a number",
        lambda r: with_property(
            r, "theorem", ir.Quant("some", ("a",), ir.Group("civil", TILES), YES, BOOL, YES)
        ),
    ),
    "the ways of no score": (
        "theorem new: no score worth",
        lambda r: with_property(r, "theorem", ir.Ways("some", "worth", YES, BOOL)),
    ),
    "ways that no prover is asked for": (
        "always new: goes through the ways of a score",
        lambda r: with_property(r, "always", ir.Ways("some", "worth", YES, BOOL)),
    ),
    "a name out of scope": (
        "draw.place: nobody is not in scope",
        lambda r: with_condition(r, "draw", ir.Op("eq", (ir.Local("nobody", SEAT), P), BOOL)),
    ),
    "a condition that is no yes or no": (
        "draw.place: a number stands for yes or no",
        lambda r: with_condition(r, "draw", ir.Const(3, INT)),
    ),
    "a shared state read of a player": (
        "draw.place: no such state mover",
        lambda r: with_condition(r, "draw", ir.Op("eq", (ir.StateRead("mover", P, SEAT), P), BOOL)),
    ),
    "a player's zone read without its player": (
        "draw.place: no such zone hand",
        lambda r: with_condition(
            r,
            "draw",
            ir.Op(
                "member",
                (ir.Local("tile", TILE), ir.ZoneRead("hand", None, ir.Group("civil", TILE).type)),
                BOOL,
            ),
        ),
    ),
    "an operator that there is not": (
        "draw.place: no operator xor",
        lambda r: with_condition(
            r, "draw", ir.Op(NO_OPERATOR, (ir.Const(True, BOOL), ir.Const(True, BOOL)), BOOL)
        ),
    ),
    "a definition used with too few values": (
        "draw.place: pair with 1 values",
        lambda r: with_condition(r, "draw", ir.CallDef("pair", (ir.Local("tile", TILE),), BOOL)),
    ),
    "two actions of one name": (
        "two actions called draw",
        lambda r: replace(r, actions=(*r.actions, *(a for a in r.actions if a.name == "draw"))),
    ),
    "no deal": (
        "0 actions of kind deal",
        lambda r: replace(r, actions=tuple(a for a in r.actions if a.kind != "deal")),
    ),
    "no zone that holds the set": (
        "not exactly one zone holds the set",
        lambda r: replace(r, zones=tuple(replace(z, holds_set=False) for z in r.zones)),
    ),
    "a payment where nothing is paid": (
        "draw.then: pays where nothing is paid",
        lambda r: replace(
            r,
            actions=tuple(
                replace(a, effects=(replace(a.effects[0], effects=(ir.Pay(P, P, ir.Const(1, INT)),)),))
                if a.name == "draw"
                else a
                for a in r.actions
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_every_kind_of_damage_is_reported(name: str, jjak: RuleSet) -> None:
    fault, damage = DAMAGE[name]
    assert fault in wellformed(damage(jjak))
