"""One fault that is planted in a copy of the package.

Input: none. Output: `Fault`, and the texts of a file before and after. Guarantee: a fault whose old lines are not in
its file exactly once is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.committed import TOP

PACKAGE = TOP / "checker" / "golpae"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the lines `old` of a file become `new`, and then what `wrong` says happens.

    `part` is the part of the net that is asked: games, proofs, comparisons. `unseen` says why no text can show it.
    """

    name: str
    file: str
    old: str
    new: str
    wrong: str
    part: str = "games"
    unseen: str | None = None

    def planted(self, package: Path = PACKAGE) -> str:
        """Return the text of the file with the fault. Raises ValueError if its old lines are not there once."""
        text = (package / self.file).read_text(encoding="utf-8")
        found = text.count(self.old)
        if found != 1:
            raise ValueError(f"{self.name}: {self.file} has the old lines {found} times")
        return text.replace(self.old, self.new)
