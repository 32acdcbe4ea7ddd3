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
from golpae.compare.size import simulated_games
from tests.committed import TOP

HAND = "1m 1m 1m 2m 2m 2m 3m 3m 3m 4m 4m 4m 5m".split()
GIVEN = {"win": "5m", "seat_wind": "E"}


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """Return what a verb prints as JSON."""
    main([*words])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
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
    assert str(found).startswith("jjak, 2 players: 300 hands by random, seed 7\n  won ")
    assert "\n  paid for a hand, on average: seat 0 " in str(found)


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
    with pytest.raises(golpae.TableError, match="is for 2 to 4 players, not for 9"):
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


FLIP = """game flip "Flip"

players 2 to 2

tiles 2 of 2 kinds
  coin: one of each 1-1 2-2
  written: "{high}-{low}"

zones
  pile: tiles seen by nobody, holds the set
  each player's hand: tiles seen by everyone

state of the hand
  mover: seat
  guessed: yes or no = no

deal from pile
  hands: 1 for everyone
  then mover := first

action pass by p "pass"
  turn: p = mover "it is not {p}'s turn"
  then mover := p's right
  then when guessed: p wins
  then guessed := yes

end
  due: over "the hand is not over"

payout
  won: when winner is not none: for each q in players - winner: q pays winner price

define price: stake

claim the-second-wins: over 90% of hands by random: winner is not none

variant dear "twice as much"
  replace price: 2 * stake

variant left "it goes to the left"
  replace pass.turn: p = mover's left's right "it is not {p}'s turn"
"""


def test_shares_are_measured_if_hands_are_to_be_played() -> None:
    rules = golpae.load_text(FLIP)
    [share] = [one for one in rules.properties if one.kind == "share"]
    assert (share.name, share.expected) == ("the-second-wins", "measured")
    [proof] = rules.prove(share.name)
    assert (proof.verdict, proof.status, proof.share, bool(proof)) == (
        "unmeasured",
        "not measured",
        None,
        False,
    )
    [proof] = rules.prove(share.name, hands=200)
    assert proof.share is not None
    assert (proof.verdict, proof.share.count, proof.share.of, bool(proof)) == ("measured", 200, 200, True)
    with pytest.raises(ValueError, match="`hands` is a whole number"):
        rules.prove(share.name, hands=0)


def test_a_share_that_is_not_about_this_number_of_players_is_an_error() -> None:
    premise = "size of players = 3 implies over 90%"
    tiles = (
        FLIP.replace("2 to 2", "2 to 3")
        .replace("tiles 2 of 2", "tiles 3 of 3")
        .replace("1-1 2-2", "1-1 2-2 3-3")
    )
    rules = golpae.load_text(tiles.replace("over 90%", premise))
    [share] = [one.name for one in rules.properties if one.kind == "share"]
    assert [proof.players for proof in rules.prove(share, players=3)] == [3]
    with pytest.raises(golpae.TableError, match=f"`{share}` of `flip` is about games of 3 players, not of 2"):
        rules.prove(share, players=2)


def test_sizes_are_those_of_golpae_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated_games, "MOST_COMPILED", 1_000)
    file = tmp_path / "flip.golpae"
    file.write_text(FLIP, "utf-8")
    found = golpae.compare_rules(file, "dear", games=False, sizes=True)
    sizes = printed(capsys, "compare", str(file), "dear", "--layer", "size", "--format", "json")["size"]
    assert isinstance(sizes, list)
    assert [(one.share.count, one.share.of) for one in found.sizes] == [(s["count"], s["of"]) for s in sizes]
    assert found.sizes[0].share.count > 0
    assert golpae.compare_rules(file, "dear", games=False).sizes == ()


def test_recorded_games_under_other_rules_are_those_of_golpae_compare(
    capsys: pytest.CaptureFixture[str],
) -> None:
    games = str(TOP / "traces" / "jjak" / "base.jsonl")
    found = golpae.compare_traces("jjak", "culin", games)
    told = printed(capsys, "compare", "jjak", "culin", "--traces", games, "--format", "json")
    assert (found.games, found.same, bool(found)) == (told["games"], told["same"], False)
    verdicts = told["verdicts"]
    assert isinstance(verdicts, list)
    shown = [{"file": one.file, "line": one.line, "event": one.event, "at": one.at} for one in found.changes]
    assert shown == [one["soonest"] for one in verdicts]
    assert [one.clause for one in found.changes] == [one["b"]["clause"] for one in verdicts]
    assert golpae.compare_traces(golpae.load("jjak"), golpae.load("jjak"), games)
    paid = golpae.compare_traces("jjak", "doubling", TOP / "traces" / "jjak" / "next-first.jsonl")
    assert (paid.moved, paid.players["Bo"], paid.changes[0].kind) == (42, 30, "payments")
    with pytest.raises(golpae.TraceError, match="no file or folder"):
        golpae.compare_traces("jjak", "culin", "nowhere.jsonl")
    with pytest.raises(golpae.RulesError, match="no rules called `relxed`"):
        golpae.compare_traces("jjak", "relxed", games)


@pytest.mark.solver
def test_a_switch_is_compared_over_all_settings_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "flip.golpae").write_text(FLIP, "utf-8")
    rules = golpae.load(tmp_path / "flip.golpae")
    [found] = golpae.compare_switch(rules, "dear", cached=False)
    assert (found.players, bool(found), found.why_unknown) == (2, False, None)
    [part] = found.parts
    assert (part.settings, part.otherwise, part.less, part.more, part.unknown) == (
        2,
        True,
        False,
        False,
        False,
    )
    [game, *_] = found.games
    assert game.at == "paid"
    assert golpae.check(game.trace, rules.plus("dear") if "dear" in game.rules else rules).ok
    [same] = golpae.compare_switch(rules, "left", cached=False)
    assert (bool(same), same.games) == (True, ())
    with pytest.raises(golpae.RulesError, match="has no switch `daer` that is off"):
        golpae.compare_switch(rules, "daer")
    assert golpae.compare_switch(golpae.load_text(FLIP), "dear", cached=False) == (found,)
    with pytest.raises(golpae.TableError, match="is for 2 players, not for 3"):
        golpae.compare_switch(rules, "dear", players=3)
