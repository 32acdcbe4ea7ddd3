"""Evaluate an event of one rule set under the other one.

Input: an event of one transition system as symbolic values, and an action of the other with the same name.
Output: the event's names in the words of the other action, and the truth of its conditions.
Guarantee: the state is only read.

    A: action put(tiles: {a, b})     B: action put(tiles: {x, y})     {a: 1-1, b: 2-2}  ->  {x: 1-1, y: 2-2}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from golpae.ir.ruleset import Action, Condition
from golpae.ir.traverse import names_in
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat, transfers
from golpae.prove.encoding.step import MOVES, WHENS
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import OPAQUE
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, Value, any_of, negate, same


def renamed(
    names: Mapping[str, Value], system: TransitionSystem, action: Action, other: Action
) -> dict[str, Value]:
    """Return the names of an event of `action`, under `rules`, as `other` calls them."""
    settled = dict(names)
    system.settle([*settled], settled)
    out = {p.name: settled[p.name] for p in other.params if p.name in settled}
    if action.by is not None and other.by is not None:
        out[other.by] = settled[action.by]
    params = {p.name: p for p in action.params}
    for param in other.params:
        for theirs, ours in zip(param.parts, params[param.name].parts, strict=True):
            out[theirs] = settled[ours]
    return out


def holds(
    system: TransitionSystem,
    action: Action,
    condition: Condition,
    state: SymbolicState,
    names: Mapping[str, Value],
) -> Truth:
    """Return the truth of a condition of `action`. Raises `Unsupported` if it reads a value that has no encoding."""
    if any(names.get(name) is OPAQUE for name in names_in(condition.expr)):
        raise Unsupported(f"condition `{action.name}.{condition.name}` for an event of the other rules")
    if condition.of_game == "winner":
        return same(names["winner"], state.winner)
    return system.condition(action, condition, state, dict(names))


def tiles_missing(
    system: TransitionSystem, action: Action, state: SymbolicState, names: Mapping[str, Value]
) -> Iterator[list[Truth]]:
    """Yield, for each path through the effects, what holds if a tile does not lie where the path takes it from.

    Raises `Unsupported` for a deal whose effects take tiles.
    """
    if action.kind == "deal":
        statements = [*flat(statements_of(system.rules, action))]
        arranges = any(isinstance(statement, st.Arrange) for statement in statements)
        if arranges or next(transfers(statements), None) is not None:
            raise Unsupported("a deal with further moves")
        return
    for step in system.paths(action, names, state, stuck=True):
        moves = [truth for name, truth in step.guards if name == MOVES]
        whens = [truth for name, truth in step.guards if name == WHENS]
        yield [*step.facts, *step.definitions, *whens, any_of(map(negate, moves))]
