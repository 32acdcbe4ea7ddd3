"""Rule sets as plain data and back, for the cache.

Input: a rule set; or bytes that `encode` has made, which the cache has under a hash of them.
Output: bytes; or the rule set. Raises `Damaged` if the bytes are none.
Guarantee: reading makes nothing but the nodes of this package. It runs no code of the bytes, and its effort is in
proportion to their length. Nodes that occur several times are read as one.

The data are a list of nodes, children first. A node is the name of its class and its fields; a child is
`{"n": number}`.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import msgspec

from golpae.ir import expr, ruleset
from golpae.ir import types as value_types
from golpae.ir.ruleset import RuleSet
from golpae.ir.structure import ADDED_LATER

MODULES = (value_types, expr, ruleset)
_FIELDS = "__dataclass_fields__"  # what `dataclasses` gives to its classes; here nothing is made of it
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
    classes, given = _classes(), (list, dict)

    def value(plain: Any) -> Any:
        if plain.__class__ is dict:
            return nodes[plain["n"]]
        return tuple([value(part) if part.__class__ in given else part for part in plain])

    try:
        for name, *plains in lines:
            values = [value(plain) if plain.__class__ in given else plain for plain in plains]
            nodes.append(classes[name](*values))
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
def _classes() -> dict[str, type]:
    """Return each class of node by its name."""
    classes: dict[str, type] = {}
    for module in MODULES:
        for name, item in vars(module).items():
            if isinstance(item, type) and _FIELDS in vars(item) and item.__module__ == module.__name__:
                assert name not in classes, "two classes of nodes have one name"
                classes[name] = item
    return classes
