"""Look up types, and give parameters their types.

Input: the surface types and parameters of a declaration. Output: IR types and parameters; a fault for each that is
unknown or missing.
Guarantee: every parameter has a type, which is `UNKNOWN` after a fault.

    (low, high: number, tile)        low: number, high: number, tile: tile
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, assert_never

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.group_words import type_named
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import UNKNOWN, Listed, SymbolTable, advice_for
from golpae.ir import expr as ir
from golpae.ir.ruleset import ParamDecl
from golpae.ir.substitute import substituted
from golpae.ir.types import BOOL, INT, MELD, PATTERNS, SEAT, TILE, TILES, Bag, Each, Opt, Type
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker

NAMED_TYPES: dict[str, Type] = {
    "tile": TILE,
    "tiles": TILES,
    "seat": SEAT,
    "seats": Bag(SEAT),
    "number": INT,
    "numbers": Bag(INT),
    "meld": MELD,
    "melds": Bag(MELD),
    "patterns": PATTERNS,
}
OTHER_NAMES = {  # other words that authors write for a kind of value, and the right one
    "player": "seat",
    "players": "seats",
    "piece": "tile",
    "pieces": "tiles",
    "card": "tile",
    "cards": "tiles",
    "integer": "number",
    "boolean": "yes or no",
}


def declare_kinds(symbols: SymbolTable, nodes: Sequence[t.Kind]) -> None:
    """Enter the kinds of value that a text names, each after those that it is made of."""
    first: dict[str, t.Kind] = {}
    for node in nodes:
        name = node.name.text
        if name in NAMED_TYPES:
            message = f"`{name}` is a kind of value in every game"
            symbols.fault("N002", message, node.name.span, "choose another name")
        elif name in first:
            message = f"there are two kinds of value `{name}`"
            symbols.twice(message, node.name.span, "rename one of them", first[name].name.span)
        else:
            first[name] = node
    for node in first.values():
        _declare_kind(symbols, node, first, ())


def _declare_kind(
    symbols: SymbolTable, node: t.Kind, others: Mapping[str, t.Kind], within: tuple[str, ...]
) -> None:
    name = node.name.text
    if name in symbols.kinds:
        return
    for part in nodes([node.type]):
        if isinstance(part, t.TypeName) and part.name in others:
            if part.name in (name, *within):
                message = f"`{part.name}` is made of itself"
                symbols.fault("T005", message, part.span, f"say what values of `{part.name}` are without it")
                symbols.kinds[part.name] = UNKNOWN
                continue
            _declare_kind(symbols, others[part.name], others, (name, *within))
    if name in symbols.kinds:
        return
    kind = symbols.kinds[name] = type_of(symbols, node.type)
    if kind != UNKNOWN:
        symbols.written_kinds[name] = node.type
    if node.in_order and isinstance(node.type, t.TypeChoice) and kind != UNKNOWN:
        words = tuple(word.text for word in node.type.words)
        symbols.orders.append(words)
        symbols.sequences[name] = Listed(tuple(ir.Const(word, kind) for word in words), kind, False)


def typed_parameters(
    symbols: SymbolTable, params: tuple[t.Param, ...], silent: bool = False
) -> tuple[ParamDecl, ...]:
    """Return parameters with types. With `silent`, nothing is reported.

    A parameter without a type has the type of the next one with a type, or the type that its own name means.
    """
    out: list[ParamDecl] = []
    following: Type | None = None
    if not silent:
        words = (word for param in params for word in names_of(param))
        symbols.once_each(words, "there are two values", "give each its own name")
    for param in reversed(params):
        if param.parts is not None:
            if param.optional and not silent:
                message = f"`{param.name}` may be none here, and then its tiles have no names"
                advice = f"write `optional {param.name}: tiles`, or two actions"
                symbols.fault("T002", message, names_of(param)[0].span, advice)
            parts = tuple(w.text for w in param.parts)
            out.append(ParamDecl(param.name, TILES, parts, param.optional))
            continue
        kind = symbols.kinds.get(param.name) or NAMED_TYPES.get(param.name)
        if param.type is not None:
            kind = following = type_of(symbols, param.type)
            if not silent:
                _no_key_among_words(symbols, param.type)
        elif kind is None:
            if following is None:
                following = UNKNOWN
                if not silent:
                    message = f"the kind of value of `{param.name}` is missing"
                    advice = f"write `{param.name}: tile`, or another kind"
                    symbols.fault("N004", message, names_of(param)[0].span, advice)
            kind = following
        optional = Opt(kind) if param.optional and not isinstance(kind, Opt) else kind
        out.append(ParamDecl(param.name, optional, (), param.optional))
    return tuple(reversed(out))


def _no_key_among_words(symbols: SymbolTable, node: t.Type) -> None:
    """Report a word of a choice that reads like the key after it: `one of red, blue, tile`."""
    if isinstance(node, t.TypeOrNone):
        node = node.item
    if not isinstance(node, t.TypeChoice):
        return
    for word in node.words[1:]:
        if word.text in NAMED_TYPES:
            message = f"`{word.text}` is a word of the choice here, and not a key of its own"
            advice = f"for a key, write `{word.text}: {word.text}`; for a word, choose another name"
            symbols.fault("N002", message, word.span, advice)


def ranges(symbols: SymbolTable, params: Sequence[t.Param]) -> tuple[t.TypeRange | None, ...]:
    """Return between which numbers each parameter lies, if its type says so: its own, that of the next one with a type,
    or the kind of value that it is named after.
    """
    out: list[t.TypeRange | None] = []
    following: t.Type | None = None
    for param in reversed(params):
        following = param.type or following
        kind = param.type
        if kind is None and param.parts is None:
            is_kind = param.name in symbols.kinds or param.name in NAMED_TYPES
            kind = symbols.written_kinds.get(param.name) if is_kind else following
        out.append(None if kind is None else _range(symbols, kind))
    return tuple(reversed(out))


def _range(symbols: SymbolTable, kind: t.Type) -> t.TypeRange | None:
    match kind:
        case t.TypeRange():
            return kind
        case t.TypeOrNone(item=item) | t.TypeEach(item=item):
            return _range(symbols, item)
        case t.TypeName(name=name) if name in symbols.written_kinds:
            return _range(symbols, symbols.written_kinds[name])
        case _:
            return None


def names_of(param: t.Param) -> tuple[t.Word, ...]:
    """Return the names that a parameter declares: its own, and those of its parts."""
    end = param.span.start + len(param.span.words.split(":")[0].rstrip())
    own = t.Word(Span(param.span.text, end - len(param.name), end), param.name)
    return (own, *(param.parts or ()))


def type_of(symbols: SymbolTable, node: t.Type) -> Type:
    """Return the type that is written, UNKNOWN after a fault."""
    match node:
        case t.TypeName(name=name):
            if name in NAMED_TYPES:
                return NAMED_TYPES[name]
            if name in symbols.kinds:
                return symbols.kinds[name]
            kinds = quoted_list((*NAMED_TYPES, *symbols.kinds, "yes or no", "one of ...", "... or none"))
            advice = advice_for(name, (*NAMED_TYPES, *symbols.kinds), f"the kinds of value are {kinds}")
            if name in OTHER_NAMES:
                advice = f"write `{OTHER_NAMES[name]}`"
            advice = type_named(symbols, name) or advice
            if name.removesuffix("s") in symbols.kinds:
                advice = f"write `list of {name.removesuffix('s')}` for several, or `{name.removesuffix('s')}` for one"
            message = f"there is no kind of value `{name}`"
            if node.span.text.content[: node.span.start].rstrip()[-1:] in (
                "(",
                ",",
            ):  # of a group, without a kind
                kind = {"p": "seat", "q": "seat", "n": "number", "k": "number"}.get(name, "tile")
                message, advice = (
                    f"the kind of value of `{name}` is missing",
                    f"write `{name}: {kind}`, or another kind",
                )
            symbols.fault("N004", message, node.span, advice)
            return UNKNOWN
        case t.TypeTruth():
            return BOOL
        case t.TypeChoice(words=words):
            symbols.once_each(words, "the choice has two words", "leave one out")
            return symbols.choice([w.text for w in words])
        case t.TypeRange(low=low, high=high):
            if isinstance(low, t.Number) and isinstance(high, t.Number) and low.value > high.value:
                message = f"the lower bound {low.value} is above the upper bound {high.value}"
                symbols.fault("G007", message, low.span.to(high.span), "write the lower number first")
            return INT
        case t.TypeList(item=item):
            return Bag(type_of(symbols, item))
        case t.TypeEach(item=item):
            return Each(type_of(symbols, item))
        case t.TypeOrNone(item=item):
            return Opt(type_of(symbols, item))
        case _:
            assert_never(node)


# ---------------------------------------------------------------- values of names that are written out


def given(checker: Checker, value: t.Value, scope: Scope) -> tuple[ir.Expr | None, Type]:
    """Return the value that a name stands for, None after a fault, and its type."""
    faults = len(checker.symbols.diagnostics)
    if value.type is None:
        inferred = checker.any(value.expr, scope)
        return inferred, UNKNOWN if inferred is None else inferred.type
    kind = type_of(checker.symbols, value.type)
    typed_expr = checker.expect(value.expr, kind, scope)
    return None if len(checker.symbols.diagnostics) > faults else typed_expr, kind


def with_values(
    checker: Checker, values: Sequence[t.Value], scope: Scope
) -> tuple[Scope, dict[str, ir.Expr]]:
    """Return the scope in which names stand for values, and these values."""
    inner = scope
    in_place: dict[str, ir.Expr] = {}
    for value in values:
        expr, kind = given(checker, value, scope)
        inner = inner.with_local(value.name.text, kind)
        if expr is not None:
            in_place[value.name.text] = expr
    return inner, in_place


def with_body(checker: Checker, expr: t.With, scope: Scope, expected: Type | None) -> ir.Expr:
    """Return the value of an expression in which names stand for values."""
    inner, in_place = with_values(checker, expr.values, scope)
    return substituted(checker.infer(expr.body, inner, expected), in_place)
