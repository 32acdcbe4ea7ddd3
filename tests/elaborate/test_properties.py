"""Elaborated properties: the values that they read, and their changes by variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.ir import expr as ir
from golpae.ir.ruleset import PropertyDecl
from golpae.ir.types import BOOL, INT, SEAT, TILE, TILES
from golpae.ir.wellformed import wellformed
from tests.elaborate.faulty import BASE

TEXT = """game own "Made"
include little

shape twins(a, b): a = b
arrangement one-twin: 1 twins

score worth
  given
    hand: tiles
    dear: number = 0
  hand: hand
  as: one-twin
  define more: dear + 1
  total: sum
  pattern all 1: yes
  pattern rare 2: twins is twins

never shown after show: a = b or p = first-of(p)
always dealt after deal: first in players
ends sinking after put expected bounded: size of pool
theorem alike: some h of 2 in tiles: size of kinds of h = 1
claim counted: every way of worth: kept and rare and more > 1 implies points >= eligible

define first-of(p: seat): p

variant odd "an odd one"
  drop dealt
  replace alike: no h of 3 in tiles: size of kinds of h = 1
  expect sinking refuted
  theorem six: size of kinds = 6

variant even "the same"
  drop dealt
  expect sinking refuted
"""


def properties(tmp_path: Path, switches: str = "") -> dict[str, PropertyDecl]:
    path = tmp_path / "own.golpae"
    path.write_text(TEXT, encoding="utf-8")
    rules = elaborate(f"own{switches}", [path, BASE])
    assert wellformed(rules) == []
    return {prop.name: prop for prop in rules.properties}


def test_a_property_after_an_action_reads_its_values(tmp_path: Path) -> None:
    found = properties(tmp_path)
    assert [found[name].after for name in ("shown", "dealt", "sinking", "alike")] == [
        "show",
        "deal",
        "put",
        None,
    ]
    assert isinstance(found["shown"].expr, ir.Op)
    assert found["shown"].expr.args[0] == ir.Op("eq", (ir.Local("a", TILE), ir.Local("b", TILE)), BOOL)


def test_a_name_for_several_tiles_is_of_kind_tiles(tmp_path: Path) -> None:
    alike = properties(tmp_path)["alike"].expr
    assert isinstance(alike, ir.Quant)
    assert (alike.names, alike.size) == (("h",), ir.Const(2, INT))
    assert ir.Local("h", TILES) in list(_locals(alike.body))


def test_a_property_of_a_way_reads_patterns_points_and_whether_it_is_kept(tmp_path: Path) -> None:
    counted = properties(tmp_path)["counted"].expr
    assert isinstance(counted, ir.Ways)
    assert (counted.kind, counted.score) == ("every", "worth")
    names = {local.name: local.type for local in _locals(counted.body)}
    assert names == {"kept": BOOL, "rare": BOOL, "more": INT, "points": INT, "eligible": INT}


@pytest.mark.parametrize("switches", ["+odd", "+odd+even"])
def test_variants_drop_replace_and_add_properties(tmp_path: Path, switches: str) -> None:
    found = properties(tmp_path, switches)
    assert list(found) == ["shown", "sinking", "alike", "counted", "six"]
    assert found["sinking"].expected == "refuted"
    assert isinstance(found["alike"].expr, ir.Quant)
    assert found["alike"].expr.kind == "no"


def _locals(expr: ir.Expr) -> list[ir.Local]:
    from golpae.ir.traverse import nodes

    return [node for node in nodes(expr) if isinstance(node, ir.Local)]


def test_the_name_after_by_is_a_player(tmp_path: Path) -> None:
    assert ir.Local("p", SEAT) in _locals(properties(tmp_path)["shown"].expr)
