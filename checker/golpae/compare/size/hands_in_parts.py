"""Random hands of two rule sets, part by part, on several processes.

Input: what plays the hands of a seed (`PairedHands`), their numbers, the number of processes.
Output: how often each outcome came, for each part, in the order of the hands.
Guarantee: the same on any number of processes. A process does what this one would do, with machines of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.size.in_order import in_order
from golpae.compare.size.left_out import limit_steps, steps_taken
from golpae.compare.size.paired_hands import PairedHands, PlayedHand
from golpae.elaborate.instance import Instance
from golpae.ir.limits import TooManySteps
from golpae.replay.machine import Machine
from golpae.workers import Send

EACH_PART = 2_000  # hands
STEPS = 400_000_000  # by the reference, for all hands of a table, or for each thousand that somebody asks for


@dataclass(frozen=True, slots=True)
class PlayedHands:
    """What came of some hands: `hands` has how often each outcome came, without the number of its events.

    `events` is how many all of them have, `by_reference` how many the reference had to play, `steps` what it took, and
    `stopped` why it went no further.
    """

    number: int
    hands: Mapping[PlayedHand, int]
    events: int
    by_reference: int
    steps: int = 0
    stopped: TooManySteps | None = None

    @property
    def number_of_hands(self) -> int:
        return sum(self.hands.values())


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Which hands are played: from `first` to before `end`, `each` in a part.

    A part ends early if it has more than `most` events by the reference (None: it never does), or if one side takes
    more than so many `steps`.
    """

    first: int
    end: int
    each: int
    most: int | None
    steps: int

    @property
    def parts(self) -> range:
        return range(-(-(self.end - self.first) // self.each))

    def part(self, source: PairedHands, number: int) -> PlayedHands:
        """Play the hands of one part."""
        first = self.first + number * self.each
        hands: Counter[PlayedHand] = Counter()
        by_reference = 0
        stopped = None
        limit_steps(source.pair.machines, self.steps)
        try:
            for hand, referred in source.play(first, min(self.each, self.end - first)):
                hands[hand] += 1
                if referred:
                    by_reference += hand.events
                    if self.most is not None and by_reference > self.most:
                        break
        except TooManySteps as long:
            stopped = long
        outcomes: Counter[PlayedHand] = Counter()
        for hand, many in hands.items():
            outcomes[replace(hand, events=0)] += many
        events = sum(hand.events * many for hand, many in hands.items())
        steps = steps_taken(source.pair.machines)
        return PlayedHands(number, outcomes, events, by_reference, steps, stopped)


def first_hands(source: PairedHands, many: int, steps: int) -> PlayedHands:
    """Play so many hands, from the first one on, as one part. Raises `HandsDiffer`."""
    return _Numbers(0, many, many, None, steps).part(source, 0)


def in_parts(
    source: PairedHands, first: int, end: int, most: int | None, steps: int, processes: int
) -> Iterator[tuple[PlayedHands, bool]]:
    """Yield the hands from the number `first` to before `end`, in order, and whether others follow. If more than `most`
    events had to be played by the reference, the part in which that happened is the last.

    Raises `HandsDiffer` and `ProcessDied`.
    """
    numbers = _Numbers(first, end, EACH_PART, most, steps)
    processes = min(processes, len(numbers.parts))
    if processes <= 1:
        parts: Iterator[PlayedHands] = (numbers.part(source, number) for number in numbers.parts)
    else:
        parts = _in_workers(source, numbers, processes)
    by_reference = 0
    for part in parts:
        by_reference += part.by_reference
        is_last = part.number + 1 == len(numbers.parts) or (most is not None and by_reference > most)
        yield part, not is_last
        if is_last:
            return


def _in_workers(source: PairedHands, numbers: _Numbers, processes: int) -> Iterator[PlayedHands]:
    """Yield all parts in order. Those that nobody asks for any more are broken off."""
    a, b = (machine.instance for machine in source.pair.machines)
    yield from in_order(PlayedHands, numbers.parts, processes, _work, a, b, source.seed, numbers)


def _work(send: Send, a: Instance, b: Instance, seed: int, numbers: _Numbers, own: range) -> None:
    source = PairedHands(PairedMachines(Machine(a, counting=True), Machine(b, counting=True)), seed)
    for number in own:
        send(numbers.part(source, number))
