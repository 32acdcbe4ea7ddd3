"""Tables at which nobody can be dealt a hand: the set is too small, more is withdrawn than it has, or the conditions of
`deal` refuse every first deal.

Input: a `Loaded` text without faults.
Output: a note for each cause, at the hands, the tiles that are withdrawn or the condition, with the tables.
Guarantee: the base and each of its variants and readings are looked at, with every number of players and every value of
each option (its ends and `MOST` of the values between, if there are more), the others at their usual values, and with
all options at their ends. Conditions of `deal` are tried at no more than `MOST_TRIED` of these tables. What depends on
a game in progress is not noted.

    option top: 1 to 6, normally 6
    option dealt: 1 to 2, normally 1      one note: top 1 to 3 with 4 players; dealt 2 with 4 players
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice, product

from golpae.diagnostics import Diagnostic, Span
from golpae.diagnostics.amounts import options_in_words
from golpae.elaborate.check import check
from golpae.elaborate.constant import NotConstant
from golpae.elaborate.instance import (
    Instance,
    TableFault,
    bounds,
    instantiate,
    options_of,
    undealable,
    values_of,
)
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import Resolved, resolve
from golpae.elaborate.table_checks import too_many_withdrawn
from golpae.ir.ruleset import RuleSet
from golpae.lint.tables.refused_deals import refused_deal
from golpae.syntax import tree as t

MOST = 40  # values of an option, and combinations of ends
MOST_TRIED = 300  # tables of a text at which the conditions of `deal` are tried
MOST_NAMED = 6  # tables that the advice names
WITHDRAWN = "withdrawn"  # the cause that more is withdrawn than the set has
CONDITION = "condition "  # begins the cause that a condition refuses every deal
_Options = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why no hand can be dealt at some tables: these options, and from so many players to so many."""

    options: _Options
    low: int
    high: int
    cause: str  # a code, `WITHDRAWN`, or `CONDITION` with its name
    message: str


@dataclass(slots=True)
class _Looks:
    """What is known of the tables of one rule set; `tries` are those left at which conditions are tried."""

    rule_set: RuleSet
    tries: Iterator[int]
    known: dict[_Options, list[_Fault]] = field(default_factory=dict)

    def faults(self, given: _Options) -> list[_Fault]:
        """Return why no hand can be dealt with some values of options, for the numbers of players."""
        if given not in self.known:
            self.known[given] = [*self._faults(given)]
        return self.known[given]

    def _faults(self, given: _Options) -> Iterator[_Fault]:
        words = f"with {' and '.join(options_in_words(dict(given)))}" if given else ""
        failing: list[tuple[int, str, str]] = []
        try:
            low, high = bounds(self.rule_set, options_of(self.rule_set, dict(given)))
            for players in range(low, high + 1):
                why = self._why(instantiate(self.rule_set, players, dict(given)), words)
                if why is not None:
                    failing.append((players, *why))
        except (TableFault, NotConstant):
            return
        for cause in dict.fromkeys(cause for _, cause, _ in failing):
            for run in _runs([players for players, other, _ in failing if other == cause]):
                message = next(m for players, c, m in failing if c == cause and players == run[-1])
                yield _Fault(given, run[0], run[-1], cause, message)

    def _why(self, instance: Instance, words: str) -> tuple[str, str] | None:
        """Return the cause for which no hand can be dealt at a table, and a message."""
        fault = undealable(instance, words)
        if fault is not None:
            return fault
        withdrawn = too_many_withdrawn(instance, words)
        if withdrawn:
            return WITHDRAWN, withdrawn
        if next(self.tries, None) is None:
            return None
        condition = refused_deal(instance)
        if condition is None:
            return None
        return f"{CONDITION}{condition}", " ".join(
            filter(None, (words, f"no first deal of a match meets `{condition}`"))
        )


def undealt(loaded: Loaded, checked: Mapping[str, RuleSet] | None = None) -> list[Diagnostic]:
    """Return a note for each cause for which nobody can be dealt a hand at some tables. `checked` has rule sets of the
    text by their names, as far as they are known.
    """
    game = loaded.game.name
    switches = [d.name.text for d in loaded.decls if isinstance(d, t.Variant)]
    tries = iter(range(MOST_TRIED))
    causes: dict[tuple[Span, str], list[tuple[str, _Fault]]] = {}
    for switch in ("", *switches):
        resolved = resolve(f"{game.text}+{switch}" if switch else game.text, loaded)
        rule_set = (checked or {}).get(resolved.rules) or check(resolved)
        for fault in _of(_Looks(rule_set, tries), rule_set):
            place = _place(resolved, fault.cause)
            if place.text == game.span.text:
                tables = causes.setdefault((place, fault.cause), [])
                if not any(_covers(one, fault) for _, one in tables):
                    tables.append((switch, fault))
    in_order = sorted(causes.items(), key=lambda item: item[0][0].start)
    return [_note(place, tables) for (place, _), tables in in_order]


def _of(looks: _Looks, rule_set: RuleSet) -> Iterator[_Fault]:
    """Yield why no hand can be dealt, with no more options than it takes."""
    usual = looks.faults(())
    yield from usual
    faults: list[_Fault] = list(usual)
    for given in _settings(rule_set):
        for fault in looks.faults(given):
            if any(_covers(one, fault) for one in faults):
                continue
            least = _with_fewer(looks, fault)
            if least not in faults:
                faults.append(least)
                yield least


def _covers(one: _Fault, other: _Fault) -> bool:
    """Return whether the same fault is known with fewer options."""
    return (
        one.cause == other.cause
        and {*one.options} <= {*other.options}
        and one.low <= other.low
        and other.high <= one.high
    )


def _with_fewer(looks: _Looks, fault: _Fault) -> _Fault:
    """Return the fault without the options that may have their usual values."""
    for option in fault.options:
        fewer = tuple(other for other in fault.options if other != option)
        same = [f for f in looks.faults(fewer) if _covers(f, fault)]
        if same:
            fault = same[0]
    return fault


def _settings(rule_set: RuleSet) -> Iterator[_Options]:
    """Yield the values of options that are tried: of each option alone, and of all at their ends."""
    ends: list[tuple[int, ...]] = []
    for option in rule_set.options:
        values = values_of(rule_set, option.name)
        ends.append((values[0], values[-1]))
        tried = dict.fromkeys((*values[:: max(1, len(values) // MOST)], values[-1]))
        yield from (((option.name, value),) for value in tried)
    names = [option.name for option in rule_set.options]
    if len(names) > 1:
        yield from (tuple(zip(names, values, strict=True)) for values in islice(product(*ends), MOST))


# ---------------------------------------------------------------- notes


def _note(place: Span, tables: list[tuple[str, _Fault]]) -> Diagnostic:
    """Return the note of one cause, with its tables; those of a variant if the base has no such table."""
    said = [
        f"{f'`+{switch}`: ' if switch else ''}{words}"
        for switch, group in groupby(tables, lambda table: table[0])
        for words in _in_words(fault for _, fault in group)
    ]
    more = f"; and {len(said) - MOST_NAMED} more" if len(said) > MOST_NAMED else ""
    advice = f"no hand can be dealt at these tables: {'; '.join(said[:MOST_NAMED])}{more}"
    fault = tables[0][1]
    if fault.options:
        advice += "; allow other values, or fewer players"
    return Diagnostic("W010", fault.message, place, advice)


def _in_words(faults: Iterable[_Fault]) -> Iterator[str]:
    """Yield the tables of a cause in words: `top 1 to 3 with 4 players`."""
    rows: dict[tuple[str, _Options, int, int], list[int]] = {}
    for fault in faults:
        *others, last = fault.options or (("", 0),)
        rows.setdefault((last[0], tuple(others), fault.low, fault.high), []).append(last[1])
    for (name, rest, low, high), values in rows.items():
        players = f"{low} to {high} players" if low != high else f"{low} player{'s' * (low != 1)}"
        for run in _runs(values):
            value = f"{name} {run[0]}" if len(run) == 1 else f"{name} {run[0]} to {run[-1]}"
            words = " and ".join([*options_in_words(dict(rest)), *([value] if name else [])])
            yield f"{words} with {players}" if words else players


def _runs(values: Iterable[int]) -> list[list[int]]:
    """Return numbers in runs of which each is one more than the last."""
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return runs


def _place(resolved: Resolved, cause: str) -> Span:
    tiles = next(d for d in resolved.decls if isinstance(d, t.Tiles))
    if cause == WITHDRAWN and tiles.withdrawn is not None:
        return tiles.withdrawn.body.span
    node = next(d for d in resolved.decls if isinstance(d, t.Action) and d.kind == "deal")
    for clause in node.clauses:
        if isinstance(clause.body, t.Condition) and f"{CONDITION}{clause.name.text}" == cause:
            return clause.body.expr.span
    hands = next((c for c in node.clauses if isinstance(c.body, t.Hands)), None)
    return node.span if hands is None else hands.body.span
