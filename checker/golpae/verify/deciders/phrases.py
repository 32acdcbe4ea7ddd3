"""The phrases that answers share, each on one line.

Input: failures, invariants and witnesses.
Output: words for people.
Guarantee: none of these changes a verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.prove.answer import REFUTED, Answer, Witness
from golpae.prove.induction.candidate import START, Candidate, Failure
from golpae.search.lasso import Lasso


def why_not(failure: Failure) -> str:
    """Return why induction proves nothing."""
    where = failure.where if failure.where in ("", START) else f"`{failure.where}`"
    if failure.reason:
        return f"induction gave no answer{f' at {where}' if where else ''}: {failure.reason}"
    if where:
        return f"not proved by induction: it may fail after {where}; no game was found in which it fails"
    return "not proved by induction, and no game was found in which it fails"


def count_of(invariants: Sequence[Candidate]) -> str:
    """Return how many invariants there are."""
    return f"{len(invariants)} invariants" if len(invariants) != 1 else "1 invariant"


def names_of(invariants: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the names of invariants."""
    return tuple(c.name for c in invariants)


def length_of(game: Witness) -> str:
    """Return how long a game is."""
    return f"a game of {len(game.events)} events" if len(game.events) != 1 else "a game of 1 event"


def refuted_by(lasso: Lasso) -> Answer:
    """Return the answer to a property that such a game refutes."""
    story = f"after event {len(lasso.events)} the game is in the same state as after event {lasso.start}"
    return Answer(REFUTED, story, witness=Witness((), tuple(lasso.events)))
