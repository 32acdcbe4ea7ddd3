"""How many tiles of an arrangement a hand lacks, in the kernel language.

Input: what arrangements are made of, an instance. Output: functions.
Guarantee: the numbers of `golpae.simulate.lacking`.

    saved_n(tiles)    for a composition: how many fewer tiles are missing, by the groups of each part that there may be
    lacking(tiles)    the least number of tiles that are missing for one of the compositions
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.ir.types import TILE
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.playing.tiles import Tiles
from golpae.kernel.emit.remembering import remembering
from golpae.kernel.emit.values import Bits
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ZERO,
    Writer,
    add,
    either,
    gt,
    is_zero,
    load,
    select,
    sub,
    without,
)
from golpae.kernel.layout import WORD
from golpae.kernel.unsupported import NotCompiled
from golpae.pieces import MOST_KINDS, MOST_TILES, ArrangementPart, Composition, Piece

MOST_NUMBERS = 32  # of groups that there may be: each is a result of a function
_PLACES = 11  # bits of the number of a place where an answer is remembered


class Lacking:
    """Writes the functions for some compositions. Raises `NotCompiled`."""

    def __init__(self, parts: Parts, tiles: Tiles, compositions: Sequence[Composition]) -> None:
        if any(made.size > MOST_NUMBERS for made in compositions):
            raise NotCompiled(f"hands measured against more than {MOST_NUMBERS} tiles")
        self._parts, self._tiles, self._made = parts, tiles, compositions
        self._tables = [[self._table(part) for part in made.parts] for made in compositions]

    def _table(self, part: ArrangementPart) -> int:
        kinds = range(len(self._tiles.layout.instance.kinds))
        return self._tiles.table(
            [[self._entry(piece) for piece in part.pieces if piece.tiles[0] == kind] for kind in kinds]
        )

    def _entry(self, piece: Piece) -> bytes:
        return self._tiles.entry(piece.tiles) + piece.saved.to_bytes(WORD, "little")

    def functions(self) -> list[Function]:
        """Return the functions that count."""
        return [*(self._saved(number) for number in range(len(self._made))), self._lacking()]

    def _saved(self, number: int) -> Function:
        made, tiles = self._made[number], self._tiles
        writer = Writer(f"saved_{number}", tiles.many, made.size)
        words = [writer.param(place) for place in range(tiles.many)]
        bag = tiles.bag(words)
        of = Expressions(self._parts, writer)
        with writer.when(of.bags.is_empty(bag)):
            writer.give(*(ZERO for _ in range(made.size)))

        def search() -> list[Get]:
            first = tiles.lowest(writer, bag)
            own = of.bags.bit(first, tiles.words)
            best, result = ([writer.new() for _ in range(made.size)] for _ in range(2))
            others = of.bags.minus(bag, Bits(TILE, (own,)))
            writer.call_into(best, f"saved_{number}", *tiles.flat(of, others))
            for place, part in enumerate(made.parts):
                stride, after = made.strides[place], made.after(place)

                def one(
                    address: Expr,
                    part: ArrangementPart = part,
                    stride: int = stride,
                    after: list[int] = after,
                ) -> None:
                    piece = tiles.at(writer, address)
                    with writer.when(of.bags.within(piece, bag)):
                        left = of.bags.minus(bag, piece)
                        if part.alone:
                            planes = (tuple(map(without, plane, own)) for plane in left.planes)
                            left = Bits(TILE, tuple(planes))
                        writer.call_into(result, f"saved_{number}", *tiles.flat(of, left))
                        saved = writer.let(load(8, address, tiles.many * WORD))
                        for at in after:
                            more = writer.let(add(result[at - stride], saved))
                            writer.set(best[at], select(gt(more, best[at]), more, best[at]))

                tiles.each_entry(writer, Lit(self._tables[number][place]), first, tiles.many + 1, one)
            return best

        remembering(tiles.layout, writer, words, made.size, search, places=_PLACES)
        return writer.function()

    def _lacking(self) -> Function:
        tiles = self._tiles
        writer = Writer("lacking", tiles.many, 1)
        words = [writer.param(place) for place in range(tiles.many)]
        of = Expressions(self._parts, writer)

        def search() -> list[Get]:
            least = writer.var(max(made.lacking for made in self._made))
            for number, made in enumerate(self._made):
                total = self._total(writer, of, number, tiles.bag(words))
                lacking = writer.let(sub(Lit(made.lacking), total))
                writer.set(least, select(gt(least, lacking), lacking, least))
            return [least]

        remembering(tiles.layout, writer, words, 1, search)
        return writer.function()

    def _total(self, writer: Writer, of: Expressions, number: int, bag: Bits) -> Expr:
        """Return how many fewer tiles are missing for a composition."""
        made, tiles = self._made[number], self._tiles
        total, result = ([writer.new() for _ in range(made.size)] for _ in range(2))
        writer.call_into(total, f"saved_{number}", *self._among(of, bag, made.single))
        for kinds in made.together:
            own = [writer.var(word) for word in self._among(of, bag, kinds)]
            with writer.when(is_zero(of.bags.is_empty(tiles.bag(own)))):
                self._shorten(writer, of, own)
                writer.call_into(result, f"saved_{number}", *own)
                for place, pairs in reversed([*enumerate(made.sums())]):
                    best = writer.var(0)
                    for one, other in pairs:
                        sum_of = writer.let(add(total[one], result[other]))
                        writer.set(best, select(gt(sum_of, best), sum_of, best))
                    writer.set(total[place], best)
        return total[-1]

    def _among(self, of: Expressions, bag: Bits, kinds: Sequence[int]) -> list[Expr]:
        mask = of.bags.constant(TILE, self._tiles.words, kinds).planes[0]
        return self._tiles.flat(of, of.bags.masked(bag, mask))

    def _shorten(self, writer: Writer, of: Expressions, words: Sequence[Get]) -> None:
        """Write that the first tiles are left out if there are too many."""
        tiles = self._tiles
        with writer.loop() as again:
            bag = tiles.bag(words)
            many = gt(of.bags.size(bag), Lit(MOST_TILES))
            with writer.when(either(many, gt(of.bags.size(of.bags.kinds(bag)), Lit(MOST_KINDS)))):
                single = of.bags.single(TILE, tiles.lowest(writer, bag), tiles.words)
                fewer = [writer.let(word) for word in tiles.flat(of, of.bags.minus(bag, single))]
                for word, value in zip(words, fewer, strict=True):
                    writer.set(word, value)
                writer.leave(again)
