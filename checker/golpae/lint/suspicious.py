"""Conditions that rarely mean what they say.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: nothing here depends on types; only the text itself is noted, not what it includes.

    some t in s: t in nets implies t's size = 1       true as soon as one tile is no net
    rounds = rounds                                   always true
    deal from sea / few: size of first's hand < 3     asks about the hand before the deal
    end                                               without a condition: may happen at any time
    for each mover in players: ...                    hides the state `mover`
    run: some m in shown: fits(m, tile)               two melds may fit, ...
    then move tile from hand to (the m in shown: fits(m, tile))    and this is none if two do
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from golpae.diagnostics import Diagnostic, Label, Span
from golpae.elaborate.typecheck.builtins import STANDING_ALONE
from golpae.elaborate.typecheck.parameters import names_of
from golpae.lint.text_words import Vocabulary, words
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import children, nodes

Known = Mapping[str, tuple[str, Span | None]]  # what a name can hide, by its name: its kind and place
DEEPEST = 8  # definitions within definitions
Choice = tuple[
    t.Expr, frozenset[t.Expr]
]  # the bag, and the parts of the test; the member has no name in them
MEMBER = ""


def suspicious(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each condition that rarely means what it says."""
    own = text.own_decls
    choices = {w.text for n in nodes(text.decls) if isinstance(n, t.TypeChoice) for w in n.words}
    for node in nodes(own):
        yield from _conditions(node, choices)
    declared = _declared(text)
    for decl in own:
        if isinstance(decl, t.Action):
            yield from _before_the_deal(text, decl)
            yield from _end(text, decl)
        yield from _hidden(decl, declared)


def _conditions(node: t.Node, choices: set[str]) -> Iterator[Diagnostic]:
    match node:
        case t.Quantified(kind="some", body=t.Binary(op="implies", left=left, right=right)):
            names = ", ".join(word.text for word in node.names)
            first, second = (format_expression(side) for side in (left, right))
            message = f"this holds as soon as `{_short(first)}` does not hold for some `{names}`"
            advice = f"write `{_short(first)} and {_short(second)}`, or `every` for `some`"
            yield Diagnostic("W004", message, node.span, advice)
        case t.Binary(
            op="=" | "/=" | "<" | "<=" | ">" | ">=" | "implies" | "and" | "or", left=left, right=right
        ):
            if left == right and not (isinstance(left, t.Name) and left.name in choices):  # `ready = ready`
                advice = "compare with something else, or leave it out"
                yield Diagnostic(
                    "W004", f"both sides are `{_short(format_expression(left))}`", node.span, advice
                )


def _short(words: str) -> str:
    return words if len(words) <= 40 else "..."


def _before_the_deal(text: Vocabulary, action: t.Action) -> Iterator[Diagnostic]:
    """Note the conditions of a deal that ask about hands, which are not dealt yet."""
    if action.kind != "deal":
        return
    for clause in action.clauses:
        if isinstance(clause.body, t.Condition) and "hand" in text.through(words(clause.body.expr)):
            message = f"`{clause.name.text}` asks about hands before the tiles are dealt"
            advice = "ask in an action after the deal; here the hands are those of the last deal"
            yield Diagnostic("W005", message, clause.body.expr.span, advice)


def _end(text: Vocabulary, action: t.Action) -> Iterator[Diagnostic]:
    if action.kind != "end":
        return
    bodies = [c.body for c in action.clauses]
    bodies += [d.body for d in text.changes if d.path[0].text == "end" and d.body is not None]
    if not any(isinstance(body, t.Condition) for body in bodies):
        span = Span(action.span.text, action.span.start, action.span.start + len("end"))
        yield Diagnostic("W006", "a hand can end at any time", span, "write `due: over` under `end`")


# ---------------------------------------------------------------- names that hide others


def _declared(text: Vocabulary) -> Known:
    """Return what a name inside an expression can hide, with its kind and place, if it has one."""
    out: dict[str, tuple[str, Span | None]] = dict.fromkeys(STANDING_ALONE, ("the word of every game", None))
    for decl in text.decls:
        match decl:
            case t.State(vars=things):
                out |= {v.name.text: ("the state", v.name.span) for v in things if not v.each_player}
            case t.Zones(zones=zones):
                out |= {z.name.text: ("the zone", z.name.span) for z in zones if not z.each_player}
            case t.Define(name=name, owner=None, params=()):
                out[name.text] = ("the definition", name.span)
            case t.Option(name=name):
                out[name.text] = ("the option", name.span)
    return out


def _hidden(decl: t.Decl, declared: Known) -> Iterator[Diagnostic]:
    """Note the names of questions, sums and loops that hide something."""
    if isinstance(decl, t.Action | t.Define):
        keys = [word for param in decl.params for word in names_of(param)]
        keys += [decl.by] if isinstance(decl, t.Action) and decl.by is not None else []
        kind = "the key" if isinstance(decl, t.Action) else "the value"
        declared = {**declared, **{word.text: (kind, word.span) for word in keys}}
    yield from _inside(children(decl), declared)


def _inside(parts: Iterable[t.Node], known: Known) -> Iterator[Diagnostic]:
    for part in parts:
        inner = known
        for word in _bound(part):
            if word.text in known:
                kind, place = known[word.text]
                message = f"`{word.text}` hides {kind} `{word.text}`"
                labels = () if place is None else (Label(place, kind),)
                yield Diagnostic("W002", message, word.span, "choose another name", labels)
            inner = {**inner, word.text: ("an outer name", word.span)}
        yield from _inside(children(part), inner)


def _bound(node: t.Node) -> tuple[t.Word, ...]:
    match node:
        case t.Quantified(names=names) | t.Fold(names=names):
            return names
        case t.EachOf(name=name) | t.ForEach(name=name):
            return (name,)
        case t.Pattern(each=(word, _)):
            return (word,)
        case _:
            return ()


# ---------------------------------------------------------------- one value where several fit


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
