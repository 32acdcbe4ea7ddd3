"""The faces of tiles: what counts as another tile (2.11).

Input: a value, its type, and the table. Output: the value with the face of each tile in it.
Guarantee: melds keep their labels.
"""

from __future__ import annotations

from collections.abc import Mapping

from golpae.ir.ruleset import ScoreDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Each, Opt, Tile, Type
from golpae.ir.types import Meld as MeldType
from tests.judge.table import Table
from tests.judge.values import Bag, Meld, Value, bag, members


def by_face(value: Value, kind: Type, table: Table) -> Value:
    """Return a value with the face of each tile."""
    match kind:
        case Tile():
            return table.face(value) if isinstance(value, int) else value
        case Opt(item):
            return None if value is None else by_face(value, item, table)
        case MeldType():
            own = faces(members(value), table)
            return Meld(own, value.label) if isinstance(value, Meld) else own
        case BagType(Tile()):
            return faces(members(value), table)
        case BagType(item):
            return bag(by_face(member, item, table) for member in members(value))
        case Each(item):
            assert isinstance(value, tuple)
            return tuple(by_face(own, item, table) for own in value)
        case _:
            return value


def faces(tiles: Bag, table: Table) -> Bag:
    """Return the faces of tiles."""
    return bag(by_face(tile, Tile(), table) for tile in tiles)


def of_melds(melds: Bag, table: Table) -> Bag:
    """Return melds with the faces of their tiles."""
    return bag(by_face(meld, MeldType(), table) for meld in melds)


def of_given(score: ScoreDecl, given: Mapping[str, Value], table: Table) -> dict[str, Value]:
    """Return what is given with a score, with the faces of the tiles in it (2.12)."""
    kinds = {param.name: param.type for param in score.params}
    return {name: by_face(value, kinds[name], table) for name, value in given.items()}
