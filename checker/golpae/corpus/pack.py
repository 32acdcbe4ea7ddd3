"""Pack games into a Parquet file, and take them out again.

Input: sources of traces. Output: a file of packed games, as `trace.packed` reads it; or the text of each file in one.
Guarantee: what is taken out is what was packed, byte by byte, whatever the lines hold. Memory holds some MiB of text.

Rows are written in blocks of about `BLOCK` bytes of text. Lines that a block has several times are listed once, and so
is what others are put together from: what stands around their lists of texts, and the texts in these; or else their
parts, which are cut behind each quote that ends a text. The most frequent ones come first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from golpae.beside import written
from golpae.trace import DamagedArchive, Source, blocks, is_header, lines_in, may_be_header, read_header
from golpae.trace.packed import (
    COLUMNS,
    ENDING,
    GAPS,
    KEY,
    MOST_IN_GAP,
    MOST_WORDS,
    RARE,
    SHORT,
    VERSION,
    MissingExtra,
    PackedFile,
    parquet,
)
from golpae.unreadable import reason_of

BLOCK = 1 << 25  # bytes of text
LEVEL = -1  # of zstd
COMPRESSED = {"header": "lz4", "rare": "zstd", "words": "zstd"}
"""How columns are compressed. `events` would be a twentieth smaller at most, and the others are small as they are
encoded. Headers with names and ids would be a tenth smaller by zstd, and take half as long again to read.
"""
DELTAS = ("line", "lines", "players")  # numbers, each written as its difference from the one before
NULLABLE = ("rules", "players", "words")
_NOT_FIRST = 2  # a line before which a byte order mark is a fault
_PARTS = re.compile(rb'[^"]*"[^"]*"|.+', re.DOTALL)
_TEXT = rb'"[^"\\]*"'
_LISTED = re.compile(rb"(?<=\[)%s(?:(, %s)+|(?:,%s)*)(?=\])" % (_TEXT, _TEXT, _TEXT))
_TEXTS = re.compile(_TEXT)
_CLOSE, _SPACED = GAPS
_OTHER_THAN_TEXT = re.compile(b"[\0" + b"".join(GAPS) + b"]")
_RARE = bytes([RARE])
_LOOKED_AT = 1 << 20  # bytes of text whose lines are told apart together

Read = Callable[[BinaryIO], BinaryIO]


@dataclass(slots=True)
class Packed:
    """What was packed: traces, events (lines behind headers), lines before the first header of a file, bytes of text,
    and the files without a trace.
    """

    traces: int = 0
    events: int = 0
    outside: int = 0
    size: int = 0
    empty: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Rows:
    """Rows that are not written yet: file, line, header, lines."""

    rows: list[tuple[str, int, bytes, list[bytes]]] = field(default_factory=list)
    size: int = 0


class Writer:
    """Writes files of traces to a file of packed games; `close` ends it. Raises OSError."""

    def __init__(self, out: BinaryIO) -> None:
        self._reader = parquet()
        import pyarrow

        self._arrow: Any = pyarrow
        names = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        self._schema = pyarrow.schema(
            [
                pyarrow.field(name, kind, nullable=name in NULLABLE)
                for name, kind in (
                    ("file", names),
                    ("line", pyarrow.int64()),
                    ("lines", pyarrow.int32()),
                    ("rules", names),
                    ("players", pyarrow.int32()),
                    ("header", pyarrow.binary()),
                    ("events", pyarrow.binary()),
                    ("rare", pyarrow.binary()),
                    ("words", pyarrow.binary()),
                )
            ],
            metadata={KEY: VERSION},
        )
        self._out = self._reader.ParquetWriter(
            out,
            self._schema,
            compression={name: COMPRESSED.get(name, "none") for name in COLUMNS},
            compression_level={name: LEVEL for name, how in COMPRESSED.items() if how == "zstd"},
            use_dictionary=["file", "rules"],
            column_encoding=dict.fromkeys(DELTAS, "DELTA_BINARY_PACKED"),
            write_statistics=False,
            write_page_checksum=True,
        )
        self._waiting = _Rows()
        self._headers: dict[bytes, tuple[str | None, int | None]] = {}
        self.packed = Packed()

    def add(self, file: str, text: Iterator[bytes]) -> None:
        """Add a file. Raises what its blocks raise."""
        line, before = 1, self.packed.traces
        for header, lines in traces(text):
            self._add(file, line, header, lines)
            line += bool(header) + len(lines)
        if line == 1:
            self._add(file, 1, b"", [])  # a file without a line
        if self.packed.traces == before:
            self.packed.empty.append(file)

    def _add(self, file: str, line: int, header: bytes, lines: list[bytes]) -> None:
        size = len(header) + sum(map(len, lines))
        self._waiting.rows.append((file, line, header, lines))
        self._waiting.size += size
        self.packed.traces += bool(header)
        if header:
            self.packed.events += len(lines)
        else:
            self.packed.outside += len(lines)
        self.packed.size += size
        if self._waiting.size >= BLOCK:
            self._write()

    def _write(self) -> None:
        """Write the rows that wait, as a block."""
        rows, self._waiting = self._waiting.rows, _Rows()
        words = _words([lines for _, _, _, lines in rows])
        numbers = {word: _number(place) for place, word in enumerate(words)}
        known_lines = {word: number for word, number in numbers.items() if word.endswith(b"\n")}
        events, rare = [], []
        for _, _, _, lines in rows:
            buffer, others = bytearray(), list[bytes]()
            for line in lines:
                number = known_lines.get(line) or _put_together(line, numbers)
                if number is None:
                    number = _RARE
                    others.append(line)
                buffer += number
            events.append(bytes(buffer))
            rare.append(b"".join(others))
        known = [self._known(header) for _, _, header, _ in rows]
        columns = [
            [file for file, _, _, _ in rows],
            [line for _, line, _, _ in rows],
            [len(lines) for _, _, _, lines in rows],
            [rules for rules, _ in known],
            [players for _, players in known],
            [header for _, _, header, _ in rows],
            events,
            rare,
            [b"".join(word + b"\0" for word in words), *[None] * (len(rows) - 1)],
        ]
        arrays = [
            self._arrow.array(column, kind.type) for column, kind in zip(columns, self._schema, strict=True)
        ]
        self._out.write_table(
            self._arrow.Table.from_arrays(arrays, schema=self._schema), row_group_size=len(rows)
        )

    def _known(self, header: bytes) -> tuple[str | None, int | None]:
        """Return the rules and the number of players of a header; None if it has a fault."""
        if header not in self._headers:
            if len(self._headers) > MOST_WORDS:
                self._headers.clear()
            _, line, fault = next(lines_in(iter([header])), (0, None, None))
            read = "" if line is None or fault is not None else read_header(line)
            self._headers[header] = (None, None) if isinstance(read, str) else (read.rules, len(read.players))
        return self._headers[header]

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        if self._waiting.rows:
            self._write()
        self._out.close()


def _words(rows: Sequence[Sequence[bytes]]) -> list[bytes]:
    """Return the words of a block of lines, the most frequent first."""
    lines: Counter[bytes] = Counter()
    for row in rows:
        lines.update(row)
    counts: Counter[bytes] = Counter()
    gapped: dict[bytes, _Gapped] = {}
    for line, count in lines.items():
        if _OTHER_THAN_TEXT.search(line):
            continue
        if count > 1:
            counts[line] = count
        else:
            gapped[line] = _gapped(line)
    around = Counter(one.around for one in gapped.values())
    for line, one in gapped.items():
        if one.gaps and around[one.around] > 1:
            counts[one.around] += 1
            for texts in one.gaps:
                counts.update(texts)
        else:
            counts.update(_parts(line))
    return list(islice((word for word, count in counts.most_common() if count > 1), MOST_WORDS))


def _put_together(line: bytes, numbers: dict[bytes, bytes]) -> bytes | None:
    """Return how a line is put together from words of these numbers, if it can be."""
    if not line.endswith(b"\n") or _OTHER_THAN_TEXT.search(line):
        return None
    one = _gapped(line)
    numbers_of_gaps = [numbers.get(one.around)] if one.gaps else [None]
    for texts in one.gaps:
        numbers_of_gaps += [bytes([len(texts)]), *map(numbers.get, texts)]
    if None in numbers_of_gaps:
        numbers_of_gaps = [*map(numbers.get, _parts(line))]
    word_numbers = [number for number in numbers_of_gaps if number is not None]
    return b"".join(word_numbers) if len(word_numbers) == len(numbers_of_gaps) else None


def _parts(line: bytes) -> list[bytes]:
    """Return the parts of a line: it is cut behind each quote that ends a text."""
    return _PARTS.findall(line)


@dataclass(frozen=True, slots=True)
class _Gapped:
    """A line with a gap instead of the texts of each list, and these."""

    around: bytes
    gaps: tuple[tuple[bytes, ...], ...]


def _gapped(line: bytes) -> _Gapped:
    """Return a line with gaps instead of lists of texts, but for long ones."""
    gaps: list[tuple[bytes, ...]] = []

    def gap(match: re.Match[bytes]) -> bytes:
        texts = tuple(_TEXTS.findall(match[0]))
        if len(texts) > MOST_IN_GAP:
            return match[0]
        gaps.append(texts)
        return _CLOSE if match[1] is None else _SPACED

    return _Gapped(_LISTED.sub(gap, line), tuple(gaps))


def _number(place: int) -> bytes:
    """Return the number of a word as `events` have it."""
    if place < SHORT:
        return bytes([place])
    place -= SHORT
    return bytes([SHORT + (place >> 8), place & 0xFF])


def traces(text: Iterator[bytes]) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yield the traces of a text: header and other lines, with their ends. What comes before the first header has the
    header `b""`.
    """
    header, lines = b"", list[bytes]()
    first = True  # line of the text
    for line in _lines(text):
        if may_be_header(line) and _is_header(line, first):
            if header or lines:
                yield header, lines
            header, lines = line, []
        else:
            lines.append(line)
        first = False
    if header or lines:
        yield header, lines


def _lines(text: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in _larger(text):
        whole = (rest + block).split(b"\n")
        rest = whole.pop()
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


def _larger(text: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a text in larger blocks."""
    parts: list[bytes] = []
    size = 0
    for block in text:
        parts.append(block)
        size += len(block)
        if size >= _LOOKED_AT:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


def _is_header(line: bytes, first: bool) -> bool:
    _, read, _ = next(lines_in(iter([line]), 1 if first else _NOT_FIRST), (0, None, None))
    return read is not None and is_header(read)


class AddedTwice(ValueError):
    """A file is named twice."""


def pack(sources: Sequence[Source], path: Path, watched: Read) -> Packed:
    """Pack sources, which are read through `watched`. Raises OSError, `Unreadable`, and `AddedTwice`."""
    names = [source.name for source in sources]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise AddedTwice(name)
    with written(path) as out, closing(Writer(out)) as writer:
        for source in sources:
            writer.add(source.name, _text(source, watched))
    return writer.packed


class Unreadable(Exception):
    """A source cannot be read, and why."""


def _text(source: Source, watched: Read) -> Iterator[bytes]:
    """Yield the text of a source. Raises `Unreadable`."""
    try:
        with source.open() as stream:
            yield from blocks(watched(stream))
    except DamagedArchive as damage:
        raise Unreadable(f"`{source.shown}`: {damage}") from None
    except OSError as fault:
        raise Unreadable(f"`{source.shown}` cannot be read: {reason_of(fault)}") from None


def unpacked(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield the files in a file of packed games, in parts: name, text. Raises `DamagedArchive`."""
    try:
        for row in PackedFile(stream).rows():
            yield row.file, row.text
    except MissingExtra:
        raise
    except OSError as fault:
        raise DamagedArchive(fault.strerror or str(fault)) from fault


def unpack(parts: Iterable[tuple[str, bytes]], folder: Path) -> list[Path]:
    """Write files, which come as `unpacked` yields them, into a folder, each whole or not at all. Return them. One
    whose name is there already, but for the ending of an archive, gets a number. Raises `DamagedArchive` and OSError.
    """
    done: list[Path] = []
    name: str | None = None
    with ExitStack() as stack:
        out: BinaryIO | None = None
        for file, text in parts:
            if file != name or out is None:
                stack.close()
                name, path = file, _free(folder / inner_path(file), done)
                path.parent.mkdir(parents=True, exist_ok=True)
                out = stack.enter_context(written(path))
                done.append(path)
            out.write(text)
    return done


def _free(path: Path, done: Collection[Path]) -> Path:
    """Return a path, with a number if it is one of those that are done."""
    stem, number, free = path.name.removesuffix(path.suffix), 1, path
    while free in done:
        number += 1
        free = path.with_name(f"{stem}-{number}{path.suffix}")
    return free


def inner_path(file: str) -> PurePosixPath:
    """Return where a file of this name goes in a folder: never outside it, and ending as its text does."""
    parts = [part for part in file.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    parts = [part for part in parts if not part.endswith(":")] or ["games.jsonl"]
    for ending in (".gz", ".zst"):
        parts[-1] = parts[-1].removesuffix(ending)
    if parts[-1].endswith(ENDING):
        parts[-1] = parts[-1].removesuffix(ENDING) + ".jsonl"
    return PurePosixPath(*parts)
