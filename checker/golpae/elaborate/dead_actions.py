"""Find actions that can never happen, without a search.

Input: the actions and states of a text. Output: conditions that need a word of a choice that nothing ever sets.
Guarantee: an action with such a condition can never happen. Other actions may also never happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.diagnostics import Span
from golpae.ir import expr as ir
from golpae.ir.facts import Equal, facts
from golpae.ir.ruleset import Action, VarDecl
from golpae.ir.traverse import flat
from golpae.ir.types import Choice
from golpae.syntax import tree as t


def never_happens(
    action: Action, actions: Iterable[Action], states: Iterable[VarDecl], node: t.Action
) -> Iterator[tuple[str, str, Span]]:
    """Return each state that this action requires to be a word that nothing sets: state, word and place."""
    choices = {v.name: v for v in states if isinstance(v.type, Choice)}
    written = {c.name.text: c.body.expr for c in node.clauses if isinstance(c.body, t.Condition)}
    for condition in action.conditions:
        if condition.name not in written:
            continue
        for name, word in _required_words(condition.expr):
            if name in choices and word not in _settable(choices[name], actions):
                whole = written[condition.name]
                yield name, word, (_comparison(whole, {name, word}) or whole).span


def _comparison(expr: t.Expr, words: set[str]) -> t.Expr | None:
    """Return the part of a condition that compares these two words."""
    if not isinstance(expr, t.Binary):
        return None
    sides = (expr.left, expr.right)
    if {s.name for s in sides if isinstance(s, t.Name)} == words:
        return expr
    return next((part for s in sides if (part := _comparison(s, words)) is not None), None)


def _required_words(condition: ir.Expr) -> Iterator[tuple[str, str]]:
    """Return the states that must have a certain word, each with the word."""
    for fact in facts(condition):
        if isinstance(fact, Equal) and isinstance(fact.left, ir.StateRead):
            word = fact.right.value if isinstance(fact.right, ir.Const) else None
            if isinstance(word, str):
                yield fact.left.name, word


def _settable(var: VarDecl, actions: Iterable[Action]) -> set[str]:
    """Return the words that a state can have, at first or after an effect."""
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
    """Return the words that a value may be: all of its choice unless it is written out."""
    if isinstance(expr, ir.Const) and isinstance(expr.value, str):
        return {expr.value}
    if isinstance(expr, ir.If):
        return _words(expr.yes, kind) | _words(expr.no, kind)
    return set(kind.words)
