"""Questions to SMT solvers.

Input: formulas, as z3 terms. Output: whether they can all be true, with a model if they can, or why there is no answer.
Guarantee: each question can be written as an SMT-LIB 2 script that stands alone, and cvc5 can confirm the answers.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import z3

from golpae.prove.symbolic.values import Truth

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"
TIME = "time"  # why there is no answer
FIRST = 5_000  # milliseconds for the first attempt
SHARES = (0.1, 0.2, 0.7)  # of the remaining time, for each of the other attempts


class Disagreement(Exception):
    """Two solvers answer one question differently: a fault of golpae or of a solver."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may cost: `milliseconds`, and `megabytes` of the whole process."""

    milliseconds: int = 60_000
    megabytes: int = 2_000


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a question: `status` is `sat` with a model, `unsat`, or `unknown` with a reason.

    The reason is time, memory or the solver's own words. If `unsat`, `core` names the assumptions that the proof needs.
    """

    status: str
    model: Any = None
    reason: str = ""
    core: frozenset[str] = frozenset()


@dataclass(slots=True)
class Solver:
    """Puts questions to z3, and to cvc5 if `crosscheck` is set.

    `smt2` is the folder that questions are written to. `queries` counts questions, `confirmed` those that cvc5 answered
    alike; `unconfirmed` lists those that it did not answer. `paused` is the time, in seconds, for writing questions and
    for cvc5.
    """

    limits: Limits = Limits()
    smt2: Path | None = None
    crosscheck: bool = False
    prefix: str = ""
    queries: int = 0
    confirmed: int = 0
    unconfirmed: list[str] = field(default_factory=list)
    paused: float = 0.0

    @property
    def clock(self) -> float:
        """A time in seconds that stands still while questions are written or confirmed."""
        return time.monotonic() - self.paused

    @contextmanager
    def paused_clock(self) -> Iterator[None]:
        """Stop the clock within the block."""
        begin = time.monotonic()
        try:
            yield
        finally:
            self.paused += time.monotonic() - begin

    def check(self, about: str, formulas: Iterable[Truth], milliseconds: int | None = None) -> Reply:
        """Return whether these formulas can all be true. Raises `Disagreement`."""
        return self.session(()).check(about, formulas, milliseconds)

    def session(self, premises: Iterable[Truth], broad: bool = False) -> Session:
        """Return a session for many questions that share premises, which the solver reads once.

        With `broad` the solver assigns all variables at once, not those that seem relevant first. This is faster if
        most questions are satisfiable and the formulas are wide rather than deep.
        """
        return Session(self, premises, broad)

    def unsat_core(
        self, about: str, formulas: Sequence[Truth], assumptions: Mapping[str, Any]
    ) -> tuple[str, ...]:
        """Return the names of a minimal set of assumptions that contradict these formulas; () if there is no answer.

        `assumptions` are literals by name.
        """
        self.queries += 1
        solver = z3.Solver()
        solver.set("timeout", self.limits.milliseconds)
        solver.set("core.minimize", True)
        solver.add(*formulas)
        if self.smt2 is not None or self.crosscheck:
            with self.paused_clock():
                alone = z3.Solver()
                alone.add(*formulas, *assumptions.values())
                text = str(alone.to_smt2())
                self.write(about, text)
                self.confirm(about, text, UNSAT)
        if str(solver.check(*assumptions.values())) != UNSAT:
            return ()
        return tuple(sorted(_core(solver, assumptions)))

    def write(self, about: str, text: str) -> None:
        """Write a question to the folder for questions, if there is one."""
        if self.smt2 is None:
            return
        self.smt2.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^A-Za-z0-9._+-]+", "-", f"{self.prefix}{self.queries:05d}-{about}")[:150]
        path = self.smt2 / f"{name}.smt2"
        partial = path.with_suffix(".part")
        partial.write_text(f"; {about}\n{_script(text)}", encoding="utf-8")
        partial.replace(path)

    def confirm(self, about: str, text: str, status: str) -> None:
        """Put a question to cvc5 as well, if `crosscheck` is set. Raises `Disagreement`."""
        if not self.crosscheck:
            return
        other = cvc5_status(_script(text), self.limits.milliseconds)
        if other in (SAT, UNSAT):
            if other != status:
                raise Disagreement(f"{about}: z3 says {status}, cvc5 says {other}")
            self.confirmed += 1
        else:
            self.unconfirmed.append(about)


class Session:
    """Questions that share premises."""

    def __init__(self, solver: Solver, premises: Iterable[Truth], broad: bool = False) -> None:
        self._owner = solver
        self._broad = broad
        self._z3 = self._new()
        self._contradictory = False
        self._has_premises = False
        self._is_used = False
        self.add(premises)

    def add(self, premises: Iterable[Truth]) -> None:
        """Add premises."""
        for premise in premises:
            if premise is False:
                self._contradictory = True
            elif premise is not True:
                self._has_premises = True
                self._z3.add(premise)

    def check(
        self,
        about: str,
        formulas: Iterable[Truth],
        milliseconds: int | None = None,
        assumptions: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return whether the premises, formulas and assumption literals can be true together. Raises `Disagreement`."""
        assumptions = assumptions or {}
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
        most = owner.limits.milliseconds
        if milliseconds is not None:
            most = min(milliseconds, most)
        if self._is_used and not self._has_premises:
            self._z3 = self._new()  # earlier questions are not premises
        self._is_used = True
        solver = self._z3
        if self._has_premises:
            solver.push()  # from now on the solver learns from one question for the next
        solver.add(*terms)
        try:
            with owner.paused_clock():
                needs_text = owner.smt2 is not None or owner.crosscheck
                text = self._text(assumptions.values()) if needs_text else ""
                owner.write(about, text)
            reply = _check(solver, min(most, FIRST), assumptions)
            if reply.reason == TIME and most > FIRST:
                reply = self._retry(solver.assertions(), most - FIRST, assumptions)
            if reply.status != UNKNOWN:
                with owner.paused_clock():
                    owner.confirm(about, text, reply.status)
            return reply
        finally:
            if self._has_premises:
                solver.pop()

    def _new(self) -> z3.Solver:
        solver = z3.Solver()
        solver.set("max_memory", self._owner.limits.megabytes)
        if self._broad:
            solver.set("relevancy", 0)
            solver.set("arith.solver", 2)
        return solver

    def _text(self, assumptions: Iterable[Any]) -> str:
        alone = z3.Solver()
        alone.add(*self._z3.assertions(), *assumptions)
        return str(alone.to_smt2())

    def _retry(self, formulas: Iterable[Any], milliseconds: int, assumptions: Mapping[str, Any]) -> Reply:
        """Put the same question to new solvers with other seeds, because chance decides much."""
        reply = Reply(UNKNOWN, None, TIME)
        for seed, share in enumerate(SHARES, 1):
            solver = self._new()
            solver.set("random_seed", seed)
            solver.add(*formulas)
            reply = _check(solver, int(milliseconds * share), assumptions)
            if reply.reason != TIME:
                break
        return reply


def _check(solver: z3.Solver, milliseconds: int, assumptions: Mapping[str, Any]) -> Reply:
    solver.set("timeout", milliseconds)
    try:
        status = str(solver.check(*assumptions.values()))
    except z3.Z3Exception as fault:
        return Reply(UNKNOWN, None, _reason(str(fault)))
    if status == UNKNOWN:
        return Reply(UNKNOWN, None, _reason(solver.reason_unknown()))
    if status == SAT:
        return Reply(SAT, solver.model())
    return Reply(UNSAT, core=_core(solver, assumptions) if assumptions else frozenset())


def _core(solver: z3.Solver, assumptions: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the assumptions in the unsatisfiable core."""
    names = {literal.get_id(): name for name, literal in assumptions.items()}
    return frozenset(names[literal.get_id()] for literal in solver.unsat_core())


def _script(text: str) -> str:
    """Return a question with its logic, which cvc5 requires."""
    return "(set-logic ALL)\n" + text


def _reason(words: str) -> str:
    """Return why the solver has no answer, from its own words."""
    if "timeout" in words or "canceled" in words:
        return TIME
    if "memory" in words:
        return "memory"
    return f"the solver: {words}"


def has_cvc5() -> bool:
    """Return whether cvc5 is installed."""
    return find_spec("cvc5") is not None


def cvc5_status(text: str, milliseconds: int) -> str:
    """Return cvc5's answer to an SMT-LIB 2 script: sat, unsat, unknown or an error."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(milliseconds))
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


def versions(crosscheck: bool = False) -> dict[str, str]:
    """Return the versions of the solvers in use."""
    out = {"z3": z3.get_version_string()}
    if crosscheck and has_cvc5():
        from importlib.metadata import version

        out["cvc5"] = version("cvc5")
    return out
