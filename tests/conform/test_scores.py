"""Engines that count hands are compared with the rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

import golpae
from golpae.cli.main import main
from golpae.conform.stated_hands import StatedHands
from golpae.elaborate.cache import elaborate_cached
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from golpae.testing import ScoresConformed, conform_scores

pytestmark = pytest.mark.property
LIBRARY = Library(elaborate_cached)
RULES = "korean-mahjong"


def compared(without: str, hands: int = 100) -> ScoresConformed:
    """Let golpae count hands itself, without one pattern."""

    def count(hand: dict[str, Any]) -> int | bool | None:
        if hand.get("last_tile"):
            return False
        scored = score_hand({"rules": RULES, **hand}, LIBRARY)
        assert isinstance(scored, Scored)
        if scored.points is None:
            return None
        return scored.points - scored.ways[0].patterns.get(without, 0)

    return conform_scores(RULES, count, hands=hands)


def test_an_engine_that_counts_the_same_agrees() -> None:
    found = compared("nothing")
    assert found.agrees, found.text
    assert found.hands + found.not_known == 100
    assert found.not_known > 0
    assert 60 <= found.count < 100


def test_a_pattern_that_is_missing_is_named_with_the_simplest_hand() -> None:
    found = compared("seven-pairs")
    assert not found
    [one] = found.differences
    assert (one.kind, dict(one.always)) == ("otherwise", {"seven-pairs": one.hands})
    assert one.patterns["seven-pairs"] == 4
    line = next(line for line in found.text.splitlines() if "the hand: golpae score" in line)
    scored = golpae.score(RULES, keys=dict(one.hand))
    assert isinstance(scored, golpae.Scored)
    assert scored.points == one.by_rules
    assert main(line.split()[3:]) == 0


@pytest.mark.process
def test_a_program_counts_hands(capsys: pytest.CaptureFixture[str]) -> None:
    source = 'import sys\nfor line in sys.stdin: print(\'{"ok":true,"points":null}\', flush=True)'
    program = [sys.executable, "-S", "-c", source]
    assert main(["conform", RULES, "--scores", "20", "--format", "json", "--", *program]) == 1
    found = json.loads(capsys.readouterr().out)
    [one] = found["disagreements"]
    assert (one["kind"], one["hands"], one["always"]) == ("misses", found["count"], {})
    assert conform_scores("ho-hpai", program, hands=10).differences[0].kind == "misses"
    for words, said in [
        (["jjak", "--scores", "5", "--", *program], "`jjak` has no `score`"),
        ([RULES, "--scores", "0", "--", *program], "`--scores` must be more than 0"),
        ([RULES, "--scores", "5", "--score", "x", "--", *program], "has no score `x`; it has: `worth`"),
        ([RULES, "--scores", "5", "--", "no-such-program"], "it cannot be started: no such file"),
    ]:
        assert main(["conform", *words]) == 2
        assert said in capsys.readouterr().err
    with pytest.raises(golpae.HandError, match="has no `score`"):
        conform_scores("jjak", lambda hand: None)


def test_an_engine_that_fails_is_told() -> None:
    def fails(hand: dict[str, Any]) -> int:
        return int(hand["nothing"])

    found = conform_scores("ho-hpai", fails)
    assert [one.kind for one in found.differences] == ["fault"]
    assert "KeyError (test_scores.py:" in found.differences[0].by_engine
    assert "given up" in found.text


# No action makes a meld: hands are those that the score accepts.
PARLOUR = """
game parlour "Parlour"

players 2 to 2

tiles 50 of 14 kinds
  suns: four of each "{rank}s" for rank in 1 to 9
  winds: four of each E S W
  blossoms: one of each b1 b2

zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape run(a, b, c): a in suns and b in suns and c in suns and b's rank = a's rank + 1 and c's rank = b's rank + 1
shape triple(a, b, c): a = b and b = c
shape quad(a, b, c, d): a = b and b = c and c = d
shape hidden-quad(a, b, c, d): a = b and b = c and c = d
shape set: run or triple or quad or hidden-quad
shape pair(a, b): a = b

arrangement whole: 3 sets and 1 pair

score worth
  given
    hand: tiles
    laid: melds = {}
    shown: tiles = {}
    last: tile
    drawn: yes or no = no
    bonus: number from 0 to 3 = 0
    leader: seat or none = none
  provided
    shown: every t in shown: t in blossoms "these are no blossoms"
    called: bonus = 0 or some m in laid: m is quad "a bonus is paid for a quad"
  hand: hand + last
  fixed: laid
  as: whole
  marking: last as completed
  keep: size of hand + 3 * size of laid = 10
  total: sum
  pattern plain 1: yes
  pattern closed 2: every m in laid: m is hidden-quad
  pattern quad 1 for each s in sets: s is quad
  pattern hidden 3 for each s in sets: s is hidden-quad
  pattern own-triple 2 for each s in sets: s is triple and s not in laid and (drawn or s /= completed)
  pattern blossom 1 for each t in shown: yes
  pattern middle 2: completed is run and some t in completed: t's rank + 1 = last's rank and
    (some u in completed: u's rank = last's rank + 1)
  pattern bonus bonus: yes
  pattern leader 1: leader is not none
  pattern never 9: size of shown > 2

deal from bag
  hands: 4 for everyone

action show(tile) by p "show a tile"
  held: tile in p's hand "{p} does not hold {tile}"
  then p wins

end
  due: over "the hand is not over"

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake
"""


def open_triple(hand: dict[str, Any]) -> None:
    """Take open triples for those of the hand."""
    hand["hand"] += [t for m in hand["laid"] if m[0] == "triple" for t in m[1:]]
    hand["laid"] = [m for m in hand["laid"] if m[0] != "triple"]


def label(hand: dict[str, Any]) -> None:
    """Take every quad for one that was called."""
    hand["laid"] = [["quad", *m[1:]] if m[0] == "hidden-quad" else m for m in hand["laid"]]


def wait(hand: dict[str, Any]) -> None:
    """Take another tile for the last one."""
    hand["hand"][0], hand["last"] = hand["last"], hand["hand"][0]


def flower(hand: dict[str, Any]) -> None:
    hand["shown"] = []


def draw(hand: dict[str, Any]) -> None:
    hand["drawn"] = not hand["drawn"]


def bonus(hand: dict[str, Any]) -> None:
    hand["bonus"] = 0


def leader(hand: dict[str, Any]) -> None:
    hand["leader"] = None


def nothing(hand: dict[str, Any]) -> None:
    """Change nothing."""


@pytest.fixture(scope="module")
def parlour(tmp_path_factory: pytest.TempPathFactory) -> golpae.Rules:
    file = tmp_path_factory.mktemp("rules") / "parlour.golpae"
    file.write_text(PARLOUR, encoding="utf-8")
    return golpae.load(file)


@pytest.mark.parametrize("fault", [open_triple, label, wait, flower, draw, bonus, leader, nothing])
def test_a_planted_fault_is_found(parlour: golpae.Rules, fault: Callable[[dict[str, Any]], None]) -> None:
    def count(hand: dict[str, Any]) -> int | None:
        usual = {"laid": [], "shown": [], "drawn": False, "bonus": 0, "leader": None}
        whole = {**usual, **hand, "hand": [*hand["hand"]]}
        fault(whole)
        if whole["leader"] is None:
            del whole["leader"]
        scored = parlour.score(whole.pop("hand"), whole)
        assert isinstance(scored, golpae.Scored)
        return scored.points

    found = conform_scores(parlour, count, hands=80)
    assert found.agrees == (fault is nothing), found.text
    assert found.count >= 0.6 * found.hands
    assert (found.keys_without_hands, found.patterns_without_hands) == ((), ("never",))
    assert "  not compared, because no hand had this pattern: never" in found.text.splitlines()


@pytest.mark.parametrize("fault", ["melds", "flowers", "label"])
def test_a_planted_fault_of_open_hands_is_found_in_a_real_game(fault: str) -> None:
    def count(hand: dict[str, Any]) -> int | None:
        hand = dict(hand)
        if fault == "melds":
            melds = hand.pop("melds", [])
            hand["hand"] = [*hand["hand"], *(t for m in melds for t in m[1:4] if len(m) == 4)]
            hand["melds"] = [m for m in melds if len(m) != 4]
        elif fault == "label":
            hand["melds"] = [
                ["concealed-kong" if m[0] == "kong" else m[0], *m[1:]] for m in hand.get("melds", [])
            ]
        else:
            hand.pop("flowers", None)
        scored = score_hand({"rules": RULES, **hand}, LIBRARY)
        return scored.points if isinstance(scored, Scored) else None

    found = conform_scores(RULES, count, hands=100)
    assert not found
    assert found.count >= 60


def test_hands_are_a_function_of_the_seed_and_can_be(parlour: golpae.Rules) -> None:
    machine = parlour.library.machine(parlour.name, 2, {})
    assert isinstance(machine, Machine)
    one, other = (StatedHands(machine, "worth", 7) for _ in range(2))
    drawn = [one.draw(number) for number in range(30)]
    assert drawn == [other.draw(number) for number in reversed(range(30))][::-1]
    assert drawn != [StatedHands(machine, "worth", 8).draw(number) for number in range(30)]
