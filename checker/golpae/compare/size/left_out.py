"""What is left out of a measurement because the rules take too many steps.

Input: amounts as they are found; machines that count their steps. Output: those that were found until then; what is
left out goes to `tell`, in words.
Guarantee: nothing else is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from golpae.compare.comparison import Amount
from golpae.replay.machine import Machine
from golpae.replay.steps import TooManySteps

Tell = Callable[[str], object]


def limit_steps(machines: Iterable[Machine], most: int) -> None:
    """From now on raise `TooManySteps` if one of these machines takes more steps in all."""
    for machine in machines:
        machine.limit_steps(most)


def steps_taken(machines: Iterable[Machine]) -> int:
    """Return the steps that these machines have taken since they were limited."""
    return sum(machine.steps_taken for machine in machines)


def tell_end(tell: Tell, what: str, found: int, why: str) -> None:
    """Tell that a measurement ends early: of `what` so many were found."""
    tell(f"{what} end after {found:,}: {why}" if found else f"{what} are left out: {why}")


def as_far_as_possible(amounts: Iterable[Amount], what: str, tell: Tell) -> Iterator[Amount]:
    """Yield amounts. If a clause takes too many steps, tell that `what` is left out from then on, and why."""
    try:
        yield from amounts
    except TooManySteps as long:
        tell(f"{what} left out: {long}")
