"""What an audit of deals found: for people, and as JSON.

Input: an `Audit`, and the level: the largest probability that is listed.
Output: lines of text, or one JSON object.
Guarantee: every number is corrected for the number of comparisons. Deals that were dealt before come first, because
they explain other findings; then the most unlikely ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never

from golpae.audit.frequencies import Audit, Frequency, Repeats, Spot, TableAudit
from golpae.diagnostics.amounts import many
from golpae.diagnostics.hidden import on_one_line

MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """A comparison: its table, what it is in words, and how unlikely it is after correction. `spots` show repeats."""

    table: TableAudit
    words: str
    unlikely: float
    about: Frequency | str
    repeats: Repeats | None = None


def findings(audit: Audit) -> list[Finding]:
    """Return all comparisons, the most unlikely first."""
    all_findings = [finding for table in audit.tables.values() for finding in _findings(table)]
    corrected = [
        replace(finding, unlikely=min(1.0, finding.unlikely * len(all_findings))) for finding in all_findings
    ]
    return sorted(corrected, key=lambda finding: (finding.unlikely, finding.words))


def _told(ordered: list[Finding], level: float) -> list[Finding]:
    told = [finding for finding in ordered if finding.unlikely <= level]
    return sorted(told, key=lambda finding: finding.repeats is None)


def lines(audit: Audit, files: int, level: float) -> list[str]:
    """Return the report for people."""
    ordered = findings(audit)
    rows = _told(ordered, level)
    out: list[str] = []
    for table in audit.tables.values():
        draws = f", {many(table.draws, 'draw')}" if table.draws else ""
        deals = many(table.same.deals, "deal")
        out.append(
            f"{table.game} with {many(table.players, 'player')}: {many(table.games, 'game')}, {deals}{draws}"
        )
        own = [finding for finding in rows if finding.table is table]
        for finding in own[:MOST_ROWS]:
            out.append(f"  {finding.words}  ({_chance(finding.unlikely)})")
            out += [f"    {line}" for line in _spots(finding.repeats)]
        out += [f"  and {len(own) - MOST_ROWS:,} more findings"] if len(own) > MOST_ROWS else []
        if not own:
            out.append("  nothing unusual" if table.same.deals else "  no deals")
    out.append(
        f"{many(len(ordered), 'comparison')} in {many(audit.games, 'game')}, {many(files, 'file')}"
        + (f"; listed above if p is at most {level:g}" if ordered else "")
    )
    if not rows and ordered:
        least = ordered[0]
        out.append(f"the most unusual: {least.table.game}: {least.words} ({_chance(least.unlikely)})")
    if audit.copies:
        out.append(f"{many(audit.copies, 'game')} left out: recorded twice")
    return out


def document(audit: Audit, files: int, level: float, status: int) -> str:
    """Return the report as JSON: every comparison that is told, and the least likely one."""
    ordered = findings(audit)
    told = _told(ordered, level)
    value = {
        "games": audit.games,
        "files": files,
        "recorded_twice": audit.copies,
        "comparisons": len(ordered),
        "level": level,
        "tables": [
            {
                "game": table.game,
                "players": table.players,
                "games": table.games,
                "deals": table.same.deals,
                "draws": table.draws,
            }
            for table in audit.tables.values()
        ],
        "findings": [_json(finding) for finding in told],
        "least_likely": _json(ordered[0]) if ordered else None,
        "status": status,
    }
    return json.dumps(value, ensure_ascii=False, indent=2)


def _findings(table: TableAudit) -> Iterator[Finding]:
    """Yield the comparisons of a table, not corrected yet."""
    for name, repeated, what in (
        ("deals", table.same, "the hands of an earlier deal, at the same seats"),
        ("hands", table.turned, "the hands of an earlier deal, at whatever seats"),
        ("walls", table.rows, "the wall of an earlier deal: the remaining tiles lie in the same order"),
    ):
        if repeated.deals > 1 and (repeated is not table.turned or repeated.found > table.same.found):
            repeat = "repeats" if repeated.found == 1 else "repeat"
            words = f"{repeated.found:,} of {many(repeated.deals, 'deal')} {repeat} {what}"
            if repeated.as_if is not None:
                several = f"about {repeated.as_if:,} different shuffles"
                words += f", as if there were only {several if repeated.as_if > 1 else 'one shuffle'}"
            yield Finding(table, words, repeated.unlikely(), name, repeated)
    for frequency in table.frequencies():
        yield Finding(table, _words(frequency), frequency.count.unlikely(), frequency)


def _words(frequency: Frequency) -> str:
    """Return a comparison in words: what came how often, and how often it is expected."""
    count, where = frequency.count, frequency.where
    tiles = None if frequency.tiles is None else on_one_line(frequency.tiles)
    match frequency.kind:
        case "dealt":
            what = f"seat {where} was dealt {tiles}"
        case "dealt first":
            far = "next to" if where == 1 else f"{where} seats after"
            who = f"the player {far} the first player" if where else "the first player"
            what = f"{who} was dealt {tiles}"
        case "placed":
            what = f"{tiles} was at place {where + 1} of the remaining tiles"
        case "drawn":
            what = f"seat {where} drew {tiles}"
        case "kept":
            what = f"seat {where} was dealt tiles of its previous hand again"
        case _:
            assert_never(frequency.kind)
    word = "too often" if count.too_often else "too rarely"
    return f"{what} {word}: {many(count.seen, 'time')}, about {count.expected:,.1f} expected"


def _chance(unlikely: float) -> str:
    if unlikely >= 1:
        return "not unusual"
    return f"p at most {max(unlikely, 1e-300):.2g}"


def _spots(repeated: Repeats | None) -> Iterator[str]:
    for one, other in () if repeated is None else repeated.spots:
        yield f"{_spot(one)} and {_spot(other)}"


def _spot(spot: Spot) -> str:
    return f"{on_one_line(spot.file)}:{spot.header}, line {spot.line}"


def _json(finding: Finding) -> dict[str, Any]:
    about = finding.about
    own: dict[str, Any] = {
        "game": finding.table.game,
        "players": finding.table.players,
        "p": finding.unlikely,
    }
    if isinstance(about, Frequency):
        own |= {"about": about.kind, "where": about.where, "tiles": about.tiles}
        own |= {"seen": about.count.seen, "expected": about.count.expected}
    else:
        assert finding.repeats is not None
        repeated = finding.repeats
        own |= {"about": about, "seen": repeated.found, "deals": repeated.deals, "as_if": repeated.as_if}
        own["spots"] = [[_place(one), _place(other)] for one, other in repeated.spots]
    return {**own, "words": finding.words}


def _place(spot: Spot) -> dict[str, Any]:
    return {"file": spot.file, "line": spot.header, "at": spot.line}
