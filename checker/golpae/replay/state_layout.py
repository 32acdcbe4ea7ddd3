"""The layout of a game's state: the names of its slots, and how they are read, compared and copied.

Input: a rule set, and states of its machine.
Output: names of slots for generated code, the values in them, keys for dictionaries, equality, the source of a copy.
Guarantee: no other module spells the name of a slot. Different names of the language have different slots.

    zone `discard-pile`    ->    z_discard_pile      one zone, or a list of zones if each player has one
    state `drawn`          ->    v_drawn             one value, or a list of values if each player has one
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, assert_never

from golpae.ir.distinct_names import MARK
from golpae.ir.ruleset import TABLE, RuleSet, VarDecl, ZoneDecl
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.ir.types import Meld as MeldType
from golpae.replay.runtime import Meld, Row, value_key

State = Any  # the generated state class

PLAIN_SLOTS = ("at", "stake", "winners", "hands_played")  # whose values are never changed in place
TOTAL = "total"  # the points of each seat
WORD_SLOTS = {"stake": "stake", "hands-played": "hands_played"}  # of words of the match, one value each


@lru_cache(maxsize=4096)
def mangled(name: str) -> str:
    """Return a name of the language as part of a Python name; different names stay different.

    Raises `ValueError` if it is no name: whatever a rule set holds, only names get into the code that is made of it.
    """
    part = name.replace("_", "__").replace("-", "_").replace(MARK, "·")
    if not f"_{part}".isidentifier():
        raise ValueError("this is no name of the language")
    return part


@lru_cache(maxsize=1024)
def zone_slot(name: str) -> str:
    """Return the slot of a zone."""
    return f"z_{mangled(name)}"


@lru_cache(maxsize=1024)
def var_slot(name: str) -> str:
    """Return the slot of a state of the rules."""
    return f"v_{mangled(name)}"


def slots(rules: RuleSet) -> tuple[str, ...]:
    """Return all slots of a state."""
    variables = (var_slot(v.name) for v in rules.vars)
    return (*PLAIN_SLOTS, TOTAL, *variables, *(zone_slot(z.name) for z in rules.zones))


# ------------------------------------------------------------------ reading


def zone_in(state: State, name: str) -> Any:
    """Return a zone, or the list of each player's."""
    return getattr(state, zone_slot(name))


def var_in(state: State, name: str) -> Any:
    """Return the value of a state of the rules, or the list of each player's."""
    return getattr(state, var_slot(name))


def winners_in(state: State, rules: RuleSet) -> tuple[int, ...]:
    """Return the seats that have won the hand."""
    if rules.winners_state is None:
        return () if state.winner is None else (state.winner,)
    return tuple(seat for seat, has_won in enumerate(var_in(state, rules.winners_state)) if has_won)


def zones_in(state: State, zone: ZoneDecl) -> list[Any]:
    """Return the zones of one declaration: each player's, or the only one."""
    value = zone_in(state, zone.name)
    return list(value) if zone.each_player else [value]


# ------------------------------------------------------------------ comparing


def same_state(one: State, other: State) -> bool:
    """Return whether two states are the same for everything that a rule can read; bags compare in their order.

    The two may come from two machines. If one has slots that the other lacks, they differ.
    """
    if type(one).__slots__ != type(other).__slots__:
        return False
    return all(_same(getattr(one, slot), getattr(other, slot)) for slot in type(one).__slots__)


def _same(one: Any, other: Any) -> bool:
    if one.__class__ is Row:
        return bool(one.slots == other.slots and one.hidden == other.hidden)
    if one.__class__ is Meld:
        return bool(one == other and one.label == other.label)
    if one.__class__ is list:
        return other.__class__ is list and len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


class StateKey:
    """Turns states into values that are equal exactly if the states are the same for the rules.

    The stake, the number of hands and the totals of the match are left out, except for those that `words` names. So are
    the states of the table, which no game changes, and those that `unread` names. With `match`, everything that the
    next deal replaces is left out.
    """

    def __init__(
        self, rules: RuleSet, words: Iterable[str] = (), match: bool = False, unread: Collection[str] = ()
    ) -> None:
        self._slots = [] if match else ["at", "winners"]
        self._slots += [slot for word, slot in WORD_SLOTS.items() if word in words]
        self._has_totals = "total" in words
        self._parts: list[tuple[str, bool, Callable[[Any], Hashable]]] = []
        if not match:
            self._parts += [(zone_slot(z.name), z.each_player, ZONE_KEYS[z.kind]) for z in rules.zones]
        self._parts += [
            (var_slot(v.name), v.each_player, _key_of(v.type))
            for v in rules.vars
            if (v.scope == "match" or not (match or v.scope == TABLE)) and v.name not in unread
        ]

    def __call__(self, state: State) -> Hashable:
        """Return the key of a state."""
        key: list[Hashable] = [getattr(state, slot) for slot in self._slots]
        if self._has_totals:
            key.append(tuple(state.total))
        for slot, each, key_of in self._parts:
            value = getattr(state, slot)
            key.append(tuple(map(key_of, value)) if each else key_of(value))
        return tuple(key)


def _key_of(kind: Type) -> Callable[[Any], Hashable]:
    """Return a function that makes a key of a value of this type."""
    match kind:
        case Bag() | MeldType():
            return value_key
        case Opt(item):
            inner = _key_of(item)
            return lambda value: None if value is None else inner(value)
        case Each(item):
            each = _key_of(item)
            return lambda value: None if value is None else tuple(map(each, value))
        case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
            return lambda value: value
        case _:
            assert_never(kind)


def _row_key(row: Row) -> Hashable:
    return tuple(row.slots), tuple(sorted(row.hidden))


def _tiles_key(tiles: list[int]) -> Hashable:
    return tuple(sorted(tiles))


ZONE_KEYS: dict[str, Callable[[Any], Hashable]] = {"row": _row_key, "melds": value_key, "tiles": _tiles_key}


# ------------------------------------------------------------------ generated code


def copies(rules: RuleSet) -> Iterator[str]:
    """Yield the lines that copy every slot of `S` to `C`."""
    for slot in PLAIN_SLOTS:
        yield f"C.{slot} = S.{slot}"
    yield f"C.{TOTAL} = S.{TOTAL}[:]"
    for var in rules.vars:
        yield f"C.{var_slot(var.name)} = {copied_var(var)}"
    for zone in rules.zones:
        yield f"C.{zone_slot(zone.name)} = {copied_zone(zone)}"


def copied_var(var: VarDecl) -> str:
    """Return the expression that copies the value of a state of the rules out of `S`."""
    return f"S.{var_slot(var.name)}" + ("[:]" if var.each_player else "")


def copied_zone(zone: ZoneDecl) -> str:
    """Return the expression that copies a zone, or each player's, out of `S`."""
    source = f"S.{zone_slot(zone.name)}"
    copied = "{}.copy()" if zone.kind == "row" else "{}[:]"
    return f"[{copied.format('z')} for z in {source}]" if zone.each_player else copied.format(source)
