"""Go through all games that two rule sets allow at one table, if these are few enough.

Input: a machine of each rule set.
Output: `AllGames`: for each question the shortest game that refutes it, or that all games were gone through.
Guarantee: replay alone decides. Games with fewer events come first, so the first game that refutes a question is a
shortest one. The limits count positions and events, so the result does not depend on how fast the machine is.

A position is a pair of states, one of each rule set, after the same events. Positions count as one if no rule of the
two can tell them apart. At each position, each side lists its legal events, and the other side tries them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, field

from golpae.compare.games.paired_machines import in_own_order
from golpae.compare.games.stakes import stakes_to_try
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, QUESTIONS
from golpae.replay import simulate
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import StateKey
from golpae.search.deals import Deals, read_by_payout, words_read
from golpae.search.unread_states import unread_states

MOST_POSITIONS = 10_000
MOST_EVENTS = 100_000  # that the two sides list, together
MOST_DEALS = 2_000
HANDS = "hands-played"

Pair = tuple[State, State]
Events = tuple[Event, Event]  # one event as each side has it: they may state different payments


@dataclass(slots=True)
class Position:
    """Both states after a game. `before` is the number of the position before the last event, `event` that event."""

    states: Pair
    depth: int
    before: int | None = None
    event: Events | None = None


@dataclass(slots=True)
class AllGames:
    """What going through all games has shown.

    `refuted` has for each question the events of a game, as the side has them that allows it; `stakes` has the stake at
    which payments differ. `exact` are the questions on which no other stake has a say: their games are shortest ones,
    and all games of up to `exhausted` events were gone through. If they are `whole`, so were all games of any length.
    """

    positions: list[Position] = field(default_factory=list)
    refuted: dict[str, tuple[Event, ...]] = field(default_factory=dict)
    stakes: dict[str, int] = field(default_factory=dict)
    exact: frozenset[str] = frozenset()
    exhausted: int = 0
    whole: bool = False


def go_through(
    a: Machine,
    b: Machine,
    questions: Collection[str] = QUESTIONS,
    most_positions: int = MOST_POSITIONS,
    most_events: int = MOST_EVENTS,
) -> AllGames:
    """Explore all games of two rule sets, up to the limits or until all questions are refuted, and return the answers.

    If the payments alone read how many hands were played, positions that differ in that are told apart for the question
    about payments alone, in a second walk: there may be no end of them.
    """
    walk = _Walk(a, b, questions, most_positions, most_events)
    games = walk.run()
    if PAID in questions and PAID not in games.refuted and _paid_by_hands(a, b):
        by_hands = _Walk(a, b, (PAID,), most_positions, most_events, frozenset({HANDS})).run()
        games.refuted |= by_hands.refuted
        games.stakes |= by_hands.stakes
        if by_hands.whole:
            games.exact |= by_hands.exact
    return games


def _paid_by_hands(a: Machine, b: Machine) -> bool:
    """Return whether only payments read how many hands were played."""
    return any(HANDS in read_by_payout(m.rules) for m in (a, b)) and HANDS not in (
        words_read(a.rules, unread=unread_states(a.instance))
        | words_read(b.rules, unread=unread_states(b.instance))
    )


class _Walk:
    """One walk."""

    def __init__(
        self,
        a: Machine,
        b: Machine,
        questions: Collection[str],
        most_positions: int,
        most_events: int,
        more_words: frozenset[str] = frozenset(),
    ) -> None:
        self.machines = (a, b)
        self.questions = questions
        self.most_positions, self.most_events = most_positions, most_events
        unread = unread_states(a.instance), unread_states(b.instance)
        words = words_read(a.rules, unread[0]) | words_read(b.rules, unread[1]) | more_words
        self.legal = (Legal(a), Legal(b))
        self.keys = tuple(StateKey(m.rules, words, unread=u) for m, u in zip((a, b), unread, strict=True))
        self.deals = (Deals(a, words, unread[0]), Deals(b, words, unread[1]))
        self.stakes = stakes_to_try(a.rules, b.rules)
        self.translates = not _numbered_alike(a, b)
        self.games = AllGames(exact=self._exact(words))
        self.found: set[Hashable] = set()
        self.dealt: set[Hashable] = set()
        self.tried = 0

    def run(self) -> AllGames:
        games = self.games
        most = min(MOST_DEALS, self.most_positions)
        if self.most_positions < 1 or not all(deals.are_few(most) for deals in self.deals):
            return games
        self._reach((self.machines[0].new_state(), self.machines[1].new_state()), None, None)
        for number, position in enumerate(games.positions):  # which grows
            games.exhausted = position.depth
            if self._is_too_much or any(deals.are_many for deals in self.deals):
                return games
            if any(legal.unlisted(state) for legal, state in zip(self.legal, position.states, strict=True)):
                return games
            for side in (0, 1):
                for event in self._events(side, position):
                    self.tried += 1
                    self._take(number, position, side, event)
            if all(question in games.refuted for question in self.questions):
                return games
        games.whole = not any(deals.are_many for deals in self.deals)
        return games

    def _exact(self, words: frozenset[str]) -> frozenset[str]:
        if "stake" in words:
            return frozenset()
        paid = {word for machine in self.machines for word in read_by_payout(machine.rules)}
        if self.stakes is None or "total" in paid or (HANDS in paid and HANDS not in words):
            return frozenset({A_IN_B, B_IN_A})
        return frozenset(QUESTIONS)

    @property
    def _is_too_much(self) -> bool:
        return self.tried > self.most_events or len(self.games.positions) > self.most_positions

    def _events(self, side: int, position: Position) -> Iterator[Event]:
        """Yield the legal events of one side. Positions that are dealt from alike deal once."""
        state = position.states[side]
        yield from self.legal[side].events(state)
        alike = (side, *(d.key(s) for d, s in zip(self.deals, position.states, strict=True)))
        if self.legal[side].can_deal(state) and alike not in self.dealt:
            self.dealt.add(alike)
            yield from self.deals[side].of(state)

    def _take(self, number: int, position: Position, side: int, event: Event) -> None:
        """Try an event of one side on the other, and enter what it shows and where it leads."""
        other = self._allowed(1 - side, position.states[1 - side], side, event)
        if other is None:
            self._note(B_IN_A if side else A_IN_B, number, side, event)
            return
        if side == 1:
            return  # side 0 lists this event too, and goes on from there
        kind = self.machines[0].actions[event.action].kind
        if kind in ("end", "finish") and PAID not in self.games.refuted:
            stake = self._pays_otherwise(position.states, kind)
            if stake is not None:
                self._note(PAID, number, side, event)
                self.games.stakes[PAID] = stake
        events = (event, other)
        after = tuple(self._after(s, position.states[s], own) for s, own in zip((0, 1), events, strict=True))
        self._reach((after[0], after[1]), number, events)

    def _note(self, question: str, number: int, side: int, event: Event) -> None:
        if question not in self.games.refuted:
            self.games.refuted[question] = (*self._path(number, side), event)

    def _path(self, number: int, side: int) -> list[Event]:
        """Return the events that lead to a position, as one side has them."""
        out: list[Event] = []
        position = self.games.positions[number]
        while position.event is not None and position.before is not None:
            out.append(position.event[side])
            position = self.games.positions[position.before]
        return out[::-1]

    def _reach(self, states: Pair, before: int | None, event: Events | None) -> None:
        key = tuple(key(state) for key, state in zip(self.keys, states, strict=True))
        if key not in self.found:
            self.found.add(key)
            depth = 0 if before is None else self.games.positions[before].depth + 1
            self.games.positions.append(Position(states, depth, before, event))

    # ------------------------------------------------------------------ one event on the other side

    def _allowed(self, side: int, state: State, lister: int, event: Event) -> Event | None:
        """Return an event of the other side as this side has it, with its payments, if it is legal here."""
        machine = self.machines[side]
        action = machine.actions.get(event.action)
        if action is None:
            return None
        args = event.args
        if self.translates:
            read = machine.read(event.action, simulate.written(self.machines[lister], event))
            if not isinstance(read, tuple):
                return None
            args = read
        if action.kind == "end":
            args = (args[0], machine.payout(state), *args[2:])
        elif action.kind == "finish":
            totals = list(machine.totals_left(state))
            args = (totals, [p for p, total in enumerate(totals) if total == max(totals)], *args[2:])
        own = in_own_order(machine, state, Event(event.action, args))
        return own if own is not None and self.legal[side].can_be(own, state) else None

    def _after(self, side: int, state: State, event: Event) -> State:
        machine = self.machines[side]
        after = machine.copy(state)
        machine.apply(event.action, after, event.args)
        return after

    def _pays_otherwise(self, states: Pair, kind: str) -> int | None:
        """Return the first of the stakes that are tried at which the two pay differently."""
        for stake in self.stakes or (1,):
            pays = []
            for machine, state in zip(self.machines, states, strict=True):
                staked = machine.copy(state)
                staked.stake = stake
                pays.append(machine.payout(staked) if kind == "end" else _paid_by_finish(machine, staked))
            if pays[0] != pays[1]:
                return stake
        return None


def _numbered_alike(a: Machine, b: Machine) -> bool:
    """Return whether both number their tiles alike, and their actions have their keys in the same order."""
    if [kind.name for kind in a.instance.kinds] != [kind.name for kind in b.instance.kinds]:
        return False
    shared = ((action, b.actions.get(name)) for name, action in a.actions.items())
    return all(other is None or action.params == other.params for action, other in shared)


def _paid_by_finish(machine: Machine, state: State) -> list[int]:
    return [left - total for left, total in zip(machine.totals_left(state), state.total, strict=True)]
