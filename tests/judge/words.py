"""Words that golpae writes out, kept for the judge to carry out.

Input: a `Resolved` text. Output: a `RuleSet` in which each such word stands as a construct with a *mark*, a name that
no text can write; `evaluate` and `effects` look for marks and do what the page says of the word.
Guarantee: the typed tree holds the parts of each such word as they were written, and nothing that golpae writes out for
it. Words that the judge does not know yet (groups, `where`, patterns of tiles), golpae writes
out. What stands round a mark has the right kind of value, and no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar, assert_never

from golpae.diagnostics import Span
from golpae.elaborate.check import check_expanded
from golpae.elaborate.expand.expand import STEPS
from golpae.elaborate.resolve import Resolved
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.syntax import tree as t

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
PAYS: Final = "pays"  # `for each x in {p, q}: when amount = 0` with this name: a payment during a hand
SCORES: Final = "scores"  # the same over `{p}`
CARRIED_OUT = {
    "without_repeat",
    "teams_written_out",
    "winners_written_out",
}  # steps of golpae that the judge does without

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Repeated:
    """A `repeat` under its mark: `before` and `after` are the tests of `while` and `until`."""

    times: ir.Expr
    before: ir.Expr | None
    after: ir.Expr | None
    effects: tuple[ir.Effect, ...]


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


def as_judged(resolved: Resolved) -> RuleSet:
    """Return a text with its words marked, typed. Raises `SpecError`."""
    text = _Text(resolved.decls)
    decls = tuple(text.marked(decl) for decl in resolved.decls)
    for step in STEPS:
        if step.__name__ not in CARRIED_OUT and not (text.pays and step.__name__ == "payments_written_out"):
            decls = step(decls)
    return check_expanded(replace(resolved, decls=decls))


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
    elif isinstance(part, t.Node):
        if isinstance(part, t.Param):
            yield part.name
        for f in fields(part):
            yield from _names(getattr(part, f.name))


def _among(span: Span, mark: str, player: t.Expr) -> t.EachOf:
    """Return `{x for x in {player}}`, in which the mark is `x`."""
    return t.EachOf(span, t.Name(span, mark), t.Word(span, mark), t.Bag(span, (player,)), None)


def _has_payments(part: object) -> bool:
    """Return whether a payment is somewhere in a part of a tree."""
    if isinstance(part, tuple):
        return any(_has_payments(item) for item in part)
    if isinstance(part, t.Pays | t.Scores):
        return True
    return isinstance(part, t.Node) and any(_has_payments(getattr(part, f.name)) for f in fields(part))


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

    def __init__(self, decls: tuple[t.Decl, ...]) -> None:
        names = {*_names(decls)}
        states = [var for decl in decls if isinstance(decl, t.State) for var in decl.vars]
        sizes = [d.team.value for d in decls if isinstance(d, t.Players) and d.team is not None]
        self._team = sizes[-1] if sizes else 0
        self._of_teams = {var.name.text for var in states if var.each_team}
        self._words = {"winners"} if "winners" not in names else set[str]()
        self._words |= {"teams"} if self._team > 0 and "teams" not in names else set[str]()
        kinds = [decl for decl in decls if isinstance(decl, t.Kind) and decl.in_order]
        self._orders = ";".join(",".join(_listed(kind.type)) for kind in kinds)
        groups = [decl for decl in decls if isinstance(decl, t.Group)]
        self.pays = "gains" not in names and not any(_has_payments(group) for group in groups)
        self._ends, self._is_hand = False, False

    def marked(self, decl: t.Decl) -> t.Decl:
        self._ends = isinstance(decl, t.Action) and decl.kind == "finish"
        self._is_hand = isinstance(decl, t.Action) and decl.kind in ("action", "deal")
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
                if word == "winners" and self._ends:
                    return node
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
            case t.Pays() | t.Scores() if self.pays and self._is_hand:
                seats = (node.payer, node.payee) if isinstance(node, t.Pays) else (node.seat,)
                is_amount = t.Binary(span, "=", node.amount, t.Number(span, 0))
                mark = PAYS if isinstance(node, t.Pays) else SCORES
                return t.ForEach(span, t.Word(span, mark), t.Bag(span, seats), (t.When(span, is_amount, ()),))
            case t.Cases():
                return _cases(node)
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
