"""Read pieces of a JSON text: words that are expected, names, numbers, texts.

Input: a position in memory, as a local of a function that is being written. Output: code that reads on from there.
Guarantee: code leaves for `fail` unless the bytes are exactly what was expected; it never reads on behind the end of a
line, but up to 64 bytes may be loaded behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from golpae.kernel.language.code import Expr, Function, Get, Label, Lit, Width
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    below,
    both,
    call,
    compare,
    either,
    eq,
    is_zero,
    load,
    lowest_bit,
    lt,
    mul,
    ne,
    select,
    shl,
    shr,
    sub,
    without,
    xor,
)
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.scan.names import NameTable, names

ONES, HIGH = 0x0101010101010101, 0x8080808080808080
_CHUNK = 32  # bytes of a text that are loaded before any is checked: fewer than follow the last line
DIGITS = 15  # of a number at most
STRING, NUMBER = "scan_string", "scan_number"


def every(byte: int) -> Lit:
    """Return a word all of whose bytes are this one."""
    return Lit(ONES * byte)


def zero_bytes(word: Expr) -> Expr:
    """Return a word whose lowest bit is the highest of the first byte of `word` that is 0; 0 if none is."""
    return both(without(sub(word, Lit(ONES)), word), Lit(HIGH))


class Cursor:
    """A position in a text while code is written: a local and a number of bytes behind it.

    If it is `spaced`, there may be one space behind each comma and colon.
    """

    def __init__(self, writer: Writer, at: Get, fail: Label, spaced: bool) -> None:
        self.writer = writer
        self.at = at
        self.fail = fail
        self.spaced = spaced
        self._ahead = 0
        self._expected = b""  # from `_ahead` on, not checked yet

    # ------------------------------------------------------------------ words that are known

    def expect(self, text: bytes) -> None:
        """Read this text; it is checked when something else is read."""
        self._expected += text

    def colon(self) -> None:
        self._separator(b":")

    def comma(self) -> None:
        self._separator(b",")

    def _separator(self, mark: bytes) -> None:
        self.expect(mark)
        if self.spaced:
            self.skip_space()

    def skip_space(self) -> None:
        """Skip one space if there is one."""
        self.settle()
        with self.writer.when(eq(self.load(1), Lit(0x20))):
            self.writer.set(self.at, add(self.at, ONE))

    def follows(self, text: bytes) -> Expr:
        """Return whether this text follows."""
        assert not self._expected
        if len(text) <= _CHUNK:
            return is_zero(self._differs(text, 0))
        matches = self.writer.var(0)
        with self.writer.block() as other:
            for start in range(0, len(text), _CHUNK):
                self.writer.leave(other, self._differs(text[start : start + _CHUNK], start))
            self.writer.set(matches, ONE)
        return matches

    def check(self) -> None:
        """Check what is expected."""
        text, self._expected = self._expected, b""
        for start in range(0, len(text), _CHUNK):
            part = text[start : start + _CHUNK]
            self.writer.leave(self.fail, self._differs(part, 0))
            self._ahead += len(part)

    def _differs(self, text: bytes, ahead: int) -> Expr:
        """Return whether another text than this one, of at most 32 bytes, stands so many bytes ahead."""
        size = len(text)
        wrong: Expr = ZERO
        starts = [*range(0, size - 7, 8), *([size - 8] if size > 8 and size % 8 else [])] or [0]
        for start in starts:
            part = text[start : start + 8]
            word: Expr
            match len(part):
                case 1 | 2 | 4 | 8 as width:
                    word = self.load(width, ahead + start)
                case width:
                    word = both(self.load(8, ahead + start), Lit((1 << 8 * width) - 1))
            known = Lit(int.from_bytes(part, "little"))
            if len(starts) == 1:
                return ne(word, known)
            wrong = either(wrong, xor(word, known))
        return wrong

    def settle(self) -> None:
        """Check what is expected, and put the position into the local."""
        self.check()
        if self._ahead:
            self.writer.set(self.at, add(self.at, Lit(self._ahead)))
            self._ahead = 0

    @property
    def position(self) -> Expr:
        return add(self.at, Lit(self._ahead))

    # ------------------------------------------------------------------ anything else

    def load(self, width: Width, ahead: int = 0) -> Expr:
        """Return the number in the next bytes. INVARIANT: everything that is expected is checked."""
        return load(width, self.at, self._ahead + ahead)

    def skip(self, size: int) -> None:
        """Move on over bytes that are known."""
        self.check()
        self._ahead += size

    def require(self, test: Expr) -> None:
        self.writer.leave(self.fail, is_zero(test))

    def move(self, next_at: Expr) -> None:
        self._ahead = 0
        self.writer.set(self.at, next_at)

    def digit(self, most: int) -> Expr:
        """Read one digit that is less than `most`."""
        self.check()
        value = self.writer.let(sub(self.load(1), Lit(ord("0"))))
        self.writer.leave(self.fail, compare("ge_u", value, Lit(most)))
        self._ahead += 1
        return value

    def number(self) -> Expr:
        """Read a number."""
        self.settle()
        value = self.writer.new()
        self.writer.call_into([self.at, value], NUMBER, self.at)
        self.require(self.at)
        return value

    def string(self) -> None:
        """Read a text of any content."""
        self.expect(b'"')
        self.settle()
        self.move(call(STRING, self.at))
        self.require(self.at)

    def simple(self) -> None:
        """Read a text or a number of any content."""
        self.settle()
        with self.writer.when(eq(self.load(1), Lit(ord('"')))):
            self.string()
        with self.writer.otherwise():
            self.number()

    def run(self, function: str, address: Expr) -> None:
        """Read with a function from a position and an address to the next position."""
        self.settle()
        self.move(call(function, self.at, address))
        self.require(self.at)

    def items(self, read_item: Callable[[], None], begin: bytes = b"[", end: bytes = b"]") -> None:
        """Read a list of any length, or an object between other brackets; `read_item` writes how an item is read, up to
        the mark behind it.
        """
        writer = self.writer
        self.expect(begin)
        self.settle()
        with writer.block() as done:
            writer.leave(done, eq(self.load(1), Lit(ord(end))))
            with writer.loop() as again:
                read_item()
                self.settle()
                writer.leave(done, eq(self.load(1), Lit(ord(end))))
                self.comma()
                writer.leave(again)
        self.expect(end)


@dataclass(frozen=True, slots=True)
class _Held:
    """A table in memory, and the addresses of its two parts."""

    table: NameTable
    entries: int
    displaced: int


def _held(layout: Layout, table: NameTable | None) -> _Held | None:
    if table is None:
        return None
    return _Held(table, layout.hold(table.entries), layout.hold(table.displaced) if table.displaced else 0)


class NameReader:
    """Reads names of one kind: those of tiles, of actions, of a choice."""

    def __init__(self, layout: Layout, name: str, numbers: Mapping[str, int]) -> None:
        tables = names(numbers)
        self._short = _held(layout, tables.short)
        self._long = _held(layout, tables.long)
        self._function = f"scan_long_{name}"
        self.functions = [self._long_function(self._long)] if self._long else []

    def read(self, cursor: Cursor) -> Expr:
        """Read a name behind its opening quote, and the quote behind it. Return its number."""
        writer = cursor.writer
        if self._short is None and self._long is None:
            writer.leave(cursor.fail)
            return ZERO
        if self._short is None:
            return self._read_long(cursor)
        if self._long is None:
            cursor.check()
        else:
            cursor.settle()
        word = writer.let(cursor.load(8))
        quotes = writer.let(zero_bytes(xor(word, every(0x22))))
        if self._long is None:
            cursor.require(quotes)
            return self._read_short(cursor, self._short, word, quotes)
        value = writer.new()
        with writer.when(quotes):
            writer.set(value, self._read_short(cursor, self._short, word, quotes))
        with writer.otherwise():
            writer.set(value, self._read_long(cursor))
        return value

    def _read_short(self, cursor: Cursor, held: _Held, word: Expr, quotes: Expr) -> Expr:
        writer = cursor.writer
        key = writer.let(both(word, xor(quotes, sub(quotes, ONE))))
        entry = writer.let(_entry(held, key, writer))
        cursor.require(eq(load(8, entry, held.entries), key))
        cursor.move(add(add(cursor.position, shr(lowest_bit(quotes), Lit(3))), ONE))
        return writer.let(load(8, entry, held.entries + WORD))

    def _read_long(self, cursor: Cursor) -> Expr:
        cursor.settle()
        value = cursor.writer.new()
        cursor.writer.call_into([cursor.at, value], self._function, cursor.at)
        cursor.require(cursor.at)
        return value

    def _long_function(self, cursor: _Held) -> Function:
        """Return the function from the position of a name to the position behind its quote, or 0, and its number."""
        writer, table = Writer(self._function, params=1, results=2), cursor.table
        at, behind = writer.param(0), writer.var(0)
        words: list[Expr] = []
        mixed: Expr = ZERO
        for place in range(table.words):
            word = writer.let(load(8, at, WORD * place))
            quotes = writer.let(zero_bytes(xor(word, every(0x22))))
            kept: Expr = writer.let(
                select(behind, ZERO, select(quotes, both(word, xor(quotes, sub(quotes, ONE))), word))
            )
            quote_at = add(add(at, Lit(WORD * place + 1)), shr(lowest_bit(quotes), Lit(3)))
            writer.set(behind, select(both(is_zero(behind), ne(quotes, ZERO)), quote_at, behind))
            words.append(kept)
            mixed = writer.let(add(mul(mixed, Lit(table.mixer)), kept))
        entry = writer.let(_entry(cursor, mixed, writer))
        wrong: Expr = is_zero(behind)
        for place, kept in enumerate(words):
            wrong = either(wrong, xor(kept, load(8, entry, cursor.entries + WORD * place)))
        number = load(8, entry, cursor.entries + WORD * table.words)
        writer.give(select(wrong, ZERO, behind), number)
        return writer.function()


def _entry(held: _Held, key: Expr, writer: Writer) -> Expr:
    """Return how far behind the beginning of a table the entry of a key lies."""
    place = held.table.place
    size = WORD * (held.table.words + 1)
    product = mul(key, Lit(place.multiplier))
    if not place.displaced:
        return mul(shr(product, Lit(place.shift)), Lit(size))
    product = writer.let(product)
    displaced = load(2, shl(shr(product, Lit(place.shift)), ONE), held.displaced)
    return mul(both(add(shr(product, Lit(place.second)), displaced), Lit(place.mask)), Lit(size))


# ---------------------------------------------------------------- functions


def text_functions() -> list[Function]:
    """Return the functions that every scanner needs."""
    return [_string(), _number()]


def _string() -> Function:
    """Return the function from the first position in a text to that behind its closing quote.

    It is 0 if the text has an escape or a control character, or is not UTF-8.
    """
    writer = Writer(STRING, params=1, results=1)
    at = writer.param(0)
    with writer.block() as fail, writer.loop() as again:
        word = writer.let(load(8, at))
        quotes = zero_bytes(xor(word, every(0x22)))
        escapes = zero_bytes(xor(word, every(0x5C)))
        controls = without(sub(word, every(0x20)), word)
        stop = writer.let(both(either(either(quotes, escapes), either(controls, word)), Lit(HIGH)))
        with writer.when(is_zero(stop)):
            writer.set(at, add(at, Lit(WORD)))
            writer.leave(again)
        writer.set(at, add(at, shr(lowest_bit(stop), Lit(3))))
        first = writer.let(load(1, at))
        with writer.when(eq(first, Lit(0x22))):
            writer.give(add(at, ONE))
        second = writer.let(load(1, at, 1))
        third, fourth = load(1, at, 2), load(1, at, 3)
        with writer.when(below(sub(first, Lit(0xC2)), Lit(0x1E))):
            writer.leave(fail, is_zero(_continues(second)))
            writer.set(at, add(at, Lit(2)))
            writer.leave(again)
        with writer.when(eq(shr(first, Lit(4)), Lit(0xE))):
            low = select(eq(first, Lit(0xE0)), Lit(0xA0), Lit(0x80))
            high = select(eq(first, Lit(0xED)), Lit(0x9F), Lit(0xBF))
            inside = both(compare("ge_s", second, low), compare("le_s", second, high))
            writer.leave(fail, is_zero(both(inside, _continues(third))))
            writer.set(at, add(at, Lit(3)))
            writer.leave(again)
        with writer.when(below(sub(first, Lit(0xF0)), Lit(5))):
            low = select(eq(first, Lit(0xF0)), Lit(0x90), Lit(0x80))
            high = select(eq(first, Lit(0xF4)), Lit(0x8F), Lit(0xBF))
            inside = both(compare("ge_s", second, low), compare("le_s", second, high))
            writer.leave(fail, is_zero(both(inside, both(_continues(third), _continues(fourth)))))
            writer.set(at, add(at, Lit(4)))
            writer.leave(again)
    writer.give(ZERO)
    return writer.function()


def _continues(byte: Expr) -> Expr:
    return eq(both(byte, Lit(0xC0)), Lit(0x80))


def _number() -> Function:
    """Return the function from the position of a number to that behind it, or 0, and its value."""
    writer = Writer(NUMBER, params=1, results=2)
    at = writer.param(0)
    sign = writer.let(eq(load(1, at), Lit(ord("-"))))
    writer.set(at, add(at, sign))
    start = writer.let(at)
    value = writer.var(sub(load(1, at), Lit(ord("0"))))
    with writer.block() as fail:
        writer.leave(fail, compare("gt_u", value, Lit(9)))
        writer.set(at, add(at, ONE))
        digit = writer.var(sub(load(1, at), Lit(ord("0"))))
        with writer.when(is_zero(value)):  # `-0` and numbers that begin with 0
            writer.leave(fail, either(sign, below(digit, Lit(10))))
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, compare("gt_u", digit, Lit(9)))
            writer.set(value, add(mul(value, Lit(10)), digit))
            writer.set(at, add(at, ONE))
            writer.leave(fail, lt(Lit(DIGITS), sub(at, start)))
            writer.set(digit, sub(load(1, at), Lit(ord("0"))))
            writer.leave(again)
        writer.give(at, select(sign, sub(ZERO, value), value))
    writer.give(ZERO, ZERO)
    return writer.function()
