"""What the prover says of a property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PROVED, REFUTED, BOUNDED, UNKNOWN = "proved", "refuted", "bounded", "unknown"
WORKED_OUT = "worked out for the whole set"


@dataclass(frozen=True, slots=True)
class Witness:
    """What shows that a property fails, or that something is possible.

    `values` are names of the property and what they stand for, in words of the rules (`{"t": "6-3"}`);
    `deal` and `events` are lines of a trace without its header, of a game that shows it.
    """

    values: tuple[tuple[str, str], ...] = ()
    events: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a pattern of a score always brings along, and what never comes with it.

    `never` says that no way that counts has it; then it brings and excludes nothing here.
    """

    name: str
    never: bool
    brings: tuple[str, ...]
    excludes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """Two patterns that do not go together as the text says, in words; `values` are of a way that shows it,
    none where the text leaves out what every way has.
    """

    said: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict and how it came about.

    `verdict` is proved, refuted, bounded (to `bound` events) or unknown; `story` says how in a line, of an
    unknown why (time, memory, solver); `clauses` are the clauses that a proof used; `lemmas` the invariants
    that it rests on; `vacuous` says why a property that holds speaks of nothing. Of which patterns bring which,
    `patterns` is the whole matrix, and `wrong` what the text says otherwise. `every` tells of an option for whose
    every value a theorem is proved too, however large the set (`double from 6 on`).
    """

    verdict: str
    story: str
    clauses: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    witness: Witness | None = None
    bound: int | None = None
    vacuous: str | None = None
    queries: int = 0
    patterns: tuple[Pattern, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    every: str | None = None
