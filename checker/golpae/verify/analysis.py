"""The analyses of one rule set at one table, each made once, when it is first needed.

Input: an instance and the settings.
Output: its machine, its theorem prover and its invariants.
Guarantee: every invariant holds in every reachable state. If the prover does not support the rules, asking for
invariants raises `Unsupported` each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read
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
from golpae.prove.symbolic.values import Truth, Unsupported, negate
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.verify.options import Settings
from golpae.verify.replay_bridge import ReplayShapes
from golpae.verify.sample_states import sample_states

STRENGTHENED = 120.0  # seconds that the search for more invariants may take


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
        self._induction: Induction | Unsupported | None = None
        self._is_strengthened = False

    def is_static(self, expr: ir.Expr) -> bool:
        """Return whether an expression reads no state of a game."""
        definitions = {d.name: d for d in self.instance.rule_set.definitions}
        return first_read(expr, definitions) is None

    # ------------------------------------------------------------------ invariants

    @property
    def induction(self) -> Induction:
        """The invariants of this instance. Raises `Unsupported`."""
        if self._induction is None:
            try:
                self._induction = self._induct()
            except Unsupported as fault:
                self._induction = fault
        if isinstance(self._induction, Unsupported):
            raise Unsupported(str(self._induction))
        return self._induction

    def _induct(self) -> Induction:
        evaluator = Evaluator(self.instance, self.shapes, SymbolFactory(self.mark))
        system = TransitionSystem(evaluator, self.also)
        find_reachable_melds(system)
        induction = Induction(system, self.solver)
        induction.add_invariants([*self._stated(evaluator), *basics(system)])
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
        return True

    def first_failure(self, check: Callable[[], Failure | None]) -> Failure | None:
        """Return why a check fails, even with more invariants, or None if it succeeds."""
        failure = check()
        return check() if failure is not None and self.strengthen() else failure

    def _stated(self, evaluator: Evaluator) -> Iterator[Candidate]:
        """Yield what the text says always or never holds, and the premises whose absence makes it vacuous."""
        for prop in self.instance.rule_set.properties:
            if prop.after is not None or not form_of(prop.kind).invariant:
                continue
            if form_of(prop.kind).of_rules and self.is_static(prop.expr):
                continue
            never = form_of(prop.kind).negated
            yield Candidate(prop.name, _predicate(evaluator, prop.expr, never), prop)
            if not never and isinstance(prop.expr, ir.Op) and prop.expr.op == "implies":
                yield Candidate(premise_never_true(prop), _predicate(evaluator, prop.expr.args[0], True))


def premise_never_true(prop: PropertyDecl) -> str:
    """Return the name of the invariant that the premise of a property is never true."""
    return f"{prop.name}: its premise is never true"


def _predicate(evaluator: Evaluator, expr: ir.Expr, never: bool) -> Callable[[SymbolicState], Truth]:
    def predicate(state: SymbolicState) -> Truth:
        truth = evaluator.truth(expr, state, {})
        return negate(truth) if never else truth

    return predicate
