"""A game with parts that the compiled path does not know, and that `golpae lint` therefore notes in its variants."""

SILENT = """
game silent "Parts that the compiled path does not know"

option big: 0 to 1, normally 0

players 2 to 2

tiles
  coins: two of each "c{n}" for n in 1 to 21

zones
  pool: tiles seen by everyone, holds the set
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

shape same(a, b): a = b
arrangement pairs: 2 same
shape two(a, b): a /= b
arrangement many: 70 same
arrangement any: 2 twos and 3 same

score worth
  given
    hand: tiles
  hand: hand
  as: pairs
  total: sum
  pattern all 1: yes

deal from pool
  hands: 2 for everyone

action spread(sets: list of tiles) by p
  whole: sets lay out p's hand as pairs
  then nobody wins

end
  due: over
"""
