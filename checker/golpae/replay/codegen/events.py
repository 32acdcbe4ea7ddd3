"""The source of events: the functions that read a line of a trace, check it and apply it.

Input: an action of an instance. Output: the lines of `read_x` and `step_x`.
Guarantee: `read_x` returns the arguments in the order of `arguments`, or `Bad`; `step_x` returns None if the event was
legal, the failed condition with the arguments if not, `Bad` if the line is malformed.
"""

from __future__ import annotations

from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import Action
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
from golpae.lower.checks import Orders, orders_of
from golpae.replay.codegen.expressions import arguments
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.names import local
from golpae.replay.decode import ALWAYS
from golpae.replay.state_layout import mangled


class EventEmitter:
    """Writes how the events of one instance's actions are read."""

    def __init__(self, instance: Instance, lines: Lines) -> None:
        self._players = instance.players
        self._put = lines.put

    def read(self, action: Action) -> None:
        """Write `read_x`."""
        params = list(action.params)
        required = [p.name for p in params if not p.optional]
        self._put(0, f"def read_{mangled(action.name)}(event):")
        names = arguments(action)
        keys = [*(["by"] if action.by is not None else []), *required]
        optional = [p.name for p in params if p.optional]
        self._put(1, "try:")
        for key in keys:
            self._put(2, f"x_{mangled(key)} = event[{key!r}]")
        self._put(2, "pass")
        self._put(1, f"except KeyError: return misses(event, {keys!r}, {optional!r})")
        declared = (*keys, *optional)
        allowed = repr(frozenset((*declared, *ALWAYS)))
        # the keys of an event without optional keys and notes need no check
        few = "" if optional else f"len(event) != {len(keys) + 1} and "
        self._put(1, f"if {few}any(k not in {allowed} for k in event): return extra(event, {declared!r})")
        if action.by is not None:
            self._decode("by", Seat(), local(action.by), 1)
        for param in params:
            if param.optional:
                assert isinstance(param.type, Opt)
                self._put(1, f"if {param.name!r} in event:")
                self._put(2, f"x_{mangled(param.name)} = event[{param.name!r}]")
                self._decode(param.name, param.type.item, local(param.name), 2)
                self._put(1, f"else: {local(param.name)} = None")
            else:
                self._decode(param.name, param.type, local(param.name), 1)
        self._put(1, f"return ({''.join(n + ', ' for n in names)})")

    def _decode(self, key: str, kind: Type, name: str, depth: int) -> None:
        x = f"x_{mangled(key)}"
        if isinstance(kind, Seat):
            test = f"{x}.__class__ is not int or not 0 <= {x} < {self._players}"
            self._put(depth, f"if {test}: return bad_seat({key!r}, {x})")
            self._put(depth, f"{name} = {x}")
        elif isinstance(kind, Tile):
            test = f"{x}.__class__ is not str or ({name} := NUMBERS.get({x})) is None"
            self._put(depth, f"if {test}: return bad_tile({key!r}, {x})")
        else:
            self._put(depth, f"{name} = decode({decoder(kind)!r}, {key!r}, {x})")
            self._put(depth, f"if {name}.__class__ is Bad: return {name}")

    def first(self, action: Action) -> None:
        """Write `first_x`: the condition that fails, and the arguments in the order that the conditions allow."""
        name = mangled(action.name)
        self._put(0, f"def first_{name}(S, args):")
        if any(p.parts for p in action.params):
            orders = orders_of(action)
            listed = _listed(action, orders)
            self._put(
                1,
                f"return order_of_lists(check_{name}, S, args, {listed!r}, {orders.alike}, {action.name!r})",
            )
        else:
            self._put(1, f"return check_{name}(S, *args), args")

    def step(self, action: Action) -> None:
        """Write `step_x`."""
        name = mangled(action.name)
        args = arguments(action)
        self._put(0, f"def step_{name}(S, event):")
        self._put(1, f"args = read_{name}(event)")
        self._put(1, "if args.__class__ is Bad: return args")
        if any(p.parts for p in action.params):
            self._put(1, f"failed, args = first_{name}(S, args)")
            self._put(1, "if failed >= 0: return failed, args")
            self._put(1, f"{''.join(a + ', ' for a in args)} = args")
        else:
            if args:
                self._put(1, f"{''.join(a + ', ' for a in args)} = args")
            self._put(1, f"failed = check_{name}({', '.join(('S', *args))})")
            self._put(1, "if failed >= 0: return failed, args")
        self._put(1, f"apply_{name}({', '.join(('S', *args))})")
        self._put(1, "return None")


def _listed(action: Action, orders: Orders) -> tuple[tuple[int, int, bool], ...]:
    """Return the place of each argument `{a, b}`, how many names it has, and whether conditions tell these apart."""
    first = 0 if action.by is None else 1
    return tuple((first + i, len(p.parts), p in orders.tried) for i, p in enumerate(action.params) if p.parts)


def decoder(kind: Type) -> tuple[object, ...]:
    """Return a type as nested tuples, for `decode.Reader`."""
    match kind:
        case Seat():
            return ("seat",)
        case Tile():
            return ("tile",)
        case Int():
            return ("number",)
        case Bool():
            return ("truth",)
        case Choice(words):
            return ("choice", words)
        case Bag(item) | Each(item):
            return ("list", decoder(item))
        case Opt(item):
            return ("or none", decoder(item))
        case Meld():
            return ("meld",)
        case Patterns():
            return ("patterns",)
        case NoneType() | Points():
            raise ValueError("no trace has such a value")
        case _:
            assert_never(kind)
