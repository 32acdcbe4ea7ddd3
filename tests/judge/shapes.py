"""Shapes and arrangements, by trying everything (8.1 to 8.4).

Input: tiles, melds, groups; the name of a shape or an arrangement. Output: whether it holds of them; all ways to cut
tiles into the parts of an arrangement.
Guarantee: ways that differ only in the order of groups come once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise, permutations

from golpae.ir.ruleset import ArrangementDecl, PartDecl, ShapeDecl
from golpae.ir.scoring import WILD
from tests.judge.evaluate import Scene, evaluate
from tests.judge.faces import faces, of_melds
from tests.judge.table import Table
from tests.judge.values import Arranged, Bag, Meld, Value, bag, members, sub_bags, truth

Groups = tuple[Bag, ...]  # for each part the bag of its groups, melds with or without a label


def is_of(value: Value, name: str, scene: Scene) -> bool:
    """Return whether a shape or an arrangement holds of a value (8.4)."""
    table = scene.table
    if isinstance(value, Arranged):
        return name == value.name or any(leaf.name == value.name for leaf in leaves(name, table))
    if table.arrangement(name) is not None:
        return arranged(members(value), name, scene)
    if isinstance(value, Meld) and value.label is not None:
        return value.label in (name, *joined(name, table))
    return holds(name, members(value), scene)


def joined(name: str, table: Table) -> list[str]:
    """Return the shapes that a union joins, directly or through others."""
    shape = table.shape(name)
    parts = () if shape is None else shape.union
    return [*parts, *(inner for part in parts for inner in joined(part, table))]


def holds(name: str, tiles: Bag, scene: Scene) -> bool:
    """Return whether a shape holds of tiles (8.1). A label that is no shape holds of no tiles.

    The test of a shape reads no state, so that the table remembers what it found.
    """
    known = scene.table.known_shapes
    if (name, tiles) not in known:
        known[name, tiles] = _holds(name, tiles, scene)
    return known[name, tiles]


def _holds(name: str, tiles: Bag, scene: Scene) -> bool:
    table = scene.table
    shape = table.shape(name)
    if shape is None:
        return False
    if shape.union:
        return True in [holds(part, tiles, scene) for part in shape.union]
    if len(tiles) not in sizes(name, table):
        return False
    own = [tile for tile in tiles if not (isinstance(tile, int) and table.is_wild(tile))]
    wild = len(tiles) - len(own)
    if shape.wild is not None and not truth(evaluate(shape.wild, scene.only({"it": tiles, WILD: wild}))):
        return False
    filled = combinations_with_replacement(sorted(table.counted), wild)  # 2.13
    return True in [_of_faces(shape, faces(bag((*own, *more)), table), scene) for more in filled]


def _of_faces(shape: ShapeDecl, tiles: Bag, scene: Scene) -> bool:
    """Return whether the test of a shape holds of tiles, each of which counts as itself."""
    if shape.test is None:
        return False
    if not shape.names:
        return truth(evaluate(shape.test, scene.only({"it": tiles})))
    orders = dict.fromkeys(permutations(tiles.members))
    if shape.most:  # each tile and the one behind it
        return True in [all(_follows(shape, *two, scene) for two in pairwise(order)) for order in orders]
    scenes = [scene.only(dict(zip(shape.names, order, strict=True))) for order in orders]
    return True in [truth(evaluate(shape.test, inner)) for inner in scenes]


def _follows(shape: ShapeDecl, tile: Value, behind: Value, scene: Scene) -> bool:
    assert shape.test is not None
    return truth(evaluate(shape.test, scene.only(dict(zip(shape.names, (tile, behind), strict=True)))))


def within(name: str, tiles: Bag, scene: Scene) -> Bag:
    """Return all groups of a shape that are within tiles, each once (8.13)."""
    return bag(group for group in sub_bags(tiles) if len(group) and holds(name, group, scene))


def without(name: str, tiles: Bag, scene: Scene) -> Bag:
    """Return all that can be left of tiles if groups of a shape are taken out (8.13)."""
    groups = within(name, tiles, scene)
    found, waiting = {tiles: None}, [tiles]
    while waiting:
        rest = waiting.pop()
        for group in groups:
            scene.table.spend()
            left = rest.minus(members(group))
            if rest.holds(members(group)) and left not in found:
                found[left] = None
                waiting.append(left)
    return bag(found)


def beside(tiles: Bag, melds: Bag, name: str, scene: Scene) -> bool:
    """Return whether tiles, with melds as they lie, can be laid out as an arrangement (8.14)."""
    tiles, melds = faces(tiles, scene.table), of_melds(melds, scene.table)  # 2.12
    lying = bag(meld if isinstance(meld, Meld) else Meld(members(meld)) for meld in melds)
    return any(True for leaf in leaves(name, scene.table) for _ in cuts(leaf, tiles, lying, scene))


def leaves(name: str, table: Table) -> list[ArrangementDecl]:
    """Return the arrangements with parts that an arrangement stands for, each once."""
    arrangement = table.arrangement(name)
    assert arrangement is not None
    if not arrangement.union:
        return [arrangement]
    found = [leaf for inner in arrangement.union for leaf in leaves(inner, table)]
    return list({leaf.name: leaf for leaf in found}.values())


def arranged(tiles: Bag, name: str, scene: Scene) -> bool:
    """Return whether an arrangement holds of tiles (8.3)."""
    tiles = faces(tiles, scene.table)  # 2.12
    return any(True for leaf in leaves(name, scene.table) for _ in cuts(leaf, tiles, Bag(), scene))


def lays_out(groups: Bag, tiles: Bag, name: str, scene: Scene) -> bool:
    """Return whether groups are the tiles, and the groups of one way to cut them (8.4).

    Only the tiles of the groups count, not their labels.
    """
    laid = bag(faces(members(group), scene.table) for group in groups)
    if bag(tile for group in groups for tile in members(group)) != tiles:
        return False
    tiles = faces(tiles, scene.table)
    return any(
        laid == bag(members(group) for part in cut for group in part)
        for leaf in leaves(name, scene.table)
        for cut in cuts(leaf, tiles, Bag(), scene)
    )


def cuts(arrangement: ArrangementDecl, tiles: Bag, fixed: Bag, scene: Scene) -> Iterator[Groups]:
    """Return every way to cut tiles into groups that, with all melds of `fixed`, are the parts (8.3, 8.5).

    The first tile that is left has to be in some group: of each part that lacks groups, with each choice of others.
    """
    parts = arrangement.parts
    found: dict[Groups, None] = {}
    for lying in _lying(parts, fixed.members, (), scene):
        for cut in _cut(parts, lying, tiles, scene):
            groups = tuple(bag(meld for at, meld in cut if at == place) for place in range(len(parts)))
            if all(not part.different or _differ(own) for part, own in zip(parts, groups, strict=True)):
                found[groups] = None
    yield from found


Cut = tuple[tuple[int, Meld], ...]  # groups, each with the place of its part


def _lacks(parts: tuple[PartDecl, ...], cut: Cut, place: int) -> bool:
    """Return whether a part lacks groups."""
    return sum(at == place for at, _ in cut) < parts[place].count


def _lying(parts: tuple[PartDecl, ...], melds: tuple[Value, ...], cut: Cut, scene: Scene) -> Iterator[Cut]:
    """Return every way to make all these melds groups of parts."""
    if not melds:
        yield cut
        return
    meld, *others = melds
    assert isinstance(meld, Meld)
    for place, part in enumerate(parts):
        if _lacks(parts, cut, place) and is_of(meld, part.shape, scene):
            yield from _lying(parts, tuple(others), (*cut, (place, meld)), scene)


def _cut(parts: tuple[PartDecl, ...], cut: Cut, tiles: Bag, scene: Scene) -> Iterator[Cut]:
    """Return every way to cut the tiles that are left into the groups that are left."""
    if not tiles.members:
        if not any(_lacks(parts, cut, place) for place in range(len(parts))):
            yield cut
        return
    first, *others = tiles.members
    for place, part in enumerate(parts):
        if not _lacks(parts, cut, place):
            continue
        some = [size for size in sizes(part.shape, scene.table) if size <= len(tiles)]
        chosen = [rest for size in some for rest in combinations(others, size - 1)]
        for rest in dict.fromkeys(chosen):
            scene.table.spend()
            group = bag((first, *rest))
            if holds(part.shape, group, scene):
                yield from _cut(parts, (*cut, (place, Meld(group))), tiles.minus(group), scene)


def _differ(groups: Bag) -> bool:
    return len({members(group) for group in groups}) == len(groups)


def sizes(name: str, table: Table) -> list[int]:
    """Return how many tiles a shape can have."""
    shape = table.shape(name)
    if shape is None:
        return []
    if shape.union:
        return sorted({size for part in shape.union for size in sizes(part, table)})
    return [*range(shape.size, (shape.most or shape.size) + 1)]
