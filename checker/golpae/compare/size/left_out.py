"""What is left out of a measurement because the rules take too many steps.

Input: amounts as they are found; machines that count their steps. Output: those that were found until then; what is
left out goes to `tell`, in words.
Guarantee: nothing else is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from golpae.compare.comparison import Amount
from golpae.ir.limits import TooManySteps
from golpae.progress import Progress
from golpae.replay.machine import Machine

Tell = Callable[[str], object]
FEWEST = 30  # hands of a measurement that ends early


def limit_steps(machines: Iterable[Machine], most: int) -> None:
    """From now on raise `TooManySteps` if one of these machines takes more steps in all."""
    for machine in machines:
        machine.limit_steps(most)


def steps_taken(machines: Iterable[Machine]) -> int:
    """Return the steps that these machines have taken since they were limited."""
    return sum(machine.steps_taken for machine in machines)


def _reason(long: TooManySteps) -> str:
    return f"all together take more than {long.most:,} steps" if long.kind == "together" else str(long)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How estimates are made: from as many hands as are `asked` for, with a seed, in so many processes.

    `tell` is called with the words for estimates that are left out.
    """

    seed: int
    progress: Progress
    asked: int | None = None
    compiled: bool = True
    processes: int = 1
    tell: Tell = str


def enough(tell: Tell, what: str, found: int, steps: int, stopped: TooManySteps | None) -> bool:
    """Return whether so many of `what` are enough for a share, and tell that the measurement ends with them, or that
    there is none.

    The hand at which it `stopped` does not count, and it is an expensive one: a share of few hands without it would
    mislead. So would any share if that hand alone takes too much: the hands before it are the cheap ones. Raises
    `TooManySteps` then.
    """
    if stopped is not None and stopped.kind != "together":
        raise stopped
    why = f"these took {steps:,} steps" if stopped is None else _reason(stopped)
    if found < FEWEST:
        tell(f"{what} are left out: {why}")
        return False
    tell(f"{what} end after {found:,}: {why}")
    return True


def as_far_as_possible(amounts: Iterable[Amount], what: str, tell: Tell) -> Iterator[Amount]:
    """Yield amounts. If they take too many steps, tell that `what` is left out from then on, and why."""
    some = False
    try:
        for amount in amounts:
            some = True
            yield amount
    except TooManySteps as long:
        tell(f"{'the other ' if some else ''}{what} are left out: {_reason(long)}")
