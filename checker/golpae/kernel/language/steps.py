"""Count the rounds of every loop, so that each function ends.

Input: a function, and where the number of steps that are left lies. Output: the function, which stops the module when
there are none left.
Guarantee: without this limit it does the same.

    again: { ... }    ->    again: { if left < 1: refer; left = left - 1; ... }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from golpae.kernel.language.code import (
    Block,
    CallInto,
    Copy,
    Function,
    If,
    Leave,
    Refer,
    Return,
    Set,
    Stmt,
    Store,
    Switch,
)
from golpae.kernel.language.writer import ZERO, steps


def counted(function: Function, left: int) -> Function:
    """Return a function whose rounds of loops are counted."""
    return replace(function, body=_counted(function.body, left))


def _counted(body: Sequence[Stmt], left: int) -> tuple[Stmt, ...]:
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Block(label, inner, loop):
                head = steps(left) if loop and label.counted and not _counts(inner, left) else ()
                out.append(Block(label, (*head, *_counted(inner, left)), loop))
            case If(test, yes, no):
                out.append(If(test, _counted(yes, left), _counted(no, left)))
            case Set() | CallInto() | Copy() | Leave() | Refer() | Return() | Store() | Switch():
                out.append(stmt)
            case _:
                assert_never(stmt)
    return tuple(out)


def _counts(body: Sequence[Stmt], left: int) -> bool:
    """Return whether each round of a loop counts by itself."""
    return any(isinstance(stmt, Store) and stmt.address == ZERO and stmt.offset == left for stmt in body)
