"""A refuted property says which part of it fails, and the values on both sides."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.solver
TEXT = """\
game why "Why"

players 2 to 2

tiles 4 of 4 kinds
  pips: one of each "t{rank}" for rank in 1 to 4

zones
  heap: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  put-down: number = 0

deal from heap
  hands: 1 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to table
  then put-down := put-down + 1
  then mover := p's right
  then when p's hand is empty: p wins

end
  due: over

define pips-in-all: sum of t's rank for t in tiles
define small(t: tile): t's rank < 3
define lower(a, b: tile): a's rank < b's rank

"""
ALL = "the left side is t1 t2 t3 t4"
STATED = {
    "theorem p: every t in tiles: small(t)": "t = t3; `small`: the left side is 3, not less than 3",
    "theorem p: no t in tiles: t's rank = 3": "t = t3; both sides are 3",
    "theorem p: some t in tiles: t's rank > 9": "none of 4 is so",
    "theorem p: not (some t in tiles: t's rank > 3)": "t = t4: the left side is 4, which is more than 3",
    "theorem p: every a, b in tiles: lower(a, b)": "a = t2, b = t1; `lower`: the left side is 2, not less than 1",
    "claim p: pips-in-all = 11": "`pips-in-all` is 10, not 11",
    "claim p: 11 = pips-in-all": "`pips-in-all` is 10, not 11",
    "claim p: not (pips-in-all = 10)": "both sides are 10",
    "claim p: not (size of tiles = 4 and pips-in-all < 11)": (
        "both sides are 4; `pips-in-all` is 10, which is less than 11"
    ),
    "claim p: not (pips-in-all = 3 or pips-in-all in {10, 11})": (
        "the second of 2 parts holds: `pips-in-all` is 10, which is among: 10, 11"
    ),
    "claim p: if size of tiles = 4 then pips-in-all = 11 else yes": "`pips-in-all` is 10, not 11",
    "claim p: -7 div 2 = -(7 div 2)": "the left side is -4, not -3",
    "claim p: pips-in-all = 11 or pips-in-all < 5": "`pips-in-all` is 10, not 11; `pips-in-all` is 10, not less than 5",
    "claim p: pips-in-all = 10 implies pips-in-all >= 12": "`pips-in-all` is 10, not at least 12",
    "claim p: pips-in-all in {1, 2}": "`pips-in-all` is 10, which is not among: 1, 2",
    "claim p: tiles = {t1, t2}": f"{ALL}, not t1 t2",
    "claim p: size of tiles = 4 and pips-in-all = 10 and (number of t in tiles: t's rank > 2) = 3": (
        "the third of 3 parts fails: the left side is 2, not 3"
    ),
    "claim p: wrong": "`wrong`: the second of 2 parts fails: `pips-in-all` is 10, not at most 9",
    "always p: put-down < 1 and size of table <= 0": (
        "a game of 2 events, the shortest; the first of 2 parts fails: `put-down` is 1, not less than 1"
    ),
    "always p after put: put-down = earlier(put-down)": (
        "a game of 2 events, the shortest; `put-down` is 1, not 0"
    ),
    "always p: every q in players: size of q's hand = 1": (
        "before the first event; q = seat 0: the size of `hand` of seat 0 is 0, not 1"
    ),
    "never p: put-down = 1": "a game of 2 events, the shortest",
}


@pytest.mark.parametrize("stated", STATED)
def test_a_refuted_property_says_what_fails(golpae: Golpae, here: Path, stated: str) -> None:
    words = STATED[stated]
    text = TEXT + f"define wrong: size of tiles = 4 and pips-in-all <= 9\n\n{stated}\n"
    (here / "why.golpae").write_text(text, encoding="utf-8")
    call = ("prove", "why.golpae", "p", "--no-cache", "--format")
    done = golpae(*call, "json")
    assert done.status == 1, done.err
    [found] = json.loads(done.out)["findings"]
    assert (found["verdict"], found["story"]) == ("refuted", words)
    if "third" in words:  # the other forms show the same words
        shown = " ".join(golpae(*call, "table").out.split())
        assert f"how: {words}" in shown
        root = Tree.fromstring(golpae(*call, "junit").out)
        [failure] = root.iter("failure")
        assert words in str(failure.get("message")) + str(failure.text)
        assert words in golpae(*call, "markdown").out


def test_what_takes_too_long_is_left_out(golpae: Golpae, here: Path) -> None:
    text = TEXT.replace("for rank in 1 to 4", "for rank in 1 to 60").replace("4 of 4 kinds", "60 of 60 kinds")
    stated = "theorem p: every a, b in tiles: a's rank + b's rank < 119 or a = b\n"
    (here / "why.golpae").write_text(f"{text}\n{stated}", encoding="utf-8")
    done = golpae("prove", "why.golpae", "p", "--no-cache")
    assert done.status == 1
    assert "how: a = t59, b = t60\n" in done.out
