"""Hands of riichi that are stated without a game: few values suffice, and those that exclude each other are refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import golpae

HAND = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2s 3s E E".split()
USUAL = {"win": "4s", "own-wind": "S", "round": "S"}


@cache
def rules() -> golpae.Rules:
    return golpae.load("riichi")


def test_what_is_left_out_is_as_usual() -> None:
    found = rules().score(HAND, {**USUAL, "vow": "riichi", "drawn": True})
    assert isinstance(found, golpae.Scored)
    assert found.points == 640
    assert found.ways[0].patterns == {"self-drawn": 1, "riichi": 1, "pinfu": 1, "four-sets": 20}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"own-wind": "P"}, "the white dragon and south are not both winds"),
        ({"one-shot": True}, "only riichi counts ippatsu and what lies under indicators"),
        ({"vow": "riichi", "melds": [["pung", "P"]]}, "whoever is in riichi has called nothing"),
        (
            {"first-turn": True, "vow": "riichi"},
            "a win in the first turn comes before any call, riichi, kan or the last",
        ),
        ({"after-kan": True}, "a tile after a kan is drawn"),
        ({"robbing": True, "drawn": True}, "a tile that is robbed is another player's, and not the last"),
    ],
)
def test_values_that_exclude_each_other_are_refused(values: dict[str, Any], words: str) -> None:
    hand = HAND[:-5] + HAND[-2:] if "melds" in values else HAND
    with pytest.raises(golpae.HandError, match=words):
        rules().score(hand, {**USUAL, **values})
