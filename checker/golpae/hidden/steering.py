"""The conditions that say whose turn it is: with them, states depend on fewer unknown tiles.

Input: lines with unknown tiles. Output: conditions. Guarantee: they read no zones.

    a trick that one of four takes, and then a card that one of them plays     ->     this one took it
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from golpae.hidden.following import Clause
from golpae.hidden.formulas.symbolic_game import dependencies_of
from golpae.hidden.lines import HiddenLine
from golpae.ir.types import Opt, Seat, Type
from golpae.lower.effects import statements_of
from golpae.lower.walk import exprs_of, flat, written_by
from golpae.replay.machine import Machine


def steering_clauses(machine: Machine, lines: Sequence[HiddenLine]) -> frozenset[Clause]:
    """Return the conditions that say of a seat by which the effects of their event go, which seat it is."""
    return _of_lines(machine, lines, _steering)


def clauses_of_states(machine: Machine, lines: Sequence[HiddenLine]) -> frozenset[Clause]:
    """Return the conditions that read no zones, but states and how far the match is."""
    return _of_lines(machine, lines, _of_states)


def _of_lines(
    machine: Machine, lines: Sequence[HiddenLine], names: Callable[[Machine, str], tuple[str, ...]]
) -> frozenset[Clause]:
    """Return the conditions of events that have one of these names and are not set aside."""
    return frozenset(
        (event, name)
        for event, line in enumerate(lines, 1)
        for name in names(machine, line.line["do"])
        if name not in line.aside
    )


@lru_cache(256)
def _steering(machine: Machine, do: str) -> tuple[str, ...]:
    """Return the names of the conditions of an action that read no zones, but a seat by which its effects go. Effects
    that set the seat before they read it do not go by it.
    """
    rules, action, reads = machine.rules, machine.actions[do], dependencies_of(machine).reads
    seats = {var.name for var in rules.vars if _is_seat(var.type)}
    own: set[str] = set()
    written: set[str] = set()
    for one in flat(statements_of(rules, action)):
        own |= seats & reads(exprs_of(one)) - written
        written |= seats & set(written_by(one))
    return tuple(
        condition.name
        for condition in action.conditions
        if condition.of_game is None
        and condition.name in _of_states(machine, do)
        and own & reads([condition.expr])
    )


@lru_cache(256)
def _of_states(machine: Machine, do: str) -> tuple[str, ...]:
    """Return the names of the conditions of an action that read no zones."""
    reads, zones = dependencies_of(machine).reads, {zone.name for zone in machine.rules.zones}
    return tuple(
        condition.name
        for condition in machine.actions[do].conditions
        if condition.of_game == "open"
        or (condition.of_game is None and zones.isdisjoint(reads([condition.expr])))
    )


def _is_seat(kind: Type) -> bool:
    return isinstance(kind.item if isinstance(kind, Opt) else kind, Seat)
