"""Symbols for what a solver cannot express, and the axioms about them.

Input: a question, as a name and its arguments; if possible, functions that build axioms about the answer. Output: an
unknown answer. Guarantee: the same question has the same answer, so that proofs stay sound; axioms are built only when
a proof needs them, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from golpae.prove.evaluation.memo_keys import ByIdentity, key_of
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    Number,
    Truth,
    Value,
    all_of,
    bags_same,
    cases,
    conj,
    constants,
    disj,
    negate,
    order_of,
)
from golpae.prove.symbolic.zones import Zone, can_lie

ExactAxiom = Callable[[Value], Truth]  # what an answer is, exactly
WeakAxioms = Callable[[Value], Iterable[Truth]]  # what an answer implies


@dataclass(frozen=True, slots=True)
class UnknownAnswer:
    """An unknown answer to a question; its arguments are referenced, so that their keys stay theirs."""

    question: str
    value: Value
    arguments: tuple[Value, ...]
    exact: Callable[[], Truth] | None
    weak: Callable[[], Iterable[Truth]] | None


class Abstraction:
    """The unknown answers of one evaluator.

    `axioms` build the exact axioms there are. With `overapproximate`, some value was taken for any value, which may be
    another one in every game.
    """

    def __init__(self, symbols: SymbolFactory) -> None:
        self._symbols = symbols
        self.axioms: list[Callable[[], Truth]] = []
        self.overapproximate = False
        self._answers: dict[Any, UnknownAnswer] = {}
        self._built: list[Truth] = []
        self._tried = 0  # how many of `axioms`
        self._axioms_of: dict[tuple[Any, bool], list[Truth]] = {}

    def saved(self) -> Callable[[], None]:
        """Return a function that forgets all answers and axioms since now."""
        axioms, built = list(self.axioms), list(self._built)
        answers, axioms_of = dict(self._answers), dict(self._axioms_of)
        overapproximate, tried = self.overapproximate, self._tried

        def restore() -> None:
            self.axioms[:], self._built[:] = axioms, built
            self._answers, self._axioms_of = dict(answers), dict(axioms_of)
            self.overapproximate, self._tried = overapproximate, tried

        return restore

    def fits_order(self, tiles: Bag, zone: Zone) -> Truth:
        """Return whether tiles, in the order of their key, can be the row of a zone: unknown if they have none."""
        order, row = order_of(tiles), zone.row
        if order and row is not None and row.places and len(order) <= len(row.places):
            lying = all_of(can_lie(row, place, tile) for place, tile in zip(row.places, order, strict=False))
            return conj(bags_same(tiles, zone.bag), lying)
        # a row is one object as long as nothing changes its order
        in_order = self.truth("order", (tiles, ByIdentity(zone.row)))
        free = zone.row is None or zone.row.free
        return conj(bags_same(tiles, zone.bag), disj(free, in_order))

    def truth(self, question: str, arguments: tuple[Value, ...], exact: ExactAxiom | None = None) -> Value:
        """Return an unknown truth, the same one for the same question."""
        key = (question, *map(key_of, arguments))
        if key not in self._answers:
            self._add(key, self._symbols.truth(question), arguments, exact, None)
        return self._answers[key].value

    def number(
        self, question: str, arguments: tuple[Value, ...], exact: ExactAxiom, weak: WeakAxioms
    ) -> Value:
        """Return an unknown number or none, the same one for the same question."""
        key = (question, *map(key_of, arguments))
        if key not in self._answers:
            there = self._symbols.truth(f"{question} counts")
            value = GuardedUnion(((there, self._symbols.number(question)), (negate(there), None)))
            self._add(key, value, arguments, exact, weak)
        return self._answers[key].value

    def unknown_number(self, question: str, arguments: tuple[Value, ...]) -> Number:
        """Return an unknown number of which nothing is known, the same one for the same question."""
        key = (question, *map(key_of, arguments))
        if key not in self._answers:
            self._add(key, self._symbols.number(question), arguments, None, None)
        number: Number = self._answers[key].value
        return number

    def _add(
        self,
        key: Any,
        value: Value,
        arguments: tuple[Value, ...],
        exact: ExactAxiom | None,
        weak: WeakAxioms | None,
    ) -> None:
        exact_axiom = None if exact is None else partial(exact, value)
        weak_axioms = None if weak is None else partial(weak, value)
        self._answers[key] = UnknownAnswer(key[0], value, arguments, exact_axiom, weak_axioms)
        if exact_axiom is not None:
            self.axioms.append(exact_axiom)

    def answers_in(self, truths: Iterable[Truth]) -> Iterator[UnknownAnswer]:
        """Yield the answers that occur in some truths, in the order in which they were asked for."""
        symbols = constants(truths)
        for answer in self._answers.values():
            parts = (part for case in cases(answer.value) for part in case)
            if not symbols.isdisjoint(constants(parts)):
                yield answer

    @property
    def precise(self) -> bool:
        """Return whether the solver could express everything, so that every model is a case of the rules."""
        return not self._answers and not self.overapproximate

    def exact_axioms(self) -> tuple[list[Truth], bool]:
        """Return the exact axioms that can be built, and whether they define all answers."""
        while self._tried < len(self.axioms):
            axiom = self.axioms[self._tried]
            self._tried += 1
            try:
                self._built.append(axiom())
            except Unsupported:
                continue
        built = list(self._built)
        return built, len(built) == len(self._answers) and not self.overapproximate

    def axioms_for(self, truths: Iterable[Truth], exact: bool) -> list[Truth]:
        """Return axioms about the answers that occur in some truths: what they imply, or `exact`ly what they are."""
        symbols = constants(truths)
        axioms: list[Truth] = []
        for key, answer in list(self._answers.items()):
            if symbols.isdisjoint(constants(part for case in cases(answer.value) for part in case)):
                continue
            if (key, exact) not in self._axioms_of:
                self._axioms_of[key, exact] = list(_exact(answer) if exact else _weak(answer))
            axioms += self._axioms_of[key, exact]
        return axioms


def _exact(answer: UnknownAnswer) -> Iterator[Truth]:
    if answer.exact is not None:
        with suppress(Unsupported):
            yield answer.exact()


def _weak(answer: UnknownAnswer) -> Iterable[Truth]:
    return () if answer.weak is None else answer.weak()
