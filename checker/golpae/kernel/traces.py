"""Check the traces that lie in the memory of a module, one after the other.

Input: the layout of an instance. Output: the function `check()`, and where it is told what to check and notes what it
found: at a `Place`.
Guarantee: a trace is noted as legal or incomplete only if its header and all its events were recognised and are legal.

`check` goes through the lines from `at` to `end`. It notes there where it stopped, and why:

    DONE    at the end; if `whole`, nothing follows, and the last trace is noted too, otherwise that is left open
    REFER   the trace that is open is for the reference to decide, from its header on
    OTHER   at a line that may be the header of another rule set or table
    FULL    there is no room to note more traces
    ILLEGAL the trace that is open has an event that is not legal; the reference says which, and why

If `open` is not 0, a trace is open, whose header is at `trace`, in the line `trace_line`. `line` is the number of the
line at `at`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from golpae.kernel.language.code import Expr, Function, Label, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    is_zero,
    load,
    mul,
)
from golpae.kernel.layout import WORD, Layout

DONE, REFER, OTHER, FULL, ILLEGAL = range(5)
MOST_NOTED = 1 << 14
NOTE = 4  # words of a note: the position of a trace, its line, its events, and whether it is complete
_NEW_LINE = ord("\n")
_HEADER = int.from_bytes(b'{"golpae', "little")


@dataclass(frozen=True, slots=True)
class Place:
    """The addresses of what `check` is told and finds, one word after the other, then of the notes."""

    at: int
    end: int
    whole: int
    why: int
    line: int
    open: int
    trace: int
    trace_line: int
    noted: int
    events: int
    notes: int


WORDS = len(fields(Place)) - 1  # before the notes


def place(layout: Layout) -> Place:
    """Return such addresses, in memory that nothing else uses."""
    first = layout.allocate(WORDS)
    words = [first + number * WORD for number in range(WORDS)]
    return Place(*words, layout.allocate(MOST_NOTED * NOTE))  # type: ignore[call-arg]


def check_function(layout: Layout, found: Place) -> Function:
    """Return `check()`."""
    writer = Writer("check")
    at, end, whole, line = (
        writer.var(load(8, ZERO, word)) for word in (found.at, found.end, found.whole, found.line)
    )
    following, read = writer.new(), writer.new()

    def stop(why: int) -> None:
        for value, word in ((at, found.at), (line, found.line), (Lit(why), found.why)):
            writer.store(8, ZERO, value, word)
        writer.give()

    def on(label: Label) -> None:
        """Go on behind the line that was read."""
        writer.set(at, following)
        writer.set(line, add(line, ONE))
        writer.leave(label)

    with writer.loop() as again:
        with writer.when(ge(at, end)):
            with writer.when(both(whole, load(8, ZERO, found.open))):
                _note(writer, layout, found)
            stop(DONE)
        with writer.when(eq(load(1, at), Lit(_NEW_LINE))):
            writer.set(following, add(at, ONE))
            on(again)
        header = eq(load(8, at), Lit(_HEADER))
        with writer.when(either(header, is_zero(load(8, ZERO, found.open)))):
            writer.call_into((following, read), "scan_header", at)
            with writer.when(is_zero(following)):
                stop(OTHER)
            with writer.when(load(8, ZERO, found.open)):
                _note(writer, layout, found)
            with writer.when(ge(load(8, ZERO, found.noted), Lit(MOST_NOTED))):
                stop(FULL)
            writer.store(8, ZERO, at, found.trace)
            writer.store(8, ZERO, line, found.trace_line)
            writer.store(8, ZERO, ZERO, found.events)
            writer.store(8, ZERO, ONE, found.open)
            writer.call_into((), "new_game", read)
            on(again)
        writer.call_into((following, read), "scan_event", at)
        with writer.when(is_zero(following)):
            stop(REFER)
        with writer.when(is_zero(call("act", read))):
            stop(ILLEGAL)
        writer.store(8, ZERO, add(load(8, ZERO, found.events), ONE), found.events)
        on(again)
    return writer.function()


def _note(writer: Writer, layout: Layout, found: Place) -> None:
    """Note the open trace, whose events were all legal."""
    noted = load(8, ZERO, found.noted)
    address = writer.let(add(Lit(found.notes), mul(noted, Lit(NOTE * WORD))))
    stage = writer.let(load(8, ZERO, layout.at))
    complete: Expr = either(eq(stage, Lit(layout.stage("ended"))), eq(stage, Lit(layout.stage("finished"))))
    kept = (
        load(8, ZERO, found.trace),
        load(8, ZERO, found.trace_line),
        load(8, ZERO, found.events),
        complete,
    )
    for slot, value in enumerate(kept):
        writer.store(8, address, value, slot * WORD)
    writer.store(8, ZERO, add(noted, ONE), found.noted)
    writer.store(8, ZERO, ZERO, found.open)
