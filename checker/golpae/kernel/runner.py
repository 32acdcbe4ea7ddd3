"""Run the module of one instance on a text.

Input: an instance, a text in blocks, positions in it. Output: which traces were checked, and where it stopped.
Guarantee: nothing is kept from one text to the next; positions are those of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import Array, c_int64
from dataclasses import dataclass
from struct import Struct
from typing import Any, cast

from golpae.elaborate.instance import Instance
from golpae.kernel.language.host import PADDING, Referred, TextAtEnd
from golpae.kernel.language.limits import why as why_stopped
from golpae.kernel.layout import WORD
from golpae.kernel.rows import ENTRIES, LINE, MISSING, MORE, OTHER_LINE, WORDS
from golpae.kernel.scan.gaps import MOST_NUMBERS, SHORT, TILE
from golpae.kernel.start import started_checking
from golpae.kernel.traces import COMPLETE, EVENTS, NOTE, OUTCOME, REFER
from golpae.kernel.traces import WORDS as WORDS_TOLD

_TOLD = Struct(f"<{WORDS_TOLD}q")
_NOTED = Struct(f"<{NOTE}q")
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
class NotedTrace:
    """A trace that was noted: where its header is, its line, how many events it has, its outcome, as `traces` says,
    the signature of its header if that was not read as one of the module that noted it, and where its id is.
    """

    at: int
    line: int
    events: int
    outcome: int
    signature: int = 0
    id_at: int = 0
    id_end: int = 0

    @property
    def complete(self) -> bool:
        """Whether its events are all legal, and it is over."""
        return self.outcome == COMPLETE


class Notes:
    """Traces that were noted, in order. `whole` says so if all of them are over and all their events are legal, and
    `together` how many events they have, if somebody has counted. `reasons` says what in the rules is referred, of
    those for which that is known, by their numbers.
    """

    def __init__(
        self,
        held: Sequence[int] | Array[c_int64],
        whole: bool = False,
        together: int | None = None,
        reasons: dict[int, str | None] | None = None,
    ) -> None:
        self.held: Sequence[int] | Array[c_int64] = held
        self.reasons = reasons or {}
        self._whole, self._together = whole, together

    def __len__(self) -> int:
        return len(self.held) // NOTE

    def __getitem__(self, number: int) -> NotedTrace:
        return NotedTrace(*self.held[number * NOTE : (number + 1) * NOTE])

    def pop(self) -> NotedTrace:
        """Take the last trace away, and return it."""
        last = self[len(self) - 1]
        self.held = self.held[: len(self.held) - NOTE]
        return last

    def words(self, slot: int, first: int = 0, end: int | None = None) -> list[int]:
        """Return the words of a slot of the notes of these numbers."""
        return list(self.held[first * NOTE + slot : None if end is None else end * NOTE : NOTE])

    def incomplete(self) -> list[int]:
        """Return the numbers of those that are not over."""
        if self._whole:
            return []
        outcomes = self.words(OUTCOME)
        if outcomes.count(COMPLETE) == len(outcomes):
            return []
        return [number for number, outcome in enumerate(outcomes) if outcome != COMPLETE]

    def events(self, first: int, end: int) -> int:
        """Return how many events the traces of these numbers have together."""
        if self._together is not None and first == 0 and end == len(self):
            return self._together
        return sum(self.words(EVENTS, first, end))


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where `check` stopped, and why, one of `traces.DONE` and the others, and what it noted. The last trace may go on
    behind that place.
    """

    at: int
    line: int
    why: int
    noted: Notes


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
    """One instance, compiled. Headers call it `rules`, or anything. Raises `NotCompiled` if it cannot be."""

    def __init__(self, instance: Instance, rules: str | None, counted: bool, plays: bool = False) -> None:
        made, self._host = started_checking(instance, rules, counted, plays)
        self.refused = made.refused
        self._found, self._why = made.found, made.why
        self._stage, self._state_end = made.state, made.state_end
        self._check, self._learn = self._host.function("check"), self._host.function("learn")
        self._check_noted = self._host.function("check_noted")
        self._check_rows = self._host.function("check_rows")
        self._text = TextAtEnd(self._host, made.end)
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
        notes = Notes(noted, complete == many, played)
        return StoppedRows(row, line, why, notes, why_stopped(number, self.refused))

    def check(self, at: int, line: int, end: int) -> Stopped:
        """Check the traces of the loaded text from one place to another, which are the beginnings of lines."""
        base, first = self._base, self._found.base
        reasons: dict[int, str | None] = {}
        words = (base, base + at, base + end, 0, REFER, line, 0, 0)
        while True:
            self._host.write(self._why, bytes(WORD))
            self._host.write(first, _TOLD.pack(*words))
            with suppress(Referred):  # then `REFER` stays
                self._check()
            _, stopped, _, _, why, line, many, _ = _TOLD.unpack(self._host.read(first, _TOLD.size))
            if why != REFER:
                break
            last = NotedTrace(*_NOTED.unpack(self._host.read(self._note(many - 1), _NOTED.size)))
            reasons[many - 1] = self._reason()
            words = (base, base + last.at, base + end, 1, REFER, last.line, many, 0)
        held = memoryview(bytearray(many * NOTE * WORD)).cast("q")
        self._host.read_into(self._found.notes, held)
        return Stopped(stopped - base, line, why, Notes(held, reasons=reasons))

    def check_noted(self, notes: Notes, signature: int, first: int, end: int) -> None:
        """Check those of the traces that another module has noted whose headers have a signature, from a number on;
        the last of all ends at `end` of the loaded text. INVARIANT: the notes are those of `check`.
        """
        many, held = len(notes), cast("memoryview", notes.held)
        self._host.write(self._found.notes, held)
        while True:
            self._host.write(self._why, bytes(WORD))
            told = (self._base, 0, self._base + end, 0, REFER, 0, many, first)
            self._host.write(self._found.base, _TOLD.pack(*told))
            with suppress(Referred):
                self._check_noted(signature)
            *_, why, _, _, first = _TOLD.unpack(self._host.read(self._found.base, _TOLD.size))
            if why != REFER:
                break
            notes.reasons[first - 1] = self._reason()
        self._host.read_into(self._found.notes, held)

    def _note(self, number: int) -> int:
        return self._found.notes + number * NOTE * WORD

    def _reason(self) -> str | None:
        """Return the construct of the rules because of which the module stopped, or None if it stopped for another
        reason.
        """
        return why_stopped(_WORD.unpack(self._host.read(self._why, WORD))[0], self.refused)
