"""What is asked of a rule set: the properties of its text, and what has to hold of any game."""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.types import BOOL

KEPT, LEGAL = "tiles-are-kept", "some-event-is-legal"
BRINGS = "-brings"  # behind the name of a score: its patterns bring just what the text says
OF_ANY_GAME = tuple(
    PropertyDecl("always", name, ir.Const(True, BOOL), None, None, ()) for name in (KEPT, LEGAL)
)


def asked(rule_set: RuleSet) -> tuple[PropertyDecl, ...]:
    """All properties, in the order in which they are decided and shown."""
    scores = (
        PropertyDecl("theorem", f"{s.name}{BRINGS}", ir.Const(True, BOOL), None, None, s.brings[0].ids)
        for s in rule_set.scores
        if s.brings
    )
    return (*rule_set.properties, *scores, *OF_ANY_GAME)
