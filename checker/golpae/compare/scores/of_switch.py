"""Which hands one switch counts differently, over all settings of the others, by scores that no game asks for.

Input: a `FamilyName`, what a switch changes in games at one table, options, settings. Output: the `HandChange`s.
Guarantee: two rule sets are decided once for all settings under which their scores mean the same. Beyond `MOST`
settings of the others, all are unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from golpae.compare.games.alignment import aligned, why_incomparable
from golpae.compare.scores.decide import decide_score
from golpae.compare.scores.differing import asked_scores, differing_scores, score_meanings
from golpae.compare.scores.verdict import ScoreAnswer
from golpae.elaborate.instance import instantiate
from golpae.families.family import Family
from golpae.families.region import Region
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.families.scheduler import FamilyName
from golpae.verify.options import Settings
from golpae.verify.switches.of_switch import Changes, HandChange

MOST = 256  # settings of the others
TOO_MANY = "there are too many settings of the others"


def hand_changes(
    name: FamilyName, family: Family, changes: Changes, options: Mapping[str, int], settings: Settings
) -> Iterator[HandChange]:
    """Yield the scores that the switch may count differently. Raises `SpecError`."""
    base = name.load(family.called(0))
    if {score.name for score in base.scores} <= asked_scores(base, base):
        return
    space, bit = family.space, family.bits([changes.switch])
    whole = space.region(changes.all)
    if whole.size > MOST:
        for declared in base.scores:
            yield HandChange(declared.name, (), changes.all, TOO_MANY)
        return
    score_answers: dict[tuple[str, str, str], ScoreAnswer] = {}
    differs: dict[str, Region] = {}
    unknown: dict[str, Region] = {}
    examples: dict[str, str] = {}
    for others in whole.members():
        names = [family.called(others), family.called(others | bit)]
        a, b = map(name.load, names)
        if why_incomparable(a, b) is not None:
            continue
        b = aligned(a, b)
        for score in _asked_about(a, b):
            key = score, score_meanings(a).get(score, ""), score_meanings(b).get(score, "")
            if key not in score_answers:
                ours, theirs = (instantiate(rules, changes.players, options) for rules in (a, b))
                score_answers[key] = decide_score(ours, theirs, score, settings)
            answer = score_answers[key]
            if answer.verdict != PROVED:
                into = differs if answer.verdict == REFUTED else unknown
                one = space.region(((family.every, others),))
                into[score] = into.get(score, space.nothing).union(one)
                examples.setdefault(score, _example(answer, names))
    for score in dict.fromkeys((*differs, *unknown)):
        own = [into.get(score, space.nothing).cubes for into in (differs, unknown)]
        yield HandChange(score, own[0], own[1], examples[score])


def _asked_about(a: RuleSet, b: RuleSet) -> list[str]:
    asked = asked_scores(a, b)
    return [score for score in differing_scores(a, b) if score not in asked]


def _example(answer: ScoreAnswer, names: list[str]) -> str:
    """Return the hand that shows an answer, or why there is none."""
    if answer.hand is None:
        return answer.detail.replace("{a}", names[0]).replace("{b}", names[1])
    given = ", ".join(f"{key} {_said(value)}" for key, value in answer.hand.hand.items())
    ours, theirs = ("nothing" if total is None else total for total in answer.hand.totals)
    return f"{given}: {ours} in {names[0]}, {theirs} in {names[1]}"


def _said(value: object) -> str:
    """Return a value of a hand in words."""
    if isinstance(value, list):
        nested = any(isinstance(item, list) for item in value)
        return (" | " if nested else " ").join(map(_said, value)) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
