"""Sections 1 to 3 of docs/semantics.md, on the judge: tables, values, expressions. Expected values are by hand."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import TableFault
from golpae.ir.types import BOOL, Choice, Opt
from golpae.ir.types import Bag as BagType
from tests.judge.faults import Unclear, Unset
from tests.judge.texts import DEAL, END, begun, dealt, game, worth
from tests.judge.values import Bag, Meld, Value, bag, equal, in_turn, sub_bags

# The first, second and third kind of coin are 0, 1 and 2.


def test_1_1_an_option_left_out_has_its_usual_value() -> None:
    text = game("option top: 1 to 3, normally 2\noption low: 4 to 5\ndefine probe: top * 10 + low")
    assert begun(text).asks("probe") == 24
    assert begun(text, options={"top": 3}).asks("probe") == 34


@pytest.mark.parametrize(("players", "options"), [(3, {}), (2, {"top": 4}), (2, {"other": 1})])
def test_1_2_a_table_out_of_bounds_is_malformed(players: int, options: dict[str, int]) -> None:
    with pytest.raises(TableFault):
        begun(game("option top: 1 to 3"), players, options)


def test_1_3_right_is_the_next_player_and_the_first_after_the_last() -> None:
    text = game(
        "define each player's next: its right\ndefine probe: {q's next for q in players: q's left = q}"
    )
    assert begun(text).asks("probe") == Bag()
    alone = begun(
        game("define probe: number of q in players: q's right = q and q's left = q", players="1 to 2"), 1
    )
    assert alone.asks("probe") == 1


def test_1_4_the_last_range_of_a_pattern_runs_fastest() -> None:
    tiles = 'bones: one of each "{a}-{b}" for a in 0 to 1, b in 0 to 2\nsuns: one of each sun'
    table = begun(game(tiles=tiles, hands="1 for everyone")).table
    assert [kind.name for kind in table.instance.kinds] == ["0-0", "0-1", "0-2", "1-0", "1-1", "1-2", "sun"]


def test_1_5_a_withdrawn_kind_is_in_no_group_but_a_trace_may_name_it() -> None:
    tiles = "coins: two of each 1c 2c 3c 4c\nwithdrawn: {2c, 2c, 3c}"
    assert worth("coins", tiles=tiles) == bag([0, 2, 3])
    assert worth("tiles", tiles=tiles) == bag([0, 0, 2, 3, 3])
    assert worth("kinds", tiles=tiles) == bag([0, 2, 3])
    parts = 'action show(tile) by p "show"\n  yes: tile = tile "never"\n'
    deal = {**DEAL, "hands": [["1c", "4c"], ["1c", "3c"]]}
    assert begun(game(parts, tiles=tiles)).plays(deal).refuses({"do": "show", "by": 0, "tile": "2c"}) == "set"


def test_1_6_a_tile_has_0_for_a_number_that_its_name_lacks() -> None:
    tiles = 'coins: two of each "{size}c" for size in 1 to 2\nsuns: two of each sun'
    assert worth("{t's size for t in kinds}", tiles=tiles) == bag([0, 1, 2])
    assert worth("sum of t's double for t in tiles", "define each tile's double: 2 * its size", tiles) == 12


def test_2_1_words_are_equal_if_they_are_the_same_word() -> None:
    """Golpae refuses to compare words of types that list them in another order, so the values are compared here."""
    up_down, down_up = Choice(("up", "down")), Choice(("down", "up"))
    assert equal("up", up_down, "up", down_up)
    assert not equal("up", up_down, "down", down_up)


def test_2_3_bags_are_equal_whatever_their_order_and_bags_of_bags_too() -> None:
    assert worth("{1c, 2c, 1c} = {1c, 1c, 2c}") is True
    assert worth("{1c, 2c} = {1c, 2c, 1c}") is False
    assert worth("{{1c, 2c}, {3c}} = {{3c}, {2c, 1c}}") is True


def test_2_4_melds_of_equal_tiles_under_different_labels_differ() -> None:
    tiles = bag([0, 1])
    assert Meld(tiles, "run") != Meld(tiles, "pair")
    assert Meld(tiles, "run") != Meld(tiles)
    assert bag([Meld(tiles, "run"), Meld(tiles)]) == bag([Meld(tiles), Meld(tiles, "run")])


LAY = """
shape couple(a, b): a = a and b = b
shape twin(a, b): a = b
action lay(tiles: {a, b}, label: one of couple, twin, plain) by p "lay"
  held: {a, b} in p's hand "not held"
  then when label = couple: move {a, b} from p's hand to shown as couple
  then when label = twin: move {a, b} from p's hand to away as twin
  then when label = plain: move {a, b} from p's hand to shown
define beside-tiles: {2c, 1c} in shown
define tiles-each: sum of m for m in shown
define same-zones: shown = away
define shared: number of m in away: m in shown
define less: size of (shown - away)
define noted-there: noted = {1c, 2c}
"""


def test_2_5_a_meld_used_as_tiles_leaves_its_label_behind() -> None:
    match = dealt(game(LAY, state="noted: tiles = {}"))
    match.plays({"do": "lay", "by": 0, "tiles": ["2c", "1c"], "label": "couple"})
    assert match.zone("shown") == bag([Meld(bag([0, 1]), "couple")])
    assert match.asks("beside-tiles") is True
    assert match.asks("tiles-each") == bag([0, 1])


def test_2_5_melds_are_compared_with_their_labels() -> None:
    match = dealt(game(LAY, state="noted: tiles = {}"), hands=[["1c", "2c"], ["1c", "2c"]])
    match.plays({"do": "lay", "by": 0, "tiles": ["2c", "1c"], "label": "couple"})
    match.plays({"do": "lay", "by": 1, "tiles": ["2c", "1c"], "label": "twin"})
    assert match.asks("same-zones") is False
    assert match.asks("shared") == 0
    assert match.asks("less") == 1


def test_2_6_none_equals_itself_and_nothing_else() -> None:
    assert begun(game("define probe: winner = none")).asks("probe") is True
    assert begun(game("define probe: some q in players: q = winner")).asks("probe") is False


def test_2_8_a_note_does_not_change_with_what_was_noted() -> None:
    parts = 'action note by p "note"\n  yes: p = p "never"\n  then noted := p\'s hand\n'
    parts += "  then move all from p's hand to heap\n"
    match = dealt(game(parts, state="noted: tiles = {}")).plays({"do": "note", "by": 0})
    assert match.zone("hand", 0) == Bag()
    assert match.var("noted") == bag([0, 1])


def test_3_2_the_other_part_is_only_looked_at_if_it_matters() -> None:
    huge = "9 ^ 5000 > 0"
    assert worth(f"size of tiles = 7 and {huge}") is False
    assert worth(f"size of tiles = 6 or {huge}") is True
    assert worth(f"size of tiles = 7 implies {huge}") is True
    assert worth("if size of tiles = 6 then 1 else 9 ^ 5000") == 1
    with pytest.raises(Unclear):
        worth(huge)


IN: list[tuple[str, Value]] = [
    ("1c in {2c, 1c}", True),
    ("1c not in {2c}", True),
    ("{1c, 1c} in {1c, 2c}", False),
    ("{1c, 1c} in {1c, 2c, 1c}", True),
    ("{1c} - 1c in tiles", True),
    ("{1c} - 1c in {{1c}}", False),
    ("{1c} - 1c in {{1c}, {1c} - 1c}", True),
    ("{1c, 2c} in {{2c, 1c}, {3c}}", True),
    ("{1c} in {{2c, 1c}, {3c}}", False),
    ("winner in players", False),
    ("winner not in players", True),
]


@pytest.mark.parametrize(("expression", "expected"), IN)
def test_3_4_in(expression: str, expected: Value) -> None:
    assert worth(expression) is expected


SUMS: list[tuple[str, Value]] = [
    ("2 + 3 * 4 - 1", 13),
    ("-7 div 2", -4),
    ("7 div -2", -4),
    ("-7 mod 2", 1),
    ("7 mod -2", -1),
    ("7 div 0", 0),
    ("7 mod 0", 0),
    ("2 ^ 10", 1024),
    ("2 ^ 0", 1),
    ("0 ^ 0", 1),
    ("5 ^ -3", 1),
    ("(-1) ^ 1000001", -1),
    ("0 ^ 99999999999", 0),
]


@pytest.mark.parametrize(("expression", "expected"), SUMS)
def test_3_5_numbers(expression: str, expected: Value) -> None:
    assert worth(expression) == expected


BAGS: list[tuple[str, Value]] = [
    ("{1c} + {1c, 2c}", bag([0, 0, 1])),
    ("{1c} + 2c", bag([0, 1])),
    ("{1c, 1c, 2c} - {1c, 3c}", bag([0, 1])),
    ("{1c} - 1c - 1c", Bag()),
    ("size of {1c, 1c}", 2),
    ("kinds of {1c, 1c, 2c}", bag([0, 1])),
    ("{2 to 4}", bag([2, 3, 4])),
    ("{4 to 2}", Bag()),
    ("{t for t in tiles: t /= 2c}", bag([0, 0, 2, 2])),
    ("{1 for t in tiles}", bag([1] * 6)),
]


@pytest.mark.parametrize(("expression", "expected"), BAGS)
def test_3_6_and_3_7_bags(expression: str, expected: Value) -> None:
    assert worth(expression) == expected


QUESTIONS: list[tuple[str, Value]] = [
    ("some a, b in {1c, 1c}: a = b", True),
    ("some a, b in {1c, 2c}: a = b", False),
    ("some a, b in {1c}: a = a", False),
    ("every a, b in {1c}: a /= a", True),
    ("some t in {1c} - 1c: t = t", False),
    ("every t in {1c} - 1c: t /= t", True),
    ("no t in {1c} - 1c: t = t", True),
    ("some h of 0 in {1c} - 1c: h is empty", True),
    ("some h of 2 in {1c}: size of h = 2", False),
    ("some h of -1 in {1c}: size of h <= 2", False),
    ("every h of 3 in {1c, 2c}: size of h = 99", True),
]


@pytest.mark.parametrize(("expression", "expected"), QUESTIONS)
def test_3_8_questions(expression: str, expected: Value) -> None:
    assert worth(expression) is expected


FOLDS: list[tuple[str, Value]] = [
    ("number of t in {1c, 1c, 2c}: t = 1c", 2),
    ("number of h of 2 in {1c, 1c, 2c}: size of kinds of h = 1", 1),
    ("number of h of 2 in {1c, 1c, 2c}: size of h = 2", 3),
    ("number of h of 0 in {1c}: h is empty", 1),
    ("sum of n for n in {1 to 4}: n > 1", 9),
    ("sum of n for n in {4 to 1}", 0),
    ("sum of s for s in {{1c}, {1c, 2c}}", bag([0, 0, 1])),
    ("most of -n for n in {2 to 4}", -2),
    ("most of n for n in {4 to 2}", 0),
    ("least of n for n in {2 to 4}: n > 9", 0),
    ("least of n for n in {2 to 4}", 2),
    ("those t in {1c, 2c, 2c}: t /= 1c", bag([1, 1])),
    ("the t in {1c, 2c, 2c}: t /= 1c", 1),
    ("the t in {1c, 2c}: t = t", None),
    ("the t in {1c, 2c}: t = 3c", None),
    ("(the s in {{1c, 2c}, {2c, 1c}}: size of s = 2) otherwise {3c}", bag([0, 1])),
]


@pytest.mark.parametrize(("expression", "expected"), FOLDS)
def test_3_9_sums_and_choices(expression: str, expected: Value) -> None:
    assert worth(expression) == expected


def test_3_10_otherwise() -> None:
    assert worth("(the n in {1, 2}: n = 2) otherwise 9 ^ 5000") == 2
    assert worth("(the n in {1, 2}: n = 3) otherwise 5") == 5
    assert worth("(the n in {1, 2}: n = 3) is none") is True


def test_3_11_a_definition_with_cases_is_yes_if_some_case_is() -> None:
    cases = "define mate(a, b: tile)\n  twin: a = b\n  odd: a = 1c and b = 2c\n"
    assert worth("number of t in {1c, 2c, 3c}: mate(1c, t)", cases) == 2


def test_3_12_over_lasts_from_the_win_to_the_end_and_the_winner_to_the_next_deal() -> None:
    parts = """
    action win by p "win"
      yes: p = p "never"
      then p wins
      then won-in-time := over and winner = p
    define probe: over
    define who: winner
    define ends: hands-played
    define pot: stake
    """
    text = game(
        parts, state="won-in-time: yes or no = no", payout="won: when winner is not none: winner scores 3"
    )
    match = begun(text, stake=7).plays(DEAL)
    assert match.asks("probe") is False
    assert match.asks("pot") == 7
    match.plays({"do": "win", "by": 1})
    assert match.asks("probe") is True
    assert match.asks("who") == 1
    assert match.var("won-in-time") is True
    match.plays({"do": "end", "winner": 1, "pay": [0, 3]})
    assert match.asks("probe") is False
    assert match.asks("who") == 1
    assert match.asks("ends") == 1
    assert match.plays(DEAL).asks("who") is None


def test_3_12_a_total_adds_what_was_gained() -> None:
    text = game(
        "define probe: {q's total for q in players}", payout="some: for each q in players: q scores 2"
    )
    pay = {**END, "pay": [2, 2]}
    assert begun(text).plays(DEAL, pay, DEAL, pay).asks("probe") == bag([4, 4])


def test_a_state_without_a_value_cannot_be_read() -> None:
    with pytest.raises(Unset):
        begun(game("define probe: mover")).asks("probe")


def test_7_9_for_each_takes_values_in_their_order() -> None:
    assert in_turn(bag([True, False]), BOOL) == [False, True]
    assert in_turn(bag(["up", "down", "up"]), Choice(("up", "down"))) == ["up", "up", "down"]
    words = Opt(Choice(("up", "down", "aside")))
    assert in_turn(bag(["aside", None, "up", "down"]), words) == [None, "up", "down", "aside"]
    bags = bag([bag(["aside"]), bag(["aside", "down"])])
    assert in_turn(bags, BagType(words)) == [bag(["aside", "down"]), bag(["aside"])]
    melds = bag([Meld(bag([1])), Meld(bag([0, 2]), "b"), Meld(bag([0, 2])), Meld(bag([0, 2]), "a")])
    assert [(m.tiles.members, m.label) for m in melds if isinstance(m, Meld)] == [
        ((0, 2), None),
        ((0, 2), "a"),
        ((0, 2), "b"),
        ((1,), None),
    ]


def test_every_bag_of_members_comes_once() -> None:
    found = list(sub_bags(bag([0, 0, 1])))
    assert len(found) == len(set(found)) == 6
