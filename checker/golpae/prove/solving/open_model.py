"""Truths in a model of the solver in which some symbols are left open.

Input: a model, and the names of the unknown truths that are left open. Output: for truths of the main context, under
which values of the open ones each holds. Guarantee: a symbol that the model leaves out has some value, always the same
one. Nothing of the model comes into the main context.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import z3

from golpae.prove.solving.model import Model
from golpae.prove.symbolic.values import Truth


class OpenModel:
    """A model without the values of some truths, in a context of its own."""

    def __init__(self, model: Model, left_open: Collection[str]) -> None:
        self._context = z3.Context()
        self._model = z3.Model(self._context)
        for name, value in model.constants():
            if name not in left_open:
                self._set(name, value)

    def holds(
        self, truths: Sequence[Truth], settings: Sequence[Mapping[str, bool]]
    ) -> list[tuple[bool, ...]]:
        """Return for each truth whether it holds under each of these values of the open truths."""
        terms = z3.AstVector()
        for truth in truths:
            if not isinstance(truth, bool):
                terms.push(truth)
        own = [self._model.eval(term) for term in terms.translate(self._context)]
        own_truths = iter(own)
        left: list[Any] = [truth if isinstance(truth, bool) else next(own_truths) for truth in truths]
        columns = []
        for setting in settings:
            for name, value in setting.items():
                self._set(name, value)
            columns.append([self._is_true(term) for term in left])
        return [*zip(*columns, strict=True)]

    def _set(self, name: str, value: bool | int) -> None:
        context = self._context
        if isinstance(value, bool):
            self._model.update_value(z3.Bool(name, context), z3.BoolVal(value, context))
        else:
            self._model.update_value(z3.Int(name, context), z3.IntVal(value, context))

    def _is_true(self, term: Any) -> bool:
        if isinstance(term, bool):
            return term
        if z3.is_true(term) or z3.is_false(term):
            return bool(z3.is_true(term))
        return bool(z3.is_true(self._model.eval(term, model_completion=True)))
