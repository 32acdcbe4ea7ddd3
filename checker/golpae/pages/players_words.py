"""Messages as players read them on a page, where the terminal names parts of the text.

Input: a message of a verdict, the rules, the players. Output: the message without names of actions and patterns as the
text writes them, and without keys of a trace.
Guarantee: nothing else of the message changes.

    no hand has been dealt yet: `ask_first` has to wait    ->      no hand has been dealt yet: “ask first” has to wait
    Bo's hand counts 2 (all-alike 1), not all-alike 1      ->      Bo's hand counts 2 (all alike 1), not all alike 1
    `pay` should be [1, -1] (An +1, Bo -1), not `[0, 0]`   ->      the payments should be An +1, Bo -1, not An 0, Bo 0
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from golpae.ir.ruleset import RuleSet
from golpae.replay.speaker import spoken
from golpae.spoken.sentences import spaced

_CODED = re.compile(r"`([\w-]+)`")
_NAME = re.compile(r"(?<![\w`'-])[a-z]\w*(?:-\w+)+(?![\w`-])")
_LISTED = re.compile(r"`(pay|totals|winners)` should be \[[^\]]*\] \((.*)\), not `?(\[[^\]`]*\])`?$")
_OF_TRACE = {
    "pay": "the payments",
    "totals": "the totals",
    "winners": "the winners",
    "reserve": "the reserve",
    "winner": "the record",
}


def in_players_words(message: str, rules: RuleSet, players: Sequence[str]) -> str:
    """Return a message about an illegal event without the names of its text."""
    listed = _LISTED.match(message)
    if listed is not None:
        key, right, recorded = listed.groups()
        return f"{_OF_TRACE[key]} should be {right}, not {_of_players(key, recorded, players)}"
    actions = {action.name for action in rules.actions}
    patterns = {pattern.name for score in rules.scores for pattern in score.patterns}

    def coded(found: re.Match[str]) -> str:
        name = found[1]
        return f"“{spaced(name)}”" if name in actions else _OF_TRACE.get(name, found[0])

    message = _CODED.sub(coded, message)
    return _NAME.sub(lambda found: spaced(found[0]) if found[0] in patterns else found[0], message)


def legal_in_players_words(words: str, rules: RuleSet) -> str:
    """Return what was legal: of an action that may have been, its title in place of its name."""
    for action in rules.actions:
        start = f"perhaps {spoken(action.name)}"
        if words == start or words.startswith(f"{start} ("):
            return f"perhaps “{action.title or spaced(action.name)}”{words.removeprefix(start)}"
    return words


def _of_players(key: str, recorded: str, players: Sequence[str]) -> str:
    """Return a list of a trace, of a number for each player or of winners, with the players' names."""
    try:
        values = json.loads(recorded)
    except ValueError:
        return recorded
    if not all(type(value) is int for value in values):
        return recorded
    if key != "winners":
        said = [
            f"{name} {value:+d}" if value else f"{name} 0"
            for name, value in zip(players, values, strict=False)
        ]
        return ", ".join(said) if len(values) == len(players) else recorded
    if not all(0 <= seat < len(players) for seat in values):
        return recorded
    return ", ".join(players[seat] for seat in values) or "nobody"
