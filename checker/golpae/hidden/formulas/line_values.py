"""What a line with unknown tiles says: each of its keys as a value of the prover.

Input: a line, its action with the conditions that are asked, and what a deal states. Output: the values of its names,
its unknown tiles, and what is certain of their symbols. Guarantee: whatever tiles make the event legal, the values can
be these tiles.

    {"do":"show","by":1,"groups":[["?","b"],["c","d"]]}     a group with a b that a condition allows, and c d
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import z3

from golpae.hidden.lines import HiddenLine, Place, dealt_keys
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Opt, Patterns, Tile
from golpae.lower.event_plan import asks_order
from golpae.prove.encoding.conditions import MOST_ORDERS, orders
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.encoding.unknown_melds import groups_with
from golpae.prove.evaluation.composed import unknown_key
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    GuardedUnion,
    MeldValue,
    Truth,
    Value,
    any_of,
    as_bag,
    bag_minus,
    bag_of,
    bags_same,
    conj,
    group_bag,
    guarded_union,
    joined,
    list_of,
    merge,
    negate,
    of_size,
)
from golpae.replay.codegen.events import decoder
from golpae.replay.machine import Machine
from golpae.replay_bridge import symbolic_value
from golpae.trace.unseen import UNKNOWN


@dataclass(frozen=True, slots=True)
class Unknown:
    """Unknown tiles of an event: one, or several in a list whose order does not matter."""

    places: tuple[Place, ...]
    value: GuardedUnion | Bag


class LineValues:
    """The values of one line."""

    def __init__(
        self, machine: Machine, system: TransitionSystem, evaluator: Evaluator, line: HiddenLine, dealt: Bag
    ) -> None:
        """`dealt` are the tiles that the deal of the hand states."""
        self.unknowns: list[Unknown] = []
        self.narrowed: list[tuple[str, Truth]] = []
        """Conditions without which values would be more, each with the truth that it is one of these."""
        self._machine, self._system, self._evaluator = machine, system, evaluator
        self._symbols = evaluator.symbols
        self._numbers = machine.reader.numbers
        self._line, self._dealt = line, dealt
        self._dealt_keys = dealt_keys(machine.actions[line.line["do"]])

    def names(self, action: Action, state: SymbolicState) -> dict[str, Value]:
        """Return the values of the names of an event, of an action with the conditions that are asked of it."""
        line = self._line.line
        names: dict[str, Value] = {}
        if action.by is not None:
            names[action.by] = line["by"]
        for param in action.params:
            if param.name in self._dealt_keys:
                names[param.name] = OPAQUE
            elif param.parts:
                parts = [self.tile((param.name, number)) for number in range(len(param.parts))]
                names |= {param.name: bag_of(parts), **dict(zip(param.parts, parts, strict=True))}
            else:
                names[param.name] = self._value(action, param)
        if any(param.parts for param in action.params):
            names |= self._in_order(action, names, state)
        return names

    def _value(self, action: Action, param: ParamDecl) -> Value:
        written = self._line.line.get(param.name)
        kind = param.type.item if isinstance(param.type, Opt) else param.type
        if written is None:
            return None
        if isinstance(kind, Tile):
            return self.tile((param.name,))
        if kind == BagType(Tile()):
            if asks_order(self._machine.rules, self._machine.actions[action.name], param.name):
                return list_of([self.tile((param.name, number)) for number in range(len(written))])
            return self.tiles((param.name,))
        if isinstance(kind, Patterns):
            return OPAQUE
        own = [place for place in self._line.places if place[0] == param.name]
        if own:
            groups = self._groups(action, param, written) if kind == BagType(BagType(Tile())) else None
            return self._opaque(own) if groups is None else groups
        read_value = self._machine.reader.decode(decoder(kind), param.name, written)
        return symbolic_value(read_value, kind)

    def _opaque(self, places: Sequence[Place]) -> Value:
        for place in places:
            self.tile(place)
        return OPAQUE

    # ------------------------------------------------------------------ lists whose order counts

    def _in_order(self, action: Action, names: Mapping[str, Value], state: SymbolicState) -> dict[str, Value]:
        """Return the tiles of lists in the order that the conditions allow; in any order if some are unknown."""
        whole = self._machine.actions[action.name]
        if not self._system.parameter_choices.is_order_sensitive(whole):
            return {}
        parts = [param.parts for param in action.params if param.parts]
        given = [tuple(names[part] for part in of_list) for of_list in parts]
        if not all(isinstance(tile, int) for tiles in given for tile in tiles):
            return {
                part: tile
                for of_list, tiles in zip(parts, given, strict=True)
                for part, tile in zip(of_list, self._in_some_order(of_list, tiles), strict=True)
            }
        ways: list[tuple[Truth, dict[str, Value]]] = []
        none_before: Truth = True
        for order in islice(orders(given), MOST_ORDERS):
            tried: dict[str, Value] = {
                part: tile
                for of_list, tiles in zip(parts, order, strict=True)
                for part, tile in zip(of_list, tiles, strict=True)
            }
            legal = self._system.allows(action, {**names, **tried}, state)
            ways.append((conj(none_before, legal), tried))
            none_before = conj(none_before, negate(legal))
            if none_before is False:
                break
        ways.append((none_before, ways[0][1]))
        return {part: guarded_union([(g, tried[part]) for g, tried in ways]) for part in ways[0][1]}

    def _in_some_order(self, parts: Sequence[str], tiles: Sequence[Value]) -> list[Value]:
        """Return the same tiles in an order that nobody knows."""
        order = [unknown_key(self._evaluator, part, Tile()) for part in parts]
        self._symbols.fact(bags_same(bag_of(order), bag_of(tiles)))
        return order

    # ------------------------------------------------------------------ tiles

    def tile(self, place: Place) -> Value:
        """Return the tile at a place."""
        written = self._line.at(place)
        if written != UNKNOWN:
            return self._numbers[written]
        value = self._one_of(self._left() if place[0] in self._dealt_keys else ())
        if isinstance(value, GuardedUnion):  # not so if the set has one kind
            self.unknowns.append(Unknown((place,), value))
        else:
            self.unknowns.append(Unknown((place,), bag_of([value])))
        return value

    def _left(self) -> list[int]:
        """Return the kinds of which the deal at hand does not state all copies."""
        copies = self._evaluator.copies
        return [kind for kind in self._evaluator.context.kinds if copies[kind] > self._dealt.count(kind)]

    def _one_of(self, kinds: Sequence[int]) -> Value:
        """Return an unknown tile of some kinds, of any if there are none: a truth for each, of which one holds."""
        kinds = kinds or self._evaluator.context.kinds
        if len(kinds) == 1:
            return kinds[0]
        yes = [self._symbols.truth("tile") for _ in kinds]
        self._symbols.fact(any_of(yes))
        self._symbols.fact(z3.PbLe([(one, 1) for one in yes], 1))
        return GuardedUnion(tuple(zip(yes, kinds, strict=True)))

    def tiles(self, place: Place) -> Bag:
        """Return the tiles of a list whose order does not matter."""
        known, places = self._written(place)
        if not places:
            return known
        elsewhere = known if place[0] not in self._dealt_keys else self._dealt
        left = {kind: copies - elsewhere.count(kind) for kind, copies in self._evaluator.copies.items()}
        most = {kind: min(copies, len(places)) for kind, copies in left.items() if copies > 0}
        bag = self._symbols.bag(str(place[0]), most)
        bag, is_size = of_size(bag, len(places))
        self._symbols.fact(is_size)
        self.unknowns.append(Unknown(places, bag))
        return joined(known, bag)

    def _written(self, place: Place) -> tuple[Bag, tuple[Place, ...]]:
        """Return the known tiles of a list, and the places of the unknown ones."""
        written = self._line.at(place)
        known = bag_of([self._numbers[tile] for tile in written if tile != UNKNOWN])
        return known, tuple((*place, number) for number, tile in enumerate(written) if tile == UNKNOWN)

    # ------------------------------------------------------------------ groups

    def _groups(self, action: Action, param: ParamDecl, written: Sequence[Sequence[str]]) -> Bag | None:
        """Return a list of groups of which tiles are unknown; None if they can be too many."""
        condition, said = "", None
        with suppress(Unsupported):
            condition, said = self._system.parameter_choices.groups_said(action, param) or ("", None)
        groups = []
        for number in range(len(written)):
            known, places = self._written((param.name, number))
            can_be = groups_with(known, len(places), self._evaluator.context.kinds, said) if places else []
            if can_be is None:
                return None
            groups.append((known, places, can_be))
        made: list[Value] = []
        for known, places, can_be in groups:
            made.append(self._group(known, places, can_be, condition) if places else MeldValue(known.tiles()))
        return bag_of(made)

    def _group(
        self, known: Bag, places: tuple[Place, ...], can_be: Sequence[MeldValue], condition: str
    ) -> Value:
        """Return one of some groups; a condition says that it is one of these, or nothing else is possible."""
        yes = [self._symbols.truth("group") for _ in can_be]
        value = GuardedUnion(tuple(zip(yes, can_be, strict=True)))
        rest = [(guard, bag_minus(group_bag(group), known)) for guard, group in value.cases]
        self.unknowns.append(Unknown(places, as_bag(merge(rest) if rest else EMPTY)))
        if yes:
            self._symbols.fact(z3.PbLe([(one, 1) for one in yes], 1))
        if condition:
            self.narrowed.append((condition, any_of(yes)))
        else:
            self._symbols.fact(any_of(yes))
        return value
