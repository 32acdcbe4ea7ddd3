"""Wild tiles: lists of groups in which some tiles count as others.

Input: the groups of counted tiles that a shape has, and what it asks about its wild tiles. Output: functions that put
the groups with wild tiles in place of some into a list, and that ask whether tiles with wild ones have a shape.
Guarantee: in lists, every wild tile is the first wild kind; `spread_list` has each of them as it is. What a bag of
the module cannot hold is in no list, and is referred where it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import WILD, growth_test, most_wild
from golpae.ir.types import INT, TILE
from golpae.kernel.emit.bags import Bags
from golpae.kernel.emit.scoring.faces import bag_by_face
from golpae.kernel.emit.values import Bits, Plane, Scalar
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, both, call, ge, gt, is_zero, load, lt, sub
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions
    from golpae.kernel.emit.scoring.groups import Groups

ADD = "groups:add"  # the function that puts a group into a list
MOST_TRIES = 1_000_000  # groups that are tried to list those of a shape, and of a shape with each wild kind


class WildTiles:
    """The wild tiles of one module, for the lists of its groups."""

    def __init__(self, groups: Groups) -> None:
        self._groups, instance = groups, groups.layout.instance
        self.kinds, self.counted = instance.wild, frozenset(instance.wild_as)
        self.copies = instance.by_face(withdrawn=True)
        self.spread_lists: dict[str, int] = {}  # where lists with wild tiles as they are begin
        self.gone = frozenset(self.kinds) - self.counted  # kinds that no tile counts as

    @property
    def first(self) -> int:
        return self.kinds[0]

    def asked(self, shape: ShapeDecl) -> bool:
        """Return whether the groups of a shape are more or fewer than those that its test says."""
        return bool(self.kinds) or shape.wild is not None

    def written(self, bag: Bits, of: Expressions) -> Bits:
        """Write a bag with the first wild kind in place of each wild tile."""
        if len(self.kinds) < 2:
            return bag
        return of.bags.fitted(
            bag_by_face(bag, [(k, self.first) for k in self.kinds[1:]], of), self._groups.planes
        )

    def most(self, shape: ShapeDecl) -> int:
        """Return how many wild tiles a group of a shape may have. Raises `NotCompiled` if they are too many."""
        if not self.kinds:
            return 0
        planes = self._groups.planes
        most = most_wild(shape, self.copies[self.first])
        natural = max((self.copies[kind] for kind in self.counted - {*self.kinds}), default=0)
        if natural + most > planes:
            raise NotCompiled("a shape of very many wild tiles")
        return most

    def as_counted(self, shape: ShapeDecl) -> list[int]:
        """Return how many tiles of a group may count as each kind."""
        most, out = self.most(shape), list(self.copies)
        for kind in self.kinds:
            out[kind] = 0
        for kind in self.counted if most else ():
            out[kind] += most
        return out

    def mask(self, kinds: Iterable[int]) -> Plane:
        """Return the plane of some kinds."""
        chosen = frozenset(kinds)
        return tuple(
            Lit(sum(1 << kind % 64 for kind in chosen if kind // 64 == w)) for w in range(self._groups.words)
        )

    def _number(self, writer: Writer, bag: Bits) -> Expr:
        """Return how many wild tiles a bag has, all of the first kind."""
        if not self.kinds:
            return ZERO
        return Bags(writer).size(Bags(writer).masked(bag, self.mask([self.first])))

    def _allows(self, of: Expressions, shape: ShapeDecl, bag: Bits) -> Expr:
        if shape.wild is None:
            return ONE
        number = Scalar(self._number(of.writer, bag), INT, self._groups.planes)
        return of.scalar(shape.wild, {"it": bag, WILD: number})

    # ------------------------------------------------------------------ lists

    def put(self, writer: Writer, of: Expressions, shape: ShapeDecl, bag: Bits, heads: int) -> None:
        """Write that the groups that count as one are put into a list: with wild tiles in place of some."""
        name = f"wild:{shape.name}"
        if name not in self._groups.parts.functions:
            self._write_put(name, of, shape, heads)
        writer.let(call(name, ZERO, *self._groups.flat(bag)))

    def _write_put(self, name: str, of: Expressions, shape: ShapeDecl, heads: int) -> None:
        groups = self._groups
        writer = groups.parts.writer(name, 1 + groups.many, 1)
        inner, bags, tries = of.into(writer), Bags(writer), groups.layout.allocate(1)
        _count(writer, tries)
        start, bag = writer.param(0), groups.bag([writer.param(1 + i) for i in range(groups.many)])
        fits = bags.is_empty(bags.masked(bag, self.mask(self.kinds[1:])))
        if shape.most:  # of these, the groups that the set has
            fits = both(fits, bags.within(bag, constant(groups, self._natural())))
        with writer.when(both(fits, self._allows(inner, shape, bag))):
            writer.call_into((), ADD, Lit(heads), ZERO, ZERO, ZERO, *groups.flat(bag))
        most = self.most(shape) if shape.most else min(shape.size, self.most(shape))
        if most:
            single = bags.constant(TILE, groups.words, [self.first])

            def replaced(kind: Expr) -> None:
                with writer.when(ge(kind, start)):
                    less = bags.minus(bag, bags.single(TILE, kind, groups.words))
                    more = bags.fitted(bags.joined(less, single, groups.planes), groups.planes)
                    writer.let(call(name, kind, *groups.flat(more)))

            with writer.when(lt(self._number(writer, bag), Lit(most))):
                mask = self.mask(self.counted - {self.first})
                bags.each(bags.masked(bag, mask).planes[0], replaced)
        writer.give(ZERO)
        groups.parts.functions[name] = writer.function()

    def _natural(self) -> list[int]:
        """Return how many tiles of each kind there are, wild ones all of the first kind."""
        out = list(self.copies)
        for kind in self.kinds[1:]:
            out[kind] = 0
        return out

    def spread(self, writer: Writer, name: str, bag: Bits, heads: int) -> None:
        """Write that a group is put into a list with each choice of wild tiles in place of the first kind."""
        groups, function = self._groups, f"spread:{name}"
        bags = Bags(writer)
        if function not in groups.parts.functions:
            self._write_spread(function, heads)
        number = self._number(writer, bag)
        natural = bags.minus(bag, bags.masked(bag, self.mask([self.first])))
        writer.let(call(function, ZERO, number, *groups.flat(natural)))

    def _write_spread(self, name: str, heads: int) -> None:
        groups = self._groups
        writer = groups.parts.writer(name, 2 + groups.many, 1)
        start, left = writer.param(0), writer.param(1)
        bag, bags = groups.bag([writer.param(2 + i) for i in range(groups.many)]), Bags(writer)
        _count(writer, groups.layout.allocate(1))
        with writer.when(is_zero(left)):
            writer.call_into((), ADD, Lit(heads), ZERO, ZERO, ZERO, *groups.flat(bag))
            writer.give(ZERO)
        own = [kind.copies + kind.withdrawn for kind in groups.layout.instance.kinds]
        for at, kind in enumerate(self.kinds):
            held = bags.size(bags.masked(bag, self.mask([kind])))
            with writer.when(both(ge(Lit(at), start), lt(held, Lit(min(own[kind], groups.planes))))):
                single = bags.constant(TILE, groups.words, [kind])
                more = bags.fitted(bags.joined(bag, single, groups.planes), groups.planes)
                writer.let(call(name, Lit(at), sub(left, ONE), *groups.flat(more)))
        writer.give(ZERO)
        groups.parts.functions[name] = writer.function()

    # ------------------------------------------------------------------ questions

    def has_shape(self, of: Expressions, shape: ShapeDecl, test: ir.Expr, bag: Bits) -> Expr:
        """Return whether tiles have a shape that tests all of them together, if some count as others."""
        writer, bags, groups = of.writer, of.bags, self._groups
        fits = writer.var(0)
        bag = self.written(bag, of)
        with writer.when(self._allows(of, shape, bag)):
            number = self._number(writer, bag)
            if not self.kinds:
                natural = bag
            else:
                natural = bags.minus(bag, bags.masked(bag, self.mask([self.first])))
            asked = call(self._filled(of, shape, test), ZERO, number, *groups.flat(natural))
            writer.set(fits, asked)
        return fits

    def _filled(self, of: Expressions, shape: ShapeDecl, test: ir.Expr) -> str:
        """Return the name of a function: whether a test holds of tiles with some more, each of which counts as another.

        It takes the first kind that these count as, their number and the tiles.
        """
        groups, name, growth = self._groups, f"filled:{shape.name}", growth_test(shape)
        if name in groups.parts.functions:
            return name
        writer = groups.parts.writer(name, 2 + groups.many, 1)
        start, left = writer.param(0), writer.param(1)
        inner, bags = of.into(writer), Bags(writer)
        bag = groups.bag([writer.param(2 + i) for i in range(groups.many)])
        with writer.when(is_zero(left)):
            writer.give(inner.scalar(test, {"it": bag}))
        lies = ONE if growth is None else inner.scalar(growth, {"it": bag})
        with writer.when(lies):

            def one(kind: Expr) -> None:
                with writer.when(ge(kind, start)):
                    single = bags.single(TILE, kind, groups.words)
                    more = bags.fitted(bags.joined(bag, single, groups.planes), groups.planes)
                    with writer.when(call(name, kind, sub(left, ONE), *groups.flat(more))):
                        writer.give(ONE)

            bags.each(self.mask(self.counted), one)
        writer.give(ZERO)
        groups.parts.functions[name] = writer.function()
        return name


def constant(groups: Groups, copies: Sequence[int]) -> Bits:
    """Return the bag with so many tiles of each kind, as far as it has planes."""
    return groups.bag(
        [
            Lit(sum(1 << k for k, often in enumerate(copies[w * 64 : w * 64 + 64]) if often > p))
            for p in range(groups.planes)
            for w in range(groups.words)
        ]
    )


def _count(writer: Writer, tries: int) -> None:
    """Write that something is tried once more; refer if that is too often."""
    tried = writer.let(add(load(8, ZERO, tries), ONE))
    writer.store(8, ZERO, tried, tries)
    writer.refer_if(gt(tried, Lit(MOST_TRIES)), Limit.STEPS)
