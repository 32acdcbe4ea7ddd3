"""Tables of names in memory, in which a name of a text is looked up by its bytes.

Input: names and the numbers that they stand for. Output: the bytes of a table, and how its places are computed.
Guarantee: every name has a place of its own, which its bytes and its length lead to. The same names give the same
table.

A name is looked up by its key: its bytes and the quote behind them, low byte first. The quote makes the length part of
the key, so `6-5` and `6-5` with a byte 0 behind it have different keys. Names of more than 7 bytes have a longer key,
of 4 words, which are mixed into one.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MASK = (1 << 64) - 1
SHORT = 7  # bytes of the longest name whose key is one word
LONG = 31  # bytes of the longest name that is looked up at all
LONG_WORDS = 4
_FEW = 100  # names for which one multiplication is tried
_TRIES = 300


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """The place of a key: its product with `multiplier`, shifted down by `shift`.

    With `displaced`, that is the place of two bytes, which are added to the bits of the product below these, and the
    sum, within `mask`, is the place.
    """

    multiplier: int
    shift: int
    displaced: tuple[int, ...]
    second: int
    mask: int

    def of(self, key: int) -> int:
        """Return the place of a key."""
        product = key * self.multiplier & MASK
        first = product >> self.shift
        if not self.displaced:
            return first
        return (product >> self.second) + self.displaced[first] & self.mask


def places(keys: Iterable[int]) -> KeyPlace:
    """Return places for keys, all of them different, none of them 0."""
    listed = sorted(set(keys))
    draw = random.Random(len(listed))
    if len(listed) <= _FEW:
        bits = max(2 * len(listed) - 1, 1).bit_length()
        for wider in (1, 2, 3, 4):
            place = _single(listed, bits + wider, draw)
            if place is not None:
                return place
    while True:
        place = _displaced(listed, draw)
        if place is not None:
            return place


def _multiplier(draw: random.Random) -> int:
    return draw.getrandbits(64) | 1


def _single(keys: list[int], bits: int, draw: random.Random) -> KeyPlace | None:
    for _ in range(_TRIES):
        place = KeyPlace(_multiplier(draw), 64 - bits, (), 0, (1 << bits) - 1)
        if len({place.of(key) for key in keys}) == len(keys):
            return place
    return None


def _displaced(keys: list[int], draw: random.Random) -> KeyPlace | None:
    bits = (2 * len(keys)).bit_length()
    few = max(bits - 2, 1)  # bits of the first place
    multiplier, shift, second, mask = _multiplier(draw), 64 - few, 64 - few - bits, (1 << bits) - 1
    buckets: dict[int, list[int]] = {}
    for key in keys:
        product = key * multiplier & MASK
        buckets.setdefault(product >> shift, []).append(product >> second & mask)
    displaced, taken = [0] * (1 << few), set[int]()
    for bucket in sorted(buckets, key=lambda b: (-len(buckets[b]), b)):
        inner = buckets[bucket]
        if len(set(inner)) < len(inner):
            return None
        free_shift = next(
            (d for d in range(min(mask + 1, 1 << 16)) if not any(i + d & mask in taken for i in inner)), None
        )
        if free_shift is None:
            return None
        displaced[bucket] = free_shift
        taken |= {i + free_shift & mask for i in inner}
    return KeyPlace(multiplier, shift, tuple(displaced), second, mask)


def key(name: bytes) -> int:
    """Return the key of a name of at most 7 bytes."""
    return int.from_bytes(name + b'"', "little")


def long_key(name: bytes) -> tuple[int, ...]:
    """Return the words of the key of a longer name."""
    return struct.unpack(f"<{LONG_WORDS}Q", (name + b'"').ljust(8 * LONG_WORDS, b"\0"))


def mixed(words: Iterable[int], multiplier: int) -> int:
    """Return the words of a key mixed into one."""
    value = 0
    for word in words:
        value = (value * multiplier + word) & MASK
    return value


@dataclass(frozen=True, slots=True)
class NameTable:
    """Entries of `words` words of a key and its number; an empty one has the key 0."""

    place: KeyPlace
    entries: bytes
    displaced: bytes
    words: int
    mixer: int = 0


@dataclass(frozen=True, slots=True)
class Names:
    """The tables of short and of long names; None without any."""

    short: NameTable | None
    long: NameTable | None


def names(numbers: Mapping[str, int]) -> Names:
    """Return the tables of names. Those that no text can hold without an escape, and those of more than 31 bytes, are
    left out.
    """
    encoded = {n.encode(): number for n, number in numbers.items() if _is_plain(n)}
    short: dict[tuple[int, ...], int] = {
        (key(n),): number for n, number in encoded.items() if len(n) <= SHORT
    }
    long = {long_key(n): number for n, number in encoded.items() if SHORT < len(n) <= LONG}
    return Names(_table(short, 1), _table(long, LONG_WORDS))


def _is_plain(name: str) -> bool:
    return all(c >= " " and c not in '"\\' and not "\ud800" <= c <= "\udfff" for c in name)


def _table(entries: Mapping[tuple[int, ...], int], words: int) -> NameTable | None:
    if not entries:
        return None
    mixer, draw = 0, random.Random(words)
    keys = [mixed(k, mixer) for k in entries]
    while len(set(keys)) < len(keys) or (words > 1 and mixer == 0):
        mixer = _multiplier(draw)
        keys = [mixed(k, mixer) for k in entries]
    place = places(keys)
    packed = [bytes(8 * (words + 1))] * (place.mask + 1)
    for mixed_key, (whole, number) in zip(keys, entries.items(), strict=True):
        packed[place.of(mixed_key)] = struct.pack(f"<{words}Qq", *whole, number)
    displaced = struct.pack(f"<{len(place.displaced)}H", *place.displaced)
    return NameTable(place, b"".join(packed), displaced, words, mixer)
