"""A state of a match: where the tiles lie, what is remembered, how far the match is.

Input: none. Output: `State`, an immutable value that can be hashed, and what can be read of it.
Guarantee: a state of the text that has no value is missing in `vars`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from golpae.ir.lifecycle import Stage
from tests.judge.faults import Unset
from tests.judge.rows import Row, tiles_of
from tests.judge.values import Bag, Map, Value

Slot = tuple[str, int | None]  # a name, and whose it is
Content = Bag | Row  # of a zone: tiles or melds, or a row


@dataclass(frozen=True, slots=True)
class State:
    """A position of a match. `gains` are those of the hand, nothing at all before the first deal (5.6)."""

    stage: Stage
    zones: Map[Slot, Content]
    vars: Map[Slot, Value]
    winners: Bag
    totals: tuple[int, ...]
    hands_played: int
    gains: tuple[int, ...] = ()

    @property
    def winner(self) -> Value:
        """Return the only winner, or none (3.12)."""
        return self.winners.members[0] if len(self.winners) == 1 else None

    def content(self, slot: Slot) -> Content:
        found = self.zones.get(slot)
        assert found is not None
        return found

    def row(self, slot: Slot) -> Row:
        found = self.content(slot)
        assert isinstance(found, Row)
        return found

    def lying_in(self, slot: Slot) -> Bag:
        """Return the tiles or melds in a zone (3.13)."""
        found = self.content(slot)
        return tiles_of(found) if isinstance(found, Row) else found

    def remembered(self, slot: Slot) -> Value:
        """Return the value of a state. Raises `Unset`."""
        if not self.vars.has(slot):
            raise Unset(slot[0])
        return self.vars.get(slot)

    def with_content(self, slot: Slot, content: Content) -> State:
        return self._with(self.zones.put(slot, content), self.vars)

    def with_var(self, slot: Slot, value: Value) -> State:
        return self._with(self.zones, self.vars.put(slot, value))

    def _with(self, zones: Map[Slot, Content], variables: Map[Slot, Value]) -> State:
        return replace(self, zones=zones, vars=variables)
