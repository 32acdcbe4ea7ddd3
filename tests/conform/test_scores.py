"""Engines that count hands are compared with the rules."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

import golpae
from golpae.cli.main import main
from golpae.elaborate.cache import elaborate_cached
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
    assert 20 < found.count < 90


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
