"""Keys of values, and what was computed for values with these keys.

Input: values, some of them symbolic. Output: hashable keys. Guarantee: values with the same key are the same as long as
one of them is referenced; a module that stores a key references its values too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import z3

from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import Bag, GuardedUnion, MeldValue, Value, order_of


@dataclass(frozen=True, slots=True)
class ByIdentity:
    """Something that only itself is the same as."""

    value: Any


def key_of(value: Value) -> Any:
    """Return a value as part of a key."""
    if isinstance(value, ByIdentity):
        return ("itself", id(value.value))
    if isinstance(value, Bag | GuardedUnion):
        if not value._key:
            value._key.append(_key(value))
        return value._key[0]
    if isinstance(value, z3.AstRef):
        return ("z3", value.ast.value)
    if isinstance(value, list):
        return tuple(map(key_of, value))
    if isinstance(value, bool):
        return ("truth", value)
    return value


def _key(value: Bag | GuardedUnion) -> Any:
    if isinstance(value, Bag):
        counts = frozenset((k, key_of(c)) for k, c in value.items())
        order = order_of(value)
        return ("list", *map(key_of, order)) if order else ("bag", counts)
    return ("pick", *((key_of(g), key_of(v)) for g, v in value.cases))


def identity(value: Any) -> Any:
    """Return a key that only the same object has; cheaper than `key_of`."""
    if isinstance(value, list):
        return tuple(map(identity, value))
    if value is None or isinstance(value, bool | int | str):
        return (value.__class__, value)
    return id(value)


def all_concrete(values: tuple[Any, ...]) -> bool:
    """Return whether some values have no symbols."""
    return all(
        all_concrete(tuple(v))
        if isinstance(v, list)
        else v.concrete
        if isinstance(v, Bag)
        else v is None or isinstance(v, bool | int | str | MeldValue)
        for v in values
    )


class Memo:
    """Values that were computed once for all states that agree in what they read."""

    def __init__(self, symbols: SymbolFactory) -> None:
        self._symbols = symbols
        self._values: dict[Any, Any] = {}

    def saved(self) -> Callable[[], None]:
        """Return a function that forgets all values since now."""
        values = dict(self._values)

        def restore() -> None:
            self._values = dict(values)

        return restore

    def get(
        self, key: Any, args: tuple[Value, ...], read: tuple[Any, ...], compute: Callable[[], Value]
    ) -> Value:
        """Return a value by its key and what it reads of a state; compute it if it is new."""
        key = (key, *map(identity, read))
        if key not in self._values:
            begin = len(self._symbols.facts)
            value = compute()
            if len(self._symbols.facts) > begin:
                return value  # every caller needs the facts about its new symbols
            self._values[key] = (value, args, read)  # referenced, so that the key stays theirs
        return self._values[key][0]
