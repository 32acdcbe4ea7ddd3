"""Which scores of two rule sets are not the same by syntax.

Input: two rule sets, the second in the order of the first. Output: names of scores.
Guarantee: a score that is not named counts every hand alike in both, at the same table.
"""

from __future__ import annotations

from golpae.compare.games.alignment import used
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import RuleSet


def differing_scores(a: RuleSet, b: RuleSet) -> list[str]:
    """Return the scores that one of the two lacks, or that may count some hand differently."""
    one, other = (score_meanings(rules) for rules in (a, b))
    names = list(dict.fromkeys(score.name for rules in (a, b) for score in rules.scores))
    if a.tiles.bags != b.tiles.bags:
        return names
    return [name for name in names if one.get(name) != other.get(name)]


def score_meanings(rules: RuleSet) -> dict[str, str]:
    """Return words for what scores mean, with all that they and their conditions on what is given refer to."""
    dependencies = Dependencies(rules, provided=True)
    given = {score.name: repr(score.params) for score in rules.scores}
    return {name: given[name] + dependencies.meaning_of([("score", name)]) for name in given}


def asked_scores(a: RuleSet, b: RuleSet) -> frozenset[str]:
    """Return the scores that a game of either may ask for."""
    return frozenset(name for what, name in used(a) | used(b) if what == "score")
