"""Render a game and its switches as a matrix: a row for each, with a sign for what each column allows against it.

Input: the comparison of each pair.
Output: lines of text or Markdown, or a JSON document.
Guarantee: a sign stands only for what is decided.

     1  2  3
1  small          =  >  ?
2  small+open     <  =  ?
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from golpae import __version__
from golpae.compare.comparison import MEANING, Comparison
from golpae.compare.games.verdict import DIFFERENT, NARROWER, SAME, WIDER
from golpae.diagnostics.markdown import code, escaped, grid
from golpae.report.comparison_json import record
from golpae.report.paint import Paint

Pairs = Mapping[tuple[int, int], Comparison]  # row and column, the row before the column
SIGNS = {SAME: "=", NARROWER: "<", WIDER: ">", DIFFERENT: "x", None: "?"}
TURNED = {SAME: SAME, NARROWER: WIDER, WIDER: NARROWER, DIFFERENT: DIFFERENT, None: None}
OTHERWISE = "$"  # after a sign: payments differ
HANDS = "#"  # after these: hands count differently
APART = "-"
UNPAINTED, GREEN, YELLOW = "", "32", "33"
LEGEND = {
    "=": "the same games",
    "<": "the column allows fewer",
    ">": "the column allows more",
    "x": "each allows what the other does not",
    "?": "undecided",
    APART: "cannot be compared",
}


def drawn(names: Sequence[str], pairs: Pairs, paint: Paint) -> list[str]:
    """Return the lines of the matrix and of its legend."""
    cells = [[_cell(pairs, row, column) for column in range(len(names))] for row in range(len(names))]
    wide = max(len(name) for name in names)
    room = max(2, len(str(len(names))), *(len(cell) for row in cells for cell in row))
    left = len(str(len(names)))
    out = [" " * (left + 2 + wide) + "".join(f"  {n:>{room}}" for n in range(1, len(names) + 1))]
    for at, (name, row) in enumerate(zip(names, cells, strict=True), 1):
        signs = "".join(f"  {_painted(cell, room, paint)}" for cell in row)
        out.append(f"{at:>{left}}  {name:<{wide}}{signs}")
    return [*out, "", legend(cells, pairs)]


def legend(cells: Sequence[Sequence[str]], pairs: Pairs) -> str:
    """Return the meaning of the signs that occur."""
    if not _meant(pairs):
        return "the number of clauses that differ"
    entries = [
        f"{sign} {words}" for sign, words in LEGEND.items() if any(sign in c for row in cells for c in row)
    ]
    if any(OTHERWISE in cell for row in cells for cell in row):
        entries.append(f"{OTHERWISE} payments differ")
    if any(HANDS in cell for row in cells for cell in row):
        entries.append(f"{HANDS} hands count differently")
    return "; ".join(entries)


def page(names: Sequence[str], pairs: Pairs, again: str) -> list[str]:
    """Return the matrix as Markdown."""
    cells = [[_cell(pairs, row, column) for column in range(len(names))] for row in range(len(names))]
    numbers = [str(n) for n in range(1, len(names) + 1)]
    rows = [
        (number, escaped(name), *map(escaped, row))
        for number, name, row in zip(numbers, names, cells, strict=True)
    ]
    lines = [*grid(("", "", *numbers), rows), "", f"{escaped(legend(cells, pairs)).capitalize()}."]
    return [f"# {escaped(names[0])} and its variants and readings", "", *lines, "", f"Made by {code(again)}."]


def document(names: Sequence[str], pairs: Pairs, status: int, again: str) -> str:
    """Return the matrix as one JSON document: every comparison in full."""
    compared = [
        {"row": names[row], "column": names[column]} | record(c, {}) for (row, column), c in pairs.items()
    ]
    whole = {"golpae": __version__, "status": status, "again": again, "rules": list(names), "pairs": compared}
    return json.dumps(whole, indent=1)


def _cell(pairs: Pairs, row: int, column: int) -> str:
    """Return the sign for what the column allows against the row."""
    if row == column:
        return "=" if _meant(pairs) else "0"
    c = pairs[min(row, column), max(row, column)]
    if MEANING not in c.layers:
        return str(sum(d.counts for d in c.text.differences))
    if c.incomparable is not None:
        return APART
    sign = SIGNS[c.games if row < column else TURNED[c.games]]
    paid = OTHERWISE if c.paid is False else "?" if c.paid is None and sign != "?" else ""
    hands = HANDS if c.hands is False else "?" if c.hands is None and "?" not in sign + paid else ""
    return sign + paid + hands


def _meant(pairs: Pairs) -> bool:
    return any(MEANING in c.layers for c in pairs.values())


def _painted(cell: str, room: int, paint: Paint) -> str:
    space = " " * (room - len(cell))
    if "?" in cell:
        return space + paint(cell, YELLOW)
    return space + (paint(cell, GREEN) if cell == "=" else cell)
