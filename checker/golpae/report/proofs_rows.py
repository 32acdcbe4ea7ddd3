"""Group the results of properties: equal results at several tables become one row.

Input: the results of a run.
Output: rows, in the order of rule sets and properties.
Guarantee: every result that is to be shown is in one row.

    each-once at 2, 3 and 4 players: proved    ->    each-once, 2–4: proved

Details that differ only in numbers are merged with ranges: `after 12 events` and `after 16 events` become `after
12–16 events`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from golpae.diagnostics.amounts import options_in_words
from golpae.prove.answer import WORKED_OUT
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, NOT_ASKED, meaningful, status, unanswered

NUMBER = re.compile(r"(\d+(?:,\d{3})*)")  # `all 1,234 positions`
EVERY = "all"


@dataclass(frozen=True, slots=True)
class ProofRow:
    """One property of one rule set, with its equal results."""

    results: tuple[PropertyResult, ...]

    @property
    def first(self) -> PropertyResult:
        return self.results[0]

    @property
    def status(self) -> str:
        return status(self.first)

    @property
    def notable(self) -> bool:
        """Return whether the row needs an explanation."""
        return self.status not in (AS_EXPECTED, NOT_ASKED) or unanswered(self.first)

    @property
    def players(self) -> str:
        """Return the numbers of players of its tables: `2–4`, `2, 5`, or `all`."""
        return spans(sorted({f.players for f in self.results if f.players})) or EVERY

    @property
    def at(self) -> str:
        """Return the tables in words."""
        if self.players == EVERY:
            players = "any number of players" if self.first.options else "every table"
        else:
            players = f"{self.players} player{'s' * (self.players != '1')}"
        return ", ".join([players, *options_in_words(self.options)])

    @property
    def options(self) -> dict[str, str]:
        """Return the values of each option at its tables: `6–18`, or `6`."""
        return values(self.results)

    @property
    def detail(self) -> str:
        if self.first.witness is not None and self.first.witness.values:
            return self.first.story  # the values belong to one witness
        return _merged([f.story for f in self.results])

    @property
    def seconds(self) -> float:
        return sum(f.seconds for f in self.results)


def rows(results: Iterable[PropertyResult]) -> list[ProofRow]:
    """Return the results in rows; rule sets and properties in the order in which they first come."""
    alike: dict[tuple[object, ...], list[PropertyResult]] = {}
    order: dict[tuple[str, str], int] = {}
    for f in meaningful(results):
        order.setdefault((f.rules, f.name), len(order))
        key = (
            f.rules,
            f.name,
            f.verdict,
            f.expected,
            f.vacuous,
            f.checked,
            f.patterns,
            f.measured,
            _skeleton(f),
        )
        same = alike.setdefault(key, [])
        if f.players or f.options not in [s.options for s in same]:
            # a result for every table comes once with each table
            same.append(f)
    out = [ProofRow(tuple(same)) for same in alike.values()]
    out.sort(key=lambda row: order[row.first.rules, row.first.name])
    return [row for _, same in by_rules(out) for row in same]


def by_rules(report_rows: Iterable[ProofRow]) -> Iterator[tuple[str, list[ProofRow]]]:
    """Yield the rows of each rule set."""
    games: dict[str, list[ProofRow]] = {}
    for row in report_rows:
        games.setdefault(row.first.rules, []).append(row)
    yield from games.items()


def values(results: Iterable[PropertyResult]) -> dict[str, str]:
    """Return the values of each option in these results."""
    out: dict[str, set[int]] = {}
    for f in results:
        for name, value in f.options.items():
            out.setdefault(name, set()).add(value)
    return {name: spans(sorted(numbers)) for name, numbers in out.items()}


def _skeleton(f: PropertyResult) -> str:
    """Return the part of a detail that results in one row share. For theorems, ignore the clauses of the proof."""
    worked_out = f.story == WORKED_OUT or (bool(f.clauses) and f.story == f"by {', '.join(f.clauses)}")
    return WORKED_OUT if worked_out else NUMBER.sub("#", f.story)


def _merged(details: list[str]) -> str:
    """Return one detail for several that differ only in numbers."""
    pieces = [NUMBER.split(detail) for detail in details]
    if len({tuple(piece[::2]) for piece in pieces}) > 1:
        return details[0]
    out = []
    for same in zip(*pieces, strict=True):
        if len(set(same)) == 1:
            out.append(same[0])
        else:
            numbers = sorted(same, key=lambda n: int(n.replace(",", "")))
            out.append(f"{numbers[0]}–{numbers[-1]}")
    return "".join(out)


def spans(numbers: list[int]) -> str:
    """Return sorted numbers in words: `2–4`, `2, 5`."""
    spans: list[list[int]] = []
    for n in numbers:
        if spans and n == spans[-1][-1] + 1:
            spans[-1].append(n)
        else:
            spans.append([n])
    return ", ".join(str(s[0]) if len(s) == 1 else f"{s[0]}–{s[-1]}" for s in spans)
