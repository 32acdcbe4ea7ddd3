"""A game that one rule set accepts and the other refuses at its last event, confirmed by replay.

Input: two rule sets at one table, a question, and the lines of a trace.
Output: the game, with the clause that refuses its last event; or None if it does not answer the question.
Guarantee: replay has accepted every event on one side, and refused the last one on the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.compare.games.verdict import B_IN_A, PAID, WitnessGame
from golpae.ir.dependencies import settles
from golpae.ir.ruleset import RuleSet
from golpae.replay.explain import reason
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.report import Refusal
from golpae.search import witness

OF_PAYMENTS = {"pay", "totals", "winners"}  # implicit conditions on the payments in a trace

Lines = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class TablePair:
    """Two rule sets at one table."""

    a: RuleSet
    b: RuleSet
    players: int
    options: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Refused:
    """The clause that refuses an event, its message, and its kind if it is an implicit condition."""

    clause: str
    message: str
    implicit: str | None


def confirmed(
    pair: TablePair, machines: tuple[Machine, Machine], question: str, lines: Lines, shortest: bool
) -> WitnessGame | None:
    """Return the game if replay accepts it on one side and refuses its last event on the other."""
    ours, theirs = (machines[1], pair.a) if question == B_IN_A else (machines[0], pair.b)
    if not witness.replays(ours, lines[0], lines[1:]).accepted:
        return None
    refused = _refused(pair, theirs, lines)
    if refused is None:
        return None
    keys = {"pay", "totals"} if any(map(settles, (*pair.a.actions, *pair.b.actions))) else {"pay"}
    of_payments = refused.implicit in keys
    if of_payments is not (question == PAID) or refused.implicit in OF_PAYMENTS - keys:
        return None  # it answers another question
    return WitnessGame(tuple(lines), theirs.rules, refused.clause, refused.message, shortest)


def _refused(pair: TablePair, theirs: RuleSet, lines: Lines) -> _Refused | None:
    """Return how a rule set refuses the last event of a game; None if it does not, or refuses an earlier one.

    If it refuses the payments of an earlier hand, the game is replayed with payments of its own.
    """
    header = {**lines[0], "rules": theirs.rules}
    library = Library(lambda _: theirs)
    machine = library.machine(theirs.rules, pair.players, pair.options)
    assert isinstance(machine, Machine)
    before = witness.completed(machine, lines[1:-1], int(header.get("stake", 1)))
    for events in (lines[1:], [*before, lines[-1]]):
        report = witness.replays(library, header, events).report
        assert report is not None
        outcome = report.outcome
        if outcome.event == len(events):
            if report.end is None:
                return None  # a limit of golpae refuses it, not the rules
            message = outcome.message if report.refusal is None else reason(report.refusal)
            return _Refused(outcome.clause or "", message or "", _implicit_kind(report.refusal))
    return None


def _implicit_kind(refusal: Refusal | None) -> str | None:
    return None if refusal is None or refusal.condition is None else refusal.condition.of_game
