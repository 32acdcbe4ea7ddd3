"""Verdicts as a table of Arrow, for notebooks and data frames.

Input: verdicts. Output: a `pyarrow.Table`, or its batches of rows.
Guarantee: the columns are those of `SCHEMA`, in this order, whatever the games are. Memory holds one batch, and what
the caller keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from golpae.extras import how_to_install
from golpae.library.checking import Checked, OnFault
from golpae.library.errors import MissingExtra
from golpae.library.front import check_all
from golpae.library.origin import PathLike
from golpae.library.rules import Rules
from golpae.library.values import written

ROWS = 10_000  # of a batch
SCHEMA = {
    "file": "string",
    "line": "int64",
    "id": "string",
    "rules": "string",
    "verdict": "dictionary",
    "event": "int64",
    "at": "int64",
    "clause": "string",
    "message": "string",
    "rulings": "rulings",
}


def verdicts_table(
    paths: PathLike | Iterable[PathLike],
    rules: Rules | PathLike | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
    on_fault: OnFault | None = None,
    processes: int = 1,
    *,
    rulings: PathLike | None = None,
) -> Any:
    """Return the verdicts on all games of files and folders as a `pyarrow.Table`.

    Its columns are `file`, `line`, `id` (as JSON), `rules`, `verdict`, `event`, `at`, `clause`, `message` and
    `rulings`, as in `Checked`. The arguments and exceptions are those of `check_all`.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow = _arrow()
    batches = verdict_batches(paths, rules, spec_path, on_fault, processes, rulings=rulings)
    return arrow.Table.from_batches(batches, schema=_schema(arrow))


def verdict_batches(
    paths: PathLike | Iterable[PathLike],
    rules: Rules | PathLike | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
    on_fault: OnFault | None = None,
    processes: int = 1,
    *,
    rulings: PathLike | None = None,
) -> Iterator[Any]:
    """Yield the rows of `verdicts_table` as `pyarrow.RecordBatch`es, so that memory does not grow with the games.

    The arguments and exceptions are those of `check_all`.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow = _arrow()
    return _batches(arrow, check_all(paths, rules, spec_path, on_fault, processes, rulings=rulings))


def _batches(arrow: Any, verdicts: Iterator[Checked]) -> Iterator[Any]:
    schema = _schema(arrow)
    while rows := [*islice(verdicts, ROWS)]:
        columns = []
        for name in SCHEMA:
            values = [getattr(row, name) for row in rows]
            if name == "id":
                values = [None if value is None else written(value) for value in values]
            elif name == "verdict":
                values = [value.value for value in values]
            elif name == "rulings":
                values = [[one.to_json() for one in value] for value in values]
            columns.append(arrow.array(values, schema.field(name).type))
        yield arrow.record_batch(columns, schema=schema)


def _schema(arrow: Any) -> Any:
    types = {
        "string": arrow.string(),
        "int64": arrow.int64(),
        "dictionary": arrow.dictionary(arrow.int8(), arrow.string()),
        "rulings": arrow.list_(
            arrow.struct(
                [(name, arrow.int64()) for name in ("event", "at")]
                + [(name, arrow.string()) for name in ("clause", "message", "reason")]
            )
        ),
    }
    return arrow.schema([(name, types[kind]) for name, kind in SCHEMA.items()])


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra(
            "tables of verdicts need pyarrow, which is not installed",
            f"install it: {how_to_install('archive')}",
        ) from None
    return pyarrow
