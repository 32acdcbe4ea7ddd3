"""Rule sets as plain data and back, for a cache that may hold anything.

Input: a rule set; or bytes that claim to be one.
Output: bytes; or the rule set. Raises `Damaged` if the bytes are none.
Guarantee: reading makes nothing but the nodes of this package, with values of the types that they declare. It runs no
code of the bytes, and its effort is in proportion to their length. Nodes that occur several times are read as one.

The data are a list of nodes, children first. A node is the name of its class and its fields; a child is
`{"n": number}`.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from golpae.ir import expr, ruleset
from golpae.ir import types as value_types
from golpae.ir.ruleset import RuleSet
from golpae.ir.structure import ADDED_LATER

Holds = Callable[[Any], bool]
MODULES = (value_types, expr, ruleset)
_read = msgspec.json.Decoder().decode


class Damaged(Exception):
    """These bytes are no rule set."""


def encode(rules: RuleSet, only_meaning: bool = False) -> bytes:
    """Return a rule set as bytes. Raises `RecursionError` if it is nested too deeply.

    With `only_meaning`, the bytes lack the fields that do not count when nodes are compared, and empty ones that were
    added later; `decode` refuses them.
    """
    numbers: dict[int, int] = {}  # by the identity of a node
    nodes: list[list[Any]] = []

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(item) for item in value]
        names = _encoded(value.__class__, only_meaning)
        if names is None:
            return value
        if id(value) not in numbers:
            if only_meaning:
                later = _added_later(value.__class__)
                names = tuple(name for name in names if name not in later or getattr(value, name))
            node = [value.__class__.__name__, *[plain(getattr(value, name)) for name in names]]
            numbers[id(value)] = len(nodes)
            nodes.append(node)
        return {"n": numbers[id(value)]}

    import json  # msgspec writes other bytes, of which hashes are known

    plain(rules)
    return json.dumps(nodes, separators=(",", ":")).encode()


def decode(data: bytes) -> RuleSet:
    """Return the rule set that `encode` made these bytes of. Raises `Damaged`."""
    try:
        lines = _read(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Damaged from None
    nodes: list[Any] = []

    def value(plain: Any) -> Any:
        if plain.__class__ is dict:
            return nodes[plain["n"]]
        return tuple(map(value, plain)) if plain.__class__ is list else plain

    try:
        for name, *plains in lines:
            make, tests = _classes()[name]
            values = [value(plain) for plain in plains]
            if len(values) != len(tests) or not all(test(v) for test, v in zip(tests, values, strict=True)):
                raise Damaged
            nodes.append(make(*values))
    except (TypeError, ValueError, LookupError, RecursionError):
        raise Damaged from None
    if not nodes or not isinstance(nodes[-1], RuleSet):
        raise Damaged
    return nodes[-1]


@cache
def _encoded(kind: type, only_meaning: bool) -> tuple[str, ...] | None:
    """Return the fields of a class of nodes that are encoded; None if it is none."""
    if not is_dataclass(kind):
        return None
    return tuple(f.name for f in fields(kind) if f.compare or not only_meaning)


@cache
def _added_later(kind: type) -> frozenset[str]:
    """Return the fields of a class of nodes that older rule sets do not have."""
    return frozenset(f.name for f in fields(kind) if f.metadata == ADDED_LATER)


@cache
def _classes() -> dict[str, tuple[type, tuple[Holds, ...]]]:
    """Return, by its name, each class of node, and for each field the test of its value."""
    classes: dict[str, tuple[type, tuple[Holds, ...]]] = {}
    for module in MODULES:
        for name, item in vars(module).items():
            if isinstance(item, type) and is_dataclass(item) and item.__module__ == module.__name__:
                assert name not in classes, "two classes of nodes have one name"
                classes[name] = (item, tuple(_test_of(module.__name__, str(f.type)) for f in fields(item)))
    return classes


@cache
def _test_of(module: str, annotation: str) -> Holds:
    """Return the test of what a module writes as a type; many fields are written alike."""
    return _test(eval(annotation, vars(sys.modules[module])))


@cache
def _test(hint: Any) -> Holds:
    """Return whether a value is of a type, as a field declares it. Items of tuples count, fields of nodes do not."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        nodes = tuple(arg for arg in args if isinstance(arg, type) and is_dataclass(arg))
        others = [_test(arg) for arg in args if not is_dataclass(arg)]
        return lambda value: isinstance(value, nodes) or any(test(value) for test in others)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in args
    if origin is tuple and len(args) == 2 and args[1] is ...:
        item = _test(args[0])
        return lambda value: value.__class__ is tuple and all(map(item, value))
    if origin is tuple:
        tests = [_test(arg) for arg in args]
        return lambda value: (
            value.__class__ is tuple
            and len(value) == len(tests)
            and all(test(v) for test, v in zip(tests, value, strict=True))
        )
    assert isinstance(hint, type), f"no test of {hint}"
    return lambda value: value.__class__ is hint
