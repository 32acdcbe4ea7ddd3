"""Moves of tiles and groups from zone to zone, and into and out of melds.

Input: the parts of a statement that moves tiles, and a state, which is changed in place. Output: in `needs`, what has
to lie where for the move to be possible.
Guarantee: replay refuses an event exactly if a need fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action
from golpae.ir.traverse import free
from golpae.ir.types import Tile
from golpae.lower import statements as st
from golpae.prove.encoding.rounds import GroupMove
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.encoding.unknown_melds import Options, by_key, of_shapes
from golpae.prove.evaluation.composed import may_fit
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.moved_rows import cut_row, joined_rows, without_tile
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    MeldValue,
    Number,
    Truth,
    Value,
    any_of,
    as_bag,
    at_least,
    bag_minus,
    bag_of,
    bags_same,
    cases,
    conj,
    group_bag,
    guarded_union,
    implies,
    joined,
    negate,
    size,
    sub_bags,
    tiles_of,
    within,
)
from golpae.prove.symbolic.zones import (
    Zone,
    empty_row,
    fits,
    merged_zones,
    put,
    put_unordered,
    take,
    take_place,
)

UNKNOWN_TILES = "unknown tiles that join or leave a meld"


class Moment(NamedTuple):
    """When a statement is carried out: the state then, the values of names, and the condition `path` of it."""

    state: SymbolicState
    names: Mapping[str, Value]
    path: Truth


class Mover:
    """Moves of one event."""

    def __init__(
        self, evaluator: Evaluator, states: StateEncoder, needs: list[Truth], action: Action | None
    ) -> None:
        self._evaluator = evaluator
        self._states = states
        self._needs = needs
        self._action = action
        self._named: dict[ir.Expr, tuple[ir.Expr, SymbolicState, Mapping[str, Value]]] = {}

    def name(self, name: str, expr: ir.Expr, at: Moment) -> Value:
        """Return the value of an expression that gets a name."""
        value = self._evaluator.value(expr, at.state, at.names)
        if self._states.follows_one_game and isinstance(value, Bag):
            self._named[ir.Local(name, expr.type)] = expr, at.state.copy(), {**at.names}
        return value

    # ------------------------------------------------------------------ tiles

    def take(self, what: ir.Expr, place: ir.Place, at: Moment) -> None:
        """Take a tile, or tiles, out of a zone of tiles or a row."""
        tiles, only = self._what(what, at)
        symbols, track = self._evaluator.symbols, self._states.tracking.get(place.zone)
        seat = self.seat(place, at)
        have = at.state.zone(place.zone, seat)
        self._needs.append(implies(at.path, within(tiles, have.bag)))
        if place.number is not None:
            number = self._evaluator.value(place.number, at.state, at.names)
            self._needs.append(implies(at.path, may_fit(self._evaluator, have, only, number)))
            numbers = cases(number)
            at.state.change_zone(
                place.zone,
                seat,
                lambda z: merged_zones([(g, take_place(z, only, n, symbols, track)) for g, n in numbers]),
            )
            return
        if place.end is not None and only is None:
            self._take_from_end(place, [*self._in_order(tiles)], seat, at)
            return
        if place.end is not None:
            self._needs.append(implies(at.path, fits(have, only, place.end)))
        if place.end is None and only is not None:
            at.state.change_zone(place.zone, seat, lambda z: without_tile(z, only, symbols, track))
            return
        at.state.change_zone(place.zone, seat, lambda z: take(z, tiles, place.end, symbols, track))

    def cut(self, place: ir.Place, number: Number, at: Moment) -> None:
        """Put so many places of a row from its front behind the others."""
        seat, track = self.seat(place, at), self._states.tracking.get(place.zone)
        there = size(at.state.zone(place.zone, seat).bag)
        self._needs.append(implies(at.path, conj(at_least(number, 0), at_least(there, number))))
        at.state.change_zone(place.zone, seat, lambda z: cut_row(z, number, self._evaluator.symbols, track))

    def take_all(self, place: ir.Place, at: Moment) -> Bag:
        """Take everything out of a zone. Return the tiles."""
        seat, track = self.seat(place, at), self._states.tracking.get(place.zone)
        have = at.state.zone(place.zone, seat)
        row = None if have.row is None else empty_row(track)
        at.state.change_zone(place.zone, seat, lambda z: Zone(EMPTY, row))
        return tiles_of(have.bag)

    def put(self, what: ir.Expr, place: ir.Place, at: Moment) -> None:
        """Put a tile, or tiles, into a zone of tiles or a row."""
        tiles, only = self._what(what, at)
        symbols, track = self._evaluator.symbols, self._states.tracking.get(place.zone)

        def with_them(zone: Zone) -> Zone:
            if only is None:
                return put_unordered(zone, tiles, place.end, symbols, track)
            return put(zone, tiles, place.end, only, symbols, track)

        at.state.change_zone(place.zone, self.seat(place, at), with_them)

    def move_row(self, source: ir.Place, target: ir.Place, at: Moment) -> None:
        """Move all tiles of a row to a row, in their order."""
        moved = at.state.zone(source.zone, self.seat(source, at))
        self.take_all(source, at)
        symbols, track = self._evaluator.symbols, self._states.tracking.get(target.zone)
        at.state.change_zone(
            target.zone, self.seat(target, at), lambda z: joined_rows(z, moved, target.end, symbols, track)
        )

    def _take_from_end(
        self, place: ir.Place, tiles: Iterable[tuple[Truth, Value]], seat: Value, at: Moment
    ) -> None:
        """Take tiles from an end of a row, one after the other; each leaves if its truth holds."""
        end = place.end
        assert end is not None
        symbols, track = self._evaluator.symbols, self._states.tracking.get(place.zone)

        def without_one(zone: Zone) -> Zone:
            taken = take(zone, bag_of([tile]), end, symbols, track)
            return merged_zones([(leaves, taken), (negate(leaves), zone)])

        for leaves, tile in tiles:
            fitting = fits(at.state.zone(place.zone, seat), tile, end)
            self._needs.append(implies(conj(at.path, leaves), fitting))
            at.state.change_zone(place.zone, seat, without_one)

    def _in_order(self, tiles: Bag) -> Iterator[tuple[Truth, Value]]:
        """Yield tiles in the order of the set, in which they leave, each with the condition that it is there."""
        for kind, count in sorted(tiles.items(), key=lambda item: int(item[0])):
            for number in range(self._evaluator.copies.get(kind, 0)):
                leaves = at_least(count, number + 1)
                if leaves is False:
                    break
                yield leaves, kind

    def _what(self, what: ir.Expr, at: Moment) -> tuple[Bag, Value]:
        """Return the tiles that are moved; and the tile, if it is a single one."""
        moved = self._evaluator.value(what, at.state, at.names)
        if isinstance(what.type, Tile):
            return bag_of([moved]), moved
        return as_bag(moved), None

    def seat(self, place: ir.Place, at: Moment) -> Value:
        """Return whose zone a place is, None if it is nobody's."""
        return None if place.seat is None else self._evaluator.value(place.seat, at.state, at.names)

    # ------------------------------------------------------------------ melds

    def move_melds(self, source: ir.Place, label: str | None, target: ir.Place, at: Moment) -> None:
        """Move all melds of a zone to another zone of melds, each by itself."""
        seat = self.seat(source, at)
        leaving = at.state.zone(source.zone, seat).bag
        at.state.change_zone(source.zone, seat, lambda z: Zone(EMPTY, z.row))
        moved = (Bag({MeldValue(m.tiles, label or m.label): n}) for m, n in leaving.items())
        self._add_melds(joined(*moved), target, at)

    def move_all(self, move: GroupMove, bag: Bag, at: Moment) -> None:
        """Move all that is in a bag of tiles or of groups, as often as it is in there."""
        seat, tiles = self.seat(move.source, at), tiles_of(bag)
        have = at.state.zone(move.source.zone, seat).bag
        self._needs.append(implies(at.path, within(tiles, have)))
        at.state.change_zone(move.source.zone, seat, lambda z: Zone(bag_minus(z.bag, tiles)))
        if self._states.zone_decls[move.target.zone].kind == "melds":
            melds = ((_meld(key, move.label), count) for key, count in bag.items())
            self._add_melds(
                joined(*(Bag({meld: count}) for meld, count in melds if meld.tiles)), move.target, at
            )
        else:
            to = self.seat(move.target, at)
            at.state.change_zone(move.target.zone, to, lambda z: Zone(joined(z.bag, tiles)))

    def _add_melds(self, melds: Bag, place: ir.Place, at: Moment) -> None:
        """Add melds to a zone."""
        self._states.note_groups(place.zone, melds.counts)
        at.state.change_zone(place.zone, self.seat(place, at), lambda z: Zone(joined(z.bag, melds)))

    def new_meld(self, what: ir.Expr, label: str | None, place: ir.Place, at: Moment) -> None:
        """Make tiles a meld of a zone, if there are any."""
        tiles, _ = self._what(what, at)
        if tiles.concrete:
            made: Value = MeldValue(tiles.tiles(), label) if tiles.tiles() else None
        else:
            options = self._made_of(tiles, what, label, place.zone, at)
            self._needs.append(implies(at.path, any_of(truth for truth, _ in options)))
            melds = [(truth, MeldValue(t, label) if t else None) for truth, t in options]
            made = guarded_union([*melds, (negate(any_of(truth for truth, _ in options)), None)])
        self._add_meld(made, place, at)

    def take_meld(self, meld: ir.Expr, place: ir.Place, at: Moment) -> None:
        """Take a meld out of a zone."""
        seat = self.seat(place, at)
        have = at.state.zone(place.zone, seat)
        melds = self._evaluator.value(meld, at.state, at.names)
        for guard, group in cases(melds):
            if not isinstance(group, MeldValue):
                self._needs.append(implies(at.path, negate(guard)))
                continue
            self._needs.append(implies(conj(at.path, guard), at_least(have.bag.count(group), 1)))
        gone = bag_of([melds])
        at.state.change_zone(place.zone, seat, lambda z: Zone(bag_minus(z.bag, gone), z.row))

    def put_meld(self, meld: ir.Expr, label: str | None, place: ir.Place, at: Moment) -> None:
        """Put a meld into a zone."""
        group = self._evaluator.value(meld, at.state, at.names)
        made = guarded_union(
            (g, MeldValue(v.tiles, label or v.label)) for g, v in cases(group) if v is not None
        )
        self._add_meld(made, place, at)

    def _add_meld(self, meld: Value, place: ir.Place, at: Moment) -> None:
        seat = self.seat(place, at)
        at.state.change_zone(place.zone, seat, lambda z: Zone(joined(z.bag, bag_of([meld]))))
        self._states.note_groups(place.zone, (g for _, g in cases(meld)))

    def _made_of(self, tiles: Bag, what: ir.Expr, label: str | None, zone: str, at: Moment) -> Options:
        """Return the possible values of unknown tiles that become a meld of a zone: a known one, if all are known.
        Raises `Unsupported` if they cannot be listed.
        """
        options = sub_bags(tiles, self._evaluator.copies)
        if options is None and self._states.follows_one_game:
            expr, state, names = self._named.get(what, (what, at.state, at.names))
            options = of_shapes(self._evaluator, tiles, what, self._action)
            options = options or by_key(self._evaluator, expr, state, names)
        if options is not None:
            return options
        if not self._states.groups_complete:
            raise Unsupported(
                f"a meld of unknown tiles in `{zone}`; it does if the event names them: `{{a, b}}`"
            )
        alike = [group for group in self._states.groups[zone] if group.label == label]
        return [(bags_same(tiles, group_bag(group)), group.tiles) for group in alike]

    def _options(self, tiles: Bag, what: str) -> Options:
        """Return the possible values of unknown tiles that the set has. Raises `Unsupported` if they are too many."""
        options = sub_bags(tiles, self._evaluator.copies)
        if options is None:
            raise Unsupported(what)
        return options

    def _is_ruled_out(self, group: MeldValue, choice: ir.Expr, said: Sequence[ir.Expr], at: Moment) -> bool:
        """Return whether what is said of the value of a choice certainly fails for a group."""
        if not said or not isinstance(choice, ir.Fold):
            return False
        names = {**at.names, choice.names[0]: group}
        for test in said:
            if any(names.get(name, OPAQUE) is OPAQUE for name in free(test)):
                continue
            with suppress(Unsupported):
                if self._evaluator.truth(test, at.state, names) is False:
                    return True
        return False

    def change_meld(
        self, change: st.AddToMeld | st.TakeFromMeld, at: Moment, said: Sequence[ir.Expr] = ()
    ) -> None:
        """Add tiles to a meld on the table, or take them out of it. What is `said` holds of the meld."""
        taken, domain = isinstance(change, st.TakeFromMeld), change.zone
        label = None if isinstance(change, st.TakeFromMeld) else change.label
        state, names, path = at
        tiles, _ = self._what(change.tiles, at)
        seat = None if domain.seat is None else self._evaluator.value(domain.seat, state, names)
        meld = self._evaluator.value(change.meld, state, names)
        gone: list[tuple[Truth, Value]] = []
        made: list[tuple[Truth, Value]] = []
        options = [(True, tiles.tiles())] if tiles.concrete else self._options(tiles, UNKNOWN_TILES)
        if not tiles.concrete:
            self._needs.append(implies(path, any_of(truth for truth, _ in options)))
        for (is_group, group), (is_moved, moved) in product(cases(meld), options):
            guard = conj(is_group, is_moved)
            lacks = group is None or (taken and within(bag_of(moved), group_bag(group)) is False)
            if lacks or self._is_ruled_out(group, change.meld, said, at):
                self._needs.append(implies(path, negate(guard)))
                gone.append((guard, None))
                made.append((guard, None))
                continue
            rest = list(group.tiles)
            for tile in moved:
                rest.remove(tile) if taken else rest.append(tile)
            if not self._evaluator.in_set(tuple(rest)):
                gone.append((guard, None))  # more than the set has: the meld does not lie there
                made.append((guard, None))
                continue
            gone.append((guard, group))
            grown = MeldValue(tuple(sorted(rest)), label or group.label) if rest else None
            made.append((guard, grown))
        if not tiles.concrete:
            none = negate(any_of(truth for truth, _ in options))
            gone.append((none, None))
            made.append((none, None))
        if not gone:
            self._needs.append(negate(path))
            return
        before, after = guarded_union(gone), guarded_union(made)
        state.change_zone(
            domain.name, seat, lambda z: Zone(joined(bag_minus(z.bag, bag_of([before])), bag_of([after])))
        )
        self._states.note_groups(domain.name, (g for _, g in cases(after) if g is not None))


def _meld(key: Any, label: str | None) -> MeldValue:
    return MeldValue(key.tiles if isinstance(key, MeldValue) else (key,), label)
