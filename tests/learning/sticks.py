"""A small game with variants that a newcomer might play."""

from __future__ import annotations

from golpae.elaborate.load import Loaded, load_text

TEXT = """
game sticks "Sticks"

players 2 to 3

tiles 24 of 12 kinds
  a-tiles: two of each "{size}a" for size in 1 to 6
  b-tiles: two of each "{size}b" for size in 1 to 6

zones
  stock: tiles seen by nobody, holds the set
  pile: row seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

state of the match
  leader: seat or none = none

define alike(t, u: tile): t's size = u's size or t's group = u's group

deal from stock
  lead: leader is none or first = leader "{leader} has to begin, not {first}"
  hands: 4 for everyone
  then mover := first

action play(tile) by p "put a tile on the pile"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  like: top of pile is none or alike(tile, top of pile) "{tile} does not go with {top of pile}"
  then move tile from p's hand to top of pile
  then next: mover := p's right
  then out: when p's hand is empty: p wins

action draw(tile) by p "take a tile from the stock instead"
  turn: p = mover "it is not {p}'s turn"
  left: tile in stock "{tile} is not in the stock"
  then move tile from stock to p's hand
  then next: mover := p's right
  then last: when stock is empty: nobody wins

end
  due: over "the hand is not over"
  then next: leader := winner

payout
  paid: when winner is not none: for each q in players - winner: q pays winner stake

variant any-tile "any tile goes with any other"
  drop play.like

variant sizes-alone "two tiles go together if they are equally large"
  replace alike: t's size = u's size

variant must-play "who can play may not draw"
  add draw.stuck: top of pile is not none and (no t in p's hand: alike(t, top of pile)) "{p} can play"

variant loser-leads "whoever sits at the winner's left leads"
  replace end.next: when winner is not none: leader := winner's left

variant by-tiles "each pays for the tiles that are left"
  replace payout.paid: when winner is not none: for each q in players - winner: q pays winner size of q's hand

variant stake-and-tiles "each pays the stake, and for the tiles that are left"
  replace payout.paid: when winner is not none: for each q in players - winner:
    q pays winner stake + size of q's hand

variant no-sixes "nobody plays with the sixes"
  add tiles.withdrawn: {6a, 6a, 6b, 6b}

variant one-less "two players leave out half of the large ones"
  add tiles.withdrawn: if size of players = 2 then {6a, 6b, 5a, 5b} else {}
"""


def sticks() -> Loaded:
    return load_text(TEXT)
