"""Recorded games of the games that come with golpae get the verdicts beside them from the judge too.

Input: a sample of the traces of each game, with their verdicts. Output: a failing test if the judge gives another
verdict, at another event, or names another condition.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import TableFault, instantiate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve, split
from golpae.ir.ruleset import RuleSet
from tests.committed import TOP
from tests.judge.events import Illegal, try_event
from tests.judge.match import start
from tests.judge.reading import Malformed
from tests.judge.words import as_judged

pytestmark = pytest.mark.corpus

SPECS = TOP / "spec"
MOST = 3  # traces of a file
LONGEST = 130  # events of a trace; of a longer one the judge needs many seconds
GAMES = (
    "block-dominoes",
    "bridge",
    "gin-rummy",
    "go-stop",
    "hearts",
    "minibridge",
    "riichi",
    "spades",
    "whist",
)
Event = Mapping[str, Any]
Recorded = tuple[Event, list[Event], Event]
"""A header, events, and the verdict that is expected."""


@cache
def rules_of(name: str) -> RuleSet:
    return as_judged(resolve(name, load(split(name)[0], [SPECS])))


def recorded(file: Path) -> list[Recorded]:
    """Return the traces of a file that can be read as JSON."""
    found: list[tuple[Event, list[Event]]] = []
    for line in file.read_text("utf-8").splitlines():
        if line.strip():
            event = json.loads(line)
            if "golpae" in event:
                found.append((event, []))
            else:
                found[-1][1].append(event)
    verdicts = map(json.loads, file.with_suffix(".verdicts").read_text("utf-8").splitlines())
    return [(*trace, verdict) for trace, verdict in zip(found, verdicts, strict=True)]


def sample(game: str) -> Iterator[Recorded]:
    """Yield some traces of each file of a game, spread over the file."""
    for file in sorted((TOP / "traces" / game).glob("*.jsonl")):
        short = [trace for trace in recorded(file) if len(trace[1]) <= LONGEST]
        yield from short[:: max(1, len(short) // MOST)]


def verdict(header: Event, events: list[Event]) -> dict[str, object]:
    """Return the verdict of the judge."""
    try:
        instance = instantiate(rules_of(header["rules"]), len(header["players"]), header.get("options", {}))
    except TableFault:
        return {"verdict": "malformed", "event": 0}
    table, state = start(instance, header.get("stake", 1))
    for number, event in enumerate(events, 1):
        found = try_event(table, state, event)
        if isinstance(found, Malformed):
            return {"verdict": "malformed", "event": number}
        if isinstance(found, Illegal):
            clause = f"{instance.rule_set.game}.{event['do']}.{found.name}"
            return {"verdict": "illegal", "event": number, "clause": clause}
        state = found.state
    return {"verdict": "legal" if state.stage in ("ended", "finished") else "incomplete"}


@pytest.mark.parametrize("game", GAMES)
def test_the_judge_agrees_with_the_verdicts_of_recorded_games(game: str) -> None:
    tried = 0
    for header, events, expected in sample(game):
        found = verdict(header, events)
        assert (header.get("id"), found) == (
            header.get("id"),
            {k: expected[k] for k in found if k in expected},
        )
        tried += 1
    assert tried >= MOST
