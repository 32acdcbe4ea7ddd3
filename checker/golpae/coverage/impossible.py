"""What no game can show of a clause: proofs that an action cannot happen, that a condition refuses nothing, or that no
hand has a pattern.

Input: the counts of a game. Output: for each side of a clause that no game can show, the reason.
Guarantee: the reason holds under the base rules and with each variant or reading alone, at every number of players.
What the solver cannot show is not in it. It is not asked whether a condition or the case of a definition can hold,
whether the test of an effect can be true and false, nor whether a variant can be played: a game always can begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from golpae.coverage.clauses import BROKEN, COUNTED, DONE, HAPPENED, NO, YES, Clause
from golpae.coverage.tally import GameTally
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet, ScoreDecl
from golpae.lint.notes import Key
from golpae.lint.vacuity import examine
from golpae.progress import Progress
from golpae.prove.pattern_matrix import patterns_of_no_way
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.verify.scheduler import tables

Side = tuple[str, str]  # the name of a clause, and what could come of it
ACTIONS = {
    ("action", HAPPENED),
    ("effect", DONE),
    ("when", YES),
    ("when", NO),
}  # of an action that cannot happen
PATTERN = ("pattern", COUNTED)
OF_NO_HAND = "no hand has it"


def impossible(tally: GameTally, settings: Settings, progress: Progress) -> dict[Side, str]:
    """Return why no game can show sides of clauses that no recorded game shows."""
    missing = tally.missing()
    unused = {m.clause.path for m in missing if m.clause.kind == "action"}
    sides = {
        (m.clause.name, m.side)
        for m in missing
        if m.clause.kind not in ("effect", "when") or m.clause.path.partition(".")[0] in unused
    }
    book = tally.book
    first_reasons: dict[Side, str] = {}
    rule_sets = [book.game, *(f"{book.game}+{switch.path}" for switch in book.switches)]
    progress.begin("looking for what no game can show", len(rule_sets), "rule sets")
    for rules in rule_sets:
        there = {side: why for side, why in _sides(book.of(rules)) if side in sides}
        if there:
            reasons = _reasons(book.rule_set(rules), there, settings)
            for side in there:
                if side in reasons:
                    first_reasons.setdefault(side, reasons[side])
                else:
                    sides.discard(side)  # somewhere it may be shown
        progress.done += 1
    return {side: why for side, why in first_reasons.items() if side in sides}


def _sides(clauses: Mapping[str, Clause]) -> Iterator[tuple[Side, Key]]:
    """Yield the sides of clauses that can be asked for, each with what is asked: as `lint` calls it, or a pattern."""
    for path, clause in clauses.items():
        block = path.partition(".")[0]
        for side in clause.sides:
            if (clause.kind, side) in ACTIONS:
                yield (clause.name, side), ("action", block)
            elif (clause.kind, side) == ("condition", BROKEN):
                yield (clause.name, side), ("condition", path)
            elif (clause.kind, side) == PATTERN:
                yield (clause.name, side), ("pattern", path)


def _reasons(rules: RuleSet, asked: Mapping[Side, Key], settings: Settings) -> dict[Side, str]:
    """Return why sides cannot be shown under a rule set."""
    keys = {key for key in asked.values() if key[0] != "pattern"}
    vacuous = dict(examine(rules, settings, keys).vacuous) if keys else {}
    paths = {path for kind, path in asked.values() if kind == "pattern"}
    vacuous |= {("pattern", path): OF_NO_HAND for path in _patterns(rules, paths, settings)}
    out = {}
    for side, key in asked.items():
        if key in vacuous:
            about = "" if side[1] in (HAPPENED, BROKEN, COUNTED) else f"`{key[1]}` "
            out[side] = f"{about}{vacuous[key]}"
    return out


def _patterns(rules: RuleSet, paths: set[str], settings: Settings) -> set[str]:
    """Return those of these patterns that no hand has at any table."""
    left = paths
    for players, options in tables(rules):
        if not left:
            break
        analysis = Analysis(instantiate(rules, players, options), settings)
        never: set[str] = set()
        for score in rules.scores:
            names = [p.name for p in score.patterns if f"{score.name}.{p.name}" in left]
            if names:
                never |= {f"{score.name}.{name}" for name in _of_no_way(analysis, score, names)}
        left = left & never
    return left


def _of_no_way(analysis: Analysis, score: ScoreDecl, names: list[str]) -> frozenset[str]:
    with suppress(Unsupported, LimitReached):
        evaluator, ways = analysis.theorems.scoring.ways(score.name)
        return patterns_of_no_way(analysis.solver, evaluator, score.name, names, ways)
    return frozenset()
