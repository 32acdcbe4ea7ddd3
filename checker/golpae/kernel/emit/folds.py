"""Quantifiers and folds: what goes through the members of a bag.

Input: an expression that binds names to members. Output: its value.
Guarantee: each choice of different members is gone through once, with the number of its copies; tests that a table
answers leave out members beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from golpae.ir import expr as ir
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import (
    BOOL,
    INT,
    Bag,
    Opt,
    Tile,
)
from golpae.kernel.emit.parts import Names, item_of
from golpae.kernel.emit.values import Arranged, Bits, Plane, Scalar, Scored, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    both,
    either,
    gt,
    is_zero,
    lowest_bit,
    lt,
    mul,
    ne,
    select,
    sub,
)
from golpae.kernel.layout import MOST_COPIES, is_planar, is_scalar, none_of
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

_TOGETHER = 4  # members that are looked at before the next branch


class Folds:
    """Writes quantifiers and folds into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer, self.parts = expressions.layout, expressions.writer, expressions.parts
        self.bags = expressions.bags
        self._tests: tuple[ir.Expr, ...] = ()

    def _each_choice(
        self,
        names_bound: tuple[str, ...],
        domain: ir.Expr,
        names: Names,
        narrow: Callable[[Bits], Plane] | None,
        run: Callable[[Names, Expr], None],
    ) -> None:
        """Write what happens for each choice of different members, with the number of such choices.

        `narrow` gives the members that are worth trying for a single name.
        """
        value = self._of.value(domain, names)
        if isinstance(value, Stream):
            if len(names_bound) == 1:
                value.each(lambda item, copies: run({**names, names_bound[0]: item}, copies))
            else:
                self._of.choosing.at_places(names_bound, self._of.keeping.listed(value), names, (), run)
            return
        self._different(names_bound, self._of.collecting.as_bits(value), names, ONE, narrow, run)

    def _different(
        self,
        left: tuple[str, ...],
        bag: Bits,
        names: Names,
        ways: Expr,
        narrow: Callable[[Bits], Plane] | None,
        run: Callable[[Names, Expr], None],
    ) -> None:
        name, *others = left
        plane = bag.planes[0] if narrow is None or others else narrow(bag)

        def one(member: Expr) -> None:
            copies = self.bags.copies(member, bag)
            now = ways if copies == ONE else self.writer.let(mul(ways, copies))
            bound = {**names, name: Scalar(member, bag.item)}
            if not others:
                run(bound, now)
                return
            rest = self.bags.minus(bag, self.bags.single(bag.item, member, len(bag.planes[0])))
            self._different(tuple(others), rest, bound, now, narrow_for(bound), run)

        def narrow_for(bound: Names) -> Callable[[Bits], Plane] | None:
            return (
                None if narrow is None else lambda last: self._narrowed(self._tests, others[-1], last, bound)
            )

        if len(others) == 1 and narrow is not None:
            with self._if_any_pair(name, others[0], bag, names):
                self.bags.each(plane, one)
        else:
            self.bags.each(plane, one)

    @contextmanager
    def _if_any_pair(self, name: str, other: str, bag: Bits, names: Names) -> Iterator[None]:
        """Write what happens only if two members may pass those tests which a table answers: mostly none do, and that
        is found out without a branch for each member.
        """
        if not isinstance(bag.item, Tile) or len(bag.planes[0]) > 1 or self.parts.counts_members:
            yield
            return
        writer, mark = self.writer, self.writer.mark()
        able, rest, has_tests = writer.var(0), writer.var(bag.planes[0][0]), False
        with writer.block() as none:
            writer.leave(none, is_zero(rest))
            with writer.loop() as again:
                for _ in range(_TOGETHER):  # of no member left, a table has nothing
                    bound = {**names, name: Scalar(writer.let(lowest_bit(rest)), bag.item)}
                    bit = writer.let(both(rest, sub(ZERO, rest)))
                    writer.set(rest, both(rest, sub(rest, ONE)))
                    left = self.bags.minus(bag, Bits(bag.item, ((bit,),))).planes[0]
                    plane = self._of.narrowing.by_tables(self._tests, other, left, bound)
                    has_tests = plane != left
                    writer.set(able, either(able, plane[0]))
                writer.leave(again, rest)
        if has_tests:
            with writer.when(able):
                yield
        else:
            writer.restore(mark)
            yield

    def _narrowed(self, tests: Iterable[ir.Expr], name: str, bag: Bits, names: Names) -> Plane:
        """Return the members that pass those tests which a table answers at once."""
        plane = bag.planes[0]
        return self._of.narrowing.narrowed(tests, name, plane, names) if isinstance(bag.item, Tile) else plane

    def quant(self, expr: ir.Quant, names: Names) -> Value:
        writer = self.writer
        truth = writer.var(int(expr.kind == "every"))
        all_asked = self.parts.limited.can_fail(expr.body)  # the order of the members must decide nothing
        tests = tuple(conjuncts(expr.body)) if expr.kind != "every" and not all_asked else ()
        with writer.block() as done:

            def one(bound: Names, ways: Expr) -> None:
                test = self._of.scalar(expr.body, bound)
                with writer.when(is_zero(test) if expr.kind == "every" else test):
                    writer.set(truth, int(expr.kind != "every"))
                    if not all_asked:
                        writer.leave(done)

            if expr.size is None:
                self._going(expr.names, expr.domain, tests, names, one)
            else:
                self._together(expr.names[0], expr.domain, expr.size, names, one)
        return Scalar(writer.let(is_zero(truth)) if expr.kind == "no" else truth, BOOL, 1)

    def _going(
        self,
        bound: tuple[str, ...],
        domain: ir.Expr,
        tests: tuple[ir.Expr, ...],
        names: Names,
        run: Callable[[Names, Expr], None],
    ) -> None:
        """Write what happens for each choice that may pass all tests."""
        before, self._tests = self._tests, tests
        narrow = (lambda bag: self._narrowed(tests, bound[0], bag, names)) if tests else None
        try:
            self._each_choice(bound, domain, names, narrow, run)
        finally:
            self._tests = before

    def _passing(self, expr: ir.Fold, names: Names, run: Callable[[Names, Expr], None]) -> None:
        """Write what happens for each choice that passes the test of a fold."""
        test = expr.test

        def one(bound: Names, ways: Expr) -> None:
            if test is None:
                run(bound, ways)
                return
            with self.writer.when(self._of.scalar(test, bound)):
                run(bound, ways)

        if expr.size is not None:
            self._together(expr.names[0], expr.domain, expr.size, names, one, different=expr.kind == "each")
            return
        self._going(expr.names, expr.domain, tuple(conjuncts(test)) if test is not None else (), names, one)

    def _together(
        self,
        name: str,
        domain: ir.Expr,
        size: ir.Expr,
        names: Names,
        run: Callable[[Names, Expr], None],
        different: bool = False,
    ) -> None:
        """Write what happens for each choice of several members together; if `different`, once for equal ones."""
        bag, many = self._of.value(domain, names), self._of.scalar(size, names)
        self._of.choosing.each(bag, many, lambda chosen: run({**names, name: chosen}, ONE), different)

    def fold(self, expr: ir.Fold, names: Names) -> Value:
        writer, name = self.writer, expr.names[0]
        match expr.kind:
            case "count":
                total = writer.var(0)
                self._passing(expr, names, lambda bound, ways: writer.set(total, add(total, ways)))
                return Scalar(total, INT, 1 << 40)
            case "sum":
                return self._sum(expr, names)
            case "most" | "least":
                return self._extreme(expr, names)
            case "the":
                return self._the(expr, names)
            case "those":
                own = ir.Local(name, item_of(expr.domain.type))
                return self._items(expr, own, names)
            case "each":
                assert expr.item is not None
                return self._items(expr, expr.item, names)
            case "gather":
                return self._gathered(expr, names)
            case _:
                assert_never(expr.kind)

    def _sum(self, expr: ir.Fold, names: Names) -> Scalar:
        writer, item = self.writer, expr.item
        assert item is not None
        total = writer.var(0)

        def one(bound: Names, ways: Expr) -> None:
            value = self._of.number(item, bound)
            if ways != ONE:
                value = self._of.operators.arithmetic("mul", [value, Scalar(ways, INT, 1 << 20)])
            made = self._of.operators.arithmetic("add", [Scalar(total, INT), value])
            writer.set(total, made.value)

        self._passing(expr, names, one)
        return Scalar(total, INT)

    def _extreme(self, expr: ir.Fold, names: Names) -> Scalar:
        writer, item = self.writer, expr.item
        assert item is not None
        extreme, any_yet = writer.var(0), writer.var(0)

        def one(bound: Names, ways: Expr) -> None:
            value = writer.let(self._of.scalar(item, bound))
            better = gt(value, extreme) if expr.kind == "most" else lt(value, extreme)
            with writer.when(either(is_zero(any_yet), better)):
                writer.set(extreme, value)
            writer.set(any_yet, 1)

        self._passing(expr, names, one)
        return Scalar(extreme, INT)

    def _the(self, expr: ir.Fold, names: Names) -> Value:
        writer, name = self.writer, expr.names[0]
        item = item_of(expr.domain.type)
        any_yet, several = writer.var(0), writer.var(0)
        if is_scalar(item):
            the_one = writer.var(none_of(item))

            def one(bound: Names, ways: Expr) -> None:
                value = bound[name]
                assert isinstance(value, Scalar)
                with writer.when(both(any_yet, ne(value.value, the_one))):
                    writer.set(several, 1)
                writer.set(the_one, value.value)
                writer.set(any_yet, 1)

            self._passing(expr, names, one)
            only = both(any_yet, is_zero(several))
            return Scalar(writer.let(select(only, the_one, Lit(none_of(item)))), Opt(item))
        address = Lit(self.layout.allocate(self.layout.slots(item, True)))

        def compare(bound: Names, ways: Expr) -> None:
            with writer.when(any_yet):
                known = self._of.memory.loaded(item, address, True)
                same = self._of.bag_operators.same(item, bound[name], known)
                writer.set(several, either(several, is_zero(same)))
            with writer.when(is_zero(any_yet)):
                self._of.keeping.keep(item, bound[name], address)
            writer.set(any_yet, 1)

        self._passing(expr, names, compare)
        only = writer.let(both(any_yet, is_zero(several)))
        found_one = self._of.memory.loaded(item, address, True)
        if isinstance(found_one, Scalar | Arranged | Scored):
            raise NotCompiled("`the` of members that are scores")
        return replace(found_one, present=writer.let(both(only, found_one.present)))

    def _items(self, expr: ir.Fold, item: ir.Expr, names: Names) -> Value:
        """Return an item for each choice that passes."""

        def each(run: Callable[[Value, Expr], None]) -> None:
            self._passing(expr, names, lambda bound, ways: run(self._of.value(item, bound), ways))

        stream = Stream(item.type, each)
        return self._of.collecting.collected(stream) if is_planar(item.type) else stream

    def _gathered(self, expr: ir.Fold, names: Names) -> Value:
        """Return all members of the bags of each choice."""
        item = expr.item
        assert item is not None
        assert isinstance(expr.type, Bag)
        member = expr.type.item
        if not is_planar(member):
            kind = expr.type

            def each(run: Callable[[Value, Expr], None]) -> None:
                def one(bound: Names, ways: Expr) -> None:
                    inner = self._of.collecting.coerced(self._of.value(item, bound), kind)
                    if not isinstance(inner, Stream):
                        raise NotCompiled("a sum of bags that are no lists")
                    inner.each(lambda value, copies: run(value, self.writer.let(mul(ways, copies))))

                self._passing(expr, names, one)

            return Stream(member, each)
        words, planes = self.layout.words(member), self._of.collecting.room(member)
        if not free(item) & {*expr.names}:  # the same bag again and again
            planes = MOST_COPIES
        gathered_planes = tuple(tuple(self.writer.var(0) for _ in range(words)) for _ in range(planes))

        def put(bound: Names, ways: Expr) -> None:
            bag = self._of.bits(item, bound)
            if ways == ONE:
                self._of.collecting.join_into(gathered_planes, bag)
            else:
                self._of.memory.counted(ways, lambda _: self._of.collecting.join_into(gathered_planes, bag))

        self._passing(expr, names, put)
        return Bits(member, gathered_planes)
