"""What a rule book says of the properties of a text: the verdicts that are kept beside it.

Input: the text of a game, and its rule sets.
Output: verdicts by rule set, property and number of players; games that show them.
Guarantee: a verdict is told only if it was found for rules of the same meaning. It is kept, not decided anew:
`golpae prove` checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from golpae.diagnostics import SpecError
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.instance import TableFault, options_of
from golpae.elaborate.names import find
from golpae.ir.ruleset import RuleSet
from golpae.verify.kept_proofs import KeptTable, Useless, beside, hash_of, read

_VALUES = re.compile(r"[\w-]+ = ")  # how a result begins that values show


@dataclass(slots=True)
class KeptVerdicts:
    """What is kept: verdicts in words by rule set and property, with the values that show them; games by rule set,
    property and number of players.
    """

    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)
    games: dict[tuple[str, str, int], list[dict[str, Any]]] = field(default_factory=dict)


def kept_verdicts(
    game: str, places: Sequence[Path], load: Callable[[str], RuleSet], names: Sequence[str]
) -> KeptVerdicts:
    """Return what is kept about rule sets of a game; `names` are their names as a call writes them."""
    kept = KeptVerdicts()
    text = find(game, places)
    if text is None:
        return kept
    try:
        held = read(beside(text))
    except Useless:
        return kept
    if held is None:
        return kept
    found: dict[str, dict[str, dict[str, list[int]]]] = {}
    shown: dict[tuple[str, str], str] = {}
    for (rules, players, options), table in sorted(held.tables.items(), key=lambda item: item[0][:2]):
        if rules in names and _fits(table, load, rules, dict(options)):
            of_rules = found.setdefault(rules, {})
            for name, verdict in _told(table):
                of_rules.setdefault(name, {}).setdefault(verdict, []).append(players)
            for result in table.results:
                if _VALUES.match(result.how):
                    shown.setdefault((rules, result.name), f": {on_one_line(result.how)}")
                if result.witness:
                    kept.games[rules, result.name, players] = [*result.witness]
    for rules, of_rules in found.items():
        kept.verdicts[rules] = {
            name: f"{_in_words(verdicts)}{shown.get((rules, name), '')}"
            for name, verdicts in of_rules.items()
        }
    return kept


def _fits(table: KeptTable, load: Callable[[str], RuleSet], rules: str, options: dict[str, int]) -> bool:
    """Return whether what is kept is about this text, with the usual values of its options."""
    try:
        rule_set = load(rules)
        return hash_of(rule_set) == table.text and options in ({}, options_of(rule_set, {}))
    except (SpecError, TableFault):
        return False


def _in_words(verdicts: dict[str, list[int]]) -> str:
    """Return verdicts, each with the numbers of players that it is about."""
    return "; ".join(
        f"{verdict} with {', '.join(map(str, players))} player{'s' * (players != [1])}"
        for verdict, players in verdicts.items()
    )


def _told(table: KeptTable) -> Iterator[tuple[str, str]]:
    """Yield each property with its verdict in words."""
    for result in table.results:
        bound = (
            f" within {result.bound}" if result.verdict not in ("proved", "refuted") and result.bound else ""
        )
        yield result.name, f"{result.verdict}{bound}"
    for share in table.shares:
        yield share.name, f"measured: {100 * share.count / share.games:.2f}% of {share.games:,} hands"
