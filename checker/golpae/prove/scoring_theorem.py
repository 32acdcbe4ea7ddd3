"""Statements about every way to score a hand.

Input: a `Ways` expression, or a score. Output: whether the statement is true of some or of every way, with a way that
shows it.
Guarantee: a way that is shown is a model of the rules, not of an abstraction of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.scoring import stated_labels
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.scoring_ways import Way, check_exactly, supported_ways, ways
from golpae.prove.solving.model import Model, read
from golpae.prove.solving.solver import SAT, UNSAT, Solver
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.values import negate
from golpae.prove.theorem_witness import StatementResult, parameter_in_words

WAYS_STAND_FOR = 2  # a question about a whole score is among the hardest, so it may cost as much as two


class ScoringTheorems:
    """Statements about the scores of one table. Each score has an evaluator of its own, made by `new_evaluator`."""

    def __init__(self, instance: Instance, new_evaluator: Callable[[], Evaluator], solver: Solver) -> None:
        self.instance = instance
        self.solver = solver
        self._new_evaluator = new_evaluator
        self._scope = ""
        self._ways: dict[str, tuple[Evaluator, list[Way], Callable[[], None]]] = {}

    def ways(self, score: str) -> tuple[Evaluator, list[Way]]:
        """Return every way of a score and the evaluator that made them, once for each score."""
        if score not in self._ways:
            evaluator = self._new_evaluator()
            with parts_apart():  # they are kept for whatever asks next
                made = ways(evaluator, score, self._labels())
            self._ways[score] = evaluator, made, evaluator.saved()
            evaluator.symbols.scope = self._scope
        evaluator, made, _ = self._ways[score]
        return evaluator, made

    def supported_ways(self, score: str) -> tuple[Evaluator, list[Way], bool]:
        """Return the ways of a score that are supported, the evaluator that made them, and whether these are all."""
        evaluator = self._new_evaluator()
        with parts_apart():
            made, are_all = supported_ways(evaluator, score, self._labels())
        return evaluator, made, are_all

    def _labels(self) -> list[str | None]:
        return [None, *sorted(stated_labels(self.instance.rule_set))]

    def forget(self, scope: str) -> None:
        """Forget everything but the ways, and give new symbols names of this scope."""
        for evaluator, _, restore in self._ways.values():
            restore()
            evaluator.symbols.scope = scope
        self._scope = scope

    def outcome(self, name: str, expr: ir.Ways) -> StatementResult | None:
        """Return whether a statement is true of some or every way, or None if the solver has no answer."""
        evaluator, all_ways = self.ways(expr.score)
        is_unanswered = False
        for way in all_ways:
            begin = len(evaluator.symbols.facts)
            body = way.truth(evaluator, expr.body)
            goal = negate(body) if expr.kind == "every" else body
            session = self.solver.session([*way.facts, *evaluator.symbols.facts[begin:]])
            reply = check_exactly(session, evaluator, name, [goal], WAYS_STAND_FOR)
            if reply.status == SAT:
                return StatementResult(expr.kind == "some", tuple(self.describe(way, reply.satisfied_by)))
            is_unanswered |= reply.status != UNSAT
        return None if is_unanswered else StatementResult(expr.kind != "some")

    def describe(self, way: Way, model: Model) -> Iterator[tuple[str, str]]:
        """Yield a way in a model: its parameters, patterns and points."""
        scores = self.instance.rule_set.scores
        score = next(s for s in scores if s.name == way.score)
        for param in score.params:
            value = read(model, way.names[param.name])
            if value not in (None, False, ()):
                yield param.name, parameter_in_words(self.instance, value, param.type)
        yield "patterns", " ".join(n for n, t in way.holds.items() if read(model, t))
        for number in score.numbers:
            yield number, str(read(model, way.names[number]))
        yield "total" if score.numbers else "points", str(read(model, way.points))
