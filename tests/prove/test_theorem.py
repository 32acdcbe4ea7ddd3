"""Theorems: proved with the clauses that matter, refuted with what shows it."""

from __future__ import annotations

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import Answer
from golpae.prove.solving.solver import Solver
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.verify.replay_bridge import ReplayShapes

START = """game probe "A probe" [1]
source 1 "A source"

players 2 to 2

tiles
  reds: two of each r1 r2 r3
  blues: two of each b1 b2
  single: one of each x

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

deal from pool
  hands: 1 for everyone

end
  due: pool is empty "not yet"

define mates(a, b: tile)
  same: a = b and a /= x
  odd: {a, b} = {r1, b2}
"""


def rule_set(more: str) -> RuleSet:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.golpae"
        path.write_text(START + more, encoding="utf-8")
        return elaborate("probe", [Path(folder)])


def decided(statement: str, more: str = "") -> Answer:
    table = instantiate(rule_set(f"{more}\ntheorem asked: {statement}\n"), 2, {})
    machine = Machine(table)
    theorems = Theorems(table, ReplayShapes(machine), Solver())
    return theorems.prove("asked", table.rule_set.properties[0].expr)


def test_a_proof_names_the_clauses_that_it_used() -> None:
    answer = decided("every t in reds: mates(t, t)")
    assert (answer.verdict, answer.clauses) == ("proved", ("mates.same",))
    answer = decided("some t in reds: mates(t, b2)")
    assert (answer.verdict, answer.clauses) == ("proved", ("mates.odd",))


def test_a_refuted_theorem_shows_the_tiles() -> None:
    answer = decided("every t in kinds: mates(t, t)")
    assert answer.verdict == "refuted"
    assert answer.witness is not None
    assert answer.witness.values == (("t", "x"),)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("some h of 2 in tiles: h = {x, r1}", "proved"),
        ("some h of 2 in tiles: h = {x, x}", "refuted"),
        ("every h of 2 in reds: no t in h: t in blues", "proved"),
        ("no h of 3 in tiles: size of kinds of h = 1", "proved"),
        ("no h of 2 in tiles: size of kinds of h = 1", "refuted"),
        ("some h of 4 in tiles: some k of 4 in tiles - h: x in h and x in k", "refuted"),
        ("some h of 4 in tiles: some k of 4 in tiles - h: x in h and r1 in k", "proved"),
    ],
)
def test_several_tiles_together_come_from_the_set_once(statement: str, verdict: str) -> None:
    assert decided(statement).verdict == verdict


def test_a_statement_about_nothing_is_vacuous() -> None:
    assert decided("every t in reds - reds: no u in kinds: mates(t, u)").vacuous is not None
    assert decided("every t in kinds: t in reds and t in blues implies t = x").vacuous is not None
    assert decided("every t in kinds: t in reds implies mates(t, t)").vacuous is None


def test_what_cannot_be_said_is_unknown() -> None:
    answer = decided("some h of 2 in tiles: some t in h: some k of 2 in h: t in k and k = h")
    assert answer.verdict == "unknown"
    assert "the prover cannot say" in answer.story
