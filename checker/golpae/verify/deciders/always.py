"""Decides what always or never holds, by induction; a game refutes it.

Input: the analysis of one instance and a property.
Output: an answer.
Guarantee: proved means that it holds in every reachable state; a refuted property comes with a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.ruleset import PropertyDecl, form_of
from golpae.ir.types import BOOL
from golpae.prove.answer import BOUNDED, PROVED, REFUTED, Answer, Witness
from golpae.prove.encoding.step import Step
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import UNSAT, Session
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, conj, negate
from golpae.verify.analysis import Analysis
from golpae.verify.confirmation import applies_after, fails_in_games
from golpae.verify.deciders.game_search import find_game, kept_game, played_game
from golpae.verify.deciders.open_position import advice, what_fails_first
from golpae.verify.deciders.phrases import count_of, length_of, names_of, never_happens, undecided, why_not
from golpae.verify.kept_proofs import KeptResult
from golpae.verify.stated import is_not_asked, never_applies, postcondition


def decide_always(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide whether something always, or never, holds. Raises `Unsupported`."""
    violation = prop.expr if form_of(prop.kind).negated else ir.Op("not", (prop.expr,), BOOL)
    witness = kept_game(analysis, violation, prop)
    if witness is None and analysis.settings.kept is None and fails_in_games(analysis.played, prop):
        witness = played_game(analysis, violation, prop)  # no invariants are needed for that
    if witness is not None:
        return Answer(REFUTED, length_of(witness), witness=witness)
    vacuous: list[str | None] = []

    def check() -> Failure | None:
        if holds_after(analysis, prop):
            vacuous[:] = [None]
            return None
        failure = inductive_failure(analysis.induction, prop)
        if failure is None:  # whether it is vacuous may need invariants as well
            vacuous[:] = [_vacuous(prop, analysis.induction)]
        return failure

    failure = failure_or_lack(analysis, check, analysis.kept(prop))
    if failure is None:
        return _proved(prop, analysis.induction, vacuous[0])
    game = find_game(analysis, violation, prop)
    if isinstance(game, Witness):
        return Answer(REFUTED, length_of(game), witness=game)
    if game:
        story = (
            f"no game of up to {game} events breaks it; {why_not(failure)}{_advice(analysis, prop, failure)}"
        )
        return replace(undecided(failure), verdict=BOUNDED, story=story, bound=game)
    return undecided(failure, _advice(analysis, prop, failure))


def _advice(analysis: Analysis, prop: PropertyDecl, failure: Failure) -> str:
    """Return a position before the event at which the proof fails, and what it may need, in words."""
    induction = analysis.induction
    where = "" if failure.model is None else advice(induction, failure, [prop.expr])
    return f"{where}{what_fails_first(induction, prop)}"


def failure_or_lack(
    analysis: Analysis, check: Callable[[], Failure | None], kept_result: KeptResult | None
) -> Failure | None:
    """Return why a check fails, or None; what the prover does not support is a reason: a game may still decide."""
    try:
        return analysis.first_failure(check, kept_result)
    except Unsupported as lack:
        return Failure("", unsupported=lack)


def holds_after(analysis: Analysis, prop: PropertyDecl) -> bool:
    """Return whether a property holds after each event that it is about, and a game shows that it is not vacuous.

    As far as checking its action by itself shows it.
    """
    if prop.after is None:
        return False
    induction, by_action = analysis.induction, analysis.by_action
    if by_action is None or induction.needed is not None or not applies_after(analysis.played, prop):
        return False
    return by_action.holds_after(prop, [c.name for c in induction.invariants])


def invariant_failure(analysis: Analysis, prop: PropertyDecl) -> Failure | None:
    """Return why a property is not proved to hold always, or None if it is.

    If the property says that something never holds or can be reached, return why it is not proved never to hold.
    """
    return analysis.first_failure(lambda: inductive_failure(analysis.induction, prop), analysis.kept(prop))


def inductive_failure(induction: Induction, prop: PropertyDecl) -> Failure | None:
    """Return why a property is not inductive, with the invariants that there are already; None if it is."""
    if prop.after is not None:
        return induction.check_after(prop.after, lambda step: postcondition(induction, prop, step))
    if any(c.stated is prop for c in induction.invariants):
        induction.need(prop.name)
        return None
    return induction.failures.get(prop.name, Failure(""))


def _proved(prop: PropertyDecl, induction: Induction, vacuous: str | None) -> Answer:
    others = [c for c in induction.invariants if c.stated is not prop]
    return Answer(
        PROVED,
        f"by induction, with {count_of(others)}",
        lemmas=names_of(others),
        vacuous=vacuous,
    )


def _vacuous(prop: PropertyDecl, induction: Induction) -> str | None:
    """Return why a property that always holds is vacuous, or None if it is not."""
    reasons = has_to_apply(prop.expr, form_of(prop.kind).negated)
    if prop.after is None:
        proved = {c.name for c in induction.invariants}
        for reason, _ in reasons:
            if never_applies(prop, reason) in proved:
                induction.need(never_applies(prop, reason))
                return reason
        return None
    if not can_happen(induction, prop.after):
        return never_happens(prop.after)
    steps = [s for s in induction.steps if s.action.name == prop.after]
    session = induction.session()
    for reason, applies in reasons:
        if not any(
            _is_possible(
                session,
                s,
                conj(negate(is_not_asked(induction, prop, s)), induction.system.after(applies, s)),
            )
            for s in steps
        ):
            return reason
    return None


def can_happen(induction: Induction, action: str) -> bool:
    """Return whether an action can happen, as far as the solver shows."""
    session = induction.session()
    return any(_is_possible(session, s, True) for s in induction.steps if s.action.name == action)


def _is_possible(session: Session, step: Step, truth: Truth) -> bool:
    """Return whether a step can be taken so that something holds after it, as far as the solver shows."""
    return session.check("a step", [*step.path_condition, truth]).status != UNSAT
