"""The result of a property: what `golpae prove` prints, caches and writes down.

Input: none, this module holds data.
Output: `PropertyResult`.
Guarantee: the names of its fields are the keys of the JSON output.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from golpae.prove.answer import Pattern, Witness, Wrong

SHARE = "share"  # the kind of a claim that states a share of hands
FAULT = "a fault in golpae itself"  # how the story of a property begins that golpae failed to decide
LONGEST = 300  # characters of what an exception says


def fault_of(error: Exception) -> str:
    """Return the message of an exception, with the place in golpae, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    words = " ".join(str(error).split())
    words = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
    return f"{type(error).__name__}{place}{f': {words}' if words else ''}"


@dataclass(frozen=True, slots=True)
class UnsupportedPlace:
    """The clause that the prover does not support, by its path; its file, line and words, if the text was read."""

    clause: str
    file: str | None = None
    line: int | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """In `count` of the hands of so many games an event came about; `low` and `high` bound its share at 95 %.

    Everybody played by the policy. Hands of `within` events were broken off.
    """

    games: int
    count: int
    low: float
    high: float
    policy: str
    within: int


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """One property of one rule set at one table, with its verdict.

    `players` and `options` are the table's; both are empty (0, {}) for a theorem that is the same at every table.
    `expected` is the verdict that the text expects, `proved` by default. `seconds` is the time that the first
    verification took; `kept` is true if the result comes from the cache. `checked` is the second solver's reply:
    `agrees`, why it has no answer, or None if it was not called; `confirmed` is how many questions it answered alike.
    `seed` is that of random play if the witness is a game. `witness_file` is the file of the witness, if it was
    written. `patterns` is the matrix of a score, and `wrong` lists the pairs that contradict the text. `every` is an
    option for whose every value a theorem is proved as well (`double from 6 on`). `after` is the action of a property
    that is asked right after its events. `positions` is how many positions all games have, if they were gone through.
    `fault` says what went wrong in golpae itself while it decided this property; the verdict is unknown then.
    `unsupported` is the clause that the prover does not support, if it left the property undecided. `fullest` is the
    largest part of its units that a question to the solver used before it was answered, and what that was about;
    first tries do not count. `unaided` are those of its `lemmas` that needed no others that games suggested. `units`
    counts what the solver did. `rechecked` says that a kept proof was checked again. `measured` is what was counted for
    a claim that states a share. `unjudged` says that it is vacuous, and that the run was interrupted before another
    table, where it may apply.
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
    after: str | None = None
    positions: int | None = None
    fault: str | None = None
    unsupported: UnsupportedPlace | None = None
    fullest: tuple[float, str] = (0.0, "")
    unaided: tuple[str, ...] = ()
    units: int = 0
    rechecked: bool = False
    unjudged: bool = False
    measured: Measured | None = None
    confirmed: int = 0

    @property
    def as_expected(self) -> bool:
        """Return whether the verdict is the expected one. Unknown never is; a bounded one is no proof."""
        return self.verdict == self.expected

    def record(self) -> dict[str, Any]:
        """Return the result as plain data."""
        from dataclasses import asdict

        return asdict(self)


def _ignore(what: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Listener:
    """The functions to call while properties are verified.

    `on_result` is called with each result at once, `on_search` with what is looked for that properties share, and with
    None when it is found, `on_begin` with the name of the property that comes next.
    """

    on_result: Callable[[PropertyResult], object] = _ignore
    on_search: Callable[[str | None], None] | None = None
    on_begin: Callable[[str], object] = _ignore
