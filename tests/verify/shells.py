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

# A player earns 10 ^ 999 * 5 with 0, and nothing with 1; twice as much passes the limit of a total. So 0 can come in
# the second hand only after 1 in the first. No rule reads totals.
TOTALS = """\
game totals "Totals"

players 1 to 1

tiles
  coins: one of each 1c

zones
  box: tiles seen by everyone, holds the set
  each player's hand: tiles seen by everyone

state of the match
  hands: number = 0
  twice: yes or no = no

state of the hand
  k: number = 0

deal from box
  few: hands < 2 "no"
  hands: 0 for everyone

action stop(n: number from 0 to 1) by p "stop"
  then k := n
  then p wins

end
  due: over "no"
  then hands := hands + 1
  then when k = 0 and hands = 2: twice := yes

payout
  won: when winner is not none: winner scores 5 * 10 ^ 999 * (1 - k)

variant strict "no 0 in the second hand"
  add end.never: not (k = 0 and hands = 1) "no"

never zero-at-last: twice
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
