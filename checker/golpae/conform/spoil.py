"""Events that are not legal: legal ones with something changed, or played too early or too late.

Input: a machine, a state, events to begin with, and chance.
Output: an event that the rules refuse in this state.
Guarantee: it can be read as an event of the game, and replay itself has refused it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, assert_never

from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay.chance import Chance
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import EFFECTS, midway
from golpae.replay.runtime import Meld as MeldValue
from golpae.replay.simulate import written

TRIES = 20  # events that may turn out to be legal


class Judged(NamedTuple):
    """What the rules say of an event: legal, or the number of the condition that refuses it (-1: its effects cannot be
    carried out) and the arguments as replay gives them to an explanation.
    """

    legal: bool
    failed: int = -1
    args: tuple[Any, ...] = ()
    effects: str = EFFECTS

    def clause(self, machine: Machine, action: str) -> str:
        """Return the name of the clause that refuses the event."""
        conditions = machine.actions[action].conditions
        name = conditions[self.failed].name if self.failed >= 0 else self.effects
        return f"{machine.rules.game}.{action}.{name}"


def judge(machine: Machine, state: State, event: Event) -> Judged | None:
    """Apply an event to a state if it is legal, and return what the rules say; None if they cannot be asked: it cannot
    be read, or deciding takes too many steps. If it is not legal, the state stays as it is.
    """
    action = event.action
    args = machine.read(action, written(machine, event))
    if isinstance(args, Bad):
        return None
    try:
        failed, ordered = machine.first(action, state, args)
        if failed >= 0:
            return Judged(False, failed, args)
        if action in machine.may_fail_midway:
            machine.apply(action, machine.copy(state), ordered)
        machine.apply(action, state, ordered)
    except TooManySteps:
        return None
    except ValueError as fault:
        return Judged(False, -1, args, midway(fault))
    return Judged(True)


def spoilt(machine: Machine, state: State, events: Sequence[Event], chance: Chance) -> Event | None:
    """Return an event that is not legal in a state, made from some events, legal there or earlier; or None."""
    usable = [event for event in events if machine.actions[event.action].kind == "play"]
    near = [tile for event in usable for tile in _tiles_of(machine, event)]
    actions = sorted({event.action for event in usable})
    buildable = [action for action in machine.rules.actions if _is_buildable(action)] if near else []
    for _ in range(TRIES if usable else 0):
        action = chance.choice(actions)  # or those with many events would be most of all
        event = chance.choice([event for event in usable if event.action == action])
        if buildable and chance.below(4) == 3:
            event = _built(chance.choice(buildable), event, near, chance)
        for _ in range(chance.below(3)):
            event = _changed(machine, event, near, chance)
        judged = judge(machine, machine.copy(state), event)
        if judged is not None and not judged.legal:
            return event
    return None


def wrong_endings(machine: Machine, state: State, right: Event) -> list[Event]:
    """Return ends of a hand or a match that the rules refuse in a state, each with one value of a legal end made wrong:
    every other winner, and payments that come to nothing, go the other way, to another seat, or are 1 too much.
    """
    kinds = _kinds(machine.actions[right.action])
    out: list[Event] = []
    for place, (kind, arg) in enumerate(zip(kinds, right.args, strict=True)):
        for wrong in _wrong(kind, arg, machine.instance.players):
            event = Event(right.action, (*right.args[:place], wrong, *right.args[place + 1 :]))
            judged = judge(machine, machine.copy(state), event)
            if judged is not None and not judged.legal and event not in out:
                out.append(event)
    return out


def _wrong(kind: Type, value: Any, players: int) -> list[Any]:
    """Return other values of a key of an end."""
    match kind:
        case Seat() | Opt(Seat()):
            return [
                seat
                for seat in (None, *range(players))
                if seat != value and (seat is not None or kind != Seat())
            ]
        case Bag(Seat()):
            return [sorted({*value} ^ {seat}) for seat in range(players)]
        case Bag(Int()) if len(value) == players:
            most = value.index(max(value))
            more = [
                amount + (seat == most) - (seat == (most + 1) % players) for seat, amount in enumerate(value)
            ]
            return [[0] * players, [-amount for amount in value], [*value[1:], value[0]], more]
        case _:
            return []


def _kinds(action: Action) -> list[Type]:
    """Return the types of the arguments of an action, the acting seat first."""
    own = [param.type for param in action.params]
    return own if action.by is None else [Seat(), *own]


def _tiles_of(machine: Machine, event: Event) -> list[int]:
    """Return the tiles that an event names by themselves or in a list."""
    tiles: list[int] = []
    for kind, arg in zip(_kinds(machine.actions[event.action]), event.args, strict=True):
        match kind:
            case Tile() | Opt(Tile()) if arg is not None:
                tiles.append(arg)
            case Bag(Tile()):
                tiles += arg
            case _:
                pass  # a list of lists, or no tiles
    return tiles


def _is_buildable(action: Action) -> bool:
    """Return whether an event of an action can be made of a seat and tiles alone."""
    for param in action.params:
        match param.type:
            case Tile():
                continue
            case Bag(Tile()) if param.parts:
                continue
            case _:
                return False
    return action.kind == "play" and action.by is not None and bool(action.params)


def _built(action: Action, alike: Event, near: Sequence[int], chance: Chance) -> Event:
    """Return an event of an action by the seat that acts in another one, with tiles that are near."""
    args: list[Any] = [alike.args[0] if alike.args and isinstance(alike.args[0], int) else 0]
    for param in action.params:
        tiles = [chance.choice(near) for _ in param.parts or (param.name,)]
        args.append(tiles if param.parts else tiles[0])
    return Event(action.name, tuple(args))


def _changed(machine: Machine, event: Event, near: Sequence[int], chance: Chance) -> Event:
    """Return an event with one of its values changed. Half of the new tiles are among those that are `near`."""
    kinds = _kinds(machine.actions[event.action])
    if not kinds:
        return event
    place = chance.below(len(kinds))
    args = list(event.args)
    args[place] = _other(machine, args[place], kinds[place], near, chance)
    return Event(event.action, tuple(args))


def _other(machine: Machine, value: Any, kind: Type, near: Sequence[int], chance: Chance) -> Any:
    """Return another value of a type, near this one."""
    match kind:
        case Seat():
            return (value + 1 + chance.below(machine.instance.players - 1)) % machine.instance.players
        case Tile():
            return _tile(machine, near, chance)
        case Bool():
            return not value
        case Choice(words):
            return chance.choice(words)
        case Int():
            return value + (1, -1, 2)[chance.below(3)]
        case Opt(item):
            return value if value is None else _other(machine, value, item, near, chance)
        case Bag(item) | Each(item):
            members = list(value)
            if not members:
                return members
            place = chance.below(len(members))
            if isinstance(kind, Bag) and chance.below(4) == 3:
                return members[:place] + members[place + 1 :]
            members[place] = _other(machine, members[place], item, near, chance)
            return members
        case Meld():
            tiles = list(value)
            if tiles:
                tiles[chance.below(len(tiles))] = _tile(machine, near, chance)
            return MeldValue(tiles, value.label)
        case NoneType() | Points() | Patterns():
            return value
        case _:
            assert_never(kind)


def _tile(machine: Machine, near: Sequence[int], chance: Chance) -> int:
    if near and chance.below(2):
        return chance.choice(near)
    return chance.below(len(machine.instance.kinds))
