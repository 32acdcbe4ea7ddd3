"""Write the verdicts on many sources to a file, so that an interrupted run can go on.

Input: sources, how to check them, and what runs the parts. Output: a file of JSON lines, or a Parquet file.
Guarantee: each verdict is in the file once, in order. Until all are, they are in a file beside it, and a journal says
which pieces of the sources these are: how far the file was then, the hashes of the pieces and of the rule texts, and
the version. A run that goes on refuses a journal of other inputs, rules or versions.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from golpae import __version__
from golpae.beside import written
from golpae.corpus.jobs import Batch, How, PieceEnd, Run, shifted
from golpae.corpus.parts import Part, Piece, parts
from golpae.corpus.paths import Legal, Paths
from golpae.replay.report import Report
from golpae.trace import Outcome, Source, Verdict
from golpae.trace.packed import parquet

TABLE = ".parquet"
ROWS = 20_000  # of a table that are written together
COLUMNS = {
    "file": "string",
    "line": "int64",
    "id": "string",
    "rules": "string",
    "verdict": "string",
    "event": "int64",
    "at": "int64",
    "clause": "string",
    "message": "string",
    "spec_hash": "string",
    "trace_hash": "string",
    "version": "string",
}
"""The columns of a table of verdicts, and the types that Arrow calls so. `id` is JSON."""

_BLOCK = 1 << 20
_encode = msgspec.json.Encoder(enc_hook=str).encode  # a fault of a stream is a kind of text


class CannotResume(Exception):
    """The journal belongs to another run, and why."""


class Entry(msgspec.Struct):
    """A piece in the journal. `size` is how many bytes of verdicts there are behind it, `counts` how many verdicts of
    each kind; `lines` are those of its source up to its end.
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


class Start(msgspec.Struct):
    """What a run is: its inputs with their sizes, the rules of the call, and the version."""

    inputs: list[tuple[str, int | None]]
    rules: str | None
    version: str


class Results:
    """The verdicts of a run on their way to a file. Raises `CannotResume` and OSError."""

    def __init__(self, path: Path, sources: Sequence[Source], how: How, resume: bool) -> None:
        if path.name.endswith(TABLE):
            parquet()  # which may be missing
        self._path, self._sources, self._how = path, sources, how
        self._part = path.with_name(f".{path.name}.part")
        self._journal = path.with_name(f".{path.name}.journal")
        self.counts: Counter[Verdict] = Counter()
        self.faults: list[str] = []
        """What could not be read."""
        self.paths = Paths()
        self.resumed = 0
        """How many pieces an earlier run has checked."""
        self._lines = 0
        start = Start([(s.name, s.size()) for s in sources], how.rules, __version__)
        entries = self._entries(start) if resume else []
        if not entries:
            self._journal.write_bytes(_encode(start) + b"\n")
            self._part.write_bytes(b"")
        self._checked(entries)

    # ------------------------------------------------------------------ going on

    def _entries(self, start: Start) -> list[Entry]:
        """Return what the journal of an earlier run says. A last line that is cut short counts for nothing."""
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
        if (before.inputs, before.rules) != (start.inputs, start.rules):
            raise CannotResume("the earlier run had other inputs or rules")
        if entries and entries[-1].size > size:
            raise CannotResume("the verdicts of the earlier run are gone")
        return entries

    def _checked(self, entries: Sequence[Entry]) -> None:
        """Take over what an earlier run has found, if its inputs and rule texts are still the same."""
        library = self._how.library() if entries else None
        for entry in entries:
            piece = Piece(entry.source, self._sources[entry.source], entry.begin, entry.end, entry.last)
            if digest_of_piece(piece) != entry.digest:
                raise CannotResume(f"`{piece.source.shown}` has changed since")
            for rules, text in entry.texts.items():
                found = None if library is None else library.rule_set(rules)
                if (None if found is None else found.spec_hash) != text:
                    raise CannotResume(f"the text of the rules `{rules}` has changed since")
            self.faults += entry.faults
            self._count(Counter({Verdict(word): count for word, count in entry.counts.items()}))
            self.paths.add(Paths(*entry.paths, disagree=[0] * len(entry.disagree)))
        if entries:
            self._lines = 0 if entries[-1].last else entries[-1].lines
            os.truncate(self._part, entries[-1].size)
        self.resumed = len(entries)

    def _left(self) -> Iterator[Part]:
        """Yield the parts that nobody has checked yet."""
        pieces = self.resumed
        for part in parts(self._sources):
            if pieces >= len(part):
                pieces -= len(part)
            else:
                yield part[pieces:]
                pieces = 0

    # ------------------------------------------------------------------ running

    def run(self, run: Run, on_report: Callable[[Report], None], read: Callable[[int], None]) -> None:
        """Check what is left, and write the file. `on_report` gets each report, and `read` is told of bytes."""
        counts: Counter[Verdict] = Counter()
        texts: dict[str, str | None] = {}
        with open(self._part, "ab") as out, open(self._journal, "ab") as journal:
            for message in run(self._how, self._left()):
                if isinstance(message, Batch):
                    for item in message.items:
                        assert not isinstance(item, Legal)
                        report = shifted(item, self._lines)
                        on_report(report)
                        counts[report.outcome.verdict] += 1
                        if report.outcome.rules is not None:
                            texts.setdefault(report.outcome.rules, report.outcome.spec_hash)
                        out.write(_encode(as_json(report.outcome)) + b"\n")
                    continue
                out.flush()
                os.fsync(out.fileno())
                journal.write(_encode(self._entry(message, out.tell(), counts, texts)) + b"\n")
                journal.flush()
                self._count(counts)
                counts, texts = Counter(), {}
                read(message.size)
        self._finish()

    def _entry(
        self, end: PieceEnd, size: int, counts: Counter[Verdict], texts: dict[str, str | None]
    ) -> Entry:
        piece, lines = end.piece, self._lines + end.lines
        faults = [f"`{piece.source.shown}` cannot be read: {end.fault}"] if end.fault is not None else []
        if end.unread is not None:
            faults.append(f"{piece.source.shown}:{end.unread[0] + self._lines}: {end.unread[1]}")
        disagree = [f"{piece.source.shown}:{line + self._lines}" for line in end.paths.disagree]
        self.faults += faults
        self.paths.add(replace(end.paths, disagree=[line + self._lines for line in end.paths.disagree]))
        self._lines = 0 if piece.last else lines
        return Entry(
            piece.number,
            piece.begin,
            piece.end,
            piece.last,
            digest_of_piece(piece),
            size,
            lines,
            {verdict.value: count for verdict, count in counts.items()},
            texts,
            faults,
            disagree,
            (end.paths.compiled, end.paths.referred),
        )

    def _count(self, counts: Counter[Verdict]) -> None:
        self.counts.update(counts)

    def _finish(self) -> None:
        """Give the file its name, and take the journal away."""
        if self._path.name.endswith(TABLE):
            with written(self._path) as out:
                _write_table(self._part, out)
            self._part.unlink()
        else:
            os.replace(self._part, self._path)
        with suppress(OSError):
            self._journal.unlink()


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return a verdict as `golpae check --format json` prints it."""
    hashes = {"spec_hash": outcome.spec_hash, "trace_hash": outcome.trace_hash, "version": __version__}
    return outcome.to_json() | hashes


def digest_of_piece(piece: Piece) -> str:
    """Return the hash of the bytes of a piece; of packed games, that of the whole file with the first piece. It is
    empty if they cannot be read.
    """
    if piece.source.is_packed and piece.begin:
        return ""
    digest = hashlib.sha256()
    try:
        with piece.source.open_bytes() as stream:
            left = None
            if not piece.source.is_packed:
                left = None if piece.end is None else piece.end - piece.begin
                if piece.begin:
                    stream.seek(piece.begin)
            while left != 0 and (block := stream.read(_BLOCK if left is None else min(left, _BLOCK))):
                digest.update(block)
                left = None if left is None else left - len(block)
    except OSError:
        return ""
    return digest.hexdigest()


def _write_table(lines: Path, out: Any) -> None:
    """Write verdicts, as JSON lines, as a table."""
    import pyarrow

    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()])
    with (
        open(lines, "rb") as stream,
        parquet().ParquetWriter(out, schema, compression="zstd") as writer,
    ):
        while rows := [msgspec.json.decode(line) for line in islice(stream, ROWS)]:
            for row in rows:
                row["id"] = None if row["id"] is None else _encode(row["id"]).decode()
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
