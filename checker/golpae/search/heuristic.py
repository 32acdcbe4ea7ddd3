"""How far a state is from one in which something holds.

In: a machine and an expression of type yes-or-no. Out: a number for each state, 0 just where the expression
holds, smaller where more of it does. It only guides a search, so it may be wrong about what is near, never
about what holds.

    size of p's catch = 3 and p's hand is empty    ->    |size of catch - 3| + size of hand
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice, permutations
from math import log2
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import BOOL, INT, Bool, Int
from golpae.replay.codegen.expressions import Emitter
from golpae.replay.machine import Machine, State

Names = tuple[str, ...]
Measure = Callable[[State, tuple[Any, ...]], float]

NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
NEXT, FAR = 1, 2  # how far ahead to look
BAGS = {"bag_eq", "within"}
WIDEST = 64  # choices of values that one action is tried with
LARGEST = 4  # tiles of a group that are looked for one by one
MANY = 200  # groups that others are compared with
KEPT = 6  # partial arrangements kept on the way
REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class _Setter:
    """An action that can set a state or end the hand, with what its effect waits for."""

    action: Action
    guards: tuple[ir.Expr, ...]
    value: ir.Expr | None


class Heuristic:
    """Measures states of one machine against one expression without open names."""

    def __init__(self, machine: Machine, target: ir.Expr) -> None:
        self.machine = machine
        self._emitter = Emitter(machine.table)
        self._definitions = {d.name: d for d in machine.rules.definitions}
        self._setters = _setters(machine)
        self._approaches: dict[tuple[str, tuple[ir.Expr, ...], int], Measure] = {}
        self._gaps: dict[tuple[str, tuple[int, ...]], float] = {}
        self._listed: dict[str, list[tuple[tuple[int, int], ...]]] = {}
        self._near: dict[object, float] = {}  # approaches in the state that is being measured
        self._measure = self._of(target, True, (), FAR)

    def __call__(self, state: State) -> float:
        """The distance of a state, 0 or more."""
        self._near.clear()
        return self._measure(state, ())

    def to_action(self, name: str) -> Measure:
        """How far an action is from being legal, from 0 up to 1."""
        approach = self._approach(_Setter(self.machine.actions[name], (), None), NEXT)

        def measure(state: State, env: tuple[Any, ...]) -> float:
            self._near.clear()
            return approach(state, env)

        return measure

    # ------------------------------------------------------------------ expressions

    def _of(self, expr: ir.Expr, yes: bool, names: Names, deep: int) -> Measure:
        """The distance from where `expr` is yes, or no. A state that is not set looks at who could set it
        where `deep` is FAR, an empty zone at who could fill it where it is NEXT or FAR.
        """
        match expr:
            case ir.Op(op="not", args=(inner,)):
                return self._of(inner, not yes, names, deep)
            case ir.Op(op="and" | "or" | "implies" as op, args=args):
                signs = [yes] * len(args)
                if op == "implies":
                    signs[0] = not yes
                parts = [self._of(a, s, names, deep) for a, s in zip(args, signs, strict=True)]
                return _sum(parts) if (op == "and") == yes else _least(parts)
            case ir.If(test=test, yes=one, no=other):
                asked = self._truth(test, names)
                then, instead = self._of(one, yes, names, deep), self._of(other, yes, names, deep)
                return lambda state, env: then(state, env) if asked(state, env) else instead(state, env)
            case ir.CallDef(name=name, args=args, type=Bool()) if not self._emitter.fixed(expr):
                return self._call(name, args, yes, names, deep)
            case ir.Quant(size=None):
                return self._quantified(expr, yes, names, deep)
            case ir.Op(op=op, args=(left, right)) if op in NEGATED and isinstance(left.type, Int):
                return self._compared(op if yes else NEGATED[op], left, right, names)
            case ir.Op(op=op, args=(left, right)) if yes and op in BAGS:
                return self._bags(op, left, right, names)
            case ir.IsShape(arg=arg, shape=shape) if yes:
                return self._shaped(expr, arg, shape, names)
            case _:
                return self._atom(expr, yes, names, deep)

    def _truth(self, expr: ir.Expr, names: Names) -> Callable[[State, tuple[Any, ...]], bool]:
        value = self._value(expr, names)
        return lambda state, env: bool(value(state, env))

    def _value(self, expr: ir.Expr, names: Names) -> Callable[[State, tuple[Any, ...]], Any]:
        """An expression's value; None where it has none."""
        function = self.machine.function(expr, names)

        def value(state: State, env: tuple[Any, ...]) -> Any:
            try:
                return function(state, *env)
            except (TypeError, IndexError):
                return None

        return value

    def _atom(self, expr: ir.Expr, yes: bool, names: Names, deep: int) -> Measure:
        value = self._value(expr, names)
        ways = [self._approach(s, NEXT) for s in self._that_set(expr, yes)] if deep == FAR else []

        def measure(state: State, env: tuple[Any, ...]) -> float:
            found = value(state, env)
            if found is not None and bool(found) == yes:
                return 0.0
            return 1.0 + min((way(state, ()) for way in ways), default=0.0)

        return measure

    def _call(self, name: str, args: tuple[ir.Expr, ...], yes: bool, names: Names, deep: int) -> Measure:
        definition = self._definitions[name]
        inner = tuple(p.name for p in definition.params)
        cases = [self._of(c.expr, yes, inner, deep) for c in definition.cases]
        body = _least(cases) if yes else _sum(cases)
        values = [self._value(a, names) for a in args]
        return lambda state, env: body(state, tuple(v(state, env) for v in values))

    def _quantified(self, expr: ir.Quant, yes: bool, names: Names, deep: int) -> Measure:
        kind, own, domain = expr.kind, expr.names, expr.domain
        sign = kind != "no" if yes else kind == "no"
        every = (kind != "some") == yes
        if self._emitter.fixed(expr.body) or len(own) > 1:
            # nothing is nearer than anything else: count the choices that fail
            body = expr.body if sign else ir.Op("not", (expr.body,), BOOL)
            if every:
                wrong = ir.Op("not", (body,), BOOL)
                count = self._value(ir.Fold("count", own, domain, None, wrong, INT), names)
                return lambda state, env: float(1 if (n := count(state, env)) is None else n)
            return self._atom(ir.Quant("some", own, domain, body, BOOL), True, names, 0)
        members = self._value(domain, names)
        part = self._of(expr.body, sign, names + own, deep)

        feeders: list[_Setter] = []
        if deep and not every and isinstance(domain, ir.ZoneRead):
            feeders = self._setters.get(("zone", domain.name), [])
        ways = [self._approach(f, deep - 1) for f in feeders]

        def measure(state: State, env: tuple[Any, ...]) -> float:
            found = members(state, env)
            if found is None:
                return 1.0
            if not found and ways:
                return 2.0 + min(way(state, ()) for way in ways)
            distances = (part(state, env + chosen) for chosen in permutations(found, len(own)))
            if every:
                return sum(distances)
            least = 2.0
            for at, distance in enumerate(distances):
                if distance == 0:
                    return 0.0
                least = distance if at == 0 else min(least, distance)
            return least

        return measure

    def _compared(self, op: str, left: ir.Expr, right: ir.Expr, names: Names) -> Measure:
        one, other = self._value(left, names), self._value(right, names)

        def measure(state: State, env: tuple[Any, ...]) -> float:
            a, b = one(state, env), other(state, env)
            if not isinstance(a, int) or not isinstance(b, int):
                return 0.0 if op == "ne" and a is not b else (0.0 if op == "eq" and a is b else 1.0)
            by = a - b
            match op:
                case "eq":
                    off = abs(by)
                case "ne":
                    off = 0 if by else 1
                case "lt":
                    off = by + 1
                case "le":
                    off = by
                case "gt":
                    off = 1 - by
                case _:
                    off = -by
            return log2(1 + off) if off > 0 else 0.0

        return measure

    def _bags(self, op: str, left: ir.Expr, right: ir.Expr, names: Names) -> Measure:
        one, other = self._value(left, names), self._value(right, names)

        def measure(state: State, env: tuple[Any, ...]) -> float:
            a, b = one(state, env), other(state, env)
            if a is None or b is None:
                return 1.0
            have, want = Counter(map(_plain, a)), Counter(map(_plain, b))
            lacking = (have - want).total()
            return float(lacking + (want - have).total() if op == "bag_eq" else lacking)

        return measure

    # ------------------------------------------------------------------ who could change it

    def _that_set(self, expr: ir.Expr, yes: bool) -> Iterator[_Setter]:
        """The effects that could make a plain question about a state come true."""
        if isinstance(expr, ir.Builtin) and expr.name == "over":
            yield from self._setters.get(("over", ""), ())
            return
        if not isinstance(expr, ir.Op):
            return
        wanted: ir.Const | None = None
        avoided: ir.Const | None = None
        for arg in expr.args:
            if isinstance(arg, ir.Const) and expr.op in ("eq", "ne"):
                if (expr.op == "eq") == yes:
                    wanted = arg
                else:
                    avoided = arg
        for arg in expr.args:
            key = ("state", arg.name) if isinstance(arg, ir.StateRead) else ("over", "")
            if isinstance(arg, ir.StateRead) or (isinstance(arg, ir.Builtin) and arg.name == "winner"):
                for setter in self._setters.get(key, ()):
                    value = setter.value
                    nothing = value is None or (isinstance(value, ir.Const) and value.value is None)
                    if expr.op == "is_none" and (not yes if nothing else yes and isinstance(value, ir.Const)):
                        continue
                    if isinstance(value, ir.Const):
                        if wanted is not None and value.value != wanted.value:
                            continue
                        if avoided is not None and value.value == avoided.value:
                            continue
                    yield setter

    def _approach(self, setter: _Setter, deep: int) -> Measure:
        """How far an action is from being legal: from 0 up to 1, for the best choice of its values."""
        action = setter.action
        key = (action.name, setter.guards, deep)
        if key in self._approaches:
            return self._approaches[key]
        wanted = [c.expr for c in action.conditions if not isinstance(c.expr, ir.Implicit)] + [*setter.guards]
        names: Names = ()
        sources: list[Callable[[State, tuple[Any, ...]], Iterable[Any]]] = []
        if action.by is not None:
            names = (action.by,)
            seats = range(self.machine.table.players)
            sources.append(lambda state, env: seats)
        for param in action.params:
            for name in param.parts or (param.name,):
                source = self._source(wanted, name, names)
                if source is None:
                    break
                names += (name,)
                sources.append(source)
        parts = [self._of(e, True, names, deep) for e in wanted if free(e) <= set(names)]

        def choices(state: State, env: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
            if len(env) == len(sources):
                yield env
                return
            for value in sources[len(env)](state, env):
                yield from choices(state, (*env, value))

        def measure(state: State, _: tuple[Any, ...]) -> float:
            if key in self._near:
                return self._near[key]
            least = float(len(parts)) + 1
            for env in islice(choices(state, ()), WIDEST):
                far = 0.0
                for part in parts:
                    far += part(state, env)
                    if far >= least:
                        break
                least = min(least, far)
                if least == 0:
                    break
            near = self._near[key] = least / (10 + least)  # nearly even steps, up to 1
            return near

        self._approaches[key] = measure
        return measure

    def _source(
        self, wanted: Sequence[ir.Expr], name: str, names: Names
    ) -> Callable[[State, tuple[Any, ...]], Iterable[Any]] | None:
        """Values worth trying for a name, by the conditions that speak of it."""
        bag: ir.Expr | None = None
        for part in (p for e in wanted for p in conjuncts(e)):
            match part:
                case (
                    ir.Op(op="eq", args=(ir.Local(name=found), value))
                    | ir.Op(op="eq", args=(value, ir.Local(name=found)))
                ) if found == name and free(value) <= set(names):
                    one = self._value(value, names)
                    return lambda state, env: (one(state, env),)
                case ir.Op(op="member", args=(ir.Local(name=found), within)) if found == name:
                    bag = bag or (within if free(within) <= set(names) else None)
                case ir.Op(op="within", args=(ir.BagOf(items=items), within)):
                    if free(within) <= set(names) and any(
                        isinstance(i, ir.Local) and i.name == name for i in items
                    ):
                        bag = bag or within
                case _:
                    pass
        if bag is None:
            return None
        many = self._value(bag, names)
        return lambda state, env: sorted(set(many(state, env) or ()))

    # ------------------------------------------------------------------ shapes

    def _shaped(self, expr: ir.IsShape, arg: ir.Expr, shape: str, names: Names) -> Measure:
        tiles = self._value(arg, names)
        truth = self._value(expr, names)
        ways = list(self.machine.shapes.made_of(shape))
        listed = bool(ways) and all(self._small(s) for parts in ways for s, _ in parts)

        def measure(state: State, env: tuple[Any, ...]) -> float:
            if truth(state, env):
                return 0.0
            found = tiles(state, env)
            if not listed or found is None:
                return 1.0
            known = tuple(sorted(t for t in found if t is not None))
            return max(1.0, self._gap(shape, ways, known))

        return measure

    def _small(self, shape: str) -> bool:
        declared = self.machine.shapes.shapes[shape]
        if declared.test is None:
            return all(self._small(member) for member in declared.union)
        return bool(declared.names) and declared.size <= LARGEST

    def _size(self, shape: str) -> int:
        """How many tiles the largest group of a shape has."""
        declared = self.machine.shapes.shapes[shape]
        return declared.size if declared.test is not None else max(map(self._size, declared.union), default=1)

    def _gap(self, name: str, ways: list[list[tuple[str, int]]], tiles: tuple[int, ...]) -> float:
        """How many tiles have to change for these to be of a shape or an arrangement, at most."""
        key = (name, tiles)
        if key not in self._gaps:
            if len(self._gaps) > REMEMBERED:
                self._gaps.clear()
            self._gaps[key] = float(min(self._missing(parts, tiles) for parts in ways))
        return self._gaps[key]

    def _missing(self, parts: list[tuple[str, int]], tiles: tuple[int, ...]) -> int:
        slots = sorted(
            ((shape, self._size(shape)) for shape, n in parts for _ in range(n)), key=lambda s: -s[1]
        )
        counts = Counter(tiles)
        partial = [(0, tuple(counts[k] for k in range(len(self.machine.table.kinds))))]
        for shape, size in slots:
            grown: list[tuple[int, int, int]] = []
            for at, (missing, rest) in enumerate(partial):
                for number, group in enumerate(self._groups(shape)):
                    lacking = missing
                    for kind, count in group:
                        if rest[kind] < count:
                            lacking += count - rest[kind]
                    grown.append((lacking, at, number))
            following: dict[tuple[int, ...], int] = {}
            for lacking, at, number in nsmallest(2 * KEPT, grown):
                left = list(partial[at][1])
                for kind, count in self._groups(shape)[number]:
                    left[kind] = max(0, left[kind] - count)
                following.setdefault(tuple(left), lacking)
            partial = [(lacking, rest) for rest, lacking in list(following.items())[:KEPT]]
            if not partial:  # no tiles at all are of this shape
                partial = [
                    (len(tiles) + size, tuple(counts[k] for k in range(len(self.machine.table.kinds))))
                ]
        return partial[0][0]

    def _groups(self, shape: str) -> list[tuple[tuple[int, int], ...]]:
        """The groups of a shape that hold no other one, each as kinds and how often it has them."""
        if shape not in self._listed:
            found = [Counter(g) for g in sorted(self.machine.shapes.groups(shape), key=lambda g: (len(g), g))]
            least: list[Counter[int]] = []
            for group in found:
                if not any(other <= group for other in least[:MANY]):
                    least.append(group)
            self._listed[shape] = [tuple(sorted(g.items())) for g in least]
        return self._listed[shape]


def _sum(parts: list[Measure]) -> Measure:
    return lambda state, env: sum(part(state, env) for part in parts)


def _least(parts: list[Measure]) -> Measure:
    return lambda state, env: min((part(state, env) for part in parts), default=1.0)


def _plain(item: Any) -> Any:
    return tuple(item) if isinstance(item, list) else item


def _setters(machine: Machine) -> dict[tuple[str, str], list[_Setter]]:
    """Which actions set which states, which fill which zones, and which end the hand."""
    found: dict[tuple[str, str], list[_Setter]] = {}

    def look(action: Action, effects: Iterable[ir.Effect], guards: tuple[ir.Expr, ...]) -> None:
        for effect in effects:
            match effect:
                case ir.SetState(name=name, value=value):
                    found.setdefault(("state", name), []).append(_Setter(action, guards, value))
                case ir.Win(seat=seat):
                    found.setdefault(("over", ""), []).append(_Setter(action, guards, seat))
                case ir.Move(target=ir.Place(zone=zone)):
                    found.setdefault(("zone", zone), []).append(_Setter(action, guards, None))
                case ir.When(test=test, effects=inner):
                    look(action, inner, (*guards, test))
                case ir.ForEach(effects=inner):
                    look(action, inner, guards)
                case _:
                    pass

    for action in machine.rules.actions:
        if action.kind == "play":
            for clause in action.effects:
                look(action, clause.effects, ())
    return found
