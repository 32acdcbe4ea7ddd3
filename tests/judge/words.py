"""Words that golpae writes out, kept for the judge to carry out.

Input: a `Resolved` text. Output: a `RuleSet` in which each such word stands as a construct with a *mark*, a name that
no text can write; `evaluate` and `effects` look for marks and do what the page says of the word.
Guarantee: the typed tree holds the parts of each word as they were written; nothing of what golpae writes out
(`golpae.elaborate.expand`) is in it. What stands round a mark has the right kind of value, and no meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar, assert_never

from golpae.elaborate.check import check_as_written
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
    return check_as_written(replace(resolved, decls=_changed(resolved.decls, _marked)))


def _changed(part: P, change: Callable[[Any], Any]) -> P:
    """Return a part of a tree with each node changed, innermost first."""
    out: Any = part
    if isinstance(part, tuple):
        out = tuple(_changed(item, change) for item in part)
    elif isinstance(part, t.Node):
        new = {f.name: _changed(getattr(part, f.name), change) for f in fields(part) if f.name != "span"}
        out = change(replace(part, **new))
    return out  # type: ignore[no-any-return]


def _marked(node: t.Node) -> t.Node:
    match node:
        case t.Fold(kind="the next" | "the last", domain=player):
            mark = NEXT if node.kind == "the next" else LAST
            bag = t.Bag(node.span, (player,))
            round_ = t.EachOf(node.span, t.Name(node.span, mark), t.Word(node.span, mark), bag, None)
            return replace(node, kind="the", domain=round_)
        case t.Repeat():
            return _repeat(node)
        case _:
            return node


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
