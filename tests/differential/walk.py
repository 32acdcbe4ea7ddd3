"""All games of a rule set at a table, gone through with replay.

Input: a machine. Output: the positions that its games reach, and the events between them.
Guarantee: each position comes once, the nearest first. Every event is read as a trace has it. If a limit is reached,
the walk says that it is not `whole`.
"""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import comb
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, ParamDecl, RuleSet
from golpae.ir.types import BOOL, INT, MELD, PATTERNS, SEAT, TILE, Bag, Choice, Each, Opt, Type
from golpae.replay import simulate
from golpae.replay.legal_events import Event, Legal, hand_sizes
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import deal_of, random_deal
from golpae.replay.runtime import HIDDEN, Meld, Row
from golpae.replay.state_layout import slots, zone_in

MOST_POSITIONS = 3_000
MOST_DEALS = 300
STEPS_EACH = 8  # events for each position of the limit, after which a walk stops
MOST_HANDS = 1_000_000  # above, deals are made by chance
A_FEW = 3
MOST_ORDERS = 4  # orders of the reserve that are tried for a deal


@dataclass(frozen=True, slots=True)
class Line:
    """An event of a game: its line of a trace, and its values as the machine has them."""

    event: Event
    line: dict[str, Any]


@dataclass(slots=True)
class Position:
    """A position: the state, how many events lead to it, and the last of them."""

    number: int
    state: State
    depth: int
    before: int | None = None
    event: Line | None = None


@dataclass(slots=True)
class Walk:
    """What a walk has seen. `steps` are events from one position to another; `refused` are legal events that replay
    refuses, with the reason.
    """

    machine: Machine
    positions: list[Position] = field(default_factory=list)
    steps: list[tuple[int, Line, int]] = field(default_factory=list)
    listed: list[list[Line]] = field(default_factory=list)  # the legal events of each position that was left
    refused: list[tuple[int, Line, str]] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)
    ended: int = 0
    longest: int = 0
    whole: bool = True
    goes_on: bool = False  # more hands can be dealt

    def trace(self, position: Position) -> list[dict[str, Any]]:
        """Return the events that lead to a position."""
        lines: list[dict[str, Any]] = []
        while position.event is not None and position.before is not None:
            lines.append(position.event.line)
            position = self.positions[position.before]
        return lines[::-1]


def walk(machine: Machine, most: int = MOST_POSITIONS, hands: int = 1) -> Walk:
    """Go through all games of at most `hands` hands, until there are `most` positions."""
    out = Walk(machine)
    legal = Legal(machine)
    start = machine.new_state()
    out.positions.append(Position(0, start, 0))
    seen: dict[Hashable, int] = {frozen(machine.rules, start): 0}
    waiting = deque([0])
    while waiting:
        if len(out.steps) > STEPS_EACH * most:
            out.whole = False
            break
        position = out.positions[waiting.popleft()]
        events = [_line(machine, event) for event in legal.events(position.state)]
        out.listed.append(events)
        tried = [
            line for name in legal.unlisted(position.state) for line in guessed(machine, name, position.state)
        ]
        deals: Iterator[Event] = iter(())
        if position.state.hands_played < hands:
            deals = all_deals(machine, legal, position.state, out)
        elif legal.can_deal(position.state):
            out.goes_on = True
        legal_lines = (*events, *(_line(machine, deal) for deal in deals))
        for number, line in enumerate((*legal_lines, *tried)):
            state = machine.copy(position.state)
            result = step(machine, state, line.line)
            if result is not None and number >= len(legal_lines):
                continue
            if result is not None:
                out.refused.append((position.number, line, result))
                continue
            out.happened[line.event.action] += 1
            key = frozen(machine.rules, state)
            if key not in seen:
                if len(out.positions) >= most:
                    out.whole = False
                    continue
                seen[key] = len(out.positions)
                depth = position.depth + 1
                out.positions.append(Position(seen[key], state, depth, position.number, line))
                out.longest = max(out.longest, depth)
                out.ended += machine.stage(state) == "ended"
                waiting.append(seen[key])
            out.steps.append((position.number, line, seen[key]))
    return out


def step(machine: Machine, state: State, line: dict[str, Any]) -> str | None:
    """Let an event happen, as a trace has it. Return why it cannot, or None."""
    function = machine.steps[line["do"]]
    try:
        result = function(state, json.loads(json.dumps(line)))
    except ValueError as fault:
        return f"then: {fault}"
    if result is None:
        return None
    if isinstance(result, tuple):
        return f"illegal: {machine.actions[line['do']].conditions[result[0]].name}"
    return f"malformed: {result.message}"


def _line(machine: Machine, event: Event) -> Line:
    return Line(event, simulate.written(machine, event))


# ------------------------------------------------------------------ deals


def all_deals(machine: Machine, legal: Legal, state: State, out: Walk) -> Iterator[Event]:
    """Yield the legal deals: every way to deal the hands, with some orders of the reserve."""
    deal = next(a for a in machine.rules.actions if a.kind == "deal")
    count = 0
    players = machine.instance.players
    if (
        comb(len(machine.instance.whole), max(hand_sizes(machine, state, 0), default=0)) ** players
        > MOST_HANDS
    ):
        out.whole = False
        rng = random.Random(1)
        for first in legal.can_deal(state):
            some = (random_deal(machine, state, first, rng) for _ in range(A_FEW))
            yield from (
                d for d in some if machine.check(d.action, state, d.args) < 0 and legal.can_be(d, state)
            )
        return
    for first in legal.can_deal(state):
        whole = Counter(machine.instance.whole)
        for hands in _hands(whole, hand_sizes(machine, state, first)):
            rest = sorted((whole - Counter(t for hand in hands for t in hand)).elements())
            orders: list[list[int] | None] = [None, *map(list, _orders(rest, out))]
            if deal.dealing is not None and _kind(machine.rules, deal.dealing.zone) != "row":
                orders = [None]
            for reserve in orders:
                plain = deal_of(machine, first, hands, reserve)
                for added in _added(machine, state, deal.params[3:], Counter(rest), _to_zones(deal)):
                    event = Event(plain.action, (*plain.args[:3], *added))
                    if machine.check(event.action, state, event.args) >= 0 or not legal.can_be(event, state):
                        continue
                    count += 1
                    if count > MOST_DEALS:
                        out.whole = False
                        return
                    yield event


def _kind(rules: RuleSet, zone: str) -> str:
    return rules.zone(zone).kind


def _orders(tiles: list[int], out: Walk) -> list[tuple[int, ...]]:
    """Return a few orders of some tiles, each once."""
    found = (
        list(dict.fromkeys(permutations(tiles))) if len(tiles) <= 4 else [tuple(tiles), tuple(tiles[::-1])]
    )
    if len(found) > MOST_ORDERS or len(tiles) > 4:
        out.whole = False
    return found[:MOST_ORDERS]


def _hands(tiles: Counter[int], sizes: list[int]) -> Iterator[list[list[int]]]:
    if not sizes:
        yield []
        return
    for hand in dict.fromkeys(combinations(sorted(tiles.elements()), sizes[0])):
        for others in _hands(tiles - Counter(hand), sizes[1:]):
            yield [list(hand), *others]


def _to_zones(deal: Action) -> dict[str, ir.Expr]:
    return {} if deal.dealing is None else {to.zone: to.size for to in deal.dealing.table}


def _added(
    machine: Machine,
    state: State,
    params: tuple[ParamDecl, ...],
    rest: Counter[int],
    to_zones: Mapping[str, ir.Expr],
) -> Iterator[tuple[Any, ...]]:
    """Yield values for the keys that the game adds to a deal; `rest` are the tiles that are left."""
    if not params:
        yield ()
        return
    kind = params[0].type
    bare = kind.item if isinstance(kind, Opt) else kind
    values: list[Any] = [None] if isinstance(kind, Opt) else []
    values += [state.hands_played + 1] if bare == INT else []
    values += list(range(len(machine.instance.kinds))) if bare == TILE else []
    if params[0].name in to_zones:
        size = machine.value(to_zones[params[0].name], state, {})
        values += [list(tiles) for tiles in dict.fromkeys(combinations(sorted(rest.elements()), size))]
    for value in values:
        left = rest - Counter(value) if params[0].name in to_zones else rest
        for others in _added(machine, state, params[1:], left, to_zones):
            yield (value, *others)


# ------------------------------------------------------------------ states as keys


def frozen(rules: RuleSet, state: State) -> Hashable:
    """Return a key of a state, equal for states that no rule can tell apart."""
    kinds: dict[str, Type] = {f"v_{i}": v.type for i, v in enumerate(rules.vars)}
    out: list[Hashable] = [state.at, state.stake, state.winner, state.hands_played, tuple(state.total)]
    names = slots(rules)[5:]
    for number, name in enumerate(names):
        value = getattr(state, name)
        if number < len(rules.vars):
            var = rules.vars[number]
            kind = kinds[f"v_{number}"]
            out.append(tuple(_value(v, kind) for v in value) if var.each_player else _value(value, kind))
        else:
            zone = rules.zones[number - len(rules.vars)]
            out.append(
                tuple(_zone(v, zone.kind) for v in value) if zone.each_player else _zone(value, zone.kind)
            )
    return tuple(out)


def _zone(value: Any, kind: str) -> Hashable:
    if isinstance(value, Row):
        return tuple(value.slots), tuple(sorted(value.hidden))
    return tuple(sorted(map(_meld, value))) if kind == "melds" else tuple(sorted(value))


def _meld(value: Any) -> tuple[tuple[int, ...], str]:
    return tuple(sorted(value)), (value.label or "") if isinstance(value, Meld) else ""


def _value(value: Any, kind: Type) -> Hashable:
    if value is None:
        return None
    match kind:
        case Opt(item):
            return _value(value, item)
        case Bag(item):
            return tuple(sorted((_value(v, item) for v in value), key=repr))
        case Each(item):
            return tuple(_value(v, item) for v in value)
        case _ if kind == MELD:
            return _meld(value)
        case _:
            plain: Hashable = value
            return plain


def tiles_of(machine: Machine, state: State) -> Counter[int]:
    """Return all tiles in the zones of a state."""
    out: Counter[int] = Counter()
    for zone in machine.rules.zones:
        value = zone_in(state, zone.name)
        for one in value if zone.each_player else [value]:
            if isinstance(one, Row):
                out.update(t for t in one.slots if t != HIDDEN)
                out.update(one.hidden)
            else:
                out.update(t for m in one for t in m) if zone.kind == "melds" else out.update(one)
    return out


# ------------------------------------------------------------------ every event that could be


def guessed(machine: Machine, name: str, state: State, most: int = 300) -> list[Line]:
    """Return events of an action whose values cannot all be listed; some may be legal."""
    out = []
    for line in candidates(machine, machine.actions[name], most, state) or ():
        args = machine.read(name, line)
        if isinstance(args, tuple):
            out.append(Line(Event(name, args), line))
    return out


def candidates(
    machine: Machine, action: Action, most: int, state: State | None = None
) -> list[dict[str, Any]] | None:
    """Return every event of an action with small values, as a trace has them; None if there are more than `most`.

    With a state, keys that hold several values have those that lie together in it.
    """
    lines: list[dict[str, Any]] = [{"do": action.name}]
    if action.by is not None:
        lines = [{**line, "by": seat} for line in lines for seat in range(machine.instance.players)]
    for param in action.params:
        values = _values(machine, param, state)
        if values is None or len(lines) * len(values) > most:
            return None
        lines = [{**line, **value} for line in lines for value in values]
    return lines


def _values(machine: Machine, param: ParamDecl, state: State | None) -> list[dict[str, Any]] | None:
    kinds = [kind.name for kind in machine.instance.kinds]
    bare = param.type.item if isinstance(param.type, Opt) else param.type
    values: list[Any]
    if param.parts:
        size = len(param.parts)
        values = [list(chosen) for chosen in _sequences(kinds, size)]
    elif bare == TILE:
        values = list(kinds)
    elif bare == SEAT:
        values = list(range(machine.instance.players))
    elif bare == BOOL:
        values = [False, True]
    elif bare == INT:
        values = [-1, 0, 1, 2, 3, 4]
    elif isinstance(bare, Choice):
        values = list(bare.words)
    elif bare == Bag(TILE) and state is not None:
        values = _lying(machine, bare, state)
    elif bare == Bag(TILE):
        values = [list(chosen) for size in range(4) for chosen in _sequences(kinds, size)]
    elif state is not None:
        values = _lying(machine, bare, state)
    else:
        return None
    out = [{param.name: value} for value in values]
    return [{}, *out] if param.optional else out


def _lying(machine: Machine, kind: Type, state: State) -> list[Any]:
    """Return values of a type that is too large to list: those that lie in the zones, or a few small ones."""
    players = machine.instance.players
    if kind == Bag(SEAT):
        return [[], *([p] for p in range(players)), list(range(players)), [0, 0]]
    if kind == Bag(INT):
        return [[], *([n] for n in range(4)), *([m, n] for m in range(4) for n in range(m, 4)), [0, 1, 2]]
    if isinstance(kind, Each):
        return [list(values) for values in _sequences([-1, 0, 1, 2, 3], players)]
    if kind == PATTERNS:
        return [{}]
    bags: list[list[str]] = [[]]
    melds: list[list[list[Any]]] = []
    for zone in machine.rules.zones:
        value = zone_in(state, zone.name)
        for one in value if zone.each_player else [value]:
            if zone.kind == "melds":
                melds.append([_written(machine, m) for m in one])
            else:
                tiles = (
                    one.slots
                    if isinstance(one, Row) and not one.hidden
                    else one.all()
                    if isinstance(one, Row)
                    else one
                )
                few = len(tiles) < 5
                bags += [
                    [machine.tile(t) for t in order]
                    for order in dict.fromkeys(permutations(tiles) if few else [tuple(tiles)])
                ]
    if kind == MELD:
        return [meld for zone in melds for meld in zone]
    if kind == Bag(MELD):
        return melds
    if kind == Bag(Bag(TILE)):
        return [[], *([bag] for bag in bags), *([[t] for t in bag] for bag in bags)]
    return bags


def _written(machine: Machine, meld: Any) -> list[Any]:
    """Return a meld as a trace has it; a single tile after a label would stand for as many as the shape has."""
    tiles = list(map(machine.tile, meld))
    label = meld.label if isinstance(meld, Meld) else None
    if label is None:
        return tiles
    return [label, *tiles] if len(tiles) > 1 else [label, tiles]


def _sequences(kinds: Sequence[Any], size: int) -> Iterator[tuple[Any, ...]]:
    if size == 0:
        yield ()
        return
    for kind in kinds:
        for rest in _sequences(kinds, size - 1):
            yield (kind, *rest)
