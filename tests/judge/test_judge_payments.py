"""Payments of `end` and `finish` (5.13), carried out by the judge. Expected values are by hand."""

from __future__ import annotations

from tests.judge.texts import begun, game

COINS = "coins: two of each 1c 2c 3c 4c"
SEATS = [["1c", "2c"], ["1c", "3c"], ["2c", "3c"]]
DEAL = {"do": "deal", "first": 0, "hands": SEATS}
CLOSED = """
then kept := mover's gains; mover scores kept
then mover's right pays mover mover's total + mover's gains
"""
FINISH = """
then mover scores mover's gains + 1
then for each q in players: when q's total + q's gains > 41: q scores place of q in players
"""


def test_5_13_payments_of_end_and_finish() -> None:
    text = game(
        tiles=COINS,
        players="3 to 3",
        payout="paid: mover scores 10",
        match="kept: number = 0",
        end=CLOSED,
        finish=FINISH,
    )
    match = begun(text, 3).plays(DEAL)
    assert match.refuses({"do": "end", "winner": None, "pay": [10, 0, 0]}) == "pay"
    match.plays({"do": "end", "winner": None, "pay": [40, -20, 0]})
    assert (match.var("kept"), match.state.totals) == (10, (40, -20, 0))
    match.plays({**DEAL, "first": 2})
    match.plays({"do": "end", "winner": None, "pay": [-20, 0, 40]})
    finish = {"do": "finish", "totals": [20, -20, 41], "winners": [2]}
    assert match.refuses({**finish, "totals": [20, -20, 40]}) == "totals"
    assert match.refuses({**finish, "winners": [0]}) == "winners"
    assert match.plays(finish).state.totals == (20, -20, 41)
