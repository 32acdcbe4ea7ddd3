"""golpae's reading of jjak against the same rules written by hand: recorded, random and spoilt games."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.replay.simulate import header
from golpae.trace import Verdict
from tests.committed import TOP
from tests.replay.by_hand import CIVIL, MILITARY, Event, Match
from tests.replay.play import match
from tests.replay.shared import judged, machine, rule_set

SWITCHES = sorted(switch.name for switch in rule_set("jjak").switches)
KINDS = CIVIL + MILITARY
seeds = st.integers(0, 2**32)
rule_sets = st.sets(st.sampled_from(SWITCHES)).map(lambda on: "+".join(["jjak", *sorted(on)]))


def by_hand(trace: list[Event]) -> tuple[str, int | None]:
    """Return the verdict on a well-formed trace, and the event at fault."""
    head, *events = trace
    played = Match(head["rules"], len(head["players"]), head.get("stake", 1))
    for number, event in enumerate(events, 1):
        if not played.may(event):
            return "illegal", number
        played.do(event)
    return ("legal" if played.now in ("ended", "finished") else "incomplete"), None


def recorded() -> dict[str, tuple[list[Event], tuple[str, int | None]]]:
    """Yield the traces of jjak under `traces/`, except malformed ones, each with its expected verdict."""
    found = {}
    for path in sorted((TOP / "traces" / "jjak").glob("*.jsonl")):
        if not path.name.startswith(("malformed", "unseen")):  # the latter have tiles that nobody saw
            traces = path.read_text("utf-8").split('{"golpae"')[1:]
            verdicts = path.with_suffix(".verdicts").read_text("utf-8").splitlines()
            for trace, verdict in zip(traces, map(json.loads, verdicts), strict=True):
                if verdict["verdict"] == "malformed":
                    continue
                texts = ('{"golpae"' + trace).splitlines()
                lines = [json.loads(text) for text in texts if text.endswith("}")]  # one breaks off in a line
                found[f"{path.stem}/{lines[0]['id']}"] = lines, (verdict["verdict"], verdict.get("event"))
    return found


@pytest.mark.corpus
def test_recorded_games_are_judged_as_by_hand() -> None:
    games = recorded()
    assert len(games) > 300
    assert {name: by_hand(trace) for name, (trace, _) in games.items()} == {
        name: verdict for name, (_, verdict) in games.items()
    }


def spoilt(trace: list[Event], rng: random.Random) -> list[Event]:
    """Return the trace with one change, still well formed: an event dropped, repeated, moved or altered."""
    head, *events = json.loads(json.dumps(trace))
    at = rng.randrange(len(events))
    event = events[at]
    match rng.randrange(5):
        case 0:
            del events[at]
        case 1:
            events.insert(at, event)
        case 2:
            other = rng.randrange(len(events))
            events[at], events[other] = events[other], event
        case 3 if "by" in event:
            event["by"] = rng.randrange(len(head["players"]))
        case _:
            key = rng.choice([k for k in event if k not in ("do", "by")])
            event[key] = altered(event[key], rng, len(head["players"]))
    return [head, *events]


def altered(value: object, rng: random.Random, players: int) -> object:
    match value:
        case str():
            return rng.choice(KINDS)
        case None:
            return rng.randrange(players)
        case int():
            return rng.randrange(players)
        case list() if value:
            at = rng.randrange(len(value))
            match rng.randrange(4):
                case 0:
                    del value[at]
                case 1:
                    value.append(value[at])
                case _:
                    value[at] = altered(value[at], rng, players)
            return value
        case _:
            return value


def judge_both_ways(rules: str, players: int, seed: int) -> None:
    rng = random.Random(seed)
    trace = match(machine(rules, players), rng, hands=rng.choice((1, 2, 3, 12)), stake=rng.choice((1, 1, 5)))
    verdict, _ = by_hand(trace)
    assert judged(trace).outcome.verdict.value == verdict == "legal"
    for _ in range(10):
        other = spoilt(trace, rng)
        outcome = judged(other).outcome
        assert outcome.verdict is not Verdict.MALFORMED, outcome.message
        assert (outcome.verdict.value, outcome.event) == by_hand(other)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(rule_sets, st.integers(2, 4), seeds)
def test_random_games_are_judged_as_by_hand(rules: str, players: int, seed: int) -> None:
    judge_both_ways(rules, players, seed)


@pytest.mark.fuzz
@settings(max_examples=1500, deadline=None)
@given(rule_sets, st.integers(2, 4), seeds)
def test_many_random_games_are_judged_as_by_hand(rules: str, players: int, seed: int) -> None:
    judge_both_ways(rules, players, seed)


def test_the_header_of_a_random_game_names_its_rules() -> None:
    assert header(machine("jjak+row", 3), 5) == {
        "golpae": 1,
        "rules": "jjak+row",
        "players": ["P0", "P1", "P2"],
        "stake": 5,
    }
