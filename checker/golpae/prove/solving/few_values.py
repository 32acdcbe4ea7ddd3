"""Terms over numbers of few values, as terms over truths alone.

Input: terms of the main context, and between which bounds symbols and other numbers lie. Output: the same without
numbers: for each number there is a truth for each value that it may have. Guarantee: the new terms can be true together
if and only if the old ones can, as long as the numbers keep to their bounds; but for comparisons of numbers that may
have many values, each of which can be true or not.

    x + y >= 3, with x and y from 0 to 2     ->     (x is 1 and y is 2) or (x is 2 and (y is 1 or y is 2))

Solvers for truths see at once that a tile which lies in one place lies in no other. From sums of zeros and ones they
learn this late.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import z3

from golpae.prove.symbolic import terms
from golpae.prove.symbolic.values import Truth, any_of, conj, implies, negate

MOST_VALUES = 200  # of a number
MOST_PAIRS = 10_000  # of values of two numbers that are added or multiplied
Cases = Sequence[tuple[int, Truth]]
"""The values of a number, lowest first, each with the truth that it is this one."""

_SUMS: dict[int, Callable[[int, int], int]] = {
    z3.Z3_OP_ADD: operator.add,
    z3.Z3_OP_SUB: operator.sub,
    z3.Z3_OP_MUL: operator.mul,
}


class FewValues:
    """Terms without numbers. `bounds` may grow; they say of a symbol what the lowest and the highest number is."""

    def __init__(self, bounds: Mapping[str, tuple[int, int]]) -> None:
        self._bounds = bounds
        self._within: dict[
            int, tuple[int, int]
        ] = {}  # the same of other terms, by their nodes, which are held
        self._supposed: dict[
            int, tuple[int, int]
        ] = {}  # the same, of those that count only if they keep to it
        self._truths: dict[int, Truth] = {}  # by the node of a term
        self._numbers: dict[int, Cases | None] = {}  # the same; None if there are many values
        self._held: list[Any] = []
        self._facts: list[Truth] = []
        self.opened: list[tuple[int, Truth]] = []
        """The nodes of comparisons of numbers that may have many values, and what stands for each."""
        self.symbols: dict[str, Cases] = {}
        """The numbers that were symbols."""

    def keep_within(self, numbers: Iterable[Any], low: int, high: int) -> None:
        """Say of numbers what the lowest and the highest value is."""
        for number in numbers:
            self._held.append(number)
            self._within[number.ast.value] = low, high

    def suppose_within(self, numbers: Iterable[Any], low: int, high: int) -> None:
        """Say the same of numbers that nothing depends on unless it is true of them: they have no other values."""
        for number in numbers:
            self._held.append(number)
            self._supposed[number.ast.value] = low, high

    def of(self, given: Sequence[Any]) -> list[Truth]:
        """Return terms without numbers, and what is certain of their new truths."""
        made = []
        for term in given:
            self._held.append(term)
            self._look_at(term.ast.value)
            made.append(self._truths[term.ast.value])
        facts, self._facts = self._facts, []
        return [*facts, *made]

    def truth_at(self, node: int) -> Truth:
        """Return a truth without numbers, by its node. INVARIANT: it is part of a term that was given."""
        return self._truths[node]

    def cases_at(self, node: int) -> Cases | None:
        """Return the values of a number, by its node; None if there are many. INVARIANT: as above."""
        return self._numbers[node]

    def _look_at(self, root: int) -> None:
        """Note what a node is, and all nodes in it."""
        truths, numbers = self._truths, self._numbers
        waiting = [root]
        while waiting:
            node = waiting[-1]
            if node in truths or node in numbers:
                waiting.pop()
                continue
            inner = terms.parts_of(node)
            left = [one for one in inner if one not in truths and one not in numbers]
            if left:
                waiting += left
                continue
            waiting.pop()
            if terms.is_truth(node):
                truths[node] = self._truth(node, inner)
            else:
                numbers[node] = self._clipped(node, self._number(node, inner))

    # ------------------------------------------------------------------ truths

    def _truth(self, node: int, inner: Sequence[int]) -> Truth:
        kind = terms.operator_of(node)
        if not inner:
            if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
                return kind == z3.Z3_OP_TRUE
            return terms.truth_of(node)
        if inner[-1] in self._truths:
            return self._of_truths(node, kind, inner)
        numbers = [self._numbers[one] for one in inner]
        left, right = (numbers[0], numbers[1]) if len(numbers) == 2 else (None, None)
        if left is not None and right is not None:
            match kind:
                case z3.Z3_OP_GE:
                    return _at_least(left, right)
                case z3.Z3_OP_LE:
                    return _at_least(right, left)
                case z3.Z3_OP_GT:
                    return negate(_at_least(right, left))
                case z3.Z3_OP_LT:
                    return negate(_at_least(left, right))
                case z3.Z3_OP_EQ:
                    return _equal(left, right)
                case z3.Z3_OP_DISTINCT:
                    return negate(_equal(left, right))
        truth = z3.Bool(f"open {len(self.opened)}")
        self.opened.append((node, truth))
        return truth

    def _of_truths(self, node: int, kind: int, inner: Sequence[int]) -> Truth:
        parts = [self._truths[one] for one in inner]
        match kind:
            case z3.Z3_OP_AND:
                return conj(*parts)
            case z3.Z3_OP_OR:
                return any_of(parts)
            case z3.Z3_OP_NOT:
                return negate(parts[0])
            case z3.Z3_OP_IMPLIES:
                return implies(*parts)
        plain = [z3.BoolVal(part) if isinstance(part, bool) else part for part in parts]
        return terms.with_parts(node, plain)

    # ------------------------------------------------------------------ numbers

    def _number(self, node: int, inner: Sequence[int]) -> Cases | None:
        kind = terms.operator_of(node)
        if kind == z3.Z3_OP_ANUM:
            return [(terms.numeral_of(node), True)]
        if not inner:
            return self._symbol(terms.name_of(node))
        if kind == z3.Z3_OP_ITE:
            return self._either(self._truths[inner[0]], self._numbers[inner[1]], self._numbers[inner[2]])
        numbers = [self._numbers[one] for one in inner]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            return None
        if kind == z3.Z3_OP_UMINUS:
            return [(-value, yes) for value, yes in reversed(known[0])]
        if kind not in _SUMS:
            return None
        total: Cases | None = known[0]
        for number in known[1:]:
            total = None if total is None else _together(_SUMS[kind], total, number)
        return total

    def _symbol(self, name: str) -> Cases | None:
        low, high = self._bounds.get(name, (0, MOST_VALUES))
        if high - low >= MOST_VALUES:
            return None
        if low == high:
            made: Cases = [(low, True)]
        elif high == low + 1:
            yes = z3.Bool(f"{name} is {high}")
            made = [(low, negate(yes)), (high, yes)]
        else:
            made = [(value, z3.Bool(f"{name} is {value}")) for value in range(low, high + 1)]
            yes_of_all = [yes for _, yes in made]
            self._facts += [any_of(yes_of_all), z3.PbLe([(yes, 1) for yes in yes_of_all], 1)]
        self.symbols[name] = made
        return made

    def _either(self, test: Truth, yes: Cases | None, no: Cases | None) -> Cases | None:
        if isinstance(test, bool):
            return yes if test else no
        if yes is None or no is None:
            return None
        out: dict[int, list[Truth]] = {}
        for guard, cases in ((test, yes), (negate(test), no)):
            for value, here in cases:
                out.setdefault(value, []).append(conj(guard, here))
        return _cases(out)

    def _clipped(self, node: int, cases: Cases | None) -> Cases | None:
        """Return the values of a number between its bounds; that it has one of these becomes a fact, unless it is only
        supposed.
        """
        within = self._within.get(node)
        low, high = within or self._supposed.get(node) or (None, None)
        if low is None or high is None or cases is None:
            return cases
        inside = [(value, yes) for value, yes in cases if low <= value <= high]
        if len(inside) == len(cases) or not inside:
            return cases
        if within is not None:
            self._facts.append(negate(any_of(yes for value, yes in cases if not low <= value <= high)))
        return inside


def _equal(left: Cases, right: Cases) -> Truth:
    other = dict(right)
    return any_of(conj(yes, other[value]) for value, yes in left if value in other)


def _at_least(left: Cases, right: Cases) -> Truth:
    out: list[Truth] = []
    upto: Truth = False  # whether the right number is at most the value of the left one
    passed = 0
    for value, yes in left:
        begin = passed
        while passed < len(right) and right[passed][0] <= value:
            passed += 1
        if passed == len(right):
            upto = True
        elif passed > begin:
            upto = any_of([upto, *(one for _, one in right[begin:passed])])
        out.append(conj(yes, upto))
    return any_of(out)


def _together(operation: Callable[[int, int], int], left: Cases, right: Cases) -> Cases | None:
    if len(left) * len(right) > MOST_PAIRS:
        return None
    out: dict[int, list[Truth]] = {}
    for value, yes in left:
        for other, here in right:
            out.setdefault(operation(value, other), []).append(conj(yes, here))
    return _cases(out)


def _cases(out: Mapping[int, Sequence[Truth]]) -> Cases | None:
    made = [(value, any_of(out[value])) for value in sorted(out)]
    made = [(value, yes) for value, yes in made if yes is not False]
    return made if len(made) <= MOST_VALUES else None
