"""Values in a model of the solver.

Input: a model of some context, and terms of the main context. Output: the plain values that they have in the model.
Guarantee: a value that the model leaves open gets some value, always the same one. Nothing of a model comes into the
main context.

z3 gives each new context what the main one has got from others, and then answers the same question by other steps. A
model that came into the main context would change the answers of all later solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import z3

from golpae.prove.symbolic.values import Bag, GuardedUnion, Truth, Value


@cache
def _context() -> z3.Context:
    """Return the context of all models, in which nothing is solved."""
    return z3.Context()


class Model:
    """What the solver assigned to each symbol."""

    def __init__(self, model: z3.ModelRef) -> None:
        self._model = model.translate(_context())

    def values(self, terms: Sequence[Value], complete: bool = True) -> list[bool | int | None]:
        """Return the values of terms; plain values are their own. Unless it is `complete`, an open one is None."""
        unknown = z3.AstVector()
        for term in terms:
            if isinstance(term, z3.ExprRef):
                unknown.push(term)
        values = iter([self._plain(term, complete) for term in unknown.translate(_context())])
        return [next(values) if isinstance(term, z3.ExprRef) else term for term in terms]

    def holds(self, truth: Truth) -> bool:
        """Return whether a truth holds."""
        return self.values([truth])[0] is True

    def number(self, term: int | z3.ArithRef) -> int:
        """Return the value of a number."""
        [value] = self.values([term])
        assert value is not None, term
        return value

    def constants(self) -> Iterator[tuple[str, bool | int]]:
        """Yield the names of unknown truths and numbers with their values."""
        for symbol in self._model.decls():
            value = self._model[symbol]
            if symbol.arity() == 0 and isinstance(value, (z3.BoolRef, z3.IntNumRef)):
                yield symbol.name(), _plain_value(value)

    def _plain(self, term: Any, complete: bool) -> bool | int | None:
        value = self._model.eval(term, model_completion=complete)
        if z3.is_true(value) or z3.is_false(value) or z3.is_int_value(value):
            return _plain_value(value)
        return None


def _plain_value(value: Any) -> bool | int:
    return int(value.as_long()) if z3.is_int_value(value) else bool(z3.is_true(value))


def read(model: Model, value: Value) -> Any:
    """Return a value in a model: a plain value, or a sorted tuple for a bag."""
    return values_in(model, [value])(value)


def values_in(model: Model, values: Iterable[Value]) -> Callable[[Value], Any]:
    """Return a function that reads these values in a model, whose terms are all looked up at once: each is a plain
    value, or a sorted tuple for a bag.
    """
    terms: dict[int, Any] = {}

    def collect(value: Value) -> None:
        if isinstance(value, Bag):
            for count in value.counts.values():
                collect(count)
        elif isinstance(value, GuardedUnion):
            for guard, inner in value.cases:
                collect(guard)
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)
        elif isinstance(value, z3.ExprRef):
            terms.setdefault(value.ast.value, value)

    for value in values:
        collect(value)
    known = dict(zip(terms, model.values([*terms.values()]), strict=True))

    def plain(value: Value) -> Any:
        if isinstance(value, Bag):
            return tuple(sorted((k for k, c in value.items() for _ in range(plain(c))), key=repr))
        if isinstance(value, GuardedUnion):
            for guard, inner in value.cases:
                if plain(guard):
                    return plain(inner)
            raise ValueError("no case of a value holds")
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        return known[value.ast.value] if isinstance(value, z3.ExprRef) else value

    return plain
