"""Writes out names for values: `where x is ...`.

Input: the declarations of a resolved text, without groups. Output: the same without `where`.
Guarantee: in conditions and definitions the value stands in the place of its name. In effects it is the value before
the first effect: where an effect before changes what it reads, the value is found before that effect.

    action put(tile) by p                          action put(tile) by p
      where many is size of p's hand                 held: size of p's hand > 1
      held: many > 1                       ->        then [many is size of p's hand, found once]
      then move tile from p's hand to trick            move tile from p's hand to trick
      then n := many                                   n := many

`where x is the one q in s: test` is `the q in s: test` with a condition `x`, that it is not none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from golpae.diagnostics import Diagnostic, Label, Span, SpecError
from golpae.elaborate.expand.names import Fresh, in_place, open_in
from golpae.elaborate.typecheck.effects import changed_by
from golpae.elaborate.typecheck.parameters import names_of
from golpae.elaborate.typecheck.scope import names_within
from golpae.ir.dependencies import closure
from golpae.syntax import tree as t
from golpae.syntax.messages import values_in
from golpae.syntax.traverse import nodes

Values = dict[str, t.Expr]


def with_wheres(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with values in place of the names for them. Raises `SpecError`."""
    if not any(isinstance(d, t.Define | t.Action) and d.wheres for d in decls):
        return decls
    writing = _Writing(decls)
    out = tuple(writing.written(d) if isinstance(d, t.Define | t.Action) and d.wheres else d for d in decls)
    if writing.faults:
        raise SpecError(writing.faults)
    return out


def with_the_ones(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with `the q in s` and a condition in place of `the one q in s`. Raises `SpecError`."""
    faults: list[Diagnostic] = []
    out = tuple(
        _with_conditions(d, faults) if isinstance(d, t.Action) and any(map(_the_one, d.wheres)) else d
        for d in decls
    )
    if faults:
        raise SpecError(faults)
    return out


def _the_one(where: t.Where) -> t.Fold | None:
    """Return the value of a name if it is `the one ...`."""
    return where.expr if isinstance(where.expr, t.Fold) and where.expr.kind == "the one" else None


def _with_conditions(node: t.Action, faults: list[Diagnostic]) -> t.Action:
    """Return an action that asks for each `the one ...` whether it is there, before the first condition that needs it.

    In `deal`, the tiles have to be dealt before.
    """
    conditions: list[t.Clause] = []
    wheres: list[t.Where] = []
    for where in node.wheres:
        fold = _the_one(where)
        if fold is not None:
            if node.kind == "payout":
                faults.append(_without_conditions(node, fold))
            fold = replace(fold, kind="the")
            where = replace(where, expr=fold)
            conditions.append(_asks(where, fold, dealt=node.kind == "deal"))
        wheres.append(where)
    clauses = _before_their_use(node.clauses, conditions, wheres)
    if node.kind == "deal":
        faults += (
            _before_the_deal(c.name.text, line)
            for line in node.clauses
            if _is_before_effects(line.body)
            for c in conditions
            if c.name.text in _needed_by(line.body, wheres)
        )
        clauses = (*node.clauses, *conditions)
    return replace(node, wheres=tuple(wheres), clauses=clauses)


def _before_their_use(
    clauses: Sequence[t.Clause], asked: Sequence[t.Clause], wheres: Sequence[t.Where]
) -> tuple[t.Clause, ...]:
    """Return clauses with conditions before the first one that needs them, or behind the last condition."""
    last = max((at for at, c in enumerate(clauses) if _is_before_effects(c.body)), default=-1) + 1
    out: list[t.Clause] = []
    for clause in clauses[:last]:
        needed = _needed_by(clause.body, wheres) if _is_before_effects(clause.body) else frozenset()
        out += [*(c for c in asked if c.name.text in needed and c not in out), clause]
    return (*out, *(c for c in asked if c not in out), *clauses[last:])


def _needed_by(body: t.Body, wheres: Sequence[t.Where]) -> frozenset[str]:
    """Return the names that a line uses: it leaves them open, says them in its message, or uses names that use them."""
    names = open_in([body])
    if isinstance(body, t.Condition | t.Hands) and body.message is not None:
        said = " ".join(body.message[at:end] for at, end in values_in(body.message))
        names |= {word.removesuffix("'s") for word in re.findall(r"[\w'-]+", said)}
    for where in reversed(wheres):
        if where.name.text in names:
            names |= open_in([where.expr])
    return names


def _asks(where: t.Where, fold: t.Fold, dealt: bool) -> t.Clause:
    """Return the condition that there is exactly one such member."""
    span = fold.span
    expr = t.Is(span, t.Name(span, where.name.text), t.Word(span, "none"), True)
    fitting = t.Unary(span, "kinds of", replace(fold, kind="those"))
    said: tuple[str | t.Expr, ...] = (
        f"there should be exactly one `{where.name.text}`; those that fit: ",
        fitting,
    )
    body = t.Condition(span, expr, None, said=said, afterwards=dealt, first=dealt)
    return t.Clause(where.span, where.name, body, where.ids)


def _without_conditions(node: t.Action, fold: t.Fold) -> Diagnostic:
    plain = fold.span.excerpt.replace("the one", "the", 1)
    message = f"`the one` asks whether there is exactly one, and `{node.name.text}` refuses nothing"
    advice = f"write `{plain}`, and say what happens if there is none: `when ... is not none: ...`"
    return Diagnostic("R005", message, fold.span, advice)


def _before_the_deal(name: str, line: t.Clause) -> Diagnostic:
    message = f"`{name}` is known when the tiles are dealt, and `{line.name.text}` is asked before"
    advice = "ask it `afterwards`, or write `the` for `the one` and say what happens if there is none"
    return Diagnostic("R005", message, line.body.span, advice)


def _is_before_effects(body: t.Body) -> bool:
    return not isinstance(body, t.Effects) and not (isinstance(body, t.Condition) and body.afterwards)


def with_wheres_of_scores(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with values in place of the names of definitions in scores. Raises `SpecError`."""
    if not any(isinstance(d, t.Score) and any(define.wheres for define in d.defines) for d in decls):
        return decls
    writing = _Writing(decls)
    out = tuple(writing.score(d) if isinstance(d, t.Score) else d for d in decls)
    if writing.faults:
        raise SpecError(writing.faults)
    return out


class _Writing:
    def __init__(self, decls: Sequence[t.Decl]) -> None:
        self.faults: list[Diagnostic] = []
        self._fresh = Fresh("w")
        self._things = dict(_things(decls))
        self._used_by: dict[str, frozenset[str]] = {}
        self._parts = {
            d.name.text: d for d in decls if isinstance(d, t.Define | t.Shape | t.Arrangement | t.Score)
        }

    def written(self, node: t.Define | t.Action) -> t.Define | t.Action:
        """Return a block without names for values."""
        first = {word.text: word.span for param in node.params for word in names_of(param)}
        if isinstance(node, t.Action):
            first |= {} if node.by is None else {node.by.text: node.by.span}
            own = {w.name.span for w in node.wheres}  # conditions of `the one` have their names
            first |= {c.name.text: c.name.span for c in node.clauses if c.name.span not in own}
        elif node.cases:
            first |= {c.name.text: c.name.span for c in node.clauses}
        values = self._values(node, first)
        if isinstance(node, t.Define):
            clauses = tuple(replace(c, body=in_place(c.body, values, self._fresh)) for c in node.clauses)
            return replace(node, clauses=clauses, wheres=())
        return replace(node, clauses=self._of_action(node, values), wheres=())

    def score(self, node: t.Score) -> t.Score:
        """Return a score in whose definitions no name stands for a value."""
        lines: tuple[t.GivenParam | t.ScoreDefine | t.Pattern, ...] = (
            *node.given,
            *node.defines,
            *node.patterns,
        )
        own = {line.name.text: line.name.span for line in lines}
        own |= {word.text: word.span for param in node.params for word in names_of(param)}
        defines = []
        for define in node.defines:
            first = own | {word.text: word.span for param in define.params for word in names_of(param)}
            expr = in_place(define.expr, self._values(define, first), self._fresh)
            defines.append(replace(define, expr=expr, wheres=()))
        return replace(node, defines=tuple(defines))

    def _values(self, node: t.Define | t.Action | t.ScoreDefine, first: dict[str, Span]) -> Values:
        """Return the values of names; `first` are the names that already mean something in their block."""
        self._check_names(node, first | _keys(node))
        values: Values = {}
        for where in node.wheres:
            later = [w.name.text for w in node.wheres if w.name.text not in values]
            for name in sorted(open_in([where.expr]).intersection(later)):
                message, advice = f"`{name}` is named further down", "write it above the names that use it"
                if name == where.name.text:
                    message, advice = f"`{name}` depends on itself", f"say its value without `{name}`"
                self.faults.append(Diagnostic("T005", message, where.expr.span, advice))
            values[where.name.text] = in_place(where.expr, values, self._fresh)
        return values

    def _check_names(self, node: t.Define | t.Action | t.ScoreDefine, first: dict[str, Span]) -> None:
        first = dict(first)
        for where in node.wheres:
            name = where.name
            kind, span = self._things.get(name.text, ("", name.span))
            if kind:
                message = f"`{name.text}` is already the name of a {kind}"
                label = Label(span, f"the {kind}")
                self.faults.append(Diagnostic("N002", message, name.span, "choose another name", (label,)))
            elif name.text in first:
                message = f"`{node.name.text}` has two things called `{name.text}`"
                label = Label(first[name.text], "the first one")
                self.faults.append(Diagnostic("N002", message, name.span, "choose another name", (label,)))
            first.setdefault(name.text, name.span)

    # ------------------------------------------------------------------ actions

    def _of_action(self, node: t.Action, values: Values) -> tuple[t.Clause, ...]:
        changed = {
            name for c in node.clauses if isinstance(c.body, t.Effects) for name in changed_by(c.body.effects)
        }
        used = open_in(c.body for c in node.clauses if isinstance(c.body, t.Effects))
        wheres = [
            w for w in node.wheres if w.name.text in used and self._reached(values[w.name.text]) & changed
        ]
        words = {w.name.text: self._fresh.word(w.name) for w in wheres}
        in_effects = values | {old: t.Name(word.span, word.text) for old, word in words.items()}
        clauses = []
        for clause in node.clauses:
            if isinstance(clause.body, t.Effects):
                clauses.append(replace(clause, body=in_place(clause.body, in_effects, self._fresh)))
            else:
                clauses.append(replace(clause, body=self._body(clause.body, values)))
        if not wheres:
            return tuple(clauses)
        named = tuple(t.Value(w.expr.span, words[w.name.text], None, values[w.name.text]) for w in wheres)
        reads = frozenset(name for w in wheres for name in self._reached(values[w.name.text]))
        return _found_once(clauses, named, reads)

    def _body(self, body: t.Body, values: Values) -> t.Body:
        """Return the body of a clause that is no effect, and what its message says, with values in place of names."""
        body = in_place(body, values, self._fresh)
        if not isinstance(body, t.Condition) or body.values or body.message is None:
            return body
        said = " ".join(body.message[at:end] for at, end in values_in(body.message))
        inside = tuple(
            t.Value(body.span, t.Word(body.span, name), None, value)
            for name, value in values.items()
            if name in said
        )
        return replace(body, values=inside)

    def _reached(self, expr: t.Expr) -> frozenset[str]:
        """Return the names that an expression reads, itself or through definitions, shapes and scores."""

        def used_by(name: str) -> Iterable[str]:
            if name not in self._used_by:
                part = self._parts.get(name)
                self._used_by[name] = frozenset(() if part is None else names_within(part))
            return self._used_by[name]

        return frozenset(closure(names_within(expr), used_by))


def _keys(node: t.Define | t.Action | t.ScoreDefine) -> dict[str, Span]:
    """Return the words that stand before the `:` of the cases of a definition."""
    if isinstance(node, t.Action):
        return {}
    rows = [
        row
        for part in nodes([node])
        if isinstance(part, t.Cases) and part.by is not None
        for row in part.rows
    ]
    return {key.name: key.span for row in rows for key in row.keys if isinstance(key, t.Name)}


def _found_once(
    clauses: list[t.Clause], values: tuple[t.Value, ...], reads: frozenset[str]
) -> tuple[t.Clause, ...]:
    """Return clauses whose values are found before the first effect that uses one or changes what one reads.

    Clauses of effects from there to the last one that uses a value become one clause.
    """
    words = {value.name.text for value in values}
    effects = {at: c.body.effects for at, c in enumerate(clauses) if isinstance(c.body, t.Effects)}
    uses = [at for at, inner in effects.items() if open_in(inner) & words]
    first = min(at for at, inner in effects.items() if at in uses or reads.intersection(changed_by(inner)))
    last = max(uses)
    together = [at for at in effects if first <= at <= last]
    inner = tuple(effect for at in together for effect in effects[at])
    span = clauses[first].body.span
    whole = t.Effects(span, (t.Given(span, values, inner),))
    ids = tuple(dict.fromkeys(word for at in together for word in clauses[at].ids))
    joined = replace(clauses[first], body=whole, ids=ids)
    return tuple(
        joined if at == first else c for at, c in enumerate(clauses) if at == first or at not in together
    )


def _things(decls: Sequence[t.Decl]) -> Iterable[tuple[str, tuple[str, Span]]]:
    """Yield each name without an owner in a text, with its kind (state, zone, part of a row, definition or option) and
    its span.
    """
    for decl in decls:
        match decl:
            case t.State(vars=states):
                yield from ((v.name.text, ("state", v.name.span)) for v in states if not v.each_player)
            case t.Zones(zones=zones):
                yield from ((z.name.text, ("zone", z.name.span)) for z in zones if not z.each_player)
            case t.RowSlice(name=name):
                yield name.text, ("part of a row", name.span)
            case t.Define(name=name, owner=None, params=()):
                yield name.text, ("definition", name.span)
            case t.Option(name=name):
                yield name.text, ("option", name.span)
            case _:
                pass
