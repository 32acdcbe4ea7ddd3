"""A small rule text for comparisons, and its differences from changed versions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from golpae.compare.text.diff import TextComparison, compare_texts
from golpae.elaborate.check import check
from golpae.elaborate.load import load
from golpae.elaborate.resolve import Resolved, resolve, split

GAME = """\
game ferry "Ferry"                                                        [F1]

source 900 "Rules of the ferry"
  F1 in "The game": "each player puts freight on the ferry"
  F2 in "The game": "only freight of one's own kind"
  F3: "the ferry leaves when it is full"

players 2 to 3

option dealt: 1 to 3

tiles 12 of 6 kinds
  plain: two of each 1-1 2-2 3-3 4-4 5-5 6-6
  written: "{high}-{low}"

zones
  quay: tiles seen by nobody, holds the set
  ferry: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

state of the match
  rounds: number = 0

state of the hand
  mover: seat
  last: tile or none = none

define each tile's weight: its high + its low
define heavy(t: tile): t's weight > 6                                     [F2]
define fits-on(a, b: tile)                                                [F2]
  same: a = b and not heavy(a)
  both: heavy(a) and heavy(b)
define mates(t: tile): number of u in tiles: fits-on(t, u)
define two-of(what: seat, how: number): size of what's hand = how

deal from quay
  hands: dealt for everyone
  then mover := first

action load(tile) by p "put a tile on the ferry"                          [F1]
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  fit: last is none or some b in {last}: fits-on(tile, b) "{tile} does not fit"  [F2]
  then move tile from p's hand to back of ferry
  then
    last := tile
    mover := p's right
  then full: when size of ferry = 4 and two-of(what: p, how: 0): p wins   [F3]

action swap(tiles: {a, b}) by p "show two of a kind"
  turn: p = mover
  alike: a = b and {a, b} in {{1-1, 1-1}, {2-2, 2-2}}
  then move {a, b} from p's hand to p's shown

end
  due: over
  then rounds := rounds + 1

payout
  won: when winner is not none: for each q in players - winner: q pays winner stake

always keeps: every p in players: size of p's hand <= 3
theorem mated: every t in tiles: mates(t) >= 1

variant open "anyone may load"                                            [F3]
  replace load.turn: p in players
  drop fits-on.both
  add load.light: not heavy(tile)
  expect keeps refuted
  always never-many: size of ferry <= 12
"""

Changed = Callable[..., TextComparison]


@pytest.fixture
def resolved(tmp_path: Path) -> Callable[..., Resolved]:
    """A function that resolves a text with switches."""

    def make(text: str, switches: str = "", name: str = "ferry") -> Resolved:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        (folder / f"{name}.golpae").write_text(text, "utf-8")
        found = resolve(name + switches, load(name, [folder]))
        check(found)
        return found

    return make


@pytest.fixture
def changed(resolved: Callable[..., Resolved]) -> Changed:
    """Return the differences after replacing words of the game, each by the next argument."""

    def make(*words: str) -> TextComparison:
        text = GAME
        for old, new in zip(words[::2], words[1::2], strict=True):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return compare_texts(resolved(GAME), resolved(text))

    return make


@cache
def bundled(rules: str) -> Resolved:
    return resolve(rules, load(split(rules)[0]))


def paths(c: TextComparison) -> list[str]:
    """Return each difference in a few words."""
    return [f"{d.kind} {d.path}" for d in c.differences]
