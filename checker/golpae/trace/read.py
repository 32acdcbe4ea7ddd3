"""The lines of a trace file.

Input: a stream of bytes, an archive or not.
Output: the number of each line that is not blank, and its JSON object or its fault.
Guarantee: nothing in the stream raises, and memory is bounded by `MAX_LINE` and a few MiB for any stream. A line passes
without a fault only if it is strict JSON in UTF-8, has no half surrogate pairs, is nested no deeper than 100, and
has no key twice in one object and no number out of bounds.

    {"do":"draw","by":0,"tile":"4-2"}      (1, {"do": "draw", "by": 0, "tile": "4-2"}, None)
    {"do":"draw","do":"draw"}              (2, {"do": "draw"}, "the key `do` is given twice")
    {"do":"draw",                          (3, None, "not JSON: the line ends after column 13, ...")
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import msgspec

from golpae.trace.decompress import DamagedArchive, blocks

MAX_LINE = 1 << 20
"""Bytes of the longest line that is read, its line end not counted."""

_DEEPEST = 100
MOST_DIGITS = 1000
"""Digits of the longest number that is read."""

# INVARIANT: a JSON text this short is nested no deeper than `_DEEPEST`, and has no integer of `MOST_DIGITS`.
_SHORT = 2 * _DEEPEST

_BOM = b"\xef\xbb\xbf"
_MANY_DIGITS = re.compile(rb"\d{%d}" % (MOST_DIGITS + 1))
_BRACKET = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)
_TOO_LONG = "this line is longer than 1 MiB"

_decode = msgspec.json.Decoder().decode
_REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)


class Unread(str):
    """The fault after which a stream cannot be read any further."""

    __slots__ = ()


_Object = dict[str, object]
See = Callable[[bytes], None]
_Checked = tuple[_Object | None, str | None]  # as `lines` gives them, after the number


def lines(stream: BinaryIO, see: See | None = None) -> Iterator[tuple[int, _Object | None, str | None]]:
    """Yield the lines of a stream: number from 1, JSON object, fault. Blank lines are counted and skipped.

    Object and no fault: a line in order. Fault and no object: anything that is not a JSON object, is too long or
    nested too deep. Both: a JSON object that has some other fault; its keys show whether it is a header, its values
    are not reliable. If the stream breaks off (an archive that is cut short, a disk that fails), the last item is
    an `Unread` fault at the line that could not be read to its end.

    Bytes and columns in faults count from 1, a byte order mark not counted. `see` gets each line that is not blank
    before it is yielded.
    """
    return lines_in(blocks(stream), 1, see)


def lines_in(
    text: Iterator[bytes], first: int = 1, see: See | None = None
) -> Iterator[tuple[int, _Object | None, str | None]]:
    """Yield the lines of a text in blocks, as `lines` does; `first` is the number of its first line."""
    decode = _decode
    number = first - 1
    rest = bytearray()  # a line whose end has not been read yet
    skipping = False  # ... and whose fault has been reported already
    try:
        for block in chain(text, (b"\n",)):
            if not skipping and block.isspace() and b"\n" in block and (not rest or rest.isspace()):
                number += block.count(b"\n")  # a small archive can hold very many blank lines
                rest[:] = block[block.rfind(b"\n") + 1 :]
                continue
            whole = block.split(b"\n")
            last = whole.pop()
            if whole:
                if skipping:
                    del whole[0]
                    skipping = False
                elif rest:
                    whole[0] = bytes(rest + whole[0])
                    rest.clear()
            for line in whole:
                number += 1
                if not line or line.isspace():
                    continue
                if see is not None:
                    see(line)
                try:
                    value = decode(line)
                except _REFUSED:
                    judged = _refused(line, number)
                else:
                    # Each key has a colon. As many colons as different keys: no key is there twice.
                    if type(value) is dict and line.count(b":") == len(value) and len(line) <= _SHORT:
                        yield number, value, None
                        continue
                    judged = _decoded(line, value)
                if judged:
                    yield number, *judged
            if last and not skipping:
                rest += last
                if len(rest) > MAX_LINE:
                    number += 1
                    yield number, None, _TOO_LONG
                    rest.clear()
                    skipping = True
    except DamagedArchive as damage:
        yield number + (not skipping), None, Unread(damage)
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        words = f"this line cannot be read to its end: {reason[:1].lower()}{reason[1:]}"
        yield number + (not skipping), None, Unread(words)


def _refused(line: bytes, number: int) -> _Checked | None:
    """Check a line that the decoder refuses. Return None if it is blank."""
    if number == 1 and line.startswith(_BOM):
        line = line.removeprefix(_BOM)
        try:
            return _decoded(line, _decode(line))
        except _REFUSED:
            pass
    if not line.strip():
        return None
    return _bounds(line) or _explained(line)


def _decoded(line: bytes, value: object) -> _Checked:
    """Check a line that the decoder has read."""
    if len(line) > _SHORT:
        fault = _bounds(line)
        if fault:
            return fault
        if len(line) > MOST_DIGITS and _MANY_DIGITS.search(line):
            return _explained(line)
    if type(value) is not dict:
        return (None, f"this line must be a JSON object, not {_kind(value)}")
    if line.count(b":") != len(value):  # a value with a colon, an object inside, or a key given twice
        # Before each key's colon there is a quote or white space, so there are no more keys than this.
        keys = line.count(b'":') + line.count(b" :") + line.count(b"\t:") + line.count(b"\r:")
        if keys != len(value) and keys != _keys(value):
            return _explained(line)
    return value, None


def _bounds(line: bytes) -> _Checked | None:
    """Return the fault of a line that is too long or nested too deep."""
    if len(line) > MAX_LINE:
        return (None, _TOO_LONG)
    if line.count(b"[") + line.count(b"{") > _DEEPEST:
        depth = 0
        for token in _BRACKET.finditer(line):
            if token[0] in b"[{":
                depth += 1
                if depth > _DEEPEST:
                    column = _column(line, token.start())
                    return (None, f"nested deeper than {_DEEPEST} at column {column}")
            elif token[0] in b"]}":
                depth -= 1
    return None


def _column(line: bytes, place: int) -> int:
    return len(line[:place].decode("utf-8", "replace")) + 1


def _keys(value: object) -> int:
    """Return how many keys all objects of a value have together."""
    if type(value) is dict:
        parts: Iterable[object] = value.values()
        keys = len(value)
    elif type(value) is list:
        parts = value
        keys = 0
    else:
        return 0
    for part in parts:
        if type(part) is dict or type(part) is list:
            keys += _keys(part)
    return keys


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "something else"


def _explained(line: bytes) -> _Checked:
    """Check a line slowly, to describe its fault. INVARIANT: it is within bounds (`_bounds`)."""
    from golpae.trace.json_errors import decode_with_fault

    value, fault = decode_with_fault(line, MOST_DIGITS)
    if fault is None and type(value) is not dict:
        fault = f"this line must be a JSON object, not {_kind(value)}"
    return (value if type(value) is dict else None), fault
