"""Run the module of one instance on a text.

Input: an instance, a text in blocks, positions in it. Output: which traces were checked, and where it stopped.
Guarantee: nothing is kept from one text to the next; positions are those of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import Array, c_int64
from dataclasses import dataclass
from struct import Struct
from typing import Any, cast

from golpae.elaborate.instance import Instance
from golpae.ir.lifecycle import ENDED, FINISHED
from golpae.kernel.language.host import PADDING, Referred, TextAtEnd
from golpae.kernel.language.limits import why as why_stopped
from golpae.kernel.layout import WORD
from golpae.kernel.rows import ENTRIES, LINE, MISSING, MORE, OTHER_LINE, WORDS
from golpae.kernel.scan.gaps import MOST_NUMBERS, SHORT, TILE
from golpae.kernel.start import started
from golpae.kernel.traces import NOTE, REFER

_TOLD = Struct("<10q")  # the words of `traces.Place` before the notes
_WORD = Struct("<q")
_TOLD_ROWS = Struct("<7q")  # of `rows.RowsPlace`, the first words
_NOTHING_YET = Struct("<5q")  # of the same, from `why` on
_ROWS = Struct(f"<{WORDS}q")
_ENTRIES = Struct(f"<{ENTRIES}q").pack(
    *[MISSING] * SHORT, *(byte << 8 | MORE for byte in range(SHORT, ENTRIES - 1)), OTHER_LINE
)
_TILES = bytes(MOST_NUMBERS * TILE)
_START = 4  # bytes of the number of a byte at which something begins


@dataclass(frozen=True, slots=True)
class Noted:
    """A trace whose events are all legal: where its header is, its line, how many events it has, whether it is over."""

    at: int
    line: int
    events: int
    complete: bool


class Notes:
    """Traces whose events are all legal, in order. `whole` says so if all of them are over, and `together` how many
    events they have, if somebody has counted.
    """

    def __init__(
        self,
        held: Sequence[int] | Array[c_int64],
        base: int,
        whole: bool = False,
        together: int | None = None,
    ) -> None:
        self._held, self._base = held, base
        self._whole, self._together = whole, together

    def __len__(self) -> int:
        return len(self._held) // NOTE

    def __getitem__(self, number: int) -> Noted:
        at, line, events, complete = self._held[number * NOTE : (number + 1) * NOTE]
        return Noted(at - self._base, line, events, complete != 0)

    def incomplete(self) -> list[int]:
        """Return the numbers of those that are not over."""
        if self._whole:
            return []
        complete = list(self._held[NOTE - 1 :: NOTE])
        return [number for number, whole in enumerate(complete) if not whole] if not all(complete) else []

    def events(self, first: int, end: int) -> int:
        """Return how many events the traces of these numbers have together."""
        if self._together is not None and first == 0 and end == len(self):
            return self._together
        return sum(self._held[first * NOTE + 2 : end * NOTE : NOTE])


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where `check` stopped, and why, one of `traces.DONE` and the others.

    `open` is the place of the trace that is open there, `open_line` its line, `events` how many it has had. It is None
    if there is none. `reason` says what in the rules is referred, if it stopped for that.
    """

    at: int
    line: int
    why: int
    open: int | None
    open_line: int
    events: int
    noted: Notes
    reason: str | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of packed games in the memory of this process: where its numbers of four bytes lie, one more than rows,
    and its bytes.
    """

    starts: int
    held: int
    size: int


@dataclass(frozen=True, slots=True)
class PackedRows:
    """So many rows of packed games. `words` are the words in them, each with a zero byte behind it; `lines` is where
    the numbers of lines lie, of four bytes. All stay where they are as long as `owner` does.
    """

    many: int
    words: bytes
    header: Column
    events: Column
    rare: Column
    lines: int
    owner: object


@dataclass(frozen=True, slots=True)
class StoppedRows:
    """The row at which `check_rows` stopped, its line, why, and the rows before whose events are all legal: each is
    `at` its number. `reason` says what in the rules is referred, if it stopped for that.
    """

    row: int
    line: int
    why: int
    noted: Notes
    reason: str | None


def _word(address: int) -> int:
    """Return the first address that is not before another one, at which a word can begin."""
    return -(-address // WORD) * WORD


class Runner:
    """One instance, compiled. Headers call it `rules`, or anything. Raises `Unsupported` if it cannot be."""

    def __init__(self, instance: Instance, rules: str | None, counted: bool, plays: bool = False) -> None:
        made, self._host = started(instance, rules, counted, plays)
        self.refused = made.refused
        assert made.found is not None
        self._found, self._why = made.found, made.why
        self._stage, self._state_end = made.layout.at, made.layout.state_end
        self._complete = (made.layout.stage(ENDED), made.layout.stage(FINISHED))
        self._check, self._learn = self._host.function("check"), self._host.function("learn")
        self._check_rows = self._host.function("check_rows")
        self._text = TextAtEnd(self._host, made.layout.end)
        assert made.rows is not None
        self._rows, self._loaded = made.rows, cast("PackedRows | None", None)
        self._base, self.load = self._text.base, self._text.load

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function that the module exports."""
        return self._host.function(name)

    @property
    def position(self) -> bytes:
        """The state of the match; set it to go back to another one of the same module."""
        return self._host.read(self._stage, self._state_end - self._stage)

    @position.setter
    def position(self, held: bytes) -> None:
        self._host.write(self._stage, held)

    def closed(self, stopped: Stopped) -> Notes:
        """Return the trace that is open where `check` stopped: another one begins there."""
        assert stopped.open is not None
        stage = _WORD.unpack(self._host.read(self._stage, WORD))[0]
        place = (self._base + stopped.open, stopped.open_line, stopped.events, stage in self._complete)
        return Notes(place, self._base)

    def load_rows(self, rows: PackedRows) -> None:
        """Put packed games into the memory, unless they are there already. Raises `MemoryError`."""
        if self._loaded is rows:
            return
        self._loaded = None
        self.load(rows.words)
        host, place = self._host, self._rows.place
        known = rows.words.count(b"\0")
        at = _word(self._base + len(rows.words) + PADDING)
        images, at = at, at + known * self._rows.image
        tiles, at = at, at + len(_TILES)
        line, at = at, at + LINE + PADDING
        many = (rows.many + 1) * _START
        parts = [(rows.lines, rows.many * _START)]
        for column in (rows.header, rows.events, rows.rare):
            parts += [(column.starts, many), (column.held, column.size)]
        places: list[int] = []
        for _, size in parts:
            places.append(at)
            at = _word(at + size + PADDING)
        host.room(at)
        for (address, size), start in zip(parts, places, strict=True):
            host.copy(start, address, size)
            host.write(start + size, bytes(PADDING))
        told = (
            0,
            rows.many,
            REFER,
            *(0, 0, 0, 0),
            self._base,
            self._base + len(rows.words),
            images,
            0,
            line,
            *places,
            *(0, 0, 0, tiles),
        )
        host.write(place.row, _ROWS.pack(*told))
        host.write(self._rows.entries, _ENTRIES)
        host.write(tiles, _TILES)
        self._learn()
        self._loaded = rows

    def check_rows(self, row: int, line: int) -> StoppedRows:
        """Check the packed games that are loaded, from a row on, which begins at a line.

        INVARIANT: what is noted is only read until the module runs again.
        """
        place = self._rows.place
        self._host.write(self._why, bytes(WORD))
        self._host.write(place.row, _WORD.pack(row))
        self._host.write(place.why, _NOTHING_YET.pack(REFER, 0, 0, 0, line))
        try:
            self._check_rows()
        except Referred:  # then `REFER` stays
            self._host.write(place.gap_end, bytes(WORD))
        told = _TOLD_ROWS.unpack(self._host.read(place.row, _TOLD_ROWS.size))
        row, _, why, many, complete, played, line = told
        noted = self._host.words(self._rows.notes, many * NOTE)
        number = _WORD.unpack(self._host.read(self._why, WORD))[0] if why == REFER else 0
        notes = Notes(noted, 0, complete == many, played)
        return StoppedRows(row, line, why, notes, why_stopped(number, self.refused))

    def check(self, at: int, line: int, end: int, whole: bool) -> Stopped:
        """Check the traces of the loaded text from one place to another, which are the beginnings of lines."""
        base, first = self._base, self._found.at
        self._host.write(self._why, bytes(WORD))
        self._host.write(first, _TOLD.pack(base + at, base + end, whole, REFER, line, 0, 0, 0, 0, 0))
        is_told = True
        try:
            self._check()
        except Referred:  # then `REFER` stays, and what is open tells where
            is_told = False
        told = _TOLD.unpack(self._host.read(first, _TOLD.size))
        stopped, _, _, why, line, some_open, trace, trace_line, many, events = told
        if some_open and not is_told:
            stopped, line = trace, trace_line
        noted = memoryview(self._host.read(self._found.notes, many * NOTE * WORD)).cast("q")
        is_open = trace - base if some_open else None
        number = _WORD.unpack(self._host.read(self._why, WORD))[0] if why == REFER else 0
        notes = Notes(noted, base)
        return Stopped(
            stopped - base, line, why, is_open, trace_line, events, notes, why_stopped(number, self.refused)
        )
