"""Pages of an earlier call that are no longer true.

Input: a folder, which pages it has now.
Output: the folder without the others.
Guarantee: only pages that golpae has written are removed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

_MARK = "default-src 'none'; script-src 'sha256-"  # near the beginning of each page
_BEGINNING = 1_000  # characters


def remove_others(folder: Path, names: re.Pattern[str], written: Collection[str]) -> None:
    """Remove the pages with such names that are not among the `written` ones. Raises OSError."""
    if not folder.is_dir():
        return
    for file in folder.iterdir():
        if names.fullmatch(file.name) and file.name not in written and _is_ours(file):
            file.unlink()


def _is_ours(file: Path) -> bool:
    with open(file, encoding="utf-8", errors="replace") as page:
        return _MARK in page.read(_BEGINNING)
