"""What a rule book says of the properties of a text: the verdicts that are kept beside it.

Input: the text of a game, and its rule sets.
Output: verdicts by rule set, property and number of players; games that show them.
Guarantee: a verdict is told only if it was found for rules of the same meaning. It is kept, not decided anew:
`golpae prove` checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from golpae.diagnostics import SpecError
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.instance import TableFault, options_of
from golpae.elaborate.names import find
from golpae.ir.ruleset import RuleSet
from golpae.verify.families.conditions import verdicts_in_words
from golpae.verify.families.kept import KeptFamily, kept_families
from golpae.verify.kept_proofs import KeptTable, UselessProofs, beside, hash_of, read

_VALUES = re.compile(r"[\w-]+ = ")  # how a result begins that values show


@dataclass(frozen=True, slots=True)
class Everywhere:
    """What is kept about all rule sets of a game, at its tables."""

    tables: tuple[KeptFamily, ...] = ()

    def words(self, name: str) -> str:
        """Return for which rule sets a property holds; nothing if none is kept."""
        said: dict[str, list[int]] = {}
        for table in self.tables:
            for prop in table.properties:
                if prop.name == name:
                    words = verdicts_in_words(prop.kind, prop.where, prop.stated, table.rule_sets)
                    said.setdefault(words, []).append(table.players)
        return "; ".join(f"with {_players(players)}: {words}" for words, players in said.items())

    def verdict(self, name: str, on: Collection[str]) -> str | None:
        """Return the verdicts for the rule set with these switches, or None if none is kept."""
        found: dict[str, list[int]] = {}
        for table in self.tables:
            for prop in table.properties:
                verdict = prop.verdict_of(frozenset(on)) if prop.name == name else None
                if verdict is not None:
                    found.setdefault(verdict, []).append(table.players)
        return _in_words(found) or None

    def by_property(self) -> dict[str, list[dict[str, Any]]]:
        """Return the verdicts by property, as the page looks them up."""
        out: dict[str, list[dict[str, Any]]] = {}
        for table in self.tables:
            for prop in table.properties:
                settings: dict[str, list[Any]] = {}
                for part in prop.parts:
                    settings.setdefault(part.verdict, []).extend([one.on, one.off] for one in part.settings)
                parts = [{"verdict": verdict, "settings": own} for verdict, own in settings.items()]
                out.setdefault(prop.name, []).append({"players": table.players, "parts": parts})
        return out


@dataclass(slots=True)
class KeptVerdicts:
    """What is kept: verdicts in words and the values that show them, by rule set and property; games by rule set,
    property and number of players.
    """

    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[tuple[str, str], str] = field(default_factory=dict)
    games: dict[tuple[str, str, int], list[dict[str, Any]]] = field(default_factory=dict)
    everywhere: Everywhere = field(default_factory=Everywhere)


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
    except UselessProofs:
        return kept
    if held is None:
        return kept
    found: dict[str, dict[str, dict[str, list[int]]]] = {}
    for (rules, players, options), table in sorted(held.tables.items(), key=lambda item: item[0][:2]):
        if rules in names and _fits(table, load, rules, dict(options)):
            of_rules = found.setdefault(rules, {})
            for name, verdict in _told(table):
                of_rules.setdefault(name, {}).setdefault(verdict, []).append(players)
            for result in table.results:
                if _VALUES.match(result.how):
                    kept.values.setdefault((rules, result.name), on_one_line(result.how))
                if result.witness:
                    kept.games[rules, result.name, players] = [*result.witness]
    for rules, of_rules in found.items():
        kept.verdicts[rules] = {
            name: ": ".join(filter(None, (_in_words(verdicts), kept.values.get((rules, name)))))
            for name, verdicts in of_rules.items()
        }
    return kept


def kept_everywhere(
    game: str, places: Sequence[Path], load: Callable[[str], RuleSet], switches: Sequence[str]
) -> Everywhere:
    """Return what is kept about all rule sets of a game, with the usual values of its options. Raises `SpecError`."""
    text = find(game, places)
    if text is None:
        return Everywhere()
    usual = options_of(load(game), {})
    tables = kept_families(game, text, load, switches)
    return Everywhere(tuple(table for table in tables if table.options in ({}, usual)))


def add_everywhere(kept: KeptVerdicts, everywhere: Everywhere) -> None:
    """Add what is kept about all rule sets of a game, and the games that show it."""
    kept.everywhere = everywhere
    for table in everywhere.tables:
        for prop in table.properties:
            for part in prop.shown:
                assert part.rules is not None
                kept.games.setdefault((part.rules, prop.name, table.players), [*part.witness])


def _fits(table: KeptTable, load: Callable[[str], RuleSet], rules: str, options: dict[str, int]) -> bool:
    """Return whether what is kept is about this text, with the usual values of its options."""
    try:
        rule_set = load(rules)
        return hash_of(rule_set) == table.text and options in ({}, options_of(rule_set, {}))
    except (SpecError, TableFault):
        return False


def _in_words(verdicts: dict[str, list[int]]) -> str:
    """Return verdicts, each with the numbers of players that it is about."""
    return "; ".join(f"{verdict} with {_players(players)}" for verdict, players in verdicts.items())


def _players(players: Sequence[int]) -> str:
    return f"{', '.join(map(str, players))} player{'s' * (list(players) != [1])}"


def _told(table: KeptTable) -> Iterator[tuple[str, str]]:
    """Yield each property with its verdict in words."""
    for result in table.results:
        bound = (
            f" within {result.bound}" if result.verdict not in ("proved", "refuted") and result.bound else ""
        )
        yield result.name, f"{result.verdict}{bound}"
    for share in table.shares:
        yield share.name, f"measured: {100 * share.count / share.games:.2f}% of {share.games:,} hands"
