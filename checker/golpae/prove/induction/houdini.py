"""The largest set of candidates that every step preserves.

Input: the steps of one table from an unknown state, and candidates that hold initially.
Output: the candidates that remain after those that some step violates are dropped, until nothing changes.
Guarantee: if the remaining candidates and the given invariants hold before a step, these candidates hold after it.

The method is Houdini (Flanagan and Leino, FME 2001). Each candidate has an assumption literal, so one solver session
serves all steps, and the unsatisfiable core names the candidates that a proof needs. If one of these is dropped, the
step is checked again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import z3

from golpae.diagnostics.amounts import many
from golpae.prove.encoding.step import Step
from golpae.prove.induction.candidate import Candidate, Failure
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import MILLION, QUESTION, UNKNOWN, UNSAT, Reply, Session, Solver
from golpae.prove.symbolic.parts import MOST_IN_ALL, parts_apart
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, any_of, conj, implies, negate
from golpae.workers import tell_part

REREAD = 2 * MOST_IN_ALL  # parts of what is evaluated once more: never fewer than it took
TOGETHER = 8  # steps of one question
PARTS = 4  # what is too much is asked in, each of so many steps
Key = TypeVar("Key", bound=Hashable)
QUICK = 6 * MILLION  # for a question that can be asked in parts, or whose answer is not essential
PART = 4 * QUICK  # for what cannot be asked in parts, so that what is answered at once has room in its parts


@dataclass(frozen=True, slots=True)
class _Run:
    """The remaining candidates of one run, and the formulas of each.

    `before` and `after` have the value of a candidate before any step and after the step of a number, `literals` its
    assumption literal, `reads` the parts of a state that it reads if it is the same before and after a step.
    """

    candidates: dict[str, Candidate]
    before: dict[str, Truth]
    literals: dict[str, Truth]
    sessions: tuple[Session, Session]
    reads: dict[str, frozenset[str]]
    failures: dict[str, Failure]
    after: dict[tuple[int, str], Truth] = field(default_factory=dict)


class Houdini:
    """Checks consecution for the steps of one table.

    `facts` hold in every reachable state; `quick_facts` are those of them that keep questions small. `approximated`
    says for an action what of it has no encoding.
    """

    def __init__(
        self,
        state: SymbolicState,
        steps: Sequence[Step],
        solver: Solver,
        quick_facts: Sequence[Truth],
        facts: Sequence[Truth],
        approximated: Mapping[str, Unsupported],
    ) -> None:
        self.state = state
        self.steps = steps
        self.solver = solver
        self.quick_facts = quick_facts
        self.facts = facts
        self.approximated = approximated
        self._changes: dict[int, frozenset[str]] = {}
        self._values: dict[tuple[int, str], Truth] = {}  # of what all runs left, after each step
        # by which candidates, and so many invariants before them, a step preserves a candidate
        self._by: dict[tuple[int, str], tuple[frozenset[str], int]] = {}

    def run(
        self,
        candidates: dict[str, Candidate],
        before: dict[str, Truth],
        truths: Sequence[Truth],
        failures: dict[str, Failure],
        most: int | None = None,
    ) -> frozenset[str] | None:
        """Remove candidates until every step preserves the rest. Return which of these the proofs need.

        None if `most` units were not enough. `before` has the value of each candidate in the unknown state, `truths` is
        what the invariants say of it. Each removed candidate gets a failure.
        """
        run = self._begin(candidates, before, truths, failures)
        groups = self._groups()
        cores: dict[int, frozenset[str]] = {}  # the candidates that the proof of each group of steps needs
        queue = deque(range(len(groups)))
        begin = self.solver.spent
        while queue:
            if most is not None and self.solver.spent - begin > self.solver.scaled(most):
                return None
            number = queue.popleft()
            tell_part(checking(len(candidates), self.steps[groups[number][0]].action.name))
            dropped, cores[number] = self._check_consecution(groups[number], run)
            queue += (n for n, names in cores.items() if names & dropped and n not in queue)
        self._values.update({key: value for key, value in run.after.items() if key[1] in candidates})
        self._by.update(
            ((n, name), (core, len(truths)))
            for number, core in cores.items()
            for n in groups[number]
            for name in candidates
        )
        return frozenset[str]().union(*cores.values())

    def _groups(self) -> list[list[int]]:
        """Return the numbers of the steps, those together that one question is about: some of one action."""
        by_action: dict[str, list[int]] = {}
        for number, step in enumerate(self.steps):
            by_action.setdefault(step.action.name, []).append(number)
        return [some[i : i + TOGETHER] for some in by_action.values() for i in range(0, len(some), TOGETHER)]

    def _begin(
        self,
        candidates: dict[str, Candidate],
        before: dict[str, Truth],
        truths: Sequence[Truth],
        failures: dict[str, Failure],
    ) -> _Run:
        """Return a run in which nothing was asked yet."""
        literals = {name: z3.Bool(f"candidate {name}") for name in candidates}
        assumed = [implies(literals[n], before[n]) for n in candidates]
        # most questions do not depend on where every tile lies, and are answered sooner without these facts
        quick = self.solver.session([*self.quick_facts, *truths, *assumed])
        full = self.solver.session([*self.facts, *truths, *assumed])
        reads = {n: _reads(c, self.state) for n, c in candidates.items() if c.goal is None}
        return _Run(candidates, before, literals, (quick, full), reads, failures)

    def need(self, name: str, before: Mapping[str, Truth], truths: Sequence[Truth]) -> frozenset[str]:
        """Return which of these invariants one of them needs, so that every step preserves it; perhaps itself.

        All were candidates of runs. All that it needs, together with what these need, is preserved by itself.
        """
        literals = {n: z3.Bool(f"candidate {n}") for n in before}
        assumed = [implies(literals[n], truth) for n, truth in before.items()]
        sessions = [
            self.solver.session([*facts, *truths, *assumed]) for facts in (self.quick_facts, self.facts)
        ]
        needed = {name}
        violations: dict[str, list[tuple[Truth, Truth]]] = {}  # by action, without definitions and with them
        chosen: dict[str, set[str]] = {}
        for number, step in enumerate(self.steps):
            value = self._values.get((number, name), False)
            by, most = self._by.get((number, name), (None, 0))
            may_need = before.keys() if by is None or most > len(truths) else by
            if value is True or not may_need - {name}:
                continue
            violation = conj(*step.facts, step.guard, negate(value))
            full = conj(violation, *step.definitions)
            violations.setdefault(step.action.name, []).append((violation, full))
            chosen.setdefault(step.action.name, set()).update(may_need)
        for action, possible in violations.items():
            few = {n: literals[n] for n in sorted(chosen[action] | {name})}
            core = _needed_against(f"{action} keeps what always holds", possible, sessions, few)
            if core is None:
                return frozenset(before)
            needed |= core
        return frozenset(needed)

    def violated(
        self,
        candidates: dict[str, Candidate],
        before: dict[str, Truth],
        truths: Sequence[Truth],
        needs: Mapping[str, Collection[str]],
    ) -> set[str]:
        """Return which candidates some step may violate although what they need holds before it."""
        run = self._begin(candidates, before, truths, {})
        premises = {n: conj(*(truth for m, truth in before.items() if m in needs[n])) for n in candidates}
        out: set[str] = set()
        for numbers in self._groups():
            left = {
                number: {
                    name: conj(premises[name], negate(value))
                    for name, value in self._after(number, run).items()
                    if name not in out
                }
                for number in numbers
            }
            out |= self._violated(left, run)
        return out

    def _violated(self, violations: dict[int, dict[str, Truth]], run: _Run) -> set[str]:
        """Return the names of the violations that steps of one action may lead to, by the number of each step."""
        about = f"{self.steps[next(iter(violations))].action.name} keeps what always holds"
        left, possible = violations, set[str]()
        for session, exact in zip(run.sessions, (False, True), strict=True):
            possible = set()
            while any(left.values()):
                ways = {n: self._leads_to(n, named.values(), exact) for n, named in left.items()}
                reply = session.check(about, [any_of(ways.values())], QUICK)
                if reply.status == UNSAT:
                    break
                if reply.status == UNKNOWN and len(violations) > 1:  # too much at once
                    alone = (self._violated({n: named}, run) for n, named in violations.items())
                    return {name for results in alone for name in results}
                results: set[str] = set()
                if reply.model is not None:
                    for n in _true(reply.model, ways):
                        results |= _true(reply.model, left[n])
                possible |= results or {name for of_step in left.values() for name in of_step}
                left = {n: {m: v for m, v in of.items() if m not in possible} for n, of in left.items()}
            if not possible:
                return set()
            left = {n: {m: v for m, v in of.items() if m in possible} for n, of in violations.items()}
        return possible

    def _check_consecution(self, numbers: Sequence[int], run: _Run) -> tuple[frozenset[str], frozenset[str]]:
        """Drop the candidates that steps of one action violate. Return these, and those that the proof of the rest
        needs.
        """
        candidates = run.candidates
        about = f"{self.steps[numbers[0]].action.name} keeps what always holds"
        goals = [(numbers, list(dict.fromkeys(c for n in numbers for c in self._after(n, run))))]
        dropped: set[str] = set()
        core: set[str] = set()
        while goals:
            steps, names = goals.pop()
            goal = [c for c in names if c in candidates]
            if not goal:
                continue
            after = {n: {c: run.after[n, c] for c in goal} for n in steps}
            literals = {c: run.literals[c] for c in candidates}
            is_first_try = len(steps) > 1 or len(goal) > 1  # without an answer its parts are asked
            essential = not is_first_try and candidates[goal[0]].stated is not None
            limit = QUICK if is_first_try else QUESTION if essential else PART
            quick, full = (
                any_of(self._violation(n, after[n].values(), exact) for n in steps) for exact in (False, True)
            )
            reply = run.sessions[0].check(about, [quick], limit, literals, is_first_try=is_first_try)
            if reply.status != UNSAT:
                reply = run.sessions[1].check(about, [full], limit, literals, is_first_try=is_first_try)
            if reply.status == UNSAT:
                core |= reply.core
                continue
            if reply.status == UNKNOWN and len(steps) > 1:
                goals += [([n], goal) for n in steps]  # too much at once
                continue
            if reply.status == UNKNOWN and len(goal) > 1:
                goals += [(steps, [c]) for c in goal]
                continue
            violated = set(goal) if reply.model is None else self._violated_in(reply.model, after)
            for name in violated:
                action = self.steps[steps[0]].action.name
                run.failures[name] = Failure(action, reply.reason, self.approximated.get(action), reply.model)
                del candidates[name]
            dropped |= violated
            goals.append((steps, goal))
        return frozenset(dropped), frozenset(core)

    def _leads_to(self, number: int, violations: Iterable[Truth], exact: bool) -> Truth:
        """Return the formula that a step can be taken and leads to one of some violations."""
        step = self.steps[number]
        definitions = step.definitions if exact else ()
        return conj(*step.facts, step.guard, *definitions, any_of(violations))

    def _violation(self, number: int, after: Iterable[Truth], exact: bool) -> Truth:
        """Return the formula that a step can be taken after which some of these truths fail."""
        return self._leads_to(number, (negate(truth) for truth in after), exact)

    def _violated_in(self, model: Model, after: Mapping[int, Mapping[str, Truth]]) -> set[str]:
        """Return the candidates that a step violates in a model; at least one."""
        out: set[str] = set()
        for n in _true(model, {n: self._violation(n, values.values(), True) for n, values in after.items()}):
            out |= after[n].keys() - _true(model, after[n])
        return out or {name for values in after.values() for name in values}

    def _after(self, number: int, run: _Run) -> dict[str, Truth]:
        """Return the values of the candidates after a step, without those that hold after it for certain."""
        step = self.steps[number]
        changes = self._changed_by(number)
        for name, candidate in run.candidates.items():
            if (number, name) not in run.after:
                if name in run.reads and run.reads[name].isdisjoint(changes):
                    run.after[number, name] = True
                    continue
                try:
                    value = (candidate.goal or candidate.predicate)(step.after)
                except Unsupported:
                    value = False
                run.after[number, name] = True if _same_term(value, run.before[name]) else value
        return {c: value for c in run.candidates if (value := run.after[number, c]) is not True}

    def _changed_by(self, number: int) -> frozenset[str]:
        """Return the parts of a state that a step may change."""
        if number not in self._changes:
            step = self.steps[number]
            self._changes[number] = step.before.differing_parts(step.after)
        return self._changes[number]


def _needed_against(
    about: str,
    violations: Sequence[tuple[Truth, Truth]],
    sessions: Sequence[Session],
    assumptions: Mapping[str, Truth],
) -> frozenset[str] | None:
    """Return which assumptions exclude all violations, of steps of one action. None if it is not shown that they do.

    What is too much for one question is asked in parts.
    """
    needed: set[str] = set()
    waiting = [[*violations]]
    while waiting:
        some = waiting.pop()
        is_last = len(some) <= TOGETHER
        units = PART if is_last else QUICK
        reply = Reply(UNKNOWN)
        for session, question in zip(sessions, zip(*some, strict=True), strict=True):
            reply = session.check(about, [any_of(question)], units, assumptions, is_first_try=not is_last)
            if reply.status == UNSAT or (reply.status == UNKNOWN and not is_last):
                break
        if reply.status == UNSAT:
            needed |= reply.core
        elif reply.status == UNKNOWN and not is_last:
            size = TOGETHER if len(some) <= PARTS * TOGETHER else PARTS * TOGETHER
            waiting += [some[i : i + size] for i in range(0, len(some), size)]
        else:
            return None
    return frozenset(needed)


def checking(candidates: int, action: str) -> str:
    """Return the check in words: that the events of an action preserve so many candidates."""
    return f"checking {many(candidates, 'candidate')} against `{action}`"


def _reads(candidate: Candidate, state: SymbolicState) -> frozenset[str]:
    """Return the parts of a state that a candidate reads."""
    recorder = state.recording_reads()
    with parts_apart(REREAD):  # it was evaluated before, and is evaluated anew
        candidate.predicate(recorder)
    return frozenset(recorder.read)


def _same_term(one: Truth, other: Truth) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one.eq(other))


def _true(model: Model, truths: Mapping[Key, Truth]) -> set[Key]:
    """Return the keys of those truths that hold in a model."""
    values = model.values(list(truths.values()))
    return {key for key, value in zip(truths, values, strict=True) if value is True}
