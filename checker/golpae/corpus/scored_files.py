"""Score a large file of hands.

Input: a stream, and the scorers of a library. Output: its lines in order: what a hand counts, or a line that the
reference has to score.
Guarantee: what the compiled path says is what `score_hand` says. The first hand, about one in `SAMPLED` of the first
ones, and later one in `RARELY` are scored by that, too. Where the two disagree it is right, the line is given to
whoever asks as one for the reference, and `Paths` says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from golpae.corpus.check import PIECE
from golpae.corpus.noting import MANY, RARELY, SAMPLED
from golpae.corpus.paths import Paths
from golpae.corpus.text import Text
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import SCORE, Scored, ScoreRequest, Way, each_once, score_hand, way_of
from golpae.trace import MAX_LINE, blocks, lines_in

if TYPE_CHECKING:
    from golpae.kernel.scorer import NotedHand, NotedHands, Scorer

MOST_SCORERS = 16
_MOST_CACHED = 20_000
_TRIED = 200  # hands after which rules that are mostly referred are left to the reference
_RULES = re.compile(rb'"rules": ?"([A-Za-z0-9+_-]{1,200})"')


@dataclass(frozen=True, slots=True)
class Line:
    """A line that the reference scores: its number, its object, its fault."""

    number: int
    hand: dict[str, object] | None
    fault: str | None


class CompiledHand:
    """A hand that counts, scored on the compiled path. `id` is its id as the line has it, empty without one."""

    __slots__ = ("_noted", "_table", "id")

    def __init__(self, table: _Table, noted: NotedHand, own: bytes) -> None:
        self._table, self._noted, self.id = table, noted, own

    @property
    def name(self) -> Any:
        """Its id, None without one."""
        return msgspec.json.decode(self.id) if self.id else None

    def scored(self) -> Scored:
        """Return the result for the hand, equal to that of `score_hand`."""
        return self._table.scored(self._noted)

    def json(self, dump: Callable[[object], str]) -> str:
        """Return the result of `scored` as JSON, which `dump` writes; it is cached for hands that count the same."""
        return self._table.json(self._noted, dump)


class CompiledHands:
    """Hands that count, one after the other, scored on the compiled path; they are read when they are gone through."""

    def __init__(self, table: _Table, noted: NotedHands, data: bytes, skipped: int = 0) -> None:
        self._table, self._noted, self._data, self._skipped = table, noted, data, skipped

    def __len__(self) -> int:
        return len(self._noted) - self._skipped

    @property
    def rules(self) -> str:
        """Their rules."""
        return self._table.rules

    def __iter__(self) -> Iterator[CompiledHand]:
        for noted in islice(self._noted, self._skipped, None):
            yield self._hand(noted)

    def first(self) -> tuple[CompiledHand, NotedHand]:
        """Return the first one."""
        noted = next(iter(self._noted))
        return self._hand(noted), noted

    def behind_first(self) -> CompiledHands:
        """Return the others."""
        return CompiledHands(self._table, self._noted, self._data, 1)

    def _hand(self, noted: NotedHand) -> CompiledHand:
        first, last = noted.id
        return CompiledHand(self._table, noted, self._data[first:last])


class _Table:
    """A score of a rule set, compiled."""

    def __init__(self, rules: str, machine: Machine, scorer: Scorer, name: str) -> None:
        self.rules, self.machine, self.scorer = rules, machine, scorer
        (self._score,) = (s for s in machine.rules.scores if s.name == name)
        self._adds = self._score.total != "highest"
        self._names = tuple(p.name for p in self._score.patterns)
        self._json: dict[bytes, str] = {}
        self.noted = self.referred = 0

    def scored(self, noted: NotedHand) -> Scored:
        tiles = self.scorer.tiles(noted.tiles) if noted.tiles else ()
        ways = each_once(self._way(way) for way in noted.ways)
        shown = " ".join(map(self.machine.tile, tiles))
        return Scored(self.rules, shown, ways[0].points, tuple(ways), self._adds)

    def _way(self, held: bytes) -> Way:
        noted = self.scorer.way(held)
        lists = tuple(tuple(map(self.machine.tile, group)) for group in noted.groups)
        patterns = {self._names[place]: points for place, points in noted.patterns}
        return way_of(self._score, lists, patterns, noted.total)

    def json(self, noted: NotedHand, dump: Callable[[object], str]) -> str:
        if not self._adds:
            return dump(self.scored(noted).to_json())
        key = b"".join(map(self.scorer.patterns, noted.ways))
        known = self._json.get(key)
        if known is None:
            if len(self._json) == _MOST_CACHED:
                self._json.clear()
            known = self._json[key] = dump(self.scored(noted).to_json())
        return known


class Scorers:
    """The scores of a library's rule sets, compiled when the first hand needs them."""

    def __init__(self, library: Library, score_request: ScoreRequest) -> None:
        self.library, self.asked = library, score_request
        self._tables: dict[str, _Table | None] = {}

    def table(self, rules: str) -> _Table | None:
        """Return the table of a rule set; None if its hands are for the reference."""
        if rules not in self._tables:
            if len(self._tables) == MOST_SCORERS:
                self._tables.clear()
            self._tables[rules] = self._made(rules)
        return self._tables[rules]

    def leave(self, rules: str) -> None:
        """Leave the hands of a rule set to the reference."""
        self._tables[rules] = None

    def _made(self, rules: str) -> _Table | None:
        from golpae.kernel.language.host import available

        request = self.asked
        rule_set = self.library.rule_set(rules)
        if rule_set is None or not rule_set.scores:
            return None
        players = self.library.most_players(rules, {}) if request.players is None else request.players
        machine = self.library.machine(rules, players, {})
        name = self._score(rule_set)
        if isinstance(machine, str) or name is None or not available():
            return None
        from golpae.kernel.scorer import Saying, Scorer
        from golpae.kernel.unsupported import NotCompiled

        said = Saying("rules", rules, required=rules != request.rules)
        try:
            scorer = Scorer(machine.instance, name, said, Saying(SCORE, name, False), machine.may_be_long)
        except (NotCompiled, MemoryError):
            return None
        return _Table(rules, machine, scorer, name)

    def _score(self, rule_set: RuleSet) -> str | None:
        """Return the score by which hands are scored that name none or this one."""
        names = [score.name for score in rule_set.scores]
        named = self.asked.score
        if named is None:
            return names[0] if len(names) == 1 else None
        return named if named in names else None


def hands(stream: BinaryIO, scorers: Scorers, paths: Paths, begin: int = 0) -> Iterator[CompiledHands | Line]:
    """Yield hands of a file that are scored on the compiled path, and lines for the reference. `paths` counts both. So
    many bytes at the `begin` are for the reference, each line as it comes.
    """
    yield from _Hands(Text(blocks(stream), begin), scorers, paths).run()


class _Hands:
    """One file."""

    def __init__(self, text: Text, scorers: Scorers, paths: Paths) -> None:
        self._text, self._scorers, self._paths = text, scorers, paths
        self._at, self._line = 0, 1
        self._sampled = 0  # hands until the next one that the reference scores, too

    def run(self) -> Iterator[CompiledHands | Line]:
        text = self._text
        table: _Table | None = None
        while True:
            end = text.whole_lines()
            if self._at >= end:
                text.drop(self._at, self._line)
                self._at = 0
                if len(text.data) > MAX_LINE or not text.grow():
                    break
                continue
            table = self._table_at(self._at, table)
            if table is not None:
                yield from self._compiled(table, end)
            else:
                yield from self._refer()
        # what is left is a line that is too long, or that breaks off
        for number, hand, fault in lines_in(text.pieces(0, PIECE), self._line):
            self._paths.referred += 1
            yield Line(number, hand, fault)

    def _table_at(self, at: int, before: _Table | None) -> _Table | None:
        """Return the table of the hand on a line."""
        data = self._text.held
        if self._text.is_slow(at):
            return None
        match = _RULES.search(data, at, data.find(b"\n", at))
        if match is None:
            rules = self._scorers.asked.rules
        elif before is not None and match[1] == before.rules.encode():
            rules = before.rules
        else:
            rules = match[1].decode()
        return None if rules is None else self._scorers.table(rules)

    def _compiled(self, table: _Table, end: int) -> Iterator[CompiledHands | Line]:
        data, paths = self._text.held, self._paths
        table.scorer.load(data)
        stop = table.scorer.score(self._at, self._line, end)
        compiled_hands = CompiledHands(table, stop.hands, data)
        if len(compiled_hands):
            paths.compiled += len(compiled_hands)
            table.noted += len(compiled_hands)
            self._sampled -= len(compiled_hands)
            line = None
            if self._sampled <= 0:
                self._sampled = SAMPLED if paths.compiled < MANY else RARELY
                line = self._disagreeing(compiled_hands)
            if line is not None:
                paths.disagree.append(line.number)
                yield line
            yield compiled_hands if line is None else compiled_hands.behind_first()
        self._at, self._line = stop.at, stop.line
        if stop.refers and self._table_at(stop.at, table) is table:
            table.referred += 1
            if table.referred > max(_TRIED, table.noted):
                self._scorers.leave(table.rules)
            yield from self._refer()

    def _disagreeing(self, compiled_hands: CompiledHands) -> Line | None:
        """Return the line of the first hand if the reference scores it otherwise."""
        data, (hand, noted) = self._text.held, compiled_hands.first()
        line = Line(*next(lines_in(iter([data[noted.at : data.index(b"\n", noted.at) + 1]]), noted.line)))
        if line.hand is not None and line.fault is None:
            request = self._scorers.asked
            if score_hand(request.given(line.hand), self._scorers.library, request.players) == hand.scored():
                return None
        return line

    def _refer(self) -> Iterator[Line]:
        """Yield the line for the reference, unless it is blank, and go on behind it."""
        data = self._text.held
        end = data.index(b"\n", self._at) + 1
        for number, hand, fault in lines_in(iter([data[self._at : end]]), self._line):
            self._paths.referred += 1
            yield Line(number, hand, fault)
        self._at, self._line = end, self._line + 1
