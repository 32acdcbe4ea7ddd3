"""A table of a game whose zones and states may be unknown.

A zone of tiles is a bag; of a row, the prover also knows what lies at the ends that the rules ask for. A zone of
melds is a bag of groups. States are values. The same operations as in a game change them, and each says what
has to lie where for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import z3

from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Group,
    Number,
    Truth,
    Unsupported,
    Value,
    as_number,
    at_least,
    cases,
    conj,
    disj,
    equal,
    guarded_union,
    holds,
    iff,
    implies,
    ite,
    ite_number,
    joined,
    merge,
    minus,
    negate,
    same,
    size,
    total_of,
    without,
)

HIDDEN = "?"  # the tile at an end or place of a row whose order nobody can know
PLACES = 16  # of a row, from the front on, that are looked at; nothing is known of what lies behind them
BEFORE, PLAYING, OVER, ENDED, FINISHED = STAGES = ("before", "playing", "over", "ended", "finished")


@dataclass(frozen=True, slots=True)
class Row:
    """What lies at the front and the back of a row: a tile, none, or HIDDEN; None for an end nobody asks for.

    `hidden` are the tiles that may lie in places whose tile nobody can know. `places` are the first PLACES of them,
    where somebody asks for places: a tile, HIDDEN, or none behind the last tile.
    """

    front: Value = None
    back: Value = None
    hidden: Bag = EMPTY
    places: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Zone:
    bag: Bag
    row: Row | None = None


@dataclass(slots=True)
class SymbolicState:
    """All that a game has at one moment. `vars` and `zones` hold a list where each player has one."""

    at: Value
    stake: Number
    winner: Value
    hands_played: Number
    total: list[Number]
    vars: dict[str, Any]
    zones: dict[str, Any]
    memo: dict[Any, Value] = field(default_factory=dict)  # definitions worked out, forgotten on change

    def copy(self) -> SymbolicState:
        return SymbolicState(
            self.at,
            self.stake,
            self.winner,
            self.hands_played,
            list(self.total),
            {n: list(v) if isinstance(v, list) else v for n, v in self.vars.items()},
            {n: list(z) if isinstance(z, list) else z for n, z in self.zones.items()},
        )

    def noting(self) -> Noting:
        """A copy that notes what is read of it."""
        copy = self.copy()
        read = {THE_GAME}
        return Noting(
            copy.at,
            copy.stake,
            copy.winner,
            copy.hands_played,
            copy.total,
            _Noted(copy.vars, read),
            _Noted(copy.zones, read),
            {},
            read,
        )

    def differs(self, other: SymbolicState) -> frozenset[str]:
        """What is not the same value on another table; what is may still be taken for another."""
        mine = [self.at, self.stake, self.winner, self.hands_played, *self.total]
        theirs = [other.at, other.stake, other.winner, other.hands_played, *other.total]
        out = set() if _identical(mine, theirs) else {THE_GAME}
        for here, there in ((self.vars, other.vars), (self.zones, other.zones)):
            out |= {name for name, value in here.items() if not _identical(value, there[name])}
        return frozenset(out)

    def zone(self, name: str, seat: Value) -> Zone:
        """A zone, of a seat that may be unknown."""
        found = self.zones[name]
        if not isinstance(found, list):
            assert isinstance(found, Zone)
            return found
        chosen = [(g, found[s]) for g, s in cases(seat) if s is not None]
        if not chosen:
            return Zone(EMPTY, None)
        return merged_zones(chosen)

    def change_zone(self, name: str, seat: Value, change: Callable[[Zone], Zone]) -> None:
        """Change a zone in place, of a seat that may be unknown."""
        found = self.zones[name]
        self.memo = {}
        if not isinstance(found, list):
            self.zones[name] = change(found)
            return
        for guard, plain in cases(seat):
            if plain is not None:
                found[plain] = merged_zones([(guard, change(found[plain])), (negate(guard), found[plain])])

    def set_var(self, name: str, seat: Value, value: Value) -> None:
        self.memo = {}
        if seat is None:
            self.vars[name] = value
            return
        for guard, plain in cases(seat):
            if plain is not None:
                self.vars[name][plain] = ite(guard, value, self.vars[name][plain])


THE_GAME = "the game"  # its stage, stake, winner and totals; taken as read, whatever is


@dataclass(slots=True)
class Noting(SymbolicState):
    """A table that notes which states and zones are read."""

    read: set[str] = field(default_factory=set)


class _Noted(dict[str, Any]):
    """States or zones, each noted as it is read."""

    def __init__(self, values: dict[str, Any], read: set[str]) -> None:
        super().__init__(values)
        self._read = read

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getitem__(name)

    def items(self) -> Any:
        self._read.update(self)
        return super().items()

    def values(self) -> Any:
        self._read.update(self)
        return super().values()


def _identical(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return all(a is b for a, b in zip(one, other, strict=True))
    return one is other


def merged_zones(found: list[tuple[Truth, Zone]]) -> Zone:
    """One zone of some, under guards as in `merge`."""
    found = [(g, z) for g, z in found if g is not False]
    if len(found) == 1 or all(z is found[0][1] for _, z in found):
        return found[0][1]
    bag = merge([(g, z.bag) for g, z in found])
    rows = [(g, z.row) for g, z in found if z.row is not None]
    if not rows:
        return Zone(bag)
    front, back = (guarded_union([(g, getattr(r, end)) for g, r in rows]) for end in ("front", "back"))
    by_place = zip(*(r.places for _, r in rows), strict=True)
    places = (guarded_union(zip((g for g, _ in rows), lying, strict=True)) for lying in by_place)
    return Zone(bag, Row(front, back, merge([(g, r.hidden) for g, r in rows]), tuple(places)))


def merged(test: Truth, yes: SymbolicState, no: SymbolicState) -> SymbolicState:
    """The one table or the other."""
    if test is True:
        return yes
    if test is False:
        return no

    def values(a: Any, b: Any) -> Any:
        return a if a is b else ite(test, a, b)

    def zones(a: Any, b: Any) -> Any:
        if a is b:
            return a
        if isinstance(a, list):
            return [zones(x, y) for x, y in zip(a, b, strict=True)]
        return merged_zones([(test, a), (negate(test), b)])

    def each(a: Any, b: Any) -> Any:
        if isinstance(a, list):
            return [values(x, y) for x, y in zip(a, b, strict=True)]
        return values(a, b)

    return SymbolicState(
        values(yes.at, no.at),
        yes.stake,
        values(yes.winner, no.winner),
        as_number(values(yes.hands_played, no.hands_played)),
        [ite_number(test, a, b) if a is not b else a for a, b in zip(yes.total, no.total, strict=True)],
        {n: each(v, no.vars[n]) for n, v in yes.vars.items()},
        {n: zones(z, no.zones[n]) for n, z in yes.zones.items()},
    )


# ------------------------------------------------------------------ unknown values


class SymbolFactory:
    """Makes unknown values, and gathers what is certain of them: `facts`, and `heavy` ones that take a solver a while
    and that most questions are answered without.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.facts: list[Truth] = []
        self.deferred: list[Truth] = []
        self._made = 0

    def name(self, said: str) -> str:
        self._made += 1
        return f"{self.prefix}{said}.{self._made}"

    def fact(self, truth: Truth) -> None:
        if truth is not True:
            self.facts.append(truth)

    def truth(self, said: str) -> Truth:
        return z3.Bool(self.name(said))

    def number(self, said: str, low: int | None = None, high: int | None = None) -> Number:
        found = z3.Int(self.name(said))
        if low is not None:
            self.fact(at_least(found, low))
        if high is not None:
            self.fact(at_least(high, found))
        return found

    def of(self, said: str, values: list[Any]) -> Value:
        """One of these values."""
        if len(values) == 1:
            return values[0]
        code = z3.Int(self.name(said))
        self.fact(conj(at_least(code, 0), at_least(len(values) - 1, code)))
        return guarded_union((equal(code, i), v) for i, v in enumerate(values))

    def bag(self, said: str, most: dict[Any, int | None]) -> Bag:
        """A bag with at most so many of each value (None: any number)."""
        return Bag({k: self.number(f"{said}[{_said(k)}]", 0, m) for k, m in most.items() if m != 0})


def _said(key: Any) -> str:
    return "+".join(map(str, key.tiles)) + (key.label or "") if isinstance(key, Group) else str(key)


# ------------------------------------------------------------------ what is done in a row


@dataclass(frozen=True, slots=True)
class Tracking:
    """What the rules ever ask of a row: its front, its back, its places, and whether its order may be unknown to
    all.
    """

    said: str
    front: bool
    back: bool
    may_hide: bool
    places: bool = False


NEW: Value = object()  # an end of which nothing is known but that it fits the row
ANY: tuple[Value, ...] = ()  # places of which no more is known


def row_of(
    bag: Bag,
    symbols: SymbolFactory,
    tracking: Tracking,
    front: Value = NEW,
    back: Value = NEW,
    hidden: Bag | None = None,
    places: tuple[Value, ...] = ANY,
) -> Row:
    """The ends of a row with these tiles; those that are NEW fit it, and are otherwise unknown."""
    if not tracking.may_hide:
        hidden = EMPTY
    elif not tracking.front and not tracking.back and not tracking.places:
        return Row()
    elif hidden is None:
        hidden = Bag({k: symbols.number(f"{tracking.said}.hidden", 0) for k, _ in bag.items()})
        for key, count in hidden.items():
            symbols.fact(at_least(bag.count(key), count))
    if tracking.places:
        places = places or _new_places(bag, hidden, symbols, tracking)
        front = places[0]
    ends = []
    for value, wanted, end in ((front, tracking.front, "front"), (back, tracking.back, "back")):
        if not wanted:
            value = None
        elif value is NEW:
            value = _new_end(bag, hidden, symbols, tracking, end)
            if tracking.places:
                value = _last(bag, places, value)
        ends.append(value)
    return Row(ends[0], ends[1], hidden, places if tracking.places else ())


def empty_row(tracking: Tracking | None) -> Row:
    """A row where nothing lies."""
    return Row(places=(None,) * PLACES if tracking is not None and tracking.places else ())


def _new_end(bag: Bag, hidden: Bag, symbols: SymbolFactory, tracking: Tracking, end: str) -> Value:
    kinds = [k for k, _ in bag.items()]
    found = symbols.of(f"{tracking.said}.{end}", [*kinds, None, *([HIDDEN] if tracking.may_hide else [])])
    empty = equal(size(bag), 0)
    for guard, plain in cases(found):
        if plain is None:
            symbols.fact(iff(guard, empty))
        elif plain == HIDDEN:
            symbols.fact(implies(guard, at_least(size(hidden), 1)))
        else:
            symbols.fact(implies(guard, at_least(minus(bag.count(plain), hidden.count(plain)), 1)))
    return found


def _new_places(bag: Bag, hidden: Bag, symbols: SymbolFactory, tracking: Tracking) -> tuple[Value, ...]:
    """Places of which nothing is known but that there are as many as tiles, and that the tiles are those."""
    places = tuple(_new_place(bag, symbols, tracking, i) for i in range(PLACES))
    # INVARIANT: this can be so of any bag, for its hidden tiles are in it: they are none, or made for it
    lying: dict[Any, list[Truth]] = {}
    for place in places:
        for guard, plain in cases(place):
            lying.setdefault(plain, []).append(guard)
    for plain, guards in lying.items():
        if plain is not None:
            there = size(hidden) if plain == HIDDEN else minus(bag.count(plain), hidden.count(plain))
            symbols.deferred.append(at_least(there, total_of(ite_number(g, 1, 0) for g in guards)))
    return places


def _new_place(bag: Bag, symbols: SymbolFactory, tracking: Tracking, index: int) -> Value:
    """What lies at a place, the front is 0; none where there is no such place."""
    kinds = [k for k, _ in bag.items()]
    found = symbols.of(
        f"{tracking.said}.{index}", [*kinds, *([HIDDEN] if tracking.may_hide else [])] or [None]
    )
    return ite(at_least(size(bag), index + 1), found, None)


def _last(bag: Bag, places: tuple[Value, ...], beyond: Value) -> Value:
    """The last place of a row; `beyond` where that is behind those that are looked at."""
    count = size(bag)
    at = [(equal(count, i), place) for i, place in enumerate((None, *places))]
    return merge([*at, (at_least(count, PLACES + 1), beyond)])


def fits(zone: Zone, tile: Value, end: str) -> Truth:
    """Whether a tile can be the one at an end of a row."""
    assert zone.row is not None
    known = getattr(zone.row, end)
    hidden = same(known, HIDDEN)
    if tile is None:  # as where a row is empty
        return False
    return disj(conj(negate(hidden), same(known, tile)), conj(hidden, holds(zone.row.hidden, tile)))


def seen(end: Value) -> Value:
    """The tile at an end as the rules speak of it: none where nobody can know it."""
    return guarded_union((g, None if v == HIDDEN else v) for g, v in cases(end))


def put(
    zone: Zone, tiles: Bag, end: str | None, only: Value, symbols: SymbolFactory, tracking: Tracking | None
) -> Zone:
    """Tiles are put down; `only` is the one tile, where it is one."""
    bag = joined(zone.bag, tiles)
    if zone.row is None or tracking is None:
        return Zone(bag)
    if only is None:
        places = _with_some(zone, bag, end, symbols, tracking)
        return Zone(bag, row_of(bag, symbols, tracking, hidden=zone.row.hidden, places=places))
    empty = equal(size(zone.bag), 0)
    front = only if end == "front" else ite(empty, only, zone.row.front)
    back = ite(empty, only, zone.row.back) if end == "front" else only
    before = zone.row.places
    if end == "front":
        places = (only, *before[:-1])
    else:
        there = size(zone.bag)
        places = tuple(ite(equal(there, i), only, place) for i, place in enumerate(before))
    return Zone(bag, row_of(bag, symbols, tracking, front, back, zone.row.hidden, places))


def _with_some(
    zone: Zone, bag: Bag, end: str | None, symbols: SymbolFactory, tracking: Tracking
) -> tuple[Value, ...]:
    """The places after several tiles were put down, nobody says in which order."""
    if not tracking.places:
        return ()
    assert zone.row is not None
    new = [_new_place(bag, symbols, tracking, i) for i in range(PLACES)]
    if end == "front":
        return tuple(new)
    there = size(zone.bag)
    kept = zip(zone.row.places, new, strict=True)
    return tuple(ite(at_least(there, i + 1), old, made) for i, (old, made) in enumerate(kept))


def take(zone: Zone, tiles: Bag, end: str | None, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """Tiles are taken, which are there: from one end (then it is one tile) or from anywhere."""
    if zone.row is None or tracking is None:
        return Zone(lessened(zone.bag, tiles))
    # what is certain of the new ends has to be possible even where the tiles are not there, for this may be
    # worked out where it does not happen; hence `without`
    bag = without(zone.bag, tiles)
    if end is None:
        return Zone(bag, row_of(bag, symbols, tracking))
    hidden = zone.row.hidden
    if tracking.may_hide:
        was_hidden = same(getattr(zone.row, end), HIDDEN)
        less = without(hidden, tiles)
        hidden = Bag({k: ite_number(was_hidden, less.count(k), hidden.count(k)) for k in hidden.counts})
    empty = equal(size(bag), 0)
    other = ite(empty, None, zone.row.back if end == "front" else zone.row.front)
    front, back = (NEW, other) if end == "front" else (other, NEW)
    places = zone.row.places
    if tracking.places and end == "front":
        places = (*places[1:], _new_place(bag, symbols, tracking, PLACES - 1))
    elif tracking.places:
        there = size(zone.bag)
        places = tuple(ite(equal(there, i + 1), None, place) for i, place in enumerate(places))
    return Zone(bag, row_of(bag, symbols, tracking, front, back, hidden, places))


def lessened(bag: Bag, tiles: Bag) -> Bag:
    """A bag without tiles that are in it."""
    out = dict(bag.counts)
    for key, count in tiles.items():
        out[key] = minus(out.get(key, 0), count)
    return Bag(out)


def shuffled(zone: Zone, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """A row whose order nobody knows any more."""
    if zone.row is None or tracking is None:
        return zone
    end = ite(equal(size(zone.bag), 0), None, HIDDEN)
    return Zone(zone.bag, row_of(zone.bag, symbols, tracking, end, end, zone.bag, hidden_places(zone.bag)))


def hidden_places(bag: Bag) -> tuple[Value, ...]:
    """The places of a row whose order nobody knows."""
    return tuple(ite(at_least(size(bag), i + 1), HIDDEN, None) for i in range(PLACES))


def place_of(zone: Zone, number: Number, beyond: Callable[[], Value]) -> Value:
    """The tile at a place as the rules speak of it, the front is 1; `beyond` what lies behind those looked at."""
    if zone.row is None:
        return None
    if not zone.row.places:
        raise Unsupported("a place of a row")
    if isinstance(number, int):
        if number > PLACES:
            return ite(at_least(size(zone.bag), number), beyond(), None)
        return seen(zone.row.places[number - 1]) if number >= 1 else None
    at = [(equal(number, i + 1), seen(place)) for i, place in enumerate(zone.row.places)]
    behind = conj(at_least(number, PLACES + 1), at_least(size(zone.bag), number))
    none = disj(at_least(0, number), conj(at_least(number, PLACES + 1), negate(behind)))
    return merge([*at, (none, None), (behind, beyond())])


def arranged(zone: Zone, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """A row whose order is known from now on."""
    if zone.row is None or tracking is None:
        return zone
    return Zone(zone.bag, row_of(zone.bag, symbols, tracking, hidden=EMPTY))
