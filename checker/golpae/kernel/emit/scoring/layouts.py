"""Searches for the ways to lay out tiles as an arrangement.

Input: an arrangement, tiles in planes. Output: functions that search.
Guarantee: every way is found. The lowest tile that is left is in some group, so that only groups that begin with it
are tried; groups that begin with the same kind are laid out in the order of their list. An event that tries too many
groups is referred.

How many groups of each part are left to find is one word, 8 bits for each part. The groups that were chosen lie in
`slots` of one part after the other: the label, the tiles, and the shapes of each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from golpae.ir.ruleset import PartDecl
from golpae.ir.scoring import grows, is_listed, plain_arrangements, sizes_of
from golpae.ir.types import MELD, TILE
from golpae.kernel.emit.bags import Bags, any_of
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.scoring.groups import AGAIN, NEXT, SHAPES, SLOT, SURPLUS, Groups
from golpae.kernel.emit.scoring.growing import in_set
from golpae.kernel.emit.values import Bits, Group, Stream, Value
from golpae.kernel.language.code import Expr, Label, Lit
from golpae.kernel.language.limits import Limit
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
    lowest_bit,
    lt,
    mul,
    shl,
    shr,
    steps,
    sub,
)
from golpae.kernel.layout import NONE, WORD
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

    Then = Callable[[Expressions, Expr], None]

MOST_PARTS = 8
MOST_GROUPS = 127  # of one part
MOST_WAYS = (
    1_000_000  # of choices of groups, by the longest list; the reference counts the tries of longer searches
)
OF_TRY = 4  # steps of a group that is tried: an event may try a million
OF_WAY = 20 * OF_TRY  # of a way that is found, beyond those of its score
MOST_SIZES = 20  # of the groups of a shape that are tested as they come
MOST_FIXED = 5  # melds that are fixed, beyond which the reference counts tries
_COUNT = 8  # bits
_FACTORS = 20  # after which a product of factors from 2 on is larger than MOST_WAYS


@dataclass(frozen=True, slots=True)
class Plan:
    """An arrangement that is not a union, and the list of its groups, None if a group is tested as it comes."""

    name: str
    parts: tuple[PartDecl, ...]
    heads: int | None
    whole: int
    least: int
    most: int

    @property
    def groups(self) -> int:
        """How many groups there are in all parts."""
        return sum(part.count for part in self.parts)

    def first(self, part: int) -> int:
        """Return the number of the first slot of a part."""
        return sum(p.count for p in self.parts[:part])


class Plans:
    """How arrangements are searched for: the lists of groups of their parts."""

    def __init__(self, parts: Parts, groups: Groups) -> None:
        self.parts, self.layout, self.groups = parts, parts.layout, groups
        self.arrangements = {a.name: a for a in parts.rules.arrangements}
        self._plans: dict[str, Plan | str] = {}  # or why there is none
        self.slot = (2 + groups.many) * WORD  # bytes

    # ------------------------------------------------------------------ plans

    def plans(self, name: str, expressions: Expressions) -> list[Plan]:
        """Return the plans of an arrangement, or of each in a union. Raises `NotCompiled`."""
        return [self.plan(plain, expressions) for plain in plain_arrangements(name, self.arrangements)]

    def plan(self, name: str, expressions: Expressions) -> Plan:
        """Return the plan of an arrangement that is not a union. Raises `NotCompiled`."""
        if name not in self._plans:
            self._plans[name] = "an arrangement whose groups cannot be listed"
            try:
                self._plans[name] = self._made(name, self.arrangements[name].parts, expressions)
            except NotCompiled as reason:
                self._plans[name] = str(reason)
        plan = self._plans[name]
        if isinstance(plan, str):
            raise NotCompiled(plan)
        return plan

    def _made(self, name: str, parts: tuple[PartDecl, ...], expressions: Expressions) -> Plan:
        groups, shapes = self.groups, self.groups.shapes
        if len(parts) > MOST_PARTS or any(part.count > MOST_GROUPS for part in parts):
            raise NotCompiled("an arrangement of very many groups")
        sizes = [sizes_of(part.shape, shapes) for part in parts]
        least = sum(p.count * min(s, default=0) for p, s in zip(parts, sizes, strict=True))
        most = sum(p.count * max(s, default=0) for p, s in zip(parts, sizes, strict=True))
        whole = sum(part.count << _COUNT * place for place, part in enumerate(parts))
        many, tested = sum(part.count for part in parts), not all(is_listed(p.shape, shapes) for p in parts)
        if tested and (
            max(map(len, sizes)) > MOST_SIZES or _width(sizes, most) ** many > MOST_WAYS
        ):  # the reference counts the tries of its search
            raise NotCompiled("an arrangement of shapes that test very many choices of tiles")
        if tested and many == 1:
            return Plan(name, parts, None, whole, least, most)
        if f"plan:{name}" in self.parts.left_out:
            raise NotCompiled("an arrangement whose groups take too many steps to list")
        heads = groups.heads()
        writer = self.parts.writer(f"plan:{name}", 0, 0)
        behind = 0
        for place, part in enumerate(parts):
            behind += part.count
            if part.count:
                one, slot = Lit(1 << _COUNT * place), Lit(behind * self.slot)
                source = groups.list_of(part.shape, expressions)
                groups.copy_list(writer, source, heads, one, slot, Lit(int(part.different)))
        self._note_shapes(writer, heads, many, expressions)
        self.parts.prepare(writer.function())
        return Plan(name, parts, heads, whole, least, most)

    def _note_shapes(self, writer: Writer, heads: int, many: int, expressions: Expressions) -> None:
        """Write that each group of a list notes its shapes, and that the list cannot be filled if there are too many
        ways to choose groups: as many as begin with one kind at most, for each group of the arrangement.
        """
        groups = self.groups
        shapes_of = groups.shapes_of(expressions)
        kind, widest = writer.var(0), writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(kind, Lit(groups.kinds())))
            entry, width = writer.var(load(8, shl(kind, Lit(3)), heads)), writer.var(0)
            with writer.block() as last, writer.loop() as following:
                writer.leave(last, is_zero(entry))
                tiles = groups.flat(groups.tiles_of(writer, entry))
                writer.store(8, entry, call(shapes_of, Lit(NONE), *tiles), SHAPES)
                writer.set(entry, load(8, entry, NEXT))
                writer.set(width, add(width, ONE))
                writer.leave(following)
            with writer.when(gt(width, widest)):
                writer.set(widest, width)
            writer.set(kind, add(kind, ONE))
            writer.leave(again)
        product = writer.var(1)
        for _ in range(min(many, _FACTORS)):
            writer.set(product, mul(product, widest))
            writer.refer_if(gt(product, Lit(MOST_WAYS)), Limit.WAYS)

    def slots(self, plan: Plan) -> int:
        """Return the address of new slots for the groups of a plan."""
        return self.layout.allocate(plan.groups * self.slot // WORD)

    def left_of(self, left: Expr, part: int) -> Expr:
        """Return how many groups of a part are left to find."""
        return both(shr(left, Lit(_COUNT * part)), Lit((1 << _COUNT) - 1))

    # ------------------------------------------------------------------ searching


class Layouts(Plans):
    """The searches of one module."""

    def search(
        self,
        plan: Plan,
        name: str,
        slots: int | None,
        leaf: Callable[[Writer], None] | None,
        expressions: Expressions,
    ) -> str:
        """Return the name of a function that goes through the ways to lay out tiles, in groups that are left to find.

        Its arguments are the tiles, the groups that are left, and of the group that was chosen last where its list goes
        on and its lowest tile, plus 1; at first 0, 0. With `slots`, chosen groups are noted there.
        `leaf` writes what happens with each way; without it the function returns 1 as soon as there is one, else 0.
        """
        if name in self.parts.functions:
            return name
        groups = self.groups
        writer = Writer(name, groups.many + 3, 1)
        bag = groups.bag([writer.param(i) for i in range(groups.many)])
        left, again, before = (writer.param(groups.many + i) for i in range(3))
        if plan.heads is not None and any(grows(part.shape, groups.shapes) for part in plan.parts):
            with writer.when(is_zero(before)):
                writer.refer_if(is_zero(in_set(groups, writer, bag)), Limit.COPIES)
        with writer.when(Bags(writer).is_empty(bag)):
            with writer.when(is_zero(left)):
                if leaf is None:
                    writer.give(ONE)
                else:
                    for stmt in steps(self.parts.steps, Lit(OF_WAY)):
                        writer.put(stmt)
                    leaf(writer)
            writer.give(ZERO)
        if plan.heads is not None:
            self._try_groups(writer, plan, plan.heads, name, slots, bag, (left, again, before), leaf)
        else:
            self._try_whole(expressions.into(writer), plan, slots, bag, left, leaf)
        writer.give(ZERO)
        self.parts.functions[name] = writer.function()
        return name

    def _try_groups(
        self,
        writer: Writer,
        plan: Plan,
        heads: int,
        name: str,
        slots: int | None,
        bag: Bits,
        state: tuple[Expr, Expr, Expr],
        leaf: Callable[[Writer], None] | None,
    ) -> None:
        groups, bags = self.groups, Bags(writer)
        left, again_from, before = state
        steps_left = writer.var(load(8, ZERO, self.parts.steps))
        low = groups.lowest(writer, bag)
        entry = writer.var(load(8, shl(low, Lit(3)), heads))
        with writer.when(eq(add(low, ONE), before)):
            writer.set(entry, again_from)
        with writer.block() as done, writer.loop(counted=False) as following:
            writer.leave(done, is_zero(entry))
            writer.set(steps_left, sub(steps_left, Lit(OF_TRY)))
            tiles = groups.tiles_of(writer, entry)
            one = writer.let(load(8, entry, SURPLUS))
            there = both(left, mul(one, Lit((1 << _COUNT) - 1)))
            with writer.when(both(is_zero(is_zero(there)), bags.within(tiles, bag))):
                if slots is not None:
                    self._note(writer, entry, tiles, one, left, slots)
                rest = groups.flat(bags.minus(bag, tiles))
                writer.store(8, ZERO, steps_left, self.parts.steps)
                is_laid_out = call(name, *rest, sub(left, one), load(8, entry, AGAIN), add(low, ONE))
                if leaf is None:
                    with writer.when(is_laid_out):
                        writer.give(ONE)
                else:
                    writer.let(is_laid_out)
                writer.set(steps_left, load(8, ZERO, self.parts.steps))
            writer.set(entry, load(8, entry, NEXT))
            writer.leave(following)
        writer.store(8, ZERO, steps_left, self.parts.steps)
        writer.refer_if(lt(steps_left, ZERO), Limit.STEPS)

    def _note(self, writer: Writer, entry: Expr, tiles: Bits, one: Expr, left: Expr, slots: int) -> None:
        """Write that a group is put into the next slot of its part."""
        part = lowest_bit(one)
        many = both(shr(left, part), Lit((1 << _COUNT) - 1))
        slot = writer.let(sub(load(8, entry, SLOT), mul(many, Lit(self.slot))))
        self.put(writer, add(slot, Lit(slots)), Lit(NONE), tiles, load(8, entry, SHAPES))

    def put(self, writer: Writer, slot: Expr, label: Expr, tiles: Bits, shapes: Expr) -> None:
        """Write a group into a slot."""
        slot = writer.let(slot)
        writer.store(8, slot, label)
        Bags(writer).store(tiles, self.groups.planes, writer.let(add(slot, Lit(WORD))))
        writer.store(8, slot, shapes, self.slot - WORD)

    def _try_whole(
        self,
        inside: Expressions,
        plan: Plan,
        slots: int | None,
        bag: Bits,
        left: Expr,
        leaf: Callable[[Writer], None] | None,
    ) -> None:
        """Write that all tiles together are tried as the only group."""
        (place,) = (i for i, part in enumerate(plan.parts) if part.count)
        writer = inside.writer
        words = self.groups.flat(bag)
        asked = call(self.groups.has_shape(plan.parts[place].shape, inside), *words)
        with writer.when(both(eq(left, Lit(1 << _COUNT * place)), asked)):
            if slots is not None:
                shapes = call(self.groups.shapes_of(inside), Lit(NONE), *words)
                self.put(writer, Lit(slots + plan.first(place) * self.slot), Lit(NONE), bag, shapes)
            if leaf is None:
                writer.give(ONE)
            else:
                leaf(writer)

    def group_at(self, writer: Writer, slot: Expr) -> Group:
        """Return the group in a slot."""
        tiles = Bags(writer).loaded(TILE, self.groups.planes, self.groups.words, add(slot, Lit(WORD)))
        return Group(writer.let(load(8, slot)), tiles, ONE, writer.let(load(8, slot, self.slot - WORD)))

    def groups_of(self, expressions: Expressions, plan: Plan, part: int, slots: int) -> Value:
        """Return the groups of a part as its value: a meld if there is one of it, else melds."""
        writer, count = expressions.writer, plan.parts[part].count
        first = slots + plan.first(part) * self.slot
        if count == 1:
            return self.group_at(writer, Lit(first))

        def each(run: Callable[[Value, Expr], None]) -> None:
            expressions.memory.counted(
                Lit(count),
                lambda at: run(
                    self.group_at(writer, writer.let(add(mul(at, Lit(self.slot)), Lit(first)))), ONE
                ),
            )

        return Stream(MELD, each, Lit(count), short=True)

    # ------------------------------------------------------------------ questions

    def can_lie(self, tiles: Bits, name: str, expressions: Expressions) -> Expr:
        """Return whether tiles make an arrangement. Raises `NotCompiled`."""
        groups, writer = self.groups, expressions.writer
        words = [writer.let(word) for word in groups.flat(expressions.bags.fitted(tiles, groups.planes))]
        size = expressions.bags.size(tiles)
        lies = writer.var(0)
        for plan in self.plans(name, expressions):
            search = self.search(plan, f"lie:{plan.name}", None, None, expressions)
            fits = both(ge(size, Lit(plan.least)), le(size, Lit(plan.most)))
            with writer.when(both(is_zero(lies), fits)):
                writer.set(lies, call(search, *words, Lit(plan.whole), ZERO, ZERO))
        return lies

    def lay_out(self, groups: Stream, tiles: Bits, name: str, expressions: Expressions) -> Expr:
        """Return whether groups are all of these tiles, laid out as an arrangement. Raises `NotCompiled`."""
        writer, bags = expressions.writer, expressions.bags
        plans = self.plans(name, expressions)
        room = max((plan.groups for plan in plans), default=0)
        listed = self.layout.allocate(1 + room * self.slot // WORD)
        slots = self.layout.allocate(room * self.slot // WORD)
        lies = writer.var(0)
        with writer.block() as too_many:
            self.listed(groups, listed, room, expressions, too_many)
            many = writer.let(load(8, ZERO, listed))
            together, more = self._joined(expressions, listed, many)
            beyond = any_of([word for plane in tiles.planes[self.groups.planes :] for word in plane])
            with writer.when(more):
                writer.refer_if(is_zero(is_zero(beyond)), Limit.COPIES)
            with writer.when(both(is_zero(more), bags.same(together, tiles))):
                for plan in plans:
                    with writer.when(both(is_zero(lies), eq(many, Lit(plan.groups)))):
                        name = self.place(
                            plan,
                            f"placed:{plan.name}:{slots}",
                            listed,
                            slots,
                            self._is_way(plan, slots),
                            expressions,
                        )
                        writer.set(lies, call(name, ZERO, Lit(plan.whole)))
        return lies

    def listed(
        self, groups: Stream, address: int, room: int, expressions: Expressions, too_many: Label
    ) -> None:
        """Write groups into memory: how many, then a slot for each. If there is no room, leave for `too_many`."""
        writer = expressions.writer
        shapes_of = self.groups.shapes_of(expressions)
        many = writer.var(0)

        def one(item: Value, copies: Expr) -> None:
            bag = expressions.bags.fitted(expressions.collecting.as_bits(item), self.groups.planes)
            words = [writer.let(word) for word in self.groups.flat(bag)]
            label = item.label if isinstance(item, Group) else Lit(NONE)

            def put() -> None:
                writer.leave(too_many, ge(many, Lit(room)))
                slot = writer.let(add(mul(many, Lit(self.slot)), Lit(address + WORD)))
                self.put(writer, slot, label, self.groups.bag(words), call(shapes_of, label, *words))
                writer.set(many, add(many, ONE))

            if copies == ONE:
                put()
            else:
                expressions.memory.counted(copies, lambda _: put())

        groups.each(one)
        writer.store(8, ZERO, many, address)

    def _joined(self, expressions: Expressions, listed: int, many: Expr) -> tuple[Bits, Expr]:
        """Return all tiles of groups in memory, and bits that are 0 unless there are more copies than planes."""
        writer, groups = expressions.writer, self.groups
        joined = tuple(tuple(writer.var(0) for _ in range(groups.words)) for _ in range(groups.planes))
        more = writer.var(0)

        def one(at: Expr) -> None:
            slot = writer.let(add(mul(at, Lit(self.slot)), Lit(listed + WORD)))
            now = Bits(TILE, tuple(tuple(writer.let(word) for word in plane) for plane in joined))
            made = expressions.bags.joined(now, self.group_at(writer, slot).tiles, 2 * groups.planes).planes
            for plane, given in zip(joined, made, strict=False):
                for word, value in zip(plane, given, strict=True):
                    writer.set(word, value)
            writer.set(
                more, either(more, any_of([word for plane in made[groups.planes :] for word in plane]))
            )

        expressions.memory.counted(many, one)
        return Bits(TILE, joined), more

    def _is_way(self, plan: Plan, slots: int) -> Then:
        def then(expressions: Expressions, left: Expr) -> None:
            with expressions.writer.when(is_zero(left)):
                self.differ(expressions, plan, slots, lambda: expressions.writer.give(ZERO))
                expressions.writer.give(ONE)

        return then

    def place(
        self, plan: Plan, name: str, listed: int, slots: int, then: Then, expressions: Expressions
    ) -> str:
        """Return the name of a function that counts groups in memory as parts, each in every way.

        Its arguments are the number of the next group, 0 at first, and the groups that are left to find. `then` writes
        what happens with each way. The function returns 1 as soon as that does, else 0.
        """
        groups = self.groups
        writer = Writer(name, 2, 1)
        inner = expressions.into(writer)
        at, left = writer.param(0), writer.param(1)
        with writer.when(eq(at, load(8, ZERO, listed))):
            then(inner, left)
            writer.give(ZERO)
        group = self.group_at(writer, writer.let(add(mul(at, Lit(self.slot)), Lit(listed + WORD))))
        for part, declared in enumerate(plan.parts):
            many = writer.let(self.left_of(left, part))
            with writer.when(many), writer.when(groups.is_shape(group, declared.shape, inner)):
                end = slots + (plan.first(part) + declared.count) * self.slot
                assert group.shapes is not None
                slot = sub(Lit(end), mul(many, Lit(self.slot)))
                self.put(writer, slot, group.label, group.tiles, group.shapes)
                rest = sub(left, Lit(1 << _COUNT * part))
                with writer.when(call(name, add(at, ONE), rest)):
                    writer.give(ONE)
        writer.give(ZERO)
        self.parts.functions[name] = writer.function()
        return name

    def differ(self, expressions: Expressions, plan: Plan, slots: int, otherwise: Callable[[], None]) -> None:
        """Write what happens if two groups of a part are equal that have to differ."""
        writer = expressions.writer
        for part, declared in enumerate(plan.parts):
            if not declared.different or declared.count < 2:
                continue
            first = slots + plan.first(part) * self.slot

            def tiles(at: Expr, first: int = first) -> Bits:
                return self.group_at(writer, writer.let(add(mul(at, Lit(self.slot)), Lit(first)))).tiles

            def one(at: Expr, count: int = declared.count) -> None:
                other = writer.var(add(at, ONE))
                with writer.block() as done, writer.loop() as again:
                    writer.leave(done, ge(other, Lit(count)))
                    with writer.when(expressions.bags.same(tiles(at), tiles(other))):
                        otherwise()
                    writer.set(other, add(other, ONE))
                    writer.leave(again)

            expressions.memory.counted(Lit(declared.count - 1), one)


def _width(sizes: list[frozenset[int]], most: int) -> int:
    """Return how many choices of tiles may be tested for one group, of so many tiles at most."""
    return sum(comb(max(most - 1, 0), size - 1) for own in sizes for size in own)
