"""The condition of `deal` that no first deal of a match meets.

Input: an `Instance`.
Output: the name of a condition.
Guarantee: no values of the keys meet all conditions up to this one in the situation before the first hand, so no game
can be played. What depends on the stake, on the dealt tiles or on a key that has too many values is not known, and not
noted. Nor is a condition about the table alone, such as `size of players = 3`: it says at which tables the game is
played. It takes a bounded number of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.instance import Instance
from golpae.elaborate.lifecycle import own_params
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.traverse import children, conjuncts
from golpae.ir.types import Int, Opt, Type
from golpae.lower.event_plan import EventPlans, all_values, explicit
from golpae.replay.machine import Machine

MOST_KEYS = 2_000  # values of all keys together
MOST_STEPS = 200_000  # of all conditions
FIRST = "first"
_Value = int | str | None


def refused_deal(instance: Instance) -> str | None:
    """Return the condition that no first deal meets; None if there is none, or none is known."""
    if any(action.kind == "before" for action in instance.rule_set.actions):
        return None  # something can happen before the deal
    try:
        return _refused(instance) if explicit(_deal(instance)) else None
    except TooManySteps:
        return None


def _refused(instance: Instance) -> str | None:
    action = _deal(instance)
    dependencies = Dependencies(instance.rule_set)
    owners = {id(part): c.name for c in action.conditions for part in conjuncts(c.expr)}
    waiting = [
        part
        for expr in explicit(action)
        if not _names_tables(expr, dependencies)
        for part in conjuncts(expr)
        if not any(isinstance(n, ir.Builtin) and n.name == "stake" for n in dependencies.nodes([part]))
    ]
    plans = EventPlans(instance.rule_set, lambda param, source: False)
    machine = Machine(instance, counting=True)
    machine.limit_steps(MOST_STEPS)
    state = machine.new_state(1)
    chosen: list[tuple[_Value, ...]] = [()]
    bound: tuple[str, ...] = ()
    for names, values in ((FIRST,), [(seat,) for seat in range(instance.players)]), *_keys(instance, action):
        if len(chosen) * len(values) > MOST_KEYS:
            continue
        bound += names
        chosen = [(*before, *more) for before in chosen for more in values]
        for part in plans.ready(waiting, bound):
            holds = machine.function(part, bound)
            chosen = [keys for keys in chosen if holds(state, *keys)]
            if not chosen:
                return owners[id(part)]
    return None


def _names_tables(part: ir.Expr, dependencies: Dependencies) -> bool:
    """Return whether a condition asks about the players and the options, and about nothing else."""
    leaves = [n for n in dependencies.nodes([part]) if not any(children(n))]
    of_table = [n for n in leaves if isinstance(n, ir.OptionRead) or _is_players(n)]
    return bool(of_table) and all(n in of_table or isinstance(n, ir.Const) for n in leaves)


def _is_players(node: ir.Expr) -> bool:
    return isinstance(node, ir.Builtin) and node.name == "players"


def _deal(instance: Instance) -> Action:
    return next(a for a in instance.rule_set.actions if a.kind == "deal")


def _keys(
    instance: Instance, action: Action
) -> Iterator[tuple[tuple[str, ...], Sequence[tuple[_Value, ...]]]]:
    """Yield the names of each key of the text that has few values, with its values."""
    for param in own_params(action):
        if param.parts:
            kinds = range(len(instance.kinds))
            if len(kinds) ** len(param.parts) <= MOST_KEYS:
                yield param.parts, [*product(kinds, repeat=len(param.parts))]
        else:
            values = _values(instance, param, param.type)
            if values is not None:
                yield (param.name,), [(value,) for value in values]


def _values(instance: Instance, param: ParamDecl, kind: Type) -> list[_Value] | None:
    """Return all values of a key, or None if there are many or nothing fixes them."""
    match kind:
        case Opt(item=item):
            values = _values(instance, param, item)
            return None if values is None else [None, *values]
        case Int() if param.low is not None and param.high is not None:
            try:
                low, high = (constant_int(bound, instance.static) for bound in (param.low, param.high))
            except NotConstant:
                return None
            return [*range(low, high + 1)] if high - low < MOST_KEYS else None
        case _:
            return all_values(kind, len(instance.kinds), instance.players)
