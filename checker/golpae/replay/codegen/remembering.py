"""Which definitions are remembered, and what their values depend on.

Input: the definitions of an instance.
Output: for a definition that is worth it, the source of a key: the arguments, and all that it reads of a game.
Guarantee: while the key is the same, so are the value and its steps. A key holds no more than is read: of a player whom
a parameter names, that player's own zones and states.

    define waits(p: seat): those t in kinds: p's hand + t is full    ->    (l_p, tuple(S.z_hand[l_p]))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through, read_by
from golpae.ir.ruleset import Definition
from golpae.ir.scoring import exprs_of_score, searches
from golpae.ir.traverse import bound_in, children, nodes
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay.state_layout import TOTAL, WORD_SLOTS, mangled, var_slot, zone_slot

DEAR = 20_000  # steps of a definition that is remembered even if it searches for nothing
MOST_PARTS = 24  # of a key
_PLAIN = (Bool, Int, Seat, Tile, Choice, NoneType)


class _Part(NamedTuple):
    """What is read: a zone, a state or a word by its `slot`; of the player whom a parameter `names`, or of a `seat`, if
    not of all. With `size`, only how many tiles are there.
    """

    slot: str
    names: str | None = None
    seat: int | None = None
    size: bool = False


class Remembered:
    """The definitions of one instance that are remembered, and their keys."""

    def __init__(
        self, instance: Instance, definitions: Mapping[str, Definition], steps: Mapping[str, int]
    ) -> None:
        rules = instance.rule_set
        self._definitions, self._steps = definitions, steps
        self._zones = {z.name: z for z in rules.zones}
        self._vars = {v.name: v for v in rules.vars}
        self._scores = {s.name: s for s in rules.scores}
        self._arrangements = {a.name for a in rules.arrangements}
        self._parts: dict[str, frozenset[_Part] | None] = {}

    def key(self, definition: Definition) -> str | None:
        """Return the source of the key of a definition; None if it is not remembered."""
        if not definition.params and not definition.cases:
            return None
        if not self._is_dear(definition) or not _is_simple(definition.type):
            return None
        own = [_argument(f"l_{mangled(p.name)}", p.type) for p in definition.params]
        parts = self._read(definition.name)
        if parts is None or len(parts) > MOST_PARTS or None in own:
            return None
        wider = {(part.slot, part.names, part.seat) for part in parts if not part.size}
        needed = [
            part
            for part in sorted(parts, key=repr)
            if not (part.size and wider & {(part.slot, part.names, part.seat), (part.slot, None, None)})
            and not (part[1:] != (None, None, False) and (part.slot, None, None) in wider)
        ]
        read = [self._source(part) for part in needed]
        if None in read:
            return None
        return f"({''.join(f'{one}, ' for one in (*own, *read))})"

    def _is_dear(self, definition: Definition) -> bool:
        """Return whether the value takes a search of arrangements, or many steps."""
        return self._steps[definition.name] >= DEAR or any(
            searches(node, self._arrangements)
            for case in definition.cases
            for node in nodes_through(case.expr, self._definitions)
        )

    # ------------------------------------------------------------------ what is read

    def _read(self, name: str) -> frozenset[_Part] | None:
        """Return all that a definition reads, itself or through others; None if that cannot be told."""
        if name not in self._parts:
            self._parts[name] = None  # a definition cannot depend on itself
            definition = self._definitions[name]
            parts: set[_Part] = set()
            known = True
            for case in definition.cases:
                params = {p.name for p in definition.params} - bound_in(case.expr)
                for part in self._within(case.expr, params):
                    known = known and part is not None
                    if part is not None:
                        parts.add(part)
            self._parts[name] = frozenset(parts) if known else None
        return self._parts[name]

    def _within(self, expr: ir.Expr, params: set[str]) -> Iterator[_Part | None]:
        """Yield the parts that an expression reads; None for those that cannot be told."""
        if isinstance(expr, ir.Earlier | ir.Implicit | ir.Ways):
            yield None
            return
        if isinstance(expr, ir.Op) and expr.op == "size" and isinstance(expr.args[0], ir.ZoneRead):
            zone = expr.args[0]
            yield self._of_seat(zone_slot(zone.name), zone.seat, params)._replace(size=True)
            if zone.seat is not None:
                yield from self._within(zone.seat, params)
            return
        read = read_by(expr)
        if read is not None:
            yield self._of_seat(self._slot(read.kind, read.name), read.seat, params)
        if isinstance(expr, ir.CallDef):
            yield from self._called(expr, params)
        if isinstance(expr, ir.CallScore):
            for own in exprs_of_score(self._scores[expr.name]):
                yield from self._within(own, set())
        for child in children(expr):
            yield from self._within(child, params)

    def _called(self, call: ir.CallDef, params: set[str]) -> Iterator[_Part | None]:
        inner = self._read(call.name)
        if inner is None:
            yield None
            return
        seats = dict(zip((p.name for p in self._definitions[call.name].params), call.args, strict=True))
        for part in inner:
            if part.names is None:
                yield part
            else:
                yield self._of_seat(part.slot, seats[part.names], params)._replace(size=part.size)

    def _slot(self, kind: str, name: str) -> str:
        if kind == "zone":
            return zone_slot(name)
        if kind == "state":
            return var_slot(name)
        return {"over": "at", "winner": "winners", "total": TOTAL, **WORD_SLOTS}[name]

    def _of_seat(self, slot: str, seat: ir.Expr | None, params: set[str]) -> _Part:
        if isinstance(seat, ir.Local) and seat.name in params:
            return _Part(slot, names=seat.name)
        if isinstance(seat, ir.Const) and isinstance(seat.value, int):
            return _Part(slot, seat=seat.value)
        return _Part(slot)

    # ------------------------------------------------------------------ the source of a key

    def _source(self, part: _Part) -> str | None:
        """Return the source of a part of a key; None if it could not be one."""
        at = f"S.{part.slot}"
        for zone in self._zones.values():
            if zone_slot(zone.name) == part.slot:
                return _each(at, part, zone.each_player, _of_zone(zone.kind, part.size))
        for var in self._vars.values():
            if var_slot(var.name) == part.slot:
                own = _of_value(var.type)
                return None if own is None else _each(at, part, var.each_player, own)
        return _each(at, part, part.slot == TOTAL, "{}")


def _each(at: str, part: _Part, each_player: bool, own: str) -> str:
    """Return the source of one player's own, or of all players'."""
    if not each_player:
        return own.format(at)
    if part.names is not None:
        return own.format(f"{at}[l_{mangled(part.names)}]")
    if part.seat is not None:
        return own.format(f"{at}[{part.seat}]")
    return f"tuple({at})" if own == "{}" else f"tuple([{own.format('v')} for v in {at}])"


def _of_zone(kind: str, size: bool) -> str:
    if size:
        return "len({}.slots)" if kind == "row" else "len({})"
    return "{0}.key()" if kind == "row" else "tuple({})"


def _argument(name: str, kind: Type) -> str | None:
    """Return the source of an argument as a part of a key."""
    own = _of_value(kind)
    return None if own is None else own.format(name)


def _of_value(kind: Type) -> str | None:
    """Return the source of a value as a part of a key; None if it has members that have members."""
    match kind:
        case Bool() | Int() | Seat() | Tile() | Choice() | NoneType():
            return "{}"
        case Opt(item) if isinstance(item, _PLAIN):
            return "{}"
        case Bag(item) if isinstance(item, _PLAIN):
            return "tuple({})"
        case Bag() | Meld() | Opt() | Each() | Points() | Patterns():
            return None
        case _:
            assert_never(kind)


def _is_simple(kind: Type) -> bool:
    """Return whether a value is no part of anything that changes in place, once its members are copied."""
    return _of_value(kind) is not None


def asks_nothing(expr: ir.Expr) -> bool:
    """Return whether an expression takes no steps: it is put together from values that are there."""
    return all(
        isinstance(node, ir.Local | ir.StateRead | ir.ZoneRead | ir.Const | ir.Faces | ir.BagOf | ir.Builtin)
        or (isinstance(node, ir.Op) and node.op in ("bag_add", "bag_sub"))
        for node in nodes(expr)
    )
