"""What other rules would have changed in recorded games: for people, as a page in Markdown, and as JSON.

Input: a `ImpactTally`, and the names of both sides. Output: lines of text, or one JSON object.
Guarantee: rows that count more games come first, of equal ones the one that shows sooner; every row names a game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from golpae.diagnostics.amounts import many
from golpae.diagnostics.hidden import on_one_line
from golpae.diagnostics.markdown import code, escaped, grid
from golpae.impact.tally import DifferenceCount, DifferencePlace, End, ImpactTally
from golpae.report.paint import Paint

MOST_ROWS = 20
"""Rows of a part, and players."""
MOST_CHANGES = 4
"""Amounts of change that a row lists."""


@dataclass(frozen=True, slots=True)
class ImpactReport:
    """A tally, and what it is of: the labels of A and B, and how many files."""

    a: str
    b: str
    files: int
    tally: ImpactTally


class DifferenceRow(NamedTuple):
    """A row: what differs, how often in words, what is counted; the ends of the game under A and B if these differ."""

    what: str
    often: str
    row: DifferenceCount
    ends: tuple[End, End] | None = None

    @property
    def place(self) -> DifferencePlace:
        """Where it shows soonest."""
        return self.row.place


@dataclass(frozen=True, slots=True)
class ImpactSection:
    """A part of the report: its title, what its rows count, and its rows; remarks below it; how many rows are left out.

    `kind` is its title in a word or two for one row.
    """

    title: str
    counted: str
    rows: Sequence[DifferenceRow]
    kind: str
    remarks: Sequence[str] = ()
    left: int = 0


def lines(impact_report: ImpactReport, paint: Paint) -> list[str]:
    """Return the report for people."""
    out = [*head(impact_report)]
    for part in parts(impact_report):
        wide = max(len(part.title), *(len(row.what) + 2 for row in part.rows))
        counts = max(len(part.counted), *(len(row.often) for row in part.rows))
        out += ["", f"{part.title:<{wide}}  {part.counted:>{counts}}  soonest"]
        for row in part.rows:
            soonest = paint(_shown(row.place), "2")
            out.append(f"  {row.what:<{wide - 2}}  {row.often:>{counts}}  {soonest}")
            if row.place.message is not None:
                out.append(f"    {on_one_line(row.place.message)}")
        out += [f"  {remark}" for remark in part.remarks]
        out += [f"  and {part.left:,} more (all with `--format json`)"] if part.left else []
    return out


def markdown(impact_report: ImpactReport) -> list[str]:
    """Return the report as a page in Markdown."""
    first, *rest = head(impact_report)
    out = [f"# {escaped(first)}", "", *map(escaped, rest)]
    for part in parts(impact_report):
        rows = []
        for row in part.rows:
            why = "" if row.place.message is None else f": {escaped(row.place.message)}"
            rows.append((escaped(row.what), row.often, code(_shown(row.place)) + why))
        out += ["", *grid((part.title, part.counted, "soonest"), rows, numbers=(1,))]
        out += ["", *map(escaped, part.remarks)] if part.remarks else []
        out += ["", f"and {part.left:,} more"] if part.left else []
    return out


def document(impact: ImpactReport, status: int) -> str:
    """Return the report as JSON."""
    tally = impact.tally
    value = {
        "a": impact.a,
        "b": impact.b,
        "files": impact.files,
        "games": tally.games,
        "same": tally.same,
        "other_games": tally.other_games,
        "unread": tally.unread,
        "unseen": tally.unseen,
        "verdicts": [
            {"a": _end(a), "b": _end(b), **_counts(row), "message": row.place.message}
            for (a, b), row in _sorted(tally.flips)
        ],
        "payments": None
        if tally.paid is None
        else {
            **_counts(tally.paid),
            "moved": tally.moved,
            "seats": {str(seat): tally.seats[seat] for seat in sorted(tally.seats)},
            "players": {
                str(name): more for name, more in sorted(tally.players.items(), key=_gain) if name is not None
            },
            "further_players": tally.players.get(None, 0),
        },
        "amounts": [
            {"action": action, "key": key, **_counts(row), "changes": _changes(row)}
            for (action, key), row in _sorted(tally.amounts)
        ],
        "patterns": [
            {"pattern": name, **_counts(row), "changes": _changes(row)}
            for name, row in _sorted(tally.patterns)
        ],
        "status": status,
    }
    return json.dumps(value, ensure_ascii=False, indent=2)


# ------------------------------------------------------------------ for people


def head(impact: ImpactReport) -> Iterator[str]:
    """Yield the lines on all games together."""
    tally = impact.tally
    yield (
        f"{impact.a} → {impact.b}, over {many(tally.games, 'recorded game')} in {many(impact.files, 'file')}"
    )
    differ = tally.games - tally.same
    if tally.games:
        yield (
            f"{tally.same:,} the same under both, {differ:,} not ({differ / tally.games:.1%})"
            if differ
            else "all the same under both"
        )
    if tally.other_games:
        yield f"{many(tally.other_games, 'game')} of other rules left out"
    if tally.unread:
        yield f"{many(tally.unread, 'game')} left out: the header cannot be read"
    if tally.unseen:
        yield f"{many(tally.unseen, 'game')} left out: some tiles are unknown, because nobody saw them"


def parts(impact_report: ImpactReport, most: int | None = MOST_ROWS) -> Iterator[ImpactSection]:
    """Yield the sections of differences in a report, with so many rows each at most."""
    tally = impact_report.tally
    if tally.flips:
        flips = [
            DifferenceRow(_flip(*ends), f"{row.games:,}", row, ends) for ends, row in _sorted(tally.flips)
        ]
        yield _part("verdicts", "verdict", flips, most)
    if tally.paid is not None:
        row = tally.paid
        counts = f"{many(row.games, 'game')}, {many(row.events, 'hand')}"
        moved = f"{tally.moved:,} paid otherwise in all"
        seats = ", ".join(f"seat {seat} {tally.seats[seat]:+,}" for seat in sorted(tally.seats))
        players = sorted(
            ((n, more) for n, more in tally.players.items() if n is not None and more), key=_gain
        )
        named = ", ".join(f"{on_one_line(name)} {more:+,}" for name, more in players[:MOST_ROWS])
        more = f", and {len(players) - MOST_ROWS:,} more" if len(players) > MOST_ROWS else ""
        remarks = [f"by seat: {seats}", *([f"by player: {named}{more}"] if named else [])]
        yield ImpactSection("payments", "", [DifferenceRow(moved, counts, row)], "payments", remarks)
    if tally.amounts:
        rows = [
            DifferenceRow(f"`{key}` of `{action}`: {_said(row)}", f"{row.games:,}", row)
            for (action, key), row in _sorted(tally.amounts)
        ]
        yield _part("what is said in events", "amount", rows, most)
    if tally.patterns:
        named_rows = [
            DifferenceRow(f"{name}: {_said(row)}", f"{row.games:,}", row)
            for name, row in _sorted(tally.patterns)
        ]
        yield _part("patterns that count", "pattern", named_rows, most)


def _part(title: str, kind: str, rows: Sequence[DifferenceRow], most: int | None) -> ImpactSection:
    shown = rows[:most]
    return ImpactSection(title, "games", shown, kind, left=len(rows) - len(shown))


def _flip(a: End, b: End) -> str:
    if a.verdict is b.verdict and a.clause == b.clause and a.reason == b.reason:
        return f"{_words(a)}, at another event"
    return f"{_words(a)} → {_words(b)}"


def _words(end: End) -> str:
    words = str(end.verdict.value)
    if end.clause is not None:
        return f"{words} by {end.clause}"
    return words if end.reason is None else f"{words} in its header"


def _said(row: DifferenceCount) -> str:
    """Return by how much amounts change, the most frequent changes first."""
    ordered = sorted(row.changes.items(), key=lambda pair: (-pair[1], pair[0] is None, pair[0] or 0))
    parts = [
        f"{'otherwise' if change is None else f'{change:+,}'} in {count:,}"
        for change, count in ordered[:MOST_CHANGES]
    ]
    left = sum(count for _, count in ordered[MOST_CHANGES:])
    return ", ".join([*parts, *([f"by other amounts in {left:,}"] if left else [])])


def _shown(place: DifferencePlace) -> str:
    return f"{on_one_line(place.file)}:{place.line}, " + (
        "header" if place.event == 0 else f"event {place.event}"
    )


# ------------------------------------------------------------------ rows


def _sorted(rows: Mapping[Any, DifferenceCount]) -> list[tuple[Any, DifferenceCount]]:
    return sorted(rows.items(), key=lambda pair: (-pair[1].games, pair[1].place, str(pair[0])))


def _gain(player: tuple[str | None, int]) -> tuple[int, str]:
    return -abs(player[1]), str(player[0])


def _counts(row: DifferenceCount) -> dict[str, Any]:
    place = row.place
    soonest = {"file": place.file, "line": place.line, "event": place.event, "at": place.at}
    return {"games": row.games, "events": row.events, "soonest": soonest}


def _changes(row: DifferenceCount) -> dict[str, int]:
    """Return how often each amount of change occurs; `other` is no number."""
    return {
        "other" if change is None else f"{change:+d}": count
        for change, count in sorted(row.changes.items(), key=lambda pair: (pair[0] is None, pair[0] or 0))
    }


def _end(end: End) -> dict[str, Any]:
    return {"verdict": end.verdict.value, "clause": end.clause, "reason": end.reason}
