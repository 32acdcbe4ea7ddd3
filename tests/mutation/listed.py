"""Lists of mutants that no recorded game notices.

In: `GAME-properties.txt`, mutants that a property notices, and `GAME-equivalent.txt`, mutants that change nothing;
in both `mutant => property or reason`, one a line. Out: what they say. A reason that starts with `proved:` is one
that the solver has shown to be so.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
PROVED = "proved: "


def listed(game: str, what: str) -> dict[str, str]:
    """The mutants of a list by name; nothing where there is no such list."""
    file = HERE / f"{game}-{what}.txt"
    if not file.exists():
        return {}
    lines = [x for x in file.read_text("utf-8").splitlines() if x.strip() and not x.startswith("#")]
    pairs = [(mutant, why) for mutant, _, why in (line.rpartition(" => ") for line in lines)]
    assert all(map(all, pairs)), f"{file.name}: mutant => why"
    assert len({mutant for mutant, _ in pairs}) == len(pairs), f"{file.name}: a mutant stands there twice"
    return dict(pairs)


def noticed_by_property(game: str) -> dict[str, str]:
    return listed(game, "properties")


def equivalent(game: str) -> dict[str, str]:
    return listed(game, "equivalent")
