"""Properties, over all games of a small table (section 9).

Input: a table; how many hands the games have. Output: a `Graph` of all positions and events; whether a property holds.
Guarantee: the graph has every position that games of so many hands reach, as far as the scope of the events goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import PropertyDecl, VarDecl
from golpae.ir.traverse import nodes
from golpae.ir.types import Opt
from tests.judge.evaluate import Scene, evaluate
from tests.judge.faults import Unclear
from tests.judge.legal_events import Scope, legal_events
from tests.judge.match import start
from tests.judge.state import State
from tests.judge.table import Table
from tests.judge.values import Bag, bag, members, truth

MOST_STATES = 20_000


@dataclass(frozen=True)
class Step:
    """An event of an action, between two positions; `scene` is that of the second one and knows the first."""

    action: str
    before: State
    scene: Scene


@dataclass(frozen=True)
class Graph:
    """Every position, and every event between them. `open_ends` are positions at which no more is dealt."""

    table: Table
    states: tuple[State, ...]
    steps: tuple[Step, ...]
    open_ends: frozenset[State]


def graph(instance: Instance, hands: int = 1, scope: Scope | None = None, stake: int = 1) -> Graph:
    """Return everything that games of so many hands reach. Raises `Unclear` beyond `MOST_STATES`."""
    table, first = start(instance, stake)
    found = {first: None}
    waiting = [first]
    steps: list[Step] = []
    open_ends: set[State] = set()
    while waiting:
        state = waiting.pop()
        if state.hands_played >= hands:
            open_ends.add(state)
        for event, verdict in legal_events(table, state, within(scope, hands - state.hands_played)):
            scene = Scene(table, verdict.state, verdict.scene.names, verdict.scene.lists, before=state)
            steps.append(Step(str(event["do"]), state, scene))
            if verdict.state not in found:
                found[verdict.state] = None
                waiting.append(verdict.state)
        if len(found) > MOST_STATES:
            raise Unclear("too many positions")
    return Graph(table, tuple(found), tuple(steps), frozenset(open_ends))


def within(scope: Scope | None, hands: int) -> Scope:
    """Return the scope of events where so many more hands may be dealt."""
    known = scope or Scope()
    return known if hands > 0 else replace(known, hands=0)


def holds(prop: PropertyDecl, games: Graph) -> bool:
    """Return whether a property holds of all games in the graph."""
    if prop.kind == "ends":
        return _is_bounded(prop, games)
    if prop.kind == "theorem" or (prop.kind == "claim" and not _reads_a_game(prop.expr, games.table)):
        return truth(evaluate(prop.expr, Scene(games.table, games.states[0])))
    passes = [truth(evaluate(prop.expr, scene)) for scene in _asked(prop, games)]
    match prop.kind:
        case "always" | "claim":
            return all(passes)
        case "never":
            return not any(passes)
        case "reachable":
            return any(passes)


def _asked(prop: PropertyDecl, games: Graph) -> Iterator[Scene]:
    """Return where a property is asked (9.2, 9.3)."""
    passes_over = _reads_without_first_value(prop.expr, games.table)
    earlier = (node.expr for node in nodes(prop.expr) if isinstance(node, ir.Earlier))
    passes_over_first_deal = any(_reads_without_first_value(expr, games.table) for expr in earlier)
    if prop.after is not None:
        scenes: Iterator[Scene] = (
            step.scene
            for step in games.steps
            if step.action == prop.after and not (passes_over_first_deal and step.before.stage == "before")
        )
    else:
        scenes = (Scene(games.table, state) for state in games.states)
    for scene in scenes:
        if not (passes_over and scene.state.stage == "before"):
            yield scene


def _nodes(expr: ir.Expr, table: Table) -> Iterator[ir.Expr]:
    return iter(nodes_through(expr, {d.name: d for d in table.rules.definitions}))


def _reads_without_first_value(expr: ir.Expr, table: Table) -> bool:
    return any(
        isinstance(node, ir.StateRead) and _lacks_first_value(table.var(node.name))
        for node in _nodes(expr, table)
    )


def _lacks_first_value(var: VarDecl) -> bool:
    return var.initial is None and not isinstance(var.type, Opt)


def _reads_a_game(expr: ir.Expr, table: Table) -> bool:
    return any(
        isinstance(node, ir.DuringGame) or (isinstance(node, ir.Builtin) and ir.WORDS[node.name].changes)
        for node in _nodes(expr, table)
    )


def _is_bounded(prop: PropertyDecl, games: Graph) -> bool:
    """Return whether no event that counts leads back to where it came from (9.4)."""
    played = {action.name for action in games.table.rules.actions if action.kind == "play"}
    following: dict[State, list[State]] = {}
    for step in games.steps:
        if step.action in played:
            following.setdefault(step.before, []).append(step.scene.state)
    for step in games.steps:
        if step.action in ({prop.after} if prop.after is not None else played):
            reached = {step.scene.state}
            waiting = [step.scene.state]
            while waiting:
                for state in following.get(waiting.pop(), ()):
                    if state not in reached:
                        reached.add(state)
                        waiting.append(state)
            if step.before in reached:
                return False
    return True


# ---------------------------------------------------------------- properties of every game (9.7)


def tiles_are_kept(games: Graph) -> bool:
    """Return whether the zones together hold the set at every position."""
    return all(_all_tiles(state) == games.table.whole for state in games.states)


def _all_tiles(state: State) -> Bag:
    return bag(
        tile
        for slot, _ in state.zones.items
        for thing in state.lying_in(slot)
        for tile in ([thing] if isinstance(thing, int) else members(thing))
    )


def some_event_is_legal(games: Graph) -> bool:
    """Return whether some event is legal at every position between a deal and its end (9.7)."""
    going_on = {step.before for step in games.steps}
    return all(
        state in going_on
        for state in games.states
        if state.stage in ("playing", "over") and state not in games.open_ends
    )
