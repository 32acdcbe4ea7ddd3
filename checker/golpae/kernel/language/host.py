"""Run a WebAssembly module: the only place that knows `wasmtime`.

Input: the bytes of a module. Output: a `Host`, whose functions take and give 64-bit integers, and whose memory can be
read and written.
Guarantee: a module can reach nothing but its own memory. If `wasmtime` is missing or does not load, `available` says so
and `why_not` says why; nothing is raised. A signal stops the functions of `LONG`, so that its handler can run.

By default a module reserves 4 GiB of addresses, of which it uses a few MiB, so that no access needs a check. Where a
process may not have so many, modules are compiled with the checks; they are a fifth slower.

Machine code can be kept in the cache: to compile a module takes fifty times as long as to load what it became.
"""

from __future__ import annotations

import atexit
import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from ctypes import Array, addressof, c_char, c_int64, memmove, string_at
from functools import lru_cache, partial
from typing import Any
from weakref import WeakSet

from golpae import cache
from golpae.kernel.language.interrupts import FORGOTTEN, run, wait_for
from golpae.kernel.language.limits import STEPS

PACKAGE = "wasmtime"
PAGE = 1 << 16
LONG = (
    "init",
    "check",
    "check_noted",
    "check_rows",
    "learn",
    "hands",
    "games",
    "count",
    "attribute",
)  # go through much in one call


_stores: WeakSet[Any] = WeakSet()
_engines: WeakSet[Any] = WeakSet()


class Referred(Exception):
    """The module stopped: the reference has to decide."""


def available() -> bool:
    """Return whether modules can be run here."""
    return why_not() is None


@lru_cache(maxsize=1)
def why_not() -> str | None:
    """Return why modules cannot be run here, in words; None if they can: if a small one does what it should."""
    from golpae.kernel.language.code import Function, Get, Load, Module, Return
    from golpae.kernel.language.wasm import wasm

    function = Function("held", 1, 1, 1, (Return((Load(2, Get(0)),)),), exported=True)
    try:
        host = Host(wasm(Module([function], PAGE)))
        host.room(2 * PAGE)
        host.write(PAGE, b"\x01\x02")
        right = host.read(PAGE, 2) == b"\x01\x02" and host.function("held")(PAGE) == 0x201
    except ModuleNotFoundError as fault:
        if fault.name == PACKAGE:
            return f"the package `{PACKAGE}` is not installed"
        return _does_not_load(fault)
    except Exception as fault:  # whatever a platform or a version that lacks something raises
        return _does_not_load(fault)
    return None if right else _does_not_load("it does not do what it should")


def _does_not_load(fault: Exception | str) -> str:
    """Return in one line that `wasmtime` is there and does not load."""
    nothing = "too little memory" if isinstance(fault, MemoryError) else type(fault).__name__
    return f"the package `{PACKAGE}` does not load: {' '.join(str(fault).split()) or nothing}"


@lru_cache(maxsize=2)
def _engine(checked: bool) -> Any:
    """Return an engine; with `checked` it reserves no more memory than a module has."""
    import wasmtime

    config = wasmtime.Config()
    with suppress(AttributeError):
        config.memory_init_cow = (
            False  # else machine code holds the memory of a module, nearly all of it zeros
        )
    if checked:
        for name in ("memory_reservation", "memory_reservation_for_growth", "memory_guard_size"):
            with suppress(AttributeError):  # a version that names it otherwise reserves more, and may fail
                setattr(config, name, 0)
    engine = wasmtime.Engine(config)
    _engines.add(engine)
    return engine


@atexit.register
def _close() -> None:
    """Let go of all modules, which cannot be deleted any more when Python has taken `wasmtime` apart."""
    if not FORGOTTEN:
        for held in (*_stores, *_engines):
            held.close()


_PLAIN = "without memory"  # what stored machine code is
ALIGNED = 4_096  # bytes: a text begins at a multiple of this
PADDING = 64  # bytes that can be read behind a text


class Host:
    """One module with a memory of its own; with `kept` its machine code is taken from the cache, or stored there.

    Raises `MemoryError` if there is not enough memory for it.
    """

    def __init__(self, module: bytes, kept: bool = False) -> None:
        import wasmtime

        self._kept = kept
        self._traps = (wasmtime.Trap, wasmtime.WasmtimeError)
        try:
            exports = self._instance(module, False)
        except wasmtime.WasmtimeError:
            try:
                exports = self._instance(module, True)
            except wasmtime.WasmtimeError:
                raise MemoryError from None
        self._exports: Any = exports
        self._memory: Any = exports["memory"]

    def _instance(self, module: bytes, checked: bool) -> Any:
        import wasmtime

        engine = _engine(checked)
        self._store = wasmtime.Store(engine)
        _stores.add(self._store)
        compiled = _machine_code(engine, module, checked) if self._kept else _translated(engine, module)
        return wasmtime.Instance(self._store, compiled, []).exports(self._store)

    def function(self, name: str) -> Callable[..., Any]:
        """Return an exported function. It raises `Referred` where the module stops."""
        called: Any = self._exports[name]
        store, traps = self._store, self._traps

        def asked(*args: int) -> Any:
            try:
                return called(store, *args)
            except traps:
                raise Referred from None

        def asked_patiently(*args: int) -> Any:
            return run(partial(asked, *args), self.words(STEPS, 1))

        return asked_patiently if name in LONG else asked

    def read(self, start: int, size: int) -> bytes:
        """Return bytes of the memory."""
        return string_at(self._memory.get_buffer_ptr(self._store, size, start), size) if size else b""

    def read_into(self, start: int, room: memoryview) -> None:
        """Copy as many bytes of the memory as there is room for."""
        if room.nbytes:
            source = self._memory.get_buffer_ptr(self._store, room.nbytes, start)
            memmove(addressof(c_char.from_buffer(room)), source, room.nbytes)

    def words(self, start: int, many: int) -> Array[c_int64]:
        """Return words of the memory, which change when a function runs."""
        return (c_int64 * many).from_buffer(self._memory.get_buffer_ptr(self._store, 8 * many, start))

    def write(self, start: int, data: bytes | memoryview) -> None:
        """Write bytes into the memory."""
        if isinstance(data, memoryview):
            if data.nbytes:
                self.copy(start, addressof(c_char.from_buffer(data)), data.nbytes)
        elif data:
            memmove(self._memory.get_buffer_ptr(self._store, len(data), start), data, len(data))

    def copy(self, start: int, address: int, size: int) -> None:
        """Copy so many bytes that lie at an address of this process into the memory."""
        if size:
            memmove(self._memory.get_buffer_ptr(self._store, size, start), address, size)

    def room(self, size: int) -> None:
        """Let the memory have at least so many bytes. Raises `MemoryError` if it cannot."""
        missing = size - self._memory.data_len(self._store)
        if missing > 0:
            try:
                self._memory.grow(self._store, -(-missing // PAGE))
            except self._traps:
                raise MemoryError from None


def _translated(engine: Any, module: bytes) -> Any:
    """Return the machine code of a module, made now."""
    import wasmtime

    return wait_for(partial(wasmtime.Module, engine, module))


def _machine_code(engine: Any, module: bytes, checked: bool) -> Any:
    """Return the machine code of a module: from the cache, if it has some that this machine can run."""
    import wasmtime

    name = cache.fingerprint("native", _PLAIN, hashlib.sha256(module).digest(), checked, packages=(PACKAGE,))
    stored = cache.load(name)
    if stored is not None and hasattr(os, "getuid"):  # else nobody knows whose file it is
        with suppress(wasmtime.WasmtimeError):  # made for another processor
            return wasmtime.Module.deserialize(engine, stored)
    made = _translated(engine, module)
    cache.store(name, bytes(made.serialize()))
    return made


class TextAtEnd:
    """A text in the memory of a module, behind all else that is there: it begins at `base`."""

    def __init__(self, host: Host, end: int) -> None:
        self.base = -(-end // ALIGNED) * ALIGNED
        self._host = host
        self._loaded: bytes | memoryview | None = None

    def load(self, text: bytes | memoryview) -> None:
        """Put a text there, unless it is there already. Raises `MemoryError`."""
        if self._loaded is not text:
            self._host.room(self.base + len(text) + PADDING)
            self._host.write(self.base, text)
            self._host.write(self.base + len(text), bytes(PADDING))
            self._loaded = text
