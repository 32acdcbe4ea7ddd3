"""Values with the face of each tile: the tile that it counts as.

Input: a tile, or what holds tiles, and what writes expressions. Output: the same kind of value.
Guarantee: melds keep their labels; what is none stays none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from golpae.ir.types import TILE
from golpae.kernel.emit.bags import BITS
from golpae.kernel.emit.values import Bits, Group, PerSeat, Plane, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, both, either, eq, select, shl, shr, without
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

Pairs = list[tuple[int, int]]  # kinds that count as others, with these others


def by_face(value: Value, of: Expressions) -> Value:
    """Write a value with the face of each tile. Raises `NotCompiled`."""
    pairs = [(kind, face) for kind, face in enumerate(of.layout.instance.faces) if face != kind]
    return _by_face(value, pairs, of)


def with_these_faces(faces: Plane, of: Expressions) -> Plane:
    """Write the tiles whose faces these are."""
    face_words = list(faces)
    for kind, face in enumerate(of.layout.instance.faces):
        if face != kind:
            own = Lit(1 << kind % BITS)
            bit = shl(both(shr(faces[face // BITS], Lit(face % BITS)), ONE), Lit(kind % BITS))
            face_words[kind // BITS] = either(without(face_words[kind // BITS], own), bit)
    return tuple(map(of.writer.let, face_words))


def _by_face(value: Value, pairs: Pairs, of: Expressions) -> Value:
    match value:
        case Scalar():
            face = of.writer.let(value.value)
            for kind, other in pairs:
                face = of.writer.let(select(eq(face, Lit(kind)), Lit(other), face))
            return replace(value, value=face)
        case Bits():
            return bag_by_face(value, pairs, of)
        case Group(tiles=tiles):
            return replace(value, tiles=bag_by_face(tiles, pairs, of), shapes=None)
        case Stream():
            return _stream(value, pairs, of)
        case PerSeat(values=values):
            return replace(value, values=tuple(_by_face(one, pairs, of) for one in values))
        case _:
            raise NotCompiled("the faces of a value that holds no tiles")


def _stream(stream: Stream, pairs: Pairs, of: Expressions) -> Stream:
    def each(run: Callable[[Value, Expr], None]) -> None:
        stream.each(lambda item, copies: run(_by_face(item, pairs, of), copies))

    return Stream(stream.item, each, stream.size, stream.present)


def bag_by_face(bag: Bits, pairs: Pairs, of: Expressions) -> Bits:
    """Write a bag of tiles in planes with the face of each tile."""
    words = len(bag.planes[0])
    let = of.writer.let
    alike = _plane([kind for kind, _ in pairs], words)
    own = Bits(
        TILE, tuple(tuple(let(without(w, a)) for w, a in zip(p, alike, strict=True)) for p in bag.planes)
    )
    most = max(of.collecting.room(TILE), *of.layout.instance.by_face(withdrawn=True))
    for moved in _rounds(pairs):
        planes = tuple(tuple(let(word) for word in _moved(plane, moved)) for plane in bag.planes)
        own = of.bags.joined(own, Bits(TILE, planes), most)
    return Bits(TILE, own.planes, bag.present)


def _rounds(pairs: Pairs) -> list[Pairs]:
    """Return the pairs, each face at most once in a round."""
    rounds: list[dict[int, int]] = []
    for kind, face in pairs:
        free = next((one for one in rounds if face not in one), None)
        if free is None:
            free = {}
            rounds.append(free)
        free[face] = kind
    return [[(kind, face) for face, kind in one.items()] for one in rounds]


def _moved(plane: Plane, pairs: Pairs) -> list[Expr]:
    """Return a plane that has the bit of each kind at the place of its face."""
    words: list[list[Expr]] = [[] for _ in plane]
    for kind, face in pairs:
        bit = both(shr(plane[kind // BITS], Lit(kind % BITS)), ONE)
        words[face // BITS].append(shl(bit, Lit(face % BITS)))
    return [_any(bits) for bits in words]


def _any(bits: list[Expr]) -> Expr:
    value: Expr = ZERO
    for bit in bits:
        value = either(value, bit)
    return value


def _plane(kinds: list[int], words: int) -> Plane:
    return tuple(Lit(sum(1 << kind % BITS for kind in kinds if kind // BITS == w)) for w in range(words))
