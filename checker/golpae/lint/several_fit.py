"""Places that take the one value that fits where a condition asks only for some.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: a value that an equation names, or that is asked for with `is not none`, is not noted.

    run: some m in shown: fits(m, tile)                     two melds may fit
    then move tile from hand to (the m in shown: fits(m, tile))    which is none if two do
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from golpae.diagnostics import Diagnostic, Label
from golpae.lint.text_words import Vocabulary
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import children, nodes

DEEPEST = 8  # definitions within definitions
Choice = tuple[
    t.Expr, frozenset[t.Expr]
]  # the bag, and the parts of the test; the member has no name in them
MEMBER = ""


def several_fit(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each `the x in s: P` of an action whose condition is `some x in s: P`."""
    definitions = {d.name.text: d for d in text.decls if isinstance(d, t.Define) and not d.cases}
    look = _Look(definitions)
    actions = {d.name.text: d for d in text.decls if isinstance(d, t.Action)}
    for action in actions.values():
        yield from look.action(action.clauses, action.clauses)
    for decl in text.decls:
        deltas = decl.deltas if isinstance(decl, t.Variant) else (decl,) if isinstance(decl, t.Delta) else ()
        changed: dict[str, list[t.Clause]] = {}
        for delta in deltas:
            if isinstance(delta.body, t.Condition | t.Effects):
                clause = t.Clause(delta.span, delta.path[-1], delta.body, ())
                changed.setdefault(delta.path[0].text, []).append(clause)
        for name, clauses in changed.items():
            if name in actions:
                yield from look.action((*actions[name].clauses, *clauses), clauses)


class _Look:
    def __init__(self, definitions: dict[str, t.Define]) -> None:
        self._definitions = definitions

    def action(self, clauses: Sequence[t.Clause], looked_at: Sequence[t.Clause]) -> Iterator[Diagnostic]:
        """Yield the notes of some clauses of an action that has all these clauses."""
        tests = [clause.body.expr for clause in clauses if isinstance(clause.body, t.Condition)]
        for clause in looked_at:
            if isinstance(clause.body, t.Effects):
                yield from self._effects(clause.body.effects, tests)
            elif isinstance(clause.body, t.Condition):
                yield from self._values([clause.body.expr], tests)

    def _effects(self, effects: Iterable[t.Effect], tests: list[t.Expr]) -> Iterator[Diagnostic]:
        for effect in effects:
            if isinstance(effect, t.When):
                yield from self._values([effect.test], tests)
                yield from self._effects(effect.effects, [*tests, effect.test])
            elif isinstance(effect, t.ForEach):
                yield from self._values([effect.domain], tests)
                yield from self._effects(effect.effects, tests)
            else:
                yield from self._values([e for e in children(effect) if isinstance(e, t.Expr)], tests)

    def _values(self, exprs: Iterable[t.Expr], tests: Sequence[t.Expr]) -> Iterator[Diagnostic]:
        asked: dict[Choice, t.Quantified] = {}
        sure: set[Choice] = set()
        for part in (part for test in tests for part in self._parts(test)):
            if isinstance(part, t.Quantified) and part.kind == "some" and len(part.names) == 1:
                asked.setdefault(_choice(part.names[0].text, part.domain, part.body), part)
            elif isinstance(part, t.Is) and part.word.text == "none" and part.negated:
                value = self._expanded(part.arg)
                sure |= {_of_fold(value)} if isinstance(value, t.Fold) and value.kind == "the" else set()
        for expr in exprs:
            for one in nodes([expr]):
                whole = self._expanded(one) if isinstance(one, t.Name | t.Call) else one
                if isinstance(whole, t.Fold) and whole.kind == "the":
                    choice = _of_fold(whole)
                    if choice in asked and choice not in sure and not _is_named(choice):
                        yield _note(one, whole, asked[choice])

    def _parts(self, test: t.Expr, depth: int = 0) -> Iterator[t.Expr]:
        """Yield the parts of a test that all have to hold, also those of the definitions that it uses."""
        if isinstance(test, t.Binary) and test.op == "and":
            yield from self._parts(test.left, depth)
            yield from self._parts(test.right, depth)
        elif isinstance(test, t.Name | t.Call) and depth < DEEPEST:
            inner = self._expanded(test)
            if inner is not test:
                yield from self._parts(inner, depth + 1)
        else:
            yield test

    def _expanded(self, expr: t.Expr) -> t.Expr:
        """Return what a definition says of its values, or the expression if it is no use of a definition."""
        name = expr.name if isinstance(expr, t.Name | t.Call) else None
        found = None if name is None else self._definitions.get(name)
        args = expr.args if isinstance(expr, t.Call) else ()
        if found is None or found.owner is not None or (isinstance(expr, t.Call) and expr.names):
            return expr
        names = [param.name for param in found.params]
        body = found.clauses[0].body
        if not isinstance(body, t.Condition) or len(names) != len(args):
            return expr
        inner: t.Expr = _with_values(body.expr, dict(zip(names, args, strict=True)))
        return inner


def _of_fold(fold: t.Fold) -> Choice:
    assert fold.test is not None
    return _choice(fold.names[0].text, fold.domain, fold.test)


def _choice(member: str, domain: t.Expr, test: t.Expr) -> Choice:
    """Return what is chosen from and by which test, whatever the member is called."""
    nameless = _with_values(test, {member: t.Name(test.span, MEMBER)})
    return domain, frozenset(_conjuncts(nameless))


def _conjuncts(test: t.Expr) -> Iterator[t.Expr]:
    if isinstance(test, t.Binary) and test.op == "and":
        yield from _conjuncts(test.left)
        yield from _conjuncts(test.right)
    else:
        yield test


def _is_named(choice: Choice) -> bool:
    """Return whether the test says which value it is: `m = target`."""
    return any(
        isinstance(part, t.Binary)
        and part.op == "="
        and any(isinstance(side, t.Name) and side.name == MEMBER for side in (part.left, part.right))
        for part in choice[1]
    )


def _with_values(node: Any, values: dict[str, t.Expr]) -> Any:
    """Return an expression with values in place of names."""
    if isinstance(node, tuple):
        return tuple(_with_values(item, values) for item in node)
    if isinstance(node, t.Name):
        return values.get(node.name, node)
    if not isinstance(node, t.Node) or isinstance(node, t.Word):
        return node
    inner = {f.name: getattr(node, f.name) for f in fields(node) if f.name not in ("span", "bracketed")}
    return replace(node, **{name: _with_values(value, values) for name, value in inner.items()})


def _note(place: t.Node, fold: t.Fold, asked: t.Quantified) -> Diagnostic:
    member, bag = fold.names[0].text, format_expression(fold.domain)
    words = f"the {member} in {bag}: ..."
    message = f"`{words}` is none if two different ones fit, and the condition asks only for some"
    if isinstance(place, t.Fold):
        asks = f"`(the {member} in {bag}: ...) is not none`"
    else:
        asks = f"`{place.span.words} is not none`"
    advice = (
        f"let the event name it: a key `target`, the condition `target in {bag}`, and "
        f"`the {member} in {bag}: {member} = target`; or ask {asks}"
    )
    return Diagnostic("W009", message, place.span, advice, (Label(asked.span, "asks for some"),))
