"""States that players do not see (docs/semantics.md, 3.18): those of the text, and those that golpae adds."""

from __future__ import annotations

from golpae.compare.text.diff import compare_texts
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from tests.elaborate.tile_sets import GAME, rules

COINS = "coins: two of each 1c 2c"
PAYING = """
action both by p
  then p scores 1
  then p wins
  then p's right wins

define rich: some p in players: p's gains > 1 or size of winners > 1
"""


def test_states_that_golpae_adds_are_hidden() -> None:
    states = {var.name: var.hidden for var in rules(COINS, PAYING).vars}
    assert len(states) > 2
    assert {name for name, hidden in states.items() if not hidden} == {"mover"}


def test_titles_and_hidden_states_are_no_other_rules() -> None:
    text = GAME.format(tiles=f"  {COINS}", more="")
    titled = text.replace("  mover: seat\n", '  hidden mover: seat "whose turn it is"\n')
    assert titled != text
    one, other = (resolve("g", load_text(lines)) for lines in (text, titled))
    differences = compare_texts(one, other).differences
    assert [(d.path, d.counts) for d in differences] == [("state.mover", False)]
