"""A small game for the playground, a game of it, and links with both."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

BEADS = Path("docs/examples/beads.golpae").read_text(encoding="utf-8") + (
    "\nnever nobody-wins: winner is not none\n"
)
GAME = """\
{"golpae":1,"rules":"beads","players":["An","Bo"]}
{"do":"deal","first":0,"hands":[["red"],["blue"]]}
{"do":"take","by":0,"tile":"blue"}
{"do":"take","by":1,"tile":"red"}
"""
SPOILT = GAME.replace('"by":1', '"by":0')


def link(**state: Any) -> str:
    """Return the part of a link behind its `#` that has a state."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(json.dumps(state).encode()) + deflate.flush()
    return "s=" + urlsafe_b64encode(packed).decode().rstrip("=")
