"""Differences that only a high stake shows, and conditions that choose no order of tiles."""

from __future__ import annotations

import pytest

from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import AtTable
from golpae.verify.options import Settings
from tests.prove.meanings import rule_set_of

COINS = """
game coins "Coins"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 3
  nets: two of each "{size}n" for size in 1 to 3

zones
  pool: tiles seen by nobody, holds the set
  table: row seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pool
  hands: 3 for everyone
  then mover := first

action lay(tiles: {a, b}) by p
  turn: p = mover
  held: tiles in p's hand
  then move {a, b} from p's hand to table
  then mover := p's right

action take(tile) by p
  turn: p = mover
  top: tile = top of table
  then move tile from top of table to p's hand
  then mover := p's right

action stop by p
  turn: p = mover
  then p wins

end
  due: over

payout
  won: when winner is not none: for each q in players: q pays winner stake
"""


def compared(*swaps: tuple[str, str]) -> AtTable:
    """Return what the games of the text and of one with other words are at two players."""
    text = COINS
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    return at_table(TablePair(rule_set_of(COINS), rule_set_of(text), 2, {}), Settings())


@pytest.mark.parametrize("most", ["1000", "10 ^ 20"])
def test_a_condition_on_the_stake_is_refuted_by_a_game_with_a_high_stake(most: str) -> None:
    found = compared(("  then p wins", f"  small: stake < {most}\n  then p wins"))
    assert (found.a_in_b.verdict, found.b_in_a.verdict, found.paid.verdict) == ("refuted", "proved", "proved")
    assert found.a_in_b.game is not None
    assert found.a_in_b.game.lines[0]["stake"] >= (1000 if most == "1000" else 10**20)


def test_payments_that_differ_at_a_high_stake_alone_are_refuted_by_a_game_with_it() -> None:
    found = compared(("winner stake", "winner if stake > 1000000 then 1000000 else stake"))
    assert (found.a_in_b.verdict, found.b_in_a.verdict, found.paid.verdict) == ("proved", "proved", "refuted")
    assert found.paid.game is not None
    assert found.paid.game.lines[0]["stake"] > 1_000_000


def test_a_condition_that_holds_in_all_orders_or_in_none_chooses_no_order() -> None:
    found = compared(
        ("  mover: seat\n", "  mover: seat\n  idle: number = 0\n"),
        ("  held: tiles in", "  idle: idle = 0\n  held: tiles in"),
    )
    assert {found.a_in_b.verdict, found.b_in_a.verdict, found.paid.verdict} == {"proved"}
