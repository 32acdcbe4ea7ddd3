"""What the prover answers about a property.

Input: nothing, this module holds data. Output: `Answer`, `Witness`, and `Pattern` and `Wrong` for patterns of a score.
Guarantee: an answer with the verdict unknown says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PROVED, REFUTED, BOUNDED, UNKNOWN = "proved", "refuted", "bounded", "unknown"
MEASURED, UNMEASURED = "measured", "unmeasured"  # of a claim that states a share of hands
WORKED_OUT = "computed for the whole set"


@dataclass(frozen=True, slots=True)
class Witness:
    """What shows that a property fails, or that something is possible.

    `values` are names of the property with their values, in words of the rules (`{"t": "6-3"}`). `events` are the
    lines of a trace without its header, of a game that shows it; `alike` are those of another game, if it takes two
    that look the same to a player.
    """

    values: tuple[tuple[str, str], ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    alike: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a pattern of a score always brings along, and what it excludes.

    `never` says that no valid way has the pattern; then it brings and excludes nothing.
    """

    name: str
    never: bool
    brings: tuple[str, ...]
    excludes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """Two patterns that contradict the text, in words.

    `values` describe a way that shows this. They are empty if the text leaves out what every way has.
    """

    said: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, and the reasons for it.

    `verdict` is proved, refuted, bounded (up to `bound` events) or unknown. `story` gives the reason in a line; if
    unknown: time, memory or the solver. `clauses` are the clauses that a proof uses, `lemmas` its invariants.
    `vacuous` says why a proved property is vacuous, if it is. If the question is which patterns bring which,
    `patterns` is the whole matrix, and `wrong` lists what contradicts the text. `every` names an option for whose
    every value a theorem is proved as well, however large the set (`double from 6 on`). `positions` is how many there
    are, if all games were gone through. `unsupported` is the path of the clause that the prover does not support.
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
    positions: int | None = None
    unsupported: str | None = None
