"""Sets of pictures, in which a tile is found by any of its names.

Input: the name of a set, as a rule text says it after `drawn as`; the names of tiles.
Output: drawings as SVG, without the body of the tile, which is drawn by whoever shows it.
Guarantee: a drawing is from the files of this folder alone. A tile that a set does not know has none.

A file has one drawing for each `<symbol>`: it is found by its `id` and by `data-names`, separated by `|`. A set with
symbols `half-0`, `half-1` and so on also knows the tiles `2-1`, which are two halves with a bar between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_SIZE = re.compile(r'<svg [^>]*viewBox="0 0 (\d+) (\d+)"')
_SYMBOL = re.compile(r'<symbol id="([^"]+)"(?: data-names="([^"]+)")?>(.*?)</symbol>')
_HALVES = re.compile(r"(\d+)-(\d+)")
HALF = "half-"
BAR = "bar"


@dataclass(frozen=True, slots=True)
class Pictures:
    """A set of pictures. `drawings` are by name, in small letters; all are as wide and as high as these numbers."""

    width: int
    height: int
    drawings: dict[str, str]

    def of(self, names: Iterable[str]) -> str | None:
        """Return the drawing of a tile with these names, or None."""
        for name in names:
            drawing = self.drawings.get(name.casefold()) or self._halves(name)
            if drawing is not None:
                return drawing
        return None

    def _halves(self, name: str) -> str | None:
        numbers = _HALVES.fullmatch(name)
        if numbers is None or BAR not in self.drawings:
            return None
        first, second = (self.drawings.get(f"{HALF}{number}") for number in numbers.groups())
        if first is None or second is None:
            return None
        lower = f'<g transform="translate(0 {self.height // 2})">{second}</g>'
        return first + self.drawings[BAR] + lower


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
    return Pictures(int(size[1]), int(size[2]), drawings)
