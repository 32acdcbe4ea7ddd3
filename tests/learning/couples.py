"""A small game whose hands are worth points, and variants of what they are worth."""

from __future__ import annotations

from typing import Any

from golpae.elaborate.load import Loaded, load_text
from tests.learning.sticks import TEXT as STICKS

SCORE = """
shape couple(a, b): a = b
arrangement two-couples: 2 couples

define most: 5

score worth "two couples"
  given
    hand: tiles
    drawn: yes or no = no
    shown: yes or no = no
  counts: spots
  hand: hand
  as: two-couples
  total: the smaller of most and spots
  pattern couples 1 spots: yes
  pattern self-drawn 1 spots: drawn
  pattern small 2 spots: every t in hand: t's size <= 3
  pattern one-group 2 spots: every t in hand: t in a-tiles

variant hidden-alone "who has shown the hand gets nothing for drawing"
  replace worth.self-drawn: drawn and not shown

variant dear "a hand of one group is worth four"
  drop worth.one-group
  add worth.one-group 4 spots: every t in hand: t in a-tiles

variant high "a hand can be worth six"
  replace most: 6

variant doubled "a hand is worth twice as much"
  replace worth.total: 2 * the smaller of most and spots
"""

BASE, _, _ = STICKS.partition("\nvariant ")
TEXT = f"{BASE}\n{SCORE}".replace('game sticks "Sticks"', 'game couples "Couples"')


def couples() -> Loaded:
    return load_text(TEXT)


def given() -> list[dict[str, Any]]:
    """Return two couples of each kind, with all that can be said about them."""
    return [
        {"hand": [one, one, other, other], "drawn": drawn, "shown": shown}
        for one, other in (("1a", "2a"), ("1a", "2b"), ("5a", "2b"), ("4a", "6a"), ("5b", "6b"))
        for drawn in (True, False)
        for shown in (True, False)
    ]
