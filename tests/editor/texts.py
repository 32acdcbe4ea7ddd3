"""Rule texts and recorded games in a folder, as somebody edits them."""

from __future__ import annotations

import shutil
from pathlib import Path

from golpae.bundled import spec_dir

POND = """\
game pond "Pond"
include pond-tiles
include pond-sources

players 2 to 2  # two sit at the water

kind moment: one of drawing, giving

zones
  wall: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  pool: tiles seen by everyone

state of the hand
  stage: moment = drawing
  mover: seat

# Whether two lanterns go together.
define alike(a, b: tile): a = b                                           [P1]

deal from wall                                                            [P2]
  hands: 3 for everyone
  then mover := first

action take(tile) by p "take a lantern"                                   [P2]
  turn: p = mover and stage = drawing "it is not {p}'s turn"
  left: tile in wall "no {tile} is left"
  then move tile from wall to p's hand
  then stage := giving

action give(tile) by p "give a lantern away"                              [P2]
  turn: p = mover and stage = giving "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  mates: some other in p's hand: alike(other, tile) "{p} has no mate of {tile}"
  then move tile from p's hand to pool
  then stage := drawing
  then mover := p's right
  then when p's hand is empty: p wins

end
  due: over "the hand is not over"

always few after give: size of p's hand <= 4

variant pairs "any two go together"
  replace alike: a = a and b = b
  add give.kept: tile not in pool "{p} keeps {tile}"
"""
TILES = """\
tiles 20 of 5 kinds
  lanterns: four of each "l{rank}" for rank in 1 to 5
"""
SOURCES = """\
source 900 "A pond"
  P1 in "Pairs": "two lanterns of a kind go together"
  P2 in "Play": "a player takes a lantern and gives one away"
"""
GAME = """\
{"golpae":1,"rules":"pond+pairs","players":["An","Bo"]}
{"do":"deal","first":0,"hands":[["l1","l1","l2"],["l3","l3","l4"]]}
{"do":"take","by":0,"tile":"l2"}
{"do":"give","by":0,"tile":"l5"}
"""


def pond(folder: Path) -> Path:
    """Write a game with its parts and a recorded game. Return its text."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("pond", POND), ("pond-tiles", TILES), ("pond-sources", SOURCES)):
        (folder / f"{name}.golpae").write_text(content, encoding="utf-8")
    (folder / "game.jsonl").write_text(GAME, encoding="utf-8")
    return folder / "pond.golpae"


def bundled(folder: Path, name: str) -> Path:
    """Copy golpae's own texts. Return the one of this name."""
    for file in spec_dir().glob("*.golpae"):
        shutil.copy(file, folder)
    return folder / f"{name}.golpae"
