"""The names of rule texts, and their files.

Input: the name of a game or include, and the folders or files to look in.
Output: its file.
Guarantee: no text is read, and nothing that reads texts is imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from golpae.bundled import spec_dir

ENDING = ".golpae"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def find(name: str, spec_path: Sequence[Path]) -> Path | None:
    """Return the file of this game or include: on the spec path in its order, then among the bundled ones."""
    if not NAME.fullmatch(name):  # such as a path to another folder
        return None
    for place in (*spec_path, spec_dir()):
        if os.path.isfile(place):
            if place.name == name + ENDING:
                return place
        elif os.path.isfile(candidate := place / (name + ENDING)):
            return candidate
    return None
