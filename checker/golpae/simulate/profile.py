"""Measure which clauses the time of games goes to.

Input: the functions of clauses, which a `Machine` gives with `timing`.
Output: for each clause its own time, its time with all that it asks, and how often it was asked.
Guarantee: the own times of all clauses and of all else add up to the time between `begin` and `end`. What golpae
remembers from one game to the next counts for the clause that was the first to ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

ELSE = "choosing, dealing, and all else"
"""What counts for no clause."""


@dataclass(slots=True)
class Spent:
    """The time of a clause in seconds: its own, and that with what it asks; how often it was asked."""

    own: float = 0.0
    whole: float = 0.0
    times: int = 0


@dataclass(slots=True)
class _Asked:
    """A clause that is under way, and since when; `outer` is False if a call of the same clause is under way, too."""

    path: str
    since: float
    outer: bool


class Profile:
    """The times of all clauses that a machine comes to."""

    def __init__(self) -> None:
        self.spent: dict[str, Spent] = {ELSE: Spent()}
        self._asked: list[_Asked] = []
        self._last = 0.0  # when time was last counted

    def begin(self) -> None:
        """Forget what was measured, and count from now on."""
        self.spent = {ELSE: Spent(times=1)}
        self._last = perf_counter()

    def end(self) -> None:
        """Count what has passed since the last clause."""
        self._count()
        self.spent[ELSE].whole = self.spent[ELSE].own

    @property
    def seconds(self) -> float:
        """The time of all clauses, and of all else."""
        return sum(spent.own for spent in self.spent.values())

    # ------------------------------------------------------------------ what a machine calls

    def timed(self, path: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function with the same values, whose time counts for this clause."""

        def call(*args: Any, **names: Any) -> Any:
            depth = len(self._asked)
            self._ask(path)
            try:
                return function(*args, **names)
            finally:
                self._answer(depth)

        return call

    def at(self, path: str) -> None:
        """From now on, until the function under way returns, time counts for this clause."""
        if self._asked:
            self._answer(len(self._asked) - 1)
        self._ask(path)

    def each(self, path: str, values: Iterator[Any]) -> Iterator[Any]:
        """Yield these values; the time to find each counts for this clause."""
        next_value = self.timed(path, lambda: next(values, values))
        while (value := next_value()) is not values:
            yield value

    def _ask(self, path: str) -> None:
        now = self._count()
        outer = all(asked.path != path for asked in self._asked)
        self._asked.append(_Asked(path, now, outer))
        self.spent.setdefault(path, Spent()).times += 1

    def _answer(self, depth: int) -> None:
        """End what was asked since so many clauses were under way."""
        now = self._count()
        for path in self._asked[depth:]:
            if path.outer:
                self.spent[path.path].whole += now - path.since
        del self._asked[depth:]

    def _count(self) -> float:
        """Count the time since the last call for the clause that is under way. Return what time it is."""
        now = perf_counter()
        path = self._asked[-1].path if self._asked else ELSE
        self.spent.setdefault(path, Spent()).own += now - self._last
        self._last = now
        return now
