"""Find the actions that can change what an expression reads, and how far they are from being legal.

Input: a machine, and functions that compile values and distances of expressions.
Output: distances of actions, from 0 up to 1.
Guarantee: an action that is legal with one of the first `MOST_CHOICES` choices of values has distance 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, assert_never

from golpae.ir import expr as ir
from golpae.ir.facts import AtEnd, EachSeat, Equal, InOrder, LaidOut, Member, Other, Within, facts
from golpae.ir.ruleset import Action
from golpae.ir.traverse import free
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import filled_by, guarded
from golpae.replay.machine import Machine, State

MOST_CHOICES = 64  # choices of values that one action is tried with

Names = tuple[str, ...]
Env = tuple[Any, ...]  # the values of the names
Measure = Callable[[State, Env], float]
Source = Callable[[State, Env], Iterable[Any]]


class Compiler(Protocol):
    """Compiles expressions with some open names."""

    def value(self, expr: ir.Expr, names: Names) -> Callable[[State, Env], Any]:
        """Return a function to the expression's value, or to None if it has none."""
        ...

    def distance(self, expr: ir.Expr, yes: bool, names: Names, depth: int) -> Measure:
        """Return a function to the distance from a state in which the expression is yes, or no."""
        ...


@dataclass(frozen=True, slots=True)
class Setter:
    """An action with an effect that sets a state, fills a zone or ends the hand; `guards` are the effect's tests."""

    action: Action
    guards: tuple[ir.Expr, ...]
    value: ir.Expr | None


class EnablingActions:
    """The actions of one machine as setters, with their distances."""

    def __init__(self, machine: Machine, compiler: Compiler) -> None:
        self._machine = machine
        self._compiler = compiler
        self._setters = _setters(machine)
        self._measures: dict[tuple[str, tuple[ir.Expr, ...], int], Measure] = {}
        self._near: dict[object, float] = {}  # distances in the current state

    def forget_state(self) -> None:
        """Drop the distances in the last state."""
        self._near.clear()

    def to_action(self, name: str, depth: int) -> Measure:
        """Return the distance of an action."""
        return self.to_setter(Setter(self._machine.actions[name], (), None), depth)

    def that_fill(self, zone: str) -> list[Setter]:
        """Return the effects that put tiles into a zone."""
        return self._setters.get(("zone", zone), [])

    def that_set(self, expr: ir.Expr, yes: bool) -> Iterator[Setter]:
        """Return the effects that can make a simple test of a state come true, or false."""
        if isinstance(expr, ir.Builtin) and expr.name == "over":
            yield from self._setters.get(("over", ""), ())
            return
        if not isinstance(expr, ir.Op):
            return
        required: ir.Const | None = None
        excluded: ir.Const | None = None
        for arg in expr.args:
            if isinstance(arg, ir.Const) and expr.op == "eq":
                if yes:
                    required = arg
                else:
                    excluded = arg
        for arg in expr.args:
            key = ("state", arg.name) if isinstance(arg, ir.StateRead) else ("over", "")
            if isinstance(arg, ir.StateRead) or (isinstance(arg, ir.Builtin) and arg.name == "winner"):
                for setter in self._setters.get(key, ()):
                    value = setter.value
                    nothing = value is None or (isinstance(value, ir.Const) and value.value is None)
                    if expr.op == "is_none" and (not yes if nothing else yes and isinstance(value, ir.Const)):
                        continue
                    if isinstance(value, ir.Const):
                        if required is not None and value.value != required.value:
                            continue
                        if excluded is not None and value.value == excluded.value:
                            continue
                    yield setter

    def to_setter(self, setter: Setter, depth: int) -> Measure:
        """Return the distance of a setter's action, for the best choice of its values."""
        action = setter.action
        key = (action.name, setter.guards, depth)
        if key in self._measures:
            return self._measures[key]
        conditions: list[ir.Expr] = [*(c.expr for c in action.of_text), *setter.guards]
        names: Names = ()
        sources: list[Source] = []
        if action.by is not None:
            names = (action.by,)
            seats = range(self._machine.instance.players)
            sources.append(lambda state, env: seats)
        for param in action.params:
            for name in param.parts or (param.name,):
                source = self._source(conditions, name, names)
                if source is None:
                    break
                names += (name,)
                sources.append(source)
        parts = [self._compiler.distance(e, True, names, depth) for e in conditions if free(e) <= set(names)]

        def choices(state: State, env: Env) -> Iterator[Env]:
            if len(env) == len(sources):
                yield env
                return
            for value in sources[len(env)](state, env):
                yield from choices(state, (*env, value))

        def measure(state: State, _: Env) -> float:
            if key in self._near:
                return self._near[key]
            least = float(len(parts)) + 1
            for env in islice(choices(state, ()), MOST_CHOICES):
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

        self._measures[key] = measure
        return measure

    def _source(self, conditions: Sequence[ir.Expr], name: str, names: Names) -> Source | None:
        """Return the values that the conditions suggest for a name, or None."""
        bag: ir.Expr | None = None
        for fact in (fact for condition in conditions for fact in facts(condition)):
            match fact:
                case Equal(left, right):
                    local, value = (left, right) if isinstance(left, ir.Local) else (right, left)
                    if _is_name(local, name) and free(value) <= set(names):
                        one = self._compiler.value(value, names)
                        return lambda state, env: (one(state, env),)
                case Member(item, within):
                    if _is_name(item, name) and free(within) <= set(names):
                        bag = bag or within
                case Within(part, within):
                    items = part.items if isinstance(part, ir.BagOf) else ()
                    if free(within) <= set(names) and any(_is_name(item, name) for item in items):
                        bag = bag or within
                case AtEnd() | InOrder() | LaidOut() | EachSeat() | Other():
                    pass
                case _:
                    assert_never(fact)
        if bag is None:
            return None
        many = self._compiler.value(bag, names)
        return lambda state, env: sorted(set(many(state, env) or ()))


def _is_name(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Local) and expr.name == name


def _setters(machine: Machine) -> dict[tuple[str, str], list[Setter]]:
    """Return which actions set which states, which fill which zones, and which end the hand."""
    setters: dict[tuple[str, str], list[Setter]] = {}

    def add(key: tuple[str, str], setter: Setter) -> None:
        setters.setdefault(key, []).append(setter)

    for action in machine.rules.actions:
        if action.kind != "play":
            continue
        for statement, guards in guarded(statements_of(machine.rules, action)):
            if isinstance(statement, st.Set):
                add(("state", statement.name), Setter(action, guards, statement.value))
            elif isinstance(statement, st.Over):
                add(("over", ""), Setter(action, guards, statement.winner))
            elif (zone := filled_by(statement)) is not None:
                add(("zone", zone), Setter(action, guards, None))
    return setters
