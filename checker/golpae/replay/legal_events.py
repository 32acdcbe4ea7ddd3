"""What can follow: every legal event in a state.

In: a machine and a state. Out: the events that could stand there, found by choosing values one parameter
at a time and asking each condition as soon as all it speaks of is chosen. Conditions such as `tile in p's
hand` or `count = ...` say which values are worth trying.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

from golpae.ir import expr as ir
from golpae.ir import types as ir_types
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import Bool, Choice, Opt, Seat, Tile, Type
from golpae.replay.machine import Machine, State


@dataclass(frozen=True, slots=True)
class Event:
    """An event that can follow: an action's name and its arguments, the acting seat first."""

    action: str
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """One choice: the names it binds, where its values come from, and the conditions to ask after it."""

    names: tuple[str, ...]
    values: Callable[..., Iterable[tuple[Any, ...]]]
    tests: tuple[Callable[..., Any], ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """An expression that gives the one value of a parameter, or the values worth trying; where `given` holds."""

    one: bool
    expr: ir.Expr
    given: tuple[ir.Expr, ...]


@dataclass(frozen=True, slots=True)
class _Some:
    """The bag that a parameter's tiles are part of, and how many they are; where `given` holds."""

    bag: ir.Expr
    size: ir.Expr
    given: tuple[ir.Expr, ...]


class Legal:
    """Finds the legal events of one machine's states."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._plans: dict[str, list[_Step] | None] = {}
        self._openings: dict[str, tuple[Callable[..., Any], ...]] = {}

    def events(self, state: State) -> Iterator[Event]:
        """Every legal event but deals, of which `deals` tells;

        actions of open-ended lists are in `unlisted`.
        """
        for action in self.machine.rules.actions:
            if action.kind in ("play", "before"):
                yield from self._of(action, state)
        yield from self.closings(state)

    def closings(self, state: State) -> Iterator[Event]:
        """Every legal end of the hand or the match."""
        yield from self._end(state)
        yield from self._finish(state)

    def can_deal(self, state: State) -> list[int]:
        """The seats that could be dealt the first player's hand now."""
        action = next(a for a in self.machine.rules.actions if a.kind == "deal")
        if self.machine.stage(state) not in ("before", "ended"):
            return []
        tests = [
            self.machine.function(c.expr, ("first",))
            for c in action.conditions
            if not isinstance(c.expr, ir.Implicit) and free(c.expr) <= {"first"}
        ]
        return [p for p in range(self.machine.table.players) if all(test(state, p) for test in tests)]

    def _end(self, state: State) -> Iterator[Event]:
        if self.machine.stage(state) in ("playing", "over"):
            yield from self._closing("end", state, (state.winner, self.machine.payout(state)))

    def _finish(self, state: State) -> Iterator[Event]:
        if self.machine.stage(state) == "ended":
            most = max(state.total)
            winners = [p for p, total in enumerate(state.total) if total == most]
            yield from self._closing("finish", state, (list(state.total), winners))

    def _closing(self, kind: str, state: State, known: tuple[Any, ...]) -> Iterator[Event]:
        """`end` or `finish`, whose own keys are known, with values for those that the game adds."""
        for action in self.machine.rules.actions:
            if action.kind == kind:
                for others in self._others(action, state, len(known)):
                    event = Event(action.name, (*known, *others))
                    if self.machine.check(action.name, state, event.args) < 0 and self.can_be(event, state):
                        yield event

    def _others(self, action: Action, state: State, known: int) -> Iterator[tuple[Any, ...]]:
        values: list[tuple[Any, ...]] = [()]
        for param in action.params[known:]:
            source = self._values(action, param, (param.name,), ())
            if source is None:
                return
            values = [(*before, *value) for before in values for value in source(state)]
        yield from values

    def _of(self, action: Action, state: State) -> Iterator[Event]:
        plan = self._plan(action)
        if plan is None or self.machine.stage(state) != ("playing" if action.kind == "play" else "before"):
            return
        for names in self._choices(plan, 0, state, ()):
            event = Event(action.name, self._args(action, names))
            if self.can_be(event, state):
                yield event

    def can_be(self, event: Event, state: State) -> bool:
        """Whether all that an event moves lies where it is taken from, where its conditions do not say so."""
        if event.action not in self.machine.unplaced:
            return True
        try:
            self.machine.apply(event.action, self.machine.copy(state), event.args)
        except ValueError:
            return False
        return True

    def _args(self, action: Action, values: tuple[Any, ...]) -> tuple[Any, ...]:
        rest = list(values)
        args: list[Any] = [rest.pop(0)] if action.by is not None else []
        for param in action.params:
            if param.parts:
                args.append([rest.pop(0) for _ in param.parts])
            else:
                args.append(rest.pop(0))
        return tuple(args)

    def _choices(
        self, plan: list[_Step], index: int, state: State, bound: tuple[Any, ...]
    ) -> Iterator[tuple[Any, ...]]:
        if index == len(plan):
            yield bound
            return
        step = plan[index]
        for values in step.values(state, *bound):
            chosen = bound + values
            if all(test(state, *chosen) for test in step.tests):
                yield from self._choices(plan, index + 1, state, chosen)

    # ------------------------------------------------------------------ plans

    def _plan(self, action: Action) -> list[_Step] | None:
        """How to find an action's events; None where a parameter's values cannot be listed."""
        if action.name not in self._plans:
            self._plans[action.name] = self._make_plan(action)
        return self._plans[action.name]

    def _make_plan(self, action: Action) -> list[_Step] | None:
        waiting: list[ir.Expr] = [
            c.expr
            for c in action.conditions
            if not isinstance(c.expr, ir.Implicit) and not self._is_size(c.expr, action)
        ]
        bound: tuple[str, ...] = ()
        plan = [_Step((), lambda state: [()], self._ready(waiting, bound))]
        if action.by is not None:
            bound = (action.by,)
            seats = range(self.machine.table.players)
            plan.append(_Step(bound, lambda state, *_: [(p,) for p in seats], self._ready(waiting, bound)))
        for param in action.params:
            names = param.parts or (param.name,)
            values = self._values(action, param, names, bound)
            if values is None:
                return None
            bound = bound + names
            plan.append(_Step(names, values, self._ready(waiting, bound)))
        return plan

    def _is_size(self, expr: ir.Expr, action: Action) -> bool:
        """Whether a condition only asks that a `{a, b}` parameter has its length."""
        names = {p.name for p in action.params if p.parts}
        return bool(free(expr) & names)

    def _ready(self, waiting: list[ir.Expr], bound: tuple[str, ...]) -> tuple[Callable[..., Any], ...]:
        """The conditions that can be asked now; they wait no longer."""
        ready = [e for e in waiting if free(e) <= set(bound)]
        waiting[:] = [e for e in waiting if e not in ready]
        return tuple(self.machine.function(e, bound) for e in ready)

    def _values(
        self, action: Action, param: ParamDecl, names: tuple[str, ...], bound: tuple[str, ...]
    ) -> Callable[..., Iterable[tuple[Any, ...]]] | None:
        source = self._source(action, names, set(bound))
        if source is not None:
            return self._where(source.given, bound, self._sourced(source, param, bound))
        some = self._some_of(action, param.name, set(bound))
        if some is not None:
            bag, size_of = (self.machine.function(e, bound) for e in (some.bag, some.size))
            return self._where(
                some.given,
                bound,
                lambda state, *args: [
                    (list(chosen),)
                    for chosen in dict.fromkeys(
                        combinations(sorted(bag(state, *args)), max(0, size_of(state, *args)))
                    )
                ],
            )
        if param.parts:
            kinds = range(len(self.machine.table.kinds))
            return lambda state, *args: combinations_with_replacement(kinds, len(param.parts))
        listed = self._all_of(param.type)
        if param.optional:
            return lambda state, *args: [(None,)]
        return None if listed is None else lambda state, *args: [(v,) for v in listed]

    def _where(
        self,
        given: tuple[ir.Expr, ...],
        bound: tuple[str, ...],
        values: Callable[..., Iterable[tuple[Any, ...]]],
    ) -> Callable[..., Iterable[tuple[Any, ...]]]:
        """Values that can only be asked for where something else holds; none where it does not."""
        if not given:
            return values
        tests = [self.machine.function(e, bound) for e in given]
        return lambda state, *args: values(state, *args) if all(t(state, *args) for t in tests) else ()

    def _sourced(
        self, source: _Source, param: ParamDecl, bound: tuple[str, ...]
    ) -> Callable[..., Iterable[tuple[Any, ...]]]:
        expr = source.expr
        if isinstance(expr, ir.LayOut):
            return self._ways(expr, bound)
        if isinstance(expr, ir.Fits):
            return self._fitting(expr, bound)
        function = self.machine.function(expr, bound)
        if source.one:
            may_be_none = isinstance(param.type, Opt)

            def the_one(state: State, *args: Any) -> list[tuple[Any, ...]]:
                value = function(state, *args)
                return [] if value is None and not may_be_none else [(value,)]

            return the_one
        if param.parts:
            size = len(param.parts)
            return lambda state, *args: combinations_with_replacement(
                sorted(set(function(state, *args))), size
            )
        return lambda state, *args: [(v,) for v in dict.fromkeys(function(state, *args))]

    def _source(self, action: Action, names: tuple[str, ...], bound: set[str]) -> _Source | None:
        """Where a parameter's values come from, if a condition says so."""
        best: _Source | None = None
        for condition in action.conditions:
            for given, part in _parts(condition.expr, bound):
                match part:
                    case ir.Op(op="eq", args=(ir.Local(name=name), value)) if (name,) == names and free(
                        value
                    ) <= bound:
                        return _Source(True, value, given)
                    case ir.Op(op="eq", args=(value, ir.Local(name=name))) if (name,) == names and free(
                        value
                    ) <= bound:
                        return _Source(True, value, given)
                    case ir.Quant(
                        kind="every",
                        names=(seat,),
                        domain=ir.Builtin(name="players") as players,
                        body=ir.Op(
                            op="eq",
                            args=(ir.OwnValue(values=ir.Local(name=name), seat=ir.Local(name=whose)), value),
                        ),
                        size=None,
                    ) if (name,) == names and whose == seat and free(value) <= bound | {seat}:
                        return _Source(
                            True,
                            ir.Fold("each", (seat,), players, value, None, ir_types.Bag(value.type)),
                            given,
                        )
                    case ir.Op(op="member", args=(ir.Local(name=name), bag)) if (name,) == names and free(
                        bag
                    ) <= bound:
                        best = best or _Source(False, bag, given)
                    case ir.LayOut(groups=ir.Local(name=name), tiles=tiles) if (name,) == names and free(
                        tiles
                    ) <= bound:
                        best = best or _Source(False, part, given)
                    case ir.Fits(tile=ir.Local(name=name), seat=seat) if (name,) == names and (
                        seat is None or free(seat) <= bound
                    ):
                        best = best or _Source(False, part, given)
                    case ir.Op(op="within", args=(ir.BagOf(items=items), bag)) if free(bag) <= bound:
                        if tuple(i.name for i in items if isinstance(i, ir.Local)) == names and len(
                            names
                        ) == len(items):
                            best = best or _Source(False, bag, given)
                    case _:
                        pass
        return best

    def _some_of(self, action: Action, name: str, bound: set[str]) -> _Some | None:
        """The bag that a parameter's tiles are part of and how many they are, if conditions say both."""
        bag: ir.Expr | None = None
        size: ir.Expr | None = None
        before: tuple[ir.Expr, ...] = ()
        for given, part in (p for c in action.conditions for p in _parts(c.expr, bound)):
            match part:
                case ir.Op(op="within", args=(ir.Local(name=found), whole)) if (
                    found == name and free(whole) <= bound
                ):
                    bag, before = bag or whole, (*before, *given)
                case ir.Op(op="eq", args=(ir.Op(op="size", args=(ir.Local(name=found),)), number)) if (
                    found == name and free(number) <= bound
                ):
                    size, before = size or number, (*before, *given)
                case _:
                    pass
        return None if bag is None or size is None else _Some(bag, size, before)

    def _ways(self, expr: ir.LayOut, bound: tuple[str, ...]) -> Callable[..., Iterable[tuple[Any, ...]]]:
        """Every way to arrange tiles, as a list of groups."""
        tiles = self.machine.function(expr.tiles, bound)
        shapes, name = self.machine.shapes, expr.arrangement

        def ways(state: State, *args: Any) -> Iterator[tuple[Any, ...]]:
            seen = set()
            for way in shapes.ways(tiles(state, *args), name):
                groups = sorted(g for part in way for g in part)
                if tuple(groups) not in seen:
                    seen.add(tuple(groups))
                    yield ([list(g) for g in groups],)

        return ways

    def _fitting(self, expr: ir.Fits, bound: tuple[str, ...]) -> Callable[..., Iterable[tuple[Any, ...]]]:
        """The tile at an end of a row; all of the row where nobody can know it."""
        kind = expr.tile.type
        end = self.machine.function(ir.ZoneEnd(expr.name, expr.seat, expr.end, Opt(kind)), bound)
        whole = self.machine.function(ir.ZoneRead(expr.name, expr.seat, ir_types.Bag(kind)), bound)

        def fitting(state: State, *args: Any) -> list[tuple[Any, ...]]:
            tile = end(state, *args)
            return [(t,) for t in (sorted(set(whole(state, *args))) if tile is None else [tile])]

        return fitting

    def _all_of(self, kind: Type) -> list[Any] | None:
        match kind:
            case Tile():
                return list(range(len(self.machine.table.kinds)))
            case Seat():
                return list(range(self.machine.table.players))
            case Bool():
                return [False, True]
            case Choice(words):
                return list(words)
            case Opt(item):
                inner = self._all_of(item)
                return None if inner is None else [None, *inner]
            case _:
                return None

    def unlisted(self, state: State) -> list[str]:
        """Actions that may be legal too, whose events are too many to list."""
        return [
            a.name
            for a in self.machine.rules.actions
            if a.kind in ("play", "before") and self._plan(a) is None and self._may_be_open(a, state)
        ]

    def _may_be_open(self, action: Action, state: State) -> bool:
        """Whether all conditions hold that speak of nothing but the state and who acts."""
        if self.machine.stage(state) != ("playing" if action.kind == "play" else "before"):
            return False
        names = () if action.by is None else (action.by,)
        if action.name not in self._openings:
            waiting: list[ir.Expr] = [
                c.expr for c in action.conditions if not isinstance(c.expr, ir.Implicit)
            ]
            self._openings[action.name] = self._ready(waiting, names)
        tests = self._openings[action.name]
        seats = [(p,) for p in range(self.machine.table.players)] if names else [()]
        return any(all(test(state, *seat) for test in tests) for seat in seats)


def _parts(condition: ir.Expr, bound: set[str]) -> Iterator[tuple[tuple[ir.Expr, ...], ir.Expr]]:
    """The parts that a condition joins with `and`, each with those before it that can be asked already.

    Where these do not hold, a part need not have a value: `who is not none and tile in who's hand`.
    """
    given: tuple[ir.Expr, ...] = ()
    for part in conjuncts(condition):
        yield given, part
        if free(part) <= bound:
            given = (*given, part)
