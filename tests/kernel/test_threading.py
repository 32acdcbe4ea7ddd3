"""A function whose truths are asked right behind does what it did with them, and keeps fewer of them."""

from __future__ import annotations

from itertools import product

import pytest

from golpae.kernel.language.code import Function, Module
from golpae.kernel.language.host import Host, available
from golpae.kernel.language.threading import threaded
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, Writer, add, eq, is_zero, mul, sub

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")


def _asks(first: int, negated: bool, ends: bool, branches: bool) -> Function:
    """`asks(a, b)`: a truth of both, `first` before it, is asked by a `leave` or by a branch; it is set where its block
    `ends`, or before that is left.
    """
    writer = Writer("asks", 2, 1, exported=True)
    a, b = writer.param(0), writer.param(1)
    result = writer.var(1)
    with writer.block() as far:
        truth = writer.var(first)
        with writer.block() as done:
            if ends:
                writer.leave(done, is_zero(a))
                with writer.when(eq(b, a)):
                    writer.leave(done)
                writer.set(truth, 1 - first)
            else:
                with writer.loop() as again:
                    with writer.when(b):
                        writer.set(truth, 1 - first)
                        writer.leave(done)
                    writer.set(a, add(a, b))
                    writer.leave(done, eq(a, b))
                    writer.set(b, sub(a, ONE))
                    writer.leave(again, b)
        kept = writer.let(is_zero(truth) if negated else truth)
        if branches:
            with writer.when(kept):
                writer.set(result, mul(result, a))
                writer.set(result, add(result, b))
        else:
            writer.leave(far, kept)
            writer.set(result, 77)
    writer.give(result)
    return writer.function()


@pytest.mark.parametrize("shape", list(product((0, 1), (False, True), (False, True), (False, True))))
def test_a_function_does_the_same_without_truths(shape: tuple[int, bool, bool, bool]) -> None:
    before = _asks(*shape)
    after = threaded(before)
    assert repr(after.body).count("Set(") < repr(before.body).count("Set(")
    plain, made = (Host(wasm(Module([function], 64))).function("asks") for function in (before, after))
    for a, b in product(range(4), repeat=2):
        assert made(a, b) == plain(a, b)


def test_an_implied_test_is_asked_only_if_the_first_holds() -> None:
    writer = Writer("implies", 2, 1, exported=True)
    a, b = writer.param(0), writer.param(1)
    with writer.block() as refused:
        found = writer.var(1)
        with writer.when(a):
            writer.set(found, eq(b, a))
        writer.leave(refused, is_zero(found))
        writer.give(add(a, b))
    writer.give(writer.let(a))
    before = writer.function()
    after = threaded(before)
    assert f"Set(local={found.local}" not in repr(after.body)
    plain, made = (Host(wasm(Module([function], 64))).function("implies") for function in (before, after))
    assert [made(a, b) for a in range(3) for b in range(3)] == [
        plain(a, b) for a in range(3) for b in range(3)
    ]


def test_a_truth_that_is_asked_twice_is_kept() -> None:
    writer = Writer("twice", 1, 1, exported=True)
    truth = writer.var(0)
    with writer.block() as done:
        writer.leave(done, is_zero(writer.param(0)))
        writer.set(truth, 1)
    with writer.block() as far:
        writer.leave(far, truth)
    writer.give(truth)
    function = writer.function()
    assert f"Set(local={truth.local}" in repr(threaded(function).body)
