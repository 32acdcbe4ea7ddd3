"""Rulings: events that break a rule, and that a director let stand.

Input: lines of a file of rulings. Output: the rulings, and those that may be on a trace.
Guarantee: a ruling sets aside one condition of one event. All other conditions and all effects stay.

    {"trace":"table 5","event":5,"clause":"base.end.winner","reason":"both players agreed"}

`trace` is the `id` of a trace, or the file and the line of its header (`games.jsonl:12`), or the `trace_hash` of the
verdict without the ruling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO

from golpae.records import dataclass
from golpae.trace.quote import quoted
from golpae.trace.read import lines

NEEDED = ("trace", "event", "clause", "reason")
ALLOWED = (*NEEDED, "note", "by")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling, on this line of its file."""

    line: int
    trace: str
    event: int
    clause: str
    reason: str


Rulings = tuple[Ruling, ...]


class RulingFault(ValueError):
    """A line is no ruling, and why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read_rulings(stream: BinaryIO) -> Rulings:
    """Return the rulings in a file, one JSON object a line. Raises `RulingFault`."""
    out: dict[tuple[str, int, str], Ruling] = {}
    for number, read, fault in lines(stream):
        if read is None or fault is not None:
            raise RulingFault(number, fault or "a JSON object was expected")
        ruling = _ruling(number, read)
        if out.setdefault((ruling.trace, ruling.event, ruling.clause), ruling) is not ruling:
            raise RulingFault(number, "there is a ruling on this already")
    return tuple(out.values())


def _ruling(number: int, read: Mapping[str, object]) -> Ruling:
    for key in NEEDED:
        if key not in read:
            raise RulingFault(number, f"a ruling needs the key `{key}`")
    for key in read:
        if key not in ALLOWED:
            raise RulingFault(
                number, f"unknown key {quoted(key)}: a ruling has `trace`, `event`, `clause`, `reason`"
            )
    trace, event, clause, reason = (read[key] for key in NEEDED)
    if type(trace) is not int and not isinstance(trace, str):
        raise RulingFault(number, "`trace` must be the id of a trace, `FILE:LINE`, or the hash of a trace")
    if type(event) is not int or event < 1:
        raise RulingFault(number, "`event` must be the number of an event, from 1")
    if not isinstance(clause, str) or clause.count(".") != 2:
        raise RulingFault(
            number, "`clause` must be the clause that a verdict names, such as `game.action.condition`"
        )
    if not isinstance(reason, str) or not reason.strip():
        raise RulingFault(number, "`reason` must say why, in words")
    return Ruling(number, str(trace), event, clause, reason)


def on_trace(rulings: Iterable[Ruling], file: str, line: int, ident: str | int | None) -> Rulings:
    """Return the rulings that may be on a trace: those that name it, and those that name a hash."""
    names = {f"{file}:{line}"} | (set() if ident is None else {str(ident)})
    return tuple(r for r in rulings if r.trace in names or is_hash(r.trace))


def is_hash(word: str) -> bool:
    """Return whether a word can be the hash of a trace."""
    return len(word) == 64 and all(c in "0123456789abcdef" for c in word)
