"""A small game in which a shape, a test of all its tiles together, is asked of tiles that the set does not have."""

from __future__ import annotations

# There is one bead of each kind. A player who calls looks at the last one twice.
ONES = """
game ones "Ones"

players 2 to 2

tiles 3 of 3 kinds
  beads: one of each "{n}b" for n in 1 to 3

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  tray: tiles seen by everyone

state of the hand
  mover: seat
  last: tile or none = none
  big: yes or no = no

shape twins(a, b): a's n = b's n
arrangement couple: 1 twins
shape both of 2: it is couple

deal from heap
  hands: 1 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to tray
  then last := tile
  then mover := p's right

action call by p "call"
  turn: p = mover "no"
  there: last is not none "no"
  fit: {last, last} is both "no"
  then big := yes

action rest by p "rest"
  turn: p = mover "no"
  then nobody wins

end
  due: over "no"

payout
  none: for each q in players: q scores 0

finish

always never-big: not big

variant low "only low ones are big"
  replace both: it is couple and (every t in it: t's n < 3)
"""
