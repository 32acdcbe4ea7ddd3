"""Run the module of a family of rule sets on traces.

Input: an instance with states of the table, the rule sets that it stands for, a text, the places of traces in it.
Output: the rule sets that accept a trace.
Guarantee: what is not compiled is for the reference to decide; it is told as None.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from struct import Struct

from golpae.elaborate.instance import Instance
from golpae.kernel.attributing import Attributing, Following
from golpae.kernel.emit.actions import Actions
from golpae.kernel.emit.parts import MOST_STEPS, Parts
from golpae.kernel.emit.rows import row_functions
from golpae.kernel.language.code import Module
from golpae.kernel.language.host import Referred, TextAtEnd
from golpae.kernel.language.wasm import wasm
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.module import act_function, fill
from golpae.kernel.scan.lines import header, scanner
from golpae.kernel.start import start

MOST_OF_LINE = 40 * MOST_STEPS  # of an event under all rule sets
_TOLD = Struct("<4q")  # the words of `Following` before the rule sets


@dataclass(frozen=True, slots=True)
class CompiledFamily:
    """A module that follows traces, its layout, and where it is told what to follow."""

    wasm: bytes
    layout: Layout
    following: Following
    filled: tuple[str, ...]
    filling: int


class Attributor:
    """A family of rule sets at a table, compiled. A rule set is a number, with a bit for each state of the table that
    is on, in the order of the text. Raises `NotCompiled` if it cannot be compiled, and `MemoryError`.
    """

    def __init__(self, instance: Instance, rule_sets: Collection[int], counted: bool) -> None:
        made, self._host = start(lambda left_out: compiled_family(instance, rule_sets, counted, left_out))
        self._told = made.following
        self._attribute = self._host.function("attribute")
        self._text = TextAtEnd(self._host, made.layout.end)
        self.load = self._text.load

    def accepting(self, at: int, end: int) -> tuple[bytes, bool] | None:
        """Return the rule sets that accept the trace between two places of the loaded text, as bits, and whether its
        last hand has ended under one of them; None if the reference has to decide.
        """
        base, following = self._text.base, self._told
        self._host.write(following.at, _TOLD.pack(base + at, base + end, 0, 0))
        with suppress(Referred):
            self._attribute()
        _, _, known, complete = _TOLD.unpack(self._host.read(following.at, _TOLD.size))
        return (self._host.read(following.found, following.words * WORD), complete != 0) if known else None


def compiled_family(
    instance: Instance, rule_sets: Collection[int], counted: bool, left_out: Collection[str] = ()
) -> CompiledFamily:
    """Return the module of a family. Tables and lists of `left_out` are not filled. Raises `NotCompiled`."""
    layout = Layout(instance)
    parts = Parts(layout, counted, left_out)
    parts.in_units = True
    functions = [*Actions(parts).functions(), *row_functions(layout), act_function(parts), fill(parts)]
    functions = parts.counted([*functions, *parts.functions.values()])
    attributing = Attributing(layout, rule_sets, partial(parts.start, most=MOST_OF_LINE))
    functions += [*attributing.functions(), header(layout, None), *scanner(layout)]
    for function in functions:
        function.exported = function.name in ("init", "attribute")
    module = Module(functions, layout.end, layout.data)
    return CompiledFamily(wasm(module), layout, attributing.following, tuple(parts.prepared), parts.filling)
