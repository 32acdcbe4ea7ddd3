"""The surface tree: a rule text as its author wrote it, names not yet looked up.

Input: nothing but spans. Output: the node classes and their unions (`Expr`, `Effect`, `Type`, `Body`, `Decl`).
Guarantee: nodes are plain immutable data; `span` is not part of their equality, so that a formatted text parses to
an equal tree. Names of nodes follow the words of the language. The file is long because it is data alone: one
class for each construct, in the order of the language reference.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from golpae.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Node:
    """A node. If its value may be none and can be compared with none once for all that follows, `PLACE` writes it.

    `bracketed`: its author wrote brackets round it, which the formatter keeps where they help.
    """

    PLACE: ClassVar[str | None] = None

    span: Span = field(compare=False, repr=False)
    bracketed: bool = field(default=False, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name as written, with its place."""

    text: str


@dataclass(frozen=True, slots=True)
class Remarks:
    """Comment lines above a line, the comment at its end, and comment lines below it.

    Those below come after all lines of its block and are indented like them; without a block, they are one step
    further in than the line.
    """

    above: tuple[str, ...] = ()
    behind: str | None = None
    below: tuple[str, ...] = ()


NO_REMARKS = Remarks()

# Words of the language that say which form a node has.
UnaryOp = Literal["not", "-", "size of", "kinds of", "faces of"]
Comparison = Literal["=", "/=", "<", "<=", ">", ">="]
Arithmetic = Literal["+", "-", "*", "div", "mod"]
BinaryOp = Literal["and", "or", "implies", "in", "not in", "fits", "otherwise", "^"] | Comparison | Arithmetic
End = Literal["top", "front", "back"]
Quantifier = Literal["some", "every", "no"]
FoldKind = Literal[
    "number of", "sum of", "most of", "least of", "the", "the one", "those", "the next", "the last"
]
Rounds = Literal["until", "while"]
Viewer = Literal["nobody", "everyone", "its owner", "everyone but its owner"]
Direction = Literal["up", "down"]
ExtremeKind = Literal["smaller", "larger"]
NextSide = Literal["after", "before"]
Scope = Literal["hand", "match", "table"]  # no text can say `table`
DefineOwner = Literal["tile", "player"]
LifecycleKind = Literal["deal", "end", "finish", "payout"]
ActionWord = Literal["action"] | LifecycleKind
GroupKind = Literal["effects", "conditions"]
DeltaKind = Literal["replace", "add", "drop", "expect"]
SwitchKind = Literal["variant", "reading"]
ShareWord = Literal["about", "over", "under", "between"]
PropertyWord = Literal["theorem", "always", "never", "reachable", "ends", "claim"]

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`none`"""


@dataclass(frozen=True, slots=True)
class TileName(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name. With `words`, it was written out, and is one of these words."""

    PLACE = "{name}"

    name: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Possessive(Node):
    """`owner's name`; an owner that is the word `it` may be written `its name`."""

    PLACE = "{owner}'s {name}"

    owner: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name(a, b)`, or `name(x: a, y: b)` if `names` gives the parameter of each value"""

    name: str
    args: tuple[Expr, ...]
    names: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Bag(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class EachOf(Node):
    """`{item for name in domain: test}`; with a `size`, the name is each choice of that many members."""

    item: Expr
    name: Word
    domain: Expr
    test: Expr | None
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class RangeBag(Node):
    """`{low to high}`: the numbers from one to the other"""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`not`, `-`, `size of`, `kinds of`, `faces of`"""

    op: UnaryOp
    arg: Expr


@dataclass(frozen=True, slots=True)
class RowEnd(Node):
    """`top of`, `front of`, `back of` a row"""

    PLACE = "{side} of {row}"

    end: End
    row: Expr

    @property
    def side(self) -> str:
        """Return `front` or `back`; the top is the back."""
        return "back" if self.end == "top" else self.end


@dataclass(frozen=True, slots=True)
class RowPlace(Node):
    """`row at number`, `row at number from the back`: a place of a row, counted from the front or the back"""

    PLACE = "{row} at {number}"

    row: Expr
    number: Expr
    end: Literal["front", "back"] = "front"


RowPart = RowEnd | RowPlace


def place_in_row(span: Span, row: Expr, number: Expr, end: Literal["front", "back"] = "front") -> RowPlace:
    """Return a place of a row, counted from an end."""
    return RowPlace(span, row, number, end)


@dataclass(frozen=True, slots=True)
class Earlier(Node):
    """`earlier(arg)`: its value before the event"""

    PLACE = "earlier({arg})"

    arg: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`and or implies = /= < <= > >= in`, `not in`, `+ - * div mod ^`, `otherwise`, `fits`"""

    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`arg is word` or `arg is not word`; the word is `empty`, `none` or a shape's name."""

    arg: Expr
    word: Word
    negated: bool


PartedKind = Literal["within", "without"]


@dataclass(frozen=True, slots=True)
class Parted(Node):
    """`runs within tiles`: all groups of a shape; `tiles without runs`: all that can be left if such are taken out."""

    kind: PartedKind
    shape: Word
    tiles: Expr


@dataclass(frozen=True, slots=True)
class Beside(Node):
    """`tiles beside melds is arrangement` or `... is not arrangement`"""

    tiles: Expr
    melds: Expr
    arrangement: Word
    negated: bool


@dataclass(frozen=True, slots=True)
class LayOut(Node):
    """`groups lay out tiles as arrangement`"""

    groups: Expr
    tiles: Expr
    arrangement: Word


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`some`, `every` or `no` names in domain: body. With a `size`, one name means that many tiles together."""

    kind: Quantifier
    names: tuple[Word, ...]
    domain: Expr
    body: Expr
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class Ways(Node):
    """`some`, `every` or `no` way of score: body"""

    kind: Quantifier
    score: Word
    body: Expr


@dataclass(frozen=True, slots=True)
class Share(Node):
    """`about 14% of hands by greedy: event`; `percents` are as written, two of them after `between`. Only what a
    property states can be one, or its last side of `implies`.
    """

    word: ShareWord
    percents: tuple[Word, ...]
    policy: Word
    event: Expr


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """`number of`, `the` or `those` names in domain: test, or a total of an item for name in domain: test.

    Totals are `sum of`, `most of` and `least of`. `the one` has to be there: it is the value of a `where`. The domain
    of `the next q after p: test` and of `the last q before p: test` is the player `p`. `number of` with a `size` counts
    choices: one name means that many tiles together.
    """

    kind: FoldKind
    names: tuple[Word, ...]
    domain: Expr
    item: Expr | None
    test: Expr | None
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class Rounded(Node):
    """`number rounded up to unit`, or `down`"""

    number: Expr
    direction: Direction
    unit: Expr


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """`the smaller of left and right`, or `the larger of`"""

    kind: ExtremeKind
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class NextTo(Node):
    """`next after item in order`, or `next before`; the order is an `order`, a `circle` or a kind in order."""

    PLACE = "next {side} {item} in {order}"

    side: NextSide
    item: Expr
    order: str


@dataclass(frozen=True, slots=True)
class PlaceOf(Node):
    """`place of item in order`, counted from 1"""

    item: Expr
    order: str


@dataclass(frozen=True, slots=True)
class If(Node):
    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class CaseRow(Node):
    """`when test: value`, `key or key: value`, or, without keys, `otherwise: value`; `low to high` is a `RangeBag`.

    `number` is the place that a question has in its text, if a switch changed the rows; else it is the place here.
    """

    keys: tuple[Expr, ...]
    value: Expr
    ids: tuple[Word, ...] = ()
    remarks: Remarks = NO_REMARKS
    number: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Cases(Node):
    """A value by cases, what a definition is: of the first row whose test holds, or one of whose keys `by` equals.

    With `in_line`, its author wrote the rows on one line.
    """

    by: Expr | None
    rows: tuple[CaseRow, ...]
    in_line: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A name for a value, of the kind that is stated, if one is; no text can write it."""

    name: Word
    type: Type | None
    expr: Expr


@dataclass(frozen=True, slots=True)
class With(Node):
    """`body`, in which names stand for values; no text can write it."""

    values: tuple[Value, ...]
    body: Expr


Expr = (
    Number
    | Truth
    | Nothing
    | TileName
    | Name
    | Possessive
    | Call
    | Bag
    | EachOf
    | RangeBag
    | Unary
    | RowEnd
    | RowPlace
    | Earlier
    | Binary
    | Is
    | LayOut
    | Beside
    | Parted
    | Quantified
    | Ways
    | Share
    | Fold
    | Rounded
    | Extreme
    | NextTo
    | PlaceOf
    | If
    | Cases
    | With
)

# -------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class EffectNode(Node):
    """An effect. In a block it has the comments of its line; the first and the last effect of a line share them."""

    remarks: Remarks = field(default=NO_REMARKS, kw_only=True)


@dataclass(frozen=True, slots=True)
class Move(EffectNode):
    """`move what from a to b as label`; `what` None is `all`."""

    what: Expr | None
    source: Expr
    target: Expr
    label: Word | None


@dataclass(frozen=True, slots=True)
class Assign(EffectNode):
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Wins(EffectNode):
    """`p wins`, or `nobody wins` if `seat` is None; `the hand is over` says the same if there are no winners."""

    seat: Expr | None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Pays(EffectNode):
    payer: Expr
    payee: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Scores(EffectNode):
    seat: Expr
    amount: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(EffectNode):
    row: Expr


@dataclass(frozen=True, slots=True)
class Cut(EffectNode):
    """`cut row at number`: so many tiles from the front go behind the others"""

    row: Expr
    number: Expr


@dataclass(frozen=True, slots=True)
class Arrange(EffectNode):
    """`arrange row as tiles`: everybody knows the order of a row from now on"""

    row: Expr
    tiles: Expr


@dataclass(frozen=True, slots=True)
class PassOn(EffectNode):
    """`pass each player's zone to the right`"""

    zone: Word
    side: Word


@dataclass(frozen=True, slots=True)
class Else(Node):
    """`else: effects`, on a line of its own with the comments of this line; `else when` has one effect, a `When`."""

    effects: tuple[Effect, ...]
    remarks: Remarks = field(default=NO_REMARKS, kw_only=True)


@dataclass(frozen=True, slots=True)
class When(EffectNode):
    test: Expr
    effects: tuple[Effect, ...]
    otherwise: Else | None = None


@dataclass(frozen=True, slots=True)
class ForEach(EffectNode):
    """`for each name in domain: effects`. `spoken`: written as `each player scores 1`, which is the same."""

    name: Word
    domain: Expr
    effects: tuple[Effect, ...]
    spoken: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Repeat(EffectNode):
    """`repeat at most times times until test: effects`; without `rounds`, `repeat times times: effects`."""

    times: Expr
    rounds: Rounds | None
    test: Expr | None
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Use(EffectNode):
    """`name(a, b)`: the effects of a group, with these values; without values it may be the name alone"""

    group: Call


@dataclass(frozen=True, slots=True)
class Given(EffectNode):
    """Effects in which names stand for values; no text can write it. The values are found once, before the effects."""

    values: tuple[Value, ...]
    effects: tuple[Effect, ...]


SimpleEffect = Move | Assign | Wins | Pays | Scores | Shuffle | Cut | Arrange | PassOn | Use
NestingEffect = When | ForEach | Repeat | Given
Effect = SimpleEffect | NestingEffect

# ---------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    name: str


@dataclass(frozen=True, slots=True)
class TypeTruth(Node):
    """`yes or no`"""


@dataclass(frozen=True, slots=True)
class TypeChoice(Node):
    """`one of a, b`"""

    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class TypeRange(Node):
    """`number from a to b`"""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class TypeList(Node):
    """`list of t`"""

    item: Type


@dataclass(frozen=True, slots=True)
class TypeEach(Node):
    """`each player's t`: one value a seat"""

    item: Type


@dataclass(frozen=True, slots=True)
class TypeOrNone(Node):
    item: Type


Type = TypeName | TypeTruth | TypeChoice | TypeRange | TypeList | TypeEach | TypeOrNone


@dataclass(frozen=True, slots=True)
class Param(Node):
    """A parameter, with a type or, if it is written `{a, b}`, with the names of its tiles (`parts`).

    A trace may leave out an `optional` parameter.
    """

    name: str
    type: Type | None
    parts: tuple[Word, ...] | None
    optional: bool = False


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Condition(Node):
    """The body of a clause that must be true, with the message for when it is not.

    `values` are what names stand for in the message; no text can write them. A condition `afterwards` is asked when all
    effects have happened. One with `if stated` asks only if no key that it names is left out.

    `said` are the parts of a message that no text writes. A condition `afterwards` that is `first` is asked before the
    first effect, when the tiles are dealt; no text can write it.
    """

    expr: Expr
    message: str | None
    values: tuple[Value, ...] = ()
    afterwards: bool = False
    if_stated: bool = False
    said: tuple[str | Expr, ...] = ()
    first: bool = False


@dataclass(frozen=True, slots=True)
class Hands(Node):
    """How many tiles are dealt: to the first player and to the others (the same expression for everyone)."""

    first: Expr
    others: Expr
    message: str | None


@dataclass(frozen=True, slots=True)
class Effects(Node):
    """The body of a clause that happens."""

    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Parts(Node):
    """The parts of an arrangement, in a delta."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Names(Node):
    """The patterns that a pattern brings, in a delta."""

    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Requires(Node):
    """`requires group(a, b)`: the conditions of a group, with these values."""

    group: Call


Body = Condition | Hands | Effects | Parts | Names | Requires


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """A named line of a block. An effect without a name is called `then`; `requires x` is called `x`."""

    name: Word
    body: Body
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`where name is expr`: a name for a value, within one block."""

    name: Word
    expr: Expr
    ids: tuple[Word, ...] = ()
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Note(Node):
    """`note "..."` in an action, or `aim "..."` of a game: a sentence for players, in a rule book."""

    text: str
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Game(Node):
    """`aim` are the sentences that say what players try to do."""

    name: Word
    title: str
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    aim: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Include(Node):
    name: Word
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """One numbered rule of a source: its section there, and its gist."""

    name: Word
    section: str | None
    gist: str
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Source(Node):
    number: Word
    title: str
    rules: tuple[Rule, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Players(Node):
    """`players low to high`; `team` is how many play together, if they play in teams."""

    low: Expr
    high: Expr
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    team: Number | None = None


@dataclass(frozen=True, slots=True)
class Option(Node):
    name: Word
    low: Expr
    high: Expr
    normally: Expr | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Kind(Node):
    """A kind of value with a name. If its words are `in_order`, each is below the next."""

    name: Word
    type: Type
    in_order: bool
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Order(Node):
    """Tiles or words in an order, the lowest first; in a `circle`, the first comes after the last again."""

    name: Word
    items: tuple[Expr, ...]
    circle: bool
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class SpokenTile(Node):
    """A tile's name, and its spoken name if that differs.

    A tile that a pattern was written out to has `numbers`: its values of the pattern's ranges, by their names. A tile
    that counts as another one is `like` it.
    """

    name: str
    spoken: str | None
    numbers: tuple[tuple[str, int], ...] = ()
    like: Word | None = None


@dataclass(frozen=True, slots=True)
class RangePart(Node):
    """A part of a range: the numbers from `low` to `high`; or, without `high`, one number or word.

    `written` is how names of tiles have it, if that differs.
    """

    low: Expr
    high: Expr | None
    written: str | None


@dataclass(frozen=True, slots=True)
class Range(Node):
    name: Word
    parts: tuple[RangePart, ...]

    @property
    def bounds(self) -> tuple[Expr, Expr] | None:
        """Return both bounds of a range that is one `low to high`, or None."""
        part = self.parts[0]
        return None if len(self.parts) > 1 or part.high is None else (part.low, part.high)


@dataclass(frozen=True, slots=True)
class Template(Node):
    """Generated tiles: a pattern such as `{high}-{low}` over ranges. `like` is that of the tiles that they count as."""

    pattern: str
    spoken: str | None
    ranges: tuple[Range, ...]
    like: str | None = None


@dataclass(frozen=True, slots=True)
class TileGroup(Node):
    name: Word
    copies: int
    tiles: tuple[SpokenTile, ...] | Template
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Written(Node):
    patterns: tuple[str, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Drawn(Node):
    """How pictures show the tiles: the name of a set of pictures."""

    name: Word
    remarks: Remarks = NO_REMARKS


LINES_OF_SET = ("withdrawn", "wild", "wild-as")
"""What a set of tiles can say of all its tiles, each on a line of its own."""


@dataclass(frozen=True, slots=True)
class Tiles(Node):
    """The set. `withdrawn`, `wild` and `wild_as` are clauses, so that a variant can replace them."""

    count: int | None
    kinds: int | None
    groups: tuple[TileGroup, ...]
    written: Written | None
    withdrawn: Clause | None
    drawn: Drawn | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    wild: Clause | None = None
    wild_as: Clause | None = None

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Return the clauses that a delta can name, in the order of the formatter."""
        return tuple(c for c in (self.withdrawn, self.wild, self.wild_as) if c is not None)


@dataclass(frozen=True, slots=True)
class Sight(Node):
    """Who else sees a zone: a player or players, or everyone (None); with a `test`, only while it holds."""

    who: Expr | None
    test: Expr | None


@dataclass(frozen=True, slots=True)
class Zone(Node):
    name: Word
    each_player: bool
    kind: Word
    seen_by: Viewer
    holds_set: bool
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    sights: tuple[Sight, ...] = ()
    shown: Word | None = None  # how players see it on a table
    also: str | None = None  # the definition that says who else sees it, once that is written out


@dataclass(frozen=True, slots=True)
class Zones(Node):
    zones: tuple[Zone, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class RowSlice(Node):
    """`part name: first number of row`, or `last`: a part of a row; with `rest`, `all but the last number of row`."""

    name: Word
    end: Literal["first", "last"]
    rest: bool
    number: Expr
    row: Word
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class StateVar(Node):
    """A state. One of each team is one of each player, too: partners have the same value.

    `title` is what players are shown for its name; a `hidden` one they are not shown.
    No text can write one that `tells_winners`: it says who has won, where several can.
    """

    name: Word
    each_player: bool
    type: Type
    initial: Expr | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    each_team: bool = False
    tells_winners: bool = False
    title: str | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class State(Node):
    scope: Scope
    vars: tuple[StateVar, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Define(Node):
    """A definition. `owner` is `tile` or `player` if it is used as `x's name`.

    Either one expression (`clauses` has one item, named after the definition, and `cases` is false), or named cases of
    which one must be true. `wheres` are names for values in it.
    """

    name: Word
    owner: DefineOwner | None
    params: tuple[Param, ...]
    clauses: tuple[Clause, ...]
    cases: bool
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    wheres: tuple[Where, ...] = ()


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Effects or conditions that several actions share, under one name."""

    kind: GroupKind
    name: Word
    params: tuple[Param, ...]
    clauses: tuple[Clause, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


OR_MORE = -1  # the largest size of a shape `of 3 or more`


@dataclass(frozen=True, slots=True)
class Shape(Node):
    """A shape: a test of named tiles, a test of `size` tiles (`it`), a bag of tiles, or shapes joined by `or`.

    With `most`, a test of all bags from `size` to `most` tiles; `OR_MORE` stands for no end. With names and a size, a
    test of each tile and the next one, of tiles in a row.
    """

    name: Word
    names: tuple[Word, ...]
    size: int | None
    body: Expr
    ids: tuple[Word, ...]
    most: int | None = None
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Part(Node):
    count: int
    different: bool
    shape: Word


@dataclass(frozen=True, slots=True)
class Arrangement(Node):
    """Parts that make up a hand, or (without parts) arrangements of which one makes it up."""

    name: Word
    parts: tuple[Part, ...]
    union: tuple[Word, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class GivenParam(Node):
    """A line under `given`: a parameter of a score, and its value if the caller gives none."""

    name: Word
    type: Type
    initial: Expr | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class ScoreDefine(Node):
    """A definition inside a score, which sees what the score sees. `wheres` are names for values in it."""

    name: Word
    expr: Expr
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    params: tuple[Param, ...] = ()
    wheres: tuple[Where, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreField(Node):
    """`hand: ...`, `marking: tile as completed` and the like."""

    name: Word
    expr: Expr
    label: Word | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Counts(Node):
    """`counts: han, fu`: the numbers in which the patterns of a score count."""

    names: tuple[Word, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    name: Word
    value: Expr
    each: tuple[Word, Expr] | None
    extra: bool
    test: Expr
    message: str | None
    ids: tuple[Word, ...]
    alone: bool = False  # if it holds, the total leaves out all that are not
    remarks: Remarks = NO_REMARKS
    number: Word | None = None  # what it counts, of several numbers: `1 han`


@dataclass(frozen=True, slots=True)
class Brings(Node):
    """`pattern brings brought, ...`: a pattern that always brings other patterns."""

    pattern: Word
    brought: tuple[Word, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Score(Node):
    """A score. Its parameters are in brackets (`params`) or one on each line (`given`).

    `provided` restricts what can be given together. `defines` come before the patterns that use them, `brings`
    after. The lines `given` and `provided` have comments of their own.
    """

    name: Word
    params: tuple[Param, ...]
    title: str | None
    given: tuple[GivenParam, ...]
    provided: tuple[Clause, ...]
    fields: tuple[ScoreField, ...]
    defines: tuple[ScoreDefine, ...]
    patterns: tuple[Pattern, ...]
    brings: tuple[Brings, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    given_remarks: Remarks = NO_REMARKS
    provided_remarks: Remarks = NO_REMARKS
    counts: tuple[Counts, ...] = ()

    @property
    def numbers(self) -> tuple[Word, ...]:
        """The numbers in which the patterns count; none if it is one number, which needs no name."""
        return tuple(word for line in self.counts for word in line.names)


@dataclass(frozen=True, slots=True)
class Told(Node):
    """`told as "discards {tile}"`: an event as players are told it."""

    text: str
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Action(Node):
    """`kind` is action, deal, end, finish or payout.

    `by` is the acting player's name, `zone` the zone that the deal takes tiles from. `wheres` are names for values.
    `told` are the words of an event for players, `notes` sentences about the action.
    """

    kind: ActionWord
    name: Word
    params: tuple[Param, ...]
    by: Word | None
    zone: Word | None
    before_deal: bool
    title: str | None
    clauses: tuple[Clause, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    wheres: tuple[Where, ...] = ()
    told: Told | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Delta(Node):
    """`kind` is replace, add, drop or expect. `path` is `block.clause`, or the name of a definition or property.

    `expect` has the verdict of a property in place of a body, and `add score.name 3: ...` a pattern with the last name.
    """

    kind: DeltaKind
    path: tuple[Word, ...]
    body: Body | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    verdict: str | None = None
    pattern: Pattern | None = None


RewordKind = Literal["replace", "add"]
SpokenPart = Literal["aim", "note", "told", "words"]


@dataclass(frozen=True, slots=True)
class Reword(Node):
    """`replace aim "..."`, `add claim note "..."`, `replace claim told as "..."`, `replace claim.turn "..."`: other
    words for players. The rules stay as they are.

    `path` is an action, or for `words` also a clause, a pattern, a score or a property; the aim has none.
    """

    kind: RewordKind
    path: tuple[Word, ...]
    part: SpokenPart
    said: Word
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS


@dataclass(frozen=True, slots=True)
class Variant(Node):
    """`kind` is variant or reading. `properties` are asserted while it is on, and `parts` are declared.

    `reworded` are other words for players.
    """

    kind: SwitchKind
    name: Word
    gist: str
    deltas: tuple[Delta, ...]
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    properties: tuple[Property, ...] = ()
    parts: tuple[Added, ...] = ()
    reworded: tuple[Reword, ...] = ()


@dataclass(frozen=True, slots=True)
class Property(Node):
    """`kind` is theorem, always, never, reachable, ends or claim. `after` names the action whose events it is about."""

    kind: PropertyWord
    name: Word
    expected: str | None
    within: int | None
    expr: Expr
    message: str | None
    ids: tuple[Word, ...]
    remarks: Remarks = NO_REMARKS
    after: Word | None = None


# What a variant can declare.
Added = (
    Players
    | Option
    | Kind
    | Order
    | Tiles
    | Zones
    | RowSlice
    | State
    | Define
    | Group
    | Shape
    | Arrangement
    | Score
    | Action
)
Decl = Game | Include | Source | Added | Delta | Reword | Variant | Property


@dataclass(frozen=True, slots=True)
class RuleText:
    """A whole file: its declarations in reading order, and comments after the last."""

    decls: tuple[Decl, ...]
    rest: tuple[str, ...] = ()
