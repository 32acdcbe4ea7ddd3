"""Texts at the edges of docs/semantics.md, on the judge: what readers of the language have got wrong before."""

from __future__ import annotations

import pytest

from golpae.diagnostics import SpecError
from tests.judge.faults import Unclear
from tests.judge.legal_events import legal_events
from tests.judge.rows import HIDDEN
from tests.judge.texts import DEAL, END, Game, begun, dealt, game
from tests.judge.values import Bag, Meld, bag


def by(name: str, **keys: object) -> dict[str, object]:
    return {"do": name, "by": 0, **keys}


def found(match: Game, name: str) -> list[dict[str, object]]:
    """Return the legal events of one action."""
    return [event for event, _ in legal_events(match.table, match.state) if event["do"] == name]


def test_2_3_the_order_of_tiles_within_a_group_means_nothing() -> None:
    parts = """
    action show(groups: list of tiles) by p "show"
      alike: size of kinds of groups = 1 "not alike"
      same: (the g in groups: size of g = 2) is not none "different"
    """
    match = dealt(game(parts))
    match.plays(by("show", groups=[["1c", "2c"], ["2c", "1c"]]))
    assert match.refuses(by("show", groups=[["1c", "2c"], ["2c", "3c"]])) == "alike"


def test_2_8_a_note_of_each_player_is_a_value_too() -> None:
    parts = """
    action note by p "note"
      then for each q in players: q's seen := q's hand
      then pass each player's hand to the right
    """
    match = dealt(game(parts, state="each player's seen: tiles = {}")).plays(by("note"))
    assert (match.var("seen", 0), match.var("seen", 1)) == (bag([0, 1]), bag([0, 2]))
    assert (match.zone("hand", 0), match.zone("hand", 1)) == (bag([0, 2]), bag([0, 1]))


def test_4_5_a_row_that_moves_to_its_own_front_is_turned_round() -> None:
    parts = """
    action turn by p "turn"
      then move all from stall to front of stall
    action stay by p "stay"
      then move all from stall to stall
    """
    match = dealt(game(parts), reserve=["3c", "2c"])
    assert match.plays(by("stay")).row("stall") == (2, 1)
    assert match.plays(by("turn")).row("stall") == (1, 2)


def test_4_5_written_tiles_come_to_the_front_one_before_the_other() -> None:
    parts = 'action lay by p "lay"\n  then move {2c, 1c} from p\'s hand to front of line\n'
    assert dealt(game(parts)).plays(by("lay")).row("line") == (0, 1)


def test_4_6_tiles_are_taken_from_an_end_in_the_order_of_the_set() -> None:
    parts = """
    action grab(these: tiles) by p "grab"
      then move these from front of stall to p's hand
    action both by p "grab both"
      then move {3c, 2c} from front of stall to p's hand
    """
    assert dealt(game(parts), reserve=["2c", "3c"]).plays(by("grab", these=["3c", "2c"])).row("stall") == ()
    assert dealt(game(parts), reserve=["3c", "2c"]).refuses(by("grab", these=["3c", "2c"])) == "then"
    assert dealt(game(parts), reserve=["3c", "2c"]).plays(by("both")).row("stall") == ()
    assert dealt(game(parts), reserve=["2c", "3c"]).refuses(by("both")) == "then"


def test_4_8_an_order_that_was_shuffled_away_can_be_any() -> None:
    parts = """
    action mix by p "shuffle"
      then shuffle stall
    action look(order: tiles) by p "look"
      then arrange stall as order
    """
    match = dealt(game(parts), reserve=["3c", "2c"])
    assert [event["order"] for event in found(match, "look")] == [
        ["3c", "2c"],
        ["3c", "2c"],
    ]  # of two players
    match.plays(by("mix"))
    assert [event["order"] for event in found(match, "look") if event["by"] == 0] == [
        ["2c", "3c"],
        ["3c", "2c"],
    ]


def test_5_4_a_deal_forgets_melds_and_rows() -> None:
    parts = """
    shape run(a, b): a /= b
    action lay by p "lay"
      then move {1c, 2c} from p's hand to shown as run
      then move all from stall to line
    """
    match = dealt(game(parts)).plays(by("lay"), END)
    assert match.zone("shown") == bag([Meld(bag([0, 1]), "run")])
    match.plays(DEAL)
    assert match.zone("shown") == match.zone("line") == Bag()
    assert match.row("stall") == (HIDDEN, HIDDEN)


def test_6_3_a_withdrawn_tile_is_no_part_of_any_legal_event() -> None:
    parts = """
    action guess(tile) by p "guess"
      yes: p = p "never"
    action note(these: tiles) by p "note"
      two: size of these = 2 "not two"
    """
    match = dealt(game(parts, tiles="coins: two of each 1c 2c 3c 4c\nwithdrawn: {4c, 4c, 3c}"))
    assert [event["tile"] for event in found(match, "guess")] == ["1c", "2c", "3c"] * 2
    assert match.refuses(by("guess", tile="4c")) == "set"
    assert match.refuses(by("note", these=["3c", "3c"])) == "set"
    assert len(found(match, "note")) == 2 * 5


def test_6_3_an_end_can_have_keys_of_its_own() -> None:
    match = dealt(game(end_keys="(n: number from 1 to 3, optional who: seat)", end='odd: n mod 2 = 1 "even"'))
    assert found(match, "end") == [
        {"do": "end", "winner": None, "pay": [0, 0], "n": n, **who}
        for n in (1, 3)
        for who in ({}, {"who": 0}, {"who": 1})
    ]
    assert match.refuses({**END, "n": 2}) == "odd"
    assert match.refuses({**END, "n": 4, "pay": [1, 1]}) == "n"


def test_6_3_a_deal_can_have_keys_of_its_own() -> None:
    text = game(keys="(optional round: number, up: tile)", deal='count: round is none or round = 1 "no"')
    begun(text).plays({**DEAL, "up": "1c"}, END, {**DEAL, "up": "1c", "round": 1})
    assert begun(text).refuses({**DEAL, "up": "1c", "round": 2}) == "count"


def test_6_5_two_lists_in_one_event() -> None:
    parts = """
    action swap(mine: {a, b}, theirs: {c, d}) by p "swap"
      held: {a, b} in p's hand and {c, d} in p's right's hand "not held"
      odd: a = 2c and c = 3c "not odd"
      then move {a, c} from heap to line
    """
    text = game(parts, deal="then move all from stall to heap")
    event = by("swap", mine=["1c", "2c"], theirs=["1c", "3c"])
    match = dealt(text).plays(event)
    assert match.row("line") == (1, 2)
    assert match.refuses(event) == "then"


def test_7_4_a_meld_is_found_anew_by_each_effect() -> None:
    parts = """
    shape run(a, b): a /= b
    action grow by p "grow"
      then move 1c from p's hand to shown
      then move 2c from p's hand to (the m in shown: size of m = 1)
      then move {1c, 2c} from (the m in shown: size of m = 2) to away as run
    """
    match = dealt(game(parts)).plays(by("grow"))
    assert match.zone("shown") == Bag()
    assert match.zone("away") == bag([Meld(bag([0, 1]), "run")])


def test_7_4_a_tile_can_go_back_to_the_meld_that_it_left() -> None:
    """The place that it goes to is found after it left, and a meld without tiles is gone."""
    parts = """
    action same(n: number) by p "same"
      then when n = 1: move 1c from p's hand to shown
      then when n = 2: move {1c, 2c} from p's hand to shown
      then move 1c from (the m in shown: 1c in m) to (the m in shown: size of m = 1)
    """
    assert dealt(game(parts)).refuses(by("same", n=1)) == "then"
    assert dealt(game(parts)).plays(by("same", n=2)).zone("shown") == bag([Meld(bag([0, 1]))])


def test_7_9_a_loop_over_melds_takes_equal_tiles_by_their_label() -> None:
    parts = """
    shape aa(a): a = a
    shape zz(a): a = a
    action lay by p "lay"
      then move 1c from p's hand to shown as zz
      then move 1c from p's right's hand to shown as aa
      then move 2c from p's hand to shown
      then for each m in shown: last := m
      then for each m in shown: when first is none: first := m
    """
    text = game(
        parts.replace("first", "early"), state="last: meld or none = none\nearly: meld or none = none"
    )
    match = dealt(text).plays(by("lay"))
    assert match.var("early") == Meld(bag([0]), "aa")
    assert match.var("last") == Meld(bag([1]))


def test_7_9_a_loop_over_players_sees_what_earlier_rounds_did() -> None:
    parts = """
    action look by p "look"
      then for each q in players
        when n = 0: first := q
        n := n + 1
    """
    match = dealt(
        game(parts.replace("first", "early"), state="n: number = 0\nearly: seat or none = none"), first=1
    )
    assert match.plays(by("look")).var("early") == 0


def test_7_10_the_limit_holds_for_each_effect_by_itself() -> None:
    parts = """
    action grow by p "grow"
      small: n < 10 ^ 3999 "large enough"
      then n := n * n
      then twice: n := n * 10 ^ 1600
    """
    match = dealt(game(parts, state="n: number = 10 ^ 600"))
    match.plays(by("grow"))
    assert match.var("n") == 10**2800
    with pytest.raises(Unclear, match="4,000 digits"):
        match.plays(by("grow"))


def test_a_hand_that_many_win_has_no_single_winner() -> None:
    parts = """
    action all by p "all win"
      then for each q in {p's right, p}: q wins
    """
    dealt(game(parts)).plays(by("all"), END)


def test_5_7_a_text_that_lets_somebody_win_outside_of_a_hand_is_refused() -> None:
    with pytest.raises(SpecError, match="nobody can win in `end`"):
        dealt(game(end="then nobody wins"))


def test_6_5_and_6_7_a_deal_whose_effects_cannot_happen_is_illegal() -> None:
    match = begun(game(deal="then move 1c from first's hand to heap"))
    assert match.refuses({**DEAL, "hands": [["2c", "2c"], ["1c", "3c"]]}) == "then"
    assert match.stage() == "before"
    match.plays(DEAL)


def test_8_5_a_hand_of_fourteen_tiles_is_laid_out_in_every_way() -> None:
    parts = """
    shape run(a, b, c): b's n = a's n + 1 and c's n = a's n + 2
    shape trio(a, b, c): a = b and b = c
    shape three: run or trio
    shape pair(a, b): a = b
    arrangement whole: 4 threes and 1 pair
    score worth
      given
        hand: tiles
      hand: hand
      as: whole
      total: sum
      pattern runs 1 for each s in threes: s is run
      pattern trios 10 for each s in threes: s is trio
    define probe: worth(hand: {1c, 1c, 1c, 2c, 2c, 2c, 3c, 3c, 3c, 4c, 4c, 4c, 5c, 5c}) otherwise 0
    define few: worth(hand: {1c, 2c, 3c}) is none
    """
    match = begun(game(parts, tiles='coins: four of each "{n}c" for n in 1 to 5'))
    assert match.asks("probe") == 40  # four trios; three runs and a trio count 13
    assert match.asks("few") is True
