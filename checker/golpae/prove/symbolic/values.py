"""Values that may be concrete or symbolic, and the operations on them.

Input: values. Output: values, without z3 terms for what is concrete. Guarantee: the same calls build the same terms.

A truth is a `bool` or a z3 term, and so is a number. An unknown seat, tile, word or none is a `GuardedUnion` of the
values that it may have. A bag maps each value to the number of its copies. Operations fold constants:

    conj(True, x)  ->  x        plus(2, 3)  ->  5        same(GuardedUnion(((a, 1), (b, 2))), 1)  ->  a

INVARIANT: the guards of a `GuardedUnion` exclude one another, and one of them holds.
INVARIANT: no count of a bag is negative; a bag does not mention values that it certainly lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from math import comb, inf, prod
from typing import Any

import z3

from golpae.prove.symbolic import terms
from golpae.prove.symbolic.terms import PARTS, Unsupported

MOST_SUB_BAGS = 600  # that are listed of a bag
Truth = Any  # bool | z3.BoolRef
Number = Any  # int | z3.ArithRef
Value = Any  # a truth, number, seat, tile, word, None, GuardedUnion, Bag or list (one for each player)


@contextmanager
def uncounted() -> Iterator[None]:
    """Count nothing within the block: what it makes is kept for whatever asks next."""
    left, PARTS.left = PARTS.left, inf
    try:
        yield
    finally:
        PARTS.left = left


class Blank:
    """The value of a state of which the prover says nothing. What reads it is not supported; the rest is."""


BLANK = Blank()


_NUMBERS: dict[int, Any] = {}


def _term(number: Number) -> Any:
    """Return a number, or one of finitely many numbers, as a term."""
    if isinstance(number, GuardedUnion):
        number = as_number(number)
    if not isinstance(number, int):
        return number
    if number not in _NUMBERS:
        _NUMBERS[number] = z3.IntVal(number)
    return _NUMBERS[number]


# ------------------------------------------------------------------ truths


def conj(*parts: Truth) -> Truth:
    return all_of(parts)


def disj(*parts: Truth) -> Truth:
    return any_of(parts)


def all_of(parts: Iterable[Truth]) -> Truth:
    """Return the conjunction; stop at the first part that is False."""
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
    return terms.and_(unknown)


def any_of(parts: Iterable[Truth]) -> Truth:
    """Return the disjunction; stop at the first part that is True."""
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
    return terms.or_(unknown)


def negate(part: Truth) -> Truth:
    if part is True or part is False:
        return not part
    inner = terms.negated(part)
    return terms.not_(part) if inner is None else inner


def implies(left: Truth, right: Truth) -> Truth:
    if left is False or right is True:
        return True
    if left is True:
        return right
    if right is False:
        return negate(left)
    return terms.implies(left, right)


def iff(left: Truth, right: Truth) -> Truth:
    if left is True or left is False:
        return right if left else negate(right)
    if right is True or right is False:
        return left if right else negate(left)
    return terms.eq(left, right)


def is_long(truth: Truth, most: int = 60) -> bool:
    """Return whether a truth is a term of more than `most` parts."""
    return isinstance(truth, z3.ExprRef) and terms.is_longer(truth, most)


def constants(truths: Iterable[Truth]) -> set[str]:
    """Return the names of all symbols in some truths."""
    return terms.symbols([t for t in truths if isinstance(t, z3.ExprRef)])


# ------------------------------------------------------------------ numbers


def plus(*parts: Number) -> Number:
    return total_of(parts)


def total_of(parts: Iterable[Number]) -> Number:
    constant, unknown = 0, []
    for part in parts:
        if isinstance(part, int):
            constant += part
        else:
            unknown.append(part)
    if not unknown:
        return constant
    if constant:
        unknown.append(_term(constant))
    if len(unknown) == 1:
        return unknown[0]
    return terms.add(unknown)


def minus(left: Number, right: Number) -> Number:
    if isinstance(right, int):
        return left if right == 0 else plus(left, -right)
    return terms.sub(_term(left), right)


def times(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int):
            if one == 0:
                return 0
            if one == 1:
                return other
    return terms.mul(_term(left), _term(right))


def at_least(left: Number, right: Number) -> Truth:
    if isinstance(left, int) and isinstance(right, int):
        return left >= right
    return terms.ge(_term(left), _term(right))


def equal(left: Number, right: Number) -> Truth:
    """Return whether two numbers are equal."""
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    one, other = _term(left), _term(right)
    return True if terms.is_same(one, other) else terms.eq(one, other)


def ite_number(test: Truth, yes: Number, no: Number) -> Number:
    """Return one number or the other."""
    if test is True or yes is no:
        return yes
    if test is False:
        return no
    if isinstance(yes, int) and isinstance(no, int) and yes == no:
        return yes
    return terms.ite(test, _term(yes), _term(no))


# ------------------------------------------------------------------ finitely many values


@dataclass(frozen=True, slots=True)
class MeldValue:
    """Tiles that lie together, sorted by kind, and their label if they have one."""

    tiles: tuple[int, ...]
    label: str | None = None


@dataclass(frozen=True, slots=True)
class GuardedUnion:
    """One of several values, each under the guard of its pair."""

    cases: tuple[tuple[Truth, Value], ...]
    _key: list[Any] = field(default_factory=list, compare=False, repr=False)  # computed once


def cases(value: Value) -> tuple[tuple[Truth, Value], ...]:
    """Return the values that a value may have, each with its guard."""
    return value.cases if isinstance(value, GuardedUnion) else ((True, value),)


def guarded_union(options: Iterable[tuple[Truth, Value]]) -> Value:
    """Return one of several values. Raises `Unsupported` if there is none."""
    guards: dict[Any, list[Truth]] = {}
    values: dict[Any, Value] = {}
    for guard, value in options:
        if guard is False:
            continue
        for inner, plain in cases(value):
            key = (plain.__class__, plain) if _plain(plain) else id(plain)
            guards.setdefault(key, []).append(conj(guard, inner))
            values[key] = plain
    left = [(any_of(g), values[k]) for k, g in guards.items()]
    left = [(g, v) for g, v in left if g is not False]
    if not left:
        raise Unsupported("a value without any case")
    if len(left) == 1:
        return left[0][1]
    for guard, value in left:
        if guard is True:
            return value
    return GuardedUnion(tuple(left))


def _plain(value: Value) -> bool:
    return value is None or isinstance(value, int | str | MeldValue)


def same(left: Value, right: Value) -> Truth:
    """Return whether two seats, tiles, words, numbers, truths, groups or nones are equal."""
    if not isinstance(left, GuardedUnion) and not isinstance(right, GuardedUnion):
        return _same(left, right)
    return any_of(
        conj(a, b, s) for a, x in cases(left) for b, y in cases(right) if (s := _same(x, y)) is not False
    )


def _same(left: Value, right: Value) -> Truth:
    if left is BLANK or right is BLANK:
        raise Unsupported("a value that is not modelled")
    if left is None or right is None:
        return left is right
    if isinstance(left, bool | z3.BoolRef) or isinstance(right, bool | z3.BoolRef):
        return iff(left, right)
    if isinstance(left, z3.ArithRef) or isinstance(right, z3.ArithRef):
        return equal(left, right)
    return bool(left == right)


def ite(test: Truth, yes: Value, no: Value) -> Value:
    """Return one value or the other, of any type."""
    if test is True:
        return yes
    if test is False:
        return no
    return merge([(test, yes), (negate(test), no)])


def merge(options: list[tuple[Truth, Value]]) -> Value:
    """Return one of several values of any type. INVARIANT: the guards exclude one another, and one of them holds."""
    options = [(g, v) for g, v in options if g is not False]
    if not options:
        raise Unsupported("a value without any case")
    if len(options) == 1:
        return options[0][1]
    if any(v is BLANK for _, v in options):
        return BLANK
    first = options[0][1]
    if all(isinstance(v, Bag) for _, v in options):
        keys = dict.fromkeys(k for _, v in options for k in v.counts)
        counts = {k: _ladder([(g, v.count(k)) for g, v in options]) for k in keys}
        return Bag(counts, _sized=lambda: _ladder([(g, size(v)) for g, v in options]))
    if isinstance(first, list):
        return [merge([(g, v[i]) for g, v in options]) for i in range(len(first))]
    if all(isinstance(v, bool | z3.BoolRef) for _, v in options):
        return any_of(conj(g, v) for g, v in options)
    return guarded_union(options)


def number_of(options: list[tuple[Truth, Number]]) -> Number:
    """Return one of several numbers, under guards as in `merge`."""
    return _ladder([(g, v) for g, v in options if g is not False])


def _ladder(options: list[tuple[Truth, Number]]) -> Number:
    """Return one of several numbers, under guards as in `merge`."""
    value = options[-1][1]
    for guard, number in reversed(options[:-1]):
        value = ite_number(guard, number, value)
    return value


def as_truth(value: Value) -> Truth:
    """Return a truth that may be a `GuardedUnion` of truths; none counts as no."""
    if isinstance(value, GuardedUnion):
        return any_of(conj(g, v) for g, v in value.cases if v is not None)
    return value


def as_number(value: Value) -> Number:
    """Return a number that may be a `GuardedUnion` of numbers; none counts as 0."""
    if isinstance(value, GuardedUnion):
        return _ladder([(g, 0 if v is None else v) for g, v in value.cases])
    return 0 if value is None else value


# ------------------------------------------------------------------ bags


@dataclass(frozen=True, slots=True)
class Bag:
    """The number of copies of each value in a bag."""

    counts: Mapping[Any, Number]
    _size: list[Number] = field(default_factory=list, compare=False, repr=False)  # computed once
    _sized: Callable[[], Number] | None = field(
        default=None, compare=False, repr=False
    )  # how, if not by adding up
    _only: list[Value] = field(default_factory=list, compare=False, repr=False)  # its tile, if it has one
    _order: list[Value] = field(
        default_factory=list, compare=False, repr=False
    )  # that of a list, if it has one
    _tiles: list[Number] = field(default_factory=list, compare=False, repr=False)
    _key: list[Any] = field(default_factory=list, compare=False, repr=False)

    def count(self, key: Any) -> Number:
        return self.counts.get(key, 0)

    def items(self) -> Iterator[tuple[Any, Number]]:
        """Yield the values that may be in the bag, with their numbers of copies."""
        return ((k, c) for k, c in self.counts.items() if not (c.__class__ is int and c == 0))

    @property
    def concrete(self) -> bool:
        return all(c.__class__ is int for c in self.counts.values())

    @property
    def known_size(self) -> Sequence[Number]:
        """Its size, if something has asked for it."""
        return self._size

    def tiles(self) -> tuple[Any, ...]:
        """Return all that is in a concrete bag, sorted."""
        return tuple(sorted(k for k, c in self.items() for _ in range(c)))


EMPTY = Bag({})


def bag_of(values: Iterable[Value], keeps_none: bool = False) -> Bag:
    """Return the bag of these values; none counts as nothing, unless it is kept."""
    parts: dict[Any, list[Number]] = {}
    values = list(values)
    for value in values:
        for guard, plain in members(value):
            if plain is not None or keeps_none:
                parts.setdefault(as_key(plain), []).append(ite_number(guard, 1, 0))
    if keeps_none:
        return Bag({k: total_of(v) for k, v in parts.items()})
    some = [is_some(value) for value in values]
    only = values if len(values) == 1 and some[0] is True else []
    counts = {k: total_of(v) for k, v in parts.items()}
    return Bag(counts, _sized=lambda: total_of(ite_number(one, 1, 0) for one in some), _only=only)


def list_of(values: Sequence[Value]) -> Bag:
    """Return the bag of the tiles of a list whose order counts; none of them is none."""
    bag = bag_of(values)
    return Bag(bag.counts, _sized=lambda: len(values), _order=[*values])


def order_of(bag: Bag) -> Sequence[Value]:
    """Return the tiles of a list in their order; nothing if it has none."""
    return bag._order


def members(value: Value) -> Iterator[tuple[Truth, Value]]:
    """Yield the members of a bag that a value may be, each with its guard; a truth is yes or no."""
    for guard, plain in cases(value):
        if isinstance(plain, z3.BoolRef):
            yield conj(guard, plain), True
            yield conj(guard, negate(plain)), False
        else:
            yield guard, plain


def is_some(value: Value) -> Truth:
    """Return whether a value is not none."""
    if all(plain is not None for _, plain in cases(value)):
        return True
    return any_of(guard for guard, plain in cases(value) if plain is not None)


def as_key(value: Value) -> Any:
    """Return a value as a member of a bag: a bag of tiles becomes a group."""
    if isinstance(value, Bag):
        if not value.concrete:
            raise Unsupported("a bag of unknown bags")
        if not all(isinstance(member, int | str) for member in value.counts):
            raise Unsupported("a bag of bags of bags")
        return MeldValue(value.tiles())
    if isinstance(value, z3.ExprRef):
        raise Unsupported("a bag of unknown numbers")
    return value


def group_bag(group: MeldValue) -> Bag:
    counts: dict[int, int] = {}
    for tile in group.tiles:
        counts[tile] = counts.get(tile, 0) + 1
    return Bag(counts)


def as_bag(value: Value) -> Bag:
    """Return the tiles of a bag, a group, or one of several groups."""
    if isinstance(value, Bag):
        return value
    if isinstance(value, MeldValue):
        return group_bag(value)
    if isinstance(value, GuardedUnion):
        bag = merge([(g, EMPTY if v is None else as_bag(v)) for g, v in value.cases])
        assert isinstance(bag, Bag)
        return bag
    raise Unsupported(f"{value!r} as a bag")


def joined(*bags: Bag) -> Bag:
    """Return all that is in some bags."""
    parts: dict[Any, list[Number]] = {}
    for bag in bags:
        for key, count in bag.items():
            parts.setdefault(key, []).append(count)
    counts = {k: total_of(v) for k, v in parts.items()}
    return Bag(counts, _sized=lambda: total_of(size(bag) for bag in bags))


def without(left: Bag, right: Bag) -> Bag:
    """Return the left bag without what is in the right one, as far as it is there."""
    out = dict(left.counts)
    for key, count in right.items():
        if key in out:
            have = out[key]
            out[key] = ite_number(at_least(have, count), minus(have, count), 0)
    left_over = {k: c for k, c in out.items() if not (c.__class__ is int and c == 0)}
    if right._only:
        return Bag(left_over, _sized=lambda: minus(size(left), ite_number(holds(left, right._only[0]), 1, 0)))
    return Bag(left_over)


def bag_minus(bag: Bag, tiles: Bag) -> Bag:
    """Return a bag without tiles that are certainly in it."""
    out = dict(bag.counts)
    for key, count in tiles.items():
        out[key] = minus(out.get(key, 0), count)
    return Bag(out, _sized=lambda: minus(size(bag), size(tiles)))


def first_of(bag: Bag, number: Number) -> Bag:
    """Return so many members of a bag, those that it names first; all of them if there are no more."""
    most = ite_number(at_least(number, 0), number, 0)
    left, counts = most, {}
    for key, count in bag.items():
        counts[key] = ite_number(at_least(left, count), count, left)
        left = minus(left, counts[key])
    return Bag(counts, _sized=lambda: ite_number(at_least(size(bag), most), most, size(bag)))


def size(bag: Bag) -> Number:
    if not bag._size:
        with uncounted():
            bag._size.append(_summed(bag) if bag._sized is None else bag._sized())
    return bag._size[0]


def _summed(bag: Bag) -> Number:
    return total_of(c for _, c in bag.items())


def of_size(bag: Bag, number: Number) -> tuple[Bag, Truth]:
    """Return the bag with this number as its size, and the formula that this is its size."""
    return sized(bag, number), equal(number, _summed(bag))


def sized(bag: Bag, number: Number) -> Bag:
    """Return the bag with this number as its size, so that its counts need not be added up."""
    return Bag(bag.counts, _sized=lambda: number)


def tiles_of(bag: Bag) -> Bag:
    """Return the tiles of a bag of tiles or of groups."""
    if not any(isinstance(k, MeldValue) for k in bag.counts):
        return bag
    return joined(*(Bag({t: times(c, n) for t, n in group_bag(g).items()}) for g, c in bag.items()))


def how_many_tiles(bag: Bag) -> Number:
    """Return the number of tiles in a bag of tiles or of groups."""
    if not any(isinstance(k, MeldValue) for k in bag.counts):
        return size(bag)
    if not bag._tiles:
        parts = (times(c, len(k.tiles)) if isinstance(k, MeldValue) else c for k, c in bag.items())
        with uncounted():
            bag._tiles.append(total_of(parts))
    return bag._tiles[0]


def holds(bag: Bag, value: Value, times_: int = 1) -> Truth:
    """Return whether a value is in a bag, so many times."""
    return any_of(conj(guard, at_least(bag.count(as_key(plain)), times_)) for guard, plain in members(value))


def within(small: Bag, large: Bag) -> Truth:
    return all_of(at_least(large.count(k), c) for k, c in small.items())


def sub_bags(bag: Bag, copies: Mapping[Any, int]) -> list[tuple[Truth, tuple[Any, ...]]] | None:
    """Return the possible contents of a bag of at most so many copies, each with its condition; None if they are too
    many.
    """
    have = ((kind, number, copies.get(kind, 0)) for kind, number in bag.items())
    most = {kind: min(number, often) if isinstance(number, int) else often for kind, number, often in have}
    whole = size(bag)
    if isinstance(whole, int):
        return _sub_bags_of(bag, most, whole)
    if prod(often + 1 for often in most.values()) > MOST_SUB_BAGS:
        return None
    options = []
    for counts in product(*(range(often + 1) for often in most.values())):
        chosen = Bag({kind: often for kind, often in zip(most, counts, strict=True) if often})
        truth = bags_same(bag, chosen)
        if truth is not False:
            options.append((truth, chosen.tiles()))
    return options


def _sub_bags_of(bag: Bag, most: Mapping[Any, int], whole: int) -> list[tuple[Truth, tuple[Any, ...]]] | None:
    """Return the possible contents of a bag of so many members, each with its condition; None if they are too many."""
    known = [kind for kind, number in bag.items() if isinstance(number, int) for _ in range(number)]
    unknown = [kind for kind, number in bag.items() if not isinstance(number, int)]
    missing = whole - len(known)
    if not unknown:
        return [] if missing else [(True, tuple(known))]
    if missing < 0 or comb(len(unknown) + missing - 1, missing) > MOST_SUB_BAGS:
        return None
    options = []
    for added in combinations_with_replacement(unknown, missing):
        if all(added.count(kind) <= most[kind] for kind in set(added)):
            chosen = bag_of([*known, *added])
            truth = bags_same(bag, chosen)
            if truth is not False:
                options.append((truth, chosen.tiles()))
    return options


def bags_same(left: Bag, right: Bag) -> Truth:
    for one, other in ((left, right), (right, left)):
        if not any(True for _ in one.items()):
            return equal(size(other), 0)
    keys = dict.fromkeys([*left.counts, *right.counts])
    return all_of(equal(left.count(k), right.count(k)) for k in keys)


def each_case(value: Value, function: Callable[[Value], Value]) -> Value:
    """Return a function of a value, computed for each value that it may have."""
    if not isinstance(value, GuardedUnion):
        return function(value)
    return merge([(g, function(v)) for g, v in value.cases])
