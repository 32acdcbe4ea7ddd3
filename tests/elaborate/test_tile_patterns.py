"""Patterns of tiles with words and several parts: their tiles, groups and words (docs/semantics.md, 1.7 and 1.8)."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from tests.elaborate.tile_sets import check_theorems, kinds, rules

SAME = {
    "words count on from the number before them": (
        'ranks: two of each "{rank}c" for rank in 9 to 10, J, Q',
        [("9c", 9), ("10c", 10), ("Jc", 11), ("Qc", 12)],
    ),
    "words count back from the first number": (
        'ranks: one of each "{rank}c" for rank in Z, A, 2 to 3, J',
        [("Zc", 0), ("Ac", 1), ("2c", 2), ("3c", 3), ("Jc", 4)],
    ),
    "numbers stand alone, in any order": (
        'ranks: one of each "c{rank}" for rank in 7, J, 3, 1 to 2',
        [("c7", 7), ("cJ", 8), ("c3", 3), ("c1", 1), ("c2", 2)],
    ),
    "names have a number or word as the text behind it says": (
        'ranks: one of each "{rank}c" for rank in 9, 10 "T", J "j"',
        [("9c", 9), ("Tc", 10), ("jc", 11)],
    ),
}


@pytest.mark.parametrize(("line", "wanted"), SAME.values(), ids=SAME)
def test_a_range_has_these_names_and_numbers(line: str, wanted: list[tuple[str, int]]) -> None:
    assert [(kind.name, *kind.attributes) for kind in kinds(line)] == wanted


@pytest.mark.parametrize(
    "ranges",
    [
        'rank in 2 to 3, J, suit in clubs "C", hearts "H"',
        'suit in clubs "C", hearts "H", rank in 2 to 3, J',
    ],
)
def test_words_are_groups_in_their_order_wherever_their_range_stands(ranges: str) -> None:
    made = kinds(f'cards: two of each "{{rank}}{{suit}}" called "{{rank}} of {{suit}}" for {ranges}')
    assert [(k.name, k.spoken, k.group, k.copies) for k in made] == [
        ("2C", "2 of clubs", "clubs", 2),
        ("3C", "3 of clubs", "clubs", 2),
        ("JC", "J of clubs", "clubs", 2),
        ("2H", "2 of hearts", "hearts", 2),
        ("3H", "3 of hearts", "hearts", 2),
        ("JH", "J of hearts", "hearts", 2),
    ]


def test_other_ranges_may_still_depend_on_an_option() -> None:
    text = 'cards: one of each "{rank}{suit}" for rank in 1 to top, suit in clubs "C", hearts "H"'
    made = rules(text, "option top: 1 to 9, normally 2")
    assert [k.name for k in instantiate(made, 2, {"top": 3}).kinds] == ["1C", "2C", "3C", "1H", "2H", "3H"]


def test_the_name_of_the_line_is_the_bag_of_its_tiles_in_play() -> None:
    text = """
        cards: two of each "{rank}{suit}" for rank in 1 to 2, suit in red "R", blue "B"
        others: one of each star
        withdrawn: {1R, 1R}
    """
    theorems = [
        "theorem bag: cards = {2R, 1B, 2B}",
        "theorem group: red = {2R}",
        "theorem every-word: every t in red: t's suit = red",
        "theorem withdrawn: 1R's suit = red and 1R's group = red",
        "theorem without: star's suit is none",
    ]
    check_theorems(text, theorems)


def test_a_further_range_of_words_makes_bags_but_no_groups() -> None:
    text = """
        cards: one of each "{count}{colour}{shape}"
          for count in 1 to 2, colour in red "R", blue "B", shape in oval "o", wave "w"
    """
    theorems = [
        "theorem groups: 1Rw's group = red and 2Bo's colour = blue",
        "theorem shapes: 1Rw's shape = wave and 1Ro's shape = oval and 2Ro's count = 2",
        "theorem bags: wave = {1Rw, 2Rw, 1Bw, 2Bw} and size of cards = 8",
    ]
    check_theorems(text, theorems)


RANKS = 'ranks: two of each "{rank}c" for rank in 9 to 10, J, Q'


@pytest.mark.parametrize(
    ("more", "value"),
    [
        ("define n: J", 11),
        ("define n: Q - J", 1),
        ("define n: number of t in kinds: t's rank >= J", 2),
        (
            "define n: sum of t's worth for t in kinds\ndefine each tile's worth by its rank: Q 3, J 2, otherwise 0",
            5,
        ),
        ("define n: sum of Q for Q in {1 to 3}", 6),  # a name of its own hides the word
        ("define Q: 7\ndefine n: Q + J", 18),
    ],
)
def test_a_word_of_a_range_of_numbers_is_its_number(more: str, value: int) -> None:
    """1.7"""
    from golpae.replay.machine import Machine

    machine = Machine(instantiate(rules(RANKS, more), 2, {}))
    found = next(d for d in machine.rules.definitions if d.name == "n")
    assert machine.value(found.cases[0].expr, machine.new_state(1), {}) == value


def test_a_word_with_two_numbers_or_another_meaning_is_no_number() -> None:
    from golpae.diagnostics import SpecError

    low = f'{RANKS}\nlows: two of each "{{height}}d" for height in J, 2 to 3'
    with pytest.raises(SpecError, match="nothing here is called `J`"):
        rules(low, "define n: J")
    with pytest.raises(SpecError):
        rules(RANKS, "kind court: one of J, Q\ndefine n: J + 1")
    assert not [d for d in rules(RANKS).definitions if d.name in ("J", "Q")]


def test_a_word_that_is_the_name_of_a_tile_is_the_tile() -> None:
    tiles = 'ranks: two of each "{rank}" for rank in 9 "9c", J, Q'
    assert not [
        d for d in rules(tiles, "define n: J in kinds and Q's rank = 11").definitions if d.name == "J"
    ]
