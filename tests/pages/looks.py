"""Small grey pictures of pages, to notice a layout that is broken: what is kept, and how far a page may be from it.

Input: a browser with a page.
Output: its picture, in cells from 0 (black) to 255; files in the form PGM, which is text that programs show.
Guarantee: other fonts move few cells by much; a part that is missing, twice as large or elsewhere moves many.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.pages.browser import Browser

WIDE, NARROW = 96, 48  # cells of a row, on a screen that is wider than high, and on another
FAR = 60  # by so much a cell differs clearly
MOST_FAR = 0.06  # the share of cells that may
BLOCK = 6  # cells of a side of a block
FAINT = 3.0  # how far the cells of a block lie apart at least where there is anything
MOST_CHANGED = 0.1  # the share of blocks that may be empty now, or have something where nothing was
SMALL = """new Promise((done) => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    const wide = picture.width > picture.height ? WIDE : NARROW;
    [canvas.width, canvas.height] = [wide, Math.round((wide * picture.height) / picture.width)];
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const grey = (at) => Math.round((data[at] + data[at + 1] + data[at + 2]) / 3);
    done([canvas.width, ...Array.from({ length: data.length / 4 }, (_, at) => grey(4 * at))]);
  };
  picture.src = "data:image/png;base64,PICTURE";
})"""


@dataclass(frozen=True, slots=True)
class Look:
    """A small grey picture, row by row, with so many cells in a row."""

    cells: tuple[int, ...]
    width: int

    def difference(self, other: Look) -> str:
        """Return how two pictures differ, or "" if it is little."""
        if (self.width, len(self.cells)) != (other.width, len(other.cells)):
            return "the pictures are of different shapes"
        far = sum(abs(a - b) > FAR for a, b in zip(self.cells, other.cells, strict=True)) / len(self.cells)
        pairs = [*zip(self._blocks(), other._blocks(), strict=True)]
        held = [pair for pair in pairs if max(pair) >= FAINT]
        changed = sum(max(pair) > 4 * min(pair) for pair in held) / max(1, len(held))
        words = f"{far:.1%} of the cells differ clearly, and {changed:.1%} of the blocks that show something"
        return words if far > MOST_FAR or changed > MOST_CHANGED else ""

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """Return the rows of the picture."""
        return [self.cells[at : at + self.width] for at in range(0, len(self.cells), self.width)]

    def _blocks(self) -> Iterator[float]:
        """Yield how far the cells of each block lie apart: little where there is nothing."""
        rows = self.rows
        for top in range(0, len(rows), BLOCK):
            for left in range(0, self.width, BLOCK):
                block = [cell for row in rows[top : top + BLOCK] for cell in row[left : left + BLOCK]]
                mean = sum(block) / len(block)
                yield sum(abs(cell - mean) for cell in block) / len(block)

    def written(self) -> str:
        """Return the picture as text."""
        lines = (" ".join(map(str, row)) for row in self.rows)
        return "\n".join(("P2", f"{self.width} {len(self.rows)}", "255", *lines)) + "\n"


def read(file: Path) -> Look:
    """Return a picture that is kept."""
    _, width, _, _, *cells = file.read_text("ascii").split()
    return Look(tuple(map(int, cells)), int(width))


def look(browser: Browser) -> Look:
    """Return the picture of the page that is open."""
    browser.paint()
    picture = b64encode(browser.picture()).decode()
    browser.visit("about:blank")  # whose policy lets a picture be read
    script = SMALL.replace("WIDE", str(WIDE)).replace("NARROW", str(NARROW)).replace("PICTURE", picture)
    width, *cells = browser.wait_for(script)
    return Look(tuple(cells), width)
