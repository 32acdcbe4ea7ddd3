"""New symbols for unknown values.

Input: a label, and the values that are possible. Output: a value made of new z3 constants. Guarantee: no two symbols of
a factory share a name, and the same calls in the same order within a scope make the same names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from golpae.ir.types import NONE, TILE, Type
from golpae.prove.symbolic.values import (
    Bag,
    MeldValue,
    Number,
    Truth,
    Value,
    at_least,
    conj,
    equal,
    guarded_union,
    implies,
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a symbol counts or stands for: it has the number of one of `values`, or it counts the copies of `member`.

    `kind` is the type of these; a group is known without it.
    """

    label: str
    kind: Type
    values: Sequence[Any] = ()
    member: Any = None


class SymbolFactory:
    """Makes symbols and collects what is certain about them.

    `facts` belong to every question. `deferred` facts take a solver long, and most questions have an answer without
    them. `meanings` explain symbols to people, by name; symbols of numbers and truths have none. `bounds` say of some
    symbols, by name, what the lowest and the highest number is.
    """

    def __init__(self, prefix: str, meanings: dict[str, Meaning] | None = None) -> None:
        self.prefix = prefix
        self.facts: list[Truth] = []
        self.deferred: list[Truth] = []
        self.scope = ""
        self.meanings: dict[str, Meaning] = {} if meanings is None else meanings
        self.bounds: dict[str, tuple[int, int]] = {}
        self._made: Counter[str] = Counter()  # in each scope

    def name(self, label: str) -> str:
        self._made[self.scope] += 1
        return f"{self.prefix}{self.scope}{label}.{self._made[self.scope]}"

    def saved(self) -> Callable[[], None]:
        """Return a function that forgets all facts since now. Names are never made again, in no scope."""
        facts, deferred = list(self.facts), list(self.deferred)

        def restore() -> None:
            self.facts[:], self.deferred[:] = facts, deferred

        return restore

    def begin_anew(self, prefix: str) -> None:
        """Make the names of scopes with this prefix again. Everything with their symbols has to be forgotten."""
        for scope in [s for s in self._made if s.startswith(prefix)]:
            del self._made[scope]

    def fact(self, truth: Truth) -> None:
        if truth is not True:
            self.facts.append(truth)

    def only_if(self, truth: Truth, facts: int, deferred: int) -> None:
        """Make the facts from these numbers on certain only if something is true."""
        for number in range(facts, len(self.facts)):
            self.facts[number] = implies(truth, self.facts[number])
        for number in range(deferred, len(self.deferred)):
            self.deferred[number] = implies(truth, self.deferred[number])

    def truth(self, label: str) -> Truth:
        return z3.Bool(self.name(label))

    def number(self, label: str, low: int | None = None, high: int | None = None) -> Number:
        return self._between(self.name(label), low, high)

    def _between(self, name: str, low: int | None, high: int | None) -> Number:
        symbol = z3.Int(name)
        if low is not None and high is not None:
            self.bounds[name] = low, high
        if low is not None:
            self.fact(at_least(symbol, low))
        if high is not None:
            self.fact(at_least(high, symbol))
        return symbol

    def of(self, label: str, values: list[Any], kind: Type = NONE) -> Value:
        """Return one of these values, which have this type."""
        if len(values) == 1:
            return values[0]
        name = self.name(label)
        self.meanings[name] = Meaning(label, kind, values)
        code = z3.Int(name)
        self.bounds[name] = 0, len(values) - 1
        self.fact(conj(at_least(code, 0), at_least(len(values) - 1, code)))
        return guarded_union((equal(code, i), v) for i, v in enumerate(values))

    def bag(self, label: str, most: dict[Any, int | None], kind: Type = TILE) -> Bag:
        """Return a bag with at most so many of each value (None: any number); these are tiles, or have this type."""
        counts: dict[Any, Number] = {}
        for member, often in most.items():
            if often != 0:
                name = self.name(f"{label}[{_text(member)}]")
                counts[member] = self._between(name, 0, often)
                self.meanings[name] = Meaning(label, kind, member=member)
        return Bag(counts)


def _text(key: Any) -> str:
    return "+".join(map(str, key.tiles)) + (key.label or "") if isinstance(key, MeldValue) else str(key)
