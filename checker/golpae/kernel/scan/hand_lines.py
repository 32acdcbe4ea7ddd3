"""Read the lines of a file of hands to score.

Input: where the values of a score's parameters lie, and how a line says by which rules it is scored. Output: the
function `scan_hand(at)`: the position behind the line, or 0 if it is not recognised; and a bit for each parameter that
has a value, in their order. Where the `id` begins and ends is written into memory, 0 without one.
Guarantee: as in `lines`: a line is recognised only if the strict reader reads the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from golpae.kernel.language.code import Function, Lit
from golpae.kernel.language.writer import ZERO, Writer, eq, gt, shr, sub
from golpae.kernel.layout import WORD, Arg, Layout
from golpae.kernel.scan.lines import (
    ALWAYS,
    LONGEST,
    Key,
    line_end,
    passed_over,
    quoted,
    read_object,
    read_options,
)
from golpae.kernel.scan.read_values import Values
from golpae.kernel.scan.text import Cursor, text_functions


@dataclass(frozen=True, slots=True)
class Saying:
    """A key whose value is one word, such as `rules`, and whether a line has to have it."""

    key: str
    word: str
    required: bool


def hand_scanner(
    layout: Layout, given: Sequence[tuple[Arg, bool]], said: Sequence[Saying], name: int
) -> list[Function]:
    """Return the functions that read hands. `given` are the parameters, each with whether it is required; the place of
    the `id` is written to the address `name`.
    """
    values = Values(layout, None)
    writer = Writer("scan_hand", params=1, results=2)
    at = writer.var(writer.param(0))

    def read_name(cursor: Cursor) -> None:
        cursor.settle()
        writer.store(8, ZERO, cursor.at, name)
        cursor.simple()
        cursor.settle()
        writer.store(8, ZERO, cursor.at, name + WORD)

    def players(cursor: Cursor) -> None:
        cursor.require(eq(cursor.number(), Lit(layout.players)))

    for place in range(2):
        writer.store(8, ZERO, ZERO, name + place * WORD)
    keys = [Key(s.key, partial(_expect, s.word), s.required) for s in said]
    keys += [Key(arg.key, values.reader(arg), required) for arg, required in given]
    keys += [
        Key("id", read_name, required=False),
        Key("players", players, required=False),
        Key("options", lambda c: read_options(c, layout), required=False),
        *passed_over(ALWAYS),
    ]
    with writer.block() as fail:
        cursor = Cursor(writer, at, fail, spaced=True)
        seen = read_object(cursor, keys)
        line_end(cursor)
        writer.leave(fail, gt(sub(at, writer.param(0)), Lit(LONGEST + 1)))
        writer.give(at, shr(seen, Lit(len(said))))
    writer.give(ZERO, ZERO)
    return [*text_functions(), *values.functions, writer.function()]


def _expect(word: str, cursor: Cursor) -> None:
    cursor.expect(quoted(word))
