"""A z3 solver for truths and numbers of few values, asked as `FreshSolver` is.

Input: terms of the main context, and between which bounds numbers lie. Output: whether all can be true.
Guarantee: what it calls impossible is impossible, if the numbers keep to their bounds. A comparison of numbers of many
values can be true or not, so a model need not satisfy it: whoever asks has to look.

Sums of tiles, of which each lies in one of many places, take the usual solver long. This one has a truth for each value
of a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import z3

from golpae.prove.solving.few_values import FewValues
from golpae.prove.solving.fresh_solver import WORK, FreshSolver
from golpae.prove.solving.model import Model


class FiniteSolver(FreshSolver):
    """A solver in a new context. `bounds` may grow; they say of a symbol what the lowest and highest number is."""

    def __init__(self, bounds: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(z3.SolverFor("QF_FD", ctx=z3.Context()))
        self._values = FewValues(bounds)
        self._done = 0

    def keep_within(self, numbers: Iterable[Any], low: int, high: int) -> None:
        """Say of terms that are numbers what the lowest and the highest value is, before they are part of others."""
        self._values.keep_within(numbers, low, high)

    def add(self, terms: Sequence[Any]) -> None:
        """Assert terms, with truths in place of numbers."""
        made = self._values.of([term for term in terms if isinstance(term, z3.ExprRef)])
        super().add([z3.BoolVal(one) if isinstance(one, bool) else one for one in made if one is not True])

    def model(self) -> Model:
        """Return the model of the last answer."""
        model = self.z3.model()
        context = self.z3.ctx
        for name, cases in self._values.symbols.items():
            for value, yes in cases:
                held = yes if isinstance(yes, bool) else model.eval(yes.translate(context), True)
                if held is True or z3.is_true(held):
                    model.update_value(z3.Int(name, context), z3.IntVal(value, context))
                    break
        return Model(model)

    @property
    def work(self) -> int:
        """The units of work until the last answer."""
        statistics = self.z3.statistics()
        if any(name == WORK for name, _ in statistics):  # not before the first answer
            self._done = int(statistics.get_key_value(WORK))
        return self._done
