"""A recorded game whose unknown tiles are symbols: its events as formulas, one after the other.

Input: a machine, a state of it, and the lines that follow. Output: for each what it asks of the unknown tiles.
Guarantee: whatever tiles make the events legal satisfy the formulas. Some may satisfy them and be illegal, where the
prover has no encoding, so a choice of tiles counts only once replay has accepted it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, assert_never

import z3

from golpae.hidden.lines import HiddenLine, Place, miscounted
from golpae.hidden.row_orders import RowOrders
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import Action, Condition, ParamDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Opt, Patterns, Tile
from golpae.lower.checks import Amounts, AtStage, HandSizes, Holds, Settled, Test, test_of
from golpae.lower.event_plan import asks_order
from golpae.prove.encoding.conditions import MOST_ORDERS, orders
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.composed import unknown_key
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.solving.model import Model, values_in
from golpae.prove.symbolic.rebuilding import with_certain
from golpae.prove.symbolic.state import EVERYBODY, SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    GuardedUnion,
    Truth,
    Value,
    all_of,
    any_of,
    bag_of,
    bags_same,
    conj,
    equal,
    guarded_union,
    joined,
    list_of,
    negate,
    of_size,
    plus,
)
from golpae.replay.codegen.events import decoder
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import Row
from golpae.replay.state_layout import zone_in
from golpae.replay_bridge import ReplayShapes, symbolic_state, symbolic_value
from golpae.trace.unseen import UNKNOWN

DEALT = ("hands", "reserve")  # whose tiles are the set


@lru_cache(64)
def dependencies_of(machine: Machine) -> Dependencies:
    """Return what the rules of a machine read: the same for every search."""
    return Dependencies(machine.rules)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Unknown tiles of an event: one, or several in a list whose order does not matter."""

    places: tuple[Place, ...]
    value: GuardedUnion | Bag


@dataclass(frozen=True, slots=True)
class Asked:
    """What an event asks: `guards` are its conditions by name; `facts` are certain of its symbols. `before` is the
    state before it, with all values that it may have, None if the prover cannot follow the game so far.
    """

    guards: tuple[tuple[str, Truth], ...]
    facts: tuple[Truth, ...]
    unknowns: tuple[Unknown, ...]
    before: SymbolicState | None


class SymbolicGame:
    """A game from a state on."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.machine = machine
        self._reads = dependencies_of(machine)
        self.shapes = ReplayShapes(machine)
        evaluator = Evaluator(machine.instance, self.shapes, SymbolFactory(""))
        self.evaluator = evaluator
        self.system = TransitionSystem(evaluator)
        self.system.states.follows_one_game = True
        self.state = symbolic_state(machine, state)
        self.contents: list[Bag] = []  # of all zones at all times, also while tiles move
        self.state.contents = self.contents
        self._symbols = evaluator.symbols
        self._numbers = machine.reader.numbers
        self.orders = RowOrders(machine.rules, evaluator.copies)
        rows = ((zone.name, zone_in(state, zone.name)) for zone in machine.rules.zones if zone.kind == "row")
        self.orders.begin({name: row.slots for name, row in rows if isinstance(row, Row) and not row.hidden})
        self._elsewhere = EMPTY  # what the deal at hand states
        self.narrowed: frozenset[str] = frozenset()  # conditions by which the last event left values out

    def happen(self, line: HiddenLine, action: Action, narrowing: frozenset[str] = frozenset()) -> Asked:
        """Let an event happen, of an action with the conditions that are asked of it. The state has no more values with
        which one of the conditions of these names is false: it depends on them.

        INVARIANT: replay can read the line once it is filled in.
        """
        wrong = miscounted(self.machine, line)
        if wrong is not None:
            return replace(self.unseen(line), guards=((wrong, False),))
        symbols, before = self._symbols, self.state
        facts, deferred = len(symbols.facts), len(symbols.deferred)
        unknowns: list[Unknown] = []
        names = self._names(action, line, unknowns)
        narrowed: list[tuple[str, Truth]] = []
        if action.kind == "deal":
            assert action.dealing is not None
            self._elsewhere = self._stated(line)
            hands = [self._tiles(line, ("hands", seat), unknowns) for seat in range(self.system.players)]
            reserve: Bag | list[Value] | None = None
            if line.line.get("reserve") is not None:
                reserve = self._reserve(action, line, unknowns)
            in_order = None if reserve is None or isinstance(reserve, Bag) else reserve
            self.orders.dealt(action.dealing.zone, in_order)
            step = self.system.deal_of(action, self.state, names, hands, reserve)
        else:
            narrowed = self._narrow(action, names, narrowing)
            step = self.system.step(action, names, self.state)
        self.narrowed = frozenset(name for name, _ in narrowed)
        guards = [*narrowed, *step.guards, *self._of_game(action, names, line.line)]
        certain = (*symbols.facts[facts:], *symbols.deferred[deferred:], *step.definitions)
        asked = Asked(tuple(guards), certain, tuple(unknowns), before)
        self.state = self.orders.after(action, names, step.after)
        return asked

    def unseen(self, line: HiddenLine) -> Asked:
        """Return an event of which nothing is said: its unknown tiles can be any."""
        begin = len(self._symbols.facts)
        unknowns: list[Unknown] = []
        for place in line.places:
            self._tile(line, place, unknowns)
        facts = tuple(self._symbols.facts[begin:])
        return Asked((), facts, tuple(unknowns), None)

    # ------------------------------------------------------------------ what a line says

    def _names(self, action: Action, line: HiddenLine, unknowns: list[Unknown]) -> dict[str, Value]:
        """Return the values of the names of an event."""
        names: dict[str, Value] = {}
        if action.by is not None:
            names[action.by] = line.line["by"]
        for param in action.params:
            if action.kind == "deal" and param.name in ("hands", "reserve"):
                names[param.name] = OPAQUE
            elif param.parts:
                parts = [
                    self._tile(line, (param.name, number), unknowns) for number in range(len(param.parts))
                ]
                names |= {param.name: bag_of(parts), **dict(zip(param.parts, parts, strict=True))}
            else:
                names[param.name] = self._value(param, line, unknowns)
        if any(param.parts for param in action.params):
            names |= self._in_order(action, names)
        return names

    def _in_order(self, action: Action, names: Mapping[str, Value]) -> dict[str, Value]:
        """Return the tiles of lists in the order that the conditions allow; in any order if some are unknown."""
        whole = self.machine.actions[action.name]
        if not self.system.parameter_choices.is_order_sensitive(whole):
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
            legal = self.system.allows(action, {**names, **tried}, self.state)
            ways.append((conj(none_before, legal), tried))
            none_before = conj(none_before, negate(legal))
            if none_before is False:
                break
        ways.append((none_before, ways[0][1]))
        return {part: guarded_union([(g, tried[part]) for g, tried in ways]) for part in ways[0][1]}

    def _value(self, param: ParamDecl, line: HiddenLine, unknowns: list[Unknown]) -> Value:
        written = line.line.get(param.name)
        kind = param.type.item if isinstance(param.type, Opt) else param.type
        if written is None:
            return None
        if isinstance(kind, Tile):
            return self._tile(line, (param.name,), unknowns)
        if kind == BagType(Tile()):
            if asks_order(self.machine.rules, self.machine.actions[line.line["do"]], param.name):
                places = range(len(written))
                return list_of([self._tile(line, (param.name, number), unknowns) for number in places])
            return self._tiles(line, (param.name,), unknowns)
        if isinstance(kind, Patterns):
            return OPAQUE
        own = [place for place in line.places if place[0] == param.name]
        for place in own:
            self._tile(line, place, unknowns)
        if own:
            return OPAQUE
        read_value = self.machine.reader.decode(decoder(kind), param.name, written)
        return symbolic_value(read_value, kind)

    def _tile(self, line: HiddenLine, place: Place, unknowns: list[Unknown]) -> Value:
        """Return the tile at a place."""
        written = line.at(place)
        if written != UNKNOWN:
            return self._numbers[written]
        value = self._one_of(self._left() if place[0] in DEALT else ())
        if isinstance(value, GuardedUnion):  # not so if the set has one kind
            unknowns.append(Unknown((place,), value))
        else:
            unknowns.append(Unknown((place,), bag_of([value])))
        return value

    def _stated(self, line: HiddenLine) -> Bag:
        """Return the tiles that a deal states of hands and reserve: no others of the set can be unknown there."""
        lists = [*line.line["hands"], line.line.get("reserve") or ()]
        return bag_of([self._numbers[tile] for tiles in lists for tile in tiles if tile != UNKNOWN])

    def _left(self) -> list[int]:
        """Return the kinds of which the deal at hand does not state all copies."""
        copies = self.evaluator.copies
        return [kind for kind in self.evaluator.context.kinds if copies[kind] > self._elsewhere.count(kind)]

    def _one_of(self, kinds: Sequence[int]) -> Value:
        """Return an unknown tile of some kinds, of any if there are none: a truth for each, of which one holds."""
        kinds = kinds or self.evaluator.context.kinds
        if len(kinds) == 1:
            return kinds[0]
        yes = [self._symbols.truth("tile") for _ in kinds]
        self._symbols.fact(any_of(yes))
        self._symbols.fact(z3.PbLe([(one, 1) for one in yes], 1))
        return GuardedUnion(tuple(zip(yes, kinds, strict=True)))

    def _tiles(self, line: HiddenLine, place: Place, unknowns: list[Unknown]) -> Bag:
        """Return the tiles of a list whose order does not matter."""
        written = line.at(place)
        known = bag_of([self._numbers[tile] for tile in written if tile != UNKNOWN])
        elsewhere = known if place[0] not in DEALT else self._elsewhere
        places = tuple((*place, number) for number, tile in enumerate(written) if tile == UNKNOWN)
        if not places:
            return known
        left = {kind: copies - elsewhere.count(kind) for kind, copies in self.evaluator.copies.items()}
        most = {kind: min(copies, len(places)) for kind, copies in left.items() if copies > 0}
        bag = self._symbols.bag(str(place[0]), most)
        bag, is_size = of_size(bag, len(places))
        self._symbols.fact(is_size)
        unknowns.append(Unknown(places, bag))
        return joined(known, bag)

    def _narrow(
        self, action: Action, names: Mapping[str, Value], narrowing: frozenset[str]
    ) -> list[tuple[str, Truth]]:
        """Take from the states of the table the values with which a condition of an event is false. Return by the names
        of the conditions that the states have one of the values that are left.
        """
        out: list[tuple[str, Truth]] = []
        certain: list[tuple[Any, bool]] = []
        for condition in action.conditions:
            if condition.name not in narrowing:
                continue
            for name, left in self._fewer_values(test_of(action, condition), names):
                old = self.state.at if name is None else self.state.vars[name]
                out.append((condition.name, any_of(guard for guard, _ in left)))
                certain += [(case[0], False) for case in old.cases if all(case is not one for one in left)]
                certain += [(guard, True) for guard, _ in left if len(left) == 1]
                self.state = self.state.copy()
                if name is None:
                    self.state.at = guarded_union(left)
                else:
                    self.state.set_var(name, EVERYBODY, guarded_union(left))
        if certain:
            self.state = with_certain(certain).state(self.state)
        return out

    def _fewer_values(
        self, test: Test, names: Mapping[str, Value]
    ) -> Iterator[tuple[str | None, list[tuple[Truth, Value]]]]:
        """Yield the values of states of the table with which a test can hold, if some of a state are left out: by the
        name of the state, or None for the stage of the match.
        """
        if isinstance(test, AtStage) and isinstance(self.state.at, GuardedUnion):
            at = [case for case in self.state.at.cases if case[1] in test.stages]
            if 0 < len(at) < len(self.state.at.cases):
                yield None, at
        if not isinstance(test, Holds):
            return
        for name in sorted(self._reads.reads([test.expr]) & self.state.vars.keys()):
            value = self.state.vars[name]
            if isinstance(value, GuardedUnion):
                left = [case for case in value.cases if self._may_be(name, case[1], test.expr, names)]
                if 0 < len(left) < len(value.cases):
                    yield name, left

    def _may_be(self, name: str, value: Value, expr: ir.Expr, names: Mapping[str, Value]) -> bool:
        """Return whether an expression can be true if a state has some value."""
        state = self.state.copy()
        state.set_var(name, EVERYBODY, value)
        try:
            return self.evaluator.truth(expr, state, names) is not False
        except Unsupported:
            return True

    def _reserve(self, action: Action, line: HiddenLine, unknowns: list[Unknown]) -> Bag | list[Value]:
        """Return what a deal says is left over; of a row, in its order."""
        assert action.dealing is not None
        if self.machine.rules.zone(action.dealing.zone).kind != "row":
            return self._tiles(line, ("reserve",), unknowns)
        numbers = range(len(line.line["reserve"]))
        return [self._tile(line, ("reserve", number), unknowns) for number in numbers]

    def _in_some_order(self, parts: Sequence[str], tiles: Sequence[Value]) -> list[Value]:
        """Return the same tiles in an order that nobody knows."""
        order = [unknown_key(self.evaluator, part, Tile()) for part in parts]
        self._symbols.fact(bags_same(bag_of(order), bag_of(tiles)))
        return order

    # ------------------------------------------------------------------ what every game asks

    def _of_game(
        self, action: Action, names: Mapping[str, Value], line: Mapping[str, Any]
    ) -> list[tuple[str, Truth]]:
        """Return the conditions of every game on what a line records of the winner, the payments and the totals."""
        out = []
        for condition in action.conditions:
            if condition.of_game is not None and action.kind in ("end", "finish"):
                try:
                    out.append((condition.name, self._recorded(action, condition, names, line)))
                except Unsupported:
                    continue
        return out

    def _recorded(
        self, action: Action, condition: Condition, names: Mapping[str, Value], line: Mapping[str, Any]
    ) -> Truth:
        test = test_of(action, condition)
        match test:
            case Holds(expr=expr):
                return self.evaluator.truth(expr, self.state, names)
            case Amounts(key=key, account=account, optional=_):
                if line.get(key) is None:
                    return True
                paid = self.system.paid_at(action.kind, self.state) if account != "total" else []
                amounts: Sequence[Value] = self.state.total if account == "total" else paid
                if account == "settled":
                    amounts = [plus(a, b) for a, b in zip(self.state.total, paid, strict=True)]
                return all_of(equal(a, b) for a, b in zip(amounts, line[key], strict=True))
            case AtStage(stages=_) | HandSizes(first=_, others=_) | Settled(expr=_):
                return True
            case _:
                assert_never(test)

    # ------------------------------------------------------------------ what a model says

    def tiles_in(self, model: Model, asked: Asked) -> dict[Place, str]:
        """Return the tiles that a model puts at the unknown places of an event."""
        kinds = self.machine.instance.kinds
        known = values_in(model, [unknown.value for unknown in asked.unknowns])
        out: dict[Place, str] = {}
        for unknown in asked.unknowns:
            value = known(unknown.value)
            tiles = value if isinstance(value, tuple) else (value,)
            out |= {place: kinds[tile].name for place, tile in zip(unknown.places, tiles, strict=True)}
        return out
