"""Answers that are remembered: of functions whose result depends on a few words alone.

Input: these words, and code that works the answer out. Output: code that does so only if it was not asked a little
before.
Guarantee: the same answer as without. There are a few places; a mixture of the words says which one an answer has, and
the last one that has it lies there. A part of an answer may be true only as long as a word in memory does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, both, is_zero, load, mul, ne, shr
from golpae.kernel.layout import BITS, WORD, Layout

_PLACES = 7  # bits of the number of a place
_MIXED = 0x9E3779B97F4A7C15  # 2^64 / the golden ratio
MOST_WORDS = 64


def remembering(
    layout: Layout,
    writer: Writer,
    words: Sequence[Expr],
    results: int,
    work_out: Callable[[], Sequence[Get]],
    since: tuple[Expr, Expr] | None = None,
    places: int = _PLACES,
) -> None:
    """Write the rest of a function: it gives the results for these words. `since` is a test and a number: if the test
    holds, an answer is only given again if it was found with the same number. `places` is how many bits the number of a
    place has.
    """
    # of a place: whether there is an answer, the words, the answer, the number
    stride = (2 + len(words) + results) * WORD
    test, moment = (ZERO, ZERO) if since is None else map(writer.let, since)
    mixed: Expr = ZERO
    for number, word in enumerate(words):  # products of their own, which need not wait for one another
        mixed = add(mixed, mul(word, Lit(_MIXED * (2 * number + 1) % (1 << BITS))))
    place = writer.let(shr(mixed, Lit(BITS - places)))
    at = writer.let(add(mul(place, Lit(stride)), Lit(layout.allocate((stride << places) // WORD))))
    with writer.block() as unknown:
        writer.leave(unknown, is_zero(load(8, at)))
        for number, word in enumerate(words, 1):
            writer.leave(unknown, ne(load(8, at, number * WORD), word))
        if since is not None:
            writer.leave(unknown, both(test, ne(load(8, at, (1 + len(words) + results) * WORD), moment)))
        writer.give(*(load(8, at, (1 + len(words) + number) * WORD) for number in range(results)))
    found = work_out()
    kept: tuple[Expr, ...] = (ONE, *words, *found, *(() if since is None else (moment,)))
    for number, held in enumerate(kept):
        writer.store(8, at, held, number * WORD)
    writer.give(*found)
