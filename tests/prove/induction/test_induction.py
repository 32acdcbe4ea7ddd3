"""Induction proves what always holds, games refute what does not, and shortest games reach what is possible."""

from __future__ import annotations

from typing import Any

from golpae.elaborate.instance import instantiate
from golpae.prove.encoding.step import WHENS
from golpae.search import witness
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.induction.pile import GAME
from tests.prove.probe import rule_set


def result_of(statement: str, players: int = 2) -> PropertyResult:
    rules = rule_set(f"{GAME}\n{statement}\n")
    verifier = Verifier(instantiate(rules, players, {}), Settings(games=20))
    return verifier.verify(rules.properties[0])


def test_an_invariant_is_proved() -> None:
    result = result_of("always few: every p in players: size of p's hand <= 1")
    assert (result.verdict, result.vacuous) == ("proved", None)
    assert result.witness is None


def test_an_invariant_that_fails_is_refuted_by_a_game_that_replay_accepts() -> None:
    result = result_of("always low: turns <= 3")
    assert result.verdict == "refuted"
    assert result.witness is not None
    replayed(result)


def test_a_property_after_an_action_is_proved_or_refuted() -> None:
    assert result_of("always on-top after put: top of pile = tile").verdict == "proved"
    assert result_of("never empty after put: size of pile = 0").verdict == "proved"
    assert result_of("always alone after put: size of pile = 1").verdict == "refuted"


def test_reachability_is_proved_by_a_game_and_refuted_by_induction() -> None:
    result = result_of("reachable both: size of pile = 2")
    assert result.verdict == "proved"
    replayed(result)
    assert result_of("reachable three: size of pile = 3").verdict == "refuted"


def test_a_game_with_a_loop_refutes_that_every_hand_ends() -> None:
    rules = GAME.replace("  then turns := turns + 1\n", "")
    text = rule_set(rules + "\nends all: size of pool\n")
    result = Verifier(instantiate(text, 2, {}), Settings()).verify(text.properties[0])
    assert result.verdict == "refuted"
    replayed(result, text)


def test_a_property_with_an_unreachable_premise_is_vacuous() -> None:
    result = result_of("always odd: size of pile = 3 implies turns = 7")
    assert (result.verdict, result.vacuous is not None) == ("proved", True)


def replayed(result: PropertyResult, rules: Any = None) -> None:
    from golpae.replay.machine import Machine

    assert result.witness is not None
    rules = rules or rule_set(GAME)
    machine = Machine(instantiate(rules, 2, {}))
    lines = witness.as_trace(machine, [dict(e) for e in result.witness.events])
    assert witness.replays(machine, lines[0], lines[1:]).accepted


def test_a_loop_that_reads_what_it_wrote_begins_with_the_first_seat_whoever_acts() -> None:
    marks = """
state of the hand
  each player's mark: number = 0

action grab by p
  fresh: every r in players: r's mark = 0
  then for each q in players: when every r in players: r's mark = 0: q's mark := 7

always mine after grab: p's mark = 7
"""
    rules = rule_set(marks)
    result = Verifier(instantiate(rules, 2, {}), Settings(games=5)).verify(rules.properties[0])
    assert result.verdict == "refuted"
    assert result.witness is not None


def test_a_property_after_an_impossible_action_is_vacuous() -> None:
    assert result_of("always never after take: size of pile = 0 implies turns = 100").verdict == "refuted"
    result = result_of("always never after take: size of pile = 5 implies turns = 100")
    assert result.vacuous is not None


def test_effects_with_the_same_condition_share_their_branches() -> None:
    rules = rule_set("""
state of the hand
  full: yes or no = no
  turns: number = 0
  rounds: number = 0

action go by p
  then when full: turns := turns + 1
  then when not full: rounds := rounds + 1
  then when full: full := no
""")
    steps = Verifier(instantiate(rules, 2, {}), Settings()).analysis.induction.steps
    whens = [
        [str(truth) for name, truth in s.guards if name == WHENS] for s in steps if s.action.name == "go"
    ]
    assert [len(tests) for tests in whens] == [1, 1]
    assert len({test for (test,) in whens}) == 2
