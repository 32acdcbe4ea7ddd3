"""Attribute traces in several processes.

Input: pieces of sources. Output: in each process `SentResult`, which pickle; of these, in the one that began, the
results.
Guarantee: the results are those of one process. Who refuses a trace is worked out anew where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from golpae.attribute.compiled import CompiledAttribution, Origin
from golpae.attribute.multi_replay import RefusedTrace
from golpae.attribute.traces import Attribution, TraceResult
from golpae.corpus.parts import Cuts
from golpae.corpus.paths import Items, Paths
from golpae.corpus.reading import CountedStream, refuse_damaged
from golpae.diagnostics import SpecError
from golpae.families.family import Family
from golpae.families.region import Cube
from golpae.rule_names import loader
from golpae.trace import Source

EXAMPLES_EACH = 20  # traces that the same rule sets accept, of which a piece sends the text

Cubes = tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Rule sets that refuse a trace: at which event, on which line, by which clause, and with what messages."""

    cubes: Cubes
    event: int
    at: int
    clause: str | None
    messages: tuple[tuple[Cubes, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SentResult:
    """A result, without what belongs to its process.

    `base` is its game. `refused` are the rule sets that refuse it, with messages if there is no `origin` from
    which to work them out. `universe` are all rule sets and `faults` those of texts, if they are new.
    """

    result: TraceResult
    base: str | None = None
    accepting: Cubes | None = None
    refused: tuple[Refusal, ...] = ()
    origin: Origin | None = None
    universe: Cubes | None = None
    faults: tuple[tuple[str, SpecError], ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeTraces:
    """Attribute the traces of sources, in any process. Rule texts are in `places`, games in the folders `beside`;
    `rules` are the game of all traces. It `compiles` unless somebody asks for each trace who refuses it.
    """

    places: tuple[Path, ...]
    beside: tuple[Path, ...]
    rules: str | None
    compiles: bool

    @property
    def cuts(self) -> Cuts:
        return Cuts.AT_HEADERS

    def begin(self) -> Callable[[Source, BinaryIO, Paths], Items[SentResult]]:
        attribution = Attribution(loader(self.places, self.beside), self.rules)
        reader = CompiledAttribution(attribution, self.places, self.compiles)

        def sent(source: Source, stream: BinaryIO, counts: Paths) -> Items[SentResult]:
            refuse_damaged(source)
            sender = _Sender(attribution)
            results = reader.with_origins(cast("BinaryIO", CountedStream(stream, counts)), source.name)
            while True:
                try:
                    result, origin = next(results)
                except StopIteration as end:
                    return cast("tuple[int, str] | None", end.value)
                yield sender.sent(result, origin)

        return sent

    def shifted(self, item: SentResult, lines: int) -> SentResult:
        result, fault, origin = item.result, item.result.fault, item.origin
        if fault is not None:
            at = None if fault.at is None else fault.at + lines
            fault = replace(fault, line=fault.line + lines, at=at)
        if origin is not None:
            origin = replace(origin, line=origin.line + lines)
        refused = tuple(replace(one, at=one.at + lines) for one in item.refused)
        result = replace(result, line=result.line + lines, fault=fault)
        return replace(item, result=result, origin=origin, refused=refused)

    def weight(self, item: SentResult) -> int:
        return 1


@dataclass(slots=True)
class _Sender:
    """Sends the results of a piece."""

    attribution: Attribution
    texts: dict[tuple[str, Cubes], int] = field(default_factory=dict)
    universes: dict[str, Cubes] = field(default_factory=dict)
    faults: int = 0

    def sent(self, result: TraceResult, origin: Origin | None) -> SentResult:
        bare = replace(result, family=None, accepting=None, refused=(), in_full=None)
        out = SentResult(bare, faults=self._new_faults())
        if result.family is None:
            return out
        base, universe = result.family.base, result.family.universe.cubes
        new = None if self.universes.get(base) == universe else universe
        self.universes[base] = universe
        out = replace(out, base=base, universe=new)
        if result.accepting is None:
            return out
        key = base, result.accepting.canonical.cubes
        self.texts[key] = self.texts.get(key, 0) + 1
        if self.texts[key] > EXAMPLES_EACH:
            origin = None
        said = result.refused if origin is None else ()
        if not result.accepting and result.furthest is not None:
            said = (*said, result.furthest)
        refused = tuple(_refusal(one, any(one is other for other in said)) for one in result.refused)
        return replace(out, accepting=result.accepting.cubes, refused=refused, origin=origin)

    def _new_faults(self) -> tuple[tuple[str, SpecError], ...]:
        faults: Mapping[str, SpecError] = self.attribution.library.faults
        new = tuple(faults.items())[self.faults :]
        self.faults = len(faults)
        return new


class Received:
    """Makes results of what other processes send."""

    def __init__(self, attribution: Attribution) -> None:
        self._attribution = attribution

    def result(self, sent: SentResult) -> TraceResult:
        """Return the result that was sent."""
        library = self._attribution.library
        for rules, fault in sent.faults:
            library.faults.setdefault(rules, fault)
        if sent.base is None:
            return sent.result
        family = self._attribution.family(sent.base)
        assert isinstance(family, Family)  # as in the process that has sent it
        if sent.universe is not None:
            family.universe = family.universe.intersection(family.space.region(sent.universe))
        if sent.accepting is None:
            return replace(sent.result, family=family)
        accepting = family.space.region(sent.accepting)
        refused = tuple(_refused(family, one) for one in sent.refused)
        result = replace(sent.result, family=family, accepting=accepting, refused=refused)
        if sent.origin is None:
            return result
        file, origin = result.file, sent.origin
        return replace(result, in_full=lambda: origin.again(self._attribution, file, accepting, result.ended))


def _refusal(one: RefusedTrace, said: bool) -> Refusal:
    messages = ((region.cubes, say(region.sample)) for region, say in one.parts) if said else ()
    return Refusal(one.region.cubes, one.event, one.at, one.clause, tuple(messages))


def _refused(family: Family, one: Refusal) -> RefusedTrace:
    space = family.space
    parts = tuple((space.region(cubes), partial(_always, words)) for cubes, words in one.messages)
    return RefusedTrace(space.region(one.cubes), one.event, one.at, one.clause, parts)


def _always(words: str, switches_on: int) -> str:
    return words
