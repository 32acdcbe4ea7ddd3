"""Hands of a different size for each player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.library.front import check
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier

TEXTS = Path(__file__).parent.parent / "kernel" / "texts"
PLAYED = [
    {"golpae": 1, "rules": "hands-of-each", "players": ["An", "Bo"]},
    {"do": "deal", "first": 0, "hands": [["1c", "2c", "3c", "4c", "5c"], ["6c", "7c", "8c", "9c", "10c"]]},
    *(
        {"do": "drop", "by": number % 2, "tile": f"{number // 2 + 1 + 5 * (number % 2)}c"}
        for number in range(9)
    ),
    {"do": "end", "winner": 0, "pay": [0, 0]},
]


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((4, 5), None),
        ((5, 5), "An should be dealt 4 tiles, not 5"),
        ((4, 4), "Bo should be dealt 5 tiles, not 4"),
    ],
)
def test_each_player_is_dealt_as_many_as_the_text_says(sizes: tuple[int, int], message: str | None) -> None:
    names = [f"{number}c" for number in range(1, 11)]
    deal = {"do": "deal", "first": 1, "hands": [names[: sizes[0]], names[5 : 5 + sizes[1]]]}
    trace = "".join(json.dumps(line) + "\n" for line in [*PLAYED, deal])
    verdict = check(trace, spec_path=[TEXTS])
    assert verdict.verdict == ("incomplete" if message is None else "illegal")
    assert verdict.clause == (None if message is None else "hands-of-each.deal.hands")
    assert message is None or str(verdict.message).startswith(message)


def test_a_bound_of_all_hands_is_proved() -> None:
    instance = instantiate(elaborate("hands-of-each", [TEXTS]), 3, {})
    verifier = Verifier(instance, Settings(most=60_000_000, megabytes=1_500, games=40))
    assert verifier.verify(instance.rule_set.properties[0]).verdict == "proved"
