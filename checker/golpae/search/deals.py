"""Every legal deal of a state, and what of a state the rules never read.

Input: a machine, and its states.
Output: `Deals`, which lists deals or says that there are too many; `words_read`.
Guarantee: each deal comes once. States with the same `key` allow the same deals, and these lead to the same states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from math import factorial

from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.lifecycle import own_params
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, paying_effects
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.traverse import exprs_in
from golpae.replay.event_planner import EventPlanner, choices
from golpae.replay.legal_events import Event, Legal, hand_sizes, sizes_read_keys
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import undealt
from golpae.replay.state_layout import StateKey
from golpae.search.unread_states import deciding_exprs

MATCH_WORDS = frozenset({"stake", "hands-played", "total"})  # words of a match that rules may leave unread

Tiles = tuple[int, ...]


class Deals:
    """The deals of one machine. `words` of `MATCH_WORDS` tell its states apart, and states that are `unread` do not."""

    def __init__(self, machine: Machine, words: Iterable[str], unread: Collection[str] = ()) -> None:
        self.machine = machine
        self._deal = next(a for a in machine.rules.actions if a.kind == "deal")
        self._own = own_params(self._deal)
        self._legal = Legal(machine)
        self._planner = EventPlanner(machine)
        self.are_many = False
        self._most = 0
        self._sizes_are_fixed = _are_fixed(machine, self._deal)
        sees_hand = _reads_of_hand(machine.rules, self._deal)
        self._key = StateKey(machine.rules, words, match=not sees_hand, unread=unread)

    def key(self, state: State) -> Hashable:
        """Return a key of all that a deal and the state after it depend on."""
        return state.at, self._key(state)

    def are_few(self, most: int) -> bool:
        """Return whether all deals can be listed, and no state allows more than `most`.

        If the sizes of the hands depend on the game, `of` finds out later, and notes it in `are_many`.
        """
        machine = self.machine
        if any(p.parts for p in self._own) or not self._planner.lists_all(self._deal):
            return False
        self._most = most
        if not self._sizes_are_fixed:
            return True
        state = machine.new_state()
        sizes = [hand_sizes(machine, state, first) for first in range(machine.instance.players)]
        return self._are_few(sizes)

    def _are_few(self, sizes_by_first: Iterable[Sequence[int]]) -> bool:
        """Return whether no more than `most` deals have hands of these sizes, together."""
        whole = Counter(self.machine.instance.whole)
        count = 0
        for sizes in sizes_by_first:
            if any(_number_of_bags(whole, size) > self._most for size in sizes if size >= 0):
                return False
            for hands in _all_hands(whole, sizes):
                count += 1 + (_number_of_orders(undealt(self.machine, hands)) if self._from_row else 1)
                if count > self._most:
                    return False
        return True

    def of(self, state: State) -> Iterator[Event]:
        """Yield every legal deal of a state."""
        machine, deal = self.machine, self._deal
        seats = self._legal.can_deal(state)
        if not seats:
            return
        all_keys = list(choices(self._planner.opening(deal), state, self.machine.values_of(deal.name)))
        read = sizes_read_keys(machine)
        sized = [
            (first, hand_sizes(machine, state, first, some[0]), some)
            for first in seats
            for some in ([[keys] for keys in all_keys] if read else [all_keys])
            if some
        ]
        if not self._sizes_are_fixed and not self._are_few(sizes for _, sizes, _ in sized):
            self.are_many = True
            return
        whole = Counter(machine.instance.whole)
        for first, sizes, added in sized:
            for hands in _all_hands(whole, sizes):
                rest = undealt(machine, hands)
                for reserve in (None, *(_all_orders(Counter(rest)) if self._from_row else (tuple(rest),))):
                    for more in added:
                        args = (first, [list(h) for h in hands], None if reserve is None else list(reserve))
                        event = Event(deal.name, (*args, *more))
                        if machine.check(deal.name, state, event.args) < 0 and self._legal.can_be(
                            event, state
                        ):
                            yield event

    @property
    def _from_row(self) -> bool:
        """Return whether the tiles that are not dealt lie in an order."""
        dealing = self._deal.dealing
        return dealing is not None and self.machine.rules.zone(dealing.zone).kind == "row"


# ------------------------------------------------------------------ what rules read


def words_read(rules: RuleSet, unread: Collection[str] = ()) -> frozenset[str]:
    """Return the words of `MATCH_WORDS` on which some event, or the state after it, depends; payments aside.

    What only the `unread` states depend on is left out.
    """
    read = Dependencies(rules).reads(deciding_exprs(rules, unread))
    if "total" in read:  # the totals come from the payments
        read |= read_by_payout(rules)
    return MATCH_WORDS & read


def read_by_payout(rules: RuleSet) -> frozenset[str]:
    """Return the names that the payments read, also through definitions and scores."""
    return Dependencies(rules).reads(exprs_in(paying_effects(rules)))


def _reads_of_hand(rules: RuleSet, deal: Action) -> bool:
    """Return whether what can be dealt depends on the hand before."""
    exprs: list[ir.Expr] = [c.expr for c in deal.of_text]
    exprs += [e for p in deal.params for e in (p.low, p.high) if e is not None]
    if deal.dealing is not None:
        exprs += deal.dealing.sizes
    of_match = MATCH_WORDS | {v.name for v in rules.vars if v.scope == "match"}
    return bool(Dependencies(rules).reads(exprs) - of_match)


def _are_fixed(machine: Machine, deal: Action) -> bool:
    """Return whether the sizes of the hands are known before any game."""
    assert deal.dealing is not None
    try:
        for size in deal.dealing.sizes:
            constant_int(size, machine.instance.static)
    except NotConstant:
        return False
    return True


# ------------------------------------------------------------------ ways to deal


def _all_hands(whole: Counter[int], sizes: Sequence[int]) -> Iterator[list[Tiles]]:
    """Yield every way to deal hands of these sizes, each once."""
    if not sizes:
        yield []
        return
    for hand in _bags(whole, sizes[0]):
        for others in _all_hands(whole - Counter(hand), sizes[1:]):
            yield [hand, *others]


def _bags(whole: Counter[int], size: int) -> Iterator[Tiles]:
    """Yield every bag of so many tiles, each once."""
    kinds = sorted(whole)

    def chosen(at: int, left: int, room: int) -> Iterator[Tiles]:
        if left == 0:
            yield ()
        elif at < len(kinds) and left <= room:
            kind, copies = kinds[at], whole[kinds[at]]
            for count in range(min(copies, left), -1, -1):
                for others in chosen(at + 1, left - count, room - copies):
                    yield (*(kind,) * count, *others)

    yield from chosen(0, size, sum(whole.values()))


def _number_of_bags(whole: Counter[int], size: int) -> int:
    """Return how many different bags of so many tiles there are."""
    ways = [1, *[0] * size]
    for copies in whole.values():
        ways = [sum(ways[max(0, n - copies) : n + 1]) for n in range(size + 1)]
    return ways[size]


def _number_of_orders(tiles: Sequence[int]) -> int:
    """Return in how many different orders tiles can lie."""
    number = factorial(len(tiles))
    for copies in Counter(tiles).values():
        number //= factorial(copies)
    return number


def _all_orders(tiles: Counter[int]) -> Iterator[Tiles]:
    """Yield every order of tiles, each once."""
    if not tiles:
        yield ()
        return
    for tile in sorted(tiles):
        for others in _all_orders(tiles - Counter((tile,))):
            yield (tile, *others)
