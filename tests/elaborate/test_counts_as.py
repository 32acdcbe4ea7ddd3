"""Tiles that count as others (docs/semantics.md, 1.11, 2.11 and 2.12)."""

from __future__ import annotations

import pytest

from golpae.conform.stated_hands import StatedHands
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.elaborate.tile_sets import check_theorems, kinds, rules

SET = """
    craks: three of each "{rank}m" called "{rank} crak" for rank in 1 to 3
    winds: three of each E
    reds: one of each 2mr "red 2 crak" like 2m Er like E
"""
SHAPES = """
shape trio(a, b, c): a = b and b = c
shape pair(a, b): a = b
arrangement whole: 1 trio and 1 pair
arrangement pairs: 2 different pairs
"""
SCORE = (
    SHAPES
    + """
score worth
  given
    hand: tiles
    fixed: melds = {}
  hand: hand
  fixed: fixed
  as: whole or pairs
  total: sum
  pattern twos 1 for each t in hand: t = 2m
  pattern laid 5 for each m in fixed: 2m in m
  pattern paired 3: arrangement is pairs
"""
)


def test_a_tile_that_counts_as_another_has_its_group_and_numbers_and_a_name_of_its_own() -> None:
    made = {kind.name: kind for kind in kinds(SET)}
    assert [*made] == ["1m", "2m", "3m", "E", "2mr", "Er"]
    red = made["2mr"]
    assert (red.spoken, red.group, red.attributes, red.copies) == ("red 2 crak", "craks", (2,), 1)
    assert made["Er"].group == "winds"


def test_a_pattern_says_what_its_tiles_count_as() -> None:
    made = kinds(
        'cards: two of each "{rank}{suit}" for rank in 2 to 3, J, suit in hearts "H", clubs "C"\n'
        'marked: one of each "{rank}{suit}x" called "marked {rank} of {suit}" like "{rank}{suit}"'
        ' for rank in 3, J, suit in clubs "C"'
    )
    assert [(k.name, k.spoken, k.group, k.like) for k in made[6:]] == [
        ("3Cx", "marked 3 of clubs", "clubs", "3C"),
        ("JCx", "marked J of clubs", "clubs", "JC"),
    ]


def test_conditions_tell_a_tile_from_its_face() -> None:
    theorems = [
        "theorem two-tiles: 2mr /= 2m and 2mr in craks and size of craks = 4",
        "theorem face: 2mr's face = 2m and 2m's face = 2m and Er's face = E",
        "theorem numbers: 2mr's rank = 2 and 2mr's group = craks and Er's rank = 0",
        "theorem line: reds = {2mr, Er} and 2m not in reds",
        "theorem faces: faces of {2mr, 2m, 1m} = {2m, 2m, 1m}",
        "theorem lists: faces of {{2mr, 1m}, {Er}} = {{2m, 1m}, {E}}",
        "theorem kinds: size of kinds = 6 and size of kinds of faces of kinds = 4",
    ]
    check_theorems(SET, theorems)


def test_a_word_of_a_pattern_has_the_tiles_that_count_as_one_of_its_own() -> None:
    theorems = [
        "theorem suits: 2Hx's suit = red and 2Hx in red and 2Hx in cards",
        "theorem further: 2Hx's shape = round and 2Hx in round",
    ]
    text = """
        cards: one of each "{rank}{suit}{shape}"
          for rank in 1 to 2, suit in red "H", blue "C", shape in round "", flat "f"
        marked: one of each 2Hx like 2H
    """
    check_theorems(text, theorems)


def test_shapes_and_arrangements_are_asked_of_faces() -> None:
    theorems = [
        SHAPES + "theorem shape: {2mr, 2m, 2m} is trio and {2m, 2mr} is pair and {Er, E, E} is trio",
        "theorem arrangement: {2mr, 2m, 2m, E, Er} is whole",
        "theorem different: {2mr, 2m, E, Er} is pairs and {2mr, 2m, 2m, 2m} is not pairs",
        "theorem within: {2m, 2mr} in pairs within {1m, 2m, 2mr} and {2m, 2m} not in pairs within {1m, 2m, 2mr}",
        "theorem without: {1m} in {1m, 2m, 2mr} without pairs",
        "theorem laid: {{2m, 2mr}, {E, Er}} lay out {2m, 2mr, E, Er} as pairs",
        "theorem which: not {{2m, 2m}, {E, Er}} lay out {2m, 2mr, E, Er} as pairs",
        "theorem twice: not {{2m, 2mr}, {2m, 2m}} lay out {2m, 2m, 2m, 2mr} as pairs",
    ]
    check_theorems(SET, theorems)


@pytest.mark.parametrize(
    ("hand", "fixed", "points"),
    [
        (["2mr", "2m", "2m", "E", "Er"], [], 3),
        (["2m", "2mr", "E", "Er"], [], 5),
        (["2m", "2m", "2m", "2mr"], [], None),
        (["E", "Er"], [["trio", "2m", "2m", "2mr"]], 5),
    ],
)
def test_a_score_sees_the_faces_of_what_is_given(
    hand: list[str], fixed: list[object], points: int | None
) -> None:
    made = rules(SET, SCORE)
    library = Library(lambda name: made)
    scored = score_hand({"rules": "g", "hand": hand, "fixed": fixed}, library, 2)
    assert isinstance(scored, Scored), scored
    assert scored.points == points


def test_a_stated_hand_has_no_more_of_a_tile_than_the_set() -> None:
    made = rules(SET, SCORE)
    library = Library(lambda name: made)

    def reason(*hand: str) -> str:
        return str(score_hand({"rules": "g", "hand": [*hand]}, library, 2))

    assert "`hand` has 2 of 2mr, but the set in play has 1" in reason("2mr", "2mr")
    assert "the hand has 5 of 2m, but the set in play has 4" in reason("2m", "2m", "2m", "2m", "2mr")
    assert "Fault" not in reason("2m", "2m", "2m", "2mr")


def test_hands_of_a_score_can_be_drawn_with_melds_on_the_table() -> None:
    machine = Machine(instantiate(rules(SET, SCORE), 2, {}))
    hands = StatedHands(machine, "worth", 1)
    drawn = [values for number in range(40) if (values := hands.draw(number)) is not None]
    assert any(values["fixed"] for values in drawn)
    assert any(machine.instance.number("2mr") in values["hand"] for values in drawn)


def test_withdrawn_tiles_may_be_those_that_count_as_others() -> None:
    made = rules(SET + "    withdrawn: if size of players = 2 then reds else {2m, E}\n")
    copies = {kind.name: kind.copies for kind in instantiate(made, 2, {}).kinds}
    assert (copies["2mr"], copies["Er"], copies["2m"]) == (0, 0, 3)
    assert Machine(instantiate(made, 2, {})).instance.by_face()[1] == 3


def test_ways_of_a_score_have_more_of_a_face_than_the_set_has_of_that_tile() -> None:
    claims = """
claim no-trio: every way of worth: not (some t, u, v in hand: t = 2m and u = 2m and v = 2m)
claim no-red: every way of worth: 2mr not in hand
"""
    concealed = (
        SCORE.split("  pattern laid")[0]
        .replace("    fixed: melds = {}\n", "")
        .replace("  fixed: fixed\n", "")
    )
    made = rules(SET.replace("three of each", "two of each"), concealed + claims)
    verifier = Verifier(instantiate(made, 2, {}), Settings(most=60_000_000, megabytes=1_500, games=40))
    assert [verifier.verify(prop).verdict for prop in made.properties] == ["refuted", "proved"]
