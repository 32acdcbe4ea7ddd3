"""Witnesses: how far replay accepts them, and the files that hold them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from golpae.ir import expr as ir
from golpae.replay.machine import Machine
from golpae.replay.simulate import play
from golpae.search.heuristic import Heuristic
from golpae.search.witness import as_trace, completed, holds, in_words, replays, save
from tests.replay.shared import LIBRARY, machine
from tests.verify.shared import BEADS, about, made

TABLE = machine("jjak", 3)


def game(table: Machine) -> list[dict[str, Any]]:
    return as_trace(table, play(table, table.new_state(), random.Random(1)))


@pytest.mark.parametrize("rules", [TABLE, LIBRARY], ids=["machine", "library"])
def test_every_event_of_a_legal_game_is_accepted(rules: Any) -> None:
    header, *events = game(TABLE)
    replayed = replays(rules, header, events)
    assert (replayed.accepted, replayed.events, replayed.refused) == (True, len(events), None)
    assert replayed.machine is not None
    assert replayed.machine.stage(replayed.state) == "ended"


@pytest.mark.parametrize("rules", [TABLE, LIBRARY], ids=["machine", "library"])
@pytest.mark.parametrize(
    "spoilt", [{"do": "nonsense"}, {"do": "draw"}, {"do": "draw", "by": 0, "tile": "9-9"}]
)
def test_a_game_is_accepted_up_to_the_first_fault(rules: Any, spoilt: dict[str, Any]) -> None:
    header, *events = game(TABLE)
    events[5] = spoilt
    replayed = replays(rules, header, events)
    assert (replayed.accepted, replayed.events) == (False, 5)
    assert replayed.refused


@pytest.mark.parametrize("rules", [TABLE, LIBRARY], ids=["machine", "library"])
def test_a_refused_event_is_not_applied(rules: Any) -> None:
    header, *events = game(TABLE)
    replayed = replays(rules, header, [*events[:3], events[0]])
    assert (replayed.accepted, replayed.events) == (False, 3)
    assert replayed.state is not None


def test_an_end_keeps_the_keys_that_it_has_beside_those_that_the_rules_fix() -> None:
    text = BEADS.replace(
        "\nend\n", "\nend(optional spare: number from 0 to 3)\n  small: spare is none or spare < 3\n"
    )
    one, _ = made(text, 2)
    events = [*as_trace(one, play(one, one.new_state(), random.Random(1)))[1:]]
    plain = {key: value for key, value in events[-1].items() if key != "spare"}
    for spare in (1, 2):
        wrong = {**plain, "spare": spare, "pay": [50, 50]}
        assert completed(one, [*events[:-1], wrong])[-1] == {**plain, "spare": spare}


def test_a_header_that_names_no_rules_is_not_accepted() -> None:
    header, *events = game(TABLE)
    replayed = replays(LIBRARY, {**header, "rules": "none"}, events)
    assert (replayed.accepted, replayed.events, replayed.state) == (False, 0, None)


def test_a_saved_trace_is_complete_and_leaves_no_other_file(tmp_path: Path) -> None:
    lines = game(TABLE)
    path = tmp_path / "new" / "witness.jsonl"
    save(path, lines)
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == lines
    with pytest.raises(TypeError):
        save(path, [{"do": object()}])
    assert [p.name for p in path.parent.iterdir()] == ["witness.jsonl"]
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == lines


def test_an_expression_without_a_value_does_not_hold() -> None:
    table, expr = made(BEADS, 2, "mover's hand is empty")
    assert not holds(table, expr, table.new_state())


QUESTIONS = [
    ("jjak", 3, "winner is not none and claimed-from is not none"),
    ("jjak", 3, "no a, b in (gather p's hand for p in players): pair(a, b)"),
    ("jjak", 2, "stage = acquire implies size of discards >= 3 or reserve is empty"),
    ("jjak", 2, "some p in players: 5-2 in p's hand and not (size of p's laid < 2)"),
    ("jjak", 2, "every p in players: {6-3, 5-4} in p's hand or p's hand = {}"),
    ("ho-hpai", 4, "some p in players: p's hand is winning and p /= mover"),
]


@pytest.mark.parametrize(("rules", "players", "question"), QUESTIONS)
def test_the_distance_is_zero_exactly_if_the_expression_holds(
    rules: str, players: int, question: str
) -> None:
    table, expr = about(rules, players, question.replace("gather p's hand for", "sum of p's hand for"))
    distance = Heuristic(table, expr)
    state = table.new_state()
    for event in range(3):
        for _ in play(table, state, random.Random(event), longest=300):
            far = distance(state)
            assert far >= 0
            assert (far == 0) == holds(table, expr, state)
        if table.stage(state) != "ended":
            break


def test_the_distance_decreases_as_more_of_the_expression_holds() -> None:
    table, expr = made(BEADS, 2, "every p in players: p's hand is empty")
    distance = Heuristic(table, expr)
    state = table.new_state()
    found: list[float] = []
    for _ in range(3):
        state.z_hand = [[0] * (2 - len(found)), []]
        found.append(distance(state))
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0
    assert isinstance(expr, ir.Quant)


def test_values_are_said_in_words() -> None:
    names = [("p", 0), ("t", None), ("loud", True), ("low", False), ("none", []), ("tiles", ["a", "b"])]
    words = dict(in_words([*names, ("groups", [["a", "b"], ["c"]])]))
    assert words == {
        "p": "0", "t": "none", "loud": "yes", "low": "no", "none": "nothing", "tiles": "a b", "groups": "a b | c",
    }  # fmt: skip
