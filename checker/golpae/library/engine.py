"""What plays the games of one table, for any number of games and threads.

Input: a rule set, a number of players, options.
Output: an `Engine`: its machine, and what reads legal events and positions from states.
Guarantee: whoever uses the machine holds the lock, because it counts its steps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import types as ir_types
from golpae.ir.ruleset import Action
from golpae.library.values import FrozenDict, frozen, plain
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Waived
from golpae.simulate.asking import by_seat, choices_of
from golpae.simulate.onlooker import Look, Onlooker, masked
from golpae.simulate.policies import Called, names_of, policies
from golpae.simulate.policy import Choice, Turn
from golpae.simulate.position import Positions
from golpae.simulate.sight import Sight

Policy = str | Callable[[Turn], int | None]
"""How a seat plays: `random`, `greedy`, `towards`, or a function that returns the number of a choice of its `Turn`."""


def called(function: object) -> Called:
    """Return a function as a policy. Raises `TypeError`."""
    if not callable(function):
        raise TypeError(f"a policy is a name or a function, not {type(function).__name__}")
    return Called(getattr(function, "__name__", type(function).__name__), function)


@dataclass(frozen=True, slots=True)
class Meld:
    """A group of tiles on the table.

    Attributes:
        tiles: its tiles.
        label: the label it was put down with; None without one.
    """

    tiles: tuple[str, ...]
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game, whole or as one seat sees it. A tile that cannot be seen is `?`.

    Attributes:
        stage: `before` the first deal, `playing`, `over` (the hand is, and has to be ended), `ended` (between hands)
            or `finished`.
        zones: what lies in each zone: its tiles, or its melds; by seat if each player has such a zone.
        states: the value of each state of the rules; by seat if each player has one.
        totals: the points of each seat in the match.
        winner: the seat that has won this hand.
        stake: the stake of the match.
        hands_played: how many hands have ended.
        seat: who sees it; None if it shows everything.
    """

    stage: str
    zones: FrozenDict[str, tuple[Any, ...]]
    states: FrozenDict[str, Any]
    totals: tuple[int, ...]
    winner: int | None
    stake: int
    hands_played: int
    seat: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain data, which `json.dumps` writes."""
        names = ("stage", "stake", "winner", "hands_played", "seat")
        out: dict[str, Any] = {name: getattr(self, name) for name in names}
        out["totals"] = [*self.totals]
        out["zones"] = plain(FrozenDict({name: _plain(held) for name, held in self.zones.items()}))
        out["states"] = plain(FrozenDict({name: _plain(value) for name, value in self.states.items()}))
        return out


def _plain(value: Any) -> Any:
    if isinstance(value, Meld):
        return FrozenDict({"tiles": value.tiles} | ({} if value.label is None else {"label": value.label}))
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _shown(value: Any) -> Any:
    """Return a value of a position, frozen, with its melds as such."""
    if isinstance(value, dict) and "tiles" in value:
        return Meld(tuple(value["tiles"]), value.get("label"))
    return tuple(map(_shown, value)) if isinstance(value, list) else frozen(value)


class Engine:
    """What plays the games of one table."""

    def __init__(self, instance: Instance) -> None:
        self.lock = threading.RLock()
        self.machine: Machine = Machine(instance)
        self.legal: Legal = Legal(self.machine)
        self.sight: Sight = Sight(self.machine)
        self.waived = Waived()  # the same rules without conditions that were set aside
        self._positions = Positions(self.machine)
        self._onlookers: dict[int, Onlooker] = {}
        self._names_tiles = any(_names_tiles(var.type) for var in instance.rule_set.vars)

    def chosen(self, state: State, seat: int, policy: Policy, chance: Chance) -> Event | None:
        """Return the event that a policy chooses for a seat, or None. Raises `PolicyFault`."""
        every = choices_of(self.sight, state, self.legal.in_play(state))
        own, nobody = by_seat(self.machine, every)
        if seat not in own:
            return None
        if isinstance(policy, str):
            names_of(policy, 1)
        [made] = policies([policy if isinstance(policy, str) else called(policy)], self.sight)
        choices = own[seat]
        can_wait, place = bool(nobody) or len(own) > 1, None
        if len(choices) == 1 and not can_wait:
            place = 0
        else:
            held = self.machine.copy(state)
            turn = Turn(self.sight, held, seat, choices, chance, len(every), can_wait=can_wait)
            place = made.choose(turn)
        return None if place is None else choices[place].event(chance)

    def choices(self, state: State, seat: int) -> list[Choice]:
        """Return the choices of a seat; events that it cannot tell apart are one choice."""
        own, _ = by_seat(self.machine, choices_of(self.sight, state, self.legal.in_order(state)))
        return own.get(seat, [])

    def position(self, state: State) -> Position:
        """Return a position, with all that lies there."""
        return _position(self._positions.nested(state), None)

    def seen(self, state: State, seat: int, hidden: Collection[str]) -> Position:
        """Return a position as a seat sees it. `hidden` are the states that name tiles which it cannot know."""
        nested, sees = self._positions.nested(state), self.machine.sees
        zones, states = nested["zones"], nested["states"]
        for zone in self.machine.rules.zones:
            lying = zones[zone.name]
            if zone.each_player:
                own = (
                    one if sees(state, zone, owner, seat) else masked(one) for owner, one in enumerate(lying)
                )
                zones[zone.name] = [*own]
            elif not sees(state, zone, None, seat):
                zones[zone.name] = masked(lying)
        for key in hidden:
            _, name, *owner = key.split("/")
            if owner:
                states[name][int(owner[0])] = masked(states[name][int(owner[0])])
            else:
                states[name] = masked(states[name])
        return _position(nested, seat)

    def hear(self, states: Iterable[State], seat: int, hidden: set[str]) -> None:
        """Note which states name tiles that a seat cannot know, while a game goes through these states."""
        if self._names_tiles:
            for before, after in pairwise(map(self._positions.flat, states)):
                self._onlooker(seat).hear(hidden, before, after)

    def masked_keys(self, states: list[State], event: Event, line: dict[str, Any], seat: int) -> set[str]:
        """Return the keys of an event whose tiles a seat may not know. `states` are those before and after it."""
        action = self.machine.actions[event.action]
        if action.dealing is not None:
            return {"hands", "reserve", *(dealt.zone for dealt in action.dealing.table)}
        own = action.by is not None and event.args[0] == seat
        if own:
            return set()
        unseen = self.sight.unseen_keys(event.action)
        keys = {key.name for key in unseen if self.sight.arrives(event.action, key)}
        before, after = map(self._positions.flat, states)
        names = self._onlooker(seat).unnamed(before, after, line)
        return keys | {
            key for key, value in line.items() if key != "do" and not names.isdisjoint(_names(value))
        }

    def masked_line(
        self, line: dict[str, Any], keys: set[str], action: Action, seat: int, after: State
    ) -> dict[str, Any]:
        """Return an event without the tiles of these keys. `after` is the state after it."""
        out = {key: masked(value) if key in keys else value for key, value in line.items()}
        if action.dealing is not None:
            zones = {zone.name: zone for zone in self.machine.rules.zones}
            sees = self.machine.sees
            hand, rest = zones[action.dealing.hand], zones[action.dealing.zone]
            if "hands" in line:
                out["hands"] = [
                    held if sees(after, hand, owner, seat) else masked(held)
                    for owner, held in enumerate(line["hands"])
                ]
            if "reserve" in line and sees(after, rest, None, seat):
                out["reserve"] = line["reserve"]
            for dealt in action.dealing.table:
                if sees(after, zones[dealt.zone], None, seat):
                    out[dealt.zone] = line[dealt.zone]
        return out

    def _onlooker(self, seat: int) -> Onlooker:
        if seat not in self._onlookers:
            self._onlookers[seat] = Onlooker(self.machine, Look("table", seat))
        return self._onlookers[seat]


def _position(slots: dict[str, Any], seat: int | None) -> Position:
    return Position(
        slots["stage"],
        FrozenDict({name: _shown(held) for name, held in slots["zones"].items()}),
        FrozenDict({name: _shown(value) for name, value in slots["states"].items()}),
        tuple(slots["totals"]),
        slots["winner"],
        slots["stake"],
        slots["hands_played"],
        seat,
    )


def _names(value: Any) -> set[str]:
    """Return the texts in a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, list):
        return {name for one in value for name in _names(one)}
    return set()


def _names_tiles(kind: ir_types.Type) -> bool:
    """Return whether a value of this type may name tiles."""
    match kind:
        case ir_types.Tile() | ir_types.Meld():
            return True
        case ir_types.Opt(item) | ir_types.Bag(item) | ir_types.Each(item):
            return _names_tiles(item)
        case (
            ir_types.Bool()
            | ir_types.Int()
            | ir_types.Seat()
            | ir_types.Choice()
            | ir_types.NoneType()
            | ir_types.Points()
            | ir_types.Patterns()
        ):
            return False
        case _:
            assert_never(kind)
