"""What no game can show of a clause: proofs that an action cannot happen, or that a condition refuses nothing.

Input: the counts of a game. Output: for each side of a clause that no game can show, the reason.
Guarantee: the reason holds under the base rules and with each variant or reading alone, at every number of players.
What the solver cannot show is not in it.
"""

from __future__ import annotations

from golpae.coverage.clauses import BROKEN, HAPPENED, Clause
from golpae.coverage.tally import GameTally
from golpae.lint.notes import Key
from golpae.lint.vacuity import examine
from golpae.progress import Progress
from golpae.verify.options import Settings

KINDS = {("action", HAPPENED): "action", ("condition", BROKEN): "condition"}  # as `lint` calls them


def impossible(tally: GameTally, settings: Settings, progress: Progress) -> dict[tuple[str, str], str]:
    """Return why no game can show sides of clauses that no recorded game shows."""
    asked: dict[tuple[str, str], Clause] = {
        (m.clause.name, m.side): m.clause for m in tally.missing() if (m.clause.kind, m.side) in KINDS
    }
    book = tally.book
    found: dict[tuple[str, str], str] = {}
    rule_sets = [book.game, *(f"{book.game}+{switch.path}" for switch in book.switches)]
    progress.begin("looking for what no game can show", len(rule_sets), "rule sets")
    for rules in rule_sets:
        there = book.of(rules)
        keys: dict[tuple[str, str], Key] = {
            (clause.name, side): (KINDS[clause.kind, side], path)
            for path, clause in there.items()
            for side in clause.sides
            if (clause.name, side) in asked
        }
        if keys:
            report = examine(book.rule_set(rules), settings, {*keys.values()})
            for one, key in keys.items():
                if key in report.vacuous:
                    found.setdefault(one, report.vacuous[key])
                else:
                    asked.pop(one)  # somewhere it may be shown
        progress.done += 1
    return {one: why for one, why in found.items() if one in asked}
