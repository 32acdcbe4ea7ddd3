"""What a comparison says of the legal games of two rule sets, A and B.

Data only. At each table two questions are asked of the games, whether every game of A is one of B and the other way
round, and one of the payments, whether a hand that both allow is paid the same. What was recorded of payments
(`pay`, `totals`, and who is richest) takes no part in the first two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from golpae.prove.answer import BOUNDED, PROVED, REFUTED, UNKNOWN

SAME, NARROWER, WIDER, DIFFERENT = "same", "narrower", "wider", "different"
VERDICTS = (SAME, NARROWER, WIDER, DIFFERENT)  # of B, against A
WITHIN, WITHOUT, PAID = QUESTIONS = ("within", "without", "paid")  # fields of AtTable


@dataclass(frozen=True, slots=True)
class Game:
    """A game that one rule set accepts, and another one refuses at its last event.

    `lines` are a trace, its header first, under the rules that accept it. `clause` is the one that refuses, as a
    verdict of `golpae check` names it, `message` what it says. `shortest` is whether no game of fewer events
    tells the two apart in this way.
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
class Held:
    """Whether something holds of all games: proved, refuted by a game, bounded (games up to `bound` events were
    searched) or unknown. `story` says how, or why not, in a line.
    """

    verdict: str
    story: str
    game: Game | None = None
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class AtTable:
    """What was found with so many players.

    `within` is whether every game of A is one of B, `without` whether every game of B is one of A, `paid` whether
    what both allow is paid alike.
    """

    players: int
    options: Mapping[str, int]
    within: Held
    without: Held
    paid: Held


@dataclass(frozen=True, slots=True)
class Meaning:
    """The answers of all tables that both rule sets have, and the rule sets' names."""

    a: str
    b: str
    tables: tuple[AtTable, ...]

    @property
    def same(self) -> bool:
        """Whether the games are proved to be the same at every table, and to be paid alike."""
        answers = [held for t in self.tables for held in (t.within, t.without, t.paid)]
        return bool(answers) and all(held.verdict == PROVED for held in answers)


__all__ = [
    "BOUNDED",
    "DIFFERENT",
    "NARROWER",
    "PAID",
    "PROVED",
    "REFUTED",
    "QUESTIONS",
    "SAME",
    "UNKNOWN",
    "VERDICTS",
    "WIDER",
    "WITHIN",
    "WITHOUT",
    "AtTable",
    "Game",
    "Held",
    "Meaning",
]
