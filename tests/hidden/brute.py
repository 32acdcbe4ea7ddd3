"""Judge a trace with unknown tiles by listing every way to fill it in.

Input: a machine, a stake, the events of a trace in which `"?"` stands for a tile nobody saw. In a `deal` a whole number
may stand for a list of so many unknown tiles, and `reserve` may be left out of a game whose tiles are dealt from a row:
its order is then as unknown as if each of its tiles were `"?"`.
Output: a `Judged`. Raises `TooMany` if there are more ways than the caller allows, and `TooManySteps` as replay does.
Guarantee: the answer follows from the reference alone. Each way is an ordinary trace; replay judges it event by event,
and a way that replay refuses at an event goes no further.

A *way* fills in the events up to some event. Two ways are one if they record the same events (6.2, 6.5): the tiles of
a list have no order, nor have the melds of a bag; a list that `fits` or `arrange` asks for its order has one, and
so has `reserve` of a row; hands, and keys for each player, go by seat. In particular each order of a `reserve` that was
left out is a way of its own; `fillings` counts without these orders.

    {"do":"deal","first":0,"hands":[["1c"],["?"]]}      of two 1c and one 2c, dealt from a bag: 2 ways
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, islice, product
from typing import Any, Literal

from golpae.ir.ruleset import Action
from golpae.ir.types import Each, Opt, has_tiles
from golpae.lower.event_plan import asks_order
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine, State

UNKNOWN = "?"
RESERVE = "reserve"
Event = dict[str, Any]
Verdict = Literal["legal", "incomplete", "illegal", "malformed"]
Path = tuple[str | int, ...]  # where a list lies in an event: a key, and places within
Place = tuple[
    int, str, int | None
]  # an event, a key, and a seat of hands or a place in an order, if it has one
Way = tuple[Any, ...]
Record = tuple[int, int | None]  # the number of an event; of a deal, at times the seat of one hand


class TooMany(Exception):
    """There are more ways than the caller allows."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a trace from all ways to fill it in.

    `event` is the number of the first event that no way gets past, from 1 on; None if some way is legal to the end.
    `ways` and `fillings` count ways up to the event before it, or to the end. `certain` are for each place with unknown
    tiles up to there the tiles that lie there in all of these ways, each as often as in the way that has it least
    often; `possible` are those that lie there in some way.
    """

    verdict: Verdict
    event: int | None
    ways: int
    fillings: int
    certain: Mapping[Place, tuple[str, ...]]
    possible: Mapping[Place, frozenset[str]]
    completion: tuple[Event, ...]  # the events of one way, up to where it is legal


@dataclass(slots=True)
class _Open:
    """A way so far: the state behind it, its events, what records them apart, and the tiles of each place."""

    state: State
    events: tuple[Event, ...] = ()
    way: Way = ()
    filling: Way = ()
    tiles: dict[Place, tuple[str, ...]] = field(default_factory=dict)


def judged(machine: Machine, events: Sequence[Event], stake: int = 1, most: int = 20_000) -> Judged:
    """Return the verdict on the events of a trace, and what is certain of it. `most` is how many ways are looked at."""
    return _Judge(machine, most).run(events, stake)


def is_conflict(
    machine: Machine, events: Sequence[Event], kept: Set[Record], stake: int = 1, most: int = 20_000
) -> bool:
    """Return whether no way is legal to the end although only the tiles in these records are kept."""
    shown = [
        event
        if (number, None) in kept
        else all_unknown(machine, event, {seat for at, seat in kept if at == number and seat is not None})
        for number, event in enumerate(events, 1)
    ]
    return judged(machine, shown, stake, most).event is not None


def can_hold(
    machine: Machine, events: Sequence[Event], name: str, stake: int = 1, most: int = 20_000
) -> bool:
    """Return whether some way that is legal up to the last event fulfils one condition of that event."""
    judge, ways = _Judge(machine, most), [_Open(machine.new_state(stake))]
    for number, event in enumerate(events[:-1], 1):
        ways, _ = judge._after(ways, number, event)
    do = events[-1]["do"]
    names = {
        name,
        *(param.name for param in machine.actions[do].params if param.parts),
    }  # how many tiles, too
    own = tuple(condition for condition in machine.actions[do].conditions if condition.name in names)
    assert own
    actions = tuple(
        replace(one, conditions=own, effects=()) if one.name == do else one for one in machine.rules.actions
    )
    other = Machine(replace(machine.instance, rule_set=replace(machine.rules, actions=actions)))
    for way in ways:
        for whole, *_ in judge._fillings(len(events), events[-1]):
            try:
                if other.steps[do](other.copy(way.state), whole) is None:
                    return True
            except ValueError:  # it was fulfilled, but the tiles cannot be dealt
                return True
    return False


def is_smallest_conflict(
    machine: Machine, events: Sequence[Event], kept: Set[Record], stake: int = 1, most: int = 20_000
) -> bool:
    """Return whether records conflict, and no longer do if the tiles of one of them are unknown."""
    return is_conflict(machine, events, kept, stake, most) and not any(
        is_conflict(machine, events, kept - {record}, stake, most) for record in kept
    )


def all_unknown(machine: Machine, event: Event, seats: Set[int] = frozenset()) -> Event:
    """Return an event each of whose tiles is unknown, but for the hands of some seats in a deal."""
    action = machine.actions.get(event["do"])
    named = keys_with_tiles(action) if action is not None else frozenset()
    out = {key: _hidden(machine, value) if key in named else value for key, value in event.items()}
    if seats:
        out["hands"] = [event["hands"][i] if i in seats else hand for i, hand in enumerate(out["hands"])]
    return out


def keys_with_tiles(action: Action) -> frozenset[str]:
    """Return the keys of an action whose values are, or hold, tiles."""
    return frozenset(param.name for param in action.params if has_tiles(param.type))


def _hidden(machine: Machine, value: Any) -> Any:
    if isinstance(value, list):
        return [_hidden(machine, item) for item in value]
    return UNKNOWN if isinstance(value, str) and value in machine.reader.numbers else value


class _Judge:
    """The ways to fill in one trace."""

    def __init__(self, machine: Machine, most: int) -> None:
        self._machine, self._most = machine, most
        self._left = most
        self._kinds = [machine.tile(i) for i, kind in enumerate(machine.instance.kinds) if kind.copies]
        self._copies = {machine.tile(i): kind.copies for i, kind in enumerate(machine.instance.kinds)}

    def run(self, events: Sequence[Event], stake: int) -> Judged:
        ways = [_Open(self._machine.new_state(stake))]
        for number, event in enumerate(events, 1):
            following, can_be_read = self._after(ways, number, event)
            if not following:
                return self._judged("illegal" if can_be_read else "malformed", number, ways)
            ways = following
        over = any(self._machine.stage(way.state) in ("ended", "finished") for way in ways)
        return self._judged("legal" if over else "incomplete", None, ways)

    def _after(self, ways: list[_Open], number: int, event: Event) -> tuple[list[_Open], bool]:
        """Return the ways that are legal through an event, and whether some way of the event can be read."""
        out: list[_Open] = []
        filled = [*islice(self._fillings(number, event), self._most + 1)]
        can_be_read = not filled  # there are not so many tiles
        for way in ways:
            for whole, recorded, filling, tiles in filled:
                self._left -= 1
                if self._left < 0:
                    raise TooMany(f"more than {self._most:,} ways")
                state = self._machine.copy(way.state)
                read = self._happens(state, whole)
                can_be_read |= read is not None
                if read:
                    out.append(
                        _Open(
                            state,
                            (*way.events, whole),
                            (*way.way, recorded),
                            (*way.filling, filling),
                            way.tiles | tiles,
                        )
                    )
        return out, can_be_read

    def _happens(self, state: State, event: Event) -> bool | None:
        """Let an event happen. Return whether it is legal; None if it cannot be read."""
        step = self._machine.steps.get(event["do"]) if isinstance(event.get("do"), str) else None
        if step is None:
            return None
        try:
            result = step(state, event)
        except ValueError:  # a tile does not lie where it is moved from
            return False
        return None if isinstance(result, Bad) else result is None

    def _judged(self, verdict: Verdict, event: int | None, ways: list[_Open]) -> Judged:
        places = {place for way in ways for place in way.tiles}
        certain: dict[Place, tuple[str, ...]] = {}
        possible: dict[Place, frozenset[str]] = {}
        for place in sorted(places, key=repr):
            lying = [Counter(way.tiles[place]) for way in ways]
            common = lying[0]
            for other in lying[1:]:
                common = common & other
            certain[place] = tuple(sorted(common.elements()))
            possible[place] = frozenset(tile for own in lying for tile in own)
        return Judged(
            verdict,
            event,
            len({way.way for way in ways}),
            len({way.filling for way in ways}),
            certain,
            possible,
            ways[0].events,
        )

    # ------------------------------------------------------------------ one event

    def _fillings(
        self, number: int, event: Event
    ) -> Iterator[tuple[Event, Any, Any, dict[Place, tuple[str, ...]]]]:
        """Yield the ways to fill in an event: the whole event, what records it, the same without the order of a
        reserve that was left out, and the tiles that lie at its places.
        """
        do = event.get("do")
        action = self._machine.actions.get(do) if isinstance(do, str) else None
        if action is None:
            yield event, repr(event), repr(event), {}
            return
        seen: set[Any] = set()
        written = self._with_lists(action, event)
        named = keys_with_tiles(action)
        lists = [
            (path, found) for key in written if key in named for path, found in _lists(written[key], (key,))
        ]
        for chosen in self._chosen(action, lists):
            whole = {key: _filled(value, (key,), chosen) for key, value in written.items()}
            for complete in self._with_reserve(action, whole):
                recorded = self._recorded(action, complete, complete)
                if recorded in seen:
                    continue
                seen.add(recorded)
                tiles = self._tiles(number, action, written, chosen)
                if RESERVE in complete and RESERVE not in whole:
                    tiles |= {(number, RESERVE, i): (tile,) for i, tile in enumerate(complete[RESERVE])}
                yield complete, recorded, self._recorded(action, complete, whole), tiles

    def _with_lists(self, action: Action, event: Event) -> Event:
        """Return a deal in which so many unknown tiles stand for a number."""
        if action.kind != "deal":
            return event
        out = dict(event)
        if isinstance(event.get("hands"), list):
            out["hands"] = [_listed(hand) for hand in event["hands"]]
        table = () if action.dealing is None else (dealt.zone for dealt in action.dealing.table)
        return out | {key: _listed(out[key]) for key in table if key in out}

    def _chosen(
        self, action: Action, lists: list[tuple[Path, list[Any] | str]]
    ) -> Iterator[dict[Path, list[str]]]:
        """Yield tiles for the unknown ones of lists: of a kind at most as many in a key as are in play."""
        left: dict[str, Counter[str]] = {}
        for path, found in lists:
            known = (self._name(tile) for tile in found if tile != UNKNOWN)
            left.setdefault(_counted_with(action, path), Counter(self._copies)).subtract(known)

        def rest(number: int) -> Iterator[dict[Path, list[str]]]:
            if number == len(lists):
                yield {}
                return
            path, found = lists[number]
            own = left[_counted_with(action, path)]
            unknown = sum(1 for tile in found if tile == UNKNOWN)
            ordered = self._has_order(action, str(path[0]))
            tuples = (
                product(self._kinds, repeat=unknown)
                if ordered
                else combinations_with_replacement(self._kinds, unknown)
            )
            for tiles in tuples:
                taken = Counter(tiles)
                if any(own[tile] < count for tile, count in taken.items()):
                    continue
                own.subtract(taken)
                for more in rest(number + 1):
                    yield {path: [*tiles], **more}
                own.update(taken)

        yield from rest(0)

    def _with_reserve(self, action: Action, event: Event) -> Iterator[Event]:
        """Yield a deal with each order of a reserve that was left out; any other event as it is."""
        hands = event.get("hands")
        if action.kind != "deal" or action.dealing is None or event.get(RESERVE) is not None:
            yield event
            return
        if not isinstance(hands, list) or not all(map(_is_of_words, hands)):
            yield event
            return
        if self._machine.rules.zone(action.dealing.zone).kind != "row":
            yield event
            return
        over = Counter(self._machine.tile(i) for i in self._machine.instance.whole)
        over.subtract(self._name(tile) for hand in hands for tile in hand)
        if any(count < 0 for count in over.values()):
            yield event
            return
        for order in _orders(over):
            yield {**event, RESERVE: order}

    def _name(self, word: str) -> str:
        """Return the name of a tile that may be written otherwise; a word that is no tile as it is."""
        number = self._machine.reader.numbers.get(word)
        return word if number is None else self._machine.tile(number)

    # ------------------------------------------------------------------ what records an event

    def _has_order(self, action: Action, key: str) -> bool:
        """Return whether the order of a list counts."""
        if key == RESERVE and action.kind == "deal" and action.dealing is not None:
            return self._machine.rules.zone(action.dealing.zone).kind == "row"
        return any(
            param.name == key and not param.parts and asks_order(self._machine.rules, action, key)
            for param in action.params
        )

    def _by_seat(self, action: Action, key: str) -> bool:
        if key == "hands" and action.kind == "deal":
            return True
        kinds = (p.type.item if isinstance(p.type, Opt) else p.type for p in action.params if p.name == key)
        return any(isinstance(kind, Each) for kind in kinds)

    def _recorded(self, action: Action, event: Event, shown: Event) -> Any:
        """Return what is the same for two events just if they record the same, as far as keys are `shown`."""
        out = []
        for key in sorted(shown):
            value = event[key]
            if self._has_order(action, key):
                out.append((key, repr(value)))
            elif self._by_seat(action, key) and isinstance(value, list):
                out.append((key, repr([_without_order(own) for own in value])))
            else:
                out.append((key, repr(_without_order(value))))
        return tuple(out)

    def _tiles(
        self, number: int, action: Action, written: Event, chosen: Mapping[Path, list[str]]
    ) -> dict[Place, tuple[str, ...]]:
        """Return the tiles that were unknown, at their places."""
        out: dict[Place, tuple[str, ...]] = {}
        for path, tiles in chosen.items():
            key = str(path[0])
            if self._has_order(action, key):
                unknown = [i for i, tile in enumerate(written[key]) if tile == UNKNOWN]
                out |= {(number, key, i): (tile,) for i, tile in zip(unknown, tiles, strict=True)}
            elif tiles:
                seat = path[1] if self._by_seat(action, key) and len(path) > 1 else None
                place = (number, key, seat if isinstance(seat, int) else None)
                out[place] = (*out.get(place, ()), *tiles)
        return out


# ---------------------------------------------------------------------- lists of tiles in an event


def _lists(value: Any, path: Path) -> Iterator[tuple[Path, list[Any] | str]]:
    """Yield every innermost list with tiles in a value, and a value that is one unknown tile itself."""
    if value == UNKNOWN:
        yield path, [UNKNOWN]
    elif isinstance(value, list):
        if any(isinstance(item, str) for item in value):
            yield path, [item for item in value if isinstance(item, str)]
        for number, item in enumerate(value):
            if isinstance(item, list):
                yield from _lists(item, (*path, number))


def _filled(value: Any, path: Path, chosen: Mapping[Path, list[str]]) -> Any:
    """Return a value with the tiles that were chosen in place of unknown ones."""
    tiles = iter(chosen.get(path, ()))
    if value == UNKNOWN:
        return next(tiles)
    if not isinstance(value, list):
        return value
    return [
        next(tiles)
        if item == UNKNOWN
        else _filled(item, (*path, number), chosen)
        if isinstance(item, list)
        else item
        for number, item in enumerate(value)
    ]


def _without_order(value: Any) -> Any:
    """Return a value in which the members of lists are sorted."""
    return sorted(map(_without_order, value), key=repr) if isinstance(value, list) else value


def _is_of_words(hand: Any) -> bool:
    return isinstance(hand, list) and all(isinstance(tile, str) for tile in hand)


def _listed(size: Any) -> Any:
    """Return a list of so many unknown tiles; anything but a size as it is."""
    return [UNKNOWN] * size if type(size) is int and size >= 0 else size


def _counted_with(action: Action, path: Path) -> str:
    """Return the key whose tiles count together with those of a list: hands and reserve are all there is."""
    key = str(path[0])
    return "hands" if action.kind == "deal" and key == RESERVE else key


def _orders(tiles: Counter[str]) -> Iterator[list[str]]:
    """Yield every order of tiles, those that differ in copies of one kind once."""
    left = {tile: count for tile, count in sorted(tiles.items()) if count}
    if not left:
        yield []
    for tile in left:
        for more in _orders(tiles - Counter([tile])):
            yield [tile, *more]
