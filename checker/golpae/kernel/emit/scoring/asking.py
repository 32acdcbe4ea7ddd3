"""Scores that are remembered.

Input: a score, and where lies what is given with it. Output: a function that gives the score as its search does.
Guarantee: a score is remembered only if it depends on nothing but what is given, lists of up to `LISTED` members among
it. Whether patterns fit is remembered as long as the same ones are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.ir.ruleset import ScoreDecl
from golpae.ir.scoring import exprs_of_score
from golpae.ir.types import Bag, Type
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.remembering import MOST_WORDS, remembering
from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.writer import ZERO, Writer, gt, load, select
from golpae.kernel.layout import WORD, is_planar

LISTED = 5


def asking(
    parts: Parts,
    score: ScoreDecl,
    given: Sequence[tuple[int, Type]],
    searched: str,
    numbers: Sequence[int],
    moment: int,
) -> str | None:
    """Return the name of the function, None if the score cannot be remembered. Its argument says whether it is asked if
    the patterns fit. Behind the total it gives the `numbers`, which lie at addresses after a search. The word at
    `moment` is another one for other patterns.
    """
    name = f"ask:{score.name}"
    if name in parts.functions:
        return name
    reads = parts.dependencies.reads(exprs_of_score(score))
    if sum(_many(parts, kind) for _, kind in given) > MOST_WORDS or reads:
        return None
    writer = Writer(name, 1, 2 + len(numbers))

    def work_out() -> tuple[Get, ...]:
        total, fits, *number_locals = (writer.new() for _ in range(2 + len(numbers)))
        writer.call_into((total, fits), searched)
        for number, address in zip(number_locals, numbers, strict=True):
            writer.set(number, load(8, ZERO, address))
        return total, fits, *number_locals

    if parts.tells:
        with writer.when(load(8, ZERO, parts.layout.telling)):  # its way too
            writer.give(*work_out())
    words = list[Expr]()
    for address, kind in given:
        many = _many(parts, kind)
        if not _is_list(kind):
            words += [writer.let(load(8, ZERO, address + place * WORD)) for place in range(many)]
            continue
        size = writer.let(load(8, ZERO, address))
        with writer.when(gt(size, Lit(LISTED))):
            writer.give(*work_out())
        words.append(size)
        size_of_each = (many - 1) // LISTED
        for place in range(many - 1):
            word = load(8, ZERO, address + (1 + place) * WORD)
            words.append(writer.let(select(gt(size, Lit(place // size_of_each)), word, ZERO)))
    remembering(
        parts.layout, writer, words, 2 + len(numbers), work_out, (writer.param(0), load(8, ZERO, moment))
    )
    parts.functions[name] = writer.function()
    return name


def _many(parts: Parts, kind: Type) -> int:
    """Return how many words of a value count: of a list, its size and the first members."""
    if isinstance(kind, Bag) and _is_list(kind):
        return 1 + LISTED * parts.layout.slots(kind.item, True)
    return parts.layout.slots(kind, True)


def _is_list(kind: Type) -> bool:
    return isinstance(kind, Bag) and not is_planar(kind.item)
