"""Check and type expressions.

Input: a surface expression, the symbol table of its text and the scope at its place. Output: an IR expression, every
name looked up and every operator chosen by the types of its operands. Faults go to the symbol table.
Guarantee: the pass goes on after each fault, so that one run shows them all.

    stage = acquire and p = mover    ->    and(eq(StateRead stage, Const acquire), eq(Local p, StateRead mover))

A construct that other constructs can express is lowered here, so that no reader of the IR knows it:

    a /= b, a not in b               ->    not(eq(a, b)), not(member(a, b))
    bag is empty                     ->    eq(size(bag), 0)
    x is not none                    ->    not(is_none(x))
    bag + tile                       ->    bag_add(bag, BagOf(tile))
    top of row                       ->    back of row
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.expand.names import Fresh
from golpae.elaborate.typecheck import group_words, overloads, property_words, type_errors
from golpae.elaborate.typecheck.calls import (
    call_of_score,
    definition_arguments,
    number_of_score,
    require_definition,
)
from golpae.elaborate.typecheck.choices import sequences, typed
from golpae.elaborate.typecheck.choices.word_order import compared
from golpae.elaborate.typecheck.coercion import coerced
from golpae.elaborate.typecheck.names import (
    choice_of,
    faces,
    faces_of,
    is_value,
    laid_out,
    owned_name,
    plain_name,
    require_shape,
    require_value,
    tile_name,
    unknown_name,
    unknown_owned_name,
    value_for_each,
)
from golpae.elaborate.typecheck.overloads import Clash, member_type, number_of_points, without_none
from golpae.elaborate.typecheck.parameters import names_of, typed_parameters, with_body
from golpae.elaborate.typecheck.scope import Scope, narrowed_by, value_key
from golpae.elaborate.typecheck.swallowed import missing_values, swallowed
from golpae.elaborate.typecheck.symbols import UNKNOWN, RefusedExpression, SymbolTable, is_unknown
from golpae.elaborate.typecheck.turns import round_the_table
from golpae.elaborate.typecheck.type_errors import hidden_order, mismatched, no_members, no_order
from golpae.ir import expr as ir
from golpae.ir.ruleset import CaseDecl, Definition, ParamDecl
from golpae.ir.types import (
    BOOL,
    INT,
    NONE,
    PATTERNS,
    SEAT,
    TILE,
    TILES,
    Bag,
    Choice,
    NoneType,
    Opt,
    Points,
    Type,
    fits,
    join,
    words_in,
)
from golpae.syntax import tree as t
from golpae.syntax.citations import ids_of_rows


class Checker:
    """Checks the expressions of one text: `infer` and `check` raise `RefusedExpression`; the others record faults."""

    def __init__(self, symbols: SymbolTable) -> None:
        self.symbols = symbols
        self.ways_allowed = False  # whether only a prover will read the expression
        self.in_ways = False
        self.in_given: list[str] = []  # scores of which what is given with them is being checked
        self.fresh = Fresh("v")
        self._in_progress: list[str] = []

    # ------------------------------------------------------------------ entries that record faults

    def truth(self, expr: t.Expr, scope: Scope) -> ir.Expr:
        """Return `expr` as a condition; `no` after a fault."""
        return self.expect(expr, BOOL, scope)

    def condition(self, expr: t.Expr, scope: Scope) -> tuple[ir.Expr, Scope, Scope]:
        """Return a condition, and the scopes in which it is true and in which it is false."""
        faults = len(self.symbols.diagnostics)
        test = self.truth(expr, scope)
        unsure = len(self.symbols.diagnostics) > faults
        when_true, when_false = (
            scope.narrowed(narrowed_by(expr, truth, self.symbols.reached), unsure) for truth in (True, False)
        )
        return test, when_true, when_false

    def expect(self, expr: t.Expr, expected: Type, scope: Scope) -> ir.Expr:
        """Return `expr` as a value of the expected type; `no` (false) after a fault."""
        try:
            return self.check(expr, expected, scope)
        except RefusedExpression as fault:
            self.symbols.record(fault)
            return ir.Const(False, expected)

    def any(self, expr: t.Expr, scope: Scope) -> ir.Expr | None:
        """Return `expr` with its type, whichever it is; None after a fault."""
        try:
            return self.infer(expr, scope)
        except RefusedExpression as fault:
            self.symbols.record(fault)
            return None

    def definition(self, name: str) -> Definition | None:
        """Return the checked definition of this name; None after a fault in it."""
        try:
            return self.require_definition(name, self.symbols.defines[name].name.span)
        except RefusedExpression as fault:
            self.symbols.record(fault)
            return None

    # ------------------------------------------------------------------ entries that raise

    def check(self, expr: t.Expr, expected: Type, scope: Scope) -> ir.Expr:
        """Return `expr` as a value of the expected type."""
        return self.fit(self.infer(expr, scope, expected), expr, expected, scope)

    def fit(self, value: ir.Expr, expr: t.Expr, expected: Type, scope: Scope) -> ir.Expr:
        """Return the value of `expr` if it serves as the expected type."""
        if is_unknown(expected):
            raise RefusedExpression
        if not isinstance(expected, Points):
            value = self.number(value, expr, scope)
        if fits(value.type, expected):
            return coerced(value, expected)
        named = group_words.as_value(self.symbols, expr, expected)
        raise named or mismatched(expr, value.type, expected, scope)

    def number(self, value: ir.Expr, expr: t.Expr, scope: Scope) -> ir.Expr:
        """Return a score as the number that it comes to; the value of any other expression as it is."""
        number = number_of_points(value)
        return number if number is value else _if_present(expr, number, scope)

    def infer(self, expr: t.Expr, scope: Scope, expected: Type | None = None) -> ir.Expr:
        """Return `expr` with its type. The expected type only says which words of a choice are allowed here.

        If a faulty declaration hides the type, the fault there is enough.
        """
        value = _if_present(expr, _infer(self, expr, scope, expected), scope)
        if is_unknown(value.type):
            raise RefusedExpression
        return value

    def members(self, expr: t.Expr, scope: Scope, expected: Type | None = None) -> tuple[ir.Expr, Type]:
        """Return a bag or meld, with the type of its members."""
        value = self.infer(expr, scope, expected)
        item = member_type(value.type)
        if item is None:
            raise no_members(expr, value.type)
        return value, item

    def row(self, node: t.RowEnd | t.RowPlace, scope: Scope) -> ir.ZoneRead:
        """Return the row of which an end or a place is read."""
        value = self.infer(node.row, scope)
        if not isinstance(value, ir.ZoneRead):
            self.symbols.no_zone(node.row.span, "row")
            raise RefusedExpression
        if self.symbols.zones[value.name].kind != "row":
            place, words = (
                (node.end, f"{node.end} of") if isinstance(node, t.RowEnd) else ("places", "at ...")
            )
            self.symbols.no_row(value.name, node, place, words)
            raise RefusedExpression
        return value

    def require_definition(self, name: str, span: Span) -> Definition:
        """Return the checked definition of this name, which is used at `span`."""
        symbols = self.symbols
        if name in symbols.definitions:
            return symbols.definitions[name]
        if name in self._in_progress:
            between = self._in_progress[self._in_progress.index(name) + 1 :]
            way = f", through {quoted_list(between)}" if between else ""
            advice = f"define it without `{between[-1] if between else name}`"
            raise RefusedExpression("T005", f"`{name}` depends on itself{way}", span, advice)
        node = symbols.defines[name]
        self._in_progress.append(name)
        try:
            definition = _define(self, node)
        except RefusedExpression:
            # one report is enough: its uses are not reported
            params = typed_parameters(symbols, node.params, silent=True)
            symbols.definitions[name] = Definition(
                name, tuple(ParamDecl(p.name, p.type) for p in params), (), UNKNOWN, ()
            )
            raise
        finally:
            self._in_progress.pop()
        symbols.definitions[name] = definition
        return definition


def _define(checker: Checker, node: t.Define) -> Definition:
    name = node.name.text
    if node.owner is None:
        params = typed_parameters(checker.symbols, node.params)
        checker.symbols.refuse_hiding(word for param in node.params for word in names_of(param))
    else:
        params = (ParamDecl("it", TILE if node.owner == "tile" else SEAT),)
    scope = Scope({p.name: p.type for p in params}, swallowed=swallowed(node.params))
    words = (clause.name for clause in node.clauses)
    checker.symbols.once_each(words, f"`{name}` has two cases", "rename one of them")
    cases = []
    kind: Type = BOOL
    for clause in node.clauses:
        assert isinstance(clause.body, t.Condition)
        if node.cases:
            value = checker.expect(clause.body.expr, BOOL, scope)
        else:
            value = checker.infer(clause.body.expr, scope)
            kind = value.type
            if isinstance(kind, NoneType):
                advice = "write a value, or say when there is one: `if ... then ... else none`"
                raise RefusedExpression("T001", f"`{name}` is always none", clause.body.expr.span, advice)
        cases.append(CaseDecl(clause.name.text, value, tuple(w.text for w in clause.ids)))
    ids = (*node.ids, *(word for clause in node.clauses for word in ids_of_rows(clause)))
    return Definition(name, params, tuple(cases), kind, tuple(dict.fromkeys(w.text for w in ids)))


# ---------------------------------------------------------------- each kind of expression


def _infer(checker: Checker, expr: t.Expr, scope: Scope, expected: Type | None) -> ir.Expr:
    if isinstance(expr, typed.Word):
        return typed.value(checker, expr, scope, expected)
    match expr:
        case t.Number():
            return ir.Const(expr.value, INT)
        case t.Truth():
            return ir.Const(expr.value, BOOL)
        case t.Nothing():
            return ir.Const(None, NONE)
        case t.TileName():
            return tile_name(checker.symbols, expr)
        case t.Name():
            return _name(checker, expr, scope, expected)
        case t.Possessive():
            return _possessive(checker, expr, scope)
        case t.Call():
            return _call(checker, expr, scope)
        case t.Bag():
            return _bag(checker, expr, scope, expected)
        case t.EachOf():
            domain, member = checker.members(expr.domain, scope)
            size, inner = _choice(checker, (expr.name,), expr.size, member, scope)
            test = None if expr.test is None else checker.check(expr.test, BOOL, inner)
            item = checker.infer(expr.item, inner, expected.item if isinstance(expected, Bag) else None)
            return ir.Fold("each", (expr.name.text,), domain, item, test, Bag(item.type), size)
        case t.RangeBag():
            bounds = tuple(checker.check(bound, INT, scope) for bound in (expr.low, expr.high))
            return ir.Op("range", bounds, Bag(INT))
        case t.Unary():
            return _unary(checker, expr, scope)
        case t.RowEnd():
            return _row_end(checker, expr, scope)
        case t.RowPlace():
            number = overloads.from_front(expr.row, expr.number, expr.end)
            if (listed := sequences.listed_at(checker, expr.row, number, scope)) is not None:
                return listed
            row = checker.row(expr, scope)
            return ir.ZonePlace(row.name, row.seat, checker.check(number, INT, scope), Opt(TILE))
        case t.Earlier():
            return property_words.earlier(checker, expr, scope, expected)
        case t.Binary():
            return _binary(checker, expr, scope, expected)
        case t.Is():
            return _is(checker, expr, scope)
        case t.LayOut() | t.Beside() | t.Parted():
            return laid_out(checker, expr, scope)
        case t.Quantified():
            domain, member = checker.members(expr.domain, scope)
            checker.symbols.once_each(expr.names, "there are two values", "give each its own name")
            size, inner = _choice(checker, expr.names, expr.size, member, scope)
            body = checker.check(expr.body, BOOL, inner)
            names = tuple(w.text for w in expr.names)
            return ir.Quant(overloads.QUANTIFIERS[expr.kind], names, domain, body, BOOL, size)
        case t.Share():
            raise type_errors.misplaced_share(expr)
        case t.Ways():
            return property_words.ways(checker, expr, scope)
        case t.Fold():
            return _fold(checker, expr, scope)
        case t.If():
            test, when_true, when_false = checker.condition(expr.test, scope)
            yes = checker.infer(expr.yes, when_true, expected)
            no = checker.infer(expr.no, when_false, expected)
            joined = join(yes.type, no.type)
            if joined is None:
                yes = group_words.as_word(checker.symbols, expr.yes, yes, no.type)
                no = group_words.as_word(checker.symbols, expr.no, no, yes.type)
                joined = join(yes.type, no.type)
            if joined is None:
                named = group_words.in_branch(checker.symbols, expr.yes, yes.type, expr.no, no.type)
                raise named or mismatched(expr.no, no.type, yes.type)
            return ir.If(test, coerced(yes, joined), coerced(no, joined), joined)
        case t.With(values=_, body=_):
            return with_body(checker, expr, scope, expected)
        case _:
            assert_never(expr)


def _if_present(expr: t.Expr, value: ir.Expr, scope: Scope) -> ir.Expr:
    """Return a value that may be none, without `or none` if it is present in this scope."""
    if not isinstance(value.type, Opt) or isinstance(value, ir.Const):
        return value
    if scope.has(value_key(expr)) or (scope.unsure and not isinstance(value, ir.If)):
        return replace(value, type=value.type.item)
    return value


# ---------------------------------------------------------------- names and calls


def _name(checker: Checker, expr: t.Name, scope: Scope, expected: Type | None) -> ir.Expr:
    symbols = checker.symbols
    if expr.words:
        return ir.Const(expr.name, symbols.choice(expr.words))
    require_value(expr, scope)
    bare = None if expected is None else without_none(expected)
    choice = bare if isinstance(bare, Choice) else None
    value = plain_name(symbols, expr.name, scope, choice)
    if value is not None:
        return value
    if expr.name in symbols.defines and symbols.defines[expr.name].owner is None:
        return _use(checker, expr.name, (), expr, scope)
    if (named := sequences.named(symbols, expr.name, choice)) is not None:
        return named
    raise unknown_name(symbols, expr, scope, choice)


def _possessive(checker: Checker, expr: t.Possessive, scope: Scope) -> ir.Expr:
    symbols, name = checker.symbols, expr.name
    owner = checker.infer(expr.owner, scope)
    if isinstance(owner.type, Points):
        return number_of_score(expr, owner, scope)
    own = value_for_each(name, owner, scope)
    if own is not None:
        return own
    of_tiles = owner.type == TILES and name in symbols.owned_words(TILE)
    owner_type = TILE if owner.type == TILE or of_tiles else SEAT
    if not fits(owner.type, owner_type):
        needed = owner.type.item if isinstance(owner.type, Opt) else owner_type
        raise mismatched(expr.owner, owner.type, needed, scope, "owner")
    value = owned_name(symbols, name, owner)
    if value is not None:
        return value
    span = Span(expr.span.text, expr.span.end - len(name), expr.span.end)
    if name in symbols.defines and symbols.defines[name].owner == (
        "tile" if owner_type == TILE else "player"
    ):
        return ir.CallDef(name, (owner,), checker.require_definition(name, span).type)
    raise unknown_owned_name(symbols, name, span, owner_type)


def _call(checker: Checker, expr: t.Call, scope: Scope) -> ir.Expr:
    if expr.name in checker.symbols.scores:
        return call_of_score(checker, expr, scope)
    require_definition(checker.symbols, expr, scope)
    return _use(checker, expr.name, expr.args, expr, scope)


def _use(checker: Checker, name: str, args: Sequence[t.Expr], expr: t.Expr, scope: Scope) -> ir.Expr:
    """Return the use of a definition with arguments."""
    definition = checker.require_definition(name, expr.span)
    lacking = missing_values(checker.symbols.defines[name].params, len(args) - len(definition.params))
    if lacking is not None:
        raise lacking
    args = definition_arguments(name, expr, args, definition.params)
    values = (checker.check(a, p.type, scope) for a, p in zip(args, definition.params, strict=True))
    return ir.CallDef(name, tuple(values), definition.type)


# ---------------------------------------------------------------- bags and rows


def _bag(checker: Checker, expr: t.Bag, scope: Scope, expected: Type | None) -> ir.Expr:
    inner = expected.item if isinstance(expected, Bag) else None
    items = tuple(checker.infer(item, scope, inner) for item in expr.items)
    kind: Type = NONE
    for item, node in zip(items, expr.items, strict=True):
        if isinstance(item.type, Opt):
            raise mismatched(node, item.type, item.type.item, scope)
        if isinstance(item.type, NoneType):
            raise RefusedExpression("T002", "braces cannot contain `none`", node.span, "leave it out")
        joined = item.type if kind == NONE else join(kind, item.type)
        if joined is None:
            raise mismatched(node, item.type, kind)
        kind = joined
    return ir.BagOf(tuple(coerced(item, kind) for item in items), Bag(kind))


def _choice(
    checker: Checker, names: Sequence[t.Word], size: t.Expr | None, member: Type, scope: Scope
) -> tuple[ir.Expr | None, Scope]:
    """Return how many members are chosen together, if that is stated, and the scope with the chosen ones."""
    count = None if size is None else checker.check(size, INT, scope)
    for word in names:
        scope = scope.with_local(word.text, member if size is None else Bag(member))
    return count, scope


def _fold(checker: Checker, expr: t.Fold, scope: Scope) -> ir.Expr:
    if expr.kind in ("the next", "the last"):
        return round_the_table(checker, expr, scope)
    if expr.kind == "the one":
        said, name = expr.span.excerpt, f"{expr.names[0].text}-there"
        advice = f"write `where {name} is {said}` in the action, and `{name}` here; or "
        advice += f"`{said.replace('the one', 'the', 1)}`, which may be none"
        message = "`the one` is the value of a `where` line of an action, `deal`, `end` or `finish`"
        raise RefusedExpression("R005", message, expr.span, advice)
    domain, member = checker.members(expr.domain, scope)
    size, inner = _choice(checker, expr.names, expr.size, member, scope)
    test = None if expr.test is None else checker.check(expr.test, BOOL, inner)
    item = None if expr.item is None else checker.infer(expr.item, inner)
    kind, result_type = overloads.fold(expr.kind, member, None if item is None else item.type)
    if item is not None and expr.item is not None and kind != "gather":
        item = checker.fit(item, expr.item, INT, inner)
    return ir.Fold(kind, tuple(w.text for w in expr.names), domain, item, test, result_type, size)


def _row_end(checker: Checker, expr: t.RowEnd, scope: Scope) -> ir.Expr:
    row = checker.row(expr, scope)
    if checker.symbols.zones[row.name].seen_by != "everyone":
        raise hidden_order(expr)
    return ir.ZoneEnd(row.name, row.seat, overloads.end_of(expr.end), Opt(TILE))


def _fits(checker: Checker, expr: t.Binary, scope: Scope) -> ir.Expr:
    """Return `tile fits front of row`, `tile fits row at n`, `tiles fits row` or `patterns fits score(...)`."""
    if isinstance(expr.right, t.RowEnd):
        tile = checker.check(expr.left, TILE, scope)
        row = checker.row(expr.right, scope)
        return ir.Fits(tile, row.name, row.seat, overloads.end_of(expr.right.end), BOOL)
    if isinstance(expr.right, t.RowPlace):
        tile = checker.check(expr.left, TILE, scope)
        row, at = checker.row(expr.right, scope), expr.right
        number = checker.check(overloads.from_front(at.row, at.number, at.end), INT, scope)
        return ir.FitsPlace(tile, row.name, row.seat, number, BOOL)
    right = checker.infer(expr.right, scope)
    if isinstance(right.type, Points):
        return ir.FitsScore(checker.check(expr.left, PATTERNS, scope), right, BOOL)
    if isinstance(right, ir.ZoneRead) and checker.symbols.zones[right.name].kind == "row":
        tiles = checker.check(expr.left, TILES, scope)
        if not scope.has_order(expr.left):
            raise no_order(expr.left, scope)
        return ir.FitsOrder(tiles, right.name, right.seat, BOOL)
    advice = (
        "a tile fits an end or a place of a row (`front of`, `at 2`), tiles fit a row, patterns fit a score"
    )
    raise RefusedExpression("T004", f"nothing fits `{expr.right.span.excerpt}`", expr.right.span, advice)


# ---------------------------------------------------------------- operators


def _unary(checker: Checker, expr: t.Unary, scope: Scope) -> ir.Expr:
    if expr.op == "not":
        return ir.Op("not", (checker.check(expr.arg, BOOL, scope),), BOOL)
    if expr.op == "-":
        return ir.Op("neg", (checker.check(expr.arg, INT, scope),), INT)
    if expr.op == "faces of":
        return faces(checker, expr.arg, scope)
    bag, item = checker.members(expr.arg, scope)
    return ir.Op("size", (bag,), INT) if expr.op == "size of" else ir.Op("kinds", (bag,), Bag(item))


def _binary(checker: Checker, expr: t.Binary, scope: Scope, expected: Type | None) -> ir.Expr:
    match expr.op:
        case "and" | "or" | "implies":
            # a fault on the left does not hide one on the right
            left, when_true, when_false = checker.condition(expr.left, scope)
            right = checker.expect(expr.right, BOOL, when_false if expr.op == "or" else when_true)
            return ir.Op(expr.op, (left, right), BOOL)
        case "=":
            return _equal(checker, expr, scope)
        case "/=":
            return ir.Op("not", (_equal(checker, expr, scope),), BOOL)
        case "<" | "<=" | ">" | ">=":
            return ir.Op(overloads.ORDER[expr.op], compared(checker, expr, scope), BOOL)
        case "in":
            return _member(checker, expr, scope)
        case "not in":
            return ir.Op("not", (_member(checker, expr, scope),), BOOL)
        case "otherwise":
            return _otherwise(checker, expr, scope, expected)
        case "fits":
            return _fits(checker, expr, scope)
        case sign:
            return _arithmetic(checker, expr, sign, scope)


def _equal(checker: Checker, expr: t.Binary, scope: Scope) -> ir.Expr:
    first, second = expr.left, expr.right
    if isinstance(first, t.Name) and not is_value(checker.symbols, first.name, scope):
        first, second = second, first  # `acquire = stage`
    left = checker.infer(first, scope)
    right = number_of_points(checker.infer(second, scope, left.type))
    left = number_of_points(left)
    op = overloads.equality(left.type, right.type)
    wide = join(left.type, right.type)
    if wide is not None and words_in(wide):
        left, right = coerced(left, wide), coerced(right, wide)
    if isinstance(op, Clash):
        pair = (first, left.type, second, right.type)
        raise group_words.beside(checker.symbols, *pair) or _clash(op, first, second, scope)
    return ir.Op(op, (coerced(left, right.type), coerced(right, left.type)), BOOL)


def _member(checker: Checker, expr: t.Binary, scope: Scope) -> ir.Expr:
    choice = choice_of(checker.symbols, expr.left, scope)
    domain = checker.infer(expr.right, scope, None if choice is None else Bag(choice))
    item = group_words.member_of(checker.symbols, expr, domain.type)
    left = checker.infer(expr.left, scope, item)
    op = overloads.membership(left.type, item)
    if isinstance(op, Clash):
        pair = (expr.left, left.type, expr.right, domain.type)
        raise group_words.beside(checker.symbols, *pair) or _clash(op, expr.left, expr.right, scope)
    wide = join(without_none(left.type), item)
    if op == "member" and wide is not None and words_in(wide):
        left, domain = coerced(left, wide), coerced(domain, Bag(wide))
    elif op != "member":
        left = coerced(left, item if op == "bag_member" else domain.type)
    return ir.Op(op, (left, domain), BOOL)


def _otherwise(checker: Checker, expr: t.Binary, scope: Scope, expected: Type | None) -> ir.Expr:
    first = checker.infer(expr.left, scope, expected)
    second = checker.infer(expr.right, scope, expected)
    if not isinstance(second.type, Points):
        first = checker.number(first, expr.left, scope)
    second = group_words.as_word(checker.symbols, expr.right, second, item := without_none(first.type))
    joined = join(item, second.type)
    if joined is None:
        raise mismatched(expr.right, second.type, item)
    values = (coerced(first, joined), coerced(second, joined))
    return ir.Op("otherwise", values, joined)


def _arithmetic(checker: Checker, expr: t.Binary, sign: overloads.Sign, scope: Scope) -> ir.Expr:
    left = checker.number(checker.infer(expr.left, scope), expr.left, scope)
    chosen = overloads.arithmetic(sign, left.type)
    if isinstance(chosen, Clash):
        raise _clash(chosen, expr.left, expr.right, scope)
    op, item = chosen
    if member_type(left.type) is None:
        return ir.Op(op, (left, checker.check(expr.right, item, scope)), INT)
    right = overloads.as_bag(checker.infer(expr.right, scope, item), item)
    if isinstance(right, Clash):
        raise _clash(right, expr.left, expr.right, scope)
    return ir.Op(op, (left, coerced(right, Bag(item))), Bag(item))


def _clash(clash: Clash, left: t.Expr, right: t.Expr, scope: Scope) -> RefusedExpression:
    return mismatched(left if clash.operand == "left" else right, clash.actual, clash.needed, scope)


def _is(checker: Checker, expr: t.Is, scope: Scope) -> ir.Expr:
    word = expr.word.text
    test: ir.Expr
    if word == "none":
        key = value_key(expr.arg)  # the value itself is meant, even if it is present
        place = checker.infer(expr.arg, scope if key is None else scope.widened(key))
        if not isinstance(place.type, Opt | NoneType | Points):
            message = f"`{expr.arg.span.excerpt}` is never none"
            raise RefusedExpression("T001", message, expr.arg.span, "leave this condition out")
        test = ir.Op("is_none", (place,), BOOL)
    elif word == "empty":
        bag, _ = checker.members(expr.arg, scope)
        test = ir.Op("eq", (ir.Op("size", (bag,), INT), ir.Const(0, INT)), BOOL)
    else:
        require_shape(checker.symbols, expr.word, scope)
        arg, item = checker.members(expr.arg, scope.asking(expr.arg))
        if item != TILE:
            raise mismatched(expr.arg, arg.type, TILES)
        if word in checker.symbols.arrangements and not scope.is_asked(expr.arg):
            arg = faces_of(checker.symbols, arg)
        test = ir.IsShape(arg, word, BOOL)
    return ir.Op("not", (test,), BOOL) if expr.negated else test
