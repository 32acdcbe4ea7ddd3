"""The runtime of generated code: rows whose order may be hidden, melds, and operations on bags.

Input: tiles, as kinds by number, and bags, as lists.
Output: the values of the language's operators.
Guarantee: only methods of `Row`, `rotate`, `take_meld` and `change_meld` change anything in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb
from typing import Any

from golpae.ir.limits import TooManySteps
from golpae.orders import distinct_orders
from golpae.replay.steps import MOST_ORDERS

HIDDEN = -1
EFFECTS = "then"  # names what an event breaks whose conditions all hold, if it cannot happen
FEW = 16  # items that are looked for one by one


class Missing(ValueError):
    """A tile is not where it is moved from."""


class Unmet(Missing):
    """What a clause asks of the state after the effects does not hold; `path` is that of the clause."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def midway(fault: ValueError) -> str:
    """Return the name of the clause that an event breaks whose conditions all hold, from why it cannot happen."""
    return fault.path.rpartition(".")[2] if isinstance(fault, Unmet) else EFFECTS


class NoMeld(Missing):
    """None of `melds` is named, because `fits` different ones fit: none or several."""

    def __init__(self, melds: list[Meld], fits: int) -> None:
        super().__init__(fits)
        self.melds, self.fits = melds, fits


class NoOrder(Missing):
    """Tiles are not the order of `row`: it has others, or visible ones at other places."""

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.row = row


class NoCut(Missing):
    """`row` has no `number` of places that can go behind the others."""

    def __init__(self, row: Row, number: int) -> None:
        super().__init__(number)
        self.row, self.number = row, number


class Meld(tuple[int, ...]):
    """A group of tiles on the table, sorted, with the label it was given (None: none).

    Melds are equal if their tiles and labels are; a plain tuple of sorted tiles counts as one without a label.
    """

    label: str | None

    def __new__(cls, tiles: Iterable[int], label: str | None = None) -> Meld:
        meld = super().__new__(cls, sorted(tiles))
        meld.label = label
        return meld

    def __repr__(self) -> str:
        """Return its label too: a text of two melds is the same only if they are equal."""
        return f"{self.label or ''}{super().__repr__()}"

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, other) is True and self.label == getattr(other, "label", None)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return tuple.__hash__(self)


class Row:
    """Tiles in a row, front first.

    A place whose tile nobody can know is HIDDEN; `hidden` are the tiles of those places.
    """

    __slots__ = ("hidden", "slots")

    def __init__(self, slots: Iterable[int] = (), hidden: Iterable[int] = ()) -> None:
        self.slots = list(slots)
        self.hidden = list(hidden)

    def copy(self) -> Row:
        return Row(self.slots, self.hidden)

    def key(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return a key that only equal rows share."""
        return tuple(self.slots), tuple(self.hidden)

    def all(self) -> list[int]:
        """Return every tile of the row: the visible ones in order, then the hidden ones."""
        return [s for s in self.slots if s != HIDDEN] + self.hidden

    def has(self, tile: int | None) -> bool:
        return tile in self.hidden or (tile in self.slots and tile != HIDDEN)

    def end(self, index: int) -> int | None:
        """Return the tile at the front (0) or back (-1), or None if there is none or it is hidden."""
        if not self.slots or self.slots[index] == HIDDEN:
            return None
        return self.slots[index]

    def place(self, number: int) -> int | None:
        """Return the tile at a place, the front is 1, or None if there is none or it is hidden."""
        if not 1 <= number <= len(self.slots) or self.slots[number - 1] == HIDDEN:
            return None
        return self.slots[number - 1]

    def fits(self, tile: int, index: int) -> bool:
        """Return whether the tile at the front (0), back (-1) or another index can be this one."""
        if not self.slots:
            return False
        slot = self.slots[index]
        return tile in self.hidden if slot == HIDDEN else slot == tile

    def fits_place(self, tile: int, number: int) -> bool:
        """Return whether the tile at a place, the front is 1, can be this one."""
        return 1 <= number <= len(self.slots) and self.fits(tile, number - 1)

    def fits_order(self, tiles: Sequence[int]) -> bool:
        """Return whether these tiles, front first, can be the whole row."""
        return same(self.all(), tiles) and all(
            s in (HIDDEN, t) for s, t in zip(self.slots, tiles, strict=True)
        )

    def take(self, tile: int) -> None:
        """Take the tile from its first place from the front. Raises `Missing`."""
        slots = self.slots
        if tile in self.hidden:
            # it may be in a hidden place: the first one, unless a visible copy comes before it
            at = slots.index(HIDDEN)
            if tile in slots and (visible := slots.index(tile)) < at:
                del slots[visible]
            else:
                del slots[at]
                self.hidden.remove(tile)
        elif tile in slots:
            slots.remove(tile)
        else:
            raise Missing

    def take_end(self, tile: int, index: int) -> None:
        """Take the tile from the front (0), back (-1) or another index. Raises `Missing` if it cannot be there."""
        if not self.fits(tile, index):
            raise Missing
        if self.slots[index] == HIDDEN:
            self.hidden.remove(tile)
        del self.slots[index]

    def take_place(self, tile: int, number: int) -> None:
        """Take the tile from a place, the front is 1. Raises `Missing` if it cannot be there."""
        if not self.fits_place(tile, number):
            raise Missing
        self.take_end(tile, number - 1)

    def put_front(self, tile: int) -> None:
        self.slots.insert(0, tile)

    def put_back(self, tile: int) -> None:
        self.slots.append(tile)

    def put_hidden(self, tiles: Sequence[int], index: int = -1) -> None:
        """Add tiles whose order nobody knows at the front (0) or back (-1); a single one has a known place."""
        if len(tiles) == 1:
            self.put_front(tiles[0]) if index == 0 else self.put_back(tiles[0])
            return
        places = [HIDDEN] * len(tiles)
        self.hidden.extend(tiles)
        self.slots[:] = [*places, *self.slots] if index == 0 else [*self.slots, *places]

    def put_row(self, row: Row, index: int) -> None:
        """Add the places of another row, from its front on, each at the front (0) or back (-1)."""
        self.hidden.extend(row.hidden)
        self.slots[:] = [*reversed(row.slots), *self.slots] if index == 0 else [*self.slots, *row.slots]

    def shuffle(self) -> None:
        """Hide the order."""
        self.hidden = self.all()
        self.slots = [HIDDEN] * len(self.hidden)

    def cut(self, number: int) -> None:
        """Put so many places from the front on behind the others. Raises `NoCut` if there are not so many."""
        if not 0 <= number <= len(self.slots):
            raise NoCut(self, number)
        self.slots = self.slots[number:] + self.slots[:number]

    def arrange(self, tiles: Sequence[int]) -> None:
        """Reveal the order.

        Raises `NoOrder` if the row has other tiles, or visible ones elsewhere.
        """
        if not self.fits_order(tiles):
            raise NoOrder(self)
        self.slots = list(tiles)
        self.hidden = []

    def clear(self) -> None:
        self.slots = []
        self.hidden = []


# ------------------------------------------------------------------ values


def value_key(value: Any) -> Any:
    """Return a key of a value: equal for equal values, in the order that rounds of a loop follow."""
    if value is None:
        return (0,)
    if value.__class__ is Meld:
        return (2, tuple(value), value.label or "")
    if isinstance(value, list | tuple | range):
        return (2, tuple(sorted(map(value_key, value))), "")
    return (1, value)


def tiles_of(meld: Iterable[int] | None) -> list[int] | None:
    """Return the tiles of a meld, without its label; None of None."""
    return None if meld is None else list(meld)


def meld_by_face(meld: Iterable[int], faces: Sequence[int]) -> Meld:
    """Return a meld with the face of each tile and its own label."""
    return Meld((faces[tile] for tile in meld), getattr(meld, "label", None))


def copied(value: Any) -> Any:
    """Return a value that no later change of a zone reaches."""
    if value.__class__ is list or value.__class__ is range:
        return [copied(item) for item in value]
    return value


def rounds(bag: Iterable[Any], words: Sequence[str] = ()) -> list[Any]:
    """Return the members of a bag in the order of a loop's rounds. `words` are those in its values, in their order."""
    if not words:
        return sorted(bag, key=value_key)

    def place(value: Any) -> Any:
        if value.__class__ is str:
            return (1, words.index(value))
        if isinstance(value, list | tuple):
            return (2, tuple(sorted(map(place, value))), "")
        return value_key(value)

    return sorted(bag, key=place)


# ------------------------------------------------------------------ bags


def same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Return whether two bags have the same items."""
    return len(a) == len(b) and sorted(a) == sorted(b)


def within(small: Sequence[Any], large: Sequence[Any]) -> bool:
    """Return whether one bag is part of another, copies counted."""
    if len(small) > FEW:
        return Counter(small) <= Counter(large)
    rest = list(large)
    for item in small:
        if item not in rest:
            return False
        rest.remove(item)
    return True


def bag_member(bag: Sequence[Any], bags: Sequence[Sequence[Any]]) -> bool:
    """Return whether a bag is one of some bags."""
    return any(same(bag, other) for other in bags)


def minus(large: Sequence[Any], small: Sequence[Any]) -> list[Any]:
    """Return the bag without those items of another bag that it has."""
    if len(small) > FEW:
        gone, left = Counter(small), []
        for item in large:
            if gone[item] > 0:
                gone[item] -= 1
            else:
                left.append(item)
        return left
    rest = list(large)
    for item in small:
        if item in rest:
            rest.remove(item)
    return rest


def kinds(bag: Iterable[Any]) -> list[Any]:
    """Return each different item once."""
    return list(dict.fromkeys(bag))


def together(bag: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield every bag of `size` items of a bag, each different one once."""
    return (chosen for chosen, _ in choices_with_counts(bag, size))


def choices_with_counts(bag: Iterable[Any], size: int) -> Iterator[tuple[list[Any], int]]:
    """Yield every bag of `size` items of a bag, and in how many ways it can be chosen if copies count separately."""
    copies: dict[Any, list[Any]] = {}
    for item in bag:
        copies.setdefault(value_key(item), []).append(item)
    return _chosen([(alike[0], len(alike)) for alike in copies.values()], size)


def _chosen(copies: Sequence[tuple[Any, int]], size: int) -> Iterator[tuple[list[Any], int]]:
    """Yield every choice of `size` items, and its ways. Most copies of the first item come first, then of the next."""
    after = [0]  # how many items there are from each place on, with their copies
    for _, count in reversed(copies):
        after.append(after[-1] + count)
    after.reverse()
    if not 0 <= size <= after[0]:
        return
    taken: list[tuple[int, int, int]] = []  # place of an item, how many of it, the ways so far
    chosen, place, ways = 0, 0, 1
    while True:
        while chosen < size:  # take as many as there are of each item that follows
            number = min(copies[place][1], size - chosen)
            ways *= comb(copies[place][1], number)
            taken.append((place, number, ways))
            chosen, place = chosen + number, place + 1
        yield [copies[at][0] for at, number, _ in taken for _ in range(number)], ways
        while taken:  # take one less of the last item that can do without
            place, number, _ = taken.pop()
            chosen -= number
            ways = taken[-1][2] if taken else 1
            if size - chosen - (number - 1) <= after[place + 1]:
                if number > 1:
                    ways *= comb(copies[place][1], number - 1)
                    taken.append((place, number - 1, ways))
                    chosen += number - 1
                place += 1
                break
        else:
            return


def _alike(a: Any, b: Any) -> bool:
    """Return whether two items are equal."""
    return bool(value_key(a) == value_key(b)) if isinstance(a, list | tuple) else bool(a == b)


def the(items: Sequence[Any]) -> Any:
    """Return the one item of a sequence, or None if there are none or different ones."""
    if not items or any(not _alike(item, items[0]) for item in items):
        return None
    return items[0]


# The same of bags of bags, of melds, and of values that may be none: these compare by their keys.


def same_by_key(a: Iterable[Any], b: Iterable[Any]) -> bool:
    """Return whether two bags have equal items."""
    return sorted(map(value_key, a)) == sorted(map(value_key, b))


def member_by_key(item: Any, bag: Iterable[Any]) -> bool:
    """Return whether an item is in a bag."""
    key = value_key(item)
    return any(key == value_key(other) for other in bag)


def within_by_key(small: Iterable[Any], large: Iterable[Any]) -> bool:
    """Return whether one bag is part of another, copies counted."""
    return Counter(map(value_key, small)) <= Counter(map(value_key, large))


def minus_by_key(large: Iterable[Any], small: Iterable[Any]) -> list[Any]:
    """Return the bag without the items of another, as far as it has them."""
    gone = Counter(map(value_key, small))
    rest = []
    for item in large:
        key = value_key(item)
        if gone[key] > 0:
            gone[key] -= 1
        else:
            rest.append(item)
    return rest


def kinds_by_key(bag: Iterable[Any]) -> list[Any]:
    """Return each different item once."""
    return list({value_key(item): item for item in bag}.values())


def otherwise(value: Any, instead: Callable[[], Any]) -> Any:
    """Return the value, or another one if it is None."""
    return instead() if value is None else value


def divide(a: int, b: int) -> int:
    """Return the whole part of a / b, rounded down; 0 if b is 0."""
    return a // b if b else 0


def modulo(a: int, b: int) -> int:
    """Return the rest of a / b; 0 if b is 0."""
    return a % b if b else 0


def ahead(effects: Callable[[Any, list[int]], Any], state: Any, pay: list[int]) -> None:
    """Add to `pay` what effects pay in a state that nobody needs any more.

    It is nothing if one of them cannot be carried out, which makes the event illegal.
    """
    own = [0] * len(pay)
    try:
        effects(state, own)
    except ValueError:
        return
    pay[:] = [a + b for a, b in zip(pay, own, strict=True)]


def order_of_lists(
    check: Callable[..., int],
    state: Any,
    args: tuple[Any, ...],
    listed: Sequence[tuple[int, int, bool]],
    alike: int,
    action: str,
) -> tuple[int, tuple[Any, ...]]:
    """Return the first order of the tiles of an event's lists under which all conditions hold, as -1 and arguments.

    If there is none, return the condition furthest on that an order reached, with that order. `listed` are the places
    of the lists among the arguments, with the number of their names and whether a condition tells these apart.
    The first `alike` conditions tell no names apart. Orders follow that of the set, sorted lists first. Raises
    `TooManySteps`, which names the action.
    """
    most, furthest = -1, args
    for tried, ordered in enumerate(orders(args, listed)):
        if tried >= MOST_ORDERS:
            raise TooManySteps(action, MOST_ORDERS, "orders")
        failed = check(state, *ordered)
        if failed < alike:  # none fails, or one that fails in every order
            return failed, ordered
        if failed > most:
            most, furthest = failed, ordered
    return most, furthest


def orders(args: tuple[Any, ...], listed: Sequence[tuple[int, int, bool]]) -> Iterator[tuple[Any, ...]]:
    """Give the arguments with each order of their lists, each different one once.

    A list of a wrong length has one order, and so has a list whose names no condition tells apart: the sorted one.
    """
    (at, size, matters), *others = listed
    given = sorted(args[at])
    for tiles in distinct_orders(given) if matters and len(given) == size else (given,):
        ordered = (*args[:at], list(tiles), *args[at + 1 :])
        if others:
            yield from orders(ordered, others)
        else:
            yield ordered


def rotate(zones: list[Any], side: str) -> None:
    """Pass each player's zone to the player on one side."""
    if side == "right":
        zones.insert(0, zones.pop())
    else:
        zones.append(zones.pop(0))


def take_meld(melds: list[Meld], meld: Meld) -> None:
    """Take a meld out of a zone. Raises `Missing` if no equal one lies there."""
    if meld not in melds:
        raise Missing
    melds.remove(meld)


def new_meld(melds: list[Meld], tiles: Sequence[int], label: str | None) -> None:
    """Make tiles, if there are any, a meld of a zone."""
    if tiles:
        melds.append(Meld(tiles, label))


def change_meld(
    melds: list[Meld], fitting: list[Meld], arriving: Sequence[int], leaving: Sequence[int], label: str | None
) -> None:
    """Add tiles to the one of a zone's melds that fits, or take them away, and give it a label if there is one.

    Without tiles it is gone. Raises `NoMeld` if none or different ones fit, and `Missing` if it lacks the tiles.
    """
    different = kinds(fitting)
    if len(different) != 1:
        raise NoMeld(melds, len(different))
    [meld] = different
    if not within(leaving, meld):
        raise Missing
    at = melds.index(meld)
    tiles = [*minus(meld, leaving), *arriving]
    melds[at : at + 1] = [Meld(tiles, label or meld.label)] if tiles else []
