"""Conditions of `deal` that no first deal meets. `tests/elaborate/golden/W` has the notes themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.lint.tables.refused_deals import refused_deal
from tests.lint.beads import BEADS


def refused(tmp_path: Path, deal: str, more: str = "", keys: str = "") -> str | None:
    """Return the condition that no first deal of two players meets."""
    text = BEADS.replace("deal from bowl", f"deal{keys} from bowl\n  {deal}") + more
    (tmp_path / "beads.golpae").write_text(text, encoding="utf-8")
    return refused_deal(instantiate(elaborate("beads", (tmp_path,)), 2, {}))


@pytest.mark.parametrize(
    ("keys", "deal"),
    [
        ("", "asked: no"),
        ("", "asked: size of players > 2 and hands-played = 1"),
        ("", "asked: first = first and hands-played = 1"),
        ("", "asked: size of first's kept = 1"),
        ("(trump: tile)", "asked: not (trump in bowl)"),
        ("(trump: tile, other: seat)", "asked: trump's size < 2 and other = first and trump = 2g"),
        ("(low: {a, b})", "asked: a /= b and a's size > 5 and b's size > 5"),
        ("(round: number from 1 to 3)", "asked: round = 4"),
        ("(how: one of plain, wild)", "asked: how = plain and how = wild"),
        ("(optional with: seat)", "asked: with is not none and with /= first and with /= first's right"),
    ],
)
def test_a_condition_that_no_deal_meets_is_found(tmp_path: Path, keys: str, deal: str) -> None:
    assert refused(tmp_path, deal, keys=keys) == "asked"


@pytest.mark.parametrize(
    ("keys", "deal"),
    [
        ("", "asked: size of players = 2"),
        ("", 'asked: size of players > 2 "this is for three"'),  # says at which tables the game is played
        ("", "asked: first's right /= first"),
        ("", "asked: hands-played = 0"),
        ("(trump: tile)", "asked: trump in bowl"),
        ("(low: {a, b})", "asked: a /= b and a's size > 4 and b's size > 4"),
        ("(round: number from 1 to 3)", "asked: round = 3"),
        ("(round: number)", "asked: round = 4"),
        ("(round: number from 1 to 5000)", "asked: round = 5001"),  # too many to try
        ("(optional with: seat)", "asked: with is none"),
        ("(cut: tiles)", "asked: size of cut = 40"),
        ("", "asked: stake = 2"),
        (
            "",
            "asked: twice(stake) = 2\n\ndefine twice(n: number): n + n + 1\n\nstate of the match\n  idle: number = 0",
        ),
    ],
)
def test_what_a_deal_can_meet_or_is_not_known_is_passed_over(tmp_path: Path, keys: str, deal: str) -> None:
    condition, _, more = deal.partition("\n")
    assert refused(tmp_path, condition, more, keys) is None


def test_something_before_the_deal_may_change_what_it_asks(tmp_path: Path) -> None:
    never = "asked: ready"
    state = "\nstate of the match\n  ready: yes or no = no\n"
    sit = '\naction sit by p before the deal "sit down"\n  then ready := yes\n'
    assert refused(tmp_path, never, state + "\nalways set after draw: ready\n") == "asked"
    assert refused(tmp_path, never, state + sit) is None


def test_a_condition_that_takes_very_many_steps_is_passed_over(tmp_path: Path) -> None:
    long = "asked: some n in {1 to 1000}: some m in {1 to 1000}: n * m = hands-played"
    assert refused(tmp_path, long) is None
    assert refused(tmp_path, long.replace("1000", "100")) == "asked"
