"""Compile one rule set at one table, and start its module.

Input: an `Instance`. Output: the module and what runs it, its tables and lists filled.
Guarantee: a table or list that the module refers to fill is left out, and nothing else. Modules that check recorded
games are cached, and their machine code: to make one takes twenty times as long as to load it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

from golpae import cache
from golpae.elaborate.instance import Instance
from golpae.kernel.language.host import Host, Referred
from golpae.kernel.layout import WORD
from golpae.kernel.module import Compiled, ModuleRequest, compiled
from golpae.kernel.rows import Rows
from golpae.kernel.traces import TraceAddresses
from golpae.kernel.unsupported import NotCompiled

MOST_LEFT_OUT = 20
CODE = ("diagnostics", "ir", "syntax", "elaborate", "lower", "kernel")  # what takes part


class Made(Protocol):
    """A module, the tables and lists that it fills, and where the number of the one that it fills lies."""

    @property
    def wasm(self) -> bytes: ...
    @property
    def filled(self) -> tuple[str, ...]: ...
    @property
    def filling(self) -> int: ...


Module = TypeVar("Module", bound=Made)


def started(instance: Instance, request: ModuleRequest) -> tuple[Compiled, Host]:
    """Return a module, made as `compiled` says, and what runs it. Raises `NotCompiled`, and `MemoryError`."""
    return start(lambda left_out: compiled(instance, request, left_out))


@dataclass(frozen=True, slots=True)
class Checking:
    """What has to be known of a module that checks recorded games: as `Compiled` has it, and of its layout where the
    state begins and ends, and the memory that it uses.
    """

    wasm: bytes
    found: TraceAddresses
    rows: Rows
    refused: tuple[str, ...]
    why: int
    state: int
    state_end: int
    end: int
    filled: tuple[str, ...] = ()
    filling: int = 0

    @staticmethod
    def of(made: Compiled) -> Checking:
        """Return the parts of a compiled module that checking games needs: its code, its addresses, and what
        it refers.
        """
        assert made.found is not None
        assert made.rows is not None
        layout = made.layout
        ends = layout.at, layout.state_end, layout.end
        return Checking(made.wasm, made.found, made.rows, made.refused, made.why, *ends)


def started_checking(
    instance: Instance, rules: str | None, counted: bool, plays: bool = False
) -> tuple[Checking, Host]:
    """Return a module that checks recorded games, and its host; from the cache unless it plays, too."""
    import msgspec

    if plays:
        made, host = started(instance, ModuleRequest(rules, counted, plays))
        return Checking.of(made), host
    rule_set = instance.rule_set
    depends = (rule_set.rules, rule_set.spec_hash, instance.players, sorted(instance.options.items()))
    name = cache.fingerprint("module", depends, rules, counted, code=CODE)
    stored = cache.load(name)
    if stored is not None:
        with suppress(msgspec.MsgspecError, NotCompiled):
            return start(lambda _: msgspec.msgpack.decode(stored, type=Checking), kept=True)
    request = ModuleRequest(rules, counted)
    made, host = start(lambda left_out: compiled(instance, request, left_out), kept=True)
    checking = Checking.of(made)
    cache.store(name, msgspec.msgpack.encode(checking))
    return checking, host


def start(make: Callable[[set[str]], Module], kept: bool = False) -> tuple[Module, Host]:
    """Return a module and what runs it; `make` makes it without the tables and lists that are left out; with `kept`
    its machine code is cached. Raises `NotCompiled`, and `MemoryError`.
    """
    left_out: set[str] = set()
    for _ in range(MOST_LEFT_OUT):
        made = make(left_out)
        host = Host(made.wasm, kept)
        try:
            host.function("init")()
        except Referred:
            number = int.from_bytes(host.read(made.filling, WORD), "little")
            left_out.add(made.filled[number])
        else:
            return made, host
    raise NotCompiled("tables of which each takes too many steps to fill")


def signed(word: int) -> int:
    """Return a number of 64 bits as functions of a module take it."""
    return word - (1 << 64) if word >= 1 << 63 else word
