"""The index of many games: how they ended, the clauses that refuse most, and a table with a link for each game.

Input: a row for each game that is listed, and the counts of all.
Output: the page.
Guarantee: the table is in the page as it stands; scripts only sort and filter it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from golpae import __version__
from golpae.pages.document import Markup, coded, escaped, page
from golpae.trace import Outcome, Verdict

STYLES = ("base.css", "index.css")
SCRIPTS = ("sort.js", "index.js")
MOST_CLAUSES = 8
LONGEST = 300  # characters of a message in the table
UNBROKEN = 28  # characters of a name that is not broken at the end of a line


@dataclass(frozen=True, slots=True)
class Row:
    """A game of the index. `page` is the name of its page, None if its rules cannot be played."""

    number: int
    outcome: Outcome
    players: tuple[str, ...]
    events: int
    message: str
    page: str | None


class Tally:
    """How many games there are, how they ended, and which clauses refused them, each with the words of one refusal."""

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.clauses: Counter[str] = Counter()
        self.messages: dict[str, str] = {}

    def add(self, outcome: Outcome, message: str) -> None:
        """Count a game."""
        self.verdicts[outcome.verdict] += 1
        if outcome.clause is not None:
            self.clauses[outcome.clause] += 1
            self.messages.setdefault(outcome.clause, message[:LONGEST])

    @property
    def games(self) -> int:
        return self.verdicts.total()

    @property
    def words(self) -> str:
        """How many games there are, and how they ended."""
        counts = self.verdicts
        words = ", ".join(f"{counts[verdict]:,} {verdict.value}" for verdict in Verdict if counts[verdict])
        return f"{self.games:,} game{'s' * (self.games != 1)}" + (f": {words}" if words else "")


def index_page(rows: Sequence[Row], tally: Tally, bounds: Sequence[str] = ()) -> str:
    """Return the index; `bounds` say which games are left out of what."""
    values = {
        "title": tally.words,
        "where": coded(" · ".join((f"golpae {__version__}", *bounds))),
        "counts": Markup("\n".join(_counts(tally))),
        "clauses": Markup("\n".join(_clauses(tally))),
        "rows": Markup("\n".join(map(_row, rows))),
    }
    return page("index.html", STYLES, SCRIPTS, values)


def _counts(tally: Tally) -> Iterator[str]:
    counts = tally.verdicts
    for verdict in Verdict:
        if counts[verdict]:
            word = verdict.value
            yield (
                f'<button type="button" class="{word}" data-filter="verdict" data-value="{word}">'
                f"<b>{counts[verdict]:,}</b>{word}</button>"
            )


def _clauses(tally: Tally) -> Iterator[str]:
    """Yield the clauses that refuse most, each with the words of one of its refusals."""
    counts = tally.clauses
    if not counts:
        return
    most = max(counts.values())
    yield '<section class="clauses card"><h2>The clauses that refuse most</h2><ol>'
    for clause, times in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CLAUSES]:
        name, example = escaped(clause), coded(tally.messages[clause])
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
    words = _unbroken(shown)
    linked = f'<a href="{escaped(row.page)}">{words}</a>' if row.page else words
    file = "standard input" if outcome.file == "-" else outcome.file
    cells = (
        ("number", str(row.number)),
        ("name", Markup(linked)),
        ("rules", Markup("<wbr>+".join(map(_unbroken, (outcome.rules or "").split("+"))))),
        ("players", Markup(", ".join(map(_unbroken, row.players)))),
        (outcome.verdict.value, outcome.verdict.value),
        ("number events", str(row.events)),
        ("wrong", coded(row.message[:LONGEST])),
        ("where", Markup("/<wbr>".join(map(_unbroken, f"{file}:{outcome.line}".split("/"))))),
    )
    held = "".join(f'<td class="{kind}">{escaped(text)}</td>' for kind, text in cells)
    clause = escaped(outcome.clause or "")
    return f'<tr data-verdict="{outcome.verdict.value}" data-clause="{clause}">{held}</tr>'


def _unbroken(name: str) -> Markup:
    """Return a name as markup; a short one is not broken at the end of a line."""
    is_short = len(name) <= UNBROKEN and ("-" in name or " " in name)
    return Markup(f'<span class="unbroken">{escaped(name)}</span>' if is_short else escaped(name))
