"""The words for what comes of clauses, which tables and pages share.

Input: counts. Output: words. Guarantee: a share is called 100% only if nothing is missing.
"""

from __future__ import annotations

from golpae.coverage.tally import GameTally, Missing, Share

ROWS = {
    ("switch", "played"): "variants and readings that were played",
    ("action", "happened"): "actions that happened",
    ("condition", "held"): "conditions that held",
    ("condition", "broken"): "conditions that refused an event",
    ("definition", "asked"): "definitions that were asked",
    ("case", "held"): "cases of definitions that held",
    ("effect", "done"): "effects that happened",
    ("when", "yes"): "tests of effects that were true",
    ("when", "no"): "tests of effects that were false",
    ("pattern", "counted"): "patterns that counted",
}
NEVER = {
    ("switch", "played"): "never played",
    ("action", "happened"): "never happened",
    ("condition", "held"): "never held",
    ("condition", "broken"): "never refused an event",
    ("definition", "asked"): "never asked",
    ("case", "held"): "never held",
    ("effect", "done"): "never happened",
    ("when", "yes"): "never true",
    ("when", "no"): "never false",
    ("pattern", "counted"): "never counted",
}


def heading(tally: GameTally) -> str:
    """Return which games were counted."""
    verdicts = ", ".join(f"{count:,} {word}" for word, count in _ordered(tally).items())
    seats = sorted(tally.players)
    tables = "" if not seats else f", {seats[0]} player{'s' * (seats[0] != 1)}"
    if len(seats) > 1:
        tables = f", {seats[0]} to {seats[-1]} players"
    games = f"{tally.games:,} game{'s' * (tally.games != 1)}" + (f" ({verdicts})" if verdicts else "")
    sets = len(tally.rule_sets)
    return f"{tally.book.game}: {games}, {sets:,} rule set{'s' * (sets != 1)}{tables}"


def never(missing: Missing) -> str:
    """Return the words for the side of a clause that never came up."""
    return NEVER[missing.clause.kind, missing.side]


def _ordered(tally: GameTally) -> dict[str, int]:
    words = ("legal", "incomplete", "illegal", "malformed", "unknown")
    return {word: tally.verdicts[word] for word in words if tally.verdicts[word]}


def percent(share: Share) -> str:
    """Return a share; it is 100% only if nothing is missing."""
    if share.covered < share.of and share.percent > 99.9:
        return "99.9%"
    return f"{share.percent:.1f}%"
