"""What the strict reader says of a line, in the form in which the scanner's answer is read back.

Input: a line and a machine. Output: an `Event` or a stake; None if the line is not in order.
Guarantee: bags are sorted; everything else is as `Machine.read` returns it.
"""

from __future__ import annotations

import io
from typing import Any

from golpae.elaborate.instance import TableFault, options_of
from golpae.ir.ruleset import Action
from golpae.ir.types import Bag, Each, Int, Meld, Opt, Type
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.trace import Header, is_header, lines, read_header
from tests.kernel.scan_harness import Event

Listed = frozenset[tuple[str, str]]  # actions and keys


def _object(line: bytes) -> dict[str, object] | None:
    """Return the JSON object on a line; None if it has a fault."""
    read = list(lines(io.BytesIO(b"\n" + line + b"\n")))  # a byte order mark is for the first line of a file
    if len(read) != 1:
        return None
    _, value, fault = read[0]
    return None if fault is not None else value


def event(machine: Machine, line: bytes, listed: Listed = frozenset()) -> Event | None:
    """Return the event on a line; the tiles of keys that are `listed` stay in their order."""
    value = _object(line)
    if value is None or is_header(value):
        return None
    do = value.get("do")
    action = machine.actions.get(do) if isinstance(do, str) else None
    if action is None:
        return None
    args = machine.read(action.name, value)
    return None if isinstance(args, Bad) else _event(action, args, listed)


def _event(action: Action, args: tuple[Any, ...], listed: Listed) -> Event:
    keys: dict[str, Any] = {}
    given = list(args)
    if action.by is not None:
        keys["by"] = given.pop(0)
    for param, value in zip(action.params, given, strict=True):
        in_order = bool(param.parts) or (action.name, param.name) in listed
        keys[param.name] = value if in_order else _value(param.type, value)
    return Event(action.name, keys)


def _value(kind: Type, value: Any) -> Any:
    if value is None:
        return value
    match kind:
        case Opt(item):
            return _value(item, value)
        case Meld():
            return value.label, list(value)
        case Bag(Bag()) | Bag(Int()) | Bag(Meld()) | Each():
            return [_value(kind.item, v) for v in value]
        case Bag(item):
            return sorted(_value(item, v) for v in value)
    return value


def stake(machine: Machine, line: bytes, rules: str) -> int | None:
    """Return the stake if the line is the header of a game by these rules at this table."""
    value = _object(line)
    if value is None or not is_header(value):
        return None
    header = read_header(value)
    if not isinstance(header, Header) or header.rules != rules:
        return None
    instance = machine.instance
    try:
        options = options_of(instance.rule_set, header.options)
    except TableFault:
        return None
    if options != dict(instance.options) or len(header.players) != instance.players:
        return None
    return header.stake
