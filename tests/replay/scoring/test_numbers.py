"""Scores that count in several numbers: by hand, against the judge, on the compiled path, in proofs and messages."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.score_hand import Scored, score_hand
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.differential.checks import Limits, check_text
from tests.differential.counting import check_compiled
from tests.differential.texts import RuleText

TEXT = """
game feast "Hands that count in two numbers"

players 2 to 2

tiles
  plates: three of each "{rank}p" for rank in 1 to 3
  spices: two of each salt

zones
  pantry: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

shape pair(a, b): a = b
shape step(a, b): a in plates and b in plates and b's rank = a's rank + 1
shape course: pair or step

arrangement menu: 2 courses
arrangement pairs: 2 different pairs

score worth
  given
    hand: tiles
    late: yes or no = no
  counts: points, doubles
  hand: hand
  as: menu or pairs
  keep: points > 0 and (doubles > 0 or eligible >= 3)
  total: points * 2 ^ doubles + (if pepper then 1 else 0)
  pattern step 3 points for each d in courses: d is step
  pattern pair 1 points for each d in courses: d is pair
  pattern pairs 2 points: arrangement is pairs
  pattern alike 1 doubles: arrangement is menu and (every d in courses: d is pair)
  pattern late 1 doubles, extra: late
  pattern pepper 5 points, extra: salt in hand

deal from pantry
  hands: 4 for everyone
  then mover := first

define best(p: seat): worth(p's hand)

action show(points: number, optional doubles: number, optional patterns) by p "show a hand"
  turn: p = mover "it is not {p}'s turn"
  counts: best(p) is not none "{p}'s hand counts nothing"
  points: points = best(p)'s points "{p}'s hand counts {best(p)}"
  doubles: doubles is none or doubles = (best(p)'s doubles otherwise 0) "not {doubles} doubles"
  patterns: patterns is none or patterns fits best(p) "the hand counts {best(p)}, not {patterns}"
  then p scores best(p) + best(p)'s doubles
  then p wins

action stop by p "show nothing"
  turn: p = mover "it is not {p}'s turn"
  then nobody wins

end
  due: over

claim low: every way of worth: kept implies points >= 2
claim no-doubles: every way of worth: kept implies doubles = 0
claim by-numbers: every way of worth: late and alike implies doubles = 2
claim steps: every way of worth: doubles = 0 and late = no and kept implies points >= 3
"""
HANDS: list[tuple[str, dict[str, Any], int | None, dict[str, int]]] = [
    ("1p 2p 2p 3p", {}, 6, {"points": 6, "doubles": 0}),
    ("1p 1p 2p 2p", {}, 6, {"points": 6, "doubles": 0}),  # two steps, rather than two pairs for 2 * 2
    ("1p 1p 3p 3p", {}, 4, {"points": 2, "doubles": 1}),  # as `menu`; `pairs` counts 2, without a double
    ("1p 1p 3p 3p", {"late": True}, 8, {"points": 2, "doubles": 2}),
    ("1p 1p salt salt", {}, 15, {"points": 7, "doubles": 1}),
    ("1p 1p 1p 3p", {}, None, {}),
]


def library(text: str = TEXT, name: str = "feast") -> Library:
    rules = RuleText(name, text, 1).rule_set()
    return Library(lambda _: rules)


@pytest.mark.parametrize(("tiles", "given", "points", "numbers"), HANDS)
def test_hands_count_as_by_hand(
    tiles: str, given: dict[str, Any], points: int | None, numbers: dict[str, int]
) -> None:
    scored = score_hand({"rules": "feast", "hand": tiles.split(), **given}, library())
    assert isinstance(scored, Scored)
    assert scored.points == points
    assert ([dict(way.numbers) for way in scored.ways[:1]] or [{}]) == [numbers]
    assert scored.to_json().get("numbers", {}) == numbers or points is None


TIES = TEXT.replace("total: points * 2 ^ doubles + (if pepper then 1 else 0)", "total: 7")


def test_of_ways_with_the_same_total_the_first_number_decides_and_then_the_second() -> None:
    hand = {"rules": "feast", "hand": ["1p", "1p", "2p", "2p"], "late": True}
    reverse = TIES.replace("counts: points, doubles", "counts: doubles, points")
    for text, expected in ((TIES, {"points": 6, "doubles": 1}), (reverse, {"doubles": 2, "points": 2})):
        scored = score_hand(hand, library(text))
        assert isinstance(scored, Scored)
        assert {way.points for way in scored.ways} == {7}
        assert dict(scored.ways[0].numbers) == expected
        assert len({way.place for way in scored.ways}) > 1


def said(hands: list[list[str]], **event: Any) -> str | None:
    lines = [
        {"golpae": 1, "rules": "feast", "players": ["Ada", "Bea"]},
        {"do": "deal", "first": 0, "hands": hands},
        {"do": "show", "by": 0, **event},
    ]
    data = "\n".join(map(json.dumps, lines)).encode()
    [report] = replay(BytesIO(data), "-", library())
    return report.outcome.message


ROWS = [["1p", "1p", "2p", "2p"], ["3p", "3p", "salt", "salt"]]
DEALT = [["1p", "1p", "salt", "salt"], ["2p", "2p", "3p", "3p"]]


def test_messages_name_the_numbers() -> None:
    message = said(DEALT, points=8)
    assert message is not None
    assert (
        "Ada's hand counts 7 points, 1 doubles (pair 2 points, alike 1 doubles, pepper 5 points)" in message
    )
    assert "Ada's hand counts 6 points (step 6 points)" in (said(ROWS, points=8) or "")
    assert "not 3 doubles" in (said(DEALT, points=7, doubles=3) or "")
    assert "pair 2 points" in (said(DEALT, points=7, patterns={"pair": 1}) or "")


def test_games_are_the_same_for_the_judge_the_reference_and_the_compiled_path() -> None:
    report = check_text(RuleText("feast", TEXT, 1), Limits(steps=True))
    assert report.findings == []
    assert report.counts


def test_hands_of_a_file_are_the_same_on_both_paths() -> None:
    said: list[tuple[str, str]] = []
    lines = [{"rules": "feast", "hand": tiles.split(), **given} for tiles, given, *_ in HANDS]
    check_compiled(RuleText("feast", TEXT, 1), lines, lambda *finding: said.append(finding[:2]))
    assert said == []


def test_claims_about_numbers_are_decided() -> None:
    machine = library().machine("feast", 2, {})
    assert isinstance(machine, Machine)
    verifier = Verifier(machine.instance, Settings())
    verdicts = {p.name: str(verifier.verify(p).verdict) for p in machine.rules.properties}
    assert verdicts == {
        "low": "proved",
        "no-doubles": "refuted",
        "by-numbers": "proved",
        "steps": "proved",
    }
