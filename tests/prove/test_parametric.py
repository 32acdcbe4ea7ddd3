"""A theorem is proved for every value of an option if it is true for each and can be expressed in numbers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import Instance, instantiate
from golpae.prove.answer import Answer
from golpae.prove.solving.solver import Solver
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes

TEXT = """game bones "Bones" [1]
source 1 "A source"

option top: 2 to 7, normally 3

players 2 to 2

tiles
  bones: one of each "{high}-{low}" for high in 0 to top, low in 0 to high

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

define each tile's pips: its high + its low
define double(t: tile): t's high = t's low
define follows(a, b: tile): a's high = (b's high + 1) mod (top + 1)
define next(a, b: tile)
  up: double(a) and double(b) and follows(a, b)
  down: double(a) and double(b) and follows(b, a)
define whole(a, b: tile): a /= b and a's pips + b's pips = 2 * top
define mates(t: tile): number of u in tiles: whole(t, u)

deal from pool
  hands: 1 for everyone

end
  due: pool is empty "not yet"

theorem goal: """

TRUE = (
    "every t in tiles: t's pips <= 2 * top",
    "no t in tiles: t's high > top",
    "some t in tiles: double(t) and t's high = top",
    "every t in tiles: t's low <= t's high and t's low >= 0",
    "every a, b in tiles: a's high = b's high and a's low /= b's low implies a /= b",
    "every t in tiles: t's pips = 0 implies mates(t) = 1",
    "every t in tiles: double(t) implies (number of u in tiles: next(t, u)) in {1, 2}",
    "every a in tiles: double(a) implies some b in tiles: follows(b, a) and double(b)",
    "{t for t in tiles: whole(t, 0-0)} = {t for t in tiles: double(t) and t's high = top}",
    "every t in tiles - {0-0}: t's pips > 0",
    "(those t in tiles: t's pips = 0) = {0-0}",
    "every t in tiles: if double(t) then t's pips = 2 * t's low else t's pips > 2 * t's low",
    "1-0 in tiles and 1-0 /= 0-0",
    "every t in tiles: (number of u in tiles: u = t) = 1",
    "every t in tiles: not double(t) or -(t's high) = 0 - t's low",
)
SOME = (  # true of the set with top 3, and not of each set
    "every t in tiles: t's pips <= 6",
    "every t in tiles: mates(t) <= 2",
    "some a, b in tiles: whole(a, b) and double(a) and double(b) and a's high = b's high + 1",
)
BEYOND = (  # true, but not supported for unknown numbers
    "(sum of t's pips for t in tiles) > 0",
    "size of tiles > 5",
    "every t in tiles: mates(t) <= top",
    "top = 3 implies size of tiles = 10",
)


def bones(statement: str, top: int) -> Instance:
    with TemporaryDirectory() as folder:
        Path(folder, "bones.golpae").write_text(TEXT + statement + "\n", encoding="utf-8")
        return instantiate(elaborate("bones", [Path(folder)]), 2, {"top": top})


def answer_to(statement: str, top: int = 3) -> Answer:
    instance = bones(statement, top)
    theorems = Theorems(instance, ReplayShapes(Machine(instance)), Solver())
    return theorems.prove("goal", instance.rule_set.properties[0].expr)


@pytest.mark.parametrize("statement", TRUE)
def test_a_theorem_true_for_every_set_is_proved_for_every_value(statement: str) -> None:
    answer = answer_to(statement)
    assert (answer.verdict, answer.every) == ("proved", "top from 2 on")
    assert {answer_to(statement, top).verdict for top in (2, 5)} == {"proved"}


@pytest.mark.parametrize("statement", SOME)
def test_a_theorem_true_for_some_sets_is_proved_for_their_values(statement: str) -> None:
    answer = answer_to(statement)
    assert (answer.verdict, answer.every) == ("proved", None)
    assert "refuted" in {answer_to(statement, top).verdict for top in (2, 4, 6)}


@pytest.mark.parametrize("statement", BEYOND)
def test_a_theorem_without_a_parametric_form_is_proved_for_the_table(statement: str) -> None:
    answer = answer_to(statement)
    assert (answer.verdict, answer.every) == ("proved", None)


def test_a_remainder_beyond_the_first_round_is_not_guessed() -> None:
    far = "every t in tiles: (t's high + 5 * (top + 1)) mod (top + 1) = t's high"
    assert answer_to(far).every is None
    assert answer_to("every t in tiles: (t's high + 5 * (top + 1)) mod (top + 1) = 0").verdict == "refuted"
