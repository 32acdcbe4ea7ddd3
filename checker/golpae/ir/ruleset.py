"""A resolved rule set, which every backend reads. Data only.

Input: none. Output: the declarations of a rule set, and `RuleSet`, which holds them.
Guarantee: names are resolved, switches applied, expressions typed; `wellformed` checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Literal, NamedTuple, assert_never, get_args

from golpae.ir.expr import Effect, Expr, Implicit, ImplicitKind
from golpae.ir.lifecycle import ActionKind
from golpae.ir.structure import ADDED_LATER
from golpae.ir.types import Type
from golpae.records import dataclass

PropertyKind = Literal["theorem", "claim", "always", "never", "reachable", "ends"]
PROPERTY_KINDS: dict[str, PropertyKind] = {kind: kind for kind in get_args(PropertyKind)}


class PropertyForm(NamedTuple):
    """What the properties of a kind have in common.

    `of_rules`: it is about tiles, definitions and scores, and about a game only if it reads one. `number`: its
    expression is a number, not a truth. `negated`: it is proved by refuting its expression. `invariant`: it is about
    every state, or every event, that a game can reach. `may_be_vacuous`: it can hold because it never applies.
    """

    of_rules: bool = False
    number: bool = False
    negated: bool = False
    invariant: bool = True
    may_be_vacuous: bool = True


def form_of(kind: PropertyKind) -> PropertyForm:
    """Return the form that the properties of a kind have in common."""
    match kind:
        case "theorem":
            return PropertyForm(of_rules=True, invariant=False)
        case "claim":
            return PropertyForm(of_rules=True)
        case "always":
            return PropertyForm()
        case "never":
            return PropertyForm(negated=True)
        case "reachable":
            return PropertyForm(negated=True, may_be_vacuous=False)
        case "ends":
            return PropertyForm(number=True, invariant=False, may_be_vacuous=False)
        case _:
            assert_never(kind)


ShareWord = Literal["about", "over", "under", "between"]
PolicyName = Literal["random", "greedy", "towards"]
POLICY_NAMES: dict[str, PolicyName] = {name: name for name in get_args(PolicyName)}
WHOLE = 100_000  # 100 %, in thousandths of a percent
ABOUT = 2_000  # how far a share that is `about` something may be from it

ScoreTotal = Literal["sum", "highest", "unimplied"]
SCORE_TOTALS: dict[str, ScoreTotal] = {total: total for total in get_args(ScoreTotal)}


@dataclass(frozen=True, slots=True)
class SourceRule:
    """A numbered rule: its source, the section there, its gist."""

    id: str
    source: str
    section: str | None
    gist: str


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for players, with the rules that say so. No rule depends on it."""

    text: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """An option of a header: a number from `low` to `high`."""

    name: str
    low: Expr
    high: Expr
    normally: Expr


@dataclass(frozen=True, slots=True)
class RangeDecl:
    name: str
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class GroupDecl:
    """A group of the set: listed names with their spoken names, or a pattern over ranges.

    `numbers` are those of each listed tile, if a pattern with words was written out to the list. If each listed tile
    counts as another one, `likes` names these: their tiles are of their groups.
    """

    name: str
    copies: int
    names: tuple[tuple[str, str], ...]
    pattern: str | None
    spoken: str | None
    ranges: tuple[RangeDecl, ...]
    numbers: tuple[tuple[tuple[str, int], ...], ...] = field(default=(), metadata=ADDED_LATER)
    likes: tuple[str, ...] = field(default=(), metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class TileSet:
    """`written` are the patterns of tile names; `attributes` the numbers in them.

    `ids` are the rules that say which tiles there are, `withdrawn_ids` those that say which are withdrawn. `drawn`
    names the set of pictures that shows the tiles; no rule depends on it. `wild` are the tiles that may count as any of
    `wild_as`; without it, as any that is not wild.
    """

    groups: tuple[GroupDecl, ...]
    written: tuple[str, ...]
    attributes: tuple[str, ...]
    withdrawn: Expr | None
    ids: tuple[str, ...] = ()
    withdrawn_ids: tuple[str, ...] = ()
    drawn: str | None = field(default=None, compare=False, repr=False)
    wild: Expr | None = field(default=None, metadata=ADDED_LATER)
    wild_as: Expr | None = field(default=None, metadata=ADDED_LATER)

    @property
    def bags(self) -> list[tuple[str, Expr]]:
        """Return the tiles that lines of the set say, with their words."""
        lines = (("withdrawn", self.withdrawn), ("wild", self.wild), ("wild-as", self.wild_as))
        return [(word, bag) for word, bag in lines if bag is not None]


# How players see a zone on a table, if its text says so: its tiles in rows, in the middle before their player until all
# have put one there, end to end, as a pile of which only the size is seen, or beside each other.
ZONE_LOOKS = ("rows", "middle", "line", "pile", "spread")

# Who sees a zone, besides `nobody`.
OWNER, EVERYONE, OTHERS = "its owner", "everyone", "everyone but its owner"


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """`kind` is tiles, row or melds; `seen_by` nobody, everyone, its owner, or everyone but its owner.

    `also` is the definition that says who else sees it now: its parameters are the owner, of a zone of each player, and
    whoever looks on. `shown` is how players see it on a table, one of `ZONE_LOOKS`; no rule depends on it.
    """

    name: str
    each_player: bool
    kind: str
    seen_by: str
    holds_set: bool
    also: str | None = field(default=None, metadata=ADDED_LATER)
    shown: str | None = field(default=None, compare=False, repr=False, metadata=ADDED_LATER)

    def is_seen(self, own: bool) -> bool:
        """Return whether a player always sees the tiles here; `own` means that this player is the owner."""
        return self.seen_by == EVERYONE or self.seen_by == (OWNER if own else OTHERS)


TABLE = "table"  # the scope of a state that is part of the table


@dataclass(frozen=True, slots=True)
class VarDecl:
    """A state; `low` and `high` are the bounds of a number, if the text states them.

    `scope` is hand or match, or table: such a state is true or false, as the table has it, and nothing sets it.
    `tells_winners` marks the state of each player that says who has won, of rules by which several can win. `title` is
    what players are shown for its name, and a `hidden` one they are not shown; no rule depends on either.
    """

    name: str
    each_player: bool
    type: Type
    initial: Expr | None
    scope: str
    low: Expr | None = None
    high: Expr | None = None
    tells_winners: bool = field(default=False, metadata=ADDED_LATER)
    title: str | None = field(default=None, compare=False, repr=False)
    hidden: bool = field(default=False, compare=False, repr=False)

    @property
    def shown_as(self) -> str:
        """Return the name that players are shown: the title, or else the name in the text."""
        return self.name if self.title is None else self.title


@dataclass(frozen=True, slots=True)
class ParamDecl:
    """A parameter: a key of the trace, or of a hand to score.

    An `optional` one may be left out and is none then; in a score, `initial` replaces it. This value may name the
    parameters before it, with their tiles as they are stated. `parts` names the tiles of a parameter written `{a, b}`.
    `low` and `high` bound a number where they are stated.
    """

    name: str
    type: Type
    parts: tuple[str, ...] = ()
    optional: bool = False
    initial: Expr | None = None
    low: Expr | None = None
    high: Expr | None = None


@dataclass(frozen=True, slots=True)
class CaseDecl:
    name: str
    expr: Expr
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A pure definition: one expression, or named cases of which one must hold."""

    name: str
    params: tuple[ParamDecl, ...]
    cases: tuple[CaseDecl, ...]
    type: Type
    ids: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Return whether it is one expression rather than cases."""
        return len(self.cases) == 1 and self.cases[0].name == self.name


def without_words(name: str) -> str:
    """Return the message of a condition to which the text gives none."""
    return f"`{name}` does not hold"


@dataclass(frozen=True, slots=True)
class Condition:
    """A named condition.

    `message` is words and expressions in turn. What a condition of every game asks is in `lower/checks.py`.
    """

    name: str
    expr: Expr
    message: tuple[str | Expr, ...]
    ids: tuple[str, ...]

    @property
    def has_words(self) -> bool:
        """Return whether the text has a message for it."""
        return self.message != (without_words(self.name),)

    @property
    def of_game(self) -> ImplicitKind | None:
        """Return which condition of every game this is, None for one of the text."""
        return self.expr.kind if isinstance(self.expr, Implicit) else None


@dataclass(frozen=True, slots=True)
class EffectClause:
    name: str
    effects: tuple[Effect, ...]
    ids: tuple[str, ...]


def effects_of(clauses: Iterable[EffectClause]) -> list[Effect]:
    """Return the effects of clauses, in order."""
    return [effect for clause in clauses for effect in clause.effects]


def paths_of(block: str, names: Sequence[str]) -> list[str]:
    """Return the paths of the clauses of a block: `put.turn`; the second clause of one name is `put.then 2`."""
    return [
        f"{block}.{name}" + (f" {number}" if (number := names[:at].count(name) + 1) > 1 else "")
        for at, name in enumerate(names)
    ]


def when_path(clause: str, number: int) -> str:
    """Return the path of a `when` within a clause, the first one written being number 1."""
    return f"{clause} when" + (f" {number}" if number > 1 else "")


@dataclass(frozen=True, slots=True)
class DealtToZone:
    """So many tiles are dealt to a shared zone. The key of the deal that names them has the name of the zone."""

    zone: str
    size: Expr


DEALT_PLAYER = "it"


@dataclass(frozen=True, slots=True)
class Dealing:
    """What is dealt: from one zone into each player's hand; `first` tiles to the first player, `others` to the rest.

    In both, the name DEALT_PLAYER is the player who is dealt the hand. What goes to other zones comes after the hands.
    """

    zone: str
    hand: str
    first: Expr
    others: Expr
    table: tuple[DealtToZone, ...] = field(default=(), metadata=ADDED_LATER)

    @property
    def sizes(self) -> tuple[Expr, ...]:
        """Return the sizes of hands, and how many tiles go to other zones."""
        return (self.first, self.others, *(dealt.size for dealt in self.table))

    def is_to_zone(self, key: str) -> bool:
        """Return whether a key of the deal names the tiles that go to a zone."""
        return any(dealt.zone == key for dealt in self.table)


@dataclass(frozen=True, slots=True)
class Action:
    """`kind` is play, before, deal, end or finish.

    Conditions are checked in order, then effects happen in order. `told` are the words of an event for players, with
    holes for its keys, `{tile}`, and brackets round what is left out if a key in it is not stated; `notes` are
    sentences about it. No rule depends on either.
    """

    kind: ActionKind
    name: str
    params: tuple[ParamDecl, ...]
    by: str | None
    title: str | None
    conditions: tuple[Condition, ...]
    effects: tuple[EffectClause, ...]
    ids: tuple[str, ...]
    dealing: Dealing | None = None
    told: str | None = field(default=None, compare=False, repr=False, metadata=ADDED_LATER)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False, metadata=ADDED_LATER)

    @property
    def of_text(self) -> list[Condition]:
        """Return the conditions that follow from the text, in order: all but those of every game."""
        return [c for c in self.conditions if c.of_game is None]


@dataclass(frozen=True, slots=True)
class ShapeDecl:
    """A shape: a test of `size` tiles, called `names` or (without names) all together `it`; or a union of shapes.

    With `most`, which is 0 otherwise, a group has any number of tiles from `size` to `most`. If it has two
    names too, the tiles can be put in a row so that the test holds of each tile and the next one. `wild` is what the
    shape asks about the number of wild tiles in it (`WILD`), and about how many tiles `it` are.
    """

    name: str
    names: tuple[str, ...]
    test: Expr | None
    union: tuple[str, ...]
    size: int
    ids: tuple[str, ...]
    most: int = field(default=0, metadata=ADDED_LATER)
    wild: Expr | None = field(default=None, metadata=ADDED_LATER)

    @property
    def in_a_row(self) -> bool:
        """Return whether the test is one of each tile and the next one."""
        return bool(self.names and self.most)

    @property
    def sizes(self) -> range:
        """Return how many tiles a group has."""
        return range(self.size, (self.most or self.size) + 1)


@dataclass(frozen=True, slots=True)
class PartDecl:
    """`count` parts of a shape, pairwise different if `different`; patterns call them `word`."""

    count: int
    different: bool
    shape: str
    word: str


@dataclass(frozen=True, slots=True)
class ArrangementDecl:
    """Parts that make up a hand, or a union of arrangements."""

    name: str
    parts: tuple[PartDecl, ...]
    union: tuple[str, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PatternDecl:
    """A pattern: `value` for each `each` (or once) if `test` holds. An `extra` one does not count as eligible. If one
    that is `alone` holds, the total leaves out all that are not. `number` is the one of several that it counts in.
    `words` say what it is to players.
    """

    name: str
    value: Expr
    each: tuple[str, Expr] | None
    test: Expr
    extra: bool
    ids: tuple[str, ...]
    alone: bool = field(default=False, metadata=ADDED_LATER)
    number: str = field(default="", metadata=ADDED_LATER)
    words: str | None = field(default=None, compare=False, repr=False, metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class BringsDecl:
    """A pattern that brings other patterns, in every way that counts."""

    pattern: str
    brought: tuple[str, ...]
    ids: tuple[str, ...]


# the arrangement without parts of a score without `as`; no text can write this name
AS_IT_LIES = "as it lies"


@dataclass(frozen=True, slots=True)
class ScoreDecl:
    """The best of all arrangements of `hand`. `total` is sum, highest or unimplied (the sum without patterns that
    another pattern of the way `brings`); `keep` is true of the arrangements that count.

    `defines` are computed in order before the patterns, which may use them. `provided` are conditions on what can
    be given together. `keep_words` are the conditions that `keep` joins by `and`, as the text has them.

    Patterns may count in several `numbers`, which have names. Then `formula` makes the points of these: it is None if
    and only if there are no names.
    """

    name: str
    params: tuple[ParamDecl, ...]
    hand: Expr
    fixed: Expr | None
    arrangements: tuple[str, ...]
    marking: tuple[Expr, str] | None
    keep: Expr | None
    total: ScoreTotal
    defines: tuple[tuple[str, Expr], ...]
    patterns: tuple[PatternDecl, ...]
    ids: tuple[str, ...]
    provided: tuple[Condition, ...] = ()
    brings: tuple[BringsDecl, ...] = ()
    keep_words: tuple[str, ...] = field(default=(), compare=False, repr=False)
    numbers: tuple[str, ...] = field(default=(), metadata=ADDED_LATER)
    formula: Expr | None = field(default=None, metadata=ADDED_LATER)


@dataclass(frozen=True, slots=True)
class PropertyDecl:
    """A property. With `after`, the name of an action, it is about the state right after each event of that action,
    and `expr` may read the action's parameters and who acted.
    """

    kind: PropertyKind
    name: str
    expr: Expr
    expected: str | None
    within: int | None
    ids: tuple[str, ...]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ShareDecl:
    """What a source claims of many hands: in which share of them, from `low` to `high` thousandths of a percent, an
    event comes about, if everybody plays by a policy.

    It is about the tables at which its premise is true. `event` is asked when a hand is over; hands of `within` events
    are broken off. A share that is `over` or `under` something is not equal to it.
    """

    name: str
    premise: Expr
    word: ShareWord
    low: int
    high: int
    policy: PolicyName
    event: Expr
    expected: str | None
    within: int | None
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SwitchDecl:
    """A variant or reading that the text offers."""

    kind: str
    name: str
    gist: str
    ids: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One game with its switches set. Its shares say nothing about the rules, so they do not count in comparisons; nor
    do sentences for players: what they try to do (`aim`), and notes on what is paid.
    """

    rules: str
    game: str
    title: str
    ids: tuple[str, ...]
    low: Expr
    high: Expr
    options: tuple[OptionDecl, ...]
    tiles: TileSet
    zones: tuple[ZoneDecl, ...]
    vars: tuple[VarDecl, ...]
    definitions: tuple[Definition, ...]
    shapes: tuple[ShapeDecl, ...]
    arrangements: tuple[ArrangementDecl, ...]
    scores: tuple[ScoreDecl, ...]
    actions: tuple[Action, ...]
    payout: tuple[EffectClause, ...]
    properties: tuple[PropertyDecl, ...]
    sources: tuple[tuple[str, str], ...]
    rules_by_id: tuple[SourceRule, ...]
    switches: tuple[SwitchDecl, ...]
    active: tuple[str, ...]
    spec_hash: str
    shares: tuple[ShareDecl, ...] = field(default=(), compare=False, repr=False)
    aim: tuple[Note, ...] = field(default=(), compare=False, repr=False, metadata=ADDED_LATER)
    payout_notes: tuple[Note, ...] = field(default=(), compare=False, repr=False, metadata=ADDED_LATER)

    def action(self, name: str) -> Action | None:
        return next((a for a in self.actions if a.name == name), None)

    @property
    def winners_state(self) -> str | None:
        """The state of each player that says who has won; None if the rules have one winner at most."""
        return next((var.name for var in self.vars if var.tells_winners), None)

    def zone(self, name: str) -> ZoneDecl:
        return next(z for z in self.zones if z.name == name)

    def rule(self, number: str) -> SourceRule | None:
        return next((r for r in self.rules_by_id if r.id == number), None)
