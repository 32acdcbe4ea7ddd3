"""Words that golpae writes out, kept for the judge to carry out.

Input: a `Resolved` text. Output: a `RuleSet` in which each such word stands as a construct with a *mark*, a name that
no text can write; `evaluate` and `effects` look for marks and do what the page says of the word.
Guarantee: the typed tree holds the parts of each such word as they were written, and nothing that golpae writes out for
it, except where its type is needed beside a mark. What stands round a mark has the right kind of value, and no meaning.
Groups, `where` and definitions of scores are put in their places by `lines`, tiles are listed by `tile_set`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar, assert_never

from golpae.diagnostics import Span, SpecError
from golpae.elaborate.check import check_expanded
from golpae.elaborate.expand.if_stated import without_if_stated
from golpae.elaborate.expand.number_words import number_words
from golpae.elaborate.expand.tile_patterns import tile_patterns
from golpae.elaborate.expand.wild import wild_in_shapes
from golpae.elaborate.resolve import Resolved
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.ir.types import Opt, Tile
from golpae.syntax import tree as t
from tests.judge.lines import in_their_places

NEXT: Final = (
    "the next"  # `{x for x in {p}}` with this name: the players round the table, from the right of p
)
LAST: Final = "the last"  # to the left
TIMES: Final = "repeat"  # `for each` with this name, over the numbers of the times
UNTIL: Final = "repeat until"  # the same, with a `when` for its test before the effects
WHILE: Final = "repeat while"  # the same, with the effects in that `when`
WINNERS: Final = "the winners"  # `{x for x in players}` with this name: the winners of the hand
TEAMS: Final = "first of each team of "  # and the size, the same: the first players of the teams
TEAM: Final = (
    "in team of "  # and the size, `{x for x in {p}}`: the team of p; `for each` over `{p}`: it sets for all
)
PARTNER: Final = "the partner"  # `if some x in {p}: yes then p else p`: the partner of p
ORDER: Final = (
    "in order "  # and a comparison and lists: `size of {if some x in players: yes then a else b} = 1`
)
GAINS: Final = "the gains"  # `number of x in {p}: yes` with this name: what p has gained
PAYS: Final = "pays"  # `for each x in {p, q}: when amount = 0` with this name: a payment among effects
SCORES: Final = "scores"  # the same over `{p}`
ROUNDED_DOWN: Final = "rounded down"  # `sum of x for x in {n, unit}` with this name, and so the next ones
ROUNDED_UP: Final = "rounded up"
SMALLER: Final = "the smaller of"
LARGER: Final = "the larger of"
BESIDE_OTHERS = (ROUNDED_DOWN, ROUNDED_UP, SMALLER, LARGER)
AFTER: Final = "next after"  # of an order: `if some x in players: yes then a else a`, `a` as golpae types it
BEFORE: Final = "next before"
PLACE_OF: Final = "place of"
AT: Final = "at"
PART: Final = (
    "part "  # `sum of x for x in {n, size of z, k}`: a place of a part of z, as one of z; 0 if it has none
)
PART_SIZE: Final = "size of part "  # the same over `{n, size of z}`: how many places it has
MEMBERS: Final = "members of"  # `{x for x in o}` with this name and the members

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Repeated:
    """A `repeat` under its mark: `before` and `after` are the tests of `while` and `until`."""

    times: ir.Expr
    before: ir.Expr | None
    after: ir.Expr | None
    effects: tuple[ir.Effect, ...]


class Judged(RuleSet):
    """A rule set as the judge reads it, with the declarations of its text."""

    __slots__ = ("written",)
    written: tuple[t.Decl, ...]

    @classmethod
    def of(cls, rules: RuleSet, written: tuple[t.Decl, ...]) -> Judged:
        """Return a rule set with the declarations of its text."""
        out = cls(**{field.name: getattr(rules, field.name) for field in fields(rules)})
        object.__setattr__(out, "written", written)
        return out


@dataclass(frozen=True, slots=True)
class AskedOrder:
    """What is asked of an order, and of what: a member or a place. It is None if golpae's types lost it."""

    word: str
    circle: bool
    members: tuple[str, ...]
    of_tiles: bool
    of: ir.Expr | None


def asked_order(expr: ir.If) -> AskedOrder | None:
    """Return what is asked of an order, None if something else is."""
    if not isinstance(expr.test, ir.Quant):
        return None
    word, _, listed = expr.test.names[0].partition(": ")
    if word.removesuffix(" round") not in (AFTER, BEFORE, PLACE_OF, AT):
        return None
    typed, of = expr.yes, None
    if isinstance(typed, ir.If) and isinstance(typed.test, ir.Op):
        of = typed.test.args[0]
        if word == f"{AT} round":  # the rest of the place
            assert isinstance(of, ir.Op)
            of = of.args[0]
    kind = expr.type if of is None or word.startswith(AT) else of.type
    of_tiles = (kind.item if isinstance(kind, Opt) else kind) == Tile()
    return AskedOrder(
        word.removesuffix(" round"), word.endswith(" round"), tuple(listed.split(", ")), of_tiles, of
    )


def listed_members(expr: ir.Fold) -> list[str] | None:
    """Return the members of an order, None if something else is meant."""
    word, _, listed = expr.names[0].partition(": ")
    return listed.split(", ") if word == MEMBERS else None


def repeated(loop: ir.ForEach) -> Repeated:
    """Return what a `for each` with a mark of `repeat` stands for."""
    assert isinstance(loop.domain, ir.Op)
    times = loop.domain.args[1]
    if loop.name == TIMES:
        return Repeated(times, None, None, loop.effects)
    first, *others = loop.effects
    assert isinstance(first, ir.When)
    if loop.name == WHILE:
        return Repeated(times, first.test, None, first.effects)
    return Repeated(times, None, first.test, tuple(others))


def as_judged(resolved: Resolved) -> Judged:
    """Return a text with its words marked, typed. Raises `SpecError`.

    What is known of a member of an order (that it is not none) is lost where an order is marked; a text that needs it
    is read without such marks.
    """
    return in_their_places(resolved.decls, lambda decls: _typed(resolved, decls))


def _typed(resolved: Resolved, decls: tuple[t.Decl, ...]) -> Judged:
    first: SpecError | None = None
    for orders in (True, False):
        text = _Text(decls, orders)
        try:
            marked = tile_patterns(number_words(tuple(text.marked(decl) for decl in decls)))
            marked = wild_in_shapes(marked)  # a name for their number, which `shapes` counts itself
            marked = without_if_stated(marked)
            rules = check_expanded(replace(resolved, decls=marked))
        except SpecError as fault:
            first = first or fault
            if not text.has_orders:
                break
            continue
        return Judged.of(rules, resolved.decls)
    assert first is not None
    raise first


def _changed(part: P, change: Callable[[Any], Any]) -> P:
    """Return a part of a tree with each node changed, innermost first."""
    out: Any = part
    if isinstance(part, tuple):
        out = tuple(_changed(item, change) for item in part)
    elif isinstance(part, t.Node):
        new = {f.name: _changed(getattr(part, f.name), change) for f in fields(part) if f.name != "span"}
        out = change(replace(part, **new))
    return out  # type: ignore[no-any-return]


def _names(part: object) -> Iterator[str]:
    """Return the names that a part of a tree gives to anything."""
    if isinstance(part, tuple):
        for item in part:
            yield from _names(item)
    elif isinstance(part, t.Word):
        yield part.text
    elif isinstance(part, t.Clause):
        yield from _names(part.body)  # its own name means nothing elsewhere
    elif isinstance(part, t.Node):
        if isinstance(part, t.Param) and (part.type or part.parts):  # else a key of every game (6.4)
            yield part.name
        for f in fields(part):
            yield from _names(getattr(part, f.name))


def _among(span: Span, mark: str, player: t.Expr) -> t.EachOf:
    """Return `{x for x in {player}}`, in which the mark is `x`."""
    return t.EachOf(span, t.Name(span, mark), t.Word(span, mark), t.Bag(span, (player,)), None)


def team_size(name: str) -> int:
    """Return the size of the teams that a name speaks of, 0 if it is no mark of teams."""
    return next((int(name.removeprefix(mark)) for mark in (TEAMS, TEAM) if name.startswith(mark)), 0)


def comparison(expr: ir.Op) -> tuple[str, list[list[str]], ir.Expr, ir.Expr] | None:
    """Return which comparison is marked, the orders of words, and both sides; None if it is no such mark."""
    match expr.args[0]:
        case ir.Op(op="size", args=(ir.BagOf(items=(ir.If(test=ir.Quant(names=(mark,)), yes=yes, no=no),)),)):
            if mark.startswith(ORDER):
                sign, orders = mark.removeprefix(ORDER).split(" ", 1)
                return sign, [order.split(",") for order in orders.split(";")], yes, no
    return None


class _Text:
    """A text whose words are marked."""

    def __init__(self, decls: tuple[t.Decl, ...], orders: bool) -> None:
        names = {*_names(decls)}
        states = [var for decl in decls if isinstance(decl, t.State) for var in decl.vars]
        sizes = [d.team.value for d in decls if isinstance(d, t.Players) and d.team is not None]
        self._team = sizes[-1] if sizes else 0
        self._of_teams = {var.name.text for var in states if var.each_team}
        self._words = {"winners"} if "winners" not in names else set[str]()
        self._words |= {"teams"} if self._team > 0 and "teams" not in names else set[str]()
        kinds = [decl for decl in decls if isinstance(decl, t.Kind) and decl.in_order]
        self._orders = ";".join(",".join(_listed(kind.type)) for kind in kinds)
        self.pays = "gains" not in names
        self._pays_here = False
        self._own_names: set[str] = set()
        listed = {
            d.name.text: (d.circle, [item.span.words for item in d.items])
            for d in decls
            if isinstance(d, t.Order)
        }
        of_kinds = {kind.name.text: (False, [*_listed(kind.type)]) for kind in kinds}
        self._alone = {*listed} if orders else set()
        self._slices = {d.name.text: d for d in decls if isinstance(d, t.RowSlice)}
        self._listed = {**listed, **of_kinds} if orders else {}
        self.has_orders = bool(self._listed)

    def marked(self, decl: t.Decl) -> t.Decl:
        self._own_names = {*_params(decl)}
        if isinstance(decl, t.Order):
            return decl
        self._pays_here = isinstance(decl, t.Action) and decl.kind != "payout"
        return _changed(decl, self._node)

    def _node(self, node: t.Node) -> t.Node:
        span = node.span
        match node:
            case t.Fold(kind="the next" | "the last", domain=player):
                mark = NEXT if node.kind == "the next" else LAST
                return replace(node, kind="the", domain=_among(span, mark, player))
            case t.Repeat():
                return _repeat(node)
            case t.Name(name="winners" | "teams" as word) if word in self._words:
                mark = WINNERS if word == "winners" else f"{TEAMS}{self._team}"
                players = t.Name(span, "players")
                return t.EachOf(span, t.Name(span, mark), t.Word(span, mark), players, None)
            case t.Possessive(owner=owner, name="team") if self._team:
                return _among(span, f"{TEAM}{self._team}", owner)
            case t.Possessive(owner=owner, name="partner") if self._team:
                test = t.Quantified(
                    span, "some", (t.Word(span, PARTNER),), t.Bag(span, (owner,)), t.Truth(span, True)
                )
                return t.If(span, test, owner, owner)
            case t.Wins(seat=t.EachOf(name=t.Word(text=mark)) as team) if mark.startswith(TEAM):
                return t.ForEach(span, t.Word(span, "it"), team, (replace(node, seat=t.Name(span, "it")),))
            case t.Assign(target=t.Possessive(owner=owner, name=name)) if name in self._of_teams:
                bag = t.Bag(span, (owner,))
                return t.ForEach(
                    span, t.Word(span, f"{TEAM}{self._team}"), bag, (node,), remarks=node.remarks
                )
            case t.Possessive(owner=owner, name="gains") if self.pays:
                bag = t.Bag(span, (owner,))
                return t.Fold(span, "number of", (t.Word(span, GAINS),), bag, None, t.Truth(span, True))
            case t.Pays() | t.Scores() if self.pays and self._pays_here:
                seats = (node.payer, node.payee) if isinstance(node, t.Pays) else (node.seat,)
                is_amount = t.Binary(span, "=", node.amount, t.Number(span, 0))
                mark = PAYS if isinstance(node, t.Pays) else SCORES
                return t.ForEach(span, t.Word(span, mark), t.Bag(span, seats), (t.When(span, is_amount, ()),))
            case t.Cases():
                return _cases(node)
            case t.Rounded(number=number, direction=direction, unit=unit):
                return _of_numbers(span, ROUNDED_DOWN if direction == "down" else ROUNDED_UP, number, unit)
            case t.Extreme(kind=kind, left=left, right=right):
                return _of_numbers(span, SMALLER if kind == "smaller" else LARGER, left, right)
            case t.NextTo(order=order, side=side) if order in self._listed:
                return self._asked(node, AFTER if side == "after" else BEFORE, order)
            case t.PlaceOf(order=order) if order in self._listed:
                return self._asked(node, PLACE_OF, order)
            case t.Move(target=t.RowPlace(number=t.Fold(names=(t.Word(text=mark),))) as target) if (
                mark.startswith(PART)
            ):
                return replace(
                    node, target=t.RowEnd(span, "front" if mark.endswith("front") else "back", target.row)
                )
            case t.Move(target=t.Name() | t.Possessive() as target) if target.name in self._slices:
                return replace(node, target=replace(target, name=self._slices[target.name].row.text))
            case t.RowEnd(row=t.Name() | t.Possessive() as row) if row.name in self._slices:
                return self._place_of_part(row, t.Number(span, 1), node.side)
            case t.RowPlace(row=t.Name() | t.Possessive() as row, number=number) if row.name in self._slices:
                return self._place_of_part(row, number, node.end)
            case t.Unary(op="size of", arg=t.Name() | t.Possessive() as row) if row.name in self._slices:
                return self._size_of_part(row)
            case t.Is(arg=t.Name() | t.Possessive() as row, word=t.Word(text="empty")) if (
                row.name in self._slices
            ):
                return t.Binary(
                    span, "/=" if node.negated else "=", self._size_of_part(row), t.Number(span, 0)
                )
            case t.RowPlace(row=t.EachOf(name=t.Word(text=mark), domain=order)) if mark.startswith(MEMBERS):
                assert isinstance(order, t.Name)
                return self._asked(replace(node, row=order), AT, order.name)
            case t.RowPlace(row=t.Name(name=order)) if order in self._listed and order not in self._own_names:
                return self._asked(node, AT, order)
            case t.Name(name=order) if order in self._alone and order not in self._own_names:
                mark = f"{MEMBERS}: {', '.join(self._listed[order][1])}"
                return t.EachOf(span, t.Name(span, mark), t.Word(span, mark), node, None)
            case t.Binary(op="<" | "<=" | ">" | ">=") if self._orders:
                mark = f"{ORDER}{node.op} {self._orders}"
                players = t.Name(span, "players")
                test = t.Quantified(span, "some", (t.Word(span, mark),), players, t.Truth(span, True))
                both = t.Bag(span, (t.If(span, test, node.left, node.right),))
                return t.Binary(span, "=", t.Unary(span, "size of", both), t.Number(span, 1))
            case t.StateVar() if node.each_team:
                return replace(node, each_team=False)
            case t.Players():
                return replace(node, team=None)
            case _:
                return node

    def _asked(self, node: t.Expr, word: str, order: str) -> t.Expr:
        """Return a question to an order with a mark beside it."""
        circle, names = self._listed[order]
        mark = f"{word}{' round' if circle else ''}: {', '.join(names)}"
        span = node.span
        test = t.Quantified(span, "some", (t.Word(span, mark),), t.Name(span, "players"), t.Truth(span, True))
        return t.If(span, test, node, node)

    def _size_of_part(self, row: t.Name | t.Possessive) -> t.Expr:
        part = self._slices[row.name]
        size = t.Unary(row.span, "size of", replace(row, name=part.row.text))
        mark = f"{PART_SIZE}{_which(part)}"
        values = t.Bag(row.span, (part.number, size))
        return t.Fold(row.span, "sum of", (t.Word(row.span, mark),), values, t.Name(row.span, mark), None)

    def _place_of_part(self, row: t.Name | t.Possessive, number: t.Expr, side: str) -> t.Expr:
        part = self._slices[row.name]
        whole = replace(row, name=part.row.text)
        mark = f"{PART}{_which(part)}, from the {side}"
        values = t.Bag(row.span, (part.number, t.Unary(row.span, "size of", whole), number))
        place = t.Fold(row.span, "sum of", (t.Word(row.span, mark),), values, t.Name(row.span, mark), None)
        return t.RowPlace(row.span, whole, place)


def _which(part: t.RowSlice) -> str:
    return f"all but the {part.end}" if part.rest else part.end


def _params(decl: t.Decl) -> Iterator[str]:
    """Return the names of the values that an action, a definition or a score is given."""
    if isinstance(decl, t.Action | t.Define | t.Score):
        for param in decl.params if not isinstance(decl, t.Score) else ():
            yield param.name
            yield from (word.text for word in param.parts or ())
    if isinstance(decl, t.Action) and decl.by is not None:
        yield decl.by.text


def _of_numbers(span: Span, mark: str, one: t.Expr, other: t.Expr) -> t.Expr:
    return t.Fold(span, "sum of", (t.Word(span, mark),), t.Bag(span, (one, other)), t.Name(span, mark), None)


def _listed(kind: t.Type) -> tuple[str, ...]:
    assert isinstance(kind, t.TypeChoice)
    return tuple(word.text for word in kind.words)


def _cases(node: t.Cases) -> t.Expr:
    """Return the value of the first row that applies; the last one applies to what is left (3.15)."""
    *rows, last = node.rows
    value = last.value
    for row in reversed(rows):
        *keys, test = [_applies(node.by, key) for key in row.keys]
        for key in reversed(keys):
            test = t.Binary(key.span, "or", key, test)
        value = t.If(row.span, test, row.value, value)
    return value


def _applies(by: t.Expr | None, key: t.Expr) -> t.Expr:
    match by, key:
        case None, _:
            return key
        case _, t.Nothing():
            return t.Is(key.span, by, t.Word(key.span, "none"), False)
        case _, t.RangeBag():
            return t.Binary(key.span, "in", by, key)
        case _:
            return t.Binary(key.span, "=", by, key)


def _repeat(node: t.Repeat) -> t.Effect:
    numbers = t.RangeBag(node.span, t.Number(node.span, 1), node.times)
    effects = node.effects
    match node.rounds:
        case None:
            mark = TIMES
        case "until":
            assert node.test is not None
            mark, effects = UNTIL, (t.When(node.span, node.test, ()), *effects)
        case "while":
            assert node.test is not None
            mark, effects = WHILE, (t.When(node.span, node.test, effects),)
        case _:
            assert_never(node.rounds)
    return t.ForEach(node.span, t.Word(node.span, mark), numbers, effects, remarks=node.remarks)
