"""Values in a model of the solver.

Input: a model and an unknown value. Output: the plain value that it has in the model.
Guarantee: a value that the model leaves open gets some value, always the same one.
"""

from __future__ import annotations

from typing import Any

import z3

from golpae.prove.symbolic.values import Bag, GuardedUnion, Value


def read(model: Any, value: Value) -> Any:
    """Return a value in a model: a plain value, or a sorted tuple for a bag."""
    if isinstance(value, GuardedUnion):
        for guard, plain in value.cases:
            if guard is True or z3.is_true(model.eval(guard, model_completion=True)):
                return read(model, plain)
        raise ValueError("no case of a value holds")
    if isinstance(value, Bag):
        out: list[Any] = []
        for key, count in value.items():
            out += [key] * read(model, count)
        return tuple(sorted(out, key=repr))
    if isinstance(value, z3.BoolRef):
        return z3.is_true(model.eval(value, model_completion=True))
    if isinstance(value, z3.ArithRef):
        return model.eval(value, model_completion=True).as_long()
    if isinstance(value, list):
        return [read(model, v) for v in value]
    return value
