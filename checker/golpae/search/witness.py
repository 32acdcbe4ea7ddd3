"""Witnesses: games that show something, checked by the reference replay and written to files.

Input: a header and events as a trace has them.
Output: how far the reference accepts them, the state that they lead to, and whether an expression holds there.
Guarantee: a file of a witness is whole or does not exist.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action
from golpae.replay import simulate
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.trace.written import trace_text

Line = Mapping[str, Any]  # of a trace: a header or an event
FIXED = {"do", "winner", "pay", "totals", "winners"}  # what the rules fix of an `end` and a `finish`


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of a replay of a game.

    `events` counts the accepted events from the first on; `refused` is the reason for the first refusal, or None
    if it accepts all. `state` is the state of `machine` after the accepted events, or None if a refusal leaves none
    or the header has a fault. `report` is replay's own report, if there is one.
    """

    events: int
    refused: str | None
    machine: Machine | None
    state: State
    report: Report | None = None

    @property
    def accepted(self) -> bool:
        """Return whether every event is legal."""
        return self.refused is None


def replays(rules: Machine | Library, header: Line, events: Sequence[Line]) -> Replayed:
    """Return how far the reference accepts `events` under `header`; both as a trace has them.

    With a library the lines, header included, are encoded and read like a file. With a machine, which must be that of
    the header, they are used as they are, which is quicker; then only the stake of the header counts.
    """
    if isinstance(rules, Machine):
        return _stepped(rules, header, events)
    reports = list(replay(io.BytesIO(trace_text([header, *events])), "a witness", rules))
    report = reports[0]
    outcome = report.outcome
    machine, state = (None, None) if report.end is None else (report.end[0], report.end[2])
    if outcome.event is None:
        assert len(reports) == 1
        return Replayed(report.events, None, machine, state, report)
    refused = outcome.message or outcome.verdict.value
    return Replayed(max(0, outcome.event - 1), refused, machine, state, report)


def _stepped(machine: Machine, header: Line, events: Sequence[Line]) -> Replayed:
    state = machine.new_state(int(header.get("stake", 1)))
    for number, event in enumerate(events):
        step = machine.steps.get(str(event.get("do")))
        if step is None:
            return Replayed(number, f"no action is called {event.get('do')}", machine, state)
        try:
            refused = step(state, event)
        except ValueError as fault:  # an effect failed half way, so no state is left
            return Replayed(number, str(fault) or "a tile is not where it is moved from", machine, None)
        if isinstance(refused, Bad):
            return Replayed(number, refused.message, machine, state)
        if refused is not None:
            action = machine.actions[str(event["do"])]
            clause = f"{machine.rules.game}.{action.name}.{action.conditions[refused[0]].name}"
            return Replayed(number, clause, machine, state)
    return Replayed(len(events), None, machine, state)


def completed(machine: Machine, events: Iterable[Line], stake: int = 1) -> list[Line]:
    """Return the events, with every value that the rules fix written down at each end of a hand or match.

    The tiles of a list are written in the order in which its names stand for them. From the first illegal event on
    events stay as they are.
    """
    legal, state, going = Legal(machine), machine.new_state(stake), True
    out: list[Line] = []
    for event in events:
        name = str(event.get("do"))
        if going and machine.actions[name].kind in ("end", "finish"):
            closings = [simulate.written(machine, e) for e in legal.closings(state) if e.action == name]
            event = _with_fixed_values(event, closings)
        elif going:
            event = _ordered(machine, state, event)
        out.append(event)
        try:
            going = going and machine.steps[name](state, event) is None
        except ValueError:
            going = False
    return out


def _with_fixed_values(event: Line, closings: Sequence[Line]) -> Line:
    """Return an `end` or a `finish` with the values that the rules fix, and with the keys that it has besides; as it is
    if none is legal.
    """
    own = {key: value for key, value in event.items() if key not in FIXED}
    agreeing = (line for line in closings if all(line.get(key) == value for key, value in own.items()))
    closing = next(agreeing, closings[0] if closings else event)
    return {**closing, **own}


def _ordered(machine: Machine, state: State, line: Line) -> Line:
    """Return an event with the tiles of its lists in the order in which their names stand for them."""
    action = machine.actions[str(line.get("do"))]
    decided = decided_event(machine, state, line) if any(p.parts for p in action.params) else None
    if decided is None:
        return line
    args = decided.args[len(decided.args) - len(action.params) :]
    lists = {
        param.name: [machine.tile(tile) for tile in tiles]
        for param, tiles in zip(action.params, args, strict=True)
        if param.parts and tiles is not None
    }
    return {**line, **lists}


def decided_event(machine: Machine, state: State, line: Line) -> Event | None:
    """Return a legal event in the state before it, each list in the order in which its names stand for the tiles.

    That need not be the order in which the line has them. None if the event is malformed or a condition fails.
    """
    name = str(line.get("do"))
    read = machine.read(name, line)
    if isinstance(read, Bad):
        return None
    failed, args = machine.first(name, state, read)
    return Event(name, args) if failed < 0 else None


def as_trace(machine: Machine, events: Iterable[Event | Line], stake: int = 1) -> list[dict[str, Any]]:
    """Return the lines of a trace: a header for this machine, then the events.

    `legal_events.Event`s are written as a trace has them, lines are used as they are.
    """
    written = (simulate.written(machine, e) if isinstance(e, Event) else dict(e) for e in events)
    return [simulate.header(machine, stake), *written]


def save(path: Path, lines: Iterable[Line]) -> None:
    """Write lines to a JSONL file: first to another name, then renamed, so that the file is whole or does not exist.

    Makes the folder if there is none. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(trace_text(lines))
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def save_witness(
    folder: Path, name: str, rules: str, players: int, options: Mapping[str, int], events: Iterable[Line]
) -> Path:
    """Write a game that shows something of a property to a folder, as a trace. Return the file. Raises OSError."""
    header: dict[str, object] = {
        "golpae": 1,
        "rules": rules,
        "players": [f"P{seat}" for seat in range(players)],
    }
    if options:
        header["options"] = dict(options)
    file = folder / f"{rules}-{players}p-{name}.jsonl"
    save(file, [header, *events])
    return file


def names_of(action: Action) -> tuple[str, ...]:
    """Return the names that an expression about an event of this action may use: actor, parameters, their parts."""
    names = [] if action.by is None else [action.by]
    for param in action.params:
        names += [param.name, *param.parts]
    return tuple(names)


def bound(action: Action, args: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values of `names_of(action)` in an event with these arguments (those of `Event.args`)."""
    rest = list(args)
    values = [] if action.by is None else [rest.pop(0)]
    for param, value in zip(action.params, rest, strict=True):
        values += [value, *(value if param.parts else ())]
    return tuple(values)


def named(machine: Machine, event: Event) -> tuple[tuple[str, Any], ...]:
    """Return `names_of` the action of an event with their values, as a trace has them."""
    action = machine.actions[event.action]
    line = simulate.written(machine, event)
    values: list[tuple[str, Any]] = [] if action.by is None else [(action.by, line["by"])]
    for param in action.params:
        value = line.get(param.name)
        values.append((param.name, value))
        if param.parts:
            values += zip(param.parts, value or (), strict=False)
    return tuple(values)


def in_words(names: Iterable[tuple[str, Any]]) -> tuple[tuple[str, str], ...]:
    """Return names with their values as a text or a message would say them, not as a trace has them."""
    return tuple((name, value_in_words(value)) for name, value in names)


def value_in_words(value: Any) -> str:
    """Return a value of a trace as people say it: `yes`, `none`, tiles with spaces between them."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            nested = any(isinstance(member, list | tuple) for member in value)
            return (" | " if nested else " ").join(map(value_in_words, value)) or "nothing"
        case dict():
            return ", ".join(f"{key} {value_in_words(member)}" for key, member in value.items()) or "nothing"
        case _:
            return str(value)


def holds(
    machine: Machine,
    expr: ir.Expr,
    state: State,
    names: Mapping[str, Any] | None = None,
    before: State | None = None,
) -> bool:
    """Return whether an expression of type yes-or-no holds in a state of the machine.

    `names` are its open names with the machine's values (tiles and seats are numbers), `before` is the state before
    the event, if the expression compares with it. The state is not changed. An expression without a value does not
    hold: it reads something of a player or tile that is none. Raises `TooManySteps`.
    """
    try:
        return bool(machine.value(expr, state, names or {}, before))
    except (TypeError, IndexError):
        return False
