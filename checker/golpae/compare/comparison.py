"""All that a comparison of two rule sets found: what their texts say, what that means, and how much it matters.

In: the findings of each layer that was asked. Out: one verdict on B against A, and whether it is an expected one.
Data only. Guarantees: where a layer was not asked, or did not decide, there is no verdict that would rest on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from golpae.compare.games.verdict import (
    DIFFERENT,
    NARROWER,
    PROVED,
    REFUTED,
    SAME,
    UNKNOWN,
    WIDER,
    Held,
    Meaning,
)
from golpae.compare.text.diff import TextComparison

TEXT, MEANING, SIZE = "text", "meaning", "size"
LAYERS = (TEXT, MEANING, SIZE)
SETTLED = {(True, True): SAME, (True, False): WIDER, (False, True): NARROWER, (False, False): DIFFERENT}


@dataclass(frozen=True, slots=True)
class Amount:
    """How much one thing matters: so many of so many, counted one by one, or measured.

    `what` is counted, in words (`first deals that only {b} has`), in which `{a}` and `{b}` stand for the names of
    the two. Of a measured one `low` and `high` are the bounds of a share, between 0 and 1, and `seed` repeats it.
    """

    what: str
    count: int
    of: int
    low: float | None = None
    high: float | None = None
    seed: int | None = None

    @property
    def exact(self) -> bool:
        return self.low is None or self.high is None

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """B against A. `a` and `b` are what the call named them. `text` is there always.

    `meaning` is None where it was not asked, or where `apart` says why the games of the two cannot be held against
    each other. `layers` are those that were asked, `at` the tables in words where not all were.
    """

    a: str
    b: str
    layers: tuple[str, ...]
    text: TextComparison
    meaning: Meaning | None = None
    apart: str | None = None
    size: tuple[Amount, ...] = ()
    at: str = ""

    @property
    def within(self) -> bool | None:
        """Whether every game of A is one of B; None where that is not decided."""
        return self._held("within")

    @property
    def without(self) -> bool | None:
        """Whether every game of B is one of A; None where that is not decided."""
        return self._held("without")

    @property
    def paid(self) -> bool | None:
        """Whether what both allow is paid the same; None where that is not decided."""
        return self._held("paid")

    @property
    def games(self) -> str | None:
        """The verdict on the games: same, narrower, wider or different; None where it is not decided."""
        within, without = self.within, self.without
        return None if within is None or without is None else SETTLED[within, without]

    @property
    def decided(self) -> bool:
        return self.games is not None and self.paid is not None

    def expected(self, verdict: str) -> bool | None:
        """Whether the verdict is the one expected; None where that is not decided."""
        possible = {
            SETTLED[within, without] for within in _either(self.within) for without in _either(self.without)
        }
        if verdict not in possible or (verdict == SAME and self.paid is False):
            return False
        if len(possible) > 1 or (verdict == SAME and self.paid is None):
            return None
        return True

    def _held(self, which: str) -> bool | None:
        if self.text.same:
            return True
        if self.meaning is None or not self.meaning.tables:
            return None
        verdicts = {held.verdict for held in self.each(which)}
        if REFUTED in verdicts:
            return False
        return True if verdicts == {PROVED} else None

    def each(self, which: str) -> Iterator[Held]:
        """The answers of all tables to one question: `within`, `without` or `paid`."""
        for table in () if self.meaning is None else self.meaning.tables:
            held: Held = getattr(table, which)
            yield held

    def contradicts_itself(self) -> bool:
        """Whether a game tells two texts apart that say the same, which shows a fault in golpae."""
        return self.text.same and any(
            held.verdict == REFUTED for which in ("within", "without", "paid") for held in self.each(which)
        )


def _either(held: bool | None) -> tuple[bool, ...]:
    return (True, False) if held is None else (held,)


__all__ = ["LAYERS", "MEANING", "SIZE", "TEXT", "UNKNOWN", "Amount", "Comparison"]
