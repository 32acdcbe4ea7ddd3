"""What an expression is worth in a state (section 3).

Input: an expression of the IR and a `Scene`: the table, a state, the names in scope. Output: a value.
Guarantee: nothing is changed. Raises `Unset` for a state without a
value, `Unclear` where the page does not say what is meant.

All members of a bag are looked at, even if the first one settles the answer: 3.2 says that their order cannot be
noticed, and with 7.10 it could be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.types import Bag as BagType
from golpae.ir.types import NoneType, Tile, Type
from tests.judge import words
from tests.judge.faces import by_face
from tests.judge.faults import Unclear
from tests.judge.rows import fits_end, fits_order, fits_place, tile_at
from tests.judge.state import Slot, State
from tests.judge.table import Table
from tests.judge.values import (
    Bag,
    Map,
    Patterns,
    ScoreValue,
    Value,
    bag,
    depth,
    equal,
    item_of,
    members,
    number,
    number_of,
    points_of,
    text,
    truth,
    used_as,
)

RECORDED = 10**1000  # the least number that no trace can have (2.2)
LARGEST = 10**4_000  # the least number that golpae does not go on with (7.10)
WIDEST = 100_000  # numbers between two, and members of a bag of a state, at most (7.10)


@dataclass(frozen=True)
class Scene:
    """Where an expression is evaluated.

    `lists` are the tiles of the keys of an event in the order in which it lists them, for what asks for their order
    (6.5). `before` is the state before the event, for `earlier` (9.3), `start` that before its first effect, for
    `where` (12.3).
    """

    table: Table
    state: State
    names: Mapping[str, Value] = field(default_factory=dict)
    lists: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    before: State | None = None
    start: State | None = None

    def having(self, names: Mapping[str, Value]) -> Scene:
        """Return the scene with more names, which hide keys of an event that are called the same."""
        lists = {k: v for k, v in self.lists.items() if k not in names}
        return replace(self, names={**self.names, **names}, lists=lists)

    def only(self, names: Mapping[str, Value]) -> Scene:
        """Return the scene with other names, for a part of the text that stands by itself."""
        return Scene(self.table, self.state, names, {}, self.before)

    def at(self, state: State) -> Scene:
        return replace(self, state=state)


def at_the_table(expr: ir.Expr, table: Table) -> Bag:
    """Return tiles that do not depend on a game."""
    nothing = State("before", Map.of({}), Map.of({}), Bag(), (), 0)
    return members(evaluate(expr, Scene(table, nothing)))


def evaluate(expr: ir.Expr, scene: Scene) -> Value:
    """Return the value of an expression, as its type has it."""
    scene.table.spend()
    return used_as(_value(expr, scene), expr.type)


def _value(expr: ir.Expr, scene: Scene) -> Value:
    table, state = scene.table, scene.state
    match expr:
        case ir.Const(value=value, type=kind):
            return table.tile(text(value)) if kind == Tile() else value
        case ir.Local(name=name):
            if name not in scene.names:
                raise Unclear(f"{name} is not in scope")
            return scene.names[name]
        case ir.StateRead(name=name, seat=seat):
            return state.remembered(slot(name, seat, scene))
        case ir.ZoneRead(name=name, seat=seat):
            return state.lying_in(slot(name, seat, scene))
        case ir.ZoneEnd(name=name, seat=seat, end=end):
            row = state.row(slot(name, seat, scene))
            return tile_at(row, 1 if end == "front" else len(row.places))
        case ir.ZonePlace(name=name, seat=seat, number=place):
            return tile_at(state.row(slot(name, seat, scene)), number(evaluate(place, scene)))
        case ir.Earlier(expr=inner):
            if scene.before is None:
                raise Unclear("earlier without an event")
            return evaluate(inner, replace(scene, state=scene.before, before=None))
        case ir.Fits(tile=tile, name=name, seat=seat, end=end):
            return fits_end(state.row(slot(name, seat, scene)), end, evaluate(tile, scene))
        case ir.FitsPlace(tile=tile, name=name, seat=seat, number=place):
            row = state.row(slot(name, seat, scene))
            return fits_place(row, number(evaluate(place, scene)), evaluate(tile, scene))
        case ir.FitsOrder(tiles=tiles, name=name, seat=seat):
            return fits_order(state.row(slot(name, seat, scene)), listed(tiles, scene))
        case ir.FitsScore(patterns=patterns, score=score):
            return _fits_score(evaluate(patterns, scene), evaluate(score, scene))
        case ir.Builtin():
            return _word(expr, scene)
        case ir.OptionRead(name=name):
            return table.instance.options[name]
        case ir.Attr(name=name, tile=tile):
            return table.attribute(name, evaluate(tile, scene))
        case ir.Group(name=name):
            return table.group(name)
        case ir.Faces(arg=arg):
            return by_face(evaluate(arg, scene), arg.type, table)
        case ir.OwnValue(values=values, seat=seat):
            each = evaluate(values, scene)
            assert isinstance(each, tuple)
            return each[number(evaluate(seat, scene))]
        case ir.CallDef(name=name, args=args):
            return _definition(name, args, scene)
        case ir.Op():
            return _operation(expr, scene)
        case ir.BagOf(items=items):
            return bag(_member(evaluate(item, scene), expr.type) for item in items)
        case ir.Quant():
            passes = [truth(evaluate(expr.body, scene.having(n))) for n in choices(expr, scene)]
            match expr.kind:
                case "some":
                    return any(passes)
                case "every":
                    return all(passes)
                case "no":
                    return not any(passes)
                case _:
                    assert_never(expr.kind)
        case ir.Ways():
            from tests.judge.every_way import holds_of_ways

            return holds_of_ways(expr, scene)
        case ir.Fold():
            return _fold(expr, scene)
        case ir.If(test=ir.Quant(names=(words.PARTNER,))):
            player = number(evaluate(expr.yes, scene))
            (partner,) = (other for other in table.team(player, 2) if other != player)
            return partner
        case ir.If() if (asked := words.asked_order(expr)) is not None:
            return _in_order(asked, scene)
        case ir.If(test=test, yes=yes, no=no):
            return evaluate(yes if truth(evaluate(test, scene)) else no, scene)
        case ir.IsShape(arg=arg, shape=shape):
            from tests.judge.shapes import is_of

            return is_of(evaluate(arg, scene), shape, scene)
        case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
            from tests.judge.shapes import lays_out

            laid = members(evaluate(groups, scene))
            return lays_out(laid, members(evaluate(tiles, scene)), arrangement, scene)
        case ir.CallScore(name=name, args=args):
            from tests.judge.scores import score_value

            declared = table.score(name)
            given = {
                p.name: used_as(evaluate(a, scene), p.type)
                for p, a in zip(declared.params, args, strict=True)
            }
            return score_value(declared, given, scene)
        case ir.ScoreNumber(score=score, number=number_name):
            return number_of(evaluate(score, scene), number_name)
        case ir.IsBeside(tiles=tiles, melds=melds, arrangement=arrangement):
            from tests.judge.shapes import beside

            hand, lying = members(evaluate(tiles, scene)), members(evaluate(melds, scene))
            return beside(hand, lying, arrangement, scene)
        case ir.Parted(kind=parted, shape=shape, tiles=tiles):
            from tests.judge.shapes import within, without

            whole = members(evaluate(tiles, scene))
            return within(shape, whole, scene) if parted == "within" else without(shape, whole, scene)
        case ir.Implicit(kind=implicit):
            raise Unclear(f"{implicit} is no expression")
        case _:
            assert_never(expr)


def slot(name: str, seat: ir.Expr | None, scene: Scene) -> Slot:
    """Return which zone or state is meant."""
    return name, None if seat is None else number(evaluate(seat, scene))


def listed(tiles: ir.Expr, scene: Scene) -> tuple[Value, ...]:
    """Return the tiles of a key in the order of the event (4.8: nothing else has an order)."""
    if not isinstance(tiles, ir.Local) or tiles.name not in scene.lists:
        raise Unclear("an order of something else than a key")
    return scene.lists[tiles.name]


def limited(value: int) -> int:
    """Return the number that a power comes to, or that is kept or paid. Raises `Unclear` (7.10)."""
    if abs(value) >= LARGEST:
        raise Unclear("a number of more than 4,000 digits")
    return value


def kept(value: Value) -> Value:
    """Return a value that a state is set to. Raises `Unclear` (7.10)."""
    if isinstance(value, int):
        return value if isinstance(value, bool) else limited(value)
    if isinstance(value, Bag) and len(value) > WIDEST:
        raise Unclear("a bag of more than 100,000 members")
    if isinstance(value, tuple | Bag):
        for member in value:
            kept(member)
    return value


def _member(value: Value, kind: Type) -> Value:
    return used_as(value, item_of(kind))


# ---------------------------------------------------------------- words and definitions


def _word(expr: ir.Builtin, scene: Scene) -> Value:
    table, state = scene.table, scene.state
    players = table.instance.players
    seat = 0 if expr.seat is None else number(evaluate(expr.seat, scene))
    match expr.name:
        case "players":
            return bag(table.seats)
        case "tiles":
            return table.whole
        case "kinds":
            return table.kinds()
        case "right":
            return (seat + 1) % players
        case "left":
            return (seat - 1) % players
        case "stake":
            return table.stake
        case "over":
            return state.stage == "over"
        case "winner":
            return state.winner
        case "hands-played":
            return state.hands_played
        case "total":
            return state.totals[seat]
        case _:
            assert_never(expr.name)


def _definition(name: str, args: tuple[ir.Expr, ...], scene: Scene) -> Value:
    words_of_tiles, together = scene.table.words_of_tiles(name), scene.table.listed_together(name)
    if words_of_tiles is not None:
        return words_of_tiles.get(number(evaluate(args[0], scene)))
    if together is not None:
        return together
    declared = scene.table.definition(name)
    if any(param.parts for param in declared.params):
        raise Unclear("a definition with a list of tiles")
    names = {p.name: used_as(evaluate(a, scene), p.type) for p, a in zip(declared.params, args, strict=True)}
    inner = scene.only(names)
    if declared.single:
        return evaluate(declared.cases[0].expr, inner)
    return True in [truth(evaluate(case.expr, inner)) for case in declared.cases]


# ---------------------------------------------------------------- operators


def _operation(expr: ir.Op, scene: Scene) -> Value:
    first = expr.args[0]
    match expr.op:
        case "and":
            return all(truth(evaluate(arg, scene)) for arg in expr.args)
        case "or":
            return any(truth(evaluate(arg, scene)) for arg in expr.args)
        case "implies":
            return not truth(evaluate(first, scene)) or truth(evaluate(expr.args[1], scene))
        case "otherwise":
            left = evaluate(first, scene)
            return evaluate(expr.args[1], scene) if left is None else left
        case "not":
            return not truth(evaluate(first, scene))
        case "is_none":
            return evaluate(first, scene) is None
        case "neg":
            return -number(evaluate(first, scene))
        case "size":
            value = evaluate(first, scene)
            return len(value) if isinstance(value, tuple) else len(members(value))
        case "kinds":
            return members(evaluate(first, scene)).kinds()
        case "tiles":
            value = evaluate(first, scene)
            return None if value is None else members(value)
        case "total":
            return points_of(evaluate(first, scene))
        case "eq" if (marked := words.comparison(expr)) is not None:
            return _compared(*marked, scene)
        case "eq" | "bag_eq":
            second = expr.args[1]
            return equal(evaluate(first, scene), first.type, evaluate(second, scene), second.type)
        case "member" | "bag_member" | "within":
            return _is_in(expr, scene)
        case "bag_add" | "bag_sub":
            return _bags(expr, scene)
        case "lt" | "le" | "gt" | "ge" | "add" | "sub" | "mul" | "div" | "mod" | "pow" | "range":
            a, b = (number(evaluate(arg, scene)) for arg in expr.args)
            return _numbers(expr.op, a, b)
        case _:
            assert_never(expr.op)


def _compared(sign: str, orders: list[list[str]], left: ir.Expr, right: ir.Expr, scene: Scene) -> bool:
    """Return how two numbers compare, or two words by their order (3.3)."""
    a, b = evaluate(left, scene), evaluate(right, scene)
    if isinstance(a, str) and isinstance(b, str):
        order = next((order for order in orders if {a, b} <= {*order}), None)
        if order is None:
            raise Unclear(f"an order of {a} and {b}")
        a, b = order.index(a), order.index(b)
    a, b = number(a), number(b)
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]


def _numbers(op: str, a: int, b: int) -> Value:
    match op:
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "gt":
            return a > b
        case "ge":
            return a >= b
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div":
            return a // b if b != 0 else 0
        case "mod":
            return a - b * (a // b) if b != 0 else 0
        case "pow":
            return power(a, b)
        case "range":
            if b - a >= WIDEST:
                raise Unclear("more than 100,000 numbers between two")
            return bag(range(a, b + 1))
        case _:
            raise AssertionError(op)


def power(a: int, b: int) -> int:
    """Return `a` multiplied `b` times, 1 if `b` is 0 or less (3.5)."""
    if b <= 0:
        return 1
    if a in (0, 1):
        return a
    if a == -1:
        return 1 if b % 2 == 0 else -1
    result = 1
    for _ in range(b):
        result = limited(result * a)
    return result


def _is_in(expr: ir.Op, scene: Scene) -> bool:
    """Return whether a value, or each value of a bag, is in a bag (3.4)."""
    item, whole = expr.args
    value, within = evaluate(item, scene), members(evaluate(whole, scene))
    if value is None:
        return None in [*within]
    kind = item_of(whole.type)
    if depth(item.type) == depth(whole.type) - 1:
        return True in [equal(value, item.type, member, kind) for member in within]
    part = members(value)
    if isinstance(kind, NoneType) or isinstance(item_of(item.type), NoneType):
        return within.holds(part)
    left = list(within)
    for wanted in part:
        found = [m for m in left if equal(wanted, item_of(item.type), m, kind)]
        if not found:
            return False
        left.remove(found[0])
    return True


def _bags(expr: ir.Op, scene: Scene) -> Bag:
    """Return two bags joined, or the first without the second (3.6)."""
    first, second = expr.args
    left, right = evaluate(first, scene), evaluate(second, scene)
    empty_braces = second.type == BagType(NoneType())
    single = depth(second.type) < depth(first.type) and not empty_braces
    if depth(second.type) == 0 or single:
        right = bag([right])
    both = expr.type
    a, b = used_as(members(left), both), used_as(members(right), both)
    assert isinstance(a, Bag)
    assert isinstance(b, Bag)
    return a.plus(b) if expr.op == "bag_add" else a.minus(b)


# ---------------------------------------------------------------- questions and sums


def choices(expr: ir.Quant | ir.Fold, scene: Scene) -> Iterator[dict[str, Value]]:
    """Return what the names of a question or a sum stand for, in turn (3.8)."""
    domain = members(evaluate(expr.domain, scene))
    if expr.size is None:
        for chosen in permutations(domain.members, len(expr.names)):
            yield dict(zip(expr.names, chosen, strict=True))
        return
    size = number(evaluate(expr.size, scene))
    if 0 <= size <= len(domain):
        for together in combinations(domain.members, size):
            yield {expr.names[0]: bag(together)}


def _round(expr: ir.Fold, scene: Scene) -> Value:
    """Return the first player round the table of whom a test holds, the one from whom it is counted last (3.14)."""
    assert isinstance(expr.domain, ir.Fold)
    assert expr.test is not None
    (mark,) = expr.domain.names
    seat = start = number(evaluate(_only(expr.domain.domain), scene))
    for _ in scene.table.seats:
        seat = (seat + (1 if mark == words.NEXT else -1)) % scene.table.instance.players
        if truth(evaluate(expr.test, scene.having({expr.names[0]: seat}))):
            return seat
    assert seat == start
    return None


def _only(braces: ir.Expr) -> ir.Expr:
    """Return what stands alone between braces."""
    assert isinstance(braces, ir.BagOf)
    (item,) = braces.items
    return item


def _in_order(asked: words.AskedOrder, scene: Scene) -> Value:
    """Return what is asked of an order (3.17)."""
    order = [scene.table.tile(name) if asked.of_tiles else name for name in asked.members]
    of = None if asked.of is None else evaluate(asked.of, scene)
    if asked.word == words.AT:
        if asked.of is None:  # an order of one member, in which every place is the same one
            return order[0]
        place = number(of) - 1
        if asked.circle:
            return order[place % len(order)]
        return order[place] if 0 <= place < len(order) else None
    if of not in order:
        return 0 if asked.word == words.PLACE_OF else None
    place = order.index(of)
    if asked.word == words.PLACE_OF:
        return place + 1
    place += 1 if asked.word == words.AFTER else -1
    if asked.circle:
        return order[place % len(order)]
    return order[place] if 0 <= place < len(order) else None


def _beside_others(word: str, domain: ir.Expr, scene: Scene) -> int:
    """Return a rounded number, or the smaller or the larger of two (3.16)."""
    assert isinstance(domain, ir.BagOf)
    a, b = (number(evaluate(item, scene)) for item in domain.items)
    match word:
        case words.ROUNDED_DOWN:
            return 0 if b == 0 else a - a % b
        case words.ROUNDED_UP:
            return 0 if b == 0 else a if a % b == 0 else a - a % b + b
        case words.SMALLER:
            return min(b, a)
        case _:
            return max(b, a)


def _of_part(mark: str, domain: ir.Expr, scene: Scene) -> int:
    """Return how many places a part of a row has, or a place of it as one of the row (4.12)."""
    assert isinstance(domain, ir.BagOf)
    many, size, *place = (number(evaluate(item, scene)) for item in domain.items)
    many = min(max(many, 0), size)
    places = list(range(1, size + 1))
    which = mark.removeprefix(words.PART_SIZE).removeprefix(words.PART).partition(",")[0]
    match which:
        case "first":
            places = places[:many]
        case "last":
            places = places[size - many :]
        case "all but the first":
            places = places[many:]
        case _:
            places = places[: size - many]
    if not place:
        return len(places)
    if mark.endswith("back"):
        places.reverse()
    return places[place[0] - 1] if 1 <= place[0] <= len(places) else 0


def _fold(expr: ir.Fold, scene: Scene) -> Value:
    size = words.team_size(expr.names[0])
    if expr.names[0] in words.BESIDE_OTHERS:
        return _beside_others(expr.names[0], expr.domain, scene)
    if expr.names[0].startswith((words.PART, words.PART_SIZE)):
        return _of_part(expr.names[0], expr.domain, scene)
    if (members_of := words.listed_members(expr)) is not None:
        of_tiles = expr.type == BagType(Tile())
        return bag(scene.table.tile(name) if of_tiles else name for name in members_of)
    if expr.names == (words.GAINS,):
        seat = number(evaluate(_only(expr.domain), scene))
        return scene.state.gains[seat] if scene.state.gains else 0
    if expr.names == (words.WINNERS,):
        return scene.state.winners
    if size and isinstance(expr.domain, ir.Builtin):
        return bag(range(scene.table.instance.players // size))
    if size:
        return bag(scene.table.team(number(evaluate(_only(expr.domain), scene)), size))
    if isinstance(expr.domain, ir.Fold) and expr.domain.names in ((words.NEXT,), (words.LAST,)):
        return _round(expr, scene)
    passing = [
        names
        for names in choices(expr, scene)
        if expr.test is None or truth(evaluate(expr.test, scene.having(names)))
    ]
    if expr.kind == "each" and expr.size is not None:  # each different choice once (3.7)
        passing = [names for at, names in enumerate(passing) if names not in passing[:at]]
    items = [] if expr.item is None else [evaluate(expr.item, scene.having(names)) for names in passing]
    chosen = [names[expr.names[0]] for names in passing]
    match expr.kind:
        case "count":
            return len(passing)
        case "sum":
            return sum(number(item) for item in items)
        case "gather":
            return bag(value for item in items for value in members(item))
        case "most":
            return max((number(item) for item in items), default=0)
        case "least":
            return min((number(item) for item in items), default=0)
        case "each":
            return bag(_member(item, expr.type) for item in items)
        case "those":
            return bag(chosen)
        case "the":
            return chosen[0] if chosen and all(c == chosen[0] for c in chosen) else None
        case _:
            assert_never(expr.kind)


def _fits_score(patterns: Value, score: Value) -> bool:
    assert isinstance(patterns, Patterns)
    assert score is None or isinstance(score, ScoreValue)
    if score is None or not score.number_of:
        return score is not None and patterns in score.counted
    number_of = dict(score.number_of)
    recorded = {number_of[name] for name, _ in patterns.points if name in number_of} or set(
        number_of.values()
    )
    asked = [tuple(p for p in way.points if number_of[p[0]] in recorded) for way in score.counted]
    return patterns.points in asked
