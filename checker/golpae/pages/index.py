"""The index of many games: how they ended, the clauses that refuse most, and a table with a link for each game.

Input: a row for each game.
Output: the page.
Guarantee: the table is in the page as it stands; scripts only sort and filter it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from golpae import __version__
from golpae.pages.document import Markup, escaped, page
from golpae.trace import Outcome, Verdict

STYLES = ("base.css", "index.css")
SCRIPTS = ("sort.js", "index.js")
MOST_CLAUSES = 8
LONGEST = 300  # characters of a message in the table


@dataclass(frozen=True, slots=True)
class Row:
    """A game of the index. `page` is the name of its page, None if its rules cannot be played."""

    number: int
    outcome: Outcome
    players: tuple[str, ...]
    events: int
    message: str
    page: str | None


def index_page(rows: Sequence[Row]) -> str:
    """Return the index."""
    values = {
        "title": counted(rows),
        "where": f"golpae {__version__}",
        "counts": Markup("\n".join(_counts(rows))),
        "clauses": Markup("\n".join(_clauses(rows))),
        "rows": Markup("\n".join(map(_row, rows))),
    }
    return page("index.html", STYLES, SCRIPTS, values)


def counted(rows: Sequence[Row]) -> str:
    """Return how many games there are, and how they ended."""
    counts = Counter(row.outcome.verdict for row in rows)
    words = ", ".join(f"{counts[verdict]:,} {verdict.value}" for verdict in Verdict if counts[verdict])
    return f"{len(rows):,} game{'s' * (len(rows) != 1)}" + (f": {words}" if words else "")


def _counts(rows: Sequence[Row]) -> Iterator[str]:
    counts = Counter(row.outcome.verdict for row in rows)
    for verdict in Verdict:
        if counts[verdict]:
            word = verdict.value
            yield (
                f'<button type="button" class="{word}" data-filter="verdict" data-value="{word}">'
                f"<b>{counts[verdict]:,}</b>{word}</button>"
            )


def _clauses(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the clauses that refuse most, each with the words of one of its refusals."""
    counts = Counter(row.outcome.clause for row in rows if row.outcome.clause is not None)
    if not counts:
        return
    words = {row.outcome.clause: row.message for row in reversed(rows)}
    most = max(counts.values())
    yield '<section class="clauses card"><h2>The clauses that refuse most</h2><ol>'
    for clause, times in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CLAUSES]:
        name, example = escaped(clause), escaped(words[clause][:LONGEST])
        yield (
            f'<li><button type="button" data-filter="clause" data-value="{name}" '
            f'style="--share: {100 * times // most}%"><span class="times">{times:,}</span> '
            f'<code>{name}</code> <span class="words quiet">{example}</span></button></li>'
        )
    if len(counts) > MOST_CLAUSES:
        yield f'<li class="quiet">and {len(counts) - MOST_CLAUSES} more</li>'
    yield "</ol></section>"


def _row(row: Row) -> str:
    outcome = row.outcome
    name = "" if outcome.id is None else str(outcome.id)
    shown = name or f"game {row.number}"
    linked = f'<a href="{escaped(row.page)}">{escaped(shown)}</a>' if row.page else escaped(shown)
    file = "standard input" if outcome.file == "-" else outcome.file
    cells = (
        ("number", str(row.number)),
        ("name", Markup(linked)),
        ("rules", outcome.rules or ""),
        ("players", ", ".join(row.players)),
        (outcome.verdict.value, outcome.verdict.value),
        ("number events", str(row.events)),
        ("wrong", row.message[:LONGEST]),
        ("where", f"{file}:{outcome.line}"),
    )
    held = "".join(f'<td class="{kind}">{escaped(text)}</td>' for kind, text in cells)
    clause = escaped(outcome.clause or "")
    return f'<tr data-verdict="{outcome.verdict.value}" data-clause="{clause}">{held}</tr>'
