"""Theorems and claims: statements about sets, definitions, hands and scores that no event can change.

Input: an expression that reads no state of a game. Output: an `Answer`: proved with the clauses that the proof uses,
or refuted with the tiles that show it.
Guarantee: a refutation has been evaluated or has a model; if an abstraction took part in it, the answer is unknown.
"""

from __future__ import annotations

from typing import Any

import z3

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.dependencies import chooses_together
from golpae.ir.traverse import nodes
from golpae.ir.types import Bool, Int
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, WORKED_OUT, Answer, Witness
from golpae.prove.evaluation.context import ShapeOracle
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.parametric import for_all_values
from golpae.prove.scoring_theorem import ScoringTheorems
from golpae.prove.solving.model import read
from golpae.prove.solving.solver import SAT, UNSAT, Solver
from golpae.prove.symbolic.parts import parts_within
from golpae.prove.symbolic.symbol_factory import Meaning, SymbolFactory
from golpae.prove.symbolic.terms import OF_PROPERTY, Unsupported
from golpae.prove.symbolic.values import Truth, Value, equal, negate, size, within
from golpae.prove.theorem_witness import StatementResult, choice_counts, in_words, item_of, witness_values

MOST_TRACED = 3_000  # pairs of kinds up to which a proof is asked for its clauses


class Theorems:
    """Theorems of one table."""

    def __init__(self, instance: Instance, shapes: ShapeOracle, solver: Solver) -> None:
        self.instance = instance
        self.shapes = shapes
        self.solver = solver
        self.meanings: dict[str, Meaning] = {}  # of all symbols in questions
        self.scoring = ScoringTheorems(instance, self._evaluator, solver)

    def prove(self, name: str, expr: ir.Expr) -> Answer:
        """Return whether an expression is true, and what shows it."""
        begin = self.solver.queries
        try:
            with parts_within():
                outcome = self.outcome(name, expr)
        except Unsupported as fault:
            clause = fault.at(OF_PROPERTY + name).clause
            story = f"the prover does not support {fault}"
            return Answer(UNKNOWN, story, queries=self.solver.queries - begin, unsupported=clause)
        if outcome is None:
            return Answer(UNKNOWN, "the solver gave no answer", queries=self.solver.queries - begin)
        clauses = self._clauses(name, expr) if outcome.holds else ()
        vacuous = self.vacuous(expr) if outcome.holds else None
        is_strong = outcome.holds and vacuous is None
        every = for_all_values(self.instance, expr, self.solver) if is_strong else None
        story = _story(outcome, clauses)
        return Answer(
            PROVED if outcome.holds else REFUTED,
            story,
            clauses,
            witness=Witness(outcome.values) if outcome.values else None,
            queries=self.solver.queries - begin,
            vacuous=vacuous,
            every=every,
        )

    # ------------------------------------------------------------------ the parts of a statement

    def outcome(self, name: str, expr: ir.Expr) -> StatementResult | None:
        """Return whether an expression is true, or None if the solver has no answer. Raises `Unsupported`."""
        if isinstance(expr, ir.Op) and _needs_solver(expr):
            if expr.op == "not":
                outcome = self.outcome(name, expr.args[0])
                return None if outcome is None else StatementResult(not outcome.holds, outcome.values)
            if expr.op == "and":
                return self._conjunction(name, expr)
            if expr.op == "implies" and not _needs_solver(expr.args[0]):
                return self._implication(name, expr)
        if isinstance(expr, ir.Quant) and expr.size is not None:
            return self._set_quantifier(name, expr)
        if isinstance(expr, ir.Ways):
            return self.scoring.outcome(name, expr)
        return self._evaluated(name, expr)

    def _conjunction(self, name: str, expr: ir.Op) -> StatementResult | None:
        for arg in expr.args:
            outcome = self.outcome(name, arg)
            if outcome is None or not outcome.holds:
                return outcome
        return StatementResult(True)

    def _implication(self, name: str, expr: ir.Op) -> StatementResult | None:
        """Return whether an implication is true whose premise can be evaluated."""
        left, right = expr.args
        premise = self._evaluator().value(left, None, {})
        if premise is False:
            return StatementResult(True)
        if premise is not True:
            raise Unsupported("an unknown premise")
        return self.outcome(name, right)

    def _evaluator(self) -> Evaluator:
        return Evaluator(self.instance, self.shapes, SymbolFactory("", self.meanings))

    def _evaluated(self, name: str, expr: ir.Expr) -> StatementResult | None:
        """Evaluate an expression, and ask the solver about what remains unknown."""
        evaluator = self._evaluator()
        truth = evaluator.truth(expr, None, {})
        if truth is True or truth is False:
            values = [*witness_values(evaluator, expr, truth), *choice_counts(evaluator)]
            return StatementResult(truth, tuple(values))
        axioms, complete = evaluator.abstraction.exact_axioms()
        reply = self.solver.check(name, [*evaluator.symbols.facts, *axioms, negate(truth)])
        if reply.status == UNSAT:
            return StatementResult(True)
        return StatementResult(False) if reply.status == SAT and complete else None

    def _set_quantifier(self, name: str, expr: ir.Quant) -> StatementResult | None:
        """Return whether a quantifier over sets of tiles is true, with the quantifiers over sets directly in it."""
        evaluator = self._evaluator()
        symbols = evaluator.symbols
        chosen: dict[str, Value] = {}
        body: ir.Expr = expr
        kind = "some" if expr.kind == "no" else expr.kind
        while isinstance(body, ir.Quant) and body.size is not None and (body is expr or body.kind == kind):
            domain = evaluator.bag(body.domain, None, chosen)
            word = body.names[0]
            tiles = symbols.bag(word, {k: c if isinstance(c, int) else None for k, c in domain.items()})
            symbols.fact(within(tiles, domain))
            symbols.fact(equal(size(tiles), evaluator.number(body.size, None, chosen)))
            chosen[word] = tiles
            body = body.body
        truth = evaluator.truth(body, None, chosen)
        goal = negate(truth) if expr.kind == "every" else truth
        reply = self.solver.check(name, [*symbols.facts, goal])
        axioms, complete = evaluator.abstraction.exact_axioms() if reply.status == SAT else ([], True)
        if axioms:
            reply = self.solver.check(name, [*symbols.facts, *axioms, goal])
        if reply.status == UNSAT:
            return StatementResult(expr.kind != "some")
        if reply.status != SAT or not complete:
            return None
        item = item_of(expr.domain.type)
        values = tuple(
            (word, " ".join(in_words(self.instance, t, item) for t in read(reply.satisfied_by, tiles)))
            for word, tiles in chosen.items()
        )
        return StatementResult(expr.kind == "some", values)

    # ------------------------------------------------------------------ what a proof needs

    def _clauses(self, name: str, expr: ir.Expr) -> tuple[str, ...]:
        """Return the cases of definitions without which the proof fails."""
        definitions = {d.name: d for d in self.instance.rule_set.definitions}
        if (
            _needs_solver(expr)
            or chooses_together(expr, definitions)
            or len(self.instance.kinds) ** 2 > MOST_TRACED
        ):
            return ()
        evaluator = self._evaluator()
        assumptions: dict[str, Any] = {}
        facts: list[Truth] = []

        def traced(path: str, value: Value, kind: Any) -> Value:
            literal = assumptions.setdefault(path, z3.Bool(f"clause {path}"))
            if isinstance(kind, Bool):
                symbol: Any = evaluator.symbols.truth(path)
                facts.append(z3.Implies(literal, symbol == value))
            elif isinstance(kind, Int) and isinstance(value, int | z3.ArithRef):
                symbol = evaluator.symbols.number(path)
                facts.append(z3.Implies(literal, symbol == value))
            else:
                return value
            return symbol

        evaluator.context.traced = traced
        try:
            truth = evaluator.truth(expr, None, {})
        except Unsupported:
            return ()
        if truth is True:
            return ()
        formulas = [*facts, *evaluator.symbols.facts, negate(truth)]
        return self.solver.unsat_core(name, formulas, assumptions)

    def vacuous(self, expr: ir.Expr) -> str | None:
        """Return why a true statement is vacuous, if it is: it goes through nothing, or its premise is never true."""
        try:
            for reason, applies in has_to_apply(expr):
                outcome = self.outcome("whether it applies", applies)
                if outcome is not None and not outcome.holds:
                    return reason
        except Unsupported:
            return None
        return None


def _needs_solver(expr: ir.Expr) -> bool:
    """Return whether an expression has too many choices to enumerate: of sets of tiles, or of ways to score."""
    return any(
        isinstance(n, ir.Ways) or (isinstance(n, ir.Quant) and n.size is not None) for n in nodes(expr)
    )


def _story(outcome: StatementResult, clauses: tuple[str, ...]) -> str:
    if outcome.holds and not outcome.values:
        return f"by {', '.join(clauses)}" if clauses else WORKED_OUT
    return ", ".join(f"{n} = {v}" for n, v in outcome.values) or "it does not hold"
