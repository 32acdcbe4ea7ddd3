"""The index of many games: how they ended, the clauses that refuse most, and a table with a link for each game.

Input: a row for each game that is listed, and the counts of all.
Output: the page.
Guarantee: the table is in the page as it stands; scripts only sort and filter it, and show it page by page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from golpae import __version__
from golpae.ir.ruleset import RuleSet
from golpae.pages.document import Markup, coded, escaped, page
from golpae.spoken.sentences import in_words
from golpae.trace import Outcome, Verdict

STYLES = ("base.css", "index.css")
SCRIPTS = ("sort.js", "kept.js", "index.js")
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
    """How many games there are, how they ended, and which clauses refused them, each with its title, and in words: what
    a rule book says of it, or else the words of one refusal. `files` are those in which the games are recorded.
    """

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.clauses: Counter[str] = Counter()
        self.titles: dict[str, str] = {}
        self.words_of: dict[str, str] = {}
        self.files: dict[str, None] = {}

    def add(self, outcome: Outcome, message: str, rules: RuleSet | None = None) -> None:
        """Count a game."""
        self.verdicts[outcome.verdict] += 1
        self.files.setdefault(outcome.file)
        clause = outcome.clause
        if clause is not None:
            self.clauses[clause] += 1
            if clause not in self.words_of:
                title, words = ("", None) if rules is None else in_words(rules, clause)
                self.titles[clause] = title
                self.words_of[clause] = words or message[:LONGEST]

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
        "title": f"{_source(tally)}: {tally.words}",
        "heading": _source(tally),
        "summary": _summary(tally),
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


def _source(tally: Tally) -> str:
    """Return where the games are from, for the heading."""
    names = ["standard input" if file == "-" else file for file in tally.files]
    if len(names) == 1:
        return names[0].rpartition("/")[2]
    folders = {name.rpartition("/")[0] for name in names}
    folder = folders.pop() if len(folders) == 1 else ""
    return f"{folder.rpartition('/')[2]}: {len(names):,} files" if folder else f"{len(names):,} files"


def _summary(tally: Tally) -> str:
    """Return in a sentence or two how many games there are, and what went wrong most."""
    refused, counts = tally.clauses.total(), tally.clauses
    if not refused:
        return f"{tally.words}."
    clause, times = min(counts.items(), key=lambda item: (-item[1], item[0]))
    title = tally.titles[clause]
    where = f" at “{title}”" if title else ""
    share = f"{times:,} of {refused:,} illegal games" if times != refused else "every illegal game"
    return f"{tally.words}. What went wrong most, in {share}{where}: {tally.words_of[clause]}"


def _clauses(tally: Tally) -> Iterator[str]:
    """Yield the clauses that refuse most, each with its title and in words; the others can be opened."""
    counts = tally.clauses
    if not counts:
        return
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    items = [_clause(tally, clause, times) for clause, times in ranked]
    yield '<section class="clauses card"><h2>What went wrong</h2><ol>'
    yield from items[:MOST_CLAUSES]
    yield "</ol>"
    if len(items) > MOST_CLAUSES:
        more = "".join(items[MOST_CLAUSES:])
        yield f"<details><summary>and {len(items) - MOST_CLAUSES} more</summary><ol>{more}</ol></details>"
    yield "</section>"


def _clause(tally: Tally, clause: str, times: int) -> str:
    """Return the button of a clause, with the share of all refusals that are its own."""
    name, title, words = escaped(clause), escaped(tally.titles[clause]), coded(tally.words_of[clause])
    head = f"<b>{title}</b> " if title else ""
    return (
        f'<li><button type="button" data-filter="clause" data-value="{name}" title="{name}" '
        f'style="--share: {100 * times // tally.clauses.total()}%"><span class="times">{times:,}</span> '
        f'<span class="words">{head}{words}</span></button></li>'
    )


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
