"""What is proved at a table where nobody can be dealt a hand says nothing.

Input: the analysis of one instance, a property, and the answer to it.
Output: the same answer, or that it is vacuous.
Guarantee: only what is said of games is vacuous; a theorem about the set is not.
"""

from __future__ import annotations

from dataclasses import replace

from golpae.elaborate.instance import undealable
from golpae.ir.lifecycle import BEFORE
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, Answer
from golpae.verify.analysis import Analysis

NO_DEAL = "no deal is possible at this table"


def without_deal(analysis: Analysis, prop: PropertyDecl, answer: Answer) -> Answer:
    """Return an answer about games, with the reason if no game can begin."""
    played = answer.witness is not None and bool(answer.witness.events)
    if answer.verdict not in (PROVED, REFUTED) or played:
        return answer
    why = _why(analysis)
    if why is None:
        return answer
    story = why if answer.verdict == REFUTED else answer.story
    return replace(answer, story=story, vacuous=why)


def _why(analysis: Analysis) -> str | None:
    """Return why no hand can be dealt; None if one can, or if something can happen before the deal."""
    if any(action.kind == "before" for action in analysis.instance.rule_set.actions):
        return None
    fault = undealable(analysis.instance)
    if fault is not None:
        return f"{NO_DEAL}: {fault[1]}"
    games = analysis.games
    if games is None or not games.whole:
        return None
    return NO_DEAL if all(games.stage(position) == BEFORE for position in games.positions) else None
