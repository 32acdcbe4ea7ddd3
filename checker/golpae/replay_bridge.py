"""Translates from replay to the prover: shapes, scores and states.

Input: a machine, and states of it.
Output: the groups and points that the prover asks for, and symbolic states whose values are constants.
Guarantee: a translated state means the same to the prover as to replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, assert_never

from golpae.ir.dependencies import states_of_score
from golpae.ir.lifecycle import STAGES
from golpae.ir.limits import TooManySteps
from golpae.ir.scoring import OF_NUMBER
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import BLANK, MeldValue, as_key
from golpae.prove.symbolic.values import Bag as BagValue
from golpae.prove.symbolic.zones import HIDDEN, PLACES, SymbolicRow, Zone
from golpae.replay import runtime as zones
from golpae.replay.machine import Machine, State
from golpae.replay.scoring.score import number_of, total
from golpae.replay.state_layout import var_in, var_slot, zone_in

Asked = dict[tuple[str, tuple[Any, ...]], int | None]  # a score and the values of its parameters: its points


class ReplayShapes:
    """The shapes and scores of a machine, for the prover. They raise `Unsupported` for what takes too many steps.

    `asked` is what the prover was told about scores.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.asked: Asked = {}

    def groups(self, shape: str) -> Collection[tuple[int, ...]]:
        with _steps_of(shape):
            return self._machine.shapes.all_groups(shape)

    def holds(self, tiles: tuple[int, ...], label: str | None, shape: str) -> bool:
        group = tiles if label is None else zones.Meld(tiles, label)
        with _steps_of(shape):
            return self._machine.shapes.holds(group, shape)

    def beside(self, tiles: tuple[int, ...], melds: tuple[MeldValue, ...], arrangement: str) -> bool:
        """Return whether tiles and melds make an arrangement in which each meld is one of the groups."""
        with _steps_of(arrangement):
            return self._machine.shapes.lies_beside(tiles, [_for_replay(meld) for meld in melds], arrangement)

    def best(self, score: str, args: tuple[Any, ...]) -> int | None:
        if (score, args) not in self.asked:
            name, _, number = score.partition(OF_NUMBER)
            with _steps_of(name):
                given, state = self._given(name, args)
                best = self._machine.scorers[name].best(state, *map(_for_replay, given))
            self.asked[score, args] = number_of(best, number) if number else total(best)
        return self.asked[score, args]

    def _given(self, name: str, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], State | None]:
        """Return the values that a score is given, and a state with the values of the states that it reads, which come
        behind.
        """
        size = len(next(s for s in self._machine.rules.scores if s.name == name).params)
        if len(args) == size:
            return args, None
        state = self._machine.new_state()
        states = states_of_score(self._machine.rules, name)
        assert states is not None
        for var, value in zip(states, args[size:], strict=True):
            setattr(state, var_slot(var.name), value)
        return args[:size], state


@contextmanager
def _steps_of(name: str) -> Iterator[None]:
    """Say that the prover does not support what takes replay too many steps within the block."""
    try:
        yield
    except TooManySteps as long:
        raise Unsupported(f"`{name}`, which takes more than {long.most:,} steps") from long


def _for_replay(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_for_replay(v) for v in value]
    if isinstance(value, MeldValue):
        return zones.Meld(value.tiles, value.label)
    return value


def symbolic_state(machine: Machine, state: State) -> SymbolicState:
    """Return a state of replay as a symbolic state of constants, BLANK where the prover does not support the value."""
    rules = machine.rules
    symbolic = SymbolicState(
        STAGES[state.at],
        state.stake,
        state.winner,
        state.hands_played,
        list(state.total),
        {},
        {},
    )
    for var in rules.vars:
        value = var_in(state, var.name)
        if var.each_player:
            symbolic.vars[var.name] = [_value_or_blank(v, var.type) for v in value]
        else:
            symbolic.vars[var.name] = _value_or_blank(value, var.type)
    for zone in rules.zones:
        lying = zone_in(state, zone.name)
        made = [_zone(one, zone.kind) for one in lying] if zone.each_player else _zone(lying, zone.kind)
        symbolic.zones[zone.name] = made
    return symbolic


def _value_or_blank(value: Any, kind: Type) -> Any:
    try:
        return symbolic_value(value, kind)
    except Unsupported:
        return BLANK


def symbolic_value(value: Any, kind: Type) -> Any:
    """Return a value of replay, of this type, as a value of the prover. Raises `Unsupported`."""
    match kind:
        case Bag(item):
            return (
                value
                if value is None
                else BagValue(dict(Counter(as_key(symbolic_value(v, item)) for v in value)))
            )
        case Each(item):
            return [symbolic_value(v, item) for v in value]
        case Meld():
            return MeldValue(tuple(sorted(value)), getattr(value, "label", None))
        case Opt(item):
            return None if value is None else symbolic_value(value, item)
        case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
            return value
        case _:
            assert_never(kind)


def _zone(lying: Any, kind: str) -> Zone:
    if kind == "row":
        slots = [HIDDEN if s == zones.HIDDEN else s for s in lying.slots]
        front, back = (slots[0], slots[-1]) if slots else (None, None)
        places = (*slots, *[None] * PLACES)[:PLACES]
        all_hidden = all(s == HIDDEN for s in slots)
        row = SymbolicRow(front, back, BagValue(dict(Counter(lying.hidden))), places, all_hidden)
        return Zone(BagValue(dict(Counter(lying.all()))), row)
    if kind == "melds":
        groups = (MeldValue(tuple(sorted(m)), m.label) for m in lying)
        return Zone(BagValue(dict(Counter(groups))))
    return Zone(BagValue(dict(Counter(lying))))
