"""What a proof rests on, one question at a time.

Input: none, this module holds data. Output: `Obligation` and `Hypothesis`.
Guarantee: an obligation is met if its goals follow from its hypotheses: these and the negated goals cannot all be true.
It is met as well if its goals follow from some of the hypotheses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from golpae.prove.symbolic.values import Truth


class Role(Enum):
    """What a hypothesis is for, which decides when a question has it.

    A `FACT` bounds a symbol, a `PREMISE` holds in every state, a `CASE` makes the obligation what it is. What is `LATE`
    takes a solver long, and most questions have an answer without it.
    """

    FACT = "fact"
    PREMISE = "premise"
    CASE = "case"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Something that an obligation takes for true, in words and as a formula."""

    words: str
    truth: Truth
    role: Role


@dataclass(frozen=True, slots=True)
class Goal:
    """What has to follow. `folded` says why golpae's evaluator makes it true, if it does."""

    words: str
    truth: Truth
    folded: str | None = None


@dataclass(frozen=True, slots=True)
class Obligation:
    """One question of a proof: `kind` is its place in the proof, `about` says what it shows.

    The first `shared` hypotheses are those of other obligations of the same proof, too. If `expected` is `sat`, it is a
    model of the hypotheses that shows something, and there are no goals.
    """

    kind: str
    about: str
    hypotheses: tuple[Hypothesis, ...]
    goals: tuple[Goal, ...]
    shared: int = 0
    expected: Literal["unsat", "sat"] = "unsat"

    @property
    def trivial(self) -> str | None:
        """Return why golpae's evaluator answers it without a solver, or None if it does not."""
        for hypothesis in self.hypotheses:
            if hypothesis.truth is False:
                return f"`{hypothesis.words}` is false"
        if self.expected == "sat":
            return None
        return None if any(goal.truth is not True for goal in self.goals) else "every goal is true"
