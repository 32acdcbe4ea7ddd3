"""Values that are none if several members fit, where a condition asks only whether one does.

Input: a `Vocabulary`.
Output: a note for each.
Guarantee: nothing here depends on types. A value is not noted if a condition says that no two members fit.

    run: some m in shown: fits(m, tile)               two melds may fit, ...
    then move tile from hand to (the m in shown: fits(m, tile))    and this is none if two do

The condition may count the members (`number of m in shown: fits(m, tile) > 0`), or ask about them for some player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

from golpae.diagnostics import Diagnostic, Label
from golpae.lint.text_words import Vocabulary
from golpae.syntax import tree as t
from golpae.syntax.bound_names import nameless, with_values
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import children, nodes, with_tests

DEEPEST = 8  # definitions within definitions
MEMBER = ""  # the name of the member in a `Choice`
ANY = "?"  # begins the name of a value that may be any
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "/=": "/="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "/=", "/=": "="}
N = TypeVar("N", bound=t.Node)
_Bound = Mapping[str, object]  # values for the names that begin with `ANY`


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen from, and the parts of the test, in which the member is called `MEMBER`."""

    bag: t.Expr
    test: frozenset[t.Expr]


@dataclass(frozen=True, slots=True)
class _Question:
    """A part of a condition: some member of a choice fits, or at most one does."""

    choice: Choice
    place: t.Expr
    one: bool


def several_fit(text: Vocabulary) -> Iterator[Diagnostic]:
    """Yield a note for each `the x in s: P` of an action whose condition is `some x in s: P`."""
    definitions = [d for d in text.decls if isinstance(d, t.Define) and not d.cases]
    look = _Look({(d.name.text, d.owner is not None): d for d in definitions})
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
    def __init__(self, definitions: dict[tuple[str, bool], t.Define]) -> None:
        self._definitions = definitions

    def action(self, clauses: Sequence[t.Clause], looked_at: Sequence[t.Clause]) -> Iterator[Diagnostic]:
        """Yield the notes of some clauses of an action that has all these clauses."""
        tests = [clause.body.expr for clause in clauses if isinstance(clause.body, t.Condition)]
        for clause in looked_at:
            if isinstance(clause.body, t.Effects):
                for effect, around in with_tests(clause.body.effects, tuple(tests)):
                    yield from self._values([e for e in children(effect) if isinstance(e, t.Expr)], around)
            elif isinstance(clause.body, t.Condition):
                yield from self._values([clause.body.expr], tests)

    def _values(self, exprs: Iterable[t.Expr], tests: Sequence[t.Expr]) -> Iterator[Diagnostic]:
        uses = [
            (one, whole)
            for expr in exprs
            for one in nodes([expr])
            if isinstance(whole := self._expanded(one), t.Fold) and whole.kind == "the"
        ]
        if not uses:
            return
        questions = [q for test in tests for q in self._questions(test)]
        for one, whole in uses:
            choice = self._of_fold(whole)
            about = [q for q in questions if _is_about(q, choice)]
            places = [q.place for q in about if not q.one]
            if places and all(not q.one for q in about) and not _is_named(choice):
                yield _note(one, whole, places[0])

    # ------------------------------------------------------------ what conditions ask

    def _questions(self, test: t.Expr, truth: bool = True) -> Iterator[_Question]:
        """Yield the questions whose answer is yes if a condition is true, or false."""
        for part, holds in self._parts(test, truth):
            match part:
                case t.Quantified(kind=kind, names=(word,), domain=domain, body=body, size=None):
                    for_some = holds is (kind == "some")  # and not for every one
                    if for_some:
                        yield _Question(self._choice(word.text, domain, body, kind != "every"), part, False)
                    inner = with_values(body, {word.text: t.Name(word.span, f"{ANY}{word.text}")})
                    for question in self._questions(inner, holds is (kind != "no")):
                        if not (for_some and question.one):  # of another one, several may fit
                            yield question
                case t.Is(arg=arg, word=word, negated=negated) if word.text in ("none", "empty"):
                    value, there = self._expanded(arg), negated is holds
                    if word.text == "none" and there and isinstance(value, t.Fold) and value.kind == "the":
                        yield _Question(self._of_fold(value), part, True)
                    elif word.text == "empty" and there and (choice := self._of_bag(value)) is not None:
                        yield _Question(choice, part, False)
                case t.Binary(op=op, left=left, right=right) if op in FLIPPED:
                    compared = op if holds else OPPOSITE[op]
                    yield from self._counts(part, left, compared, right)
                    yield from self._counts(part, right, FLIPPED[compared], left)
                case _:
                    pass

    def _counts(self, place: t.Expr, left: t.Expr, op: str, right: t.Expr) -> Iterator[_Question]:
        """Yield the questions that the comparison of a count with a number asks of the members that are counted."""
        counted = self._expanded(left)
        choice: Choice | None = None
        match counted:
            case t.Fold(kind="number of", names=(_,), size=None) if counted.test is not None:
                choice = self._of_fold(counted)
            case t.Unary(op="size of", arg=arg):
                choice = self._of_bag(self._expanded(arg))
            case _:
                pass
        if choice is None or not isinstance(right, t.Number):
            return
        n = right.value
        least = {">": n + 1, ">=": n, "=": n, "/=": 1 if n == 0 else 0}.get(op, 0)
        most = {"<": n - 1, "<=": n, "=": n}.get(op, 2)
        if least > 0:
            yield _Question(choice, place, False)
        if most <= 1:
            yield _Question(choice, place, True)

    def _parts(self, test: t.Expr, truth: bool = True, depth: int = 0) -> Iterator[tuple[t.Expr, bool]]:
        """Yield the parts of a test that all have to be true, or false, also those of the definitions that it uses."""
        match test:
            case t.Binary(op="and", left=left, right=right) if truth:
                yield from self._parts(left, True, depth)
                yield from self._parts(right, True, depth)
            case t.Binary(op="or", left=left, right=right) if not truth:
                yield from self._parts(left, False, depth)
                yield from self._parts(right, False, depth)
            case t.Unary(op="not", arg=arg):
                yield from self._parts(arg, not truth, depth)
            case t.Name() | t.Call() | t.Possessive() if depth < DEEPEST:
                inner = self._expanded(test)
                if inner is test:
                    yield test, truth
                else:
                    yield from self._parts(inner, truth, depth + 1)
            case _:
                yield test, truth

    # ------------------------------------------------------------ what is chosen

    def _of_fold(self, fold: t.Fold) -> Choice:
        assert fold.test is not None
        return self._choice(fold.names[0].text, fold.domain, fold.test, True)

    def _of_bag(self, bag: t.Node) -> Choice | None:
        """Return the choice of `those x in s: P` and `{x for x in s: P}`."""
        match bag:
            case t.Fold(kind="those", names=(word,), domain=domain, test=test, size=None) if test is not None:
                return self._choice(word.text, domain, test, True)
            case t.EachOf(item=t.Name(name=name), name=word, domain=domain, test=test, size=None):
                if name == word.text and test is not None:
                    return self._choice(name, domain, test, True)
            case _:
                pass
        return None

    def _choice(self, member: str, domain: t.Expr, test: t.Expr, truth: bool) -> Choice:
        """Return the domain and the test of a choice, whatever the member is called."""
        test = with_values(test, {member: t.Name(test.span, MEMBER)})
        parts = (
            part if holds else t.Unary(part.span, "not", part) for part, holds in self._parts(test, truth)
        )
        return Choice(nameless(domain), frozenset(nameless(part) for part in parts))

    def _expanded(self, expr: N) -> N | t.Expr:
        """Return the body of a definition with the arguments in it, or the expression if it is no use of a
        definition.
        """
        match expr:
            case t.Name(name=name) | t.Call(name=name, names=()) | t.Possessive(name=name):
                definition = self._definitions.get((name, isinstance(expr, t.Possessive)))
            case _:
                definition = None
        if definition is None:
            return expr
        args: tuple[t.Expr, ...] = expr.args if isinstance(expr, t.Call) else ()
        names = [param.name for param in definition.params]
        if isinstance(expr, t.Possessive):
            names, args = ["it"], (expr.owner,)
        body = definition.clauses[0].body
        if not isinstance(body, t.Condition) or len(names) != len(args):
            return expr
        return with_values(body.expr, dict(zip(names, args, strict=True)))


def _is_named(choice: Choice) -> bool:
    """Return whether the test says which value it is: `m = target`."""
    return any(
        isinstance(part, t.Binary)
        and part.op == "="
        and any(isinstance(side, t.Name) and side.name == MEMBER for side in (part.left, part.right))
        for part in choice.test
    )


# ---------------------------------------------------------------- one choice or two


def _is_about(question: _Question, taken: Choice) -> bool:
    """Return whether the answer to a question says as much of a choice, for some value of what may be any in it."""
    choice = question.choice
    bound = _matched(choice.bag, taken.bag, {})
    if bound is None:
        return False
    if not question.one and len(choice.test) != len(taken.test):
        return False  # two members of which one passes more tests may be impossible
    return _all([[(mine, theirs) for theirs in taken.test] for mine in choice.test], bound)


def _all(rows: list[list[tuple[t.Expr, t.Expr]]], bound: _Bound) -> bool:
    """Return whether there is a pair that matches in each row, for the same values of what may be any."""
    if not rows:
        return True
    matches = (_matched(mine, theirs, bound) for mine, theirs in rows[0])
    return any(_all(rows[1:], match) for match in matches if match is not None)


def _matched(part: object, other: object, known: _Bound) -> _Bound | None:
    """Return the values for which one part of an expression is the other one, or None if there are none."""
    if isinstance(part, t.Name) and part.name.startswith(ANY):
        if part.name not in known:
            return {**known, part.name: other}
        return known if known[part.name] == other else None
    if type(part) is not type(other):
        return None
    if isinstance(part, tuple) and isinstance(other, tuple):
        pairs: Iterable[tuple[object, object]] = zip(part, other, strict=False)
        if len(part) != len(other):
            return None
    elif isinstance(part, t.Node):
        pairs = [(getattr(part, f.name), getattr(other, f.name)) for f in fields(part) if f.compare]
    else:
        return known if part == other else None
    for mine, theirs in pairs:
        bound = _matched(mine, theirs, known)
        if bound is None:
            return None
        known = bound
    return known


def _note(place: t.Node, fold: t.Fold, expr: t.Expr) -> Diagnostic:
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
    return Diagnostic("W009", message, place.span, advice, (Label(expr.span, "asks for some"),))
