"""Frozen values, and values of callers that are read like those of files.

Input: values of traces, of callers.
Output: values that nobody can change, of the same content; lines of traces.
Guarantee: what is frozen is hashable and pickles. A line of a caller passes the checks that a line of a file passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar

import msgspec

from golpae.trace import lines_in, quoted
from golpae.trace.read import MOST_DIGITS

LONGEST = 200  # characters of a value in a message
NOT_JSON = (TypeError, ValueError, NotImplementedError, OverflowError, RecursionError, msgspec.MsgspecError)
"""What `written` raises for a value that JSON has not."""

Key = TypeVar("Key")
Value_co = TypeVar("Value_co", covariant=True)


class FrozenDict(Mapping[Key, Value_co]):
    """A mapping that cannot be changed, which reads like a `dict` and equals a `dict` of the same content."""

    __slots__ = ("_held",)

    def __init__(self, content: Mapping[Key, Value_co]) -> None:
        self._held = dict(content)

    def __getitem__(self, key: Key) -> Value_co:
        return self._held[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __hash__(self) -> int:
        return hash(frozenset(self._held.items()))

    def __repr__(self) -> str:
        return repr(self._held)

    def __reduce__(self) -> tuple[type[FrozenDict[Any, Any]], tuple[dict[Any, Any]]]:
        return FrozenDict, (self._held,)


def several(given: Any, kinds: type | tuple[type, ...], what: str) -> list[Any]:
    """Return one value or several as a list. Raises `TypeError`, which says `what` they are, for any other type."""
    if isinstance(given, kinds):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise TypeError(f"{what}, not {type(given).__name__}")
    items = [*given]
    for one in items:
        if not isinstance(one, kinds):
            raise TypeError(f"{what}, not {type(one).__name__}")
    return items


class ShortRepr:
    """A result, which prints only those of its parts that say something."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the kind of result, and its parts that are not as usual."""
        parts = [
            f"{one.name}={getattr(self, one.name)!r}"
            for one in fields(self)  # type: ignore[arg-type]
            if one.repr and getattr(self, one.name) != one.default
        ]
        return f"{type(self).__name__}({', '.join(parts)})"


def frozen(value: Any) -> Any:
    """Return a value of JSON that nobody can change: tuples for lists, `FrozenDict` for objects."""
    if isinstance(value, list | tuple):
        return tuple(map(frozen, value))
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(part) for key, part in value.items()})
    return value


def plain(value: Any) -> Any:
    """Return a frozen value as JSON has it, in lists and dicts of its own."""
    if isinstance(value, tuple):
        return [*map(plain, value)]
    if isinstance(value, FrozenDict):
        return {key: plain(part) for key, part in value.items()}
    return value


def written(value: object) -> str:
    """Return a value as JSON on one line: an object is a line of a trace, without its end."""
    return msgspec.json.encode(value, enc_hook=_unfrozen).decode()


def _unfrozen(value: object) -> object:
    """Return the form that JSON has for a value of golpae's own. Raises `NotImplementedError`."""
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(f"Encoding objects of type {type(value).__name__} is unsupported")


def line_fault(line: str) -> str | None:
    """Return why a line that was written is no line of a trace, or None."""
    read_line = next(lines_in(iter([line.encode()])), None)
    return None if read_line is None else read_line[2]


def shown(value: object) -> str:
    """Return a value of a caller for a message, cut."""
    many = f"a number of more than {MOST_DIGITS} digits"
    if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
        return many
    try:
        words = repr(value)
    except ValueError:  # Python writes no number of very many digits
        return many
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def line_of(given: Mapping[str, Any] | str | bytes, what: str) -> tuple[dict[str, object] | None, str | None]:
    """Return the JSON object of a line that a caller gives, or None, and the fault of the line, or None. Raises
    `TypeError` if it cannot be JSON.
    """
    if isinstance(given, Mapping):
        try:
            text = msgspec.json.encode(dict(given), enc_hook=_unfrozen)
        except NOT_JSON as fault:
            if "integer string conversion" in str(fault):  # which Python does not write
                return None, f"a number of more than {MOST_DIGITS} digits"
            raise TypeError(f"{what} holds a value that JSON has not: {fault}") from None
    elif isinstance(given, str | bytes):
        text = given.encode("utf-8", "surrogatepass") if isinstance(given, str) else given
        text = text.replace(b"\r", b" ").replace(b"\n", b" ")
    else:
        raise TypeError(f"{what} is a dict or a line of JSON, not {quoted(repr(given))}")
    read_line = next(lines_in(iter([text])), None)
    return (None, f"{what} is empty") if read_line is None else (read_line[1], read_line[2])
