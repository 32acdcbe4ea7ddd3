"""A game whose score has values that a hand which is stated gives by its tiles."""

TEXT = """
game own "Values of a hand that others give"

players 2 to 2

tiles 13 of 5 kinds
  coins: three of each "{n}c" for n in 1 to 4
  golden: one of each 1g like 1c
  withdrawn: {1c}

zones
  stock: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape pair(a, b): a = b
arrangement pairs: 2 pairs

define dearly(n: number): 2 * n

score worth
  given
    hand: tiles
    win: tile
    all-tiles: tiles = hand + win
    gold: number = number of t in all-tiles: t in golden
    twice: number = dearly(gold)
  provided
    few: twice <= 3 "too much gold"
  hand: hand + win
  as: pairs
  marking: win as completed
  total: sum
  pattern base 1: yes
  pattern gold gold: gold > 0
  pattern twice twice: twice > 0

action show(tile, points: number) by p "show the hand"
  from: tile in stock "{tile} is not in the stock"
  points: points = worth(p's hand, tile) "the hand counts {worth(p's hand, tile)}"
  then p wins

deal from stock
  hands: 3 for everyone

action stop by p "end the hand"
  then nobody wins

end
  due: over "the hand is not over"

variant dear "gold counts thrice"
  replace dearly: 3 * n
"""
