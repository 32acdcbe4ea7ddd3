"""Decides an obligation, and which of its hypotheses the answer needs.

Input: an obligation. Output: the numbers of hypotheses from which its goals follow, or None if the solver does not show
that they do. Guarantee: it is the negated goals together with exactly these hypotheses that cannot be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3

from golpae.prove.induction.houdini import QUICK
from golpae.prove.solving.obligation import Hypothesis, Obligation, Role
from golpae.prove.solving.script import ScriptWriter
from golpae.prove.solving.solver import QUESTION, UNSAT, Session, Solver
from golpae.prove.symbolic.values import Truth, any_of, implies, negate


class Reducer:
    """Decides obligations; those of one proof, which share hypotheses, go to the same sessions of the solver."""

    def __init__(self, solver: Solver, writer: ScriptWriter) -> None:
        self._solver = solver
        self._writer = writer
        self._shared: tuple[Hypothesis, ...] = ()
        self._sessions: dict[bool, Session] = {}

    def needed(self, obligation: Obligation) -> tuple[int, ...] | None:
        """Return the numbers of the hypotheses that the goals need, or None if these do not follow."""
        hypotheses = obligation.hypotheses
        for number, hypothesis in enumerate(hypotheses):
            if hypothesis.truth is False:
                return (number,)
        if obligation.trivial is not None:
            return ()
        for late in (False, True):
            core = self._core(obligation, late)
            if core is not None:
                chosen = {n for n, h in enumerate(hypotheses) if h.role is Role.CASE or n in core}
                goals = [goal.truth for goal in obligation.goals]
                return tuple(sorted(chosen | _about(self._writer, hypotheses, chosen, goals)))
        return None

    def _core(self, obligation: Obligation, late: bool) -> set[int] | None:
        """Return which optional hypotheses a proof needs, or None if there is no proof."""
        shared = obligation.hypotheses[: obligation.shared]
        if len(shared) != len(self._shared) or any(
            a is not b for a, b in zip(shared, self._shared, strict=True)
        ):
            self._shared, self._sessions = shared, {}
        if late not in self._sessions:
            self._sessions[late] = self._solver.session(_stated(shared, 0, late))
        own = _stated(obligation.hypotheses[obligation.shared :], obligation.shared, late)
        negated = any_of(negate(goal.truth) for goal in obligation.goals)
        literals = {str(n): _literal(n) for n, h in enumerate(obligation.hypotheses) if _is_optional(h, late)}
        reply = self._sessions[late].check(
            obligation.about, [*own, negated], QUESTION if late else QUICK, literals
        )
        return {int(name) for name in reply.core} if reply.status == UNSAT else None


def _stated(hypotheses: Iterable[Hypothesis], first: int, late: bool) -> list[Truth]:
    """Return the formulas of hypotheses with numbers from `first` on; each optional one follows from its literal."""
    return [
        implies(_literal(number), h.truth) if _is_optional(h, late) else h.truth
        for number, h in enumerate(hypotheses, first)
        if late or h.role is not Role.LATE
    ]


def _is_optional(hypothesis: Hypothesis, late: bool) -> bool:
    return hypothesis.role is Role.PREMISE or (late and hypothesis.role is Role.LATE)


def _literal(number: int) -> z3.BoolRef:
    return z3.Bool(f"hypothesis {number}")


def _about(
    writer: ScriptWriter, hypotheses: Sequence[Hypothesis], chosen: set[int], goals: Sequence[Truth]
) -> set[int]:
    """Return the facts about the symbols of these hypotheses and goals, and about those that they bring along."""
    symbols = set().union(*(writer.symbols_of(t) for t in (*goals, *(hypotheses[n].truth for n in chosen))))
    facts = {
        number: writer.symbols_of(hypothesis.truth)
        for number, hypothesis in enumerate(hypotheses)
        if hypothesis.role is Role.FACT
    }
    out: set[int] = set()
    while new := {n for n, names in facts.items() if n not in out and not names.isdisjoint(symbols)}:
        out |= new
        symbols = symbols.union(*(facts[n] for n in new))
    return out
