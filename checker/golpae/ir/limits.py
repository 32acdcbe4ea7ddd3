"""The limits of numbers, which are the same for every reader of the IR.

Input: numbers. Output: the same numbers, or `TooLarge`.
Guarantee: what a state keeps, what is paid and what a power comes to has at most `DIGITS` digits; no more than `WIDEST`
numbers are between two that a text names as `{a to b}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import Definition, RuleSet
from golpae.ir.scoring import exprs_of_score
from golpae.ir.traverse import exprs_in, flat, nodes
from golpae.ir.types import Bool, Choice, Meld, Seat, Tile

DIGITS = 1_000
LIMIT = 10**DIGITS  # the least number that is too large
WIDEST = 100_000
FAR_BELOW = 10 ** (DIGITS - 100)  # numbers below this cannot pass the limit by additions
TOO_LONG = f"a number here has more than {DIGITS:,} digits"
TOO_FULL = f"a bag that a state is set to has more than {WIDEST:,} members"
TOO_MANY = f"there are more than {WIDEST:,} numbers between two that are named here"
MESSAGES = (TOO_LONG, TOO_FULL, TOO_MANY)
Kept = TypeVar("Kept")


class TooLarge(ValueError):
    """A number passes a limit; the message says which."""


def power(base: int, exponent: int) -> int:
    """Return `base` multiplied `exponent` times, 1 if that is 0 or less. Raises `TooLarge`."""
    if exponent <= 0:
        return 1
    if abs(base) <= 1:
        return base if exponent % 2 else abs(base)
    if exponent * (abs(base).bit_length() - 1) > LIMIT.bit_length():
        raise TooLarge(TOO_LONG)
    return kept(int(base**exponent))


def kept(value: int) -> int:
    """Return a number that is within the limit. Raises `TooLarge`."""
    if not -LIMIT < value < LIMIT:
        raise TooLarge(TOO_LONG)
    return value


def all_kept(values: Kept) -> Kept:
    """Return a number, or a bag and the numbers in it, that are within the limits. Raises `TooLarge`."""
    if isinstance(values, int):
        kept(values)
    elif isinstance(values, list | tuple | range):
        if len(values) > WIDEST:
            raise TooLarge(TOO_FULL)
        for value in values:
            all_kept(value)
    return values


def is_far_below(values: object) -> bool:
    """Return whether all numbers in a value are so far below the limit that additions cannot pass it."""
    if isinstance(values, int):
        return bool(-FAR_BELOW < values < FAR_BELOW)
    return not isinstance(values, list | tuple) or all(is_far_below(value) for value in values)


def between(low: int, high: int) -> range:
    """Return the numbers between two. Raises `TooLarge` if there are too many."""
    if high - low >= WIDEST:
        raise TooLarge(TOO_MANY)
    return range(low, high + 1)


class Limited:
    """Which expressions and effects of a rule set can pass a limit."""

    def __init__(self, rules: RuleSet) -> None:
        self._definitions: Mapping[str, Definition] = {d.name: d for d in rules.definitions}
        self._scores = {s.name: s for s in rules.scores}
        self._shapes = {s.name: s for s in rules.shapes}
        self._arrangements = {a.name: a for a in rules.arrangements}
        self._known: dict[str, bool] = {}
        self._known_shapes: dict[str, bool] = {}
        self._known_definitions: dict[str, bool] = {}

    def can_fail(self, expr: ir.Expr) -> bool:
        """Return whether an expression may have no value, because a power or the numbers between two pass a limit."""
        for node in nodes(expr):
            if isinstance(node, ir.Op) and node.op in ("pow", "range"):
                return True
            if isinstance(node, ir.CallScore) and self._score_can_fail(node.name):
                return True
            if isinstance(node, ir.IsShape) and self._shape_can_fail(node.shape):
                return True
            if isinstance(node, ir.LayOut) and self._shape_can_fail(node.arrangement):
                return True
            if isinstance(node, ir.CallDef) and self._definition_can_fail(node.name):
                return True
        return False

    def _definition_can_fail(self, name: str) -> bool:
        if name not in self._known_definitions:
            cases = self._definitions[name].cases
            self._known_definitions[name] = any(self.can_fail(case.expr) for case in cases)
        return self._known_definitions[name]

    def _score_can_fail(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = False
            score = self._scores[name]
            in_shapes = any(map(self._shape_can_fail, score.arrangements))
            self._known[name] = in_shapes or any(map(self.can_fail, exprs_of_score(score)))
        return self._known[name]

    def _shape_can_fail(self, name: str) -> bool:
        """Return whether the test of a shape, or of one that it is made of, may have no value."""
        if name not in self._known_shapes:
            if name in self._shapes:
                shape = self._shapes[name]
                own, inner = shape.test is not None and self.can_fail(shape.test), shape.union
            elif name in self._arrangements:
                arrangement = self._arrangements[name]
                own, inner = False, (*(part.shape for part in arrangement.parts), *arrangement.union)
            else:  # a label, which is asked of no tiles
                own, inner = False, ()
            self._known_shapes[name] = own or any(map(self._shape_can_fail, inner))
        return self._known_shapes[name]

    def effects_can_fail(self, effects: Iterable[ir.Effect]) -> bool:
        """Return whether effects may pass a limit even if all numbers of a state are below `FAR_BELOW`."""
        listed = list(flat(effects))
        if any(self.can_fail(e) for e in exprs_in(listed)):
            return True
        return any(
            self._has(e.value, ("mul",)) or self._joins(e.value) for e in listed if isinstance(e, ir.SetState)
        )

    def effects_add(self, effects: Iterable[ir.Effect]) -> bool:
        """Return whether a state may get a number that is larger than those that it is made of."""
        return any(self._has(e.value, ("add", "sub")) for e in flat(effects) if isinstance(e, ir.SetState))

    def is_made(self, value: ir.Expr) -> bool:
        """Return whether a value may be larger than all numbers or bags that are in it."""
        return self._has(value, ("add", "sub", "mul")) or self._joins(value)

    def _joins(self, value: ir.Expr) -> bool:
        """Return whether a value is made of bags that are joined."""
        return any(
            (isinstance(node, ir.Op) and node.op == "bag_add")
            or (isinstance(node, ir.Fold) and node.kind in ("gather", "each", "those"))
            for node in nodes_through(value, self._definitions)
        )

    def _has(self, value: ir.Expr, ops: tuple[ir.OpName, ...]) -> bool:
        """Return whether a number is computed by one of these, by a sum or by a score."""
        if isinstance(value.type, Bool | Seat | Tile | Choice | Meld):
            return False
        for node in nodes_through(value, self._definitions):
            if isinstance(node, ir.CallScore) or (isinstance(node, ir.Fold) and node.kind == "sum"):
                return True
            if isinstance(node, ir.Op) and node.op in ops:
                return True
        return False
