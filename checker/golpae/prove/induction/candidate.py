"""What induction tries to prove, and why it could not.

Input: nothing, this module holds data. Output: `Candidate` and `Failure`.
Guarantee: a predicate depends on nothing but the state that it is applied to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from golpae.ir.ruleset import PropertyDecl
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, Unsupported

Predicate = Callable[[SymbolicState], Truth]
START = "the start"  # where a proof can fail, besides at an action


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible invariant. `stated` is the property of the rule text that states it, if one does."""

    name: str
    predicate: Predicate
    stated: PropertyDecl | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a proof failed: at `START` or at an action. `reason` says why there was no answer, if there was none.

    `unsupported` is what has no encoding in the action, and was taken for anything.
    """

    where: str
    reason: str = ""
    unsupported: Unsupported | None = None
