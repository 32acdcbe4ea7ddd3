"""Lines that a text says once, put where they count: groups (12.4, 12.5), `where` (12.1 to 12.3), 12.7.

Input: the declarations of a resolved text. Output: the same without groups, `where` and definitions of scores that take
values.
Guarantee: each name that a quantifier, a sum or a loop binds is another one, so that no line changes its meaning where
it is put. A value that effects use stands in a loop over it, with a name that begins with `GIVEN`: `effects` evaluates
it in the state before the first effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import count
from typing import Any, Final, Literal, TypeVar

from golpae.diagnostics import SpecError
from golpae.syntax import tree as t

GIVEN: Final = (
    "given "  # `for each` with such a name: over the value that a `where` has before the first effect
)
PLAIN = ("seat", "tile", "number")  # kinds of value as which no other one can be used
KINDS = (*PLAIN, "meld", "tiles", "melds", "seats", "numbers", "patterns")

WORD = re.compile(r"[\w'-]+")

P = TypeVar("P")
R = TypeVar("R")
Decls = tuple[t.Decl, ...]

Form = Literal[
    "round all effects",  # the value of a `where` is in a loop round all effects
    "round each effect",  # or in one round each effect that uses it
    "in its places",  # or stands where its name is
    "named",  # the value of a parameter has its name within a line of conditions
    "put in",  # or stands where the name is
]
Forms = dict[tuple[str, str], Form]  # of a name or line of an action


def in_their_places(decls: Decls, check: Callable[[Decls], R]) -> R:
    """Return what a check says of a text with all lines where they count. Raises `SpecError`.

    The types of golpae lose in some forms what is known of a value, that it is not none. All forms have one meaning.
    Where the check finds faults, other forms are tried, one after the other.
    """
    numbers = count(1)
    decls = tuple(_with_ones(_apart(decl, {}, numbers)) for decl in decls)
    text = _Lines(decls)
    forms: Forms = {}
    found, faults = _tried(text, decls, forms, check)
    for key in [*forms]:
        if found is not None:
            break
        best = forms[key]
        for form in _others(best):
            forms[key] = form
            found, left = _tried(text, decls, forms, check)
            if found is not None or len(left.diagnostics) < len(faults.diagnostics):
                best, faults = form, left
            if found is not None:
                break
        forms[key] = best
    if found is None:
        raise faults
    return found


def _tried(
    text: _Lines, decls: Decls, forms: Forms, check: Callable[[Decls], R]
) -> tuple[R | None, SpecError]:
    """Return what the check says of the text in these forms, or None and its faults."""
    try:
        return check(text.placed(decls, forms)), SpecError([])
    except SpecError as faults:
        return None, faults


def _others(form: Form) -> tuple[Form, ...]:
    """Return the other forms that something can have."""
    whole: tuple[Form, ...] = ("round all effects", "round each effect", "in its places")
    return tuple(other for other in (whole if form in whole else ("named", "put in")) if other != form)


# ---------------------------------------------------------------- names


def bound(node: object) -> tuple[t.Word, ...]:
    """Return the names that a node binds in its own parts."""
    match node:
        case t.Quantified(names=names) | t.Fold(names=names):
            return names
        case t.EachOf(name=name) | t.ForEach(name=name):
            return (name,)
        case t.Pattern(each=(name, _)):
            return (name,)
        case _:
            return ()


def _apart(part: Any, names: Mapping[str, str], numbers: Iterator[int]) -> Any:
    """Return a part of a text in which each name that it binds itself is another one."""
    if isinstance(part, tuple):
        return tuple(_apart(item, names, numbers) for item in part)
    if isinstance(part, t.Name):
        return replace(part, name=names.get(part.name, part.name))
    if not isinstance(part, t.Node):
        return part
    own = {word.text: f"{word.text} no. {next(numbers)}" for word in bound(part)}
    inner = {**names, **own}
    new: dict[str, Any] = {}
    for field in fields(part):
        value = getattr(part, field.name)
        if own and field.name == "names":
            new["names"] = tuple(replace(word, text=own[word.text]) for word in value)
        elif own and field.name == "name" and not isinstance(part, t.Pattern):
            new["name"] = replace(value, text=own[value.text])
        elif own and field.name == "each":
            new["each"] = (replace(value[0], text=own[value[0].text]), _apart(value[1], names, numbers))
        elif field.name in ("domain", "size"):
            new[field.name] = _apart(value, names, numbers)
        elif field.name not in ("span", "bracketed", "remarks", "spoken"):
            new[field.name] = _apart(value, inner, numbers)
    return replace(part, **new)


def put(part: P, values: Mapping[str, t.Expr]) -> P:
    """Return a part of a text with values in place of names; what is bound in it has other names."""
    out: Any = part
    if isinstance(part, tuple):
        out = tuple(put(item, values) for item in part)
    elif isinstance(part, t.Name):
        out = values.get(part.name, part)
    elif isinstance(part, t.Node):
        out = replace(
            part, **{f.name: put(getattr(part, f.name), values) for f in fields(part) if f.name != "span"}
        )
    return out  # type: ignore[no-any-return]


def only(value: t.Expr) -> t.Expr:
    """Return the bag of one value: `{value for once in {0}}`. Braces alone cannot hold what may be none."""
    span = value.span
    return t.EachOf(span, value, t.Word(span, "once"), t.Bag(span, (t.Number(span, 0),)), None)


def mentions(part: object, name: str) -> bool:
    """Return whether a name stands somewhere in a part of a text."""
    if isinstance(part, tuple):
        return any(mentions(item, name) for item in part)
    if isinstance(part, t.Name):
        return part.name == name
    return isinstance(part, t.Node) and any(mentions(getattr(part, f.name), name) for f in fields(part))


# ---------------------------------------------------------------- the one


def _with_ones(decl: t.Decl) -> t.Decl:
    """Return an action with a condition for each name that stands for `the one` (3.20), of its name."""
    if not isinstance(decl, t.Action):
        return decl
    sought = [w for w in decl.wheres if isinstance(w.expr, t.Fold) and w.expr.kind == "the one"]
    clauses = list(decl.clauses)
    for where in sought:
        there = t.Is(where.span, t.Name(where.span, where.name.text), t.Word(where.span, "none"), True)
        is_deal = decl.kind == "deal"
        clause = t.Clause(
            where.span,
            where.name,
            t.Condition(where.span, there, None, afterwards=is_deal, first=is_deal),
            (),
        )
        before = [at for at, line in enumerate(clauses) if _asked_first(line)]
        needing = [at for at in before if _needs(clauses[at], where.name.text, decl.wheres)]
        clauses.insert(min(needing) if needing else max(before, default=-1) + 1, clause)
    return replace(decl, clauses=tuple(clauses))


def _plain(value: t.Expr) -> t.Expr:
    """Return a value with `the q in s` in place of `the one q in s`."""
    return replace(value, kind="the") if isinstance(value, t.Fold) and value.kind == "the one" else value


def _all_of(value: t.Expr) -> t.Expr:
    """Return the bag of one value; of `the one` that of all that it can be, which its condition holds to be one."""
    if isinstance(value, t.Fold) and value.kind == "the one":
        return t.Unary(value.span, "kinds of", replace(value, kind="those"))
    return only(value)


def _asked_first(line: t.Clause) -> bool:
    """Return whether a line is asked before the effects."""
    return not isinstance(line.body, t.Effects) and not (
        isinstance(line.body, t.Condition) and line.body.afterwards
    )


def _needs(line: t.Clause, name: str, wheres: tuple[t.Where, ...]) -> bool:
    """Return whether a line asks for a name, in its message too, or through a name whose value does."""
    said = getattr(line.body, "message", None) or ""
    words = {
        word.removesuffix("'s") for part in said.split("{")[1:] for word in WORD.findall(part.split("}")[0])
    }
    return (
        mentions(line.body, name)
        or name in words
        or any(
            mentions(w.expr, name) and _needs(line, w.name.text, wheres)
            for w in wheres
            if w.name.text != name
        )
    )


# ---------------------------------------------------------------- groups, and definitions of a score


class _Lines:
    """The groups of a text. `kinds` are definitions whose value is their own: they have the kind of a parameter."""

    def __init__(self, decls: Decls) -> None:
        self.groups = {d.name.text: d for d in decls if isinstance(d, t.Group)}
        self.named = {d.name.text for d in decls if isinstance(d, t.Kind)} | {*KINDS}
        self.kinds: list[t.Decl] = []
        self.forms: Forms = {}
        self._uses = count(1)

    def placed(self, decls: Decls, forms: Forms) -> Decls:
        """Return the declarations with all lines where they count, in these forms or the first ones."""
        self.forms = forms
        placed = tuple(self._decl(decl) for decl in decls if not isinstance(decl, t.Group))
        return (*(_if_stated(_with_values(decl, forms)) for decl in placed), *self.kinds)

    def _decl(self, decl: t.Decl) -> t.Decl:
        match decl:
            case t.Action(name=name, clauses=clauses, params=params, by=by):
                own = {part.text for param in params for part in param.parts or ()} | {p.name for p in params}
                own |= set() if by is None else {by.text}
                lines = (line for c in clauses for line in self._clause(name.text, c, own))
                return replace(decl, clauses=tuple(lines))
            case t.Score():
                return self._score(decl)
            case _:
                return decl

    def _clause(self, action: str, clause: t.Clause, own: set[str]) -> Iterator[t.Clause]:
        match clause.body:
            case t.Requires(group=call):
                group = self.groups[call.name]
                values = self._values(group.name.text, group.params, call)
                for line in group.clauses:
                    for each in self._clause(action, line, set()):
                        assert isinstance(each.body, t.Condition)
                        expr = self._of_values((action, each.name.text), each.body.expr, values)
                        named = tuple(t.Value(arg.span, each.name, None, arg) for arg in call.args)
                        named = named if each.body.if_stated else ()
                        yield replace(each, body=replace(each.body, expr=expr, message=None, values=named))
            case t.Effects(effects=effects):
                inner = tuple(e for effect in effects for e in self._effect(effect, own))
                yield replace(clause, body=replace(clause.body, effects=inner))
            case _:
                yield clause

    def _of_values(self, key: tuple[str, str], expr: t.Expr, values: Mapping[str, t.Expr]) -> t.Expr:
        """Return an expression with values in place of parameters, or with a name for each that needs one."""
        needed = {n: v for n, v in values.items() if isinstance(v, t.Call) and mentions(expr, n)}
        if not needed or self.forms.setdefault(key, "named") != "named":
            return put(expr, values)
        expr = put(expr, {name: value for name, value in values.items() if name not in needed})
        for name, value in needed.items():
            word = t.Word(value.span, f"{name} of use {next(self._uses)}")
            inner = put(expr, {name: t.Name(value.span, word.text)})
            expr = t.Quantified(value.span, "some", (word,), only(value), inner)
        return expr

    def _effect(self, effect: t.Effect, own: set[str]) -> Iterator[t.Effect]:
        """Yield the effects that stand for one; `own` are names whose values do not change."""
        match effect:
            case t.Use(group=call):
                yield from self._used(effect, self.groups[call.name], call, own)
            case t.When(effects=inner, otherwise=other):
                inner = tuple(e for one in inner for e in self._effect(one, own))
                if other is not None:
                    other = replace(
                        other, effects=tuple(e for one in other.effects for e in self._effect(one, own))
                    )
                yield replace(effect, effects=inner, otherwise=other)
            case t.ForEach(name=name, effects=inner):
                within = own | {name.text}
                yield replace(effect, effects=tuple(e for one in inner for e in self._effect(one, within)))
            case t.Repeat(effects=inner):
                yield replace(effect, effects=tuple(e for one in inner for e in self._effect(one, own)))
            case _:
                yield effect

    def _used(self, use: t.Use, group: t.Group, call: t.Call, own: set[str]) -> Iterator[t.Effect]:
        """Yield the effects of a group; what may change is evaluated once, before the first of them (12.4)."""
        values = self._values(group.name.text, group.params, call)
        names: dict[str, t.Expr] = {}
        loops: list[tuple[t.Word, t.Expr]] = []
        for name, value in values.items():
            is_plain = (isinstance(value, t.Name) and value.name in own) or isinstance(
                value, t.Number | t.TileName
            )
            if is_plain:
                names[name] = value
                continue
            word = t.Word(use.span, f"{name} of use {next(self._uses)}")
            loops.append((word, value))
            names[name] = t.Name(use.span, word.text)
        inner: tuple[t.Effect, ...] = ()
        within = own | {word.text for word, _ in loops}
        for line in group.clauses:
            assert isinstance(line.body, t.Effects)
            effects = put(line.body.effects, names)
            inner += tuple(e for effect in effects for e in self._effect(effect, within))
        for word, value in reversed(loops):
            inner = (t.ForEach(use.span, word, only(value), inner),)
        yield from inner

    def _values(self, user: str, params: Sequence[t.Param], call: t.Call) -> dict[str, t.Expr]:
        """Return the value of each parameter, of the kind that the parameter has."""
        names = [word.text for word in call.names] or [param.name for param in params]
        given = dict(zip(names, call.args, strict=True))
        kinds = self._kinds(params)
        return {name: self._as(user, name, kinds[name], given[name]) for name in kinds}

    def _kinds(self, params: Sequence[t.Param]) -> dict[str, t.Type]:
        """Return the kind of value of each parameter: `a, b: tile` says it of both, and a name can be that of one."""
        out: dict[str, t.Type] = {}
        kind: t.Type | None = None
        for param in reversed(params):
            if param.type is not None:
                kind = param.type
            elif param.name in self.named:
                out[param.name] = t.TypeName(param.span, param.name)
                continue
            assert kind is not None
            out[param.name] = kind
        return dict(reversed(out.items()))

    def _as(self, user: str, name: str, kind: t.Type, value: t.Expr) -> t.Expr:
        """Return a value as one of some kind."""
        if isinstance(kind, t.TypeTruth | t.TypeRange) or (
            isinstance(kind, t.TypeName) and kind.name in PLAIN
        ):
            return value
        if isinstance(kind, t.TypeOrNone) and isinstance(value, t.Name | t.Possessive):
            return value  # what is known of it is known of the parameter
        span, word = value.span, t.Word(value.span, f"{name} of {user}")
        if not any(isinstance(d, t.Define) and d.name == word for d in self.kinds):
            own = t.Condition(span, t.Name(span, word.text), None)
            param = t.Param(span, word.text, kind, None)
            self.kinds.append(
                t.Define(span, word, None, (param,), (t.Clause(span, word, own, ()),), False, ())
            )
        return t.Call(span, word.text, (value,))

    def _score(self, score: t.Score) -> t.Score:
        """Return a score with the expressions of its definitions that take values in their places (12.7)."""
        known: dict[str, t.ScoreDefine] = {}

        def written(part: Any) -> Any:
            if isinstance(part, tuple):
                return tuple(written(item) for item in part)
            if not isinstance(part, t.Node):
                return part
            part = replace(
                part, **{f.name: written(getattr(part, f.name)) for f in fields(part) if f.name != "span"}
            )
            if isinstance(part, t.Call) and part.name in known:
                define = known[part.name]
                user = f"{part.name} of {score.name.text}"
                return put(define.expr, self._values(user, define.params, part))
            return part

        plain = []
        for define in score.defines:
            own = written(define)
            if define.params:
                known[define.name.text] = own
            else:
                plain.append(own)
        return replace(
            score, defines=tuple(plain), patterns=written(score.patterns), fields=written(score.fields)
        )


def _if_stated(decl: t.Decl) -> t.Decl:
    """Return an action whose conditions hold if the event leaves out an optional key that they name (6.8).

    For a condition of a group, `values` are what stands in the brackets of `requires`.
    """
    if not isinstance(decl, t.Action):
        return decl
    clauses = []
    for clause in decl.clauses:
        body = clause.body
        if isinstance(body, t.Condition) and body.if_stated:
            expr = body.expr
            for key in reversed(decl.params):
                if key.optional and _names_key((body.expr, *body.values), key):
                    left_out = t.Is(expr.span, t.Name(expr.span, key.name), t.Word(expr.span, "none"), False)
                    expr = t.Binary(expr.span, "or", left_out, expr)
            body = replace(body, expr=expr, values=(), if_stated=False)
        clauses.append(replace(clause, body=body))
    return replace(decl, clauses=tuple(clauses))


def _names_key(part: object, key: t.Param) -> bool:
    """Return whether a part of a text names a key: `q's key`, if it has a value for each player."""
    if isinstance(part, tuple):
        return any(_names_key(item, key) for item in part)
    if isinstance(part, t.Name) and not isinstance(key.type, t.TypeEach):
        return part.name == key.name
    if isinstance(part, t.Possessive) and isinstance(key.type, t.TypeEach) and part.name == key.name:
        return True
    return isinstance(part, t.Node) and any(_names_key(getattr(part, f.name), key) for f in fields(part))


def _unsaid(body: t.Body) -> t.Body:
    """Return a condition without its message, which decides nothing."""
    return replace(body, message=None) if isinstance(body, t.Condition) else body


# ---------------------------------------------------------------- names for values


def _with_values(decl: t.Decl, forms: Forms) -> t.Decl:
    """Return a block without `where` (12.2, 12.3)."""
    if not isinstance(decl, t.Define | t.Action) or not decl.wheres:
        return decl
    values: dict[str, t.Expr] = {}
    for where in decl.wheres:
        values[where.name.text] = put(_plain(where.expr), values)
    if isinstance(decl, t.Define) or decl.kind == "payout":
        return replace(decl, clauses=put(decl.clauses, values), wheres=())
    usual: Form = (
        "round each effect" if decl.kind == "deal" else "round all effects"
    )  # a deal has to set states
    stands = {name: forms.setdefault((decl.name.text, name), usual) for name in values}
    in_place = {name: value for name, value in values.items() if stands[name] == "in its places"}
    names: dict[str, t.Expr] = {
        name: t.Name(v.span, f"{GIVEN}{name}") for name, v in values.items()
    } | in_place
    clauses = tuple(
        replace(c, body=put(c.body, names)) if isinstance(c.body, t.Effects) else put(_silent(c), values)
        for c in decl.clauses
    )
    sought = {w.name.text for w in decl.wheres if w.expr != _plain(w.expr)}
    known = {name: value for name, value in names.items() if name in sought}
    given = {w.name.text: _all_of(put(put(w.expr, known), values)) for w in decl.wheres}
    needed: dict[str, t.Expr] = {}
    for name in reversed(given):
        if mentions((clauses, tuple(needed.values())), f"{GIVEN}{name}"):
            needed[name] = given[name]
    once = {name: value for name, value in needed.items() if stands[name] == "round all effects"}
    clauses = tuple(_given_to_each(c, {n: v for n, v in needed.items() if n not in once}) for c in clauses)
    if once:
        effects = tuple(e for c in clauses if isinstance(c.body, t.Effects) for e in c.body.effects)
        whole = _round(effects, once)
        last = [c for c in clauses if isinstance(c.body, t.Effects)][-1]
        joined = replace(last, body=t.Effects(last.span, whole))
        clauses = (*(c for c in clauses if not isinstance(c.body, t.Effects)), joined)
    return replace(decl, clauses=clauses, wheres=())


def _silent(clause: t.Clause) -> t.Clause:
    return replace(clause, body=_unsaid(clause.body))


def _given_to_each(clause: t.Clause, values: Mapping[str, t.Expr]) -> t.Clause:
    if not isinstance(clause.body, t.Effects):
        return clause
    effects: tuple[t.Effect, ...] = ()
    for effect in clause.body.effects:
        needed: dict[str, t.Expr] = {}
        for name, value in values.items():
            if mentions((effect, tuple(needed.values())), f"{GIVEN}{name}"):
                needed[name] = value
        effects += _round((effect,), needed)
    return replace(clause, body=replace(clause.body, effects=effects))


def _round(effects: tuple[t.Effect, ...], values: Mapping[str, t.Expr]) -> tuple[t.Effect, ...]:
    """Return effects within a loop over each of these bags, the last one outermost."""
    for name, value in values.items():
        word = t.Word(value.span, f"{GIVEN}{name}")
        effects = (t.ForEach(value.span, word, value, effects),)
    return effects
