"""What one player sees of a game: each event as this player saw it, and what lies open to this player after it.

Input: a machine, a seat, a game.
Output: values that are equal exactly if the player cannot tell the games apart.
Guarantee: an event looks as `golpae hide` shows it. Of a zone that is closed to the player, only the number of tiles
counts, and of melds how many tiles each has. No state of the text counts: whoever knows it has seen how it came about.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.hidden.hiding import OFF_THE_RULES, seen_event
from golpae.hidden.lines import HANDS, RESERVE
from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, ParamDecl, RuleSet, ZoneDecl, effects_of
from golpae.ir.types import TILES, Opt
from golpae.lower.event_plan import asks_order
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import ZONE_KEYS, zones_in

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A legal game: its lines, the states before and after each, and what a player saw of each event."""

    lines: tuple[Line, ...]
    states: tuple[State, ...]
    views: tuple[Hashable, ...]


class Eyes:
    """The eyes of one player at a machine's table."""

    def __init__(self, machine: Machine, seat: int) -> None:
        self.machine, self.seat = machine, seat
        self._heaps = {
            action.name: [p.name for p in action.params if _is_heap(machine, action, p)]
            for action in machine.rules.actions
        }

    def view(self, before: State, after: State, line: Line) -> Hashable:
        """Return the player's view of an event: its line, and the zones after it."""
        return self.event(before, after, line), self.zones(after)

    def event(self, before: State, after: State, line: Line) -> str:
        """Return the line of an event as the player saw it."""
        seen = seen_event(self.machine, before, after, line, self.seat)
        for name in self._heaps[str(line["do"])]:
            seen[name] = _in_order(seen.get(name))
        return json.dumps(seen, sort_keys=True)

    def zones(self, state: State) -> Hashable:
        """Return the player's view of all zones."""
        return tuple(
            self._zone(state, zone, owner, lying)
            for zone in self.machine.rules.zones
            for owner, lying in enumerate(zones_in(state, zone))
        )

    def _zone(self, state: State, zone: ZoneDecl, place: int, lying: Any) -> Hashable:
        owner = place if zone.each_player else None
        if self.machine.sees(state, zone, owner, self.seat):
            return True, ZONE_KEYS[zone.kind](lying)
        if zone.kind == "melds":
            return False, tuple(sorted(map(len, lying)))
        return False, len(lying.slots) if zone.kind == "row" else len(lying)

    def kinds(self, state: State) -> list[int]:
        """Return the kinds of tiles of which the player sees one, in the order of the set."""
        seen: set[int] = set()
        for zone in self.machine.rules.zones:
            for place, lying in enumerate(zones_in(state, zone)):
                if self.machine.sees(state, zone, place if zone.each_player else None, self.seat):
                    tiles = lying.all() if zone.kind == "row" else lying
                    seen.update((t for meld in tiles for t in meld) if zone.kind == "melds" else tiles)
        return sorted(seen)

    def seen(self, lines: Sequence[Line]) -> SeenGame | None:
        """Return a game as the player saw it, or None if replay refuses it."""
        states, views = [self.machine.new_state()], list[Hashable]()
        for line in lines:
            after = happened(self.machine, states[-1], line)
            if after is None:
                return None
            views.append(self.view(states[-1], after, line))
            states.append(after)
        return SeenGame(tuple(lines), tuple(states), tuple(views))


def _is_heap(machine: Machine, action: Action, param: ParamDecl) -> bool:
    """Return whether a key is a list of tiles, or one for each player, whose order says nothing."""
    if action.kind == "deal" and param.name == HANDS:
        return True
    kind = param.type.item if isinstance(param.type, Opt) else param.type
    is_row = action.kind == "deal" and param.name == RESERVE
    return kind == TILES and not is_row and not asks_order(machine.rules, action, param.name)


def _in_order(tiles: Any) -> Any:
    """Return tiles in an order that does not tell which of them is hidden; hands stay in the order of seats."""
    if not isinstance(tiles, list):
        return tiles
    if any(isinstance(tile, list) for tile in tiles):
        return [_in_order(hand) for hand in tiles]
    return sorted(tiles) if all(isinstance(tile, str) for tile in tiles) else tiles


def happened(machine: Machine, state: State, line: Line) -> State | None:
    """Return the state after an event, or None if replay refuses it. The state itself stays as it is."""
    after = machine.copy(state)
    try:
        return after if machine.steps[str(line["do"])](after, line) is None else None
    except (ValueError, TooManySteps, *OFF_THE_RULES):
        return None


def messages(rules: RuleSet) -> list[ir.Expr]:
    """Return the values that the messages of a rule set say."""
    asked = (e for a in rules.actions for e in effects_of(a.effects) if isinstance(e, ir.Ensure))
    said = [part for a in rules.actions for c in a.of_text for part in c.message]
    return [part for part in (*said, *(v for e in asked for v in e.values)) if not isinstance(part, str)]
