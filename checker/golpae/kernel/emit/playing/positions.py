"""Positions that are kept while an event is tried.

Input: an action. Output: code that keeps what its events may change, and puts it back.
Guarantee: after that the position is what it was.
"""

from __future__ import annotations

from golpae.ir.dependencies import written_by
from golpae.ir.ruleset import Action, effects_of
from golpae.ir.types import SEAT
from golpae.kernel.language.code import Lit
from golpae.kernel.language.writer import ZERO, Writer, load
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.unsupported import NotCompiled

FEW = 16  # words that are copied one by one


class Positions:
    """Keeps one position of an instance."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._kept = 0  # where, if it is kept at all

    def keep(self, writer: Writer, action: Action | None = None) -> None:
        """Write that the position is kept, or as much of it as events of an action change."""
        for start, size in self._changed(action):
            self._copy(writer, self._apart(start), start, size)

    def put_back(self, writer: Writer, action: Action) -> None:
        """Write that what an event of an action may have changed is put back."""
        for start, size in self._changed(action):
            self._copy(writer, start, self._apart(start), size)

    def _apart(self, address: int) -> int:
        first = self.layout.at
        if not self._kept:
            self._kept = self.layout.allocate((self.layout.state_end - first) // WORD)
        return self._kept + address - first

    def _copy(self, writer: Writer, target: int, source: int, size: int) -> None:
        if size > FEW * WORD:
            writer.copy(Lit(target), Lit(source), Lit(size))
            return
        for offset in range(0, size, WORD):
            writer.store(8, ZERO, load(8, ZERO, source + offset), target + offset)

    def _changed(self, action: Action | None) -> list[tuple[int, int]]:
        """Return the parts of memory that events of an action may change: each its address, and its size in bytes."""
        layout = self.layout
        if action is None or action.kind not in ("play", "before"):
            return [(layout.at, layout.state_end - layout.at)]
        rules, names = layout.instance.rule_set, written_by(effects_of(action.effects))
        parts = [(layout.at, 1), (layout.winners, layout.words(SEAT))]
        for var in rules.vars:
            if var.name in names:
                try:
                    each = layout.players if var.each_player else 1
                    parts.append((layout.var(var.name), each * layout.slots(var.type, True)))
                except NotCompiled:  # whoever sets it is referred
                    continue
        for zone in rules.zones:
            if zone.name in names:
                each = layout.players if zone.each_player else 1
                parts.append((layout.zone(zone.name), each * layout.zone_slots(zone)))
        merged: list[tuple[int, int]] = []
        for start, slots in sorted(parts):
            if merged and sum(merged[-1]) == start:
                merged[-1] = (merged[-1][0], merged[-1][1] + slots * WORD)
            else:
                merged.append((start, slots * WORD))
        return merged
