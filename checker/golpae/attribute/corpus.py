"""What many traces of one game say together: the smallest set of switches under which all of them are legal.

In: what was found of each trace. Out: an `Attributed`: the rule sets that accept the most traces, the smallest of
these, and for each switch the first trace that decides it. Memory grows with the answers that differ, not with the
traces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from golpae.attribute.family import Family
from golpae.attribute.multi_replay import Refused
from golpae.attribute.region import Region
from golpae.attribute.traces import Found

KEPT_ALIKE = 20  # traces with the same answer whose refusals can be told
KEPT = 2_000  # such traces altogether, the first with each answer not counted


class Standing(StrEnum):
    """What the traces say of a switch, beside a rule set."""

    NEEDED = "needed"
    """It is on, and without it fewer traces are legal."""
    EXCLUDED = "excluded"
    """It is off, and with it fewer traces are legal."""
    EITHER = "either"
    """As many are legal with it as without."""
    CLASHES = "clashes"
    """It cannot be on together with the rule set's other switches."""
    CHOSEN = "chosen"
    """It is on because the call says so."""
    FAULTY = "faulty"
    """Its text has a fault."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A switch, whether it is on in a rule set, and the trace and refusal that decide it, where one does."""

    switch: str
    on: bool
    standing: Standing
    trace: Found | None = None
    refusal: Refused | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What headers say of their rules, and what their traces say.

    `rules` is the rule set that they name (None where the game has none such), `legal` how many of the `traces` are
    legal under it. `most` of them are legal under the rule sets `smallest`, and under none with fewer switches.
    """

    said: str | None
    rules: int | None
    unknown: tuple[str, ...]
    traces: int
    legal: int
    most: int
    smallest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Attributed:
    """The answer for all traces of a game.

    `accepting` are the rule sets under which the most traces (`legal` of them) are legal, `smallest` those of them
    with the fewest switches on. `illegal` are the traces that stay so under the first of these, as far as they were
    kept, each with its refusal.
    """

    family: Family
    traces: int
    incomplete: int
    legal: int
    accepting: Region
    smallest: tuple[int, ...]
    decided: Mapping[int, tuple[Decided, ...]]
    illegal: tuple[tuple[Found, Refused], ...]
    said: tuple[Said, ...]

    @property
    def holds(self) -> bool:
        """Whether some rule set accepts every trace."""
        return self.legal == self.traces


@dataclass(slots=True)
class _Alike:
    """Traces with the same answer: how many, and the first of them."""

    count: int = 0
    kept: list[Found] = field(default_factory=list)


class Corpus:
    """The traces of one game, as they are found."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.traces = 0
        self.incomplete = 0
        self._alike: dict[Region, _Alike] = {}
        self._said: dict[tuple[str | None, tuple[str, ...]], Counter[Region]] = {}
        self._kept = 0

    def add(self, found: Found) -> None:
        """Count a trace that is not malformed."""
        region = found.accepting
        assert region is not None
        self.traces += 1
        self.incomplete += bool(region) and not found.whole
        alike = self._alike.setdefault(region, _Alike())
        alike.count += 1
        if not alike.kept or (len(alike.kept) < KEPT_ALIKE and self._kept < KEPT):
            self._kept += bool(alike.kept)
            alike.kept.append(found)
        self._said.setdefault((found.said, found.unknown), Counter())[region] += 1

    def answer(self) -> Attributed:
        """What the traces so far say."""
        counts = {region: alike.count for region, alike in self._alike.items()}
        legal, accepting = most(self.family.universe, counts)
        smallest = tuple(accepting.smallest())
        return Attributed(
            self.family,
            self.traces,
            self.incomplete,
            legal,
            accepting,
            smallest,
            {rules: tuple(self._decided(rules, accepting)) for rules in smallest},
            tuple(self._illegal(smallest[0])) if smallest else (),
            tuple(self._headers()),
        )

    def _decided(self, rules: int, accepting: Region) -> list[Decided]:
        out = []
        for number, name in enumerate(self.family.names):
            switch = 1 << number
            other, on = rules ^ switch, bool(rules & switch)
            if switch & self.family.fixed:
                out.append(Decided(name, on, Standing.CHOSEN))
            elif name in self.family.faulty:
                out.append(Decided(name, on, Standing.FAULTY))
            elif other not in self.family.universe:
                out.append(Decided(name, on, Standing.CLASHES))
            elif other in accepting:
                out.append(Decided(name, on, Standing.EITHER))
            else:
                trace = self._first(rules, other)
                refusal = None if trace is None else trace.refusal(other)
                standing = Standing.NEEDED if on else Standing.EXCLUDED
                out.append(Decided(name, on, standing, trace, refusal))
        return out

    def _first(self, legal: int, illegal: int) -> Found | None:
        """The first trace that one rule set accepts and another refuses."""
        for region, alike in self._alike.items():
            if legal in region and illegal not in region:
                return alike.kept[0]
        return None

    def _illegal(self, rules: int) -> list[tuple[Found, Refused]]:
        found = [
            (trace, refusal)
            for region, alike in self._alike.items()
            if rules not in region
            for trace in alike.kept
            if (refusal := trace.refusal(rules)) is not None
        ]
        return sorted(found, key=lambda pair: (pair[0].file, pair[0].line))

    def _headers(self) -> list[Said]:
        out = []
        for (said, unknown), counts in self._said.items():
            named = None if said is None or unknown else said.split("+")
            rules = None
            if named is not None and named[0] == self.family.base:
                rules = self.family.bits(named[1:])
                if rules not in self.family.universe:
                    rules = None
            legal = 0 if rules is None else sum(n for region, n in counts.items() if rules in region)
            best, accepting = most(self.family.universe, counts)
            smallest = tuple(accepting.smallest())
            out.append(Said(said, rules, unknown, counts.total(), legal, best, smallest))
        return sorted(out, key=lambda s: -s.traces)


def most(universe: Region, counts: Mapping[Region, int]) -> tuple[int, Region]:
    """How many of these regions, each with a count, share a rule set at most; and the rule sets that do."""
    search = _Most()
    search.look(universe, list(counts.items()), 0)
    found = universe.space.nothing
    for region in search.found:
        found = found.plus(region)
    return max(search.best, 0), found


class _Most:
    """Splits the rule sets by one switch after another, and leaves a part as soon as it cannot do better."""

    def __init__(self) -> None:
        self.best = -1
        self.found: list[Region] = []

    def look(self, among: Region, counts: Sequence[tuple[Region, int]], sure: int) -> None:
        if not among:
            return
        partly: list[tuple[Region, int]] = []
        for region, count in counts:
            shared = among.within(region)
            if not shared:
                continue
            if not among.without(region):
                sure += count
            else:
                partly.append((shared, count))
        if sure + sum(count for _, count in partly) < self.best:
            return
        if not partly:
            if sure > self.best:
                self.best, self.found = sure, []
            self.found.append(among)
            return
        together = among
        for region, _ in partly:
            together = together.within(region)
        if together:  # nothing can do better than all of them
            self.look(together, [], sure + sum(count for _, count in partly))
            return
        switch = self._telling(among, partly)
        sides = [among.meet((switch, switch)), among.meet((switch, 0))]
        weight = [sum(n for region, n in partly if side.within(region)) for side in sides]
        for _, side in sorted(zip(weight, sides, strict=True), key=lambda pair: -pair[0]):
            self.look(side, partly, sure)

    def _telling(self, among: Region, partly: Sequence[tuple[Region, int]]) -> int:
        """A switch that tells many of these regions from the rest."""
        told: Counter[int] = Counter()
        for region, count in partly:
            settled = among.varies & ~region.varies
            spoken = 0
            for box in region.boxes:
                spoken |= box[0] & among.varies
            while spoken:
                switch = spoken & -spoken
                spoken ^= switch
                told[switch] += count * (4 if settled & switch else 1)
        return max(told, key=lambda switch: (told[switch], -switch))
