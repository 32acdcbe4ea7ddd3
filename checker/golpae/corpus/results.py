"""Write what a task says about many sources to a file, so that an interrupted run can go on.

Input: sources, the task, its `Form`, and what runs the parts. Output: a file of JSON lines, or a Parquet file.
Guarantee: each result is in the file once, in order. Until all are, they are in a file beside it, and a journal says
which pieces of the sources these are: how far the file was then, checksums of the pieces, hashes of the rule texts, and
the version. A run that goes on refuses a journal of other inputs, calls or versions.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Generic, Protocol, TypeVar
from zlib import crc32

import msgspec

from golpae import __version__
from golpae.beside import check_replaceable, written
from golpae.corpus.jobs import Batch, PieceEnd, Run, Task
from golpae.corpus.parts import Part, Piece, parts
from golpae.corpus.paths import Item, Paths
from golpae.replay.machine_cache import Library
from golpae.trace import Source
from golpae.trace.packed import parquet

TABLE = ".parquet"
ROWS = 20_000  # of a table that are written together
JSON = "json"
"""The type of a column that holds any value, as JSON."""

_BLOCK = 1 << 20

Note = tuple[int, str]
"""What whoever gets the results wants to know of them at the end, also if another run goes on."""


Written_contra = TypeVar("Written_contra", contravariant=True)
encode = msgspec.json.Encoder(enc_hook=str).encode  # a fault of a stream is a kind of text


class Form(Protocol[Written_contra]):
    """How items are written."""

    @property
    def columns(self) -> Mapping[str, str]:
        """The columns of a table, and the types that Arrow calls so, or `JSON`."""

    def lines(self, item: Written_contra, counts: Counter[str], texts: dict[str, str | None]) -> bytes:
        """Return an item as JSON lines. Its results are counted by kind, and `texts` gets the hashes of its rules."""

    def final(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of the file, of those that were written: as many, in order."""

    @property
    def behind(self) -> Callable[[], Iterable[bytes]] | None:
        """What gives the lines behind all others; None if the file has the lines that were written and no more."""


class CannotResume(Exception):
    """The journal belongs to another run, and why."""


class InUse(Exception):
    """Another run is writing the same file."""


class Entry(msgspec.Struct):
    """A piece in the journal. `size` is how many bytes of results there are behind it, `counts` how many of each
    kind; `lines` are those of its source up to its end. `notes` are those of whoever got the results.
    """

    source: int
    begin: int
    end: int | None
    last: bool
    digest: str
    size: int
    lines: int
    counts: dict[str, int]
    texts: dict[str, str | None]
    faults: list[str]
    disagree: list[str]
    paths: tuple[int, int]
    notes: list[Note] = []


class Start(msgspec.Struct):
    """What a run is: its inputs with their sizes, the call, and the version."""

    inputs: list[tuple[str, int | None]]
    call: list[str | int | None]
    version: str


class Results(Generic[Item]):
    """The results of a run on their way to a file, where no other one writes until they are closed. Raises
    `CannotResume`, `InUse` and OSError.

    `call` is what else they depend on; `library` makes the rules.
    """

    def __init__(
        self,
        path: Path,
        sources: Sequence[Source],
        task: Task[Item],
        form: Form[Item],
        library: Callable[[], Library],
        call: Sequence[str | int | None],
        resume: bool,
    ) -> None:
        check_replaceable(path)
        if path.name.endswith(TABLE):
            parquet()  # which may be missing
        self._path, self._sources, self._task, self._form = path, sources, task, form
        self._library = library
        self._part = path.with_name(f".{path.name}.part")
        self._journal = path.with_name(f".{path.name}.journal")
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        """What could not be read."""
        self.paths = Paths()
        self.disagree: list[str] = []
        """Where the two ways to decide disagree."""
        self.resumed = 0
        """How many pieces an earlier run has done."""
        self.read = 0
        """How many bytes these have."""
        self.empty: list[str] = []
        """Sources that hold nothing."""
        self.notes: list[Note] = []
        self._lines = self._found = 0  # lines and results of a source, up to here
        start = Start([(s.name, s.size()) for s in sources], [*call], __version__)
        self._lock = _locked(self._journal)
        try:
            entries = self._entries(start) if resume else []
            if not entries:
                self._journal.write_bytes(encode(start) + b"\n")
                self._part.write_bytes(b"")
            self._checked(entries)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let other runs write there."""
        self._lock.close()

    # ------------------------------------------------------------------ going on

    def _entries(self, start: Start) -> list[Entry]:
        """Return the entries in the journal of an earlier run; none without a journal. A last line that is cut short
        counts for nothing. Raises `CannotResume` if that run had another version, other inputs or another call.
        """
        try:
            first, *others = self._journal.read_bytes().split(b"\n")[:-1]
            size = self._part.stat().st_size
        except (OSError, ValueError):
            return []
        try:
            before = msgspec.json.decode(first, type=Start)
            entries = [msgspec.json.decode(line, type=Entry) for line in others]
        except msgspec.MsgspecError:
            raise CannotResume("the journal is damaged") from None
        if before.version != start.version:
            raise CannotResume(f"it was begun by golpae {before.version}, and this is {start.version}")
        if (before.inputs, before.call) != (start.inputs, start.call):
            raise CannotResume("the earlier run had other inputs or rules")
        if entries and entries[-1].size > size:
            raise CannotResume("the results of the earlier run are gone")
        return entries

    def _checked(self, entries: Sequence[Entry]) -> None:
        """Take over what an earlier run has found, if its inputs and rule texts are still the same."""
        library = self._library() if entries else None
        for entry in entries:
            piece = Piece(entry.source, self._sources[entry.source], entry.begin, entry.end, entry.last)
            digest, size = digest_of_piece(piece)
            self.read += size
            if digest != entry.digest:
                raise CannotResume(f"`{piece.source.shown}` has changed since")
            for rules, text in entry.texts.items():
                rule_set = None if library is None else library.rule_set(rules)
                if (None if rule_set is None else rule_set.spec_hash) != text:
                    raise CannotResume(f"the text of the rules `{rules}` has changed since")
            self.faults += entry.faults
            self._note_empty(piece, sum(entry.counts.values()), bool(entry.faults))
            self.counts.update(entry.counts)
            self.disagree += entry.disagree
            self.notes += entry.notes
            self.paths.add(Paths(*entry.paths, disagree=[0] * len(entry.disagree)))
        if entries:
            self._lines = 0 if entries[-1].last else entries[-1].lines
            os.truncate(self._part, entries[-1].size)
            os.truncate(self._journal, self._journal.read_bytes().rfind(b"\n") + 1)
        self.resumed = len(entries)

    def _left(self) -> Iterator[Part]:
        """Yield the parts that nobody has checked yet."""
        pieces = self.resumed
        for part in parts(self._sources, self._task.cuts):
            if pieces >= len(part):
                pieces -= len(part)
            else:
                yield part[pieces:]
                pieces = 0

    # ------------------------------------------------------------------ running

    def run(
        self, run: Run, on_item: Callable[[Item, Source], Sequence[Note] | None], read: Callable[[int], None]
    ) -> None:
        """Do what is left, and write the file. `on_item` gets each item with its source, and may return notes; `read`
        is told of bytes.
        """
        counts: Counter[str] = Counter()
        texts: dict[str, str | None] = {}
        notes: list[Note] = []
        with open(self._part, "ab") as out, open(self._journal, "ab") as journal:
            for message in run(self._task, self._left()):
                if isinstance(message, Batch):
                    for item in message.items:
                        shifted = self._task.shifted(item, self._lines) if self._lines else item
                        notes += on_item(shifted, self._sources[message.number]) or ()
                        out.write(self._form.lines(shifted, counts, texts))
                    continue
                out.flush()
                os.fsync(out.fileno())
                entry = self._entry(message, out.tell(), counts, texts)
                entry.notes = notes
                journal.write(encode(entry) + b"\n")
                journal.flush()
                self.counts.update(counts)
                self.notes += notes
                counts, texts, notes = Counter(), {}, []
                read(message.size)
        self._finish()

    def _entry(self, end: PieceEnd, size: int, counts: Counter[str], texts: dict[str, str | None]) -> Entry:
        piece, lines = end.piece, self._lines + end.lines
        faults = [f"`{piece.source.shown}` cannot be read: {end.fault}"] if end.fault is not None else []
        if end.unread is not None:
            faults.append(f"{piece.source.shown}:{end.unread[0] + self._lines}: {end.unread[1]}")
        disagree = [f"{piece.source.shown}:{line + self._lines}" for line in end.paths.disagree]
        self.faults += faults
        self.disagree += disagree
        self._note_empty(piece, counts.total(), bool(faults))
        self.paths.add(replace(end.paths, disagree=[line + self._lines for line in end.paths.disagree]))
        self._lines = 0 if piece.last else lines
        return Entry(
            piece.number,
            piece.begin,
            piece.end,
            piece.last,
            digest_of_piece(piece)[0],
            size,
            lines,
            dict(counts),
            texts,
            faults,
            disagree,
            (end.paths.compiled, end.paths.referred),
        )

    def _note_empty(self, piece: Piece, results: int, faulty: bool) -> None:
        self._found += results
        if piece.last:
            if not self._found and not faulty:
                self.empty.append(piece.source.name)
            self._found = 0

    def discard(self) -> None:
        """Take away what was written."""
        for file in (self._part, self._journal):
            file.unlink(missing_ok=True)

    def _finish(self) -> None:
        """Give the file its name, and take the journal away."""
        is_table, behind = self._path.name.endswith(TABLE), self._form.behind
        if is_table or behind is not None:
            with open(self._part, "rb") as lines, written(self._path) as out:
                final = self._form.final(lines)
                if is_table:
                    _write_table(final, out, self._form.columns)
                else:
                    out.writelines(final)
                    out.writelines(() if behind is None else behind())
            self._part.unlink()
        else:
            os.replace(self._part, self._path)
        with suppress(OSError):
            self._journal.unlink()


def _locked(path: Path) -> BinaryIO:
    """Return a stream of a file, which may be new, that is locked until the stream is closed. Raises `InUse` if another
    process has locked it, and OSError. Where files cannot be locked, such as on Windows, none is.
    """
    while True:
        stream = open(path, "ab")  # noqa: SIM115 - whoever gets it closes it
        if sys.platform == "win32":
            stream.close()  # a file that is open cannot be taken away there
            return stream
        import fcntl

        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.close()
            raise InUse from None
        except OSError:  # a file system without locks
            return stream
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                return stream
        stream.close()  # another run has just ended, and taken the file away


def digest_of_piece(piece: Piece) -> tuple[str, int]:
    """Return a checksum of the bytes of a piece, and how many there are; of packed games, those of the whole file with
    the first piece. The checksum is empty if they cannot be read.
    """
    if piece.source.is_packed and piece.begin:
        return "", 0
    checksum = size = 0
    try:
        with piece.source.open_bytes() as stream:
            left = None
            if not piece.source.is_packed:
                left = None if piece.end is None else piece.end - piece.begin
                if piece.begin:
                    stream.seek(piece.begin)
            while left != 0 and (block := stream.read(_BLOCK if left is None else min(left, _BLOCK))):
                checksum = crc32(block, checksum)
                size += len(block)
                left = None if left is None else left - len(block)
    except OSError:
        return "", 0
    return f"{checksum:08x}-{size}", size


def _write_table(lines: Iterator[bytes], out: Any, columns: Mapping[str, str]) -> None:
    """Write results, as JSON lines, as a table."""
    import pyarrow

    of_json = [name for name, kind in columns.items() if kind == JSON]
    types = {name: "string" if kind == JSON else kind for name, kind in columns.items()}
    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in types.items()])
    with parquet().ParquetWriter(out, schema, compression="zstd") as writer:
        while rows := [msgspec.json.decode(line) for line in islice(lines, ROWS)]:
            for row in rows:
                for name in of_json:
                    if row.get(name) is not None:
                        row[name] = encode(row[name]).decode()
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
