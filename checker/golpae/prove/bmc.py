"""Bounded model checking: short games that reach a goal.

Input: the `TransitionSystem` of one table and a goal, a formula about the last step. Output: the events of a legal game
that reaches it, or the depth up to which there is none.
Guarantee: no game shorter than the depth reaches the goal. A game is a model of the prover and still has to be
replayed. The prover models neither the whole order of a row nor payments.

Sequences of actions and players are enumerated in order of length. The solver chooses all tiles that are dealt and
moved. A path that no tiles satisfy is not extended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from golpae.ir.lifecycle import open_at
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.prove.encoding.parameter_choices import given_values
from golpae.prove.encoding.step import Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.composed import unknown_key
from golpae.prove.evaluation.evaluator import OPAQUE
from golpae.prove.solving.model import Model, read
from golpae.prove.solving.solver import MILLION, SAT, UNSAT, Session, Solver
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, Value, bag_of

PATH, GAME = (
    10 * MILLION,
    20 * MILLION,
)  # units for whether a path is possible, and for whether it reaches the goal
PATHS, UNITS = 2_000, 60 * MILLION  # that one search looks at, and that it costs the solver
Goal = Callable[[Step], Truth]
Events = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Path:
    """A sequence of steps whose tiles are still unknown, and the state after it."""

    steps: tuple[Step, ...]
    state: SymbolicState


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A game that reaches the goal, or None; the `depth` in events up to which no shorter game does."""

    events: tuple[dict[str, Any], ...] | None
    depth: int
    paths: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A path that may reach the goal with its last step, if the formulas hold."""

    steps: tuple[Step, ...]
    formulas: tuple[Truth, ...]
    session: Session
    checker: BoundedModelChecker

    def game(self, *assumed: Truth) -> tuple[Events, Any] | None:
        """Return a game along the path that reaches the goal, and its model, if the solver has one."""
        reply = self.session.check("a game", [*self.formulas, *assumed], GAME)
        if reply.status != SAT:
            self.checker.complete &= reply.status == UNSAT
            return None
        return tuple(self.checker.event_in(reply.satisfied_by, s) for s in self.steps), reply.satisfied_by


class BoundedModelChecker:
    """Searches the games of one table. One search looks at `most_paths` paths, for `units` units of the solver's work.

    The effort of the solver scales both.
    """

    def __init__(
        self, system: TransitionSystem, solver: Solver, most_paths: int = PATHS, units: int = UNITS
    ) -> None:
        self.system = system
        self.solver = solver
        self.most_paths = solver.scaled(most_paths)
        self.units = solver.scaled(units)
        self.complete = True  # whether no path was skipped
        self.depth = self.paths = 0  # of games that were looked at, and how many

    def run(
        self, goal: Goal, after: str | None, within: int, accept: Callable[[Events], bool]
    ) -> SearchResult:
        """Return the shortest game whose last event reaches the goal and that `accept` accepts.

        With `after`, the last event is one of this action.
        """
        for ending in self.endings(goal, after, within):
            game = ending.game()
            if game is not None:
                if accept(game[0]):
                    return SearchResult(game[0], len(ending.steps) - 1, self.paths)
                self.complete = False  # another game of this path may be accepted
        return SearchResult(None, self.depth if self.complete else 0, self.paths)

    def endings(
        self,
        goal: Goal,
        after: str | None,
        within: int,
        assumed: Sequence[Truth] = (),
        along: Sequence[Mapping[str, Any]] | None = None,
    ) -> Iterator[Ending]:
        """Yield the paths that may reach a goal, the shortest first; `assumed` holds of the table. If lines of a game
        are given, only the paths `along` it: of the same actions by the same players.

        After the last one, `depth` says of how many events no other path exists, if the search is `complete`.
        """
        spent = self.solver.spent
        first = self.system.initial_state()
        begin = len(self.system.symbols.facts)
        start = Path((), first)
        facts = (*assumed, *self.system.symbols.facts[begin:])
        queue: deque[Path] = deque([start])
        depth = self.paths = 0
        self.complete = True
        self.depth = within
        while queue:
            path = queue.popleft()
            if len(path.steps) >= within:
                return
            depth = max(depth, len(path.steps))
            session = self.solver.session([*facts, *(t for s in path.steps for t in s.path_condition)])
            for step in self._all_successors(path):
                if along is not None and not self._follows(step, along, len(path.steps)):
                    continue
                if self.paths >= self.most_paths or self.solver.spent - spent > self.units:
                    self.depth = depth  # a longer path is being extended
                    return
                self.paths += 1
                if after in (None, step.action.name):
                    begin = len(self.system.symbols.facts)
                    formula = goal(step)
                    formulas = (*step.path_condition, *self.system.symbols.facts[begin:], formula)
                    yield Ending((*path.steps, step), formulas, session, self)
                reply = session.check("a path", step.path_condition, PATH)
                if reply.status != UNSAT:
                    queue.append(Path((*path.steps, step), step.after))

    def _follows(self, step: Step, along: Sequence[Mapping[str, Any]], index: int) -> bool:
        """Return whether a step does what a line of a game does, by the same player if the table cannot be turned,
        or as far from the one who begins.
        """
        line, first = along[index], along[0]
        if line["do"] != step.action.name:
            return False
        of_step = step.names["first"] if step.action.kind == "deal" else step.names.get(step.action.by or "")
        seat = line["first"] if step.action.kind == "deal" else line.get("by")
        if seat is None or of_step is None:
            return True
        begins = "first" if first["do"] == "deal" else "by"
        start = first.get(begins, 0) if self.system.turns else 0
        return bool(of_step == (seat - start) % self.system.players)

    def _all_successors(self, path: Path) -> Iterator[Step]:
        """Yield every step that may follow a path."""
        for action in self.system.rules.actions:
            yield from self.successors(action, path.state, not path.steps)

    def successors(self, action: Action, state: SymbolicState, is_first: bool) -> Iterator[Step]:
        """Yield every step of an action in a state, with unknown tiles. The first step of a game is seat 0's."""
        system = self.system
        if isinstance(state.at, str) and state.at not in open_at(action.kind):
            return
        try:
            if action.kind == "deal":
                for seat in self._seats(is_first):
                    yield from (s for s in system.deals(action, state, seat) if s.guard is not False)
                return
            for seat in [0] if action.by is None else self._seats(is_first):
                names: dict[str, Value] = {} if action.by is None else {action.by: seat}
                given = given_values(action, state)
                begin = len(system.symbols.facts)
                for param in action.params:
                    names |= {param.name: given[param.name]} if param.name in given else self._unknown(param)
                facts = system.symbols.facts[begin:]
                for step in system.paths(action, names, state):
                    yield replace(step, facts=(*facts, *step.facts))
        except Unsupported:
            self.complete = False

    def _seats(self, is_first: bool) -> Iterable[int]:
        """Return the seats that may act; at first one stands for all, if the table can be turned."""
        return [0] if is_first and self.system.turns else range(self.system.players)

    def _unknown(self, param: ParamDecl) -> dict[str, Value]:
        """Return unknown values for a parameter and its parts."""
        system = self.system
        if param.parts:
            tiles = [unknown_key(system.evaluator, part, Tile()) for part in param.parts]
            return {param.name: bag_of(tiles), **dict(zip(param.parts, tiles, strict=True))}
        value = system.parameter_choices.unknown(param)
        if value is OPAQUE and not param.optional:
            raise Unsupported(f"values of `{param.name}` in a search for games")
        return {param.name: value}

    # ------------------------------------------------------------------ games of a model

    def event_in(self, model: Model, step: Step) -> dict[str, Any]:
        """Return a step in a model as a line of a trace."""
        action = step.action
        line: dict[str, Any] = {"do": action.name}
        if action.kind == "deal":
            line["first"] = step.names["first"]
            line["hands"] = [self._tiles(read(model, h)) for h in step.dealt]
        elif action.by is not None:
            line["by"] = step.names[action.by]
        for param in action.params:
            value = step.names[param.name]
            if param.parts:
                line[param.name] = [self._tile(read(model, step.names[p])) for p in param.parts]
            elif value is not OPAQUE and param.name not in line:
                recorded = self._recorded(read(model, value), param.type)
                if recorded is not None or not param.optional:
                    line[param.name] = recorded
        return line

    def _recorded(self, value: Any, kind: Type) -> Any:
        """Return a value as a trace records it."""
        match kind:
            case Tile():
                return self._tile(value)
            case Opt(item):
                return None if value is None else self._recorded(value, item)
            case BagType(Tile()):
                return self._tiles(value)
            case Each(item):
                return [self._recorded(v, item) for v in value]
            case Bool() | Int() | Seat() | Choice() | Meld() | BagType():
                return value
            case NoneType() | Points() | Patterns():
                return value
            case _:
                assert_never(kind)

    def _tile(self, number: int) -> str:
        return self.system.evaluator.instance.kinds[number].name

    def _tiles(self, numbers: tuple[int, ...]) -> list[str]:
        return [self._tile(n) for n in numbers]
