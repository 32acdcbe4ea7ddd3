"""Games with tiles that nobody saw, as a reader meets them: what decides them, and what it answers.

Input: none, this module holds data. Output: `Decision`, and what a function that makes one takes. Guarantee: replay
itself decides no game with unknown tiles; whoever made its `Library` says who does. If nobody does, such a game is
undecided from its first event with an unknown tile on, in every reader.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal, Protocol

from golpae.records import dataclass
from golpae.trace.header import Header
from golpae.trace.outcome import Conflicting

UNKNOWN = "?"
"""What stands in a trace for a tile that nobody saw."""

NOBODY_SAW = "a tile is unknown here: nobody saw it"
"""What is said of the first event of a game with unknown tiles by those who need all of them."""
ALL_TILES = "`golpae check --complete-with FILE` writes such games with tiles that agree with them"

NOT_TILES = ("do", "by", "note", "time")
"""Keys of every event that hold no tiles."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether some tiles make the lines of a game legal.

    `completed`: `lines` are the same with all tiles, which replay has accepted, and `state` is the state after them.
    `illegal`: `event` is the first, counted from 1 in these lines, at which no tiles are left, `clause` what it breaks,
    `conflict` what cannot stand together. `malformed`: the line of `event` cannot be read. For both, `lines` are those
    before the event and `state` is the state before it. `unknown`: the effort did not reach to decide `event`.
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
        aside: Mapping[int, frozenset[str]],
        known: Sequence[Mapping[str, Any]],
    ) -> Decision:
        """So many events `before` led to the state of the machine of the rules; `known` are the first ones of them.
        Conditions, by their names, are set `aside` at some of the lines, which count from 1.
        """
        ...


def is_hidden(line: Mapping[str, Any]) -> bool:
    """Return whether a line has unknown tiles, keys that are left out aside."""
    if any(_has_unknown(value) for key, value in line.items() if key not in NOT_TILES):
        return True
    hands = line.get("hands")
    return line.get("do") == "deal" and isinstance(hands, list) and any(type(hand) is int for hand in hands)


def needs_tiles(line: Mapping[str, Any], actions: Container[str]) -> bool:
    """Return whether a line is an event of one of these actions, and its tiles are not all known."""
    do = line.get("do")
    return isinstance(do, str) and do in actions and is_hidden(line)


def _has_unknown(value: Any) -> bool:
    return value == UNKNOWN or (isinstance(value, list) and any(map(_has_unknown, value)))
