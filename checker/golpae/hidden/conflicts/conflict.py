"""What cannot stand together in a game that no tiles make legal.

Input: the first event at which no tiles are left, and the lines up to it. Output: a `Decision` with a smallest
conflict: records, and conditions of events, that cannot stand together, in words. Guarantee: that of `smallest`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from golpae.hidden.conflicts.broken import broken_condition
from golpae.hidden.conflicts.smallest import Smallest
from golpae.hidden.following import Clause, Impossible
from golpae.hidden.lines import OPEN, HiddenLine, read_line
from golpae.hidden.told import Told
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import Action
from golpae.replay.explain import reason
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.replay.report import Refusal
from golpae.trace import Conflicting, Header
from golpae.trace.unseen import Decision

MOST_KNOWN = 100  # events before the first unknown tile that are part of a conflict


def conflict_of(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[HiddenLine],
    found: Impossible,
    before: int,
    known: Sequence[Mapping[str, Any]],
) -> Decision:
    """Return the decision that an event is illegal. `before` events were legal before these lines; `known` are the
    first ones of them. Those of the same hand are records, too.
    """
    action = machine.actions[lines[found.event - 1].line["do"]]
    more = _since_deal(machine, header, before, known)
    shift = 0
    if more is not None:
        state, own = more
        shift = len(own)
        lines, found = [*own, *lines], _behind(shift, found)
    search = Smallest(machine, header, state, lines, found.event)
    records, clauses = search.conflict(found.clauses, found.likely)
    name = _name(action, found.event, clauses)
    if name is None:  # its tiles cannot be moved, or every game asks for what is wrong
        name = broken_condition(machine, header, state, lines[: found.event], found.clauses) or "then"
    refused = _refused(machine, header, found, lines[found.event - 1], name)
    broken = None if refused is None else _broken(machine, refused, lines[found.event - 1])
    told = Told(machine, header)
    first = before - shift
    conflict = [
        Conflicting(first + number, seat, told.record(lines[number - 1], seat)) for number, seat in records
    ]
    conflict += [
        Conflicting(
            first + event,
            None,
            told.condition(lines[event - 1], clause),
            f"{machine.rules.game}.{lines[event - 1].line['do']}.{clause}",
        )
        for event, clause in sorted(clauses)
    ]
    alone = all(event == found.event for event, _ in clauses) and all(
        record == (found.event, None) for record in records
    )
    if broken is not None and (alone or _is_open(refused)):
        message = broken
    else:
        message = told.message(records, sorted(clauses), lines, first, found.event, name)
    return Decision(
        "illegal",
        event=found.event - shift,
        clause=f"{machine.rules.game}.{action.name}.{name}",
        message=message,
        conflict=tuple(conflict),
    )


def _name(action: Action, event: int, clauses: Iterable[Clause]) -> str | None:
    """Return the first condition of an action that some conditions have at an event; None if they have none of it."""
    own = {name for at, name in clauses if at == event}
    return next((condition.name for condition in action.conditions if condition.name in own), None)


def _refused(
    machine: Machine, header: Header, found: Impossible, line: HiddenLine, name: str
) -> Refusal | None:
    """Return how replay refuses an event with some tiles, if it breaks a condition of this name."""
    if found.before is None:
        return None
    whole = line.filled([machine.instance.kinds[0].name] * len(line.places))
    refused = happen(machine, header, machine.copy(found.before.state), whole)
    if not isinstance(refused, Refusal) or refused.condition is None or refused.condition.name != name:
        return None
    return refused


def _is_open(refused: Refusal | None) -> bool:
    """Return whether an event is refused because it cannot happen now at all. A condition of a text may have the same
    name.
    """
    return refused is not None and refused.condition is not None and refused.condition.of_game == OPEN


def _broken(machine: Machine, refused: Refusal, line: HiddenLine) -> str | None:
    """Return what replay says of an event that it refuses, if the words are the same whatever the hidden tiles are."""
    condition = refused.condition
    assert condition is not None
    if condition.of_game == OPEN:
        return reason(refused)
    if condition.of_game is not None or line.places:
        return None
    asked = [part for part in condition.message if not isinstance(part, str)]
    reads = Dependencies(machine.rules).reads(asked)
    zones, states = machine.rules.zones, machine.rules.vars
    of_state = {*(zone.name for zone in zones), *(var.name for var in states)}
    return reason(refused) if of_state.isdisjoint(reads) else None


def _since_deal(
    machine: Machine, header: Header, before: int, known: Sequence[Mapping[str, Any]]
) -> tuple[State, list[HiddenLine]] | None:
    """Return the state before the last deal among events, or before the first event, and the events since then; None if
    they are not all known, or so many that a conflict with them takes long.
    """
    deals = [number for number, line in enumerate(known) if line.get("do") == "deal"]
    begin = deals[-1] if deals else 0
    if len(known) != before or before - begin > MOST_KNOWN:
        return None
    state = machine.new_state(header.stake)
    for line in known[:begin]:
        if happen(machine, header, state, line) is not None:
            return None  # it stands by a ruling
    lines = [read_line(machine, line) for line in known[begin:]]
    read = [line for line in lines if isinstance(line, HiddenLine)]
    return (state, read) if len(read) == len(lines) else None


def _behind(shift: int, found: Impossible) -> Impossible:
    """Return the same event behind so many others."""
    clauses = frozenset((event + shift, name) for event, name in found.clauses)
    likely = frozenset((event + shift, name) for event, name in found.likely)
    return replace(found, event=found.event + shift, clauses=clauses, likely=likely)
