"""Follows the events of a game with unknown tiles, and asks a solver about them.

Input: a machine, a state of it, and lines with unknown tiles that follow. Output: formulas of the events in a solver,
each condition behind a literal that stands for it, and what it answers.
Guarantee: whatever tiles make the events legal, the solver finds possible. Counted effort bounds its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

import z3

from golpae.hidden.formulas.symbolic_game import Asked, SymbolicGame
from golpae.hidden.lemmas import each_of
from golpae.hidden.lines import ALWAYS_ASKED, HiddenLine, Place
from golpae.hidden.settling import Settling
from golpae.ir.ruleset import Action
from golpae.prove.solving.finite_solver import FiniteSolver
from golpae.prove.solving.fresh_solver import FreshSolver
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import MILLION, SAT, UNKNOWN, UNSAT
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Bag, GuardedUnion, Truth, implies
from golpae.replay.machine import Machine, State

QUICK = MILLION // 4  # for a question whose answer may stay open
SOON = 8 * MILLION  # for the first try at a question
AS_TRUTHS = 80 * MILLION  # for the solver that turns numbers into truths, whose units take longer
QUESTION = 100 * MILLION  # units of the solver's work for one choice of tiles
MOST_TRIES = 400  # choices of tiles for one game
TILES = "set"  # what is said to fail where there are not so many tiles
OF_TILES = " of unknown tiles"  # behind it, in the name of the literal of what is certain of them

Clause = tuple[int, str]
"""The number of an event, and the name of a condition."""


@dataclass(slots=True)
class Effort:
    """What a search may still cost: units of the solver's work, and choices of tiles."""

    units: int = 2_000 * MILLION
    tries: int = MOST_TRIES


@dataclass(frozen=True, slots=True)
class Completed:
    """Lines whose tiles are all known, and the state after them."""

    lines: tuple[dict[str, Any], ...]
    state: State


@dataclass(frozen=True, slots=True)
class Impossible:
    """No tiles make the events legal. `event` is one that is not legal for any tiles, if those before it are;
    `clauses` are the conditions that the proof needs, by the number of the event and the name. Those of them that the
    last step of the proof needs are `likely` enough. `before` are tiles for the events before it, if they were looked
    for.
    """

    event: int
    clauses: frozenset[Clause] = frozenset()
    before: Completed | None = None
    likely: frozenset[Clause] = frozenset()


@dataclass(frozen=True, slots=True)
class OutOfEffort:
    """It is not known whether some tiles make the events up to this one legal."""

    event: int


@dataclass(slots=True)
class _Finite:
    """A second solver, to which the first `number` events are legal; so much of what the first knows was `given`."""

    number: int
    solver: FiniteSolver
    given: int = 0
    gave_up: bool = False
    _names: set[str] = field(default_factory=set)

    def is_new(self, name: str) -> bool:
        """Return whether a literal has not been asserted yet; note that it is from now on."""
        new = name not in self._names and not name.startswith("also ")
        self._names.add(name)
        return new


class Following:
    """The events of one stretch of a game, as far as they were asked about."""

    def __init__(
        self,
        machine: Machine,
        state: State,
        lines: Sequence[HiddenLine],
        effort: Effort,
        only: frozenset[Clause] | None,
        settles: bool,
        narrows: frozenset[Clause] = frozenset(),
    ) -> None:
        self.machine, self.state, self.lines = machine, state, lines
        self.effort = effort
        self.game = SymbolicGame(machine, state)
        self.asked: list[Asked] = []
        self._only, self._narrows = only, narrows
        self.narrowed: set[Clause] = set()  # conditions that left values of states out
        self._solver = FreshSolver()
        self._given: list[Sequence[Truth]] = []  # what the solver knows, in the order in which it came
        self._finite: _Finite | None = None
        self._answered: FreshSolver = self._solver  # the solver that gave the last answer
        self._pins: dict[str, Any] = {}  # the guesses that the search keeps to
        self._also: dict[str, Any] = {}  # what else is asked of the tiles
        self._pinned = 0  # guesses until now
        self._questions = 0  # what else was asked until now
        self._named: dict[str, Clause] = {}
        self._literal_of: dict[str, Any] = {}
        self._settles = settles
        self._blind = False  # whether the prover cannot follow the game any further
        self._settling: Settling[frozenset[Clause]] = Settling()
        self._certain: list[tuple[int, frozenset[Clause]]] = []  # events, and why more is certain after them
        self._stuck: Impossible | None = None  # what was found while events were followed

    def state_after(self, number: int) -> SymbolicState | None:
        """Return the state after so many events; None if the prover cannot follow the game so far."""
        self._follow(number)
        if number < len(self.asked):
            return self.asked[number].before
        return None if self._blind else self.game.state

    def unknowns_of(self, number: int) -> list[tuple[tuple[Place, ...], GuardedUnion | Bag]]:
        """Return the unknown tiles of an event: places whose order does not matter, and what lies there."""
        self._follow(number)
        return [(unknown.places, unknown.value) for unknown in self.asked[number - 1].unknowns]

    def _impossible(self, number: int) -> Impossible:
        """Return which events no tiles make legal, after the solver has said so."""
        core = self._solver.core(self._literals(number))
        likely = frozenset(self._named[name] for name in core if name in self._named)
        clauses = self._with_reasons(likely)
        return Impossible(max((event for event, _ in clauses), default=0), clauses, likely=likely)

    def _with_reasons(self, clauses: frozenset[Clause]) -> frozenset[Clause]:
        """Return conditions with those by which the states are certain that they are about."""
        last = max((event for event, _ in clauses), default=0)
        return clauses.union(*(why for event, why in self._certain if event < last))

    # ------------------------------------------------------------------ formulas

    def _follow(self, number: int) -> None:
        """Ask the solver about so many events."""
        while len(self.asked) < number:
            symbols = self.game.evaluator.symbols
            facts = len(symbols.facts)
            line = self.lines[len(self.asked)]
            try:
                action = self._asking(len(self.asked) + 1, self.machine.actions[line.line["do"]])
                asked = self.game.unseen(line) if self._blind else self._happen(line, action)
            except Unsupported:
                del symbols.facts[facts:]
                self._blind = True
                continue
            self.asked.append(asked)
            there = self._literal(len(self.asked), TILES, OF_TILES)
            facts_asked = [implies(there, truth) for truth in asked.facts if truth is not True]
            guards = [
                implies(self._literal(len(self.asked), name), truth)
                for name, truth in asked.guards
                if truth is not True
            ]
            self._add([*facts_asked, *guards])
            asks = self._settles and self._stuck is None and not self._blind
            if guards and asks and self._settling.is_worthwhile(self.game.state):
                self._settle()

    def _happen(self, line: HiddenLine, action: Action) -> Asked:
        number = len(self.asked) + 1
        narrowing = frozenset(name for event, name in self._narrows if event == number)
        asked = self.game.happen(line, action, narrowing)
        narrowed = {(number, name) for name in self.game.narrowed}
        if narrowed:  # its own conditions and effects depend on them, too
            self._certain.append((number - 1, frozenset(narrowed)))
        self.narrowed |= narrowed
        return asked

    def _settle(self) -> None:
        """Make plain what is certain of the state by the events until now; or see that no tiles make these legal."""
        number = len(self.asked)
        self._pins.clear()
        self._also.clear()
        status = self._check(number, QUICK)
        if status == UNSAT:
            self._stuck = self._impossible(number)
        if status != SAT:
            return
        differing = partial(self._differing, number)
        self.game.state, reasons = self._settling.settled(self.game.state, self._model(), differing)
        self.game.orders.rebuilt(self._settling.value)
        for why in reasons:
            self._certain.append((number, self._with_reasons(why)))

    def _differing(self, number: int, truth: Truth) -> Model | frozenset[Clause] | None:
        """Return a model in which a truth holds too if the first so many events are legal, or the conditions by which
        there is none, or None.
        """
        self._pinned += 1
        name = f"differs {self._pinned}"
        differs = z3.Bool(name)
        self._solver.add([implies(differs, truth)])
        literals = {**self._literals(number), name: differs}
        status = self._asked_of(literals, QUICK)
        if status == SAT:
            return self._model()
        if status == UNSAT:
            core = self._solver.core(literals) - {name}
            return frozenset(self._named[one] for one in core)
        return None

    def _literal(self, event: int, clause: str, more: str = "") -> Any:
        """Return the literal that stands for a condition of an event; for `more` than the condition, another one."""
        name = f"{event} {clause}{more}"
        if name not in self._named:
            self._named[name] = event, clause
            self._literal_of[name] = z3.Bool(f"asked {name}")
        return self._literal_of[name]

    def _literals(self, number: int) -> dict[str, Any]:
        own = {name: self._literal_of[name] for name, (event, _) in self._named.items() if event <= number}
        return own | self._also

    def _ask(self, also: Truth) -> None:
        """Ask something else of the tiles from now on, in place of what was asked last."""
        self._also.clear()
        if also is not True:
            self._questions += 1
            name = f"also {self._questions}"
            self._also[name] = z3.Bool(name)
            self._add([implies(self._also[name], also)])

    def _add(self, truths: Sequence[Truth]) -> None:
        """Say what is true from now on."""
        self._given.append(truths)
        self._solver.add(truths)

    def _model(self) -> Model:
        """Return the model of the last answer."""
        return self._answered.model()

    def _check(self, number: int, most: int = QUESTION) -> str:
        """Ask the solver for tiles that make the first so many events legal, as far as it knows.

        If it does not find them soon, another one looks for them, too. Its models count as all do: if replay accepts
        them.
        """
        literals = {**self._literals(number), **self._pins}
        if most <= SOON:
            return self._asked_of(literals, most)
        if self._finite is None or self._finite.number != number:
            status = self._asked_of(literals, SOON)
            if status != UNKNOWN:
                return status
            self._finite = _Finite(number, self._new_finite(number))
        if self._finite.gave_up:
            return self._asked_of(literals, most)
        finite = self._finite.solver
        finite.add([literal for name, literal in self._literals(number).items() if self._finite.is_new(name)])
        for truths in self._given[self._finite.given :]:
            finite.add(truths)
        self._finite.given = len(self._given)
        status = self._put_to(finite, {**self._also, **self._pins}, min(most, AS_TRUTHS))
        if status == SAT or (status == UNSAT and self._pins):  # a guess needs no proof
            return status
        self._finite.gave_up = status == UNKNOWN
        return self._asked_of(literals, most)

    def _new_finite(self, number: int) -> FiniteSolver:
        """Return a solver for numbers of few values, which knows that no zone has more tiles than the set. While an
        event moves tiles, numbers of what it does not move can say otherwise.
        """
        solver = FiniteSolver(self.game.evaluator.symbols.bounds)
        copies = self.game.evaluator.copies
        for event in range(number + 1):
            state = self.state_after(event)
            for zones in () if state is None else state.zones.values():
                for zone in each_of(zones):
                    _bound(zone.bag, copies, solver.keep_within)
        for bag in self.game.contents:
            _bound(bag, copies, solver.suppose_within)
            sizes = [size for size in bag.known_size if isinstance(size, z3.ExprRef)]
            solver.suppose_within(sizes, 0, sum(copies.values()))
        return solver

    def _asked_of(self, literals: Mapping[str, Any], most: int) -> str:
        """Ask the usual solver for tiles for which all of this is true."""
        return self._put_to(self._solver, literals, most)

    def _put_to(self, solver: FreshSolver, literals: Mapping[str, Any], most: int) -> str:
        before = solver.work
        solver.limit(max(1, min(most, self.effort.units)))
        try:
            status, _ = solver.check(literals)
        except z3.Z3Exception:
            status = UNKNOWN
        self.effort.units -= solver.work - before
        self._answered = solver
        return status

    def _asking(self, event: int, action: Action) -> Action:
        """Return an action with the conditions that are asked at an event."""
        aside = self.lines[event - 1].aside
        if self._only is None and not aside:
            return action
        optional = can_be_left_out(action)
        asked = tuple(
            c
            for c in action.conditions
            if c.name not in optional
            or (c.name not in aside and (self._only is None or (event, c.name) in self._only))
        )
        return action if asked == action.conditions else replace(action, conditions=asked)

    def _machine_at(self, event: int, line: Mapping[str, Any]) -> Machine:
        """Return the machine that asks at an event what is asked there."""
        action = self.machine.actions[line["do"]]
        asking = self._asking(event, action)
        return self.machine if asking is action else _asking_less(self.machine, asking)


def _bound(bag: Bag, copies: Mapping[Any, int], keep: Callable[[Sequence[Any], int, int], None]) -> None:
    """Say of the numbers of tiles in a bag that there are no more than the set has."""
    for kind, count in bag.items():
        if kind in copies and isinstance(count, z3.ExprRef):
            keep([count], 0, copies[kind])


def can_be_left_out(action: Action) -> frozenset[str]:
    """Return the names of the conditions without which events of an action can be followed."""
    of_lists = {param.name for param in action.params if param.parts}  # how many tiles a list has
    return frozenset(c.name for c in action.conditions if c.of_game not in ALWAYS_ASKED) - of_lists


@lru_cache(64)
def _asking_less(machine: Machine, action: Action) -> Machine:
    """Return a machine with another action in place of the one of its name."""
    actions = tuple(action if one.name == action.name else one for one in machine.rules.actions)
    return Machine(replace(machine.instance, rule_set=replace(machine.rules, actions=actions)))
