"""The conditions of an event over a state that may be unknown.

Input: an action, the values of its names and a state. Output: whether each condition holds. Guarantee: replay asks the
same, as far as a condition has an encoding; what else it is taken for is in the docstring of this package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.facts import Equal, LaidOut, fact_of
from golpae.ir.ruleset import Action, Condition, RuleSet
from golpae.ir.traverse import conjuncts, free, names_in
from golpae.lower.checks import AtStage, test_of
from golpae.prove.encoding.parameter_choices import ParameterChoices
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.encoding.step import FREE
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.parts import ConditionsThatFit, clause_of_faults
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    MeldValue,
    Truth,
    Value,
    all_of,
    any_of,
    as_number,
    negate,
    plus,
    same,
)

MOST_ORDERS = 120  # orders of lists that an event is told apart from
NEXT_TO = {
    "ge": (0, 0),
    "gt": (1, -1),
    "le": (0, 0),
    "lt": (-1, 1),
}  # what lies next to a bound, on each of its sides


class ConditionEncoder:
    """The conditions of the events of one rule set at one table.

    With `skip_scores`, conditions that need a score are left out. `approximated` says by action what has no encoding.
    `taken_as_refused` says the same of actions that were taken for illegal because of it, until it is cleared.
    """

    def __init__(self, evaluator: Evaluator, also: RuleSet | None) -> None:
        self.evaluator = evaluator
        self.symbols = evaluator.symbols
        self.states = StateEncoder(evaluator, also)
        self.parameter_choices = ParameterChoices(evaluator)
        self.skip_scores = False
        self.compares = also is not None
        self.approximated: dict[str, Unsupported] = {}
        self.taken_as_refused: dict[str, Unsupported] = {}
        self.fitting = ConditionsThatFit()
        self._stateless: dict[
            str, list[tuple[Condition, frozenset[str]]]
        ] = {}  # by action, conditions that read no state, with their names
        self._needs_score: dict[ir.Expr, bool] = {}
        self._words: dict[
            int, tuple[ir.Expr, frozenset[str]]
        ] = {}  # by identity, which is what a condition keeps

    def _conditions(
        self,
        action: Action,
        names: dict[str, Value],
        state: SymbolicState,
        exhaustive: bool,
        unsure: bool = True,
    ) -> tuple[tuple[str, Truth], ...]:
        """Return the conditions of an event by name, up to the first that certainly fails; replace FREE numbers.

        A condition without an encoding is `unsure`.
        """
        guards: list[tuple[str, Truth]] = []
        laid_out: set[str] = set()
        for condition in action.conditions:
            key = _laid_out_by(condition.expr) if exhaustive else None
            if key in laid_out:  # no groups need be layouts of both
                truth: Truth = False
            else:
                truth = self._condition_or(unsure, action, condition, state, names, exhaustive)
            laid_out |= set() if key is None else {key}
            guards.append((condition.name, truth))
            if truth is False:
                break
        else:
            self.settle([*names], names)
        return tuple(guards)

    def _refuses_values(self, action: Action, names: Mapping[str, Value]) -> str | None:
        """Return a condition that refuses the values of names, whatever the state is; None if there is none.

        Only conditions that read no state are asked, and only if all values in them are known: this is quick.
        """
        if action.name not in self._stateless:
            reads = self.evaluator.context.dependencies.reads
            asked = [c for c in action.conditions if c.of_game is None and not reads([c.expr])]
            self._stateless[action.name] = [
                (c, free(c.expr)) for c in asked if not self._asks_a_score(c.expr)
            ]
        for condition, words in self._stateless[action.name]:
            if all(name in names and _is_known(names[name]) for name in words):
                with suppress(Unsupported):
                    if self.evaluator.truth(condition.expr, None, names) is False:
                        return condition.name
        return None

    def allows(self, action: Action, names: Mapping[str, Value], state: SymbolicState) -> Truth:
        """Return whether all conditions of an event hold; one without an encoding does."""
        return all_of(truth for _, truth in self._conditions(action, dict(names), state, exhaustive=False))

    def _condition_or(
        self,
        unsure: bool,
        action: Action,
        condition: Condition,
        state: SymbolicState,
        names: dict[str, Value],
        exhaustive: bool,
    ) -> Truth:
        """Return whether a condition holds, or `unsure` if it has no encoding, or one that is too large."""
        path = f"{action.name}.{condition.name}"
        try:
            with self.fitting.counting(path) if self.states.lenient else clause_of_faults(path):
                return self.condition(action, condition, state, names, exhaustive)
        except Unsupported as fault:
            if not self.states.lenient:
                raise
            self.approximated.setdefault(action.name, fault)
            if not unsure:
                self.taken_as_refused.setdefault(action.name, fault)
            return unsure

    def condition(
        self,
        action: Action,
        condition: Condition,
        state: SymbolicState,
        names: dict[str, Value],
        exhaustive: bool = False,
    ) -> Truth:
        """Return whether a condition of an event holds; True if it needs an OPAQUE value.

        A FREE number that the condition determines gets its value in `names`. If `exhaustive`, where one event that is
        legal is enough, one that it bounds gets the bound, and there has to be a layout.
        """
        if condition.of_game is not None:
            test = test_of(action, condition)
            if isinstance(test, AtStage):
                return any_of(same(state.at, stage) for stage in test.stages)
            return True  # what a trace records of a deal or of the payments says nothing about the game
        expr = condition.expr
        if self.skip_scores and self._asks_a_score(expr):
            return True
        fact = fact_of(expr)
        if exhaustive and isinstance(fact, LaidOut) and _laid_out_by(expr) is not None:
            tiles = self.evaluator.bag(fact.tiles, state, names)
            return self.evaluator.shapes.is_shape(tiles, fact.expr.arrangement)
        if isinstance(fact, Equal) and _determines(fact, names):
            assert isinstance(fact.left, ir.Local)
            number = self.evaluator.value(fact.right, state, names)
            names[fact.left.name] = as_number(number)
            return negate(same(number, None))
        if exhaustive:
            self._choose(expr, state, names)
        words = self._words_in(expr)
        self.settle(words, names)
        if any(names.get(n) is OPAQUE for n in words):
            return True
        return self.evaluator.truth(expr, state, names)

    def _choose(self, expr: ir.Expr, state: SymbolicState, names: dict[str, Value]) -> None:
        """Give FREE numbers that comparisons of a condition bound the value next to the bound."""
        for part in conjuncts(expr):
            if not isinstance(part, ir.Op) or part.op not in NEXT_TO:
                continue
            left, right = part.args
            above, below = NEXT_TO[part.op]
            for one, other, beyond in ((left, right, above), (right, left, below)):
                if not isinstance(one, ir.Local) or names.get(one.name) is not FREE:
                    continue
                if any(names.get(n) is FREE or names.get(n) is OPAQUE for n in names_in(other)):
                    continue
                bound = self.evaluator.value(other, state, names)
                if same(bound, None) is False:
                    names[one.name] = plus(as_number(bound), beyond)

    def _words_in(self, expr: ir.Expr) -> frozenset[str]:
        """Return the names in a condition, which is asked many times."""
        if id(expr) not in self._words:
            self._words[id(expr)] = expr, names_in(expr)
        return self._words[id(expr)][1]

    def settle(self, words: Iterable[str], names: dict[str, Value]) -> None:
        """Replace FREE numbers by symbols."""
        for name in words:
            if names.get(name) is FREE:
                names[name] = self.symbols.number(name)

    def _asks_a_score(self, expr: ir.Expr) -> bool:
        """Return whether an expression needs what tiles score, itself or through definitions."""
        if expr not in self._needs_score:
            self._needs_score[expr] = any(
                isinstance(n, ir.CallScore) for n in nodes_through(expr, self.evaluator.definitions)
            )
        return self._needs_score[expr]

    def _no_order_before(
        self, action: Action, names: Mapping[str, Value], state: SymbolicState, exhaustive: bool
    ) -> Iterator[tuple[str, Truth]]:
        """Yield the formulas that the conditions fail for each order of the lists that is tried before this one.

        Where that is not known (beyond `MOST_ORDERS`, or if a condition cannot be asked), an order before it may be the
        one of the event. Then nothing is yielded, or False if `exhaustive`, for then it is not legal for certain.
        """
        lists = [p.parts for p in action.params if p.parts]
        if self.compares or not lists or not self.parameter_choices.is_order_sensitive(action):
            return
        if not exhaustive and (self.skip_scores or any(value is OPAQUE for value in names.values())):
            return  # conditions that are not asked may be what an order before this one fails
        given = [tuple(names[part] for part in parts) for parts in lists]
        if all(isinstance(tile, int) for tiles in given for tile in tiles):
            for order in islice(orders(given), MOST_ORDERS):
                if order == given:
                    return
                tried = dict(names)
                for parts, tiles in zip(lists, order, strict=True):
                    tried |= dict(zip(parts, tiles, strict=True))
                conditions = self._conditions(action, tried, state, exhaustive=False, unsure=exhaustive)
                yield "order", negate(all_of(truth for _, truth in conditions))
        if exhaustive:
            yield "order", False


def _is_known(value: Value) -> bool:
    return isinstance(value, int | str | MeldValue) or (isinstance(value, Bag) and value.concrete)


def _laid_out_by(expr: ir.Expr) -> str | None:
    """Return the key whose groups a condition asks to lay out tiles."""
    fact = fact_of(expr)
    return fact.groups.name if isinstance(fact, LaidOut) and isinstance(fact.groups, ir.Local) else None


def orders(lists: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """Yield the orders of lists, each once, in the order in which they are tried: the last list changes first."""
    if not lists:
        yield []
        return
    first, rest = lists[0], lists[1:]
    order: tuple[int, ...] | None = tuple(sorted(first))
    while order is not None:
        for others in orders(rest):
            yield [order, *others]
        order = _next_order(order)


def _next_order(order: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the next larger order of the same tiles, or None after the last one."""
    for at in range(len(order) - 2, -1, -1):
        if order[at] < order[at + 1]:
            larger = max(i for i in range(at + 1, len(order)) if order[i] > order[at])
            swapped = [*order]
            swapped[at], swapped[larger] = swapped[larger], swapped[at]
            return (*swapped[: at + 1], *reversed(swapped[at + 1 :]))
    return None


def _determines(fact: Equal, names: Mapping[str, Value]) -> bool:
    """Return whether a fact determines a FREE number."""
    if not isinstance(fact.left, ir.Local) or names.get(fact.left.name) is not FREE:
        return False
    return not any(names.get(n) is FREE for n in names_in(fact.right))
