"""The whole result of comparing two rule sets: their texts, their games, and how much the difference matters.

Input: the result of each layer that the call chose.
Output: one verdict on B against A, and whether it is the expected one. Data only.
Guarantee: if a layer is missing or undecided, every verdict that depends on it is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from golpae.compare.games.verdict import (
    A_IN_B,
    B_IN_A,
    DIFFERENT,
    NARROWER,
    NO_DEAL,
    PAID,
    PROVED,
    QUESTIONS,
    REFUTED,
    SAME,
    UNKNOWN,
    WIDER,
    AtTable,
    Meaning,
    QuestionResult,
)
from golpae.compare.scores.verdict import ScoreAnswer
from golpae.compare.text.diff import TextComparison

TEXT, MEANING, SIZE = "text", "meaning", "size"
LAYERS = (TEXT, MEANING, SIZE)
SAME_TEXT = "the texts differ in nothing that can change a game"
SETTLED = {(True, True): SAME, (True, False): WIDER, (False, True): NARROWER, (False, False): DIFFERENT}


@dataclass(frozen=True, slots=True)
class Amount:
    """How much one difference matters: `count` of `of` cases, counted one by one or estimated from a sample.

    `what` names the cases (`first deals possible only in {b}`); `{a}` and `{b}` stand for the names of the two. An
    estimate has the bounds `low` and `high` of its share, between 0 and 1, and the `seed` that repeats it.
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
    """B against A. `a` and `b` are the names that the call used. `text` is always there.

    `meaning` is None if the call left it out, or if `incomparable` gives a reason why the games of the two cannot be
    compared. `layers` are the chosen ones; `at` names the tables that the call chose, if it chose any. `size_fault`
    says what is wrong if golpae itself failed to measure the size; `left_out` says what of the size is left out or ends
    early because it takes too many steps.
    """

    a: str
    b: str
    layers: tuple[str, ...]
    text: TextComparison
    meaning: Meaning | None = None
    incomparable: str | None = None
    size: tuple[Amount, ...] = ()
    at: str = ""
    size_fault: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def a_in_b(self) -> bool | None:
        """Return whether every game of A is one of B; None if undecided."""
        return self._at_all_tables(A_IN_B)

    @property
    def b_in_a(self) -> bool | None:
        """Return whether every game of B is one of A; None if undecided."""
        return self._at_all_tables(B_IN_A)

    @property
    def paid(self) -> bool | None:
        """Return whether games that both allow are paid the same; None if undecided."""
        return self._at_all_tables(PAID)

    @property
    def hands(self) -> bool | None:
        """Return whether hands count alike by every score that was asked about; None if undecided."""
        if self.text.same:
            return True
        verdicts = {answer.verdict for answer in self.score_answers()}
        if REFUTED in verdicts:
            return False
        return True if verdicts <= {PROVED} else None

    @property
    def shares_no_deal(self) -> bool:
        """Return whether no deal is one of both, at any table."""
        answers = list(self.answers(PAID))
        return bool(answers) and all(answer.detail == NO_DEAL for answer in answers)

    @property
    def games(self) -> str | None:
        """Return the verdict on the games: same, narrower, wider or different; None if undecided."""
        a_in_b, b_in_a = self.a_in_b, self.b_in_a
        return None if a_in_b is None or b_in_a is None else SETTLED[a_in_b, b_in_a]

    @property
    def decided(self) -> bool:
        return None not in (self.games, self.paid, self.hands)

    def expected(self, verdict: str) -> bool | None:
        """Return whether the verdict is the expected one; None if undecided."""
        possible = {
            SETTLED[a_in_b, b_in_a] for a_in_b in _possible(self.a_in_b) for b_in_a in _possible(self.b_in_a)
        }
        alike = (self.paid, self.hands) if verdict == SAME else ()
        if verdict not in possible or False in alike:
            return False
        if len(possible) > 1 or None in alike:
            return None
        return True

    def _at_all_tables(self, question: str) -> bool | None:
        if self.text.same and not any(self.faults()):
            return True
        if self.meaning is None:
            return None
        if any(question in header.questions for header in self.meaning.headers):
            return False
        verdicts = {answer.verdict for answer in self.answers(question)}
        if REFUTED in verdicts:
            return False
        return True if verdicts <= {PROVED} else None

    def answers(self, question: str) -> Iterator[QuestionResult]:
        """Yield the answer to one question at each table."""
        for table in () if self.meaning is None else self.meaning.tables:
            yield table.answer(question)

    def score_answers(self) -> Iterator[ScoreAnswer]:
        """Yield whether hands count alike, for each score at each table."""
        for table in () if self.meaning is None else self.meaning.tables:
            yield from table.scores

    def faults(self) -> Iterator[str]:
        """Yield the faults of golpae itself: crashes, and a game that distinguishes two rule sets of the same text."""
        for table in () if self.meaning is None else self.meaning.tables:
            if table.fault is not None:
                yield table.fault
        if self.size_fault is not None:
            yield self.size_fault
        answers = (answer for question in QUESTIONS for answer in self.answers(question))
        if self.text.same and any(answer.verdict == REFUTED for answer in answers):
            yield f"{self.a} and {self.b} have the same text, but a game distinguishes them"


def settled_by_text(meaning: Meaning, text: TextComparison) -> Meaning:
    """Return the answers with those proved that are open though the texts have the same rules."""
    verdicts = {answer.verdict for table in meaning.tables for answer in map(table.answer, QUESTIONS)}
    if not text.same or REFUTED in verdicts or any(table.fault is not None for table in meaning.tables):
        return meaning
    proved = QuestionResult(PROVED, SAME_TEXT)

    def settled(table: AtTable) -> AtTable:
        answers = (table.answer(question) for question in QUESTIONS)
        a_in_b, b_in_a, paid = (a if a.verdict == PROVED else proved for a in answers)
        return replace(table, a_in_b=a_in_b, b_in_a=b_in_a, paid=paid)

    return replace(meaning, tables=tuple(map(settled, meaning.tables)))


def _possible(decided: bool | None) -> tuple[bool, ...]:
    return (True, False) if decided is None else (decided,)


__all__ = ["LAYERS", "MEANING", "SIZE", "TEXT", "UNKNOWN", "Amount", "Comparison", "settled_by_text"]
