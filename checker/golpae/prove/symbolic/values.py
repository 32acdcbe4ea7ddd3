"""Values that may be known or unknown, and what can be done with them.

Truths are Python's or z3's, numbers likewise. A seat, tile, word or none that is not known is a `Pick` of the
values that it may have. A bag says of each value how often it is in it. Whatever is known is worked out at
once, so a z3 term only ever speaks of what is unknown:

    conj(True, x)  ->  x        plus(2, 3)  ->  5        same(Pick(((a, 1), (b, 2))), 1)  ->  a

INVARIANT: the guards of a `Pick` exclude one another, and one of them holds.
INVARIANT: no count of a bag is negative; a bag does not mention values that it certainly lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import z3

Truth = Any  # bool | z3.BoolRef
Number = Any  # int | z3.ArithRef
Value = Any  # a truth, number, seat, tile, word, None, Pick, Bag or list (one for each player)


class Unsupported(Exception):
    """The prover has no way yet to put this into a solver's terms."""


# ------------------------------------------------------------------ z3's terms
#
# Made by the library's C functions: its operators look at sorts and contexts anew for each term, which takes most
# of the time where millions of terms are made.

_CONTEXT = z3.main_ctx()
_REF = _CONTEXT.ref()
_NUMBERS: dict[int, Any] = {}


def _term(number: Number) -> Any:
    """A number as a term."""
    if not isinstance(number, int):
        return number
    if number not in _NUMBERS:
        _NUMBERS[number] = z3.IntVal(number)
    return _NUMBERS[number]


def _array(parts: list[Any]) -> Any:
    return (z3.Ast * len(parts))(*(p.ast for p in parts))


def _truth(ast: Any) -> Any:
    return z3.BoolRef(ast, _CONTEXT)


def _number(ast: Any) -> Any:
    return z3.ArithRef(ast, _CONTEXT)


# ------------------------------------------------------------------ truths


def conj(*parts: Truth) -> Truth:
    return all_of(parts)


def disj(*parts: Truth) -> Truth:
    return any_of(parts)


def all_of(parts: Iterable[Truth]) -> Truth:
    """Whether all hold; stops at the first that certainly does not."""
    unknown = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            unknown.append(part)
    if not unknown:
        return True
    if len(unknown) == 1:
        return unknown[0]
    return _truth(z3.Z3_mk_and(_REF, len(unknown), _array(unknown)))


def any_of(parts: Iterable[Truth]) -> Truth:
    """Whether some part holds; stops at the first that certainly does."""
    unknown = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            unknown.append(part)
    if not unknown:
        return False
    if len(unknown) == 1:
        return unknown[0]
    return _truth(z3.Z3_mk_or(_REF, len(unknown), _array(unknown)))


def negate(part: Truth) -> Truth:
    if part is True or part is False:
        return not part
    if z3.Z3_get_ast_kind(_REF, part.ast) == z3.Z3_APP_AST and z3.is_not(part):
        return part.arg(0)
    return _truth(z3.Z3_mk_not(_REF, part.ast))


def implies(left: Truth, right: Truth) -> Truth:
    if left is False or right is True:
        return True
    if left is True:
        return right
    if right is False:
        return negate(left)
    return _truth(z3.Z3_mk_implies(_REF, left.ast, right.ast))


def iff(left: Truth, right: Truth) -> Truth:
    if left is True or left is False:
        return right if left else negate(right)
    if right is True or right is False:
        return left if right else negate(left)
    return _truth(z3.Z3_mk_eq(_REF, left.ast, right.ast))


def is_long(truth: Truth, most: int = 60) -> bool:
    """Whether a truth is a term of more than so many parts."""
    todo, seen = [truth] if isinstance(truth, z3.ExprRef) else [], 0
    while todo:
        seen += 1
        if seen > most:
            return True
        todo += todo.pop().children()
    return False


def constants(truths: Iterable[Truth]) -> set[str]:
    """The names of all unknown values in some truths."""
    out: set[str] = set()
    seen: set[int] = set()
    todo = [t for t in truths if isinstance(t, z3.ExprRef)]
    while todo:
        term = todo.pop()
        if term.ast.value in seen:
            continue
        seen.add(term.ast.value)
        if z3.is_const(term):
            if term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                out.add(str(term.decl().name()))
        else:
            todo += term.children()
    return out


# ------------------------------------------------------------------ numbers


def plus(*parts: Number) -> Number:
    return total_of(parts)


def total_of(parts: Iterable[Number]) -> Number:
    known, unknown = 0, []
    for part in parts:
        if isinstance(part, int):
            known += part
        else:
            unknown.append(part)
    if not unknown:
        return known
    if known:
        unknown.append(_term(known))
    if len(unknown) == 1:
        return unknown[0]
    return _number(z3.Z3_mk_add(_REF, len(unknown), _array(unknown)))


def minus(left: Number, right: Number) -> Number:
    if isinstance(right, int):
        return left if right == 0 else plus(left, -right)
    return _number(z3.Z3_mk_sub(_REF, 2, _array([_term(left), right])))


def times(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int):
            if one == 0:
                return 0
            if one == 1:
                return other
    return _number(z3.Z3_mk_mul(_REF, 2, _array([_term(left), _term(right)])))


def at_least(left: Number, right: Number) -> Truth:
    if isinstance(left, int) and isinstance(right, int):
        return left >= right
    return _truth(z3.Z3_mk_ge(_REF, _term(left).ast, _term(right).ast))


def equal(left: Number, right: Number) -> Truth:
    """Whether two numbers are the same."""
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    one, other = _term(left).ast, _term(right).ast
    return True if z3.Z3_is_eq_ast(_REF, one, other) else _truth(z3.Z3_mk_eq(_REF, one, other))


def ite_number(test: Truth, yes: Number, no: Number) -> Number:
    """One number or the other."""
    if test is True or yes is no:
        return yes
    if test is False:
        return no
    if isinstance(yes, int) and isinstance(no, int) and yes == no:
        return yes
    return _number(z3.Z3_mk_ite(_REF, test.ast, _term(yes).ast, _term(no).ast))


# ------------------------------------------------------------------ values of few


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that lie together, sorted by kind; a label where they were given one."""

    tiles: tuple[int, ...]
    label: str | None = None


@dataclass(frozen=True, slots=True)
class GuardedUnion:
    """One of some values, each under the guard of its pair."""

    cases: tuple[tuple[Truth, Value], ...]
    _key: list[Any] = field(default_factory=list, compare=False, repr=False)  # worked out once


def cases(value: Value) -> tuple[tuple[Truth, Value], ...]:
    """The values that one may have, each with its guard."""
    return value.cases if isinstance(value, GuardedUnion) else ((True, value),)


def guarded_union(found: Iterable[tuple[Truth, Value]]) -> Value:
    """One value of some. Raises `Unsupported` where there is none."""
    guards: dict[Any, list[Truth]] = {}
    values: dict[Any, Value] = {}
    for guard, value in found:
        if guard is False:
            continue
        for inner, plain in cases(value):
            key = (plain.__class__, plain) if _plain(plain) else id(plain)
            guards.setdefault(key, []).append(conj(guard, inner))
            values[key] = plain
    left = [(any_of(g), values[k]) for k, g in guards.items()]
    left = [(g, v) for g, v in left if g is not False]
    if not left:
        raise Unsupported("a value that there is none of")
    if len(left) == 1:
        return left[0][1]
    for guard, value in left:
        if guard is True:
            return value
    return GuardedUnion(tuple(left))


def _plain(value: Value) -> bool:
    return value is None or isinstance(value, int | str | Group)


def same(left: Value, right: Value) -> Truth:
    """Whether two seats, tiles, words, numbers, truths, groups or nones are the same."""
    if not isinstance(left, GuardedUnion) and not isinstance(right, GuardedUnion):
        return _same(left, right)
    return any_of(
        conj(a, b, s) for a, x in cases(left) for b, y in cases(right) if (s := _same(x, y)) is not False
    )


def _same(left: Value, right: Value) -> Truth:
    if left is None or right is None:
        return left is right
    if isinstance(left, Group) and isinstance(right, Group):
        return left.tiles == right.tiles
    if isinstance(left, bool | z3.BoolRef) or isinstance(right, bool | z3.BoolRef):
        return iff(left, right)
    if isinstance(left, z3.ArithRef) or isinstance(right, z3.ArithRef):
        return equal(left, right)
    return bool(left == right)


def ite(test: Truth, yes: Value, no: Value) -> Value:
    """One value or the other, of any type."""
    if test is True:
        return yes
    if test is False:
        return no
    return merge([(test, yes), (negate(test), no)])


def merge(found: list[tuple[Truth, Value]]) -> Value:
    """One value of some, of any type. INVARIANT: the guards exclude one another, and one of them holds."""
    found = [(g, v) for g, v in found if g is not False]
    if not found:
        raise Unsupported("a value that there is none of")
    if len(found) == 1:
        return found[0][1]
    first = found[0][1]
    if all(isinstance(v, Bag) for _, v in found):
        keys = dict.fromkeys(k for _, v in found for k in v.counts)
        return Bag({k: _ladder([(g, v.count(k)) for g, v in found]) for k in keys})
    if isinstance(first, list):
        return [merge([(g, v[i]) for g, v in found]) for i in range(len(first))]
    if all(isinstance(v, bool | z3.BoolRef) for _, v in found):
        return any_of(conj(g, v) for g, v in found)
    return guarded_union(found)


def number_of(found: list[tuple[Truth, Number]]) -> Number:
    """One number of some, under guards as in `merge`."""
    return _ladder([(g, v) for g, v in found if g is not False])


def _ladder(found: list[tuple[Truth, Number]]) -> Number:
    """One number of some; guards as in `merge`."""
    value = found[-1][1]
    for guard, number in reversed(found[:-1]):
        value = ite_number(guard, number, value)
    return value


def as_truth(value: Value) -> Truth:
    """A truth that was kept as a `Pick` of truths; none counts as no."""
    if isinstance(value, GuardedUnion):
        return any_of(conj(g, v) for g, v in value.cases if v is not None)
    return value


def as_number(value: Value) -> Number:
    """A number that was kept as a `Pick` of numbers; none counts as 0."""
    if isinstance(value, GuardedUnion):
        return _ladder([(g, 0 if v is None else v) for g, v in value.cases])
    return 0 if value is None else value


# ------------------------------------------------------------------ bags


@dataclass(frozen=True, slots=True)
class Bag:
    """How often each value is in a bag."""

    counts: Mapping[Any, Number]
    _size: list[Number] = field(default_factory=list, compare=False, repr=False)  # worked out once
    _tiles: list[Number] = field(default_factory=list, compare=False, repr=False)
    _key: list[Any] = field(default_factory=list, compare=False, repr=False)

    def count(self, key: Any) -> Number:
        return self.counts.get(key, 0)

    def items(self) -> Iterator[tuple[Any, Number]]:
        """The values that may be in it, with how often."""
        return ((k, c) for k, c in self.counts.items() if not (c.__class__ is int and c == 0))

    @property
    def concrete(self) -> bool:
        return all(c.__class__ is int for c in self.counts.values())

    def tiles(self) -> tuple[Any, ...]:
        """All that is in a known bag, sorted."""
        return tuple(sorted(k for k, c in self.items() for _ in range(c)))


EMPTY = Bag({})


def bag_of(values: Iterable[Value]) -> Bag:
    """The bag of values that may be picks; none counts as nothing."""
    parts: dict[Any, list[Number]] = {}
    for value in values:
        for guard, plain in cases(value):
            if plain is not None:
                parts.setdefault(as_key(plain), []).append(ite_number(guard, 1, 0))
    return Bag({k: total_of(v) for k, v in parts.items()})


def as_key(value: Value) -> Any:
    """A value as one that a bag may hold. A bag of tiles becomes a group."""
    if isinstance(value, Bag):
        if not value.concrete:
            raise Unsupported("a bag of bags that are not known")
        return Group(value.tiles())
    if isinstance(value, z3.ExprRef):
        raise Unsupported("a bag of numbers that are not known")
    return value


def group_bag(group: Group) -> Bag:
    counts: dict[int, int] = {}
    for tile in group.tiles:
        counts[tile] = counts.get(tile, 0) + 1
    return Bag(counts)


def as_bag(value: Value) -> Bag:
    """A group, or a pick of groups, as the bag of its tiles."""
    if isinstance(value, Bag):
        return value
    if isinstance(value, Group):
        return group_bag(value)
    if isinstance(value, GuardedUnion):
        found = merge([(g, EMPTY if v is None else as_bag(v)) for g, v in value.cases])
        assert isinstance(found, Bag)
        return found
    raise Unsupported(f"{value!r} as a bag")


def joined(*bags: Bag) -> Bag:
    """All that is in some bags."""
    parts: dict[Any, list[Number]] = {}
    for bag in bags:
        for key, count in bag.items():
            parts.setdefault(key, []).append(count)
    return Bag({k: total_of(v) for k, v in parts.items()})


def without(left: Bag, right: Bag) -> Bag:
    """The left bag without what is in the right one, as far as it has it."""
    out = dict(left.counts)
    for key, count in right.items():
        if key in out:
            have = out[key]
            out[key] = ite_number(at_least(have, count), minus(have, count), 0)
    return Bag({k: c for k, c in out.items() if not (c.__class__ is int and c == 0)})


def size(bag: Bag) -> Number:
    if not bag._size:
        bag._size.append(total_of(c for _, c in bag.items()))
    return bag._size[0]


def tiles_of(bag: Bag) -> Bag:
    """The tiles of a bag of tiles or of groups."""
    if not any(isinstance(k, Group) for k in bag.counts):
        return bag
    return joined(*(Bag({t: times(c, n) for t, n in group_bag(g).items()}) for g, c in bag.items()))


def how_many_tiles(bag: Bag) -> Number:
    """How many tiles are in a bag of tiles or of groups."""
    if not bag._tiles:
        parts = (times(c, len(k.tiles)) if isinstance(k, Group) else c for k, c in bag.items())
        bag._tiles.append(total_of(parts))
    return bag._tiles[0]


def holds(bag: Bag, value: Value, times_: int = 1) -> Truth:
    """Whether a value is in a bag, so many times."""
    return any_of(
        conj(guard, at_least(bag.count(as_key(plain)), times_))
        for guard, plain in cases(value)
        if plain is not None
    )


def within(small: Bag, large: Bag) -> Truth:
    return all_of(at_least(large.count(k), c) for k, c in small.items())


def bags_same(left: Bag, right: Bag) -> Truth:
    keys = dict.fromkeys([*left.counts, *right.counts])
    return all_of(equal(left.count(k), right.count(k)) for k in keys)


def each_case(value: Value, ask: Callable[[Value], Value]) -> Value:
    """What is asked of a value, asked of each value that it may have."""
    if not isinstance(value, GuardedUnion):
        return ask(value)
    return merge([(g, ask(v)) for g, v in value.cases])
