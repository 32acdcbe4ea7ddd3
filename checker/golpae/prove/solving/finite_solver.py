"""A z3 solver for truths and numbers of few values, which turns numbers into bits, asked as `FreshSolver` is.

Input: terms of the main context, and between which bounds the symbols of numbers lie. Output: whether all can be true.
Guarantee: what it calls impossible is impossible, if the symbols keep to their bounds. A comparison of other numbers,
of products, or of rests of a division can be true or not, so a model need not satisfy it: whoever asks has to look.

Sums of tiles, of which each lies in one of many places, take the usual solver long, and this one not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3
from z3 import z3core

from golpae.prove.solving.fresh_solver import WORK, FreshSolver

SUMS = (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_ITE)
FINITE, OTHER, REPLACED = range(
    3
)  # what a term is; one that is replaced has a comparison of other numbers in it


class FiniteSolver(FreshSolver):
    """A solver in a new context. `bounds` may grow; they say of a symbol what the lowest and highest number is."""

    def __init__(self, bounds: Mapping[str, tuple[int, int]]) -> None:
        super().__init__(z3.SolverFor("QF_FD", ctx=z3.Context()))
        self._bounds = bounds
        self._is: dict[int, int] = {}  # by the number of a term, which is held
        self._held: list[Any] = []
        self._instead: list[tuple[Any, Any]] = []
        self._done = 0

    def add(self, terms: Sequence[Any]) -> None:
        """Assert terms, with truths that nothing says in place of comparisons that are not of few values."""
        vector = z3.AstVector()
        for term in terms:
            vector.push(term)
        for term in vector.translate(self.z3.ctx):
            self._held.append(term)
            self._look_at(term.ast)
            is_replaced = self._is[self._number(term.ast)] == REPLACED
            self.z3.add(z3.substitute(term, *self._instead) if is_replaced else term)

    @property
    def work(self) -> int:
        """The units of work until the last answer."""
        statistics = self.z3.statistics()
        if any(name == WORK for name, _ in statistics):  # not before the first answer
            self._done = int(statistics.get_key_value(WORK))
        return self._done

    def _number(self, term: Any) -> int:
        return int(z3core.Z3_get_ast_id(self._ref, term))

    def _look_at(self, root: Any) -> None:
        """Note what a term is, and all terms in it."""
        waiting = [(root, False)]
        while waiting:
            term, is_second = waiting.pop()
            number = self._number(term)
            if number in self._is:
                continue
            if z3core.Z3_get_ast_kind(self._ref, term) == z3.Z3_NUMERAL_AST:
                self._is[number] = FINITE
                continue
            app = z3core.Z3_to_app(self._ref, term)
            many = z3core.Z3_get_app_num_args(self._ref, app)
            inner = [z3core.Z3_get_app_arg(self._ref, app, i) for i in range(many)]
            if inner and not is_second:
                waiting.append((term, True))
                waiting += [(one, False) for one in inner]
                continue
            self._is[number] = self._kind(term, app, inner)

    def _kind(self, term: Any, app: Any, inner: Sequence[Any]) -> int:
        """Return what a term is, of which the inner ones are known."""
        of_inner = [self._is[self._number(one)] for one in inner]
        decl = z3core.Z3_get_app_decl(self._ref, app)
        operator = z3core.Z3_get_decl_kind(self._ref, decl)
        sort = z3core.Z3_get_sort_kind(self._ref, z3core.Z3_get_sort(self._ref, term))
        if sort == z3.Z3_BOOL_SORT:
            if OTHER in of_inner:
                instead = z3.Bool(f"open {len(self._instead)}", self.z3.ctx)
                self._instead.append((z3.BoolRef(term, self.z3.ctx), instead))
                return REPLACED
        elif not inner:
            return self._of_symbol(
                term, z3core.Z3_get_symbol_string(self._ref, z3core.Z3_get_decl_name(self._ref, decl))
            )
        elif OTHER in of_inner or not (operator in SUMS or self._is_multiple(operator, inner)):
            return OTHER
        return REPLACED if REPLACED in of_inner else FINITE

    def _of_symbol(self, term: Any, name: str) -> int:
        if name not in self._bounds:
            return OTHER
        low, high = self._bounds[name]
        symbol = z3.ArithRef(term, self.z3.ctx)
        self.z3.add(symbol >= low, symbol <= high)
        return FINITE

    def _is_multiple(self, operator: int, inner: Sequence[Any]) -> bool:
        kinds = [z3core.Z3_get_ast_kind(self._ref, one) for one in inner]
        return bool(operator == z3.Z3_OP_MUL and len(kinds) - kinds.count(z3.Z3_NUMERAL_AST) <= 1)
