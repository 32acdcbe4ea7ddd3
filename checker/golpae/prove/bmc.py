"""Short games that come to where something holds, found by a solver.

In: the `Rules` of one table and what is looked for. Out: the events of a legal game that ends there, or how deep
the search went without. Which actions follow one another, by whom, is gone through in order of length; which tiles
are dealt, taken and put is left to the solver, all at once. A path that no tiles fit is not gone on with.

What a solver finds is still to be replayed: behind the ends of a row its order is not looked at. What an end pays is
not written down either, but left to replay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from golpae.ir.lifecycle import open_at
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Each, Int, Opt, Patterns, Tile, Type
from golpae.prove.encoding.evaluate import OPAQUE
from golpae.prove.encoding.instances import given_values
from golpae.prove.encoding.step import FREE, Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.solving.model import read
from golpae.prove.solving.solver import SAT, UNSAT, Session, Solver
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, Unsupported, Value, bag_of

Goal = Callable[[Step], Truth]


@dataclass(frozen=True, slots=True)
class Path:
    """Events so far, as steps whose tiles are still open, and where they lead."""

    steps: tuple[Step, ...]
    table: SymbolicState


@dataclass(frozen=True, slots=True)
class Searched:
    """A game that was found, or the length in events up to which there is none (`deep`)."""

    events: tuple[dict[str, Any], ...] | None
    deep: int
    paths: int


class Search:
    """Searches one table. `seconds` is the time a search takes at most."""

    def __init__(self, rules: TransitionSystem, solver: Solver, seconds: float) -> None:
        self.rules = rules
        self.solver = solver
        self.seconds = seconds
        self.complete = True  # whether no path was passed over

    def run(self, goal: Goal, after: str | None, within: int, accept: Callable[[Any], bool]) -> Searched:
        """The shortest game whose last event brings the goal, `after` an action where one is named.

        `accept` is asked of every game found; one that it refuses is passed over.
        """
        end = self.solver.clock + self.seconds
        first = self.rules.initial_state()
        begin = len(self.rules.symbols.facts)
        start = Path((), first)
        facts = tuple(self.rules.symbols.facts[begin:])
        waiting: deque[Path] = deque([start])
        deep, paths = 0, 0
        self.complete = True
        while waiting:
            path = waiting.popleft()
            if len(path.steps) >= within:
                return Searched(None, within if self.complete else 0, paths)
            deep = max(deep, len(path.steps))
            session = self.solver.session([*facts, *(t for s in path.steps for t in s.path_condition)])
            for step in self._following(path):
                if self.solver.clock > end:
                    return Searched(None, max(0, deep - 1) if self.complete else 0, paths)
                paths += 1
                if after in (None, step.action.name):
                    found = self._found(session, step, goal, path)
                    if found is not None and accept(found):
                        return Searched(found, len(path.steps), paths)
                    self.complete &= found is None  # another game of this path may be accepted
                reply = session.check("a path", step.path_condition, 2_000)
                if reply.status != UNSAT:
                    waiting.append(Path((*path.steps, step), step.after))
        return Searched(None, within if self.complete else 0, paths)

    def _found(
        self, session: Session, step: Step, goal: Goal, path: Path
    ) -> tuple[dict[str, Any], ...] | None:
        begin = len(self.rules.symbols.facts)
        wanted = goal(step)
        facts = self.rules.symbols.facts[begin:]
        reply = session.check("a game", [*step.path_condition, *facts, wanted], 5_000)
        if reply.status != SAT:
            self.complete &= reply.status == UNSAT
            return None
        return tuple(self.event(reply.model, s) for s in (*path.steps, step))

    def _following(self, path: Path) -> Iterator[Step]:
        """Every event that may follow, its tiles open."""
        for action in self.rules.rules.actions:
            yield from self.following(action, path.table, not path.steps)

    def following(self, action: Action, table: SymbolicState, first: bool) -> Iterator[Step]:
        """Every event of an action that may follow, its tiles open; `first` where it is the first of the game."""
        rules = self.rules
        if isinstance(table.at, str) and table.at not in open_at(action.kind):
            return
        try:
            if action.kind == "deal":
                for seat in [0] if first else range(rules.players):  # the table can be turned
                    yield from (s for s in rules.deals(action, table, seat) if s.guard is not False)
                return
            for seat in [0] if first or action.by is None else range(rules.players):
                names: dict[str, Value] = {} if action.by is None else {action.by: seat}
                given = given_values(action, table)
                begin = len(rules.symbols.facts)
                for param in action.params:
                    names |= {param.name: given[param.name]} if param.name in given else self._open(param)
                opened = rules.symbols.facts[begin:]
                for step in rules.paths(action, names, table):
                    yield replace(step, facts=(*opened, *step.facts))
        except Unsupported:
            self.complete = False

    def _open(self, param: ParamDecl) -> dict[str, Value]:
        rules = self.rules
        if param.parts:
            tiles = [rules.evaluator.unknown(part, Tile()) for part in param.parts]
            return {param.name: bag_of(tiles), **dict(zip(param.parts, tiles, strict=True))}
        if param.optional:
            return {param.name: OPAQUE}
        match param.type:
            case Int():
                return {param.name: FREE}
            case BagType(Tile()):
                return {param.name: rules.symbols.bag(param.name, dict(rules.evaluator.copies))}
            case BagType() | Each() | Patterns():
                raise Unsupported(f"`{param.name}` of a game that is searched for")
            case _:
                return {param.name: rules.evaluator.unknown(param.name, param.type)}

    # ------------------------------------------------------------------ what was found

    def event(self, model: Any, step: Step) -> dict[str, Any]:
        """A step in a model as a line of a trace."""
        action = step.action
        line: dict[str, Any] = {"do": action.name}
        if action.kind == "deal":
            line["first"] = step.names["first"]
            line["hands"] = [self._tiles(read(model, h)) for h in step.dealt]
            return line
        if action.by is not None:
            line["by"] = step.names[action.by]
        for param in action.params:
            value = step.names[param.name]
            if param.parts:
                line[param.name] = [self._tile(read(model, step.names[p])) for p in param.parts]
            elif value is not OPAQUE:
                line[param.name] = self._said(read(model, value), param.type)
        return line

    def _said(self, value: Any, kind: Type) -> Any:
        match kind:
            case Tile():
                return self._tile(value)
            case Opt(item):
                return None if value is None else self._said(value, item)
            case BagType(Tile()):
                return self._tiles(value)
            case _:
                return value

    def _tile(self, number: int) -> str:
        return self.rules.evaluator.instance.kinds[number].name

    def _tiles(self, numbers: tuple[int, ...]) -> list[str]:
        return [self._tile(n) for n in numbers]
