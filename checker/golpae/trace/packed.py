"""Packed games: traces in a Parquet file.

Input: a Parquet file in the form that `docs/archive.md` describes. Output: its traces, or their text as a stream.
Guarantee: the text is the one that was packed, byte by byte; a file in another form is a `DamagedArchive`, and nothing
is taken from it.

A row is a trace. Lines and parts of lines that are frequent are listed once for many rows, in `words` of the first of
these, each with a zero byte behind it. `events` says what stands behind the header, word by word: the number of a word
from 0, in one byte if it is below `SHORT`, otherwise in two, of which the first one counts from `SHORT` on; or `RARE`
for the next line of `rare`. A word that begins a line may end it, or others follow up to one that does. A word with
gaps is a line whose lists of texts are left out, such as a deal: behind its number stands for each gap how many words
fill it, in one byte, then the numbers of these. The byte of a gap says what stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from golpae.extras import Extra, how_to_install
from golpae.records import dataclass
from golpae.trace.decompress import BLOCK, DamagedArchive

ENDING = ".parquet"
MAGIC = b"PAR1"
KEY = b"golpae.packed"
VERSION = b"3"
SHORT = 240  # the first byte of a number that has two
RARE = 255
GAPS = {b"\1": b",", b"\2": b", "}
"""The bytes that are gaps of words, and what stands between the words that fill each."""
MOST_IN_GAP = 255
MOST_WORDS = SHORT + (RARE - SHORT) * 256
NOT_PACKED = "it is no file of packed games, as `golpae pack` writes them"
OTHER_VERSION = "they were packed by another version of golpae: pack them again"
COLUMNS = ("file", "line", "lines", "rules", "players", "header", "events", "rare", "words")
TYPES = {
    "line": ("int64",),
    "lines": ("int32",),
    "header": ("binary",),
    "events": ("binary",),
    "rare": ("binary",),
    "words": ("binary",),
    "file": ("string", "dictionary<values=string, indices=int32, ordered=0>"),
}
READ = ("file", "line", "lines", "header", "events", "rare", "words")
DAMAGED = "the packed games are damaged"
_AT_GAPS = re.compile(b"([" + b"".join(GAPS) + b"])")


class MissingExtra(OSError):
    """What is needed is not installed."""

    def __init__(self, needs: str, extra: Extra = "archive") -> None:
        super().__init__(0, f"this needs {needs}: {how_to_install(extra)}")


def parquet() -> Any:
    """Return the module that reads and writes Parquet files. Raises `MissingExtra`."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("pyarrow") from None
    return pyarrow.parquet


@dataclass(frozen=True, slots=True)
class PackedTrace:
    """A packed trace: the file it comes from, and its text."""

    file: str
    text: bytes


class PackedFile:
    """The rows of a file of packed games. Raises `DamagedArchive` and OSError."""

    def __init__(self, stream: BinaryIO) -> None:
        reader = parquet()
        self._stream = stream
        try:
            self._file = reader.ParquetFile(stream, page_checksum_verification=True)
        except Exception as fault:
            if _is_of_reading(fault):
                raise
            stream.seek(0)
            is_parquet = stream.read(len(MAGIC)) == MAGIC
            raise DamagedArchive("the Parquet file is damaged" if is_parquet else NOT_PACKED) from None
        self.on_read: Callable[[int], None] | None = None
        schema = self._file.schema_arrow
        version = (schema.metadata or {}).get(KEY)
        if version is not None and version != VERSION:
            raise DamagedArchive(OTHER_VERSION)
        types = {name: [str(field.type) for field in schema if field.name == name] for name in COLUMNS}
        fit = all(
            len(types[name]) == 1 and types[name][0] in TYPES.get(name, types[name]) for name in COLUMNS
        )
        if version is None or not fit:
            raise DamagedArchive(NOT_PACKED)

    @property
    def groups(self) -> int:
        """How many groups of rows there are. Each begins with `words`, if golpae has written the file."""
        return int(self._file.num_row_groups)

    def batches(self, first: int = 0, end: int | None = None) -> Iterator[Any]:
        """Yield groups of rows, as record batches of Arrow."""
        for group in range(first, self.groups if end is None else end):
            try:
                batches = self._file.read_row_group(group, READ, use_threads=False).to_batches()
            except Exception as fault:
                if _is_of_reading(fault):
                    raise
                raise DamagedArchive(DAMAGED) from None
            for batch in batches:
                if any(batch.column(name).null_count for name in TYPES if name != "words"):
                    raise DamagedArchive(DAMAGED)
                if batch.num_rows:
                    yield batch
            if self.on_read is not None:
                self.on_read(self._size(group))

    def _size(self, group: int) -> int:
        """Return how many bytes of the file a group of rows has."""
        held = self._file.metadata.row_group(group)
        return sum(held.column(place).total_compressed_size for place in range(held.num_columns))

    def rows(self, first: int = 0, end: int | None = None) -> Iterator[PackedTrace]:
        """Yield the rows of some groups."""
        words = Words([], {})
        for batch in self.batches(first, end):
            try:
                columns = [
                    batch.column(name).to_pylist()
                    for name in ("file", "header", "events", "rare", "lines", "words")
                ]
            except UnicodeDecodeError:
                raise DamagedArchive(DAMAGED) from None
            for file, header, events, rare, lines, new in zip(*columns, strict=True):
                if new is not None:
                    words = words_of(new)
                yield PackedTrace(file, row_text(header, events, rare, lines, words))

    def text(self, first: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the text of some groups in blocks; a line without an end gets one if another file follows."""
        parts: list[bytes] = []
        size, open_in = 0, None
        for row in self.rows(first, end):
            if open_in is not None and open_in != row.file:
                parts.append(b"\n")
            open_in = row.file if row.text and not row.text.endswith(b"\n") else None
            parts.append(row.text)
            size += len(row.text)
            if size >= BLOCK:
                yield b"".join(parts)
                parts, size = [], 0
        yield b"".join(parts)


def _is_of_reading(fault: Exception) -> bool:
    """Return whether a fault is that of a stream. What Arrow raises of bytes that are no table has no number."""
    return isinstance(fault, OSError) and not (type(fault) is OSError and fault.errno is None)


def lines_of(held: bytes) -> list[bytes]:
    """Return lines with their ends; the last one may have none."""
    lines = [line + b"\n" for line in held.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


@dataclass(frozen=True, slots=True)
class Words:
    """The words of some rows, and for each that has gaps its parts: a gap is every second one."""

    listed: list[bytes]
    gapped: dict[int, list[bytes]]


def words_of(held: bytes) -> Words:
    """Return words. Raises `DamagedArchive`."""
    words = held.split(b"\0")
    if words.pop():
        raise DamagedArchive(DAMAGED)
    close, spaced = GAPS
    gapped = [number for number, word in enumerate(words) if close in word or spaced in word]
    return Words(words, {number: _AT_GAPS.split(words[number]) for number in gapped})


def row_text(header: bytes, events: bytes, rare: bytes, lines: int, words: Words) -> bytes:
    """Return the text of a row, which has so many lines behind its header. Raises `DamagedArchive`."""
    parts = [header]
    try:
        numbers, others = iter(events), iter(lines_of(rare))
        for first in numbers:
            if first == RARE:
                parts.append(next(others))
                continue
            number = first if first < SHORT else _number(first, numbers)
            if number in words.gapped:
                parts += _filled(words.gapped[number], numbers, words.listed)
            else:
                parts.append(words.listed[number])
        if next(others, None) is not None:
            raise DamagedArchive(DAMAGED)
    except (IndexError, StopIteration):
        raise DamagedArchive(DAMAGED) from None
    text = b"".join(parts)
    if text.count(b"\n") + (not text.endswith(b"\n") and text != b"") != bool(header) + lines:
        raise DamagedArchive(DAMAGED)
    return text


def _number(first: int, numbers: Iterator[int]) -> int:
    """Return the number of a word, of which this is the first byte."""
    return first if first < SHORT else SHORT + (first - SHORT << 8) + next(numbers)


def _filled(parts: list[bytes], numbers: Iterator[int], words: list[bytes]) -> list[bytes]:
    """Return the parts of a word whose gaps are filled with words."""
    out = list(parts)
    for place in range(1, len(parts), 2):
        filling = [words[_number(next(numbers), numbers)] for _ in range(next(numbers))]
        out[place] = GAPS[parts[place]].join(filling)
    return out


def packed_text(stream: object) -> PackedText | None:
    """Return a stream if it is the text of packed games."""
    return stream if isinstance(stream, PackedText) else None


class PackedText:
    """The text of packed games as a stream. Raises OSError if the file cannot be read as such."""

    def __init__(self, stream: BinaryIO, first: int = 0, end: int | None = None) -> None:
        self._stream = stream
        self.first, self.end = first, end
        self._blocks: Iterator[bytes] | None = None
        self._left = b""
        self._on_read: Callable[[int], None] | None = None
        parquet()

    def tell_read(self, on_read: Callable[[int], None]) -> None:
        """Tell from now on how many bytes of the file are read."""
        self._on_read = on_read

    def file(self) -> PackedFile:
        """Return the rows, for a reader that wants no text. Raises `DamagedArchive` and OSError."""
        file = PackedFile(self._stream)
        file.on_read = self._on_read
        return file

    def read(self, size: int = -1) -> bytes:
        """Return some bytes of the text, at most `size`. Raises `DamagedArchive` and OSError."""
        if self._blocks is None:
            self._blocks = self.file().text(self.first, self.end)
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._left = block
        out, self._left = (self._left, b"") if size < 0 else (self._left[:size], self._left[size:])
        return out

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> PackedText:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()
