"""Score the hands of sources: by the reference, or on the compiled path where that pays.

Input: sources, and a `Writer`, which says how hands are written. Output: the hands as they are written, and those that
cannot be scored.
Guarantee: small sources load nothing of the compiled path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from golpae.corpus.parts import Cuts
from golpae.corpus.paths import Items, Paths, begin, is_large
from golpae.corpus.reading import CountedStream
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, ScoreRequest, Waiting, score_hand
from golpae.trace import Source, lines

if TYPE_CHECKING:
    from golpae.corpus.scored_files import CompiledHand, CompiledHands

COUNTS, COUNTS_NOT, UNSCORED = "count", "do not count", "cannot be scored"


class Writer(Protocol):
    """How hands are written. It pickles; equal ones write the same."""

    def hand(self, scored: Scored | Waiting, name: object) -> str:
        """Return the text that is written about a hand; `name` is its id, None without one."""

    def compiled(self, hand: CompiledHand) -> str:
        """Return the text that is written about a hand that was scored on the compiled path."""

    def fault(self, name: object, message: str) -> str:
        """Return the text that is written about a hand that cannot be scored."""


@dataclass(frozen=True, slots=True)
class WrittenHands:
    """So many hands, as they are written; `good` is how many of them count. `texts` are the hashes of their rules."""

    text: str
    hands: int
    good: int
    texts: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Unscored:
    """A hand that cannot be scored, with its line, and what is written about it."""

    line: int
    text: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class HoldsTraces:
    """A source holds games, not hands; nothing behind this is read."""


Hands = WrittenHands | Unscored | HoldsTraces


@dataclass(frozen=True, slots=True)
class ScoreHands:
    """Score the hands of sources, in any process: `library` makes the rules."""

    library: Callable[[], Library]
    asked: ScoreRequest
    writer: Writer

    @property
    def cuts(self) -> Cuts:
        return Cuts.AT_LINES

    def begin(self) -> Callable[[Source, BinaryIO, Paths], Items[Hands]]:
        return _Scoring(self).items

    def shifted(self, item: Hands, lines: int) -> Hands:
        return replace(item, line=item.line + lines) if isinstance(item, Unscored) else item

    def weight(self, item: Hands) -> int:
        return item.hands if isinstance(item, WrittenHands) else 1


class _Scoring:
    """Scores the hands of one source after another."""

    def __init__(self, task: ScoreHands) -> None:
        self._library, self._asked, self._writer = task.library(), task.asked, task.writer
        self._scorers: object = None
        self._hashes: dict[str, str | None] = {}

    def items(self, source: Source, stream: BinaryIO, counts: Paths) -> Items[Hands]:
        """Yield the hands of a source. Lines that cannot be read are hands that cannot be scored."""
        counted = cast("BinaryIO", CountedStream(stream, counts))
        found: Iterable[Hands]
        found = self._large(source, counted, counts) if is_large(source, True) else self._each(lines(counted))
        for item in found:
            yield item
            if isinstance(item, HoldsTraces):
                break
        return None

    def _large(self, source: Source, stream: BinaryIO, counts: Paths) -> Iterator[Hands]:
        from golpae.corpus.scored_files import Line, Scorers, hands

        if not isinstance(self._scorers, Scorers):
            self._scorers = Scorers(self._library, self._asked)
        for batch in hands(stream, self._scorers, counts, begin(source, of_hands=True)):
            if isinstance(batch, Line):
                yield from self._each([(batch.number, batch.hand, batch.fault)])
            elif len(batch):
                yield self._written(batch)

    def _written(self, compiled_hands: CompiledHands) -> WrittenHands:
        text = "".join(map(self._writer.compiled, compiled_hands))
        return WrittenHands(
            text, len(compiled_hands), len(compiled_hands), (self._text(compiled_hands.rules),)
        )

    def _each(self, read: Iterable[tuple[int, Mapping[str, object] | None, str | None]]) -> Iterator[Hands]:
        """Score hands one by one."""
        for at, hand, flaw in read:
            if hand is not None and "golpae" in hand:
                yield HoldsTraces()
                return
            scored = self._scored(hand, flaw)
            own = None if hand is None else hand.get("id")
            if isinstance(scored, Fault):
                yield Unscored(at, self._writer.fault(own, scored.message), scored)
                continue
            good = scored.ok if isinstance(scored, Waiting) else scored.points is not None
            yield WrittenHands(self._writer.hand(scored, own), 1, good, (self._text(scored.rules),))

    def _scored(self, hand: Mapping[str, object] | None, flaw: str | None) -> Scored | Waiting | Fault:
        if hand is None or flaw is not None:
            return Fault(str(flaw or "a JSON object was expected"))
        return score_hand(self._asked.given(hand), self._library, self._asked.players)

    def _text(self, rules: str) -> tuple[str, str | None]:
        if rules not in self._hashes:
            rule_set = self._library.rule_set(rules)
            self._hashes[rules] = None if rule_set is None else rule_set.spec_hash
        return rules, self._hashes[rules]
