"""Plan how to list an action's events: the order of its parameters, the values to try, the conditions to check.

Input: a machine and an action.
Output: a plan of steps, each with the values to try and the conditions that can be checked after it; None if the
values of a parameter cannot be listed.
Guarantee: a step tries every value that its conditions admit. The facts of a condition (`tile in p's hand`,
`count = ...`) leave out only values for which it fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement, islice, product
from math import prod
from typing import Any, NamedTuple, assert_never

from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.lifecycle import own_params
from golpae.ir import expr as ir
from golpae.ir import facts
from golpae.ir import types as ir_types
from golpae.ir.dependencies import are_told_apart
from golpae.ir.ruleset import Action, ParamDecl, effects_of
from golpae.ir.traverse import exprs_in, flat, free, nodes
from golpae.ir.types import Bool, Choice, Opt, Seat, Tile, Type
from golpae.replay.machine import Machine, State
from golpae.replay.none_guards import NoneGuards, asks_for_none
from golpae.replay.runtime import distinct_orders

MOST_LISTED = 10_000  # numbers between two bounds
MOST_BAGS = 300  # bags of tiles that a key can be

Values = Callable[..., Iterable[tuple[Any, ...]]]  # of a state and all values chosen so far
Test = Callable[..., Any]


class PlannedChoice(NamedTuple):
    """One choice: the names it binds, where their values come from, and the conditions to check after it."""

    names: tuple[str, ...]
    values: Values
    tests: tuple[Test, ...]


def choices(
    plan: Sequence[PlannedChoice], state: State, chosen: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of all names that a plan binds, after those that are `chosen`, for which all tests hold."""
    if not plan:
        yield chosen
        return
    step, rest = plan[0], plan[1:]
    for values in step.values(state, *chosen):
        more = chosen + values
        for test in step.tests:
            if not test(state, *more):
                break
        else:
            if rest:
                yield from choices(rest, state, more)
            else:
                yield more


class _Source(NamedTuple):
    """The source of a parameter's values, if `given` holds.

    `source` is the one value, a bag of them, or a condition on an end of a row or a layout.
    """

    source: ir.Expr | _Listing
    given: tuple[ir.Expr, ...]
    may_be_none: bool = False  # whether none is to be tried too


class _Listing(NamedTuple):
    """A bag, or a condition on an end of a row or on a layout, that lists the values to try."""

    of: ir.Expr | facts.AtEnd | facts.LaidOut


class _Selection(NamedTuple):
    """The bag that a parameter's tiles are part of, and the number of these tiles, if `given` holds."""

    bag: ir.Expr
    size: ir.Expr
    given: tuple[ir.Expr, ...]


class EventPlanner:
    """Plans how the events of one machine's actions are listed. Each plan is made once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._guards = NoneGuards(machine.rules)
        self._plans: dict[str, list[PlannedChoice] | None] = {}
        self._openings: dict[str, list[PlannedChoice]] = {}
        self._whole: dict[str, bool] = {}

    def plan(self, action: Action) -> list[PlannedChoice] | None:
        """Return how to list an action's events, or None if a parameter's values cannot be listed."""
        if action.name not in self._plans:
            self._plans[action.name] = self._make_plan(action)
        return self._plans[action.name]

    def opening(self, action: Action) -> list[PlannedChoice]:
        """Return how to list the values of who acts and of those keys of the text that can be listed.

        Conditions that read other keys are not checked.
        """
        if action.name not in self._openings:
            plan = self._make_plan(action, only_listed=True)
            assert plan is not None
            self._openings[action.name] = plan
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
        return self._ready(_explicit(action), bound)

    def values(
        self, action: Action, param: ParamDecl, names: tuple[str, ...], bound: tuple[str, ...]
    ) -> Values | None:
        """Return the values to try for a parameter, once all names `bound` have one.

        Of an optional parameter whose values cannot be listed, only none is tried.
        """
        values = self._values(action, param, names, bound)
        if values is None and param.optional:
            return lambda state, *args: [(None,)]
        return values

    def _values(
        self, action: Action, param: ParamDecl, names: tuple[str, ...], bound: tuple[str, ...]
    ) -> Values | None:
        """Return the values to try for a parameter, or None if they cannot be listed."""
        if asks_order(action, param.name):
            return self._all_bags(param.type, ordered=True)
        source = self._source(action, names, set(bound))
        if source is not None:
            values = self._provided(
                source.given, bound, self._from_source(action, source.source, param, bound)
            )
            return _or_none(values) if source.may_be_none else values
        selection = self._selection(action, param.name, set(bound))
        if selection is not None:
            return self._provided(selection.given, bound, self._selected(selection, bound))
        if param.parts:
            kinds = range(len(self.machine.instance.kinds))
            return lambda state, *args: _lists_of(kinds, action, param)
        listed = self._values_of(param.type)
        if listed is not None:
            return lambda state, *args: [(v,) for v in listed]
        if param.low is not None and param.high is not None and self._few(param):
            return self._between(param.low, param.high, isinstance(param.type, Opt), bound)
        return self._all_bags(param.type, ordered=False)

    def _all_bags(self, kind: Type, ordered: bool) -> Values | None:
        """Return every bag of tiles in play, in every order if that matters; None if these are too many."""
        bare = kind.item if isinstance(kind, Opt) else kind
        if bare != ir_types.Bag(ir_types.Tile()):
            return None
        copies = Counter(self.machine.instance.whole)
        if prod(count + 1 for count in copies.values()) > MOST_BAGS:
            return None
        bags = [
            tuple(tile for tile, count in zip(copies, counts, strict=True) for _ in range(count))
            for counts in product(*(range(count + 1) for count in copies.values()))
        ]
        if ordered:
            bags = [*islice((order for bag in bags for order in distinct_orders(bag)), MOST_BAGS + 1)]
        if len(bags) > MOST_BAGS:
            return None
        bags.sort(key=lambda bag: (len(bag), bag))
        none: list[tuple[Any, ...]] = [(None,)] if isinstance(kind, Opt) else []
        return lambda state, *args: [*none, *(([*bag],) for bag in bags)]

    def _few(self, param: ParamDecl) -> bool:
        """Return whether a parameter is one number between two bounds that are close to one another."""
        if _holds_several(param.type) or param.low is None or param.high is None:
            return False
        static = self.machine.instance.static
        try:
            return constant_int(param.high, static) - constant_int(param.low, static) < MOST_LISTED
        except NotConstant:
            return True

    def _between(self, low: ir.Expr, high: ir.Expr, optional: bool, bound: tuple[str, ...]) -> Values:
        """Return the numbers between two bounds, after none if the parameter may be left out."""
        ends = [self.machine.limited(*end) for end in ((low, bound, 1), (high, bound, 0))]
        none: list[tuple[Any, ...]] = [(None,)] if optional else []

        def between(state: State, *args: Any) -> Iterable[tuple[Any, ...]]:
            first, last = (end(state, *args) for end in ends)
            return chain(none, ((number,) for number in range(first, last + 1)))

        return between

    # ------------------------------------------------------------------ steps

    def _make_plan(self, action: Action, only_listed: bool = False) -> list[PlannedChoice] | None:
        sizes = {p.name for p in action.params if p.parts}  # a `{a, b}` parameter is listed in its length
        waiting = [e for e in _explicit(action) if not free(e) & sizes]
        bound: tuple[str, ...] = ()
        plan = [PlannedChoice((), lambda state: [()], self._ready(waiting, bound))]
        if action.by is not None:
            bound = (action.by,)
            seats = range(self.machine.instance.players)
            plan.append(
                PlannedChoice(bound, lambda state, *_: [(p,) for p in seats], self._ready(waiting, bound))
            )
        for param in own_params(action) if only_listed else action.params:
            names = param.parts or (param.name,)
            values = (self._values if only_listed else self.values)(action, param, names, bound)
            if values is None:
                if only_listed:
                    continue
                return None
            bound = bound + names
            plan.append(PlannedChoice(names, values, self._ready(waiting, bound)))
        return plan

    def _ready(self, waiting: list[ir.Expr], bound: tuple[str, ...]) -> tuple[Test, ...]:
        """Return the conditions that can be checked now, and remove them from the waiting ones."""
        ready: list[ir.Expr] = []
        later: list[ir.Expr] = []
        for expr in waiting:  # one that takes for granted what one before it asks does not come before that
            can_be_asked = free(expr) <= set(bound)
            guarded = any(asks_for_none(e, bound) for e in later) and self._guards.take_for_granted(
                expr, bound
            )
            if can_be_asked and not guarded:
                ready.append(expr)
            else:
                later.append(expr)
        waiting[:] = later
        return tuple(self.machine.limited(e, bound, False) for e in ready)

    def _provided(self, given: tuple[ir.Expr, ...], bound: tuple[str, ...], values: Values) -> Values:
        """Return values that exist only if a condition holds; none if it does not."""
        if not given:
            return values
        tests = [self.machine.limited(e, bound, False) for e in given]
        return lambda state, *args: values(state, *args) if all(t(state, *args) for t in tests) else ()

    # ------------------------------------------------------------------ what conditions suggest

    def _source(self, action: Action, names: tuple[str, ...], bound: set[str]) -> _Source | None:
        """Return the source of a parameter's values, if a condition names one; a single value rather than a bag."""
        best: _Source | None = None
        for given, fact in self._guards.facts_of(action, bound):
            source = _suggested(fact, names, bound)
            if source is None:
                continue
            if not isinstance(source, _Listing):
                return _Source(source, given)
            best = best or _Source(source, given)
        return best or self._if_given(action, names, bound)

    def _if_given(self, action: Action, names: tuple[str, ...], bound: set[str]) -> _Source | None:
        """Return what `k is none or ...` says about the values of a parameter `k` that are not none."""
        for given, fact in self._guards.facts_of(action, bound):
            if not isinstance(fact, facts.Other) or not isinstance(fact.expr, ir.Op) or fact.expr.op != "or":
                continue
            first, rest = fact.expr.args
            if isinstance(first, ir.Op) and first.op == "is_none" and _is_name(first.args[0], names[0]):
                source = _suggested(facts.fact_of(rest), names, bound)
                if source is not None:
                    return _Source(source, given, may_be_none=True)
        return None

    def _selection(self, action: Action, name: str, bound: set[str]) -> _Selection | None:
        """Return the bag that a parameter's tiles are part of and the number of tiles, if conditions name both."""
        bag: ir.Expr | None = None
        size: ir.Expr | None = None
        before: tuple[ir.Expr, ...] = ()
        for given, fact in self._guards.facts_of(action, bound):
            if isinstance(fact, facts.Within):
                if _is_name(fact.part, name) and free(fact.whole) <= bound:
                    bag, before = bag or fact.whole, (*before, *given)
            elif isinstance(fact, facts.Equal):
                if _is_size_of(fact.left, name) and free(fact.right) <= bound:
                    size, before = size or fact.right, (*before, *given)
        return None if bag is None or size is None else _Selection(bag, size, before)

    # ------------------------------------------------------------------ values

    def _selected(self, selection: _Selection, bound: tuple[str, ...]) -> Values:
        """Return every choice of a number of tiles of a bag, each once."""
        bag, size_of = (
            self.machine.limited(e, bound, instead)
            for e, instead in ((selection.bag, ()), (selection.size, -1))
        )
        return lambda state, *args: [
            (list(chosen),)
            for chosen in dict.fromkeys(
                combinations(sorted(bag(state, *args)), max(0, size_of(state, *args)))
            )
        ]

    def _from_source(
        self, action: Action, source: ir.Expr | _Listing, param: ParamDecl, bound: tuple[str, ...]
    ) -> Values:
        if not isinstance(source, _Listing):
            return self._only(source, param, bound)
        if isinstance(source.of, facts.LaidOut):
            return self._layouts(source.of.expr, bound)
        if isinstance(source.of, facts.AtEnd):
            return self._at_end(source.of.expr, bound)
        members = self.machine.limited(source.of, bound, ())
        if param.parts:
            return lambda state, *args: _lists_of(sorted(set(members(state, *args))), action, param)
        return lambda state, *args: [(v,) for v in dict.fromkeys(members(state, *args))]

    def _only(self, value_of: ir.Expr, param: ParamDecl, bound: tuple[str, ...]) -> Values:
        """Return the one value that a condition names, if there is one."""
        function = self.machine.limited(value_of, bound, None)
        may_be_none = isinstance(param.type, Opt)

        def only(state: State, *args: Any) -> list[tuple[Any, ...]]:
            value = function(state, *args)
            return [] if value is None and not may_be_none else [(value,)]

        return only

    def _layouts(self, expr: ir.LayOut, bound: tuple[str, ...]) -> Values:
        """Return every way to arrange tiles, as a list of groups."""
        tiles = self.machine.limited(expr.tiles, bound, ())
        shapes, name = self.machine.shapes, expr.arrangement

        def layouts(state: State, *args: Any) -> Iterator[tuple[Any, ...]]:
            seen = set()
            for way in shapes.ways(tiles(state, *args), name):
                groups = sorted(g for part in way for g in part)
                if tuple(groups) not in seen:
                    seen.add(tuple(groups))
                    yield ([list(g) for g in groups],)

        return layouts

    def _at_end(self, expr: ir.Fits, bound: tuple[str, ...]) -> Values:
        """Return the tile at an end of a row, or every tile of the row if nobody can know it."""
        kind = expr.tile.type
        end = self.machine.function(ir.ZoneEnd(expr.name, expr.seat, expr.end, Opt(kind)), bound)
        whole = self.machine.function(ir.ZoneRead(expr.name, expr.seat, ir_types.Bag(kind)), bound)

        def at_end(state: State, *args: Any) -> list[tuple[Any, ...]]:
            tile = end(state, *args)
            return [(t,) for t in (sorted(set(whole(state, *args))) if tile is None else [tile])]

        return at_end

    def _values_of(self, kind: Type) -> list[Any] | None:
        """Return all values of a type, or None if there are too many to list."""
        match kind:
            case Tile():
                return list(range(len(self.machine.instance.kinds)))
            case Seat():
                return list(range(self.machine.instance.players))
            case Bool():
                return [False, True]
            case Choice(words):
                return list(words)
            case Opt(item):
                inner = self._values_of(item)
                return None if inner is None else [None, *inner]
            case (
                ir_types.Int()
                | ir_types.Meld()
                | ir_types.Bag()
                | ir_types.Each()
                | ir_types.NoneType()
                | ir_types.Points()
                | ir_types.Patterns()
            ):
                return None
            case _:
                assert_never(kind)


def _or_none(values: Values) -> Values:
    """Return none, and the other values that are tried."""
    return lambda state, *args: chain([(None,)], (v for v in values(state, *args) if v != (None,)))


def _holds_several(kind: Type) -> bool:
    bare = kind.item if isinstance(kind, Opt) else kind
    return isinstance(bare, ir_types.Each | ir_types.Bag)


def asks_order(action: Action, name: str) -> bool:
    """Return whether an action asks for the order of a list: lists of the same tiles are different events then."""
    effects = effects_of(action.effects)
    if any(isinstance(e, ir.Arrange) and _is_name(e.tiles, name) for e in flat(effects)):
        return True
    exprs = (*(c.expr for c in action.conditions), *exprs_in(effects))
    return any(isinstance(n, ir.FitsOrder) and _is_name(n.tiles, name) for e in exprs for n in nodes(e))


def _lists_of(kinds: Iterable[int], action: Action, param: ParamDecl) -> Iterator[tuple[int, ...]]:
    """Give every choice of tiles of sorted kinds for a list, the sorted order first.

    The other orders follow if a condition of the action tells the names of the list apart.
    """
    ordered = are_told_apart(param, action.conditions)
    for chosen in combinations_with_replacement(kinds, len(param.parts)):
        yield from distinct_orders(chosen) if ordered else (chosen,)


def _suggested(fact: facts.Fact, names: tuple[str, ...], bound: set[str]) -> ir.Expr | _Listing | None:
    """Return the one value that a fact leaves for these names, or what lists those worth trying."""
    name = names[0] if len(names) == 1 else None
    match fact:
        case facts.Equal():
            return next((v for n, v in fact.sides() if _is_name(n, name) and free(v) <= bound), None)
        case facts.EachSeat(seat=seat, players=players, fact=facts.Equal(left=own, right=value)):
            if isinstance(own, ir.OwnValue) and _is_name(own.values, name) and _is_name(own.seat, seat):
                if free(value) <= bound | {seat}:
                    return ir.Fold("each", (seat,), players, value, None, ir_types.Bag(value.type))
            return None
        case facts.Member(item=item, bag=bag):
            return _Listing(bag) if _is_name(item, name) and free(bag) <= bound else None
        case facts.Within(part=part, whole=whole):
            if isinstance(part, ir.BagOf) and len(part.items) == len(names):
                if all(map(_is_name, part.items, names)) and free(whole) <= bound:
                    return _Listing(whole)
            return None
        case facts.LaidOut(groups=groups, tiles=tiles):
            return _Listing(fact) if _is_name(groups, name) and free(tiles) <= bound else None
        case facts.AtEnd(tile=tile, seat=of):
            fits = _is_name(tile, name) and (of is None or free(of) <= bound)
            return _Listing(fact) if fits else None
        case facts.InOrder() | facts.EachSeat() | facts.Other():
            return None
        case _:
            assert_never(fact)


def _is_name(expr: ir.Expr, name: str | None) -> bool:
    return isinstance(expr, ir.Local) and expr.name == name


def _is_size_of(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Op) and expr.op == "size" and _is_name(expr.args[0], name)


def _explicit(action: Action) -> list[ir.Expr]:
    """Return the conditions that the rule text states."""
    return [c.expr for c in action.conditions if not isinstance(c.expr, ir.Implicit)]
