"""What `otherwise` writes where a `when` was known beforehand, or wrote nothing."""

from __future__ import annotations

import pytest

from golpae.kernel.language.code import Expr, Lit, Module
from golpae.kernel.language.host import Host, available
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import Writer

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("test", [0, 1])
@pytest.mark.parametrize("empty", [True, False])
def test_the_other_branch_is_taken_if_a_test_fails(known: bool, test: int, empty: bool) -> None:
    writer = Writer("chosen", 1, 1, exported=True)
    found = writer.var(7)
    asked: Expr = Lit(test) if known else writer.param(0)
    with writer.when(asked):
        if not empty:
            writer.set(found, 1)
    with writer.otherwise():
        writer.set(found, 2)
    writer.give(found)
    host = Host(wasm(Module([writer.function()], 64)))
    expected = (7 if empty else 1) if test else 2
    assert host.function("chosen")(test) == expected
