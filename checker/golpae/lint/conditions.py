"""Whether an action can happen, and which of its conditions can refuse an event.

Input: the invariants of one instance and one of its actions.
Output: what is vacuous in the action, and what is unknown, added to a `VacuityReport`.
Guarantee: something is vacuous only if it is vacuous in every reachable state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Condition
from golpae.ir.traverse import names_in, nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Tile
from golpae.lint.notes import Key, VacuityReport
from golpae.prove.evaluation.evaluator import OPAQUE
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import SAT, UNKNOWN, UNSAT
from golpae.prove.symbolic.values import Truth, Value, any_of, bag_of, conj, negate

BATCH = 32  # events in one question
MOST_EXTRA = 2_000  # events that only break a condition with tiles that nobody has, or in another order
NO_ANSWER = "the solver gave no answer"


@dataclass(frozen=True, slots=True)
class _Event:
    """One choice of an action's values: the truth of each condition, up to one that is certainly false."""

    guards: tuple[Truth, ...]
    facts: tuple[Truth, ...]


class ConditionCheck:
    """Checks one action of one instance."""

    def __init__(self, induction: Induction, action: Action) -> None:
        self.induction = induction
        self.system = induction.system
        self.action = action
        self.premises = induction.premises
        self.facts: tuple[Truth, ...] = ()
        self._events: list[_Event] | None = None
        self._names: list[dict[str, Value]] = []

    def run(self, keys: set[Key], report: VacuityReport) -> None:
        """Add to the report whether the action can happen and which conditions can refuse. Raises `Unsupported`."""
        action = self.action
        key = ("action", action.name)
        is_dead = False
        if key in keys:
            steps = [conj(*s.path_condition) for s in self.induction.steps if s.action.name == action.name]
            status = self._any(f"{action.name} can happen", steps)
            if status == UNSAT:
                is_dead = True
                report.vacuous[key] = self._why_dead()
            elif status == UNKNOWN:
                report.unknown[key] = NO_ANSWER
        for number, condition in enumerate(action.conditions):
            key = ("condition", f"{action.name}.{condition.name}")
            if key not in keys or is_dead or self._fixes_parameter(condition):
                continue
            opaque = self._opaque_name(condition)
            if opaque is not None:
                report.unknown[key] = f"the prover does not support `{opaque}`"
                continue
            status = self._refuses(number, condition)
            if status == UNSAT:
                report.vacuous[key] = "never refuses, because it holds whenever the conditions before it hold"
            elif status == UNKNOWN:
                report.unknown[key] = NO_ANSWER

    # ------------------------------------------------------------------ conditions

    def _fixes_parameter(self, condition: Condition) -> bool:
        """Return whether a condition says what a parameter is, so that it refuses any other value."""
        names = {p.name for p in self.action.params}
        expr = condition.expr
        if isinstance(expr, ir.Op) and expr.op == "eq" and isinstance(expr.args[0], ir.Local):
            return expr.args[0].name in names
        return any(isinstance(n, ir.LayOut) and names_in(n.groups) & names for n in nodes(expr))

    def _opaque_name(self, condition: Condition) -> str | None:
        """Return a name in a condition whose values the prover does not enumerate, or None."""
        grouped = {p.name for p in self.action.params if p.type == BagType(BagType(Tile()))}
        given = {"winner"} if self.action.kind == "end" else set()
        values = self.names[0] if self.names else {}
        return next(
            (
                name
                for name in sorted(names_in(condition.expr))
                if name in grouped | given or values.get(name) is OPAQUE
            ),
            None,
        )

    def _refuses(self, number: int, condition: Condition) -> str:
        """Return whether a condition can refuse an event that the conditions before it let through."""
        about = f"{self.action.name}.{condition.name} refuses"
        status = self._any(about, list(_stopped(self.events, number)))
        if status != UNSAT:
            return status
        extra = self._extra()
        if extra is None:
            return UNKNOWN
        status = self._any(about, list(_stopped(extra, number)))
        if status != UNSAT:
            return status
        # if no event gets as far as this condition, the ones before it are at fault
        reached = self._any(about, list(_passed(self.events, number)))
        return SAT if reached == UNSAT else reached if reached == UNKNOWN else UNSAT

    def _why_dead(self) -> str:
        """Return why the action can never happen."""
        for number, condition in enumerate(self.action.conditions):
            about = f"{self.action.name}.{condition.name} lets through"
            status = self._any(about, list(_passed(self.events, number + 1)))
            if status == UNSAT:
                return f"never happens, because `{condition.name}` never holds when the conditions before it hold"
        return "never happens, because its effects are impossible when its conditions hold"

    # ------------------------------------------------------------------ events

    @property
    def names(self) -> list[dict[str, Value]]:
        """The choices of the action's values."""
        _ = self.events
        return self._names

    @property
    def events(self) -> list[_Event]:
        """All events of the action."""
        if self._events is None:
            symbols = self.system.symbols
            begin = len(symbols.facts)
            if self.action.kind == "deal":
                steps = self.system.steps(replace(self.action, effects=()), self.induction.state)
                made = [(dict(s.names), tuple(g for _, g in s.guards), s.facts) for s in steps]
                self._names = [names for names, _, _ in made]
                self._events = [
                    _Event(guards[: len(self.action.conditions)], facts) for _, guards, facts in made
                ]
            else:
                self._names = [dict(n) for n in self.system.choices(self.action, self.induction.state)]
                if not any(p.type == BagType(Tile()) and not p.parts for p in self.action.params):
                    self.facts = tuple(symbols.facts[begin:])  # an event may name more tiles than there are
                self._events = [self._event(names) for names in self._names]
        return self._events

    def _event(self, names: Mapping[str, Value]) -> _Event:
        symbols = self.system.symbols
        begin = len(symbols.facts)
        step = self.system.step(replace(self.action, effects=()), names, self.induction.state)
        guards = tuple(g for _, g in step.guards[: len(self.action.conditions)])
        return _Event(guards, tuple(symbols.facts[begin:]))

    def _extra(self) -> list[_Event] | None:
        """Return events that name their tiles in another order, or more of a kind than there are; None if too many."""
        extra: list[_Event] = []
        for param in self.action.params:
            if not param.parts:
                continue
            listed = {tuple(n[p] for p in param.parts) for n in self.names}
            kinds = self.system.evaluator.kinds
            first = {id(n[param.name]): n for n in self.names}
            others = [n for n in self.names if n[param.name] is next(iter(first.values()))[param.name]]
            if len(kinds) ** len(param.parts) * len(others) > MOST_EXTRA:
                return None
            for tiles in product(kinds, repeat=len(param.parts)):
                if tiles not in listed:
                    values = {param.name: bag_of(tiles), **dict(zip(param.parts, tiles, strict=True))}
                    extra += [self._event({**n, **values}) for n in others]
        return extra

    # ------------------------------------------------------------------ questions

    def _any(self, about: str, formulas: Sequence[Truth]) -> str:
        """Return whether one of these can be true in a reachable state."""
        possible = [f for f in formulas if f is not False]
        status = UNSAT
        for begin in range(0, len(possible), BATCH):
            question = [*self.premises, *self.facts, any_of(possible[begin : begin + BATCH])]
            solver, axioms = self.induction.solver, self.system.evaluator.abstraction.axioms
            reply = solver.check(about, question)
            if reply.status == SAT and axioms:
                reply = solver.check(about, [*question, *(axiom() for axiom in axioms)])
            if reply.status == SAT:
                return SAT
            if reply.status == UNKNOWN:
                status = UNKNOWN
        return status


def _stopped(events: Sequence[_Event], number: int) -> Iterator[Truth]:
    """Yield for each event that it gets as far as a condition, and no further."""
    for event in events:
        if len(event.guards) > number:
            yield conj(*event.facts, *event.guards[:number], negate(event.guards[number]))


def _passed(events: Sequence[_Event], number: int) -> Iterator[Truth]:
    """Yield for each event that it passes so many conditions."""
    for event in events:
        if len(event.guards) >= number:
            yield conj(*event.facts, *event.guards[:number])
