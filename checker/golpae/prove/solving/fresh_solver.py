"""A z3 solver in a context of its own, asked by z3's C functions.

Input: terms of the main context. Output: what z3 answers, as it says it.
Guarantee: the same calls in the same order have the same answers, whatever else was asked of other solvers, and however
busy the machine is.

It is a `SimpleSolver`. A `Solver` tries several tactics in turn on a question that it gets in one piece, and gives some
of them up after seconds; what it answers, and with which units of work, then depends on the load.

z3's Python functions make an object of each term that is translated and check its sort. For short questions that takes
longer than the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from golpae.prove.solving.model import Model

WORK = "rlimit count"  # what z3 calls the units of its work


class FreshSolver:
    """A solver in a new context; `solver` in place of the usual one."""

    def __init__(self, solver: z3.Solver | None = None) -> None:
        self.z3 = z3.SimpleSolver(ctx=z3.Context()) if solver is None else solver
        self._ref = self.z3.ctx.ref()
        self._literals: dict[str, Any] = {}  # those of assumptions, in this context

    def add(self, terms: Sequence[Any]) -> None:
        """Assert terms. What they share, they share in this context."""
        made = _vector(terms).translate(self.z3.ctx)
        for number in range(len(terms)):
            z3.Z3_solver_assert(
                self._ref, self.z3.solver, z3.Z3_ast_vector_get(self._ref, made.vector, number)
            )

    def limit(self, units: int) -> None:
        """Say how much work an answer may take from now on."""
        self.z3.set("rlimit", units)

    def check(self, assumptions: Mapping[str, Any]) -> tuple[str, str]:
        """Return whether all can be true together with these literals, and why there is no answer if there is none."""
        new = [name for name in assumptions if name not in self._literals]
        made = _vector([assumptions[name] for name in new]).translate(self.z3.ctx)
        self._literals.update(zip(new, made, strict=True))
        literals = (z3.Ast * len(assumptions))(*[self._literals[name].ast for name in assumptions])
        code = z3.Z3_solver_check_assumptions(self._ref, self.z3.solver, len(assumptions), literals)
        return str(z3.CheckSatResult(code)), self.z3.reason_unknown()

    def core(self, assumptions: Mapping[str, Any]) -> frozenset[str]:
        """Return the names of the assumptions in the unsatisfiable core of the last answer."""
        names = {self._literals[name].get_id(): name for name in assumptions}
        return frozenset(names[literal.get_id()] for literal in self.z3.unsat_core())

    def model(self) -> Model:
        """Return the model of the last answer."""
        return Model(self.z3.model())

    @property
    def work(self) -> int:
        """The units of work until now."""
        return int(self.z3.statistics().get_key_value(WORK))


def _vector(terms: Sequence[Any]) -> z3.AstVector:
    vector = z3.AstVector()
    for term in terms:
        vector.push(term)
    return vector
