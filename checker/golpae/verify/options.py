"""What verification may cost, and what else it depends on besides the rules.

Input: none, this module holds data.
Output: `Settings`.
Guarantee: a verdict depends on the rules, the table and these alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from golpae.verify.kept_proofs import KeptTable

INVARIANTS, MORE_INVARIANTS, GAMES = "invariants", "more invariants", "all games"


SECONDS_FOR_MANY = 1_800  # by default, for what is about many rule sets at once


@dataclass(frozen=True, slots=True)
class Settings:
    """`effort` scales what questions to a solver, searches and random play may cost; all of it is counted, so that
    an answer does not depend on the machine. `most` is how many units of work the largest question may cost, before
    it is scaled. `seconds` is what one property may
    take, and the invariants that properties share; `megabytes` is what one process may use. A property that exceeds
    these has no answer. `lost` names what exceeded them in another process (`INVARIANTS`, `MORE_INVARIANTS`, `GAMES`),
    with the limit. `seed` and `games` are those of random play, for one property, `solver_seed` is that of the solver.
    `smt2` is the folder that questions are written to; `crosscheck` asks a
    second solver. With `cached`, answers to theorems are shared with other rules and tables. `kept` is what is kept
    beside the text about the table: it is checked again, and what does not hold is looked for.
    """

    effort: float = 1
    most: int | None = None
    seconds: float = 600
    megabytes: int = 2_000
    seed: int = 1
    solver_seed: int = 0
    games: int = 200
    smt2: Path | None = None
    crosscheck: bool = False
    cached: bool = False
    lost: tuple[tuple[str, str], ...] = ()
    kept: KeptTable | None = None

    @property
    def counted(self) -> tuple[object, ...]:
        """What a verdict depends on besides the rules, the table and what is kept."""
        return self.effort, self.most, self.solver_seed, self.seed, self.games, self.crosscheck

    def scaled(self, number: int) -> int:
        """Return how many games or tries these are with the effort."""
        return max(1, round(number * self.effort))
