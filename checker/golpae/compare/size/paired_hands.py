"""Hands by chance that two rule sets allow, side by side.

Input: two machines side by side (`PairedMachines`), a seed, the numbers of hands.
Output: what came of each hand: when one allowed what the other refused, and whether they paid alike.
Guarantee: the hands are those of `docs/semantics.md` (11.9), on either path; what is not compiled is played by the
reference. One hand in `CHECKED` is played by both; if they differ, `HandsDiffer` is raised: a fault of golpae.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from golpae.compare.games.paired_machines import PairedMachines
from golpae.kernel.disagreement import PathDisagreement
from golpae.kernel.emit.playing.pairing import BITS, Bit
from golpae.kernel.language.host import available
from golpae.kernel.pair import PairPlayer
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.chance import WORDS, Chance
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.random_deal import DEALS, one_deal, with_reserve
from golpae.simulate.asking import by_chance
from golpae.simulate.sight import Sight

LONGEST = 200  # events of a hand; the rest is left out
CHECKED = 10_000


class HandsDiffer(PathDisagreement):
    """The two ways to play have played a hand differently."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand. `alone` is whether the first, and whether the second, allowed at some point what the other refused.

    `decision` is the same for one decision; None if there was none. `paid_otherwise` is None if the hand did not end.
    `led_otherwise` is whether different seats may be the first player of the next hand.
    """

    events: int
    dealt: bool = True
    alone: tuple[bool, bool] = (False, False)
    decision: tuple[bool, bool] | None = None
    paid_otherwise: bool | None = None
    led_otherwise: bool = False


class PairedHands:
    """Plays hands; the same object plays all of a seed. With `compiled`, on the compiled path as far as possible.

    Each hand has up to `longest` events, on either path.
    """

    def __init__(
        self, pair: PairedMachines, seed: int, compiled: bool = True, longest: int = LONGEST
    ) -> None:
        self.pair, self.seed, self.longest = pair, seed % WORDS, longest
        self._sight = Sight(pair.machines[0])
        self.player = _player(pair, longest) if compiled else None
        self._known: dict[int, PlayedHand] = {}  # what a word says; there are few different ones

    def play(self, first: int, many: int) -> Iterator[tuple[PlayedHand, bool]]:
        """Yield so many hands from the number `first` on, each with whether the reference had to play it."""
        words = [None] * many if self.player is None else self.player.hands(self.seed, first, many)
        for number, word in enumerate(words, first):
            if word is None:
                yield self.reference(number), True
                continue
            hand = self._known.get(word)
            if hand is None:
                hand = self._known[word] = _hand_of(word)
            if number % CHECKED == 0 and (reference := self.reference(number)) != hand:
                differently = f"the compiled path plays random hand {number} of seed {self.seed} differently"
                raise HandsDiffer(differently, self._question(number, hand, reference))
            yield hand, False

    def _question(self, number: int, compiled: PlayedHand, reference: PlayedHand) -> dict[str, Any]:
        """Return a hand that the paths play differently, and its result on each."""
        hand = which_hand(self.pair.machines, self.seed, number)
        return {**hand, "compiled": asdict(compiled), "reference": asdict(reference)}

    def reference(self, number: int) -> PlayedHand:
        """Return the result of a hand by the reference. Raises `TooManySteps`."""
        return _played(self.pair, self._sight, Chance(self.seed, number), self.longest)


def which_hand(machines: Sequence[Machine], seed: int, number: int) -> dict[str, Any]:
    """Return, in words of JSON, which random hand of two rule sets one is."""
    return {
        "call": "compare",
        "rules": [machine.rules.rules for machine in machines],
        "spec_hash": [machine.rules.spec_hash for machine in machines],
        "players": machines[0].instance.players,
        "options": [dict(machine.instance.options) for machine in machines],
        "seed": seed,
        "hand": number,
    }


def _player(pair: PairedMachines, longest: int) -> PairPlayer | None:
    """Return the player of the compiled path, or None if it cannot be had."""
    if not available():
        return None
    a, b = pair.machines
    try:
        return PairPlayer(a.instance, b.instance, longest)
    except (NotCompiled, MemoryError):
        return None


def _hand_of(word: int) -> PlayedHand:
    """Return the hand that a word of the compiled path stands for."""

    def has(bit: Bit) -> bool:
        return bool(word >> bit & 1)

    return PlayedHand(
        word >> BITS,
        has(Bit.DEALT),
        (has(Bit.A_ALONE), has(Bit.B_ALONE)),
        (has(Bit.A_ALONE_THERE), has(Bit.B_ALONE_THERE)) if has(Bit.DECIDED) else None,
        has(Bit.PAID_OTHERWISE) if has(Bit.ENDED) else None,
        has(Bit.LED_OTHERWISE),
    )


# ---------------------------------------------------------------------- by the reference


def _played(pair: PairedMachines, sight: Sight, chance: Chance, longest: int) -> PlayedHand:
    """Play one hand of up to `longest` events from the start of a match."""
    pair.begin()
    events, dealt = 0, False
    ever_alone, decision, decisions = (False, False), None, 0
    while events < longest:
        seats = [] if dealt else _dealers(pair)
        if seats:
            if not _deal(pair, seats, chance):
                break
            events, dealt = events + 1, True
            continue
        allowed, alone = _events(pair)
        here = (alone[0] > 0, alone[1] > 0)
        ever_alone = (ever_alone[0] or here[0], ever_alone[1] or here[1])
        if len(allowed) + sum(alone) > 1:
            decisions += 1
            if chance.below(decisions) == 0:
                decision = here
        if not allowed:
            break
        event = by_chance(sight, pair.states[0], [ours for ours, _ in allowed], chance)
        other = next(theirs for ours, theirs in allowed if ours is event)
        pair.take(event, other)
        events += 1
        if pair.machines[0].actions[event.action].kind == "end":
            ours, theirs = (set(legal.can_deal(s)) for legal, s in zip(pair.legal, pair.states, strict=True))
            paid = event.args[1] != other.args[1]
            return PlayedHand(events, dealt, ever_alone, decision, paid, ours != theirs)
    return PlayedHand(events, dealt, ever_alone, decision)


def _dealers(pair: PairedMachines) -> list[int]:
    """Return the seats that both can deal the first player's hand."""
    ours, theirs = (legal.can_deal(state) for legal, state in zip(pair.legal, pair.states, strict=True))
    return [seat for seat in ours if seat in theirs]


def _deal(pair: PairedMachines, seats: Sequence[int], chance: Chance) -> bool:
    """Deal from the smaller set, whose tiles both have. Return whether both allow a deal."""
    sizes = [len(machine.instance.whole) for machine in pair.machines]
    smaller = 0 if sizes[0] <= sizes[1] else 1
    machine, state = pair.machines[smaller], pair.states[smaller]
    for _ in range(DEALS):
        deal = one_deal(machine, state, chance.choice(seats), chance)
        if sizes[0] != sizes[1]:
            deal = with_reserve(deal, None)
        ours, theirs = pair.allowed(0, deal), pair.allowed(1, deal)
        if ours is not None and theirs is not None:
            pair.take(ours, theirs)
            return True
    return False


def _events(pair: PairedMachines) -> tuple[list[tuple[Event, Event]], tuple[int, int]]:
    """Return the events that both allow, as each has them, in order, and how many each allows alone."""
    ours, theirs = (legal.in_play(state) for legal, state in zip(pair.legal, pair.states, strict=True))
    both = [(event, other) for event in ours if (other := pair.allowed(1, event)) is not None]
    shared = {_key(other) for _, other in both}  # of these the first side need not be asked
    alone = sum(_key(event) not in shared and pair.allowed(0, event) is None for event in theirs)
    return both, (len(ours) - len(both), alone)


def _key(event: Event) -> str:
    return f"{event.action} {event.args}"
