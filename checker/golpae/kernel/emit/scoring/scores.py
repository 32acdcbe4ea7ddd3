"""Scores: the best of all ways to lay out a hand, by the patterns of a score block.

Input: a score, what is given with it. Output: its total, none if no way counts, and whether a best way counts the
patterns that are asked for.
Guarantee: a pattern is evaluated once for all ways that it does not depend on, as the reference does.

The functions of a score share memory: what is given, the values of defines, what each pattern counts, the groups of
the way that is tried, and the best total so far.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.ruleset import PatternDecl, ScoreDecl
from golpae.ir.scoring import Stage, left_out, names_of, stage, with_asked, words_of
from golpae.ir.traverse import free
from golpae.ir.types import INT, Points, Type
from golpae.kernel.emit.parts import Names, Parts, bare
from golpae.kernel.emit.scoring.asking import asking
from golpae.kernel.emit.scoring.forms import Form
from golpae.kernel.emit.scoring.layouts import MOST_FIXED, Layouts, Plan
from golpae.kernel.emit.scoring.noting import ShownWay
from golpae.kernel.emit.values import Recorded, Scalar, Scored, Stream, Value
from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    ge,
    le,
    load,
    ne,
)
from golpae.kernel.layout import NO_NUMBER, WORD
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


@dataclass(frozen=True, slots=True)
class ScoreMemory:
    """Where the functions of a score keep what they share; `names` are values by name, `points` of the patterns."""

    names: dict[str, tuple[int, Type]]
    points: int
    evaluated: int  # whether what is the same for all ways has a value
    best: int
    numbers: tuple[int, ...]  # of the best way, if patterns count in several
    fits: int
    shown: ShownWay | None  # None if nobody asks
    hand: int  # its tiles
    listed: int  # fixed melds
    left: int  # groups that are cut from the hand


class Scores:
    """The scores of one module."""

    def __init__(self, parts: Parts, layouts: Layouts) -> None:
        self.parts, self.layout, self.layouts = parts, parts.layout, layouts
        self.patterns = self.layout.patterns
        self.asked = self.layout.allocate(1)  # where the patterns lie that are asked for, 0 if none are
        self._moment = self.layout.allocate(1)  # how often others were asked for
        self._fits = False  # whether the code that is written now asks if they fit
        self._scores = {s.name: s for s in parts.rules.scores}
        self._made: dict[str, ScoreMemory | None] = {}

    def call(self, name: str, values: Sequence[Value], of: Expressions) -> Scored:
        """Return the score of a hand. Raises `NotCompiled`."""
        score, writer = self._scores[name], of.writer
        memory = self._memory(score, of)
        given = [  # lists are gone through before, for their members may have a score themselves
            of.keeping.listed(v) if isinstance(v, Stream) and not v.short else v for v in values
        ]
        for param, value in zip(score.params, given, strict=True):
            address, kind = memory.names[param.name]
            of.keeping.keep(kind, of.collecting.coerced(value, kind), Lit(address))
        total, fits, *numbers = (writer.new() for _ in range(2 + len(score.numbers)))
        shows = self.parts.shows  # what a way counts is known where it has just been found, not from memory
        searched, asked = f"score:{name}", None
        if not shows:
            addresses = [memory.names[param.name] for param in score.params]
            asked = asking(self.parts, score, addresses, searched, memory.numbers, self._moment)
        if asked is None:
            writer.call_into((total, fits), searched)
            for number, address in zip(numbers, memory.numbers, strict=True):
                writer.set(number, load(8, ZERO, address))
        else:
            writer.call_into((total, fits, *numbers), asked, Lit(int(self._fits)))
        shown = memory.shown.points if shows and memory.shown is not None else 0
        named = dict(zip(score.numbers, numbers, strict=True))
        return Scored(total, fits, shown, tuple(p.name for p in score.patterns), named, name)

    def inputs(self, name: str, of: Expressions) -> dict[str, tuple[int, Type]]:
        """Return where the function `score:NAME` has the values of its parameters, and their types. Raises
        `NotCompiled`.
        """
        score = self._scores[name]
        memory = self._memory(score, of)
        return {param.name: memory.names[param.name] for param in score.params}

    def begin(self, patterns: Value, of: Expressions) -> None:
        """Write that scores also find out whether they count just these patterns, for `of.patterns` will be asked."""
        if isinstance(patterns, Recorded):
            of.patterns = patterns.address
            self._ask(of.writer, patterns.address)

    def end(self, of: Expressions) -> None:
        """Write that no patterns are asked for any more."""
        if of.patterns is not None:
            of.writer.store(8, ZERO, ZERO, self.asked)

    def _ask(self, writer: Writer, patterns: Expr) -> None:
        writer.store(8, ZERO, patterns, self.asked)
        writer.store(8, ZERO, add(load(8, ZERO, self._moment), ONE), self._moment)

    def fits(self, patterns: Value, score: ir.Expr, names: Names, of: Expressions) -> Expr:
        """Return whether a best way counts just these patterns. Raises `NotCompiled`."""
        if not isinstance(patterns, Recorded):
            raise NotCompiled("`fits` with patterns that are no key of the event")
        writer, known = of.writer, of.patterns == patterns.address
        if not known:
            self._ask(writer, patterns.address)
        outer, self._fits = self._fits, True
        try:
            value = of.value(score, names)
        finally:
            self._fits = outer
        if not isinstance(value, Scored):
            raise NotCompiled("`fits` with a value that is no score")
        if not known:
            self._ask(writer, of.patterns or ZERO)
        return value.fits

    def first_of(self, branches: Sequence[tuple[Expr, ir.Expr]], names: Names, of: Expressions) -> Scored:
        """Return the score of the branch whose test holds; none if none does. No other one is worked out. What its
        patterns count is not shown. Raises `NotCompiled`.
        """
        total, fits = of.writer.var(NO_NUMBER), of.writer.var(ZERO)
        numbers: dict[str, Get] = {}
        for _, branch in branches:
            kind = bare(branch.type)
            for number in kind.numbers if isinstance(kind, Points) else ():
                if number not in numbers:
                    numbers[number] = of.writer.var(NO_NUMBER)
        for test, branch in branches:
            with of.writer.when(test):
                value = of.collecting.coerced(of.value(branch, names), Points())
                if not isinstance(value, Scored):
                    raise NotCompiled("a choice between a score and another value")
                of.writer.set(total, value.total)
                of.writer.set(fits, value.fits)
                for number, number_value in value.numbers.items():
                    of.writer.set(numbers[number], number_value)
        named = {number: of.writer.let(number_value) for number, number_value in numbers.items()}
        return Scored(of.writer.let(total), of.writer.let(fits), numbers=named)

    # ------------------------------------------------------------------ the functions of a score

    def _memory(self, score: ScoreDecl, of: Expressions) -> ScoreMemory:
        if score.name not in self._made:
            self._made[score.name] = None
            allocate = self.layout.allocate
            kinds: list[tuple[str, Type]] = [(p.name, p.type) for p in score.params]
            names = {name: (allocate(self.layout.slots(kind, True)), kind) for name, kind in kinds}
            for define, expr in with_asked(score, words_of(score, self.layouts.arrangements), ()).defines:
                try:
                    names[define] = (allocate(self.layout.slots(expr.type, True)), expr.type)
                except NotCompiled:
                    continue  # it is evaluated wherever it is asked for
            room = 1 + MOST_FIXED * self.layouts.slot // WORD
            memory = ScoreMemory(
                names=names,
                points=allocate(len(score.patterns)),
                evaluated=allocate(1),
                best=allocate(1),
                numbers=tuple(allocate(1) for _ in score.numbers),
                fits=allocate(1),
                shown=self._shown(score) if self.parts.tells else None,
                hand=allocate(self.layouts.groups.many),
                listed=allocate(room),
                left=allocate(1),
            )
            OneScore(self, score, memory, of).write()
            self._made[score.name] = memory
        made = self._made[score.name]
        if made is None:
            raise NotCompiled("a score that asks for itself, or that is not compiled elsewhere")
        return made

    def _shown(self, score: ScoreDecl) -> ShownWay:
        allocate, arrangements = self.layout.allocate, self.layouts.arrangements
        most = max((sum(p.count for p in arrangements[a].parts) for a in score.arrangements), default=0)
        groups = allocate(most * self.layouts.slot // WORD)
        return ShownWay(allocate(len(score.patterns)), allocate(1), groups)

    def told(self) -> Iterator[tuple[ScoreDecl, tuple[int, ...], ShownWay]]:
        """Yield the scores that are told: where the total and the numbers of each lie, and where its best way."""
        for name, memory in self._made.items():
            if memory is not None and memory.shown is not None:
                yield self._scores[name], (memory.best, *memory.numbers), memory.shown


class OneScore:
    """Writes the functions of one score."""

    def __init__(self, scores: Scores, score: ScoreDecl, memory: ScoreMemory, of: Expressions) -> None:
        self.score, self.memory, self._of = score, memory, of
        self.layouts, self.parts = scores.layouts, scores.parts
        self.asked, self.patterns = scores.asked, scores.patterns
        self.words = words_of(score, self.layouts.arrangements)
        self.mark = [] if score.marking is None else [score.marking[1]]
        self.drops = left_out(score)
        params = [p.name for p in score.params]
        asking = with_asked(score, self.words, ())
        self.of_hand, self.hand_names = stage(asking, params, {*self.words, *self.mark, "arrangement"}, ())
        self.bounds: dict[int, int] = {}  # how far from 0 what a pattern counts is at most
        self.defines = dict(asking.defines)
        exprs = [*self.defines.values(), *(e for e in (score.keep, score.formula) if e is not None)]
        self._used = frozenset[str]().union(*map(free, exprs), *map(names_of, score.patterns))

    def inside(self, writer: Writer) -> Expressions:
        """Return an emitter of expressions into another function."""
        return self._of.into(writer)

    def write(self) -> None:
        """Write the function `score:NAME`, which gives the total and whether patterns fit, and all that it calls."""
        score, memory, layouts = self.score, self.memory, self.layouts
        plans = [layouts.plan(name, self._of) for name in score.arrangements]
        writer = Writer(f"score:{score.name}", 0, 2)
        of = self._of.into(writer)
        names = self.bound(of, {p.name for p in score.params}, {})
        hand = of.bits(score.hand, names)
        words = [writer.let(w) for w in layouts.groups.flat(of.bags.fitted(hand, layouts.groups.planes))]
        size = of.bags.size(hand)
        for address in (memory.best, *memory.numbers):
            writer.store(8, ZERO, Lit(NO_NUMBER), address)
        writer.store(8, ZERO, ZERO, memory.fits)
        writer.store(8, ZERO, ZERO, memory.evaluated)
        self._hand_function()
        for place, word in enumerate(words):
            writer.store(8, ZERO, word, memory.hand + place * WORD)
        if score.fixed is None:
            for plan in plans:
                self._cut(writer, plan, words, size)
            self._give(writer)
        else:
            most = max((plan.groups for plan in plans), default=0)
            fixed = of.value(score.fixed, names)
            if not isinstance(fixed, Stream):
                raise NotCompiled("a score whose fixed melds are no list")
            with writer.block() as too_many:
                layouts.listed(fixed, memory.listed, min(most, MOST_FIXED), of, too_many)
                for plan in plans:
                    self._place(writer, plan, size)
                self._give(writer)
            if most > MOST_FIXED:
                writer.refer()
            writer.give(Lit(NO_NUMBER), ZERO)
        self.parts.functions[writer.name] = writer.function()

    def _give(self, writer: Writer) -> None:
        """Write that the function gives what was found, and tells it if that is asked for."""
        memory = self.memory
        best = writer.let(load(8, ZERO, memory.best))
        if memory.shown is not None:
            is_told = load(8, ZERO, self.parts.layout.telling)
            with writer.when(both(is_told, ne(best, Lit(NO_NUMBER)))):
                writer.call_into((), told_by(self.score))
        writer.give(best, load(8, ZERO, memory.fits))

    # ------------------------------------------------------------------ ways

    def _cut(self, writer: Writer, plan: Plan, words: Sequence[Expr], size: Expr) -> None:
        """Write that every way to lay out the hand is tried."""
        slots = self.layouts.slots(plan)
        search = self._search(plan, slots, fixed=False)
        writer.store(8, ZERO, Lit(plan.whole), self.memory.left)
        with writer.when(both(ge(size, Lit(plan.least)), le(size, Lit(plan.most)))):
            writer.let(call(search, *words, Lit(plan.whole), ZERO, ZERO))

    def _place(self, writer: Writer, plan: Plan, size: Expr) -> None:
        """Write that every way to lay out the hand is tried, with fixed melds as groups in every way."""
        slots, memory = self.layouts.slots(plan), self.memory
        search = self._search(plan, slots, fixed=True)
        many = self.layouts.groups.many

        def then(of: Expressions, left: Expr) -> None:
            of.writer.store(8, ZERO, left, memory.left)
            words = [load(8, ZERO, memory.hand + place * WORD) for place in range(many)]
            of.writer.let(call(search, *words, left, ZERO, ZERO))

        name = f"placed:{self.score.name}:{plan.name}"
        placed = self.layouts.place(plan, name, memory.listed, slots, then, self._of)
        with writer.when(le(size, Lit(plan.most))):
            writer.let(call(placed, ZERO, Lit(plan.whole)))

    def _search(self, plan: Plan, slots: int, fixed: bool) -> str:
        way = f"way:{self.score.name}:{plan.name}"
        Form(self, plan, slots, fixed).write(way)
        cut = f"cut:{self.score.name}:{plan.name}"
        return self.layouts.search(plan, cut, slots, lambda w: w.call_into((), way), self._of)

    # ------------------------------------------------------------------ stages

    def _hand_function(self) -> None:
        """`hand:NAME`: evaluate what is the same for all ways."""
        writer = Writer(f"hand:{self.score.name}", 0, 0)
        self.evaluate(self._of.into(writer), self.of_hand, {}, self.defines)
        self.parts.functions[writer.name] = writer.function()

    def evaluate(
        self, of: Expressions, now: Stage, own: Mapping[str, Value], defines: Mapping[str, ir.Expr]
    ) -> dict[int, Scalar]:
        """Write the defines and patterns of a stage; return what each pattern counts. `own` are names beyond those that
        are in memory, `defines` what defines are in the arrangement.
        """
        writer, memory = of.writer, self.memory
        names: dict[str, Value] = {**own}
        for define in now.defines:
            if define not in self._used:
                continue
            expr = defines[define]
            value = of.value(expr, self.bound(of, free(expr), names))
            names[define] = value
            if define in memory.names:
                address, kind = memory.names[define]
                mark = writer.mark()
                try:
                    of.keeping.keep(kind, of.collecting.coerced(value, kind), Lit(address))
                except NotCompiled:
                    writer.restore(mark)
                    del memory.names[define]  # it is evaluated wherever it is asked for
        points_of = {}
        for place in now.places:
            pattern = self.score.patterns[place]
            points = self._counted(of, pattern, self.bound(of, names_of(pattern), names))
            self.bounds[place] = points.bound
            writer.store(8, ZERO, points.value, memory.points + place * WORD)
            points_of[place] = points
        return points_of

    def _counted(self, of: Expressions, pattern: PatternDecl, names: Mapping[str, Value]) -> Scalar:
        writer = of.writer
        if pattern.each is not None:
            name, domain = pattern.each
            return of.number(ir.Fold("sum", (name,), domain, pattern.value, pattern.test, INT), names)
        points = writer.var(0)
        with writer.when(of.scalar(pattern.test, names)):
            value = of.number(pattern.value, names)
            writer.set(points, value.value)
        return Scalar(points, INT, value.bound)

    def bound(self, of: Expressions, asked: Collection[str], own: Mapping[str, Value]) -> dict[str, Value]:
        """Return the values of names: those of `own`, those in memory, and of defines that are never in memory."""
        names: dict[str, Value] = {**own}
        for name in sorted(asked):
            if name in names:
                continue
            if name in self.memory.names:
                address, kind = self.memory.names[name]
                names[name] = of.memory.loaded(kind, Lit(address), True)
            elif name in self.defines:
                expr = self.defines[name]
                names[name] = of.value(expr, self.bound(of, free(expr), own))
        return names


def told_by(score: ScoreDecl) -> str:
    """Return the name of the function that tells a score, in a module that tells."""
    return f"tell:{score.name}"
