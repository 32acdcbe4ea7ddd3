"""Sets of pictures, in which a tile is found by any of its names.

Input: the name of a set, as a rule text says it after `drawn as`; the names of tiles.
Output: drawings as SVG, without the body of the tile, which is drawn by whoever shows it.
Guarantee: a drawing is from the files of this folder alone. A tile that a set does not know has none.

A file has one drawing for each `<symbol>`: it is found by its `id` and by `data-names`, separated by `|`. A set with
symbols `half-0`, `half-1` and so on also knows the tiles `2-1`, which are two halves with a bar between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_SIZE = re.compile(r'<svg [^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>')
_SYMBOL = re.compile(r'<symbol id="([^"]+)"(?: data-names="([^"]+)")?>(.*?)</symbol>')
_HALVES = re.compile(r"(\d+)-(\d+)")
_USED = re.compile(r'<use href="#([\w-]+)"')
HALF = "half-"
BAR = "bar"


@dataclass(frozen=True, slots=True)
class Pictures:
    """A set of pictures. `drawings` are by name, in small letters; all are as wide and as high as these numbers.

    Those that may overlap are known by their left edge, as cards in a hand are.
    """

    width: int
    height: int
    drawings: dict[str, str]
    overlaps: bool = False

    def of(self, names: Iterable[str]) -> str | None:
        """Return the drawing of a tile with these names, or None. It may use drawings that `shared` has."""
        for name in names:
            drawing = self.drawings.get(name.casefold()) or self._halves(name)
            if drawing is not None:
                return drawing
        return None

    def _halves(self, name: str) -> str | None:
        numbers = _HALVES.fullmatch(name)
        if numbers is None or BAR not in self.drawings:
            return None
        halves = [f"{HALF}{number}" for number in numbers.groups()]
        if not all(half in self.drawings for half in halves):
            return None
        upper, lower = (
            f'<use href="#{half}" y="{at * self.height // 2}"/>' for at, half in enumerate(halves)
        )
        return upper + self.drawings[BAR] + lower

    def shared(self, drawings: Sequence[str]) -> dict[str, str]:
        """Return the drawings that these ones use, each by its name."""
        used = dict.fromkeys(name for drawing in drawings for name in _USED.findall(drawing))
        return {name: self.drawings[name] for name in used}


def sets() -> list[str]:
    """Return the names of all sets."""
    return sorted(file.stem for file in _HERE.glob("*.svg"))


@cache
def pictures(name: str) -> Pictures | None:
    """Return the set of this name, or None."""
    if name not in sets():
        return None
    text = (_HERE / f"{name}.svg").read_text(encoding="utf-8")
    size = _SIZE.search(text)
    assert size is not None
    drawings: dict[str, str] = {}
    for identity, names, drawing in _SYMBOL.findall(text):
        for known in (identity, *names.split("|")):
            if known:
                drawings.setdefault(known.casefold(), drawing)
    return Pictures(int(size[1]), int(size[2]), drawings, 'data-overlap="yes"' in size[0])
