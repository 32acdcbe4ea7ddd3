"""Every way to score a hand under many rule sets at once, of which the states of switches say which one counts.

Input: an evaluator for each rule set, and a score that all of them have. Output: the rule sets in classes in which an
unknown hand is arranged alike, each with its ways. Guarantee: with the switches as a rule set has them, a way is what
`ways` gives for that rule set. What cannot be said so raises `Unsupported`.

Each rule set is evaluated by itself, about the same unknown hand. Where the terms differ, the switches choose:

    worth.fully: concealed    with a switch: concealed and size of sets = 4
    fully                     if the switch is on then (concealed and ...) else concealed
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import z3

from golpae.ir import expr as ir
from golpae.ir.ruleset import ScoreDecl
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.evaluation.memo_keys import key_of
from golpae.prove.scoring_ways import (
    Arranged,
    Counted,
    Way,
    arranged_hand,
    counted_patterns,
    eligible_of,
    formula_of,
    is_valid,
    numbers_of,
    points_of,
    possible_arrangements,
    provided_of,
    results_of,
)
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Number, Truth, Value, any_of, implies, merge, number_of

T = TypeVar("T")
Chosen = Callable[[Sequence[int], Sequence[int]], list[tuple[Truth, int]]]


@dataclass(frozen=True, slots=True)
class OneScore:
    """One rule set: its evaluator, and the labels that its melds can have."""

    evaluator: Evaluator
    labels: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Class:
    """Rule sets, by number, in which an unknown hand is arranged alike, and the ways of a score under all of them."""

    numbers: tuple[int, ...]
    ways: tuple[Way, ...]


class ManyScores:
    """A score under many rule sets. `chosen` takes numbers of rule sets with a value for each, and returns the values
    with the guards under which they count. Raises `Unsupported`.
    """

    def __init__(self, many: Sequence[OneScore], score: str, chosen: Chosen) -> None:
        self._many, self._chosen = many, chosen
        self._scores: list[ScoreDecl] = [one.evaluator.scores[score] for one in many]
        self._values: list[Any] = []  # what keys are made of, which has to last as long as they
        self.classes = [*self._classes()]
        if not all(one.evaluator.abstraction.precise for one in many):
            raise Unsupported("scores that count what only rules for known tiles say")
        self._restores = [one.evaluator.saved() for one in many]

    def declared(self, number: int) -> ScoreDecl:
        """Return the score as one rule set has it."""
        return self._scores[number]

    def truth(self, own: Class, way: Way, expr: ir.Expr, about: str) -> tuple[Truth, list[Truth]]:
        """Return whether something is true of a way, and the facts that belong to it. Raises `Unsupported`."""

        def of(number: int) -> Truth:
            evaluator = self._many[number].evaluator
            self._restores[number]()  # what came before makes no difference
            evaluator.symbols.scope = f"{number} {about} {way.arrangement}: "
            try:
                return way.truth(evaluator, expr)
            except KeyError as name:
                raise Unsupported(f"{name}, which only some rule sets have") from None

        truths, facts = self._noting(own.numbers, of)
        if not all(self._many[number].evaluator.abstraction.precise for number in own.numbers):
            raise Unsupported("a statement about what only rules for known tiles say")
        return self._merged(own.numbers, truths), facts

    # ------------------------------------------------------------------ classes

    def _classes(self) -> Iterable[Class]:
        """Yield the classes with their ways."""
        alike: dict[Any, list[int]] = {}
        arranged: dict[int, list[tuple[Arranged, list[Truth]]]] = {}
        for number, one in enumerate(self._many):
            arranged[number] = [*self._arranged(one, self._scores[number])]
            alike.setdefault(self._key_of_hand(number, arranged[number]), []).append(number)
        for numbers in alike.values():
            ways = []
            for place, (own, facts) in enumerate(arranged[numbers[0]]):
                hands = {number: arranged[number][place][0] for number in numbers}
                ways.append(self._way(own.arrangement, facts, hands))
            yield Class(tuple(numbers), tuple(ways))

    def _arranged(self, one: OneScore, score: ScoreDecl) -> Iterable[tuple[Arranged, list[Truth]]]:
        """Yield an unknown hand in each arrangement, with its facts."""
        symbols = one.evaluator.symbols
        for arrangement in possible_arrangements(one.evaluator, score):
            begin = len(symbols.facts)
            hand = arranged_hand(one.evaluator, score, arrangement, [*one.labels])
            yield hand, symbols.facts[begin:]

    def _key_of_hand(self, number: int, hands: Sequence[tuple[Arranged, list[Truth]]]) -> Any:
        """Return a key that is equal for rule sets in which an unknown hand is arranged alike: symbols with the same
        names, and the same facts about them.
        """
        self._values.append(hands)
        score = self._scores[number]
        params = tuple((p.name, p.type) for p in score.params)
        patterns = (score.numbers, *((p.name, p.extra, p.number) for p in score.patterns))
        own = tuple(
            (one.arrangement, one.words, _keys(one.names), tuple(map(key_of, facts))) for one, facts in hands
        )
        return params, patterns, score.keep is None, own

    # ------------------------------------------------------------------ a way

    def _way(self, arrangement: str, facts: list[Truth], hands: Mapping[int, Arranged]) -> Way:
        """Return a way under some rule sets."""
        numbers = tuple(hands)

        def counted_by(number: int) -> Counted:
            evaluator = self._many[number].evaluator
            evaluator.symbols.scope = f"{number} {arrangement}: "  # its further symbols are its own
            evaluator.symbols.fact(provided_of(evaluator, self._scores[number], hands[number]))
            return counted_patterns(evaluator, self._scores[number], hands[number])

        counted, more = self._noting(numbers, counted_by)
        facts = [*facts, *more]
        of_each = [counted[number] for number in numbers]
        # a define may need what only some rule sets have, so that it has no value in the others
        defines = [name for name in of_each[0].defines if all(name in one.defines for one in of_each)]
        names: dict[str, Value] = dict(hands[numbers[0]].names)
        for name in defines:
            names[name] = self._merged(numbers, {n: counted[n].defines[name] for n in numbers})
        patterns = [*of_each[0].holds]
        holds = {p: self._merged(numbers, {n: counted[n].holds[p] for n in numbers}) for p in patterns}
        counts = {p: self._merged(numbers, {n: counted[n].counts[p] for n in numbers}) for p in patterns}
        sums = {n: numbers_of(self._scores[n], holds, counts) for n in numbers}
        named = {
            name: self._merged(numbers, {n: sums[n][name] for n in numbers}) for name in sums[numbers[0]]
        }
        eligible = eligible_of(self._scores[numbers[0]], counts)

        def made_by(number: int) -> Number | None:
            own = {**holds, "eligible": eligible, **sums[number], **names, **counted[number].defines}
            return formula_of(self._many[number].evaluator, self._scores[number], counted[number], own)

        made, more = self._noting(numbers, made_by)
        facts += more
        points = self._points(numbers, holds, counts, made)
        by_name = results_of(holds, points, eligible, named)
        lacking = frozenset[str]().union(*(one.lacking for one in of_each))
        names = {**{name: value for name, value in by_name.items() if name not in lacking}, **names}

        def valid_by(number: int) -> Truth:
            own = {**counted[number].defines, **names}
            return is_valid(self._many[number].evaluator, self._scores[number], counted[number], own)

        valid, more = self._noting(numbers, valid_by)
        merged = self._merged(numbers, valid)
        names.setdefault("kept", merged)
        lacking = lacking.intersection(*(one.lacking for one in of_each))
        return Way(self._scores[0].name, arrangement, (*facts, *more), names, holds, merged, points, lacking)

    def _points(
        self,
        numbers: Sequence[int],
        holds: Mapping[str, Truth],
        counts: Mapping[str, Number],
        by_formula: Mapping[int, Number | None],
    ) -> Number:
        """Return the points: how patterns are added up may differ, and then what brings what counts too. Where a score
        has a formula, its points are there.
        """
        made: dict[Any, Number] = {}
        points: dict[int, Number] = {}
        for number in numbers:
            score = self._scores[number]
            formula = by_formula[number]
            if formula is not None:
                points[number] = formula
                continue
            brings = score.brings if score.total == "unimplied" else ()
            alone = tuple(p.name for p in score.patterns if p.alone)
            how = score.total, alone, tuple((line.pattern, line.brought) for line in brings)
            if how not in made:
                made[how] = points_of(score, holds, counts)
            points[number] = made[how]
        return self._merged(numbers, points)

    # ------------------------------------------------------------------ what differs

    def _noting(self, numbers: Sequence[int], ask: Callable[[int], T]) -> tuple[dict[int, T], list[Truth]]:
        """Return the answer of each rule set, and the facts that come with the answers, each for the rule sets that
        have it. Raises `Unsupported` if a fact is deferred.
        """
        answers: dict[int, T] = {}
        of_fact: dict[Any, tuple[Truth, set[int]]] = {}
        for number in numbers:
            symbols = self._many[number].evaluator.symbols
            begin, deferred = len(symbols.facts), len(symbols.deferred)
            answers[number] = ask(number)
            if len(symbols.deferred) > deferred:
                raise Unsupported("facts about scores that are left for later")
            for fact in symbols.facts[begin:]:
                self._values.append(fact)
                of_fact.setdefault(key_of(fact), (fact, set()))[1].add(number)
        return answers, [
            fact if len(own) == len(numbers) else implies(self._where(numbers, own), fact)
            for fact, own in of_fact.values()
        ]

    def _where(self, numbers: Sequence[int], own: set[int]) -> Truth:
        """Return where some of these rule sets count."""
        chosen = self._chosen(numbers, [int(number in own) for number in numbers])
        return any_of(guard for guard, is_own in chosen if is_own)

    def _merged(self, numbers: Sequence[int], values: Mapping[int, Value]) -> Value:
        """Return one value that is that of each rule set where it counts."""
        self._values.append(values)
        keys: dict[Any, int] = {}
        first = [keys.setdefault(key_of(values[number]), number) for number in numbers]
        if len(keys) == 1:
            return values[first[0]]
        options = [(guard, values[number]) for guard, number in self._chosen(numbers, first)]
        if all(_is_number(value) for _, value in options):
            return number_of(options)
        return merge(options)


def _is_number(value: Value) -> bool:
    return isinstance(value, int | z3.ArithRef) and not isinstance(value, bool)


def _keys(names: Mapping[str, Value]) -> Any:
    return tuple((name, key_of(value)) for name, value in names.items())
