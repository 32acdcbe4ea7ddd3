"""A game invented for these tests runs from its text alone: no game is built into golpae."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.simulate import header, play
from golpae.trace import Verdict

HERE = Path(__file__).parent
TRACES = HERE / "stepping-stones.jsonl"


def test_its_recorded_games_get_the_expected_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--spec-path", str(HERE), "--expected", str(TRACES)]) == 0
    assert "all as expected" in capsys.readouterr().out


def test_a_refusal_has_the_words_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--spec-path", str(HERE), str(TRACES)])
    said = capsys.readouterr().out
    assert "red 9 does not go before grey 2" in said
    assert "rule: S3 (source 1: a stone goes to an end of the path" in said
    assert "Ada: step" in said


@pytest.mark.parametrize("switches", ["", "+red-carpet", "+leap", "+leap+red-carpet"])
@pytest.mark.parametrize(("seats", "highest"), [(2, 6), (3, 9), (5, 12)])
def test_random_games_are_legal_and_end(switches: str, seats: int, highest: int) -> None:
    rules = elaborate(f"stepping-stones{switches}", [HERE])
    machine = Machine(instantiate(rules, seats, {"highest": highest}))
    library = Library(lambda name: elaborate(name, [HERE]))
    seen: Counter[str] = Counter()
    for seed in range(5):
        state = machine.new_state()
        lines = [header(machine), *play(machine, state, random.Random(seed), hands=3)]
        seen.update(str(line.get("do")) for line in lines)
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        (report,) = replay(io.BytesIO(data), "random", library)
        assert report.outcome.verdict is Verdict.LEGAL, report.outcome.message
    assert seen["end"] == 15
    assert seen["step"] > 50
