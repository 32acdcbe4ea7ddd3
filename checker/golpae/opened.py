"""Texts that an editor has and nobody has saved: they are read in place of their files.

Input: a path. Output: the bytes to read in place of its file, if there are some.
Guarantee: what is opened is so only where it is set (`OPENED`); everything else reads files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

OPENED: ContextVar[Mapping[str, bytes]] = ContextVar("OPENED", default=MappingProxyType({}))
"""The texts, by the real paths of their files."""


def opened(path: Path) -> bytes | None:
    """Return the text that is read in place of a file, or None."""
    texts = OPENED.get()
    return texts.get(os.path.realpath(path)) if texts else None
