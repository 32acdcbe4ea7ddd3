"""List every legal event in a state.

Input: a machine and a state.
Output: the events that can follow.
Guarantee: exactly the events that `Machine.check` admits and whose effects can be carried out. Values are chosen one
parameter at a time, and each condition is checked as soon as all names in it have a value. `in_order` gives them in the
order of `docs/semantics.md`, which depends on the events alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, assert_never

from golpae.elaborate.lifecycle import hand_sizes_read_keys, own_params
from golpae.ir import expr as ir
from golpae.ir import lifecycle
from golpae.ir import types as ir_types
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import DEALT_PLAYER, Action, ParamDecl, RuleSet
from golpae.lower.event_plan import asks_order
from golpae.replay.event_planner import EventPlanner, Values, choices
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import EFFECTS, midway, value_key

IN_A_HAND = ("before", "play", "end")  # kinds of actions that games by chance choose from


@dataclass(frozen=True, slots=True)
class Event:
    """An event that can follow: an action's name and its arguments, the acting seat first."""

    action: str
    args: tuple[Any, ...]


def sizes_read_keys(machine: Machine) -> bool:
    """Return whether the sizes of the hands of a deal depend on keys that the game adds to it."""
    return hand_sizes_read_keys(_deal_of(machine))


def hand_sizes(machine: Machine, state: State, first: int, keys: Sequence[Any] = ()) -> list[int]:
    """Return how many tiles each seat is dealt in a state if `first` is dealt the first player's hand.

    `keys` are the values of the keys that the game adds to the deal; they are needed if the sizes read them. If a size
    has no value in this state, all are below 0, so that nobody can be dealt so many.
    """
    action = _deal_of(machine)
    names = keys_of_deal(machine, first, keys)
    own, others = _sizes_of(action)
    try:
        return [
            machine.value(own if seat == first else others, state, {**names, DEALT_PLAYER: seat})
            for seat in range(machine.instance.players)
        ]
    except TypeError:  # what is none there is asked only if a condition before has settled it
        return [-1] * machine.instance.players


def keys_of_deal(machine: Machine, first: int, keys: Sequence[Any]) -> dict[str, Any]:
    """Return the values of the names in a deal: `first`, and the keys that the game adds with their parts."""
    names: dict[str, Any] = {"first": first}
    for param, value in zip(own_params(_deal_of(machine)), keys, strict=False):
        names[param.name] = value
        if param.parts:
            names |= zip(param.parts, value, strict=False)
    return names


def _deal_of(machine: Machine) -> Action:
    return next(a for a in machine.rules.actions if a.kind == "deal")


def _sizes_of(action: Action) -> tuple[ir.Expr, ir.Expr]:
    assert action.dealing is not None
    return action.dealing.first, action.dealing.others


class Following(NamedTuple):
    """What can follow in a state: events; the actions that may be legal too, but have too many events to list; who may
    be first in a deal; the actions whose events cannot be found, and why.
    """

    events: list[Event]
    unlisted: list[str]
    seats: list[int]
    endless: dict[str, TooManySteps]


class Legal:
    """Lists the legal events of one machine's states."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._planner = EventPlanner(machine)
        self._deal_tests: tuple[Callable[..., Any], ...] | None = None
        self._sources: dict[
            str, list[Values | None]
        ] = {}  # of the keys that a game adds to its `end` and `finish`
        self._order: EventOrder | None = None
        self._alike: dict[str, list[_Key]] = {}  # what tells arguments apart, but for the orders of lists

    def events(self, state: State) -> Iterator[Event]:
        """Yield every legal event except deals (see `can_deal`) and actions of open-ended lists (see `unlisted`).

        Raises `TooManySteps`.
        """
        for _, events in self.by_action(state):
            yield from events

    def in_order(self, state: State) -> list[Event]:
        """Return the legal events in the order of `EventOrder`, each once. Raises `TooManySteps`."""
        return self._ordered(self.events(state))

    def _ordered(self, events: Iterable[Event]) -> list[Event]:
        if self._order is None:
            self._order = EventOrder(self.machine)
        return self._order.sorted(events)

    def in_play(self, state: State) -> list[Event]:
        """Return the events in order that a game by chance chooses from: all but `finish`. Raises `TooManySteps`."""
        return [e for e in self.in_order(state) if self.machine.actions[e.action].kind != "finish"]

    def by_action(self, state: State) -> Iterator[tuple[str, Iterator[Event]]]:
        """Yield the legal events, those of one action together. Going through them raises `TooManySteps`."""
        for action in self.machine.rules.actions:
            if action.kind in ("play", "before"):
                yield action.name, self._of(action, state)
        yield "end", self.closings(state)

    def closings(self, state: State) -> Iterator[Event]:
        """Yield every legal end of the hand or the match."""
        if self.machine.stage(state) in lifecycle.open_at("end"):
            yield from self._closing("end", state, (state.winner, self.machine.payout(state)))
        if self.machine.stage(state) in lifecycle.open_at("finish"):
            totals = list(self.machine.totals_left(state))
            most = max(totals)
            winners = [p for p, total in enumerate(totals) if total == most]
            yield from self._closing("finish", state, (totals, winners))

    def can_deal(self, state: State) -> list[int]:
        """Return the seats that can be dealt the first player's hand now."""
        if self.machine.stage(state) not in lifecycle.open_at("deal"):
            return []
        if self._deal_tests is None:
            self._deal_tests = self._planner.tests(_deal_of(self.machine), ("first",))
        tests = self._deal_tests
        seats = [p for p in range(self.machine.instance.players) if all(test(state, p) for test in tests)]
        return seats if sizes_read_keys(self.machine) else [p for p in seats if self._has_enough(state, p)]

    def _has_enough(self, state: State, first: int) -> bool:
        """Return whether the set has the tiles for all hands."""
        sizes = hand_sizes(self.machine, state, first)
        return min(sizes) >= 0 and sum(sizes) <= len(self.machine.instance.whole)

    def can_be(self, event: Event, state: State) -> bool:
        """Return whether the effects of an event that passes all conditions can be carried out.

        The conditions of a deal count too, for a deal is not listed.
        """
        action = self.machine.actions[event.action]
        if action.kind == "deal" and self.machine.check(event.action, state, event.args) >= 0:
            return False
        if event.action not in self.machine.may_fail_midway:
            return True
        try:
            self.machine.apply(event.action, self.machine.copy(state), event.args)
        except ValueError:
            return False
        return True

    def broken(self, event: Event, state: State) -> str:
        """Return the name of the clause that keeps an event from happening whose conditions all hold."""
        try:
            self.machine.apply(event.action, self.machine.copy(state), event.args)
        except ValueError as fault:
            return midway(fault)
        return EFFECTS

    def dealt(self, deal: Event, state: State) -> Event | None:
        """Return a deal with its lists in the first order that the conditions allow, or None if it cannot be made."""
        if own_params(self.machine.actions[deal.action]):
            deal = Event(deal.action, self.machine.first(deal.action, state, deal.args)[1])
        return deal if self.can_be(deal, state) else None

    def first_dealt(self, deals: Iterable[Event], state: State) -> Event | None:
        """Return the first of some deals that can be made, as `dealt` has it, or None if none can."""
        return next((deal for deal in (self.dealt(d, state) for d in deals) if deal is not None), None)

    def unlisted(self, state: State) -> list[str]:
        """Return the actions that may also be legal but have too many events to list."""
        return [a.name for a in self.machine.rules.actions if self.is_unlisted(a, state)]

    def never_listed(self) -> list[str]:
        """Return the actions of a hand of which no event is ever listed, because a key may have too many values."""
        return [a.name for a in self.machine.rules.actions if a.kind in IN_A_HAND and not self._lists(a)]

    def _lists(self, action: Action) -> bool:
        """Return whether events of an action can be listed, if only without the keys that may be left out."""
        if action.kind == "end":
            return None not in self._sources_of(action, own_params(action))
        return self._planner.plan(action) is not None

    def is_unlisted(self, action: Action, state: State) -> bool:
        """Return whether an action may be legal but has too many events to list. Raises `TooManySteps`."""
        return (
            action.kind != "deal" and not self._planner.lists_all(action) and self._may_be_open(action, state)
        )

    def can_follow(self, state: State) -> Following:
        """Return the events that can follow, in the order of `EventOrder`, with the actions whose events cannot be
        found because that takes too many steps.
        """
        events: list[Event] = []
        endless: dict[str, TooManySteps] = {}
        for name, of_action in self.by_action(state):
            try:
                events += [*of_action]  # all of them, or none
            except TooManySteps as long:
                endless[name] = long
        unlisted = []
        for action in self.machine.rules.actions:
            try:
                if action.name not in endless and self.is_unlisted(action, state):
                    unlisted.append(action.name)
            except TooManySteps as long:
                endless[action.name] = long
        try:
            seats = self.can_deal(state)
        except TooManySteps as long:
            seats, endless["deal"] = [], long
        return Following(self._ordered(events), unlisted, seats, endless)

    # ------------------------------------------------------------------ ends

    def _closing(self, kind: lifecycle.ActionKind, state: State, fixed: tuple[Any, ...]) -> Iterator[Event]:
        """Yield `end` or `finish`, whose own keys have one value each, with all values for those that the game adds."""
        for action in self.machine.rules.actions:
            if action.kind == kind:
                seen: set[Any] = set()
                for added in self._added(action, state, len(fixed)):
                    failed, args = self.machine.first(action.name, state, (*fixed, *added))
                    event, key = Event(action.name, args), self._without_orders(action, args)
                    if failed < 0 and key not in seen and self.can_be(event, state):
                        yield event
                    seen.add(key)

    def _added(self, action: Action, state: State, start: int) -> Iterator[tuple[Any, ...]]:
        """Yield all values of the parameters from `start` on; nothing if the values of one cannot be listed."""
        count = self.machine.values_of(action.name)
        values: list[tuple[Any, ...]] = [()]
        added = action.params[start:]
        for param, source in zip(added, self._sources_of(action, added), strict=True):
            if source is None:
                return
            results = [*_counted(source(state), count)]  # for each choice of the keys before
            if param.parts:  # one argument, with a value for each name
                results = [([*tiles],) for tiles in results]
            values = [(*before, *value) for before in values for value in _counted(results, count)]
        yield from values

    def _sources_of(self, action: Action, added: Sequence[ParamDecl]) -> list[Values | None]:
        """Return a source for the values of each key that a game adds; None where they cannot be listed."""
        if action.name not in self._sources:
            self._sources[action.name] = [
                self._planner.values(action, p, p.parts or (p.name,), ()) for p in added
            ]
        return self._sources[action.name]

    # ------------------------------------------------------------------ events of players

    def _of(self, action: Action, state: State) -> Iterator[Event]:
        plan = self._planner.plan(action)
        if plan is None or self.machine.stage(state) not in lifecycle.open_at(action.kind):
            return
        listed = any(param.parts for param in action.params)
        seen: set[Any] = set()
        named_values = choices(plan, state, self.machine.values_of(action.name))
        if self.machine.timing is not None:
            named_values = self.machine.timing.each(f"{action.name}: the values of its keys", named_values)
        for names in named_values:
            event = Event(action.name, self._args(action, names))
            if listed:  # of the orders of a list, the first that is legal stands for the event
                key = self._without_orders(action, event.args)
                if key in seen:
                    continue
                seen.add(key)
            if self.can_be(event, state):
                yield event

    def _args(self, action: Action, values: tuple[Any, ...]) -> tuple[Any, ...]:
        rest = list(values)
        args: list[Any] = [rest.pop(0)] if action.by is not None else []
        for param in action.params:
            if param.parts:
                args.append([rest.pop(0) for _ in param.parts])
            else:
                args.append(rest.pop(0))
        return tuple(args)

    def _may_be_open(self, action: Action, state: State) -> bool:
        """Return whether all conditions hold that read only who acts and keys whose values can be listed."""
        if self.machine.stage(state) not in lifecycle.open_at(action.kind):
            return False
        count = self.machine.values_of(action.name)
        return next(choices(self._planner.opening(action), state, count), None) is not None

    def _without_orders(self, action: Action, args: tuple[Any, ...]) -> Any:
        """Return a key of arguments that is the same for all orders of a list, unless its order makes another event."""
        if action.name not in self._alike:
            self._alike[action.name] = [
                *([] if action.by is None else [_itself]),
                *(
                    _as_listed
                    if not param.parts and asks_order(self.machine.rules, action, param.name)
                    else value_key
                    for param in action.params
                ),
            ]
        return tuple(key(value) for key, value in zip(self._alike[action.name], args, strict=True))


def _counted(values: Iterable[tuple[Any, ...]], count: Callable[[], None]) -> Iterator[tuple[Any, ...]]:
    """Yield values, each after it is counted."""
    for value in values:
        count()
        yield value


# ---------------------------------------------------------------------- the order of events


class EventOrder:
    """The order of the events of one machine: a total one, which depends on nothing but the events."""

    def __init__(self, machine: Machine) -> None:
        last: dict[lifecycle.ActionKind, int] = {"play": 0, "before": 0, "end": 1, "finish": 2, "deal": 3}
        actions = sorted(machine.rules.actions, key=lambda action: last[action.kind])
        self._places = {action.name: place for place, action in enumerate(actions)}
        self._keys = {action.name: _keys_of(machine.rules, action) for action in actions}

    def key(self, event: Event) -> Any:
        """Return the sort key of an event; two events with equal keys are the same event."""
        keys = self._keys[event.action]
        return self._places[event.action], [key(arg) for key, arg in zip(keys, event.args, strict=True)]

    def kept(self, event: Event) -> Any:
        """Return the key of an event in a hashable form."""
        return _frozen(self.key(event))

    def sorted(self, events: Iterable[Event]) -> list[Event]:
        """Return events in order, each once."""
        keyed = sorted(((self.key(event), event) for event in events), key=lambda pair: pair[0])
        return [event for at, (key, event) in enumerate(keyed) if at == 0 or key != keyed[at - 1][0]]


_Key = Callable[[Any], Any]


def _frozen(key: Any) -> Any:
    return tuple(map(_frozen, key)) if isinstance(key, list | tuple) else key


def _keys_of(rules: RuleSet, action: Action) -> list[_Key]:
    """Return the key of each argument of an action, the acting seat first."""
    own = [
        _as_listed if asks_order(rules, action, param.name) else _key_of(param.type)
        for param in action.params
    ]
    return own if action.by is None else [_itself, *own]


def _key_of(kind: ir_types.Type) -> _Key:
    """Return the key that orders the values of a type."""
    match kind:
        case ir_types.Bool() | ir_types.Int() | ir_types.Seat() | ir_types.Tile():
            return _itself
        case ir_types.Choice(words):
            return words.index
        case ir_types.Meld():
            return _key_of_meld
        case ir_types.Bag(item):
            member = _key_of(item)
            return lambda bag: sorted(map(member, bag))
        case ir_types.Each(item):
            of_seat = _key_of(item)
            return lambda values: [*map(of_seat, values)]
        case ir_types.Opt(item):
            given = _key_of(item)
            return lambda value: (0,) if value is None else (1, given(value))
        case ir_types.Patterns():
            return lambda patterns: sorted(patterns.items())
        case ir_types.NoneType() | ir_types.Points():  # no key of an action has them
            return lambda value: 0
        case _:
            assert_never(kind)


def _itself(value: Any) -> Any:
    return value


def _as_listed(tiles: Any) -> Any:
    """Return the key of a list whose order counts, which may be none."""
    return (0,) if tiles is None else (1, (*tiles,))


def _key_of_meld(meld: Any) -> Any:
    """Return the key of a meld: its tiles in the order of the set, then its label, none first."""
    return sorted(meld), getattr(meld, "label", None) or ""
