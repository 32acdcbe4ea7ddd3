"""Actions that can never happen, as far as that shows without search.

An action whose condition asks for a word of a choice that nothing ever sets can never be taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.diagnostics import Span
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, VarDecl
from golpae.ir.traverse import flat
from golpae.ir.types import Choice
from golpae.syntax import tree as t


def never_happens(
    action: Action, actions: Iterable[Action], vars_: Iterable[VarDecl], node: t.Action
) -> Iterator[tuple[str, str, Span]]:
    """The states, with the word asked for and the place, that this action waits for in vain."""
    choices = {v.name: v for v in vars_ if isinstance(v.type, Choice)}
    written = {c.name.text: c.body.expr for c in node.clauses if isinstance(c.body, t.Condition)}
    for condition in action.conditions:
        if condition.name not in written:
            continue
        for name, word in _asked(condition.expr):
            if name in choices and word not in _settable(choices[name], actions):
                whole = written[condition.name]
                yield name, word, (_question(whole, {name, word}) or whole).span


def _question(expr: t.Expr, words: set[str]) -> t.Expr | None:
    """The part of a condition that compares these two words."""
    if not isinstance(expr, t.Binary):
        return None
    sides = (expr.left, expr.right)
    if {s.name for s in sides if isinstance(s, t.Name)} == words:
        return expr
    return next((found for s in sides if (found := _question(s, words)) is not None), None)


def _asked(expr: ir.Expr) -> Iterator[tuple[str, str]]:
    match expr:
        case ir.Op(op="and", args=args):
            for arg in args:
                yield from _asked(arg)
        case ir.Op(op="eq", args=(ir.StateRead(name=name), ir.Const(value=str(word)))):
            yield name, word
        case _:
            pass


def _settable(var: VarDecl, actions: Iterable[Action]) -> set[str]:
    assert isinstance(var.type, Choice)
    words: set[str] = set()
    if var.initial is not None:
        words |= _words(var.initial, var.type)
    for action in actions:
        for clause in action.effects:
            for effect in flat(clause.effects):
                if isinstance(effect, ir.SetState) and effect.name == var.name:
                    words |= _words(effect.value, var.type)
    return words


def _words(expr: ir.Expr, kind: Choice) -> set[str]:
    match expr:
        case ir.Const(value=str(word)):
            return {word}
        case ir.If(yes=yes, no=no):
            return _words(yes, kind) | _words(no, kind)
        case _:
            return set(kind.words)
