"""Check packed games that lie in the memory of a module: rows of numbers that stand for lines.

Input: the layout of an instance. Output: the functions `learn()` and `check_rows()`, and where they are told what to
check and note what they found: at a `RowsPlace`.
Guarantee: as in `traces`: a game is noted as legal or incomplete only if its header and all its lines were recognised,
by the reader of lines, and are legal.

`learn` reads the lines of `words` once each, and keeps an image of each event: its action, and its keys as they lie in
memory. `check_rows` goes through the rows from `row` to `rows`. The header of row k begins at `headers` and the k-th of
the numbers of four bytes at `header_at`, and ends where the next one begins; so do its `events`, of two bytes each, and
its `rare` lines. It notes where it stopped, and why, as `traces` says; there is no open game, because each row is one.
It counts the games that it has `noted`, those of them that are `complete`, and their events.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial

from golpae.ir.ruleset import Action
from golpae.kernel.language.code import Expr, Function, Get, Label, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    call,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    mul,
    ne,
    shl,
    sub,
)
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.scan.lines import in_turn
from golpae.kernel.traces import DONE, FULL, ILLEGAL, MOST_NOTED, NOTE, OTHER, REFER

SMALL = 24  # words of keys at most of which images are kept
HEAD = 2  # words of an image before the keys: its action, and the seat or the text
UNREAD, LARGE, BLANK = -1, -2, -3  # instead of an action: for the reference; to be read each time; no event
_NEW_LINE = ord("\n")


@dataclass(frozen=True, slots=True)
class RowsPlace:
    """The addresses of what `learn` and `check_rows` are told and find, one word after the other."""

    row: int
    rows: int
    why: int
    noted: int
    complete: int
    played: int
    words: int
    words_end: int
    images: int
    known: int
    header_at: int
    headers: int
    event_at: int
    events: int
    rare_at: int
    rare: int


WORDS = len(fields(RowsPlace))


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the functions are told, where notes lie, how many bytes an image has, and where tries are counted that each
    event begins anew, if they are.
    """

    place: RowsPlace
    notes: int
    image: int
    tries: int | None


def rows_place(layout: Layout, notes: int, tries: int | None) -> Rows:
    """Return such addresses, in memory that nothing else uses; notes go where those of `traces` go."""
    first = layout.allocate(WORDS)
    actions = layout.instance.rule_set.actions
    small = [size for _, size in (_keys(layout, action) for action in actions) if size <= SMALL]
    image = (HEAD + max(small, default=0)) * WORD
    return Rows(RowsPlace(*(first + number * WORD for number in range(WORDS))), notes, image, tries)


def _keys(layout: Layout, action: Action) -> tuple[int, int]:
    """Return where the keys of an action lie, and how many words they are."""
    args = layout.args(action)
    if not args:
        return 0, 0
    actions = layout.instance.rule_set.actions
    others = [arg.address for other in actions for arg in layout.args(other)]
    first, last = args[0].address, args[-1].address
    end = min((address for address in others if address > last), default=layout.by)
    return first, (end - first) // WORD


def rows_functions(layout: Layout, rows: Rows) -> list[Function]:
    """Return `learn()` and `check_rows()`."""
    return [_learn(layout, rows), _check_rows(layout, rows)]


def _learn(layout: Layout, rows: Rows) -> Function:
    """`learn()`: keep the images of the words, from the second one on, and how many there are, in `known`."""
    writer, place = Writer("learn"), rows.place
    at, end = writer.var(load(8, ZERO, place.words)), writer.let(load(8, ZERO, place.words_end))
    image, known = writer.var(load(8, ZERO, place.images)), writer.var(0)
    following, read = writer.new(), writer.new()
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, end))
        writer.set(image, add(image, Lit(rows.image)))
        writer.set(known, add(known, ONE))
        writer.store(8, image, at, WORD)
        with writer.when(eq(load(1, at), Lit(_NEW_LINE))):
            writer.store(8, image, Lit(BLANK))
            writer.set(at, add(at, ONE))
            writer.leave(again)
        writer.call_into((following, read), "scan_event", at)
        with writer.when(is_zero(following)):
            writer.store(8, image, Lit(UNREAD))
            with writer.loop() as on:
                writer.set(at, add(at, ONE))
                writer.leave(on, ne(load(1, sub(at, ONE)), Lit(_NEW_LINE)))
            writer.leave(again)
        writer.store(8, image, Lit(LARGE))
        for number, action in enumerate(layout.instance.rule_set.actions):
            first, size = _keys(layout, action)
            if size > SMALL:
                continue
            with writer.when(eq(read, Lit(number))):
                writer.store(8, image, read)
                writer.store(8, image, load(8, ZERO, layout.by), WORD)
                for word in range(size):
                    writer.store(8, image, load(8, ZERO, first + word * WORD), (HEAD + word) * WORD)
        writer.set(at, following)
        writer.leave(again)
    writer.store(8, ZERO, known, place.known)
    return writer.function()


def _check_rows(layout: Layout, rows: Rows) -> Function:
    writer, place = Writer("check_rows"), rows.place
    row = writer.var(load(8, ZERO, place.row))
    end, known, images = (writer.let(load(8, ZERO, word)) for word in (place.rows, place.known, place.images))
    following, read, count = writer.new(), writer.new(), writer.new()
    number, image, action = writer.new(), writer.new(), writer.new()

    def stop(why: int) -> None:
        writer.store(8, ZERO, row, place.row)
        writer.store(8, ZERO, Lit(why), place.why)
        writer.give()

    def stop_if(why: int, test: Expr) -> None:
        with writer.when(test):
            stop(why)

    def bounds(starts: int, held: int) -> tuple[Get, Expr]:
        """Return where a part of the row begins and ends."""
        first = writer.let(add(load(8, ZERO, starts), shl(row, Lit(2))))
        base = writer.let(load(8, ZERO, held))
        return writer.var(add(base, load(4, first))), writer.var(add(base, load(4, first, 4)))

    with writer.loop() as again:
        with writer.when(ge(row, end)):
            stop(DONE)
        stop_if(FULL, ge(load(8, ZERO, place.noted), Lit(MOST_NOTED)))
        writer.store(8, ZERO, row, place.row)
        header, header_end = bounds(place.header_at, place.headers)
        stop_if(OTHER, ge(header, header_end))
        writer.call_into((following, read), "scan_header", header)
        stop_if(OTHER, is_zero(following))
        stop_if(REFER, ne(following, header_end))
        writer.call_into((), "new_game", read)
        at, event_end = bounds(place.event_at, place.events)
        rare, rare_end = bounds(place.rare_at, place.rare)
        writer.set(count, ZERO)
        with writer.block() as over, writer.loop() as on:
            writer.leave(over, ge(at, event_end))
            writer.set(number, load(2, at))
            writer.set(at, add(at, Lit(2)))
            with writer.block() as played:
                with writer.when(number):
                    stop_if(REFER, gt(number, known))
                    writer.set(image, add(images, mul(number, Lit(rows.image))))
                    writer.set(action, load(8, image))
                    _play(writer, layout, rows, image, action, played, lambda: stop(ILLEGAL))
                    writer.leave(on, eq(action, Lit(BLANK)))
                    stop_if(REFER, eq(action, Lit(UNREAD)))
                    writer.call_into((following, read), "scan_event", load(8, image, WORD))
                with writer.otherwise():
                    stop_if(REFER, ge(rare, rare_end))
                    with writer.when(eq(load(1, rare), Lit(_NEW_LINE))):
                        writer.set(rare, add(rare, ONE))
                        writer.leave(on)
                    writer.call_into((following, read), "scan_event", rare)
                    stop_if(REFER, is_zero(following))
                    writer.set(rare, following)
                stop_if(ILLEGAL, is_zero(call("act", read)))
            writer.set(count, add(count, ONE))
            writer.leave(on)
        stop_if(REFER, ne(rare, rare_end))
        _note(writer, layout, rows, row, count)
        writer.set(row, add(row, ONE))
        writer.leave(again)
    return writer.function()


def _play(
    writer: Writer,
    layout: Layout,
    rows: Rows,
    image: Get,
    action: Get,
    played: Label,
    illegal: Callable[[], None],
) -> None:
    """Write how the event of an image happens, if it has one, and leave for `played` then."""

    def happen(number: int, one: Action, first: int, size: int) -> None:
        if one.by is not None:
            writer.store(8, ZERO, load(8, image, WORD), layout.by)
        for word in range(size):
            writer.store(8, ZERO, load(8, image, (HEAD + word) * WORD), first + word * WORD)
        if rows.tries is not None:
            writer.store(8, ZERO, ZERO, rows.tries)
        with writer.when(is_zero(call(f"act_{number}"))):
            illegal()
        writer.leave(played)

    actions = layout.instance.rule_set.actions
    with writer.block() as other:
        cases: list[Callable[[], None] | None] = []
        for number, one in enumerate(actions):
            first, size = _keys(layout, one)
            cases.append(None if size > SMALL else partial(happen, number, one, first, size))
        in_turn(writer, action, cases, other)


def _note(writer: Writer, layout: Layout, rows: Rows, row: Get, count: Get) -> None:
    """Note a row whose events were all legal."""
    noted = writer.let(load(8, ZERO, rows.place.noted))
    address = writer.let(add(Lit(rows.notes), mul(noted, Lit(NOTE * WORD))))
    stage = writer.let(load(8, ZERO, layout.at))
    whole = writer.let(
        either(eq(stage, Lit(layout.stage("ended"))), eq(stage, Lit(layout.stage("finished"))))
    )
    for slot, value in enumerate((row, ZERO, count, whole)):
        writer.store(8, address, value, slot * WORD)
    for word, more in ((rows.place.complete, whole), (rows.place.played, count)):
        writer.store(8, ZERO, add(load(8, ZERO, word), more), word)
    writer.store(8, ZERO, add(noted, ONE), rows.place.noted)
