"""Small games for the tests of verify: all of their games can be gone through."""

from __future__ import annotations

# Two players hold two of four shells each. They throw one after the other, may flip a switch at any time, and the hand
# ends when nobody holds any.
SHELLS = """\
game shells "Shells"

players 2 to 2

tiles 4 of 2 kinds
  shell: two of each pale dark

zones
  box: tiles seen by nobody, holds the set
  sand: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  thrower: seat
  lit: yes or no = no
  thrown: number = 0

deal from box
  hands: 2 for everyone
  then thrower := first

action throw(tile) by p "throw"
  turn: p = thrower "no"
  held: tile in p's hand "no"
  then move tile from p's hand to sand
  then thrower := p's right
  then thrown := thrown + 1
  then when size of sand = 4: nobody wins

action flip by p "flip"
  turn: p = thrower "no"
  then lit := not lit

end
  due: over "no"

payout
  lit: when lit: for each q in players: q scores 1
"""


# How many tiles are dealt depends on a key of the deal, on a state of the match and on who is first. In the second hand
# the first player gets one more tile, of which there are too few for three.
SIZED = """\
game sized "Sized"

players 2 to 2

tiles
  t: one of each 1t 2t 3t 4t

zones
  pile: row seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the match
  dealer: seat or none = none
  each player's size: number = 1

state of the hand
  mover: seat

deal(cards: number from 0 to 2) from pile
  few: hands-played < 2 "no"
  dealer: dealer is none or first = dealer's right "no"
  hands: cards + (if first = dealer otherwise first then 0 else 1) for first, cards * first's size for the others
  then mover := first
  then dealer := first

action stop by p "stop"
  turn: p = mover "no"
  then p's size := p's size + 1
  then p wins

end
  due: over "no"

payout
  won: for each q in players: q scores size of q's hand

always counted after deal: size of first's hand = cards + (if hands-played = 0 then 0 else 1)
reachable two: size of mover's hand = 2 and hands-played = 1
reachable three: size of mover's hand = 3

variant more "one more for the others"
  replace deal.hands: cards for first, cards + hands-played for the others
"""
