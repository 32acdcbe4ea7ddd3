"""How many tiles of an arrangement a hand lacks.

Input: compositions, and tiles by their numbers, in order.
Output: the least number of tiles of one of the compositions that are not among these.
Guarantee: exact, but for three things. Copies are not counted: a missing tile is taken to be available. Groups that
have to be different are only kept apart if each is of one kind of tile and the composition has no other part. Of
different tiles that go together, directly or through others, only the last ones are looked at: `MOST_TILES` of
`MOST_KINDS` kinds.

The tiles that are left over from the groups do not count. The hand 1 2 2 3, for one set of {1 2 3} or {2 2 2} and one
pair, lacks 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.pieces import MOST_KINDS, MOST_TILES, Composition

MOST_KNOWN = 200_000  # hands that are remembered
MOST_SAVED = 2_000_000  # numbers that are remembered for one composition
Tiles = tuple[int, ...]
Saved = tuple[int, ...]  # how many fewer tiles are missing, by the groups of each part that there may be


class Lacking:
    """Counts for one arrangement, which can be made by each of some compositions."""

    def __init__(self, compositions: Sequence[Composition]) -> None:
        self._made = [_Composition(made) for made in compositions]
        self._known: dict[Tiles, int] = {}

    def count(self, tiles: Tiles) -> int:
        """Return how many tiles are missing beside some tiles, in order."""
        if tiles not in self._known:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[tiles] = min(made.lacking(tiles) for made in self._made)
        return self._known[tiles]


class _Composition:
    def __init__(self, made: Composition) -> None:
        self._made = made
        self._sums = made.sums()
        self._together = [frozenset(kinds) for kinds in made.together]
        self._single = frozenset(made.single)
        self._nothing: Saved = (0,) * made.size
        self._after = [made.after(number) for number in range(len(made.parts))]
        # by the first tile: the other tiles, the part, and what is saved
        self._pieces: dict[int, list[tuple[Tiles, int, int]]] = {}
        for number, part in enumerate(made.parts):
            for piece in part.pieces:
                first, *others = piece.tiles
                self._pieces.setdefault(first, []).append((tuple(others), number, piece.saved))
        self._known: dict[Tiles, Saved] = {(): self._nothing}

    def lacking(self, tiles: Tiles) -> int:
        found = self._saved(tuple(tile for tile in tiles if tile in self._single))
        for kinds in self._together:
            own = tuple(tile for tile in tiles if tile in kinds)[-MOST_TILES:]
            while len({*own}) > MOST_KINDS:
                own = own[1:]
            if own:
                saved = self._saved(own)
                found = tuple(max(found[a] + saved[b] for a, b in pairs) for pairs in self._sums)
        return self._made.lacking - found[-1]

    def _saved(self, tiles: Tiles) -> Saved:
        """Return how many fewer tiles are missing with these, which go together with one another."""
        known = self._known.get(tiles)
        if known is not None:
            return known
        best = [*self._saved(tiles[1:])]
        for others, number, saved in self._pieces.get(tiles[0], ()):
            left = _without(tiles[1:], others)
            if left is None:
                continue
            if self._made.parts[number].alone:
                left = tuple(tile for tile in left if tile != tiles[0])
            rest, stride = self._saved(left), self._made.strides[number]
            for place in self._after[number]:
                best[place] = max(best[place], rest[place - stride] + saved)
        if len(self._known) * self._made.size > MOST_SAVED:
            self._known.clear()
            self._known[()] = self._nothing
        best_saved = self._known[tiles] = tuple(best)
        return best_saved


def _without(tiles: Tiles, others: Tiles) -> Tiles | None:
    """Return tiles without others; None if these are not all among them."""
    left = [*tiles]
    for tile in others:
        if tile not in left:
            return None
        left.remove(tile)
    return tuple(left)
