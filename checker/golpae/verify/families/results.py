"""The results of a family: what is so of a property at one table.

Input: none, this module holds data. Output: `FamilyResult`, and its parts. Guarantee: importing this
module loads no solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from golpae.families.region import Cube
from golpae.prove.answer import PROVED, REFUTED, Witness


@dataclass(frozen=True, slots=True)
class FamilyPart:
    """Rule sets with the same verdict: `cubes` are where, `rules` names the one of the witness, a game that
    `is_shortest` if no game with fewer events shows the same under any of them.
    """

    cubes: tuple[Cube, ...]
    verdict: str
    story: str
    rules: str | None
    witness: Witness | None
    is_shortest: bool = False


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """What was found of a property at one table.

    `all` is how many rule sets there are, `stated` how many of them state it, `counts` how many have each verdict.
    `conditions` says for each verdict in words where it is so, `unexpected` where it is otherwise than expected.
    """

    rules: str
    players: int
    options: Mapping[str, int]
    kind: str
    name: str
    ids: tuple[str, ...]
    all: int
    stated: int
    parts: tuple[FamilyPart, ...]
    counts: Mapping[str, int]
    conditions: Mapping[str, str]
    unexpected: str | None

    @property
    def is_decided(self) -> bool:
        return set(self.counts) <= {PROVED, REFUTED}
