"""What came of simulated games, as a picture (SVG).

Input: what was played, and the tally.
Output: the text of an SVG file: how hands ended and by whom they were won, with intervals, and how long they were.
Guarantee: valid XML whatever the names are. It refers to nothing outside itself and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from golpae.intervals import wilson
from golpae.report.simulation import Played, lines
from golpae.simulate.play import Ending

WIDTH, LABELS, BAR, GAP, TOP = 720, 170, 18, 8, 56
PLOT = WIDTH - LABELS - 130  # the width of a share of 100%
HIGH = 120  # of the picture of lengths
MOST_COLUMNS = 60
BLUE, GREY, INK = "#3b6ea5", "#9aa3ab", "#222222"


def svg(played: Played) -> str:
    """Return the picture."""
    tally = played.tally
    rows = [(f"won by seat {seat}", tally.wins[seat], BLUE) for seat in range(tally.players)]
    others = (Ending.DRAWN, Ending.DEAD_END, Ending.BROKEN_OFF)
    rows += [(e.value, tally.endings[e], GREY) for e in others if tally.endings[e] or e is Ending.DRAWN]
    below = TOP + len(rows) * (BAR + GAP) + 40
    height = below + HIGH + 50 if tally.lengths else below
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
    head += f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{INK}">'
    body = [
        head,
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(16, 24, lines(played)[0]),
        *_bars(rows, tally.hands),
        *(_columns(played, below) if tally.lengths else ()),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _bars(rows: list[tuple[str, int, str]], hands: int) -> Iterator[str]:
    for at, (name, count, colour) in enumerate(rows):
        top = TOP + at * (BAR + GAP)
        middle = top + BAR / 2
        yield _text(LABELS - 8, top + BAR - 5, name, "end")
        if not hands:
            continue
        low, high = wilson(count, hands)
        width = PLOT * count / hands
        yield f'<rect x="{LABELS}" y="{top}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>'
        left, right = LABELS + PLOT * low, LABELS + PLOT * high
        yield (
            f'<path d="M{left:.1f} {middle}H{right:.1f}M{left:.1f} {middle - 4}v8M{right:.1f} {middle - 4}v8" '
            f'stroke="{INK}" fill="none"/>'
        )
        yield _text(right + 8, top + BAR - 5, f"{count / hands:.1%}")


def _columns(played: Played, top: int) -> Iterator[str]:
    """Yield the picture of the lengths of hands, several lengths to a column if there are many."""
    lengths = played.tally.lengths
    least, most = min(lengths), max(lengths)
    step = -(-(most - least + 1) // MOST_COLUMNS)
    counts = [0] * ((most - least) // step + 1)
    for length, count in lengths.items():
        counts[(length - least) // step] += count
    width, tallest = (WIDTH - 32) / len(counts), max(counts)
    yield _text(16, top - 8, "events of a hand" + (f", {step} to a column" if step > 1 else ""))
    for at, count in enumerate(counts):
        tall = HIGH * count / tallest
        yield (
            f'<rect x="{16 + at * width:.1f}" y="{top + HIGH - tall:.1f}" width="{max(1.0, width - 1):.1f}" '
            f'height="{tall:.1f}" fill="{BLUE}"/>'
        )
    yield _text(16, top + HIGH + 18, f"{least:,}")
    yield _text(WIDTH - 16, top + HIGH + 18, f"{most:,}", "end")


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    shown = "".join(c if c.isprintable() else " " for c in words)
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(shown)}</text>'
