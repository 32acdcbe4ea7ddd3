"""What a check of a large file yields, and which files are large.

Input: none. Output: `Legal`, `Listed`, `Look`, `Paths`, and whether compiling pays for a file.
Guarantee: importing this module loads nothing of the compiled path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TypeVar, cast

from msgspec.json import decode

from golpae import records
from golpae.replay.report import Report
from golpae.trace import Outcome, Source, Verdict

LARGE = 1 << 20
"""Bytes of a file for which compiling pays."""

LARGE_HANDS = 1 << 18
"""Bytes of a file of hands for which compiling pays."""

ENDINGS = (".gz", ".zst")
"""How the names of archives end."""

SMALLER = 20
"""So many times smaller are packed games than their text, about."""

MOST_REASONS = 10
"""Reasons that are told why games were not decided on the compiled path."""

FEW = "rules of which the file has few games"
"""Why the games of a table that is waiting went to the reference."""

GIVEN_UP = "rules under which the compiled path decided fewer than half of the games before"
"""Why the games of a table of which most are illegal, or are referred, went to the reference."""

MANY_REFERRED, FEWER = 50, 10
"""So many games by the reference are worth a line, if there are not so many times as many compiled ones."""

PACKED = 8
"""An archive is at least so many times as long as it looks."""


@dataclass(frozen=True, slots=True)
class Legal:
    """So many legal games, one after the other, of so many events together."""

    games: int
    events: int


_LINE, _ID, _HASH = 987_654_321_987_654_321, "<the id of a game>", "<the hash of a game>"


@dataclass(frozen=True, slots=True)
class Listed(Legal):
    """Legal games of which each is to be shown: the lines on which they begin, their ids as they are written, their
    hashes, and the places of their rules among those of `texts`, which are names with the hashes of their texts.
    """

    file: str
    lines: list[int]
    ids: list[str]
    hashes: list[str]
    rules: list[int]
    texts: tuple[tuple[str, str | None], ...]

    def verdicts(self, encode: Callable[[object], str]) -> str:
        """Return the verdicts as lines of JSON. `encode` writes a value as JSON in the way of those who read them."""
        parts = [self._parts(encode, *text) for text in self.texts]
        ids, joined = self.ids, "".join(self.ids)
        if not (joined.isascii() and joined.isprintable()):
            ids = [one if one.isascii() and one.isprintable() else encode(decode(one)) for one in ids]
        if len(parts) == 1:
            ((first, second, third, last),) = parts
            return "".join(
                [
                    f"{first}{line}{second}{name}{third}{digest}{last}"
                    for line, name, digest in zip(self.lines, ids, self.hashes, strict=True)
                ]
            )
        each = zip([parts[rules] for rules in self.rules], self.lines, ids, self.hashes, strict=True)
        return "".join([f"{a}{line}{b}{name}{c}{digest}{d}" for (a, b, c, d), line, name, digest in each])

    def _parts(
        self, encode: Callable[[object], str], rules: str, spec_hash: str | None
    ) -> tuple[str, str, str, str]:
        """Return the texts before, between and behind the line, the id and the hash of a game of these rules."""
        outcome = Outcome(self.file, _LINE, _ID, rules, Verdict.LEGAL, spec_hash=spec_hash, trace_hash=_HASH)
        line, name, digest = map(encode, (_LINE, _ID, _HASH))
        text, _, last = encode(outcome.to_cited_json()).rpartition(digest[1:-1])
        text, _, third = text.rpartition(name)
        first, _, second = text.rpartition(line)
        return first, second, third, f"{last}\n"


@records.dataclass(frozen=True, slots=True)
class Look:
    """How games are looked at: from a `seat`, by its name or number, and whether they are `completed`, so that a report
    has the whole of a game without a fault. It pickles.
    """

    seat: str | None = None
    completed: bool = False


Item = TypeVar("Item")
Items = Generator[Item, None, tuple[int, str] | None]
"""What a source yields; they return the line at which reading stopped, and why, if it did."""

Reports = Items[Report | Legal]
Changed = TypeVar("Changed")


def each_changed(items: Items[Item], change: Callable[[Item], Changed]) -> Items[Changed]:
    """Yield the result of `change` for each item, and return what the items return."""
    while True:
        try:
            item = next(items)
        except StopIteration as end:
            return cast("tuple[int, str] | None", end.value)
        yield change(item)


@dataclass(slots=True)
class Paths:
    """How many traces the compiled path decided, how many legal or incomplete ones it referred, and where the two
    disagree: the lines of the headers of these traces. `reasons` counts what in the rules was referred, and `lines`
    those of the files. `missing` says why nothing runs on the compiled path here, if a large file would. The file
    `goes_on` if these are not its first games.
    """

    compiled: int = 0
    referred: int = 0
    disagree: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    missing: str | None = None
    goes_on: bool = False

    def add(self, other: Paths) -> None:
        """Count what was found in another file."""
        self.compiled += other.compiled
        self.referred += other.referred
        self.disagree += other.disagree
        self.reasons += other.reasons
        self.lines += other.lines
        self.missing = self.missing or other.missing

    def words(self) -> list[str]:
        """Return a line on how the games of large files were checked, if there are some."""
        if not self.compiled + self.referred:
            return []
        share = 100 * self.referred / (self.compiled + self.referred)
        games = f"large files: {self.compiled:,} legal or incomplete games on the compiled path"
        first = f"{games}, {self.referred:,} by the reference ({share:.1f}%)"
        return [
            first,
            *(f"  {many:,} for {reason}" for reason, many in self.reasons.most_common(MOST_REASONS)),
        ]

    def slow_words(self) -> list[str]:
        """Return a line if many games of large files were not compiled for a reason in their rules or lines."""
        reasons = Counter({why: many for why, many in self.reasons.items() if why not in (FEW, GIVEN_UP)})
        slow = reasons.total()
        if slow < MANY_REFERRED or slow * FEWER < self.compiled:
            return []
        ((reason, many),) = reasons.most_common(1)
        games = f"large files: {slow:,} games took longer than others, which are compiled"
        return [f"{games}: {many:,} for {reason}; `--verbose` lists all reasons"]


def is_large(source: Source, of_hands: bool = False, paths: Paths | None = None) -> bool:
    """Return whether a file of traces, or of hands, is so large that compiling its rules pays, and modules can be run.
    If only these are missing, `paths` notes why.
    """
    if source.path == "-" or (of_hands and source.path.endswith(ENDINGS)):
        return True  # it may become so: its beginning is for the reference
    size = source.size()
    if size is not None and source.is_packed:
        size *= SMALLER
    packed = PACKED if source.path.endswith(ENDINGS) else 1
    if size is None or size * packed < (LARGE_HANDS if of_hands else LARGE):
        return False
    from golpae.kernel.language.host import available, why_not

    if paths is not None:
        paths.missing = why_not()
    return available()


def begin(source: Source, of_hands: bool = False) -> int:
    """Return how many bytes of a file are for the reference, because nobody knows yet whether it is large: an archive
    of hands that are often the same is much longer than it looks.
    """
    large = LARGE_HANDS if of_hands else LARGE
    if source.path == "-":
        return large
    small = of_hands and source.path.endswith(ENDINGS) and (source.size() or 0) * PACKED < large
    return large if small else 0
