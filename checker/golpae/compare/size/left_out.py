"""What is left out of a measurement because the rules take too many steps.

Input: amounts as they are found. Output: those that were found until then; what is left out goes to `tell`, in words.
Guarantee: nothing else is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from golpae.compare.comparison import Amount
from golpae.replay.steps import TooManySteps

Tell = Callable[[str], object]


def as_far_as_possible(amounts: Iterable[Amount], what: str, tell: Tell) -> Iterator[Amount]:
    """Yield amounts. If a clause takes too many steps, tell that `what` is left out from then on, and why."""
    try:
        yield from amounts
    except TooManySteps as long:
        tell(f"{what} left out: {long}")
