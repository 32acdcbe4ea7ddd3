"""Runs the scanner alone: a module of its functions, with wrappers that can be called from outside.

Input: an instance. Output: for each line of a block whether it is recognised, and what was read.
Guarantee: keys are read back from memory as the strict reader gives them, bags as sorted lists.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import Action
from golpae.ir.types import Bag, Bool, Choice, Each, Int, Meld, Patterns, Tile, Type
from golpae.kernel.language.code import Lit, Module
from golpae.kernel.language.host import Host
from golpae.kernel.language.wasm import PAGE, wasm
from golpae.kernel.language.writer import ONE, Writer, add, eq, is_zero, load, lt, shl
from golpae.kernel.layout import NO_NUMBER, NONE, WORD, Arg, Layout, is_scalar
from golpae.kernel.scan.lines import header, scanner

BLOCK = 1 << 21  # bytes of text at most in one call
BEHIND = 64  # bytes that can be read behind a text
LINES = 1 << 11  # lines at most in one call


@dataclass(frozen=True, slots=True)
class Event:
    """An event that was recognised: its action, and its keys (`by` too); one that is left out is None."""

    action: str
    keys: dict[str, Any]


class Scanner:
    """The scanner of one instance."""

    def __init__(self, instance: Instance, rules: str | None = None) -> None:
        self.instance = instance
        self.layout = layout = Layout(instance)
        functions = [header(layout, instance.rule_set.rules if rules is None else rules), *scanner(layout)]
        self.listed = frozenset(
            (a.name, arg.key) for a in instance.rule_set.actions for arg in layout.args(a) if arg.listed
        )
        self._first = layout.state_end  # the keys lie between the state and `by`
        self._size = layout.by + WORD - self._first
        self._starts = layout.allocate(LINES)
        self._out = layout.allocate(LINES * (2 + self._record))
        layout.allocate(BLOCK // WORD + 16)
        self._end = -(-layout.end // PAGE) * PAGE  # of the memory; texts are written right before it
        functions += [self._wrapper("scan_header"), self._wrapper("scan_event"), self._loop()]
        self.module = Module(functions, layout.end, layout.data)
        self.bytes = wasm(self.module)
        self.host = Host(self.bytes)
        self._run = {kind: self.host.function(f"all_{kind}") for kind in ("scan_header", "scan_event")}
        self.count = self.host.function("count")

    @property
    def _record(self) -> int:
        """How many words are kept of an event: `by` and all keys."""
        return self._size // WORD

    def _wrapper(self, function: str) -> Any:
        """Return a function that reads so many lines, and notes the results and the keys of each."""
        writer = Writer(f"all_{function}", params=1, exported=True)
        lines, place = writer.param(0), writer.var(0)
        out = writer.var(self._out)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, eq(place, lines))
            found, value = writer.new(), writer.new()
            start = load(8, shl(place, Lit(3)), self._starts)
            writer.call_into([found, value], function, start)
            writer.store(8, out, found)
            writer.store(8, out, value, WORD)
            writer.copy(add(out, Lit(2 * WORD)), Lit(self._first), Lit(self._size))
            writer.set(out, add(out, Lit(2 * WORD + self._size)))
            writer.set(place, add(place, ONE))
            writer.leave(again)
        return writer.function()

    def _loop(self) -> Any:
        """Return a function that goes through a text and counts lines; 0 if one is not recognised."""
        writer = Writer("count", params=2, results=1, exported=True)
        at, end, lines = writer.param(0), writer.param(1), writer.var(0)
        found, value = writer.new(), writer.new()
        with writer.loop() as again:
            writer.call_into([found, value], "scan_event", at)
            with writer.when(is_zero(found)):
                writer.call_into([found, value], "scan_header", at)
            with writer.when(is_zero(found)):
                writer.give(Lit(0))
            writer.set(at, found)
            writer.set(lines, add(lines, ONE))
            writer.leave(again, lt(at, end))
        writer.give(lines)
        return writer.function()

    # ------------------------------------------------------------------ blocks of lines

    def put(self, text: bytes) -> int:
        """Write a text to the end of memory; return its address."""
        at = self._end - len(text) - BEHIND
        self.host.write(at, text + bytes(BEHIND))
        return at

    def _all(self, kind: str, lines: list[bytes]) -> list[tuple[int, int, bytes]]:
        """Return for each line the position behind it less its start, the second result, and the memory of keys."""
        assert len(lines) <= LINES
        text = b"\n".join(lines) + b"\n"
        assert len(text) <= BLOCK
        starts, at = [], self.put(text)
        for line in lines:
            starts.append(at)
            at += len(line) + 1
        self.host.write(self._starts, struct.pack(f"<{len(starts)}Q", *starts))
        self._run[kind](len(lines))
        size = 2 * WORD + self._size
        held = self.host.read(self._out, len(lines) * size)
        out = []
        for place, start in enumerate(starts):
            found, value = struct.unpack_from("<qq", held, place * size)
            assert found == 0 or found == start + len(lines[place]) + 1, lines[place]
            out.append((found and found - start, value, held[place * size + 2 * WORD : (place + 1) * size]))
        return out

    def headers(self, lines: list[bytes]) -> list[int | None]:
        """Return the stake of each line that is recognised as a header, None for others."""
        return [stake if found else None for found, stake, _ in self._all("scan_header", lines)]

    def events(self, lines: list[bytes]) -> list[Event | None]:
        """Return each line that is recognised as an event, None for others."""
        actions = self.instance.rule_set.actions
        return [
            self._event(actions[number], held) if found else None
            for found, number, held in self._all("scan_event", lines)
        ]

    # ------------------------------------------------------------------ keys

    def _event(self, action: Action, held: bytes) -> Event:
        keys: dict[str, Any] = {}
        if action.by is not None:
            keys["by"] = self._word(held, self.layout.by)
        for arg in self.layout.args(action):
            keys[arg.key] = self._arg(held, arg)
        return Event(action.name, keys)

    def _word(self, held: bytes, address: int) -> int:
        value: int = struct.unpack_from("<q", held, address - self._first)[0]
        return value

    def _arg(self, held: bytes, arg: Arg) -> Any:
        if arg.parts:
            return [self._word(held, arg.address + place * WORD) for place in range(arg.parts)]
        if not is_scalar(arg.kind) and (arg.optional or arg.nullable):
            given = self._word(held, arg.address)
            assert given in (0, 1)
            if not given:
                return None
            read = self._value(held, arg.kind, arg.address + WORD)
            return self._listed(held, arg, read)
        return self._listed(held, arg, self._value(held, arg.kind, arg.address))

    def _listed(self, held: bytes, arg: Arg, read: Any) -> Any:
        """Return the tiles of a key as they are listed, if their order matters."""
        if not arg.listed:
            return read
        at = arg.listed + WORD - self._first
        listed = list(struct.unpack_from(f"<{self._word(held, arg.listed)}H", held, at))
        assert sorted(listed) == read
        return listed

    def _value(self, held: bytes, kind: Type, address: int) -> Any:
        if is_scalar(kind):
            value = self._word(held, address)
            if value == NO_NUMBER or (value == NONE and not _is_int(kind)):
                return None
            if isinstance(kind, Choice):
                return kind.words[value]
            return bool(value) if isinstance(kind, Bool) else value
        match kind:
            case Bag(Bag(Tile()) | Int() | Meld() as item):
                size = self.layout.slots(item) * WORD
                count = self._word(held, address)
                return [self._value(held, item, address + WORD + n * size) for n in range(count)]
            case Meld():
                label = self._word(held, address)
                tiles = self._bag(held, Tile(), address + WORD)
                return (None if label == NONE else self.layout.labels[label], tiles)
            case Patterns():
                points = {n: self._word(held, address + k * WORD) for k, n in enumerate(self.layout.patterns)}
                return {name: number for name, number in points.items() if number != NO_NUMBER}
            case Bag(item):
                return self._bag(held, item, address)
            case Each(item):
                size = self.layout.slots(item) * WORD
                return [self._value(held, item, address + n * size) for n in range(self.layout.players)]
        raise AssertionError(kind)

    def _bag(self, held: bytes, item: Type, address: int) -> list[Any]:
        out: list[Any] = []
        words = self.layout.words(item)
        for plane in range(self.layout.planes(item)):
            for word in range(words):
                bits = self._word(held, address + (plane * words + word) * WORD) & (1 << 64) - 1
                out += [word * 64 + k for k in range(64) if bits >> k & 1]
        if isinstance(item, Choice):
            return sorted(item.words[k] for k in out)
        return sorted(bool(k) if isinstance(item, Bool) else k for k in out)


def _is_int(kind: Type) -> bool:
    from golpae.kernel.layout import is_number

    return is_number(kind)
