"""A z3 solver for truths and numbers of few values, asked as `FreshSolver` is.

Input: terms of the main context, and between which bounds numbers lie. Output: whether all can be true.
Guarantee: what it calls impossible is impossible, if the numbers keep to their bounds. A comparison of numbers of many
values can be true or not, unless it is made of numbers of few values, and few models have it wrong: a model need not
satisfy it, so whoever asks has to look.

Sums of tiles, of which each lies in one of many places, take the usual solver long. This one has a truth for each value
of a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import z3

from golpae.prove.solving.few_values import FewValues
from golpae.prove.solving.fresh_solver import WORK, FreshSolver
from golpae.prove.solving.model import Model
from golpae.prove.solving.open_comparisons import OpenComparisons
from golpae.prove.solving.solver import SAT
from golpae.prove.symbolic.values import Truth

MOST_ROUNDS = 60  # of one answer, each with comparisons that were wrong before


class FiniteSolver(FreshSolver):
    """A solver in a new context. `bounds` may grow; they say of a symbol what the lowest and highest number is."""

    def __init__(self, bounds: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(z3.SolverFor("QF_FD", ctx=z3.Context()))
        self._values = FewValues(bounds)
        self._comparisons = OpenComparisons(self._values)
        self._done = self._most = 0

    def keep_within(self, numbers: Iterable[Any], low: int, high: int) -> None:
        """Say of terms that are numbers what the lowest and the highest value is, before they are part of others."""
        self._values.keep_within(numbers, low, high)

    def suppose_within(self, numbers: Iterable[Any], low: int, high: int) -> None:
        """Say the same of terms that nothing depends on unless it is true of them."""
        self._values.suppose_within(numbers, low, high)

    def add(self, terms: Sequence[Any]) -> None:
        """Assert terms, with truths in place of numbers."""
        made = self._values.of([term for term in terms if isinstance(term, z3.ExprRef)])
        super().add([z3.BoolVal(one) if isinstance(one, bool) else one for one in made if one is not True])

    def check(self, assumptions: Mapping[str, Any]) -> tuple[str, str]:
        """Return whether all can be true together with these literals, and why there is no answer if there is none."""
        answer = super().check(assumptions)
        before = self.work
        for _ in range(MOST_ROUNDS):
            wrong = self._comparisons.wrong(self._holds()) if answer[0] == SAT else []
            if not wrong or self.work - before > self._most:
                break
            super().add(wrong)
            answer = super().check(assumptions)
        return answer

    def limit(self, units: int) -> None:
        """Say how much work a model may take from now on, and how much to decide comparisons that it has wrong."""
        super().limit(units)
        self._most = units

    def _holds(self) -> Callable[[Truth], bool]:
        """Return a function that returns whether a truth holds in the model of the last answer."""
        model = self.z3.model()
        known: dict[int, bool] = {}

        def holds(truth: Truth) -> bool:
            if isinstance(truth, bool):
                return truth
            node = truth.ast.value
            if node not in known:
                known[node] = z3.is_true(model.eval(truth.translate(self.z3.ctx), True))
            return known[node]

        return holds

    def model(self) -> Model:
        """Return the model of the last answer."""
        model, holds = self.z3.model(), self._holds()
        context = self.z3.ctx
        for name, cases in self._values.symbols.items():
            for value, yes in cases:
                if holds(yes):
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
