"""What a seat can see, and what an event moves.

Input: a machine, states and events.
Output: the zones as a seat sees them; of events that differ in unseen tiles, how many copies each stands for; the tiles
that an event takes or gives away.
Guarantee: all of this follows from who sees which zone and from the effects of the rules, not from any name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, perm
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import OWNER, Action, ZoneDecl
from golpae.lower.event_plan import UnseenKey, unseen_keys
from golpae.lower.walk import Transfer
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import HIDDEN, Row
from golpae.replay.simulate import written
from golpae.replay.state_layout import winners_in, zone_in

UNSEEN = "?"
Tiles = Counter[int]
_Source = tuple[str, int | None]  # a zone, and whose it is


@dataclass(frozen=True, slots=True)
class Holding:
    """The tiles that serve a seat: those in its hand, and those that lie before it in melds."""

    loose: Tiles
    melds: tuple[tuple[int, ...], ...]

    @property
    def whole(self) -> Tiles:
        """All these tiles."""
        return self.loose + Counter(tile for meld in self.melds for tile in meld)


@dataclass(frozen=True, slots=True)
class Moved:
    """What an event does for the seat that acts, as far as the seat can know before it happens.

    `before` and `after` are its tiles, `given` those that it has no longer, `taken` those that came from where the seat
    sees them, `melded` whether more of its tiles lie in melds. `wins`: it has won; `loses`: another one has.
    """

    before: Holding
    after: Holding
    given: Tiles
    taken: Tiles
    melded: bool
    wins: bool
    loses: bool


class Sight:
    """Who sees what at one machine's table."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        zones = {zone.name: zone for zone in machine.rules.zones}
        deal = next(action for action in machine.rules.actions if action.kind == "deal")
        dealt = None if deal.dealing is None else deal.dealing.hand
        own = [zone for zone in zones.values() if zone.each_player]
        self._melds = [zone for zone in own if zone.kind == "melds" and zone.seen_by != "nobody"]
        self._loose = [
            zone for zone in own if zone.kind != "melds" and (zone.name == dealt or zone.seen_by == OWNER)
        ]
        self._unseen = {action.name: unseen_keys(machine.rules, action) for action in machine.rules.actions}
        self._serving = {zone.name for zone in (*self._loose, *self._melds)}

    def melds(self, moved: Transfer, action: Action) -> bool:
        """Return whether a move brings tiles from the hand of the seat that acts into a meld of its own."""
        source, target = moved.source, moved.target
        if not isinstance(source, ir.Place) or not isinstance(target, ir.Place):
            return False
        own = all(isinstance(p.seat, ir.Local) and p.seat.name == action.by for p in (source, target))
        return (
            own
            and any(zone.name == source.zone for zone in self._loose)
            and any(zone.name == target.zone for zone in self._melds)
        )

    @property
    def loose(self) -> tuple[str, ...]:
        """The zones of the tiles that serve their owner, but for melds."""
        return tuple(zone.name for zone in self._loose)

    @property
    def grouped(self) -> tuple[str, ...]:
        """The zones of the melds that serve their owner."""
        return tuple(zone.name for zone in self._melds)

    def unseen_keys(self, action: str) -> tuple[UnseenKey, ...]:
        """Return the keys of an action whose tiles whoever acts cannot see."""
        return self._unseen.get(action, ())

    def unseen(self, event: Event) -> tuple[UnseenKey, ...]:
        """Return the arguments whose tiles whoever acts cannot see."""
        return self._unseen[event.action]

    def arrives(self, action: str, key: UnseenKey) -> bool:
        """Return whether the tiles of an unseen key come to serve the seat that acts."""
        return self.machine.actions[action].by is not None and not self._serving.isdisjoint(key.targets)

    def known(self, event: Event) -> tuple[Any, ...]:
        """Return an event without what whoever acts cannot know: events with the same value are one choice."""
        hidden = {key.place for key in self.unseen(event)}
        args = (len(_tiles(arg)) if place in hidden else _plain(arg) for place, arg in enumerate(event.args))
        return event.action, *args

    def weights(self, events: Sequence[Event], state: State) -> tuple[int, ...]:
        """Return of each event in how many ways its unseen tiles can be taken from the copies that lie where they come
        from. Tiles that do not lie there make no difference.
        """
        there: dict[_Source, Tiles] = {}
        return tuple(self._ways(event, state, there) for event in events)

    def _ways(self, event: Event, state: State, there: dict[_Source, Tiles]) -> int:
        ways, taken = 1, Counter[tuple[_Source, int]]()
        for key in self.unseen(event):
            source = key.zone, self._owner(event, key, state)
            if source not in there:
                value = zone_in(state, key.zone)
                there[source] = Counter(_all_of(value if source[1] is None else value[source[1]]))
            for tile, count in Counter(_tiles(event.args[key.place])).items():
                left = there[source][tile] - taken[source, tile]
                if left >= count:
                    ways *= perm(left, count) if key.is_ordered else comb(left, count)
                    taken[source, tile] += count
        return ways

    def _owner(self, event: Event, key: UnseenKey, state: State) -> int | None:
        """Return whose zone the tiles of a key come from; None if it is shared, or if the effects alone know that."""
        if key.seat is None:
            return None
        action = self.machine.actions[event.action]
        args = [*event.args]
        names: dict[str, Any] = {} if action.by is None else {action.by: args.pop(0)}
        for param, value in zip(action.params, args, strict=True):
            names[param.name] = value
            if param.parts:
                names |= zip(param.parts, value, strict=True)
        owner: int | None = self.machine.value(key.seat, state, names)
        return owner

    # ------------------------------------------------------------------ what an event does

    def holding(self, state: State, seat: int) -> Holding:
        """Return the tiles that serve a seat."""
        loose: Tiles = Counter()
        for zone in self._loose:
            loose.update(_all_of(zone_in(state, zone.name)[seat]))
        melds = tuple(tuple(meld) for zone in self._melds for meld in zone_in(state, zone.name)[seat])
        return Holding(loose, melds)

    def moved(self, event: Event, state: State, seat: int, before: Holding) -> Moved:
        """Return the result of an event for the seat that acts: its holding, the tiles that it gives and gets, whether
        it has a new meld, and whether it or another seat wins. `before` is what it holds now.
        """
        after = self.machine.copy(state)
        self.machine.apply(event.action, after, event.args)
        hidden: Tiles = Counter()
        for key in self.unseen(event):
            if self.arrives(event.action, key):
                hidden.update(_tiles(event.args[key.place]))
        holding = self.holding(after, seat)
        holding = Holding(holding.loose - hidden, holding.melds)
        whole, now = before.whole, holding.whole
        winners = winners_in(after, self.machine.rules)
        return Moved(
            before,
            holding,
            whole - now,
            now - whole,
            sum(map(len, holding.melds)) > sum(map(len, before.melds)),
            seat in winners,
            bool(winners) and seat not in winners,
        )

    def out_of_sight(self, state: State, seat: int) -> list[int]:
        """Return of each kind how many tiles this seat cannot see."""
        counts = [kind.copies for kind in self.machine.instance.kinds]
        for zone in self.machine.rules.zones:
            for owner, tiles in self._each(state, zone):
                if self.machine.sees(state, zone, owner, seat):
                    for tile in _all_of(tiles):
                        counts[tile] -= 1
        return counts

    # ------------------------------------------------------------------ for people

    def line(self, event: Event, seat: int) -> dict[str, Any]:
        """Return an event as a line of a trace, with `?` for each tile that the seat cannot know."""
        line = written(self.machine, event)
        action = self.machine.actions[event.action]
        for key in self.unseen(event):
            name = action.params[key.place - 1].name
            if name in line:
                line[name] = [UNSEEN for _ in line[name]] if isinstance(line[name], list) else UNSEEN
        return line

    def zones(self, state: State, seat: int) -> dict[str, Any]:
        """Return all zones as a seat sees them."""
        out: dict[str, Any] = {}
        for zone in self.machine.rules.zones:
            shown = [
                self._shown(tiles, self.machine.sees(state, zone, owner, seat))
                for owner, tiles in self._each(state, zone)
            ]
            out[zone.name] = shown if zone.each_player else shown[0]
        return out

    def _each(self, state: State, zone: ZoneDecl) -> Iterator[tuple[int | None, Any]]:
        value = zone_in(state, zone.name)
        if zone.each_player:
            yield from enumerate(value)
        else:
            yield None, value

    def _shown(self, tiles: Any, seen: bool) -> list[Any]:
        if isinstance(tiles, Row):
            return [self.machine.tile(t) if seen and t != HIDDEN else UNSEEN for t in tiles.slots]
        return [
            [self.machine.tile(t) if seen else UNSEEN for t in item]
            if isinstance(item, tuple)
            else (self.machine.tile(item) if seen else UNSEEN)
            for item in tiles
        ]


def _all_of(tiles: Any) -> list[int]:
    """Return every tile of a zone, or of each player's zone of this name."""
    if isinstance(tiles, Row):
        return tiles.all()
    out: list[int] = []
    for item in tiles:
        if isinstance(item, int):
            out.append(item)
        else:
            out += _all_of(item)
    return out


def _tiles(value: Any) -> Sequence[int]:
    """Return the tiles of an argument: one, several or none."""
    if value is None:
        return ()
    return (value,) if isinstance(value, int) else _all_of(value)


def _plain(value: Any) -> Any:
    """Return an argument as a value that can be compared and looked up."""
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value)), getattr(value, "label", None)
    return tuple(sorted(value.items())) if isinstance(value, dict) else value
