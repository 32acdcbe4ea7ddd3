"""Scores: the best of all arrangements of a hand, by the patterns of a score block.

In: a score of the IR and the values of its parameters. Out: a `Best`: the total, and every arrangement that
comes to it, with its patterns; or None where no arrangement counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import PatternDecl, ScoreDecl
from golpae.ir.types import Bag, Meld
from golpae.replay.arrange import Group, Shapes
from golpae.replay.expressions import Emitter, local
from golpae.replay.parts import free

REMEMBERED = 100_000


@dataclass(frozen=True, slots=True)
class Reading:
    """One arrangement of a hand and what it counts. `groups` are by part, `completed` is the marked one."""

    arrangement: str
    groups: tuple[tuple[Group, ...], ...]
    completed: Group | None
    patterns: Mapping[str, int]
    total: int
    eligible: int


@dataclass(frozen=True, slots=True)
class Best:
    """What a hand counts, and all readings that count that much."""

    total: int
    readings: tuple[Reading, ...]


def total(best: Best | None) -> int | None:
    return None if best is None else best.total


def fits_score(patterns: Mapping[str, int], best: Best | None) -> bool:
    """Whether recorded patterns are those of a best reading."""
    return best is not None and any(dict(reading.patterns) == dict(patterns) for reading in best.readings)


class Scorer:
    """One score block at one table."""

    def __init__(
        self, score: ScoreDecl, table: Instance, shapes: Shapes, compiled: Callable[[str], Callable[..., Any]]
    ) -> None:
        self.score = score
        self._shapes = shapes
        self._names = [local(p.name) for p in score.params]
        self._bags = [isinstance(p.type, Bag | Meld) for p in score.params]
        emitter = Emitter(table)
        self._hand = compiled(f"lambda {self._args()}: {emitter.emit(score.hand)}")
        self._fixed = (
            None if score.fixed is None else compiled(f"lambda {self._args()}: {emitter.emit(score.fixed)}")
        )
        self._marked = (
            None
            if score.marking is None
            else compiled(f"lambda {self._args()}: {emitter.emit(score.marking[0])}")
        )
        own = {p.name for p in score.params}
        asked = frozenset() if score.keep is None else free(score.keep)
        self._asked = [p.name for p in score.patterns if p.name in asked and p.name not in own]
        self._counted: dict[str, Callable[..., Any]] = {}
        self._patterns: dict[str, tuple[tuple[str, ...], tuple[bool, ...]]] = {}
        self._kept: dict[str, Callable[..., Any]] = {}
        self._defined: dict[str, list[Callable[..., Any]]] = {}
        everything = {
            part.word for a in table.rule_set.arrangements if a.name in score.arrangements for part in a.parts
        }
        for name in score.arrangements:
            self._prepare(name, everything, Emitter(table, name), compiled)
        exprs = [score.hand, *(x for x in (score.fixed, score.keep) if x is not None)]
        exprs += [] if score.marking is None else [score.marking[0]]
        exprs += [e for _, e in score.defines]
        exprs += [e for p in score.patterns for e in (p.value, p.test, *((p.each[1],) if p.each else ()))]
        self._memory: dict[Any, Best | None] | None = {} if all(emitter.fixed(e) for e in exprs) else None

    def _args(self, *more: str) -> str:
        return ", ".join(("S", *self._names, *more))

    def _prepare(
        self, name: str, everything: set[str], emitter: Emitter, compiled: Callable[[str], Callable[..., Any]]
    ) -> None:
        arrangement = self._shapes.arrangements[name]
        words = [part.word for part in arrangement.parts]
        lacking = everything - set(words)
        marked = [] if self.score.marking is None else [local(self.score.marking[1])]
        more = [local(w) for w in words] + marked
        self._defined[name] = []
        for define, expr in self.score.defines:
            if free(expr) & lacking:
                lacking.add(define)  # it speaks of parts that this arrangement has not
            else:
                self._defined[name].append(compiled(f"lambda {self._args(*more)}: {emitter.emit(expr)}"))
                more.append(local(define))
        patterns = [p for p in self.score.patterns if not self._speaks_of(p, lacking)]
        points = "".join(f"{self._counting(p, emitter)}, " for p in patterns)
        self._counted[name] = compiled(f"lambda {self._args(*more)}: ({points})")
        self._patterns[name] = tuple(p.name for p in patterns), tuple(not p.extra for p in patterns)
        if self.score.keep is not None and not free(self.score.keep) & lacking:
            judged = [local(p) for p in self._asked] + [local("points"), local("eligible")]
            self._kept[name] = compiled(
                f"lambda {self._args(*more, *judged)}: {emitter.emit(self.score.keep)}"
            )

    def _speaks_of(self, pattern: PatternDecl, words: set[str]) -> bool:
        names = free(pattern.test) | free(pattern.value)
        if pattern.each is not None:
            names = (names - {pattern.each[0]}) | free(pattern.each[1])
        return bool(names & words)

    def _counting(self, pattern: PatternDecl, emitter: Emitter) -> str:
        value, test = emitter.emit(pattern.value), emitter.emit(pattern.test)
        if pattern.each is None:
            return f"{value} if {test} else 0"
        name, domain = pattern.each
        return f"sum({value} for {local(name)} in {emitter.emit(domain)} if {test})"

    # ------------------------------------------------------------------ asking

    def best(self, state: Any, *args: Any) -> Best | None:
        """What a hand counts at best, None where it does not count."""
        if self._memory is None:
            return self._best(state, args)
        key = tuple(_frozen(a) if bag else a for a, bag in zip(args, self._bags, strict=True))
        if key not in self._memory:
            if len(self._memory) >= REMEMBERED:
                self._memory.clear()
            self._memory[key] = self._best(state, args)
        return self._memory[key]

    def _best(self, state: Any, args: Sequence[Any]) -> Best | None:
        readings = list(self.readings(state, *args))
        if not readings:
            return None
        most = max(r.total for r in readings)
        return Best(most, tuple(r for r in readings if r.total == most))

    def readings(self, state: Any, *args: Any) -> Iterator[Reading]:
        """Every reading of a hand that counts."""
        hand = self._hand(state, *args)
        fixed = () if self._fixed is None else self._fixed(state, *args)
        marked = None if self._marked is None else self._marked(state, *args)
        for name in self.score.arrangements:
            for groups in self._shapes.arrange(hand, name, fixed):
                if self._marked is None:
                    yield from self._read(state, args, name, groups, None)
                    continue
                lying = {id(m) for m in fixed}
                seen: set[Group] = set()
                for group in (g for part in groups for g in part if marked in g and id(g) not in lying):
                    if group not in seen:
                        seen.add(group)
                        yield from self._read(state, args, name, groups, group)

    def _read(
        self, state: Any, args: Sequence[Any], name: str, groups: list[list[Group]], completed: Group | None
    ) -> Iterator[Reading]:
        parts = self._shapes.arrangements[name].parts
        values: list[Any] = [g[0] if p.count == 1 else g for p, g in zip(parts, groups, strict=True)]
        if self.score.marking is not None:
            values.append(completed)
        for define in self._defined[name]:
            values.append(define(state, *args, *values))
        counted = self._counted[name](state, *args, *values)
        names, own = self._patterns[name]
        patterns = dict(compress(zip(names, counted, strict=True), counted))
        eligible = sum(compress(counted, own))
        points = (
            max(patterns.values(), default=0) if self.score.total == "highest" else sum(patterns.values())
        )
        if self.score.keep is None:
            if not patterns:
                return
        else:
            if name not in self._kept:
                return
            held = [p in patterns for p in self._asked]
            if not self._kept[name](state, *args, *values, *held, points, eligible):
                return
        yield Reading(name, tuple(tuple(g) for g in groups), completed, patterns, points, eligible)


def _frozen(bag: Any) -> Any:
    """A bag as a key: the same for the same tiles in any order."""
    if bag and isinstance(bag[0], tuple):
        return tuple(sorted((tuple(sorted(m)), getattr(m, "label", None) or "") for m in bag))
    return tuple(sorted(bag))
