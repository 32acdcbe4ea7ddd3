"""Shared by the tests of the prover: replay and prover at one table, and a step of both.

Replay is right. If it accepts an event, the prover's step has to allow it, with replay's state after it. If it refuses
an event, the step must not allow it, as far as the prover models what the conditions read.
"""

from __future__ import annotations

from collections import Counter
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
from golpae.ir.ruleset import Action, effects_of
from golpae.ir.traverse import exprs_in, flat, places_of
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, Opt, Seat, Tile, Type
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.prove.encoding.step import MOVES, Step
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import OPAQUE, Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import (
    BLANK,
    Bag,
    GuardedUnion,
    MeldValue,
    Truth,
    Value,
    all_of,
    any_of,
    bag_of,
    bags_same,
    cases,
    conj,
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
from golpae.replay_bridge import ReplayShapes, symbolic_state

PLAIN = (Seat, Tile, Choice, Bool, Int)


@dataclass(slots=True)
class Unknown:
    """A state of unknown values, and the facts that are certain of it."""

    state: SymbolicState
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
        state = self.system.unknown_state()
        return Unknown(state, [*self.system.symbols.facts[begin:], *self.system.states.conservation])


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
    """Return a value of replay as a value of the prover."""
    match kind:
        case Opt(item):
            return None if value is None else valued(value, item)
        case BagType(BagType(Tile())):
            return bag_of(MeldValue(tuple(sorted(v))) for v in value)
        case Meld():
            return MeldValue(tuple(sorted(value)), value.label)
        case BagType(item):
            return bag_of(valued(v, item) for v in value)
        case Each(item):
            return [valued(v, item) for v in value]
        case Seat() | Tile() | Choice() | Bool() | Int():
            return value
        case _:
            return OPAQUE


def names_of(action: Action, args: Sequence[Any]) -> dict[str, Value]:
    """Return the names of an action with the values of an event."""
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
    """Return the state after an event, or the name of the condition that refuses it."""
    failed = machine.check(event.action, state, event.args)
    if failed >= 0:
        return machine.actions[event.action].conditions[failed].name
    after = machine.copy(state)
    try:
        machine.apply(event.action, after, event.args)
    except (Missing, ValueError):
        return MOVES
    return after


# ------------------------------------------------------------------ are two states alike?


def _zones(state: SymbolicState, name: str) -> list[Zone]:
    all_zones = state.zones[name]
    return all_zones if isinstance(all_zones, list) else [all_zones]


def differences(
    both: Both, state: SymbolicState, real: SymbolicState, ends: bool = True
) -> Iterator[tuple[str, Truth]]:
    """Yield for each part of a state whether it is as in `real`, which is concrete.

    With `ends`, also for the ends of rows that the rules read.
    """
    system = both.system
    playing = real.at != "before"
    yield "at", same(state.at, real.at)
    yield "winner", same(state.winner, real.winner)
    yield "stake", equal(state.stake, real.stake)
    yield "hands-played", equal(state.hands_played, real.hands_played)
    for seat, (total, other) in enumerate(zip(state.total, real.total, strict=True)):
        yield f"{seat}'s total", equal(total, other)
    for var in system.rules.vars:
        pairs = [(state.vars[var.name], real.vars[var.name])]
        if var.each_player:
            pairs = list(zip(*pairs[0], strict=True))
        for seat, (value, other) in enumerate(pairs):
            unset = var.initial is None and not isinstance(var.type, Opt)
            if other is None and unset and not playing:
                continue  # not set before the first deal, when nothing reads it
            if value is BLANK:
                continue  # it can have members that the prover has not found; what reads it is unsupported
            whose = f"{seat}'s {var.name}" if var.each_player else var.name
            if isinstance(other, Bag):
                bags = [(guard, bag) for guard, bag in cases(value) if isinstance(bag, Bag)]
                yield whose, any_of(conj(guard, bags_same(bag, other)) for guard, bag in bags)
            else:
                yield whose, same(value, other)
    for decl in system.rules.zones:
        pairs_of = zip(_zones(state, decl.name), _zones(real, decl.name), strict=True)
        for seat, (zone, lying) in enumerate(pairs_of):
            whose = f"{seat}'s {decl.name}" if decl.each_player else decl.name
            yield whose, bags_same(zone.bag, lying.bag)
            track = system.states.tracking.get(decl.name)
            if track is None or not ends:
                continue
            assert zone.row is not None
            assert lying.row is not None
            for end, is_tracked in (("front", track.front), ("back", track.back)):
                if is_tracked:
                    yield f"{end} of {whose}", same(getattr(zone.row, end), getattr(lying.row, end))
            if track.places:
                pairs_at = zip(zone.row.places, lying.row.places, strict=True)
                for number, (place, other) in enumerate(pairs_at, 1):
                    yield f"{whose} at {number}", same(place, other)
            if track.may_hide and (track.front or track.back or track.places):
                yield f"hidden of {whose}", bags_same(zone.row.hidden, lying.row.hidden)


def alike(value: Value, expected: Value) -> Truth:
    """Return whether a value is the expected one; melds are alike by their tiles."""
    if isinstance(expected, Bag) or isinstance(value, Bag):
        return bags_same(by_tiles(value), by_tiles(expected))
    if isinstance(expected, int) and not isinstance(expected, bool) and not isinstance(value, GuardedUnion):
        return equal(value, expected)
    return same(value, expected)


def by_tiles(bag: Bag) -> Bag:
    return joined(*(Bag({MeldValue(k.tiles) if isinstance(k, MeldValue) else k: c}) for k, c in bag.items()))


def possible(truths: Sequence[Truth]) -> bool:
    """Return whether truths can hold together."""
    if any(t is False for t in truths):
        return False
    formulas = [t for t in truths if t is not True]
    if not formulas:
        return True
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    solver.add(*formulas)
    status = solver.check()
    assert status != z3.unknown, solver.reason_unknown()
    return bool(status == z3.sat)


def culprits(given: Sequence[Truth], named: Sequence[tuple[str, Truth]]) -> list[str]:
    """Return the names of the truths that contradict those given, each by itself, or all names if none does."""
    alone = [name for name, truth in named if not possible([*given, truth])]
    return alone or [name for name, _ in named]


# ------------------------------------------------------------------ one step


def step_of(both: Both, event: Event, state: SymbolicState, names: Mapping[str, Value] | None = None) -> Step:
    action = both.machine.actions[event.action]
    return both.system.step(action, names_of(action, event.args) if names is None else names, state)


def assert_allowed(
    both: Both, step: Step, after: State, given: Sequence[Truth] = (), about: object = ""
) -> None:
    """Check that the step allows what happened in replay, and nothing else except at ends of rows.

    The prover says of which actions it only knows something; they may do more.
    """
    premises = [*given, *step.facts, *step.definitions]
    real = symbolic_state(both.machine, after)
    named = [*step.guards, *differences(both, step.after, real)]
    assert possible([*premises, *(t for _, t in named)]), (about, "not so", culprits(premises, named))
    premises += [t for _, t in step.guards]
    if step.action.kind == "deal" or step.action.name in both.system.approximated:
        return
    if _reads_ends_anew(both, step.action):
        return
    sure = [*differences(both, step.after, real, ends=False)]
    elsewhere = negate(all_of(t for _, t in sure))
    if not possible([*premises, elsewhere]):
        return
    axioms, are_exact = both.system.evaluator.abstraction.exact_axioms()
    premises += axioms
    if are_exact and possible([*premises, elsewhere]):
        named = [(name, negate(truth)) for name, truth in sure]
        raise AssertionError((about, "may lead elsewhere", [n for n, t in named if possible([*premises, t])]))


def _reads_ends_anew(both: Both, action: Action) -> bool:
    """Return whether effects of an action read an order of tiles that others have changed before.

    The prover does not know which tile comes to the end of a row when another one leaves.
    """
    moved: Counter[str] = Counter()
    asked: set[str] = set()
    for effect in effects_of(action.effects):
        inner = [*flat([effect])]
        places = [p for e in inner for p in places_of(e) if isinstance(p, ir.Place)]
        moved.update({p.zone: 1 + any(isinstance(e, ir.ForEach) for e in inner) for p in places})
        asked |= {p.zone for p in places if p.end is not None}
        through = (n for e in exprs_in(inner) for n in nodes_through(e, both.system.evaluator.definitions))
        asked |= {
            n.name for n in through if isinstance(n, ir.ZoneEnd | ir.ZonePlace | ir.Fits | ir.FitsOrder)
        }
    return any(moved[zone] > 1 for zone in asked)


def assert_refused(
    both: Both, step: Step, condition: str, given: Sequence[Truth] = (), about: object = ""
) -> None:
    """Check that the step refuses what a condition of replay refuses, unless the prover leaves the condition
    open."""
    if condition != MOVES and left_open(both, step, condition, is_concrete=not given):
        return
    premises = [*given, *step.facts, *step.definitions]
    before: list[Truth] = []
    for name, truth in step.guards:
        if name == condition:
            assert possible([*premises, *before]), (about, "refused by another than", condition)
            assert not possible([*premises, *before, truth]), (about, "allowed, though not by", condition)
            return
        before.append(truth)
    raise AssertionError((about, "no guard for:", condition))


def left_open(both: Both, step: Step, condition: str, is_concrete: bool) -> bool:
    """Return whether a condition reads what the prover leaves unknown, in a concrete state or in any other."""
    asked = next(c for c in step.action.conditions if c.name == condition)
    if asked.of_game is not None:
        return asked.of_game != "open"
    nodes = list(nodes_through(asked.expr, both.system.evaluator.definitions))
    names = {n.name for n in nodes if isinstance(n, ir.Local)}
    opaque = any(step.names.get(n) is OPAQUE for n in names)
    open_ = ir.FitsOrder | ir.FitsScore if is_concrete else ir.CallScore | ir.FitsOrder | ir.FitsScore
    return opaque or any(isinstance(n, open_) for n in nodes)


# ------------------------------------------------------------------ turning the table


def turned_value(value: Any, kind: Type, by: int, players: int) -> Any:
    """Return a value of replay at a table turned by so many seats."""
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
    """Return a state at a table turned by so many seats."""
    n = machine.instance.players
    after = machine.copy(state)
    after.winners = turned_value(state.winners, BagType(Seat()), by, n)
    after.total = _moved_on(state.total, by)
    for var in machine.rules.vars:
        slot = var_slot(var.name)
        value = getattr(state, slot)
        if var.each_player:
            moved = _moved_on([turned_value(v, var.type, by, n) for v in value], by)
        else:
            moved = turned_value(value, var.type, by, n)
        setattr(after, slot, moved)
    for zone in machine.rules.zones:
        if zone.each_player:
            slot = zone_slot(zone.name)
            setattr(after, slot, _moved_on(getattr(after, slot), by))
    return after


def turned_event(machine: Machine, event: Event, by: int) -> Event:
    """Return an event at a table turned by so many seats."""
    n = machine.instance.players
    action = machine.actions[event.action]
    args = list(event.args)
    out = [(args.pop(0) + by) % n] if action.by is not None else []
    for number, (param, value) in enumerate(zip(action.params, args, strict=True)):
        kind = param.type
        if action.kind == "end" and number == 1:  # the payments of each player
            out.append(_moved_on(value, by))
        elif action.kind == "finish" and number < 2:
            out.append(_moved_on(value, by) if number == 0 else sorted((v + by) % n for v in value))
        elif action.kind == "deal" and number == 1:
            out.append(_moved_on(value, by))
        else:
            out.append(turned_value(value, kind, by, n))
    return Event(event.action, tuple(out))
