"""A decided property: what `golpae prove` prints, keeps and writes down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from golpae.prove.answer import Pattern, Witness, Wrong

HOLDS = ("proved", "bounded", "measured")


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """One property of one rule set at one table, with its verdict.

    `players` and `options` are the table's; both are empty (0, {}) for a theorem that is the same at every
    table. `expected` is what the text expects, proved where it says nothing. `seconds` is the time it took when
    it was first decided; `kept` says that it was read from the cache. `checked` is what the second solver
    said of it: None where it was not asked, `agrees`, or why it has no answer. `seed` is that of random play,
    None where none was needed. `witness_file` is where the witness was written, None where it was not. `patterns`
    is the matrix of a score, where that was asked, and `wrong` tells of pairs that are otherwise than the text says.
    `every` is an option for whose every value a theorem is proved as well (`double from 6 on`).
    """

    rules: str
    players: int
    options: dict[str, int]
    kind: str
    name: str
    ids: tuple[str, ...]
    verdict: str
    expected: str
    story: str
    clauses: tuple[str, ...]
    lemmas: tuple[str, ...]
    witness: Witness | None
    bound: int | None
    vacuous: str | None
    queries: int
    seconds: float
    seed: int | None
    spec_hash: str
    solvers: dict[str, str]
    checked: str | None = None
    kept: bool = False
    witness_file: str | None = None
    patterns: tuple[Pattern, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    every: str | None = None

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one. Unknown never is; a bounded one is no proof."""
        return self.verdict == self.expected

    def record(self) -> dict[str, Any]:
        """The finding as plain data."""
        from dataclasses import asdict

        return asdict(self)
