"""Match arguments with parameters, for definitions and scores.

Input: a call as written, and the parameters of its definition or score. Output: an argument for each parameter,
unchecked. Raises `RefusedExpression` if arguments are unknown, too many or too few.
Guarantee: the order of arguments given by name does not matter.

    worth(of: t, more: 2)        [t, 2]  for  define worth(of: tile, more: number)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.group_words import call_of_tiles
from golpae.elaborate.typecheck.parameters import type_of, typed_parameters
from golpae.elaborate.typecheck.scope import Scope, value_key
from golpae.elaborate.typecheck.symbols import RefusedExpression, SymbolTable, advice_for
from golpae.ir import expr as ir
from golpae.ir.ruleset import ParamDecl
from golpae.ir.substitute import substituted
from golpae.ir.traverse import free
from golpae.ir.types import INT, NONE, POINTS, SEAT, TILE, Opt, Points
from golpae.syntax import tree as t
from golpae.syntax.bound_names import Renaming
from golpae.syntax.traverse import nodes

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker

OTHER_CALLS = {  # functions of other languages, and how to write them of a value
    "next": "{}'s right",
    "previous": "{}'s left",
    "prev": "{}'s left",
    "count": "size of {}",
    "len": "size of {}",
    "length": "size of {}",
    "size": "size of {}",
    "empty": "{} is empty",
    "isEmpty": "{} is empty",
    "is-empty": "{} is empty",
    "top": "top of {}",
    "front": "front of {}",
    "back": "back of {}",
    "sum": "sum of x for x in {}",
    "max": "most of x for x in {}",
    "min": "least of x for x in {}",
    "not-empty": "{} is not empty",
}


def require_definition(symbols: SymbolTable, expr: t.Call, scope: Scope) -> None:
    """Check that a call names a definition that takes values in brackets. Raises `RefusedExpression`."""
    name = expr.name
    word = Span(expr.span.text, expr.span.start, expr.span.start + len(name))
    if name in symbols.defines:
        owner = symbols.defines[name].owner
        if owner is not None:
            raise _owner_missing(expr, word, owner)
        return
    if name in OTHER_CALLS and expr.args and isinstance(expr.args[0], t.Possessive):
        raise RefusedExpression(
            "N001", f"there is no definition `{name}`", word, f"write `{_as_written(expr)}`"
        )
    for kind, whose in ((SEAT, "player"), (TILE, "tile")):
        if name in symbols.owned_words(kind):
            raise _owner_missing(expr, word, whose)
    if name in symbols.groups or (name in symbols.zones and not symbols.zones[name].each_player):
        raise call_of_tiles(name, expr.args, word)
    if name in scope.locals or name in symbols.plain_words():
        advice = f"write `{name}` without brackets"
        raise RefusedExpression("N001", f"`{name}` takes no values", word, advice)
    advice = advice_for(name, [*symbols.defines, *symbols.scores], f"define it: `define {name}(...): ...`")
    if name in OTHER_CALLS and expr.args:
        advice = f"write `{_as_written(expr)}`"
    raise RefusedExpression("N001", f"there is no definition `{name}`", word, advice)


def _as_written(expr: t.Call) -> str:
    """Return how a function of other languages is written here."""
    if expr.name in ("min", "max") and len(expr.args) == 2:
        first, second = (arg.span.excerpt for arg in expr.args)
        return f"the {'smaller' if expr.name == 'min' else 'larger'} of {first} and {second}"
    words = ", ".join(arg.span.excerpt for arg in expr.args)
    return OTHER_CALLS[expr.name].format(words if len(expr.args) == 1 else f"{{{words}}}")


def _owner_missing(expr: t.Call, word: Span, owner: str) -> RefusedExpression:
    """Return the fault of `hand(p)` instead of `p's hand`."""
    whose = expr.args[0].span.excerpt if len(expr.args) == 1 else owner[0]
    return RefusedExpression(
        "N001", f"each {owner} has a `{expr.name}`", word, f"write `{whose}'s {expr.name}`"
    )


def definition_arguments(
    name: str, expr: t.Expr, args: Sequence[t.Expr], params: Sequence[ParamDecl]
) -> Sequence[t.Expr]:
    """Return the arguments of a definition, one for each parameter. `expr` uses it, with `args` in order or by name."""
    if isinstance(expr, t.Call) and expr.names:
        by_name = _by_name(expr, params)
        for param in params:
            if param.name not in by_name:
                raise missing_argument(expr, param)
        return [by_name[param.name] for param in params]
    if len(args) != len(params):
        raise _wrong_number(name, expr, len(args), params)
    return args


def call_of_score(checker: Checker, expr: t.Call, scope: Scope) -> ir.Expr:
    """Return the score of a hand. Raises `RefusedExpression`."""
    score = checker.symbols.scores[expr.name]
    given = given_with(checker, score)
    args = score_arguments(expr, [value.param for value in given])
    values: dict[str, ir.Expr] = {}
    for param, usual, _ in given:
        if param.name in args:
            values[param.name] = checker.check(args[param.name], param.type, scope)
        elif usual is not None:
            values[param.name] = substituted(usual, values)
        elif param.optional:
            values[param.name] = ir.Const(None, NONE)
        else:
            raise missing_argument(expr, param)
    of_hand = tuple(values[param.name] for param, _, of_hand in given if of_hand)
    numbers = tuple(word.text for word in score.numbers)
    # the same object wherever there are none, as the encoding of a rule set goes by objects
    return ir.CallScore(expr.name, of_hand, Points(numbers) if numbers else POINTS)


class GivenValue(NamedTuple):
    """A value that is given with a score.

    `usual` is what it is where a text uses the score without it: it may name those before it, and read the game.
    The parameter has this value too, unless it names one that no hand has and that has no such value either. `of_hand`
    is whether a hand has it: not if only such values of others read it.
    """

    param: ParamDecl
    usual: ir.Expr | None
    of_hand: bool


def given_with(checker: Checker, score: t.Score) -> tuple[GivenValue, ...]:
    """Return the values that are given with a score, in brackets and under `given`, anew each time. Raises
    `RefusedExpression` if it uses the score itself.
    """
    name = score.name.text
    if name in checker.in_given:
        advice = "leave it out there, or give it where the score is used"
        raise RefusedExpression(
            "T005", f"a value that is given with `{name}` depends on `{name}`", score.name.span, advice
        )
    checker.in_given.append(name)
    try:
        return tuple(_given(checker, score))
    finally:
        checker.in_given.pop()


def _given(checker: Checker, score: t.Score) -> Iterator[GivenValue]:
    symbols, scope = checker.symbols, Scope({})
    lines = (score.provided, score.fields, score.defines, score.patterns)
    read = {node.name for node in nodes(part for own in lines for part in own) if isinstance(node, t.Name)}
    read_by_given = {
        node.name
        for line in score.given
        if line.initial is not None
        for node in nodes([line.initial])
        if isinstance(node, t.Name)
    }
    named_by_usual: set[str] = set()  # what the usual value of a hand may name
    of_no_hand: dict[str, ir.Expr] = {}  # the usual values of what no hand has
    for param in typed_parameters(symbols, score.params):
        of_hand = param.name in read or param.name not in read_by_given
        yield GivenValue(param, None, of_hand)
        named_by_usual |= {param.name} if of_hand else set()
        scope = scope.with_local(param.name, param.type)
    below = {line.name.text for line in score.given}
    for line in score.given:
        kind, word = type_of(symbols, line.type), line.name.text
        below -= {word}
        named = [] if line.initial is None else [*nodes([line.initial])]
        early = [node for node in named if isinstance(node, t.Name) and node.name in below]
        of_hand = word in read or word not in read_by_given
        usual = param_usual = None
        if early:
            advice = f"write the line of `{early[0].name}` above this one"
            symbols.fault("N001", f"`{early[0].name}` is given further down", early[0].span, advice)
        elif line.initial is not None:
            # what it binds has names that no value leaves open which is put in place of another one
            initial: t.Expr = Renaming(checker.fresh.word, None).of(line.initial, {})
            usual = checker.expect(initial, kind, scope)
            in_hand = substituted(usual, of_no_hand)
            param_usual = in_hand if free(in_hand) <= named_by_usual else None
        optional = isinstance(kind, Opt) and param_usual is None
        yield GivenValue(ParamDecl(word, kind, (), optional, param_usual), usual, of_hand)
        if of_hand:
            named_by_usual |= {word}
        elif param_usual is not None:
            of_no_hand[word] = param_usual
        scope = scope.with_local(word, kind)


def number_of_score(expr: t.Possessive, score: ir.Expr, scope: Scope) -> ir.Expr:
    """Return one of the numbers that a score counts, none if no way of it counts. Raises `RefusedExpression`."""
    assert isinstance(score.type, Points)
    numbers, name = score.type.numbers, expr.name
    if name not in numbers:
        span = Span(expr.span.text, expr.span.end - len(name), expr.span.end)
        if numbers:
            advice = advice_for(name, numbers, f"it counts {quoted_list(numbers)}")
        else:
            advice = "write the score alone for its points, or name its numbers: `counts: points, doubles`"
        raise RefusedExpression("N001", f"`{expr.owner.span.excerpt}` counts no `{name}`", span, advice)
    return ir.ScoreNumber(score, name, INT if scope.has(value_key(expr.owner)) else Opt(INT))


def score_arguments(expr: t.Call, params: Sequence[ParamDecl]) -> dict[str, t.Expr]:
    """Return the arguments of a score by parameter; some may be missing."""
    if expr.names:
        return _by_name(expr, params)
    if len(expr.args) > len(params):
        raise _wrong_number(expr.name, expr, len(expr.args), params)
    return {p.name: a for p, a in zip(params, expr.args, strict=False)}


def _by_name(expr: t.Call, params: Sequence[ParamDecl]) -> dict[str, t.Expr]:
    names = [p.name for p in params]
    by_name: dict[str, t.Expr] = {}
    for word, arg in zip(expr.names, expr.args, strict=True):
        if word.text not in names:
            advice = advice_for(word.text, names, f"it takes {quoted_list(names)}")
            raise RefusedExpression("N001", f"`{expr.name}` takes no `{word.text}`", word.span, advice)
        if word.text in by_name:
            raise RefusedExpression("N002", f"`{word.text}` is given twice", word.span, "leave one out")
        by_name[word.text] = arg
    return by_name


def _wrong_number(name: str, expr: t.Expr, count: int, params: Sequence[ParamDecl]) -> RefusedExpression:
    """Return the fault of a use with too many or too few values."""
    if not params:
        return RefusedExpression("T003", f"`{name}` takes no values", expr.span, "leave them out")
    message = f"`{name}` takes {len(params)} value{'s' * (len(params) != 1)}, not {count}"
    return RefusedExpression(
        "T003", message, expr.span, f"write `{name}({', '.join(p.name for p in params)})`"
    )


def missing_argument(expr: t.Call, param: ParamDecl) -> RefusedExpression:
    """Return the fault of a call that gives a parameter no value."""
    message = f"`{expr.name}` needs a value for `{param.name}`"
    return RefusedExpression("T003", message, expr.span, f"add `{param.name}: ...`")
