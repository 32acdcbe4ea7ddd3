"""Scores: the best of all arrangements of a hand, by the patterns of a score block.

Input: a score of the IR and the values of its parameters.
Output: a `Best`: the total, and every arrangement with that total, with its patterns; None if no arrangement counts.
Guarantee: exact. Each define and pattern is evaluated once for all arrangements that it does not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import compress
from typing import Any, NamedTuple

from golpae.ir import expr as ir
from golpae.ir.ruleset import PatternDecl, ScoreDecl
from golpae.ir.scoring import (
    exprs_of_score,
    is_eligible,
    left_out,
    numbers_in,
    read_by_keep,
    with_asked,
    words_of,
)
from golpae.ir.scoring import stage as stage_of
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import Bag, Each, Int, Opt, Seat, Tile, Type
from golpae.records import dataclass
from golpae.replay.codegen.expressions import Emitter
from golpae.replay.codegen.names import local
from golpae.replay.runtime import Meld
from golpae.replay.scoring.arrangements import Shapes
from golpae.replay.scoring.layout_search import TileGroup
from golpae.replay.scoring.nearest import Nearest, nearest
from golpae.replay.steps import MOST_STEPS, Steps

CACHED = 20_000  # hands
LEAST, MOST = {"ge", "gt"}, {"le", "lt"}  # comparisons that ask for a number, or more, or less


@dataclass(frozen=True, slots=True)
class ScoredLayout:
    """One arrangement of a hand and its score. `groups` are by part, `completed` is the marked one.

    `patterns` are those that the total does not leave out; `eligible` is a sum over all that hold. `numbers` are what
    the patterns come to if they count in several numbers.
    """

    arrangement: str
    groups: tuple[tuple[TileGroup, ...], ...]
    completed: TileGroup | None
    patterns: Mapping[str, int]
    total: int
    eligible: int
    numbers: tuple[int, ...] = ()

    @property
    def place(self) -> tuple[int, ...]:
        """What is compared to find the best layouts: the total, then the numbers."""
        return (self.total, *self.numbers)


class Number(NamedTuple):
    """A number that `keep` compares in vain. `bound` is `at least`, `at most` or `exactly`."""

    bound: str
    asked: int
    there: int


class FailedTest(NamedTuple):
    """A condition that `keep` joins with others, and that does not hold: its words in the text, and perhaps its number.

    `is_minimum` is whether it asks for so many points; `lacking` are parts that it reads and the arrangement lacks.
    """

    words: str
    number: Number | None
    is_minimum: bool
    lacking: tuple[str, ...] = ()


class Shortfall(NamedTuple):
    """A layout that does not count, and the conditions of `keep` that fail."""

    layout: ScoredLayout
    failed: tuple[FailedTest, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The best total of a hand, and all layouts with it, and with the best numbers if patterns count in several.

    Each number stands by its name.
    """

    total: int
    layouts: tuple[ScoredLayout, ...]
    numbers: Mapping[str, int] = field(default_factory=dict)
    number_of: Mapping[str, str] = field(default_factory=dict)  # what each pattern counts, of several numbers


def total(best: Best | None) -> int | None:
    """Return the total of a hand's best layouts, or None if the hand does not count."""
    return None if best is None else best.total


def number_of(best: Best | None, number: str) -> int | None:
    """Return a number of a hand's best layouts, or None if the hand does not count."""
    return None if best is None else best.numbers[number]


def fits_score(patterns: Mapping[str, int], best: Best | None) -> bool:
    """Return whether recorded patterns are those of a best layout.

    Of several numbers, those count of which a pattern is recorded; all of them if none is.
    """
    if best is None:
        return False
    recorded = {best.number_of[name] for name in patterns if name in best.number_of}

    def asked(name: str) -> bool:
        return not recorded or best.number_of[name] in recorded

    return any(
        {name: points for name, points in layout.patterns.items() if asked(name)} == dict(patterns)
        for layout in best.layouts
    )


class _Stage(NamedTuple):
    """Defines and patterns that are evaluated together, as soon as all names in them have a value.

    `evaluate` takes the state and all values so far; it returns the values of the defines and, last, the points of
    each pattern. `places` are the numbers of these patterns in the text.
    """

    evaluate: Callable[..., tuple[Any, ...]]
    places: tuple[int, ...]


class _Form(NamedTuple):
    """The stages for one arrangement: those of a layout, then those of each group that may be marked."""

    singles: tuple[bool, ...]  # of each part, whether it is one group
    of_way: _Stage
    of_mark: _Stage
    places: tuple[int, ...]  # of all patterns, in the order of evaluation
    eligible: tuple[bool, ...]
    formula: Callable[..., Any] | None  # the points of several numbers; None: they are the sum
    counts: Callable[..., Any] | None  # whether a layout counts; None: none does
    names: tuple[str, ...]  # the names that have a value when it is known whether a layout counts


class Scorer:
    """One score block at one table."""

    def __init__(
        self,
        score: ScoreDecl,
        emitter: Emitter,
        shapes: Shapes,
        compiled: Callable[[str], Callable[..., Any]],
        steps: Steps,
    ) -> None:
        self.score = score  # as it is told; of what it asks about patterns, `_asking` has the values
        self._emitter = emitter
        self._shapes = shapes
        self._compiled = compiled
        self._steps = steps
        self._patterns = tuple(p.name for p in score.patterns)
        self._mark = [] if score.marking is None else [score.marking[1]]
        words = {*words_of(score, shapes.arrangements)}
        self._asking = with_asked(score, words, ())
        self._drops = left_out(score)
        self._read_by_keep = read_by_keep(self._asking, words)
        names = [p.name for p in score.params]
        self._types = [p.type for p in score.params]
        self._hand = self._function(names, emitter.emit(score.hand))
        self._fixed = self._function(names, "()" if score.fixed is None else emitter.emit(score.fixed))
        marked = None if score.marking is None else score.marking[0]
        self._marked = self._function(names, "None" if marked is None else emitter.emit(marked))
        beyond = {*words, *self._mark, "arrangement"}
        self._of_hand, names = self._stage(self._asking, emitter, names, beyond, ())
        self._forms = {
            name: self._form(emitter.within(name), name, names, words) for name in score.arrangements
        }
        self._memory: dict[Any, tuple[Best | None, int]] | None = (
            {} if all(map(emitter.of_definitions.fixed, exprs_of_score(score))) else None
        )

    # ------------------------------------------------------------------ what is evaluated, and when

    def _form(self, emitter: Emitter, name: str, names: list[str], words: set[str]) -> _Form:
        """Return the stages for an arrangement. `names` have a value for the hand; `words` are those of all parts."""
        parts = self._shapes.arrangements[name].parts
        own = [part.word for part in parts]
        lacking = words - {*own}
        score = with_asked(self.score, words, lacking)
        beyond = {*lacking, *self._mark}
        of_way, names = self._stage(score, emitter, [*names, *own], beyond, self._of_hand.places)
        places = self._of_hand.places + of_way.places
        of_mark, names = self._stage(score, emitter, [*names, *self._mark], lacking, places)
        places += of_mark.places
        lacking |= {define for define, _ in score.defines} - {*names}
        judged = [*names, *self._read_by_keep]
        counts = formula = None
        if self.score.keep is not None and not free(self.score.keep) & lacking:
            counts = self._function(judged, emitter.emit(self.score.keep))
        if self.score.formula is not None and not free(self.score.formula) & lacking:
            formula = self._function(judged, emitter.emit(self.score.formula))
        eligible = tuple(is_eligible(self.score, self.score.patterns[place]) for place in places)
        singles = tuple(part.count == 1 for part in parts)
        return _Form(singles, of_way, of_mark, places, eligible, formula, counts, tuple(names))

    def _stage(
        self, score: ScoreDecl, emitter: Emitter, names: list[str], beyond: set[str], done: tuple[int, ...]
    ) -> tuple[_Stage, list[str]]:
        """Return the compiled definitions and patterns that are not `done` and need no name in `beyond`, and all names
        that have a value once these are decided.
        """
        stage, bound = stage_of(score, names, beyond, done)
        exprs = dict(score.defines)
        lets = "".join(f"({local(name)} := {emitter.emit(exprs[name])}), " for name in stage.defines)
        places = stage.places
        points = "".join(f"{_counting(self.score.patterns[place], emitter)}, " for place in places)
        return _Stage(self._function(names, f"({lets}({points}),)"), places), bound

    def _function(self, names: Sequence[str], body: str) -> Callable[..., Any]:
        return self._compiled(f"lambda {', '.join(('S', *map(local, names)))}: {body}")

    # ------------------------------------------------------------------ evaluation

    def best(self, state: Any, *args: Any) -> Best | None:
        """Return the best score of a hand, or None if it does not count. It is the same for bags in any order, and so
        are its steps.
        """
        ordered = list(map(_sorted, args, self._types))
        if self._memory is None:
            return self._best(state, ordered)
        key = tuple(map(_frozen, ordered))
        cached = self._memory.get(key)
        if cached is None:
            if len(self._memory) >= CACHED:
                self._memory.clear()
            cached = self._steps.apart(self.score.name, MOST_STEPS, lambda: self._best(state, ordered))
            self._memory[key] = cached
        best, cost = cached  # whoever asks again is charged again
        self._steps.charge(cost)
        return best

    def _best(self, state: Any, args: Sequence[Any]) -> Best | None:
        layouts = [layout for layout, _, counts in self._each(state, args) if counts]
        if not layouts:
            return None
        most = max(r.place for r in layouts)
        best = tuple(r for r in layouts if r.place == most)
        numbers = dict(zip(self.score.numbers, most[1:], strict=True))
        return Best(most[0], best, numbers, {p.name: p.number for p in self.score.patterns})

    def forget(self) -> None:
        """Score every hand anew from now on."""
        if self._memory is not None:
            self._memory.clear()

    def layouts(self, state: Any, *args: Any) -> Iterator[ScoredLayout]:
        """Yield every layout of a hand that counts."""
        self._steps.begin(self.score.name)
        return (layout for layout, _, counts in self._each(state, args) if counts)

    def shortfalls(self, state: Any, *args: Any) -> Iterator[Shortfall]:
        """Yield every layout of a hand that does not count, with what it lacks."""
        self._steps.begin(self.score.name)
        for layout, values, counts in self._each(state, args):
            if not counts:
                yield Shortfall(layout, tuple(self._failed(layout.arrangement, state, values)))

    def nearest(self, state: Any, *args: Any) -> Nearest | None:
        """Return the nearest arrangement of a hand that fits none, with what it lacks; None if there is no arrangement,
        or if the hand has a layout.
        """
        self._steps.begin(self.score.name)
        if any(True for _ in self._each(state, args)):
            return None
        hand, fixed = self._hand(state, *args), self._fixed(state, *args)
        return nearest(self._shapes, self.score.arrangements, hand, fixed)

    def _failed(self, name: str, state: Any, values: Sequence[Any]) -> Iterator[FailedTest]:
        """Yield the conditions of `keep` that fail: all that compare numbers, and the first of the others.

        Any other may take for granted what the ones before it ask.
        """
        form, keep = self._forms[name], self.score.keep
        if keep is None:
            return
        names = [*form.names, *self._read_by_keep]
        emitter, parts, another = self._emitter.within(name), [*conjuncts(keep)], False
        words = self.score.keep_words
        words = words if len(words) == len(parts) else ("keep",) * len(parts)
        for part, text in zip(parts, words, strict=True):
            lacking = tuple(sorted(free(part) - {*names, "arrangement"}))
            if lacking:
                yield FailedTest(text, None, False, lacking)
                another = True
                continue
            compares = isinstance(part, ir.Op) and part.op in LEAST | MOST
            if not compares and another:
                continue

            def value(expr: ir.Expr) -> Any:
                return self._function(names, emitter.emit(expr))(state, *values)

            if not value(part):
                another |= not compares
                sums = {"points", "eligible"} if self.score.formula is None else set[str]()
                is_minimum = bool(free(part) & sums & {*self._read_by_keep})
                number = _number(part, value)
                yield FailedTest(
                    text, number, is_minimum and number is not None and number.bound == "at least"
                )

    def _each(self, state: Any, args: Sequence[Any]) -> Iterator[tuple[ScoredLayout, Sequence[Any], bool]]:
        """Yield every layout of a hand, the values of all names with it, and whether it counts."""
        hand, fixed = self._hand(state, *args), self._fixed(state, *args)
        marked = self._marked(state, *args)
        of_hand: tuple[Any, ...] | None = None
        for name in self.score.arrangements:
            form = self._forms[name]
            for groups in self._shapes.arrange(hand, name, fixed):
                of_hand = of_hand or self._of_hand.evaluate(state, *args)
                parts = [g[0] if single else g for single, g in zip(form.singles, groups, strict=True)]
                values = [*args, *of_hand[:-1], *parts]
                of_way = form.of_way.evaluate(state, *values)
                values += of_way[:-1]
                for mark in self._marks(groups, fixed, marked):
                    of_mark = form.of_mark.evaluate(state, *values, *mark)
                    counted = (*of_hand[-1], *of_way[-1], *of_mark[-1])
                    whole = [*values, *mark, *of_mark[:-1]]
                    yield self._scored(state, name, groups, mark, whole, counted)

    def _marks(
        self, groups: list[list[TileGroup]], fixed: Sequence[TileGroup], marked: Any
    ) -> Iterator[tuple[TileGroup, ...]]:
        """Yield each different group that may be the marked one: it has the tile and is not on the table."""
        if not self._mark:
            yield ()
            return
        lying = {id(meld) for meld in fixed}
        for group in dict.fromkeys(g for part in groups for g in part if marked in g and id(g) not in lying):
            yield (group,)

    def _scored(
        self,
        state: Any,
        name: str,
        groups: list[list[TileGroup]],
        mark: tuple[TileGroup, ...],
        values: list[Any],
        counted: tuple[int, ...],
    ) -> tuple[ScoredLayout, Sequence[Any], bool]:
        """Return a layout, the values of all names with it, and whether it counts.

        `values` are those of all names before the patterns, `counted` the points of each pattern.
        """
        form = self._forms[name]
        in_order = sorted(compress(zip(form.places, counted, strict=True), counted))
        patterns = holding = {self._patterns[place]: points for place, points in in_order}
        eligible = sum(compress(counted, form.eligible))
        if self._drops:
            dropped = {name for holds in holding for name in self._drops.get(holds, ())}
            patterns = {name: points for name, points in holding.items() if name not in dropped}
        if self.score.total == "highest" and patterns:
            best = max(patterns, key=patterns.__getitem__)  # the first of them
            patterns = {best: patterns[best]}
        numbers = numbers_in(self.score, patterns)
        points, counts = sum(patterns.values()), bool(patterns)
        can_count = self.score.formula is None or form.formula is not None
        if form.formula is not None:
            points = form.formula(state, *self._judged(values, {"eligible": eligible, **numbers}, holding))
        if self.score.keep is not None:
            values = self._judged(values, {"points": points, "eligible": eligible, **numbers}, holding)
            counts = form.counts is not None and bool(form.counts(state, *values))
        layout = ScoredLayout(
            name,
            tuple(map(tuple, groups)),
            mark[0] if mark else None,
            patterns,
            points,
            eligible,
            tuple(numbers.values()),
        )
        return layout, values, counts and can_count

    def _judged(self, values: list[Any], sums: Mapping[str, int], holding: Collection[str]) -> list[Any]:
        """Return the values of all names that the formula of the total and `keep` may read."""
        return [*values, *(sums.get(name, name in holding) for name in self._read_by_keep)]


def _number(test: ir.Expr, value: Callable[[ir.Expr], Any]) -> Number | None:
    """Return the number that a comparison asks for, and the one that there is; None if it compares no numbers."""
    if not isinstance(test, ir.Op) or test.op not in LEAST | MOST | {"eq"}:
        return None
    if any(arg.type != Int() for arg in test.args):
        return None
    left, right = map(value, test.args)
    is_least = test.op in LEAST
    if isinstance(test.args[0], ir.Const):  # `2 <= points`
        left, right, is_least = right, left, not is_least
    if test.op == "eq":
        return Number("exactly", right, left)
    strict = test.op in ("lt", "gt")
    return Number("at least", right + strict, left) if is_least else Number("at most", right - strict, left)


def _counting(pattern: PatternDecl, emitter: Emitter) -> str:
    value, test = emitter.emit(pattern.value), emitter.emit(pattern.test)
    if pattern.each is None:
        return f"{value} if {test} else 0"
    name, domain = pattern.each
    return f"sum({value} for {local(name)} in {emitter.emit(domain)} if {test})"


def _sorted(value: Any, kind: Type) -> Any:
    """Return a bag in an order that depends on its members alone; what is no bag as it is."""
    if isinstance(kind, Opt):
        return None if value is None else _sorted(value, kind.item)
    if isinstance(kind, Each):
        return [_sorted(own, kind.item) for own in value]
    if not isinstance(kind, Bag):
        return value
    if isinstance(kind.item, Tile | Int | Seat):
        return sorted(value)
    return sorted((_sorted(member, kind.item) for member in value), key=_frozen)


def _frozen(value: Any) -> Any:
    """Return a sorted bag, or what is no bag, as a key."""
    if value.__class__ is Meld:
        return tuple(value), value.label or ""
    if not isinstance(value, list | tuple):
        return value
    return tuple(map(_frozen, value)) if value and isinstance(value[0], list | tuple) else tuple(value)
