"""The page of what recorded games use of their rules: the text, and beside each line what came of it.

Input: the counts of one game.
Output: the page.
Guarantee: everything is in the page as it stands; scripts only move from one gap to the next, sort and filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from golpae import __version__
from golpae.coverage.clauses import BROKEN, Clause
from golpae.coverage.ledger import Ledger
from golpae.coverage.tally import Count, GameTally, Share
from golpae.coverage.words import NEVER, ROWS, heading, percent
from golpae.diagnostics import Text
from golpae.pages.coverage_ledger import entry_lines, ledger_section, mark
from golpae.pages.document import Markup, escaped, page

STYLES = ("base.css", "coverage.css")
SCRIPTS = ("sort.js", "coverage.js")
_WIDE = re.compile(r"(\S)( +) (?=\[[^]]*\]$)")  # before the numbers at the end of a line
State = Literal["whole", "part", "none", "excused"]
SAID: dict[tuple[str, str], str] = {
    ("switch", "played"): "played",
    ("action", "happened"): "happened",
    ("condition", "held"): "held",
    ("condition", "broken"): "refused",
    ("definition", "asked"): "asked",
    ("case", "held"): "held",
    ("effect", "done"): "done",
    ("when", "yes"): "true",
    ("when", "no"): "false",
    ("pattern", "counted"): "counted",
}


def coverage_page(tally: GameTally, ledger: Ledger | None = None) -> str:
    """Return the page of one game, with its ledger if there is one."""
    book, share = tally.book, tally.share()
    values = {
        "title": f"{book.title}: {percent(share)} covered",
        "heading": book.title,
        "percent": percent(share),
        "where": f"{heading(tally)} · golpae {__version__}",
        "bars": Markup("\n".join(_bars(tally))),
        "text": Markup("\n".join(_Texts(tally, ledger).lines())),
        "ledger": Markup("" if ledger is None else "\n".join(ledger_section(ledger))),
        "rules": Markup("\n".join(_rules(tally))),
    }
    return page("coverage.html", STYLES, SCRIPTS, values)


def index_page(tallies: Sequence[GameTally], files: Sequence[str]) -> str:
    """Return the page that leads to those of several games, each in its file."""
    rows = [
        f'<section><h2><a href="{escaped(file)}">{escaped(tally.book.title)}</a> '
        f"{percent(tally.share())} {_of_whole(tally.share())}</h2>"
        f'<p class="quiet">{escaped(heading(tally))}</p>'
        f'<div class="bars">{"".join(_bars(tally))}</div></section>'
        for tally, file in zip(tallies, files, strict=True)
    ]
    values = {
        "title": "Coverage of rules",
        "where": f"golpae {__version__}",
        "games": Markup("\n".join(rows)),
    }
    return page("coverages.html", STYLES, (), values)


def _bars(tally: GameTally) -> Iterator[str]:
    shares = tally.shares()
    for key, words in ROWS.items():
        if key in shares:
            yield _bar(words, shares[key])


def _of_whole(share: Share) -> str:
    return f'<span class="of">{share.covered:,} of {share.of:,}</span>'


def _bar(words: str, share: Share) -> str:
    state = "whole" if share.covered == share.of else "none" if not share.covered else "part"
    return (
        f'<div class="bar {state}" style="--share: {share.percent:.1f}%"><b>{percent(share)}</b> '
        f"<span>{escaped(words)}</span> "
        f"{_of_whole(share)}</div>"
    )


# ------------------------------------------------------------------ the text


class _Texts:
    """The texts of a game that have clauses, line by line."""

    def __init__(self, tally: GameTally, ledger: Ledger | None) -> None:
        self._tally = tally
        self._entries = {} if ledger is None else {entry.clause.name: entry for entry in ledger.entries}

    def lines(self) -> Iterator[str]:
        clauses = self._tally.book.clauses
        texts = {clause.file: clause.span.text for clause in clauses}
        for file, text in texts.items():
            own = [clause for clause in clauses if clause.file == file]
            yield f'<h2 class="file">{escaped(file)}</h2>'
            yield '<div class="code">'
            yield from self._lines(text, own)
            yield "</div>"

    def _lines(self, text: Text, clauses: Sequence[Clause]) -> Iterator[str]:
        begins: dict[int, list[Clause]] = {}
        for clause in clauses:
            begins.setdefault(clause.line, []).append(clause)
        ends, state = 0, ""  # the last line of the clause that goes on, and its state
        for number, words in enumerate(text.content.splitlines(), 1):
            own = begins.get(number, [])
            stated = [clause for clause in own if clause.stated]
            if stated:
                inner = max(stated, key=lambda clause: clause.span.start)
                state = _state(self._tally, stated)
                goes_on = all(clause.kind not in ("action", "switch") for clause in stated)
                ends = text.position(inner.span.end)[0] if goes_on else number
                yield self._line(number, words, own, state)
            else:
                carried = f" {state}" if number <= ends and words.strip() else ""
                yield f'<div class="line{carried}"><span class="at">{number}</span>{_code(words)}</div>'

    def _line(self, number: int, words: str, clauses: Sequence[Clause], state: str) -> str:
        stated = [clause for clause in clauses if clause.stated]
        entries = [self._entries[clause.name] for clause in stated if clause.name in self._entries]
        marks = " ".join([*_marks(self._tally, stated), *mark(entries)])
        more = "".join(self._more(stated, [clause for clause in clauses if not clause.stated]))
        return (
            f'<details class="line {state}" id="L{number}" name="line"><summary><span class="at">{number}</span>'
            f'{_code(words)}<span class="marks">{marks}</span></summary><div class="more">{more}</div></details>'
        )

    def _more(self, clauses: Sequence[Clause], unstated: Sequence[Clause]) -> Iterator[str]:
        """Yield everything about the clauses of a line."""
        tally = self._tally
        for clause in clauses:
            kind = f'<span class="quiet">{clause.kind}</span>'
            yield f'<p class="path"><code>{escaped(clause.name)}</code> {kind}</p><ul>'
            for side in clause.sides:
                count = tally.counts.get((clause.name, side), Count())
                yield f"<li>{_said(clause, side, count, tally.excused.get((clause.name, side)))}</li>"
            for rule in map(escaped, clause.ids):
                yield f'<li class="quiet"><a href="#rule-{rule}">{rule}</a> {escaped(tally.book.gist(rule))}</li>'
            if clause.name in self._entries:
                yield from entry_lines(self._entries[clause.name])
            yield "</ul>"
        refused = [(c.path.partition(".")[2], tally.games_of(c, BROKEN)) for c in unstated]
        if refused:
            listed = ", ".join(f"{escaped(name)} {games:,}" for name, games in refused)
            yield f'<p class="quiet">refused by what golpae asks of every game: {listed}</p>'


def _state(tally: GameTally, clauses: Sequence[Clause]) -> State:
    """Return how much of clauses is covered."""
    sides = [(clause, side) for clause in clauses for side in clause.sides]
    covered = [(c, side) for c, side in sides if tally.games_of(c, side)]
    lacking = [(c, side) for c, side in sides if (c, side) not in covered]
    if not lacking:
        return "whole"
    if all((clause.name, side) in tally.excused for clause, side in lacking):
        return "excused"
    return "part" if covered else "none"


def _code(words: str) -> str:
    """Return a line of a text, whose indentation hangs over where it wraps."""
    bare = words.lstrip(" ")
    indent = len(words) - len(bare)
    shown = _WIDE.sub(r'\1<span class="wide">\2</span> ', escaped(bare)) or "&#8203;"
    return f'<code style="--in: {indent}ch">{shown}</code>'


def _marks(tally: GameTally, clauses: Sequence[Clause]) -> Iterator[str]:
    """Yield what came of the clauses of a line, in a word and the number of games each."""
    kinds = [clause.kind for clause in clauses]
    for clause in clauses:
        for side in clause.sides:
            games = tally.games_of(clause, side)
            if clause.kind == "effect" and games and "when" in kinds:
                continue  # its tests say more
            word = SAID[clause.kind, side]
            if games:
                yield f'<span class="mark">{word} <b>{games:,}</b></span>'
            elif (clause.name, side) in tally.excused:
                yield f'<span class="mark excused">cannot be {word}</span>'
            else:
                yield f'<span class="mark lacks">{escaped(NEVER[clause.kind, side])}</span>'


def _said(clause: Clause, side: str, count: Count, why: str | None) -> str:
    if not count.games:
        return escaped(NEVER[clause.kind, side] + (f": {why}" if why else ""))
    games = f"{count.games:,} game{'s' * (count.games != 1)}"
    events = f" ({count.events:,} event{'s' * (count.events != 1)})" if count.events else ""
    word = "refused an event" if side == BROKEN else SAID[clause.kind, side]
    places = ", ".join(f"<code>{escaped(example)}</code>" for example in count.examples)
    return f"{word} in {games}{events}, for example {places}"


# ------------------------------------------------------------------ the rules of the sources


def _rules(tally: GameTally) -> Iterator[str]:
    for number, clauses in tally.cited().items():
        held = tally.numbers.get(number, {"used": 0, "broken": 0})
        links = ", ".join(
            f'<a href="#L{clause.line}">{escaped(clause.name)}</a>' for clause in clauses if clause.stated
        )
        state = "" if not clauses else "none" if not held["used"] + held["broken"] else "whole"
        cells = (
            f'<td class="{state}" id="rule-{escaped(number)}"><b>{escaped(number)}</b></td>',
            f"<td>{escaped(tally.book.gist(number))}</td>",
            f'<td class="number">{held["used"]:,}</td><td class="number">{held["broken"]:,}</td>',
            f"<td>{links or '<span class=quiet>none</span>'}</td>",
        )
        yield f"<tr>{''.join(cells)}</tr>"
