"""What the small games of coins have in common: what stands between their first lines and their definitions."""

COINS = """\
players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 2

zones
  box: tiles seen by nobody, holds the set
  heap: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  taken: number = 0
"""
