"""Adapters for programs by other people, if these are installed: `pip install open_spiel rlcard mahjong`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import golpae
from golpae.testing import conform

HERE = Path(__file__).parent
GAMES = 5


@pytest.mark.property
@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("bridge", str(HERE / "bridge-without-claims.golpae")),
        ("gin_rummy", "gin-rummy+may-return+tie-scores-nothing+fiftieth-card+fifty-takes"),
        ("hearts", "hearts+any-direction+queen-breaks"),
        ("python_block_dominoes", "block-dominoes"),
        ("spades", "spades+nil-helps+thirteen-together+spades-last"),
    ],
)
def test_open_spiel_agrees(game: str, rules: str) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: `pip install open_spiel`")
    from tests.engines.spiel import GAMES as KINDS

    players = KINDS[game].players
    found = conform(rules, KINDS[game](), games=GAMES, players=players)
    assert found.agrees, found.text
    assert {"lists of legal events", "payments"} <= {*found.compared}


@pytest.mark.property
def test_rlcard_agrees_about_what_is_legal() -> None:
    pytest.importorskip("rlcard", reason="RLCard is not installed: `pip install rlcard`")
    from tests.engines.rlcard_gin import Gin

    found = conform(HERE / "rlcard-gin.golpae", Gin(), games=2)
    assert found.agrees, found.text


@pytest.mark.property
def test_the_package_mahjong_counts_the_same() -> None:
    pytest.importorskip("mahjong", reason="the package is not installed: `pip install mahjong`")
    from tests.engines.riichi_hands import hands, named, points

    rules = golpae.load("riichi")
    for hand, _ in zip(hands(random.Random(7)), range(50), strict=False):
        told = named(hand)
        own = rules.score(told.pop("hand"), told)
        assert isinstance(own, golpae.Scored)
        assert points(hand) == own.points, named(hand)
