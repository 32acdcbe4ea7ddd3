"""What lies where: rows whose order may be hidden, melds, and what can be asked of bags of tiles.

Tiles are kinds by number. Bags are lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb
from typing import Any

HIDDEN = -1
LARGEST = 100_000  # bits of a power


class Missing(ValueError):
    """A tile was to be moved from where it does not lie."""


class Meld(tuple[int, ...]):
    """A group of tiles on the table, with the label it was given (None: none)."""

    label: str | None

    def __new__(cls, tiles: Iterable[int], label: str | None = None) -> Meld:
        meld = super().__new__(cls, tiles)
        meld.label = label
        return meld


class Row:
    """Tiles in a row, front first.

    A place whose tile nobody can know holds HIDDEN; `hidden` are the tiles of those places.
    """

    __slots__ = ("hidden", "slots")

    def __init__(self, slots: Iterable[int] = (), hidden: Iterable[int] = ()) -> None:
        self.slots = list(slots)
        self.hidden = list(hidden)

    def copy(self) -> Row:
        return Row(self.slots, self.hidden)

    def all(self) -> list[int]:
        """Every tile of the row: the known ones in order, then the hidden ones."""
        return [s for s in self.slots if s != HIDDEN] + self.hidden

    def has(self, tile: int | None) -> bool:
        return tile in self.hidden or (tile in self.slots and tile != HIDDEN)

    def end(self, index: int) -> int | None:
        """The tile at the front (0) or back (-1), None where there is none or nobody can know it."""
        if not self.slots or self.slots[index] == HIDDEN:
            return None
        return self.slots[index]

    def place(self, number: int) -> int | None:
        """The tile at a place, the front is 1; None where there is none or nobody can know it."""
        if not 1 <= number <= len(self.slots) or self.slots[number - 1] == HIDDEN:
            return None
        return self.slots[number - 1]

    def fits(self, tile: int, index: int) -> bool:
        """Whether the tile at the front (0) or back (-1) can be this one."""
        if not self.slots:
            return False
        slot = self.slots[index]
        return tile in self.hidden if slot == HIDDEN else slot == tile

    def fits_order(self, tiles: Sequence[int]) -> bool:
        """Whether these tiles, front first, can be the whole row."""
        return same(self.all(), tiles) and all(
            s in (HIDDEN, t) for s, t in zip(self.slots, tiles, strict=True)
        )

    def take(self, tile: int) -> None:
        """Take the tile from its first place from the front. Raises `Missing`."""
        slots = self.slots
        if tile in self.hidden:
            # a hidden place can hold it: the first such place, unless a known one comes before it
            at = slots.index(HIDDEN)
            if tile in slots and (known := slots.index(tile)) < at:
                del slots[known]
            else:
                del slots[at]
                self.hidden.remove(tile)
        elif tile in slots:
            slots.remove(tile)
        else:
            raise Missing

    def take_end(self, tile: int, index: int) -> None:
        """Take the tile from the front (0) or back (-1). Raises `Missing` where it cannot be there."""
        if not self.fits(tile, index):
            raise Missing
        if self.slots[index] == HIDDEN:
            self.hidden.remove(tile)
        del self.slots[index]

    def put_front(self, tile: int) -> None:
        self.slots.insert(0, tile)

    def put_back(self, tile: int) -> None:
        self.slots.append(tile)

    def shuffle(self) -> None:
        """From now on nobody can know the order."""
        self.hidden = self.all()
        self.slots = [HIDDEN] * len(self.hidden)

    def arrange(self, tiles: Sequence[int]) -> None:
        """From now on the order is known.

        Raises `Missing` where the row holds other tiles, or known ones elsewhere.
        """
        if not self.fits_order(tiles):
            raise Missing
        self.slots = list(tiles)
        self.hidden = []

    def clear(self) -> None:
        self.slots = []
        self.hidden = []


# ------------------------------------------------------------------ bags


def same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether two bags hold the same."""
    return len(a) == len(b) and sorted(a) == sorted(b)


def within(small: Sequence[Any], large: Sequence[Any]) -> bool:
    """Whether one bag is part of another, copies counted."""
    rest = list(large)
    for item in small:
        if item not in rest:
            return False
        rest.remove(item)
    return True


def bag_member(bag: Sequence[Any], bags: Sequence[Sequence[Any]]) -> bool:
    """Whether a bag is one of some bags."""
    return any(same(bag, other) for other in bags)


def minus(large: Sequence[Any], small: Sequence[Any]) -> list[Any]:
    """The bag without the items of another, as far as it has them."""
    rest = list(large)
    for item in small:
        if item in rest:
            rest.remove(item)
    return rest


def kinds(bag: Iterable[Any]) -> list[Any]:
    """Each different item once."""
    return list(dict.fromkeys(bag))


def together(bag: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Every bag of so many items of a bag, each different one once."""
    copies: list[tuple[Any, int]] = []
    for item in bag:
        at = next((i for i, (other, _) in enumerate(copies) if _alike(item, other)), None)
        if at is None:
            copies.append((item, 1))
        else:
            copies[at] = (copies[at][0], copies[at][1] + 1)
    yield from _chosen(copies, 0, size, sum(count for _, count in copies))


def told_apart(bag: Iterable[Any], size: int) -> Iterator[tuple[list[Any], int]]:
    """Every bag of so many items of a bag, with how often it can be taken where each copy is an item of its own."""
    items = list(bag)
    for chosen in together(items, size):
        often, last = 1, 0
        for i, item in enumerate(chosen, 1):
            if i == len(chosen) or not _alike(item, chosen[i]):
                often *= comb(sum(_alike(item, other) for other in items), i - last)
                last = i
        yield chosen, often


def _chosen(copies: list[tuple[Any, int]], start: int, size: int, left: int) -> Iterator[list[Any]]:
    """So many items of those from `start` on, of which there are `left` with their copies."""
    if size == 0:
        yield []
    if not 0 < size <= left:
        return
    item, count = copies[start]
    for taken in range(min(count, size), -1, -1):
        for rest in _chosen(copies, start + 1, size - taken, left - count):
            yield [item] * taken + rest


def _alike(a: Any, b: Any) -> bool:
    """Whether two items are the same: bags where they hold the same."""
    return same(a, b) if isinstance(a, list | tuple) else a == b


def the(found: list[Any]) -> Any:
    """The one item of a list, or None where there are none or different ones."""
    if not found or any(item != found[0] for item in found):
        return None
    return found[0]


def otherwise(value: Any, instead: Callable[[], Any]) -> Any:
    """The value, or another one where it is None."""
    return instead() if value is None else value


def power(base: int, exponent: int) -> int:
    """`base ^ exponent`. Exponents count as 0 at least, and as the last whose result has no more than LARGEST bits."""
    most = LARGEST // max(1, abs(base).bit_length())
    return int(base ** max(0, min(exponent, most)))


def divide(a: int, b: int) -> int:
    """Whole part of a / b, rounded down; 0 where b is 0."""
    return a // b if b else 0


def modulo(a: int, b: int) -> int:
    """Rest of a / b; 0 where b is 0."""
    return a % b if b else 0


def rotate(zones: list[Any], side: str) -> None:
    """Pass each player's zone to the player on one side."""
    if side == "right":
        zones.insert(0, zones.pop())
    else:
        zones.append(zones.pop(0))


def change_meld(
    owned: Iterable[list[list[Meld]]],
    shared: Iterable[list[Meld]],
    meld: Meld | None,
    tiles: Iterable[int],
    label: str | None,
) -> None:
    """Give a meld that lies on the table other tiles, and a label where one is named.

    Raises `Missing` where it does not lie there.
    """
    for zone in [zone for zones in owned for zone in zones] + list(shared):
        for i, found in enumerate(zone):
            if found is meld:
                zone[i] = Meld(tiles, label or found.label)
                return
    raise Missing
