"""JSON texts in the memory of a module.

Input: values, as expressions of the kernel language. Output: code that writes them to the text area.
Guarantee: a text that does not fit is referred; a value that has no JSON form raises `NotCompiled`.

A seat or number is a number, a truth `true` or `false`, a tile or word a string, none `null`. A bag and a value for
each player are lists, a bag in the order of the set. A meld is an object with its `tiles`, and its `label` if it has
one; in a line of a trace it is a list of these. A score is an object with its `total` and the `patterns` of a best way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from golpae.ir.ruleset import ScoreDecl
from golpae.ir.types import (
    TILE,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.values import Bits, Group, PerSeat, Recorded, Scalar, Scored, Stream, Value
from golpae.kernel.language.code import Arithmetic, Expr, Function, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    eq,
    ge,
    gt,
    load,
    lt,
    ne,
    remainder,
    shl,
    sub,
)
from golpae.kernel.layout import NO_NUMBER, WORD, is_scalar, none_of
from golpae.kernel.unsupported import NotCompiled

ROOM = 1 << 16  # bytes of a text at most
_BEHIND = 64  # bytes that can be read behind a text
_DIGITS = 24  # of a number at most


class TextArea:
    """Where texts lie, and the functions that write there."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.layout = parts, parts.layout
        self.start = parts.layout.allocate((ROOM + _BEHIND) // WORD)
        self.next = parts.layout.allocate(1)  # the address behind what was written
        self._digits = parts.layout.allocate(_DIGITS // WORD) + _DIGITS
        self._texts: dict[str, tuple[int, int]] = {}
        self._tables: dict[tuple[str, ...], int] = {}

    def functions(self) -> list[Function]:
        """Return the functions that write pieces of a text."""
        return [self._put(), self._number(), self._close()]

    def held(self, text: str) -> tuple[int, int]:
        """Return the address and the size of a text that the memory holds."""
        if text not in self._texts:
            data = text.encode()
            self._texts[text] = (self.layout.hold(data), len(data))
        return self._texts[text]

    def table(self, texts: Sequence[str]) -> int:
        """Return the address of a table: for each text its address and its size."""
        key = tuple(texts)
        if key not in self._tables:
            words = [word for text in key for word in self.held(text)]
            self._tables[key] = self.layout.hold(b"".join(word.to_bytes(WORD, "little") for word in words))
        return self._tables[key]

    def _put(self) -> Function:
        """`put(address, size)`: write these bytes."""
        writer = Writer("put", 2)
        source, size = writer.param(0), writer.param(1)
        at = writer.let(load(8, ZERO, self.next))
        end = writer.let(add(at, size))
        writer.refer_if(gt(end, Lit(self.start + ROOM)), Limit.ROOM)
        writer.copy(at, source, size)
        writer.store(8, ZERO, end, self.next)
        return writer.function()

    def _number(self) -> Function:
        """`put_number(value)`: write a number."""
        writer = Writer("put_number", 1)
        value, is_negative = writer.param(0), writer.let(lt(writer.param(0), ZERO))
        with writer.when(is_negative):
            writer.set(value, sub(ZERO, value))
        at = writer.var(self._digits)
        with writer.loop() as again:
            writer.set(at, sub(at, ONE))
            digit = writer.let(remainder(value, Lit(10)))
            writer.store(1, at, add(digit, Lit(ord("0"))))
            writer.set(value, Arithmetic("div_s", value, Lit(10)))
            writer.leave(again, gt(value, ZERO))
        with writer.when(is_negative):
            writer.set(at, sub(at, ONE))
            writer.store(1, at, Lit(ord("-")))
        writer.call_into((), "put", at, sub(Lit(self._digits), at))
        return writer.function()

    def _close(self) -> Function:
        """`put_close(mark)`: write a bracket that closes; a comma before it is taken away."""
        writer = Writer("put_close", 1)
        at = writer.var(load(8, ZERO, self.next))
        with writer.when(eq(load(1, sub(at, ONE)), Lit(ord(",")))):
            writer.set(at, sub(at, ONE))
        writer.refer_if(ge(at, Lit(self.start + ROOM)), Limit.ROOM)
        writer.store(1, at, writer.param(0))
        writer.store(8, ZERO, add(at, ONE), self.next)
        return writer.function()


class JsonText:
    """Writes a text in one function; with `as_line`, a line of a trace."""

    def __init__(self, area: TextArea, expressions: Expressions, as_line: bool = False) -> None:
        self._area, self.expressions, self._as_line = area, expressions, as_line
        self.writer, self.layout = expressions.writer, expressions.layout
        self._tiles = [_json(kind.name) for kind in self.layout.instance.kinds]

    def begin(self) -> None:
        """Write that a text begins."""
        self.writer.store(8, ZERO, Lit(self._area.start), self._area.next)

    def size(self) -> Expr:
        """Return how many bytes were written."""
        return sub(load(8, ZERO, self._area.next), Lit(self._area.start))

    def put(self, text: str) -> None:
        """Write these words as they are."""
        self.writer.call_into((), "put", *map(Lit, self._area.held(text)))

    def close(self, mark: str) -> None:
        """Write a bracket that closes."""
        self.writer.call_into((), "put_close", Lit(ord(mark)))

    def key(self, name: str) -> None:
        """Write the key of an object."""
        self.put(f"{_json(name)}:")

    def member(self, name: str, value: Value, kind: Type) -> None:
        """Write a key with its value. Raises `NotCompiled`."""
        self.key(name)
        self.value(value, kind)
        self.put(",")

    def number(self, value: Expr) -> None:
        self.writer.call_into((), "put_number", value)

    def one_of(self, texts: Sequence[str], number: Expr) -> None:
        """Write one of several texts."""
        place = self.writer.let(add(shl(number, Lit(4)), Lit(self._area.table(texts))))
        self.writer.call_into((), "put", load(8, place), load(8, place, WORD))

    def each(self, many: Expr, write: Callable[[Expr], None]) -> None:
        """Write a list of so many members, of which `write` writes the one at a place, from 0 on."""

        def one(at: Expr) -> None:
            write(at)
            self.put(",")

        self.put("[")
        self.expressions.memory.counted(many, one)
        self.close("]")

    def row(self, address: Expr) -> None:
        """Write a row, front first; `"?"` for a tile that nobody can know."""
        writer = self.writer

        def one(at: Expr) -> None:
            tile = self.expressions.rows.place(address, add(at, ONE))
            with writer.when(lt(tile, ZERO)):
                self.put('"?"')
            with writer.otherwise():
                self.one_of(self._tiles, tile)

        self.each(load(8, address, self.layout.row(0).size), one)

    def value(self, value: Value, kind: Type) -> None:
        """Write a value of a type. Raises `NotCompiled`."""
        if not isinstance(kind, Opt):
            self._given(value, kind)
            return
        with self.writer.when(_is_there(value, kind)):
            self._given(value, kind.item)
        with self.writer.otherwise():
            self.put("null")

    def _given(self, value: Value, kind: Type) -> None:
        match kind:
            case Tile():
                self.one_of(self._tiles, _number(value))
            case Choice(words):
                self.one_of([*map(_json, words)], _number(value))
            case Bool():
                self.one_of(["false", "true"], _number(value))
            case Int() | Seat():
                self.number(_number(value))
            case NoneType():
                self.put("null")
            case Meld():
                self._meld(value)
            case Bag(item):
                self._bag(value, item)
            case Each(item):
                if not isinstance(value, PerSeat):
                    raise NotCompiled(
                        "a single value, a bag or a meld that is shown as a value for each player"
                    )
                self.put("[")
                for own in value.values:
                    self.value(own, item)
                    self.put(",")
                self.close("]")
            case Patterns():
                self._patterns(value)
            case Points():
                self._score(value)
            case Opt():
                self.value(value, kind)
            case _:
                assert_never(kind)

    def _meld(self, value: Value) -> None:
        if self._as_line:
            self._meld_of_line(value)
            return
        self.put("{")
        if isinstance(value, Group) and self.layout.labels:
            with self.writer.when(ge(value.label, ZERO)):
                self.key("label")
                self.one_of([*map(_json, self.layout.labels)], value.label)
                self.put(",")
        self.key("tiles")
        self._bag(self.expressions.collecting.as_bits(value), TILE)
        self.close("}")

    def _meld_of_line(self, value: Value) -> None:
        """Write a meld as a line has it. The tiles behind a label are a list, for a single one could stand for more."""
        writer, tiles = self.writer, self.expressions.collecting.as_bits(value)
        is_labelled = ge(value.label, ZERO) if isinstance(value, Group) and self.layout.labels else ZERO
        with writer.when(is_labelled):
            assert isinstance(value, Group)
            self.put("[")
            self.one_of([*map(_json, self.layout.labels)], value.label)
            self.put(",")
            self._bag(tiles, TILE)
            self.put("]")
        with writer.otherwise():
            self._bag(tiles, TILE)

    def _bag(self, value: Value, item: Type) -> None:
        if isinstance(value, Group):
            value = self.expressions.collecting.as_bits(value)
        if not isinstance(value, Bits | Stream):
            raise NotCompiled("a single value or a score that is shown as a bag")
        counted = self.expressions.memory.counted

        def one(member: Value, copies: Expr) -> None:
            def put(_: Expr) -> None:
                self.value(member, item)
                self.put(",")

            if copies == ONE:
                put(ZERO)
            else:
                counted(copies, put)

        self.put("[")
        self.expressions.collecting.streamed(value).each(one)
        self.close("]")

    def _score(self, value: Value) -> None:
        if not isinstance(value, Scored) or not value.shown:
            raise NotCompiled("a choice of scores that is shown with its patterns")
        with self.writer.when(eq(value.total, Lit(NO_NUMBER))):
            self.put("null")
        with self.writer.otherwise():
            self.put("{")
            self.key("total")
            self.number(value.total)
            self.put(",")
            if value.numbers:
                (score,) = (s for s in self.layout.instance.rule_set.scores if s.name == value.score)
                self.numbers(value.numbers, score)
                self.put(",")
            self.key("patterns")
            self._points(value.patterns, Lit(value.shown))
            self.put("}")

    def numbers(self, numbers: Mapping[str, Expr], score: ScoreDecl) -> None:
        """Write the numbers of a score, and in which one each of its patterns counts."""
        self.key("numbers")
        self.put("{")
        for number, held in numbers.items():
            self.key(number)
            self.number(held)
            self.put(",")
        self.close("}")
        self.put(",")
        self.key("counted_in")
        self.put(json.dumps({p.name: p.number for p in score.patterns}, separators=(",", ":")))

    def _patterns(self, value: Value) -> None:
        if not isinstance(value, Recorded):
            raise NotCompiled("patterns that are shown and are no key of the event")
        self._points([*self.layout.patterns], value.address)

    def _points(self, patterns: Sequence[str], address: Expr) -> None:
        """Write an object of the numbers of patterns that lie at an address."""
        self.put("{")
        for place, name in enumerate(patterns):
            points = self.writer.let(load(8, address, place * WORD))
            with self.writer.when(ne(points, Lit(NO_NUMBER))):
                self.key(name)
                self.number(points)
                self.put(",")
        self.close("}")


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: Value) -> Expr:
    if not isinstance(value, Scalar):
        raise NotCompiled("a bag, a meld or a score that is shown as a single value")
    return value.value


def _is_there(value: Value, kind: Opt) -> Expr:
    """Return whether a value that may be none is there."""
    if isinstance(value, Scalar) and isinstance(value.kind, NoneType):
        return ZERO
    if is_scalar(kind):
        return ne(_number(value), Lit(none_of(kind)))
    if isinstance(value, Bits | Group | PerSeat | Stream | Recorded):
        return value.present
    raise NotCompiled("a score that is shown where none is possible")
