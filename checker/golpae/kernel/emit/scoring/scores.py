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
from typing import TYPE_CHECKING, assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import PatternDecl, ScoreDecl
from golpae.ir.scoring import Stage, left_out, names_of, read_by_keep, stage, with_asked, words_of
from golpae.ir.traverse import free
from golpae.ir.types import BOOL, INT, Points, Type
from golpae.kernel.emit.parts import Names, Parts
from golpae.kernel.emit.scoring.asking import asking
from golpae.kernel.emit.scoring.layouts import MOST_FIXED, Layouts, Plan
from golpae.kernel.emit.scoring.noting import ShownWay, note_way
from golpae.kernel.emit.values import Arranged, Recorded, Scalar, Scored, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    gt,
    is_zero,
    le,
    load,
    lt,
    mul,
    ne,
    select,
    sub,
)
from golpae.kernel.layout import NO_NUMBER, WORD
from golpae.kernel.unsupported import Unsupported

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


@dataclass(frozen=True, slots=True)
class _Memory:
    """Where the functions of a score keep what they share; `names` are values by name, `points` of the patterns."""

    names: dict[str, tuple[int, Type]]
    points: int
    evaluated: int  # whether what is the same for all ways has a value
    best: int
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
        self._made: dict[str, _Memory | None] = {}

    def call(self, name: str, values: Sequence[Value], of: Expressions) -> Scored:
        """Return the score of a hand. Raises `Unsupported`."""
        score, writer = self._scores[name], of.writer
        memory = self._memory(score, of)
        given = [  # lists are gone through before, for their members may have a score themselves
            of.keeping.listed(v) if isinstance(v, Stream) and not v.short else v for v in values
        ]
        for param, value in zip(score.params, given, strict=True):
            address, kind = memory.names[param.name]
            of.keeping.keep(kind, of.collecting.coerced(value, kind), Lit(address))
        total, fits = writer.new(), writer.new()
        shows = self.parts.shows  # what a way counts is known where it has just been found, not from memory
        searched, asked = f"score:{name}", None
        if not shows:
            addresses = [memory.names[param.name] for param in score.params]
            asked = asking(self.parts, score, addresses, searched, self._moment)
        if asked is None:
            writer.call_into((total, fits), searched)
        else:
            writer.call_into((total, fits), asked, Lit(int(self._fits)))
        shown = memory.shown.points if shows and memory.shown is not None else 0
        return Scored(total, fits, shown, tuple(p.name for p in score.patterns))

    def inputs(self, name: str, of: Expressions) -> dict[str, tuple[int, Type]]:
        """Return where the function `score:NAME` has the values of its parameters, and their types. Raises
        `Unsupported`.
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
        """Return whether a best way counts just these patterns. Raises `Unsupported`."""
        if not isinstance(patterns, Recorded):
            raise Unsupported("`fits` with patterns that are no key of the event")
        writer, known = of.writer, of.patterns == patterns.address
        if not known:
            self._ask(writer, patterns.address)
        outer, self._fits = self._fits, True
        try:
            value = of.value(score, names)
        finally:
            self._fits = outer
        if not isinstance(value, Scored):
            raise Unsupported("`fits` with a value that is no score")
        if not known:
            self._ask(writer, of.patterns or ZERO)
        return value.fits

    def first_of(self, branches: Sequence[tuple[Expr, ir.Expr]], names: Names, of: Expressions) -> Scored:
        """Return the score of the branch whose test holds; none if none does. No other one is worked out. What its
        patterns count is not shown. Raises `Unsupported`.
        """
        total, fits = of.writer.var(NO_NUMBER), of.writer.var(ZERO)
        for test, branch in branches:
            with of.writer.when(test):
                value = of.collecting.coerced(of.value(branch, names), Points())
                if not isinstance(value, Scored):
                    raise Unsupported("a choice between a score and another value")
                of.writer.set(total, value.total)
                of.writer.set(fits, value.fits)
        return Scored(of.writer.let(total), of.writer.let(fits))

    # ------------------------------------------------------------------ the functions of a score

    def _memory(self, score: ScoreDecl, of: Expressions) -> _Memory:
        if score.name not in self._made:
            self._made[score.name] = None
            allocate = self.layout.allocate
            kinds: list[tuple[str, Type]] = [(p.name, p.type) for p in score.params]
            names = {name: (allocate(self.layout.slots(kind, True)), kind) for name, kind in kinds}
            for define, expr in with_asked(score, words_of(score, self.layouts.arrangements), ()).defines:
                try:
                    names[define] = (allocate(self.layout.slots(expr.type, True)), expr.type)
                except Unsupported:
                    continue  # it is evaluated wherever it is asked for
            room = 1 + MOST_FIXED * self.layouts.slot // WORD
            memory = _Memory(
                names=names,
                points=allocate(len(score.patterns)),
                evaluated=allocate(1),
                best=allocate(1),
                fits=allocate(1),
                shown=self._shown(score) if self.parts.tells else None,
                hand=allocate(self.layouts.groups.many),
                listed=allocate(room),
                left=allocate(1),
            )
            _Score(self, score, memory, of).write()
            self._made[score.name] = memory
        made = self._made[score.name]
        if made is None:
            raise Unsupported("a score that asks for itself, or that is not compiled elsewhere")
        return made

    def _shown(self, score: ScoreDecl) -> ShownWay:
        allocate, arrangements = self.layout.allocate, self.layouts.arrangements
        most = max((sum(p.count for p in arrangements[a].parts) for a in score.arrangements), default=0)
        groups = allocate(most * self.layouts.slot // WORD)
        return ShownWay(allocate(len(score.patterns)), allocate(1), groups)

    def told(self) -> Iterator[tuple[ScoreDecl, int, ShownWay]]:
        """Yield the scores that are told: where the total of each lies, and where its best way."""
        for name, memory in self._made.items():
            if memory is not None and memory.shown is not None:
                yield self._scores[name], memory.best, memory.shown


class _Score:
    """Writes the functions of one score."""

    def __init__(self, scores: Scores, score: ScoreDecl, memory: _Memory, of: Expressions) -> None:
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
        exprs = [*self.defines.values(), *(() if score.keep is None else (score.keep,))]
        self._used = frozenset[str]().union(*map(free, exprs), *map(names_of, score.patterns))

    def inside(self, writer: Writer) -> Expressions:
        """Return what writes expressions into another function."""
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
        writer.store(8, ZERO, Lit(NO_NUMBER), memory.best)
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
                raise Unsupported("a score whose fixed melds are no list")
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
        _Form(self, plan, slots, fixed).write(way)
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
                except Unsupported:
                    writer.restore(mark)
                    del memory.names[define]  # it is evaluated wherever it is asked for
        found = {}
        for place in now.places:
            pattern = self.score.patterns[place]
            points = self._counted(of, pattern, self.bound(of, names_of(pattern), names))
            self.bounds[place] = points.bound
            writer.store(8, ZERO, points.value, memory.points + place * WORD)
            found[place] = points
        return found

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


class _Form:
    """Writes the functions of one arrangement of a score."""

    def __init__(self, of_score: _Score, plan: Plan, slots: int, fixed: bool) -> None:
        self._of, self._plan, self._slots, self._fixed = of_score, plan, slots, fixed
        score = of_score.score
        own = [part.word for part in plan.parts]
        lacking = {*of_score.words} - {*own}
        done = of_score.of_hand.places
        self._asking = score = with_asked(score, of_score.words, lacking)
        self._defines = dict(score.defines)
        self._way, names = stage(score, [*of_score.hand_names, *own], {*lacking, *of_score.mark}, done)
        places = done + self._way.places
        self._marked, names = stage(score, [*names, *of_score.mark], lacking, places)
        self._places = tuple(sorted(places + self._marked.places))
        lacking |= {define for define, _ in score.defines} - {*names}
        self._counts = score.keep is None or not free(score.keep) & lacking

    def write(self, name: str) -> None:
        """Write the function that is called for each way."""
        of_score, layouts = self._of, self._of.layouts
        memory, score = of_score.memory, of_score.score
        writer = Writer(name, 0, 0)
        of = of_score.inside(writer)
        if self._counts:
            if self._fixed:
                layouts.differ(of, self._plan, self._slots, writer.give)
            with writer.when(is_zero(load(8, ZERO, memory.evaluated))):
                writer.store(8, ZERO, ONE, memory.evaluated)
                writer.call_into((), f"hand:{score.name}")
            of_score.evaluate(of, self._way, self._own(of, _asked(of_score, self._way)), self._defines)
            self._mark_function(f"{name}:marked")
            if score.marking is None:
                writer.call_into((), f"{name}:marked", ZERO)
            else:
                self._each_mark(of, score.marking[0], f"{name}:marked")
        of_score.parts.functions[name] = writer.function()

    def _own(self, of: Expressions, asked: Collection[str], mark: Expr | None = None) -> dict[str, Value]:
        """Return the groups of the way, its arrangement, and the marked group, as far as they are asked for."""
        layouts = self._of.layouts
        names: dict[str, Value] = {"arrangement": Arranged(self._plan.name)}
        for number, part in enumerate(self._plan.parts):
            if part.word in asked:
                names[part.word] = layouts.groups_of(of, self._plan, number, self._slots)
        if mark is not None:
            for name in self._of.mark:
                names[name] = layouts.group_at(of.writer, mark)
        return names

    def _each_mark(self, of: Expressions, marked: ir.Expr, function: str) -> None:
        """Write that each group that was cut from the hand and has the marked tile is marked."""
        of_score, layouts, plan = self._of, self._of.layouts, self._plan
        writer = of.writer
        tile = writer.let(of.scalar(marked, of_score.bound(of, free(marked), {})))
        left = writer.let(load(8, ZERO, of_score.memory.left))
        for number, part in enumerate(plan.parts):
            cut = layouts.left_of(left, number)
            end = self._slots + (plan.first(number) + part.count) * layouts.slot
            slot = writer.var(sub(Lit(end), mul(cut, Lit(layouts.slot))))
            with writer.block() as done, writer.loop() as again:
                writer.leave(done, ge(slot, Lit(end)))
                here = writer.let(slot)
                has = of.bags.has(tile, layouts.group_at(writer, here).tiles, True)
                with writer.when(has):
                    writer.call_into((), function, here)
                writer.set(slot, add(slot, Lit(layouts.slot)))
                writer.leave(again)

    def _mark_function(self, name: str) -> None:
        """Write the function that counts a way with a marked group: it takes the group's slot."""
        of_score, score, memory = self._of, self._of.score, self._of.memory
        writer = Writer(name, 1, 0)
        of = of_score.inside(writer)
        asked = {*_asked(of_score, self._marked), *(free(score.keep) if score.keep is not None else ())}
        own = self._own(of, asked, writer.param(0))
        counted = of_score.evaluate(of, self._marked, own, self._defines)
        for place in self._places:
            if place not in counted:
                points = writer.let(load(8, ZERO, memory.points + place * WORD))
                counted[place] = Scalar(points, INT, of_score.bounds[place])
        holding = {place: writer.let(ne(counted[place].value, ZERO)) for place in self._places}
        kept = self._not_left_out(writer, counted, holding)
        total = self._sum(of, [(counted[p], kept[p]) for p in self._places])
        if score.keep is None:
            counts: Expr = ZERO
            for place in self._places:
                counts = either(counts, kept[place])
        else:
            names = dict(own)
            for read in read_by_keep(self._asking, of_score.words):
                if read == "points":
                    names[read] = total
                elif read == "eligible":
                    sums = [(counted[p], ONE) for p in self._places if not score.patterns[p].extra]
                    names[read] = self._sum(of, sums)
                else:
                    holds = [holding[p] for p in self._places if score.patterns[p].name == read]
                    names[read] = Scalar(holds[0] if holds else ZERO, BOOL, 1)
            counts = of.scalar(score.keep, of_score.bound(of, free(score.keep), names))
        with writer.when(counts):
            self._better(writer, total.value, counted, kept)
            notes = of_score.parts.notes
            if notes is not None and notes.score == score.name:
                note_way(
                    writer,
                    notes,
                    of_score.layouts,
                    self._plan,
                    self._slots,
                    load(8, ZERO, memory.left),
                    total.value,
                    kept,
                    memory.points,
                    len(score.patterns),
                )
        of_score.parts.functions[name] = writer.function()

    def _not_left_out(
        self, writer: Writer, counted: Mapping[int, Scalar], holding: Mapping[int, Expr]
    ) -> dict[int, Expr]:
        """Return for each pattern whether it holds and the total does not leave it out."""
        score = self._of.score
        match score.total:
            case "sum" | "unimplied":
                if not self._of.drops:
                    return dict(holding)
                kept: dict[int, Expr] = {}
                for place in self._places:
                    name = score.patterns[place].name
                    dropped: Expr = ZERO
                    for other in self._places:
                        if name in self._of.drops.get(score.patterns[other].name, ()):
                            dropped = either(dropped, holding[other])
                    kept[place] = writer.let(both(holding[place], is_zero(dropped)))
                return kept
            case "highest":
                most, first = writer.var(NO_NUMBER), writer.var(-1)
                for place in self._places:
                    with writer.when(both(holding[place], gt(counted[place].value, most))):
                        writer.set(most, counted[place].value)
                        writer.set(first, place)
                return {place: writer.let(eq(first, Lit(place))) for place in self._places}
            case _:
                assert_never(score.total)

    def _sum(self, of: Expressions, points: Sequence[tuple[Scalar, Expr]]) -> Scalar:
        total = Scalar(ZERO, INT, 0)
        for one, counts in points:
            value = one.value if counts == ONE else of.writer.let(select(counts, one.value, ZERO))
            total = of.operators.arithmetic("add", [total, Scalar(value, INT, one.bound)])
        return total

    def _better(
        self, writer: Writer, total: Expr, counted: Mapping[int, Scalar], kept: Mapping[int, Expr]
    ) -> None:
        """Write that a way counts: whether its total is the best so far, and has the patterns that are asked for."""
        of_score, memory = self._of, self._of.memory
        asked = writer.let(load(8, ZERO, of_score.asked))
        fits = writer.var(0)
        with writer.when(asked):
            places = {of_score.score.patterns[place].name: place for place in self._places}
            same: Expr = ONE
            for name, number in of_score.patterns.items():
                known: Expr = Lit(NO_NUMBER)
                if name in places:
                    place = places[name]
                    known = select(kept[place], counted[place].value, known)
                same = both(same, eq(load(8, asked, number * WORD), known))
            writer.set(fits, same)
        best = writer.let(load(8, ZERO, memory.best))
        with writer.when(gt(total, best)):
            writer.store(8, ZERO, total, memory.best)
            writer.store(8, ZERO, fits, memory.fits)
        with writer.when(eq(total, best)):
            writer.store(8, ZERO, either(load(8, ZERO, memory.fits), fits), memory.fits)
        if memory.shown is not None:
            with writer.when(ge(total, best)):
                self._show(writer, memory.shown, gt(total, best), counted, kept)

    def _show(
        self,
        writer: Writer,
        shown: ShownWay,
        is_better: Expr,
        counted: Mapping[int, Scalar],
        kept: Mapping[int, Expr],
    ) -> None:
        """Write that a best way is shown if it is better than those before, or if its patterns come first: by their
        names, a higher number before a lower one, and that before none.
        """
        patterns = self._of.score.patterns
        points = {
            place: writer.let(select(kept[place], counted[place].value, Lit(NO_NUMBER)))
            if place in counted
            else Lit(NO_NUMBER)
            for place in range(len(patterns))
        }
        with writer.block() as other:
            with writer.block() as first:
                writer.leave(first, is_better)
                for place in sorted(points, key=lambda place: patterns[place].name):
                    before = writer.let(load(8, ZERO, shown.points + place * WORD))
                    writer.leave(first, gt(points[place], before))
                    writer.leave(other, lt(points[place], before))
                writer.leave(other)
            for place, value in points.items():
                writer.store(8, ZERO, value, shown.points + place * WORD)
            number = self._of.score.arrangements.index(self._plan.name)
            writer.store(8, ZERO, Lit(number), shown.arrangement)
            size = self._plan.groups * self._of.layouts.slot
            writer.copy(Lit(shown.groups), Lit(self._slots), Lit(size))


def told_by(score: ScoreDecl) -> str:
    """Return the name of the function that tells a score, in a module that tells."""
    return f"tell:{score.name}"


def _asked(of_score: _Score, now: Stage) -> set[str]:
    """Return the names that a stage asks for, through defines."""
    asked: set[str] = set()
    for expr in of_score.defines.values():
        asked |= free(expr)
    for place in now.places:
        asked |= names_of(of_score.score.patterns[place])
    return asked
