"""A small game whose switches change everything that a score can say."""

from __future__ import annotations

TRICKS = """
game tricks "Tricks"

players 2 to 2

tiles 9 of 3 kinds
  tricks: three of each "{n}t" for n in 1 to 3

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

shape twins(a, b): a = b
shape lone(a): a's n > 0
shape trio(a, b, c): a = b and b = c
arrangement mixed: 1 twins and 1 lone
arrangement alike: 1 trio
arrangement whole: mixed or alike

define low(t: tile): t's n = 1

score worth
  given
    hand: tiles
    win: tile
    drawn: yes or no = no
    last: yes or no = no
  provided
    final: last implies drawn "the last tile is drawn"
  hand: hand + win
  as: whole
  keep: eligible >= 1
  total: sum
  ending brings own
  lows brings plain
  define tiles-held: hand + win
  define price: 1
  define whole-hand: drawn
  pattern plain 1: some t in hand: low(t)
  pattern paid (price): some t in tiles-held: t's n = 2
  pattern three 2: size of trio = 3
  pattern split 1: twins /= {win, win}
  pattern own 2: whole-hand
  pattern ending 4, extra: last
  pattern lows 3: every t in tiles-held: low(t)

deal from heap
  hands: 2 for everyone
  then mover := first

action rest by p "rest"
  turn: p = mover "no"
  then nobody wins

end
  due: over "no"

payout
  none: for each q in players: q scores 0

finish

claim at-most-ten: every way of worth: kept implies points <= 10
claim twelve: some way of worth: kept and points = 12
claim no-four: no way of worth: points = 4
claim own-is-drawn: every way of worth: own implies drawn
claim worthless: some way of worth: not kept

variant dear "a two costs more"
  replace worth.price: 2

variant plainly "what another brings is not added"
  replace worth.total: unimplied

reading fussy "only mixed hands are whole"
  replace worth.whole-hand: drawn and size of twins = 2

variant open "the last tile need not be drawn"
  drop worth.final
  drop worth.ending-brings
  replace own-is-drawn: every way of worth: own and last implies drawn

reading strict "two points are needed"
  replace worth.keep: eligible >= 2

reading brought "mixed lows bring what they have"
  replace worth.lows-brings: plain, split
  replace low: t's n <= 1

variant lazy "only whoever has cards rests"
  add rest.holding: size of p's hand > 0
"""
