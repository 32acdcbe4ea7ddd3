"""The phrases that answers share, each on one line.

Input: failures, invariants and witnesses.
Output: words for people.
Guarantee: none of these changes a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from golpae.diagnostics.amounts import many
from golpae.diagnostics.diagnostic import quoted_list
from golpae.prove.answer import REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.induction.candidate import START, Candidate, Failure
from golpae.replay.machine import Machine
from golpae.search.lasso import Lasso, changed_unread


def why_not(failure: Failure) -> str:
    """Return why induction proves nothing."""
    where = failure.where if failure.where in ("", START) else f"`{failure.where}`"
    if failure.unsupported is not None:
        taken = f", and so takes {quoted_list(failure.refused)} for illegal" if failure.refused else ""
        return f"the prover does not support {failure.unsupported}{taken}"
    if failure.reason:
        return f"induction gave no answer{f' at {where}' if where else ''}: {failure.reason}"
    if where:
        return f"not proved by induction: it may fail after {where}; no game was found in which it fails"
    return "not proved by induction, and no game was found in which it fails"


def undecided(failure: Failure, advice: str = "") -> Answer:
    """Return the answer that induction proves nothing, why, and what would help."""
    clause = None if failure.unsupported is None else failure.unsupported.clause
    return Answer(UNKNOWN, f"{why_not(failure)}{advice}", unsupported=clause)


def count_of(invariants: Sequence[Candidate]) -> str:
    """Return how many invariants there are."""
    return f"{len(invariants)} invariants" if len(invariants) != 1 else "1 invariant"


def names_of(invariants: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the names of invariants, sorted."""
    return tuple(sorted(c.name for c in invariants))


def length_of(game: Witness) -> str:
    """Return how long a game is."""
    return events_of(game.events)


def events_of(events: Sequence[object]) -> str:
    """Return how long a game with these events is."""
    if not events:
        return "before the first event"
    return f"a game of {many(len(events), 'event')}"


def shortest(events: Sequence[object]) -> str:
    """Return the number of events of a game that is certainly a shortest one, in words."""
    return f"{events_of(events)}, the shortest" if events else events_of(events)


def says_shortest(story: str, events: Sequence[object]) -> bool:
    """Return whether a story says that the game with these events is a shortest one."""
    return bool(events) and any(part.endswith(shortest(events)) for part in story.split("; "))


def all_positions(count: int) -> str:
    """Return how many positions were looked at."""
    return f"all {count:,} positions" if count != 1 else "the only position"


def never_happens(action: str) -> str:
    """Return why a property that is asked after an action says nothing."""
    return f"`{action}` can never happen"


def in_a_hand(most: int, after: str | None) -> str:
    """Return how many events a hand has at most: all of them, or those of an action."""
    if after is None:
        return f"within {most} events"
    return f"at most {most} `{after}` events in a hand, which other events may prolong"


def refuted_by(machine: Machine, lasso: Lasso) -> Answer:
    """Return the answer to a property that such a game refutes."""
    return refuted_by_return(machine, lasso.events, lasso.start)


def refuted_by_return(machine: Machine, events: Sequence[dict[str, Any]], start: int) -> Answer:
    """Return the answer to a property that a game refutes whose last state is that after `start` events."""
    story = f"after event {len(events)} the game is in the same state as after event {start}"
    unread = changed_unread(machine, events, start)
    if unread:
        story += f", but for {quoted_list(unread)}, which no rule reads"
    return Answer(REFUTED, story, witness=Witness((), tuple(events)))
