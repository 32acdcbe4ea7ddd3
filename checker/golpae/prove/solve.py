"""Questions to solvers.

In: truths that should hold together, as z3 terms. Out: whether they can, with a model where they can, or why
there is no answer. Each question can be written down as SMT-LIB 2 that stands alone, and put to cvc5 as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import z3

from golpae.prove.algebra import Truth

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"


class Disagreement(Exception):
    """Two solvers answer one question differently: a fault of golpae, or of one of them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may cost: `milliseconds`, and `megabytes` of the whole process."""

    milliseconds: int = 60_000
    megabytes: int = 2_000


@dataclass(frozen=True, slots=True)
class Reply:
    """`sat` with a model, `unsat`, or `unknown` with the reason: time, memory, or what the solver says."""

    said: str
    model: Any = None
    reason: str = ""


@dataclass(slots=True)
class Solver:
    """Puts questions to z3, and to cvc5 where `crosscheck` is set.

    `smt2` is the folder that questions are written to. `asked` counts questions, `agreed` those that cvc5
    answered alike, `silent` tells of those that it gave no answer to.
    """

    limits: Limits = Limits()
    smt2: Path | None = None
    crosscheck: bool = False
    prefix: str = ""
    asked: int = 0
    agreed: int = 0
    silent: list[str] = field(default_factory=list)

    def ask(self, about: str, truths: Iterable[Truth], milliseconds: int | None = None) -> Reply:
        """Whether these truths can hold together. Raises `Disagreement`."""
        wanted = []
        for truth in truths:
            if truth is False:
                return Reply(UNSAT)
            if truth is not True:
                wanted.append(truth)
        self.asked += 1
        solver = z3.Solver()
        solver.set("timeout", min(milliseconds or self.limits.milliseconds, self.limits.milliseconds))
        solver.set("max_memory", self.limits.megabytes)
        solver.add(*wanted)
        text = solver.to_smt2() if self.smt2 is not None or self.crosscheck else ""
        if self.smt2 is not None:
            self._write(about, text)
        try:
            said = str(solver.check())
        except z3.Z3Exception as fault:
            return Reply(UNKNOWN, None, _reason(str(fault)))
        if said == UNKNOWN:
            return Reply(UNKNOWN, None, _reason(solver.reason_unknown()))
        if self.crosscheck:
            self._again(about, text, said)
        return Reply(said, solver.model() if said == SAT else None)

    def used(self, about: str, truths: Iterable[Truth], marks: Mapping[str, Any]) -> tuple[str, ...]:
        """Of truths that cannot hold together, the marked ones that this takes; () where they can, or no answer."""
        self.asked += 1
        solver = z3.Solver()
        solver.set("timeout", self.limits.milliseconds)
        solver.set("core.minimize", True)
        solver.add(*truths)
        if str(solver.check(*marks.values())) != UNSAT:
            return ()
        names = {mark.get_id(): name for name, mark in marks.items()}
        return tuple(sorted(names[m.get_id()] for m in solver.unsat_core()))

    def _write(self, about: str, text: str) -> None:
        assert self.smt2 is not None
        self.smt2.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^A-Za-z0-9._+-]+", "-", f"{self.prefix}{self.asked:05d}-{about}")[:150]
        path = self.smt2 / f"{name}.smt2"
        beside = path.with_suffix(".part")
        beside.write_text(f"; {about}\n{_alone(text)}", encoding="utf-8")
        beside.replace(path)

    def _again(self, about: str, text: str, said: str) -> None:
        other = cvc5_says(_alone(text), self.limits.milliseconds)
        if other in (SAT, UNSAT):
            if other != said:
                raise Disagreement(f"{about}: z3 says {said}, cvc5 says {other}")
            self.agreed += 1
        else:
            self.silent.append(about)


def _alone(text: str) -> str:
    """A question with the logic it is in, which cvc5 wants to know."""
    return "(set-logic ALL)\n" + text


def _reason(said: str) -> str:
    if "timeout" in said or "canceled" in said:
        return "time"
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
