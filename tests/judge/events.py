"""Whether an event is legal, and what it leads to (section 6).

Input: a table, a state, an event. Output: a verdict: `Malformed`, `Illegal` with the name of a condition, or `Legal`
with the next state.
Guarantee: the state that came in is as it was (6.7).

What the IR lists as conditions of an action is used only where the text wrote it. An `Implicit` condition is
golpae's; so is one at the head of the list that has the name of a key, each key once, and a message that begins with
"`key` must"; so is one at the end of the list that is called `set`, with a message "`key` names more ...", and one
behind it that is called `label`, with "`key` names ...". The judge asks its own instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.lifecycle import ActionKind, Stage
from golpae.ir.ruleset import Action, Condition, ParamDecl
from golpae.ir.traverse import flat
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Each, Opt, Tile, Type
from tests.judge.effects import perform_clauses
from tests.judge.evaluate import Scene, evaluate, limited
from tests.judge.faults import Refused, Unclear
from tests.judge.match import (
    dealt,
    dealt_to_zone,
    hand_size,
    holds_payments,
    of_payout,
    payments,
    totals_left,
)
from tests.judge.reading import Event, Malformed, Reading, read
from tests.judge.shapes import holds as shape_holds
from tests.judge.state import State
from tests.judge.table import Table
from tests.judge.values import Bag, Meld, Value, bag, members, number, truth

STAGES: dict[ActionKind, tuple[Stage, ...]] = {  # 5.1
    "before": ("before",),
    "deal": ("before", "ended"),
    "play": ("playing",),
    "end": ("playing", "over"),
    "finish": ("ended",),
}


@dataclass(frozen=True, slots=True)
class Illegal:
    """The event breaks a condition; `reached` counts the conditions that held before it."""

    name: str
    reached: int


@dataclass(frozen=True)
class Legal:
    """The event is legal; `scene` has its names, in the order that 6.5 chose, and the next state."""

    state: State
    scene: Scene


Verdict = Malformed | Illegal | Legal


def try_event(table: Table, state: State, event: Event) -> Verdict:
    """Return whether an event is legal in a state."""
    table.begin()
    reading = read(table, event)
    if isinstance(reading, Malformed):
        return reading
    refusal = _refused_key(table, state, reading)
    if refusal is not None:
        return refusal
    furthest: Illegal | None = None
    for names in orders(reading):
        verdict = _try_order(Scene(table, state, names, reading.lists), reading)
        if isinstance(verdict, Legal) or verdict.name == "then":
            return verdict
        if furthest is None or verdict.reached > furthest.reached:
            furthest = verdict
    assert furthest is not None
    return furthest


def orders(reading: Reading) -> Iterator[Mapping[str, Value]]:
    """Return the names of an event, with each order of its lists `{a, b}`, the sorted ones first (6.5).

    Of several lists the last one changes fastest.
    """
    params = [p for p in reading.action.params if p.parts and reading.names[p.name] is not None]
    each = [dict.fromkeys(permutations(members(reading.names[p.name]).members)) for p in params]
    for chosen in product(*each):
        names = dict(reading.names)
        for param, tiles in zip(params, chosen, strict=True):
            names.update(zip(param.parts, tiles, strict=True))
        yield names


# ---------------------------------------------------------------- conditions


def _refused_key(table: Table, state: State, reading: Reading) -> Illegal | None:
    """Return the first of the conditions 6.3.1 and 6.3.2 that fails."""
    action = reading.action
    if state.stage not in STAGES[action.kind]:
        return Illegal("open", 0)
    for reached, param in enumerate(action.params, 1):
        value = reading.names[param.name]
        if value is not None and not _in_bounds(param, value, Scene(table, state, reading.names)):
            return Illegal(param.name, reached)
    return None


def _in_bounds(param: ParamDecl, value: Value, scene: Scene) -> bool:
    """Return whether the value of a key has its length, and its numbers lie within their bounds (6.3.2)."""
    if param.parts and len(members(value)) != len(param.parts):
        return False
    if isinstance(value, tuple) and len(value) != scene.table.instance.players:
        return False
    if param.low is None or param.high is None:
        return True
    low, high = (number(evaluate(bound, scene)) for bound in (param.low, param.high))
    return all(low <= n <= high for n in _numbers_of(value))


def _numbers_of(value: Value) -> Iterator[int]:
    if isinstance(value, tuple | Bag):
        for member in value:
            yield from _numbers_of(member)
    elif value is not None:
        yield number(value)


def of_the_text(action: Action) -> list[Condition]:
    """Return the conditions that the text wrote (6.3.3)."""
    dealt_to = zones_dealt_to(action)
    rest = [c for c in action.conditions if not isinstance(c.expr, ir.Implicit) and c.name not in dealt_to]
    keys = {param.name for param in action.params}
    while rest and rest[0].name in keys and _begins(rest[0], f"`{rest[0].name}` must "):
        keys.remove(rest[0].name)
        rest = rest[1:]
    while (
        rest and rest[-1].name == "label" and _begins(rest[-1], "`") and " names " in str(rest[-1].message[0])
    ):
        rest = rest[:-1]
    while (
        rest
        and rest[-1].name == "set"
        and _begins(rest[-1], "`")
        and " names more " in str(rest[-1].message[0])
    ):
        rest = rest[:-1]
    return rest


def zones_dealt_to(action: Action) -> dict[str, ir.Expr]:
    """Return how many tiles a deal deals to zones, in the order of the text (5.8).

    golpae has a condition and a move for each; the judge asks and moves itself.
    """
    return {} if action.dealing is None else {to.zone: to.size for to in action.dealing.table}


def _begins(condition: Condition, words: str) -> bool:
    first = condition.message[0] if condition.message else ""
    return isinstance(first, str) and first.startswith(words)


def _try_order(scene: Scene, reading: Reading) -> Illegal | Legal:
    """Return the verdict with the names of the event in one order."""
    action = reading.action
    reached = 1 + len(action.params)
    for name, holds in _conditions(scene, reading):
        if not holds:
            return Illegal(name, reached)
        reached += 1
    try:
        after = _after(scene, reading)
    except Refused as refused:
        return Illegal(refused.name, reached)
    return Legal(after, scene.at(after))


def _conditions(scene: Scene, reading: Reading) -> Iterator[tuple[str, bool]]:
    """Return the conditions 6.3.3 to 6.3.6 in order, each when it is asked for."""
    action = reading.action
    for zone, size in zones_dealt_to(action).items():
        yield zone, len(members(scene.names[zone])) == number(evaluate(size, scene))
    for condition in of_the_text(action):
        yield condition.name, truth(evaluate(condition.expr, scene))
    yield from _of_every_game(scene, reading)
    whole = scene.table.whole
    yield "set", all(whole.holds(_named(scene.names[p.name], p.type)) for p in action.params)
    yield "label", all(_may_be(meld, scene) for p in action.params for meld in _melds_in(scene.names[p.name]))


def _may_be(meld: Meld, scene: Scene) -> bool:
    """Return whether a meld lies on the table, or has tiles that are what its label says (6.3.6)."""
    if any(isinstance(zone, Bag) and meld in zone.members for _, zone in scene.state.zones.items):
        return True
    is_shape = meld.label is not None and scene.table.shape(meld.label) is not None
    return len(meld.tiles) > 0 and (not is_shape or shape_holds(str(meld.label), meld.tiles, scene))


def _melds_in(value: Value) -> Iterator[Meld]:
    if isinstance(value, Meld):
        yield value
    elif isinstance(value, tuple | Bag):
        for member in value:
            yield from _melds_in(member)


def _of_every_game(scene: Scene, reading: Reading) -> Iterator[tuple[str, bool]]:
    """Return the conditions of every game for this kind of event (6.3.4)."""
    table, state, names, action = scene.table, scene.state, scene.names, reading.action
    match action.kind:
        case "play" | "before":
            return
        case "deal":
            hands = reading.lists["hands"]
            yield "hands", _hands_are_right(scene, reading)
            yield "set", table.whole.holds(_joined(hands))
            reserve = names["reserve"]
            yield "rest", reserve is None or reserve == table.whole.minus(_joined(hands))
        case "end":
            yield "winner", names["winner"] == state.winner
            try:
                paid = payments(action, scene)
                yield "pay", "pay" not in reading.lists or reading.lists["pay"] == paid
            except Refused as refused:
                yield refused.name, False
        case "finish":
            totals = totals_left(action, scene)
            yield "totals", "totals" not in reading.lists or reading.lists["totals"] == totals
            yield (
                "winners",
                names["winners"] is None
                or names["winners"] == bag(s for s in table.seats if totals[s] == max(totals)),
            )
        case _:
            assert_never(action.kind)


def _hands_are_right(scene: Scene, reading: Reading) -> bool:
    assert reading.action.dealing is not None
    hands, first = reading.lists["hands"], number(scene.names["first"])
    if len(hands) != scene.table.instance.players:
        return False
    sizes = [hand_size(reading.action.dealing, seat, first, scene) for seat in scene.table.seats]
    return [len(members(hand)) for hand in hands] == sizes


def _joined(hands: tuple[Value, ...]) -> Bag:
    return bag(tile for hand in hands for tile in members(hand))


def _named(value: Value, kind: Type) -> Bag:
    """Return all tiles that a key names."""
    match kind:
        case Tile():
            return bag([value])
        case Opt(item):
            return Bag() if value is None else _named(value, item)
        case BagType(item) | Each(item):
            inner = value if isinstance(value, tuple) else members(value).members
            return bag(tile for member in inner for tile in _named(member, item))
        case _:
            return value.tiles if isinstance(value, Meld) else Bag()


# ---------------------------------------------------------------- what happens


def _after(scene: Scene, reading: Reading) -> State:
    """Return the state after an event all of whose conditions hold. Raises `Refused` (6.3.6)."""
    action, state, table = reading.action, scene.state, scene.table
    wins = any(isinstance(e, ir.Win) for clause in action.effects for e in flat(clause.effects))
    if wins and action.kind not in ("play", "deal"):
        raise Unclear("a win outside of a hand, which 5.7 forbids")
    match action.kind:
        case "play" | "before":
            return perform_clauses(action.effects, replace(scene, start=state))
        case "deal":
            assert action.dealing is not None
            hands = [members(hand) for hand in reading.lists["hands"]]
            scene = scene.at(dealt(action.dealing, hands, reading.lists.get("reserve"), scene))
            zones = zones_dealt_to(action)
            for zone in zones:
                scene = scene.at(dealt_to_zone(action.dealing, zone, members(scene.names[zone]), scene))
            assert [clause.name for clause in action.effects[: len(zones)]] == [*zones]
            return perform_clauses(action.effects[len(zones) :], replace(scene, start=scene.state))
        case "end":
            after = perform_clauses(
                action.effects, replace(scene.at(replace(state, gains=of_payout(scene))), start=state)
            )
            sums = (total + gained for gained, total in zip(after.gains, after.totals, strict=True))
            totals = tuple(map(limited, sums))
            return replace(after, stage="ended", totals=totals, hands_played=state.hands_played + 1)
        case "finish":
            if holds_payments(action):
                state = replace(state, gains=(0,) * table.instance.players)
            after = perform_clauses(action.effects, replace(scene.at(state), start=state))
            return replace(after, stage="finished", totals=totals_left(action, scene))
        case _:
            assert_never(action.kind)
