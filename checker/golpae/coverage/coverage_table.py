"""Render what recorded games use of their rules as a table for people.

Input: the counts of each game.
Output: lines of text.
Guarantee: the rows of a game add up to its last row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from golpae.coverage.clauses import Clause
from golpae.coverage.ledger import Entry, Ledger
from golpae.coverage.tally import GameTally, Missing, Share, whole_share
from golpae.coverage.words import ROWS, heading, never, percent

MOST_LISTED = 20


def lines(tallies: Sequence[GameTally], whole: bool) -> list[str]:
    """Return the lines of the whole report; if `whole`, also every clause that is not covered."""
    out: list[str] = []
    for tally in tallies:
        out += ["", *_game(tally, whole)] if out else _game(tally, whole)
    if len(tallies) > 1:
        out += ["", f"{len(tallies)} games: {_of(whole_share(tallies))}"]
    return out


def ledger_lines(ledgers: Sequence[Ledger]) -> list[str]:
    """Return the lines of ledgers: a row for each clause, in reading order."""
    out: list[str] = []
    for one in ledgers:
        out += [""] if out else []
        out.append(heading(one.tally))
        heads: tuple[str, ...] = ("clause", "rules", "used", "broken", "about it", "depend on it", "mutants")
        rows = [heads, *(_ledger_row(entry) for entry in one.entries)]
        if one.elsewhere is None:  # no mutants were tried
            heads, rows = heads[:-1], [row[:-1] for row in rows]
        wide = [max(len(row[column]) for row in rows) for column in range(len(heads))]
        for name, rules, *numbers in rows:
            cells = [f"{cell:>{width}}" for cell, width in zip(numbers, wide[2:], strict=True)]
            out.append(f"  {name:<{wide[0]}}  {rules:<{wide[1]}}  {'  '.join(cells)}".rstrip())
        if one.elsewhere is not None and one.elsewhere.of:
            out.append(f"  mutants of players, states, shapes and scores: {one.elsewhere.words} noticed")
    return out


def _ledger_row(entry: Entry) -> tuple[str, ...]:
    clause = entry.clause
    refuses = clause.kind == "condition"
    return (
        clause.name,
        " ".join(clause.ids),
        f"{entry.used:,}",
        f"{entry.broken:,}" if refuses else "",
        f"{len(entry.about):,}" if entry.about else "",
        f"{len(entry.properties):,}" if entry.properties else "",
        "" if entry.mutants is None else entry.mutants.words,
    )


def _game(tally: GameTally, whole: bool) -> Iterator[str]:
    yield heading(tally)
    shares = tally.shares()
    rows = [(words, shares[key]) for key, words in ROWS.items() if key in shares]
    rows.append(("in all", tally.share()))
    wide = max(len(words) for words, _ in rows)
    digits = max(len(f"{share.of:,}") for _, share in rows)
    for words, share in rows:
        yield f"  {words:<{wide}}  {share.covered:>{digits},} of {share.of:>{digits},}  {percent(share):>6}"
    yield from _numbers(tally)
    yield from _missing(tally, whole)


def _numbers(tally: GameTally) -> Iterator[str]:
    cited = {number: clauses for number, clauses in tally.cited().items() if number in tally.book.rules}
    if not cited:
        return
    used = [n for n, clauses in cited.items() if clauses and sum(tally.numbers.get(n, {}).values())]
    broken = [n for n in cited if tally.numbers.get(n, {}).get("broken")]
    unused = [n for n, clauses in cited.items() if clauses and n not in used]
    uncited = [n for n, clauses in cited.items() if not clauses]
    words = f"  rules of the sources: {len(used)} of {len(cited) - len(uncited)} used, {len(broken)} broken"
    yield words + (f"; not used: {' '.join(unused)}" if unused else "")
    if uncited:
        yield f"  which no action, definition or score cites: {' '.join(uncited)}"


def _missing(tally: GameTally, whole: bool) -> Iterator[str]:
    missing = tally.missing()
    possible = [*_rows(tally, [m for m in missing if m.why is None])]
    shown = possible if whole else possible[:MOST_LISTED]
    if shown:
        yield "  no game shows:"
        yield from _listed(shown)
        if len(possible) > len(shown):
            yield f"    and {len(possible) - len(shown):,} more (`--verbose` lists all)"
    excused = [(m.clause, f"{never(m)}: {m.why}") for m in missing if m.why is not None]
    if excused:
        yield "  no game can show:"
        yield from _listed(excused)


def _rows(tally: GameTally, missing: Sequence[Missing]) -> Iterator[tuple[Clause, str]]:
    """Yield clauses and what never came of them. If all of a variant or of an action is missing, it is named alone."""
    of_clause: dict[str, list[Missing]] = {}
    for m in missing:
        of_clause.setdefault(m.clause.name, []).append(m)
    unused = {name for name, own in of_clause.items() if len(own) == len(own[0].clause.sides)}
    wholly: set[str] = set()  # actions, variants and readings of which all is missing
    within: set[str] = set()  # their clauses
    for clause in tally.stated:
        if clause.kind in ("switch", "action") and clause.name in unused - within:
            own = {c.name for c in tally.stated if c is not clause and _belongs(c, clause)}
            if own and own <= unused:
                wholly.add(clause.name)
                within |= own
    for name, sides in of_clause.items():
        if name not in within:
            words = ", ".join(map(never, sides))
            yield sides[0].clause, f"{words}, and no clause of it is used" if name in wholly else words


def _belongs(clause: Clause, to: Clause) -> bool:
    """Return whether a clause is part of an action, or is what a variant or reading wrote."""
    if to.kind == "switch":
        return clause.switch == to.switch
    return clause.path.startswith(f"{to.path}.")


def _listed(rows: Sequence[tuple[Clause, str]]) -> Iterator[str]:
    """Yield clauses, one line each: where, which clause, what never came of it."""
    places = [f"{clause.file}:{clause.line}" for clause, _ in rows]
    wide = max(map(len, places))
    names = max(len(clause.name) for clause, _ in rows)
    for place, (clause, words) in zip(places, rows, strict=True):
        ids = f"  [{' '.join(clause.ids)}]" if clause.ids else ""
        yield f"    {place:<{wide}}  {clause.name:<{names}}  {words}{ids}"


def _of(share: Share) -> str:
    return f"{share.covered:,} of {share.of:,} ({percent(share)})"
