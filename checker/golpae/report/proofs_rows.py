"""Findings in rows: what is the same at several tables becomes one row.

    each-once at 2, 3 and 4 players: proved    ->    each-once, 2–4: proved

Stories that differ only in numbers are one story with ranges: `after 12 events`, `after 16 events` are `after
12–16 events`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from golpae.prove.answer import WORKED_OUT
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, meaningful, status, unanswered

NUMBER = re.compile(r"(\d+)")
EVERY = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """One property of one rule set, with the findings that say the same of it."""

    findings: tuple[PropertyResult, ...]

    @property
    def first(self) -> PropertyResult:
        return self.findings[0]

    @property
    def status(self) -> str:
        return status(self.first)

    @property
    def notable(self) -> bool:
        """Whether a reader has to know more of it."""
        return self.status != AS_EXPECTED or unanswered(self.first)

    @property
    def players(self) -> str:
        """The numbers of players that it is about: `2–4`, `2, 5`, or `all`."""
        return spans(sorted({f.players for f in self.findings if f.players})) or EVERY

    @property
    def at(self) -> str:
        """The tables in words."""
        if self.players == EVERY:
            players = "any number of players" if self.first.options else "every table"
        else:
            players = f"{self.players} player{'s' * (self.players != '1')}"
        return ", ".join([players, *(f"{name} {values}" for name, values in self.options.items())])

    @property
    def options(self) -> dict[str, str]:
        """The values of each option that it is about: `6–18`, or `6`."""
        return values(self.findings)

    @property
    def story(self) -> str:
        if self.first.witness is not None and self.first.witness.values:
            return self.first.story  # which tells of one witness
        return _merged([f.story for f in self.findings])

    @property
    def seconds(self) -> float:
        return sum(f.seconds for f in self.findings)


def rows(findings: Iterable[PropertyResult]) -> list[Row]:
    """The findings in rows; rule sets and properties in the order in which they first come."""
    alike: dict[tuple[object, ...], list[PropertyResult]] = {}
    order: dict[tuple[str, str], int] = {}
    for f in meaningful(findings):
        order.setdefault((f.rules, f.name), len(order))
        key = (f.rules, f.name, f.verdict, f.expected, f.vacuous, f.checked, f.patterns, _skeleton(f))
        same = alike.setdefault(key, [])
        if f.players or f.options not in [s.options for s in same]:
            # what holds at every table is said of each of them
            same.append(f)
    found = [Row(tuple(same)) for same in alike.values()]
    found.sort(key=lambda row: order[row.first.rules, row.first.name])
    return [row for _, same in by_rules(found) for row in same]


def by_rules(found: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """The rows of each rule set."""
    games: dict[str, list[Row]] = {}
    for row in found:
        games.setdefault(row.first.rules, []).append(row)
    yield from games.items()


def values(findings: Iterable[PropertyResult]) -> dict[str, str]:
    """The values of each option that findings are about."""
    out: dict[str, set[int]] = {}
    for f in findings:
        for name, value in f.options.items():
            out.setdefault(name, set()).add(value)
    return {name: spans(sorted(found)) for name, found in out.items()}


def _skeleton(f: PropertyResult) -> str:
    """What stories have in common that are told as one; how a theorem was worked out makes no other one of it."""
    worked_out = f.story == WORKED_OUT or (bool(f.clauses) and f.story == f"by {', '.join(f.clauses)}")
    return WORKED_OUT if worked_out else NUMBER.sub("#", f.story)


def _merged(stories: list[str]) -> str:
    """Stories of one skeleton as one."""
    pieces = [NUMBER.split(story) for story in stories]
    if len({tuple(piece[::2]) for piece in pieces}) > 1:
        return stories[0]
    out = []
    for same in zip(*pieces, strict=True):
        if len(set(same)) == 1:
            out.append(same[0])
        else:
            numbers = sorted(int(n) for n in same)
            out.append(f"{numbers[0]}–{numbers[-1]}")
    return "".join(out)


def spans(numbers: list[int]) -> str:
    """Sorted numbers in words: `2–4`, `2, 5`."""
    spans: list[list[int]] = []
    for n in numbers:
        if spans and n == spans[-1][-1] + 1:
            spans[-1].append(n)
        else:
            spans.append([n])
    return ", ".join(str(s[0]) if len(s) == 1 else f"{s[0]}–{s[-1]}" for s in spans)
