"""`golpae prove 'GAME+*'`: what holds for which rule sets, from the text to the answer."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from golpae.workers import OUT_OF_MEMORY, Workers
from tests.cli.conftest import Golpae
from tests.families.shells import FAMILY

pytestmark = pytest.mark.solver

CALL = ("prove", "shells.golpae+*", "--players", "2", "--jobs", "1")
SHELLS = """\
shells+*, 2 players: 64 rule sets
  few  always     holds unless double
                  a game of 4 events, the shortest; `thrown` is 6, not at most 4: shells+double
                  not as expected: double
"""


@pytest.fixture(autouse=True)
def text(here: Path) -> None:
    Path("shells.golpae").write_text(FAMILY, encoding="utf-8")


def test_one_property_is_told_with_a_game_for_each_way(golpae: Golpae) -> None:
    done = golpae(*CALL[:2], "few", *CALL[2:], "--witnesses", "games")
    assert done.out == SHELLS
    assert done.status == 1
    game = Path("games/shells+double-2p-few.jsonl")
    assert golpae("check", str(game), "--spec-path", ".").out.startswith(str(game))


def test_what_is_decided_is_not_decided_again(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*CALL[:2], "few", *CALL[2:])
    first = golpae(*words)
    monkeypatch.delattr(Workers, "start")
    assert golpae(*words) == first


def test_a_property_that_none_of_them_states_is_near_one_that_they_do(golpae: Golpae) -> None:
    done = golpae(*CALL[:2], "fe", *CALL[2:])
    assert done.status == 2
    assert done.err == ("golpae: `shells.golpae+*` has no property `fe`\n  help: did you mean `few`?\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("shells.golpae+*", "--except", "doubel"),
            "`shells` has no variant or reading `doubel`\n  help: did you mean",
        ),
        (
            ("shells.golpae+double+*", "--except", "double"),
            "all rule sets of `shells.golpae+double+*` have `double`: none is left",
        ),
        (("shells+*+double",), "`*` stands for all combinations and comes last: `shells+double+*`"),
        (("shells.golpae+doubel+*",), "has no variant or reading `doubel`\n  help: did you mean `double`?"),
    ],
)
def test_a_wrong_switch_is_told(golpae: Golpae, words: tuple[str, ...], said: str) -> None:
    done = golpae("prove", *words)
    assert done.status == 2
    assert said in done.err


def test_all_combinations_stand_alone(golpae: Golpae) -> None:
    done = golpae("prove", "jjak", "shells.golpae+*")
    assert done.status == 2
    assert done.err.startswith("golpae: `shells.golpae+*` stands alone: `jjak` needs a call of its own")


def test_in_continuous_integration_a_case_fails_that_is_not_as_expected(golpae: Golpae) -> None:
    done = golpae(*CALL[:2], "few", *CALL[2:], "--format", "junit")
    root = Tree.fromstring(done.out)
    [case] = root.iter("testcase")
    assert case.attrib == {"name": "few (2 players)", "classname": "shells+*", "time": "0.000"}
    [failure] = case
    assert failure.attrib == {"message": "not as expected: double", "type": "unexpected"}
    assert (root.get("tests"), root.get("failures")) == ("1", "1")


def test_a_process_that_uses_too_much_memory_leaves_its_rule_sets_unknown(
    golpae: Golpae,
) -> None:
    done = golpae(*CALL[:2], "few", *CALL[2:], "--memory-limit", "1", "--format", "json", "--no-cache")
    [result] = json.loads(done.out)
    assert result["verdicts"]["unknown"]["rule_sets"] == 64
    assert result["parts"][0]["story"] == OUT_OF_MEMORY
    assert done.status == 3
