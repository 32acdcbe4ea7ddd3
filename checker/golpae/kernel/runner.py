"""Run the module of one instance on a text.

Input: an instance, a text in blocks, positions in it. Output: which traces were checked, and where it stopped.
Guarantee: nothing is kept from one text to the next; positions are those of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from struct import Struct
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.lifecycle import ENDED, FINISHED
from golpae.kernel.language.host import Referred, TextAtEnd
from golpae.kernel.layout import WORD
from golpae.kernel.start import started
from golpae.kernel.traces import NOTE, REFER

_TOLD = Struct("<10q")  # the words of `traces.Place` before the notes
_NOTE = Struct(f"<{NOTE}q")
_WORD = Struct("<q")


@dataclass(frozen=True, slots=True)
class Noted:
    """A trace whose events are all legal: where its header is, its line, how many events it has, whether it is over."""

    at: int
    line: int
    events: int
    complete: bool


class Notes:
    """Traces whose events are all legal, in order."""

    def __init__(self, held: bytes, base: int) -> None:
        self._held, self._base = memoryview(held).cast("q"), base

    def __len__(self) -> int:
        return len(self._held) // NOTE

    def __getitem__(self, number: int) -> Noted:
        at, line, events, complete = self._held[number * NOTE : (number + 1) * NOTE]
        return Noted(at - self._base, line, events, complete != 0)

    def incomplete(self) -> list[int]:
        """Return the numbers of those that are not over."""
        complete = self._held[NOTE - 1 :: NOTE].tolist()
        return [number for number, whole in enumerate(complete) if not whole] if not all(complete) else []

    def events(self, first: int, end: int) -> int:
        """Return how many events the traces of these numbers have together."""
        return sum(self._held[first * NOTE + 2 : end * NOTE : NOTE].tolist())


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


class Runner:
    """One instance, compiled. Headers call it `rules`, or anything. Raises `Unsupported` if it cannot be."""

    def __init__(self, instance: Instance, rules: str | None, counted: bool, plays: bool = False) -> None:
        made, self._host = started(instance, rules, counted, plays)
        self.refused = made.refused
        assert made.found is not None
        self._found, self._why = made.found, made.why
        self._stage, self._state_end = made.layout.at, made.layout.state_end
        self._complete = (made.layout.stage(ENDED), made.layout.stage(FINISHED))
        self._check = self._host.function("check")
        self._text = TextAtEnd(self._host, made.layout.end)
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
        return Notes(_NOTE.pack(*place), self._base)

    def check(self, at: int, line: int, end: int, whole: bool) -> Stopped:
        """Check the traces of the loaded text from one place to another, which are the beginnings of lines."""
        base, first = self._base, self._found.at
        self._host.write(self._why, bytes(WORD))
        self._host.write(first, _TOLD.pack(base + at, base + end, whole, REFER, line, 0, 0, 0, 0, 0))
        with suppress(Referred):  # then `REFER` stays, and what is open tells where
            self._check()
        told = _TOLD.unpack(self._host.read(first, _TOLD.size))
        stopped, _, _, why, line, some_open, trace, trace_line, many, events = told
        noted = self._host.read(self._found.notes, many * NOTE * WORD) if many else b""
        is_open = trace - base if some_open else None
        number = _WORD.unpack(self._host.read(self._why, WORD))[0] if why == REFER else 0
        reason = self.refused[number - 1] if number else None
        return Stopped(stopped - base, line, why, is_open, trace_line, events, Notes(noted, base), reason)
