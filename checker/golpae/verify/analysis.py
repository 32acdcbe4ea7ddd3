"""The analyses of one rule set at one table, each made once, when it is first needed.

Input: an instance and the settings.
Output: its machine, its theorem prover and its invariants.
Guarantee: every invariant holds in every reachable state. If the prover does not support the rules, asking for
invariants raises `Unsupported` each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.dependencies import first_read, reads_unset
from golpae.ir.lifecycle import BEFORE
from golpae.ir.ruleset import PropertyDecl, RuleSet, form_of
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction.candidate import Candidate, Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.induction.invariant_templates import basics, candidates
from golpae.prove.solving.solver import Limits, Solver
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import OF_PROPERTY, Truth, any_of, clause_of_faults, negate, same
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.search.all_games import AllGames, all_games
from golpae.verify.confirmation import FalseInvariant, confirm
from golpae.verify.options import Settings
from golpae.verify.replay_bridge import ReplayShapes
from golpae.verify.sample_states import sample_states

STRENGTHENED = 120.0  # seconds that the search for more invariants may take
SECOND = 1_000  # milliseconds for a question of a second opinion


class Analysis:
    """The analyses of one instance.

    If formulas of two instances meet in one question, `mark` tells their symbols apart, and `also` is the other
    rule set.
    """

    def __init__(
        self, instance: Instance, settings: Settings, mark: str = "", also: RuleSet | None = None
    ) -> None:
        self.instance = instance
        self.mark = mark
        self.also = also
        self.settings = settings
        self.machine = Machine(instance)
        self.shapes = ReplayShapes(self.machine)
        limits = Limits(settings.milliseconds, settings.megabytes)
        prefix = f"{instance.rule_set.rules}-{instance.players}p-"
        self.solver = Solver(limits, settings.smt2, settings.crosscheck, prefix)
        self.theorems = Theorems(instance, self.shapes, self.solver)
        self._induction: Induction | Exception | None = None
        self._games: AllGames | Exception | None = None
        self._has_walked = False
        self._is_strengthened = False

    def is_static(self, expr: ir.Expr) -> bool:
        """Return whether an expression reads no state of a game."""
        definitions = {d.name: d for d in self.instance.rule_set.definitions}
        return first_read(expr, definitions) is None

    @property
    def games(self) -> AllGames | None:
        """All games, as far as they can be gone through; None if they cannot."""
        if not self._has_walked:
            self._has_walked = True
            try:
                self._games = all_games(self.machine)
            except Exception as fault:
                self._games = fault
        if isinstance(self._games, Exception):
            raise self._games
        return self._games

    @cached_property
    def second(self) -> Analysis:
        """An analysis that takes less time: what it does not answer changes no verdict."""
        settings = replace(self.settings, milliseconds=min(SECOND, self.settings.milliseconds))
        return Analysis(self.instance, settings)

    def anew(self) -> Analysis:
        """Return the same without the invariants, which a fault may have left half made; what failed is kept."""
        fresh = Analysis(self.instance, self.settings, self.mark, self.also)
        fresh.solver = self.solver
        fresh.theorems = Theorems(fresh.instance, fresh.shapes, fresh.solver)
        fresh._games, fresh._has_walked = self._games, self._has_walked
        if isinstance(self._induction, Exception):
            fresh._induction = self._induction
        return fresh

    # ------------------------------------------------------------------ invariants

    @property
    def induction(self) -> Induction:
        """The invariants of this instance. Raises `Unsupported`."""
        if self._induction is None:
            try:
                self._induction = self._induct()
            except Exception as fault:  # it would fail again for the next property
                self._induction = fault
        if isinstance(self._induction, Exception):
            raise self._induction
        return self._induction

    def _induct(self) -> Induction:
        evaluator = Evaluator(self.instance, self.shapes, SymbolFactory(self.mark))
        system = TransitionSystem(evaluator, self.also)
        find_reachable_melds(system)
        induction = Induction(system, self.solver)
        induction.add_invariants([*self._stated(evaluator), *basics(system)])
        confirm(self.machine, induction, self.settings.seed)
        return induction

    def strengthen(self) -> bool:
        """Add the invariants that games played at random suggest. Return whether there may be more than before."""
        induction = self.induction
        if self._is_strengthened:
            return False
        self._is_strengthened = True
        evaluator = induction.system.evaluator
        states = list(sample_states(self.machine, self.settings.seed))
        induction.add_invariants(candidates(induction.system, states), STRENGTHENED)
        proved = [c.stated for c in induction.invariants]
        induction.add_invariants(
            [c for c in self._stated(evaluator) if c.stated is None or c.stated not in proved]
        )
        try:
            confirm(self.machine, induction, self.settings.seed)
        except FalseInvariant as fault:
            self._induction = fault
            raise
        return True

    def first_failure(self, check: Callable[[], Failure | None]) -> Failure | None:
        """Return why a check fails, even with more invariants, or None if it succeeds."""
        failure = check()
        return check() if failure is not None and self.strengthen() else failure

    def _stated(self, evaluator: Evaluator) -> Iterator[Candidate]:
        """Yield what the text says always or never holds, and where it does not apply, which would make it vacuous."""
        for prop in self.instance.rule_set.properties:
            if prop.after is not None or not form_of(prop.kind).invariant:
                continue
            if form_of(prop.kind).of_rules and self.is_static(prop.expr):
                continue
            never = form_of(prop.kind).negated
            yield Candidate(prop.name, _predicate(evaluator, prop, prop.expr, never), prop)
            if form_of(prop.kind).may_be_vacuous:
                for reason, applies in has_to_apply(prop.expr, never):
                    yield Candidate(never_applies(prop, reason), _predicate(evaluator, prop, applies, True))


def never_applies(prop: PropertyDecl, reason: str) -> str:
    """Return the name of the invariant that makes a property vacuous for this reason."""
    return f"{prop.name}: {reason}"


def _predicate(
    evaluator: Evaluator, prop: PropertyDecl, expr: ir.Expr, never: bool
) -> Callable[[SymbolicState], Truth]:
    unset = reads_unset(expr, evaluator.rules)

    def predicate(state: SymbolicState) -> Truth:
        before = same(state.at, BEFORE) if unset else False
        if before is True:
            return True
        with clause_of_faults(OF_PROPERTY + prop.name):
            truth = evaluator.truth(expr, state, {})
        return any_of((before, negate(truth) if never else truth))

    return predicate
