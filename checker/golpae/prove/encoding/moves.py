"""Moves of tiles and groups from zone to zone, and into and out of melds.

Input: a `Move` effect and a state, which is changed in place. Output: in `needs`, what has to lie where for the move to
be possible. Guarantee: replay refuses an event exactly if a need fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, TypeGuard

from golpae.ir import expr as ir
from golpae.ir.types import Tile
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    MeldValue,
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
    sub_bags,
    tiles_of,
    within,
)
from golpae.prove.symbolic.zones import Zone, empty_row, fits, merged_zones, put, take

UNKNOWN_TILES = "unknown tiles that join or leave a meld"


class Mover:
    """Moves of one event. Every move takes the state, the values of names, and the condition `path` of the move."""

    def __init__(self, evaluator: Evaluator, states: StateEncoder, needs: list[Truth]) -> None:
        self._evaluator = evaluator
        self._states = states
        self._needs = needs

    def move(self, effect: ir.Move, state: SymbolicState, names: Mapping[str, Value], path: Truth) -> None:
        """Move what an effect moves, in place."""
        source = effect.source
        if isinstance(source, ir.MeldPlace):
            tiles, only = self._what(effect, state, names)
            self._change_meld(source, tiles, True, None, state, names, path)
            self._arrive(effect, tiles, only, None, state, names, path)
            return
        symbols = self._evaluator.symbols
        seat = self._seat(source, state, names)
        track = self._states.tracking.get(source.zone)
        have = state.zone(source.zone, seat)
        if effect.what is None:
            if self._states.zone_decls[source.zone].kind == "melds" and self._is_melds(effect.target):
                self._move_melds(effect, source, effect.target, state, names)
                return
            tiles = tiles_of(have.bag)
            row = None if have.row is None else empty_row(track)
            state.change_zone(source.zone, seat, lambda z: Zone(EMPTY, row))
            self._arrive(effect, tiles, None, None, state, names, path)
            return
        if self._states.zone_decls[source.zone].kind == "melds":
            melds = self._evaluator.value(effect.what, state, names)
            for guard, group in cases(melds):
                if not isinstance(group, MeldValue):
                    self._needs.append(implies(path, negate(guard)))
                    continue
                self._needs.append(implies(conj(path, guard), at_least(have.bag.count(group), 1)))
            gone = bag_of([melds])
            state.change_zone(source.zone, seat, lambda z: Zone(bag_minus(z.bag, gone), z.row))
            self._arrive(effect, as_bag(melds), None, melds, state, names, path)
            return
        tiles, only = self._what(effect, state, names)
        self._needs.append(implies(path, within(tiles, have.bag)))
        if source.end is not None and only is None:
            leaving = [*self._in_order(effect.what, tiles, state, names)]
            self._take_from_end(source, leaving, seat, state, path)
        else:
            if source.end is not None:
                self._needs.append(implies(path, fits(have, only, source.end)))
            state.change_zone(source.zone, seat, lambda z: take(z, tiles, source.end, symbols, track))
        self._arrive(effect, tiles, only, None, state, names, path)

    def _take_from_end(
        self,
        place: ir.Place,
        tiles: Iterable[tuple[Truth, Value]],
        seat: Value,
        state: SymbolicState,
        path: Truth,
    ) -> None:
        """Take tiles from an end of a row, one after the other; each leaves if its truth holds."""
        end = place.end
        assert end is not None
        symbols, track = self._evaluator.symbols, self._states.tracking.get(place.zone)

        def without_one(zone: Zone) -> Zone:
            taken = take(zone, bag_of([tile]), end, symbols, track)
            return merged_zones([(leaves, taken), (negate(leaves), zone)])

        for leaves, tile in tiles:
            fitting = fits(state.zone(place.zone, seat), tile, end)
            self._needs.append(implies(conj(path, leaves), fitting))
            state.change_zone(place.zone, seat, without_one)

    def _in_order(
        self, what: ir.Expr, tiles: Bag, state: SymbolicState, names: Mapping[str, Value]
    ) -> Iterator[tuple[Truth, Value]]:
        """Yield tiles in the order in which they leave: that of `{a, b}`, of any other bag that of the set."""
        if isinstance(what, ir.BagOf):
            yield from ((True, tile) for tile in [self._evaluator.value(i, state, names) for i in what.items])
            return
        for kind, count in sorted(tiles.items(), key=lambda item: int(item[0])):
            for number in range(self._evaluator.copies.get(kind, 0)):
                leaves = at_least(count, number + 1)
                if leaves is False:
                    break
                yield leaves, kind

    def _is_melds(self, place: ir.Place | ir.MeldPlace) -> TypeGuard[ir.Place]:
        return isinstance(place, ir.Place) and self._states.zone_decls[place.zone].kind == "melds"

    def _move_melds(
        self,
        effect: ir.Move,
        source: ir.Place,
        target: ir.Place,
        state: SymbolicState,
        names: Mapping[str, Value],
    ) -> None:
        """Move all melds of a zone to another zone of melds, each by itself."""
        seat = self._seat(source, state, names)
        leaving = state.zone(source.zone, seat).bag
        state.change_zone(source.zone, seat, lambda z: Zone(EMPTY, z.row))
        moved = (Bag({MeldValue(m.tiles, effect.label or m.label): n}) for m, n in leaving.items())
        arriving = joined(*moved)
        self._states.note_groups(target.zone, arriving.counts)
        to = self._seat(target, state, names)
        state.change_zone(target.zone, to, lambda z: Zone(joined(z.bag, arriving)))

    def move_all(
        self, effect: ir.Move, bag: Bag, state: SymbolicState, names: Mapping[str, Value], path: Truth
    ) -> None:
        """Move all that is in a bag of tiles or of groups, as often as it is in there."""
        source, target = effect.source, effect.target
        assert isinstance(source, ir.Place)
        assert isinstance(target, ir.Place)
        seat = self._seat(source, state, names)
        tiles = tiles_of(bag)
        self._needs.append(implies(path, within(tiles, state.zone(source.zone, seat).bag)))
        state.change_zone(source.zone, seat, lambda z: Zone(bag_minus(z.bag, tiles)))
        arriving = tiles
        if self._states.zone_decls[target.zone].kind == "melds":
            melds = ((_meld(key, effect.label), count) for key, count in bag.items())
            arriving = joined(*(Bag({meld: count}) for meld, count in melds if meld.tiles))
            self._states.note_groups(target.zone, arriving.counts)
        state.change_zone(
            target.zone, self._seat(target, state, names), lambda z: Zone(joined(z.bag, arriving))
        )

    def _seat(self, place: ir.Place, state: SymbolicState, names: Mapping[str, Value]) -> Value:
        return None if place.seat is None else self._evaluator.value(place.seat, state, names)

    def _what(self, effect: ir.Move, state: SymbolicState, names: Mapping[str, Value]) -> tuple[Bag, Value]:
        """Return the tiles that are moved; and the tile, if it is a single one."""
        assert effect.what is not None
        moved = self._evaluator.value(effect.what, state, names)
        if isinstance(effect.what.type, Tile):
            return bag_of([moved]), moved
        return as_bag(moved), None

    def _arrive(
        self,
        effect: ir.Move,
        tiles: Bag,
        only: Value,
        group: Value,
        state: SymbolicState,
        names: Mapping[str, Value],
        path: Truth,
    ) -> None:
        """Put tiles, or a group, where an effect moves them."""
        symbols = self._evaluator.symbols
        target = effect.target
        if isinstance(target, ir.MeldPlace):
            self._change_meld(target, tiles, False, effect.label, state, names, path)
            return
        seat = self._seat(target, state, names)
        if self._states.zone_decls[target.zone].kind == "melds":
            made = self._new_meld(effect, target, tiles, group, path)
            state.change_zone(target.zone, seat, lambda z: Zone(joined(z.bag, bag_of([made]))))
            self._states.note_groups(target.zone, (g for _, g in cases(made)))
            return
        track = self._states.tracking.get(target.zone)
        state.change_zone(target.zone, seat, lambda z: put(z, tiles, target.end, only, symbols, track))

    def _new_meld(self, effect: ir.Move, target: ir.Place, tiles: Bag, group: Value, path: Truth) -> Value:
        """Return the group that tiles, or a group, become in a zone of melds."""
        if group is not None:
            return guarded_union(
                (g, MeldValue(v.tiles, effect.label or v.label)) for g, v in cases(group) if v is not None
            )
        if tiles.concrete:
            return MeldValue(tiles.tiles(), effect.label) if tiles.tiles() else None
        options = self._made_of(tiles, target.zone, effect.label)
        self._needs.append(implies(path, any_of(truth for truth, _ in options)))
        melds = [(truth, MeldValue(t, effect.label) if t else None) for truth, t in options]
        return guarded_union([*melds, (negate(any_of(truth for truth, _ in options)), None)])

    def _made_of(self, tiles: Bag, zone: str, label: str | None) -> list[tuple[Truth, tuple[int, ...]]]:
        """Return what unknown tiles can be that become a meld of a zone: a known one, if all are known."""
        options = sub_bags(tiles, self._evaluator.copies)
        if options is not None:
            return options
        if not self._states.groups_complete:
            raise Unsupported(
                f"a meld of unknown tiles in `{zone}`; it does if the event names them: `{{a, b}}`"
            )
        alike = [group for group in self._states.groups[zone] if group.label == label]
        return [(bags_same(tiles, group_bag(group)), group.tiles) for group in alike]

    def _options(self, tiles: Bag, what: str) -> list[tuple[Truth, tuple[int, ...]]]:
        """Return what unknown tiles that the set has can be. Raises `Unsupported` if that is too much."""
        options = sub_bags(tiles, self._evaluator.copies)
        if options is None:
            raise Unsupported(what)
        return options

    def _change_meld(
        self,
        place: ir.MeldPlace,
        tiles: Bag,
        taken: bool,
        label: str | None,
        state: SymbolicState,
        names: Mapping[str, Value],
        path: Truth,
    ) -> None:
        """Add tiles to a meld on the table, or take them out of it."""
        domain = place.meld.domain if isinstance(place.meld, ir.Fold) and place.meld.kind == "the" else None
        if not isinstance(domain, ir.ZoneRead):
            raise Unsupported("a meld that is not chosen by `the m in ...`")
        seat = None if domain.seat is None else self._evaluator.value(domain.seat, state, names)
        meld = self._evaluator.value(place.meld, state, names)
        gone: list[tuple[Truth, Value]] = []
        made: list[tuple[Truth, Value]] = []
        options = [(True, tiles.tiles())] if tiles.concrete else self._options(tiles, UNKNOWN_TILES)
        if not tiles.concrete:
            self._needs.append(implies(path, any_of(truth for truth, _ in options)))
        for (is_group, group), (is_moved, moved) in product(cases(meld), options):
            guard = conj(is_group, is_moved)
            if group is None or (taken and within(bag_of(moved), group_bag(group)) is False):
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
