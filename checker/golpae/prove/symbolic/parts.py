"""Counts the parts of formulas, so that building one ends.

Input: what is evaluated and what terms are made of. Output: nothing, or `Unsupported` if a formula has too many parts.
Guarantee: the count depends on the formulas alone. What is kept for later questions is counted apart, so that no
question costs less because another one came before it.

A part is a value that is evaluated, or an argument of a term; a term itself counts as several, because it takes more
memory. Nothing is counted outside of `parts_apart`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf

from golpae.prove.symbolic.terms import PARTS, Unsupported

MOST_OF_CLAUSE = 10_000_000  # parts of one clause in one state
MOST_OF_CHOICES = 5_000_000  # of one condition for all choices of an event's keys that decide one property
MOST_IN_ALL = 30_000_000  # of all that decides one property, or that properties share


@contextmanager
def parts_within() -> Iterator[None]:
    """Let what is built within the block have the parts of a clause, which count for what is around it too."""
    most = MOST_OF_CLAUSE
    left, before = PARTS.left, PARTS.most
    if most < left:
        PARTS.left, PARTS.most = most, most
    allowed = PARTS.left
    try:
        yield
    finally:
        spent = 0 if allowed == inf else allowed - PARTS.left
        PARTS.left, PARTS.most = left - spent, before


@contextmanager
def parts_apart(most: int | None = None) -> Iterator[None]:
    """Let what is built within the block have so many parts (None: `MOST_IN_ALL`), which count for nothing else."""
    most = MOST_IN_ALL if most is None else most
    left, before, question = PARTS.left, PARTS.most, PARTS.question
    PARTS.questions += 1
    PARTS.left, PARTS.most, PARTS.question = most, most, PARTS.questions
    try:
        yield
    finally:
        PARTS.left, PARTS.most, PARTS.question = left, before, question


@contextmanager
def clause_of_faults(clause: str) -> Iterator[None]:
    """Give what is not supported within the block the path of a clause, and count its parts."""
    try:
        with parts_within():
            yield
    except Unsupported as fault:
        fault.at(clause)
        raise


class ConditionsThatFit:
    """Counts what conditions cost that a proof can do without, each with all the choices that it is built for.

    One that costs more than `MOST_OF_CHOICES` among what decides one property is left out from then on, and what it
    cost there counts for nothing: a condition that is too large for the prover does not take the room of all others.
    What the search of invariants leaves out is left out by all properties that use these invariants (`saved`).
    """

    def __init__(self) -> None:
        # by the question that decides a property, and by the path of a condition; None: it is left out
        self._spent: dict[int, dict[str, float | None]] = {}
        self._left_out: frozenset[str] = frozenset()  # by all questions

    def saved(self) -> Callable[[], None]:
        """Return a function after which just these conditions are left out, whatever other questions found since.

        Call it where a search ends that other questions share: what it left out they leave out too, at no cost.
        """
        here = self._spent.get(PARTS.question, {})
        left_out = self._left_out | {path for path, spent in here.items() if spent is None}

        def restore() -> None:
            self._left_out = left_out

        return restore

    @contextmanager
    def counting(self, path: str) -> Iterator[None]:
        """Count what is built within the block for a condition. Raises `Unsupported`, too if it is left out."""
        spent = self._spent.setdefault(PARTS.question, {})
        before = None if path in self._left_out else spent.setdefault(path, 0)
        if before is None:
            raise Unsupported(f"a condition of more than {MOST_OF_CHOICES:,} parts for all its choices", path)
        left = PARTS.left
        try:
            with clause_of_faults(path):
                yield
        finally:
            if 0 <= PARTS.left < left < inf:  # otherwise all parts are spent, or nothing is counted
                in_all = before + left - PARTS.left
                fits = in_all <= MOST_OF_CHOICES
                spent[path] = in_all if fits else None
                PARTS.left += 0 if fits else in_all
