"""Invariants of a game, by induction over its events.

Input: the `TransitionSystem` of one table, and candidates: predicates that may hold in every state.
Output: the candidates that hold initially and that every event preserves, or that follow from others; for each other
candidate a `Failure`.
Guarantee: an invariant holds in every reachable state. If the prover does not support an action, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol, Self

import z3

from golpae.prove.encoding.step import Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import START, Candidate, Failure
from golpae.prove.induction.houdini import QUICK, Houdini
from golpae.prove.solving.solver import MILLION, SAT, UNKNOWN, UNSAT, Session, Solver, Tracked
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, all_of, any_of, conj, negate

PATIENT = (
    20 * MILLION
)  # for a question without the facts on where each tile lies, before it is asked with them
USELESS = (
    2  # questions in a row that need the facts on where each tile lies, before all others are asked with them
)
THOROUGH = 60 * MILLION  # for whether a candidate follows from all invariants


class Consecution(Protocol):
    """Who checks for each action by itself whether its events preserve candidates. All are known by their names."""

    def dropped(self, known: Sequence[str], candidates: Sequence[str]) -> dict[str, str] | None:
        """Return the candidates that are not among the largest set that events preserve if what is known holds.

        For each of them the action that is in its way; None if this cannot be checked so.
        """

    def violated(
        self, known: Sequence[str], candidates: Sequence[str], needs: Mapping[str, Collection[str]]
    ) -> set[str] | None:
        """Return the candidates that some event may violate although what they need holds before it; None as above."""


class StepsAndInvariants:
    """The steps of one table from an unknown state, and its invariants.

    `state` is an unknown reachable state, `facts` what holds in each such state, `quick_facts` those facts that do not
    concern where each tile lies. With `by_action`, another one checks the actions. Then, or if `lazily`, the steps are
    made when somebody needs them.
    """

    def __init__(
        self,
        system: TransitionSystem,
        solver: Solver,
        by_action: Consecution | None = None,
        lazily: bool = False,
    ) -> None:
        self.system = system
        self.solver = solver
        begin = len(system.symbols.facts)
        self.state = system.unknown_state()
        self.quick_facts = tuple(system.symbols.facts[begin:])
        self.facts = (*self.quick_facts, *system.states.conservation)
        self.by_action = by_action
        self._steps: list[Step] | None = None
        self._stepping: Houdini | None = None
        if not lazily and by_action is None:
            self._steps = self._made_steps()
        self.invariants: list[Candidate] = []
        self.known: list[Truth] = []  # what each of them says of the unknown state
        self.assumed: tuple[Truth, ...] = ()  # of the table, beside what the instance says
        self.failures: dict[str, Failure] = {}
        self.base = 0  # so many invariants hold without the others
        self.needed: set[str] | None = None  # of the others, those that answers need, if that is noted
        self.is_as_said = False  # whether `add_as_said` added them
        self._consequences: set[str] = set()  # invariants that follow from the others

    @property
    def steps(self) -> list[Step]:
        """The steps of all actions from the unknown state. Raises `Unsupported`."""
        if self._steps is None:
            with parts_apart():
                self._steps = self._made_steps()
        return self._steps

    def _made_steps(self) -> list[Step]:
        actions = self.system.rules.actions
        return [s for a in actions for s in self.system.specialized_steps(a, self.state)]

    @property
    def _houdini(self) -> Houdini:
        if self._stepping is None:
            approximated = self.system.approximated
            self._stepping = Houdini(
                self.state, self.steps, self.solver, self.quick_facts, self.facts, approximated
            )
        return self._stepping

    def copied(self) -> Self:
        """Return a copy of this induction, to which invariants can be added without adding them here."""
        copy = self.__class__.__new__(self.__class__)
        copy.__dict__.update(self.__dict__)
        copy.invariants, copy.known = list(self.invariants), list(self.known)
        copy.failures = dict(self.failures)
        copy._consequences = set(self._consequences)
        return copy

    def extended(self) -> Self:
        """Return a copy for further invariants. Which of them a proof needs can be told."""
        copy = self.copied()
        copy.base = len(copy.invariants)
        return copy

    def within(self, assumed: Truth) -> Self:
        """Return a copy for those tables alone of which something holds; what no event changes is true of any state."""
        copy = self.copied()
        copy.assumed = (*self.assumed, assumed)
        copy.quick_facts = (*self.quick_facts, assumed)
        copy.facts = (*self.facts, assumed)
        copy._stepping = None
        return copy

    def holding(self, other: StepsAndInvariants) -> Self:
        """Return a copy that has the invariants of another induction too, which is about at least as many tables."""
        copy = self.extended()
        names = {c.name for c in self.invariants}
        pairs = [p for p in zip(other.invariants, other.known, strict=True) if p[0].name not in names]
        copy.invariants += [candidate for candidate, _ in pairs]
        copy.known += [known for _, known in pairs]
        copy._consequences |= other._consequences
        return copy

    def restricted(self, names: Collection[str]) -> Self:
        """Return a copy that has of the further invariants only those with these names."""
        copy = self.copied()
        pairs = list(zip(self.invariants, self.known, strict=True))
        chosen = pairs[: self.base] + [pair for pair in pairs[self.base :] if pair[0].name in names]
        copy.invariants, copy.known = [c for c, _ in chosen], [k for _, k in chosen]
        return copy

    def noting(self) -> Self:
        """Return a copy that notes which further invariants its answers need, as `needed`."""
        copy = self.copied()
        copy.needed = set()
        return copy

    def need(self, name: str) -> None:
        """Note that an invariant of this name is needed."""
        if self.needed is not None:
            self.needed.add(name)

    @property
    def further(self) -> dict[str, Truth]:
        """What each further invariant says of the unknown state."""
        pairs = zip(self.invariants[self.base :], self.known[self.base :], strict=True)
        return {c.name: known for c, known in pairs}

    def saved(self) -> Callable[[], None]:
        """Return a function that forgets what was evaluated since now; a later question finds no trace of it."""
        system = self.system
        evaluated, approximated = system.evaluator.saved(), dict(system.approximated)
        fitting = system.fitting.saved()
        steps, stepping = self._steps, self._stepping
        states = {id(s): s for step in steps or () for s in (step.before, step.after)} | {
            id(self.state): self.state
        }
        memos = [(state, dict(state.memo)) for state in states.values()]

        def restore() -> None:
            evaluated()
            fitting()
            system.approximated.clear()
            system.approximated.update(approximated)
            for state, memo in memos:
                state.memo = dict(memo)
            self._steps, self._stepping = steps, stepping

        return restore


class Induction(StepsAndInvariants):
    """The invariants of one table: candidates are checked and added, and what follows from them is asked."""

    # ------------------------------------------------------------------ invariants

    def add_invariants(self, candidates: Iterable[Candidate], most: int | None = None) -> bool:
        """Add the candidates that are invariants, by themselves or with the others; `failures` says why the rest fail.

        Return whether `most` units of work were enough; otherwise no candidate that needs induction is added.
        """
        system = self.system
        premises = all_of(self.premises)
        session = self.solver.session([premises])  # for what is kept
        added: list[Truth] = []  # what follows and is not among the premises of the session
        begin = len(system.symbols.facts)
        first = system.initial_state()
        initial_facts = [*self.assumed, *system.symbols.facts[begin:]]
        remaining: dict[str, Candidate] = {}
        before: dict[str, Truth] = {}
        # may follow from the rest if they are not inductive
        consequences: list[tuple[Candidate, list[Truth]]] = []
        is_extended = bool(self.invariants)
        together: list[tuple[Candidate, list[Truth]]] = []  # most likely hold initially
        seen: dict[int, z3.ExprRef] = {}  # held, because z3 gives the number of one that is not to another
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
                violation = [*facts, negate(here)]
                known = [*added] if candidate.kept else [premises]
                ask = session if candidate.kept else self.solver
                if here is True or (
                    not is_extended
                    and _is_unsatisfiable(ask, system, candidate.name, [*known, *violation], QUICK)
                ):
                    self.invariants.append(candidate)
                    self.known.append(conj(here, *facts))
                    premises = conj(premises, *facts, here)
                    added += [*facts, here]
                    continue
            elif not candidate.kept and (isinstance(here, bool) or (not facts and here.get_id() in seen)):
                continue  # trivial, impossible, or the same formula as another candidate's
            if not facts and isinstance(here, z3.ExprRef):
                seen[here.get_id()] = here
            violation = [*facts, negate(initially)]
            if candidate.kept:
                together.append((candidate, violation))
            elif not self._holds_initially(candidate, [*initial_facts, *violation]):
                continue
            remaining[candidate.name] = candidate
            before[candidate.name] = conj(here, *facts)
            if is_extended and candidate.stated is not None:
                consequences.append((candidate, [*facts, negate(here)]))
        self._drop_initially(together, initial_facts, remaining)
        if not self._add_inductive(remaining, before, is_extended, most):
            return False
        self._add_consequences((c, violation) for c, violation in consequences if c.name not in remaining)
        return True

    def _add_consequences(self, candidates: Iterable[tuple[Candidate, list[Truth]]]) -> None:
        """Add the candidates, each with its violation, that follow from the premises."""
        for candidate, violation in candidates:
            formulas = [*self.premises, *violation]
            if _is_unsatisfiable(self.solver, self.system, candidate.name, formulas, THOROUGH):
                self.invariants.append(candidate)
                self.known.append(negate(conj(*violation)))
                self._consequences.add(candidate.name)

    def _add_inductive(
        self, remaining: dict[str, Candidate], before: dict[str, Truth], is_extended: bool, most: int | None
    ) -> bool:
        """Add the candidates that the steps preserve; the others are taken out of those that are `remaining`.

        Return whether `most` units of work were enough.
        """
        if not is_extended and self.by_action is not None:
            names = [c.name for c in self.invariants]
            dropped = self.by_action.dropped(names, list(remaining))
            if dropped is not None:
                self.failures.update({name: Failure(action) for name, action in dropped.items()})
                for name in dropped:
                    remaining.pop(name, None)
        else:
            dropped = None
        if remaining:
            if (
                dropped is None
                and self._houdini.run(remaining, before, self.known, self.failures, most) is None
            ):
                return False
            self.invariants += remaining.values()
            self.known += [before[name] for name in remaining]
        return True

    def add_as_said(self, candidates: Iterable[Candidate], needs: Mapping[str, Collection[str]]) -> bool:
        """Add all of these candidates if each of them needs only what is said. Return whether it does.

        Each holds at the start. If what it needs holds before an event, it holds after it. Those that the text states
        may follow from what they need instead, if that does not follow from others.
        """
        system = self.system
        begin = len(system.symbols.facts)
        first = system.initial_state()
        initial_facts = [*self.assumed, *system.symbols.facts[begin:]]
        chosen: dict[str, Candidate] = {}
        before: dict[str, Truth] = {}
        broken: list[Truth] = []
        for candidate in candidates:
            begin = len(system.symbols.facts)
            try:
                initially, here = candidate.predicate(first), candidate.predicate(self.state)
            except Unsupported:
                return False
            facts = system.symbols.facts[begin:]
            chosen[candidate.name] = candidate
            before[candidate.name] = conj(here, *facts)
            broken.append(conj(*facts, negate(initially)))
        if self.solver.check("all at the start", [*initial_facts, any_of(broken)]).status != UNSAT:
            return False
        known = self.known[: self.base]
        late = None
        if self.by_action is not None:
            names = [c.name for c in self.invariants[: self.base]]
            late = self.by_action.violated(names, list(chosen), needs)
        if late is None:
            late = self._houdini.violated(chosen, before, known, needs)
        for name in sorted(late):
            needed = [truth for n, truth in before.items() if n in needs[name] and n not in late]
            violation = [*self.facts, *known, *needed, negate(before[name])]
            if chosen[name].stated is None or not _is_unsatisfiable(
                self.solver, system, name, violation, THOROUGH
            ):
                return False
        self.invariants += chosen.values()
        self.known += before.values()
        self._consequences |= late
        self.is_as_said = True
        return True

    def assume(self, candidates: Iterable[Candidate]) -> None:
        """Take candidates for invariants, which somebody else has shown. Raises `Unsupported`."""
        for candidate in candidates:
            self.known.append(self._said_by(candidate))
            self.invariants.append(candidate)

    def preserved(self, candidates: Sequence[Candidate]) -> tuple[frozenset[str], frozenset[str]]:
        """Return which candidates the steps preserve if all these and the invariants hold before them.

        And which of them the proof needs. Raises `Unsupported`.
        """
        remaining = {c.name: c for c in candidates}
        before = {c.name: self._said_by(c) for c in candidates}
        needed = self._houdini.run(remaining, before, self.known, {}) if remaining else frozenset[str]()
        assert needed is not None  # it may take as many units as it likes
        return frozenset(remaining), needed

    def violated(self, candidates: Sequence[Candidate], needs: Mapping[str, Collection[str]]) -> set[str]:
        """Return which candidates some step may violate although what they need holds before it.

        Raises `Unsupported`.
        """
        before = {c.name: self._said_by(c) for c in candidates}
        return self._houdini.violated({c.name: c for c in candidates}, before, self.known, needs)

    def _said_by(self, candidate: Candidate) -> Truth:
        begin = len(self.system.symbols.facts)
        here = candidate.predicate(self.state)
        return conj(here, *self.system.symbols.facts[begin:])

    def need_of(self, name: str) -> frozenset[str]:
        """Return which further invariants the proof of one of them needs."""
        further = self.further
        known = self.known[: self.base]
        before = {n: truth for n, truth in further.items() if n not in self._consequences}
        if name in before:
            return self._houdini.need(name, before, known)
        tracked = Tracked(before, set())
        session = self.solver.session([*self.facts, *known], tracked=tracked)
        reply = session.check(f"{name} follows", [negate(further[name])], THOROUGH)
        return frozenset({*(tracked.needed if reply.status == UNSAT else before), name})

    def _drop_initially(
        self,
        candidates: list[tuple[Candidate, list[Truth]]],
        facts: Sequence[Truth],
        remaining: dict[str, Candidate],
    ) -> None:
        """Drop the candidates that do not hold in the initial state; one question is enough if all do."""
        violation = any_of(all_of(v) for _, v in candidates)
        if violation is False or self.solver.check("all at the start", [*facts, violation]).status == UNSAT:
            return
        for candidate, formulas in candidates:
            if not self._holds_initially(candidate, [*facts, *formulas]):
                del remaining[candidate.name]

    def _holds_initially(self, candidate: Candidate, violation: list[Truth]) -> bool:
        """Return whether a candidate holds in the initial state; otherwise note its failure."""
        reply = self.solver.check(f"{candidate.name} at the start", violation)
        if reply.status == SAT:
            self.failures[candidate.name] = Failure(START, model=reply.model)
        elif reply.status == UNKNOWN:
            self.failures[candidate.name] = Failure(START, reply.reason)
        return reply.status == UNSAT

    # ------------------------------------------------------------------ what follows from them

    @property
    def premises(self) -> list[Truth]:
        """Everything that is certain of the unknown state: its facts and the invariants."""
        return [*self.facts, *self.known]

    def session(self, broad: bool = False) -> Session:
        """Return a new solver session that starts from the premises."""
        return self._session(self.facts, broad)

    def _session(self, facts: Sequence[Truth], broad: bool) -> Session:
        if self.needed is None:
            return self.solver.session([*facts, *self.known], broad)
        tracked = Tracked(self.further, self.needed)
        return self.solver.session([*facts, *self.known[: self.base]], broad, tracked)

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
        full = self.session()
        if (
            len(violations) > 1
            and full.check(about, [any_of(violations)], PATIENT, is_first_try=True).status == UNSAT
        ):
            return None
        # most often it does not matter where every tile lies
        quick = self._session(self.quick_facts, broad=True)
        useless = 0
        for violation in violations:
            if useless < USELESS and quick.check(about, [violation], PATIENT).status == UNSAT:
                useless = 0
                continue
            useless += 1
            reply = full.check(about, [violation])
            if reply.status != UNSAT:
                return Failure(action, reply.reason, self.system.approximated.get(action), reply.model)
        return None


def _is_unsatisfiable(
    ask: Solver | Session, system: TransitionSystem, name: str, formulas: list[Truth], units: int
) -> bool:
    """Return whether formulas cannot all be true, with the premises of a session, as far as so many units show."""
    if any(formula is False for formula in formulas):
        return True
    about = f"{name} follows"
    reply = ask.check(about, formulas, units)
    if reply.status == SAT and system.evaluator.abstraction.axioms:
        axioms = system.evaluator.abstraction.exact_axioms()[0]
        reply = ask.check(about, [*formulas, *axioms], units)
    return reply.status == UNSAT
