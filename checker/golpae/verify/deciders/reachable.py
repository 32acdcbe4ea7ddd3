"""Decides what can be reached, by a game; induction refutes it.

Input: the analysis of one instance and a property.
Output: an answer.
Guarantee: a proved property comes with a game; refuted means that no game gets there.
"""

from __future__ import annotations

from contextlib import suppress

from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.always import invariant_failure
from golpae.verify.deciders.game_search import find_game, kept_game
from golpae.verify.deciders.phrases import count_of, length_of, names_of


def decide_reachable(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide whether some game gets to where the property holds. Raises `Unsupported`."""
    witness = kept_game(analysis, prop.expr, prop)
    if witness is not None:
        return Answer(PROVED, length_of(witness), witness=witness)
    if analysis.settings.kept is not None and invariant_failure(analysis, prop) is None:
        return _refuted(analysis, prop)
    never = prop.expected == REFUTED and analysis.settings.kept is None
    with suppress(Unsupported):  # a game may still decide
        if never and invariant_failure(analysis, prop) is None:
            return _refuted(analysis, prop)
    game = find_game(analysis, prop.expr, prop)
    if isinstance(game, Witness):
        return Answer(PROVED, length_of(game), witness=game)
    if not never and invariant_failure(analysis, prop) is None:
        return _refuted(analysis, prop)
    story = f"no game of up to {game} events gets there, and induction does not rule out longer ones"
    return Answer(UNKNOWN, story)


def _refuted(analysis: Analysis, prop: PropertyDecl) -> Answer:
    others = [c for c in analysis.induction.invariants if c.stated is not prop]
    return Answer(REFUTED, f"unreachable, by induction with {count_of(others)}", lemmas=names_of(others))
