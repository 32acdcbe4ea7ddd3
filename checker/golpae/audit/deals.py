"""What recorded games tell of their shuffles: deals, and draws from hidden tiles.

Input: the lines of a trace file.
Output: for each game that can be played its `Shuffles`.
Guarantee: a game counts up to its first event that is refused. Only what nobody could choose counts: hands, the order
of a row that the deal gives, tiles that were drawn out of a hidden zone under no condition.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, ZoneDecl
from golpae.ir.traverse import free
from golpae.ir.types import Tile
from golpae.lower.event_plan import EventPlans, Members, RowEnd, Source, explicit
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.runtime import HIDDEN, Row
from golpae.replay.state_layout import zone_in
from golpae.trace import Header, lines, read_header
from golpae.trace.cut_games import games
from golpae.trace.unseen import needs_tiles

Place = tuple[int, int]
"""The lines of a header and of an event."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Hands by seat; `order` is that of the row that is left, if the deal gives it."""

    place: Place
    first: int
    hands: tuple[tuple[int, ...], ...]
    order: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile that a seat drew out of these."""

    seat: int
    tile: int
    pool: tuple[int, ...]


@dataclass(slots=True)
class Shuffles:
    """What one game tells. `fair`: no rule chooses among hands. `place` is the line of its header; `key` is the same
    for games that were recorded twice.
    """

    header: Header
    machine: Machine
    fair: bool
    place: int
    deals: list[Deal] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    key: bytes = b""


@dataclass(frozen=True, slots=True)
class Drawing:
    """An action that draws: which argument is the tile, and the zone; the `end` of a row, None: from anywhere."""

    argument: int
    zone: ZoneDecl
    end: str | None


@dataclass(frozen=True, slots=True)
class AuditedTable:
    """What games at one table can tell.

    Hands are `fair` if no condition of the deal chooses among them. `ordered`: what is left is drawn in its order.
    `draws` are the actions that draw.
    """

    machine: Machine
    deal: str
    fair: bool
    ordered: bool
    draws: Mapping[str, Drawing]

    @staticmethod
    def of(machine: Machine) -> AuditedTable:
        rules = machine.rules
        deal = next(action for action in rules.actions if action.kind == "deal")
        zones = {zone.name: zone for zone in rules.zones}
        assert deal.dealing is not None
        pool = zones[deal.dealing.zone]
        chosen = any(free(e) & {"hands", "reserve"} for e in explicit(deal))
        plans = EventPlans(rules, lambda param, source: True)
        draws = {}
        for action in rules.actions:
            drawing = None if action.kind not in ("play", "before") else _drawing(action, zones, plans)
            if drawing is not None:
                draws[action.name] = drawing
        ordered = any(drawing.zone == pool and drawing.end is not None for drawing in draws.values())
        return AuditedTable(machine, deal.name, pool.holds_set and not chosen, ordered, draws)

    def pool(self, state: State, drawing: Drawing) -> tuple[int, ...]:
        """Return the tiles that may be drawn, as far as nobody can tell them apart; nothing if somebody can."""
        zone = zone_in(state, drawing.zone.name)
        if not isinstance(zone, Row):
            return tuple(zone)
        if drawing.end is None:
            return tuple(zone.all())
        hidden = bool(zone.slots) and zone.slots[0 if drawing.end == "front" else -1] == HIDDEN
        return tuple(zone.hidden) if hidden else ()


def _drawing(action: Action, zones: Mapping[str, ZoneDecl], plans: EventPlans) -> Drawing | None:
    """Return how an action draws a tile out of a zone that nobody sees, or None if it does not."""
    offset = 0 if action.by is None else 1
    for place, param in enumerate(action.params):
        if not isinstance(param.type, Tile) or action.by is None:
            continue
        if sum(param.name in free(e) for e in explicit(action)) != 1:
            continue  # another condition on the tile chooses among them
        planned = plans.plan(action, (param,)) or []
        hidden_zone = _hidden_zone(planned[-1].offered.source if planned else None, zones)
        if hidden_zone is not None:
            return Drawing(offset + place, *hidden_zone)
    return None


def _hidden_zone(source: Source | None, zones: Mapping[str, ZoneDecl]) -> tuple[ZoneDecl, str | None] | None:
    """Return the hidden zone that a tile comes from, and the end of it."""
    name: str | None = None
    end: str | None = None
    if isinstance(source, Members) and isinstance(source.bag, ir.ZoneRead) and source.bag.seat is None:
        name = source.bag.name
    elif isinstance(source, RowEnd) and isinstance(source.of, ir.Fits) and source.of.seat is None:
        name, end = source.of.name, source.of.end
    if name is None or zones[name].seen_by != "nobody":
        return None
    return zones[name], end


class Reader:
    """Reads files."""

    def __init__(self, library: Library, rules: str | None) -> None:
        self._library, self._rules = library, rules
        self._tables: dict[int, AuditedTable] = {}
        self.unread = 0
        """Games whose header or rules cannot be read."""
        self.unseen = 0
        """Games that count up to their first unknown tile."""

    def table(self, machine: Machine) -> AuditedTable:
        """Return the zones and tiles that the audit counts in games on a machine."""
        if id(machine) not in self._tables:
            self._tables[id(machine)] = AuditedTable.of(machine)
        return self._tables[id(machine)]  # INVARIANT: a table keeps its machine, so the id stays its own

    def games(self, stream: BinaryIO) -> Generator[Shuffles, None, tuple[int, str] | None]:
        """Yield the shuffles of each game. Returns the line at which reading stopped, and why, if it did."""
        return (yield from games(lines(stream), self._begun, _Game.told))

    def _begun(self, at: int, line: dict[str, Any], fault: str | None) -> _Game | None:
        if self._rules is not None and isinstance(line.get("rules"), str):
            line = {**line, "rules": self._rules}
        header = read_header(line) if fault is None else fault
        machine = (
            header
            if isinstance(header, str)
            else self._library.machine(header.rules, len(header.players), header.options)
        )
        if isinstance(header, str) or isinstance(machine, str):
            self.unread += 1
            return None
        try:
            return _Game(self.table(machine), header, at, line, self._noted)
        except TooManySteps:
            self.unread += 1
            return None

    def _noted(self) -> None:
        """Note that a game has unknown tiles."""
        self.unseen += 1


class _Game:
    """A game that is being read. `unseen` is called if it has unknown tiles."""

    def __init__(
        self,
        table: AuditedTable,
        header: Header,
        at: int,
        line: Mapping[str, Any],
        unseen: Callable[[], None],
    ) -> None:
        self._unseen = unseen
        self._table, self._machine = table, table.machine
        self._told = Shuffles(header, table.machine, table.fair, at)
        self._state = table.machine.new_state(header.stake)
        self._stopped = False
        self._digest = hashlib.blake2b(repr(line).encode(), digest_size=16)

    def line(self, at: int, line: dict[str, Any] | None, fault: str | None) -> None:
        """Carry out the event of a line, and keep what it tells; stop at the first that is refused."""
        self._digest.update(repr(line).encode())
        action = None if line is None or fault is not None else line.get("do")
        if self._stopped or line is None or action.__class__ is not str:
            self._stopped = True
            return
        if needs_tiles(line, self._machine.steps):
            self._stopped = True
            self._unseen()
            return
        step = self._machine.steps.get(str(action))
        try:
            pool = self._pool(str(action))
            if step is None or step(self._state, line) is not None:
                self._stopped = True
                return
        except (TooManySteps, ValueError):
            self._stopped = True
            return
        if pool or action == self._table.deal:
            self._keep(str(action), at, line, pool)

    def _pool(self, action: str) -> tuple[int, ...]:
        drawing = self._table.draws.get(action)
        return () if drawing is None else self._table.pool(self._state, drawing)

    def _keep(self, action: str, at: int, line: Mapping[str, Any], pool: tuple[int, ...]) -> None:
        args = self._machine.read(action, line)
        assert not isinstance(args, Bad)
        if action != self._table.deal:
            self._told.draws.append(Draw(args[0], args[self._table.draws[action].argument], pool))
            return
        first, hands, rest = args[:3]
        order = tuple(rest) if rest is not None and self._table.ordered else None
        deal = Deal((self._told.place, at), first, tuple(tuple(sorted(hand)) for hand in hands), order)
        self._told.deals.append(deal)

    def told(self) -> Shuffles:
        """Return the shuffles of the game, once it is read."""
        self._told.key = self._digest.digest()
        return self._told
