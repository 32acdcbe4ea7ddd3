"""List the values of an action's keys, as its plan says, in a state.

Input: a machine and an action.
Output: a plan of steps, each with the values to try and the conditions that can be checked after it; None if the
values of a parameter cannot be listed.
Guarantee: a step tries every value that its conditions admit, as `ir.event_plan` promises.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement
from typing import Any, NamedTuple, assert_never

from golpae.elaborate.instance import can_list
from golpae.elaborate.lifecycle import own_params
from golpae.ir import expr as ir
from golpae.ir import types as ir_types
from golpae.ir.dependencies import are_told_apart
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import TILES, Bag, Opt
from golpae.lower import event_plan as plans
from golpae.lower.event_plan import EventPlans, Offered, Planned, all_bags, explicit
from golpae.orders import distinct_orders
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import value_key

Values = Callable[..., Iterable[tuple[Any, ...]]]  # of a state and all values chosen so far
Test = Callable[..., Any]


class PlannedChoice(NamedTuple):
    """One choice: the names it binds, where their values come from, and the conditions to check after it."""

    names: tuple[str, ...]
    values: Values
    tests: tuple[Test, ...]


def choices(
    plan: Sequence[PlannedChoice], state: State, count: Callable[[], None], chosen: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of all names that a plan binds, after those that are `chosen`, for which all tests hold.

    `count` is called for each value that is tried, and may raise `TooManySteps`.
    """
    if not plan:
        yield chosen
        return
    step, rest = plan[0], plan[1:]
    for values in step.values(state, *chosen):
        count()
        more = chosen + values
        for test in step.tests:
            if not test(state, *more):
                break
        else:
            if rest:
                yield from choices(rest, state, count, more)
            else:
                yield more


class EventPlanner:
    """Plans how the events of one machine's actions are listed. Each plan is made once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._all = EventPlans(machine.rules, self._can_list)
        self._plans: dict[str, list[PlannedChoice] | None] = {}
        self._openings: dict[str, list[PlannedChoice]] = {}
        self._whole: dict[str, bool] = {}

    def plan(self, action: Action) -> list[PlannedChoice] | None:
        """Return how to list an action's events, or None if a parameter's values cannot be listed."""
        if action.name not in self._plans:
            planned = self._all.plan(action, action.params)
            self._plans[action.name] = None if planned is None else self._made(action, planned)
        return self._plans[action.name]

    def opening(self, action: Action) -> list[PlannedChoice]:
        """Return how to list the values of who acts and of those keys of the text that can be listed.

        Conditions that read other keys are not checked.
        """
        if action.name not in self._openings:
            planned = self._all.plan(action, own_params(action), only_listed=True)
            assert planned is not None
            self._openings[action.name] = self._made(action, planned)
        return self._openings[action.name]

    def lists_all(self, action: Action) -> bool:
        """Return whether all values of all keys of the text can be listed."""
        if action.name not in self._whole:
            own = [name for p in own_params(action) for name in p.parts or (p.name,)]
            listed = {name for step in self.opening(action) for name in step.names}
            self._whole[action.name] = listed >= {*own}
        return self._whole[action.name]

    def tests(self, action: Action, bound: tuple[str, ...]) -> tuple[Test, ...]:
        """Return the conditions of an action that read only these names."""
        return self._tests(self._all.ready(explicit(action), bound), bound)

    def values(
        self, action: Action, param: ParamDecl, names: tuple[str, ...], bound: tuple[str, ...]
    ) -> Values | None:
        """Return the values to try for a parameter, once all names `bound` have one.

        Of an optional parameter whose values cannot be listed, only none is tried.
        """
        offered = self._all.offered(action, param, names, bound)
        if not self._can_list(param, offered.source):
            return (lambda state, *args: [(None,)]) if param.optional else None
        return self._values(action, param, offered, bound)

    # ------------------------------------------------------------------ steps

    def _made(self, action: Action, planned: Iterable[Planned]) -> list[PlannedChoice]:
        return [
            PlannedChoice(
                step.names,
                self._values(action, step.param, step.offered, step.bound),
                self._tests(step.tests, step.bound + step.names),
            )
            for step in planned
        ]

    def _tests(self, exprs: Iterable[ir.Expr], bound: tuple[str, ...]) -> tuple[Test, ...]:
        return tuple(self.machine.function(e, bound) for e in exprs)

    def _can_list(self, param: ParamDecl, source: plans.Source) -> bool:
        return can_list(self.machine.instance, param, source)

    # ------------------------------------------------------------------ values

    def _values(
        self, action: Action, param: ParamDecl | None, offered: Offered, bound: tuple[str, ...]
    ) -> Values:
        values = self._provided(offered.given, bound, self._from(action, param, offered.source, bound))
        return _or_none(values) if offered.may_be_none else values

    def _from(
        self, action: Action, param: ParamDecl | None, source: plans.Source, bound: tuple[str, ...]
    ) -> Values:
        """Return the values that a source gives; without `param`, of who acts."""
        kind = ir_types.SEAT if param is None else param.type
        match source:
            case plans.Single():
                return lambda state, *args: [()]
            case plans.Nothing():
                return lambda state, *args: [(None,)]
            case plans.Only(value=value):
                return self._only(value, isinstance(kind, Opt), bound)
            case plans.Members(bag=bag):
                return self._members(action, param, bag, bound)
            case plans.Layouts(of=of):
                return self._layouts(of, bound)
            case plans.RowEnd(of=of):
                return self._at_end(of, bound)
            case plans.Either(one=one, other=other):
                first, second = (self._from(action, param, source, bound) for source in (one, other))
                return lambda state, *args: _each_once(chain(first(state, *args), second(state, *args)))
            case plans.Selected(bag=bag, size=size):
                return self._selected(bag, size, bound)
            case plans.Parts(bag=bag):
                tiles = self.machine.function(bag, bound)
                return lambda state, *args: (([*part],) for part in _all_parts(sorted(tiles(state, *args))))
            case plans.GroupsWithin(shape=shape, bag=bag):
                whole, shapes = self.machine.function(bag, bound), self.machine.shapes
                return lambda state, *args: (
                    ([[*group] for group in groups],)
                    for groups in shapes.lists_within(whole(state, *args), shape)
                )
            case plans.AnyList():
                assert param is not None
                length, told_apart = len(param.parts), are_told_apart(param, action.conditions)
                kinds = range(len(self.machine.instance.kinds))
                return lambda state, *args: _lists_of(kinds, length, told_apart)
            case plans.AnyValue():
                instance = self.machine.instance
                values = plans.all_values(kind, len(instance.kinds), instance.players)
                assert values is not None, "values that are tried can be listed"
                every = [(v,) for v in values]
                return lambda state, *args: every
            case plans.Between(low=low, high=high):
                return self._between(low, high, isinstance(kind, Opt), bound)
            case plans.AnyBag(ordered=ordered):
                bags = all_bags(self.machine.instance.whole, ordered)
                assert bags is not None
                none: list[tuple[Any, ...]] = [(None,)] if isinstance(kind, Opt) else []
                return lambda state, *args: [*none, *(([*bag],) for bag in bags)]
            case _:
                assert_never(source)

    def _members(
        self, action: Action, param: ParamDecl | None, bag: ir.Expr, bound: tuple[str, ...]
    ) -> Values:
        """Return the members of a bag, or lists of them if the parameter has several parts."""
        members = self.machine.function(bag, bound)
        if param is not None and param.parts:
            size, ordered = len(param.parts), are_told_apart(param, action.conditions)
            return lambda state, *args: _lists_of(sorted(set(members(state, *args))), size, ordered)
        if bag.type == Bag(TILES):  # bags may be lists, which are no keys of a dict
            return lambda state, *args: (
                ([*tiles],) for tiles in dict.fromkeys(tuple(sorted(b)) for b in members(state, *args))
            )
        return lambda state, *args: [(v,) for v in dict.fromkeys(members(state, *args))]

    def _between(self, low: ir.Expr, high: ir.Expr, optional: bool, bound: tuple[str, ...]) -> Values:
        """Return the numbers between two bounds, after none if the parameter may be left out."""
        ends = [self.machine.function(end, bound) for end in (low, high)]
        none: list[tuple[Any, ...]] = [(None,)] if optional else []

        def between(state: State, *args: Any) -> Iterable[tuple[Any, ...]]:
            first, last = (end(state, *args) for end in ends)
            return chain(none, ((number,) for number in range(first, last + 1)))

        return between

    def _provided(self, given: tuple[ir.Expr, ...], bound: tuple[str, ...], values: Values) -> Values:
        """Return values that exist only if a condition holds; none if it does not."""
        if not given:
            return values
        tests = [self.machine.function(e, bound) for e in given]
        return lambda state, *args: values(state, *args) if all(t(state, *args) for t in tests) else ()

    def _selected(self, bag: ir.Expr, size: ir.Expr, bound: tuple[str, ...]) -> Values:
        """Return every choice of a number of members of a bag, such as tiles, each once."""
        members = self.machine.function(bag, bound)
        size_of = self.machine.function(size, bound)
        return lambda state, *args: (
            (list(chosen),)
            for chosen in _parts_of(
                sorted(members(state, *args), key=value_key), max(0, size_of(state, *args))
            )
        )

    def _only(self, value_of: ir.Expr, may_be_none: bool, bound: tuple[str, ...]) -> Values:
        """Return the one value that a condition names, if there is one."""
        function = self.machine.function(value_of, bound)

        def only(state: State, *args: Any) -> list[tuple[Any, ...]]:
            value = function(state, *args)
            return [] if value is None and not may_be_none else [(value,)]

        return only

    def _layouts(self, expr: ir.LayOut, bound: tuple[str, ...]) -> Values:
        """Return every way to arrange tiles, as a list of groups."""
        tiles = self.machine.function(expr.tiles, bound)
        shapes, name = self.machine.shapes, expr.arrangement

        def layouts(state: State, *args: Any) -> Iterator[tuple[Any, ...]]:
            seen = set()
            for way in shapes.ways(tiles(state, *args), name):
                groups = sorted(g for part in way for g in part)
                if tuple(groups) not in seen:
                    seen.add(tuple(groups))
                    yield ([list(g) for g in groups],)

        return layouts

    def _at_end(self, expr: ir.Fits | ir.FitsPlace, bound: tuple[str, ...]) -> Values:
        """Return the tile at an end or a place of a row, or every tile of the row if nobody can know it."""
        kind = expr.tile.type
        end = self.machine.function(expr.there, bound)
        whole = self.machine.function(ir.ZoneRead(expr.name, expr.seat, ir_types.Bag(kind)), bound)

        def at_end(state: State, *args: Any) -> list[tuple[Any, ...]]:
            tile = end(state, *args)
            return [(t,) for t in (sorted(set(whole(state, *args))) if tile is None else [tile])]

        return at_end


def _or_none(values: Values) -> Values:
    """Return none, and the other values that are tried."""
    return lambda state, *args: chain([(None,)], (v for v in values(state, *args) if v != (None,)))


def _each_once(values: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield values in their order, each once."""
    seen = set()
    for value in values:
        if value not in seen:
            seen.add(value)
            yield value


def _parts_of(members: Sequence[Any], size: int) -> Iterator[tuple[Any, ...]]:
    """Yield every choice of `size` of some members, which are sorted by `value_key`, in order, each once."""
    spare = len(members) - size
    keys = [*map(value_key, members)]
    chosen = list(range(size))  # the places of the members
    while spare >= 0:
        yield tuple(members[at] for at in chosen)
        places = range(size - 1, -1, -1)
        last = next((i for i in places if keys[chosen[i]] < keys[spare + i]), None)
        if last is None:
            return
        at = bisect_right(keys, keys[chosen[last]])  # the next kind
        chosen[last:] = range(at, at + size - last)


def _all_parts(tiles: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every part of sorted tiles, each once, in the order of their lists: one that begins another comes first."""
    places: list[int] = []
    while True:
        yield tuple(tiles[at] for at in places)
        following = places[-1] + 1 if places else 0
        if following < len(tiles):
            places.append(following)
            continue
        while places:  # the last place that can move on to another kind
            following = bisect_right(tiles, tiles[places.pop()])
            if following < len(tiles):
                places.append(following)
                break
        if not places:
            return


def _lists_of(kinds: Iterable[int], size: int, ordered: bool) -> Iterator[tuple[int, ...]]:
    """Give every choice of tiles of sorted kinds for a list of this size, the sorted order first.

    `ordered`: the other orders follow, since a condition tells the names of the list apart.
    """
    for chosen in combinations_with_replacement(kinds, size):
        yield from distinct_orders(chosen) if ordered else (chosen,)
