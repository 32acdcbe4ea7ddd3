"""`repeat`, `the next q after p` and `the last q before p` mean what the words do that they are written out as."""

from __future__ import annotations

import io
import json
import random

import pytest

from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.trace import Verdict
from tests.prove.encoding.steps import assert_alike_throughout
from tests.prove.meanings import game, rule_set_of, verdicts
from tests.prove.shared import both_of

STATE = "n: number = 0\nlimit: number = 3\neach player's out: yes or no = no"
LEAVE = "\naction leave by p\n  in: not p's out\n  then p's out := yes\n"


def text(effects: str) -> str:
    """Return a text for three, whose action `turn` has these effects."""
    lines = "".join(f"    {line}\n" for line in effects.splitlines())
    actions = f"action turn by p\n  turn: p = mover\n  then\n{lines}{LEAVE}"
    return game(state=STATE, actions=actions, coins="one of each 1c 2c 3c 4c 5c", players=3)


def number_after(effects: str, out: tuple[int, ...] = ()) -> int:
    """Return what `n` comes to by effects of seat 0, if some players are out."""
    rule_set = rule_set_of(text(effects))
    events: list[dict[str, object]] = [
        {"golpae": 1, "rules": "coins", "players": ["An", "Bo", "Cho"]},
        {"do": "deal", "first": 0, "hands": [["1c"], ["2c"], ["3c"]]},
        *({"do": "leave", "by": seat} for seat in out),
        {"do": "turn", "by": 0},
    ]
    lines = "".join(json.dumps(event) + "\n" for event in events)
    (report,) = replay(io.BytesIO(lines.encode()), "a trace", Library(lambda _: rule_set))
    assert report.outcome.verdict is Verdict.INCOMPLETE, report.outcome
    assert report.end is not None
    return int(report.end[2].v_n)


@pytest.mark.parametrize(
    ("effects", "n"),
    [
        ("repeat 3 times: n := n + 2", 6),
        ("repeat 0 times: n := n + 2", 0),
        ("repeat 1 - 3 times: n := n + 2", 0),
        ("repeat limit times\n  limit := limit + 5\n  n := n + 1", 3),  # the number is asked once
        ("repeat at most 3 times until n > 0: n := n + 1", 1),
        ("repeat at most 3 times until n = 0: n := n + 1", 3),  # asked after the first time
        ("repeat at most 3 times until yes: n := n + 1", 1),
        ("repeat at most 0 times until n > 5: n := n + 1", 0),
        ("repeat at most 3 times while n = 0: n := n + 1", 1),
        ("repeat at most 3 times while n > 0: n := n + 1", 0),
        ("repeat at most 9 times while n < 4: n := n + 3", 6),
        ("repeat 2 times: repeat 3 times: n := n + 1", 6),
        ("repeat 2 times: repeat at most 3 times until n mod 2 = 0: n := n + 1", 4),
    ],
)
def test_effects_are_repeated(effects: str, n: int) -> None:
    """7.12"""
    assert number_after(effects) == n


@pytest.mark.parametrize(
    ("asked", "out", "mover"),
    [
        ("the next q after p: not q's out", (), 1),
        ("the next q after p: not q's out", (1,), 2),
        ("the next q after p: not q's out", (1, 2), 0),  # p comes last
        ("the next q after p: not q's out", (0, 1, 2), 9),
        ("the last q before p: not q's out", (), 2),
        ("the last q before p: not q's out", (2,), 1),
        ("the next q after p's left: q's out", (2,), 2),
        ("the next p after p: not p's out", (1,), 2),  # the second `p` is who acts
        ("the next q after ((the next r after p: r's out) otherwise p): not q's out", (1,), 2),
    ],
)
def test_players_are_asked_in_turn(asked: str, out: tuple[int, ...], mover: int) -> None:
    """3.14"""
    places = enumerate(("p", "p's right", "p's left"))
    effects = "".join(f"when ({asked}) = {place}: n := {at}\n" for at, place in places)
    assert number_after(f"n := 9\n{effects}", out) == mover


@pytest.mark.parametrize(
    "effects",
    [
        "repeat at most 3 times until not mover's out: mover := mover's right",
        "repeat at most 3 times while n < 2: n := n + 1",
        "repeat size of players times: n := n + 1",
        "mover := (the last q before p: not q's out) otherwise p",
    ],
)
def test_the_prover_repeats_as_replay_does(effects: str) -> None:
    legal, illegal = assert_alike_throughout(both_of(text(effects), 3), random.Random(1), 8, 3)
    assert legal > 5
    assert illegal > 5


def test_a_proof_goes_through_what_is_repeated() -> None:
    always = "always small: n <= 3\nalways in-turn: n >= 0"
    found = verdicts(text("n := 0\nrepeat at most 9 times until n = 3: n := n + 1") + always)
    assert found["small"] == "proved"
