"""Try every mutant of a text: does anything notice it?

Input: a text, its recorded games and hands, and mutants that are explained.
Output: a `Trial` for each mutant, in the order of the text.
Guarantee: the same trials on any number of processes.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Literal

from golpae.diagnostics import Span
from golpae.elaborate.load import Loaded, load
from golpae.mutate.bench import Bench
from golpae.mutate.changed_lines import changed_lines
from golpae.mutate.judge import Judge, elaborates, silent
from golpae.mutate.mutants import Mutant, mutants
from golpae.mutate.places import places
from golpae.mutate.recorded import Hand, Trace, hands, traces
from golpae.progress import Progress
from golpae.trace import Source
from golpae.workers import Crash, results

Fate = Literal["no rules", "noticed", "explained", "property", "the same", "unnoticed"]
FATES: tuple[Fate, ...] = ("no rules", "noticed", "explained", "property", "the same", "unnoticed")
CHUNK = 25  # mutants that a process tries one after the other
FEW = 2  # ... if the solver is asked about them


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a mutant. `by` is the trace, hand or property that notices it, or the reason why none does.

    `path` is that of the clause that has the change, or of its block, which is written at `line` of `file`. If nothing
    notices the mutant, `line` is that of the first line that it changes, and `before` and `after` are these lines.
    """

    name: str
    path: str
    file: str
    line: int
    fate: Fate
    by: str | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """What to try: every `step`-th mutant of a game whose text is in these places."""

    game: str
    places: tuple[Path, ...]
    sources: tuple[Source, ...]
    hands: tuple[Path, ...] = ()
    explained: Mapping[str, str] = field(default_factory=dict)
    step: int = 1
    prove: bool = False

    def loaded(self) -> Loaded:
        return _loaded(self.game, self.places)

    def mutants(self) -> list[Mutant]:
        return mutants(silent(self.loaded()))[:: self.step]

    def bench(self) -> Bench:
        """Return the bench of checks that notice mutants. Raises OSError and `NotHands`."""
        return Bench(self.loaded(), *self.recorded())

    def recorded(self) -> tuple[list[Trace], list[Hand]]:
        """Return the traces and hands. Raises OSError and `NotHands`."""
        return traces(self.sources, self.game), [
            hand for file in self.hands for hand in hands(Source(str(file)))
        ]


@cache
def _loaded(game: str, places: tuple[Path, ...]) -> Loaded:
    return load(game, places)


@cache
def _places(game: str, folders: tuple[Path, ...]) -> dict[str, Span]:
    return places(_loaded(game, folders))


def trials(series: Series, processes: int, progress: Progress) -> list[Trial]:
    """Try all mutants. Raises OSError and `NotHands` if a file cannot be read."""
    for kept in (_loaded, _places, _bench):  # the files may be others than those of an earlier call
        kept.cache_clear()
    whole = series.mutants()
    size = FEW if series.prove else CHUNK
    chunks = [range(at, min(at + size, len(whole))) for at in range(0, len(whole), size)]
    progress.begin("trying", len(whole), "mutants")
    by_place: dict[int, list[Trial]] = {}
    if processes == 1 or len(chunks) == 1:
        for number, chunk in enumerate(chunks):
            by_place[number] = _chunk(chunk, series, progress)
    else:
        for number, chunk_trials in results(partial(_chunk, series=series), chunks, processes, reuse=True):
            if isinstance(chunk_trials, Crash):
                raise chunk_trials.exception or RuntimeError(chunk_trials.reason)
            by_place[number] = chunk_trials
            progress.done += len(chunk_trials)
    return _with_lines([trial for number in sorted(by_place) for trial in by_place[number]], series)


def _with_lines(tried: list[Trial], series: Series) -> list[Trial]:
    """Return trials, those of mutants that nothing notices with the lines that they change."""
    if all(trial.fate != "unnoticed" for trial in tried):
        return tried
    loaded, spans = series.loaded(), _places(series.game, series.places)
    whole = {mutant.name: mutant for mutant in mutants(loaded)}  # with the messages of the text

    def shown(trial: Trial) -> Trial:
        if trial.fate != "unnoticed":
            return trial
        mutant = whole[trial.name]
        lines = changed_lines(mutant, loaded, spans[mutant.place])
        return replace(trial, line=lines.line, before=lines.before, after=lines.after)

    return [shown(trial) for trial in tried]


def _chunk(numbers: Sequence[int], series: Series, progress: Progress | None = None) -> list[Trial]:
    """Try some mutants one after the other."""
    bench, whole = _bench(_Key(series))
    bench.begin()
    tried = []
    with _uncollected():
        for number in numbers:
            tried.append(_trial(whole[number], bench, series))
            if progress is not None:
                progress.done += 1
    return tried


class _Key:
    """A series as a key: a process tries the mutants of one at a time."""

    def __init__(self, series: Series) -> None:
        self.series = series

    def __hash__(self) -> int:
        return hash((self.series.game, self.series.places, self.series.sources, self.series.hands))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.series == other.series


@cache
def _bench(key: _Key) -> tuple[Bench, list[Mutant]]:
    return key.series.bench(), key.series.mutants()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Switch the garbage collector off: the many short-lived trees have no cycles, and it takes a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _trial(mutant: Mutant, bench: Bench, series: Series) -> Trial:
    span = _places(series.game, series.places)[mutant.place]
    line, _ = span.text.position(span.start)
    trial = Trial(mutant.name, mutant.path, span.text.name, line, "unnoticed")
    judge = Judge(mutant.loaded)
    if not elaborates(mutant, judge):
        return replace(trial, fate="no rules", by=str(judge.rule_set(mutant.rules)))
    by = bench.notices(mutant, judge)
    if by is not None:
        return replace(trial, fate="noticed", by=by)
    if mutant.name in series.explained:
        return replace(trial, fate="explained", by=series.explained[mutant.name])
    return _proved(trial, series) if series.prove else trial


def _proved(trial: Trial, series: Series) -> Trial:
    """Return whether a property notices a mutant, or a proof shows that it changes nothing."""
    from golpae.mutate.properties import noticed, proved_same

    loaded = series.loaded()
    whole = next(mutant for mutant in mutants(loaded) if mutant.name == trial.name)
    refuting = next(noticed(whole, loaded), None)
    if refuting is not None:
        return replace(trial, fate="property", by=refuting.name)
    if proved_same(whole, loaded) is None:
        return replace(trial, fate="the same", by="proved to have the same games and payments")
    return trial
