"""Find the rules by which recorded games were played.

Input: files of games.
Output: for each game in them an `Attributed`: the rule sets that accept the most of its traces.
Guarantee: the answers are those of `golpae attribute`. Memory grows with the results that differ, not with the games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from golpae.attribute.compiled import CompiledAttribution
from golpae.attribute.corpus import Attributed as Inner
from golpae.attribute.corpus import Corpus
from golpae.attribute.corpus import SwitchEvidence as Evidence
from golpae.attribute.traces import Attribution, TraceResult
from golpae.library.checking import OnFault, files_of, opened, unread_fault
from golpae.library.errors import TraceError, translated
from golpae.library.origin import Origin, PathLike, places_of
from golpae.trace import Source, Verdict


@dataclass(frozen=True, slots=True)
class SwitchEvidence:
    """What games say about a variant or reading, beside the other ones of a rule set.

    Attributes:
        switch: its name.
        on: whether it is on.
        role: `needed` (without it fewer games are legal), `excluded` (with it fewer are), `either`, `clashes` (it
            cannot be on), `chosen` (the call sets it) or `faulty` (its text has a fault).
        file: the file of the game that decides it, if one does.
        line: the line of its header.
        clause: the clause that refuses this game otherwise.
    """

    switch: str
    on: bool
    role: str
    file: str | None = None
    line: int | None = None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Attributed:
    """The rule sets of one game that accept the most of its recorded games.

    Attributes:
        game: the game.
        games: how many recorded games there are, without those that were left out.
        legal: how many of them these rule sets accept.
        incomplete: how many of those have not ended.
        malformed: how many could not be read.
        rules: the rule sets with the fewest variants on, by their names.
        switches: for each of these rule sets, what the games say about each variant and reading.
        unseen: how many were left out, because some of their tiles are unknown.
    """

    game: str
    games: int
    legal: int
    incomplete: int
    malformed: int
    rules: tuple[str, ...]
    switches: tuple[tuple[SwitchEvidence, ...], ...]
    unseen: int = 0

    def __bool__(self) -> bool:
        """Return whether some rule set accepts all games."""
        return self.legal == self.games


def attribute_games(
    paths: PathLike | Iterable[PathLike],
    rules: str | None = None,
    spec_path: PathLike | Iterable[PathLike] = (),
    on_fault: OnFault | None = None,
) -> tuple[Attributed, ...]:
    """Return, for each game of which there are recorded games, the rule sets that accept the most of them.

    Args:
        paths: a file or folder of games, or several.
        rules: the game of all of them, whatever their headers name; variants that it names are on.
        spec_path: folders of rule texts.
        on_fault: is called with the `TraceError` of each file that cannot be read to its end.

    Raises:
        TraceError: there is no such file, or one cannot be read to its end.
        RulesError: there are no such rules.
    """
    files = files_of(paths)
    origin = Origin(places_of(spec_path, files))
    corpora: dict[str, Corpus] = {}
    left_out = {Verdict.MALFORMED: Counter[str | None](), Verdict.UNKNOWN: Counter[str | None]()}
    malformed, unseen = left_out.values()
    with translated():
        if rules is not None:
            origin.load(rules)
        reader = CompiledAttribution(Attribution(origin.load, rules), origin.places)
        for source in files:
            for trace in _traces(source, reader, on_fault):
                if trace.fault is not None:
                    left_out[trace.fault.verdict][None if trace.family is None else trace.family.base] += 1
                elif trace.family is not None:
                    corpora.setdefault(trace.family.base, Corpus(trace.family)).add(trace)
        return tuple(
            _attributed(corpus.answer(), malformed[name], unseen[name]) for name, corpus in corpora.items()
        )


def _traces(source: Source, reader: CompiledAttribution, on_fault: OnFault | None) -> Iterator[TraceResult]:
    with opened(source) as stream:
        traces: Generator[TraceResult, None, tuple[int, str] | None] = reader.traces(stream, source.name)
        unread = yield from traces
    if unread is not None:
        fault: TraceError = unread_fault(source, unread)
        if on_fault is None:
            raise fault
        on_fault(fault)


def _attributed(inner: Inner, malformed: int, unseen: int) -> Attributed:
    family = inner.family
    switches = tuple(tuple(map(_evidence, inner.evidence[rules])) for rules in inner.smallest)
    names = tuple(map(family.called, inner.smallest))
    counts = inner.traces, inner.legal, inner.incomplete, malformed
    return Attributed(family.base, *counts, names, switches, unseen)


def _evidence(one: Evidence) -> SwitchEvidence:
    file, line = (None, None) if one.trace is None else (one.trace.file, one.trace.line)
    clause = None if one.refusal is None else one.refusal.clause
    return SwitchEvidence(one.switch, one.on, one.role.value, file, line, clause)
