"""A function whose calls are written in place does what it did with the calls."""

from __future__ import annotations

import pytest

from golpae.kernel.language.code import Call, Function, Lit, Module, Stmt
from golpae.kernel.language.host import Host, available
from golpae.kernel.language.inline import inlined
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, call, ge, gt, is_zero, load, lt, mul, sub

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")


def _swapped() -> Function:
    """`swapped(a, b)`: the two in the other order, the smaller one doubled; the memory at 8 counts the calls."""
    writer = Writer("swapped", 2, 2)
    a, b = writer.param(0), writer.param(1)
    writer.store(8, ZERO, add(load(8, ZERO, 8), ONE), 8)
    with writer.when(gt(a, b)):
        writer.set(b, mul(b, Lit(2)))
        writer.give(b, a)
    writer.give(b, mul(a, Lit(2)))
    return writer.function()


def _found() -> Function:
    """`found(a)`: 5 if a is more than 2; a local that nothing has set is 0."""
    writer = Writer("found", 1, 1)
    kept = writer.new()
    with writer.when(gt(writer.param(0), Lit(2))):
        writer.set(kept, 5)
    writer.give(kept)
    return writer.function()


def _whole() -> Function:
    """`whole(n)`: a sum over n rounds, in which both are called with numbers and with locals."""
    writer = Writer("whole", 1, 1, exported=True)
    total, left, other = writer.var(0), writer.var(writer.param(0)), writer.var(1)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, is_zero(left))
        writer.call_into((left, other), "swapped", other, left)  # the results go where the arguments are
        writer.set(left, sub(left, ONE))
        with writer.when(is_zero(call("found", other))):
            writer.set(total, add(total, Lit(1000)))
        writer.set(total, add(total, call("found", Lit(3))))
        writer.leave(done, lt(call("found", left), Lit(-1)))
        writer.set(total, add(total, mul(left, add(other, call("found", left)))))
        writer.leave(done, ge(total, Lit(100_000)))
        writer.leave(again)
    writer.give(add(total, mul(load(8, ZERO, 8), Lit(1_000_000))))
    return writer.function()


def test_a_function_does_the_same_without_calls() -> None:
    functions = [_swapped(), _found(), _whole()]
    called = {function.name: function for function in functions[:2]}
    plain = Host(wasm(Module(functions, 64))).function("whole")
    without = inlined(functions[2], called)
    placed = Host(wasm(Module([*functions[:2], without], 64))).function("whole")
    assert [placed(n) for n in range(6)] == [plain(n) for n in range(6)]
    assert len({plain(n) for n in range(6)}) > 3
    assert "swapped" not in repr(without.body)


def test_what_a_number_decides_is_decided_before() -> None:
    writer = Writer("asks", 0, 1)
    writer.set(found := writer.new(), call("found", Lit(1)))
    writer.give(found)
    body = inlined(writer.function(), {"found": _found()}).body
    assert "If(" not in repr(body)


def test_a_call_within_an_expression_stays() -> None:
    writer = Writer("sum", 0, 1)
    writer.set(found := writer.new(), add(load(8, ZERO, 8), call("found", Lit(1))))
    writer.give(found)
    body: tuple[Stmt, ...] = inlined(writer.function(), {"found": _found()}).body
    assert repr(Call("found", (Lit(1),))) in repr(body)
