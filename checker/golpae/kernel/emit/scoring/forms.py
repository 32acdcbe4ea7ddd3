"""One arrangement of a score: what each of its ways counts, and whether it is the best one so far.

Input: a score, and a plan of one of its arrangements. Output: the functions that are called for each way.
Guarantee: a pattern that does not depend on the marked group is evaluated once for all groups that may be marked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, assert_never

from golpae.ir import expr as ir
from golpae.ir.scoring import Stage, is_eligible, names_of, read_by_keep, stage, with_asked
from golpae.ir.traverse import free
from golpae.ir.types import BOOL, INT
from golpae.kernel.emit.scoring.layouts import Plan
from golpae.kernel.emit.scoring.noting import ShownWay, WayValues, note_way
from golpae.kernel.emit.values import Arranged, Scalar, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    mul,
    ne,
    select,
    sub,
)
from golpae.kernel.layout import NO_NUMBER, WORD

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions
    from golpae.kernel.emit.scoring.scores import OneScore


class Form:
    """Writes the functions of one arrangement of a score."""

    def __init__(self, of_score: OneScore, plan: Plan, slots: int, fixed: bool) -> None:
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
        judged = (e for e in (score.keep, score.formula) if e is not None)
        self._counts = not any(free(expr) & lacking for expr in judged)

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
            of_score.evaluate(of, self._way, self._own(of, asked_in(of_score, self._way)), self._defines)
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
        judged = [e for e in (score.keep, score.formula) if e is not None]
        region = asked_in(of_score, self._marked).union(*map(free, judged))
        own = self._own(of, region, writer.param(0))
        counted = of_score.evaluate(of, self._marked, own, self._defines)
        for place in self._places:
            if place not in counted:
                points = writer.let(load(8, ZERO, memory.points + place * WORD))
                counted[place] = Scalar(points, INT, of_score.bounds[place])
        holding = {place: writer.let(ne(counted[place].value, ZERO)) for place in self._places}
        counting = self._not_left_out(writer, counted, holding)
        numbers = {
            number: self._sum(
                of, [(counted[p], counting[p]) for p in self._places if score.patterns[p].number == number]
            )
            for number in score.numbers
        }
        if score.formula is None:
            total = self._sum(of, [(counted[p], counting[p]) for p in self._places])
        else:
            sums = self._judged(of, own, counted, holding, numbers)
            total = of.number(score.formula, of_score.bound(of, free(score.formula), sums))
        if score.keep is None:
            counts: Expr = ZERO
            for place in self._places:
                counts = either(counts, counting[place])
        else:
            names = self._judged(of, own, counted, holding, {"points": total, **numbers})
            counts = of.scalar(score.keep, of_score.bound(of, free(score.keep), names))
        with writer.when(counts):
            of_way = [writer.let(value.value) for value in (total, *numbers.values())]
            self._better(writer, of_way, counted, counting)
            notes = of_score.parts.notes
            if notes is not None and notes.score == score.name:
                way = WayValues(
                    self._plan,
                    self._slots,
                    load(8, ZERO, memory.left),
                    total.value,
                    counting,
                    memory.points,
                    len(score.patterns),
                )
                note_way(writer, notes, of_score.layouts, way)
        of_score.parts.functions[name] = writer.function()

    def _judged(
        self,
        of: Expressions,
        own: Mapping[str, Value],
        counted: Mapping[int, Scalar],
        holding: Mapping[int, Expr],
        sums: Mapping[str, Scalar],
    ) -> dict[str, Value]:
        """Return the values that the formula of the total and `keep` may read, by name: `own`, these sums, and the
        patterns.
        """
        score, names = self._of.score, dict(own)
        for read in read_by_keep(self._asking, self._of.words):
            if read in sums:
                names[read] = sums[read]
            elif read == "eligible":
                eligible = [p for p in self._places if is_eligible(score, score.patterns[p])]
                names[read] = self._sum(of, [(counted[p], ONE) for p in eligible])
            elif read != "points":
                holds = [holding[p] for p in self._places if score.patterns[p].name == read]
                names[read] = Scalar(holds[0] if holds else ZERO, BOOL, 1)
        return names

    def _not_left_out(
        self, writer: Writer, counted: Mapping[int, Scalar], holding: Mapping[int, Expr]
    ) -> dict[int, Expr]:
        """Return for each pattern whether it holds and the total does not leave it out."""
        score = self._of.score
        match score.total:
            case "sum" | "unimplied":
                if not self._of.drops:
                    return dict(holding)
                counting: dict[int, Expr] = {}
                for place in self._places:
                    name = score.patterns[place].name
                    dropped: Expr = ZERO
                    for other in self._places:
                        if name in self._of.drops.get(score.patterns[other].name, ()):
                            dropped = either(dropped, holding[other])
                    counting[place] = writer.let(both(holding[place], is_zero(dropped)))
                return counting
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
        self,
        writer: Writer,
        found: Sequence[Expr],
        counted: Mapping[int, Scalar],
        kept: Mapping[int, Expr],
    ) -> None:
        """Write that a way counts: whether it is the best so far, by its total and then by its numbers, and has the
        patterns that are asked for.
        """
        of_score, memory = self._of, self._of.memory
        wanted = writer.let(load(8, ZERO, of_score.asked))
        fits = writer.var(0)
        with writer.when(wanted):
            places = {of_score.score.patterns[place].name: place for place in self._places}
            same: Expr = ONE
            recorded = self._recorded(writer, wanted)
            for name, number in of_score.patterns.items():
                known: Expr = Lit(NO_NUMBER)
                if name in places:
                    place = places[name]
                    known = select(kept[place], counted[place].value, known)
                as_recorded = eq(load(8, wanted, number * WORD), known)
                if name in recorded:
                    as_recorded = either(as_recorded, is_zero(recorded[name]))
                same = both(same, as_recorded)
            writer.set(fits, same)
        addresses = (memory.best, *memory.numbers)
        better, equal = writer.var(ZERO), writer.var(ONE)
        for value, address in zip(found, addresses, strict=True):
            best = writer.let(load(8, ZERO, address))
            writer.set(better, either(better, both(equal, gt(value, best))))
            writer.set(equal, both(equal, eq(value, best)))
        with writer.when(better):
            for value, address in zip(found, addresses, strict=True):
                writer.store(8, ZERO, value, address)
            writer.store(8, ZERO, fits, memory.fits)
        with writer.when(equal):
            writer.store(8, ZERO, either(load(8, ZERO, memory.fits), fits), memory.fits)
        if memory.shown is not None:
            with writer.when(either(better, equal)):
                self._show(writer, memory.shown, better, counted, kept)

    def _recorded(self, writer: Writer, asked: Expr) -> dict[str, Expr]:
        """Return, for each pattern of a score that counts several numbers, whether its number is asked for: one of its
        patterns is recorded, or none of the score.
        """
        score, places = self._of.score, self._of.patterns
        one_is: dict[str, Expr] = {}
        for number in score.numbers:
            some: Expr = ZERO
            for name in (p.name for p in score.patterns if p.number == number):
                some = either(some, ne(load(8, asked, places[name] * WORD), Lit(NO_NUMBER)))
            one_is[number] = writer.let(some)
        none: Expr = ONE
        for some in one_is.values():
            none = both(none, is_zero(some))
        none = writer.let(none)
        return {p.name: either(none, one_is[p.number]) for p in score.patterns if score.numbers}

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


def asked_in(of_score: OneScore, now: Stage) -> set[str]:
    """Return the names that a stage asks for, through defines."""
    names: set[str] = set()
    for expr in of_score.defines.values():
        names |= free(expr)
    for place in now.places:
        names |= names_of(of_score.score.patterns[place])
    return names
