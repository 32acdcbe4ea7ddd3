"""What somebody who looks on may know of a game: not the names of tiles that moved unseen.

Input: the rules of a table, who looks on, positions one after the other.
Output: positions without what is hidden, words of events without the names of hidden tiles.
Guarantee: the same as on pages (`pages/parts/sight.js`): a tile is hidden as long as it moves from one place that is
not seen to another; a state that got such a tile as its value does not name it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from golpae.ir.ruleset import ZoneDecl
from golpae.replay.machine import Machine
from golpae.simulate.position import SEEN, UNKNOWN, ZONE, Position
from golpae.simulate.sight import Sight

A_TILE = "a tile"


@dataclass(frozen=True, slots=True)
class Look:
    """Who looks on: `hands` sees all hands, `all` everything, `table` what everybody sees; and a seat, its own."""

    who: str = "hands"
    seat: int | None = None

    def sees(self, zone: ZoneDecl, owner: int | None, position: Position) -> bool:
        """Return whether the tiles of a zone are open in a position."""
        if zone.seen_by == "everyone" or self.who == "all":
            return True
        seers = position.get(key_of(SEEN, zone, owner), ())
        if self.seat in seers or len(seers) == len(position["totals"]):
            return True
        if zone.seen_by == "nobody":
            return False
        return self.who == "hands" or (self.seat is not None and zone.is_seen(owner == self.seat))


def key_of(kind: str, zone: ZoneDecl, owner: int | None) -> str:
    """Return the key of a zone in a position, or of who else sees it."""
    return f"{kind}{zone.name}" if owner is None else f"{kind}{zone.name}/{owner}"


class Onlooker:
    """One way to look at the games of one table."""

    def __init__(self, machine: Machine, look: Look) -> None:
        instance = machine.instance
        self._rules, self.look = instance.rule_set, look
        self._sight = Sight(machine)
        self._is_open = look.who in ("hands", "all")
        self._spoken = {kind.name: kind.spoken for kind in instance.kinds}
        self._zones = [
            (zone, owner, key_of(ZONE, zone, owner))
            for zone in self._rules.zones
            for owner in (range(instance.players) if zone.each_player else (None,))
        ]

    def shown(self, positions: Sequence[Position]) -> Position:
        """Return the last of some positions without the tiles in its states that are hidden."""
        if self._is_open:
            return positions[-1]
        hidden: set[str] = set()
        for before, after in pairwise(positions):
            self.hear(hidden, before, after)
        return {key: masked(value) if key in hidden else value for key, value in positions[-1].items()}

    def hear(self, hidden: set[str], before: Position, after: Position) -> None:
        """Note which states name hidden tiles after an event; `hidden` are those that did before it."""
        unseen = self.unseen(before, after)
        for key, value in after.items():
            if key.startswith("state/") and value != before[key]:
                hidden.discard(key)
                if not unseen.isdisjoint(_names(value)):
                    hidden.add(key)

    def unseen(self, before: Position, after: Position) -> frozenset[str]:
        """Return the tiles that an event moves from one place that is not seen to another."""
        if self._is_open:
            return frozenset()
        return self._hidden(list(self._moved(before, after)))

    def unnamed(self, before: Position, after: Position, line: Mapping[str, Any]) -> frozenset[str]:
        """Return the tiles of an event that its words do not name: those that it moves unseen. If it puts back what it
        takes, no place tells that; then all its tiles.
        """
        if self._is_open:
            return frozenset()
        moved = list(self._moved(before, after))
        swaps = self._sight.unseen_keys(str(line.get("do"))) and line.get("by") != self.look.seat
        if moved or not swaps:
            return self._hidden(moved)
        return frozenset(self._spoken.keys() & set(_names(list(line.values()))))

    def gathered(self, before: Position, after: Position, line: Mapping[str, Any]) -> list[str]:
        """Return the tiles that leave the zones that everyone sees, without those that the event names: the rest of a
        trick that its last card completes, which no position shows whole.
        """
        left: Counter[str] = Counter()
        for zone, _, key in self._zones:
            if zone.seen_by == "everyone":
                left.update(_names(before[key]))
                left.subtract(_names(after[key]))
        left.subtract(_names([*line.values()]))
        return [*(+left).elements()]

    def _moved(self, before: Position, after: Position) -> Iterator[tuple[bool, set[str]]]:
        """Yield the tiles that leave or reach each place, and whether they are seen there."""
        for zone, owner, key in self._zones:
            if before[key] != after[key]:
                was, counts = Counter(_names(before[key])), Counter(_names(after[key]))
                if moved := {*(was - counts), *(counts - was)}:
                    yield any(self.look.sees(zone, owner, at) for at in (before, after)), moved

    @staticmethod
    def _hidden(moved: Sequence[tuple[bool, set[str]]]) -> frozenset[str]:
        """Return the tiles that moved and that no place shows."""
        seen = {UNKNOWN, *(tile for is_seen, tiles in moved if is_seen for tile in tiles)}
        return frozenset(
            tile for is_seen, tiles in moved if not is_seen for tile in tiles if tile not in seen
        )

    def words(self, words: str, unseen: frozenset[str]) -> str:
        """Return the words of an event without the names of these tiles."""
        names = {name for tile in unseen for name in (tile, self._spoken.get(tile, tile))}
        if not names:
            return words
        pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", A_TILE, words)


def _names(value: Any) -> Iterator[str]:
    """Yield the texts in a value: tiles, also those of melds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _names(value.get("tiles", []))
    elif isinstance(value, list):
        for one in value:
            yield from _names(one)


def masked(value: Any) -> Any:
    """Return a value with unknown tiles."""
    if isinstance(value, str):
        return UNKNOWN
    if isinstance(value, dict):
        return {**value, "tiles": masked(value.get("tiles", []))}
    return [masked(one) for one in value] if isinstance(value, list) else value
