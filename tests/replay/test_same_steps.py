"""The steps of an evaluation are the same whatever was asked before, and a limit costs the one who meets it alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.ir.limits import TooManySteps
from golpae.replay import steps
from golpae.replay.explain import explain, one_line
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.score_hand import Fault, Scored, score_hand
from golpae.trace import Verdict
from tests.prove.meanings import game, rule_set_of

SLOW = "some m in {1 to 10000}: some n in {1 to 10000}: m + n < 0"
COINS = 'two of each "{size}c" for size in 1 to 9'
ACTION = """
action look by p "look"
  turn: p = mover "no"
  asked: CONDITION "no"
  then mover := p's right
"""
SCORE = """
shape single(a): yes
arrangement pair: 2 single
score worth
  given
    held: tiles
  hand: held
  as: pair
  total: sum
  pattern some-heavy 1: some t in held: heavy(t, size of held)
define heavy(t: tile, n: number): t = 1c or no u, v, w, x in tiles: u's size + v's size + w's size + x's size = n + 99
"""


def machine(condition: str, more: str, coins: str = COINS) -> Machine:
    text = game(coins=coins, actions=ACTION.replace("CONDITION", condition), more=more)
    return Machine(instantiate(rule_set_of(text), 2, {}))


def dealt(asked: Machine, *hands: list[str]) -> Any:
    state = asked.new_state()
    deal = asked.read("deal", {"do": "deal", "first": 0, "hands": list(hands)})
    assert isinstance(deal, tuple)
    asked.apply("deal", state, deal)
    return state


def test_what_is_kept_of_a_search_costs_the_next_one_the_same() -> None:
    """Groups whose test takes long are found anew for each hand; the hand takes too many steps every time."""
    more = f"""
shape any of 3: every k in {{1 to 100000}}: k > 0
arrangement trio: 3 any
define slow: {SLOW}
"""
    asked = machine("(mover = winner implies slow) and p's hand is trio", more)
    hand = [f"{n}c" for n in range(1, 10)]
    state = dealt(asked, hand, [])
    for _ in range(7):
        with pytest.raises(TooManySteps, match="evaluating `trio` takes more than"):
            asked.check("look", state, (0,))


def test_a_hand_costs_the_same_in_any_order() -> None:
    """Its first tile is heavy, and so quick, or the other one is asked first."""
    found = []
    for hand in ([0, 1], [1, 0]):
        asked = machine("worth(held: p's hand) is not none", SCORE)
        scorer = asked.scorers["worth"]
        found.append(scorer._steps.apart("worth", 10**7, partial(scorer.best, None, hand)))
    assert found[0][1] == found[1][1]
    assert found[0][0] == found[1][0]


SHOW = """
action show by p "show"
  turn: p = mover "no"
  never: no "no"
  then mover := p's right
action ponder by p "ponder"
  long: LONG "no"
  then mover := p's right
""".replace("LONG", SLOW)


def test_a_list_of_legal_events_that_takes_too_long_costs_no_verdict(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    one = """{"golpae": 1, "rules": "coins", "players": ["A", "B"]}
{"do": "deal", "first": 0, "hands": [["1c"], ["2c"]]}
{"do": "show", "by": 0}
"""
    text = game(coins=COINS, actions=SHOW)
    file.write_text(one * 2)
    with file.open("rb") as stream:
        reports = list(replay(stream, "games.jsonl", Library(lambda _: rule_set_of(text))))
    assert [(r.outcome.verdict, r.outcome.clause) for r in reports] == [
        (Verdict.ILLEGAL, "coins.show.never")
    ] * 2
    refusal = reports[0].refusal
    assert refusal is not None
    assert "perhaps ponder (evaluating `ponder.long` takes more than 10,000,000 steps)" in one_line(
        explain(refusal)
    )


def test_a_hand_that_takes_too_many_tries_costs_no_other_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_TRIES", 50_000)
    more = """
shape two(a, b): a /= b
arrangement few: 2 twos
arrangement many: 8 twos
arrangement either: few or many
score worth
  given
    held: tiles
  hand: held
  as: either
  total: sum
  pattern plain 1: no t in held: t = 20c
"""
    text = game(coins='two of each "{size}c" for size in 1 to 20', more=more)
    library = Library(lambda _: rule_set_of(text))
    hands = [[f"{n}c" for n in range(1, 1 + size)] for size in (4, 16, 4)]
    few, many, again = (score_hand({"rules": "coins", "held": hand}, library) for hand in hands)
    assert isinstance(few, Scored)
    assert isinstance(again, Scored)
    assert few.points == again.points == 1
    assert isinstance(many, Fault)
    assert many.message == "evaluating `many` takes more than 50,000 steps"


def test_melds_that_can_be_counted_as_parts_in_very_many_ways_are_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(steps, "MOST_TRIES", 50_000)
    names = [f"odd{n}" for n in range(10)]
    odd = "".join(f"shape {n}: alone or never{n}\nshape never{n}(a): no\n" for n in names)
    more = f"""
shape alone(a): yes
{odd}arrangement whole: {" and ".join(f"1 {n}" for n in names)}
score worth
  given
    held: tiles
    shown: melds = {{}}
  hand: held
  fixed: shown
  as: whole
  total: sum
  pattern plain 1: yes
"""
    text = game(coins='one of each "{size}c" for size in 1 to 12', more=more)
    melds = [["alone", f"{n}c"] for n in range(1, 11)]
    scored = score_hand({"rules": "coins", "held": [], "shown": melds}, Library(lambda _: rule_set_of(text)))
    assert isinstance(scored, Fault)
    assert scored.message == "evaluating `whole` takes more than 50,000 steps"
