"""Read the lines of a trace: which action an event is, and its keys.

Input: the layout of an instance. Output: functions of the kernel language.
Guarantee: a line is recognised only if the strict reader (`trace.read`, `trace.header`, `replay.decode`) reads the same
from it. Anything else, such as a text with escapes or other white space than one space behind a comma or a colon, is
not recognised: the strict reader decides.

The input lies anywhere in memory. Every line ends in a line feed, before which a carriage return may stand. At least 64
bytes follow the last one.

- `scan_header(at)`: the position behind the line, or 0 if it is not recognised as a header of this instance; the stake.
- `scan_any_header(at)`: the position behind the line, or 0 if it is not recognised as a header of any instance; a
  signature: the same for headers of the same instance that write its options alike. Others rarely have the same.
- `scan_event(at)`: the position behind the line, or 0; the place of its action in `rule_set.actions`. The keys are at
  the addresses of `layout.args`, the seat that acts at `layout.by`.

Most events are recorded in one way: `do`, `by`, then the keys as declared, without spaces. `scan_event` reads these in
place; all others are read key by key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from golpae.elaborate.instance import TableFault, options_of
from golpae.ir.ruleset import Action
from golpae.kernel.language.code import Expr, Function, Get, Label, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    gt,
    is_zero,
    load,
    lt,
    mul,
    ne,
    shl,
    shr,
    sub,
    xor,
)
from golpae.kernel.layout import WORD, Layout, is_scalar
from golpae.kernel.scan.gaps import Gaps
from golpae.kernel.scan.names import places
from golpae.kernel.scan.read_values import Values
from golpae.kernel.scan.text import STRING, Cursor, NameReader, text_functions
from golpae.trace.header import VERSION

LONGEST = 60_000  # bytes of a line that is recognised
_IN_PLACE = 64  # actions at most whose events are read in place
_DO = b'{"do":'
ALWAYS = ("note", "time")
HEADER, ANY_HEADER = "scan_header", "scan_any_header"
_MIX, _FACTOR = "mix_text", 0x9E37_79B9_7F4A_7C15


def scanner(layout: Layout, gaps: Gaps | None = None) -> list[Function]:
    """Return the functions that read events, and, with gaps, the tiles in these."""
    values = Values(layout, gaps)
    events = _Events(layout, values, gaps)
    functions = events.functions()
    return [*text_functions(), *values.functions, *functions]


def quoted(text: str) -> bytes:
    return b'"' + text.encode() + b'"'


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a line, and the code that reads its value."""

    name: str
    read: Callable[[Cursor], None]
    required: bool = True


def read_object(cursor: Cursor, keys: Sequence[Key]) -> Get:
    """Read an object with these keys in any order. Return the bits of those that were there, by their places."""
    writer = cursor.writer
    seen = writer.var(0)
    cursor.expect(b"{")
    cursor.settle()
    required = sum(1 << place for place, key in enumerate(keys) if key.required)
    with writer.block() as done:
        if not required:
            writer.leave(done, eq(cursor.load(1), Lit(ord("}"))))
        with writer.loop() as again:
            with writer.block() as read:
                for place, key in enumerate(keys):
                    text = quoted(key.name)
                    with writer.when(cursor.follows(text + b":")):
                        writer.leave(cursor.fail, both(seen, Lit(1 << place)))
                        writer.set(seen, either(seen, Lit(1 << place)))
                        cursor.skip(len(text) + 1)
                        cursor.skip_space()
                        key.read(cursor)
                        cursor.settle()
                        writer.leave(read)
                writer.leave(cursor.fail)
            writer.leave(done, ne(cursor.load(1), Lit(ord(","))))
            cursor.comma()
            writer.leave(again)
    writer.leave(cursor.fail, ne(both(seen, Lit(required)), Lit(required)))
    return seen


def line_end(cursor: Cursor) -> None:
    """Read the end of an object and of its line, which may be that of Windows."""
    cursor.expect(b"}")
    cursor.settle()
    with cursor.writer.when(eq(cursor.load(1), Lit(ord("\r")))):
        cursor.writer.set(cursor.at, add(cursor.at, ONE))
    cursor.expect(b"\n")
    cursor.settle()


def passed_over(names: Sequence[str]) -> list[Key]:
    return [Key(name, Cursor.simple, required=False) for name in names]


# ---------------------------------------------------------------- events


class _Events:
    """Writes the functions that read events."""

    def __init__(self, layout: Layout, values: Values, gaps: Gaps | None) -> None:
        self._layout = layout
        self._values, self._gaps = values, gaps
        self._actions = layout.instance.rule_set.actions
        numbers = {action.name: number for number, action in enumerate(self._actions)}
        self._names = NameReader(layout, "action", numbers)

    def functions(self) -> list[Function]:
        any_order = [self._any_order(number, action) for number, action in enumerate(self._actions)]
        return [*self._names.functions, *any_order, _find_do(), self._other(), self._event()]

    # ------------------------------------------------------------------ keys in any order

    def _any_order(self, number: int, action: Action) -> Function:
        """Return the function that reads the events of one action: from their position to that behind them, or 0."""
        writer = Writer(f"scan_event_{number}", params=1, results=1)
        at, values = writer.var(writer.param(0)), self._values
        args = self._layout.args(action)
        self._from_first_gap(writer, action)
        with writer.block() as fail:
            cursor = Cursor(writer, at, fail, spaced=True)
            keys = [Key("do", lambda c: c.expect(quoted(action.name)))]
            if action.by is not None:
                keys.append(Key("by", self._by))
            first = len(keys)
            keys += [Key(arg.key, values.reader(arg), not arg.optional) for arg in args]
            seen = read_object(cursor, [*keys, *passed_over(ALWAYS)])
            for place, arg in enumerate(args, first):
                if arg.optional:
                    with writer.when(is_zero(both(seen, Lit(1 << place)))):
                        values.none(writer, arg)
            line_end(cursor)
            writer.leave(fail, gt(sub(cursor.at, writer.param(0)), Lit(LONGEST + 1)))
            writer.give(cursor.at)
        writer.give(ZERO)
        return writer.function()

    def _by(self, cursor: Cursor) -> None:
        cursor.writer.store(8, Lit(self._layout.by), self._values.seat(cursor))

    def _line_end(self, cursor: Cursor, start: Expr, may_be_long: bool) -> None:
        cursor.expect(b"}\n")
        cursor.settle()
        if may_be_long:
            cursor.writer.leave(cursor.fail, gt(sub(cursor.at, start), Lit(LONGEST + 1)))

    def _other(self) -> Function:
        """Return the function that reads any event that `scan_event` does not read in place."""
        writer = Writer("scan_other", params=1, results=2)
        start = writer.param(0)
        at = writer.var(start)
        with writer.block() as fail:
            cursor = Cursor(writer, at, fail, spaced=True)
            cursor.move(call("scan_find_do", at))
            cursor.require(at)
            cursor.expect(b'"')
            number = writer.let(self._names.read(cursor))
            in_turn(writer, number, [self._call(writer, start, n) for n in range(len(self._actions))], fail)
        writer.give(ZERO, ZERO)
        return writer.function()

    def _call(self, writer: Writer, start: Expr, number: int) -> Callable[[], None]:
        return lambda: writer.give(call(f"scan_event_{number}", start), Lit(number))

    # ------------------------------------------------------------------ as most are written

    def _event(self) -> Function:
        writer = Writer("scan_event", params=1, results=2)
        start = writer.param(0)
        with writer.block() as other:
            cursor = Cursor(writer, start, other, spaced=False)
            cursor.expect(_DO)
            cursor.expect(b'"')
            cursor.check()
            word = writer.let(cursor.load(8))
            alike: dict[int, list[int]] = {}
            for number, action in enumerate(self._actions[:_IN_PLACE]):
                if _is_usual(action):
                    begin = int.from_bytes(self._begin(action)[:8], "little")
                    alike.setdefault(begin, []).append(number)
            place = places(alike)
            cases: list[Callable[[], None] | None] = [None] * (place.mask + 1)
            for begin, numbers in alike.items():
                cases[place.of(begin)] = self._case(writer, start, numbers, other)
            in_turn(writer, shr(mul(word, Lit(place.multiplier)), Lit(place.shift)), cases, other)
        scanned = [writer.new(), writer.new()]
        writer.call_into(scanned, "scan_other", start)
        writer.give(*scanned)
        return writer.function()

    def _begin(self, action: Action) -> bytes:
        """Return how the events of an action begin, from its name to the first value."""
        keys = [*(["by"] if action.by is not None else []), *(p.name for p in action.params)]
        return action.name.encode() + b'",' + quoted(keys[0]) + b":"

    def _case(self, writer: Writer, start: Get, numbers: Sequence[int], other: Label) -> Callable[[], None]:
        def read() -> None:
            for number in numbers[:-1]:
                with writer.block() as next_one:
                    self._in_place(writer, start, number, next_one)
            self._in_place(writer, start, numbers[-1], other)

        return read

    def _in_place(self, writer: Writer, start: Get, number: int, fail: Label) -> None:
        """Write how events of one action are read with their keys in the usual order."""
        action = self._actions[number]
        args = self._layout.args(action)
        at = writer.var(start)
        self._from_first_gap(writer, action)
        cursor = Cursor(writer, at, fail, spaced=False)
        cursor.skip(len(_DO) + 1)
        cursor.expect(action.name.encode() + b'"')
        if action.by is not None:
            cursor.expect(b',"by":')
            self._by(cursor)
        for arg in args:
            begin = b"," + quoted(arg.key) + b":"
            if not arg.optional:
                cursor.expect(begin)
                self._values.arg(cursor, arg)
                continue
            cursor.settle()
            with writer.when(cursor.follows(begin)):
                cursor.skip(len(begin))
                self._values.arg(cursor, arg)
                cursor.settle()
            with writer.otherwise():
                self._values.none(writer, arg)
        self._line_end(cursor, start, any(not is_scalar(a.kind) for a in args))
        writer.give(at, Lit(number))

    def _from_first_gap(self, writer: Writer, action: Action) -> None:
        if self._gaps is not None and not all(is_scalar(arg.kind) for arg in self._layout.args(action)):
            self._gaps.begin(writer)


def _is_usual(action: Action) -> bool:
    """Return whether events of an action have a first key that is always there."""
    return action.by is not None or (bool(action.params) and not action.params[0].optional)


def in_turn(writer: Writer, number: Expr, cases: Sequence[Callable[[], None] | None], other: Label) -> None:
    """Write the code of one of several cases; each of them ends with a result, or goes on to `other`."""
    labels, blocks = [other] * len(cases), []
    for place, case in enumerate(cases):
        if case is not None:
            block = ExitStack()
            labels[place] = block.enter_context(writer.block())
            blocks.append((block, case))
    writer.switch(number, labels, other)
    for block, case in reversed(blocks):
        block.close()
        case()
        writer.leave(other)


def _find_do() -> Function:
    """Return the function from the position of a line to that of the value of its `do`, or 0."""
    writer = Writer("scan_find_do", params=1, results=1)
    at, depth = writer.param(0), writer.var(0)
    with writer.block() as fail:
        writer.leave(fail, ne(load(1, at), Lit(ord("{"))))
        writer.set(at, add(at, ONE))
        cursor = Cursor(writer, at, fail, spaced=True)
        with writer.loop() as again:
            byte = writer.let(cursor.load(1))
            with writer.when(eq(byte, Lit(ord('"')))):
                with writer.when(both(is_zero(depth), cursor.follows(b'"do":'))):
                    cursor.skip(5)
                    cursor.skip_space()
                    writer.give(at)
                writer.set(at, call(STRING, add(at, ONE)))
                writer.leave(fail, is_zero(at))
                writer.leave(again)
            writer.leave(fail, lt(byte, Lit(0x20)))
            opens = either(eq(byte, Lit(ord("["))), eq(byte, Lit(ord("{"))))
            closes = either(eq(byte, Lit(ord("]"))), eq(byte, Lit(ord("}"))))
            writer.set(depth, sub(add(depth, opens), closes))
            writer.leave(fail, lt(depth, ZERO))
            writer.set(at, add(at, ONE))
            writer.leave(again)
    writer.give(ZERO)
    return writer.function()


# ---------------------------------------------------------------- headers


def header(layout: Layout, rules: str | None, named: int | None = None) -> Function:
    """Return the function that reads headers, which write the rule set as `rules`, or anyhow. It notes where the id
    begins and ends at `named`.
    """
    writer = Writer(HEADER, params=1, results=2)
    at, stake = writer.var(writer.param(0)), writer.var(1)
    _note_id(writer, at, named)

    def read_stake(cursor: Cursor) -> None:
        writer.set(stake, cursor.number())
        writer.leave(cursor.fail, lt(stake, ONE))

    with writer.block() as fail:
        cursor = Cursor(writer, at, fail, spaced=True)
        instance = layout.instance
        required = _left_out(layout)
        keys = [
            Key("golpae", lambda c: c.expect(str(VERSION).encode())),
            Key("rules", Cursor.string if rules is None else lambda c: c.expect(quoted(rules))),
            Key("players", lambda c: _players(c, instance.players)),
            Key("stake", read_stake, required=False),
            Key("options", lambda c: read_options(c, layout), required=bool(required)),
            _id(named),
            *passed_over(ALWAYS),
        ]
        if rules is not None and ('"' in rules or "\\" in rules or not rules.isprintable()):
            writer.leave(fail)
        read_object(cursor, keys)
        line_end(cursor)
        writer.leave(fail, gt(sub(at, writer.param(0)), Lit(LONGEST + 1)))
        writer.give(at, stake)
    writer.give(ZERO, ZERO)
    return writer.function()


def _id(named: int | None) -> Key:
    """Return the key of a header for its id."""

    def read(cursor: Cursor) -> None:
        cursor.settle()
        begin = cursor.writer.var(cursor.at)
        cursor.simple()
        cursor.settle()
        _note_id(cursor.writer, begin, named, cursor.at)

    return Key("id", read, required=False)


def _note_id(writer: Writer, begin: Expr, named: int | None, end: Expr | None = None) -> None:
    if named is not None:
        writer.store(8, ZERO, begin, named)
        writer.store(8, ZERO, begin if end is None else end, named + WORD)


def any_header(rules: str | None, named: int) -> list[Function]:
    """Return the function that reads headers of all instances, and what it needs. If `rules` is None, the signature
    does not depend on the rule set. It notes where the id begins and ends at `named`.
    """
    writer = Writer(ANY_HEADER, params=1, results=2)
    at, signature = writer.var(writer.param(0)), writer.var(1)
    _note_id(writer, at, named)

    def mixed(read: Callable[[Cursor], None]) -> Callable[[Cursor], None]:
        def mix(cursor: Cursor) -> None:
            cursor.settle()
            begin = writer.var(at)
            read(cursor)
            cursor.settle()
            writer.set(signature, add(signature, call(_MIX, begin, at)))

        return mix

    def count_players(cursor: Cursor) -> None:
        many = writer.var(0)

        def player() -> None:
            cursor.string()
            writer.set(many, add(many, ONE))

        cursor.items(player)
        writer.set(signature, add(signature, many))

    def options(cursor: Cursor) -> None:
        def option() -> None:
            cursor.string()
            cursor.colon()
            cursor.number()

        cursor.items(option, b"{", b"}")

    with writer.block() as fail:
        cursor = Cursor(writer, at, fail, spaced=True)
        keys = [
            Key("golpae", lambda c: c.expect(str(VERSION).encode())),
            Key("rules", Cursor.string if rules is None else mixed(Cursor.string)),
            Key("players", count_players),
            Key("stake", lambda c: writer.leave(c.fail, lt(c.number(), ONE)), required=False),
            Key("options", mixed(options), required=False),
            _id(named),
            *passed_over(ALWAYS),
        ]
        read_object(cursor, keys)
        line_end(cursor)
        writer.leave(fail, gt(sub(at, writer.param(0)), Lit(LONGEST + 1)))
        writer.give(at, signature)
    writer.give(ZERO, ZERO)
    return [writer.function(), _mix()]


def _mix() -> Function:
    """Return the function from the beginning and the end of a text to a number that is rarely that of another one."""
    writer = Writer(_MIX, params=2, results=1)
    at, end = writer.param(0), writer.param(1)
    mixed = writer.var(ONE)
    with writer.loop() as again:
        word = writer.var(load(8, at))
        left = writer.let(sub(end, at))
        with writer.when(lt(left, Lit(8))):
            writer.set(word, both(word, sub(shl(ONE, shl(left, Lit(3))), ONE)))
        writer.set(mixed, mul(xor(mixed, word), Lit(_FACTOR)))
        writer.set(mixed, xor(mixed, shr(mixed, Lit(29))))
        writer.set(at, add(at, Lit(8)))
        writer.leave(again, lt(at, end))
    writer.give(shr(mul(mixed, Lit(_FACTOR)), Lit(8)))
    return writer.function()


def _players(cursor: Cursor, players: int) -> None:
    for seat in range(players):
        cursor.expect(b"[") if seat == 0 else cursor.comma()
        cursor.string()
    cursor.expect(b"]")


def _left_out(layout: Layout) -> frozenset[str]:
    """Return the options that a header has to state, because they are not as usual."""
    instance = layout.instance
    try:
        usual = options_of(instance.rule_set, {})
    except TableFault:
        usual = {}
    return frozenset(name for name, value in instance.options.items() if usual.get(name) != value)


def read_options(cursor: Cursor, layout: Layout) -> None:
    required = _left_out(layout)

    def read(value: int) -> Callable[[Cursor], None]:
        return lambda c: c.require(eq(c.number(), Lit(value)))

    options = layout.instance.options.items()
    keys = [Key(name, read(value), name in required) for name, value in options]
    read_object(cursor, keys)
    cursor.expect(b"}")
