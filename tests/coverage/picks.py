"""A small game with two variants, and recorded games of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from golpae.coverage.measure import Coverage
from golpae.coverage.tally import GameTally
from golpae.elaborate.check import elaborate

PICKS = """\
game picks "Picks"                                                        [1]

source 1 "a book"
  R1 in "Play": "whoever is to move puts down a tile"
  R2 in "Play": "a tile fits if it is like the last one, or a star"
  R3 in "End": "whoever has no tile left has won, and is paid by the others"
  R4 in "Variants": "a player may pass"
  R5 in "Nowhere": "nothing is said about this"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 3
  stars: two of each "{size}s" for size in 1 to 3

zones
  pool: tiles seen by nobody, holds the set
  beach: row seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

define fits(a, b: tile)                                                   [R2]
  like: a = b
  star: a in stars

define price: 2 * stake
define lonely(p: seat): size of p's hand = 1

deal from pool
  hands: 2 for everyone
  then mover := first

action put(tile) by p                                                     [R1]
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  fits: every b in kinds: top of beach = b implies fits(tile, b) "{tile} does not fit"  [R2]
  then move tile from p's hand to top of beach
  then mover := p's right
  then when p's hand is empty: p wins                                     [R3]

end                                                                       [R3]
  due: over "the hand is not over"

payout
  then when winner is not none: for each q in players - winner: q pays winner price

finish

theorem nothing: every p in players: lonely(p) or not lonely(p)

variant passing "anybody may pass"                                        [R4]
  replace put.turn: p = mover or p = mover's right "{p} cannot put"

variant free "everything fits"
  drop put.fits                                                           [R4]
"""
HANDS = {"do": "deal", "first": 0, "hands": [["1c", "1s"], ["1c", "2c"]]}


def put(by: int, tile: str) -> dict[str, Any]:
    return {"do": "put", "by": by, "tile": tile}


def traces(*games: tuple[str, Iterable[Mapping[str, Any]]]) -> bytes:
    """Return games of these rules, each with its deal."""
    lines: list[Mapping[str, Any]] = []
    for rules, events in games:
        lines += [{"golpae": 1, "rules": rules, "players": ["An", "Bo"]}, HANDS, *events]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


WON = (put(0, "1c"), put(1, "1c"), put(0, "1s"), {"do": "end", "winner": 0, "pay": [2, -2]})
MISFIT = (put(0, "1c"), put(1, "2c"))
NOT_MOVER = (put(1, "1c"),)


def folder(at: Path) -> Path:
    """Return a folder with the rule text."""
    (at / "picks.golpae").write_text(PICKS, encoding="utf-8")
    return at


def coverage(at: Path, text: str = PICKS) -> Coverage:
    places = [folder(at)]
    (at / "picks.golpae").write_text(text, encoding="utf-8")
    return Coverage(lambda rules: elaborate(rules, places), places)


def counted(at: Path, *games: tuple[str, Iterable[Mapping[str, Any]]], text: str = PICKS) -> GameTally:
    """Return the counts of games."""
    found = coverage(at, text)
    for _ in found.file(io.BytesIO(traces(*games)), "games.jsonl"):
        pass
    return found.game("picks")


def games_of(tally: GameTally, name: str, side: str) -> int:
    """Return in how many games something came of a clause."""
    (clause,) = (c for c in tally.book.clauses if c.name == name)
    return tally.games_of(clause, side)
