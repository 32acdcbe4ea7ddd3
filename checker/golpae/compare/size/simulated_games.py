"""How often two rule sets differ in games that are played at random.

Input: two machines side by side (`PairedMachines`), a seed, how many hands to play, and on how many processes.
Output: estimated `Amount`s, in which `{a}` and `{b}` stand for the names of the two: in how many hands, and at how many
decisions, one allows what the other refuses, and how many hands the two pay differently.
Guarantee: the same seed gives the same hands, however many are played, on either path and any number of processes.

Deals are fair, and every event that both allow has the same chance: nobody plays to win. A hand goes on until both
allow nothing more. Hands are independent of each other, and only one decision of each hand counts, picked at random;
so the interval is right for decisions too. Unless somebody asks for a number, the number of hands follows from the
number of tiles and from the length of the first hands, so that no game takes very long; hands that are not compiled end
it earlier, and so do counted steps by the reference. `docs/adr/0021-a-million-hands.md` has the measurements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from golpae.compare.comparison import Amount
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.size.hands_in_parts import STEPS, PlayedHands, first_hands, in_parts
from golpae.compare.size.left_out import Sampling, enough
from golpae.compare.size.paired_hands import PairedHands, PlayedHand
from golpae.intervals import wilson

WORK = 300_000  # events in all, times the tiles of the set, by the reference
COMPILED_WORK = 60_000_000_000  # hands, times the square of their events, times the tiles of the set
FIRST = 10  # hands that show how long a hand is
FEWEST, MOST = 30, 1_000  # hands
MOST_COMPILED = 1_000_000  # hands on the compiled path
WORTH = 6_000_000_000  # work of that kind from which on other processes repay their start


def measure(pair: PairedMachines, sampling: Sampling, told: str = "random hands") -> Iterator[Amount]:
    """Yield the estimates from random hands; nothing if the two have no deal in common.

    They end early if playing takes too many steps by the reference, which is reported of what is `told`. Raises
    `HandsDiffer`, `ProcessDied`, and `TooManySteps` if a single hand takes too many.
    """
    seed, asked = sampling.seed, sampling.asked
    hands: Counter[PlayedHand] = Counter()
    steps, most = 0, STEPS * max(1, -(-(asked or 0) // MOST))
    for part, more in _parts(PairedHands(pair, seed, sampling.compiled), asked, most, sampling.processes):
        for hand, many in part.hands.items():
            hands[hand] += many * hand.dealt
            sampling.progress.done += many
        steps += part.steps
        if part.stopped or (more and steps > most):
            if not enough(sampling.tell, told, hands.total(), steps, part.stopped):
                return
            break
    played = hands.total()
    if not played:
        return
    amounts = list(_amounts(hands, seed))
    if not amounts:
        what = "random hands in which one allows what the other does not, or pays differently"
        amounts = [_share(what, 0, played, seed)]
    yield from amounts


def _parts(
    source: PairedHands, wanted: int | None, steps: int, processes: int
) -> Iterator[tuple[PlayedHands, bool]]:
    """Yield the hands that are played, some at a time, and whether others follow."""
    first = first_hands(source, FIRST if wanted is None else min(FIRST, wanted), steps)
    more = first.number_of_hands < wanted if wanted is not None else any(hand.dealt for hand in first.hands)
    yield first, more
    if not more:
        return
    played = first.number_of_hands
    tiles = len(source.pair.machines[0].instance.whole)
    mean = max(1.0, first.events / played)
    each = tiles * mean**2
    most = None
    if wanted is not None:
        many = wanted
    elif source.player is None:
        many = min(MOST, max(FEWEST, round(WORK / tiles / mean)))
    else:
        many = min(MOST_COMPILED, max(FEWEST, round(COMPILED_WORK / each)))
        most = max(WORK // tiles - first.by_reference, round((FEWEST - FIRST) * mean))
    if source.player is None or many * each < WORTH:
        processes = 1
    yield from in_parts(source, played, many, most, steps, processes)


def _amounts(hands: Counter[PlayedHand], seed: int) -> Iterator[Amount]:
    def count(holds: Callable[[PlayedHand], object]) -> int:
        return sum(many for hand, many in hands.items() if holds(hand))

    played = hands.total()
    decided = count(lambda hand: hand.decision is not None)
    ended = count(lambda hand: hand.paid_otherwise is not None)
    at_some_point = "random hands in which {0} at some point allows what {1} does not"
    at_decisions = "decisions of random hands at which {0} allows what {1} does not"
    a, b = "{a}", "{b}"
    rows = (
        (at_some_point.format(a, b), count(lambda hand: hand.alone[0]), played),
        (at_some_point.format(b, a), count(lambda hand: hand.alone[1]), played),
        (at_decisions.format(a, b), count(lambda hand: hand.decision and hand.decision[0]), decided),
        (at_decisions.format(b, a), count(lambda hand: hand.decision and hand.decision[1]), decided),
        (
            "random hands that both allow to the end but pay differently",
            count(lambda hand: hand.paid_otherwise),
            ended,
        ),
        (
            "random hands after which {a} and {b} allow different first players",
            count(lambda hand: hand.led_otherwise),
            ended,
        ),
    )
    for what, cases, of in rows:
        if cases:
            yield _share(what, cases, of, seed)


def _share(what: str, count: int, of: int, seed: int) -> Amount:
    return Amount(what, count, of, *wilson(count, of), seed)
