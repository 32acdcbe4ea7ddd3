"""Compile one rule set at one table, and start its module.

Input: an `Instance`. Output: the module and what runs it, its tables and lists filled.
Guarantee: a table or list that the module refers to fill is left out, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from golpae.elaborate.instance import Instance
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.language.host import Host, Referred
from golpae.kernel.layout import WORD
from golpae.kernel.module import Compiled, compiled
from golpae.kernel.unsupported import Unsupported

MOST_LEFT_OUT = 20


class Made(Protocol):
    """A module, the tables and lists that it fills, and where the number of the one that it fills lies."""

    @property
    def wasm(self) -> bytes: ...
    @property
    def filled(self) -> tuple[str, ...]: ...
    @property
    def filling(self) -> int: ...


Module = TypeVar("Module", bound=Made)


def started(
    instance: Instance,
    rules: str | None,
    counted: bool,
    plays: bool = False,
    alone: bool = False,
    aims: Aims | None = None,
    asking: Asking | None = None,
    located: bool = False,
) -> tuple[Compiled, Host]:
    """Return a module, made as `compiled` says, and what runs it. Raises `Unsupported`, and `MemoryError`."""
    return start(
        lambda left_out: compiled(instance, rules, counted, plays, left_out, alone, aims, asking, located)
    )


def start(make: Callable[[set[str]], Module]) -> tuple[Module, Host]:
    """Return a module and what runs it; `make` makes it without the tables and lists that are left out. Raises
    `Unsupported`, and `MemoryError`.
    """
    left_out: set[str] = set()
    for _ in range(MOST_LEFT_OUT):
        made = make(left_out)
        host = Host(made.wasm)
        try:
            host.function("init")()
        except Referred:
            number = int.from_bytes(host.read(made.filling, WORD), "little")
            left_out.add(made.filled[number])
        else:
            return made, host
    raise Unsupported("tables of which each takes too many steps to fill")


def signed(word: int) -> int:
    """Return a number of 64 bits as functions of a module take it."""
    return word - (1 << 64) if word >= 1 << 63 else word
