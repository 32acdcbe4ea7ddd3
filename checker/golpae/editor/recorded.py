"""The files of recorded games below a folder.

Input: a folder. Output: paths of files, which nobody has opened yet.
Guarantee: whatever a repository holds, few folders and names are looked at, none that is hidden; links to folders are
not followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

MOST_FOLDERS = 1_000  # that are walked through
MOST_NAMES = 10_000  # in these together
TRACES = ".jsonl"


def recorded_below(folder: Path) -> Iterator[Path]:
    """Yield files of recorded games in a folder and below it, in order: those of a folder before those below it."""
    waiting, folders, names = [folder], 0, 0
    while waiting and folders < MOST_FOLDERS and names < MOST_NAMES:
        here = waiting.pop()
        folders += 1
        try:
            with os.scandir(here) as entries:
                in_order = sorted(islice(entries, MOST_NAMES - names), key=lambda entry: entry.name)
        except OSError:
            continue
        names += len(in_order)
        shown = [entry for entry in in_order if not entry.name.startswith(".")]
        yield from (here / entry.name for entry in shown if entry.name.endswith(TRACES))
        inner = [here / entry.name for entry in shown if entry.is_dir(follow_symlinks=False)]
        waiting += reversed(inner)
