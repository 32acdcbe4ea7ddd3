"""Quantifiers and folds over the members of bags.

Input: a `Quant` or `Fold`, a state and the values of names. Output: its value. Guarantee: what depends on one seat,
or on tiles alone, is computed once for all states that agree there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import z3

from golpae.ir import expr as ir
from golpae.ir.traverse import names_in
from golpae.ir.types import INT, SEATS, TILES, Opt
from golpae.ir.types import Bag as BagType
from golpae.prove.evaluation.choice_counts import ChoiceCounter, different_choices
from golpae.prove.evaluation.context import Context, Evaluate, Names
from golpae.prove.evaluation.folds import Member, choices, fold, numbered, often
from golpae.prove.evaluation.memo_keys import Memo
from golpae.prove.evaluation.number_ranges import Compute, over_numbers
from golpae.prove.evaluation.reads import DefinitionReads, values_read
from golpae.prove.evaluation.shapes import ShapeEncoder
from golpae.prove.symbolic.multiset_count import space
from golpae.prove.symbolic.parts import MOST_OF_CLAUSE, parts_apart
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    Number,
    Truth,
    Value,
    any_of,
    as_bag,
    as_number,
    as_truth,
    at_least,
    bag_of,
    cases,
    conj,
    negate,
    size,
    within,
)

NUMBERS = (BagType(INT), BagType(Opt(INT)))
MOST_CHOICES = 500_000  # of members, of all quantifiers and folds around an expression together


class Quantifiers:
    """Quantifiers and folds of one table."""

    def __init__(
        self,
        context: Context,
        shapes: ShapeEncoder,
        counter: ChoiceCounter,
        reads: DefinitionReads,
        memo: Memo,
        evaluate: Evaluate,
    ) -> None:
        self._context = context
        self._shapes = shapes
        self._counter = counter
        self._reads = reads
        self._memo = memo
        self._evaluate = evaluate
        # both by the number of an expression, which is referenced so that its number stays its own
        self._tiles_only: dict[int, tuple[ir.Quant, bool]] = {}
        self._tile_choices: dict[int, list[tuple[tuple[tuple[Any, int], ...], Truth]]] = {}

    def _truth(self, expr: ir.Expr, state: SymbolicState | None, names: Names) -> Truth:
        return as_truth(self._evaluate(expr, state, names))

    # ------------------------------------------------------------------ quantifiers

    def quantified(self, expr: ir.Quant, state: SymbolicState | None, names: Names) -> Truth:
        """Return whether some, every or no choice of members makes a body true."""
        bounds = self._bounds(expr, state, names)
        if bounds is not None:
            return as_truth(
                self._over_numbers(
                    expr, bounds, state, names, lambda bag: self._quantified(expr, bag, state, names)
                )
            )
        written = self._written(expr, state, names)
        if written is not None:
            return self._over(expr, *written, state, names)
        bag = as_bag(self._evaluate(expr.domain, state, names))
        return self._quantified(expr, bag, state, names)

    def _written(
        self, expr: ir.Quant | ir.Fold, state: SymbolicState | None, names: Names
    ) -> tuple[Bag, Sequence[Value]] | None:
        """Return the numbers that are written out as members if one is unknown; otherwise None."""
        domain = expr.domain
        if expr.size is not None or not isinstance(domain, ir.BagOf) or domain.type not in NUMBERS:
            return None
        values = [self._evaluate(item, state, names) for item in domain.items]
        if not any(isinstance(plain, z3.ExprRef) for value in values for _, plain in cases(value)):
            return None
        return numbered(values, keeps_none=domain.type == BagType(Opt(INT)))

    def _bounds(
        self, expr: ir.Quant | ir.Fold, state: SymbolicState | None, names: Names
    ) -> list[Value] | None:
        """Return the bounds of the numbers that an expression goes through if one is unknown; otherwise None."""
        domain = expr.domain
        if expr.size is not None or not isinstance(domain, ir.Op) or domain.op != "range":
            return None
        bounds = [self._evaluate(bound, state, names) for bound in domain.args]
        return None if all(bound.__class__ is int for bound in bounds) else bounds

    def _over_numbers(
        self,
        expr: ir.Quant | ir.Fold,
        bounds: list[Value],
        state: SymbolicState | None,
        names: Names,
        compute: Compute,
    ) -> Value:
        return over_numbers(self._context, self._reads, expr, bounds, state, names, compute)

    def _quantified(self, expr: ir.Quant, bag: Bag, state: SymbolicState | None, names: Names) -> Truth:
        if expr.size is not None:
            return self._together(expr, bag, as_number(self._evaluate(expr.size, state, names)))
        return self._over(expr, bag, None, state, names)

    def _over(
        self,
        expr: ir.Quant,
        bag: Bag,
        at: Sequence[Value] | None,
        state: SymbolicState | None,
        names: Names,
    ) -> Truth:
        def witnesses() -> Iterator[Truth]:
            if self._is_of_tiles_only(expr):
                yield from self._witnesses_of_tiles(expr, bag)
                return
            for inner, needed in choices(expr.names, bag, names, at):
                body = self._body(expr, state, inner)
                if expr.kind == "every":
                    body = negate(body)
                if body is not False:
                    yield conj(*(at_least(bag.count(k), c) for k, c in needed.items()), body)

        with self._context.wider(len(bag.counts) ** len(expr.names), MOST_CHOICES):
            some = any_of(witnesses())
        return some if expr.kind == "some" else negate(some)

    def _body(self, expr: ir.Quant, state: SymbolicState | None, names: Names) -> Truth:
        """Return the body for one choice; for a seat, compute it once for all states that agree about the seat."""
        name = expr.names[0]
        seat = names[name]
        if state is None or len(expr.names) > 1 or seat.__class__ is not int or expr.domain.type != SEATS:
            return self._truth(expr.body, state, names)
        reads = self._reads.of_body(expr.body, name)
        if reads is None or self._context.traced is not None:
            return self._truth(expr.body, state, names)
        read = values_read(reads, (seat,), state)
        key = (id(expr.body), seat, self._context.arrangement)
        return self._memo.get(key, (), read, lambda: self._truth(expr.body, state, names))

    def _is_of_tiles_only(self, expr: ir.Quant) -> bool:
        """Return whether a body about several tiles depends on nothing but these tiles."""
        if len(expr.names) == 1 or self._context.traced is not None or expr.domain.type != TILES:
            return False
        if id(expr) not in self._tiles_only:
            reads_nothing = not self._context.dependencies.reads([expr.body])
            self._tiles_only[id(expr)] = (expr, names_in(expr.body) <= {*expr.names} and reads_nothing)
        return self._tiles_only[id(expr)][1]

    def _witnesses_of_tiles(self, expr: ir.Quant, bag: Bag) -> Iterator[Truth]:
        """Return for each choice of tiles that matters whether the bag has it."""
        if id(expr) not in self._tile_choices:
            every = Bag(dict.fromkeys(self._context.named, len(expr.names)))
            rows = []
            with parts_apart(MOST_OF_CLAUSE):  # they are kept for whatever asks next
                for inner, needed in choices(expr.names, every, {}):
                    body = self._truth(expr.body, None, inner)
                    if expr.kind == "every":
                        body = negate(body)
                    if body is not False:
                        rows.append((tuple(needed.items()), body))
            self._tile_choices[id(expr)] = rows
        there: dict[tuple[Any, int], Truth] = {}
        for choice, body in self._tile_choices[id(expr)]:
            for copies in choice:
                if copies not in there:
                    there[copies] = at_least(bag.count(copies[0]), copies[1])
            yield conj(*(there[copies] for copies in choice), body)

    def _together(self, expr: ir.Quant, bag: Bag, number: Number) -> Truth:
        """Return whether so many members of a bag together are of a shape or make an arrangement."""
        body = expr.body
        if (
            not isinstance(body, ir.IsShape)
            or not isinstance(body.arg, ir.Local)
            or body.arg.name != expr.names[0]
            or expr.kind == "every"
            or not isinstance(number, int)
        ):
            raise Unsupported("a choice of several tiles together within another condition")
        some = any_of(within(h, bag) for h in self._shapes.hands(body.shape) if size(h) == number)
        return some if expr.kind == "some" else negate(some)

    # ------------------------------------------------------------------ folds

    def _each_together(self, expr: ir.Fold, bag: Bag, state: SymbolicState | None, names: Names) -> Value:
        """Return an item for each different choice of so many members together. Raises `Unsupported`."""
        assert expr.size is not None
        assert expr.item is not None
        number = as_number(self._evaluate(expr.size, state, names))
        if not bag.concrete or not isinstance(number, int):
            raise Unsupported("all choices from unknown tiles")
        copies = {k: n for k, n in bag.items() if isinstance(n, int)}
        many = space(copies, number).different
        if many > MOST_CHOICES:
            raise Unsupported(f"{many:,} choices of {number} tiles, only up to {MOST_CHOICES:,}")
        members = []
        for choice in different_choices(copies, number):
            inner = {**names, expr.names[0]: bag_of(choice)}
            test: Truth = True if expr.test is None else self._truth(expr.test, state, inner)
            if test is not False:
                members.append(Member(inner[expr.names[0]], 1, test, inner))
        item = expr.item
        keeps_none = isinstance(item.type, Opt)
        return fold("each", members, lambda inner: self._evaluate(item, state, inner), keeps_none)

    def folded(self, expr: ir.Fold, state: SymbolicState | None, names: Names) -> Value:
        """Return the value of a fold."""
        bounds = self._bounds(expr, state, names)
        if bounds is not None:
            return self._over_numbers(
                expr, bounds, state, names, lambda bag: self._folded(expr, bag, state, names)
            )
        written = self._written(expr, state, names)
        if written is not None:
            bag, at = written
            return self._folded(expr, bag, state, names, at)
        return self._folded(expr, as_bag(self._evaluate(expr.domain, state, names)), state, names)

    def _folded(
        self,
        expr: ir.Fold,
        bag: Bag,
        state: SymbolicState | None,
        names: Names,
        at: Sequence[Value] | None = None,
    ) -> Value:
        if expr.size is not None and expr.kind == "each":
            return self._each_together(expr, bag, state, names)
        if expr.size is not None:
            return self._counter.count(expr, bag, state, names)

        def item(inner: Names) -> Value:
            assert expr.item is not None
            return self._evaluate(expr.item, state, inner)

        with self._context.wider(len(bag.counts) ** len(expr.names), MOST_CHOICES):
            members = []
            for inner, needed in choices(expr.names, bag, names, at):
                test: Truth = True if expr.test is None else self._truth(expr.test, state, inner)
                if test is not False:
                    members.append(Member(inner[expr.names[0]], often(bag, needed), test, inner))
            keeps_none = expr.item is not None and isinstance(expr.item.type, Opt)
            return fold(expr.kind, members, item, keeps_none)
