"""Expressions and effects of the IR: data only.

Every expression carries its type. Operators are already told apart by what they work on (`eq` of values,
`bag_eq` of bags), so a reader needs no types to choose a meaning.
"""

from __future__ import annotations

from dataclasses import dataclass

from golpae.ir.types import Type


@dataclass(frozen=True, slots=True)
class Const:
    """A truth, a number, a word of a choice, a tile's name, or none (None)."""

    value: bool | int | str | None
    type: Type


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter or a quantifier's name."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class StateRead:
    """A state; `seat` where each player has one."""

    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class ZoneRead:
    """The tiles, or melds, that lie in a zone."""

    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class ZoneEnd:
    """The tile at the `front` or `back` of a row, or none."""

    name: str
    seat: Expr | None
    end: str
    type: Type


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """The tile at a place of a row, counted from 1 at the front, or none."""

    name: str
    seat: Expr | None
    number: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an expression was before the event that is spoken of; no other stands within it."""

    expr: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Fits:
    """Whether a tile can be the one at an end of a row, as far as its order is known."""

    tile: Expr
    name: str
    seat: Expr | None
    end: str
    type: Type


@dataclass(frozen=True, slots=True)
class FitsOrder:
    """Whether tiles, front first, can be the order of a row, as far as it is known."""

    tiles: Expr
    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class FitsScore:
    """Whether patterns, as recorded, can be those of a score: of one of the arrangements that score it."""

    patterns: Expr
    score: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Builtin:
    """A word that every game has: players, tiles, kinds, stake, over, winner, hands-played, total, right,
    left.
    """

    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class OptionRead:
    """The value of an option."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Attr:
    """A number or word that belongs to a tile's name, or its `group`."""

    name: str
    tile: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Group:
    """All kinds of one group of the set, each once."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class OwnValue:
    """One player's value out of a value for each player."""

    values: Expr
    seat: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class CallDef:
    """A definition used with values."""

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Op:
    """One of OPS on its arguments; `and`, `or`, `implies` look at the right one only where it matters."""

    op: str
    args: tuple[Expr, ...]
    type: Type


OPS = frozenset(
    "and or implies not eq ne bag_eq bag_ne lt le gt ge member bag_member within "
    "add sub mul div mod pow neg bag_add bag_sub size kinds is_none otherwise range total".split()
)


@dataclass(frozen=True, slots=True)
class BagOf:
    """The values written out between braces."""

    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Quant:
    """`some`, `every` or `no` choice of different members of a bag for `names` makes `body` true.

    With a `size`, the one name stands for so many members of the bag together, themselves a bag.
    """

    kind: str
    names: tuple[str, ...]
    domain: Expr
    body: Expr
    type: Type
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """`some`, `every` or `no` way to score a hand from the set, by a score block, makes `body` true.

    A way is a hand, what is given with it, and one arrangement of it, counted or not. `body` may speak of all
    that the block's `keep` may: what is given, parts, defines, patterns as yes or no, `points` and `eligible`;
    `kept` is whether the way counts. Only a prover decides it.
    """

    kind: str
    score: str
    body: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Fold:
    """`count`, `sum`, `gather`, `most`, `least`, `the`, `those` or `each` over the members of a bag that pass
    `test`.

    `gather` joins bags, `each` makes a bag of the items. With a `size`, `count` counts the choices of so many members
    of the bag together, for which the one name stands as a bag; each copy is a member of its own.
    """

    kind: str
    names: tuple[str, ...]
    domain: Expr
    item: Expr | None
    test: Expr | None
    type: Type
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    yes: Expr
    no: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class IsShape:
    """Whether tiles are of a shape or make an arrangement.

    A meld with a label is of that shape, and of the unions that hold it, only.
    """

    arg: Expr
    shape: str
    type: Type


@dataclass(frozen=True, slots=True)
class LayOut:
    """Whether groups of tiles are all the tiles, laid out as an arrangement."""

    groups: Expr
    tiles: Expr
    arrangement: str
    type: Type


@dataclass(frozen=True, slots=True)
class CallScore:
    """What a score block says of a hand."""

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Implicit:
    """A condition that the trace contract sets for every game; `kind` is one of IMPLICIT."""

    kind: str
    type: Type


IMPLICIT = frozenset("open hands set rest winner pay totals winners".split())

Expr = (
    Const
    | Local
    | StateRead
    | ZoneRead
    | ZoneEnd
    | ZonePlace
    | Earlier
    | Fits
    | FitsOrder
    | FitsScore
    | Builtin
    | OptionRead
    | Attr
    | Group
    | OwnValue
    | CallDef
    | Op
    | BagOf
    | Quant
    | Ways
    | Fold
    | If
    | IsShape
    | LayOut
    | CallScore
    | Implicit
)

# ---------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Place:
    """A zone that tiles are moved from or to; `end` is front, back or None (anywhere)."""

    zone: str
    seat: Expr | None
    end: str | None


@dataclass(frozen=True, slots=True)
class MeldPlace:
    """One meld on the table, to which a tile is added or from which it is taken."""

    meld: Expr


@dataclass(frozen=True, slots=True)
class Move:
    """Moves one tile or a bag of tiles (None: all) and gives a new or grown meld its label."""

    what: Expr | None
    source: Place | MeldPlace
    target: Place | MeldPlace
    label: str | None


@dataclass(frozen=True, slots=True)
class SetState:
    name: str
    seat: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Win:
    """The hand is over, won by a seat, or by nobody (None)."""

    seat: Expr | None


@dataclass(frozen=True, slots=True)
class Pay:
    payer: Expr
    payee: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Gain:
    """A seat scores points that nobody pays."""

    seat: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Shuffle:
    zone: Place


@dataclass(frozen=True, slots=True)
class Arrange:
    """The order of a row becomes known, front first."""

    zone: Place
    tiles: Expr


@dataclass(frozen=True, slots=True)
class PassOn:
    """Each player's zone goes to the player on one side, `right` or `left`."""

    zone: str
    side: str


@dataclass(frozen=True, slots=True)
class When:
    test: Expr
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class ForEach:
    name: str
    domain: Expr
    effects: tuple[Effect, ...]


Effect = Move | SetState | Win | Pay | Gain | Shuffle | Arrange | PassOn | When | ForEach
