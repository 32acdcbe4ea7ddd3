"""A text, properties of it that are refuted, and what is said about each; `refuted.txt` has them."""

from __future__ import annotations

import re
from pathlib import Path

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
  last: tile or none = none

deal from heap
  hands: 1 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to table
  then last := tile
  then put-down := put-down + 1
  then mover := p's right
  then when p's hand is empty: p wins

end
  due: over

define pips-in-all: sum of t's rank for t in tiles
define small(t: tile): t's rank < 3
define lower(a, b: tile): a's rank < b's rank
define wrong: size of tiles = 4 and pips-in-all <= 9

define odd(t: tile)
  one: t's rank = 1
  three: t's rank = 3

"""
LINES = Path(__file__).with_name("refuted.txt").read_text("utf-8").splitlines()
STATED = {stated: story.strip() for stated, story in zip(LINES[::2], LINES[1::2], strict=True)}


def named(stated: str, name: str) -> str:
    """Return a property under another name than `p`."""
    return re.sub(r" p\b", f" {name}", stated, count=1)
