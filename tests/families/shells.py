"""A small game with switches of every kind, which change verdicts alone, together and not at all."""

from __future__ import annotations

from tests.verify.shells import SHELLS

OLD, NEW = (
    ("then thrown := thrown + 1", "then lit := not lit"),
    ("then count: thrown := thrown + 1", "then turn-it: lit := not lit"),
)
GAME = SHELLS
for _old, _new in zip(OLD, NEW, strict=True):
    assert _old in GAME
    GAME = GAME.replace(_old, _new)

FAMILY = f"""{GAME}
define copies: 2
define lightens(p: seat)
  always: p = thrower

always few: thrown <= 4
always dark: not lit
reachable eight: thrown = 8
never lit-late: lit and thrown > 2
theorem two-of-each: every t in tiles: (number of u in tiles: u = t) = copies
always changes after flip: lit /= earlier(lit)
ends every-event: 8 - 2 * size of sand - (if lit then 1 else 0)
always plain: size of sand <= 4

variant unlit "the light stays off"
  drop flip.turn-it
  expect changes refuted

variant double "a throw counts twice"
  replace throw.count: thrown := thrown + 2
  drop plain

variant trio "three copies are claimed"
  replace copies: 3

reading quiet "nobody flips in a hand that has begun"
  add flip.never: thrown < 0

variant loud "the first flip is the last"
  add flip.once: not lit
  always lit-for-good after flip: lit

variant late "flips come late"
  add flip.late: thrown > 1
  add lightens.late: thrown > 1
"""
