"""What a condition asks: the keys of the event and the states of the game that it reads.

Input: a rule set, an action, one of its conditions.
Output: names, in the order in which they are read or declared.
Guarantee: it follows from the rules alone, so that a page can tell it of any event.
"""

from __future__ import annotations

from typing import Any

from golpae.ir.dependencies import Dependencies, read_by
from golpae.ir.ruleset import Action, Condition, RuleSet
from golpae.ir.traverse import nodes


def states_asked(rules: RuleSet, condition: Condition) -> list[str]:
    """Return the states that a condition reads, itself or through definitions and scores."""
    read: dict[str, None] = {}
    for node in Dependencies(rules).nodes([condition.expr]):
        part = read_by(node)
        if part is not None and part.kind == "state":
            read[part.name] = None
    return [*read]


def keys_asked(action: Action, condition: Condition) -> list[str]:
    """Return who acts and the keys of the event, as far as a condition names them."""
    used = {getattr(node, "name", None) for node in nodes(condition.expr)}
    keys = [] if action.by is None or action.by not in used else [action.by]
    return keys + [p.name for p in action.params if used.intersection((p.name, *p.parts))]


def asked_by_clause(rules: RuleSet) -> dict[str, Any]:
    """Return the keys and the states that each condition of the text reads, by its path (`draw.turn`)."""
    return {
        f"{action.name}.{condition.name}": {
            "by": action.by,
            "keys": keys_asked(action, condition),
            "states": states_asked(rules, condition),
        }
        for action in rules.actions
        for condition in action.of_text
    }
