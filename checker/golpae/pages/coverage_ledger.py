"""The ledger on a page of coverage: what properties and mutants add to a clause.

Input: entries of a ledger. Output: pieces of the page.
Guarantee: the table is in the page as it stands; scripts only sort it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from golpae.coverage.ledger import Entry, Ledger
from golpae.pages.document import escaped

MOST_LISTED = 12  # properties that depend on a clause
HEADS = (
    ("clause", ""),
    ("rules", ""),
    ("games that use it", "number"),
    ("games that break it", "number"),
    ("properties about it", ""),
    ("properties that depend on it", "number"),
    ("mutants noticed", "number"),
)


def mark(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a mark for the mutants of a line that nothing notices, if there are some."""
    slips = sum(len(entry.mutants.unnoticed) for entry in entries if entry.mutants is not None)
    if slips:
        yield f'<span class="mark slips">{slips} mutant{"s" * (slips != 1)} unnoticed</span>'


def entry_lines(entry: Entry) -> Iterator[str]:
    """Yield what a ledger adds to what is said of a clause."""
    if entry.about:
        yield f"<li>properties about it: {_named(entry.about)}</li>"
    others = [name for name in entry.properties if name not in entry.about]
    if others:
        word = "other properties that depend on it" if entry.about else "properties that depend on it"
        more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
        yield f"<li>{word}: {_named(others[:MOST_LISTED])}{more}</li>"
    if entry.mutants is not None and entry.mutants.of:
        yield f"<li>mutants: {entry.mutants.words} noticed</li>"
        yield from (
            f"<li>nothing notices <code>{escaped(name)}</code></li>" for name in entry.mutants.unnoticed
        )


def ledger_section(ledger: Ledger) -> Iterator[str]:
    """Yield the table of a ledger."""
    yield '<section class="rules ledger"><h2>The ledger, clause by clause</h2><div class="scroll"><table id="ledger">'
    heads = "".join(f'<th scope="col" data-kind="{kind}">{words}</th>' for words, kind in HEADS)
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    yield from map(_row, ledger.entries)
    yield "</tbody></table></div>"
    if ledger.elsewhere is not None and ledger.elsewhere.of:
        words = f"mutants of players, states, shapes and scores: {ledger.elsewhere.words} noticed"
        yield f'<p class="quiet">{words}</p>'
    yield "</section>"


def _row(entry: Entry) -> str:
    clause = entry.clause
    rules = " ".join(f'<a href="#rule-{rule}">{rule}</a>' for rule in map(escaped, clause.ids))
    broken = f"{entry.broken:,}" if clause.kind == "condition" else ""
    mutants = "" if entry.mutants is None or not entry.mutants.of else entry.mutants.words
    slips = " lacks" if entry.mutants is not None and entry.mutants.unnoticed else ""
    return (
        f'<tr><td><a href="#L{clause.line}">{escaped(clause.name)}</a></td><td>{rules}</td>'
        f'<td class="number">{entry.used:,}</td><td class="number">{broken}</td>'
        f'<td>{_named(entry.about)}</td><td class="number">{len(entry.properties):,}</td>'
        f'<td class="number{slips}">{mutants}</td></tr>'
    )


def _named(names: Sequence[str]) -> str:
    return ", ".join(f"<code>{escaped(name)}</code>" for name in names)
