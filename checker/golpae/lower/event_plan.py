"""Plan how to list an action's events: the order of its keys, the values to try, and which condition is asked when.

Input: a rule set and an action.
Output: a choice for who acts and for each key, with the source of its values and the conditions to ask after it; None
if the values of a key cannot be listed. And the keys whose tiles whoever acts cannot see.
Guarantee: a choice tries every value that the conditions admit. The facts of a condition (`tile in p's hand`,
`count = ...`) leave out only values for which it fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice, product
from math import prod
from typing import Any, NamedTuple, TypeGuard, assert_never

from golpae.ir import expr as ir
from golpae.ir import facts
from golpae.ir import types as ir_types
from golpae.ir.none_guards import NoneGuards, asks_for_none
from golpae.ir.ruleset import EVERYONE, Action, ParamDecl, RuleSet
from golpae.ir.traverse import free, nodes
from golpae.ir.types import TILES, Bag, Bool, Choice, Opt, Seat, Tile, Type
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import exprs_of, flat, transfers
from golpae.orders import distinct_orders
from golpae.records import dataclass

MOST_BAGS = 300  # bags of tiles that a key can be
GROUPS = Bag(TILES)


@dataclass(frozen=True, slots=True)
class Single:
    """No value: a choice that only asks conditions."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """None alone."""


@dataclass(frozen=True, slots=True)
class Only:
    """The one value that a condition names, if there is one."""

    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a bag; for a `{a, b}` key, all lists of them."""

    bag: ir.Expr


@dataclass(frozen=True, slots=True)
class Layouts:
    """All ways to arrange tiles, as a list of groups."""

    of: ir.LayOut


@dataclass(frozen=True, slots=True)
class RowEnd:
    """The tile at an end or a place of a row, or every tile of the row if nobody can know it."""

    of: ir.Fits | ir.FitsPlace


@dataclass(frozen=True, slots=True)
class Either:
    """The values that either of two sources gives, which are members of bags or ends of rows."""

    one: Members | RowEnd | Either
    other: Members | RowEnd | Either


@dataclass(frozen=True, slots=True)
class Selected:
    """Every choice of a number of tiles of a bag, each once."""

    bag: ir.Expr
    size: ir.Expr


@dataclass(frozen=True, slots=True)
class Parts:
    """Every part of a bag of tiles, the empty one among them."""

    bag: ir.Expr


@dataclass(frozen=True, slots=True)
class GroupsWithin:
    """Every list of groups of a shape that are together within a bag of tiles, the empty list among them."""

    shape: str
    bag: ir.Expr


@dataclass(frozen=True, slots=True)
class AnyList:
    """All lists of kinds of tiles, for a `{a, b}` key."""


@dataclass(frozen=True, slots=True)
class AnyValue:
    """All values of a type."""


@dataclass(frozen=True, slots=True)
class Between:
    """The numbers between two bounds, after none if the key may be left out."""

    low: ir.Expr
    high: ir.Expr


@dataclass(frozen=True, slots=True)
class AnyBag:
    """Every bag of tiles in play, in every order if that matters; none of them if the key is no bag of tiles."""

    ordered: bool


Source = (
    Single
    | Nothing
    | Only
    | Members
    | Layouts
    | RowEnd
    | Either
    | Selected
    | Parts
    | GroupsWithin
    | AnyList
    | AnyValue
    | Between
    | AnyBag
)


class Offered(NamedTuple):
    """Where the values of a key come from, if `given` holds, and whether none is to be tried too."""

    source: Source
    given: tuple[ir.Expr, ...] = ()
    may_be_none: bool = False


class Planned(NamedTuple):
    """A choice of the values of some names, those of a key unless `param` is None; then the conditions to ask.

    `bound` are the names that have values before it.
    """

    names: tuple[str, ...]
    param: ParamDecl | None
    offered: Offered
    bound: tuple[str, ...]
    tests: tuple[ir.Expr, ...]


CanList = Callable[[ParamDecl, Source], bool]


class EventPlans:
    """Plans how the events of one rule set are listed. `can_list` says if the values of a key are few enough."""

    def __init__(self, rules: RuleSet, can_list: CanList) -> None:
        self._rules = rules
        self._guards = NoneGuards(rules)
        self._can_list = can_list

    def plan(
        self, action: Action, params: Sequence[ParamDecl], only_listed: bool = False
    ) -> list[Planned] | None:
        """Return the choices for who acts and for these keys, or None if the values of one cannot be listed.

        With `only_listed`, such keys are left out instead, with the conditions that read them, and so are keys of which
        only none is tried.
        """
        sizes = {p.name for p in action.params if p.parts}  # a `{a, b}` parameter is listed in its length
        waiting = [e for e in explicit(action) if not free(e) & sizes]
        bound: tuple[str, ...] = ()
        plan = [Planned((), None, Offered(Single()), (), self.ready(waiting, bound))]
        if action.by is not None:
            bound = (action.by,)
            offered = self._suggested(action, bound, set()) or Offered(AnyValue())
            plan.append(Planned(bound, None, offered, (), self.ready(waiting, bound)))
        for param in params:
            names = param.parts or (param.name,)
            offered = self.offered(action, param, names, bound)
            if not self._can_list(param, offered.source):
                if only_listed:
                    continue
                if not param.optional:
                    return None
                offered = Offered(Nothing())
            waiting[:] = [e for e in waiting if not _holds_of_all(e, param, offered)]
            plan.append(Planned(names, param, offered, bound, self.ready(waiting, bound + names)))
            bound = bound + names
        return plan

    def ready(self, waiting: list[ir.Expr], bound: tuple[str, ...]) -> tuple[ir.Expr, ...]:
        """Return the conditions that can be asked now, and remove them from the waiting ones."""
        ready: list[ir.Expr] = []
        later: list[ir.Expr] = []
        for expr in waiting:  # one that takes for granted what one before it asks does not come before that
            can_be_asked = free(expr) <= set(bound)
            guarded = any(asks_for_none(e, bound) for e in later) and self._guards.take_for_granted(
                expr, bound
            )
            if can_be_asked and not guarded:
                ready.append(expr)
            else:
                later.append(expr)
        waiting[:] = later
        return tuple(ready)

    def offered(
        self, action: Action, param: ParamDecl, names: tuple[str, ...], bound: tuple[str, ...]
    ) -> Offered:
        """Return where the values of a key come from, once all names `bound` have one."""
        if asks_order(self._rules, action, param.name):
            return Offered(AnyBag(ordered=True))
        suggested = self._suggested(action, names, set(bound))
        if suggested is not None:
            return suggested
        if not _is_meld(param.type):  # which has a label too
            selection = self._selection(action, param, set(bound))
            if selection is not None:
                return selection
        if param.parts:
            return Offered(AnyList())
        if all_values(param.type, 0, 0) is not None:
            return Offered(AnyValue())
        if param.low is not None and param.high is not None and not _holds_several(param.type):
            return Offered(Between(param.low, param.high))
        return Offered(AnyBag(ordered=False))

    # ------------------------------------------------------------------ what conditions suggest

    def _suggested(self, action: Action, names: tuple[str, ...], bound: set[str]) -> Offered | None:
        """Return where values come from, if a condition names it; a single value rather than a bag."""
        best: Offered | None = None
        for given, fact in self._guards.facts_of(action, bound):
            source = _suggested(fact, names, bound)
            if isinstance(source, Only):
                return Offered(source, given)
            if source is not None:
                best = best or Offered(source, given)
        return best or self._if_given(action, names, bound)

    def _if_given(self, action: Action, names: tuple[str, ...], bound: set[str]) -> Offered | None:
        """Return the values that `k is none or ...` offers for a parameter `k`, apart from none."""
        for given, fact in self._guards.facts_of(action, bound):
            if not isinstance(fact, facts.Other) or not isinstance(fact.expr, ir.Op) or fact.expr.op != "or":
                continue
            first, rest = fact.expr.args
            if isinstance(first, ir.Op) and first.op == "is_none" and _is_name(first.args[0], names[0]):
                source = _suggested(facts.fact_of(rest), names, bound)
                if source is not None:
                    return Offered(source, given, may_be_none=True)
        return None

    def _selection(self, action: Action, param: ParamDecl, bound: set[str]) -> Offered | None:
        """Return the tiles that a key is part of, if a condition names them: with the number of tiles, if one names
        that too; of a list of groups, with the shape that they all have.
        """
        name, whole, together, size, shape = param.name, _Named(), _Named(), _Named(), _Named()
        for given, fact in self._guards.facts_of(action, bound):
            match fact:
                case facts.Within(part=part, whole=bag) if free(bag) <= bound:
                    if _is_name(part, name):
                        whole.add(bag, given)
                    if _is_name(part, name) or _is_all_of(part, name):
                        together.add(bag, given)
                case facts.Equal(left=left, right=number):
                    if _is_size_of(left, name) and free(number) <= bound:
                        size.add(number, given)
                case facts.Other(expr=ir.Quant() as every):
                    test = _test_of_all(every, name)
                    if test is not None:
                        shape.add(test, given)
                case _:
                    pass
        if isinstance(shape.expr, ir.IsShape) and together.expr is not None:
            source = GroupsWithin(shape.expr.shape, together.expr)
            return Offered(source, (*together.given, *shape.given)) if param.type == GROUPS else None
        if whole.expr is None:  # `tiles` holds all tiles of a list of melds, but is no list of melds
            return None
        if size.expr is not None:
            return Offered(Selected(whole.expr, size.expr), (*whole.given, *size.given))
        return Offered(Parts(whole.expr), whole.given) if param.type == TILES and not param.parts else None


class _Named:
    """The first expression that conditions name for something, and what has to hold first."""

    def __init__(self) -> None:
        self.expr: ir.Expr | None = None
        self.given: tuple[ir.Expr, ...] = ()

    def add(self, expr: ir.Expr, given: tuple[ir.Expr, ...]) -> None:
        self.expr, self.given = self.expr or expr, (*self.given, *given)


def explicit(action: Action) -> list[ir.Expr]:
    """Return the conditions that the rule text states."""
    return [c.expr for c in action.of_text]


def asks_order(rules: RuleSet, action: Action, name: str) -> bool:
    """Return whether an action asks for the order of a list: lists of the same tiles are different events then."""
    statements = [*flat(statements_of(rules, action))]
    if any(isinstance(s, st.Arrange) and _is_name(s.tiles, name) for s in statements):
        return True
    exprs = (*(c.expr for c in action.conditions), *(e for s in statements for e in exprs_of(s)))
    return any(isinstance(n, ir.FitsOrder) and _is_name(n.tiles, name) for e in exprs for n in nodes(e))


@dataclass(frozen=True, slots=True)
class UnseenKey:
    """A key that names tiles from where whoever acts cannot see: its place among the arguments, the zone that the tiles
    come from, and whose it is (None if it is shared, or if only the effects know that); the zones that they come to;
    whether each order of the tiles is an event of its own.
    """

    place: int
    name: str
    zone: str
    seat: ir.Expr | None
    targets: tuple[str, ...]
    is_ordered: bool


def unseen_keys(rules: RuleSet, action: Action) -> tuple[UnseenKey, ...]:
    """Return the keys of an action whose tiles come from a zone that whoever acts cannot see, in their order.

    A zone that others see at times counts as one that whoever acts can see. If nobody acts, these are the zones that
    not everybody sees. Of a deal there is none. The last effect that moves the tiles of a key from such a zone says
    which it is.
    """
    if action.kind == "deal":
        return ()
    zones = {zone.name: zone for zone in rules.zones}
    known = {name for param in action.params for name in (param.name, *param.parts)} | {action.by}
    keys: dict[int, UnseenKey] = {}
    for moved in transfers(statements_of(rules, action)):
        if moved.what is None or not isinstance(moved.source, ir.Place):
            continue
        zone, seat = zones[moved.source.zone], moved.source.seat
        own = isinstance(seat, ir.Local) and seat.name == action.by
        if zone.is_seen(own) and (action.by is not None or zone.seen_by == EVERYONE):
            continue
        if zone.also is not None and action.by is not None:
            continue  # whoever acts may see it now
        owner = seat if seat is not None and free(seat) <= known else None
        names = free(moved.what)
        target = (moved.target.zone,) if isinstance(moved.target, ir.Place) else ()
        for place, param in enumerate(action.params, int(action.by is not None)):
            if not names.isdisjoint((param.name, *param.parts)):
                before = keys[place].targets if place in keys else ()
                is_ordered = not param.parts and asks_order(rules, action, param.name)
                keys[place] = UnseenKey(place, param.name, zone.name, owner, before + target, is_ordered)
    return tuple(keys[place] for place in sorted(keys))


def all_bags(whole: Sequence[int], ordered: bool) -> list[tuple[int, ...]] | None:
    """Return every bag of some tiles, the smaller ones first, in every order if that matters; None if these are more
    than `MOST_BAGS`.
    """
    copies = Counter(whole)
    if prod(count + 1 for count in copies.values()) > MOST_BAGS:
        return None
    bags = [
        tuple(tile for tile, count in zip(copies, counts, strict=True) for _ in range(count))
        for counts in product(*(range(count + 1) for count in copies.values()))
    ]
    if ordered:
        bags = [*islice((order for bag in bags for order in distinct_orders(bag)), MOST_BAGS + 1)]
    if len(bags) > MOST_BAGS:
        return None
    return sorted(bags, key=lambda bag: (len(bag), bag))


def _suggested(fact: facts.Fact, names: tuple[str, ...], bound: set[str]) -> Source | None:
    """Return the one value that a fact leaves for these names, or what lists those worth trying."""
    name = names[0] if len(names) == 1 else None
    match fact:
        case facts.Equal():
            value = next((v for n, v in fact.sides() if _is_name(n, name) and free(v) <= bound), None)
            return None if value is None else Only(value)
        case facts.EachSeat(seat=seat, players=players, fact=facts.Equal(left=own, right=value)):
            if isinstance(own, ir.OwnValue) and _is_name(own.values, name) and _is_name(own.seat, seat):
                if free(value) <= bound | {seat}:
                    return Only(ir.Fold("each", (seat,), players, value, None, ir_types.Bag(value.type)))
            return None
        case facts.Member(item=item, bag=bag):
            return Members(bag) if _is_name(item, name) and free(bag) <= bound else None
        case facts.Within(part=part, whole=whole):
            if isinstance(part, ir.BagOf) and len(part.items) == len(names):
                if all(map(_is_name, part.items, names)) and free(whole) <= bound:
                    return Members(whole)
            return None
        case facts.LaidOut(groups=groups, tiles=tiles):
            return Layouts(fact.expr) if _is_name(groups, name) and free(tiles) <= bound else None
        case facts.AtEnd(tile=tile, seat=of):
            parts = [part for part in (of, fact.number) if part is not None]
            fits = _is_name(tile, name) and all(free(part) <= bound for part in parts)
            return RowEnd(fact.expr) if fits else None
        case facts.Other(expr=ir.If(yes=yes, no=no)):  # one of the two holds
            one, other = (_suggested(facts.fact_of(branch), names, bound) for branch in (yes, no))
            return Either(one, other) if _is_plain(one) and _is_plain(other) else None
        case facts.InOrder() | facts.EachSeat() | facts.Other():
            return None
        case _:
            assert_never(fact)


def _is_plain(source: Source | None) -> TypeGuard[Members | RowEnd | Either]:
    """Return whether a source reads zones of all players, so that it has values whatever else holds."""
    match source:
        case Members(bag=ir.ZoneRead(seat=seat)) | RowEnd(of=ir.Fits(seat=seat) | ir.FitsPlace(seat=seat)):
            return seat is None
        case Either():
            return True
        case _:
            return False


def _is_name(expr: ir.Expr, name: str | None) -> bool:
    return isinstance(expr, ir.Local) and expr.name == name


def _is_size_of(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Op) and expr.op == "size" and _is_name(expr.args[0], name)


def _holds_of_all(condition: ir.Expr, param: ParamDecl, offered: Offered) -> bool:
    """Return whether a condition says only that a key is one of the bags that it is chosen from."""
    if not isinstance(condition, ir.Op) or condition.op != "bag_member":
        return False
    item, bag = condition.args
    return isinstance(offered.source, Members) and offered.source.bag == bag and _is_name(item, param.name)


def _is_all_of(expr: ir.Expr, name: str) -> bool:
    """Return whether an expression is all tiles of a list of groups: `sum of g for g in NAME`."""
    return (
        isinstance(expr, ir.Fold)
        and expr.kind == "gather"
        and expr.test is None
        and _is_name(expr.domain, name)
        and expr.item is not None
        and _is_name(expr.item, expr.names[0])
    )


def _test_of_all(expr: ir.Quant, name: str) -> ir.IsShape | None:
    """Return the test that a condition makes of each group of a list, or None: the `g is SHAPE` of `every g in NAME: g
    is SHAPE`.
    """
    if (
        expr.kind != "every"
        or expr.size is not None
        or len(expr.names) != 1
        or not _is_name(expr.domain, name)
    ):
        return None
    body = expr.body
    return body if isinstance(body, ir.IsShape) and _is_name(body.arg, expr.names[0]) else None


def _holds_several(kind: Type) -> bool:
    bare = kind.item if isinstance(kind, Opt) else kind
    return isinstance(bare, ir_types.Each | ir_types.Bag)


def _is_meld(kind: Type) -> bool:
    return isinstance(kind.item if isinstance(kind, Opt) else kind, ir_types.Meld)


def all_values(kind: Type, kinds: int, players: int) -> list[Any] | None:
    """Return all values of a type, with so many kinds of tiles and players; None if they cannot be listed."""
    match kind:
        case Tile():
            return list(range(kinds))
        case Seat():
            return list(range(players))
        case Bool():
            return [False, True]
        case Choice(words):
            return list(words)
        case Opt(item):
            values = all_values(item, kinds, players)
            return None if values is None else [None, *values]
        case (
            ir_types.Int()
            | ir_types.Meld()
            | ir_types.Bag()
            | ir_types.Each()
            | ir_types.NoneType()
            | ir_types.Points()
            | ir_types.Patterns()
        ):
            return None
        case _:
            assert_never(kind)
