"""Messages as players read them on a page, where the terminal names parts of the text.

Input: a message of a verdict, and the rules. Output: the message without names of actions and patterns as the text
writes them.
Guarantee: nothing else of the message changes.

    no hand has been dealt yet: `add_kan` has to wait      ->      no hand has been dealt yet: “add kan” has to wait
    Bo's hand counts 2 (all-chows 1), not all-chows 1      ->      Bo's hand counts 2 (all chows 1), not all chows 1
"""

from __future__ import annotations

import re

from golpae.ir.ruleset import RuleSet

_CODED = re.compile(r"`([\w-]+)`")
_NAME = re.compile(r"(?<![\w`'-])[a-z]\w*(?:-\w+)+(?![\w`-])")


def in_players_words(message: str, rules: RuleSet) -> str:
    """Return a message about an illegal event without the names of its text."""
    actions = {action.name for action in rules.actions}
    patterns = {pattern.name for score in rules.scores for pattern in score.patterns}
    of_actions = _CODED.sub(
        lambda found: f"“{_spaced(found[1])}”" if found[1] in actions else found[0], message
    )
    return _NAME.sub(lambda found: _spaced(found[0]) if found[0] in patterns else found[0], of_actions)


def _spaced(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")
