"""Questions to solvers.

In: truths that should hold together, as z3 terms. Out: whether they can, with a model where they can, or why
there is no answer. Each question can be written down as SMT-LIB 2 that stands alone, and put to cvc5 as well.
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
FIRST = 5_000  # milliseconds for a question, before it is put to others
SHARES = (0.1, 0.2, 0.7)  # of the time that is left, for one after the other of them


class Disagreement(Exception):
    """Two solvers answer one question differently: a fault of golpae, or of one of them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may cost: `milliseconds`, and `megabytes` of the whole process."""

    milliseconds: int = 60_000
    megabytes: int = 2_000


@dataclass(frozen=True, slots=True)
class Reply:
    """`sat` with a model, `unsat`, or `unknown` with the reason: time, memory, or what the solver says.

    `used` are the marks of truths that it took for `unsat`, others may be left out.
    """

    said: str
    model: Any = None
    reason: str = ""
    used: frozenset[str] = frozenset()


@dataclass(slots=True)
class Solver:
    """Puts questions to z3, and to cvc5 where `crosscheck` is set.

    `smt2` is the folder that questions are written to. `asked` counts questions, `agreed` those that cvc5
    answered alike, `silent` tells of those that it gave no answer to. `beside` are the seconds that writing
    questions and asking cvc5 took.
    """

    limits: Limits = Limits()
    smt2: Path | None = None
    crosscheck: bool = False
    prefix: str = ""
    asked: int = 0
    agreed: int = 0
    silent: list[str] = field(default_factory=list)
    beside: float = 0.0

    @property
    def clock(self) -> float:
        """Seconds that go on while a proof is made, but not while it is only written down or checked."""
        return time.monotonic() - self.beside

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What takes no time of the proof."""
        begin = time.monotonic()
        try:
            yield
        finally:
            self.beside += time.monotonic() - begin

    def ask(self, about: str, truths: Iterable[Truth], milliseconds: int | None = None) -> Reply:
        """Whether these truths can hold together. Raises `Disagreement`."""
        return self.session(()).ask(about, truths, milliseconds)

    def session(self, known: Iterable[Truth], broad: bool = False) -> Session:
        """Many questions with the same truths to start from, which the solver takes in once.

        With `broad` it settles all that is unknown at once, not what seems to matter first: quicker where nearly all
        questions can be so, of formulas that are wide rather than deep.
        """
        return Session(self, known, broad)

    def used(self, about: str, truths: Sequence[Truth], marks: Mapping[str, Any]) -> tuple[str, ...]:
        """Of truths that cannot hold together, the marked ones that this takes; () where they can, or no answer."""
        self.asked += 1
        solver = z3.Solver()
        solver.set("timeout", self.limits.milliseconds)
        solver.set("core.minimize", True)
        solver.add(*truths)
        if self.smt2 is not None or self.crosscheck:
            with self.aside():
                alone = z3.Solver()
                alone.add(*(t for t in truths), *marks.values())
                text = str(alone.to_smt2())
                self.write(about, text)
                self.again(about, text, UNSAT)
        if str(solver.check(*marks.values())) != UNSAT:
            return ()
        names = {mark.get_id(): name for name, mark in marks.items()}
        return tuple(sorted(names[m.get_id()] for m in solver.unsat_core()))

    def write(self, about: str, text: str) -> None:
        """Write a question down, where that is wanted."""
        if self.smt2 is None:
            return
        self.smt2.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^A-Za-z0-9._+-]+", "-", f"{self.prefix}{self.asked:05d}-{about}")[:150]
        path = self.smt2 / f"{name}.smt2"
        beside = path.with_suffix(".part")
        beside.write_text(f"; {about}\n{_alone(text)}", encoding="utf-8")
        beside.replace(path)

    def again(self, about: str, text: str, said: str) -> None:
        """Put a question to cvc5 too, where that is wanted. Raises `Disagreement`."""
        if not self.crosscheck:
            return
        other = cvc5_says(_alone(text), self.limits.milliseconds)
        if other in (SAT, UNSAT):
            if other != said:
                raise Disagreement(f"{about}: z3 says {said}, cvc5 says {other}")
            self.agreed += 1
        else:
            self.silent.append(about)


class Session:
    """Questions that start from the same truths."""

    def __init__(self, solver: Solver, known: Iterable[Truth], broad: bool = False) -> None:
        self._of = solver
        self._broad = broad
        self._z3 = self._new()
        self._never = False
        self._shared = False
        self._used = False
        self.know(known)

    def know(self, truths: Iterable[Truth]) -> None:
        """Start from these truths too."""
        for truth in truths:
            if truth is False:
                self._never = True
            elif truth is not True:
                self._shared = True
                self._z3.add(truth)

    def ask(
        self,
        about: str,
        truths: Iterable[Truth],
        milliseconds: int | None = None,
        marks: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Whether these truths, and the marked ones, can hold together with what is known. Raises `Disagreement`."""
        marks = marks or {}
        if self._never:
            return Reply(UNSAT)
        wanted = []
        for truth in truths:
            if truth is False:
                return Reply(UNSAT)
            if truth is not True:
                wanted.append(truth)
        of = self._of
        of.asked += 1
        most = of.limits.milliseconds
        if milliseconds is not None:
            most = min(milliseconds, most)
        if self._used and not self._shared:
            self._z3 = self._new()  # what was asked before does not count
        self._used = True
        solver = self._z3
        if self._shared:
            solver.push()  # from now on it learns from one question for the next
        solver.add(*wanted)
        try:
            with of.aside():
                text = self._written(marks.values()) if of.smt2 is not None or of.crosscheck else ""
                of.write(about, text)
            reply = _asked(solver, min(most, FIRST), marks)
            if reply.reason == TIME and most > FIRST:
                reply = self._otherwise(solver.assertions(), most - FIRST, marks)
            if reply.said != UNKNOWN:
                with of.aside():
                    of.again(about, text, reply.said)
            return reply
        finally:
            if self._shared:
                solver.pop()

    def _new(self) -> z3.Solver:
        solver = z3.Solver()
        solver.set("max_memory", self._of.limits.megabytes)
        if self._broad:
            solver.set("relevancy", 0)
            solver.set("arith.solver", 2)
        return solver

    def _written(self, wanted: Iterable[Any]) -> str:
        alone = z3.Solver()
        alone.add(*self._z3.assertions(), *wanted)
        return str(alone.to_smt2())

    def _otherwise(self, truths: Iterable[Any], milliseconds: int, marks: Mapping[str, Any]) -> Reply:
        """The same question to solvers that have learned nothing yet and begin elsewhere: chance decides much."""
        reply = Reply(UNKNOWN, None, TIME)
        for turn, share in enumerate(SHARES, 1):
            solver = self._new()
            solver.set("random_seed", turn)
            solver.add(*truths)
            reply = _asked(solver, int(milliseconds * share), marks)
            if reply.reason != TIME:
                break
        return reply


def _asked(solver: z3.Solver, milliseconds: int, marks: Mapping[str, Any]) -> Reply:
    solver.set("timeout", milliseconds)
    try:
        said = str(solver.check(*marks.values()))
    except z3.Z3Exception as fault:
        return Reply(UNKNOWN, None, _reason(str(fault)))
    if said == UNKNOWN:
        return Reply(UNKNOWN, None, _reason(solver.reason_unknown()))
    if said == SAT:
        return Reply(SAT, solver.model())
    names = {mark.get_id(): name for name, mark in marks.items()}
    core = solver.unsat_core() if marks else ()
    return Reply(UNSAT, used=frozenset(names[m.get_id()] for m in core))


def _alone(text: str) -> str:
    """A question with the logic it is in, which cvc5 wants to know."""
    return "(set-logic ALL)\n" + text


def _reason(said: str) -> str:
    if "timeout" in said or "canceled" in said:
        return TIME
    if "memory" in said:
        return "memory"
    return f"the solver: {said}"


def has_cvc5() -> bool:
    return find_spec("cvc5") is not None


def cvc5_says(text: str, milliseconds: int) -> str:
    """What cvc5 answers to a question in SMT-LIB 2: sat, unsat or unknown."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(milliseconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols = parser.getSymbolManager()
    answer = UNKNOWN
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return answer
        found = str(command.invoke(solver, symbols)).strip()
        if found in (SAT, UNSAT):
            answer = found
        elif "error" in found:
            return f"error: {found}"


def versions(crosscheck: bool = False) -> dict[str, str]:
    """The solvers and their versions."""
    out = {"z3": z3.get_version_string()}
    if crosscheck and has_cvc5():
        from importlib.metadata import version

        out["cvc5"] = version("cvc5")
    return out
