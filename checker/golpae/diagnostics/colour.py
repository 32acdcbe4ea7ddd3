"""Colours that only golpae itself can give.

Input: text and the number of a colour. Output: the text between marks; what a terminal gets for these marks.
Guarantee: the marks hold a key that this process draws, so no text, trace or name of a file can imitate them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

Paint = Callable[[str, str], str]
_KEY = os.urandom(8).hex()
_MARK = re.compile(rf"\x1b{_KEY}(\[\d+m)")


def painted(text: str, colour: str) -> str:
    """Return text in a colour, for a stream that turns the marks into colours (`split`)."""
    return f"\x1b{_KEY}[{colour}m{text}\x1b{_KEY}[0m"


def unpainted(text: str, colour: str) -> str:
    """Return text as it is, for a stream without colours."""
    return text


def split(text: str) -> list[str]:
    """Return the parts of a text: plain text and, at odd places, what a terminal gets for a mark."""
    parts = _MARK.split(text)
    parts[1::2] = (f"\x1b{sequence}" for sequence in parts[1::2])
    return parts
