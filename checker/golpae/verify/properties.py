"""The properties to verify: those of a text, and what has to hold of any game.

Input: a rule set.
Output: its properties.
Guarantee: they come in the order in which they are verified and shown.
"""

from __future__ import annotations

from dataclasses import replace

from golpae.elaborate.blocks import BRINGS
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, nodes_through
from golpae.ir.ruleset import PropertyDecl, RuleSet, form_of
from golpae.ir.types import BOOL

CONSERVATION, DEADLOCK_FREEDOM = "tiles-are-kept", "some-event-is-legal"
OF_ANY_GAME = tuple(
    PropertyDecl("always", name, ir.Const(True, BOOL), None, None, ())
    for name in (CONSERVATION, DEADLOCK_FREEDOM)
)

# Decided only if a call names it: some games tell a player more by their nature.
PRIVATE = PropertyDecl("always", "private", ir.Const(True, BOOL), None, None, ())


def depends_on_players(rule_set: RuleSet, prop: PropertyDecl) -> bool:
    """Return whether the verdict of a property may depend on the number of players."""
    definitions = {d.name: d for d in rule_set.definitions}
    exprs = [prop.expr, *(bag for _, bag in rule_set.tiles.bags)]
    if prop.name.endswith(BRINGS) or prop.after is not None or not form_of(prop.kind).of_rules:
        return True
    return bool(Dependencies(rule_set).reads(exprs)) or any(
        isinstance(node, ir.CallScore | ir.Ways | ir.IsShape | ir.LayOut | ir.IsBeside | ir.Parted)
        or (isinstance(node, ir.Builtin) and node.name not in ("tiles", "kinds"))
        for e in exprs
        for node in nodes_through(e, definitions)
    )


def is_about_rules(rule_set: RuleSet, prop: PropertyDecl) -> bool:
    """Return whether a property speaks of tiles, definitions and scores alone, and reads nothing of a game."""
    of_rules = form_of(prop.kind).of_rules and prop.after is None
    return of_rules and not Dependencies(rule_set).reads([prop.expr])


def properties_of(rule_set: RuleSet) -> tuple[PropertyDecl, ...]:
    """Return all properties, in the order in which they are verified and shown."""
    scores = (
        PropertyDecl("theorem", f"{s.name}{BRINGS}", ir.Const(True, BOOL), None, None, s.brings[0].ids)
        for s in rule_set.scores
        if s.brings
    )
    return (*rule_set.properties, *scores, *OF_ANY_GAME)


def nameable(rule_set: RuleSet) -> tuple[PropertyDecl, ...]:
    """Return all properties that a call can name: those of `properties_of`, and what golpae decides only if asked."""
    every = properties_of(rule_set)
    return every if any(prop.name == PRIVATE.name for prop in every) else (*every, PRIVATE)


def queried(rule_set: RuleSet, only: str | None) -> tuple[PropertyDecl, ...]:
    """Return the properties to decide: the one of a name, or without a name all of `properties_of`."""
    if only is None:
        return properties_of(rule_set)
    return tuple(prop for prop in nameable(rule_set) if prop.name == only)


def meaning_of(rule_set: RuleSet) -> RuleSet:
    """Return a rule set without what no proof depends on: comments, layout, the switches that are off, shares."""
    return replace(rule_set, spec_hash="", switches=(), sources=(), rules_by_id=(), shares=())
