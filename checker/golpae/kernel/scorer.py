"""Run the module of one score on a text of hands.

Input: an instance, a score of it, how lines name both; a text in blocks. Output: what the hands count, one after the
other, and where it stopped.
Guarantee: nothing is kept from one text to the next; positions are those of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from struct import Struct

from golpae.elaborate.instance import Instance
from golpae.ir.types import TILES
from golpae.kernel.emit.scoring.noting import words_of_patterns
from golpae.kernel.hands_module import HEAD, REFER, CompiledHands, compiled_hands
from golpae.kernel.language.host import Referred, TextAtEnd
from golpae.kernel.layout import BITS, WORD
from golpae.kernel.scan.hand_lines import Saying
from golpae.kernel.start import start

__all__ = ["NotedHand", "NotedHands", "NotedWay", "Saying", "Scorer", "Stop"]
ALL = (1 << BITS) - 1
_TOLD = Struct("<6q")


@dataclass(frozen=True, slots=True)
class NotedWay:
    """A way that counts: the number of its arrangement, its groups by part, the points of its patterns, its total.

    The groups of a part that lie fixed come first; all are sorted otherwise. `patterns` has their places.
    """

    groups: tuple[tuple[int, ...], ...]
    patterns: tuple[tuple[int, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class NotedHand:
    """A hand that counts: where its line begins in the text, and its `id` begins and ends, 0 without one; the number of
    its line, and its ways, as words.

    `tiles` are the words of the parameter that is shown.
    """

    at: int
    id: tuple[int, int]
    line: int
    tiles: bytes
    ways: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class NotedHands:
    """Hands that count, one after the other; they are read when somebody goes through them."""

    many: int
    held: bytes
    _scorer: Scorer

    def __len__(self) -> int:
        return self.many

    def __iter__(self) -> Iterator[NotedHand]:
        return self._scorer.noted(self.held)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the module stopped, and what it noted before."""

    at: int
    line: int
    why: int
    hands: NotedHands

    @property
    def refers(self) -> bool:
        """Whether it stopped at a hand for the reference."""
        return self.why == REFER


class Scorer:
    """One score of an instance, compiled. Raises `NotCompiled` if it cannot be, and `MemoryError`."""

    def __init__(
        self, instance: Instance, score: str, rules: Saying, score_key: Saying | None, counted: bool
    ) -> None:
        made, self._host = start(
            lambda left_out: compiled_hands(instance, score, rules, score_key, counted, left_out)
        )
        self._made: CompiledHands = made
        self._hands = self._host.function("hands")
        self._text = TextAtEnd(self._host, made.layout.end)
        self._base, self.load = self._text.base, self._text.load
        self._shown = made.layout.slots(TILES) * WORD if made.shown is not None else 0
        self._masks = words_of_patterns(len(made.score.patterns))
        self._tiles = made.layout.slots(TILES)
        self._groups = [groups * (1 + self._tiles) * WORD for groups in made.groups]

    def score(self, at: int, line: int, end: int) -> Stop:
        """Score the hands of the loaded text from one place to another, which are the beginnings of lines."""
        addresses, base = self._made.found, self._base
        self._host.write(addresses.at, _TOLD.pack(base + at, base + end, REFER, line, addresses.notes, 0))
        with suppress(Referred):  # then `REFER` stays
            self._hands()
        stopped, _, why, line, behind, many = _TOLD.unpack(self._host.read(addresses.at, _TOLD.size))
        held = self._host.read(addresses.notes, behind - addresses.notes)
        return Stop(stopped - base, line, why, NotedHands(many, held, self))

    def noted(self, data: bytes) -> Iterator[NotedHand]:
        """Yield the hands in notes."""
        words = memoryview(data).cast("q")
        base, head, shown = self._base, HEAD * WORD, self._shown
        at = 0
        while at < len(data):
            start, first, last, line, many = words[at // WORD : at // WORD + HEAD]
            at += head
            tiles = data[at : at + shown]
            at += shown
            ways = []
            for _ in range(many):
                end = self._before(words, at) + self._groups[words[at // WORD]]
                ways.append(data[at:end])
                at = end
            name = (first - base, last - base) if first else (0, 0)
            yield NotedHand(start - base, name, line, tiles, tuple(ways))

    def _before(self, words: memoryview[int], at: int) -> int:
        """Return where the groups of the way begin that begins at a place."""
        place = at // WORD + 3
        counting = sum((word & ALL).bit_count() for word in words[place : place + self._masks])
        return at + (3 + self._masks + counting) * WORD

    # ------------------------------------------------------------------ what was noted

    def tiles(self, held: bytes) -> tuple[int, ...]:
        """Return the tiles of a bag, sorted."""
        words = self._made.layout.words(TILES.item)
        out = []
        for place, plane in enumerate(memoryview(held).cast("Q").tolist()):
            while plane:
                low = plane & -plane
                out.append(place % words * BITS + low.bit_length() - 1)
                plane ^= low
        return tuple(sorted(out))

    def patterns(self, way: bytes) -> bytes:
        """Return the part of a way that says what its patterns count, and its total."""
        return way[2 * WORD : self._before(memoryview(way).cast("q"), 0)]

    def way(self, held: bytes) -> NotedWay:
        """Return a way that was noted."""
        words = memoryview(held).cast("q")
        number, left, total = words[:3]
        name = self._made.score.arrangements[number]
        (arrangement,) = (a for a in self._made.layout.instance.rule_set.arrangements if a.name == name)
        masks = words[3 : 3 + self._masks]
        places = [n * BITS + bit for n, mask in enumerate(masks) for bit in range(BITS) if mask >> bit & 1]
        groups: list[tuple[int, ...]] = []
        at = self._before(words, 0)
        for part, declared in enumerate(arrangement.parts):
            own = []
            for _ in range(declared.count):
                label = words[at // WORD]
                at += WORD
                own.append((self.tiles(held[at : at + self._tiles * WORD]), label))
                at += self._tiles * WORD
            cut = left >> 8 * part & 0xFF
            fixed = len(own) - cut
            groups += [tiles for tiles, _ in [*sorted(own[:fixed]), *sorted(own[fixed:])]]
        points = words[3 + self._masks :].tolist()
        return NotedWay(tuple(groups), tuple(zip(places, points, strict=False)), total)
