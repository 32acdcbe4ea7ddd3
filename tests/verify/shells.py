"""A small game for the tests of verify: all of its games can be gone through."""

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
