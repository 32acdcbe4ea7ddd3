"""Which pattern of a score always comes with which, and which never do.

Input: every way of a score. Output: for each pattern whether some valid way has it, and for each pair of patterns
whether the first always brings the second, and whether they exclude each other.
Guarantee: what a model shows is not asked again, so a few hundred questions settle a thousand pairs. A pair that the
solver cannot settle, even with the axioms of all abstract calls, is listed as unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.scoring_ways import Way, check_exactly
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import SAT, UNKNOWN, UNSAT, Session, Solver
from golpae.prove.symbolic.values import Truth, negate


@dataclass(frozen=True, slots=True)
class Matrix:
    """What each pattern of a score brings and excludes, in every valid way.

    `never` are patterns that no valid way has; they bring and exclude nothing here. `unknown` lists questions that the
    solver did not answer. `counterexamples` shows, for each pair whose first pattern does not bring the second, a
    way and a model of it.
    """

    patterns: tuple[str, ...]
    never: frozenset[str]
    brings: dict[str, frozenset[str]]
    excludes: dict[str, frozenset[str]]
    unknown: tuple[str, ...]
    counterexamples: Mapping[tuple[str, str], tuple[Way, Model]]


def matrix(
    solver: Solver, evaluator: Evaluator, name: str, patterns: Iterable[str], ways: list[Way]
) -> Matrix:
    """Return the matrix of a score with these ways."""
    order = tuple(patterns)
    sessions: list[tuple[Way, Session]] = [(w, solver.session([*w.facts, w.valid], broad=True)) for w in ways]
    together: set[tuple[str, str]] = set()  # in one way of a model
    counterexamples: dict[tuple[str, str], tuple[Way, Model]] = {}
    unanswered: list[str] = []

    def is_possible(about: str, goal: Iterable[tuple[str, bool]]) -> bool | None:
        """Return whether a valid way has these patterns, or does not have them; None if there is no answer."""
        pairs = list(goal)
        is_unanswered = False
        for way, session in sessions:
            formulas: list[Truth] = [way.holds[p] if has else negate(way.holds[p]) for p, has in pairs]
            reply = check_exactly(session, evaluator, about, formulas)
            if reply.status == SAT:
                learn(reply.satisfied_by, way)
                return True
            is_unanswered |= reply.status == UNKNOWN
        if is_unanswered:
            unanswered.append(about)
        return None if is_unanswered else False

    def learn(model: Model, way: Way) -> None:
        """Note which patterns a model has together, and which it has without others."""
        present = {
            p for p, holds in zip(order, model.values([way.holds[p] for p in order]), strict=True) if holds
        }
        for one in present:
            together.update((one, other) for other in present)
            for other in order:
                if other not in present:
                    counterexamples.setdefault((one, other), (way, model))

    never = frozenset(
        p for p in order if (p, p) not in together and is_possible(f"{name}: {p}", [(p, True)]) is False
    )
    brings: dict[str, frozenset[str]] = {}
    excludes: dict[str, frozenset[str]] = {}
    possible = [p for p in order if p not in never]
    for one in possible:
        brings[one] = frozenset(
            other
            for other in possible
            if other != one
            and (one, other) not in counterexamples
            and is_possible(f"{name}: {one} without {other}", [(one, True), (other, False)]) is False
        )
    for i, one in enumerate(possible):
        for other in possible[i + 1 :]:
            if (one, other) in together or other in brings[one] or one in brings[other]:
                continue
            if is_possible(f"{name}: {one} with {other}", [(one, True), (other, True)]) is False:
                excludes[one] = excludes.get(one, frozenset()) | {other}
                excludes[other] = excludes.get(other, frozenset()) | {one}
    excluded = {p: excludes.get(p, frozenset()) for p in possible}
    return Matrix(order, never, brings, excluded, tuple(unanswered), counterexamples)


def patterns_of_no_way(
    solver: Solver, evaluator: Evaluator, name: str, patterns: Iterable[str], ways: list[Way]
) -> frozenset[str]:
    """Return those of these patterns of a score that no valid way has. What the solver cannot say is not among them."""
    sessions = [(way, solver.session([*way.facts, way.valid], broad=True)) for way in ways]

    def is_ruled_out(pattern: str) -> bool:
        return all(
            check_exactly(session, evaluator, f"{name}: {pattern}", [way.holds[pattern]]).status == UNSAT
            for way, session in sessions
        )

    return frozenset(filter(is_ruled_out, patterns))
