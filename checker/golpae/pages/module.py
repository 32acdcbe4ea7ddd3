"""The rules of a table as a module in a page.

Input: an instance. Output: the module of `golpae build`, packed, as text of base 64; or None if there can be none.
Guarantee: a module is made once for a table, and once for all runs if there is a cache.
"""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64encode

from golpae import cache
from golpae.build.module import build
from golpae.elaborate.instance import Instance
from golpae.ir.codec import encode
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.machine import Machine
from golpae.simulate.compiled import aims_of
from golpae.simulate.greedy import Greedy
from golpae.simulate.sight import Sight

CODE = ("build", "elaborate", "ir", "kernel", "replay", "simulate")  # what takes part in making a module
_RAW = -15  # a stream of deflate without a frame, which `DecompressionStream` of browsers reads


class Modules:
    """The modules of the tables of one report."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Instance, str | None]] = {}

    def of(self, instance: Instance) -> str | None:
        """Return the module of a table."""
        if id(instance) not in self._made:
            self._made[id(instance)] = instance, _packed(instance)
        return self._made[id(instance)][1]


def greedy_module(instance: Instance) -> tuple[str | None, Aims | None]:
    """Return the module of a table, in which greedy seats play, and their aims; None if it plays at random."""
    sight = Sight(Machine(instance))
    aims = aims_of(sight, Greedy(sight))
    module = _packed(instance, aims)
    return (module, aims) if module is not None else (_packed(instance), None)


def _packed(instance: Instance, aims: Aims | None = None) -> str | None:
    rules = hashlib.sha256(encode(instance.rule_set)).hexdigest()
    table = instance.players, sorted(instance.options.items())
    how = "random" if aims is None else "greedy"
    name = cache.fingerprint("page", rules, *table, how, code=CODE, packages=("wasmtime",))
    packed = cache.load(name)
    if packed is None:
        try:
            module = build(instance, aims).wasm
        except (NotCompiled, MemoryError):
            return None
        deflate = zlib.compressobj(9, zlib.DEFLATED, _RAW)
        packed = deflate.compress(module) + deflate.flush()
        cache.store(name, packed)
    return b64encode(packed).decode()
