"""Rule sets with choices that differ in shapes and scores alone, or in nothing else that a game asks.

Input: one rule set with choices, and the same with some switches set. Output: whether the games of the one, with the
states of these switches set, are those of the other but for the inside of shapes and scores. Guarantee: if so, a proof
that takes from each its own shapes and scores, and all else from the one, holds for both.

What a game asks of a score from outside has to be the same: its parameters, its hand and its arrangements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from golpae.elaborate.instance import Setting
from golpae.families.region import Cube
from golpae.families.settled import NO, YES, Settled, possible
from golpae.ir.dependencies import Dependencies, exprs_within
from golpae.ir.ruleset import Action, Definition, EffectClause, PropertyDecl, RuleSet, ScoreDecl, form_of


@dataclass(frozen=True, slots=True)
class Alternative:
    """The rule sets of a cube, with their own shapes and scores: `setting` are the states of the table that are the
    same in all of them.
    """

    cube: Cube
    setting: Setting
    rule_set: RuleSet


class Outside:
    """What games ask of a rule set with choices outside of shapes and scores."""

    def __init__(self, whole: RuleSet) -> None:
        self._whole = whole
        plain = replace(whole, scores=(), shapes=(), arrangements=())
        asked = (whole.actions, whole.payout, whole.vars, whole.tiles, whole.low, whole.high, whole.options)
        exprs = [*exprs_within([*asked, *map(_score, whole.scores)])]
        exprs += [p.expr for p in whole.properties if is_of_games(whole, p)]
        reached = Dependencies(plain).reached_by(exprs)
        self._definitions = tuple(d for d in whole.definitions if ("definition", d.name) in reached)

    def is_of(self, other: RuleSet, values: Mapping[str, bool]) -> bool:
        """Return whether another rule set with the same states plays alike, but for its shapes and scores, where states
        of the table have these values.
        """
        whole, settled = self._whole, Settled(values)
        own = {d.name: d for d in other.definitions}
        pairs: list[tuple[Any, Any]] = [
            (table_of(whole), table_of(other)),
            *_paired(whole.actions, other.actions),
            (whole.payout, other.payout),
            *((d, own.get(d.name)) for d in self._definitions),
        ]
        return all(
            mine == theirs or without_words(settled.of(mine)) == without_words(settled.of(theirs))
            for mine, theirs in pairs
        )


def is_of_games(rules: RuleSet, prop: PropertyDecl) -> bool:
    """Return whether a property is about games, not about the rules alone."""
    if prop.after is not None or not form_of(prop.kind).of_rules:
        return True
    return bool(Dependencies(rules).reads([prop.expr]))


def table_of(rules: RuleSet) -> tuple[Any, ...]:
    """Return everything that rule sets have in common at the same table: its declarations, and the names and sizes of
    shapes, arrangements and scores.
    """
    shapes = tuple((s.name, s.size, s.most) for s in rules.shapes)
    arrangements = tuple(a.name for a in rules.arrangements)
    own = rules.low, rules.high, rules.options, rules.tiles, rules.zones, rules.vars
    return (*own, tuple(map(_score, rules.scores)), shapes, arrangements)


def _score(score: ScoreDecl) -> tuple[Any, ...]:
    params = tuple((p.name, p.type, p.parts, p.optional, p.initial, p.low, p.high) for p in score.params)
    return score.name, params, score.hand, score.fixed, score.arrangements


def _paired(mine: Sequence[Action], theirs: Sequence[Action]) -> list[tuple[Action | None, Action | None]]:
    return list(zip_longest(mine, theirs))


def without_words(part: Any) -> Any:
    """Return a part without ids, messages, and what never counts."""
    match part:
        case Action():
            conditions = tuple((c.name, c.expr) for c in part.conditions if c.expr != YES)
            own = part.kind, part.name, part.params, part.by, part.dealing
            return (*own, conditions, _effects(part.effects))
        case Definition():
            params = tuple((p.name, p.type, p.parts) for p in part.params)
            cases = tuple(case.expr for case in part.cases if case.expr != NO)
            return part.name, params, part.type, cases or (NO,)
        case tuple() if part and isinstance(part[0], EffectClause):
            return _effects(part)
        case _:
            return part


def _effects(clauses: Iterable[EffectClause]) -> tuple[Any, ...]:
    made = ((clause.name, tuple(possible(clause.effects))) for clause in clauses)
    return tuple((name, effects) for name, effects in made if effects)
