"""Questions to SMT solvers.

Input: formulas, as z3 terms. Output: whether they can all be true, with a model if they can, or why there is no answer.
Guarantee: the answer to a question depends on its formulas and on the version of the solver alone. Each question, or
session of questions, goes to a context of its own, and units of the solver's work bound it, not seconds: it has the
same answer after any other question, on any machine, under any load. Each question can be written as an SMT-LIB 2
script that stands alone, and cvc5 can confirm the answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import z3

from golpae.prove.solving.fresh_solver import FreshSolver
from golpae.prove.solving.model import Model
from golpae.prove.solving.script import numeral
from golpae.prove.symbolic.values import Truth, implies
from golpae.workers import OUT_OF_MEMORY, tell_question

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"
OUT_OF_EFFORT = "out of effort"  # why there is no answer
MILLION = 1_000_000  # units of z3's work: what it does in 0.2 to 1 seconds
QUESTION = 200 * MILLION  # for one question, all attempts together
FIRST = 20 * MILLION  # for the first attempt
SHARES = (0.1, 0.2, 0.7)  # of what remains, for each of the other attempts
MEMORY = "memory"  # in what z3 says if it may use no more
HIGHEST = 2**32 - 1  # units that z3 can count
NO_STATUS = "(set-info :status unknown)"  # what z3 writes in each script
DECLARED = re.compile(r"^\(declare-fun (?:\|([^|]+)\||(\S+)) \(\)", re.MULTILINE)  # a symbol in z3's scripts
CROSSCHECK = 15 * MILLION  # units of cvc5's work for a question; it does 0.1 to 0.5 million in a second
OUTER = 600_000  # milliseconds for a question to cvc5, whatever it counts


class SolverDisagreement(Exception):
    """Two solvers answer one question differently: a fault of golpae or of a solver."""


class LimitReached(Exception):
    """An outer limit, of seconds or of megabytes, is exceeded. That decides nothing; the message says which."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What questions may cost: `effort` scales the units of each, which are at most `most` without it. One that
    stands for several may cost as much as they.

    `megabytes` are those of the whole process. `seed` decides what the solver leaves to chance.
    """

    effort: float = 1
    megabytes: int = 2_000
    most: int = QUESTION
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a question: `status` is `sat` with a model, `unsat`, or `unknown` with a reason.

    The reason is `OUT_OF_EFFORT` or the solver's own words. If `unsat`, `core` names the assumptions that the proof
    needs.
    """

    status: str
    model: Model | None = None
    reason: str = ""
    core: frozenset[str] = frozenset()

    @property
    def satisfied_by(self) -> Model:
        """The model of a reply whose status is `sat`."""
        assert self.model is not None
        return self.model


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer, sat or unsat."""

    about: str
    formulas: tuple[Truth, ...]
    status: str


@dataclass(slots=True)
class Solver:
    """Puts questions to z3, and to cvc5 if `crosscheck` is set.

    `smt2` is the folder that questions are written to. `queries` counts questions, `written` those that
    were written to it, `confirmed` those that cvc5 answered
    alike; `unconfirmed` lists those that it did not answer. `spent` counts the units of all questions; for the same
    questions it is the same number. `fullest` is the largest part of its units that an answered question has used, and
    what it was about; first tries do not count. `answered` collects questions with their answers, if it is a list.
    """

    limits: Limits = Limits()
    smt2: Path | None = None
    crosscheck: bool = False
    prefix: str = ""
    queries: int = 0
    written: int = 0
    confirmed: int = 0
    unconfirmed: list[str] = field(default_factory=list)
    spent: int = 0
    fullest: tuple[float, str] = (0.0, "")
    answered: list[Answered] | None = None

    def check(self, about: str, formulas: Iterable[Truth], units: int = QUESTION) -> Reply:
        """Return whether these formulas can all be true. Raises `SolverDisagreement` and `LimitReached`."""
        return self.session(()).check(about, formulas, units)

    def session(
        self, premises: Iterable[Truth], broad: bool = False, tracked: Tracked | None = None
    ) -> Session:
        """Return a session for many questions that share premises, which the solver reads once.

        What the solver learns from one question helps with the next one, so a session is one question in many parts:
        the same parts in the same order have the same answers. With `broad` the solver assigns all variables at once,
        not those that seem relevant first. This is faster if most questions are satisfiable and the formulas are wide
        rather than deep. `tracked` are premises of which it notes which ones the answers need.
        """
        return Session(self, premises, broad, tracked)

    def scaled(self, units: float) -> int:
        """Return how many units these are with the effort of the limits."""
        return max(1, int(units * self.limits.effort))

    def unsat_core(
        self, about: str, formulas: Sequence[Truth], assumptions: Mapping[str, Any]
    ) -> tuple[str, ...]:
        """Return the names of a minimal set of assumptions that contradict these formulas; () if there is no answer.

        `assumptions` are literals by name.
        """
        session = self.session(formulas)
        return tuple(sorted(session.check(about, (), assumptions=assumptions, minimal=True).core))

    def write(self, about: str, script: str, status: str) -> None:
        """Write a question with its answer to the folder for questions, if there is one."""
        if self.smt2 is None:
            return
        self.smt2.mkdir(parents=True, exist_ok=True)
        self.written += 1
        answered = script.replace(NO_STATUS, f"(set-info :status {status})", 1)
        script = f"; {self.prefix}{about}\n{answered}"
        # Another question of this table may have this number and these words.
        digest = sha256(script.encode()).hexdigest()[:12]
        name = re.sub(r"[^A-Za-z0-9._+-]+", "-", f"{self.prefix}{self.written:05d}-{about}")[:150]
        path = self.smt2 / f"{name}-{digest}.smt2"
        partial = path.with_suffix(".part")
        partial.write_text(script, encoding="utf-8")
        partial.replace(path)

    def confirm(self, about: str, script: str, reply: Reply) -> None:
        """Put a question to cvc5 as well, if `crosscheck` is set. Raises `SolverDisagreement`.

        Where all can be true, cvc5 is first asked whether they are with the values that z3 found, since it may look
        long for values of its own. If it does not say so, it is asked without them.
        """
        if not self.crosscheck:
            return
        status, other = reply.status, UNKNOWN
        if reply.model is not None:
            other = cvc5_status(_with_values(script, reply.model), self.limits.effort)
        if other != SAT:
            other = cvc5_status(script, self.limits.effort)
        if other in (SAT, UNSAT):
            if other != status:
                raise SolverDisagreement(f"{about}: z3 says {status}, cvc5 says {other}")
            self.confirmed += 1
        else:
            self.unconfirmed.append(about)


@dataclass(frozen=True, slots=True)
class Tracked:
    """Premises by name, and the names of those that unsatisfiable questions needed until now."""

    premises: Mapping[str, Truth]
    needed: set[str]

    @property
    def literals(self) -> dict[str, Any]:
        """Return for each premise the literal that it follows from."""
        return {name: z3.Bool(f"premise {name}") for name in self.premises}


class Session:
    """Questions that share premises, in a context of their own."""

    def __init__(
        self,
        solver: Solver,
        premises: Iterable[Truth],
        broad: bool = False,
        tracked: Tracked | None = None,
    ) -> None:
        self._owner = solver
        self._broad = broad
        self._tracked = tracked
        self._literals = {} if tracked is None else tracked.literals
        if tracked is not None:
            premises = [
                *premises,
                *(implies(self._literals[n], truth) for n, truth in tracked.premises.items()),
            ]
        self._premises: list[Any] = []
        self._z3: FreshSolver | None = None
        self._contradictory = False
        for premise in premises:
            if premise is False:
                self._contradictory = True
            elif premise is not True:
                self._premises.append(premise)

    def check(
        self,
        about: str,
        formulas: Iterable[Truth],
        units: int = QUESTION,
        assumptions: Mapping[str, Any] | None = None,
        minimal: bool = False,
        stands_for: int = 1,
        is_first_try: bool = False,
    ) -> Reply:
        """Return whether the premises, formulas and assumption literals can be true together.

        With `minimal`, no assumption of the core can be left out. A question that `stands_for` several may cost as much
        as they. After a first try without an answer the same is asked otherwise and with more units, so what a first
        try uses of its own does not count in `fullest`. Raises `SolverDisagreement` and `LimitReached`.
        """
        if self._contradictory:
            return Reply(UNSAT)
        terms = []
        for formula in formulas:
            if formula is False:
                return Reply(UNSAT)
            if formula is not True:
                terms.append(formula)
        owner = self._owner
        owner.queries += 1
        literals = {**self._literals, **(assumptions or {})}
        script = ""
        if owner.smt2 is not None or owner.crosscheck:
            script = _script([*self._premises, *terms, *literals.values()])
        spent = owner.spent
        status = UNKNOWN
        try:
            reply = self._ask(terms, units, stands_for, literals, minimal)
            status = reply.status
        finally:
            owner.write(about, script, status)
        if self._tracked is not None:
            self._tracked.needed.update(reply.core & self._tracked.premises.keys())
        if reply.status != UNKNOWN:
            if not is_first_try:
                share = (owner.spent - spent) / owner.scaled(stands_for * min(units, owner.limits.most))
                owner.fullest = max(owner.fullest, (round(share, 3), about))
            owner.confirm(about, script, reply)
            if owner.answered is not None:
                formulas = (*self._premises, *terms, *literals.values())
                owner.answered.append(Answered(about, formulas, reply.status))
        return reply

    def _ask(
        self, terms: list[Any], units: int, stands_for: int, literals: Mapping[str, Any], minimal: bool
    ) -> Reply:
        units = min(units, self._owner.limits.most)
        tell_question()
        if self._z3 is None or not self._premises:
            self._z3 = self._new(0)  # without premises, questions have nothing in common
        solver = self._z3
        if self._premises:
            solver.z3.push()  # from now on the solver learns from one question for the next
        try:
            reply = self._attempt(solver, terms, stands_for * min(units, FIRST), literals, minimal)
        finally:
            if self._premises:
                solver.z3.pop()
        if (
            units > FIRST
        ):  # put the same question to new solvers with other seeds, because chance decides much
            for seed, share in enumerate(SHARES, 1):
                if reply.reason != OUT_OF_EFFORT:
                    break
                left = stands_for * (units - FIRST)
                reply = self._attempt(self._new(seed), terms, left * share, literals, minimal)
        return reply

    def _new(self, seed: int) -> FreshSolver:
        """Return a solver in a new context that knows the premises."""
        solver = FreshSolver()
        solver.z3.set("max_memory", self._owner.limits.megabytes)
        if self._broad:
            solver.z3.set("relevancy", 0)
            solver.z3.set("arith.solver", 2)
        seed += self._owner.limits.seed * (len(SHARES) + 1)
        if seed:
            solver.z3.set("random_seed", seed)
        solver.add(self._premises)
        return solver

    def _attempt(
        self, solver: FreshSolver, terms: list[Any], units: float, literals: Mapping[str, Any], minimal: bool
    ) -> Reply:
        owner = self._owner
        solver.add(terms)
        if minimal:
            solver.z3.set("core.minimize", True)
        solver.z3.set("rlimit", min(HIGHEST, owner.scaled(units)))
        before = solver.work
        try:
            status, reason = solver.check(literals)
        except z3.Z3Exception as fault:
            status, reason = UNKNOWN, str(fault)
        owner.spent += solver.work - before
        if status == UNKNOWN:
            return Reply(UNKNOWN, None, _reason(reason))
        if status == SAT:
            return Reply(SAT, solver.model())
        return Reply(UNSAT, core=solver.core(literals) if literals else frozenset())


def read_back(formulas: Sequence[Any]) -> list[Any]:
    """Return formulas as the solver reads them from their text, which holds nothing of how they were made.

    Quantifiers that were made term by term keep more than their text says, and chance then decides much.
    """
    return list(z3.parse_smt2_string(str(_alone(formulas).to_smt2())))


def _alone(terms: Iterable[Any]) -> z3.Solver:
    """Return a solver that knows these terms and nothing else, so that its text depends on them alone.

    z3 puts sums within quantifiers in the order in which their parts came into the context, so it is a new one.
    """
    alone = FreshSolver()
    alone.add(list(terms))
    return alone.z3


def _script(terms: Iterable[Any]) -> str:
    """Return terms as a script, with their logic.

    cvc5 takes minutes instead of a second for some questions if it is not told that they are linear.
    """
    alone = _alone(terms)
    goal = z3.Goal(ctx=alone.ctx)
    goal.add(alone.assertions())
    logic = "ALL"
    if z3.Probe("is-lia", ctx=alone.ctx)(goal):
        logic = "LIA" if z3.Probe("has-quantifiers", ctx=alone.ctx)(goal) else "QF_LIA"
    return f"(set-logic {logic})\n{alone.to_smt2()}"


def _with_values(script: str, model: Model) -> str:
    """Return a script that also says which values the unknown truths and numbers in it have."""
    declared = {bare or name for bare, name in DECLARED.findall(script)}
    values = [
        f"(assert (= |{name}| {str(value).lower() if isinstance(value, bool) else numeral(value)}))\n"
        for name, value in model.constants()
        if name in declared
    ]
    before, check, after = script.rpartition("(check-sat)")
    return before + "".join(values) + check + after


def _reason(words: str) -> str:
    """Return why the solver has no answer, from its own words. Raises `LimitReached`."""
    if MEMORY in words:
        raise LimitReached(OUT_OF_MEMORY)
    if "resource" in words or "canceled" in words:
        return OUT_OF_EFFORT
    return f"the solver: {words}"


def is_out_of_memory(fault: Exception) -> bool:
    """Return whether an exception says that the solver may use no more memory: also while formulas are made."""
    return isinstance(fault, z3.Z3Exception) and MEMORY in str(fault)


def z3_status(text: str, limits: Limits = Limits()) -> str:
    """Return z3's answer to an SMT-LIB 2 script of assertions: sat, unsat or unknown. Raises `LimitReached`.

    As for any question, new solvers with other seeds try it again, within counted units.
    """
    for seed, share in enumerate((FIRST / QUESTION, *SHARES)):
        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.set("max_memory", limits.megabytes)
        if seed:
            solver.set("random_seed", seed)
        solver.set("rlimit", max(1, min(HIGHEST, int(QUESTION * limits.effort * share))))
        try:
            solver.from_string(text)
            status = str(solver.check())
        except z3.Z3Exception as fault:
            return f"error: {' '.join(str(fault).split())[:200]}"
        if status != UNKNOWN or _reason(solver.reason_unknown()) != OUT_OF_EFFORT:
            return status
    return UNKNOWN


def has_cvc5() -> bool:
    """Return whether cvc5 is installed."""
    return find_spec("cvc5") is not None


def cvc5_status(text: str, effort: float) -> str:
    """Return cvc5's answer to an SMT-LIB 2 script, within counted units: sat, unsat, unknown or an error."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("rlimit-per", str(max(1, round(CROSSCHECK * effort))))
    solver.setOption("tlimit-per", str(max(1, round(OUTER * effort))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols = parser.getSymbolManager()
    status = UNKNOWN
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return status
        output = str(command.invoke(solver, symbols)).strip()
        if output in (SAT, UNSAT):
            status = output
        elif "error" in output:
            return f"error: {output}"
