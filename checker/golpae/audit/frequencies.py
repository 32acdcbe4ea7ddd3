"""Hold the shuffles of recorded games against fair ones.

Input: what games tell of their shuffles. Output: an `Audit`: comparisons, each with how unlikely it is, corrected for
their number.
Guarantee: the order of games does not matter for what is found. Games that were recorded twice count once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from golpae.audit.chance import Count, alike, repeats, shuffles
from golpae.audit.deals import Deal, Draw, Shuffles
from golpae.replay.machine import Machine

MOST_SHOWN = 5  # places of repeated deals
Kind = Literal["dealt", "dealt first", "placed", "drawn", "kept"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a game is: its file, the line of its header, the line of the deal."""

    file: str
    header: int
    line: int


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often tiles came somewhere: to a seat (`dealt`, `drawn`), to the seat so many after the first one
    (`dealt first`), to a place of the row (`placed`), back to the same seat in the next deal (`kept`).
    """

    kind: Kind
    where: int
    tiles: str | None
    count: Count


@dataclass(slots=True)
class Repeats:
    """Deals that were dealt before: how many, how many pairs there are, and how likely a pair is alike."""

    deals: int = 0
    found: int = 0
    likely: float = 0.0
    """The highest probability that two deals are alike."""
    spots: list[tuple[Spot, Spot]] = field(default_factory=list)
    _first: dict[bytes, Spot] = field(default_factory=dict)

    @property
    def pairs(self) -> float:
        return self.deals * (self.deals - 1) / 2

    def add(self, key: bytes, spot: Spot, likely: float) -> None:
        """Count a deal."""
        self.deals += 1
        self.likely = max(self.likely, likely)
        before = self._first.setdefault(key, spot)
        if before is not spot:
            self.found += 1
            if len(self.spots) < MOST_SHOWN:
                self.spots.append((before, spot))

    def unlikely(self) -> float:
        """Return a bound on the probability of this many repeats."""
        return repeats(self.pairs, self.likely, self.found)

    @property
    def as_if(self) -> int | None:
        """How many different shuffles would give so many repeats, about; None if there are none."""
        return shuffles(self.deals, self.found) if self.found else None


@dataclass(slots=True)
class TableAudit:
    """The games of one game with one number of players."""

    game: str
    players: int
    games: int = 0
    draws: int = 0
    same: Repeats = field(default_factory=Repeats)
    """The same hands at the same seats."""
    turned: Repeats = field(default_factory=Repeats)
    """The same hands, at whichever seats."""
    rows: Repeats = field(default_factory=Repeats)
    """The same order of the tiles that were left."""
    _counts: dict[tuple[Kind, int, str | None], Count] = field(default_factory=dict)
    _dealt: dict[tuple[Kind, int], dict[_Set, Counter[int]]] = field(default_factory=dict)
    """How often each tile came somewhere, out of each whole set."""

    def frequencies(self) -> list[Frequency]:
        """Return the counts, by the kind of event, the place and the name of the tiles."""
        counts = {key: replace(count) for key, count in self._counts.items()}
        for (kind, where), by_set in self._dealt.items():
            for tiles, came in by_set.items():
                for name, inside in tiles.named.items():
                    count = counts.setdefault((kind, where, name), Count())
                    count.add(sum(came[tile] for tile in inside), tiles.chances[name], came.total())
        return [Frequency(*key, count) for key, count in counts.items()]

    def dealt(self, kind: Kind, where: int, tiles: _Set, came: Iterable[int]) -> None:
        """Count tiles that came out of a whole set."""
        by_set = self._dealt.setdefault((kind, where), {})
        by_set.setdefault(tiles, Counter()).update(came)

    def count(self, kind: Kind, where: int, tiles: str | None) -> Count:
        """Return the count of what does not come out of a whole set."""
        return self._counts.setdefault((kind, where, tiles), Count())


class Audit:
    """Counts games, one after the other."""

    def __init__(self) -> None:
        self.tables: dict[tuple[str, int], TableAudit] = {}
        self.copies = 0
        """Games that are recorded more than once."""
        self.games = 0
        self._seen: set[bytes] = set()
        self._sets: dict[int, _Set] = {}

    def game(self, file: str, shuffles_of_game: Shuffles) -> None:
        """Count a game."""
        if shuffles_of_game.key in self._seen:
            self.copies += 1
            return
        self._seen.add(shuffles_of_game.key)
        self.games += 1
        machine = shuffles_of_game.machine
        if id(machine) not in self._sets:
            self._sets[id(machine)] = _Set(machine)
        tiles = self._sets[id(machine)]
        key = machine.rules.game, machine.instance.players
        table = self.tables.setdefault(key, TableAudit(*key))
        table.games += 1
        before: Deal | None = None
        for deal in shuffles_of_game.deals:
            tiles.repeats(table, deal, Spot(file, *deal.place))
            if shuffles_of_game.fair:
                tiles.dealt(table, deal)
                if before is not None:
                    tiles.kept(table, before, deal)
            if deal.order is not None:
                tiles.placed(table, deal.order)
            before = deal
        for draw in shuffles_of_game.draws:
            table.draws += 1
            tiles.drawn(table, draw)


class _Set:
    """The tiles of one table, one by one and by group."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine  # INVARIANT: it is kept, so that its id stays its own
        kinds = machine.instance.kinds
        self._copies = tuple(kind.copies for kind in kinds)
        self._size = sum(self._copies)
        self.named: dict[str, frozenset[int]] = {
            kind.spoken: frozenset([number]) for number, kind in enumerate(kinds) if kind.copies
        }
        groups = {kind.group for kind in kinds}
        for group in sorted(groups) if len(groups) > 1 else ():
            self.named.setdefault(group, frozenset(n for n, k in enumerate(kinds) if k.group == group))
        self.chances = {
            name: sum(self._copies[kind] for kind in inside) / self._size
            for name, inside in self.named.items()
        }

    def repeats(self, table: TableAudit, deal: Deal, spot: Spot) -> None:
        """Count whether a deal was dealt before."""
        likely = alike(tuple(map(len, deal.hands)), self._copies)
        table.same.add(_key(deal.hands), spot, likely)
        turns = 1
        for number in range(2, len(deal.hands) + 1):
            turns *= number
        table.turned.add(_key(tuple(sorted(deal.hands))), spot, min(1.0, turns * likely))
        if deal.order:
            table.rows.add(_key((deal.order,)), spot, alike((1,) * len(deal.order), self._copies))

    def dealt(self, table: TableAudit, deal: Deal) -> None:
        """Count the tiles of hands, by seat and by how far the seat is behind the first one."""
        for seat, hand in enumerate(deal.hands):
            table.dealt("dealt", seat, self, hand)
            table.dealt("dealt first", (seat - deal.first) % len(deal.hands), self, hand)

    def drawn(self, table: TableAudit, draw: Draw) -> None:
        """Count a tile that a seat drew."""
        pool = Counter(draw.pool)
        for name, inside in self.named.items():
            there = sum(pool[kind] for kind in inside) if len(inside) > 1 else pool[min(inside)]
            if there:
                table.count("drawn", draw.seat, name).add(draw.tile in inside, there / len(draw.pool))

    def kept(self, table: TableAudit, before: Deal, deal: Deal) -> None:
        """Count how many tiles of a hand were in the same seat's last one; a tile counts for each copy there."""
        for seat, (old, new) in enumerate(zip(before.hands, deal.hands, strict=True)):
            had = Counter(old)
            count = table.count("kept", seat, None)
            mean = sum(had[kind] * copies for kind, copies in enumerate(self._copies)) / self._size
            square = sum(had[kind] ** 2 * copies for kind, copies in enumerate(self._copies)) / self._size
            count.seen += sum(had[tile] for tile in new)
            count.expected += mean * len(new)
            count.variance += (square - mean**2) * len(new)
            count.step = max(count.step, *had.values())
            count.draws += len(new)

    def placed(self, table: TableAudit, order: tuple[int, ...]) -> None:
        """Count which tile lies at each place of the row."""
        for place, tile in enumerate(order):
            table.dealt("placed", place, self, (tile,))


def _key(parts: tuple[tuple[int, ...], ...]) -> bytes:
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).digest()
