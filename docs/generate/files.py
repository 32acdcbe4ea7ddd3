"""Writing the files that are made here, or checking that they are current.

Input: files with their texts as they should be. Output: the files, or one line for each that is stale.
Guarantee: a check writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def renew(files: Iterable[tuple[Path, str]], command: str, check: bool) -> int:
    """Write each file whose text is stale, or only report it if `check`. Return the exit status.

    `command` is what an author runs to renew the files.
    """
    stale = False
    for file, text in files:
        if file.exists() and file.read_text("utf-8") == text:
            continue
        stale = True
        print(f"{file.relative_to(TOP).as_posix()}: {f'stale, run `{command}`' if check else 'renewed'}")
        if not check:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
    return 1 if check and stale else 0
