"""What the tests of the prover share: replay and prover of one table side by side, and a step asked of both.

Replay is right: whatever it accepts, the prover's step has to allow, with replay's table after it; whatever it
refuses, the prover's step must not allow, as far as the prover looks at all that is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import z3

from golpae.elaborate.check import check, elaborate
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import Action
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Opt, Seat, Tile, Type
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.prove.encoding.step import Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    MeldValue,
    Truth,
    Value,
    all_of,
    bag_of,
    bags_same,
    equal,
    joined,
    negate,
    same,
)
from golpae.prove.symbolic.zones import Zone
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import Missing
from golpae.replay.state_layout import var_slot, zone_slot
from golpae.verify.replay_bridge import ReplayShapes, symbolic_state

PLAIN = (Seat, Tile, Choice, Bool, Int)


@dataclass(slots=True)
class Unknown:
    """A table of which nothing is known, and what is certain of it."""

    table: SymbolicState
    facts: list[Truth]


class Both:
    """Replay and prover of one rule set at one table."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.legal = Legal(machine)
        self.system = self._system()

    def _system(self) -> TransitionSystem:
        return TransitionSystem(
            Evaluator(self.machine.instance, ReplayShapes(self.machine), SymbolFactory(""))
        )

    @cached_property
    def unknown(self) -> Unknown:
        find_reachable_melds(self.system)
        begin = len(self.system.symbols.facts)
        table = self.system.unknown_state()
        return Unknown(table, [*self.system.symbols.facts[begin:], *self.system.states.conservation])


@cache
def both(rules: str, players: int, **options: int) -> Both:
    """Replay and prover of a rule set at a table."""
    return Both(Machine(instantiate(elaborate(rules), players, options)))


def both_of(text: str, players: int) -> Both:
    """Replay and prover of a rule text."""
    with TemporaryDirectory() as folder:
        name = text.split("game ", 1)[1].split(maxsplit=1)[0]
        Path(folder, f"{name}.golpae").write_text(text, encoding="utf-8")
        rule_set = check(resolve(name, load(name, [Path(folder)])))
    return Both(Machine(instantiate(rule_set, players, {})))


# ------------------------------------------------------------------ from replay's words to the prover's


def valued(value: Any, kind: Type) -> Value:
    """A value of replay as the prover has it."""
    match kind:
        case Opt(item):
            return None if value is None else valued(value, item)
        case BagType(BagType(Tile())):
            return bag_of(MeldValue(tuple(sorted(v))) for v in value)
        case BagType(item):
            return bag_of(valued(v, item) for v in value)
        case Each(item):
            return [valued(v, item) for v in value]
        case Seat() | Tile() | Choice() | Bool() | Int():
            return value
        case _:
            return OPAQUE


def names_of(action: Action, args: Sequence[Any]) -> dict[str, Value]:
    """The names of an action with the values of an event."""
    rest = list(args)
    names: dict[str, Value] = {}
    if action.by is not None:
        names[action.by] = rest.pop(0)
    for param, value in zip(action.params, rest, strict=True):
        names[param.name] = valued(value, param.type)
        names |= dict(zip(param.parts, value, strict=True)) if param.parts else {}
    if action.kind == "finish":
        names |= {"totals": OPAQUE, "winners": OPAQUE}
    return names


def replayed(machine: Machine, state: State, event: Event) -> State | str:
    """The state after an event, or the name of the condition that refuses it."""
    failed = machine.check(event.action, state, event.args)
    if failed >= 0:
        return machine.actions[event.action].conditions[failed].name
    after = machine.copy(state)
    try:
        machine.apply(event.action, after, event.args)
    except (Missing, ValueError):
        return "moves"
    return after


# ------------------------------------------------------------------ are two tables alike?


def _zones(table: SymbolicState, name: str) -> list[Zone]:
    found = table.zones[name]
    return found if isinstance(found, list) else [found]


def differences(
    both: Both, table: SymbolicState, real: SymbolicState, ends: bool = True
) -> Iterator[tuple[str, Truth]]:
    """For each part of a table, whether it is as in the other, which is known.

    With `ends`, also what lies at the ends of rows that the rules ask for.
    """
    system = both.system
    playing = real.at != "before"
    yield "at", same(table.at, real.at)
    yield "winner", same(table.winner, real.winner)
    yield "stake", equal(table.stake, real.stake)
    yield "hands-played", equal(table.hands_played, real.hands_played)
    for seat, (total, other) in enumerate(zip(table.total, real.total, strict=True)):
        yield f"{seat}'s total", equal(total, other)
    for var in system.rules.vars:
        pairs = [(table.vars[var.name], real.vars[var.name])]
        if var.each_player:
            pairs = list(zip(*pairs[0], strict=True))
        for seat, (value, other) in enumerate(pairs):
            if other is None and var.initial is None and not playing:
                continue  # not set before the first deal, where nobody asks
            whose = f"{seat}'s {var.name}" if var.each_player else var.name
            if isinstance(other, Bag):
                yield whose, bags_same(value, other)
            else:
                yield whose, same(value, other)
    for decl in system.rules.zones:
        pairs_of = zip(_zones(table, decl.name), _zones(real, decl.name), strict=True)
        for seat, (zone, lying) in enumerate(pairs_of):
            whose = f"{seat}'s {decl.name}" if decl.each_player else decl.name
            yield whose, bags_same(zone.bag, lying.bag)
            track = system.states.tracking.get(decl.name)
            if track is None or not ends:
                continue
            assert zone.row is not None
            assert lying.row is not None
            for end, asked in (("front", track.front), ("back", track.back)):
                if asked:
                    yield f"{end} of {whose}", same(getattr(zone.row, end), getattr(lying.row, end))
            if track.places:
                found = zip(zone.row.places, lying.row.places, strict=True)
                for number, (place, other) in enumerate(found, 1):
                    yield f"{whose} at {number}", same(place, other)
            if track.may_hide and (track.front or track.back or track.places):
                yield f"hidden of {whose}", bags_same(zone.row.hidden, lying.row.hidden)


def alike(found: Value, wanted: Value) -> Truth:
    """Whether a value is a known one; melds are alike by their tiles."""
    if isinstance(wanted, Bag) or isinstance(found, Bag):
        return bags_same(by_tiles(found), by_tiles(wanted))
    if isinstance(wanted, int) and not isinstance(wanted, bool) and not isinstance(found, GuardedUnion):
        return equal(found, wanted)
    return same(found, wanted)


def by_tiles(bag: Bag) -> Bag:
    return joined(*(Bag({MeldValue(k.tiles) if isinstance(k, MeldValue) else k: c}) for k, c in bag.items()))


def possible(truths: Sequence[Truth]) -> bool:
    """Whether truths can hold together."""
    if any(t is False for t in truths):
        return False
    wanted = [t for t in truths if t is not True]
    if not wanted:
        return True
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    solver.add(*wanted)
    said = solver.check()
    assert said != z3.unknown, solver.reason_unknown()
    return bool(said == z3.sat)


def culprits(given: Sequence[Truth], named: Sequence[tuple[str, Truth]]) -> list[str]:
    """Which named truths cannot hold where those given do, each by itself; all names where none alone is to blame."""
    found = [name for name, truth in named if not possible([*given, truth])]
    return found or [name for name, _ in named]


# ------------------------------------------------------------------ one step


def step_of(both: Both, event: Event, table: SymbolicState, names: Mapping[str, Value] | None = None) -> Step:
    action = both.machine.actions[event.action]
    return both.system.step(action, names_of(action, event.args) if names is None else names, table)


def assert_allowed(
    both: Both, step: Step, after: State, given: Sequence[Truth] = (), about: object = ""
) -> None:
    """The step allows what happened in replay, and nothing else happens by it but at ends of rows."""
    known = [*given, *step.facts, *step.definitions]
    real = symbolic_state(both.machine, after)
    named = [*step.guards, *differences(both, step.after, real)]
    assert possible([*known, *(t for _, t in named)]), (about, "not so", culprits(known, named))
    known += [t for _, t in step.guards]
    sure = [t for _, t in differences(both, step.after, real, ends=False)]
    if step.action.kind != "deal":
        assert not possible([*known, negate(all_of(sure))]), (about, "may lead elsewhere")


def assert_refused(
    both: Both, step: Step, condition: str, given: Sequence[Truth] = (), about: object = ""
) -> None:
    """The step does not allow what replay refuses by a condition, unless that asks what the prover leaves open."""
    if condition != "moves" and left_open(both, step, condition, known=not given):
        return
    known = [*given, *step.facts, *step.definitions]
    before: list[Truth] = []
    for name, truth in step.guards:
        if name == condition:
            assert possible([*known, *before]), (about, "refused by another than", condition)
            assert not possible([*known, *before, truth]), (about, "allowed, though not by", condition)
            return
        before.append(truth)
    raise AssertionError((about, "not asked:", condition))


def left_open(both: Both, step: Step, condition: str, known: bool) -> bool:
    """Whether a condition asks what the prover answers with an unknown, of a table that is known or not."""
    expr = next(c.expr for c in step.action.conditions if c.name == condition)
    if isinstance(expr, ir.Implicit):
        return expr.kind != "open"
    asked = list(nodes_through(expr, both.system.evaluator.definitions))
    names = {n.name for n in asked if isinstance(n, ir.Local)}
    opaque = any(step.names.get(n) is OPAQUE for n in names)
    open_ = ir.FitsOrder | ir.FitsScore if known else ir.CallScore | ir.FitsOrder | ir.FitsScore
    return opaque or any(isinstance(n, open_) for n in asked)


# ------------------------------------------------------------------ turning the table


def turned_value(value: Any, kind: Type, by: int, players: int) -> Any:
    """A value of replay where everybody has moved so many seats on."""
    match kind:
        case _ if value is None:
            return None
        case Opt(item):
            return turned_value(value, item, by, players)
        case Seat():
            return (value + by) % players
        case BagType(item):
            return (
                type(value)(turned_value(v, item, by, players) for v in value) if _has_seats(item) else value
            )
        case Each(item):
            return _moved_on([turned_value(v, item, by, players) for v in value], by)
        case _:
            return value


def _has_seats(kind: Type) -> bool:
    return isinstance(kind, Seat) or (isinstance(kind, Opt | BagType) and _has_seats(kind.item))


def _moved_on(values: Sequence[Any], by: int) -> list[Any]:
    by %= len(values)
    return [*values[len(values) - by :], *values[: len(values) - by]]


def turned(machine: Machine, state: State, by: int) -> State:
    """A state where everybody has moved so many seats on."""
    n = machine.instance.players
    after = machine.copy(state)
    after.winner = turned_value(state.winner, Opt(Seat()), by, n)
    after.total = _moved_on(state.total, by)
    for var in machine.rules.vars:
        slot = var_slot(var.name)
        found = getattr(state, slot)
        if var.each_player:
            moved = _moved_on([turned_value(v, var.type, by, n) for v in found], by)
        else:
            moved = turned_value(found, var.type, by, n)
        setattr(after, slot, moved)
    for zone in machine.rules.zones:
        if zone.each_player:
            slot = zone_slot(zone.name)
            setattr(after, slot, _moved_on(getattr(after, slot), by))
    return after


def turned_event(machine: Machine, event: Event, by: int) -> Event:
    """An event where everybody has moved so many seats on."""
    n = machine.instance.players
    action = machine.actions[event.action]
    args = list(event.args)
    out = [(args.pop(0) + by) % n] if action.by is not None else []
    for number, (param, value) in enumerate(zip(action.params, args, strict=True)):
        kind = param.type
        if action.kind == "end" and number == 1:  # what each is paid
            out.append(_moved_on(value, by))
        elif action.kind == "finish" and number < 2:
            out.append(_moved_on(value, by) if number == 0 else sorted((v + by) % n for v in value))
        elif action.kind == "deal" and number == 1:
            out.append(_moved_on(value, by))
        else:
            out.append(turned_value(value, kind, by, n))
    return Event(event.action, tuple(out))
