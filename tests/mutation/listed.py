"""The mutants of the games that no recorded game notices.

Input: `GAME-properties.txt` (mutants that a property notices) and `GAME-equivalent.txt` (mutants that change nothing).
Output: the mutants with their properties or reasons. A reason that starts with `proved:` is proved by the solver.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from golpae.mutate.explained import explained
from golpae.mutate.recorded import Hand, Trace
from golpae.mutate.recorded import hands as hands_in
from golpae.mutate.recorded import traces as traces_in
from golpae.trace import Source, sources
from tests.committed import TOP

HERE = Path(__file__).parent
PROVED = "proved: "


def listed(game: str, what: str) -> dict[str, str]:
    """Return the mutants of a list by name; none if the list does not exist."""
    file = HERE / f"{game}-{what}.txt"
    return explained(file) if file.exists() else {}


def noticed_by_property(game: str) -> dict[str, str]:
    return listed(game, "properties")


def equivalent(game: str) -> dict[str, str]:
    return listed(game, "equivalent")


@cache
def traces(game: str) -> tuple[Trace, ...]:
    """Return the traces of a game."""
    files, faults = sources([str(TOP / "traces" / game)])
    assert not faults
    return tuple(traces_in(files, game))


@cache
def hands(game: str) -> tuple[Hand, ...]:
    """Return the hands of a game that are listed with their points."""
    file = HERE / f"{game}-hands.jsonl"
    return tuple(hands_in(Source(str(file)))) if file.exists() else ()
