"""Comparisons of numbers of many values, decided where a model has them wrong.

Input: terms without numbers, in which a truth stands for each such comparison, and a model. Output: truths that hold of
all tiles, and that the model breaks. Guarantee: each says what a comparison is while the numbers of few values that it
is made of have the values of the model.

    3 * x * y = 1200, and in the model x is 20 and y is 10     ->     if x is 20 and y is 10, it is false
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import prod

import z3

from golpae.prove.solving.few_values import FewValues
from golpae.prove.symbolic import terms
from golpae.prove.symbolic.values import Truth, all_of, implies, negate

_COMPARED: Mapping[int, Callable[[int, int], bool]] = {
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_EQ: operator.eq,
    z3.Z3_OP_DISTINCT: operator.ne,
}
_MADE_OF_MANY: Mapping[int, Callable[[list[int]], int]] = {
    z3.Z3_OP_ADD: sum,
    z3.Z3_OP_SUB: lambda numbers: numbers[0] - sum(numbers[1:]),
    z3.Z3_OP_UMINUS: lambda numbers: -numbers[0],
    z3.Z3_OP_MUL: prod,
}


class OpenComparisons:
    """The comparisons that some terms without numbers leave open."""

    def __init__(self, values: FewValues) -> None:
        self._values = values
        self._can_be_decided: dict[int, bool] = {}  # by the node of a number
        self._decidable: list[tuple[int, Truth]] = []
        self._looked_at = 0

    def wrong(self, holds: Callable[[Truth], bool]) -> list[Truth]:
        """Return a lemma for each comparison that a model has wrong: the values of its parts imply whether it is true.
        `holds` says whether a truth holds in the model.
        """
        new = self._values.opened[self._looked_at :]
        self._looked_at += len(new)
        self._decidable += [one for one in new if self._is_decidable(one[0])]
        out = []
        for node, truth in self._decidable:
            reasons: list[Truth] = []
            numbers = [self._number(part, holds, reasons) for part in terms.parts_of(node)]
            if any(number is None for number in numbers):
                continue
            left, right = (number for number in numbers if number is not None)
            right_answer = _COMPARED[terms.operator_of(node)](left, right)
            if holds(truth) is not right_answer:
                out.append(implies(all_of(reasons), truth if right_answer else negate(truth)))
        return out

    def _is_decidable(self, node: int) -> bool:
        """Return whether a comparison may be made of numbers of few values."""
        parts = terms.parts_of(node)
        return terms.operator_of(node) in _COMPARED and len(parts) == 2 and all(map(self._is_made, parts))

    def _is_made(self, root: int) -> bool:
        """Return whether a number may be made of numbers of few values."""
        known = self._can_be_decided
        waiting = [root]
        while waiting:
            node = waiting[-1]
            if node in known:
                waiting.pop()
                continue
            if self._values.cases_at(node) is not None:
                known[node] = True
                continue
            kind, parts = terms.operator_of(node), terms.parts_of(node)
            inner = parts[1:] if kind == z3.Z3_OP_ITE else parts
            if not inner or not (kind == z3.Z3_OP_ITE or kind in _MADE_OF_MANY):
                known[node] = False
                continue
            left = [part for part in inner if part not in known]
            if left:
                waiting += left
            else:
                some = any if kind == z3.Z3_OP_ITE else all  # the model says later which of the two it is
                known[node] = some(known[part] for part in inner)
        return known[root]

    def _number(self, node: int, holds: Callable[[Truth], bool], reasons: list[Truth]) -> int | None:
        """Return the value of a number in a model; note by what it has this value. None if it keeps to no bounds."""
        cases = self._values.cases_at(node)
        if cases is not None:
            for value, yes in cases:
                if holds(yes):
                    reasons.append(yes)
                    return value
            return None
        kind, parts = terms.operator_of(node), terms.parts_of(node)
        if kind == z3.Z3_OP_ITE:
            test = self._values.truth_at(parts[0])
            is_first = holds(test)
            reasons.append(test if is_first else negate(test))
            return self._number(parts[1 if is_first else 2], holds, reasons)
        if kind not in _MADE_OF_MANY:
            return None
        numbers = [self._number(part, holds, reasons) for part in parts]
        known = [number for number in numbers if number is not None]
        return _MADE_OF_MANY[kind](known) if len(known) == len(numbers) else None
