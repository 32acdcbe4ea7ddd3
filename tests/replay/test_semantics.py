"""Replay means by a text what docs/semantics.md says: small texts in which the exact meaning decides a verdict.

The names of the tests follow the page; the number of the paragraph is in each docstring.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.check import elaborate
from golpae.ir.ruleset import RuleSet
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report

TABLE = """
game table "A table for two"
players 2 to 2

tiles
  coins: two of each 1c 2c 3c
  guests: one of each sun
  withdrawn: {sun}

zones
  stall: tiles seen by nobody, holds the set
  box: tiles seen by nobody
  line: row seen by everyone
  each player's hand: tiles seen by its owner
  shown: melds seen by everyone
  away: melds seen by everyone

state of the hand
  mover: seat
  noted: tiles = {}
  count: number = 0
  mark: one of one, two, three = one
  each player's flag: yes or no = no

shape couple(a, b): a /= b
shape twin(a, b): a /= b

deal from STALL
  hands: 2 for everyone
  then mover := first

ACTIONS

end
  due: DUE "the hand is not over"
"""
DEAL = {"do": "deal", "first": 0, "hands": [["1c", "2c"], ["1c", "3c"]]}


def rules(tmp_path: Path, actions: str, due: str = "over", stall: str = "stall") -> RuleSet:
    text = TABLE.replace("ACTIONS", actions).replace("DUE", due).replace("STALL", stall)
    (tmp_path / "table.golpae").write_text(text, encoding="utf-8")
    return elaborate("table", [tmp_path])


def judged(rule_set: RuleSet, *events: dict[str, Any]) -> Report:
    header = {"golpae": 1, "rules": "table", "players": ["An", "Bo"]}
    lines = "".join(json.dumps(line) + "\n" for line in (header, DEAL, *events))
    (report,) = replay(io.BytesIO(lines.encode()), "a trace", Library(lambda _: rule_set))
    return report


def verdict(rule_set: RuleSet, *events: dict[str, Any]) -> tuple[str, str | None]:
    """The verdict on a game that is dealt `DEAL`, and the clause that it breaks."""
    outcome = judged(rule_set, *events).outcome
    return outcome.verdict.value, outcome.clause


def after(rule_set: RuleSet, *events: dict[str, Any]) -> Any:
    """The state after these events, all of them legal."""
    report = judged(rule_set, *events)
    assert report.outcome.verdict.value in ("incomplete", "legal"), report.outcome
    assert report.end is not None
    return report.end[2]


def test_a_note_of_a_zone_does_not_change_with_the_zone(tmp_path: Path) -> None:
    """2.8"""
    noting = """
action note(tile) by p
  held: tile in p's hand
  then noted := p's hand
  then move tile from p's hand to box
  then when size of noted = 2: nobody wins
"""
    event = {"do": "note", "by": 0, "tile": "1c"}
    assert verdict(rules(tmp_path, noting), event, {"do": "end", "winner": None, "pay": [0, 0]})[0] == "legal"


MELDS = """
action lay(tiles: {a, b}) by p
  held: {a, b} in p's hand
  apart: a /= b
  then when p = mover: move {a, b} from p's hand to shown as couple
  then when p /= mover: move {b, a} from p's hand to shown as twin

action clear by p
  two: size of shown = 2
  kinds: size of kinds of shown = 2
  then for each m in (those n in shown: n is twin): move m from shown to away
  left: every m in away: m is twin

action sweep by p
  then move all from shown to away

action break(tile) by p
  in: some m in shown: tile in m
  then move tile from (the m in shown: tile in m) to p's hand
"""
LAID = {"do": "lay", "by": 0, "tiles": ["1c", "2c"]}


def test_a_meld_that_moves_keeps_its_label(tmp_path: Path) -> None:
    """2.4, 7.3"""
    texts = rules(tmp_path, MELDS.replace("  left: every m in away: m is twin\n", ""))
    state = after(texts, LAID, {"do": "sweep", "by": 0})
    assert [(tuple(m), m.label) for m in state.z_away] == [((0, 1), "couple")]


def test_melds_of_the_same_tiles_under_different_labels_differ(tmp_path: Path) -> None:
    """2.4, 7.4"""
    texts = rules(tmp_path, MELDS.replace("  left: every m in away: m is twin\n", ""))
    hands = {"do": "deal", "first": 0, "hands": [["1c", "2c"], ["1c", "2c"]]}
    header = {"golpae": 1, "rules": "table", "players": ["An", "Bo"]}
    events = [header, hands, LAID, {"do": "lay", "by": 1, "tiles": ["1c", "2c"]}, {"do": "clear", "by": 0}]
    data = "".join(json.dumps(line) + "\n" for line in events).encode()
    (report,) = replay(io.BytesIO(data), "a trace", Library(lambda _: texts))
    assert report.outcome.verdict.value == "incomplete"
    assert report.end is not None
    assert [m.label for m in report.end[2].z_shown] == ["couple"]


def test_a_meld_without_tiles_is_gone(tmp_path: Path) -> None:
    """7.4"""
    texts = rules(tmp_path, MELDS.replace("  left: every m in away: m is twin\n", ""))
    breaking = [{"do": "break", "by": 0, "tile": tile} for tile in ("1c", "2c")]
    assert after(texts, LAID, *breaking).z_shown == []


LISTED = """
action keep(tiles: {a, b}) by p
  held: tiles in p's hand
  two: size of tiles = 2 and tiles = {b, a}
  then move tiles from p's hand to box
"""


@pytest.mark.parametrize(("tiles", "clause"), [(["2c", "1c"], None), (["1c", "sun"], "table.keep.held")])
def test_the_name_of_a_list_is_the_bag_of_its_tiles(
    tmp_path: Path, tiles: list[str], clause: str | None
) -> None:
    """3.1"""
    event = {"do": "keep", "by": 0, "tiles": tiles}
    assert verdict(rules(tmp_path, LISTED), event) == ("illegal" if clause else "incomplete", clause)


def test_legal_lists_what_the_name_of_a_list_admits(tmp_path: Path) -> None:
    """3.1, 6.6"""
    report = judged(rules(tmp_path, LISTED))
    assert report.end is not None
    machine, _, state = report.end
    assert isinstance(machine, Machine)
    assert [e.args for e in Legal(machine).events(state) if e.action == "keep"] == [(0, [0, 1]), (1, [0, 2])]


GUESSES = """
action guess(tile) by p
  turn: p = mover
  then count := count + 1

action name(tiles: {a, b}) by p
  larger: a = 2c and b = 1c
  then count := count + 1

action list(tiles) by p
  then count := count + 1
"""


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        ({"do": "guess", "by": 0, "tile": "sun"}, "table.guess.set"),
        ({"do": "list", "by": 0, "tiles": ["1c", "1c", "1c"]}, "table.list.set"),
        ({"do": "guess", "by": 1, "tile": "sun"}, "table.guess.turn"),
        ({"do": "guess", "by": 0, "tile": "1c"}, None),
        ({"do": "list", "by": 0, "tiles": []}, None),
    ],
)
def test_an_event_names_no_more_tiles_than_are_in_play(
    tmp_path: Path, event: dict[str, Any], clause: str | None
) -> None:
    """6.3"""
    assert verdict(rules(tmp_path, GUESSES), event) == ("illegal" if clause else "incomplete", clause)


@pytest.mark.parametrize("tiles", [["1c", "2c"], ["2c", "1c"]])
def test_a_list_of_an_event_has_no_order(tmp_path: Path, tiles: list[str]) -> None:
    """6.5"""
    assert verdict(rules(tmp_path, GUESSES), {"do": "name", "by": 0, "tiles": tiles}) == ("incomplete", None)


def test_legal_events_that_differ_in_the_order_of_a_list_are_one_event(tmp_path: Path) -> None:
    """6.6"""
    texts = rules(tmp_path, GUESSES)
    report = judged(texts)
    assert report.end is not None
    machine, _, state = report.end
    assert isinstance(machine, Machine)
    named = [e.args for e in Legal(machine).events(state) if e.action == "name"]
    assert named == [(0, [1, 0]), (1, [1, 0])]


MELDED = """
action ask(m: meld) by p
  part: m in p's hand
  size: size of m = 2

action show by p
  own: 2c in p's hand
  then move {2c} from p's hand to shown as twin
  then move {2c} from stall to shown as couple

action choose(ms: melds) by p
  turn: p = mover
  shown: ms in shown
  one: size of ms = 1
"""


def test_legal_does_not_list_melds_that_only_their_size_describes(tmp_path: Path) -> None:
    """6.6"""
    report = judged(rules(tmp_path, MELDED))
    assert report.end is not None
    machine, _, state = report.end
    assert isinstance(machine, Machine)
    assert "ask" not in {e.action for e in Legal(machine).events(state)}
    assert "ask" in Legal(machine).unlisted(state)


def test_legal_lists_melds_of_the_same_tiles_under_each_label(tmp_path: Path) -> None:
    """2.5, 6.6"""
    report = judged(rules(tmp_path, MELDED), {"do": "show", "by": 0})
    assert report.end is not None
    machine, _, state = report.end
    assert isinstance(machine, Machine)
    chosen = [e.args for e in Legal(machine).in_order(state) if e.action == "choose"]
    assert [[(*m, m.label) for m in ms] for _, ms in chosen] == [[(1, "couple")], [(1, "twin")]]


LOOPS = """
action look by p
  turn: p = mover
  then for each q in players
    when q = mover: mark := one
    when q /= mover: mark := two
  then for each t in {3c, 1c, 2c, 1c}: noted := {t}
  then for each n in {3, 1, 2, 1}: count := 10 * count + n

action shift by p
  then for each q in players: when 1c in q's hand: move 1c from q's hand to q's right's hand

action flip by p
  then for each q in {p, mover}: q's flag := not q's flag
"""


def test_rounds_follow_the_order_of_the_values(tmp_path: Path) -> None:
    """7.9"""
    state = after(rules(tmp_path, LOOPS), {"do": "look", "by": 0})
    assert (state.v_mark, state.v_noted, state.v_count) == ("two", [2], 1123)


def test_a_value_that_is_in_a_bag_twice_has_two_rounds(tmp_path: Path) -> None:
    """7.9"""
    state = after(rules(tmp_path, LOOPS), {"do": "flip", "by": 0})
    assert state.v_flag == [False, False]
    state = after(rules(tmp_path, LOOPS), {"do": "flip", "by": 1})
    assert state.v_flag == [True, True]


def test_each_round_sees_what_the_rounds_before_it_did(tmp_path: Path) -> None:
    """7.9"""
    state = after(rules(tmp_path, LOOPS), {"do": "shift", "by": 0})
    assert [sorted(hand) for hand in state.z_hand] == [[0, 1], [0, 2]]


ROWS = """
action put(tile) by p
  held: tile in p's hand
  then move tile from p's hand to line

action pour by p
  then move all from p's hand to line

action look by p
  seen: top of line is not none
  then count := 1
"""


def test_several_tiles_without_an_order_lie_in_a_row_unseen(tmp_path: Path) -> None:
    """4.5"""
    texts = rules(tmp_path, ROWS)
    look = {"do": "look", "by": 0}
    assert verdict(texts, {"do": "put", "by": 0, "tile": "1c"}, look) == ("incomplete", None)
    assert verdict(texts, {"do": "pour", "by": 0}, look) == ("illegal", "table.look.seen")


def test_a_deal_begins_with_the_whole_set_in_the_zone_that_is_dealt_from(tmp_path: Path) -> None:
    """5.4"""
    texts = rules(tmp_path, "", stall="box")
    state = after(texts)
    assert (state.z_stall, sorted(state.z_box)) == ([], [1, 2])


def test_the_words_of_a_choice_have_no_order(tmp_path: Path) -> None:
    """2.1"""
    marking = """
action set(to: one of three, one, two) by p
  then mark := to
"""
    assert after(rules(tmp_path, marking), {"do": "set", "by": 0, "to": "two"}).v_mark == "two"


def test_the_groups_of_the_set_compare_with_a_choice_of_their_names_in_any_order(tmp_path: Path) -> None:
    """2.1"""
    sorting = """
action sort(tile, to: one of guests, coins) by p
  right: tile's group = to
  then count := count + 1
"""
    sorts = {"do": "sort", "by": 0, "tile": "1c"}
    assert verdict(rules(tmp_path, sorting), {**sorts, "to": "coins"}) == ("incomplete", None)
    assert verdict(rules(tmp_path, sorting), {**sorts, "to": "guests"}) == ("illegal", "table.sort.right")


def test_a_value_in_a_message_may_have_braces(tmp_path: Path) -> None:
    action = 'action fail by p\n  no: count > 3 "none of {size of {1, 2}} in {{1c, 2c}}: {size of {3}}"\n'
    report = judged(rules(tmp_path, action), {"do": "fail", "by": 0})
    assert (report.outcome.message or "").startswith("none of 2 in 1c 2c: 1")
