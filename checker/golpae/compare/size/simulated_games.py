"""How often two rule sets differ in games that are played at random.

Input: two machines side by side (`PairedMachines`) and a seed.
Output: estimated `Amount`s, in which `{a}` and `{b}` stand for the names of the two: in how many hands, and at how many
decisions, one allows what the other refuses, and how many hands the two pay differently.
Guarantee: the same seed gives the same result.

Deals are fair, and every event that both allow has the same chance: nobody plays to win. A hand goes on until both
allow nothing more. Hands are independent of each other, and only one decision of each hand counts, picked at random;
so the interval is right for decisions too. The number of hands follows from the number of tiles and from the length
of the first hands, so that every game takes about as long.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from golpae.compare.comparison import Amount
from golpae.compare.games.paired_machines import PairedMachines
from golpae.intervals import wilson
from golpae.progress import Progress
from golpae.replay.legal_events import Event
from golpae.replay.random_deal import random_deal, random_reserve, with_reserve

WORK = 300_000  # events in all, times the tiles of the set
FIRST = 10  # hands that show how long a hand is
FEWEST, MOST = 30, 1_000  # hands
LONGEST = 200  # events of a hand; the rest is left out
TRIES = 20  # for a deal that both allow


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand. `alone` is whether the first, and whether the second, allowed at some point what the other refused.

    `decision` is the same for one decision; None if there was none. `paid_otherwise` is None if the hand did not end.
    `led_otherwise` is whether different seats may be the first player of the next hand.
    """

    events: int
    alone: tuple[bool, bool]
    decision: tuple[bool, bool] | None
    paid_otherwise: bool | None = None
    led_otherwise: bool = False


def measure(pair: PairedMachines, seed: int, progress: Progress) -> Iterator[Amount]:
    """Yield the estimates from random hands; nothing if the two have no deal in common."""
    hands: list[PlayedHand] = []
    enough = FIRST
    for number in count():
        if number == FIRST:
            mean = sum(h.events for h in hands) / FIRST
            tiles = len(pair.machines[0].instance.whole)
            enough = min(MOST, max(FEWEST, round(WORK / tiles / mean)))
        if number == enough:
            break
        hand = play(pair, random.Random(f"size {seed} {number}"))
        if hand is None:
            return
        hands.append(hand)
        progress.done += 1
    amounts = list(_amounts(hands, seed))
    if not amounts:
        what = "random hands in which one allows what the other does not, or pays differently"
        amounts = [_share(what, 0, len(hands), seed)]
    yield from amounts


def _amounts(hands: list[PlayedHand], seed: int) -> Iterator[Amount]:
    decisions = [h.decision for h in hands if h.decision is not None]
    ended = [h.paid_otherwise for h in hands if h.paid_otherwise is not None]
    alone = (("{a}", "{b}"), ("{b}", "{a}"))
    rows = [
        (
            f"random hands in which {one} at some point allows what {other} does not",
            [h.alone[i] for h in hands],
        )
        for i, (one, other) in enumerate(alone)
    ]
    rows += [
        (f"decisions of random hands at which {one} allows what {other} does not", [d[i] for d in decisions])
        for i, (one, other) in enumerate(alone)
    ]
    rows.append(("random hands that both allow to the end but pay differently", ended))
    led = [h.led_otherwise for h in hands if h.paid_otherwise is not None]
    rows.append(("random hands after which {a} and {b} allow different first players", led))
    for what, cases in rows:
        if any(cases):
            yield _share(what, sum(cases), len(cases), seed)


def _share(what: str, count: int, of: int, seed: int) -> Amount:
    return Amount(what, count, of, *wilson(count, of), seed)


# ---------------------------------------------------------------------- a hand


def play(pair: PairedMachines, rng: random.Random) -> PlayedHand | None:
    """Play one hand from the start of a match. Return None if no deal came up that both allow."""
    pair.begin()
    ever_alone, decision, decisions = (False, False), None, 0
    if not _deal(pair, rng):
        return None
    for number in range(1, LONGEST):
        allowed, alone = _events(pair)
        ever_alone = (ever_alone[0] or alone[0] > 0, ever_alone[1] or alone[1] > 0)
        if len(allowed) + sum(alone) > 1:
            decisions += 1
            if rng.randrange(decisions) == 0:
                decision = (alone[0] > 0, alone[1] > 0)
        if not allowed:
            return PlayedHand(number, ever_alone, decision)
        event, other = allowed[rng.randrange(len(allowed))]
        pair.take(event, other)
        if event.action == "end":
            seats = [set(legal.can_deal(state)) for legal, state in zip(pair.legal, pair.states, strict=True)]
            paid = event.args[1] != other.args[1]
            return PlayedHand(number + 1, ever_alone, decision, paid, seats[0] != seats[1])
    return PlayedHand(LONGEST, ever_alone, decision)


def _deal(pair: PairedMachines, rng: random.Random) -> bool:
    """Deal from the smaller set, whose tiles both have. Return whether both allow a deal."""
    sizes = [len(machine.instance.whole) for machine in pair.machines]
    smaller = 0 if sizes[0] <= sizes[1] else 1
    machine, state = pair.machines[smaller], pair.states[smaller]
    seats = [set(legal.can_deal(state)) for legal, state in zip(pair.legal, pair.states, strict=True)]
    firsts = sorted(seats[0] & seats[1])
    for _ in range(TRIES if firsts else 0):
        deal = random_deal(machine, state, rng.choice(firsts), rng)
        reserve = random_reserve(machine, deal, rng)
        deal = with_reserve(deal, reserve if sizes[0] == sizes[1] else None)
        ours, theirs = pair.allowed(0, deal), pair.allowed(1, deal)
        if ours is not None and theirs is not None:
            pair.take(ours, theirs)
            return True
    return False


def _events(pair: PairedMachines) -> tuple[list[tuple[Event, Event]], tuple[int, int]]:
    """Return the events that both allow, as each has them, and how many each allows alone.

    A listed event may still move a tile that is not there, so each side checks its own list too.
    """
    known: tuple[dict[str, Event | None], ...] = ({}, {})

    def allowed(side: int, event: Event) -> Event | None:
        key = f"{event.action} {event.args}"  # most events are in both lists
        if key not in known[side]:
            known[side][key] = pair.allowed(side, event)
        return known[side][key]

    ours, theirs = (
        [event for event in pair.legal[side].events(pair.states[side]) if allowed(side, event)]
        for side in (0, 1)
    )
    both = [(event, other) for event in ours if (other := allowed(1, event)) is not None]
    alone = sum(allowed(0, event) is None for event in theirs)
    return both, (len(ours) - len(both), alone)
