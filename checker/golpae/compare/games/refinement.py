"""Prove that every game of one rule set is a game of another, and that both pay alike.

Input: the verifiers of two rule sets with the same tiles and zones, and what is `Rewritten` between them.
Output: a `QuestionResult` for each question: proved or unknown.
Guarantee: proved means proved for all games. Nothing is refuted here.

An event that one rule set allows is allowed by the other if every condition of the other holds and its effects find
their tiles. A condition with the same syntax that reads no diverged part needs no query; for each other condition the
solver looks for a step of the one rule set at which it fails.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.compare.games import foreign_events
from golpae.compare.games.alignment import Rewritten
from golpae.compare.games.divergence import TOTAL, StateDivergence
from golpae.compare.games.product import Product
from golpae.compare.games.verdict import A_IN_B, B_IN_A, NO_DEAL, PAID, PROVED, UNKNOWN, QuestionResult
from golpae.diagnostics.amounts import many
from golpae.ir.ruleset import Action, Condition
from golpae.prove.encoding.step import Step
from golpae.prove.induction.candidate import Candidate
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, all_of, implies, negate
from golpae.verify.analysis import Analysis

ALIKE = "the conditions and everything they depend on are written alike"
PAID_ALIKE = "the payments and everything they depend on are written alike"


class RefinementChecker:
    """Compares the games of `a` with those of `b`."""

    def __init__(self, a: Analysis, b: Analysis, rewritten: Rewritten) -> None:
        self.a, self.b = a, b
        self.rewritten = rewritten
        self.divergence = StateDivergence(a.instance, b.instance, rewritten)
        self._product = Product(a, b, self.divergence)
        self._unproved: list[tuple[Action, Action, Condition]] = []  # of the last question

    # ------------------------------------------------------------------ the questions

    def by_syntax(self) -> dict[str, QuestionResult]:
        """Return the answers that need no solver, by question."""
        divergence = StateDivergence(self.a.instance, self.b.instance, self.rewritten)
        divergence.close_by_syntax()
        answers = {}
        if _same_by_syntax(divergence, self.a, self.b):
            answers[A_IN_B] = QuestionResult(PROVED, ALIKE)
        if _same_by_syntax(divergence, self.b, self.a):
            answers[B_IN_A] = QuestionResult(PROVED, ALIKE)
        if divergence.deals_apart:
            answers[PAID] = QuestionResult(PROVED, NO_DEAL)
        elif TOTAL not in divergence.diverged:
            answers[PAID] = QuestionResult(PROVED, PAID_ALIKE)
        return answers

    def all_legal(self, ours: Analysis, theirs: Analysis) -> QuestionResult:
        """Return whether every game of `ours` is one of `theirs`."""
        try:
            return self._all_legal(ours, theirs)
        except Unsupported as fault:
            return QuestionResult(UNKNOWN, f"the prover does not support {fault}")

    def paid_alike(self) -> QuestionResult:
        """Return whether every hand that both allow is paid the same in both."""
        if self.divergence.deals_apart:
            return QuestionResult(PROVED, NO_DEAL)
        try:
            self._product.settle()
        except Unsupported as fault:
            return QuestionResult(UNKNOWN, f"the prover does not support {fault}")
        if TOTAL in self.divergence.diverged:
            why = "the payments are written differently, or depend on something that may differ"
            return QuestionResult(UNKNOWN, why)
        return QuestionResult(PROVED, PAID_ALIKE)

    # ------------------------------------------------------------------ stronger premises

    def try_as_invariant(self, ours: Analysis, theirs: Analysis, most: int | None = None) -> bool:
        """Try each condition that the last question left unproved as an invariant. Return whether any was proved.

        Skip it if the conditions concern more than `most` kinds of events.
        """
        if self.divergence.diverged or not self._unproved:
            return False
        names = {action.name for action, _, _ in self._unproved}
        many = sum(step.action.name in names for step in ours.induction.steps)
        if most is not None and many > most:
            return False
        begin = len(ours.induction.invariants)
        ours.induction.add_invariants([_candidate(ours, theirs, *unproved) for unproved in self._unproved])
        self._product.forget_session()
        return len(ours.induction.invariants) > begin

    def strengthen(self) -> bool:
        """Look for more invariants of either game. Return whether there are new ones."""
        more = [side.strengthen() for side in (self.a, self.b)]
        if not any(more):
            return False
        self._product.restart()
        return True

    # ------------------------------------------------------------------ queries

    def _all_legal(self, ours: Analysis, theirs: Analysis) -> QuestionResult:
        self._product.settle()
        self._unproved = []
        queries, first_failure = 0, ""
        for action in ours.instance.rule_set.actions:
            other = theirs.instance.rule_set.action(action.name)
            if other is None:
                return QuestionResult(UNKNOWN, f"{theirs.instance.rule_set.rules} has no `{action.name}`")
            if action.kind == "deal" and not self.divergence.same_deal(action, other):
                return QuestionResult(UNKNOWN, "the deals differ")
            conditions = [c for c in other.conditions if self.divergence.must_check(c, action)]
            effects = not self.divergence.same_effects_anywhere(action, other)
            if not conditions and not effects:
                continue
            failures: dict[str, str] = {}
            for step in self._product.steps(ours, action):
                for name, violation in self._violations(step, ours, theirs, other, conditions, effects):
                    queries += 1
                    if name not in failures:
                        clause = f"{action.name}.{name}"
                        why = self._product.why_possible(clause, [*step.path_condition, *violation])
                        if why is not None:
                            failures[name] = f"not proved for `{clause}`{why}"
            first_failure = first_failure or next(iter(failures.values()), "")
            self._unproved += [(action, other, c) for c in conditions if c.name in failures]
        if first_failure:
            return QuestionResult(UNKNOWN, first_failure)
        detail = f"{many(queries, 'kind of events')} checked, with invariants"
        return QuestionResult(PROVED, detail if queries else ALIKE)

    def _violations(
        self,
        step: Step,
        ours: Analysis,
        theirs: Analysis,
        other: Action,
        conditions: list[Condition],
        effects: bool,
    ) -> Iterator[tuple[str, list[Truth]]]:
        """Yield, for each condition by name, what holds if it fails at a step of `ours`; `effects` likewise."""
        system = theirs.induction.system
        state = self._product.state(theirs)
        names = foreign_events.renamed(step.names, ours.induction.system, step.action, other)
        for condition in conditions:
            begin = len(system.symbols.facts)
            truth = foreign_events.holds(system, other, condition, state, names)
            yield condition.name, [*system.symbols.facts[begin:], negate(truth)]
        if effects:
            for missing in foreign_events.tiles_missing(system, other, state, names):
                yield "then", missing


def _same_by_syntax(divergence: StateDivergence, ours: Analysis, theirs: Analysis) -> bool:
    """Return whether syntax alone shows that every event of `ours` is legal in `theirs`."""
    for action in ours.instance.rule_set.actions:
        other = theirs.instance.rule_set.action(action.name)
        if other is None or any(divergence.must_check(c, action) for c in other.conditions):
            return False
        if action.kind == "deal" and not divergence.same_deal(action, other):
            return False
        if not divergence.same_effects_anywhere(action, other):
            return False
    return True


def _candidate(
    ours: Analysis, theirs: Analysis, action: Action, other: Action, condition: Condition
) -> Candidate:
    """Return the candidate that whenever `ours` allows an event, one condition of `theirs` holds."""

    def predicate(state: SymbolicState) -> Truth:
        mine, system = ours.induction.system, theirs.induction.system
        same_state = state.copy()
        begin, out = len(system.symbols.facts), []
        for seat in range(mine.players) if action.by is not None else [0]:
            for names in mine.choices(action, state, seat):
                may = all_of(mine.condition(action, c, state, names) for c in action.conditions)
                if may is not False:
                    theirs_names = foreign_events.renamed(names, mine, action, other)
                    holds = system.condition(other, condition, same_state, theirs_names)
                    out.append(implies(may, holds))
        if len(system.symbols.facts) > begin:
            raise Unsupported(f"condition `{condition.name}` as an invariant")
        return all_of(out)

    return Candidate(f"{action.name} as in {theirs.instance.rule_set.rules}: {condition.name}", predicate)
