"""Play games at random in search of a state, or of a deadlock.

Input: a machine and a target.
Output: a legal game that ends at the target, shrunk, or None, which proves nothing.
Guarantee: `witness.replays` accepts the game; the same seed gives the same game. Several policies take turns, from
uniform choice to steps that lower the distance to the target.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.traverse import asks_earlier
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import deal_of, random_deal, undealt
from golpae.search import witness
from golpae.search.heuristic import Heuristic
from golpae.search.measures import NotFalling, TooMany
from golpae.search.shrink import apply_if_legal, shrink
from golpae.search.target import Target

GUIDED = ("toward",)
POLICIES = ("toward", "uniform", "eager", "long")
SORTED = (
    "sorted",
)  # uniform choice after deals in the order of the set, in which hands are as unequal as they can be
UNGUIDED = ("long", "uniform", "eager")  # for a target that looks at each event of a game once
LENGTHS = (60, 200, 600)  # events of a hand at most, by turns
LONGEST = 2_000  # events of a game at most
MOST_HANDS = 4
AGAIN = 24  # games at most that are played for a shorter find
DEALS = 20  # tries for a deal that is legal
TRIED = 40  # events that are looked at one step ahead
STRAYS = (0.02, 0.1, 0.3)  # how often a guided game leaves its path, at times for a rare action
SWAPS = (0, 100, 1_000)  # tiles of a guided deal that are tried elsewhere
IDLE = 300  # swaps without a gain after which no more are tried
WEIGHTS = (0.3, 1.0, 3.0)  # possible weights of one part of the target in a game
FAR = 1_000.0
LOTS = 0.15  # share of matches that begin with events before the deal

Reached = Callable[[State, Event], bool]
Chooser = Callable[[State, Sequence[Event]], Event]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that leads to the target.

    `lines` are its trace, header first; the last event is the one after which it holds. `names` are the open
    names of an `after` property in that event, with their values as the trace has them. `policy` played
    it, as game number `game` (from 0) of `seed`.
    """

    lines: tuple[dict[str, Any], ...]
    names: tuple[tuple[str, Any], ...]
    policy: str
    game: int
    seed: int

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """Return the lines without the header."""
        return self.lines[1:]


def find(
    machine: Machine,
    target: ir.Expr,
    *,
    seed: int,
    games: int,
    after: str | None = None,
    policies: Sequence[str] = POLICIES,
) -> PlayedGame | None:
    """Return a game to a state in which `target`, an expression of type yes-or-no, holds, or None.

    The state is one before the first event or after any event. With `after`, the name of an action, it is one right
    after an event of that action, and `target` may read who acted, the action's parameters and their parts.

    The search ends after `games` games; the result is the same every time. Games are matches of one hand or more. After
    the first success up to AGAIN more games of the budget are played for a shorter one, and the shortest is shrunk.
    `policies` are some of POLICIES, taken in turn.
    """
    test = _Target(machine, target, after)
    return _Search(machine, test, seed, games, policies).run()


def shortened(
    machine: Machine, target: ir.Expr, events: Sequence[Event], after: str | None
) -> PlayedGame | None:
    """Return the shortest part of a game that was played in another way, to a state as in `find`, or None."""
    search = _Search(machine, _Target(machine, target, after), 0, 0, ("uniform",))
    shown = search.still_shows(events)
    return None if shown is None else search.shrunk(shown, "uniform", 0)


def find_deadlock(
    machine: Machine,
    *,
    seed: int,
    games: int,
    policies: Sequence[str] = ("narrow", "uniform", "eager", "long"),
) -> PlayedGame | None:
    """Return a game to a state of a hand that has not ended, with no legal event, or None.

    A state does not count if an action may be legal whose events cannot all be listed. Budget and result are as for
    `find`; `narrow` prefers events after which few events can follow.
    """
    return _Search(machine, _DeadEnd(machine), seed, games, policies).run()


def find_fault(
    machine: Machine, measure: ir.Expr, after: str | None, *, seed: int, games: int
) -> tuple[PlayedGame, str] | None:
    """Return a game whose last event makes a number no measure of what is left of a hand, and why, or None.

    Budget and result are as for `find`.
    """
    target = NotFalling(machine, measure, after)
    game = _Search(machine, target, seed, games, UNGUIDED).run()
    if game is None:
        return None
    why = fault_at_end(machine, measure, after, game.events)
    assert why is not None
    return game, why


def fault_at_end(
    machine: Machine, measure: ir.Expr, after: str | None, events: Sequence[Mapping[str, Any]]
) -> str | None:
    """Return the fault of a number at the last event of a game, as `NotFalling` has it.

    None if nothing is, or if replay does not accept the game.
    """
    before = witness.replays(machine, {}, events[:-1])
    end = witness.replays(machine, {}, events)
    if not before.accepted or not end.accepted:
        return None
    action = str(events[-1]["do"])
    return NotFalling(machine, measure, after).fault(end.state, Event(action, ()), before.state)


def find_long_hand(
    machine: Machine, most: int, after: str | None, *, seed: int, games: int
) -> PlayedGame | None:
    """Return a game in which a hand has more than so many events, or events of an action, or None.

    Budget and result are as for `find`.
    """
    return _Search(machine, TooMany(machine, most, after), seed, games, UNGUIDED).run()


def has_long_hand(
    machine: Machine, most: int, after: str | None, events: Sequence[Mapping[str, Any]]
) -> bool:
    """Return whether replay accepts these lines of a trace, and a hand in them is as in `find_long_hand`."""
    target = TooMany(machine, most, after)
    state = machine.new_state()
    is_long = False
    for event in events:
        step = machine.steps.get(str(event.get("do")))
        try:
            if step is None or step(state, event) is not None:
                return False
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return False
        is_long = target.reached(state, Event(str(event["do"]), ()), state) or is_long
    return is_long


def is_dead_end(machine: Machine, events: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether replay accepts these lines of a trace, and no event is legal after them, as in `find_deadlock`."""
    state = machine.new_state()
    for event in events:
        step = machine.steps.get(str(event.get("do")))
        try:
            if step is None or step(state, event) is not None:
                return False
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return False
    return is_stuck(machine, state)


def is_stuck(machine: Machine, state: State) -> bool:
    """Return whether no event is legal in a state of a hand that has not ended, as in `find_deadlock`."""
    return _DeadEnd(machine).at_end(state)


# ------------------------------------------------------------------ targets


class _Target(Target):
    """A target of play, with how far states are from it."""

    def __init__(self, machine: Machine, target: ir.Expr, after: str | None) -> None:
        super().__init__(machine, target, after)
        self._distance: Callable[[State], float] | None = None
        self._weighing = [1.0] * 8

    def distance(self, state: State, events: Callable[[], Sequence[Event]]) -> float:
        """Return how far a state is from the target."""
        if self._distance is None:
            self._distance = self._measure()
        return self._distance(state)

    def _measure(self) -> Callable[[State], float]:
        from golpae.ir.traverse import conjuncts, free

        closed = [e for e in conjuncts(self.expr) if not free(e) and not asks_earlier(e)]
        measures = [Heuristic(self.machine, e) for e in closed]

        def parts(state: State) -> float:
            return sum(
                weight * m(state) for weight, m in zip(self._weights(len(measures)), measures, strict=True)
            )

        if self.action is None or self.action.kind != "play":
            return parts
        approach = Heuristic(self.machine, self.expr if not closed else closed[0]).to_action(self.action.name)
        return lambda state: approach(state, ()) + parts(state)

    def weigh(self, rng: random.Random) -> None:
        """Choose new weights for the parts of the target, for the next game."""
        self._weighing = [rng.choice(WEIGHTS) for _ in range(8)]

    def _weights(self, parts: int) -> list[float]:
        return [self._weighing[i % 8] for i in range(parts)]


class _DeadEnd:
    """A target: no event can follow, but the hand has not ended."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.compares = False
        self._legal = Legal(machine)

    def reached(self, state: State, event: Event, before: State) -> bool:
        return self.at_end(state)

    def at_end(self, state: State) -> bool:
        """Return whether a state of a hand has no legal event."""
        if self.machine.stage(state) not in ("playing", "over"):
            return False
        return next(self._legal.events(state), None) is None and not self._legal.unlisted(state)

    def at_start(self, state: State) -> bool:
        return False

    def names(self, event: Event) -> tuple[tuple[str, Any], ...]:
        return ()

    def weigh(self, rng: random.Random) -> None:
        """Do nothing: there is only one part."""

    def distance(self, state: State, events: Callable[[], Sequence[Event]]) -> float:
        return float(len(events()))


# ------------------------------------------------------------------ the search


class _Search:
    def __init__(
        self,
        machine: Machine,
        target: _Target | _DeadEnd | NotFalling | TooMany,
        seed: int,
        games: int,
        policies: Sequence[str],
    ) -> None:
        self.machine = machine
        self.target = target
        self.seed = seed
        self.games = games
        self.policies = tuple(policies)
        self.legal = Legal(machine)
        self.taken: Counter[str] = Counter()
        self.before: State = None  # the state before the last event, if the target compares with it

    def run(self) -> PlayedGame | None:
        if self.target.at_start(self.machine.new_state()):
            return PlayedGame(tuple(witness.as_trace(self.machine, ())), (), self.policies[0], 0, self.seed)
        best: tuple[list[Event], str, int] | None = None
        game, last = 0, self.games
        while game < last:
            policy = self.policies[game % len(self.policies)]
            events = self._game(policy, game, LONGEST if best is None else len(best[0]) - 1)
            if events is not None:
                if best is None:
                    more = game + 1 + min(AGAIN, game + 8)
                    last = min(last, more)
                best = (events, policy, game)
            game += 1
        if best is None:
            return None
        return self.shrunk(*best)

    def shrunk(self, events: Sequence[Event], policy: str, number: int) -> PlayedGame:
        """Return the shortest part of a game that still leads to the target."""
        events = shrink(self.machine, events, self.still_shows)
        lines = witness.as_trace(self.machine, events)
        assert witness.replays(self.machine, lines[0], lines[1:]).accepted
        return PlayedGame(tuple(lines), self.target.names(events[-1]), policy, number, self.seed)

    # ------------------------------------------------------------------ one game

    def _game(self, policy: str, number: int, longest: int) -> list[Event] | None:
        """Return the events of a game up to the target, if it is reached."""
        rng = random.Random(f"{self.seed}/{number}")
        self.target.weigh(rng)
        choose = self._chooser(policy, rng)
        state = self.machine.new_state()
        events: list[Event] = []
        for event in self._events(state, rng, choose, policy):
            events.append(event)
            if self.target.reached(state, event, self.before):
                return events
            if len(events) >= longest:
                return None
        return None

    def _events(self, state: State, rng: random.Random, choose: Chooser, policy: str) -> Iterator[Event]:
        """Play a match: change the state event by event, and yield each event after it is applied."""
        machine, legal = self.machine, self.legal
        length = rng.choice(LENGTHS)
        if rng.random() < LOTS:
            for _ in range(rng.randint(1, 4 * machine.instance.players)):
                before = list(legal.events(state))
                if not before:
                    break
                yield self._take(state, rng.choice(before))
        for _ in range(rng.choice((1, 1, 2, MOST_HANDS))):
            while not (seats := legal.can_deal(state)):
                waiting = list(legal.events(state)) if machine.stage(state) == "before" else []
                if not waiting:
                    return
                yield self._take(state, rng.choice(waiting))
            deals = (self._deal(state, rng.choice(seats), rng, policy) for _ in range(DEALS))
            deal = legal.first_dealt(deals, state)
            if deal is None:
                return
            yield self._take(state, deal)
            for _ in range(length):
                events = list(legal.events(state))
                if not events:
                    return
                event = choose(state, events)
                yield self._take(state, event)
                if machine.stage(state) == "ended":
                    break
            else:
                return
        for event in legal.events(state):
            yield self._take(state, event)
            return

    def _take(self, state: State, event: Event) -> Event:
        self.before = self._before(state)
        self.machine.apply(event.action, state, event.args)
        self.taken[event.action] += 1
        return event

    def _before(self, state: State) -> State:
        """Return the state before an event that changes it: a copy only if the target compares with it."""
        return self.machine.copy(state) if self.target.compares else state

    def _deal(self, state: State, first: int, rng: random.Random, policy: str) -> Event:
        """Return a deal from the shuffled set that fixes no more than the dealt tiles.

        In a guided deal tiles are swapped as long as that does not raise the distance to the target.
        """
        event = random_deal(self.machine, state, first, rng)
        action, hands = event.action, event.args[1]
        is_plain = len(event.args) == 3
        if policy in SORTED and is_plain:
            return deal_of(self.machine, first, self._in_order([len(hand) for hand in hands], rng))
        legal_for_certain = action not in self.machine.may_fail_midway and is_plain
        guided = policy in GUIDED and legal_for_certain  # what cannot be dealt has no distance
        rest = undealt(self.machine, hands)

        def dealt() -> Event:
            return deal_of(self.machine, first, hands, keys=event.args[3:])

        least: float | None = None
        since = 0
        for _ in range(rng.choice(SWAPS) if guided else 0):
            if least is None:
                least = self._distance(state, dealt())
            since += 1
            if least == 0 or since > IDLE:
                break
            one, other = rng.choice(hands), rng.choice([*hands, rest])
            if not one or not other:
                continue
            i, j = rng.randrange(len(one)), rng.randrange(len(other))
            one[i], other[j] = other[j], one[i]
            distance = self._distance(state, dealt())
            if distance > least:
                one[i], other[j] = other[j], one[i]
            else:
                since = since if distance == least else 0
                least = distance
        return dealt()

    def _in_order(self, sizes: Sequence[int], rng: random.Random) -> list[list[int]]:
        """Return hands of these sizes that are consecutive tiles of the set, the first of them in any seat."""
        tiles, seats = sorted(self.machine.instance.whole), len(sizes)
        begin = rng.randrange(seats)
        hands: list[list[int]] = [[] for _ in sizes]
        for seat in ((begin + k) % seats for k in range(seats)):
            hands[seat], tiles = tiles[: sizes[seat]], tiles[sizes[seat] :]
        return hands

    def _distance(self, state: State, event: Event) -> float:
        """Return how far the state after an event is from the target; ends of hands are far."""
        following = self._next(state, event)
        distance = self.target.distance(following, lambda: list(self.legal.events(following)))
        return distance if self.machine.stage(following) == "playing" else distance + FAR

    # ------------------------------------------------------------------ policies

    def _chooser(self, policy: str, rng: random.Random) -> Chooser:
        match policy:
            case "uniform" | "sorted":
                return lambda state, events: rng.choice(events)
            case "eager":
                return lambda state, events: self._rarest(events, rng)
            case "long":
                return lambda state, events: rng.choice(self._not_ending(state, events))
            case "toward" | "narrow":
                stray = rng.choice(STRAYS)
                return lambda state, events: self._nearest(state, events, rng, stray)
            case _:
                raise ValueError(f"no way to play is called {policy}")

    def _rarest(self, events: Sequence[Event], rng: random.Random) -> Event:
        """Return an event of an action that was taken rarely so far."""
        names = sorted({e.action for e in events})
        weights = [1 / (1 + self.taken[name]) for name in names]
        name = rng.choices(names, weights)[0]
        return rng.choice([e for e in events if e.action == name])

    def _not_ending(self, state: State, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events that do not end the hand, or all if each does."""
        going = [e for e in events if self.machine.stage(self._next(state, e)) == "playing"]
        return going or events

    def _next(self, state: State, event: Event) -> State:
        copy = self.machine.copy(state)
        self.machine.apply(event.action, copy, event.args)
        return copy

    def _nearest(self, state: State, events: Sequence[Event], rng: random.Random, stray: float) -> Event:
        """Return an event with the least distance; one that ends the hand only if it reaches the target."""
        if len(events) > 1 and rng.random() < stray:
            going = self._not_ending(state, events)
            return rng.choice(going) if rng.random() < 0.5 else self._rarest(going, rng)
        best: list[Event] = []
        least = 0.0
        tried = events if len(events) <= TRIED else rng.sample(events, TRIED)
        for event in tried:
            if self.target.reached(self._next(state, event), event, state):
                return event
            distance = self._distance(state, event)
            if not best or distance < least:
                best, least = [], distance
            if distance == least:
                best.append(event)
        return rng.choice(best)

    # ------------------------------------------------------------------ shrinking

    def still_shows(self, events: Sequence[Event]) -> list[Event] | None:
        """Return the shortest prefix of these events that reaches the target, if it is legal, or None."""
        state = self.machine.new_state()
        shown: list[Event] = []
        for event in events:
            before = self._before(state)
            decided = apply_if_legal(self.machine, state, event)
            if decided is None:
                return None
            shown.append(decided)
            if self.target.reached(state, decided, before):
                return shown
        return None
