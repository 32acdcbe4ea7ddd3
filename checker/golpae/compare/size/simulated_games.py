"""How often two rule sets differ in games that are played at random.

Input: two machines side by side (`PairedMachines`), a seed, and how many hands to play.
Output: estimated `Amount`s, in which `{a}` and `{b}` stand for the names of the two: in how many hands, and at how many
decisions, one allows what the other refuses, and how many hands the two pay differently.
Guarantee: the same seed gives the same hands, however many are played, on either path.

Deals are fair, and every event that both allow has the same chance: nobody plays to win. A hand goes on until both
allow nothing more. Hands are independent of each other, and only one decision of each hand counts, picked at random;
so the interval is right for decisions too. Unless somebody asks for a number, the number of hands follows from the
number of tiles and from the length of the first hands, so that every game takes about as long; hands that are not
compiled end it earlier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from golpae.compare.comparison import Amount
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.size.paired_hands import PairedHands, PlayedHand
from golpae.intervals import wilson
from golpae.progress import Progress

WORK = 300_000  # events in all, times the tiles of the set, by the reference
COMPILED_WORK = 100_000_000  # the same on the compiled path
FIRST = 10  # hands that show how long a hand is
FEWEST, MOST = 30, 1_000  # hands
MOST_COMPILED = 100_000  # hands on the compiled path


def measure(
    pair: PairedMachines, seed: int, progress: Progress, asked: int | None = None, compiled: bool = True
) -> Iterator[Amount]:
    """Yield the estimates from random hands, as many as are `asked` for; nothing if the two have no deal in common.

    Raises `HandsDiffer` and `TooManySteps`.
    """
    hands: Counter[PlayedHand] = Counter()
    for hand in _hands(PairedHands(pair, seed, compiled), asked):
        hands[hand] += hand.dealt
        progress.done += 1
    played = hands.total()
    if not played:
        return
    amounts = list(_amounts(hands, seed))
    if not amounts:
        what = "random hands in which one allows what the other does not, or pays differently"
        amounts = [_share(what, 0, played, seed)]
    yield from amounts


def _hands(source: PairedHands, asked: int | None) -> Iterator[PlayedHand]:
    """Yield the hands that are played."""
    if asked is not None:
        yield from (hand for hand, _ in source.play(0, asked))
        return
    tiles = len(source.pair.machines[0].instance.whole)
    work, most = (WORK, MOST) if source.player is None else (COMPILED_WORK, MOST_COMPILED)
    first = list(source.play(0, FIRST))
    yield from (hand for hand, _ in first)
    if not any(hand.dealt for hand, _ in first):
        return
    mean = max(1.0, sum(hand.events for hand, _ in first) / FIRST)
    enough = min(most, max(FEWEST, round(work / tiles / mean)))
    left = WORK - sum(hand.events * tiles for hand, by_reference in first if by_reference)
    for number, (hand, by_reference) in enumerate(source.play(FIRST, enough - FIRST), FIRST + 1):
        yield hand
        if by_reference:
            left -= hand.events * tiles
            if left < 0 and number >= FEWEST and source.player is not None:
                return


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
