"""A short game of jjak, whose tiles tests hide."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from golpae.elaborate.cache import elaborate_cached
from golpae.hidden.lazily import completes
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report

HEADER: dict[str, Any] = {"golpae": 1, "rules": "jjak", "players": ["An", "Bo"]}
GAME: list[dict[str, Any]] = [
    {
        "do": "deal",
        "first": 1,
        "hands": [["6-1", "3-1", "5-1", "4-4", "1-1"], ["6-6", "6-6", "5-4", "6-3", "4-2", "2-2"]],
    },
    {"do": "lay", "by": 1, "tiles": ["6-6", "6-6"]},
    {"do": "lay", "by": 1, "tiles": ["5-4", "6-3"]},
    {"do": "discard", "by": 1, "tile": "4-2"},
    {"do": "draw", "by": 0, "tile": "3-3"},
    {"do": "discard", "by": 0, "tile": "3-3"},
    {"do": "draw", "by": 1, "tile": "2-2"},
    {"do": "lay", "by": 1, "tiles": ["2-2", "2-2"]},
    {"do": "end", "winner": 1, "pay": [-1, 1]},
]


def report_on(events: Sequence[Mapping[str, Any]]) -> Report:
    library = Library(elaborate_cached, completes=completes)
    text = "".join(f"{json.dumps(line)}\n" for line in (HEADER, *events))
    [report] = replay(BytesIO(text.encode()), "game", library)
    return report


def changed(**at: Any) -> list[dict[str, Any]]:
    """Return the game with other keys in some events: `e5={"tile": "?"}` changes the fifth."""
    return [{**line, **at.get(f"e{number}", {})} for number, line in enumerate(GAME, 1)]
