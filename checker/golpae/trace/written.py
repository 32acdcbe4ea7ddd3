"""Lines of a trace as text.

Input: the objects of lines. Output: their text. Guarantee: each object is on a line of its own, and reads as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping


def trace_text(lines: Iterable[Mapping[str, object]]) -> bytes:
    """Return the text of lines, each with its end."""
    texts = (json.dumps(dict(line), ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "".join(f"{text}\n" for text in texts).encode()
