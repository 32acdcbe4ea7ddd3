"""What a switch changes, as a rule book shows it: the rows and blocks that `golpae compare` says differ.

Input: two rule sets, without a switch and with it.
Output: changes of rows and blocks.
Guarantee: what the comparison of texts calls the same is no change, however it is written.

    turn: p = mover      ->      turn: mover = p      no change
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from golpae.compare.text.diff import compare_texts
from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.resolve import Resolved
from golpae.pages.book.blocks import GAME, Change, Part, changes, parts_of


def switch_changes(switch: str, base: Resolved, parts: Sequence[Part], other: Resolved) -> list[Change]:
    """Return what a switch changes in the blocks of a rule set."""
    paths = [difference.path for difference in compare_texts(base, other).differences]
    return [change for change in changes(switch, parts, parts_of(other)) if differs(change, paths)]


def differs(change: Change, paths: Iterable[str]) -> bool:
    """Return whether a comparison has a difference at the place of a change; a block differs if a part of it does."""
    kind, _, name = change.path.partition(" ")
    block = kind if kind == "state" else name or kind  # a comparison has no `hand` or `match` in its places
    if not change.row or kind == GAME:  # a comparison has the aim as part of its game
        return any(path == block or path.startswith(f"{block}.") for path in paths)
    word = change.row.rpartition(" ")[2]
    rows = {f"{block}.{row}" for row in (change.row, word, word + BRINGS)}
    return any(path in rows or path.startswith(tuple(f"{row} " for row in rows)) for path in paths)
