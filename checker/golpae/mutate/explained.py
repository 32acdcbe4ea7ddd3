"""Lists of mutants that nothing has to notice, because they change nothing, or because a property notices them.

Input: a file of lines `mutant => reason`; lines that begin with `#` are for people.
Output: the mutants with their reasons.
"""

from __future__ import annotations

from pathlib import Path


class Unreadable(Exception):
    """The words say what is wrong with a list."""


def explained(file: Path) -> dict[str, str]:
    """Return the mutants of a list by name. Raises OSError and `Unreadable`."""
    out: dict[str, str] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        mutant, _, why = line.rpartition(" => ")
        if not mutant or not why.strip():
            raise Unreadable(f"line {number} is not `mutant => reason`")
        if mutant in out:
            raise Unreadable(f"line {number} has a mutant that is there already")
        out[mutant] = why
    return out
