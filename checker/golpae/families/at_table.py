"""What can differ between the games of two rule sets at one table, as far as their texts say.

Input: two rule sets at one table. Output: `CanDiffer`.
Guarantee: what cannot differ is the same at each event, as long as the games have been the same before it. Effects can
differ too if only conditions do: these choose the order of a list of tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from golpae.elaborate.instance import Instance
from golpae.families.alternatives import table_of, without_words
from golpae.families.switched import tells_orders_apart
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, Part, exprs_within
from golpae.ir.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class CanDiffer:
    """Whether an event that one rule set allows can be refused by the other; whether an event that both allow can have
    other effects, or is paid otherwise.
    """

    conditions: bool
    effects: bool


ALL = CanDiffer(True, True)


def can_differ(one: Instance, other: Instance) -> CanDiffer:
    """Return whether the conditions of events, and whether their effects or payments, can differ between games of two
    rule sets, each at the same table.
    """
    mine, theirs = one.rule_set, other.rule_set
    if one.kinds != other.kinds or one.options != other.options:
        return ALL
    if table_of(mine) != table_of(replace(theirs, tiles=mine.tiles)):
        return ALL
    sides = ([*map(without_words, rules.actions), without_words(rules.payout)] for rules in (mine, theirs))
    if next(sides) != next(sides):
        return ALL
    changed = frozenset(_changed(mine, theirs))
    reaches = Dependencies(mine, provided=True)

    def depends(exprs: Iterable[ir.Expr]) -> bool:
        return not changed.isdisjoint(reaches.reached_by(exprs))

    if depends(exprs_within([mine.vars, mine.tiles, mine.low, mine.high, mine.options])):
        return ALL
    if depends(exprs_within([action.dealing for action in mine.actions])):
        return ALL
    happens = depends(exprs_within([*(action.effects for action in mine.actions), mine.payout]))
    actions = [a for a in mine.actions if depends(exprs_within([a.params, a.conditions]))]
    return CanDiffer(bool(actions), happens or any(map(tells_orders_apart, actions)))


def _changed(one: RuleSet, other: RuleSet) -> Iterator[Part]:
    """Yield the parts that two rule sets do not have alike."""
    mine, theirs = (Dependencies(rules, provided=True) for rules in (one, other))
    for part, content in mine.contents.items():
        own = theirs.contents.get(part)
        if own is None or own.meaning != content.meaning or theirs.exprs_of(part) != mine.exprs_of(part):
            yield part
