"""The recorded games under `traces/`: their verdicts are the expected ones, and they use every rule.

For every game with traces, the rule sets are its base and each of its switches. Under each rule set a trace has to use
every action and break every named condition. (The trace of a switch may have other switches on; that of the base may
not.) `unbreakable.txt` beside the traces lists the conditions that cannot be broken, and the actions that cannot be
used, one a line, with the reason:

    ten-rounds jjak.draw.left: the hand is over before any player finds the reserve empty
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from golpae.bundled import spec_dir
from golpae.cli.main import main
from golpae.replay.replay import replay
from golpae.trace import Verdict, lines
from golpae.trace.discover import SUFFIXES
from tests.committed import TOP
from tests.replay.shared import LIBRARY, rule_set

pytestmark = pytest.mark.corpus

TRACES = TOP / "traces"
BASE = "the base rules"
GAMES = sorted(folder.name for folder in TRACES.iterdir() if folder.is_dir())

Rule = tuple[str, str]  # a switch, or BASE; an action `game.action` or a condition `game.action.condition`


# ------------------------------------------------------------------ games and traces


def rule_sets(game: str) -> dict[str, str]:
    """Return the base and each switch, with the rule set that has it alone."""
    return {BASE: game} | {s.name: f"{game}+{s.name}" for s in rule_set(game).switches}


def actions_of(game: str) -> set[Rule]:
    return {(s, f"{game}.{a.name}") for s, rules in rule_sets(game).items() for a in rule_set(rules).actions}


def conditions_of(game: str) -> set[Rule]:
    return {
        (switch, f"{game}.{action.name}.{condition.name}")
        for switch, rules in rule_sets(game).items()
        for action in rule_set(rules).actions
        for condition in action.conditions
        if condition.name != "set"
        or action.kind == "deal"  # what golpae asks of tiles that no condition places
    }


@cache
def unbreakable(game: str) -> dict[Rule, str]:
    """Return the conditions listed as unbreakable and the actions listed as impossible, with the reasons."""
    listed = TRACES / game / "unbreakable.txt"
    found = {}
    for line in listed.read_text(encoding="utf-8").splitlines() if listed.exists() else ():
        if line.strip() and not line.startswith("#"):
            rule, _, reason = line.partition(": ")
            switch, _, condition = rule.rpartition(" ")
            found[switch or BASE, condition] = reason
    return found


# ------------------------------------------------------------------ actions and conditions in traces


def trace_files(game: str) -> list[Path]:
    return sorted(path for path in (TRACES / game).iterdir() if path.name.endswith(SUFFIXES))


def read(path: Path) -> list[tuple[int, dict[str, Any] | None]]:
    with path.open("rb") as stream:
        return [(number, line) for number, line, _ in lines(stream)]


@cache
def shown(game: str) -> tuple[frozenset[Rule], frozenset[Rule]]:
    """Return the actions that the traces of a game use, and the conditions that they break."""
    used: set[Rule] = set()
    broken: set[Rule] = set()
    for path in trace_files(game):
        read_lines = read(path)
        for report in replay(io.BytesIO(path.read_bytes()), path.name, LIBRARY):
            outcome = report.outcome
            if report.end is None or outcome.rules is None:
                continue
            switches = outcome.rules.split("+")[1:] or [BASE]
            events = [line for number, line in read_lines if number > outcome.line][: report.events]
            faulty = outcome.event is not None
            for event in events[:-1] if faulty else events:
                assert event is not None
                used |= {(switch, f"{game}.{event['do']}") for switch in switches}
            if outcome.verdict is Verdict.ILLEGAL:
                assert outcome.clause is not None
                broken |= {(switch, outcome.clause) for switch in switches}
    return frozenset(used), frozenset(broken)


def named(rules: set[Rule] | frozenset[Rule]) -> Iterator[str]:
    return (f"{rule} under {switch}" for switch, rule in sorted(rules))


# ------------------------------------------------------------------ tests


def test_jjak_has_traces() -> None:
    assert "jjak" in GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_folder_of_traces_is_named_after_a_rule_text(game: str) -> None:
    assert (spec_dir() / f"{game}.golpae").is_file()


@pytest.mark.parametrize("game", GAMES)
def test_every_action_is_in_a_trace(game: str) -> None:
    used, _ = shown(game)
    missing = actions_of(game) - used - unbreakable(game).keys()
    assert not list(named(missing)), "no trace uses these actions"


@pytest.mark.parametrize("game", GAMES)
def test_every_condition_is_broken_by_a_trace(game: str) -> None:
    _, broken = shown(game)
    missing = conditions_of(game) - broken - unbreakable(game).keys()
    assert not list(named(missing)), "no trace breaks these conditions"


@pytest.mark.parametrize("game", GAMES)
def test_every_listed_unbreakable_condition_exists_and_is_unbroken(game: str) -> None:
    used, broken = shown(game)
    listed = unbreakable(game)
    assert all(listed.values()), "a reason is missing"
    assert not list(named(listed.keys() - conditions_of(game) - actions_of(game))), (
        "no such conditions or actions"
    )
    assert not list(named((used | broken) & listed.keys())), "these can be broken or used, as the traces show"


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=f"{game}/{path.name}") for game in GAMES for path in trace_files(game)],
)
def test_every_trace_gets_its_expected_verdict(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", "--expected", str(path)])
    said = capsys.readouterr()
    assert status == 0, said.out + said.err


@pytest.mark.parametrize("game", GAMES)
def test_every_file_of_verdicts_is_beside_its_traces(game: str) -> None:
    stems = {path.name.split(".jsonl")[0] for path in trace_files(game)}
    assert {path.stem for path in (TRACES / game).glob("*.verdicts")} == stems


@pytest.mark.parametrize("game", GAMES)
def test_an_expected_illegal_verdict_has_an_event_and_a_clause(game: str) -> None:
    for path in (TRACES / game).glob("*.verdicts"):
        for line in path.read_text(encoding="utf-8").splitlines():
            expected = json.loads(line)
            wanted = {"illegal": {"verdict", "event", "clause"}, "malformed": {"verdict", "event"}}
            assert expected.keys() >= wanted.get(expected["verdict"], {"verdict"}), f"{path.name}: {line}"


@pytest.mark.parametrize("game", GAMES)
def test_ids_within_a_file_of_traces_are_unique(game: str) -> None:
    for path in trace_files(game):
        ids = [line["id"] for _, line in read(path) if line is not None and "golpae" in line and "id" in line]
        assert len(ids) == len(set(ids)), path.name
