"""A tiny game of seven kinds, for tests of shapes and arrangements."""

from __future__ import annotations

from golpae.diagnostics import Text
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.replay.machine import Machine
from golpae.replay.scoring.arrangements import Shapes
from golpae.syntax import tree as t
from golpae.syntax.parse import parse

TINY = """
game tiny "A set of seven kinds"
players 2 to 2
tiles
  reds: 9 of each "{rank}r" for rank in 1 to 4
  blues: 9 of each "{rank}b" for rank in 1 to 2
  odd: 9 of each moon "the moon"
zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
deal from bag
  hands: 3 for everyone
end
  due: over
"""
NAMES = ("1r", "2r", "3r", "4r", "1b", "2b", "moon")
KINDS = range(len(NAMES))


def shapes_of(text: str) -> Shapes:
    """Return the shapes of the tiny game with these additional lines."""
    decls = parse(Text.of("tiny", TINY + text)).decls
    (game,) = (d for d in decls if isinstance(d, t.Game))
    loaded = Loaded(tuple(d for d in decls if d is not game), game, ())
    return Machine(instantiate(check(resolve("tiny", loaded)), 2, {})).shapes
