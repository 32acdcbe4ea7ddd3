"""Statements about every way of a score that no action asks: melds, labels, parts that a way lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier

# A text that only counts: no action lays a meld out.
COUNTER = """
game counter "What a hand is worth"

players 2 to 2

tiles 12 of 4 kinds
  dots: three of each "{rank}p" for rank in 1 to 4

zones
  wall: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape pung(a, b, c): a = b and b = c
shape closed-pung(a, b, c): a = b and b = c
shape run(a, b, c): b's rank = a's rank + 1 and c's rank = b's rank + 1
shape trio: pung or closed-pung
shape set: trio or run
shape pair(a, b): a = b
arrangement complete: 1 set and 1 pair
arrangement twins: 2 pairs

score worth "what a hand is worth"
  given
    hand: tiles
    $GIVEN
  hand: hand
  fixed: $FIXED
  as: complete or twins
  keep: yes
  total: sum
  pattern concealed 1: $CONCEALED
  pattern closed 2: set is closed-pung
  pattern trio 4: set is trio
  pattern run 8: set is run

deal from wall
  hands: 3 for everyone

action stop by p "stop"
  then nobody wins

end
  due: over
"""


def verdicts(
    tmp_path: Path,
    *claims: str,
    given: str = "melds: melds = {}",
    fixed: str = "melds",
    concealed: str = "melds is empty",
) -> list[str]:
    """Return what comes of claims about the ways of the score, one after the other."""
    text = COUNTER.replace("$GIVEN", given).replace("$FIXED", fixed).replace("$CONCEALED", concealed)
    lines = [f"claim claim-{number}: {claim}\n" for number, claim in enumerate(claims)]
    (tmp_path / "counter.golpae").write_text(text + "".join(lines))
    rules = elaborate("counter", [tmp_path])
    verifier = Verifier(instantiate(rules, 2, {}), Settings())
    found = [verifier.verify(prop) for prop in rules.properties if prop.name.startswith("claim-")]
    assert all(one.fault is None for one in found)
    return [one.verdict for one in found]


def test_melds_are_given_though_no_action_lays_one(tmp_path: Path) -> None:
    assert verdicts(
        tmp_path,
        "every way of worth: concealed",
        "no way of worth: kept and points = 4",
        "some way of worth: kept and points = 8",
    ) == ["refuted", "refuted", "proved"]


@pytest.mark.parametrize("label", ["pung", "closed-pung", "run", "pair"])
def test_a_meld_has_each_label_that_is_a_shape_of_a_part(tmp_path: Path, label: str) -> None:
    of_it = f"some m in melds: m is {label}"
    no_other = " and ".join(f"m is not {other}" for other in ("pung", "closed-pung", "run") if other != label)
    assert verdicts(tmp_path, f"some way of worth: {of_it} and {no_other}") == ["proved"]


def test_a_meld_without_a_label_is_of_every_shape_that_it_fits(tmp_path: Path) -> None:
    assert verdicts(tmp_path, "some way of worth: set is pung and set is closed-pung and set in melds") == [
        "proved"
    ]


def test_a_meld_is_what_its_label_says(tmp_path: Path) -> None:
    assert verdicts(
        tmp_path,
        "every way of worth: every m in melds: m is trio implies size of kinds of m = 1",
        "every way of worth: no m in melds: m is pair and m is set",
    ) == ["proved", "proved"]


def test_what_is_proved_and_refuted_is_what_is_scored(tmp_path: Path) -> None:
    verdicts(tmp_path)
    hand = {"rules": "counter", "hand": ["1p", "1p"]}
    library = Library(lambda name: elaborate(name, [tmp_path]))
    for meld, points in (
        (["pung", "2p", "2p", "2p"], 4),
        (["closed-pung", "2p", "2p", "2p"], 6),
        (["2p", "2p", "2p"], 6),
        (["run", "1p", "2p", "3p"], 8),
    ):
        scored = score_hand({**hand, "melds": [meld]}, library)
        assert isinstance(scored, Scored)
        assert scored.points == points
    assert verdicts(
        tmp_path,
        *(f"some way of worth: melds is not empty and kept and points = {n}" for n in (4, 6, 8, 5)),
    ) == ["proved", "proved", "proved", "refuted"]


def test_melds_may_come_from_two_values(tmp_path: Path) -> None:
    given = "open: melds = {}\n    closed: melds = {}"
    claims = [
        "some way of worth: size of open = 1 and size of closed = 1",
        "no way of worth: closed is empty",
    ]
    found = verdicts(tmp_path, *claims, given=given, fixed="open + closed", concealed="open is empty")
    assert found == ["proved", "refuted"]


@pytest.mark.parametrize("fixed", ["those m in melds: m is trio", "melds + melds"])
def test_nothing_is_proved_if_some_melds_of_a_value_are_no_groups(tmp_path: Path, fixed: str) -> None:
    assert verdicts(tmp_path, "every way of worth: size of melds = 0", fixed=fixed) == ["unknown"]


def test_melds_that_are_no_groups_of_the_hand_are_given_too(tmp_path: Path) -> None:
    given = "theirs: melds = {}\n    melds: melds = {}"
    claims = ("every way of worth: theirs is empty", "some way of worth: size of theirs = 2")
    assert verdicts(tmp_path, *claims, given=given) == ["refuted", "proved"]


def test_all_that_is_given_is_in_the_set_together(tmp_path: Path) -> None:
    given = "beside: tiles = {}\n    melds: melds = {}"
    claims = (
        "every way of worth: no t in beside: t in hand and size of hand = 2 and (number of u in beside: u = t) = 2",
        "some way of worth: no t in beside: (number of u in hand: u = t) >= 2",
    )
    assert verdicts(tmp_path, *claims, given=given) == ["proved", "proved"]


def test_what_names_a_part_that_a_way_lacks_does_not_hold_of_it(tmp_path: Path) -> None:
    assert verdicts(
        tmp_path,
        "every way of worth: set is set",
        "no way of worth: arrangement is twins and set is not run",
        "some way of worth: arrangement is twins",
        "every way of worth: size of hand > 0",
    ) == ["refuted", "proved", "proved", "refuted"]
