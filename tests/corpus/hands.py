"""Rules whose hands count in many ways, and hands of them."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

# A hand can be laid out in more ways than are noted, or in two that are worth the same; melds lie in the order of the
# set; a score can be one of two, and values can be left out.
SHELLS = """
game shells "Shells"

players 2 to 2

tiles 36 of 12 kinds
  white: three of each "{size}w" for size in 1 to 6
  black: three of each "{size}b" for size in 1 to 6

zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape couple(a, b): a /= b
shape twins(a, b): a = b

arrangement couples: 4 couples
arrangement mixed: 1 couple and 1 twins

score worth
  given
    held: tiles
    open: melds = {}
    more: tiles = {}
    side: one of left, right or none = none
    bonus: number = 2
    leader: seat or none
    last: tile or none = none
  provided
    few: size of open <= 2 "{open} are too many"
  hand: held
  fixed: open
  as: couples or mixed
  total: sum
  pattern even 1 for each s in couples: (sum of t's size for t in s) = 7
  pattern twins-white 3: twins is twins and every t in twins: t in white
  pattern couple-white 3: every t in couple: t in white
  pattern sided bonus: side = left
  pattern led -1: leader is not none
  pattern more 1 for each t in more: last = t

score highest-tile
  given
    held: tiles
    open: melds = {}
  hand: held
  fixed: open
  as: couples or mixed
  total: highest
  pattern white 2: some t in held: t in white
  pattern black 3: every t in held: t in black

deal from bag
  hands: 4 for everyone

action show(tile) by p "show a shell"
  held: tile in p's hand "{p} does not hold {tile}"
  then p wins

end
  due: over "the hand is not over"

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake

variant plain "fewer patterns"
  drop worth.even
"""


class Ran(NamedTuple):
    status: int
    out: str
    err: str


def some_hands(many: int, seed: int) -> list[dict[str, Any]]:
    """Return hands of shells, most of which count, written in different ways."""
    draw = random.Random(seed)
    whole = [f"{size}{colour}" for size in range(1, 7) for colour in "wb"] * 3
    out = []
    for number in range(many):
        tiles = draw.sample(whole, draw.choice((4, 4, 4, 8, 8, 3)))
        if draw.random() < 0.3:
            tiles[1] = tiles[0]
        hand: dict[str, Any] = {
            "rules": draw.choice(("shells", "shells", "shells+plain")),
            "held": tiles,
            "leader": draw.choice((None, 0, 1, 2)),
        }
        if len(tiles) == 8 and draw.random() < 0.7:
            hand["open"] = [[draw.choice(("couple", "twins")), *tiles[at : at + 2]] for at in (0, 2)]
            hand["held"] = tiles[4:]
        extra = {
            "id": draw.choice((number, f"hand {number}", f"é{number}", f'"{number}"', None)),
            "more": draw.sample(whole, 2),
            "last": draw.choice((*tiles, None)),
            "side": draw.choice(("left", "right", None, "up")),
            "bonus": draw.randint(-3, 9),
            "players": draw.choice((2, 2, 3)),
            "note": "x",
            "score": draw.choice(("worth", "highest-tile")),
            "colour": 1,
        }
        hand |= {
            key: value for key, value in extra.items() if draw.random() < (0.3 if key != "colour" else 0.02)
        }
        keys = [*hand]
        draw.shuffle(keys)
        out.append({key: hand[key] for key in keys})
    return out
