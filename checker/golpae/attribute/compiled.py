"""Find the rule sets that accept each of many traces, on the compiled path.

Input: an `Attribution`, a stream, the folders of rule texts. Output: what `Attribution.traces` yields, but for who
refuses a trace: `TraceResult.in_full` gives that.
Guarantee: the rule sets that accept a trace are those of the reference. It decides what is not compiled, what is
refused under all rule sets, the first traces of each table, and, besides, one in `SAMPLED`. If the two disagree,
`PathsDisagree` is raised: a fault of golpae.

The rule sets of a family are one module, in which each switch is a state of the table; `kernel.attributing` says how it
follows a trace under all of them. Switches that cannot be such states divide the family into groups, each a module.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, cast

from golpae.attribute.traces import Attribution, Results, TraceResult, unknown_in
from golpae.diagnostics import SpecError
from golpae.elaborate.instance import TableFault, instantiate
from golpae.families.choices import Choices, choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.kernel.attributor import Attributor
from golpae.kernel.disagreement import PathDisagreement
from golpae.kernel.language.host import available
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.machine import Machine
from golpae.trace import DamagedArchive, Header, blocks, identity, is_header, lines_in

WINDOW = 1 << 20  # bytes that are read at a time
LONGEST = 1 << 22  # bytes of a trace on the compiled path
FIRST = 50  # traces of a table that the reference decides before a module is made
TRIED = 100  # traces after which a table that is mostly referred is left to the reference
SAMPLED = 1_000
MOST_GROUPS = 16  # modules of a family, each for one setting of the switches that cannot be states
MOST_REGIONS = 10_000  # that are known by the rule sets in them
_NEXT = b'\n{"golpae"'


class PathsDisagree(PathDisagreement):
    """The two ways to decide a trace have different answers."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a result comes from: this text of a file, from a line on. It is the result of this number there."""

    text: bytes
    line: int
    number: int

    def again(self, reference: Attribution, file: str, accepting: Region, ended: bool) -> TraceResult:
        """Return the result in full. Raises `PathsDisagree` if other rule sets accept the trace."""
        results = reference.results(lines_in(iter([self.text]), self.line), file)
        result = next(islice(results, self.number, None))
        assert result.accepting is not None
        if (result.accepting.canonical, result.ended) != (accepting.canonical, ended):
            words = f"the compiled path attributes the trace in line {self.line} of {file} differently"
            place = {"call": "attribute", "place": f"{file}:{self.line}"}
            raise PathsDisagree(words, {**place, **reference.named(result)}, self.text)
        return result


Origins = Generator[tuple[TraceResult, Origin | None], None, tuple[int, str] | None]


class CompiledFamily:
    """The rule sets of a family at one table. Raises `NotCompiled` if they cannot be compiled, or need many modules."""

    def __init__(
        self, family: Family, spec_path: Sequence[Path], players: int, options: Mapping[str, int]
    ) -> None:
        self.family, self.universe = family, family.universe
        self._players, self._options = players, options
        if any(action.decoding & ~family.footprint.start for action in family.footprint.actions.values()):
            raise NotCompiled("switches that change what a line means")
        try:
            self._groups = list(islice(choices(family, spec_path), MOST_GROUPS + 1))
        except SpecError as fault:
            raise NotCompiled("rules that are not one text") from fault
        left = family.universe
        for group in self._groups:
            left = left.difference(group.region)
        if left or len(self._groups) > MOST_GROUPS:
            raise NotCompiled("switches that change the set or the scores")
        self._modules: list[Attributor | None] = [None] * len(self._groups)
        self._regions: dict[tuple[int, bytes], Region] = {}

    def accepting(self, text: bytes, at: int, end: int) -> tuple[Region, bool] | None:
        """Return the rule sets that accept a trace, and whether its last hand has ended under one of them. None if the
        reference has to decide. Raises `NotCompiled`, `MemoryError` and `TableFault`.
        """
        accepting, ended = self.family.space.nothing, False
        for number in range(len(self._groups)):
            module = self._module(number)
            module.load(text)
            accepted = module.accepting(at, end)
            if accepted is None:
                return None
            accepting = accepting.union(self._region(number, accepted[0]))
            ended = ended or accepted[1]
        return accepting, ended

    def _module(self, number: int) -> Attributor:
        module = self._modules[number]
        if module is None:
            group = self._groups[number]
            instance = instantiate(group.rule_set, self._players, self._options)
            rule_sets = [s for s in range(1 << len(group.free)) if self._called(group, s) in group.region]
            counted = Machine(instance).may_be_long
            module = self._modules[number] = Attributor(instance, rule_sets, counted)
        return module

    def _called(self, group: Choices, rule_set: int) -> int:
        """Return the number that a rule set of a group has in the family."""
        on = [name for place, name in enumerate(group.free) if rule_set >> place & 1]
        free = self.family.bits(group.free)
        return self.family.bits(on) | group.region.sample & ~free

    def _region(self, number: int, cubes_read: bytes) -> Region:
        """Return rule sets of a group as a region."""
        key = (number, cubes_read)
        region = self._regions.get(key)
        if region is None:
            group, bits = self._groups[number], int.from_bytes(cubes_read, "little")
            switches = [self.family.bits([name]) for name in group.free]
            others = self.family.every & ~sum(switches)
            fixed = (others, group.region.sample & others)
            cubes = ((free | fixed[0], on | fixed[1]) for free, on in _cubes(bits, switches))
            region = self.family.space.region(cubes).canonical
            if len(self._regions) >= MOST_REGIONS:
                self._regions.clear()
            self._regions[key] = region
        return region


def _cubes(bits: int, switches: Sequence[int]) -> Iterator[Cube]:
    """Yield rule sets, a bit for each, as cubes. The last of the switches tells the halves of the bits apart."""
    many = 1 << len(switches)
    if bits == (1 << many) - 1:
        yield 0, 0
    elif bits:
        switch, half = switches[-1], many >> 1
        for value, side in ((0, bits & (1 << half) - 1), (switch, bits >> half)):
            for fixed, on in _cubes(side, switches[:-1]):
                yield fixed | switch, on | value


@dataclass(slots=True)
class _Table:
    """A family at a table: how many traces were decided, and how many of them only by the reference; compiled if it is
    worth that and can be.
    """

    traces: int = 0
    referred: int = 0
    compiled: CompiledFamily | None = None


class CompiledAttribution:
    """Attributes traces, most of them on the compiled path if it `compiles`."""

    def __init__(self, attribution: Attribution, spec_path: Sequence[Path], compiles: bool = True) -> None:
        self._reference, self._spec_path = attribution, spec_path
        self._compiles = compiles and available()
        self._tables: dict[object, _Table] = {}
        self.decided = 0
        """How many traces were decided on the compiled path."""

    def traces(self, stream: BinaryIO, file: str) -> Results:
        """Yield the result of each trace of a file, and return what `Attribution.traces` returns.

        Raises `PathsDisagree`.
        """
        if not self._compiles:
            return (yield from self._reference.traces(stream, file))
        results = self.with_origins(stream, file)
        while True:
            try:
                result, _ = next(results)
            except StopIteration as end:
                return cast("tuple[int, str] | None", end.value)
            yield result

    def with_origins(self, stream: BinaryIO, file: str) -> Origins:
        """Yield the results of a file, with their origins where these are known."""
        data, number, source, ended = b"", 1, blocks(stream), False
        while not ended:
            data, ended, fault = _grown(data, source)
            if fault is not None or len(data) > LONGEST:
                rest = chain([data], source) if fault is None else _broken(data, fault)
                return (yield from _from_nowhere(self._reference.results(lines_in(rest, number), file)))
            at = 0
            while at < len(data):
                following = _next_header(data, at, number)
                if following is None:
                    if not ended:
                        break
                    following = len(data)
                yield from self._trace(data, at, following, number, file)
                number += data.count(b"\n", at, following)
                at = following
            data = data[at:]
        return None

    def _trace(
        self, data: bytes, at: int, end: int, number: int, file: str
    ) -> Iterator[tuple[TraceResult, Origin]]:
        """Yield the result of the trace that begins at a place, in the line of this number."""
        origin = Origin(data[at:end], number, 0)
        result = self._decided_here(data, at, end, origin, file) if self._compiles else None
        if result is None:
            results = self._reference.results(lines_in(iter([origin.text]), number), file)
            for place, one in enumerate(results):
                yield one, replace(origin, number=place)
            return
        self.decided += 1
        yield result.whole() if self.decided % SAMPLED == 1 else result, origin

    def _decided_here(self, data: bytes, at: int, end: int, origin: Origin, file: str) -> TraceResult | None:
        """Return the result of a trace, or None if the reference has to decide it."""
        number = origin.line
        first = data[at : data.find(b"\n", at, end) + 1]
        _, line, fault = next(lines_in(iter([first]), number), (number, None, None))
        if line is None or fault is not None or not is_header(line) or end - at > LONGEST:
            return None
        header = self._reference.header(line)
        family = None if isinstance(header, str) else self._reference.family(header.base)
        if isinstance(header, str) or not isinstance(family, Family):
            return None
        table = self._table(family, header)
        if table.compiled is None or table.compiled.universe is not family.universe:
            return None
        try:
            accepted = table.compiled.accepting(data, at, end)
        except (NotCompiled, MemoryError, TableFault):
            table.compiled = None
            return None
        if accepted is None or not accepted[0]:
            table.referred += 1
            if table.referred > max(TRIED, table.traces // 2):
                table.compiled = None
            return None
        region, ended = accepted
        name, claimed = identity(line)
        return TraceResult(
            file,
            number,
            name,
            claimed,
            family,
            region,
            ended,
            unknown=unknown_in(claimed, family),
            in_full=lambda: origin.again(self._reference, file, region, ended),
        )

    def _table(self, family: Family, header: Header) -> _Table:
        """Return the table that a header names, compiled as soon as it has had some traces."""
        key = (family.base, len(header.players), tuple(sorted(header.options.items())))
        table = self._tables.setdefault(key, _Table())
        table.traces += 1
        if table.traces == FIRST:
            try:
                table.compiled = CompiledFamily(family, self._spec_path, len(header.players), header.options)
            except (NotCompiled, MemoryError):
                table.compiled = None
        return table


def _from_nowhere(results: Results) -> Origins:
    while True:
        try:
            yield next(results), None
        except StopIteration as end:
            return cast("tuple[int, str] | None", end.value)


def _grown(data: bytes, source: Iterator[bytes]) -> tuple[bytes, bool, Exception | None]:
    """Return a text with about a window more of it, whether it has ended, and why no more can be read."""
    parts, size = [data], 0
    try:
        for block in source:
            parts.append(block)
            size += len(block)
            if size >= WINDOW:
                return b"".join(parts), False, None
    except (OSError, DamagedArchive) as fault:
        return b"".join(parts), True, fault
    whole = b"".join(parts)
    return whole if whole.endswith(b"\n") or not whole else whole + b"\n", True, None


def _next_header(data: bytes, at: int, number: int) -> int | None:
    """Return where the next header begins behind a place, if it is written in the usual way; None if none does."""
    while (before := data.find(_NEXT, at)) >= 0 and (end := data.find(b"\n", before + 1)) >= 0:
        _, line, _ = next(lines_in(iter([data[before + 1 : end]]), number + 1), (0, None, None))
        if line is not None and is_header(line):
            return before + 1
        at = before + 1
    return None


def _broken(data: bytes, fault: Exception) -> Iterator[bytes]:
    """Yield the bytes that were read before a fault, then raise the fault."""
    yield data
    raise fault
