"""All legal events of a state, by trying every value of every key (6.6).

Input: a table, a state, and a `Scope`, which says what to try where there is no end of values. Output: each legal
event, as a trace records it, with its verdict.
Guarantee: no event comes twice; events that differ only in the order of a list come once, unless some expression of the
action asks for that order (4.3, 4.8), or the list is the `reserve` of a row. Slow: for tables with a few tiles.

Not tried are values that no condition lets through: of `hands` those of another size or beyond the set, of `pay` and of
`totals` and `winners` all but the right ones, bags with more copies than are in play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Dealing, ParamDecl
from golpae.ir.traverse import exprs_in, flat, nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import (
    Bool,
    Choice,
    Each,
    Int,
    NoneType,
    Opt,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.ir.types import (
    Meld as MeldType,
)
from golpae.ir.types import (
    Patterns as PatternsType,
)
from tests.judge.evaluate import Scene, evaluate
from tests.judge.events import STAGES, Legal, of_the_text, try_event
from tests.judge.faults import Refused
from tests.judge.match import hand_size, payments, totals_left
from tests.judge.reading import meld_labels
from tests.judge.state import State
from tests.judge.table import Table
from tests.judge.values import Bag, Value, number, sub_bags

Recorded = object  # a value as a trace has it


@dataclass(frozen=True)
class Scope:
    """What is tried where there is no end of values.

    `numbers` stand for a number without bounds. `most` is the largest bag that is tried for a key, `groups` the most
    bags in a list of them. `keys` gives all values, as recorded, of a key of an action, and goes before everything
    else. `reserves` is how many orders of the reserve are tried (None: all), `hands` how many deals.
    """

    numbers: Sequence[int] = (-1, 0, 1, 2, 3)
    patterns: Sequence[Mapping[str, int]] = ({},)
    most: int = 4
    groups: int = 3
    keys: Mapping[tuple[str, str], Sequence[Recorded]] = field(default_factory=dict)
    hands: int | None = None
    reserves: int | None = None


def legal_events(
    table: Table, state: State, scope: Scope | None = None
) -> list[tuple[dict[str, object], Legal]]:
    """Return every legal event of a state with what it leads to."""
    found: list[tuple[dict[str, object], Legal]] = []
    for event in candidates(table, state, scope or Scope()):
        verdict = try_event(table, state, event)
        if isinstance(verdict, Legal):
            found.append((event, verdict))
    return found


def candidates(table: Table, state: State, scope: Scope) -> Iterator[dict[str, object]]:
    """Return every event that is worth a try."""
    for action in table.rules.actions:
        if state.stage not in STAGES[action.kind]:
            continue
        heads: list[dict[str, object]] = [{"do": action.name}]
        if action.by is not None:
            heads = [{"do": action.name, "by": seat} for seat in table.seats]
        for head, fixed in product(heads, _fixed(table, state, action, scope)):
            own = [p for p in action.params if p.name not in fixed]
            for chosen in product(*(list(_values(p, action, table, state, scope)) for p in own)):
                event: dict[str, object] = {**head, **fixed}
                event.update({p.name: v for p, v in zip(own, chosen, strict=True) if v is not LEFT_OUT})
                yield {key: value for key, value in event.items() if value is not LEFT_OUT}


class _LeftOut:
    pass


LEFT_OUT = _LeftOut()


def named(table: Table, tiles: Sequence[Value]) -> list[str]:
    """Return tiles as a trace has them."""
    return [table.instance.kinds[number(tile)].name for tile in tiles]


# ---------------------------------------------------------------- the keys of every game


def _fixed(table: Table, state: State, action: Action, scope: Scope) -> Iterator[dict[str, object]]:
    """Return the values of the keys that an event has in every game."""
    match action.kind:
        case "play" | "before":
            yield {}
        case "deal":
            assert action.dealing is not None
            yield from _deals(table, state, action.dealing, scope)
        case "end":
            try:
                yield {"winner": state.winner, "pay": list(payments(action, Scene(table, state)))}
            except Refused:
                return
        case "finish":
            totals = totals_left(action, Scene(table, state))
            winners = [seat for seat in table.seats if totals[seat] == max(totals)]
            yield {"totals": list(totals), "winners": winners}
        case _:
            assert_never(action.kind)


def _deals(table: Table, state: State, dealing: Dealing, scope: Scope) -> Iterator[dict[str, object]]:
    is_row = table.zone(dealing.zone).kind == "row"
    for first in table.seats:
        scene = Scene(table, state, {"first": first})
        sizes = [hand_size(dealing, seat, first, scene) for seat in table.seats]
        for count, (hands, rest) in enumerate(_hands(sizes, table.whole)):
            if scope.hands is not None and count >= scope.hands:
                break
            deal: dict[str, object] = {
                "first": first,
                "hands": [named(table, hand.members) for hand in hands],
            }
            yield {**deal, "reserve": LEFT_OUT}
            orders = dict.fromkeys(permutations(rest.members)) if is_row else [rest.members]
            for place, order in enumerate(orders):
                if scope.reserves is not None and place >= scope.reserves:
                    break
                yield {**deal, "reserve": named(table, order)}


def _hands(sizes: Sequence[int], left: Bag) -> Iterator[tuple[tuple[Bag, ...], Bag]]:
    if not sizes:
        yield (), left
        return
    for hand in sub_bags(left):
        if len(hand) == sizes[0]:
            for others, rest in _hands(sizes[1:], left.minus(hand)):
                yield (hand, *others), rest


# ---------------------------------------------------------------- the keys of a text


def _values(param: ParamDecl, action: Action, table: Table, state: State, scope: Scope) -> Iterator[Recorded]:
    if param.optional:
        yield LEFT_OUT
    if (action.name, param.name) in scope.keys:
        yield from scope.keys[action.name, param.name]
        return
    kind = param.type.item if param.optional and isinstance(param.type, Opt) else param.type
    if param.low is not None and param.high is not None:
        low, high = (number(evaluate(bound, Scene(table, state))) for bound in (param.low, param.high))
        scope = Scope(range(low, high + 1), scope.patterns, scope.most, scope.groups)
    if param.parts:
        for tiles in sub_bags(table.whole):
            if len(tiles) == len(param.parts):
                yield named(table, tiles.members)
        return
    for value in _of_type(kind, table, scope):
        if isinstance(value, list) and kind == BagType(Tile()) and _asks_order(action, param.name):
            yield from (list(order) for order in dict.fromkeys(permutations(value)))
        else:
            yield value


def _of_type(kind: Type, table: Table, scope: Scope) -> Iterator[Recorded]:
    """Return the values of a type, as a trace records them."""
    match kind:
        case Bool():
            yield from (False, True)
        case Int():
            yield from scope.numbers
        case Seat():
            yield from table.seats
        case Tile():
            yield from (k.name for k in table.instance.kinds)
        case Choice(words):
            yield from words
        case Opt(item):
            yield None
            yield from _of_type(item, table, scope)
        case Each(item):
            yield from (list(v) for v in product(*(list(_of_type(item, table, scope)) for _ in table.seats)))
        case BagType(Tile()):
            yield from (named(table, b.members) for b in sub_bags(table.whole) if len(b) <= scope.most)
        case BagType(BagType(Tile())):
            yield from ([tiles for _, tiles in groups] for groups in _groups(table, scope, [None]))
        case BagType(MeldType()):
            yield from (
                [_meld(*group) for group in groups] for groups in _groups(table, scope, _labels(table))
            )
        case MeldType():
            for tiles in sub_bags(table.whole):
                if 0 < len(tiles) <= scope.most:
                    yield from (_meld(label, named(table, tiles.members)) for label in _labels(table))
        case BagType(item):
            items = list(_of_type(item, table, scope))
            for counts in product(range(scope.most + 1), repeat=len(items)):
                if sum(counts) <= scope.most:
                    yield [v for v, n in zip(items, counts, strict=True) for _ in range(n)]
        case PatternsType():
            yield from (dict(patterns) for patterns in scope.patterns)
        case NoneType():
            yield None
        case Points():
            return
        case _:
            assert_never(kind)


def _labels(table: Table) -> list[str | None]:
    return [None, *sorted(meld_labels(table))]


def _meld(label: str | None, tiles: list[str]) -> list[Recorded]:
    """Return a meld as a trace has it; a single tile after a label would stand for as many as the shape has."""
    if label is None:
        return [*tiles]
    return [label, *tiles] if len(tiles) > 1 else [label, tiles]


def _groups(
    table: Table, scope: Scope, labels: Sequence[str | None]
) -> Iterator[list[tuple[str | None, list[str]]]]:
    """Return every list of groups of tiles that the set has together."""
    groups = [b for b in sub_bags(table.whole) if 0 < len(b) <= scope.most]
    kinds = [(label, group) for group in groups for label in labels]

    def choose(start: int, left: Bag, more: int) -> Iterator[list[tuple[str | None, list[str]]]]:
        yield []
        if more == 0:
            return
        for place in range(start, len(kinds)):
            label, group = kinds[place]
            if left.holds(group):
                for rest in choose(place, left.minus(group), more - 1):
                    yield [(label, named(table, group.members)), *rest]

    yield from choose(0, table.whole, scope.groups)


def _asks_order(action: Action, key: str) -> bool:
    """Return whether an action asks for the order of a key."""
    effects = [e for clause in action.effects for e in flat(clause.effects)]
    if any(isinstance(e, ir.Arrange) and _is_key(e.tiles, key) for e in effects):
        return True
    exprs = [*(c.expr for c in of_the_text(action)), *exprs_in(effects)]
    found = [node for expr in exprs for node in nodes(expr) if isinstance(node, ir.FitsOrder)]
    return any(_is_key(node.tiles, key) for node in found)


def _is_key(expr: ir.Expr, key: str) -> bool:
    return isinstance(expr, ir.Local) and expr.name == key
