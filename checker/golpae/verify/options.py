"""What verification may cost, and what else it depends on besides the rules.

Input: none, this module holds data.
Output: `Settings`.
Guarantee: a verdict depends on the rules, the table and these alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """`milliseconds` and `megabytes` are those of one question to a solver; `seed` and `games` are those of
    random play, for one property. `smt2` is the folder that questions are written to; `crosscheck` asks a
    second solver. With `cached`, answers to theorems are shared with other rules and tables.
    """

    milliseconds: int = 60_000
    megabytes: int = 2_000
    seed: int = 1
    games: int = 200
    smt2: Path | None = None
    crosscheck: bool = False
    cached: bool = False
