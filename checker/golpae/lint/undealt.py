"""Values of options with which nobody can be dealt a hand: the set is too small, or more is withdrawn than it has.

Input: a `Loaded` text without faults.
Output: a note for each option, at the hands or at the option.
Guarantee: the base and each of its variants and readings are looked at, with every number of players and every value of
each option (its ends and `MOST` of the values between, if there are more), the others at their usual values, and with
all options at their ends. What depends on a game in progress is not noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from golpae.diagnostics import Diagnostic, Span
from golpae.diagnostics.amounts import options_in_words
from golpae.elaborate.check import check
from golpae.elaborate.constant import NotConstant
from golpae.elaborate.instance import TableFault, bounds, instantiate, options_of, undealable, values_of
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import Resolved, resolve
from golpae.elaborate.table_checks import too_many_withdrawn
from golpae.ir.ruleset import RuleSet
from golpae.syntax import tree as t

MOST = 40  # values of an option, and combinations of ends
MOST_NAMED = 6  # tables that the advice names


def undealt(loaded: Loaded) -> list[Diagnostic]:
    """Return a note for each option that has values with which nobody can be dealt a hand."""
    if not any(isinstance(d, t.Option) for d in loaded.decls):
        return []
    game = loaded.game.name
    switches = [d.name.text for d in loaded.decls if isinstance(d, t.Variant)]
    notes: dict[tuple[str, ...], Diagnostic] = {}
    for rules in (game.text, *(f"{game.text}+{switch}" for switch in switches)):
        resolved = resolve(rules, loaded)
        for options, note in _of(resolved, check(resolved)):
            if note.span is not None and note.span.text == game.span.text:
                notes.setdefault(options, note)
    return [*notes.values()]


def _of(resolved: Resolved, rule_set: RuleSet) -> Iterator[tuple[tuple[str, ...], Diagnostic]]:
    alone = False  # one option is at fault, whatever the others are
    for names, settings in _settings(rule_set):
        faults = [
            (given, low, high, why) for given in settings for low, high, why in _faults(rule_set, given)
        ]
        if not faults or (len(names) > 1 and alone):
            continue
        alone = True
        said = "; ".join(
            f"{' '.join(options_in_words(given))} with {low if low == high else f'{low} to {high}'} players"
            for given, low, high, _ in faults[:MOST_NAMED]
        )
        more = f"; and {len(faults) - MOST_NAMED} more" if len(faults) > MOST_NAMED else ""
        advice = f"no hand can be dealt at these tables: {said}{more}; allow other values, or fewer players"
        yield names, Diagnostic("W010", faults[0][3], _place(resolved), advice)


def _settings(rule_set: RuleSet) -> Iterator[tuple[tuple[str, ...], list[dict[str, int]]]]:
    """Yield the options whose values are tried, with the values: each option alone, and all at their ends."""
    ends: list[tuple[int, ...]] = []
    for option in rule_set.options:
        values = values_of(rule_set, option.name)
        ends.append((values[0], values[-1]))
        tried = dict.fromkeys((*values[:: max(1, len(values) // MOST)], values[-1]))
        yield (option.name,), [{option.name: value} for value in tried]
    names = tuple(option.name for option in rule_set.options)
    if len(names) > 1:
        yield names, [dict(zip(names, values, strict=True)) for values in islice(product(*ends), MOST)]


def _faults(rule_set: RuleSet, given: dict[str, int]) -> Iterator[tuple[int, int, str]]:
    """Yield the numbers of players for which no hand can be dealt with these options, and why, with the most."""
    words = f"with {' and '.join(options_in_words(given))}"
    failing: list[tuple[int, str]] = []
    try:
        low, high = bounds(rule_set, options_of(rule_set, given))
        for players in range(low, high + 1):
            instance = instantiate(rule_set, players, given)
            fault = undealable(instance, words)
            why = fault[1] if fault is not None else too_many_withdrawn(instance, words)
            if why:
                failing.append((players, why))
    except (TableFault, NotConstant):
        return
    if failing:
        yield failing[0][0], failing[-1][0], failing[-1][1]


def _place(resolved: Resolved) -> Span:
    node = next(d for d in resolved.decls if isinstance(d, t.Action) and d.kind == "deal")
    clause = next((c for c in node.clauses if isinstance(c.body, t.Hands)), None)
    return node.span if clause is None else clause.body.span
