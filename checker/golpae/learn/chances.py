"""What could have happened where something happened.

Input: a text, and games that it accepts for as long as they are followed.
Output: for an action, its recorded events, each with the state before it, and the events of this action that were
legal at some of the same moments.
Guarantee: the moments that are asked what was legal there are spread evenly over the events of each action, and depend
on the games alone.

    draw 6-1       the state before; legal there: draw 6-1, draw 5-4, draw 2-2, claim 4-2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from golpae.ir.limits import TooManySteps
from golpae.learn.bits import of_choice
from golpae.learn.replays import Replays
from golpae.mutate.recorded import Trace
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State

MOST_MOMENTS = 1200
"""Moments at which what is legal is listed."""

MOST_EVENTS = 200
"""Legal events of a moment; where there are more, nothing is learned from what was not done."""

MOST_HAPPENED = 1000
"""Recorded events of one action that conditions are asked of, spread evenly."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A recorded event: the game, its number there, the state before it, its arguments."""

    game: int
    number: int
    table: Any
    state: State
    args: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment, before event `number` of a game, at which `legal` events were legal, `others` of them of one action;
    one of all was chosen. It stands for `weight` moments: what is legal is not listed at all of them.
    """

    game: int
    number: int
    table: Any
    state: State
    legal: int
    others: tuple[tuple[Any, ...], ...]
    weight: float


@dataclass(slots=True)
class Chances:
    """Of one action."""

    action: str
    happened: list[Happened] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)


@dataclass(slots=True)
class Followed:
    """Games that were followed for as long as a text accepts them."""

    machines: dict[Any, Machine] = field(default_factory=dict)
    of_action: dict[str, Chances] = field(default_factory=dict)
    asked: float = 0.0
    """How many moments those stand for that were asked what is legal there, and the bits of saying what happened."""
    bits: float = 0.0

    @property
    def per_event(self) -> float:
        """The bits of an event."""
        return self.bits / max(1.0, self.asked)


def follow(
    replays: Replays,
    games: Sequence[Trace],
    moments: int = MOST_MOMENTS,
    counted_only: bool = False,
    edit: int | None = None,
) -> Followed:
    """Follow games. `counted_only`: only the bits are wanted, no events and moments. `edit` is the number of the edit
    that holds, of a text that has several.
    """
    found = Followed()
    machines, of_action = found.machines, found.of_action
    legal: dict[Any, Legal] = {}
    counts = Counter(str(event.get("do")) for game in games for event in game.events if event)
    every = {action: -(-count // MOST_HAPPENED) for action, count in counts.items()}
    steps = _asked(counts, moments)
    met: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for number, game in enumerate(games):
        machine = replays.machine(game)
        if machine is None:
            continue
        machines[game.table] = machine
        listing = legal.setdefault(game.table, Legal(machine))
        state = replays.start(machine, game, edit)
        deal: tuple[Any, ...] | None = None  # the last one: it says where another one would have been legal
        for place, event in enumerate(game.events):
            action = event.get("do") if event else None
            if event is None or not isinstance(action, str) or action not in machine.steps:
                break
            args = machine.read(action, event)
            if isinstance(args, Bad):
                break
            try:
                failed, ordered = machine.first(action, state, args)
            except TooManySteps:
                break
            if failed >= 0:
                break
            asked = met[action] % steps[action] == 0
            met[action] += 1
            wanted = not counted_only and seen[action] % every[action] == 0
            before = machine.copy(state) if asked or wanted else state
            try:
                machine.apply(action, state, ordered)
            except (ValueError, TooManySteps):
                break
            seen[action] += 1
            if action == "deal":
                deal = ordered
            if wanted:
                happened = Happened(number, place, game.table, before, ordered)
                of_action.setdefault(action, Chances(action)).happened.append(happened)
            if asked:
                weight = float(steps[action])
                found.asked += weight
                bits = _ask(machine, listing, (number, place), game.table, before, of_action, deal, weight)
                found.bits += weight * bits
    return found


def _asked(counts: Mapping[str, int], moments: int) -> dict[str, int]:
    """Return for each action before which of its events it is asked what is legal: before every one, every second, and
    so on; before every one of a seldom action.
    """
    found: dict[str, int] = {}
    left = moments
    for place, (action, count) in enumerate(sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))):
        most = max(1, left // (len(counts) - place))
        found[action] = -(-count // most)
        left -= count // found[action]
    return found


def _ask(
    machine: Machine,
    listing: Legal,
    at: tuple[int, int],
    table: Any,
    state: State,
    of_action: dict[str, Chances],
    deal: tuple[Any, ...] | None,
    weight: float,
) -> float:
    """Note what is legal in a state, for each action that it concerns. Returns the bits of choosing from it."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    if deal is not None:
        found["deal"] = [*_turned(machine, state, deal)]
    try:
        if found.get("deal"):  # what comes before the first deal is often not recorded
            events = [*listing.closings(state)]
            found |= {name: [e.args for e in events if e.action == name] for name in ("end", "finish")}
        else:
            found |= {name: [e.args for e in of_one] for name, of_one in listing.by_action(state)}
    except TooManySteps:
        return 0.0
    legal = sum(map(len, found.values()))
    if not 1 < legal <= MOST_EVENTS:
        return of_choice(legal)
    for name, args in found.items():
        if args:
            of_action.setdefault(name, Chances(name)).moments.append(
                Moment(*at, table, state, legal, tuple(args), weight)
            )
    return of_choice(legal)


def _turned(machine: Machine, state: State, deal: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the legal deals in which the players have changed seats."""
    players = machine.instance.players
    first, hands, *rest = deal
    for by in range(players):
        turned = [hands[(seat - by) % players] for seat in range(players)]
        args = ((first + by) % players, turned, *rest)
        try:
            if machine.check("deal", state, args) < 0:
                yield args
        except (TooManySteps, TypeError, ValueError):
            continue
