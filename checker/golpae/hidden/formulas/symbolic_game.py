"""A recorded game whose unknown tiles are symbols: its events as formulas, one after the other.

Input: a machine, a state of it, and the lines that follow. Output: for each what it asks of the unknown tiles.
Guarantee: whatever tiles make the events legal satisfy the formulas. Some may satisfy them and be illegal, where the
prover has no encoding, so a choice of tiles counts only once replay has accepted it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, assert_never

from golpae.hidden.formulas.line_values import LineValues, Unknown
from golpae.hidden.formulas.row_orders import RowOrders
from golpae.hidden.lines import HiddenLine, Place, miscounted
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import Action, Condition
from golpae.lower.checks import Amounts, AtStage, HandSizes, Holds, Settled, Test, test_of
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
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
    equal,
    guarded_union,
    plus,
)
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import Row
from golpae.replay.state_layout import zone_in
from golpae.replay_bridge import ReplayShapes, symbolic_state
from golpae.trace.unseen import UNKNOWN


@lru_cache(64)
def dependencies_of(machine: Machine) -> Dependencies:
    """Return what the rules of a machine read: the same for every search."""
    return Dependencies(machine.rules)


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
        self.orders = RowOrders(machine.rules, evaluator.copies)
        rows = ((zone.name, zone_in(state, zone.name)) for zone in machine.rules.zones if zone.kind == "row")
        self.orders.begin({name: row.slots for name, row in rows if isinstance(row, Row) and not row.hidden})
        self._dealt = EMPTY  # what the deal at hand states
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
        if action.kind == "deal":
            self._dealt = self._stated(line)
        values = self._values(line)
        names = values.names(action, self.state)
        narrowed = values.narrowed
        if action.kind == "deal":
            assert action.dealing is not None
            hands = [values.tiles(("hands", seat)) for seat in range(self.system.players)]
            reserve = self._reserve(action, values, line)
            in_order = None if reserve is None or isinstance(reserve, Bag) else reserve
            self.orders.dealt(action.dealing.zone, in_order)
            step = self.system.deal_of(action, self.state, names, hands, reserve)
        else:
            narrowed = [*narrowed, *self._narrow(action, names, narrowing)]
            step = self.system.step(action, names, self.state)
        self.narrowed = frozenset(name for name, _ in narrowed)
        guards = [*narrowed, *step.guards, *self._of_game(action, names, line.line)]
        certain = (*symbols.facts[facts:], *symbols.deferred[deferred:], *step.definitions)
        asked = Asked(tuple(guards), certain, tuple(values.unknowns), before)
        self.state = self.orders.after(action, names, step.after)
        return asked

    def unseen(self, line: HiddenLine) -> Asked:
        """Return an event of which nothing is said: its unknown tiles can be any."""
        begin = len(self._symbols.facts)
        values = self._values(line)
        for place in line.places:
            values.tile(place)
        facts = tuple(self._symbols.facts[begin:])
        return Asked((), facts, tuple(values.unknowns), None)

    def _values(self, line: HiddenLine) -> LineValues:
        return LineValues(self.machine, self.system, self.evaluator, line, self._dealt)

    def _stated(self, line: HiddenLine) -> Bag:
        """Return the tiles that a deal states of hands and reserve: no others of the set can be unknown there."""
        lists = [*line.line["hands"], line.line.get("reserve") or ()]
        numbers = self.machine.reader.numbers
        return bag_of([numbers[tile] for tiles in lists for tile in tiles if tile != UNKNOWN])

    def _reserve(self, action: Action, values: LineValues, line: HiddenLine) -> Bag | list[Value] | None:
        """Return what a deal says is left over; of a row, in its order."""
        assert action.dealing is not None
        if line.line.get("reserve") is None:
            return None
        if self.machine.rules.zone(action.dealing.zone).kind != "row":
            return values.tiles(("reserve",))
        return [values.tile(("reserve", number)) for number in range(len(line.line["reserve"]))]

    # ------------------------------------------------------------------ what conditions say of states

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
