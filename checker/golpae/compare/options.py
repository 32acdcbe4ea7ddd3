"""What a comparison of two rule sets is about, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """`players` and `options` choose tables; without them, every number of players that both rule sets allow, with
    options as they normally are. `milliseconds` are those of one question to a solver, `seed` is that of random
    play. What was decided before is used again where `cached`.
    """

    players: int | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    jobs: int = 1
    milliseconds: int = 60_000
    seed: int = 1
    cached: bool = True
