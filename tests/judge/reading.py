"""Events as a trace records them, read into values (6.1, 6.2, 6.5).

Input: a table and an event, a mapping as JSON gives it. Output: a `Reading`, or why the event is malformed.
Guarantee: every key of a `Reading` has a value of its type; lists keep their order beside the bag that they mean.

A meld is a list of its label and its tiles, or of its tiles if it has no label. `null` is none where a key may be none,
also for an optional key. A number of more than 1,000 digits is malformed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.traverse import flat
from golpae.ir.types import Bag as BagType
from golpae.ir.types import (
    Bool,
    Choice,
    Each,
    Int,
    NoneType,
    Opt,
    Points,
    Seat,
    Tile,
    Type,
    spoken,
)
from golpae.ir.types import (
    Meld as MeldType,
)
from golpae.ir.types import (
    Patterns as PatternsType,
)
from tests.judge.evaluate import RECORDED
from tests.judge.table import Table
from tests.judge.values import Meld, Patterns, Value, bag

IGNORED = ("note", "time")
Event = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Malformed:
    """The event cannot be read."""

    reason: str


@dataclass(frozen=True)
class Reading:
    """An event whose keys have values. `lists` are its bags in the order in which the event has them."""

    action: Action
    names: Mapping[str, Value]
    lists: Mapping[str, tuple[Value, ...]]


class _Wrong(Exception):
    pass


def read(table: Table, event: Event) -> Reading | Malformed:
    """Return what an event says."""
    name = event.get("do")
    action = table.rules.action(name) if isinstance(name, str) else None
    if action is None:
        return Malformed(f"no action {name}")
    known = {"do", *IGNORED, *(p.name for p in action.params)}
    if action.by is not None:
        known.add("by")
    unknown = [key for key in event if key not in known]
    if unknown:
        return Malformed(f"unknown key {unknown[0]}")
    names: dict[str, Value] = {}
    lists: dict[str, tuple[Value, ...]] = {}
    try:
        if action.by is not None:
            names[action.by] = _value(_key(event, "by"), Seat(), table)
        for param in action.params:
            _read_key(param, event, table, names, lists)
    except _Wrong as wrong:
        return Malformed(str(wrong))
    return Reading(action, names, lists)


def _read_key(
    param: ParamDecl,
    event: Event,
    table: Table,
    names: dict[str, Value],
    lists: dict[str, tuple[Value, ...]],
) -> None:
    if param.optional and param.name not in event:
        names[param.name] = None
        return
    recorded = _key(event, param.name)
    if param.optional and recorded is None:
        raise _Wrong(f"{param.name} is left out, not null")
    names[param.name] = _value(recorded, param.type, table)
    kind = param.type.item if isinstance(param.type, Opt) else param.type
    if isinstance(kind, BagType) and isinstance(recorded, list):
        lists[param.name] = tuple(_value(item, kind.item, table) for item in recorded)


def _meld(recorded: list[object], table: Table) -> Meld:
    """Return `[label, tile...]`, `[label, [tile...]]` or `[tile...]` as a meld."""
    label = recorded[0] if recorded else None
    if not isinstance(label, str):
        raise _Wrong(f"{recorded!r} is no meld")
    shape = table.shape(label)
    if label not in meld_labels(table):
        return Meld(bag(_value(r, Tile(), table) for r in recorded), None)
    match recorded[1:]:
        case []:
            raise _Wrong("a meld without tiles")
        case [list(tiles)]:
            return Meld(bag(_value(r, Tile(), table) for r in tiles), label)
        case [single] if shape is not None and shape.test is not None and not shape.most:
            return Meld(bag([_value(single, Tile(), table)] * shape.size), label)
        case tiles:
            return Meld(bag(_value(r, Tile(), table) for r in tiles), label)


def meld_labels(table: Table) -> set[str]:
    """Return the words that stand before the tiles of a meld: shapes that are no unions, labels that effects give."""
    shapes = {shape.name for shape in table.rules.shapes if shape.test is not None}
    clauses = [clause for action in table.rules.actions for clause in action.effects]
    moves = [e for clause in clauses for e in flat(clause.effects) if isinstance(e, ir.Move)]
    return shapes | {move.label for move in moves if move.label is not None}


def _key(event: Event, name: str) -> object:
    if name not in event:
        raise _Wrong(f"no key {name}")
    return event[name]


def _value(recorded: object, kind: Type, table: Table) -> Value:
    wrong = _Wrong(f"{recorded!r} is not {spoken(kind)}")
    is_number = isinstance(recorded, int) and not isinstance(recorded, bool)
    match kind:
        case Opt(item):
            return None if recorded is None else _value(recorded, item, table)
        case Bool():
            if isinstance(recorded, bool):
                return recorded
        case Int():
            if is_number and isinstance(recorded, int) and abs(recorded) < RECORDED:
                return recorded
        case Seat():
            if is_number and recorded in table.seats:
                return recorded
        case Tile():
            if isinstance(recorded, str) and (tile := table.number(recorded)) is not None:
                return tile
        case Choice(words):
            if isinstance(recorded, str) and recorded in words:
                return recorded
        case BagType(item):
            if isinstance(recorded, list):
                return bag(_value(r, item, table) for r in recorded)
        case Each(item):
            if isinstance(recorded, list):
                return tuple(_value(r, item, table) for r in recorded)
        case MeldType():
            if isinstance(recorded, list):
                return _meld(recorded, table)
        case PatternsType():
            if isinstance(recorded, dict):
                points = {str(name): _value(r, Int(), table) for name, r in recorded.items()}
                return Patterns(tuple(sorted((n, p) for n, p in points.items() if isinstance(p, int))))
        case NoneType():
            if recorded is None:
                return None
        case Points():
            pass
        case _:
            assert_never(kind)
    raise wrong
