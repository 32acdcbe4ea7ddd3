"""What the rules themselves say in an event: points, counts, payments, winners.

Input: an event that a machine refuses, and the state before it.
Output: the same event with the amounts that these rules give, if it is legal so.
Guarantee: whatever somebody chose (who acts, tiles, seats, a number that conditions leave open) stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from golpae.elaborate.lifecycle import own_params
from golpae.ir.ruleset import Action
from golpae.ir.types import Each, Int, Opt, Patterns, Type
from golpae.lower.event_plan import EventPlans, Only
from golpae.replay.legal_events import Event, EventOrder, Legal
from golpae.replay.machine import Machine, State

_TOLD = object()  # stands for an amount where events are compared without them


class Amounts:
    """The amounts in the events of one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._legal = Legal(machine)
        self._order = EventOrder(machine)
        plans = EventPlans(machine.rules, lambda param, source: True)
        self._places = {action.name: _places(action, plans) for action in machine.rules.actions}
        self.names = {action.name: _names(action) for action in machine.rules.actions}

    def of(self, action: str, args: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
        """Yield the amounts of an event that are given: keys and values."""
        for place in self._places[action]:
            if args[place] is not None:
                yield self.names[action][place], args[place]

    def amended(self, action: str, state: State, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the arguments of the legal event that differs from this one in its amounts alone, or None if there is
        none. An amount that was left out stays out. Raises `TooManySteps`.
        """
        places = self._places[action]
        if not places:
            return None
        wanted = self._but_amounts(action, args)
        events = [
            event
            for event in self._events(action, state)
            if self._but_amounts(action, event.args) == wanted and self._given(event, args, places)
        ]
        return min(events, key=self._order.key).args if events else None

    def _events(self, action: str, state: State) -> Iterator[Event]:
        kind = self.machine.actions[action].kind
        if kind in ("end", "finish"):
            yield from (event for event in self._legal.closings(state) if event.action == action)
            return
        for name, events in self._legal.by_action(state):
            if name == action:
                yield from events

    def _but_amounts(self, action: str, args: tuple[Any, ...]) -> list[Any]:
        places = self._places[action]
        _, keys = self._order.key(Event(action, args))
        return [_TOLD if place in places else key for place, key in enumerate(keys)]

    def _given(self, event: Event, args: tuple[Any, ...], places: dict[int, Type]) -> bool:
        """Return whether the same amounts are given; patterns are never listed."""
        return all(
            _of(kind) is Patterns or (event.args[place] is None) == (args[place] is None)
            for place, kind in places.items()
        )


def _places(action: Action, plans: EventPlans) -> dict[int, Type]:
    """Return which arguments of an action are amounts, with their types."""
    place = {name: at for at, name in enumerate(_names(action))}
    own = own_params(action)
    types_by_place = {}
    if action.kind in ("end", "finish"):  # whose other keys the language adds
        types_by_place = {place[p.name]: p.type for p in action.params if p not in own}
    for step in plans.plan(action, own) or []:
        param = step.param
        if param is not None and not param.parts:
            settled = isinstance(step.offered.source, Only) and _is_number(param.type)
            if settled or _of(param.type) is Patterns:
                types_by_place[place[param.name]] = param.type
    return types_by_place


def _names(action: Action) -> list[str]:
    return [*([] if action.by is None else [action.by]), *(param.name for param in action.params)]


def _of(kind: Type) -> type[Type]:
    return type(kind.item) if isinstance(kind, Opt) else type(kind)


def _is_number(kind: Type) -> bool:
    inner = kind.item if isinstance(kind, Opt) else kind
    return isinstance(inner.item if isinstance(inner, Each) else inner, Int)
