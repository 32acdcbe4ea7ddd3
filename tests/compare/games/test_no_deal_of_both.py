"""Rule sets that deal different numbers of tiles share no game with payments, and are said to share none."""

from __future__ import annotations

import pytest

from golpae.compare.comparison import MEANING, Comparison
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import NO_DEAL, Meaning
from golpae.compare.text.diff import compare_texts
from golpae.elaborate.resolve import resolve
from golpae.report.comparison_words import verdict
from golpae.verify.options import Settings
from tests.compare.games.tiny import TWOS
from tests.differential.texts import RuleText

DEAR = """
variant dear "each is paid more"
  replace payout.won: when winner is not none: for each q in players - winner: q pays winner 2 * stake
"""


def compared(hands: str) -> Comparison:
    """Return what changes if `dear` pays more and deals this."""
    text = RuleText("twos", f"{TWOS}{DEAR}  replace deal.hands: {hands}\n")
    a, b = text.rule_set(), text.rule_set("dear")
    meaning = Meaning(a.rules, b.rules, (at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000)),))
    texts = compare_texts(resolve(a.rules, text.loaded), resolve(b.rules, text.loaded))
    return Comparison(a.rules, b.rules, (MEANING,), texts, meaning)


@pytest.mark.parametrize("hands", ["1 for everyone", "2 for first, 1 for the others"])
def test_another_number_of_tiles_leaves_no_deal_of_both(hands: str) -> None:
    c = compared(hands)
    assert (c.games, c.paid) == ("different", True)
    assert verdict(c).endswith(f"each allow games that the other does not (2 players); {NO_DEAL}")


def test_a_number_that_is_the_same_at_this_table_leaves_deals_of_both() -> None:
    c = compared("size of players for everyone")
    assert (c.games, c.paid) == ("same", False)
    assert verdict(c).endswith("; payments differ")
