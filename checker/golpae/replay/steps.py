"""Counts the steps of evaluations that may be long, so that each ends.

Input: the members that quantifiers, sums and loops go through, where `codegen.length` finds that they may be many; the
tries of searches that may be long.
Output: the same members, or `TooManySteps`.
Guarantee: the count depends on the text and the state alone, not on what was asked before. What is kept for the next
time it is asked for has a count of its own, and costs each time what it cost at first, or never anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import permutations
from math import perm
from typing import Any, TypeVar

from golpae.ir.limits import TooManySteps

MOST_STEPS = 10_000_000  # of one clause
MOST_OF_TILE = (
    1_000_000  # of a definition of tiles alone, for its first tile; of a shape, for one bag of tiles
)
MOST_TRIES = 1_000_000  # of a search for the ways to lay out one hand; for the groups of a shape
MOST_IN_ALL = 100_000_000  # of all evaluations that decide one property
MOST_ORDERS = 400_000  # of the lists of one event
MOST_OF_EVENT = 30_000_000  # of all clauses of one event, in all orders of its lists
MOST_VALUES = 1_000_000  # of keys, that are tried for the events of one action in one position
MOST_REMEMBERED = 2_000  # values of one definition
FREE_VALUES, EACH_VALUE = 1_000, 10  # so many cost nothing; the steps of each value beyond
Members = TypeVar("Members", bound=Collection[Any])
Value = TypeVar("Value")


class Steps:
    """The steps of the clause that is evaluated.

    Members are counted in a text with clauses that may take very many; what has a count of its own is always counted.
    """

    def __init__(self) -> None:
        self._left = self._most = MOST_STEPS
        self._clause: str | None = None
        self._left_of_event: int | None = None  # None: no event is under way
        self._most_in_all: int | None = None
        self._left_in_all = 0
        self._clauses_in_all = False
        self._remembered: list[dict[Any, tuple[Any, int, int]]] = []
        self._remembers = True

    def begin(self, clause: str | None) -> None:
        """Count from 0 again, for another clause. Raises `TooManySteps` if its event has taken too many."""
        if self._left_of_event is not None:
            self._left_of_event -= 1 + self._most - self._left
            if self._left_of_event < 0:
                raise TooManySteps(clause, MOST_OF_EVENT, "event")
        self._left = self._most = MOST_STEPS
        self._clause = clause

    def _end_clause(self, now: str | None) -> None:
        """Charge an event with its last clause. Raises `TooManySteps`, which names the clause `now`."""
        if self._left_of_event is not None:
            self._left_of_event -= 1 + self._most - self._left
            if self._left_of_event < 0:
                raise TooManySteps(now, MOST_OF_EVENT, "event")

    def event(self, carry_out: Callable[[], Value]) -> Value:
        """Carry out an event, or a part of one, whose clauses are counted together. Raises `TooManySteps`."""
        if self._left_of_event is not None:
            return carry_out()
        self._left_of_event = MOST_OF_EVENT
        self._left = self._most
        try:
            value = carry_out()
            self._end_clause(self._clause)
            return value
        finally:
            self._left_of_event = None

    def limit(self, most: int, clauses: bool) -> None:
        """Count everything together from now on, up to `most`: what has a count of its own, and `clauses`."""
        self._most_in_all = self._left_in_all = most
        if clauses != self._clauses_in_all:
            self._clauses_in_all = clauses
            for known in self._remembered:
                known.clear()

    @property
    def in_all(self) -> int:
        """The steps that were counted together since `limit`."""
        return 0 if self._most_in_all is None else self._most_in_all - self._left_in_all

    def counted(self, members: Members) -> Members:
        """Return the members, one step each. Raises `TooManySteps`."""
        self._left -= len(members)
        if self._left < 0:
            raise TooManySteps(self._clause, self._most)
        if self._clauses_in_all:
            self._spend_in_all(len(members))
        return members

    def counted_together(self, members: Collection[Any], size: int) -> Iterator[tuple[Any, ...]]:
        """Return the choices of so many members in order, one step each. Raises `TooManySteps`."""
        self._spend(perm(len(members), size))
        return permutations(members, size)

    def counted_each(self, choices: Iterable[Value], size: int) -> Iterator[Value]:
        """Yield choices of so many members, a step for each member. Raises `TooManySteps`."""
        for choice in choices:
            self._spend(max(1, size))
            yield choice

    def apart(self, what: str, most: int, value: Callable[[], Value]) -> tuple[Value, int]:
        """Return a value and its steps, which count for nothing else. Raises `TooManySteps`."""
        outer = self._left, self._most, self._clause, self._most_in_all
        event, self._left_of_event = self._left_of_event, None
        self._left, self._most, self._clause, self._most_in_all = most, most, what, None
        try:
            return value(), most - self._left
        finally:
            self._left, self._most, self._clause, self._most_in_all = outer
            self._left_of_event = event

    def remembering(self, function: Callable[..., Value]) -> Callable[..., Value]:
        """Return a function that takes a key before the arguments, and gives the value again that it has found for the
        same key. It takes the same steps each time. Raises `TooManySteps`.
        """
        alone: dict[
            Any, tuple[Any, int, int]
        ] = {}  # a value, its steps, and those of them that count together
        together: dict[Any, tuple[Any, int, int]] = {}
        self._remembered += (alone, together)

        def value_of(key: Any, *args: Any) -> Any:
            if not self._remembers:
                return function(*args)
            known = alone if self._most_in_all is None else together
            entry = known.get(key)
            if entry is not None:
                known_value, steps, in_all = entry
                if steps:
                    self._left -= steps
                    if self._left < 0:
                        raise TooManySteps(self._clause, self._most)
                if in_all:
                    self._spend_in_all(in_all)
                return known_value
            left, left_in_all = self._left, self._left_in_all
            value: Any = function(*args)
            if value.__class__ is list:  # it may be that of a zone, which changes in place
                value = value.copy()
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            known[key] = value, left - self._left, left_in_all - self._left_in_all
            return value

        return value_of

    def forget(self) -> None:
        """Work everything out anew from now on, so that whoever waits for a call of a definition hears of it."""
        self._remembers = False

    def charge(self, steps: int) -> None:
        """Count the steps of something that has a count of its own. Raises `TooManySteps`."""
        if steps:
            self._left -= steps
            if self._left < 0:
                raise TooManySteps(self._clause, self._most)
            self._spend_in_all(steps)

    def named(self, function: Callable[..., Value]) -> Callable[..., Value]:
        """Return a function with the same values; if it raises `TooManySteps`, that names the clause."""

        def call(*args: Any) -> Value:
            try:
                return function(*args)
            except TooManySteps as long:
                raise TooManySteps(self._clause, long.most, long.kind) from None

        return call

    def values_of(self, action: str) -> Callable[[], None]:
        """Return the function to call for each value that is tried to list the events of an action in one position.

        It raises `TooManySteps`.
        """
        tried = 0

        def count() -> None:
            nonlocal tried
            tried += 1
            if tried > FREE_VALUES:
                if tried > MOST_VALUES:
                    raise TooManySteps(action, MOST_VALUES, "values")
                self._spend_in_all(EACH_VALUE)

        return count

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise TooManySteps(self._clause, self._most)
        if self._clauses_in_all:
            self._spend_in_all(steps)

    def _spend_in_all(self, steps: int) -> None:
        if self._most_in_all is not None:
            self._left_in_all -= steps
            if self._left_in_all < 0:
                raise TooManySteps(self._clause, self._most_in_all, "together")


class Tries:
    """The tries of one search, which has a count of its own and is charged to the clause that asks for it."""

    def __init__(self, what: str, steps: Steps) -> None:
        self._left = MOST_TRIES
        self._what = what
        self._steps = steps

    def spend(self, tries: int) -> None:
        """Count so many tries. Raises `TooManySteps`."""
        self._left -= tries
        if self._left < 0:
            raise TooManySteps(self._what, MOST_TRIES)
        self._steps.charge(tries)
