"""Lines of groups, kinds in order, orders, cases and names for values have mutants, each with its place."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from golpae.diagnostics import SpecError, Text
from golpae.elaborate.load import load
from golpae.mutate.mutants import Mutant, mutants
from golpae.mutate.places import places
from golpae.syntax import tree as t
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.judge.texts import game

PARTS = """
kind size in order: little, middle, large
circle ring: 1c, 2c, 3c
define worth(s: size) by s
  little or middle: 1
  large: 2
define steps(n: number)
  when n < 2: 4
  when n < 5: 7
  otherwise: 9
conditions playing(p: seat)
  turn: p = mover
  few: size of p's hand > 1
effects count(a: number, b: number)
  n := n + a
  more: n := n - b
action go(tile) by p "go"
  where after-it is next after tile in ring
  requires playing(p)
  then count(worth(little), n rounded up to 5)
  then when after-it is not none: n := the smaller of n and steps(n)
"""


@cache
def found() -> dict[str, Mutant]:
    with TemporaryDirectory() as folder:
        Path(folder, "judged.golpae").write_text(game(PARTS, state="n: number = 0"), encoding="utf-8")
        loaded = load("judged", (Path(folder),))
    own = mutants(loaded)
    assert {mutant.place for mutant in own} <= {*places(loaded)}
    return {mutant.name: mutant for mutant in own}


@pytest.mark.parametrize(
    "name",
    [
        "kind size: little, middle -> middle, little",
        "order ring: no circle",
        "order ring: without 2c",
        "order ring: 1c, 2c, 3c -> 2c, 1c, 3c",
        "worth: without little or middle",
        "worth: without middle",
        "worth: little -> large",
        "worth: 2 -> 3",
        "steps: n < 2, n < 5, otherwise -> n < 5, n < 2, otherwise",
        "steps: without n < 5",
        "steps: n < 2 -> n <= 2",
        "playing.turn: dropped",
        "playing.turn: p = mover -> p /= mover",
        "playing.few: size of p's hand > 1 -> size of p's hand >= 1",
        "count.then (1): dropped",
        "count.then (1): a -> b",
        "count.more: n - b -> n + b",
        "go.playing: dropped",
        "go.after-it: next after tile in ring -> next before tile in ring",
        "go.then (1): n rounded up to 5 -> n rounded down to 5",
        "go.then (2): the smaller of n and steps(n) -> the larger of n and steps(n)",
    ],
)
def test_a_line_that_is_said_once_has_mutants(name: str) -> None:
    assert name in found()


def test_what_a_mutant_says_is_read_as_the_same() -> None:
    read = 0
    for mutant in found().values():
        decls = mutant.loaded.decls
        try:
            assert parse(Text.of("a", format_text(t.RuleText(decls)))).decls == decls
            read += 1
        except SpecError:  # a block without lines
            continue
    assert read > 0.9 * len(found())
