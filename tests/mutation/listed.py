"""Lists of mutants that no recorded game notices.

Input: `GAME-properties.txt` (mutants that a property notices) and `GAME-equivalent.txt` (mutants that change nothing).
Both have lines `mutant => property or reason`.
Output: the mutants with their properties or reasons. A reason that starts with `proved:` is proved by the solver.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
PROVED = "proved: "


def listed(game: str, what: str) -> dict[str, str]:
    """Return the mutants of a list by name; none if the list does not exist."""
    file = HERE / f"{game}-{what}.txt"
    if not file.exists():
        return {}
    lines = [x for x in file.read_text("utf-8").splitlines() if x.strip() and not x.startswith("#")]
    pairs = [(mutant, why) for mutant, _, why in (line.rpartition(" => ") for line in lines)]
    assert all(map(all, pairs)), f"{file.name}: mutant => why"
    assert len({mutant for mutant, _ in pairs}) == len(pairs), f"{file.name}: a mutant is there twice"
    return dict(pairs)


def noticed_by_property(game: str) -> dict[str, str]:
    return listed(game, "properties")


def equivalent(game: str) -> dict[str, str]:
    return listed(game, "equivalent")
