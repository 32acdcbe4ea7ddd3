"""Check packed games that lie in the memory of a module: rows of numbers that stand for lines.

Input: the layout of an instance. Output: the functions `learn()` and `check_rows()`, and where they are told what to
check and note what they found: at a `RowsPlace`.
Guarantee: as in `traces`: a game is noted as legal or incomplete only if its header and all its lines were recognised,
by the reader of lines, and are legal.

`learn` reads the `words`, each with a zero byte behind it, and keeps an image of each that is an event: its action,
and its keys as they lie in memory. `check_rows` goes through the rows from `row` to `rows`. The header of row k begins
at `headers` and the k-th of the numbers of four bytes at `header_at`, and ends where the next one begins; so do its
`events`, which are numbers of words as `trace.packed` describes them, and its `rare` lines. The k-th number at
`lines_at` says how many lines it has behind the header. For each byte there is a word at `entries`: what the image of
the word of that number has first, and the address of that image, or the byte, from the ninth bit on. Words that are
only together a line are put together at `line`. Gaps of words are read from the numbers that fill them; only if the
reader of lines does not know such a line, its text is put together.

It notes where it stopped, the line of that row (`row_line`), and why, as `traces` says; there is no open game, because
each row is one. It counts the games that it has `noted`, those of them that are `complete`, and their events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial

from golpae.ir.ruleset import Action
from golpae.kernel.language.code import Expr, Function, Get, Label, Lit
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
    gt,
    is_zero,
    load,
    lt,
    mul,
    ne,
    select,
    shl,
    shr,
    sub,
)
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.scan.gaps import MOST_NUMBERS, SHORT, TILE, Gaps, is_gap, is_spaced, two_bytes
from golpae.kernel.scan.lines import LONGEST, in_turn
from golpae.kernel.traces import DONE, FULL, ILLEGAL, MOST_NOTED, NOTE, OTHER, REFER
from golpae.kernel.unsupported import NotCompiled

SMALL = 24  # words of keys at most of which images are kept
HEAD = 2  # words of an image before the keys: its action, and the seat or the text
MISSING, UNREAD, LARGE, BLANK, PART, GAPPED, MORE, OTHER_LINE = range(248, 256)
"""Instead of an action: a line for the reference; to be read each time; no event; a part of a line; a line with gaps.
The words of an image behind it are where its text begins, and how long it is. Of a byte of `events`: the first of two;
a rare line; no word has its number.
"""
ENTRIES = 256
LINE = 1 << 16
"""Bytes of a line that is put together from words; a longer one is for the reference."""
_LONGEST_NAME = 40  # bytes of a tile in a line at most, with its quotes and what stands around it
_NEW_LINE, _BETWEEN = ord("\n"), b", "


@dataclass(frozen=True, slots=True)
class RowsPlace:
    """The addresses of what `learn` and `check_rows` are told and find, one word after the other."""

    row: int
    rows: int
    why: int
    noted: int
    complete: int
    played: int
    row_line: int
    words: int
    words_end: int
    images: int
    known: int
    line: int
    lines_at: int
    header_at: int
    headers: int
    event_at: int
    events: int
    rare_at: int
    rare: int
    gap_first: int
    gap_end: int
    gap_at: int
    tiles: int


WORDS = len(fields(RowsPlace))


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the functions are told, where notes and entries lie, how many bytes an image has, and where tries are
    counted that each event begins anew, if they are.
    """

    place: RowsPlace
    notes: int
    entries: int
    image: int

    @property
    def gaps(self) -> Gaps:
        """Where the reader of lines finds what fills gaps."""
        return Gaps(self.place.gap_first, self.place.gap_end, self.place.gap_at, self.place.tiles)


def rows_place(layout: Layout, notes: int) -> Rows:
    """Return addresses of rows, in memory that nothing else uses; notes go where those of `traces` go. Raises
    `NotCompiled` if there are too many actions.
    """
    first = layout.allocate(WORDS)
    actions = layout.instance.rule_set.actions
    if len(actions) >= MISSING:
        raise NotCompiled(f"{MISSING} actions or more")
    small = [size for _, size in (_keys(layout, action) for action in actions) if size <= SMALL]
    image = (HEAD + max(1, *small)) * WORD
    entries = layout.allocate(ENTRIES)
    return Rows(RowsPlace(*(first + number * WORD for number in range(WORDS))), notes, entries, image)


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


def place_in_image(layout: Layout, action: Action, address: int) -> int:
    """Return where in an image lies what lies at an address in the memory: a key of the action, or who acts."""
    return WORD if address == layout.by else HEAD * WORD + address - _keys(layout, action)[0]


def rows_functions(layout: Layout, rows: Rows, at_images: Mapping[int, str]) -> list[Function]:
    """Return `learn()` and `check_rows()`, and what they call. `at_images` are the functions of actions that are told
    an image.
    """
    return [_learn(layout, rows), _CheckRows(layout, rows, at_images).function(), _fill_gaps(rows)]


def _learn(layout: Layout, rows: Rows) -> Function:
    """`learn()`: keep the images of the words, and how many there are, in `known`."""
    writer, place = Writer("learn"), rows.place
    at, end = writer.var(load(8, ZERO, place.words)), writer.let(load(8, ZERO, place.words_end))
    image, known = writer.var(load(8, ZERO, place.images)), writer.var(0)
    following, read, size, gapped, tile = (writer.new() for _ in range(5))
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, end))
        for local in (size, gapped, tile):
            writer.set(local, ZERO)
        with writer.block() as over, writer.loop() as on:
            byte = writer.let(load(1, add(at, size)))
            writer.leave(over, is_zero(byte))
            writer.set(gapped, either(gapped, is_gap(byte)))
            writer.set(size, add(size, ONE))
            writer.leave(on)
        writer.store(8, image, at, WORD)
        writer.store(8, image, size, 2 * WORD)
        with writer.block() as kept:
            writer.store(8, image, Lit(PART))
            writer.leave(kept, is_zero(size))
            ends = writer.let(eq(load(1, sub(add(at, size), ONE)), Lit(_NEW_LINE)))
            with writer.when(gapped):
                writer.store(8, image, select(ends, Lit(GAPPED), Lit(MISSING)))
                writer.leave(kept)
            with writer.when(is_zero(ends)):
                writer.call_into((following, read), "scan_tile", at)
                writer.set(tile, mul(eq(following, add(at, size)), add(read, ONE)))
                writer.leave(kept)
            writer.store(8, image, Lit(BLANK))
            writer.leave(kept, eq(size, ONE))
            writer.store(8, image, Lit(UNREAD))
            writer.call_into((following, read), "scan_event", at)
            writer.leave(kept, ne(following, add(at, size)))
            writer.store(8, image, Lit(LARGE))
            for number, action in enumerate(layout.instance.rule_set.actions):
                first, words = _keys(layout, action)
                if words > SMALL:
                    continue
                with writer.when(eq(read, Lit(number))):
                    writer.store(8, image, read)
                    writer.store(8, image, load(8, ZERO, layout.by), WORD)
                    for word in range(words):
                        writer.store(8, image, load(8, ZERO, first + word * WORD), (HEAD + word) * WORD)
        with writer.when(lt(known, Lit(SHORT))):
            entry = either(shl(image, Lit(8)), load(8, image))
            writer.store(8, shl(known, Lit(3)), entry, rows.entries)
        with writer.when(lt(known, Lit(MOST_NUMBERS))):
            writer.store(TILE, add(load(8, ZERO, place.tiles), mul(known, Lit(TILE))), tile)
        writer.set(at, add(add(at, size), ONE))
        writer.set(image, add(image, Lit(rows.image)))
        writer.set(known, add(known, ONE))
        writer.leave(again)
    writer.store(8, ZERO, known, place.known)
    return writer.function()


class _CheckRows:
    """The function that checks rows of packed games: its variables, and its steps."""

    at: Get  # the next byte of `events` of the row
    event_end: Expr
    rare: Get  # the next rare line of the row
    rare_end: Expr

    def __init__(self, layout: Layout, rows: Rows, at_images: Mapping[int, str]) -> None:
        self.layout, self.rows, self.place, self.at_images = layout, rows, rows.place, at_images
        self.writer = writer = Writer("check_rows")
        self.row, self.line = (
            writer.var(load(8, ZERO, word)) for word in (self.place.row, self.place.row_line)
        )
        # `others`: bytes that begin no line
        self.following, self.read, self.others, self.blank = (writer.new() for _ in range(4))
        # the next one is known while an event happens
        self.entry, self.next_entry = writer.new(), writer.new()

    def function(self) -> Function:
        """Return the function."""
        writer, place = self.writer, self.place
        with writer.loop() as again:
            with writer.when(ge(self.row, load(8, ZERO, place.rows))):
                self._stop(DONE)
            self._stop_if(FULL, ge(load(8, ZERO, place.noted), Lit(MOST_NOTED)))
            self._note_row()
            self._begin_game()
            first = writer.let(self.at)
            self.rare, self.rare_end = self._bounds(place.rare_at, place.rare)
            writer.set(self.others, ZERO)
            writer.set(self.blank, ZERO)
            self._peek()
            self._play_events()
            self._stop_if(REFER, ne(self.rare, self.rare_end))
            self._stop_if(REFER, ne(self.at, self.event_end))
            lines = writer.let(load(4, add(load(8, ZERO, place.lines_at), shl(self.row, Lit(2)))))
            self._stop_if(REFER, ne(sub(sub(self.at, first), self.others), lines))
            _note(writer, self.layout, self.rows, self.row, self.line, writer.let(sub(lines, self.blank)))
            writer.set(self.row, add(self.row, ONE))
            writer.set(self.line, add(self.line, add(lines, ONE)))
            writer.leave(again)
        return writer.function()

    def _note_row(self) -> None:
        """Write the number of the row that is checked, and of its line, to the memory."""
        self.writer.store(8, ZERO, self.row, self.place.row)
        self.writer.store(8, ZERO, self.line, self.place.row_line)

    def _stop(self, why: int) -> None:
        self._note_row()
        self.writer.store(8, ZERO, Lit(why), self.place.why)
        self.writer.give()

    def _stop_if(self, why: int, test: Expr) -> None:
        with self.writer.when(test):
            self._stop(why)

    def _bounds(self, starts: int, held: int) -> tuple[Get, Expr]:
        """Return where a part of the row begins and ends."""
        writer = self.writer
        first = writer.let(add(load(8, ZERO, starts), shl(self.row, Lit(2))))
        base = writer.let(load(8, ZERO, held))
        return writer.var(add(base, load(4, first))), writer.var(add(base, load(4, first, 4)))

    def _kind(self) -> Expr:
        return both(self.entry, Lit(0xFF))

    def _image(self) -> Get:
        return self.writer.var(shr(self.entry, Lit(8)))

    def _begin_game(self) -> None:
        """Read the header of the row, and begin its game."""
        writer, place = self.writer, self.place
        header, header_end = self._bounds(place.header_at, place.headers)
        self._stop_if(OTHER, ge(header, header_end))
        writer.call_into((self.following, self.read), "scan_header", header)
        self._stop_if(OTHER, is_zero(self.following))
        self._stop_if(REFER, ne(self.following, header_end))
        writer.call_into((), "new_game", self.read)
        self.at, self.event_end = self._bounds(place.event_at, place.events)

    def _play_events(self) -> None:
        """Play the events of the row, one after the other."""
        writer = self.writer
        with writer.block() as over, writer.loop() as on:
            writer.leave(over, ge(self.at, self.event_end))
            self._take()
            with writer.loop() as known:
                self._play(on)
                with writer.when(eq(self._kind(), Lit(BLANK))):
                    writer.set(self.blank, add(self.blank, ONE))
                    writer.leave(on)
                self._stop_if(REFER, either(eq(self._kind(), Lit(UNREAD)), eq(self._kind(), Lit(MISSING))))
                with writer.when(eq(self._kind(), Lit(MORE))):
                    self._read_second()
                    writer.leave(known)
                self._read_line(on)
                self._stop_if(ILLEGAL, is_zero(call("act", self.read)))
            writer.leave(on)

    def _play(self, played: Label) -> None:
        """Play the event of an entry, if it has one, and leave for `played` then."""
        writer, layout = self.writer, self.layout

        def happen(number: int, one: Action, first: int, size: int) -> None:
            image = self._image()
            if number in self.at_images:
                legal = call(self.at_images[number], image)
            else:
                if one.by is not None:
                    writer.store(8, ZERO, load(8, image, WORD), layout.by)
                for word in range(size):
                    writer.store(8, ZERO, load(8, image, (HEAD + word) * WORD), first + word * WORD)
                legal = call(f"act_{number}")
            self._stop_if(ILLEGAL, is_zero(legal))
            writer.leave(played)

        actions = layout.instance.rule_set.actions
        with writer.block() as other:
            cases: list[Callable[[], None] | None] = []
            for number, one in enumerate(actions):
                first, size = _keys(layout, one)
                cases.append(None if size > SMALL else partial(happen, number, one, first, size))
            in_turn(writer, self._kind(), cases, other)

    def _read_line(self, on: Label) -> None:
        """Read the line of an entry that is no image of an event; a blank line leaves for `on`."""
        writer = self.writer
        readers = (
            (GAPPED, self._fill_gaps),
            (PART, self._put_together),
            (OTHER_LINE, partial(self._read_rare, on)),
        )
        with writer.block() as result:
            for kind, read_it in readers:
                with writer.when(eq(self._kind(), Lit(kind))):
                    read_it()
                    writer.leave(result)
            writer.call_into((self.following, self.read), "scan_event", load(8, self._image(), WORD))

    def _peek(self) -> None:
        """Look up the next entry. INVARIANT: something follows `events` in the memory."""
        self.writer.set(self.next_entry, load(8, shl(load(1, self.at), Lit(3)), self.rows.entries))

    def _take(self) -> None:
        """Take the next entry."""
        self.writer.set(self.entry, self.next_entry)
        self.writer.set(self.at, add(self.at, ONE))
        self._peek()

    def _read_second(self) -> None:
        """Look up the entry of a word whose number has two bytes, of which the first is taken."""
        writer, place, at = self.writer, self.place, self.at
        with writer.when(eq(self._kind(), Lit(MORE))):
            number = writer.let(two_bytes(sub(at, ONE), shr(self.entry, Lit(8))))
            self._stop_if(REFER, either(ge(at, self.event_end), ge(number, load(8, ZERO, place.known))))
            one = writer.let(add(load(8, ZERO, place.images), mul(number, Lit(self.rows.image))))
            writer.set(self.entry, either(shl(one, Lit(8)), load(8, one)))
            writer.set(self.others, add(self.others, ONE))
            writer.set(at, add(at, ONE))
            self._peek()

    def _read_rare(self, on: Label) -> None:
        """Read a rare line; a blank one leaves for `on`."""
        writer, rare = self.writer, self.rare
        self._stop_if(REFER, ge(rare, self.rare_end))
        with writer.when(eq(load(1, rare), Lit(_NEW_LINE))):
            writer.set(rare, add(rare, ONE))
            writer.set(self.blank, add(self.blank, ONE))
            writer.leave(on)
        writer.call_into((self.following, self.read), "scan_event", rare)
        self._stop_if(REFER, is_zero(self.following))
        writer.set(rare, self.following)

    def _put_together(self) -> None:
        """Read a line that the word of an image begins."""
        writer = self.writer
        text = writer.let(load(8, ZERO, self.place.line))
        behind = writer.var(text)
        with writer.loop() as more:
            part = self._image()
            size = writer.let(load(8, part, 2 * WORD))
            self._stop_if(REFER, gt(add(sub(behind, text), size), Lit(LINE)))
            _copy(writer, behind, load(8, part, WORD), size)
            writer.set(behind, add(behind, size))
            with writer.when(eq(self._kind(), Lit(PART))):
                self._stop_if(REFER, ge(self.at, self.event_end))
                self._take()
                writer.set(self.others, add(self.others, ONE))
                self._read_second()
                writer.leave(more, either(eq(self._kind(), Lit(PART)), eq(self._kind(), Lit(UNREAD))))
                self._stop(REFER)
        writer.call_into((self.following, self.read), "scan_event", text)
        self._stop_if(REFER, ne(self.following, behind))

    def _fill_gaps(self) -> None:
        """Read a line with gaps, and take what fills these."""
        writer, place, at = self.writer, self.place, self.at
        gapped, before = self._image(), writer.let(at)
        text, size = writer.let(load(8, gapped, WORD)), writer.let(load(8, gapped, 2 * WORD))
        writer.store(8, ZERO, at, place.gap_first)
        writer.store(8, ZERO, self.event_end, place.gap_end)
        writer.call_into((self.following, self.read), "scan_event", text)
        writer.store(8, ZERO, ZERO, place.gap_end)
        behind = writer.let(load(8, ZERO, place.gap_at))
        long = gt(add(size, mul(sub(behind, at), Lit(_LONGEST_NAME))), Lit(LONGEST))
        with writer.when(either(ne(self.following, add(text, size)), long)):
            writer.call_into((at, self.following), "fill_gaps", gapped, at, self.event_end)
            self._stop_if(REFER, is_zero(at))
            behind_line = writer.let(self.following)
            writer.call_into((self.following, self.read), "scan_event", load(8, ZERO, place.line))
            self._stop_if(REFER, ne(self.following, behind_line))
        with writer.otherwise():
            writer.set(at, behind)
        writer.set(self.others, add(self.others, sub(at, before)))
        self._peek()


def _fill_gaps(rows: Rows) -> Function:
    """Return the function that puts the text of a line with gaps together, of this image, and with what stands from one
    place of `events` to another. It gives the place behind that, and behind the text; 0 if something is missing or too
    long.
    """
    writer, place = Writer("fill_gaps", params=3, results=2), rows.place
    image, at = writer.param(0), writer.param(1)
    images, known, line = (
        writer.let(load(8, ZERO, word)) for word in (place.images, place.known, place.line)
    )
    event_end = writer.param(2)
    text, behind = writer.var(load(8, image, WORD)), writer.var(line)
    end = writer.let(add(text, load(8, image, 2 * WORD)))
    left, number = writer.new(), writer.new()

    def put(byte: Expr) -> None:
        writer.store(1, behind, byte)
        writer.set(behind, add(behind, ONE))

    with writer.block() as fail:
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(text, end))
            writer.leave(fail, ge(sub(behind, line), Lit(LINE)))
            byte = writer.let(load(1, text))
            writer.set(text, add(text, ONE))
            with writer.when(is_zero(is_gap(byte))):
                put(byte)
                writer.leave(again)
            writer.leave(fail, ge(at, event_end))
            writer.set(left, load(1, at))
            writer.set(at, add(at, ONE))
            with writer.loop() as more:
                writer.leave(again, is_zero(left))
                writer.leave(fail, ge(at, event_end))
                writer.set(number, load(1, at))
                with writer.when(ge(number, Lit(SHORT))):
                    writer.set(number, two_bytes(at, number))
                    writer.set(at, add(at, ONE))
                writer.set(at, add(at, ONE))
                writer.leave(fail, either(gt(at, event_end), ge(number, known)))
                word = writer.let(add(images, mul(number, Lit(rows.image))))
                writer.leave(fail, lt(load(8, word), Lit(MISSING)))  # an image without a text
                size = writer.let(load(8, word, 2 * WORD))
                writer.leave(fail, gt(add(sub(behind, line), size), Lit(LINE - len(_BETWEEN))))
                _copy(writer, behind, load(8, word, WORD), size)
                writer.set(behind, add(behind, size))
                writer.set(left, sub(left, ONE))
                with writer.when(left):
                    put(Lit(_BETWEEN[0]))
                    with writer.when(is_spaced(byte)):
                        put(Lit(_BETWEEN[1]))
                writer.leave(more)
        writer.give(at, behind)
    writer.give(ZERO, ZERO)
    return writer.function()


def _copy(writer: Writer, target: Expr, source: Expr, size: Expr) -> None:
    """Write that so many bytes are copied, and up to 15 behind them."""
    source, done = writer.let(source), writer.var(0)
    with writer.loop() as again:
        for offset in (0, WORD):
            writer.store(8, add(target, done), load(8, add(source, done), offset), offset)
        writer.set(done, add(done, Lit(2 * WORD)))
        writer.leave(again, lt(done, size))


def _note(writer: Writer, layout: Layout, rows: Rows, row: Get, line: Get, count: Expr) -> None:
    """Note a row whose events were all legal."""
    noted = writer.let(load(8, ZERO, rows.place.noted))
    address = writer.let(add(Lit(rows.notes), mul(noted, Lit(NOTE * WORD))))
    stage = writer.let(load(8, ZERO, layout.at))
    whole = writer.let(
        either(eq(stage, Lit(layout.stage("ended"))), eq(stage, Lit(layout.stage("finished"))))
    )
    for slot, value in enumerate((row, line, count, whole)):
        writer.store(8, address, value, slot * WORD)
    for word, more in ((rows.place.complete, whole), (rows.place.played, count)):
        writer.store(8, ZERO, add(load(8, ZERO, word), more), word)
    writer.store(8, ZERO, add(noted, ONE), rows.place.noted)
