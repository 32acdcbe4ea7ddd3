"""What induction tries to prove, and why it could not.

Input: nothing, this module holds data. Output: `Lemma`, `Candidate` and `Failure`.
Guarantee: a predicate depends on nothing but the state that it is applied to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from golpae.ir.lifecycle import STAGES
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.solving.model import Model
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth

Predicate = Callable[[SymbolicState], Truth]
START = "the start"  # where a proof can fail, besides at an action


ALWAYS, IN_A_HAND = "always", "in a hand"  # where a lemma can hold, besides at a stage of a match
LEMMA_STAGES = (ALWAYS, IN_A_HAND, *STAGES)


@dataclass(frozen=True, slots=True)
class Lemma:
    """A possible invariant in words: `holds` is an expression of the language, about the positions `at` a stage."""

    at: str
    holds: str

    @property
    def name(self) -> str:
        """The lemma in one line, which is the name of its candidate."""
        return f"{self.at}: {self.holds}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible invariant. `stated` is the property of the rule text that states it, if one does.

    A candidate that is `kept` was an invariant when it was written down: it is tried even if it seems to say nothing.
    With `goal`, that is what has to hold after an event, and the predicate, which it implies, is what may be taken to
    hold before it: a proof of this is one for whatever lies between them.
    """

    name: str
    predicate: Predicate
    stated: PropertyDecl | None = None
    kept: bool = False
    goal: Predicate | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a proof failed: at `START` or at an action. `reason` says why there was no answer, if there was none.

    `unsupported` is what has no encoding in the action, and was taken for anything. `model` is where it may fail.
    If nobody can act there, `refused` are the conditions that come next to allowing an event, by their paths; with
    `unsupported`, it is the action that was taken for illegal.
    """

    where: str
    reason: str = ""
    unsupported: Unsupported | None = None
    model: Model | None = field(default=None, compare=False, repr=False)
    refused: tuple[str, ...] = field(default=(), compare=False, repr=False)
