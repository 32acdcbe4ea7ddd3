"""Decides games with tiles that nobody saw.

Input: a machine, a state of it, and the lines that follow, in the first of which a tile is unknown. Output: a
`Decision`. Guarantee: what is completed was replayed; an event is illegal only if no tiles make it legal, and those
before it are legal for some.

Hands are completed one after the other, each from the state that the ones before it have led to. Only if a hand has no
completion then, the hands before it are looked at again together with it: their tiles may have decided who pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from golpae.hidden.completing import Completing
from golpae.hidden.conflicts.conflict import conflict_of
from golpae.hidden.following import Completed, Effort, Impossible, OutOfEffort
from golpae.hidden.lines import HiddenLine, miscounted, read_line
from golpae.hidden.steering import clauses_of_states
from golpae.prove.solving.solver import MILLION
from golpae.replay.machine import Machine, State
from golpae.trace import Header
from golpae.trace.unseen import Decision

LITTLE = 120 * MILLION  # units of the solver's work, before states are asked about
FEW_TRIES = 100  # choices of tiles, before states are asked about
TOO_LONG = "whether some tiles make this event legal takes longer than golpae looks"


def decide(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[Mapping[str, Any]],
    before: int,
    aside: Mapping[int, frozenset[str]] | None = None,
    known: Sequence[Mapping[str, Any]] = (),
    effort: Effort | None = None,
) -> Decision:
    """Decide whether some tiles make the lines of a game legal, and which event is the first at which none do. So many
    events came `before` these lines; `known` are the first ones of them. Conditions, by their names, are set `aside` at
    some of the lines, which count from 1.
    """
    effort = effort or Effort()
    hidden: list[HiddenLine] = []
    fault = ""
    for line in lines:
        read = read_line(machine, line)
        if isinstance(read, str):
            fault = read
            break
        hidden.append(replace(read, aside=(aside or {}).get(len(hidden) + 1, frozenset())))
        if miscounted(machine, read) is not None:
            break
    found = _completed(machine, header, state, hidden, effort)
    if isinstance(found, Completed):
        if fault:
            return Decision("malformed", found.lines, found.state, len(hidden) + 1, message=fault)
        return Decision("completed", found.lines, found.state)
    if isinstance(found, OutOfEffort):
        return Decision("unknown", event=found.event, message=TOO_LONG)
    decision = conflict_of(machine, header, state, hidden, found, before, known)
    return (
        decision
        if found.before is None
        else replace(decision, lines=found.before.lines, state=found.before.state)
    )


def _completed(
    machine: Machine, header: Header, state: State, lines: Sequence[HiddenLine], effort: Effort
) -> Completed | Impossible | OutOfEffort:
    """Return tiles that make all events legal, or the first event at which there are none."""
    done: list[dict[str, Any]] = []
    here = state
    for end in ends_of(lines):
        begin = len(done)
        search, found = _looked_for(machine, header, here, lines[begin:end], effort)
        if isinstance(found, Impossible) and begin:
            begin, done = 0, []
            search, found = _looked_for(machine, header, state, lines[:end], effort)
        if isinstance(found, Impossible):
            return _first(search, found)
        if isinstance(found, OutOfEffort):
            return OutOfEffort(begin + found.event)
        done += found.lines
        here = found.state
    return Completed(tuple(done), here)


def _looked_for(
    machine: Machine, header: Header, state: State, lines: Sequence[HiddenLine], effort: Effort
) -> tuple[Completing, Completed | Impossible | OutOfEffort]:
    """Return a search for tiles that make all events legal, and what it has found. First nothing is asked about the
    states between the events: most games are decided before that is worth while.
    """
    little = Effort(min(effort.units, LITTLE), min(effort.tries, FEW_TRIES))
    units, tries = effort.units - little.units, effort.tries - little.tries
    narrows = clauses_of_states(machine, lines)
    search = Completing(machine, header, state, lines, little, settles=False, narrows=narrows)
    found = search.upto(len(lines))
    effort.units, effort.tries = units + little.units, tries + little.tries
    search.effort = effort
    if isinstance(found, OutOfEffort):
        search = Completing(machine, header, state, lines, effort, narrows=narrows)
        found = search.upto(len(lines))
    return search, found


def ends_of(lines: Sequence[HiddenLine]) -> list[int]:
    """Return the numbers of lines after which a hand is over, and of all lines."""
    deals = [number for number, line in enumerate(lines) if line.line.get("do") == "deal" and number]
    return [*deals, len(lines)] if lines else []


def _first(search: Completing, found: Impossible) -> Impossible | OutOfEffort:
    """Return the first event at which no tiles are left, and tiles for those before it."""
    while found.event > 1:
        earlier = search.upto(found.event - 1)
        if isinstance(earlier, Completed):
            return replace(found, before=earlier)
        if isinstance(earlier, OutOfEffort):
            return earlier
        found = earlier
    return replace(found, before=Completed((), search.state))
