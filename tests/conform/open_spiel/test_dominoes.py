"""OpenSpiel's block dominoes play by the rules of the block game, but for what a blocked hand pays."""

from __future__ import annotations

from pathlib import Path

import pytest

import golpae
from golpae.testing import conform

RULES = golpae.load(Path(__file__).parent / "block-dominoes.golpae")


@pytest.mark.property
def test_the_text_plays_hands_to_their_end() -> None:
    played = RULES.at(2).simulate(30)
    assert (played.dead_ends.count, played.broken_off.count) == (0, 0)
    assert played.won.count >= 20


@pytest.mark.property
def test_open_spiel_agrees_where_the_winner_of_a_blocked_hand_is_paid_for_all_tiles_of_the_loser() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: `pip install open_spiel`")
    from tests.conform.open_spiel.dominoes import Adapter

    found = conform(RULES.plus("whole"), Adapter(), games=30)
    assert found.agrees, found.text
    assert {"lists of legal events", "positions", "payments"} <= {*found.compared}
    found = conform(RULES, Adapter(), games=30)
    [one] = found.disagreements
    assert one.kind == "pay"
    assert len(one.lines) <= 7
