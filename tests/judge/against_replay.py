"""Replay held against the judge, event by event.

Input: an instance, a seed, how many games and how many events of each. Output: what the two disagree about, in words.
Guarantee: in every state of the games, each event that the judge's `candidates` offers and each that replay lists is
tried by both; the game then goes on with one that the judge calls legal.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Legal as Listing
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import written
from tests.judge.events import Illegal, Legal, Verdict, try_event
from tests.judge.faults import Unclear, Unset
from tests.judge.legal_events import Scope, candidates
from tests.judge.match import start
from tests.judge.reading import Malformed

MALFORMED = "malformed"


def disagreements(
    instance: Instance, seed: int, games: int, length: int, scope: Scope | None = None
) -> Iterator[str]:
    """Give a line for each event about which replay and the judge disagree, with the game so far."""
    machine, rng = Machine(instance), random.Random(seed)
    for _ in range(games):
        yield from _game(machine, rng, length, scope or Scope(hands=6, reserves=2))


def _game(machine: Machine, rng: random.Random, length: int, scope: Scope) -> Iterator[str]:
    table, state = start(machine.instance)
    replayed = machine.new_state()
    listing = Listing(machine)
    events: list[dict[str, Any]] = []
    for _ in range(length):
        legal: list[tuple[dict[str, Any], Legal]] = []
        try:
            tried: dict[str, dict[str, Any]] = {_key(e): dict(e) for e in candidates(table, state, scope)}
            listed = {_key(e): e for e in (written(machine, e) for e in listing.events(replayed))}
            for key, event in {**tried, **listed}.items():
                verdict = try_event(table, state, event)
                mine, theirs = _named(verdict), _step(machine, machine.copy(replayed), event)
                if mine != theirs:
                    yield f"{_written(events)} {key}: judge {mine or 'legal'}, replay {theirs or 'legal'}"
                elif isinstance(verdict, Legal):
                    legal.append((event, verdict))
                if key in listed and mine is not None:
                    yield f"{_written(events)} {key}: listed, but {mine}"
            for event, _verdict in legal:
                open_ended = event["do"] in listing.unlisted(replayed) or event["do"] == "deal"
                if _key(event) not in listed and not open_ended and _listable(machine, event):
                    yield f"{_written(events)} {_key(event)}: legal, but not listed"
        except (Unclear, Unset):
            return
        if not legal:
            return
        event, verdict = rng.choice(legal)
        state = verdict.state
        assert _step(machine, replayed, event) is None
        events.append(event)


def _listable(machine: Machine, event: Mapping[str, Any]) -> bool:
    """Return whether `legal` promises to list the event: no optional key is given a value that cannot be listed."""
    given = {p.name for p in machine.actions[event["do"]].params if p.optional} & event.keys()
    return not given


def _named(verdict: Verdict) -> str | None:
    """Return the condition that an event breaks, or that it is malformed; None if it is legal."""
    if isinstance(verdict, Malformed):
        return MALFORMED
    return verdict.name if isinstance(verdict, Illegal) else None


def _step(machine: Machine, state: State, event: Mapping[str, Any]) -> str | None:
    """Return the same of replay, which changes the state if the event is legal."""
    action = machine.actions[event["do"]]
    try:
        result = machine.steps[action.name](state, event)
    except ValueError:
        return "then"
    if result is None:
        return None
    return MALFORMED if isinstance(result, Bad) else action.conditions[result[0]].name


def _key(event: Mapping[str, Any]) -> str:
    """Return an event as one line; lists of tiles in one order."""
    return json.dumps({k: _sorted(k, v) for k, v in sorted(event.items()) if v is not None or k == "winner"})


def _sorted(key: str, value: Any) -> Any:
    if key in ("pay", "totals", "hands", "reserve") or not isinstance(value, list):
        return value
    return sorted(value, key=json.dumps)


def _written(events: list[dict[str, Any]]) -> str:
    return " ".join(json.dumps(e) for e in events) or "at the start:"
