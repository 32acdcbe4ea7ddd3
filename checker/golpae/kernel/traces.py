"""Check the traces that lie in the memory of a module, one after the other.

Input: the layout of an instance. Output: the functions `check()` and `check_noted(signature)`, and where they are told
what to check and note what they found: at a `TraceAddresses`.
Guarantee: a trace is noted as legal or incomplete only if its header and all its events were recognised and are legal.

`check` goes through the lines from `at` to `end` and notes each trace with an outcome:

    INCOMPLETE, COMPLETE  its events are legal, and the last hand has not ended, or has
    REFERRED              the reference has to decide it, from its header on
    REFUSED               an event is not legal; the reference says which, and why
    FOREIGN               its header is that of another rule set or table, of this `signature`

A trace ends before the next line that begins as headers do; of one that is not decided here, the lines up to there are
skipped. The module notes there where it stopped, and why:

    DONE    at the end; more lines of the last trace may follow
    OTHER   at a line that begins like a header, or is the first one, and is not recognised as one
    FULL    there is no room to note more traces
    REFER   the trace that was noted last is `REFERRED`; to go on behind it, `skips` has to be set

`check_noted` checks those of the noted traces that are `FOREIGN` and have a signature, from the note `noted_from` on.
The same text has to lie in the memory, and the notes of the other module. `line` is the number of the line at `at`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from golpae.kernel.language.code import Expr, Function, Get, Lit, Matching
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    count_bits,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lowest_bit,
    lt,
    mul,
    ne,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.scan.lines import ANY_HEADER, HEADER

DONE, REFER, OTHER, FULL, ILLEGAL = range(5)
INCOMPLETE, COMPLETE, REFERRED, REFUSED, FOREIGN = range(5)
MOST_NOTED = 1 << 14
NOTE = 7  # words of a note: the position of a trace in the text, its line, its events, its outcome, its signature, and
# where its id begins and ends as it is written, twice the same if it has none
AT, LINE, EVENTS, OUTCOME, SIGNATURE, ID, ID_END = range(NOTE)  # places of words in a note
_NEW_LINE = ord("\n")
_HEADER_BEGINS = b'{"golpae'
_BEGINS = int.from_bytes(_HEADER_BEGINS, "little")
_MATCHED = 16  # bytes that are looked at together
_LETTER = 2  # the place there of a letter that is rare in events
_GAME, _SKIP = "check_game", "skip_game"


@dataclass(frozen=True, slots=True)
class TraceAddresses:
    """The addresses of what the functions are told and find, one word after the other, then of the notes, and of where
    the id of a header begins and ends in memory.
    """

    base: int
    at: int
    end: int
    skips: int
    why: int
    line: int
    noted: int
    noted_from: int
    notes: int
    named: int


WORDS = len(fields(TraceAddresses)) - 2  # before the notes


def place(layout: Layout) -> TraceAddresses:
    """Return the addresses of games, in memory that nothing else uses."""
    first = layout.allocate(WORDS)
    words = [first + number * WORD for number in range(WORDS)]
    return TraceAddresses(*words, layout.allocate(MOST_NOTED * NOTE), layout.allocate(2))  # type: ignore[call-arg]


def check_functions(layout: Layout, area: TraceAddresses) -> list[Function]:
    """Return `check()`, `check_noted(signature)`, and the functions that they need."""
    return [_check(area), _check_noted(area), _game(layout), _skip()]


def _check(area: TraceAddresses) -> Function:
    writer = Writer("check")
    at, end, line = (writer.var(load(8, ZERO, word)) for word in (area.at, area.end, area.line))
    base = writer.var(load(8, ZERO, area.base))
    following, read, lines = writer.new(), writer.new(), writer.new()
    outcome, events = writer.new(), writer.new()

    def stop(why: int) -> None:
        for value, word in (
            (at, area.at),
            (line, area.line),
            (Lit(why), area.why),
        ):
            writer.store(8, ZERO, value, word)
        writer.give()

    def skip() -> None:
        writer.call_into((at, lines), _SKIP, at, end)
        writer.set(line, add(line, lines))

    def note(outcome: int, signature: Expr) -> Get:
        """Note the trace that begins here. Return the address of its note."""
        noted = writer.let(load(8, ZERO, area.noted))
        address = writer.var(_note_at(area, noted))
        named = (sub(load(8, ZERO, area.named + part * WORD), base) for part in range(2))
        for slot, value in enumerate((sub(at, base), line, ZERO, Lit(outcome), signature, *named)):
            writer.store(8, address, value, slot * WORD)
        writer.store(8, ZERO, add(noted, ONE), area.noted)
        return address

    with writer.when(load(8, ZERO, area.skips)):
        skip()
    with writer.loop() as again:
        with writer.when(ge(at, end)):
            stop(DONE)
        with writer.when(eq(load(1, at), Lit(_NEW_LINE))):
            writer.set(at, add(at, ONE))
            writer.set(line, add(line, ONE))
            writer.leave(again)
        with writer.when(ge(load(8, ZERO, area.noted), Lit(MOST_NOTED))):
            stop(FULL)
        writer.call_into((following, read), HEADER, at)
        with writer.when(is_zero(following)):
            writer.call_into((following, read), ANY_HEADER, at)
            with writer.when(is_zero(following)):
                stop(OTHER)
            note(FOREIGN, read)
            skip()
            writer.leave(again)
        address = note(REFERRED, ZERO)
        writer.call_into((), "new_game", read)
        writer.call_into((following, lines, outcome, events), _GAME, following, end)
        writer.store(8, address, events, EVENTS * WORD)
        writer.store(8, address, outcome, OUTCOME * WORD)
        writer.set(at, following)
        writer.set(line, add(line, add(lines, ONE)))
        with writer.when(ge(outcome, Lit(REFERRED))):
            skip()
        writer.leave(again)
    return writer.function()


def _check_noted(area: TraceAddresses) -> Function:
    writer = Writer("check_noted", params=1)
    number, noted = (writer.var(load(8, ZERO, word)) for word in (area.noted_from, area.noted))
    base = writer.var(load(8, ZERO, area.base))
    following, read, lines = writer.new(), writer.new(), writer.new()
    outcome, events = writer.new(), writer.new()
    with writer.loop() as again:
        with writer.when(ge(number, noted)):
            writer.store(8, ZERO, Lit(DONE), area.why)
            writer.give()
        address = writer.var(_note_at(area, number))
        writer.set(number, add(number, ONE))
        writer.leave(again, ne(load(8, address, OUTCOME * WORD), Lit(FOREIGN)))
        writer.leave(again, ne(load(8, address, SIGNATURE * WORD), writer.param(0)))
        writer.store(8, ZERO, number, area.noted_from)
        writer.store(8, address, Lit(REFERRED), OUTCOME * WORD)
        end = writer.var(load(8, ZERO, area.end))
        with writer.when(sub(noted, number)):
            writer.set(end, add(base, load(8, address, NOTE * WORD)))
        writer.call_into((following, read), HEADER, add(base, load(8, address)))
        writer.leave(again, is_zero(following))
        writer.call_into((), "new_game", read)
        writer.call_into((following, lines, outcome, events), _GAME, following, end)
        writer.store(8, address, events, EVENTS * WORD)
        writer.store(8, address, outcome, OUTCOME * WORD)
        writer.leave(again)
    return writer.function()


def _note_at(area: TraceAddresses, number: Expr) -> Expr:
    return add(Lit(area.notes), mul(number, Lit(NOTE * WORD)))


def _game(layout: Layout) -> Function:
    """Return the function that checks the events of a trace: from the position of the first one, and the end of the
    text, to the position behind those that are legal, how many lines these are, the outcome, and how many events.
    """
    writer = Writer(_GAME, params=2, results=4)
    at, end = writer.param(0), writer.param(1)
    lines, events = writer.var(0), writer.var(0)
    following, read = writer.new(), writer.new()
    with writer.block() as over, writer.loop() as again:
        writer.leave(over, ge(at, end))
        with writer.when(eq(load(1, at), Lit(_NEW_LINE))):
            writer.set(at, add(at, ONE))
            writer.set(lines, add(lines, ONE))
            writer.leave(again)
        writer.leave(over, eq(load(8, at), Lit(_BEGINS)))
        writer.call_into((following, read), "scan_event", at)
        with writer.when(is_zero(following)):
            writer.give(at, lines, Lit(REFERRED), events)
        with writer.when(is_zero(call("act", read))):
            writer.give(at, lines, Lit(REFUSED), events)
        writer.set(events, add(events, ONE))
        writer.set(lines, add(lines, ONE))
        writer.set(at, following)
        writer.leave(again)
    stage = writer.let(load(8, ZERO, layout.at))
    complete = either(eq(stage, Lit(layout.stage("ended"))), eq(stage, Lit(layout.stage("finished"))))
    writer.give(at, lines, select(complete, Lit(COMPLETE), Lit(INCOMPLETE)), events)
    return writer.function()


def _skip() -> Function:
    """Return the function from the position of a line, and the end of the text, to the next line that begins as headers
    do, or to the end, and how many lines that is.

    It looks for a letter of such a beginning that few events have, and counts the ends of lines on its way.
    """
    writer = Writer(_SKIP, params=2, results=2)
    begin, end = writer.param(0), writer.param(1)
    at, lines = writer.var(begin), writer.var(0)
    with writer.loop() as again:
        with writer.when(ge(at, end)):
            writer.give(end, lines)
        breaks = writer.var(Matching(_NEW_LINE, at))
        letters = writer.var(Matching(_HEADER_BEGINS[_LETTER], at))
        left = writer.let(sub(end, at))
        with writer.when(lt(left, Lit(_MATCHED))):
            before_end = writer.let(sub(shl(ONE, left), ONE))
            writer.set(breaks, both(breaks, before_end))
            writer.set(letters, both(letters, before_end))
        with writer.when(is_zero(letters)):
            writer.set(lines, add(lines, count_bits(breaks)))
            writer.set(at, add(at, Lit(_MATCHED)))
            writer.leave(again)
        place = writer.let(lowest_bit(letters))
        writer.set(lines, add(lines, count_bits(both(breaks, sub(shl(ONE, place), ONE)))))
        writer.set(at, add(at, place))
        line = writer.let(sub(at, Lit(_LETTER)))
        behind_break = both(gt(line, begin), eq(load(1, sub(line, ONE)), Lit(_NEW_LINE)))
        with writer.when(both(behind_break, eq(load(8, line), Lit(_BEGINS)))):
            writer.give(line, lines)
        writer.set(at, add(at, ONE))
        writer.leave(again)
    return writer.function()
