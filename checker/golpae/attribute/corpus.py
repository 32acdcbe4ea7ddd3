"""Find the rule sets that accept many traces of one game: the smallest set of switches under which all are legal.

Input: the result of each trace.
Output: an `Attributed`: the rule sets that accept the most traces, the smallest of these, and for each switch the
first trace that decides it.
Guarantee: memory grows with the results that differ, not with the traces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from golpae.attribute.multi_replay import RefusedTrace
from golpae.attribute.traces import TraceResult
from golpae.families.family import Family
from golpae.families.region import Region, bits_of

EXAMPLES_EACH = 20  # traces with the same accepting region whose refusals can be reported
EXAMPLES = 2_000  # of all regions, the first of each not counted


class SwitchRole(StrEnum):
    """What the traces decide about a switch, beside the other switches of a rule set."""

    NEEDED = "needed"
    """It is on, and without it fewer traces are legal."""
    EXCLUDED = "excluded"
    """It is off, and with it fewer traces are legal."""
    EITHER = "either"
    """As many are legal with it as without."""
    CLASHES = "clashes"
    """It cannot be on together with the rule set's other switches."""
    CHOSEN = "chosen"
    """It is on because the call sets it."""
    FAULTY = "faulty"
    """Its text has a fault."""


@dataclass(frozen=True, slots=True)
class SwitchEvidence:
    """A switch, whether it is on in a rule set, and the trace and refusal that decide it, if one does."""

    switch: str
    on: bool
    role: SwitchRole
    trace: TraceResult | None = None
    refusal: RefusedTrace | None = None


@dataclass(frozen=True, slots=True)
class HeaderClaims:
    """The rule set that some headers claim, compared with their traces.

    `switches_on` is the rule set as a number (None if the game has no rule set of this name), `legal` how many of the
    `traces` are legal under it. `most` of them are legal under the rule sets `smallest`, and under none with fewer
    switches.
    """

    claimed: str | None
    switches_on: int | None
    unknown: tuple[str, ...]
    traces: int
    legal: int
    most: int
    smallest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Attributed:
    """The answer for all traces of a game.

    `accepting` are the rule sets under which the most traces (`legal` of them) are legal, `smallest` those of them
    with the fewest switches on. `illegal` are the traces that are illegal under the first of these, each with its
    refusal; their number is bounded.
    """

    family: Family
    traces: int
    incomplete: int
    legal: int
    accepting: Region
    smallest: tuple[int, ...]
    evidence: Mapping[int, tuple[SwitchEvidence, ...]]
    illegal: tuple[tuple[TraceResult, RefusedTrace], ...]
    headers: tuple[HeaderClaims, ...]

    @property
    def all_legal(self) -> bool:
        """Return whether some rule set accepts every trace."""
        return self.legal == self.traces


@dataclass(slots=True)
class _SameResult:
    """Traces with the same accepting region: how many, and the first of them."""

    count: int = 0
    examples: list[TraceResult] = field(default_factory=list)


class Corpus:
    """The traces of one game, added one at a time."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.traces = 0
        self.incomplete = 0
        self._by_region: dict[Region, _SameResult] = {}
        self._claims: dict[tuple[str | None, tuple[str, ...]], Counter[Region]] = {}
        self._examples = 0

    def add(self, result: TraceResult) -> None:
        """Count a trace that is not malformed."""
        assert result.accepting is not None
        region = result.accepting.canonical
        self.traces += 1
        self.incomplete += bool(region) and not result.ended
        same = self._by_region.setdefault(region, _SameResult())
        same.count += 1
        if not same.examples or (len(same.examples) < EXAMPLES_EACH and self._examples < EXAMPLES):
            self._examples += bool(same.examples)
            same.examples.append(result)
        self._claims.setdefault((result.claimed, result.unknown), Counter())[region] += 1

    def answer(self) -> Attributed:
        """Return the answer for the traces so far."""
        counts = {region: same.count for region, same in self._by_region.items()}
        legal, accepting = most(self.family.universe, counts)
        smallest = tuple(accepting.smallest())
        return Attributed(
            self.family,
            self.traces,
            self.incomplete,
            legal,
            accepting,
            smallest,
            {switches_on: tuple(self._evidence(switches_on, accepting)) for switches_on in smallest},
            tuple(self._illegal(smallest[0])) if smallest else (),
            tuple(self._headers()),
        )

    def _evidence(self, switches_on: int, accepting: Region) -> list[SwitchEvidence]:
        out = []
        for number, name in enumerate(self.family.names):
            switch = 1 << number
            other, on = switches_on ^ switch, bool(switches_on & switch)
            if switch & self.family.fixed:
                out.append(SwitchEvidence(name, on, SwitchRole.CHOSEN))
            elif name in self.family.faulty:
                out.append(SwitchEvidence(name, on, SwitchRole.FAULTY))
            elif other not in self.family.universe:
                out.append(SwitchEvidence(name, on, SwitchRole.CLASHES))
            elif other in accepting:
                out.append(SwitchEvidence(name, on, SwitchRole.EITHER))
            else:
                trace = self._first(switches_on, other)
                refusal = None if trace is None else trace.refusal(other)
                role = SwitchRole.NEEDED if on else SwitchRole.EXCLUDED
                out.append(SwitchEvidence(name, on, role, trace, refusal))
        return out

    def _first(self, legal: int, illegal: int) -> TraceResult | None:
        """Return the first trace that one rule set accepts and another refuses."""
        for region, same in self._by_region.items():
            if legal in region and illegal not in region:
                return same.examples[0].whole()
        return None

    def _illegal(self, switches_on: int) -> list[tuple[TraceResult, RefusedTrace]]:
        refused = [
            (trace, refusal)
            for region, same in self._by_region.items()
            if switches_on not in region
            for trace in same.examples
            if (refusal := trace.whole().refusal(switches_on)) is not None
        ]
        return sorted(refused, key=lambda pair: (pair[0].file, pair[0].line))

    def _headers(self) -> list[HeaderClaims]:
        out = []
        for (claimed, unknown), counts in self._claims.items():
            named = None if claimed is None or unknown else claimed.split("+")
            switches_on = None
            if named is not None and named[0] == self.family.base:
                switches_on = self.family.bits(named[1:])
                if switches_on not in self.family.universe:
                    switches_on = None
            legal = (
                0 if switches_on is None else sum(n for region, n in counts.items() if switches_on in region)
            )
            best, accepting = most(self.family.universe, counts)
            smallest = tuple(accepting.smallest())
            out.append(HeaderClaims(claimed, switches_on, unknown, counts.total(), legal, best, smallest))
        return sorted(out, key=lambda s: -s.traces)


def most(universe: Region, counts: Mapping[Region, int]) -> tuple[int, Region]:
    """Return the greatest number of these regions, each with a count, that share a rule set, and those rule sets."""
    search = _Most()
    search.look(universe, list(counts.items()), 0)
    accepting = universe.space.nothing
    for region in search.best_regions:
        accepting = accepting.union(region)
    return max(search.best, 0), accepting


class _Most:
    """Splits the rule sets by one switch after another, and leaves a part as soon as it cannot do better."""

    def __init__(self) -> None:
        self.best = -1
        self.best_regions: list[Region] = []

    def look(self, among: Region, counts: Sequence[tuple[Region, int]], sure: int) -> None:
        if not among:
            return
        partly: list[tuple[Region, int]] = []
        for region, count in counts:
            shared = among.intersection(region)
            if not shared:
                continue
            if not among.difference(region):
                sure += count
            else:
                partly.append((shared, count))
        if sure + sum(count for _, count in partly) < self.best:
            return
        if not partly:
            if sure > self.best:
                self.best, self.best_regions = sure, []
            self.best_regions.append(among)
            return
        together = among
        for region, _ in partly:
            together = together.intersection(region)
        if together:  # nothing can do better than all of them
            self.look(together, [], sure + sum(count for _, count in partly))
            return
        switch = self._splitting(among, partly)
        sides = [among.restrict((switch, switch)), among.restrict((switch, 0))]
        weight = [sum(n for region, n in partly if side.intersection(region)) for side in sides]
        for _, side in sorted(zip(weight, sides, strict=True), key=lambda pair: -pair[0]):
            self.look(side, partly, sure)

    def _splitting(self, among: Region, partly: Sequence[tuple[Region, int]]) -> int:
        """Return a switch that is fixed in many of these regions."""
        weights: Counter[int] = Counter()
        for region, count in partly:
            settled = among.varies & ~region.varies
            fixed = 0
            for cube in region.cubes:
                fixed |= cube[0] & among.varies
            for switch in bits_of(fixed):
                weights[switch] += count * (4 if settled & switch else 1)
        return max(weights, key=lambda switch: (weights[switch], -switch))
