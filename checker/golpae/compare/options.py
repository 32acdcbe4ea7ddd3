"""What one comparison of two rule sets is restricted to, and what it may cost.

Input: nothing; this module holds data only.
Output: `CompareOptions`.
Guarantee: options choose tables and limit the work; they never change an answer that is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from golpae.trace.discover import Source
from golpae.workers import UNLIMITED, OuterLimits


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """`players` and `options` choose tables. Without them, every number of players that both rule sets allow is
    compared, with default options. `effort` scales what is counted of the work; `limits` end
    the work at one table, which then has no answer. `seed` fixes random play, `jobs` is the
    number of processes. `cached` is whether results are read from the cache and written to it. `recorded` are files of
    games that may show a difference; with any, nothing is cached. `hands` are how many random hands are played, and
    how many are scored by each score that differs; None for as many as fit the game.
    """

    players: int | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    jobs: int = 1
    effort: float = 1
    seed: int = 1
    cached: bool = True
    limits: OuterLimits = UNLIMITED
    recorded: tuple[Source, ...] = ()
    hands: int | None = None
