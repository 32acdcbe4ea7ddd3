"""Decides theorems and claims about tiles, definitions and scores.

Input: a property that reads nothing of a game under way.
Output: its answer, from the cache if other rules or another table share it. Then its questions count as if they had
been asked.
Guarantee: an answer is stored only if golpae's code is the same after the proof as before.
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.elaborate.blocks import BRINGS
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import Answer
from golpae.verify.analysis import Analysis
from golpae.verify.pattern_implications import brings
from golpae.verify.sharing import theorems


def decide_theorem(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide a theorem, or a claim that reads nothing of a game. Raises `Unsupported`."""
    return _cached(analysis, prop, None, lambda: analysis.theorems.prove(prop.name, prop.expr))


def decide_implications(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide whether the patterns of a score imply one another as its text says. Raises `Unsupported`."""
    name = prop.name.removesuffix(BRINGS)
    score = next(s for s in analysis.instance.rule_set.scores if s.name == name)
    return _cached(analysis, prop, name, lambda: brings(analysis.theorems, score))


def _cached(
    analysis: Analysis, prop: PropertyDecl, score: str | None, decide: Callable[[], Answer]
) -> Answer:
    if not analysis.settings.cached:
        return decide()
    name = theorems.name_of(prop, score, analysis.instance, analysis.settings)
    solver = analysis.solver
    decided = theorems.load(name)
    if decided is not None:
        solver.queries += decided.queries
        solver.spent += decided.units
        solver.fullest = max(solver.fullest, decided.fullest)
        return decided.answer
    queries, units = solver.queries, solver.spent
    fullest, solver.fullest = solver.fullest, (0.0, "")
    try:
        answer = decide()
        if theorems.name_of(prop, score, analysis.instance, analysis.settings) == name:
            decided = theorems.Decided(answer, solver.queries - queries, solver.spent - units, solver.fullest)
            theorems.store(name, decided)
    finally:
        solver.fullest = max(solver.fullest, fullest)
    return answer
