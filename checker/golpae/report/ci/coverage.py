"""What `golpae coverage` finds, as cases of continuous integration: a case for each side of a clause.

Input: counts of games.
Output: a `Run`.
Guarantee: a clause that no game shows fails nothing by itself; a share below the least one that a call allows does.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.coverage.clauses import Clause
from golpae.coverage.tally import GameTally, Missing, whole_share
from golpae.coverage.words import ROWS, heading, never, percent
from golpae.diagnostics.amounts import many
from golpae.diagnostics.markdown import code, escaped, grid
from golpae.report.ci.findings import Case, Finding, Rule, Run, place_of, run_of

MOST = 200  # clauses on a page


def covered(tallies: Sequence[GameTally], too_little: str | None, status: int) -> Run:
    """Return the run that made these counts. `too_little` says that less is covered than the call allows."""
    cases = []
    for tally in tallies:
        missing = {(m.clause.name, m.side): m for m in tally.missing()}
        sides = [(clause, side) for clause in tally.stated for side in clause.sides]
        cases += [_case(tally, clause, side, missing.get((clause.name, side))) for clause, side in sides]
    whole = whole_share(tallies)
    words = f"{percent(whole)} covered: {whole.covered:,} of {whole.of:,}"
    if too_little is not None:
        rule = Rule(
            "coverage", "the share of the rules that games use", "Recorded games use too little of the rules."
        )
        cases.insert(
            0, Case("coverage", "the share", Finding(rule, "error", "coverage", too_little), too_little)
        )
        words = too_little
    return run_of("coverage", cases, status, words, page=_page(tallies, words))


def _case(tally: GameTally, clause: Clause, side: str, missing: Missing | None) -> Case:
    name, suite = f"{clause.name}: {side}", tally.book.game
    if missing is None:
        return Case(suite, name, told=f"in {many(tally.games_of(clause, side), 'game')}")
    words = never(missing) if missing.why is None else f"{never(missing)}: {missing.why}"
    if missing.why is not None:
        return Case(suite, name, told=words, skipped=words)
    finding = Finding(
        _rule(tally, clause),
        "note",
        "uncovered",
        f"{clause.name} {words} in the recorded games",
        place_of(clause.span),
        clause=f"{suite}.{clause.name}",
        key=name,
        fails=False,
    )
    return Case(suite, name, finding, words, skipped=words)


def _rule(tally: GameTally, clause: Clause) -> Rule:
    for number in clause.ids:
        rule = tally.book.rules.get(number)
        if rule is not None:
            section = f", {rule.section}" if rule.section else ""
            return Rule(f"{tally.book.game}/{number}", rule.gist, rule.gist, f"source {rule.source}{section}")
    return Rule(f"{tally.book.game}/{clause.name}", f"{clause.name} of {tally.book.title}")


def _page(tallies: Sequence[GameTally], words: str) -> list[str]:
    out = ["# golpae coverage", "", f"**{escaped(words)}**"]
    for tally in tallies:
        shares = tally.shares()
        rows = [
            (escaped(said), f"{shares[key].covered:,}", f"{shares[key].of:,}", percent(shares[key]))
            for key, said in ROWS.items()
            if key in shares
        ]
        share = tally.share()
        rows.append(("in all", f"{share.covered:,}", f"{share.of:,}", percent(share)))
        out += ["", f"## {escaped(heading(tally))}", "", *grid(("", "shown", "of", ""), rows)]
        missing = [m for m in tally.missing() if m.why is None]
        if missing:
            out += ["", "No game shows:", ""]
            for m in missing[:MOST]:
                place = code(f"{m.clause.file}:{m.clause.line}")
                out.append(f"- {place} {code(m.clause.name)} {never(m)}")
            if len(missing) > MOST:
                out.append(f"- and {len(missing) - MOST:,} more")
    return out
