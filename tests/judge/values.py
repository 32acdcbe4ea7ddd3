"""The values of section 2, all of them immutable.

Input: none. Output: `Bag`, `Meld` and `Patterns`; a truth is a `bool`, a number, a seat and the number of a kind of
tile are `int`, a word is a `str`, none is `None`, and a value for each player is a tuple.
Guarantee: two values of one type are equal in Python exactly if the page calls them equal. A tile that the set lacks
is a `Stranger`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from golpae.ir.types import Bag as BagType
from golpae.ir.types import Choice, Each, Int, NoneType, Opt, Seat, Tile, Type, join
from golpae.ir.types import Meld as MeldType

Value = object
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Bag:
    """Values, each as often as it is in the bag, sorted (2.3). Make one with `bag`."""

    members: tuple[Value, ...] = ()

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.members)

    def count(self, value: Value) -> int:
        return self.members.count(value)

    def holds(self, other: Bag) -> bool:
        """Return whether it has every value of `other` as often as that does."""
        return all(self.count(value) >= other.count(value) for value in other)

    def plus(self, other: Bag) -> Bag:
        return bag((*self.members, *other.members))

    def minus(self, other: Bag) -> Bag:
        """Return it with each value of `other` removed once, as far as it is there (3.6)."""
        left = list(self.members)
        for value in other:
            if value in left:
                left.remove(value)
        return bag(left)

    def kinds(self) -> Bag:
        return bag(dict.fromkeys(self.members))


EMPTY = Bag()


@dataclass(frozen=True, slots=True)
class Meld:
    """Tiles with a label or without one (2.4)."""

    tiles: Bag
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Patterns:
    """Points by the name of a pattern, sorted by name."""

    points: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Stranger:
    """A tile that the text names and the set at this table does not have in any number of copies."""

    name: str


@dataclass(frozen=True, slots=True)
class ScoreValue:
    """A score that is not none: its points, and the patterns of every way that gives them; its numbers by name.

    `number_of` says of each pattern which of several numbers it counts in.
    """

    total: int
    counted: frozenset[Patterns]
    numbers: tuple[tuple[str, int], ...] = ()
    number_of: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arranged:
    """The word `arrangement` in a score: which arrangement a way is of."""

    name: str


def bag(values: Iterable[Value]) -> Bag:
    """Return the bag of these values."""
    some = tuple(values)
    numbers = [value for value in some if type(value) is int]
    if len(numbers) == len(some):
        return Bag(tuple(sorted(numbers)))
    return Bag(tuple(sorted(some, key=rank)))


def rank(value: Value, words: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """Return a key that sorts values of any type; within a type it is the order of 7.9. Words have that of `words`."""
    match value:
        case None:
            return (0,)
        case bool():
            return (1, value)
        case int():
            return (2, value)
        case str():
            return (3, words.index(value) if words else value)
        case Bag(members):
            return (4, tuple(sorted(rank(m, words) for m in members)), "")
        case Meld(tiles, label):
            return (4, tuple(rank(m) for m in tiles), label or "")
        case tuple():
            return (5, tuple(rank(m) for m in value))
        case Patterns(points):
            return (6, points)
        case Stranger(name):
            return (7, name)
        case ScoreValue(total):
            return (2, total)
        case _:
            raise TypeError(f"no value of the language: {value!r}")


def in_turn(values: Bag, item: Type) -> list[Value]:
    """Return the members of a bag in the order in which `for each` takes them (7.9)."""

    words = item
    while isinstance(words, Opt | BagType):
        words = words.item
    listed = words.words if isinstance(words, Choice) else ()
    return sorted(values, key=lambda value: rank(value, listed))


# ---------------------------------------------------------------- what a value is used as


def truth(value: Value) -> bool:
    assert isinstance(value, bool)
    return value


def number(value: Value) -> int:
    """Return a number, a seat or the number of a kind."""
    assert isinstance(value, int)
    assert not isinstance(value, bool)
    return value


def text(value: Value) -> str:
    assert isinstance(value, str)
    return value


def members(value: Value) -> Bag:
    """Return a bag, or the tiles of a meld."""
    if isinstance(value, Meld):
        return value.tiles
    assert isinstance(value, Bag)
    return value


def used_as(value: Value, kind: Type) -> Value:
    """Return a value where the text asks for `kind`: a meld that is used as tiles leaves its label behind (2.5)."""
    match kind:
        case Opt(item):
            return None if value is None else used_as(value, item)
        case BagType(Tile()) if isinstance(value, Meld):
            return value.tiles
        case BagType(Tile() | Seat() | Int()):
            return value
        case BagType(item) if isinstance(value, Bag):
            return bag(used_as(v, item) for v in value)
        case Each(item) if isinstance(value, tuple):
            return tuple(used_as(v, item) for v in value)
        case MeldType() if isinstance(value, Bag):
            return Meld(value)
        case _:
            return value


def number_of(value: Value, name: str) -> Value:
    """Return one of the numbers of a score, or none (8.17)."""
    return dict(value.numbers)[name] if isinstance(value, ScoreValue) else None


def points_of(value: Value) -> Value:
    """Return the number that a score is (8.11)."""
    return value.total if isinstance(value, ScoreValue) else value


def equal(a: Value, a_type: Type, b: Value, b_type: Type) -> bool:
    """Return whether two values are equal; a meld beside tiles is compared as tiles (2.5)."""
    if isinstance(a, ScoreValue) or isinstance(b, ScoreValue):
        return points_of(a) == points_of(b)
    both = join(a_type, b_type)
    if both is None:
        return a == b
    if both == MeldType() and (isinstance(a, Bag) or isinstance(b, Bag)):  # {} beside a meld: a bag of tiles
        return members(a) == members(b)
    return used_as(a, both) == used_as(b, both)


def depth(kind: Type) -> int:
    """Return 0 for a single value, 1 for a bag of them, 2 for a bag of bags."""
    match kind:
        case Opt(item):
            return depth(item)
        case BagType(item):
            return 1 + depth(item)
        case MeldType():
            return 1
        case _:
            return 0


def item_of(kind: Type) -> Type:
    """Return the type of the members of a bag or a meld."""
    match kind:
        case Opt(item):
            return item_of(item)
        case BagType(item):
            return item
        case MeldType():
            return Tile()
        case _:
            return NoneType()


def sub_bags(whole: Bag) -> Iterator[Bag]:
    """Return every different bag of members of a bag, the smallest numbers of each member first."""
    counts = list(Counter(whole.members).items())

    def choose(rest: list[tuple[Value, int]]) -> Iterator[tuple[Value, ...]]:
        if not rest:
            yield ()
            return
        (value, most), *others = rest
        for count in range(most + 1):
            for chosen in choose(others):
                yield (value,) * count + chosen

    for chosen in choose(counts):
        yield bag(chosen)


# ---------------------------------------------------------------- maps that do not change


class Map(Generic[K, V]):
    """A mapping that does not change and can be hashed."""

    __slots__ = ("_values",)

    def __init__(self, values: dict[K, V]) -> None:
        self._values = values

    @staticmethod
    def of(values: dict[K, V]) -> Map[K, V]:
        return Map(dict(values))

    @property
    def items(self) -> tuple[tuple[K, V], ...]:
        return tuple(self._values.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self._values == other._values

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Map({self._values})"

    def as_dict(self) -> dict[K, V]:
        return dict(self._values)

    def get(self, key: K) -> V | None:
        return self._values.get(key)

    def has(self, key: K) -> bool:
        return key in self._values

    def put(self, key: K, value: V) -> Map[K, V]:
        return Map({**self._values, key: value})

    def without(self, keys: Iterable[K]) -> Map[K, V]:
        gone = set(keys)
        return Map({k: v for k, v in self._values.items() if k not in gone})
