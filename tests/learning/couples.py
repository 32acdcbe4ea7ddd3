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


def couples_with(lines: str, total: str, variant: str) -> Loaded:
    """Return the game with more lines before the score and in it (those that are indented), another total, and only
    this variant.
    """
    score, _, _ = SCORE.partition("\nvariant ")
    before = [line for line in lines.strip("\n").split("\n") if not line.startswith("  ")]
    inside = [line for line in lines.strip("\n").split("\n") if line.startswith("  ")]
    score = score.replace("score worth", "\n".join([*before, "", "score worth"]))
    score = score.replace("the smaller of most and spots", total)
    text = "\n".join([BASE, score, *inside, "", f'variant changed "as others play"\n{variant}'])
    return load_text(text.replace('game sticks "Sticks"', 'game couples "Couples"'))


def given() -> list[dict[str, Any]]:
    """Return two couples of each kind, with all that can be said about them."""
    return [
        {"hand": [one, one, other, other], "drawn": drawn, "shown": shown}
        for one, other in (("1a", "2a"), ("1a", "2b"), ("5a", "2b"), ("4a", "6a"), ("5b", "6b"))
        for drawn in (True, False)
        for shown in (True, False)
    ]
