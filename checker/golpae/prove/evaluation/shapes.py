"""Shapes and arrangements of tiles that may be unknown.

Input: tiles, and the name of a shape or an arrangement. Output: whether the tiles are of it; for finite shapes, all
groups or hands. Guarantee: concrete tiles are decided by the oracle; others by a formula that is exact, or by a symbol.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from itertools import chain, combinations, combinations_with_replacement, permutations
from math import comb, inf

from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import IT, is_among
from golpae.ir.traverse import conjuncts, names_in
from golpae.ir.types import INT, TILES
from golpae.prove.evaluation.context import Context, Evaluate
from golpae.prove.symbolic.parts import MOST_OF_CLAUSE, parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    MeldValue,
    Truth,
    Value,
    all_of,
    any_of,
    as_bag,
    as_truth,
    at_least,
    bags_same,
    conj,
    equal,
    group_bag,
    iff,
    implies,
    size,
    tiles_of,
    within,
)

OF_FACES = ir.Faces(IT, TILES)  # the tiles of a group, as what they count as
MOST_GROUPS = 600  # of a shape, to enumerate them
MOST_PARTS = 3_000  # of groups of a shape, of as many tiles each, to enumerate the groups
MOST_TILES = 12  # whose groups are looked for
MOST_HANDS = 60_000  # hands of an arrangement, to enumerate them


class ShapeEncoder:
    """Shapes and arrangements of one table. `evaluate` is needed for shapes that are a test of all their tiles."""

    def __init__(self, context: Context, evaluate: Evaluate) -> None:
        self._context = context
        self._oracle = context.oracle
        self._evaluate = evaluate
        # a bag of faces can have more of a kind than the set has
        self._most = {kind: often for kind, often in enumerate(context.instance.by_face()) if often}
        self._hands: dict[str, list[Bag]] = {}
        self._groups: dict[str, list[MeldValue]] = {}
        self._endless: set[str] = set()

    def belongs(self, arrangement: str, name: str) -> Truth:
        """Return whether an arrangement has a name, or belongs to the union of that name."""
        return is_among(arrangement, name, self._context.arrangements)

    def is_shape(self, value: Value, name: str) -> Truth:
        """Return whether tiles are of a shape or make an arrangement."""
        if value is None:
            return False
        if isinstance(value, MeldValue):
            return self._oracle.holds(value.tiles, value.label, name)
        bag = as_bag(value)
        if bag.concrete:
            return self._oracle.holds(bag.tiles(), None, name)
        if name in self._context.shape_decls:
            shape = self._context.shape_decls[name]
            if shape.union:
                return any_of(self.is_shape(bag, u) for u in shape.union)
            assert shape.test is not None
            if not shape.names and shape.wild is None and not self._context.instance.wild:
                tiles = size(bag)
                fits_size = (
                    conj(at_least(tiles, shape.size), at_least(shape.most, tiles))
                    if shape.most
                    else equal(tiles, shape.size)
                )
                return conj(fits_size, as_truth(self._evaluate(shape.test, None, {"it": bag})))
            groups = self._oracle.groups(name) if shape.names else ()
            if shape.names and len(groups) <= MOST_GROUPS and not shape.most:
                return any_of(bags_same(bag, group_bag(MeldValue(g))) for g in groups)
        elif name not in self._context.arrangements:
            return False  # a label, which only melds have
        return self._context.abstraction.truth(f"is {name}", (bag,), partial(self._exactly, bag, name))

    def _exactly(self, bag: Bag, name: str, holds: Value) -> Truth:
        """Return when tiles make an arrangement; a bag of more tiles than the set has is left open."""
        exact = iff(holds, any_of(bags_same(bag, h) for h in self.hands(name)))
        declared = self._context.shape_decls.get(name)
        return exact if declared is not None and not declared.most else implies(self.in_set(bag), exact)

    def in_set(self, bag: Bag) -> Truth:
        """Return whether the set has all tiles of a bag, or tiles with these faces."""
        return within(bag, Bag(dict(self._most)))

    def can_be(self, tiles: tuple[int, ...]) -> bool:
        """Return whether the set has so many tiles of each kind, or with its face."""
        return all(tiles.count(tile) <= self._most.get(tile, 0) for tile in set(tiles))

    def is_beside(self, tiles: Bag, melds: Bag, name: str) -> Truth:
        """Return whether tiles and melds make an arrangement in which each meld, as it lies, is one of the groups."""
        if tiles.concrete and melds.concrete and not melds.counts:
            return self.is_shape(tiles, name)
        return self._context.abstraction.truth(f"beside is {name}", (tiles, melds), partial(_inexact, name))

    def parted(self, kind: ir.PartedKind, bag: Bag, name: str) -> Bag:
        """Return the groups of a shape within known tiles, or what can be left without some. Raises `Unsupported`."""
        if not bag.concrete:
            raise Unsupported(f"`{name}` {kind} unknown tiles")
        tiles = tuple(sorted(bag.tiles()))
        if len(tiles) > MOST_TILES:
            raise Unsupported(f"`{name}` {kind} more than {MOST_TILES} tiles")
        sub_bags = {group for size in range(1, len(tiles) + 1) for group in combinations(tiles, size)}
        groups = {group for group in sub_bags if self._oracle.holds(group, None, name)}
        members = groups if kind == "within" else _rests(tiles, groups)
        return Bag({MeldValue(group): 1 for group in members})

    def make_arrangement(self, groups: Bag, tiles: Bag, name: str) -> Truth:
        """Return whether groups are all of some tiles, laid out as an arrangement."""
        return conj(bags_same(tiles_of(groups), tiles), self._are_parts(groups, name))

    def _are_parts(self, groups: Bag, name: str) -> Truth:
        arrangement = self._context.arrangements[name]
        if arrangement.union:
            return any_of(self._are_parts(groups, u) for u in arrangement.union)
        if len(arrangement.parts) != 1:
            raise Unsupported(f"laying groups of several shapes as `{name}`")
        part = arrangement.parts[0]
        right = [equal(size(groups), part.count)]
        for group, count in groups.items():
            if not self._oracle.holds(group.tiles, None, part.shape):
                right.append(equal(count, 0))
            elif part.different:
                right.append(at_least(1, count))
        return all_of(right)

    # ------------------------------------------------------------------ enumerations

    def candidates(self, name: str) -> list[MeldValue]:
        """Return the groups that an arrangement can have. Raises `Unsupported` if they cannot be enumerated."""
        arrangement = self._context.arrangements[name]
        if arrangement.union:
            return list(dict.fromkeys(g for u in arrangement.union for g in self.candidates(u)))
        return list(dict.fromkeys(g for part in arrangement.parts for g in self.groups(part.shape)))

    def groups(self, shape: str) -> list[MeldValue]:
        """Return the groups of a shape. Raises `Unsupported` if they cannot be enumerated."""
        if shape not in self._groups:
            with parts_apart(MOST_OF_CLAUSE):  # they are kept for whatever asks next
                self._groups[shape] = self._enumerated(shape)
        return self._groups[shape]

    def _enumerated(self, shape: str) -> list[MeldValue]:
        decl = self._context.shape_decls[shape]
        if decl.union:
            return list(dict.fromkeys(g for u in decl.union for g in self.groups(u)))
        if decl.names:
            return [MeldValue(g) for g in sorted(self._oracle.groups(shape))]
        assert decl.test is not None
        for part in () if self._context.instance.wild else conjuncts(decl.test):
            if isinstance(part, ir.IsShape) and part.arg in (IT, OF_FACES):
                if part.shape in self._context.arrangements:
                    hands = [MeldValue(h.tiles()) for h in self.hands(part.shape)]
                else:
                    hands = self.groups(part.shape)
                return [h for h in hands if self._oracle.holds(h.tiles, None, shape)]
        kinds = sorted({*self._most, *self._context.instance.wild})
        sizes = [own for own in decl.sizes if own <= sum(self._context.copies.values())]
        if sum(comb(len(kinds) + own - 1, own) for own in sizes) > MOST_GROUPS:
            tests = conjuncts(decl.test)
            if self._context.instance.wild or not all(_holds_of_parts(t) or _kinds(t) for t in tests):
                raise Unsupported(f"listing the groups of `{shape}`, whose test is of all its tiles together")
            return self._grown(decl, kinds, sizes)
        of_sizes = chain.from_iterable(combinations_with_replacement(kinds, own) for own in sizes)
        bags = filter(self.can_be, of_sizes)
        return [MeldValue(bag) for bag in bags if self._oracle.holds(bag, None, shape)]

    def _grown(self, decl: ShapeDecl, kinds: Sequence[int], sizes: Collection[int]) -> list[MeldValue]:
        """Return the groups of a shape by adding tile after tile, if each test holds of all parts of a group, or says
        how many kinds a group has.
        """
        assert decl.test is not None
        tests = [test for test in conjuncts(decl.test) if isinstance(test, ir.Quant)]
        known: dict[tuple[int, tuple[int, ...]], bool] = {}
        faces = self._context.instance.faces

        def holds(number: int, chosen: tuple[int, ...]) -> bool:
            if tests[number].domain != IT:  # of what each tile counts as
                chosen = tuple(faces[kind] for kind in chosen)
            if (number, chosen) not in known:
                test = tests[number]
                body = self._evaluate(test.body, None, dict(zip(test.names, chosen, strict=True)))
                if not isinstance(body, bool):
                    raise Unsupported(f"listing the groups of `{decl.name}`, whose test is not known")
                known[number, chosen] = body is (test.kind == "every")
            return known[number, chosen]

        def may_be(part: tuple[int, ...]) -> bool:
            return self.can_be(part) and all(
                holds(number, chosen)
                for number, test in enumerate(tests)
                for chosen in permutations(part, len(test.names))
                if part[-1] in chosen
            )

        largest = max(sizes, default=0)
        usable = [kind for kind in kinds if may_be((kind,))]
        bounds = [bound for test in conjuncts(decl.test) if (bound := _kinds(test))]

        def can_have_kinds(part: tuple[int, ...], is_whole: bool = False) -> bool:
            further = min(largest - len(part), sum(kind > part[-1] for kind in usable))
            for low, high, of_faces in bounds:
                own = len({faces[kind] if of_faces else kind for kind in part})
                if own > high or own + (0 if is_whole else further) < low:
                    return False
            return True

        groups: list[MeldValue] = []
        parts: list[tuple[int, ...]] = [()]
        for own in range(1, largest + 1):
            larger = ((*part, kind) for part in parts for kind in usable if not part or kind >= part[-1])
            parts = [part for part in larger if can_have_kinds(part) and may_be(part)]
            if len(parts) > MOST_PARTS:
                raise Unsupported(f"listing the groups of `{decl.name}`, which are too many")
            groups += [MeldValue(part) for part in parts if own in sizes and can_have_kinds(part, True)]
        return groups

    def hands(self, name: str) -> list[Bag]:
        """Return every bag of tiles of the set that makes an arrangement. Raises `Unsupported` if they are too many."""
        if name in self._endless:
            raise Unsupported(f"the hands of `{name}`: there are too many to list")
        if name not in self._hands:
            self._endless.add(name)  # until they are enumerated
            if name in self._context.shape_decls:
                hands = {g.tiles for g in self.groups(name)}
            else:
                hands = self._laid_out(name)
            self._endless.discard(name)
            self._hands[name] = [group_bag(MeldValue(h)) for h in sorted(hands)]
        return self._hands[name]

    def _laid_out(self, name: str) -> set[tuple[int, ...]]:
        in_set = self.can_be
        arrangement = self._context.arrangements[name]
        if arrangement.union:
            return set().union(*(self._laid_out(u) for u in arrangement.union))
        hands: set[tuple[int, ...]] = {()}
        for part in arrangement.parts:
            groups = [g.tiles for g in self.groups(part.shape)]
            grown: set[tuple[tuple[int, ...], int]] = {((), -1)}
            for _ in range(part.count):
                larger: set[tuple[tuple[int, ...], int]] = set()
                for tiles, last in grown:
                    for i in range(last + 1 if part.different else max(last, 0), len(groups)):
                        if in_set((*tiles, *groups[i])):
                            larger.add((tuple(sorted((*tiles, *groups[i]))), i))
                    if len(larger) > MOST_HANDS:
                        raise Unsupported(f"the hands of `{name}`: there are too many to list")
                grown = larger
            own = {tiles for tiles, _ in grown}
            hands = {h for a in hands for b in own if in_set(h := tuple(sorted((*a, *b))))}
            if len(hands) > MOST_HANDS:
                raise Unsupported(f"the hands of `{name}`: there are too many to list")
        return hands


def _rests(tiles: tuple[int, ...], groups: Collection[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return all remainders of tiles after any number of groups is taken out."""
    remainders, waiting = {tiles}, [tiles]
    while waiting:
        left = waiting.pop()
        for group in groups:
            less = Counter(left)
            less.subtract(group)
            rest = tuple(sorted(less.elements()))
            if min(less.values()) >= 0 and rest not in remainders:
                remainders.add(rest)
                waiting.append(rest)
    return remainders


def _holds_of_parts(test: ir.Expr) -> bool:
    """Return whether a test of tiles holds of all parts of them if it holds of them."""
    if not isinstance(test, ir.Quant) or test.kind == "some" or test.size is not None:
        return False
    return test.domain in (IT, OF_FACES) and IT.name not in names_in(test.body)


def _kinds(test: ir.Expr) -> tuple[int, float, bool] | None:
    """Return the least and the most kinds of tiles, if a test says only this: `size of kinds of it = 13`; and whether
    it counts those that the tiles count as.
    """
    if not isinstance(test, ir.Op) or len(test.args) != 2:
        return None
    said, number = test.args
    plain, faced = (ir.Op("size", (ir.Op("kinds", (tiles,), TILES),), INT) for tiles in (IT, OF_FACES))
    if said not in (plain, faced) or not isinstance(number, ir.Const) or not isinstance(number.value, int):
        return None
    bounds = {"eq": (number.value, number.value), "ge": (number.value, inf), "le": (0, number.value)}
    return (*bounds[test.op], said == faced) if test.op in bounds else None


def _inexact(name: str, holds: Value) -> Truth:
    raise Unsupported(f"tiles beside melds as `{name}`")
