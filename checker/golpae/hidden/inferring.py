"""What is certain of the tiles that nobody saw.

Input: a machine, a state of it, the lines that follow, in the first of which a tile is unknown, and tiles that make
them legal. Output: for each hidden place the tiles that lie there in all completions, and those that lie there in some;
how many completions there are.
Guarantee: what is said to be possible lies there in a completion that replay has accepted. What is said to be certain,
or impossible, is so in every completion. What the effort does not decide is `open`.

Completions that differ in what they show are cheap to find near those that are known; the solver is asked for one that
shows something new, until there is none. Each hand is looked at by itself if the state after it is the same whatever
its tiles are, and together with the next one if not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from golpae.hidden.completing import Completing
from golpae.hidden.counting import Bounds, Ways, count_ways
from golpae.hidden.decide import ends_of
from golpae.hidden.following import Clause, Completed, Effort, Impossible, OutOfEffort
from golpae.hidden.lemmas import each_of, same_values
from golpae.hidden.lines import HiddenLine, dealt_keys, read_line
from golpae.hidden.places import HiddenPlace, lying_in_zone, places_of, unnamed
from golpae.hidden.ways import Lines, Lying, SeenWays
from golpae.prove.solving.solver import MILLION
from golpae.prove.symbolic.values import (
    BLANK,
    Bag,
    GuardedUnion,
    Truth,
    any_of,
    at_least,
    bag_minus,
    bag_of,
    equal,
    joined,
    negate,
    size,
    tiles_of,
)
from golpae.replay.machine import Machine, State
from golpae.replay_bridge import symbolic_state
from golpae.trace import Header

AT_FIRST, NEAR = 800, 100  # ways that are tried; near each one that the solver finds
TRIES = 300  # choices of tiles for one hand
SHORTER = 10  # how many times less may be done if the positions after each event are asked for
UNITS = 150 * MILLION  # of the solver's work for one hand


@dataclass(frozen=True, slots=True)
class Inferred:
    """What is known of a hidden place. `certain` are the tiles that lie there in all completions, each as often as it
    does; `possible` those that lie there in some; of `open` it is not known whether they can, or must. The names of
    tiles are in the order of the set. `shares` says in which share of the completions a tile lies there, if they were
    counted.
    """

    place: HiddenPlace
    certain: tuple[str, ...]
    possible: tuple[str, ...]
    open: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)
    more: tuple[str, ...] = ()
    """Those of the possible tiles of which more can lie there than is certain."""
    is_sized: bool = True
    """Whether the place has as many tiles in all completions."""
    recorded: tuple[str, ...] = ()
    """Those of the certain tiles that the record itself shows; only of zones."""
    why: Mapping[str, tuple[Clause, ...]] = field(default_factory=dict)
    """For each certain tile, if it was asked for: without it, one of these conditions would be broken."""


@dataclass(frozen=True, slots=True)
class InferredHand:
    """What is known of the events from `first` to `last`, counted from 1, and how many ways there are to fill them."""

    first: int
    last: int
    places: tuple[Inferred, ...]
    ways: Ways
    followed: int = 0
    """The last event after which golpae can tell what lies where."""
    unknown_states: Mapping[int, frozenset[tuple[str, int | None]]] = field(default_factory=dict)
    """With `each`: for each event the states whose value is not known then, with the seat if each player has one."""


def infer(
    machine: Machine,
    header: Header,
    state: State,
    lines: Lines,
    completion: Lines,
    why: bool = False,
    each: bool = False,
) -> Iterator[InferredHand]:
    """Yield what is certain of each hand; with `why`, the reasons too. With `each`, the zones with hidden tiles are
    among the places after every event that changes them, and ways are not counted.

    INVARIANT: the lines with the tiles of the completion are legal.
    """
    hidden: list[HiddenLine] = []
    for line in lines:
        read = read_line(machine, line)
        assert isinstance(read, HiddenLine)
        hidden.append(read)
    begin, here = 0, state
    for end in ends_of(hidden):
        hand = _Hand(
            machine, header, here, hidden[begin:end], completion[begin:end], end == len(hidden), each
        )
        if end < len(hidden) and not hand.is_alone():
            continue
        if hand.has_places:
            yield _behind(begin, hand.known(why))
        begin, here = end, hand.after


def _behind(before: int, hand: InferredHand) -> InferredHand:
    """Return what is known of a hand, with its events counted from the first line; so many came before it."""
    if not before:
        return hand
    shares = {replace(place, event=before + place.event): own for place, own in hand.ways.shares.items()}
    places = [
        replace(
            one,
            place=replace(one.place, event=before + one.place.event),
            why={tile: tuple((before + n, name) for n, name in own) for tile, own in one.why.items()},
        )
        for one in hand.places
    ]
    ways = replace(hand.ways, shares=shares)
    states = {before + event: names for event, names in hand.unknown_states.items()}
    first, last = before + hand.first, before + hand.last
    return InferredHand(first, last, tuple(places), ways, before + hand.followed, states)


class _Hand:
    """One hand, or several that depend on each other."""

    def __init__(
        self,
        machine: Machine,
        header: Header,
        state: State,
        lines: Sequence[HiddenLine],
        completion: Lines,
        is_last: bool,
        each: bool,
    ) -> None:
        self._machine, self._header, self._state, self._lines = machine, header, state, lines
        self._each = each
        effort = Effort(UNITS // SHORTER, TRIES // SHORTER) if each else Effort(UNITS, TRIES)
        self._search = Completing(machine, header, state, lines, effort, settles=False)
        self._kinds = [kind.name for kind in machine.instance.kinds if kind.copies]
        self._kinds_of = [kind.name for kind in machine.instance.kinds]
        self._copies = {kind.name: kind.copies for kind in machine.instance.kinds}
        self._number = {name: number for number, name in enumerate(self._kinds_of)}
        self._completion = completion
        self._wanted = range(1, len(lines) + 1) if each else range(len(lines), len(lines) + 1)
        self._seen = SeenWays(machine, header, state, lines, self._wanted)
        states = self._seen.played(completion)
        assert states is not None
        self.after: State = states[len(lines)]
        self._seen.lying = [*self._bags()]
        if each or (is_last and machine.stage(self.after) not in ("ended", "finished")):
            self._seen.lying += self._zones(states)
        self._seen.look_at(completion, states)

    @property
    def has_places(self) -> bool:
        return bool(self._seen.lying)

    def is_alone(self) -> bool:
        """Return whether the hands that follow are the same whatever the tiles of this one are."""
        if not any(line.places for line in self._lines):
            return True
        after = self._search.state_after(len(self._lines))
        if after is None:
            return False
        known = symbolic_state(self._machine, self.after)
        pairs = [
            (after.at, known.at),
            (after.winner, known.winner),
            (after.hands_played, known.hands_played),
            *zip(after.total, known.total, strict=True),
            *(
                (own, there)
                for name in sorted(known.vars)
                for own, there in zip(each_of(after.vars[name]), each_of(known.vars[name]), strict=True)
            ),
        ]
        differ: list[Truth] = []
        for own, there in pairs:
            if own is BLANK or there is BLANK:
                if own is not there:
                    return False
            else:
                differ.append(negate(same_values(own, there)))
        one_differs = any_of(differ)
        return one_differs is False or isinstance(
            self._search.upto(len(self._lines), one_differs), Impossible
        )

    def known(self, why: bool) -> InferredHand:
        """Return what is certain of the hand, and how many ways there are; with `why`, the reasons too."""
        self._seen.look_near(self._completion, AT_FIRST)
        self._settle(self._seen.lying)
        shown = [one for one in self._seen.lying if not one.place.is_zone]
        bounds = [Bounds(one.place, self._certain(one), self._most(one)) for one in shown]
        zones = [one.place for one in self._seen.lying if one.place.is_zone]
        many = self._seen.many
        ways = (
            Ways(many, many, None)
            if self._each
            else count_ways(self._machine, self._header, self._state, self._lines, bounds, zones, many)
        )
        told: dict[
            tuple[str, int | None], Counter[str]
        ] = {}  # tiles whose reason has been told, by their zone
        places = tuple(self._inferred(one, ways, why, told) for one in self._seen.lying)
        states = self._unknown_states() if self._each else {}
        return InferredHand(1, len(self._lines), places, ways, self._followed(), states)

    def _followed(self) -> int:
        """Return the last event that the prover could follow."""
        numbers = range(len(self._lines), 0, -1)
        return next((number for number in numbers if self._search.state_after(number) is not None), 0)

    def _unknown_states(self) -> dict[int, frozenset[tuple[str, int | None]]]:
        """Return for each event the states whose value after it is not known."""
        out = {}
        for number in self._wanted:
            after = self._search.state_after(number)
            variables = {} if after is None else after.vars
            out[number] = frozenset(
                (name, seat if isinstance(value, list) else None)
                for name, value in variables.items()
                for seat, own in enumerate(each_of(value))
                if not _is_known(own)
            )
        return out

    # ------------------------------------------------------------------ places

    def _bags(self) -> Iterator[Lying]:
        """Yield the hidden places of the events."""
        for place in places_of(self._machine, self._lines):
            yield Lying(place, self._bag(place) if place.spots else self._left_over(place.event))

    def _bag(self, place: HiddenPlace) -> Bag:
        """Return what lies in a place of an event."""
        unknown = self._search.unknowns_of(place.event)
        own = [value for spots, value in unknown if set(spots) <= set(place.spots)]
        return _together(own)

    def _left_over(self, event: int) -> Bag:
        """Return the tiles that a deal does not deal out."""
        line = self._lines[event - 1]
        keys = dealt_keys(self._machine.actions[line.line["do"]])
        dealt = [value for spots, value in self._search.unknowns_of(event) if spots[0][0] in keys]
        known = bag_of([self._number[tile] for tile in unnamed(self._machine, line.line).elements()])
        return bag_minus(known, _together(dealt))

    def _zones(self, states: Mapping[int, State]) -> Iterator[Lying]:
        """Yield the zones whose tiles are not all known, after each event that changes what is known of them, or at the
        end.
        """
        was: dict[tuple[str, int | None], Any] = {}
        for number in self._wanted:
            after = self._search.state_after(number)
            if after is None:
                return
            for zone in self._machine.rules.zones:
                for seat, lying in enumerate(each_of(after.zones[zone.name])):
                    bag = tiles_of(lying.bag)
                    spot = zone.name, seat if zone.each_player else None
                    is_known, what = bag.concrete, _signature(bag)
                    if what == was.get(spot) or (is_known and spot not in was):
                        continue
                    if is_known:
                        del was[spot]
                    else:
                        was[spot] = what
                    place = HiddenPlace(number, *spot, None, (), 0, is_zone=True)
                    many = lying_in_zone(self._machine, states[number], place).total()
                    if many or self._each or not isinstance(size(bag), int):
                        yield Lying(replace(place, tiles=many), bag)

    # ------------------------------------------------------------------ questions

    def _shows(self, found: Completed) -> bool:
        """Return whether a way that the solver has found shows something new."""
        states = self._seen.played(found.lines)
        assert states is not None
        new = self._seen.look_at(found.lines, states)
        if new:
            self._seen.look_near(found.lines, NEAR)
        return new

    def _settle(self, lying: Sequence[Lying]) -> None:
        """Ask for ways that show something new of some places until there is none, or the effort is used up."""
        while True:
            asked = [(one, kind, truth) for one in lying for kind, truth in self._new(one)]
            if not asked:
                return
            found = self._search.upto(
                len(self._lines),
                any_of(truth for _, _, truth in asked),
                self._shows,
            )
            if isinstance(found, Impossible):
                for one, _, _ in asked:
                    self._decided(one)
                return
            if isinstance(found, OutOfEffort):
                if len(lying) > 1 and self._search.effort.tries > 0 and self._search.effort.units > 0:
                    for half in (lying[: len(lying) // 2], lying[len(lying) // 2 :]):
                        self._settle(half)
                return

    def _new(self, one: Lying) -> Iterator[tuple[str, Truth]]:
        """Yield what a way would show that none has shown of a place, by the kind of tile."""
        assert one.fewest is not None
        for kind in self._kinds:
            count = one.bag.count(self._number[kind])
            if not one.most[kind] and kind not in one.is_absent:
                truth = at_least(count, 1)
                if truth is False:
                    one.is_absent.add(kind)
                else:
                    yield kind, truth
            often = one.fewest[kind]
            if often and one.most[kind] == often < self._copies[kind] and kind not in one.is_high:
                truth = at_least(count, often + 1)
                if truth is False:
                    one.is_high.add(kind)
                else:
                    yield kind, truth
            if one.fewest[kind] and kind not in one.is_low:
                truth = negate(at_least(count, one.fewest[kind]))
                if truth is False:
                    one.is_low.add(kind)
                else:
                    yield kind, truth

    def _decided(self, one: Lying) -> None:
        """Take note that no way shows more of a place than those that were seen."""
        assert one.fewest is not None
        one.is_low.update(kind for kind in self._kinds if one.fewest[kind])
        one.is_absent.update(kind for kind in self._kinds if not one.most[kind])
        one.is_high.update(kind for kind in self._kinds if one.most[kind] == one.fewest[kind])

    # ------------------------------------------------------------------ what is said

    def _certain(self, one: Lying) -> Counter[str]:
        assert one.fewest is not None
        return Counter(
            {kind: one.fewest[kind] for kind in self._kinds if one.fewest[kind] and kind in one.is_low}
        )

    def _most(self, one: Lying) -> dict[str, int]:
        """Return how many tiles of each kind can lie in a place at most, by the set and its size."""
        certain = self._certain(one)
        free = one.place.tiles - certain.total()
        return {
            kind: min(self._copies[kind], certain[kind] + free)
            for kind in self._kinds
            if kind not in one.is_absent
        }

    def _inferred(
        self, one: Lying, ways: Ways, why: bool, told: dict[tuple[str, int | None], Counter[str]]
    ) -> Inferred:
        """Return what is said of a place; of a zone, reasons are given when a tile becomes certain."""
        certain = self._certain(one)
        counts = one.bag.counts if one.place.is_zone else {}
        recorded = Counter(
            {self._kinds_of[n]: count for n, count in counts.items() if isinstance(count, int) and count > 0}
        )
        new = certain - recorded
        if one.place.is_zone and self._each:
            spot = one.place.key, one.place.seat
            new, told[spot] = new - told.get(spot, Counter()), Counter(certain)
        return Inferred(
            one.place,
            tuple(kind for kind in self._kinds for _ in range(certain[kind])),
            tuple(kind for kind in self._kinds if one.most[kind]),
            tuple(kind for kind in self._kinds if self._is_open(one, kind)),
            ways.shares.get(one.place, {}),
            tuple(kind for kind in self._kinds if one.most[kind] > certain[kind]),
            self._is_sized(one),
            tuple(kind for kind in self._kinds for _ in range(recorded[kind])),
            {kind: self._why(one, kind, certain[kind]) for kind in new} if why else {},
        )

    def _why(self, one: Lying, kind: str, many: int) -> tuple[Clause, ...]:
        """Return the conditions that a place without so many tiles of a kind would break."""
        fewer = negate(at_least(one.bag.count(self._number[kind]), many))
        return tuple(sorted(self._search.reason(len(self._lines), fewer) or ()))

    def _is_sized(self, one: Lying) -> bool:
        """Return whether a place surely has as many tiles in all completions."""
        many = size(one.bag)
        if isinstance(many, int) or not one.place.is_zone:
            return True
        if len(one.sizes) > 1:
            return False
        [seen] = one.sizes
        return isinstance(self._search.upto(len(self._lines), negate(equal(many, seen))), Impossible)

    def _is_open(self, one: Lying, kind: str) -> bool:
        assert one.fewest is not None
        can_be = not one.most[kind] and kind not in one.is_absent
        return can_be or (one.fewest[kind] > 0 and kind not in one.is_low)


def _is_known(value: Any) -> bool:
    """Return whether a value of the prover is a constant."""
    return value.concrete if isinstance(value, Bag) else not isinstance(value, (GuardedUnion, z3.ExprRef))


def _signature(bag: Bag) -> tuple[Any, ...]:
    """Return what two bags have alike just if their numbers are the same terms."""
    return tuple((kind, n if isinstance(n, int) else n.get_id()) for kind, n in sorted(bag.items()))


def _together(unknown: Iterable[GuardedUnion | Bag]) -> Bag:
    """Return unknown tiles of an event as one bag."""
    return joined(*(value if isinstance(value, Bag) else bag_of([value]) for value in unknown))
