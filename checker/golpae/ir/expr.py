"""Expressions and effects of the IR: data only.

Every expression carries its type. Operators already differ by what they work on (`eq` of values, `bag_eq` of bags),
so a reader needs no types to choose a meaning.

The file is long because it is data alone, a class for each node, of which readers look for one at a time.

Input: none. Output: the node classes and the unions `Expr` and `Effect`.
Guarantee: each class states its `STRUCTURE`, from which all analyses follow; a backend takes the unions apart with
`match`, closed by `assert_never`, so that a class which it forgets fails the type check.
"""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal, NamedTuple, get_args

from golpae.ir.structure import ADDED_LATER, Reads, Refers, Structure, Writes
from golpae.ir.types import BOOL, INT, MELD, MELDS, PATTERNS, POINTS, SEAT, TILE, TILES, Bag, Opt, Type
from golpae.records import dataclass


@dataclass(frozen=True, slots=True)
class Const:
    """A truth, a number, a word of a choice, a tile's name, or none (None)."""

    STRUCTURE: ClassVar[Structure] = Structure()

    value: bool | int | str | None
    type: Type


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter, or a name that a quantifier binds."""

    STRUCTURE: ClassVar[Structure] = Structure()

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class StateRead:
    """A state; `seat` if each player has one."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"seat": SEAT}, reads=Reads("state"))

    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class ZoneRead:
    """The tiles or melds in a zone."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"seat": SEAT}, reads=Reads("zone"))

    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class ZoneEnd:
    """The tile at the `front` or `back` of a row, or none."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"seat": SEAT}, reads=Reads("zone", part="end"))

    name: str
    seat: Expr | None
    end: str
    type: Type


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """The tile at a place of a row, counted from 1 at the front, or none."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"seat": SEAT, "number": INT}, reads=Reads("zone", part="places")
    )

    name: str
    seat: Expr | None
    number: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Earlier:
    """The value that an expression had before the event. It contains no other `Earlier`."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"expr": "own"})

    expr: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Fits:
    """True if a tile can be the one at an end of a row, whose order may be hidden."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"tile": TILE, "seat": SEAT}, reads=Reads("zone", part="end")
    )

    tile: Expr
    name: str
    seat: Expr | None
    end: str
    type: Type

    @property
    def there(self) -> Expr:
        """Return the tile that lies there, as far as it is known."""
        return ZoneEnd(self.name, self.seat, self.end, Opt(self.tile.type))


@dataclass(frozen=True, slots=True)
class FitsPlace:
    """True if a tile can be the one at a place of a row, counted from 1 at the front; the order may be hidden."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"tile": TILE, "seat": SEAT, "number": INT}, reads=Reads("zone", part="places")
    )

    tile: Expr
    name: str
    seat: Expr | None
    number: Expr
    type: Type

    @property
    def there(self) -> Expr:
        """Return the tile that lies there, as far as it is known."""
        return ZonePlace(self.name, self.seat, self.number, Opt(self.tile.type))


@dataclass(frozen=True, slots=True)
class FitsOrder:
    """True if tiles, front first, can be the order of a row, which may be hidden."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"tiles": TILES, "seat": SEAT}, reads=Reads("zone", part="order")
    )

    tiles: Expr
    name: str
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class FitsScore:
    """True if recorded patterns are those of an arrangement that gives the score."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"patterns": PATTERNS, "score": POINTS})

    patterns: Expr
    score: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class ScoreNumber:
    """One of the numbers in which the patterns of a score count, of its best way; none if no way counts."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"score": POINTS})

    score: Expr
    number: str
    type: Type


WordName = Literal[
    "players", "tiles", "kinds", "right", "left", "stake", "over", "winner", "hands-played", "total"
]


class Word(NamedTuple):
    """A word of every game: whether it changes during a game, means tiles of the set, belongs to a player."""

    changes: bool
    of_set: bool = False
    of_player: bool = False


WORDS: dict[WordName, Word] = {
    "players": Word(changes=False),
    "tiles": Word(changes=False, of_set=True),
    "kinds": Word(changes=False, of_set=True),
    "right": Word(changes=False, of_player=True),
    "left": Word(changes=False, of_player=True),
    "stake": Word(changes=True),
    "over": Word(changes=True),
    "winner": Word(changes=True),
    "hands-played": Word(changes=True),
    "total": Word(changes=True, of_player=True),
}


@dataclass(frozen=True, slots=True)
class Builtin:
    """A word that every game has, one of WORDS; `seat` for `right`, `left` and `total`."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"seat": SEAT}, reads=Reads("word"))

    name: WordName
    seat: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class OptionRead:
    """The value of an option."""

    STRUCTURE: ClassVar[Structure] = Structure(refers=(Refers("option", "name"),))

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Attr:
    """A number or word that belongs to a tile's name, or its `group`."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"tile": TILE})

    name: str
    tile: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Group:
    """All kinds of one group of the set, each once."""

    STRUCTURE: ClassVar[Structure] = Structure(refers=(Refers("set"),))

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Faces:
    """The face of a tile: the tile that it counts as. Of bags and melds, the same with each tile's face; none of none.

    A meld keeps its label.
    """

    STRUCTURE: ClassVar[Structure] = Structure(children={"arg": None}, refers=(Refers("set"),))

    arg: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class OwnValue:
    """One player's value out of a value for each player."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"values": None, "seat": SEAT})

    values: Expr
    seat: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class CallDef:
    """A definition used with values."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"args": None}, refers=(Refers("definition", "name"),)
    )

    name: str
    args: tuple[Expr, ...]
    type: Type


OpName = Literal[
    "and", "or", "implies", "not",
    "eq", "bag_eq", "lt", "le", "gt", "ge",
    "member", "bag_member", "within", "is_none",
    "add", "sub", "mul", "div", "mod", "pow", "neg", "range",
    "bag_add", "bag_sub", "size", "kinds", "tiles",
    "otherwise", "total",
]  # fmt: skip
OPS: frozenset[str] = frozenset(get_args(OpName))


@dataclass(frozen=True, slots=True)
class Op:
    """One of OPS on its arguments; `and`, `or`, `implies` evaluate the right one only if it matters."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"args": None})

    op: OpName
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class BagOf:
    """The values written between braces, as a bag."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"items": "members"})

    items: tuple[Expr, ...]
    type: Type


QuantKind = Literal["some", "every", "no"]
FoldKind = Literal["count", "sum", "gather", "most", "least", "the", "those", "each"]
End = Literal["front", "back"]


@dataclass(frozen=True, slots=True)
class Quant:
    """`some`, `every` or `no` choice of different members of a bag for `names` makes `body` true.

    With a `size`, there is one name, for a bag of that many members.
    """

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"domain": None, "body": BOOL, "size": INT}, binds="names", scope=("body",)
    )

    kind: QuantKind
    names: tuple[str, ...]
    domain: Expr
    body: Expr
    type: Type
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """`some`, `every` or `no` way to score a hand from the set, by a score block, makes `body` true.

    A way is a hand, what is given with it, and one arrangement of it, counted or not. `body` may read what the
    block's `keep` may read: what is given, parts, defines, patterns as yes or no, `points` and `eligible`; and
    `kept`, whether the way counts. Only a prover decides it.
    """

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"body": BOOL}, foreign=("body",), refers=(Refers("score", "score"), Refers("set"))
    )

    kind: QuantKind
    score: str
    body: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Fold:
    """`count`, `sum`, `gather`, `most`, `least`, `the`, `those` or `each` over the members of a bag that pass
    `test`.

    `gather` joins bags, `each` makes a bag of the items. With a `size`, the one name is a bag of that many members:
    `count` counts such choices, each copy a member of its own, and `each` has an item for each different choice.
    """

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"domain": None, "item": None, "test": BOOL, "size": INT},
        binds="names",
        scope=("item", "test"),
    )

    kind: FoldKind
    names: tuple[str, ...]
    domain: Expr
    item: Expr | None
    test: Expr | None
    type: Type
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class If:
    STRUCTURE: ClassVar[Structure] = Structure(children={"test": BOOL, "yes": "own", "no": "own"})

    test: Expr
    yes: Expr
    no: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class IsShape:
    """True if tiles have a shape or make an arrangement.

    A meld with a label is of that shape, and of the unions that hold it, only.
    """

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"arg": TILES}, refers=(Refers("shape", "shape"), Refers("set"))
    )

    arg: Expr
    shape: str
    type: Type


@dataclass(frozen=True, slots=True)
class LayOut:
    """True if groups of tiles are all the tiles, laid out as an arrangement."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"groups": Bag(TILES), "tiles": TILES},
        refers=(Refers("shape", "arrangement"), Refers("set")),
    )

    groups: Expr
    tiles: Expr
    arrangement: str
    type: Type


@dataclass(frozen=True, slots=True)
class IsBeside:
    """True if tiles and melds make an arrangement in which each meld, as it lies, is one of the groups."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"tiles": TILES, "melds": MELDS},
        refers=(Refers("shape", "arrangement"), Refers("set")),
    )

    tiles: Expr
    melds: Expr
    arrangement: str
    type: Type


PartedKind = Literal["within", "without"]


@dataclass(frozen=True, slots=True)
class Parted:
    """All groups of a shape that are within tiles, each once; or all that can be left of tiles without some of them."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"tiles": TILES}, refers=(Refers("shape", "shape"), Refers("set"))
    )

    kind: PartedKind
    shape: str
    tiles: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class CallScore:
    """The score that a score block gives a hand."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"args": None}, refers=(Refers("score", "name"), Refers("set"))
    )

    name: str
    args: tuple[Expr, ...]
    type: Type


ImplicitKind = Literal["open", "hands", "set", "rest", "winner", "pay", "totals", "winners"]
IMPLICIT: frozenset[str] = frozenset(get_args(ImplicitKind))
# The part of the rules that the value of a recorded key is compared with.
IMPLICIT_REFERS: dict[ImplicitKind, Refers] = {"pay": Refers("payout"), "hands": Refers("dealing")}


@dataclass(frozen=True, slots=True)
class Implicit:
    """A condition that the trace contract sets for every game."""

    STRUCTURE: ClassVar[Structure] = Structure()

    kind: ImplicitKind
    type: Type


# Expressions whose value belongs to a game in progress: there is none before a hand begins.
DuringGame = StateRead | ZoneRead | ZoneEnd | ZonePlace | Earlier | Fits | FitsPlace | FitsOrder | Implicit
Expr = (
    DuringGame
    | Const
    | Local
    | FitsScore
    | ScoreNumber
    | Builtin
    | OptionRead
    | Attr
    | Group
    | Faces
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
    | IsBeside
    | Parted
    | CallScore
)

# ---------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Place:
    """A zone that tiles are moved from or to; `end` is front, back, None (anywhere), or `places`.

    A tile leaves one of the `places`: that of the `number`, counted from 1 at the front.
    """

    STRUCTURE: ClassVar[Structure] = Structure(children={"seat": SEAT, "number": Opt(INT)})

    zone: str
    seat: Expr | None
    end: str | None
    number: Expr | None = field(default=None, metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class MeldPlace:
    """One meld on the table, to which a tile is added or from which it is taken."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"meld": Opt(MELD)})

    meld: Expr


@dataclass(frozen=True, slots=True)
class Move:
    """Moves one tile or a bag of tiles (None: all) and gives a new or grown meld its label."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"what": None, "source": None, "target": None},
        writes=(Writes("zone", "source"), Writes("zone", "target")),
    )

    what: Expr | None
    source: Place | MeldPlace
    target: Place | MeldPlace
    label: str | None


@dataclass(frozen=True, slots=True)
class SetState:
    STRUCTURE: ClassVar[Structure] = Structure(
        children={"seat": SEAT, "value": None}, writes=(Writes("state", "name"),)
    )

    name: str
    seat: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Win:
    """The hand is over, won by a seat, or by nobody (None)."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"seat": SEAT}, writes=(Writes("word", words=("winner", "over")),)
    )

    seat: Expr | None


@dataclass(frozen=True, slots=True)
class Pay:
    STRUCTURE: ClassVar[Structure] = Structure(
        children={"payer": SEAT, "payee": SEAT, "amount": INT}, writes=(Writes("payment"),)
    )

    payer: Expr
    payee: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Gain:
    """A seat scores points that nobody pays."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"seat": SEAT, "amount": INT}, writes=(Writes("payment"),)
    )

    seat: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Shuffle:
    STRUCTURE: ClassVar[Structure] = Structure(children={"zone": None}, writes=(Writes("zone", "zone"),))

    zone: Place


@dataclass(frozen=True, slots=True)
class Cut:
    """So many places of a row, from the front on, go behind the others."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"zone": None, "number": INT}, writes=(Writes("zone", "zone"),)
    )

    zone: Place
    number: Expr


@dataclass(frozen=True, slots=True)
class Arrange:
    """Reveals the order of a row, front first."""

    STRUCTURE: ClassVar[Structure] = Structure(
        children={"zone": None, "tiles": TILES}, writes=(Writes("zone", "zone"),)
    )

    zone: Place
    tiles: Expr


@dataclass(frozen=True, slots=True)
class PassOn:
    """Each player's zone goes to the player on one side, `right` or `left`."""

    STRUCTURE: ClassVar[Structure] = Structure(writes=(Writes("zone", "zone"),))

    zone: str
    side: str


@dataclass(frozen=True, slots=True)
class When:
    STRUCTURE: ClassVar[Structure] = Structure(
        children={"test": BOOL}, nested=("effects", "otherwise"), test="test", unless=("otherwise",)
    )

    test: Expr
    effects: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = field(default=(), metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class ForEach:
    STRUCTURE: ClassVar[Structure] = Structure(
        children={"domain": None}, nested=("effects",), binds="name", scope=("effects",)
    )

    name: str
    domain: Expr
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Ensure:
    """The event is illegal unless the test holds now. `said` are the words of its message, around `values`."""

    STRUCTURE: ClassVar[Structure] = Structure(children={"test": BOOL, "values": None})

    test: Expr
    said: tuple[str, ...]
    values: tuple[Expr, ...]

    @property
    def message(self) -> tuple[str | Expr, ...]:
        """Return words and values in turn."""
        inner = (part for pair in zip(self.values, self.said[1:], strict=True) for part in pair)
        return tuple(part for part in (self.said[0], *inner) if part != "")


Effect = Move | SetState | Win | Pay | Gain | Shuffle | Cut | Arrange | PassOn | When | ForEach | Ensure
