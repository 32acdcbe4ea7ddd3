"""The orders of the tiles of a key `{a, b, ...}`, one after the other.

Input: nothing. Output: the function `next_order(address, many)` of words in memory.
Guarantee: from the sorted order on, each different order comes once, in the order of their numbers. The function gives
1, or 0 behind the last one: then the words are sorted again.
"""

from __future__ import annotations

from golpae.kernel.emit.parts import Parts
from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, gt, is_zero, load, lt, shl, sub
from golpae.kernel.layout import WORD

NAME = "next_order"


def next_order(parts: Parts) -> str:
    """Return the name of the function."""
    if NAME not in parts.functions:
        writer = Writer(NAME, 2, 1)
        _write(writer, writer.param(0), writer.param(1))
        parts.functions[NAME] = writer.function()
    return NAME


def _write(writer: Writer, address: Expr, many: Expr) -> None:
    def at(number: Expr) -> Expr:
        return add(address, shl(number, Lit(3)))

    rest = writer.var(sub(many, ONE))  # where the part begins that falls to the end
    result = writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, lt(rest, ONE))
        with writer.when(lt(load(8, sub(at(rest), Lit(WORD))), load(8, at(rest)))):
            writer.set(result, 1)
            writer.leave(done)
        writer.set(rest, sub(rest, ONE))
        writer.leave(again)
    with writer.when(result):
        before = writer.let(load(8, sub(at(rest), Lit(WORD))))
        other = writer.var(sub(many, ONE))
        with writer.block() as larger, writer.loop() as again:
            writer.leave(larger, gt(load(8, at(other)), before))
            writer.set(other, sub(other, ONE))
            writer.leave(again)
        writer.store(8, sub(at(rest), Lit(WORD)), load(8, at(other)))
        writer.store(8, at(other), before)
    with writer.when(is_zero(result)):
        writer.set(rest, ZERO)
    _turn(writer, at(rest), at(sub(many, ONE)))
    writer.give(result)


def _turn(writer: Writer, first: Expr, last: Expr) -> None:
    """Write that the words between two addresses come in the opposite order."""
    low: Get = writer.var(first)
    high: Get = writer.var(last)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, is_zero(lt(low, high)))
        one = writer.let(load(8, low))
        writer.store(8, low, load(8, high))
        writer.store(8, high, one)
        writer.set(low, add(low, Lit(WORD)))
        writer.set(high, sub(high, Lit(WORD)))
        writer.leave(again)
