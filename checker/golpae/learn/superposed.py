"""Many edits in one text: a number says which of them holds.

Input: a text, and alternatives to some of its clauses.
Output: one text with a number as a further state; for each number, the games are those of the text with this one edit.
Guarantee: alternatives that are not well typed are left out. With number 0 the games are those of the text.

    turn: p = mover     becomes     turn: if edit = 1 then p /= mover else if edit = 2 then p = lead else p = mover

Making a machine takes much longer than to replay a game, so a few texts with many edits each are much quicker than a
text for each edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from golpae.diagnostics import Span, SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.meaningful import meaningful
from golpae.learn.terms import words_in
from golpae.learn.text import before_effects
from golpae.replay.state_layout import var_slot
from golpae.syntax import tree as t

EDIT = "edit-that-holds"
SLOT = var_slot(EDIT)
TOGETHER = 120
"""Alternatives in one text."""

MARK = "alternative "
_QUOTED = re.compile(r"`([A-Za-z][\w-]*)`")
_NAMES = re.compile(r"[A-Za-z][\w-]*")
Effects = tuple[t.Effect, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another body of a clause, by the numbers of its declaration and of the clause there; None: without it. Behind the
    last clause it is a new one. `said` is the edit in words, `cost` the bits of these.
    """

    decl: int
    clause: int
    body: t.Body | None
    place: str
    said: str
    cost: float


@dataclass(frozen=True, slots=True)
class Superposed:
    """A text with the numbers of its alternatives."""

    loaded: Loaded
    rules: RuleSet
    numbered: dict[int, Alternative]


def edited(loaded: Loaded, alternative: Alternative) -> Loaded:
    """Return a text with an alternative."""
    decl: Any = loaded.decls[alternative.decl]
    at, body = alternative.clause, alternative.body
    clauses = decl.clauses
    if at == len(clauses):
        assert body is not None
        word = t.Word(decl.span, NEW)
        if isinstance(decl, t.Define):
            clauses = (*clauses, t.Clause(decl.span, word, body, ()))
        else:
            clauses = before_effects(clauses, (t.Clause(decl.span, word, body, ()),))
    elif body is None:
        clauses = (*clauses[:at], *clauses[at + 1 :])
    else:
        clauses = (*clauses[:at], replace(clauses[at], body=body), *clauses[at + 1 :])
    return with_decl(loaded, alternative.decl, replace(decl, clauses=clauses))


NEW = "learned"


def with_decl(loaded: Loaded, at: int, decl: t.Decl) -> Loaded:
    return replace(loaded, decls=(*loaded.decls[:at], decl, *loaded.decls[at + 1 :]))


def superposed(loaded: Loaded, alternatives: Iterable[Alternative]) -> list[Superposed]:
    """Return texts that have all alternatives which mean something."""
    every = list(alternatives)
    found: list[Superposed] = []
    for start in range(0, len(every), TOGETHER):
        found += _checked(loaded, dict(enumerate(every[start : start + TOGETHER], 1)))
    return found


def _checked(loaded: Loaded, numbered: dict[int, Alternative]) -> list[Superposed]:
    def make(left: dict[int, Alternative]) -> tuple[Loaded, RuleSet]:
        whole = _together(loaded, left)
        return whole, check(resolve(loaded.game.name.text, whole))

    def at_fault(fault: SpecError, left: dict[int, Alternative]) -> set[int]:
        names = {name for d in fault.diagnostics for name in _QUOTED.findall(d.message)}
        return marked_in(fault, left) or _without_name(loaded, names, left) or _that_name(names, left)

    return [Superposed(*made, left) for left, made in meaningful(numbered, make, at_fault)]


def marked_in(fault: SpecError, numbered: Mapping[int, object]) -> set[int]:
    """Return the numbers of the alternatives in which a fault is."""
    return {_number_of(d.span) for d in fault.diagnostics} & numbered.keys()


def _without_name(loaded: Loaded, names: set[str], numbered: dict[int, Alternative]) -> set[int]:
    """Return the alternatives to effects that lose one of these names: a state without a first value is their fault."""
    found = set()
    for number, one in numbered.items():
        decl: Any = loaded.decls[one.decl]
        old = decl.clauses[one.clause].body if one.clause < len(decl.clauses) else None
        if isinstance(old, t.Effects):
            lost = words_in(old) - (set() if one.body is None else words_in(one.body))
            if names & lost:
                found.add(number)
    return found


def _that_name(names: set[str], numbered: dict[int, Alternative]) -> set[int]:
    """Return the alternatives with one of these names: a fault of the text as a whole, such as a circle, is theirs."""
    return {number for number, one in numbered.items() if names & set(_NAMES.findall(one.said))}


def _number_of(span: Span | None) -> int:
    if span is None or not span.text.name.startswith(MARK):
        return 0
    return int(span.text.name.removeprefix(MARK))


def _together(loaded: Loaded, numbered: dict[int, Alternative]) -> Loaded:
    sites: dict[tuple[int, int], dict[int, Alternative]] = {}
    for number, one in numbered.items():
        sites.setdefault((one.decl, one.clause), {})[number] = one
    whole = loaded
    for (at, clause), alternatives in sorted(sites.items(), key=lambda site: (site[0][0], -site[0][1])):
        decl: Any = whole.decls[at]
        before: Any = loaded.decls[at]
        new = clause == len(before.clauses)
        case = isinstance(decl, t.Define)
        first = next(iter(alternatives.values()))
        if new:
            nothing = t.Truth(decl.span, not case)
            old: t.Body = (
                t.Condition(decl.span, nothing, None)
                if not isinstance(first.body, t.Effects)
                else t.Effects(decl.span, ())
            )
        else:
            old = decl.clauses[clause].body
        bodies = {n: _marked(one.body, n) for n, one in alternatives.items()}
        body = _chosen(old, bodies, case)
        place = len(decl.clauses) if new else clause
        whole = edited(whole, Alternative(at, place, body, "", "", 0))
    span = loaded.game.span
    var = t.StateVar(span, t.Word(span, EDIT), False, t.TypeName(span, "number"), t.Number(span, 0), ())
    return replace(whole, decls=(*whole.decls, t.State(span, "match", (var,))))


def _chosen(old: t.Body, bodies: dict[int, t.Body | None], case: bool) -> t.Body:
    """Return a body that is one of these, as the number says."""
    if isinstance(old, t.Condition):
        span = old.span
        nothing = t.Truth(span, not case)
        exprs = {n: body.expr if isinstance(body, t.Condition) else nothing for n, body in bodies.items()}
        return replace(old, expr=chosen_expr(old.expr, sorted(exprs.items())))
    assert isinstance(old, t.Effects)
    every = sorted((n, body.effects if isinstance(body, t.Effects) else ()) for n, body in bodies.items())
    span = old.span
    low, high = every[0][0], every[-1][0]
    inside = t.Binary(span, "and", _is(span, ">=", low), _is(span, "<=", high))
    effects = _one_of(span, old.effects, every, range(low, high + 1))
    return replace(old, effects=_either(span, inside, effects, old.effects))


def _one_of(span: Span, old: Effects, every: Sequence[tuple[int, Effects]], numbers: range) -> Effects:
    """Return effects of which one branch happens, so that a state has a value if it has one in each branch.

    `numbers`: those that can hold here.
    """
    if len(every) == 1:
        number, effects = every[0]
        return effects if len(numbers) == 1 else _either(span, _is(span, "=", number), effects, old)
    half = len(every) // 2
    middle = every[half][0]
    below = _one_of(span, old, every[:half], range(numbers.start, middle))
    above = _one_of(span, old, every[half:], range(middle, numbers.stop))
    return _either(span, _is(span, "<", middle), below, above)


def _either(span: Span, test: t.Expr, yes: Effects, no: Effects) -> Effects:
    if yes:
        return (t.When(span, test, yes, t.Else(span, no) if no else None),)
    return (t.When(span, t.Unary(span, "not", test), no),) if no else ()


def chosen_expr(old: t.Expr, exprs: Sequence[tuple[int, t.Expr]]) -> t.Expr:
    """Return the expression of the number that holds; INVARIANT: numbers without one in between belong to others."""
    span = old.span
    low, high = exprs[0][0], exprs[-1][0]
    inside = t.Binary(span, "and", _is(span, ">=", low), _is(span, "<=", high))
    return t.If(span, inside, _halved(old, exprs), old)


def _halved(old: t.Expr, exprs: Sequence[tuple[int, t.Expr]]) -> t.Expr:
    if len(exprs) == 1:
        number, expr = exprs[0]
        return t.If(old.span, _is(old.span, "=", number), expr, old)
    half = len(exprs) // 2
    below = _is(old.span, "<", exprs[half][0])
    return t.If(old.span, below, _halved(old, exprs[:half]), _halved(old, exprs[half:]))


def _is(span: Span, op: Any, number: int) -> t.Expr:
    return t.Binary(span, op, t.Name(span, EDIT), t.Number(span, number))


def _marked(body: t.Body | None, number: int) -> t.Body | None:
    """Return a body whose nodes all say which alternative they are of."""
    span = Span(Text.of(f"{MARK}{number}", " "), 0, 1)
    marked: t.Body | None = _spanned(body, span)
    return marked


def marked_expr(expr: t.Expr, number: int) -> t.Expr:
    """Return an expression whose nodes all say which alternative they are of."""
    marked: t.Expr = _spanned(expr, Span(Text.of(f"{MARK}{number}", " "), 0, 1))
    return marked


def _spanned(node: Any, span: Span) -> Any:
    if isinstance(node, tuple):
        return tuple(_spanned(one, span) for one in node)
    if not isinstance(node, t.Node):
        return node
    changed = {
        f.name: _spanned(getattr(node, f.name), span)
        for f in fields(node)
        if f.name not in ("span", "remarks")
    }
    return replace(node, span=span, **changed)
