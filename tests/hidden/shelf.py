"""A small game with a row that players put in order, and events of it."""

from __future__ import annotations

from typing import Any

SHELF = """game shelf "A player looks at the stock and puts it in order"

players 2 to 2

tiles
  coins: one of each a b c

zones
  stock: row seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from stock
  hands: 0 for everyone
  then mover := first

action sort(order: tiles) by p
  fits: order fits stock
  then arrange stock as order

action draw(tile) by p
  front: tile fits front of stock
  then move tile from front of stock to p's hand

end
  due: stock is empty
"""
Event = dict[str, Any]
HEADER: Event = {"golpae": 1, "rules": "shelf", "players": ["An", "Bo"]}
DEAL: Event = {"do": "deal", "first": 0, "hands": [[], []]}


def sort(*order: str) -> Event:
    return {"do": "sort", "by": 0, "order": [*order]}


def draws(*tiles: str) -> list[Event]:
    return [{"do": "draw", "by": 0, "tile": tile} for tile in tiles]
