"""Events that are worth a try in a state: legal ones, ones that nearly are, and malformed ones.

Input: a table of the judge, a state, a random generator. Output: events as a trace has them.
Guarantee: none about which; they follow from the rules and the judge's state, never from what replay lists.

Keys get values that a condition of the action asks for (`tile in p's hand`, `count = ...`), or any values of their
types that lie somewhere in the state.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.traverse import nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.ir.types import Meld as MeldType
from tests.differential.values import recorded
from tests.judge.evaluate import Scene, evaluate, slot
from tests.judge.events import STAGES, of_the_text
from tests.judge.faults import Refused, Unclear, Unset
from tests.judge.match import hand_size, payments, totals_left
from tests.judge.rows import HIDDEN, Row, tiles_of
from tests.judge.shapes import cuts, leaves
from tests.judge.state import State
from tests.judge.table import Table
from tests.judge.values import Bag, Meld, ScoreValue, Value, bag, members, number, used_as
from tests.judge.values import Patterns as PatternsValue

Event = dict[str, Any]
Chosen = tuple[Value, Any]  # a value, and how a trace records it
FEW = 40  # events of an action that are all tried, if there are no more
NO_VALUE = (Unclear, Unset, AssertionError, IndexError, ValueError)


class Tries:
    """Makes events for one table; `most` is how many are tried of one action in one state."""

    def __init__(self, table: Table, rng: random.Random, most: int = 14) -> None:
        self.table = table
        self.rng = rng
        self.most = most
        self._every = {a.name: self._all_of(a) for a in table.rules.actions}
        self._hints = {a.name: _hints(a) for a in table.rules.actions}
        self._paid: tuple[State, tuple[int, ...]] | None = None

    def events(self, state: State) -> Iterator[Event]:
        """Yield events, some of them twice."""
        for action in self.table.rules.actions:
            is_open = state.stage in STAGES[action.kind]
            if not is_open and self.rng.random() > 0.05:
                continue
            tries = (self.most if action.kind in ("play", "before") else self.most // 2) if is_open else 1
            every = self._every[action.name]
            if every is not None:
                yield from self.rng.sample(every, min(len(every), tries))
            if every is None or len(every) > tries or not is_open:
                for _ in range(tries):
                    event = self._guided(action, state)
                    if event is not None:
                        yield event

    def spoilt(self, event: Event) -> Event:
        """Return an event with one thing changed; it is malformed, illegal or still legal."""
        rng, out = self.rng, dict(event)
        key = rng.choice(list(out))
        form = rng.randrange(5)
        if form == 0 and key != "do":
            del out[key]
        elif form == 1:
            out[rng.choice(("by", "note", "extra", "tile"))] = rng.choice((0, "x", None))
        elif form == 2 and isinstance(out[key], list) and out[key]:
            out[key] = [*out[key], out[key][0]] if rng.random() < 0.5 else out[key][1:]
        elif form == 3 and isinstance(out[key], int) and not isinstance(out[key], bool):
            out[key] = rng.choice((out[key] + 1, -1, True, 1.0, 10**3000 if rng.random() < 0.1 else 99))
        elif key != "do":
            out[key] = rng.choice((None, "x", [], {}, True, 0, [[]], "none", ["x"], [0]))
        return out

    # ---------------------------------------------------------------- everything there is

    def _all_of(self, action: Action) -> list[Event] | None:
        """Return every event of an action whose keys have few values; None if there are too many."""
        if action.kind not in ("play", "before"):
            return None
        domains: list[list[Event]] = [[{"do": action.name}]]
        if action.by is not None:
            domains.append([{"by": seat} for seat in self.table.seats])
        size = len(domains[-1])
        for param in action.params:
            values = self._few(param.type.item if isinstance(param.type, Opt) else param.type)
            if values is None or param.parts:
                return None
            size *= len(values) + param.optional
            if size > FEW:
                return None
            domains.append([{}] * param.optional + [{param.name: v} for v in values])
        return [{k: v for part in parts for k, v in part.items()} for parts in product(*domains)]

    def _few(self, kind: Type) -> list[Any] | None:
        match kind:
            case Bool():
                return [False, True]
            case Seat():
                return list(self.table.seats)
            case Tile():
                return [k.name for k in self.table.instance.kinds]
            case Choice(words):
                return list(words)
            case _:
                return None

    # ---------------------------------------------------------------- one event

    def _guided(self, action: Action, state: State) -> Event | None:
        """Return an event with values that its conditions ask for, most of the time."""
        event: Event = {"do": action.name}
        scene = Scene(self.table, state)
        names: dict[str, Value] = {}
        if action.by is not None:
            event["by"] = names[action.by] = self.rng.choice(self.table.seats)
        try:
            fixed = self._fixed(action, state)
        except (Refused, *NO_VALUE):
            return None
        for key, (value, record) in fixed.items():
            names[key] = value
            event[key] = record
        if action.kind == "deal" and self.rng.random() < 0.6:
            event.pop("reserve", None)
        for param in action.params:
            if param.name in fixed:
                continue
            if param.optional and self.rng.random() < 0.35:
                names[param.name] = None
                continue
            value, record = self._value(param, action, Scene(self.table, scene.state, names))
            if record is None and param.optional:
                names[param.name] = None
                continue
            event[param.name] = record
            names[param.name] = value
            if param.parts and isinstance(value, Bag) and len(value) == len(param.parts):
                names.update(zip(param.parts, value.members, strict=True))
        return event

    def _value(self, param: ParamDecl, action: Action, scene: Scene) -> Chosen:
        kind = param.type.item if param.optional and isinstance(param.type, Opt) else param.type
        hints = self._hints[action.name].get(param.name, ())
        if hints and self.rng.random() < 0.75:
            for hint in self.rng.sample(hints, len(hints)):
                try:
                    chosen = self._hinted(hint, param.name, kind, scene)
                except NO_VALUE:
                    continue
                if chosen is not None:
                    return chosen
        if param.parts:
            size = len(param.parts) if self.rng.random() < 0.95 else self.rng.randrange(4)
            value: Value = self._some_tiles(scene.state, size)
        elif param.low is not None and param.high is not None and kind == Int():
            try:
                low, high = (number(evaluate(bound, scene)) for bound in (param.low, param.high))
            except NO_VALUE:
                low, high = 0, 1
            value = self.rng.randint(
                low - (self.rng.random() < 0.1), max(low, high) + (self.rng.random() < 0.1)
            )
        else:
            value = self.any(kind, scene.state)
        return value, recorded(value, kind, self.table, self.rng)

    # ---------------------------------------------------------------- values of a type

    def any(self, kind: Type, state: State) -> Value:
        rng = self.rng
        match kind:
            case Bool():
                return rng.random() < 0.5
            case Int():
                return rng.choice((-1, 0, 0, 1, 1, 2, 2, 3, 4))
            case Seat():
                return rng.choice(self.table.seats)
            case Tile():
                if rng.random() < 0.6:
                    together = self._lying(state).members
                    if together:
                        return rng.choice(together)
                return rng.randrange(len(self.table.instance.kinds))
            case Choice(words):
                return rng.choice(words)
            case Opt(item):
                return None if rng.random() < 0.3 else self.any(item, state)
            case Each(item):
                return tuple(self.any(item, state) for _ in self.table.seats)
            case BagType(Tile()):
                return self._some_tiles(state, None)
            case BagType(MeldType()):
                melds = self._melds(state)
                if melds and rng.random() < 0.7:
                    return rng.choice(melds)
                return bag(self.any(MeldType(), state) for _ in range(rng.randrange(3)))
            case BagType(BagType(Tile())):
                return _cut(self._some_tiles(state, None), rng)
            case BagType(item):
                return bag(self.any(item, state) for _ in range(rng.randrange(4)))
            case MeldType():
                lying = [m for zone in self._melds(state) for m in zone]
                if lying and rng.random() < 0.7:
                    return rng.choice(lying)
                labels = [s.name for s in self.table.rules.shapes if s.test is not None]
                label = rng.choice([*labels, None]) if labels else None
                tiles = self._some_tiles(state, None)
                return Meld(tiles if tiles.members else bag([0]), label)
            case Patterns():
                named = [p for s in self.table.rules.scores for p in s.patterns]
                some = rng.sample(named, min(len(named), rng.randrange(3)))
                return PatternsValue(tuple(sorted((p.name, rng.randint(1, 3)) for p in some)))
            case NoneType() | Points():
                return None
            case _:
                assert_never(kind)

    def _contents(self, state: State) -> list[Bag]:
        """Return the tiles of each zone that is not empty."""
        out = []
        for zone, lying in sorted(state.zones.items, key=lambda item: (item[0][0], item[0][1] or 0)):
            if self.table.zone(zone[0]).kind != "melds":
                tiles = tiles_of(lying) if isinstance(lying, Row) else lying
                out += [tiles] if tiles.members else []
        return out

    def _melds(self, state: State) -> list[Bag]:
        zones = sorted(state.zones.items, key=lambda item: (item[0][0], item[0][1] or 0))
        return [members(z) for s, z in zones if self.table.zone(s[0]).kind == "melds" and len(members(z))]

    def _lying(self, state: State) -> Bag:
        contents = self._contents(state)
        return self.rng.choice(contents) if contents else Bag()

    def _some_tiles(self, state: State, size: int | None) -> Bag:
        """Return tiles that lie together, or any tiles; of a size, or of any."""
        rng = self.rng
        lying = [*self._lying(state)]
        if size is None:
            size = rng.choice((0, 1, 1, 2, 2, 3, len(lying), len(lying)))
        if len(lying) >= size and rng.random() < 0.85:
            return bag(rng.sample(lying, size))
        return bag(rng.randrange(len(self.table.instance.kinds)) for _ in range(min(size, 8)))

    # ---------------------------------------------------------------- values that conditions ask for

    def _hinted(self, hint: ir.Expr, key: str, kind: Type, scene: Scene) -> Chosen | None:
        """Return a value with which a part of a condition may hold."""
        self.table.begin()
        rng, table = self.rng, self.table
        value: Value
        match hint:
            case ir.Fits(name=name, seat=seat, end=end):
                row = scene.state.row(slot(name, seat, scene))
                place = row.places[0 if end == "front" else -1]
                value = rng.choice(row.hidden.members) if place == HIDDEN else place
            case ir.FitsPlace(name=name, seat=seat, number=place):
                row = scene.state.row(slot(name, seat, scene))
                lying = row.places[number(evaluate(place, scene)) - 1]
                value = rng.choice(row.hidden.members) if lying == HIDDEN else lying
            case ir.FitsOrder(name=name, seat=seat):
                row = scene.state.row(slot(name, seat, scene))
                hidden = rng.sample(row.hidden.members, len(row.hidden))
                order = [hidden.pop() if place == HIDDEN else place for place in row.places]
                return bag(order), [recorded(t, Tile(), table, rng) for t in order]
            case ir.FitsScore(score=score):
                worth = evaluate(score, scene)
                if not isinstance(worth, ScoreValue):
                    return None
                value = rng.choice(sorted(worth.counted, key=repr))
            case ir.LayOut(tiles=tiles, arrangement=arrangement):
                whole = members(evaluate(tiles, scene))
                if len(whole) > 9:
                    return None
                ways = [cut for leaf in leaves(arrangement, table) for cut in cuts(leaf, whole, Bag(), scene)]
                if not ways:
                    return None
                value = bag(members(group) for part in rng.choice(ways) for group in part)
            case ir.Quant(names=(player,), body=ir.Op(op="eq", args=(_, other))):
                value = tuple(evaluate(other, scene.having({player: s})) for s in table.seats)
            case ir.Op(op="eq" | "bag_eq", args=(left, right)):
                other = right if _is_key(left, key) else left
                value = used_as(evaluate(other, scene), kind)
                value = getattr(value, "total", value)
            case ir.Op(op="member", args=(_, whole)):
                value = used_as(rng.choice(members(evaluate(whole, scene)).members), kind)
            case ir.Op(op="within" | "bag_member", args=(part, whole)):
                within = members(evaluate(whole, scene)).members
                size = len(part.items) if isinstance(part, ir.BagOf) else rng.randint(0, min(3, len(within)))
                value = used_as(bag(rng.sample(within, size)), kind)
            case _:
                return None
        if value is None:
            return None
        return value, recorded(value, kind, table, rng)

    # ---------------------------------------------------------------- keys of every game

    def _fixed(self, action: Action, state: State) -> dict[str, Chosen]:
        """Return the values of the keys that an event has in every game: right ones, most of the time."""
        self.table.begin()
        rng, table = self.rng, self.table
        match action.kind:
            case "play" | "before":
                return {}
            case "deal":
                return self._deal(action, state)
            case "end":
                if self._paid is None or self._paid[0] is not state:
                    self._paid = state, payments(action, Scene(table, state))
                pay = list(self._paid[1])
                winner = state.winner
                if rng.random() < 0.08:
                    pay[rng.randrange(len(pay))] += rng.choice((-1, 1))
                if rng.random() < 0.08:
                    winner = rng.choice((None, *table.seats))
                return {"winner": (winner, winner), "pay": (None, pay)}
            case "finish":
                totals = list(totals_left(action, Scene(table, state)))
                winners = [seat for seat in table.seats if totals[seat] == max(totals)]
                if rng.random() < 0.1:
                    winners = winners[1:]
                if rng.random() < 0.1:
                    totals[0] += 1
                rng.shuffle(winners)
                return {"totals": (None, totals), "winners": (bag(winners), winners)}
            case _:
                assert_never(action.kind)

    def _deal(self, action: Action, state: State) -> dict[str, Chosen]:
        rng, table = self.rng, self.table
        assert action.dealing is not None
        first = rng.choice(table.seats)
        scene = Scene(table, state, {"first": first})
        sizes = [hand_size(action.dealing, seat, first, scene) for seat in table.seats]
        tiles = rng.sample(table.whole.members, len(table.whole))
        if rng.random() < 0.04:
            sizes[rng.randrange(len(sizes))] += rng.choice((-1, 1))
        hands = []
        for size in sizes:
            hands.append([recorded(t, Tile(), table, rng) for t in tiles[: max(0, size)]])
            tiles = tiles[max(0, size) :]
        if rng.random() < 0.04 and hands[-1]:
            hands[-1][0] = hands[0][0] if hands[0] else hands[-1][0]
        reserve = [recorded(t, Tile(), table, rng) for t in tiles]
        if rng.random() < 0.04 and reserve:
            reserve[0] = reserve[-1]
        fixed: dict[str, Chosen] = {
            "first": (first, first),
            "hands": (None, hands),
            "reserve": (None, reserve),
        }
        for (
            dealt
        ) in action.dealing.table:  # tiles that are dealt to zones come from what the hands leave over
            size = max(0, number(evaluate(dealt.size, scene)) + (rng.random() < 0.04))
            lying, tiles = tiles[:size], tiles[size:]
            fixed[dealt.zone] = (bag(lying), [recorded(t, Tile(), table, rng) for t in lying])
        return fixed


def _cut(tiles: Bag, rng: random.Random) -> Bag:
    """Return tiles cut into groups by chance."""
    rest, groups = rng.sample(tiles.members, len(tiles)), []
    while rest:
        size = rng.randint(1, 3)
        groups.append(bag(rest[:size]))
        rest = rest[size:]
    return bag(groups)


def _is_key(expr: ir.Expr, key: str) -> bool:
    return isinstance(expr, ir.Local) and expr.name == key


def _hints(action: Action) -> dict[str, list[ir.Expr]]:
    """Return, for each key, the parts of conditions that ask for values of it."""
    out: dict[str, list[ir.Expr]] = defaultdict(list)
    parts = {param.parts: param.name for param in action.params if param.parts}
    for node in (n for c in of_the_text(action) for n in nodes(c.expr)):
        match node:
            case ir.Fits(tile=ir.Local(name=key)) | ir.FitsPlace(tile=ir.Local(name=key)):
                out[key].append(node)
            case ir.FitsOrder(tiles=ir.Local(name=key)):
                out[key].append(node)
            case ir.FitsScore(patterns=ir.Local(name=key)):
                out[key].append(node)
            case ir.LayOut(groups=ir.Local(name=key)):
                out[key].append(node)
            case ir.Quant(
                names=(player,),
                body=ir.Op(
                    op="eq", args=(ir.OwnValue(values=ir.Local(name=key), seat=ir.Local(name=own)), _)
                ),
            ) if own == player:
                out[key].append(node)
            case ir.Op(op="eq" | "bag_eq", args=(left, right)):
                for side in (left, right):
                    if isinstance(side, ir.Local):
                        out[side.name].append(node)
                    elif isinstance(side, ir.Op) and side.op in ("total", "tiles"):
                        inner = side.args[0]
                        if isinstance(inner, ir.Local):
                            out[inner.name].append(node)
            case ir.Op(op="member" | "within" | "bag_member", args=(ir.Local(name=key), _)):
                out[key].append(node)
            case ir.Op(op="within", args=(ir.BagOf(items=items), _)):
                named = tuple(item.name for item in items if isinstance(item, ir.Local))
                if named in parts:
                    out[parts[named]].append(node)
            case _:
                pass
    return out
