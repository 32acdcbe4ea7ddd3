"""Which pattern of a score always comes with which, and which never do.

In: every way of a score. Out: for each pattern whether some way that counts has it, and of each two patterns
whether the one always brings the other, and whether they exclude one another. What a model shows is not asked
again, so a few hundred questions settle a thousand pairs. What cannot be said of unknown tiles in a solver's terms is
asked again with all hands that it means, and is unknown where these are too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from golpae.prove.encoding.evaluate import Evaluator
from golpae.prove.scoring_ways import Way, ask_exactly
from golpae.prove.solving.solver import SAT, UNKNOWN, Session, Solver
from golpae.prove.symbolic.values import Truth, negate


@dataclass(frozen=True, slots=True)
class Matrix:
    """What each pattern of a score brings and excludes, in every way that counts.

    `never` are patterns that no such way has; they bring and exclude nothing here. `unknown` tells of questions
    that the solver did not answer. `apart` has, for two patterns of which the first does not bring the second, a
    way and the model of it that show this.
    """

    patterns: tuple[str, ...]
    never: frozenset[str]
    brings: dict[str, frozenset[str]]
    excludes: dict[str, frozenset[str]]
    unknown: tuple[str, ...]
    apart: Mapping[tuple[str, str], tuple[Way, Any]]


def matrix(
    solver: Solver, evaluator: Evaluator, name: str, patterns: Iterable[str], ways: list[Way]
) -> Matrix:
    """The matrix of a score with these ways."""
    order = tuple(patterns)
    sessions: list[tuple[Way, Session]] = [(w, solver.session([*w.facts, w.kept], broad=True)) for w in ways]
    together: set[tuple[str, str]] = set()  # seen in one way
    apart: dict[tuple[str, str], tuple[Way, Any]] = {}  # the first seen without the second
    silent: list[str] = []

    def ask(about: str, goal: Iterable[tuple[str, bool]]) -> bool | None:
        wanted = list(goal)
        unanswered = False
        for way, session in sessions:
            truths: list[Truth] = [way.holds[p] if yes else negate(way.holds[p]) for p, yes in wanted]
            reply = ask_exactly(session, evaluator, about, truths)
            if reply.status == SAT:
                _look(reply.model, way)
                return True
            unanswered |= reply.status == UNKNOWN
        if unanswered:
            silent.append(about)
        return None if unanswered else False

    def _look(model: Any, way: Way) -> None:
        has = {p for p in order if _holds(model, way.holds[p])}
        for one in has:
            together.update((one, other) for other in has)
            for other in order:
                if other not in has:
                    apart.setdefault((one, other), (way, model))

    never = frozenset(
        p for p in order if (p, p) not in together and ask(f"{name}: {p}", [(p, True)]) is False
    )
    brings: dict[str, frozenset[str]] = {}
    excludes: dict[str, frozenset[str]] = {}
    possible = [p for p in order if p not in never]
    for one in possible:
        brings[one] = frozenset(
            other
            for other in possible
            if other != one
            and (one, other) not in apart
            and ask(f"{name}: {one} without {other}", [(one, True), (other, False)]) is False
        )
    for i, one in enumerate(possible):
        for other in possible[i + 1 :]:
            if (one, other) in together or other in brings[one] or one in brings[other]:
                continue
            if ask(f"{name}: {one} with {other}", [(one, True), (other, True)]) is False:
                excludes[one] = excludes.get(one, frozenset()) | {other}
                excludes[other] = excludes.get(other, frozenset()) | {one}
    excluded = {p: excludes.get(p, frozenset()) for p in possible}
    return Matrix(order, never, brings, excluded, tuple(silent), apart)


def _holds(model: Any, truth: Truth) -> bool:
    return truth if isinstance(truth, bool) else z3.is_true(model.eval(truth, model_completion=True))
