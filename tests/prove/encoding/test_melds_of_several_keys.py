"""A meld of tiles that keys of their own name, from several places."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.prove.meanings import rule_set_of

LANTERNS = """
game lanterns "Lanterns"

players 2 to 2

tiles 24 of 12 kinds
  lanterns: two of each "{size}-{side}" for size in 1 to 6, side in 1 to 2

zones
  stock: tiles seen by nobody, holds the set
  market: tiles seen by everyone
  each player's hand: tiles seen by its owner
  each player's pairs: melds seen by everyone

state of the hand
  mover: seat

deal from stock
  hands: 5 for everyone
  then mover := first

action pair(mine, theirs: tile) by p "pair"
  turn: p = mover "no"
  held: mine in p's hand and theirs in market "no"
  mates: mine's size = theirs's size "no"
  then move mine from p's hand to market
  then move {mine, theirs} from market to p's pairs
  then mover := p's right
  then when p's hand is empty: p wins

action take(tile) by p "take"
  turn: p = mover "no"
  there: tile in stock "no"
  then move tile from stock to market
  then mover := p's right

end
  due: over
"""


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("always twos: every p in players: every m in p's pairs: size of m = 2", "proved"),
        (
            "always mates: every p in players: no m in p's pairs: some t in m: some u in m: t's size /= u's size",
            "proved",
        ),
        ("always whole after pair: size of p's pairs = earlier(size of p's pairs) + 1", "proved"),
        ("always alike: every p in players: every m in p's pairs: size of kinds of m = 1", "refuted"),
    ],
)
def test_tiles_that_two_keys_name_become_a_meld(stated: str, verdict: str) -> None:
    verifier = Verifier(instantiate(rule_set_of(f"{LANTERNS}\n{stated}\n"), 2, {}), Settings(games=40))
    [prop] = verifier.instance.rule_set.properties
    assert verifier.verify(prop).verdict == verdict
