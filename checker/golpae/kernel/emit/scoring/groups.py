"""The groups of each shape, as lists in memory that are filled before anything else happens.

Input: the shapes of the rules. Output: functions that fill the lists, and that ask whether tiles have a shape.
Guarantee: a list holds each group once. One that is too long cannot be filled. Tests of shapes are those of the rules,
compiled like everything else.

An entry of a list is a few words, then the planes of its tiles:

    next     the entry behind it that begins with the same kind, 0 at the end
    again    the first entry that may follow it in one layout: itself, or the next one
    one      1 in the count of its part, in a word that counts the groups of all parts
    slot     how far behind the first slot the slots of its part end
    shapes   a bit for each listed shape that it has
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from math import comb
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import grows, growth_test, is_whole, listed_tiles, unions_of
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import BOOL, TILE
from golpae.kernel.emit.bags import Bags, any_of
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.scoring.growing import in_set, list_growing, list_rows
from golpae.kernel.emit.scoring.wild import ADD, WildTiles
from golpae.kernel.emit.values import Bits, Group, Scalar, Value
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    gt,
    is_zero,
    le,
    load,
    lowest_bit,
    ne,
    select,
    shl,
    shr,
)
from golpae.kernel.layout import NONE, WORD
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

NEXT, AGAIN, SURPLUS, SLOT, SHAPES, PLANES = (i * WORD for i in range(6))
MOST_TRIES = 1_000_000  # tiles that are tried to list the groups of a shape
MOST_TESTED = 20_000  # groups of a shape that tests all its tiles together, if they are listed
POOL = 1 << 22  # bytes for all entries
MOST_SHAPES = 63  # that have a bit


@contextmanager
def entries(writer: Writer, heads: int, kinds: int) -> Iterator[Get]:
    """Write a loop over all groups of a list: what is written meanwhile is done for each."""
    kind = writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(kind, Lit(kinds)))
        entry = writer.var(load(8, shl(kind, Lit(3)), heads))
        with writer.block() as last, writer.loop() as following:
            writer.leave(last, is_zero(entry))
            yield entry
            writer.set(entry, load(8, entry, NEXT))
            writer.leave(following)
        writer.set(kind, add(kind, ONE))
        writer.leave(again)


class Groups:
    """The lists of one module. `Parts` has it, so that each list is made once."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.layout = parts, parts.layout
        self.shapes = {s.name: s for s in parts.rules.shapes}
        self.planes, self.words = self.layout.planes(TILE), self.layout.words(TILE)
        self.many = self.planes * self.words  # words of a bag of tiles
        self._lists: dict[str, int | None] = {}  # where the first entries are, by kind; None: not compiled
        self._entry = PLANES + self.many * WORD
        self._free, self._end = (self.layout.allocate(1) for _ in range(2))
        pool = self.layout.allocate(POOL // WORD)
        self.layout.data[self._free] = pool.to_bytes(WORD, "little")
        self.layout.data[self._end] = (pool + POOL - self._entry).to_bytes(WORD, "little")
        self._bits: dict[str, int] | None = None
        self.wild = WildTiles(self)
        parts.functions[ADD] = self._add_group()

    def kinds(self) -> int:
        return len(self.layout.instance.kinds)

    def heads(self) -> int:
        """Return the address of an empty list."""
        return self.layout.allocate(self.kinds())

    def bag(self, words: Sequence[Expr]) -> Bits:
        """Return the bag with these words, plane by plane."""
        return Bits(
            TILE,
            tuple(tuple(words[p * self.words + w] for w in range(self.words)) for p in range(self.planes)),
        )

    def flat(self, bag: Bits) -> list[Expr]:
        """Return the words of a bag."""
        return [word for plane in bag.planes for word in plane]

    def tiles_of(self, writer: Writer, entry: Expr) -> Bits:
        """Return the tiles of an entry."""
        return Bags(writer).loaded(TILE, self.planes, self.words, add(entry, Lit(PLANES)))

    def lowest(self, writer: Writer, bag: Bits) -> Expr:
        """Return the lowest kind in a bag, which is not empty."""
        lowest_kind: Expr = lowest_bit(bag.planes[0][-1])
        if self.words > 1:
            lowest_kind = add(lowest_kind, Lit((self.words - 1) * 64))
            for w in reversed(range(self.words - 1)):
                word = bag.planes[0][w]
                lowest_kind = writer.let(select(word, add(lowest_bit(word), Lit(w * 64)), lowest_kind))
        return writer.let(lowest_kind)

    # ------------------------------------------------------------------ lists

    def _add_group(self) -> Function:
        """`add_group(heads, one, slot, different, tiles...)`: put a group into a list, unless it is there."""
        writer = Writer(ADD, 4 + self.many, 0)
        heads, one, slot, different = (writer.param(i) for i in range(4))
        bag = self.bag([writer.param(4 + i) for i in range(self.many)])
        low = self.lowest(writer, bag)
        head = writer.let(add(heads, shl(low, Lit(3))))
        entry = writer.var(load(8, head))
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, is_zero(entry))
            same = Bags(writer).same(self.tiles_of(writer, entry), bag)
            with writer.when(both(same, eq(load(8, entry, SURPLUS), one))):
                writer.give()
            writer.set(entry, load(8, entry, NEXT))
            writer.leave(again)
        made = writer.let(load(8, ZERO, self._free))
        writer.refer_if(gt(made, load(8, ZERO, self._end)), Limit.ROOM)
        writer.store(8, ZERO, add(made, Lit(self._entry)), self._free)
        behind = writer.let(load(8, head))
        writer.store(8, made, behind, NEXT)
        writer.store(8, made, select(different, behind, made), AGAIN)
        writer.store(8, made, one, SURPLUS)
        writer.store(8, made, slot, SLOT)
        for i, word in enumerate(self.flat(bag)):
            writer.store(8, made, word, PLANES + i * WORD)
        writer.store(8, head, made)
        return writer.function()

    def list_of(self, name: str, expressions: Expressions) -> int:
        """Return where the list of a shape's groups begins. Raises `NotCompiled` if they are not listed."""
        if name not in self._lists:
            self._lists[name] = None
            self._lists[name] = self._filled(name, expressions)
        heads = self._lists[name]
        if heads is None:
            raise NotCompiled("a shape whose groups could not be listed elsewhere")
        return heads

    def _filled(self, name: str, expressions: Expressions) -> int:
        shape = self.shapes[name]
        growth = growth_test(shape)
        if shape.test is not None and not shape.names and growth is None:
            if shape.most or shape.size < 1 or comb(self.kinds() + shape.size - 1, shape.size) > MOST_TESTED:
                raise NotCompiled("very many groups of a shape that tests all its tiles together")
        writer = self.parts.writer(f"list:{name}", 0, 0)
        inner = expressions.into(writer)
        if shape.test is None:
            members = [self.list_of(member, expressions) for member in shape.union]
            heads = self.heads()
            for member in members:
                self.copy_list(writer, member, heads, ZERO, ZERO, ZERO)
        else:
            heads = self.heads()
            known = self.parts.referrals
            if shape.in_a_row:
                list_rows(self, writer, inner, shape, heads)
            elif shape.names:
                self._list_tests(writer, inner, shape, shape.test, heads)
            elif growth is not None:
                list_growing(self, writer, inner, shape, growth, heads)
            else:
                _list_whole(self, writer, inner, shape, shape.test, heads)
            if self.parts.referrals > known:  # what is referred for one group must not be asked for all
                raise NotCompiled("a shape whose test is not compiled")
        self.parts.prepare(writer.function())
        return heads

    def copy_list(
        self, writer: Writer, source: int, target: int, one: Expr, slot: Expr, different: Expr
    ) -> None:
        """Write that all groups of a list are put into another one."""
        with entries(writer, source, self.kinds()) as entry:
            writer.call_into(
                (), ADD, Lit(target), one, slot, different, *self.flat(self.tiles_of(writer, entry))
            )

    def _list_tests(
        self, writer: Writer, expressions: Expressions, shape: ShapeDecl, test: ir.Expr, heads: int
    ) -> None:
        """Write the loops that list the groups for whose tiles, in some order, a test holds."""
        bags = expressions.bags
        constants = listed_tiles(shape)
        tries = writer.var(0)
        waiting = [] if constants is not None else list(conjuncts(test))
        names: dict[str, Value] = {}

        def put(tiles: Sequence[Expr]) -> None:
            bag = bags.empty(TILE, self.words)
            for tile in tiles:
                bag = bags.joined(bag, bags.single(TILE, tile, self.words), len(tiles))
            self.put(expressions, shape, bag, heads, lambda: ONE)

        def level(at: int) -> None:
            if at == len(shape.names):
                put([v.value for v in names.values() if isinstance(v, Scalar)])
                return
            tile = writer.var(0)
            bound = shape.names[: at + 1]
            now = [e for e in waiting if free(e) <= set(bound)]
            waiting[:] = [e for e in waiting if not free(e) <= set(bound)]
            with writer.block() as done, writer.loop() as again:
                writer.leave(done, ge(tile, Lit(self.kinds())))
                writer.set(tries, add(tries, ONE))
                writer.refer_if(gt(tries, Lit(MOST_TRIES)), Limit.STEPS)
                names[shape.names[at]] = Scalar(writer.let(tile), TILE)
                if now:
                    joined = reduce(lambda one, other: ir.Op("and", (one, other), BOOL), now)
                    with writer.when(expressions.scalar(joined, names)):
                        level(at + 1)
                else:
                    level(at + 1)
                writer.set(tile, add(tile, ONE))
                writer.leave(again)
            del names[shape.names[at]]

        if constants is not None:
            put([Lit(self.parts.numbers[name]) for name in constants])
        else:
            level(0)

    def put(self, of: Expressions, shape: ShapeDecl, bag: Bits, heads: int, test: Callable[[], Expr]) -> None:
        """Write that a group of counted tiles is added to a list if it passes a test, and what counts as it."""
        writer = of.writer
        beyond = [word for plane in bag.planes[self.planes :] for word in plane]
        beyond += map(both, bag.planes[0], self.wild.mask(self.wild.gone))  # nothing counts as these
        with writer.when(is_zero(any_of(beyond))):  # no bag that is asked about has more copies
            words = self.flat(Bags(writer).fitted(Bits(TILE, bag.planes[: self.planes]), self.planes))
            with writer.when(test()):
                if self.wild.asked(shape):
                    self.wild.put(writer, of, shape, self.bag(words), heads)
                else:
                    writer.call_into((), ADD, Lit(heads), ZERO, ZERO, ZERO, *words)

    # ------------------------------------------------------------------ the shapes that groups have

    def bits(self, expressions: Expressions) -> dict[str, int]:
        """Return the bit of each shape that is listed, in words that say which shapes a group has."""
        if self._bits is None:
            self._bits = {}
            bit_of: dict[str, int] = {}
            for name in self.shapes:
                if len(bit_of) == MOST_SHAPES:
                    break
                if is_whole(name, self.shapes):
                    continue  # its test says at once whether a group has it
                try:
                    self.list_of(name, expressions)
                except NotCompiled:
                    continue
                bit_of[name] = len(bit_of)
            self._bits.update(bit_of)
        return self._bits

    def shapes_of(self, expressions: Expressions) -> str:
        """Return the name of a function from the label and the tiles of a meld to the listed shapes that it has."""
        name = "shapes:of"
        if name not in self.parts.functions:
            bits = self.bits(expressions)
            writer = Writer(name, 1 + self.many, 1)
            label, words = writer.param(0), [writer.param(1 + i) for i in range(self.many)]
            of_label = [
                sum(1 << bits[s] for s in self._with_unions(label_name) & set(bits))
                if label_name in self.shapes
                else 0
                for label_name in self.layout.labels
            ]
            held = b"".join(word.to_bytes(WORD, "little") for word in of_label) or bytes(WORD)
            at = self.layout.hold(held)
            with writer.when(ne(label, Lit(NONE))):
                writer.give(load(8, shl(label, Lit(3)), at))
            shape_bits = writer.var(0)
            for shape, bit in bits.items():
                asked = call(self.has_shape(shape, expressions), *words)
                writer.set(shape_bits, either(shape_bits, shl(asked, Lit(bit))))
            writer.give(shape_bits)
            self.parts.functions[name] = writer.function()
        return name

    def _with_unions(self, name: str) -> frozenset[str]:
        """Return a shape and the unions that it belongs to."""
        return unions_of(name, self.shapes) | {name}

    def has_shape(self, name: str, expressions: Expressions) -> str:
        """Return the name of a function from the tiles of a bag to whether they have a shape. Raises `NotCompiled`."""
        function = f"shape:{name}"
        if function in self.parts.functions:
            return function
        shape = self.shapes[name]
        writer = self.parts.writer(function, self.many, 1)
        bag = self.bag([writer.param(i) for i in range(self.many)])
        if not is_whole(name, self.shapes):
            heads = self.list_of(name, expressions)
            self._find(writer, self.wild.written(bag, expressions.into(writer)), heads)
        elif shape.union:
            for member in shape.union:
                with writer.when(call(self.has_shape(member, expressions), *self.flat(bag))):
                    writer.give(ONE)
        else:
            assert shape.test is not None
            inner = expressions.into(writer)
            size = writer.let(inner.bags.size(bag))
            with writer.when(both(ge(size, Lit(shape.size)), le(size, Lit(shape.sizes[-1])))):
                if self.wild.asked(shape):
                    writer.give(self.wild.has_shape(inner, shape, shape.test, bag))
                else:
                    writer.give(inner.scalar(shape.test, {"it": bag}))
        writer.give(ZERO)
        self.parts.functions[function] = writer.function()
        return function

    def _find(self, writer: Writer, bag: Bits, heads: int) -> None:
        """Write that 1 is given if a bag is in a list."""
        with writer.when(is_zero(Bags(writer).is_empty(bag))):
            low = self.lowest(writer, bag)
            entry = writer.var(load(8, shl(low, Lit(3)), heads))
            with writer.block() as done, writer.loop() as again:
                writer.leave(done, is_zero(entry))
                with writer.when(Bags(writer).same(self.tiles_of(writer, entry), bag)):
                    writer.give(ONE)
                writer.set(entry, load(8, entry, NEXT))
                writer.leave(again)

    # ------------------------------------------------------------------ questions

    def is_shape(self, value: Value, name: str, expressions: Expressions) -> Expr:
        """Return whether a bag or a meld has a shape. Raises `NotCompiled`."""
        writer = expressions.writer
        if isinstance(value, Group) and value.shapes is not None:
            bits = self.bits(expressions)
            if name in bits:
                return both(shr(value.shapes, Lit(bits[name])), ONE)
        tiles = expressions.collecting.as_bits(value)
        words = self.flat(expressions.bags.fitted(tiles, self.planes))
        if name in self.shapes and (self.wild.kinds or grows(name, self.shapes)):
            writer.refer_if(is_zero(in_set(self, writer, self.bag(words))), Limit.COPIES)
        if isinstance(value, Group) and value.label != Lit(NONE):
            fits = writer.var(0)
            fitting = {label for label in self.shapes if name in self._with_unions(label)}
            for label in sorted(fitting & set(self.layout.labels)):
                is_label = eq(value.label, Lit(self.layout.labels.index(label)))
                writer.set(fits, either(fits, is_label))
            with writer.when(eq(value.label, Lit(NONE))):
                try:
                    writer.set(fits, call(self.has_shape(name, expressions), *words))
                except NotCompiled as reason:
                    self.parts.refer(writer, reason)
            return fits
        return call(self.has_shape(name, expressions), *words)


def _list_whole(
    groups: Groups, writer: Writer, expressions: Expressions, shape: ShapeDecl, test: ir.Expr, heads: int
) -> None:
    """Write the loops that list the groups for whose tiles together a test holds."""
    bags = expressions.bags

    def level(left: int, least: Expr, bag: Bits) -> None:
        if not left:
            groups.put(expressions, shape, bag, heads, lambda: expressions.scalar(test, {"it": bag}))
            return
        tile = writer.var(least)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(tile, Lit(groups.kinds())))
            now = writer.let(tile)
            more = bags.joined(bag, bags.single(TILE, now, groups.words), shape.size)
            level(left - 1, now, more)
            writer.set(tile, add(tile, ONE))
            writer.leave(again)

    level(shape.size, ZERO, bags.empty(TILE, groups.words))
