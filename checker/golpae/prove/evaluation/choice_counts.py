"""Numbers of choices of several members of a bag together, by enumeration.

Input: a `count` with a size over a concrete bag. Output: a number. Guarantee: it is exact, every copy being a member of
its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from golpae.ir import expr as ir
from golpae.prove.evaluation.context import Context, Evaluate, Names
from golpae.prove.evaluation.definition_calls import DefinitionCalls
from golpae.prove.evaluation.shapes import ShapeEncoder
from golpae.prove.symbolic.multiset_count import MOST_COUNTED, Count, space, tally, ways_to_take
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Bag, as_number, as_truth, bag_of


def different_choices(copies: Mapping[Any, int], size: int) -> Iterator[tuple[Any, ...]]:
    """Yield every choice of `size` members of a bag, each different one once."""
    waiting: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = [((), tuple(copies))] if size >= 0 else []
    while waiting:
        chosen, kinds = waiting.pop()
        if len(chosen) == size:
            yield chosen
        elif kinds:
            kind, *others = kinds
            most = min(copies[kind], size - len(chosen))
            waiting += [((*chosen, *[kind] * number), tuple(others)) for number in range(most + 1)]


class ChoiceCounter:
    """Numbers of choices at one table. `counted` has those that depend on nothing."""

    def __init__(
        self, context: Context, shapes: ShapeEncoder, calls: DefinitionCalls, evaluate: Evaluate
    ) -> None:
        self._context = context
        self._shapes = shapes
        self._calls = calls
        self._evaluate = evaluate
        self.counted: dict[ir.Fold, int] = {}

    def count(self, expr: ir.Fold, bag: Bag, state: SymbolicState | None, names: Names) -> int:
        """Return how many choices of so many members together pass a test. Raises `Unsupported`."""
        size = as_number(self._evaluate(expr.size, state, names)) if expr.size is not None else 0
        if not bag.concrete or not isinstance(size, int):
            raise Unsupported("counting choices from unknown tiles")
        if expr in self.counted:
            return self.counted[expr]
        copies = {k: n for k, n in bag.items() if isinstance(n, int)}
        many = space(copies, size).different
        if many > MOST_COUNTED:
            raise Unsupported(f"counting {many:,} choices of {size} tiles, only up to {MOST_COUNTED:,}")
        [word] = expr.names
        with self._calls.scratch() as stored:

            def passes(choice: tuple[Any, ...]) -> bool:
                stored.clear()
                if expr.test is None:
                    return True
                test = as_truth(self._evaluate(expr.test, state, {**names, word: bag_of(choice)}))
                if not isinstance(test, bool):
                    raise Unsupported("counting choices by an unknown condition")
                return test

            hands = None if expr.test is None else self._hands_that_can_fit(expr.test, word)
            if hands is None:
                number = tally(copies, size, passes).get(True, Count()).ways
            else:
                fitting = (h for h in hands if sum(h.counts.values()) == size)
                number = sum(ways_to_take(copies, h.counts) for h in fitting if passes(h.tiles()))
        if not names and state is None:
            self.counted[expr] = number
        return number

    def _hands_that_can_fit(self, test: ir.Expr, word: str) -> list[Bag] | None:
        """Return hands among which are all that pass a test, each once; None if the test does not show them."""
        arrangements = self._arrangements_in(test, word)
        if arrangements is None:
            return None
        try:
            return [*{hand.tiles(): hand for a in arrangements for hand in self._shapes.hands(a)}.values()]
        except Unsupported:
            return None

    def _arrangements_in(self, test: ir.Expr, word: str) -> list[str] | None:
        """Return shapes and arrangements one of which the tiles of a word have to be, or None."""
        if isinstance(test, ir.IsShape):
            return [test.shape] if _is_word(test.arg, word) else None
        if isinstance(test, ir.Op) and test.op == "not":
            return self._arrangements_scored(test.args[0], word)
        if isinstance(test, ir.CallDef) and len(test.args) == 1 and _is_word(test.args[0], word):
            definition = self._context.definitions[test.name]
            if definition.single:
                return self._arrangements_in(definition.cases[0].expr, definition.params[0].name)
        return None

    def _arrangements_scored(self, denied: ir.Expr, word: str) -> list[str] | None:
        """Return the arrangements of a score if `denied` says that the tiles of a word do not score."""
        if not isinstance(denied, ir.Op) or denied.op != "is_none":
            return None
        call = denied.args[0]
        if not isinstance(call, ir.CallScore) or len(call.args) != 1 or not _is_word(call.args[0], word):
            return None
        score = self._context.scores[call.name]
        if score.fixed is not None or score.hand != ir.Local(score.params[0].name, call.args[0].type):
            return None
        return [*score.arrangements]


def _is_word(expr: ir.Expr, word: str) -> bool:
    return isinstance(expr, ir.Local) and expr.name == word
