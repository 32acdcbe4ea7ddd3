"""The result of comparing the legal games of two rule sets, A and B.

Input: nothing; this module holds data only.
Output: a `QuestionResult` for each question, collected by table (`AtTable`) and for all tables (`Meaning`).
Guarantee: an answer that is refuted has a game that shows it, or a header.

There are three questions at each table: whether every game of A is one of B, whether every game of B is one of A, and
whether a hand that both allow is paid alike. The payments in a trace (`pay`, `totals`, and who is richest) play no part
in the first two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from golpae.compare.scores.verdict import ScoreAnswer
from golpae.prove.answer import BOUNDED, PROVED, REFUTED, UNKNOWN

SAME, NARROWER, WIDER, DIFFERENT = "same", "narrower", "wider", "different"
VERDICTS = (SAME, NARROWER, WIDER, DIFFERENT)  # on B against A
A_IN_B, B_IN_A, PAID = QUESTIONS = ("a_in_b", "b_in_a", "paid")  # the fields of AtTable
NO_DEAL = (
    "no deal of one is a deal of the other"  # so they pay alike in all games of both, of which there are none
)


@dataclass(frozen=True, slots=True)
class WitnessGame:
    """A game that one rule set accepts and the other refuses at its last event.

    `lines` is a trace, header first, under the rules that accept it. `clause` is the clause that refuses, as
    `golpae check` names it; `message` is its message. `shortest` is whether no game with fewer events answers the
    same question.
    """

    lines: tuple[Mapping[str, Any], ...]
    refused_by: str
    clause: str
    message: str
    shortest: bool

    @property
    def events(self) -> int:
        return len(self.lines) - 1


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The answer to one question: proved, refuted by a game, bounded (the solver has searched all games of up to
    `bound` events) or unknown. `detail` is one line on how it was reached, or why it was not.
    """

    verdict: str
    detail: str
    game: WitnessGame | None = None
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class AtTable:
    """The answers at one table.

    `a_in_b`: is every game of A one of B? `b_in_a`: is every game of B one of A? `paid`: are games that both allow
    paid alike? `scores` are those that are not the same by syntax: do all hands count alike? They are only asked about
    if no game asks for them, or if games show no difference. `fault` says what is wrong if golpae itself failed here.
    """

    players: int
    options: Mapping[str, int]
    a_in_b: QuestionResult
    b_in_a: QuestionResult
    paid: QuestionResult
    scores: tuple[ScoreAnswer, ...] = field(default=(), kw_only=True)
    fault: str | None = field(default=None, kw_only=True)

    def answer(self, question: str) -> QuestionResult:
        """Return the answer to a question, one of `QUESTIONS`."""
        return {A_IN_B: self.a_in_b, B_IN_A: self.b_in_a, PAID: self.paid}[question]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdicts on the questions, then those on the scores."""
        asked = (self.answer(question).verdict for question in QUESTIONS)
        return (*asked, *(answer.verdict for answer in self.scores))


@dataclass(frozen=True, slots=True)
class Covered:
    """The values of an option that a comparison is about: those from `low` to `high` that are in `values`; all of them
    if that is None.
    """

    name: str
    low: int
    high: int
    values: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HeaderDifference:
    """Headers that only one rule set takes, or that name another table in each.

    They refute `questions`. `words` has `{a}` and `{b}` for the names of the two.
    """

    questions: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Meaning:
    """The answers at the tables that both rule sets have, and the names of the two.

    `options` are the values that the tables cover, `headers` the headers that are a difference by themselves.
    """

    a: str
    b: str
    tables: tuple[AtTable, ...]
    options: tuple[Covered, ...] = ()
    headers: tuple[HeaderDifference, ...] = ()

    @property
    def same(self) -> bool:
        """Return whether the games, their payments and the scores of hands are proved to be the same at every table."""
        return bool(self.tables and not self.headers) and all(
            verdict == PROVED for table in self.tables for verdict in table.verdicts
        )


__all__ = [
    "A_IN_B",
    "BOUNDED",
    "B_IN_A",
    "DIFFERENT",
    "NARROWER",
    "NO_DEAL",
    "PAID",
    "PROVED",
    "QUESTIONS",
    "REFUTED",
    "SAME",
    "UNKNOWN",
    "VERDICTS",
    "WIDER",
    "QuestionResult",
    "AtTable",
    "Covered",
    "WitnessGame",
    "HeaderDifference",
    "Meaning",
]
