"""Parts of a region in which a property of the rules alone is the same.

Input: `Choices`, a property that no position matters to, and a region. Output: regions that cover it.
Guarantee: what the property refers to is the same under all rule sets of a part: definitions, shapes, scores, and the
labels that melds are given, if it is about the ways of a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from golpae.elaborate.blocks import BRINGS
from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Region
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, parts_in
from golpae.ir.ruleset import EffectClause, PropertyDecl, RuleSet
from golpae.ir.scoring import stated_labels
from golpae.ir.traverse import deciding_test, nodes, with_nested


def alike(choices: Choices, prop: PropertyDecl, region: Region) -> list[Region]:
    """Return the parts of a region in which a property refers to the same."""
    parts: dict[tuple[str, int], Region] = {}
    for own, rules in _alternatives(choices, region):
        meaning = _Meaning(choices, rules, prop)
        key = meaning.words, meaning.switches
        parts[key] = own if key not in parts else parts[key].union(own)
    return [part for (_, switches), own in parts.items() for part in _split(own, switches)]


def stated_alike(choices: Choices, prop: PropertyDecl, region: Region) -> list[Region]:
    """Return the parts of a region whose rule sets state a property in the same words."""
    return _split(region, choices.family.bits(_switches_in(nodes(prop.expr))))


def _alternatives(choices: Choices, region: Region) -> Iterator[tuple[Region, RuleSet]]:
    """Yield the parts of a region with the same shapes and scores, with a rule set that has these."""
    if not choices.alternatives:
        yield region, choices.rule_set
    for one in choices.alternatives:
        own = region.restrict(one.cube)
        if own:
            yield own, one.rule_set


class _Meaning:
    """What a property refers to: in `words` that two rule sets share only if it is the same, but for the `switches`
    whose states it reads.
    """

    def __init__(self, choices: Choices, rules: RuleSet, prop: PropertyDecl) -> None:
        dependencies = Dependencies(rules, provided=True)
        start = list(parts_in(prop.expr))
        if prop.name.endswith(BRINGS):
            start.append(("score", prop.name.removesuffix(BRINGS)))
        self.words = dependencies.meaning_of(start)
        reached = dependencies.reached_through(start)
        exprs = [prop.expr, *(expr for part in reached for expr in dependencies.exprs_of(part))]
        read = [node for expr in exprs for node in nodes(expr)]
        self.switches = choices.family.bits(_switches_in(read))
        if prop.name.endswith(BRINGS) or any(isinstance(n, ir.Ways) for n in read):
            if not gives_labels_alike(rules):
                self.switches = choices.family.every


def gives_labels_alike(rules: RuleSet) -> bool:
    """Return whether melds are given the same labels whatever switches are on."""
    return stated_labels(rules) == stated_labels(_certain(rules))


def _certain(rules: RuleSet) -> RuleSet:
    """Return a rule set without the effects that only some switch brings."""

    def kept(effects: Iterable[ir.Effect]) -> Iterator[ir.Effect]:
        for effect in effects:
            test = deciding_test(effect)
            if test is None or not any(map(_is_switch, nodes(test))):
                yield with_nested(effect, kept)

    def clauses(own: tuple[EffectClause, ...]) -> tuple[EffectClause, ...]:
        return tuple(replace(clause, effects=tuple(kept(clause.effects))) for clause in own)

    actions = tuple(replace(action, effects=clauses(action.effects)) for action in rules.actions)
    return replace(rules, actions=actions, payout=clauses(rules.payout))


def _switches_in(read: Iterable[ir.Expr]) -> set[str]:
    """Return the names of the switches whose states some nodes read."""
    return {node.name.removeprefix(PREFIX) for node in read if isinstance(node, ir.StateRead)}


def _is_switch(node: ir.Expr) -> bool:
    """Return whether a node reads the state of a switch."""
    return isinstance(node, ir.StateRead) and node.name.startswith(PREFIX)


def _split(region: Region, switches: int) -> list[Region]:
    """Return the parts of a region in which these switches are the same."""
    waiting, out = [region], []
    while waiting:
        left = waiting.pop()
        varies = left.varies & switches
        if varies:
            bit = varies & -varies
            waiting += [left.restrict((bit, bit)), left.restrict((bit, 0))]
        else:
            out.append(left)
    return out
