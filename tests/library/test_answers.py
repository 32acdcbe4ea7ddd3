"""Scores, simulations, proofs, comparisons and attribution from Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import golpae
from golpae.cli.main import main
from tests.committed import TOP

HAND = "1m 1m 1m 2m 2m 2m 3m 3m 3m 4m 4m 4m 5m".split()
GIVEN = {"win": "5m", "seat_wind": "E"}


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """Return what a verb prints as JSON."""
    main([*words])
    found: dict[str, object] = json.loads(capsys.readouterr().out.splitlines()[0])
    return found


def test_a_hand_counts_what_golpae_score_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = [f"{key}={json.dumps(value)}" for key, value in GIVEN.items()]
    told = printed(capsys, "score", "korean-mahjong", *HAND, *words, "--format", "json")
    found = golpae.score("korean-mahjong", HAND, GIVEN)
    assert isinstance(found, golpae.Scored)
    assert found
    assert found.best is not None
    assert (found.points, found.best.points) == (told["points"], told["points"])
    assert dict(found.best.patterns) == told["patterns"]
    assert sum(map(len, found.best.sets)) == 14
    assert hash(found) == hash(golpae.score("korean-mahjong", HAND, GIVEN))


def test_a_hand_without_its_last_tile_waits() -> None:
    given = {key: value for key, value in GIVEN.items() if key != "win"}
    found = golpae.load("korean-mahjong").score(HAND, given)
    assert isinstance(found, golpae.Waiting)
    assert found.key == "win"
    assert "5m" in {wait.tile for wait in found.waits if wait.points}


def test_hands_that_cannot_be_scored_are_exceptions() -> None:
    mahjong = golpae.load("korean-mahjong")
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: mahjong.score(["1x"], GIVEN), "there is no tile `1x`"),
        (lambda: mahjong.score(HAND), "lacks the key"),
        (lambda: golpae.load("jjak").score(["6-6"]), "has no `score`"),
        (lambda: mahjong.score(HAND, {"colour": 1}), "unknown key `colour`"),
    ]
    for call, message in calls:
        with pytest.raises(golpae.HandError, match=message):
            call()
    with pytest.raises(TypeError, match="not one text"):
        mahjong.score("1m 1m")


def test_simulated_games_are_those_of_golpae_simulate(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", "jjak", "--players", "2", "--games", "300", "--seed", "7", "--jobs", "1")
    told = printed(capsys, *words, "--format", "json")
    found = golpae.load("jjak").at(2).simulate(300, seed=7)
    assert isinstance(told["won"], dict)
    assert (found.won.count, found.won.low) == (told["won"]["count"], told["won"]["low"])
    assert [mean.mean for mean in found.payments] == [mean["mean"] for mean in told["payments"]]  # type: ignore[attr-defined]
    assert sum(found.lengths.values()) == found.won.count + found.drawn.count == found.hands


def last(turn: golpae.Turn) -> int:
    """Take the last choice."""
    assert turn.zones["hand"][turn.seat]
    return len(turn.lines) - 1


def test_a_policy_is_a_function() -> None:
    table = golpae.load("jjak").at(2)
    found = table.simulate(20, policy=[last, "greedy"])
    assert found.policies == ("last", "greedy")
    assert found == table.simulate(20, policy=[last, "greedy"])


def test_wrong_policies_are_told() -> None:
    table = golpae.load("jjak").at(2)
    with pytest.raises(golpae.PolicyError, match="there is no policy `gredy`"):
        table.simulate(1, policy="gredy")
    with pytest.raises(golpae.PolicyError, match="returned 'x'"):
        table.simulate(1, policy=lambda turn: "x")  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        table.simulate(1, policy=lambda turn: 1 // 0)
    with pytest.raises(ValueError, match="1 policies for 2 players"):
        table.simulate(1, policy=["random"])
    with pytest.raises(TypeError, match="a name or a function"):
        table.simulate(1, policy=5)  # type: ignore[arg-type]
    for wrong in (0, -1, 1.5):
        with pytest.raises(ValueError, match="`games`"):
            table.simulate(wrong)  # type: ignore[arg-type]


def test_a_program_proves_without_a_guarded_main_module(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import golpae\n"
        "[proof] = golpae.load('jjak').prove('every-tile-has-one-mate', players=2)\n"
        "print(proof.verdict, proof.status, bool(proof))\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, cwd=TOP)
    assert (done.stdout, done.stderr) == ("proved as expected True\n", "")


def test_properties_and_tables_that_there_are_not_are_exceptions() -> None:
    rules = golpae.load("jjak")
    with pytest.raises(golpae.RulesError, match="has no property `nothing`"):
        rules.prove("nothing")
    with pytest.raises(golpae.TableError, match="is not for 9 players"):
        rules.prove("nobody-wins", players=9)
    with pytest.raises(ValueError, match="`effort`"):
        rules.prove(effort=0)


def test_texts_are_compared_clause_by_clause() -> None:
    found = golpae.compare_rules("jjak", "relaxed", games=False)
    assert (found.a, found.b, found.games) == ("jjak", "jjak+relaxed", None)
    [changed] = [one for one in found.differences if one.counts]
    assert (changed.clause, changed.kind) == ("claim.turn", "replaced")
    assert changed.before is not None
    assert "p = mover" in changed.before
    assert golpae.load("jjak").compare("jjak", games=False).games == "same"
    with pytest.raises(golpae.RulesError, match="there are no rules"):
        golpae.compare_rules("jjak", "relxed", games=False)


def test_games_tell_their_rules() -> None:
    [found] = golpae.attribute_games(TOP / "traces" / "three-dozen" / "may-draw.jsonl")
    assert (found.game, found.games > found.legal > 0, bool(found)) == ("three-dozen", True, False)
    assert found.rules == ("three-dozen+may-draw",)
    roles = {one.switch: one.role for one in found.switches[0]}
    assert roles["may-draw"] == "needed"
