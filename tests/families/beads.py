"""A small game in which switches change shapes and scores, which its actions ask about."""

from __future__ import annotations

# Beads are taken from a heap, and laid two by two. How many a player can hold depends on what two threes count; which
# two can be laid depends on a shape.
BEADS = """
game beads "Beads"

players 2 to 2

tiles 12 of 6 kinds
  beads: two of each "{n}b" for n in 1 to 6

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's laid: melds seen by everyone

state of the hand
  mover: seat

shape twins(a, b): a's n = b's n
arrangement two-beads: 1 twins

define high(t: tile): t's n > 3
define bonus: 1

score worth(pair: tiles)
  hand: pair
  as: two-beads
  total: sum
  pattern plain 1: yes
  pattern lofty (bonus): every t in pair: high(t)

deal from heap
  hands: 2 for everyone
  then mover := first

action take(tile) by p "take"
  turn: p = mover "no"
  room: size of p's hand < (worth({3b, 3b}) otherwise 0) + 2 "no"
  there: tile in heap "no"
  then move tile from heap to p's hand
  then mover := p's right

action lay(tiles: {a, b}) by p "lay"
  turn: p = mover "no"
  held: {a, b} in p's hand "no"
  fit: {a, b} is twins "no"
  then move {a, b} from p's hand to p's laid
  then mover := p's right

action rest by p "rest"
  turn: p = mover "no"
  then nobody wins

end
  due: over "no"

payout
  none: for each q in players: q scores (worth({6b, 6b}) otherwise 0)

finish

always held: every p in players: size of p's hand <= 3
always equal-ones after lay: a's n = b's n
always small: every p in players: size of p's hand <= 6
claim counts-two: worth({6b, 6b}) = 2
claim counts-one: worth({1b, 1b}) = 1

variant dearer "every pair counts more"
  replace worth.lofty: yes
  expect held refuted
  expect counts-one refuted

variant richer "lofty pairs count more"
  replace bonus: 3
  expect counts-two refuted

variant steps "twins follow each other"
  replace twins: a's n + 1 = b's n or b's n + 1 = a's n
  expect equal-ones refuted

variant lazy "nobody rests before anybody has laid"
  add rest.laid: some q in players: q's laid is not empty
"""
