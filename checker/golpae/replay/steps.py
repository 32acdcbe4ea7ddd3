"""Counts the steps of evaluations that may be long, so that each ends.

Input: the members that quantifiers, sums and loops go through, where `codegen.length` finds that they may be many.
Output: the same members, or `TooManySteps`.
Guarantee: the count depends on the text and the state alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import permutations
from math import perm
from typing import Any, TypeVar

MOST_STEPS = 10_000_000  # of one clause
MOST_IN_ALL = 100_000_000  # of all evaluations that decide one property
MOST_ORDERS = 400_000  # of the lists of one event
Members = TypeVar("Members", bound=Collection[Any])


class TooManySteps(Exception):
    """Evaluating takes more than `most` steps: a clause (`clause` is its path, if it has one), or all `together`."""

    def __init__(self, clause: str | None, most: int, together: bool = False) -> None:
        super().__init__(clause, most, together)
        self.clause, self.most, self.together = clause, most, together

    def __str__(self) -> str:
        kind, _, name = (self.clause or "").rpartition(" ")
        path = name if kind == "property" else self.clause
        what = "a clause" if path is None else f"`{path}`"
        together = " in all positions of games that are tried" if self.together else ""
        return f"evaluating {what} takes more than {self.most:,} steps{together}"


class Steps:
    """The steps of the clause that is evaluated."""

    def __init__(self) -> None:
        self._left = MOST_STEPS
        self._clause: str | None = None
        self._most_in_all: int | None = None
        self._left_in_all = 0

    def begin(self, clause: str | None) -> None:
        """Count from 0 again, for another clause."""
        self._left, self._clause = MOST_STEPS, clause

    def limit(self, most: int) -> None:
        """Count all clauses together from now on, up to `most`."""
        self._most_in_all = self._left_in_all = most

    def counted(self, members: Members) -> Members:
        """Return the members, one step each. Raises `TooManySteps`."""
        self._spend(len(members))
        return members

    def counted_together(self, members: Collection[Any], size: int) -> Iterator[tuple[Any, ...]]:
        """Return the choices of so many members in order, one step each. Raises `TooManySteps`."""
        self._spend(perm(len(members), size))
        return permutations(members, size)

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise TooManySteps(self._clause, MOST_STEPS)
        if self._most_in_all is not None:
            self._left_in_all -= steps
            if self._left_in_all < 0:
                raise TooManySteps(self._clause, self._most_in_all, together=True)
