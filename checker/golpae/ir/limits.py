"""The limits of what golpae carries out, which are the same for every reader of the IR.

Input: numbers, bags. Output: the same, or `TooManySteps`.
Guarantee: numbers have no bounds of their own. golpae stops where a number gets more than `MOST_DIGITS` digits, as it
does where a clause takes too many steps: the rules have a fault there, and no event is called illegal because of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Literal, TypeVar, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import Definition, RuleSet
from golpae.ir.scoring import exprs_of_score
from golpae.ir.traverse import nodes
from golpae.ir.types import Bool, Choice, Meld, Seat, Tile

DIGITS = 1_000  # of a number in a trace
LIMIT = 10**DIGITS  # the least number that no trace can have
MOST_DIGITS = 4_000  # of a number that rules come to; Python writes out no more than 4,300
LARGEST = 10**MOST_DIGITS  # the least number that is too large for golpae
WIDEST = 100_000  # numbers between two, and members of a bag that a state holds
TooMany = Literal["clause", "together", "event", "orders", "values", "digits", "members"]
Kept = TypeVar("Kept")
Members = TypeVar("Members", bound=Sized)


class TooManySteps(Exception):
    """Evaluating takes more than `most` steps: a clause (`clause` is its path, if it has one), or all `together`.

    `kind` says what there are more of than `most`: steps of the `clause`, of all clauses `together`, or of an `event`,
    and `clause` is the one at which they did; `orders` of the lists of an event of the action `clause`; `values` that
    have to be tried to list the events of this action; `digits` of a number, or `members` of a bag, in the clause.
    """

    def __init__(self, clause: str | None, most: int, kind: TooMany = "clause") -> None:
        super().__init__(clause, most, kind)
        self.clause, self.most, self.kind = clause, most, kind

    @property
    def advice(self) -> str:
        """What to change in the rules."""
        if self.kind == "values":
            return f"say in a condition of `{self.clause}` what a key can be, such as `tile in p's hand`"
        if self.kind == "digits":
            return "give the numbers that are multiplied bounds, such as `times: 0 to 20`"
        return "go through fewer values inside one another, or say in a condition before it when to ask"

    def __str__(self) -> str:
        kind, _, name = (self.clause or "").rpartition(" ")
        path = name if kind == "property" else self.clause
        what = "an expression" if path is None else f"`{path}`"
        match self.kind:
            case "orders":
                return f"the lists of this `{path}` have more than {self.most:,} orders to try"
            case "values":
                return f"more than {self.most:,} values have to be tried to list the legal events of `{path}`"
            case "event":
                return f"evaluating one event takes more than {self.most:,} steps, up to `{path}`"
            case "digits":
                return f"evaluating {what} makes a number of more than {self.most:,} digits"
            case "members":
                return f"evaluating {what} makes a bag of more than {self.most:,} members"
            case "together":
                return f"evaluating {what} takes more than {self.most:,} steps in all positions of games that are tried"
            case "clause":
                return f"evaluating {what} takes more than {self.most:,} steps"
            case _:
                assert_never(self.kind)


def power(base: int, exponent: int) -> int:
    """Return `base` multiplied `exponent` times, 1 if that is 0 or less. Raises `TooManySteps`."""
    if exponent <= 0:
        return 1
    if abs(base) <= 1:
        return base if exponent % 2 else abs(base)
    if exponent * (abs(base).bit_length() - 1) > LARGEST.bit_length():
        raise TooManySteps(None, MOST_DIGITS, "digits")
    return int(kept(base**exponent))


def kept(values: Kept, clause: str | None = None) -> Kept:
    """Return a number, or a bag and the numbers in it, that golpae can go on with. Raises `TooManySteps`."""
    if isinstance(values, int):
        if not -LARGEST < values < LARGEST:
            raise TooManySteps(clause, MOST_DIGITS, "digits")
    elif isinstance(values, list | tuple | range):
        if len(values) > WIDEST:
            raise TooManySteps(clause, WIDEST, "members")
        for value in values:
            kept(value, clause)
    return values


def held(values: Members, clause: str | None = None) -> Members:
    """Return a bag that has no numbers in it, and that golpae can go on with. Raises `TooManySteps`."""
    if len(values) > WIDEST:
        raise TooManySteps(clause, WIDEST, "members")
    return values


def between(low: int, high: int) -> range:
    """Return the numbers between two. Raises `TooManySteps` if there are too many."""
    if high - low >= WIDEST:
        raise TooManySteps(None, WIDEST, "members")
    return range(low, high + 1)


class Limited:
    """Which expressions of a rule set can come to a number with too many digits."""

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
            if isinstance(node, ir.IsShape | ir.Parted) and self._shape_can_fail(node.shape):
                return True
            if isinstance(node, ir.LayOut | ir.IsBeside) and self._shape_can_fail(node.arrangement):
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
                tests = (test for test in (shape.test, shape.wild) if test is not None)
                own, inner = any(map(self.can_fail, tests)), shape.union
            elif name in self._arrangements:
                arrangement = self._arrangements[name]
                own, inner = False, (*(part.shape for part in arrangement.parts), *arrangement.union)
            else:  # a label, which is asked of no tiles
                own, inner = False, ()
            self._known_shapes[name] = own or any(map(self._shape_can_fail, inner))
        return self._known_shapes[name]

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
