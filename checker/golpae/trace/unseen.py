"""Games with tiles that nobody saw, as a reader meets them: what decides them, and what it answers.

Input: none, this module holds data. Output: `Decision`, and what a function that makes one takes. Guarantee: replay
itself decides no game with unknown tiles; whoever made its `Library` says who does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from golpae.trace.header import Header
from golpae.trace.outcome import Conflicting

UNKNOWN = "?"
"""What stands in a trace for a tile that nobody saw."""

NOT_TILES = ("do", "by", "note", "time")
"""Keys of every event that hold no tiles."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether some tiles make the lines of a game legal.

    `completed`: `lines` are the same with all tiles, which replay has accepted, and `state` is the state after them.
    `illegal`: `event` is the first, counted from 1 in these lines, at which no tiles are left, `clause` what it breaks,
    `conflict` what cannot stand together. `malformed`: the line of `event` cannot be read. `unknown`: the effort did
    not reach to decide `event`.
    """

    verdict: Literal["completed", "illegal", "malformed", "unknown"]
    lines: tuple[Mapping[str, Any], ...] = ()
    state: Any = None
    event: int = 0
    clause: str | None = None
    message: str = ""
    conflict: tuple[Conflicting, ...] = ()


class Completes(Protocol):
    """Decides the rest of a game from a state on, in whose first line a tile is unknown."""

    def __call__(
        self,
        machine: Any,
        header: Header,
        state: Any,
        lines: Sequence[Mapping[str, Any]],
        before: int,
    ) -> Decision:
        """So many events `before` led to the state of the machine of the rules."""
        ...


def is_hidden(line: Mapping[str, Any]) -> bool:
    """Return whether a line has unknown tiles, keys that are left out aside."""
    if any(_has_unknown(value) for key, value in line.items() if key not in NOT_TILES):
        return True
    hands = line.get("hands")
    return line.get("do") == "deal" and isinstance(hands, list) and any(type(hand) is int for hand in hands)


def _has_unknown(value: Any) -> bool:
    return value == UNKNOWN or (isinstance(value, list) and any(map(_has_unknown, value)))
