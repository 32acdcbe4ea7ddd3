"""Invariants of a game, by induction over its events.

Input: the `TransitionSystem` of one table, and candidates: predicates that may hold in every state.
Output: the candidates that hold initially and that every event preserves, or that follow from others; for each other
candidate a `Failure`.
Guarantee: an invariant holds in every reachable state. If the prover does not support an action, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import z3

from golpae.prove.encoding.step import Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import START, Candidate, Failure
from golpae.prove.induction.houdini import QUICK, Houdini
from golpae.prove.solving.solver import SAT, UNKNOWN, UNSAT, Session, Solver
from golpae.prove.symbolic.values import Truth, Unsupported, all_of, conj, negate

PATIENT = 5_000  # milliseconds for a question without the facts on where each tile lies, before it is asked with them
THOROUGH = 15_000  # milliseconds for whether a candidate follows from all invariants


class Induction:
    """The invariants of one table.

    `state` is an unknown reachable state, `facts` what holds in each such state, `quick_facts` those facts that do not
    concern where each tile lies.
    """

    def __init__(self, system: TransitionSystem, solver: Solver) -> None:
        self.system = system
        self.solver = solver
        begin = len(system.symbols.facts)
        self.state = system.unknown_state()
        self.quick_facts = tuple(system.symbols.facts[begin:])
        self.facts = (*self.quick_facts, *system.states.conservation)
        self.steps: list[Step] = []
        for action in system.rules.actions:
            self.steps += system.specialized_steps(action, self.state)
        self.invariants: list[Candidate] = []
        self.failures: dict[str, Failure] = {}
        self._session: Session | None = None
        self._houdini = Houdini(
            self.state, self.steps, solver, self.quick_facts, self.facts, system.approximated
        )

    # ------------------------------------------------------------------ invariants

    def add_invariants(self, candidates: Iterable[Candidate], seconds: float | None = None) -> bool:
        """Add the candidates that are invariants, by themselves or with the others; `failures` says why the rest fail.

        Return whether this ended in time; otherwise no candidate that needs induction is added.
        """
        deadline = None if seconds is None else self.solver.clock + seconds
        system = self.system
        premises = all_of(self.premises)
        begin = len(system.symbols.facts)
        first = system.initial_state()
        initial_facts = system.symbols.facts[begin:]
        remaining: dict[str, Candidate] = {}
        before: dict[str, Truth] = {}
        consequences: list[
            tuple[Candidate, list[Truth]]
        ] = []  # may follow from the rest if they are not inductive
        is_extended = bool(self.invariants)
        seen: set[int] = set()
        for candidate in candidates:
            if any(candidate.name == c.name for c in self.invariants):
                continue
            begin = len(system.symbols.facts)
            try:
                initially, here = candidate.predicate(first), candidate.predicate(self.state)
            except Unsupported as fault:
                self.failures[candidate.name] = Failure("", unsupported=fault)
                continue
            facts = system.symbols.facts[begin:]
            if candidate.stated is not None:
                violation = [premises, *facts, negate(here)]
                if here is True or (
                    not is_extended and self._is_unsatisfiable(candidate.name, violation, QUICK)
                ):
                    self.invariants.append(candidate)
                    premises = conj(premises, *facts, here)
                    continue
            elif isinstance(here, bool) or (not facts and here.get_id() in seen):
                continue  # trivial, impossible, or the same formula as another candidate's
            if not facts and isinstance(here, z3.ExprRef):
                seen.add(here.get_id())
            if self._holds_initially(candidate, [*initial_facts, *facts, negate(initially)]):
                remaining[candidate.name] = candidate
                before[candidate.name] = conj(here, *facts)
                if is_extended and candidate.stated is not None:
                    consequences.append((candidate, [*facts, negate(here)]))
        if remaining:
            if not self._houdini.run(remaining, before, self.invariants, self.failures, deadline):
                return False
            self.invariants += remaining.values()
            self._session = None
        for candidate, violation in consequences:
            if candidate.name not in remaining and self._is_unsatisfiable(
                candidate.name, [*self.premises, *violation], THOROUGH
            ):
                self.invariants.append(candidate)
                self._session = None
        return True

    def _holds_initially(self, candidate: Candidate, violation: list[Truth]) -> bool:
        """Return whether a candidate holds in the initial state; otherwise note its failure."""
        reply = self.solver.check(f"{candidate.name} at the start", violation)
        if reply.status == SAT:
            self.failures[candidate.name] = Failure(START)
        elif reply.status == UNKNOWN:
            self.failures[candidate.name] = Failure(START, reply.reason)
        return reply.status == UNSAT

    def _is_unsatisfiable(self, name: str, formulas: list[Truth], milliseconds: int) -> bool:
        """Return whether these formulas cannot all be true, as far as the solver shows in this time."""
        if any(formula is False for formula in formulas):
            return True
        about = f"{name} follows"
        reply = self.solver.check(about, formulas, milliseconds)
        if reply.status == SAT and self.system.evaluator.abstraction.axioms:
            axioms = self.system.evaluator.abstraction.exact_axioms()[0]
            reply = self.solver.check(about, [*formulas, *axioms], milliseconds)
        return reply.status == UNSAT

    # ------------------------------------------------------------------ what follows from them

    @property
    def premises(self) -> list[Truth]:
        """Everything that is certain of the unknown state: its facts and the invariants."""
        return [*self.facts, *(c.predicate(self.state) for c in self.invariants)]

    @property
    def session(self) -> Session:
        """A solver session that starts from the premises."""
        if self._session is None:
            self._session = self.solver.session(self.premises)
        return self._session

    def check_after(self, action: str, postcondition: Callable[[Step], Truth]) -> Failure | None:
        """Check that a postcondition holds after every event of an action. Return None if it does."""
        violations = []
        for step in self.steps:
            if step.action.name != action:
                continue
            begin = len(self.system.symbols.facts)
            goal = postcondition(step)
            facts = self.system.symbols.facts[begin:]
            violations.append(conj(*step.path_condition, *facts, negate(goal)))
        return self.check_impossible(f"after {action}", action, violations)

    def check_impossible(self, about: str, action: str, violations: list[Truth]) -> Failure | None:
        """Check that none of these violations can happen if the premises hold. Return None if none can."""
        # most often it does not matter where every tile lies
        quick = self.solver.session(
            [*self.quick_facts, *(c.predicate(self.state) for c in self.invariants)], broad=True
        )
        for violation in violations:
            reply = quick.check(about, [violation], PATIENT)
            if reply.status != UNSAT:
                reply = self.session.check(about, [violation])
            if reply.status != UNSAT:
                return Failure(action, reply.reason, self.system.approximated.get(action))
        return None
