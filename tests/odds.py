"""A minimal game, for tests that add to it."""

ODDS = """game odds "Odds"

players 2 to 2

tiles 4 of 2 kinds
  stones: two of each "{size}s" for size in 1 to 2

zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from bag
  hands: 1 for everyone
  then mover := first

action take(tile) by p "take a stone"
  turn: p = mover "it is not {p}'s turn"
  left: tile in bag "{tile} is not there"
  then move tile from bag to p's hand
  then mover := p's right
  then when bag is empty: nobody wins

end
  due: over "the hand is not over"
"""
