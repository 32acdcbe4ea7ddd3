"""The groups of a shape of several sizes, listed by adding tiles one after the other.

Input: a shape of several sizes, and what holds of all tiles within its groups. Output: code that lists its groups.
Guarantee: each bag of which at most so many copies can be asked about is tried once, as long as what holds within a
group holds within it. A list that takes too many tries cannot be filled.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.types import TILE
from golpae.kernel.emit.bags import Bags, any_of
from golpae.kernel.emit.scoring.wild import constant
from golpae.kernel.emit.values import Bits, Scalar, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, both, call, ge, gt, is_zero, load, lt

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions
    from golpae.kernel.emit.scoring.groups import Groups

MOST_TRIES = 1_000_000  # tiles that are added to a bag


def in_set(groups: Groups, writer: Writer, bag: Bits) -> Expr:
    """Return whether the set has all tiles of a bag, withdrawn ones included."""
    return Bags(writer).within(bag, constant(groups, groups.layout.instance.by_face(withdrawn=True)))


def list_growing(
    groups: Groups, writer: Writer, expressions: Expressions, shape: ShapeDecl, growth: ir.Expr, heads: int
) -> None:
    """Write that the groups of a shape are put into a list. Raises `NotCompiled`."""
    test = _test_of(shape)

    def lies(of: Expressions, bag: Bits) -> Expr:
        return of.scalar(growth, {"it": bag})

    def is_group(of: Expressions, bag: Bits) -> Expr:
        return of.scalar(test, {"it": bag})

    search = _Search(f"grow:{shape.name}", True, None, lies, is_group)
    _write(groups, writer, expressions, shape, search, heads)


def list_rows(groups: Groups, writer: Writer, expressions: Expressions, shape: ShapeDecl, heads: int) -> None:
    """Write that the groups of a shape of tiles in a row are put into a list. Raises `NotCompiled`."""
    test = _test_of(shape)

    def follows(of: Expressions, size: Expr, last: Expr, now: Expr) -> Expr:
        out = of.writer.var(ONE)
        with of.writer.when(size):
            names: dict[str, Value] = {
                n: Scalar(v, TILE) for n, v in zip(shape.names, (last, now), strict=True)
            }
            of.writer.set(out, of.scalar(test, names))
        return out

    search = _Search(f"row:{shape.name}", False, follows, None, lambda of, bag: ONE)
    _write(groups, writer, expressions, shape, search, heads)


def _test_of(shape: ShapeDecl) -> ir.Expr:
    assert shape.test is not None
    return shape.test


class _Search(NamedTuple):
    """How tiles are added to a bag: `upward` from the last one on, or any that `follows` the last one; which bags may
    grow (`lies`), and which are groups.
    """

    name: str
    upward: bool
    follows: Callable[[Expressions, Expr, Expr, Expr], Expr] | None
    lies: Callable[[Expressions, Bits], Expr] | None
    is_group: Callable[[Expressions, Bits], Expr]


def _write(
    groups: Groups,
    writer: Writer,
    expressions: Expressions,
    shape: ShapeDecl,
    search: _Search,
    heads: int,
) -> None:
    """Write the function that adds each tile to a bag and goes on with what may grow, and call it with no tile."""
    name, tries = search.name, groups.layout.allocate(1)
    inner = groups.parts.writer(name, 2 + groups.many, 1)
    of, counted = expressions.into(inner), constant(groups, groups.wild.as_counted(shape))
    size, last = inner.param(0), inner.param(1)
    bag = groups.bag([inner.param(2 + i) for i in range(groups.many)])
    kind = inner.var(last if search.upward else 0)
    larger = inner.let(add(size, ONE))
    with inner.block() as done, inner.loop() as again:
        inner.leave(done, ge(kind, Lit(groups.kinds())))
        tried = inner.let(add(load(8, ZERO, tries), ONE))
        inner.store(8, ZERO, tried, tries)
        inner.refer_if(gt(tried, Lit(MOST_TRIES)), Limit.STEPS)
        now = inner.let(kind)
        follows = None if search.follows is None else search.follows(of, size, last, now)
        with nullcontext() if follows is None else inner.when(follows):
            more = of.bags.joined(bag, of.bags.single(TILE, now, groups.words), groups.planes + 1)
            beyond = any_of([word for plane in more.planes[groups.planes :] for word in plane])
            with inner.when(is_zero(beyond)):
                fitted = of.bags.fitted(Bits(TILE, more.planes[: groups.planes]), groups.planes)
                words = [inner.let(word) for word in groups.flat(fitted)]
                whole = groups.bag(words)
                lies = Bags(inner).within(whole, counted)
                with inner.when(lies if search.lies is None else both(lies, search.lies(of, whole))):
                    with inner.when(ge(larger, Lit(shape.size))):
                        groups.put(of, shape, whole, heads, lambda: search.is_group(of, whole))
                    with inner.when(lt(larger, Lit(shape.sizes[-1]))):
                        inner.let(call(name, larger, now, *words))
        inner.set(kind, add(kind, ONE))
        inner.leave(again)
    inner.give(ZERO)
    groups.parts.functions[name] = inner.function()
    writer.let(call(name, ZERO, ZERO, *[ZERO] * groups.many))
