"""Compare what an engine counts hands with the rules.

Input: rules at a table, the name of one of their scores, an engine, how many hands.
Output: a `Scoring`: how many hands were compared, the simplest hands that count otherwise, and the keys and patterns
that no hand had.
Guarantee: the same seed gives the same hands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from golpae import exit_codes
from golpae.conform.answer import EngineFault, Failing
from golpae.conform.engine import Engine
from golpae.conform.stated_hands import NoHands, StatedHands, Values
from golpae.diagnostics import quoted_list
from golpae.elaborate.instance import Instance
from golpae.ir.types import TILES
from golpae.progress import Progress
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, score_hand
from golpae.replay.simulate import value_written
from golpae.trace import quoted

TRIES = 20  # draws for each hand that is compared
MOST_FAULTS = 5
CULPRIT = 3  # hands of a pattern, all of which differ

Hand = dict[str, Any]  # the keys of a score, as `golpae score` reads them


class ScoreKind(StrEnum):
    """How a hand counts otherwise, in words about the engine."""

    MISSES = "counts nothing for a hand that counts"
    COUNTS = "counts a hand that counts nothing"
    OTHERWISE = "counts another number"
    FAULT = "fails"


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """A hand that the engine counts otherwise; `hands` of them were found, and this is the simplest.

    `patterns` are those that the rules count, and `always` those of which every hand differs, with their number.
    """

    kind: ScoreKind
    hand: Hand
    by_rules: int | None
    by_engine: str
    patterns: Mapping[str, int]
    hands: int
    always: Mapping[str, int]


@dataclass(slots=True)
class Scoring:
    """What came of it. `skipped` are hands that the engine does not know. `tiles` is the key of their tiles.

    `keys` that may be left out, and `patterns`, are those that no compared hand had.
    """

    rules: str
    score: str
    seed: int
    tiles: str | None = None
    hands: int = 0
    complete: int = 0
    skipped: int = 0
    differences: list[ScoreDifference] = field(default_factory=list)
    given_up: bool = False
    keys: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        """The exit status: 0 agrees, 1 does not, 3 nothing was compared."""
        if self.differences:
            return exit_codes.FAILS
        return exit_codes.HOLDS if self.hands else exit_codes.UNKNOWN


def named_score(instance: Instance, name: str | None) -> str:
    """Return the score of this name, or the only one. Raises `NoHands`."""
    names = [score.name for score in instance.rule_set.scores]
    if name in names:
        return name
    if not names:
        raise NoHands(f"`{instance.rule_set.rules}` has no `score`: hands are not worth points in it")
    if name is None and len(names) == 1:
        return names[0]
    what = "has several scores" if name is None else f"has no score {quoted(name)}; it has"
    raise NoHands(f"`{instance.rule_set.rules}` {what}: {quoted_list(names)}")


def drive_scores(
    instance: Instance, name: str, engine: Engine, hands: int, seed: int, progress: Progress | None = None
) -> Scoring:
    """Let an engine count so many hands. Raises `NoHands`."""
    return _Scores(instance, name, engine, seed).run(hands, progress or Progress("scoring"))


class _Scores:
    def __init__(self, instance: Instance, name: str, engine: Engine, seed: int) -> None:
        self.machine, self.engine = Machine(instance), engine
        self.name, self.seed = name, seed
        self.players = instance.players
        self.library = Library(lambda rules: instance.rule_set)
        self.hands = StatedHands(self.machine, name, seed)
        self.params = self.hands.params
        self.keys: Counter[str] = Counter()
        self.found: dict[ScoreKind, tuple[Any, ScoreDifference]] = {}
        self.many: Counter[ScoreKind] = Counter()
        self.patterns: Counter[str] = Counter()
        self.differing: defaultdict[tuple[ScoreKind, str], set[int]] = defaultdict(set)  # numbers of hands

    def run(self, hands: int, progress: Progress) -> Scoring:
        tiles = next((p.name for p in self.params if p.type == TILES), None)
        out = Scoring(self.machine.rules.rules, self.name, self.seed, tiles)
        progress.begin("scoring", hands, "hands")
        for number in range(hands * TRIES):
            if out.hands + out.skipped == hands or out.given_up:
                break
            values = self.hands.draw(number)
            hand = None if values is None else self._written(values)
            scored = None if hand is None else self._scored(hand)
            if hand is not None and scored is not None:
                progress.done += 1
                self._compare(hand, scored, out)
        out.keys = tuple(p.name for p in self.params if p.name in self.hands.usual and not self.keys[p.name])
        out.patterns = tuple(p.name for p in self.hands.score.patterns if not self.patterns[p.name])
        for kind, (_, shown) in self.found.items():
            always = self._always(kind)
            if self.many[kind] == out.complete:  # which says nothing of any pattern
                always = {}
            out.differences.append(
                ScoreDifference(
                    kind,
                    shown.hand,
                    shown.by_rules,
                    shown.by_engine,
                    shown.patterns,
                    self.many[kind],
                    always,
                )
            )
        return out

    def _always(self, kind: ScoreKind) -> dict[str, int]:
        """Return the patterns of which every hand differs, but for those whose hands all have another one of these."""
        always: dict[str, set[int]] = {}
        for pattern, many in self.patterns.most_common():
            hands = self.differing[kind, pattern]
            if CULPRIT <= many == len(hands) and not any(hands <= others for others in always.values()):
                always[pattern] = hands
        return {pattern: len(hands) for pattern, hands in always.items()}

    def _compare(self, hand: Hand, scored: Scored, out: Scoring) -> None:
        """Let the engine count a hand."""
        patterns: Mapping[str, int] = scored.ways[0].patterns if scored.ways else {}
        try:
            answer = self.engine.score(hand)
        except EngineFault as fault:
            out.hands += 1
            self._note(ScoreKind.FAULT, hand, scored, fault.words)
            faults = self.many[ScoreKind.FAULT]
            out.given_up = fault.how is Failing.HANGS or faults >= MOST_FAULTS
            return
        if not answer.takes:
            out.skipped += 1
            return
        out.hands += 1
        out.complete += scored.points is not None
        points = answer.told.get("points")
        self.patterns.update(patterns.keys())
        self.keys.update(hand.keys())
        if points == scored.points:
            return
        kind = (
            ScoreKind.MISSES
            if points is None
            else ScoreKind.COUNTS
            if scored.points is None
            else ScoreKind.OTHERWISE
        )
        for pattern in patterns:
            self.differing[kind, pattern].add(out.hands)
        self._note(kind, hand, scored, "counts nothing" if points is None else f"counts {points}")

    def _note(self, kind: ScoreKind, hand: Hand, scored: Scored, words: str) -> None:
        """Note a difference. The simplest hand is that with the fewest keys, then with the fewest patterns."""
        self.many[kind] += 1
        patterns = scored.ways[0].patterns if scored.ways else {}
        order = len(hand), len(patterns), str(hand)
        if kind not in self.found or order < self.found[kind][0]:
            shown = ScoreDifference(kind, hand, scored.points, words, patterns, 0, {})
            self.found[kind] = order, shown

    # ------------------------------------------------------------------ hands

    def _scored(self, hand: Hand) -> Scored | None:
        given = {"rules": self.machine.rules.rules, **hand}
        scored = score_hand(given, self.library, self.players)
        assert isinstance(scored, Scored | Fault)
        return scored if isinstance(scored, Scored) else None

    def _written(self, values: Values) -> Hand:
        """Return a hand without what has its usual value."""
        hand: Hand = {} if len(self.machine.rules.scores) == 1 else {"score": self.name}
        usual, worked_out = self.hands.usual, self.hands.worked_out
        for param in self.params:
            value = values[param.name]
            if param.name not in worked_out and (param.name not in usual or value != usual[param.name]):
                value = sorted(value) if param.type == TILES else value
                hand[param.name] = value_written(self.machine, value, param.type)
        return hand
