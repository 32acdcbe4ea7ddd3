"""The links from the page of a game to the index and to other games.

Input: the pages of a report, once all are written.
Output: each page with its links.
Guarantee: a page keeps its size: the links take the room that was left for them. A page without them is whole, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from golpae.pages.document import Markup, escaped

ROOM = 900  # bytes for the links of a page
_MARK = "the way to other games: "
UNLINKED = Markup(f"<!--{_MARK}".ljust(ROOM - 3, "-") + "-->")


@dataclass(frozen=True, slots=True)
class Linked:
    """A page of a game: its file, and whether the game is illegal."""

    page: str
    is_illegal: bool


def link(folder: Path, pages: Sequence[Linked], index: str) -> None:
    """Write the links of each page into it. Raises OSError."""
    illegal = [at for at, linked in enumerate(pages) if linked.is_illegal]
    for at, linked in enumerate(pages):
        first = bisect_left(illegal, at)
        before, after = (
            illegal[max(first - 1, 0) : first],
            illegal[first + linked.is_illegal : first + linked.is_illegal + 1],
        )
        ways = [(index, "all games")]
        ways += [(pages[n].page, "<b>previous </b>game") for n in (at - 1,) if n >= 0]
        ways += [(pages[n].page, "<i>next </i>game") for n in (at + 1,) if n < len(pages)]
        ways += [(pages[n].page, "<b>previous </b>illegal<b> game</b>") for n in before]
        ways += [(pages[n].page, "<i>next </i>illegal<i> game</i>") for n in after]
        links = "".join(
            f'<a href="{escaped(page)}">{words}</a>' for page, words in ways
        )  # an arrow may say <b> and <i>
        _write(folder / linked.page, f'<nav class="ways" aria-label="other games">{links}</nav>'.encode())


def _write(file: Path, words: bytes) -> None:
    """Put the links of a page in the room for them."""
    with file.open("r+b") as stream:
        head = stream.read()
        place = head.find(UNLINKED.encode())
        if place >= 0 and len(words) <= ROOM:
            stream.seek(place)
            stream.write(words.ljust(ROOM))
