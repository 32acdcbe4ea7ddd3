"""Surface expressions to typed ones.

In: a surface expression, the tables of its text and the scope it stands in. Out: an IR expression, with
every name looked up and every operator told apart by what it works on. Faults go to the tables; the pass
goes on after each, so that one run shows them all.

    stage = acquire and p = mover    ->    and(eq(StateRead stage, Const acquire), eq(Local p, StateRead mover))
"""

from __future__ import annotations

from golpae.diagnostics import Span, quoted
from golpae.elaborate.typecheck.builtins import BUILTINS, EARLIER, TRUTHS
from golpae.elaborate.typecheck.scope import (
    UNKNOWN,
    Scope,
    SymbolTable,
    advice_for,
    key_of,
    learnt,
    unknown,
    zone_type,
)
from golpae.elaborate.typecheck.type_errors import kind_of, mismatch
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read
from golpae.ir.ruleset import CaseDecl, Definition, ParamDecl
from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    NONE,
    PATTERNS,
    POINTS,
    SEAT,
    TILE,
    TILES,
    Bag,
    Choice,
    Each,
    Meld,
    NoneType,
    Opt,
    Points,
    Type,
    fits,
    join,
)
from golpae.syntax import tree as t

ARITHMETIC: dict[str, ir.OpName] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "div": "div",
    "mod": "mod",
    "^": "pow",
}
ORDER: dict[str, ir.OpName] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SAID_OTHERWISE = {  # what authors may call a kind of value, and how it is written
    "player": "seat",
    "players": "seats",
    "piece": "tile",
    "pieces": "tiles",
    "card": "tile",
    "cards": "tiles",
    "integer": "number",
    "boolean": "yes or no",
}
QUANTIFIERS: dict[str, ir.QuantKind] = {"some": "some", "every": "every", "no": "no"}
BAG_ARITHMETIC: dict[ir.OpName, ir.OpName] = {"add": "bag_add", "sub": "bag_sub"}
FOLDS: dict[str, ir.FoldKind] = {
    "number of": "count",
    "sum of": "sum",
    "most of": "most",
    "least of": "least",
    "the": "the",
    "those": "those",
}


class _Fault(Exception):
    """The expression has a fault, which the tables hold already."""


class Checker:
    """Checks the expressions of one text."""

    def __init__(self, symbols: SymbolTable) -> None:
        self.symbols = symbols
        self.ways_allowed = False  # whether a prover will read what is checked, and nothing else
        self._in_a_way = False
        self._in_progress: list[str] = []

    # ------------------------------------------------------------------ entries

    def truth(self, expr: t.Expr, scope: Scope) -> ir.Expr:
        return self.expect(expr, BOOL, scope)

    def condition(self, expr: t.Expr, scope: Scope) -> tuple[ir.Expr, Scope, Scope]:
        """A condition, and the scopes in which it is known to hold and not to hold."""
        faults = len(self.symbols.diagnostics)
        found = self.truth(expr, scope)
        unsure = len(self.symbols.diagnostics) > faults
        yes, no = (scope.knowing(learnt(expr, holds), unsure) for holds in (True, False))
        return found, yes, no

    def expect(self, expr: t.Expr, wanted: Type, scope: Scope) -> ir.Expr:
        """`expr` as a value of type `wanted`; `no` (false) after a fault."""
        try:
            return self._expect(expr, wanted, scope)
        except _Fault:
            return ir.Const(False, wanted)

    def any(self, expr: t.Expr, scope: Scope) -> ir.Expr | None:
        """`expr` with whatever type it has; None after a fault."""
        try:
            return self._any(expr, scope, None)
        except _Fault:
            return None

    def definition(self, name: str) -> Definition | None:
        """The checked definition of this name; None after a fault in it."""
        try:
            return self._definition(name, self.symbols.defines[name].name.span)
        except _Fault:
            return None

    # ------------------------------------------------------------------ faults

    def _stop(self, code: str, message: str, span: Span, advice: str | None = None) -> _Fault:
        self.symbols.fault(code, message, span, advice)
        return _Fault()

    def _mismatch(self, expr: t.Expr, found: Type, wanted: Type) -> _Fault:
        words = expr.span.said
        if isinstance(found, Opt) and fits(found.item, wanted):
            advice = f"ask `{words} is not none` first, or say `{words} otherwise ...`"
            return self._stop("T002", f"`{words}` may be none here", expr.span, advice)
        message, advice = mismatch(words, found, wanted)
        return self._stop("T001", message, expr.span, advice)

    # ------------------------------------------------------------------ by type

    def _expect(self, expr: t.Expr, wanted: Type, scope: Scope) -> ir.Expr:
        found = self._any(expr, scope, wanted)
        if unknown(wanted):
            raise _Fault
        if isinstance(found.type, Points) and not isinstance(wanted, Points):
            found = _total(found)
        if fits(found.type, wanted):
            return found
        raise self._mismatch(expr, found.type, wanted)

    def _any(self, expr: t.Expr, scope: Scope, wanted: Type | None) -> ir.Expr:
        """`expr` with its type; where a faulty declaration hides that, the fault there is enough."""
        found = self._typed(expr, scope, wanted)
        if unknown(found.type):
            raise _Fault
        return found

    def _typed(self, expr: t.Expr, scope: Scope, wanted: Type | None) -> ir.Expr:
        match expr:
            case t.Number():
                return ir.Const(expr.value, INT)
            case t.Truth():
                return ir.Const(expr.value, BOOL)
            case t.Nothing():
                return ir.Const(None, NONE)
            case t.TileName():
                return self._tile(expr)
            case t.Name():
                return self._known(expr, self._name(expr, scope, wanted), scope)
            case t.Possessive():
                return self._known(expr, self._possessive(expr, scope), scope)
            case t.Call():
                return self._call(expr, scope)
            case t.Bag():
                return self._bag(expr, scope, wanted)
            case t.EachOf():
                domain, item_type = self._domain(expr.domain, scope)
                inner = scope.with_local(expr.name.text, item_type)
                test = None if expr.test is None else self._expect(expr.test, BOOL, inner)
                item = self._any(expr.item, inner, wanted.item if isinstance(wanted, Bag) else None)
                return ir.Fold("each", (expr.name.text,), domain, item, test, Bag(item.type))
            case t.RangeBag():
                both = (self._expect(expr.low, INT, scope), self._expect(expr.high, INT, scope))
                return ir.Op("range", both, Bag(INT))
            case t.Unary():
                return self._unary(expr, scope)
            case t.RowEnd():
                return self._known(expr, self._row_end(expr, scope), scope)
            case t.RowPlace():
                return self._known(expr, self._row_place(expr, scope), scope)
            case t.Earlier():
                return self._earlier(expr, scope, wanted)
            case t.Binary():
                return self._binary(expr, scope, wanted)
            case t.Is():
                return self._is(expr, scope)
            case t.LayOut(groups=groups, tiles=tiles, arrangement=word):
                if word.text not in self.symbols.arrangements:
                    advice = advice_for(word.text, self.symbols.arrangements, "write it with `arrangement`")
                    raise self._stop("N001", f"there is no arrangement `{word.text}`", word.span, advice)
                return ir.LayOut(
                    self._expect(groups, Bag(TILES), scope),
                    self._expect(tiles, TILES, scope),
                    word.text,
                    BOOL,
                )
            case t.Quantified():
                domain, item_type = self._domain(expr.domain, scope)
                self.symbols.once_each(expr.names, "this asks for two", "give each its own name")
                size = None if expr.size is None else self._expect(expr.size, INT, scope)
                inner = scope
                for word in expr.names:
                    inner = inner.with_local(word.text, item_type if size is None else Bag(item_type))
                body = self._expect(expr.body, BOOL, inner)
                return ir.Quant(
                    QUANTIFIERS[expr.kind], tuple(w.text for w in expr.names), domain, body, BOOL, size
                )
            case t.Ways():
                return self._ways(expr, scope)
            case t.Fold():
                return self._fold(expr, scope)
            case t.If():
                test, holds, fails = self.condition(expr.test, scope)
                yes = self._any(expr.yes, holds, wanted)
                no = self._any(expr.no, fails, wanted)
                joined = join(yes.type, no.type)
                if joined is None:
                    raise self._mismatch(expr.no, no.type, yes.type)
                return ir.If(test, yes, no, joined)

    def _known(self, expr: t.Expr, found: ir.Expr, scope: Scope) -> ir.Expr:
        """A place that may hold none, but is known not to: the value itself."""
        if isinstance(found.type, Opt) and (scope.unsure or key_of(expr) in scope.known):
            return _retyped(found, found.type.item)
        return found

    # ------------------------------------------------------------------ names

    def _tile(self, expr: t.TileName) -> ir.Expr:
        name = self.symbols.tile_names.get(expr.name)
        if name is None and self.symbols.unspelt:
            raise _Fault
        if name is None:
            advice = advice_for(
                expr.name, self.symbols.tile_names, "the tiles of the set stand under `tiles`"
            )
            raise self._stop("N001", f"there is no tile `{expr.name}`", expr.span, advice)
        return ir.Const(name, TILE)

    def _name(self, expr: t.Name, scope: Scope, wanted: Type | None) -> ir.Expr:
        name, symbols = expr.name, self.symbols
        choice = wanted.item if isinstance(wanted, Opt) else wanted
        if isinstance(choice, Choice) and name in choice.words:
            return ir.Const(name, choice)
        if name in scope.locals:
            return ir.Local(name, scope.locals[name])
        if name in symbols.vars and not symbols.vars[name].each_player:
            return ir.StateRead(name, None, symbols.vars[name].type)
        if name in symbols.zones and not symbols.zones[name].each_player:
            return ir.ZoneRead(name, None, zone_type(symbols.zones[name]))
        if name in symbols.options:
            return ir.OptionRead(name, INT)
        if name in symbols.groups:
            return ir.Group(name, TILES)
        if name in symbols.tile_names:
            return ir.Const(symbols.tile_names[name], TILE)
        if name in symbols.defines and symbols.defines[name].owner is None:
            return self._use(name, (), expr, scope)
        if name in TRUTHS:
            return ir.Builtin("over", None, BOOL)
        if name in BUILTINS and not BUILTINS[name].of_player:
            return ir.Builtin(BUILTINS[name].name, None, BUILTINS[name].type)
        if isinstance(choice, Choice):
            advice = advice_for(name, choice.words, "write one of these, or add it behind `one of`")
            raise self._stop("N001", f"`{name}` is none of {quoted(choice.words)}", expr.span, advice)
        if name in symbols.owned_words(SEAT):
            raise self._stop("N001", f"each player has a `{name}`", expr.span, f"say whose: `p's {name}`")
        if name in symbols.owned_words(TILE):
            raise self._stop("N001", f"each tile has a `{name}`", expr.span, f"say whose: `t's {name}`")
        if expr.span.words == "its":
            advice = "name whose it is, as in `t's ...`"
            raise self._stop("N001", "`its` stands only in `define each tile's ...`", expr.span, advice)
        words = [*scope.locals, *symbols.plain_words()]
        advice = advice_for(name, words, "write a name of this text, or declare this one")
        if name in NUMERALS:
            advice = f"write `{NUMERALS.index(name)}`, in digits"
        raise self._stop("N001", f"nothing here is called `{name}`", expr.span, advice)

    def _possessive(self, expr: t.Possessive, scope: Scope) -> ir.Expr:
        symbols, name = self.symbols, expr.name
        owner = self._any(expr.owner, scope, None)
        owner_type: Type = TILE if owner.type == TILE else SEAT
        own = scope.locals.get(name)
        if isinstance(own, Each) or (
            isinstance(own, Opt) and isinstance(own.item, Each) and name in scope.known
        ):
            each = own.item if isinstance(own, Opt) else own
            assert isinstance(each, Each)
            if fits(owner.type, SEAT):
                return ir.OwnValue(ir.Local(name, each), owner, each.item)
        if not fits(owner.type, owner_type):
            if isinstance(owner.type, Opt):
                raise self._mismatch(expr.owner, owner.type, owner.type.item)
            raise self._mismatch(expr.owner, owner.type, SEAT)
        word_span = Span(expr.span.text, expr.span.end - len(name), expr.span.end)
        if owner_type == TILE:
            if name in symbols.attributes or name == "group":
                kind: Type = Choice(tuple(sorted(symbols.groups))) if name == "group" else INT
                return ir.Attr(name, owner, kind)
            if name in symbols.defines and symbols.defines[name].owner == "tile":
                definition = self._definition(name, word_span)
                return ir.CallDef(name, (owner,), definition.type)
        else:
            if name in symbols.vars and symbols.vars[name].each_player:
                return ir.StateRead(name, owner, symbols.vars[name].type)
            if name in symbols.zones and symbols.zones[name].each_player:
                return ir.ZoneRead(name, owner, zone_type(symbols.zones[name]))
            if name in BUILTINS and BUILTINS[name].of_player:
                return ir.Builtin(BUILTINS[name].name, owner, BUILTINS[name].type)
            if name in symbols.defines and symbols.defines[name].owner == "player":
                definition = self._definition(name, word_span)
                return ir.CallDef(name, (owner,), definition.type)
        whose = "a tile" if owner_type == TILE else "a player"
        words = list(symbols.owned_words(owner_type))
        advice = advice_for(name, words, f"{whose} has {quoted(words)}")
        if name in symbols.plain_words():
            advice = f"write `{name}` alone: it is nobody's own"
        raise self._stop("N001", f"{whose} has no `{name}`", word_span, advice)

    def _call(self, expr: t.Call, scope: Scope) -> ir.Expr:
        name = expr.name
        if name in self.symbols.scores:
            return self._score(expr, scope)
        if name not in self.symbols.defines:
            word = Span(expr.span.text, expr.span.start, expr.span.start + len(name))
            owned = next((w for w in (SEAT, TILE) if name in self.symbols.owned_words(w)), None)
            if owned is not None:
                raise self._owned(expr, word, "player" if owned == SEAT else "tile")
            if name in scope.locals or name in self.symbols.plain_words():
                advice = f"write `{name}` without brackets"
                raise self._stop("N001", f"`{name}` is no definition with values", word, advice)
            words = [*self.symbols.defines, *self.symbols.scores]
            advice = advice_for(name, words, f"write it: `define {name}(...): ...`")
            raise self._stop("N001", f"there is no definition `{name}`", word, advice)
        owner = self.symbols.defines[name].owner
        if owner is not None:
            word = Span(expr.span.text, expr.span.start, expr.span.start + len(name))
            raise self._owned(expr, word, owner)
        args = expr.args
        if expr.names:
            params = self._definition(name, expr.span).params
            found = self._by_name(expr, params)
            missing = [p.name for p in params if p.name not in found]
            if missing:
                raise self._stop(
                    "T003",
                    f"`{name}` lacks a value for `{missing[0]}`",
                    expr.span,
                    f"add `{missing[0]}: ...`",
                )
            args = tuple(found[p.name] for p in params)
        return self._use(name, args, expr, scope)

    def _by_name(self, expr: t.Call, params: tuple[ParamDecl, ...]) -> dict[str, t.Expr]:
        """The values of a call by name."""
        known = [p.name for p in params]
        found: dict[str, t.Expr] = {}
        for word, arg in zip(expr.names, expr.args, strict=True):
            if word.text not in known:
                raise self._stop(
                    "N001",
                    f"`{expr.name}` takes no `{word.text}`",
                    word.span,
                    advice_for(word.text, known, f"it takes {quoted(known)}"),
                )
            if word.text in found:
                raise self._stop("N002", f"`{word.text}` is given twice", word.span, "leave one out")
            found[word.text] = arg
        return found

    def _owned(self, expr: t.Call, word: Span, owner: str) -> _Fault:
        """`hand(p)` instead of `p's hand`."""
        whose = expr.args[0].span.said if len(expr.args) == 1 else owner[0]
        return self._stop("N001", f"each {owner} has a `{expr.name}`", word, f"write `{whose}'s {expr.name}`")

    def _use(self, name: str, args: tuple[t.Expr, ...], expr: t.Expr, scope: Scope) -> ir.Expr:
        definition = self._definition(name, expr.span)
        params = definition.params
        if len(args) != len(params):
            wanted = ", ".join(p.name for p in params)
            count = f"{len(args)} value{'s' * (len(args) != 1)}" if args else "no values"
            message = f"`{name}` is used with {count}, and is written with {len(params) or 'none'}"
            advice = f"write `{name}({wanted})`" if params else f"write `{name}` alone"
            raise self._stop("T003", message, expr.span, advice)
        values = tuple(self._expect(a, p.type, scope) for a, p in zip(args, params, strict=True))
        return ir.CallDef(name, values, definition.type)

    def _score(self, expr: t.Call, scope: Scope) -> ir.Expr:
        params = self.score_parameters(self.symbols.scores[expr.name])
        if expr.names:
            given = self._by_name(expr, params)
        else:
            if len(expr.args) > len(params):
                count = f"{len(params)} value{'s' * (len(params) != 1)}"
                message = f"`{expr.name}` takes {count}, not {len(expr.args)}"
                wanted = ", ".join(p.name for p in params)
                raise self._stop("T003", message, expr.span, f"write `{expr.name}({wanted})`")
            given = {p.name: a for p, a in zip(params, expr.args, strict=False)}
        values: list[ir.Expr] = []
        for param in params:
            if param.name in given:
                values.append(self._expect(given[param.name], param.type, scope))
            elif param.initial is not None:
                values.append(param.initial)
            elif param.optional:
                values.append(ir.Const(None, NONE))
            else:
                raise self._stop(
                    "T003",
                    f"`{expr.name}` lacks a value for `{param.name}`",
                    expr.span,
                    f"add `{param.name}: ...`",
                )
        return ir.CallScore(expr.name, tuple(values), POINTS)

    def _definition(self, name: str, span: Span) -> Definition:
        symbols = self.symbols
        if name in symbols.definitions:
            return symbols.definitions[name]
        if name in self._in_progress:
            between = self._in_progress[self._in_progress.index(name) + 1 :]
            way = f", by way of {quoted(between)}" if between else ""
            advice = f"say what it is without `{between[-1] if between else name}`"
            raise self._stop("T005", f"`{name}` rests on itself{way}", span, advice)
        node = symbols.defines[name]
        self._in_progress.append(name)
        try:
            if node.owner is None:
                params = self.parameters(node.params)
            else:
                params = (ParamDecl("it", TILE if node.owner == "tile" else SEAT),)
            scope = Scope({p.name: p.type for p in params})
            cases = []
            kind: Type = BOOL
            symbols.once_each(
                (c.name for c in node.clauses), f"`{name}` has two cases", "give one another name"
            )
            for clause in node.clauses:
                assert isinstance(clause.body, t.Condition)
                if node.cases:
                    expr = self.expect(clause.body.expr, BOOL, scope)
                else:
                    expr = self._any(clause.body.expr, scope, None)
                    kind = expr.type
                    if isinstance(kind, NoneType):
                        advice = "write a value, or where there is one: `if ... then ... else none`"
                        raise self._stop("T001", f"`{name}` is always none", clause.body.expr.span, advice)
                cases.append(CaseDecl(clause.name.text, expr, tuple(w.text for w in clause.ids)))
            definition = Definition(name, params, tuple(cases), kind, tuple(w.text for w in node.ids))
        except _Fault:
            # one report is enough: nothing is said of what uses it
            params = tuple(ParamDecl(p.name, p.type) for p in self.parameters(node.params, silent=True))
            symbols.definitions[name] = Definition(name, params, (), UNKNOWN, ())
            raise
        finally:
            self._in_progress.pop()
        symbols.definitions[name] = definition
        return definition

    # ------------------------------------------------------------------ parameters and types

    def parameters(self, params: tuple[t.Param, ...], silent: bool = False) -> tuple[ParamDecl, ...]:
        """Parameters with types: an untyped one takes the type of the next typed one, or is called after
        its type.
        """
        out: list[ParamDecl] = []
        following: Type | None = None
        if not silent:
            words = (word for param in params for word in named(param))
            self.symbols.once_each(words, "there are two values", "give each its own name")
        for param in reversed(params):
            if param.parts is not None:
                parts = tuple(w.text for w in param.parts)
                out.append(ParamDecl(param.name, TILES, parts, param.optional))
                continue
            if param.type is not None:
                following = self.type_of(param.type)
            elif following is None or param.name in NAMED_TYPES:
                if param.name not in NAMED_TYPES:
                    if not silent:
                        message = f"it is not said what kind of value `{param.name}` is"
                        advice = f"write `{param.name}: tile`, or another kind"
                        self.symbols.fault("N004", message, named(param)[0].span, advice)
                    following = UNKNOWN
                else:
                    out.append(_param(param, NAMED_TYPES[param.name]))
                    continue
            assert following is not None
            out.append(_param(param, following))
        return tuple(reversed(out))

    def score_parameters(self, node: t.Score) -> tuple[ParamDecl, ...]:
        """What a score is asked with: in brackets, or under `given`."""
        out = list(self.parameters(node.params))
        for line in node.given:
            kind = self.type_of(line.type)
            initial = None if line.initial is None else self.expect(line.initial, kind, Scope({}))
            out.append(
                ParamDecl(line.name.text, kind, (), isinstance(kind, Opt) and initial is None, initial)
            )
        return tuple(out)

    def type_of(self, node: t.Type) -> Type:
        match node:
            case t.TypeName(name=name):
                if name in NAMED_TYPES:
                    return NAMED_TYPES[name]
                kinds = quoted((*NAMED_TYPES, "yes or no", "one of ...", "... or none"))
                advice = advice_for(name, NAMED_TYPES, f"the kinds of value are {kinds}")
                if name in SAID_OTHERWISE:
                    advice = f"write `{SAID_OTHERWISE[name]}`"
                self.symbols.fault("N004", f"there is no kind of value `{name}`", node.span, advice)
                return UNKNOWN
            case t.TypeTruth():
                return BOOL
            case t.TypeChoice(words=words):
                self.symbols.once_each(words, "the choice has two words", "leave one out")
                return Choice(tuple(w.text for w in words))
            case t.TypeRange(low=low, high=high):
                if isinstance(low, t.Number) and isinstance(high, t.Number) and low.value > high.value:
                    message = f"no number lies between the bounds {low.value} and {high.value}"
                    self.symbols.fault(
                        "G007", message, low.span.to(high.span), "write the lower number first"
                    )
                return INT
            case t.TypeList(item=item):
                return Bag(self.type_of(item))
            case t.TypeEach(item=item):
                return Each(self.type_of(item))
            case t.TypeOrNone(item=item):
                return Opt(self.type_of(item))

    # ------------------------------------------------------------------ operators

    def _bag(self, expr: t.Bag, scope: Scope, wanted: Type | None) -> ir.Expr:
        inner = wanted.item if isinstance(wanted, Bag) else None
        items = tuple(self._any(item, scope, inner) for item in expr.items)
        kind: Type = NONE
        for item, node in zip(items, expr.items, strict=True):
            if isinstance(item.type, Opt):
                raise self._mismatch(node, item.type, item.type.item)
            if isinstance(item.type, NoneType):
                raise self._stop("T002", "`none` cannot stand among values", node.span, "leave it out")
            joined = item.type if kind == NONE else join(kind, item.type)
            if joined is None:
                raise self._mismatch(node, item.type, kind)
            kind = joined
        return ir.BagOf(items, Bag(kind))

    def _domain(self, expr: t.Expr, scope: Scope, wanted: Type | None = None) -> tuple[ir.Expr, Type]:
        found = self._any(expr, scope, wanted)
        match found.type:
            case Bag(item):
                return found, item
            case Meld():
                return found, TILE
            case _:
                raise self._stop(
                    "T001",
                    f"`{expr.span.said}` is {kind_of(found.type)}, and there is nothing to choose from",
                    expr.span,
                    "name tiles, players, melds or numbers",
                )

    def _unary(self, expr: t.Unary, scope: Scope) -> ir.Expr:
        match expr.op:
            case "not":
                return ir.Op("not", (self._expect(expr.arg, BOOL, scope),), BOOL)
            case "-":
                return ir.Op("neg", (self._expect(expr.arg, INT, scope),), INT)
            case "size of":
                bag, _ = self._domain(expr.arg, scope)
                return ir.Op("size", (bag,), INT)
            case _:
                bag, item = self._domain(expr.arg, scope)
                return ir.Op("kinds", (bag,), Bag(item))

    def row(self, expr: t.Expr, scope: Scope) -> ir.ZoneRead | None:
        """The zone that an expression names, if it does."""
        try:
            found = self._any(expr, scope, None)
        except _Fault:
            return None
        if isinstance(found, ir.ZoneRead):
            return found
        self.symbols.no_zone(expr.span, "row")
        return None

    def _row_zone(self, node: t.RowEnd | t.RowPlace, scope: Scope) -> ir.ZoneRead:
        zone = self.row(node.row, scope)
        if zone is None:
            raise _Fault
        if self.symbols.zones[zone.name].kind != "row":
            self.symbols.no_row(zone.name, node)
            raise _Fault
        return zone

    def _row_end(self, expr: t.RowEnd, scope: Scope) -> ir.Expr:
        zone = self._row_zone(expr, scope)
        if self.symbols.zones[zone.name].seen_by != "everyone":
            words = expr.row.span.said
            advice = f"ask whether a tile can be there: `t fits {expr.end} of {words}`"
            raise self._stop("T006", f"the order of `{words}` may be known to nobody", expr.span, advice)
        return ir.ZoneEnd(zone.name, zone.seat, _end(expr.end), Opt(TILE))

    def _row_place(self, expr: t.RowPlace, scope: Scope) -> ir.Expr:
        zone = self._row_zone(expr, scope)
        return ir.ZonePlace(zone.name, zone.seat, self._expect(expr.number, INT, scope), Opt(TILE))

    def _earlier(self, expr: t.Earlier, scope: Scope, wanted: Type | None) -> ir.Expr:
        if not scope.event:
            word = Span(expr.span.text, expr.span.start, expr.span.start + len(EARLIER))
            message = "`earlier` asks for what was before an event, and there is none here"
            advice = (
                "ask in a property of an action (`always ... after draw: ... earlier(...) ...`), not within another "
                "`earlier`; an `ends` compares with what was before by itself"
            )
            raise self._stop("T007", message, word, advice)
        found = self._any(expr.arg, scope.earlier(), wanted)
        return ir.Earlier(found, found.type)

    def _binary(self, expr: t.Binary, scope: Scope, wanted: Type | None) -> ir.Expr:
        op = expr.op
        match op:
            case "and" | "or" | "implies":
                # a fault on the left does not hide one on the right
                left, yes, no = self.condition(expr.left, scope)
                right = self.expect(expr.right, BOOL, no if op == "or" else yes)
                return ir.Op(op, (left, right), BOOL)
            case "=" | "/=":
                return self._equal(expr, scope)
            case "<" | "<=" | ">" | ">=":
                both = (self._expect(expr.left, INT, scope), self._expect(expr.right, INT, scope))
                return ir.Op(ORDER[op], both, BOOL)
            case "in":
                return self._member(expr, scope)
            case "not in":
                return ir.Op("not", (self._member(expr, scope),), BOOL)
            case "otherwise":
                first = self._any(expr.left, scope, wanted)
                second = self._any(expr.right, scope, wanted)
                if isinstance(first.type, Points) and not isinstance(second.type, Points):
                    first = _total(first)
                item = first.type.item if isinstance(first.type, Opt) else first.type
                joined = join(item, second.type)
                if joined is None:
                    raise self._mismatch(expr.right, second.type, item)
                return ir.Op("otherwise", (first, second), joined)
            case "fits":
                return self._could_be(expr, scope)
            case _:
                return self._arithmetic(expr, scope)

    def _could_be(self, expr: t.Binary, scope: Scope) -> ir.Expr:
        """`tile fits front of row`, `tiles fits row`, `patterns fits score(...)`"""
        if isinstance(expr.right, t.RowEnd):
            tile = self._expect(expr.left, TILE, scope)
            zone = self._row_zone(expr.right, scope)
            return ir.Fits(tile, zone.name, zone.seat, _end(expr.right.end), BOOL)
        right = self._any(expr.right, scope, None)
        if isinstance(right.type, Points):
            return ir.FitsScore(self._expect(expr.left, PATTERNS, scope), right, BOOL)
        if isinstance(right, ir.ZoneRead) and self.symbols.zones[right.name].kind == "row":
            return ir.FitsOrder(self._expect(expr.left, TILES, scope), right.name, right.seat, BOOL)
        raise self._stop(
            "T004",
            f"nothing fits `{expr.right.span.said}`",
            expr.right.span,
            "a tile fits the `front of` or `back of` a row, tiles fit a row, patterns fit a score",
        )

    def _equal(self, expr: t.Binary, scope: Scope) -> ir.Expr:
        negated = expr.op == "/="
        left_node, right_node = expr.left, expr.right
        if isinstance(left_node, t.Name) and not self._is_value(left_node.name, scope):
            left_node, right_node = right_node, left_node  # `acquire = stage`
        left = self._any(left_node, scope, None)
        right = self._any(right_node, scope, left.type)
        left, right = (_total(x) if isinstance(x.type, Points) else x for x in (left, right))
        if join(left.type, right.type) is None and not (_bag_like(left.type) and _bag_like(right.type)):
            raise self._mismatch(right_node, right.type, left.type)
        if _bag_like(left.type) or _bag_like(right.type):
            for node, side in ((left_node, left), (right_node, right)):
                if isinstance(side.type, Opt):
                    raise self._mismatch(node, side.type, side.type.item)
            return ir.Op("bag_ne" if negated else "bag_eq", (left, right), BOOL)
        return ir.Op("ne" if negated else "eq", (left, right), BOOL)

    def _is_value(self, name: str, scope: Scope) -> bool:
        return name in scope.locals or name in set(self.symbols.plain_words())

    def _member(self, expr: t.Binary, scope: Scope) -> ir.Expr:
        choice = self._choice_asked(expr.left, scope)
        domain, item = self._domain(expr.right, scope, None if choice is None else Bag(choice))
        left = self._any(expr.left, scope, item)
        bare = left.type.item if isinstance(left.type, Opt) else left.type
        if _bag_like(bare) and _bag_like(item):
            return ir.Op("bag_member", (left, domain), BOOL)
        if _bag_like(bare) and bare != item and fits(_item(bare), item):
            if isinstance(left.type, Opt):
                raise self._mismatch(expr.left, left.type, bare)
            return ir.Op("within", (left, domain), BOOL)
        if not fits(bare, item):
            raise self._mismatch(expr.left, left.type, item)
        return ir.Op("member", (left, domain), BOOL)

    def _choice_asked(self, node: t.Expr, scope: Scope) -> Choice | None:
        """The choice that a state or parameter is one of, if the node names such."""
        kind: Type | None = None
        if isinstance(node, t.Name):
            kind = scope.locals.get(node.name) or (
                self.symbols.vars[node.name].type if node.name in self.symbols.vars else None
            )
        elif isinstance(node, t.Possessive) and node.name in self.symbols.vars:
            kind = self.symbols.vars[node.name].type
        kind = kind.item if isinstance(kind, Opt) else kind
        return kind if isinstance(kind, Choice) else None

    def _arithmetic(self, expr: t.Binary, scope: Scope) -> ir.Expr:
        op = ARITHMETIC[expr.op]
        left = self._any(expr.left, scope, None)
        if _bag_like(left.type) and op in BAG_ARITHMETIC:
            item = _item(left.type)
            right = self._any(expr.right, scope, item)
            bag_op = BAG_ARITHMETIC[op]
            if _bag_like(right.type) and fits(right.type, Bag(item)):
                return ir.Op(bag_op, (left, right), Bag(item))
            if fits(right.type, item):
                return ir.Op(bag_op, (left, ir.BagOf((right,), Bag(item))), Bag(item))
            raise self._mismatch(expr.right, right.type, item)
        if not fits(left.type, INT):
            raise self._mismatch(expr.left, left.type, INT)
        return ir.Op(op, (left, self._expect(expr.right, INT, scope)), INT)

    def _is(self, expr: t.Is, scope: Scope) -> ir.Expr:
        word = expr.word.text
        found: ir.Expr
        if word == "none":
            key = key_of(expr.arg)  # asked of the place itself, whatever is known of it
            bare = self._any(expr.arg, scope if key is None else scope.asking(key), None)
            if not isinstance(bare.type, Opt | NoneType | Points):
                message = f"`{expr.arg.span.said}` is never none"
                raise self._stop("T001", message, expr.arg.span, "leave the question out")
            found = ir.Op("is_none", (bare,), BOOL)
        elif word == "empty":
            bag, _ = self._domain(expr.arg, scope)
            found = ir.Op("eq", (ir.Op("size", (bag,), INT), ir.Const(0, INT)), BOOL)
        else:
            words = [*self.symbols.shapes, *self.symbols.arrangements, *self.symbols.labels, "none", "empty"]
            if word not in words:
                raise self._stop(
                    "N001",
                    f"there is no shape `{word}`",
                    expr.word.span,
                    advice_for(word, words, "write it with `shape`"),
                )
            arg, item = self._domain(expr.arg, scope)
            if item != TILE:
                raise self._mismatch(expr.arg, arg.type, TILES)
            found = ir.IsShape(arg, word, BOOL)
        return ir.Op("not", (found,), BOOL) if expr.negated else found

    def _ways(self, expr: t.Ways, scope: Scope) -> ir.Expr:
        symbols, score = self.symbols, expr.score.text
        head = Span(expr.span.text, expr.span.start, expr.score.span.end)
        if self._in_a_way:
            message = f"there are no ways of `{score}` within a way"
            raise self._stop("R005", message, head, "join two sentences with `and`")
        if not self.ways_allowed:
            message = f"only a prover goes through every way of `{score}`"
            raise self._stop("R005", message, head, "write a `theorem` or a `claim` of it")
        if score not in symbols.scores:
            advice = advice_for(score, symbols.scores, "write it with `score`")
            raise self._stop("N001", f"there is no score `{score}`", expr.score.span, advice)
        if score not in symbols.judged:
            raise _Fault
        self._in_a_way = True
        try:
            # the block's own names come first
            names: dict[str, Type] = {**scope.locals, "kept": BOOL, **symbols.judged[score].locals}
            body = self._expect(expr.body, BOOL, Scope(names))
        finally:
            self._in_a_way = False
        asked = first_read(body, symbols.definitions)
        if asked is not None:
            message = f"a way of `{score}` is a matter of its hand and what is given, not of `{asked}`"
            raise self._stop("T001", message, expr.body.span, "ask what is given with the hand")
        return ir.Ways(QUANTIFIERS[expr.kind], score, body, BOOL)

    def _fold(self, expr: t.Fold, scope: Scope) -> ir.Expr:
        domain, item_type = self._domain(expr.domain, scope)
        size = None if expr.size is None else self._expect(expr.size, INT, scope)
        inner = scope
        for word in expr.names:
            inner = inner.with_local(word.text, item_type if size is None else Bag(item_type))
        names = tuple(w.text for w in expr.names)
        test = None if expr.test is None else self._expect(expr.test, BOOL, inner)
        kind = FOLDS[expr.kind]
        item = None
        result: Type = INT
        if kind in ("sum", "most", "least"):
            assert expr.item is not None
            item = self._any(expr.item, inner, None)
            if kind == "sum" and _bag_like(item.type):
                kind, result = "gather", Bag(_item(item.type))
            else:
                item = self._expect(expr.item, INT, inner)
        elif kind == "the":
            result = Opt(item_type)
        elif kind == "those":
            result = Bag(item_type)
        return ir.Fold(kind, names, domain, item, test, result, size)


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


def _total(found: ir.Expr) -> ir.Expr:
    """The number that a score comes to, or none."""
    return ir.Op("total", (found,), Opt(INT))


def _param(param: t.Param, kind: Type) -> ParamDecl:
    if param.optional and not isinstance(kind, Opt):
        kind = Opt(kind)
    return ParamDecl(param.name, kind, (), param.optional)


def named(param: t.Param) -> tuple[t.Word, ...]:
    """The names that a parameter brings: its own, and those of its parts."""
    end = param.span.start + len(param.span.words.split(":")[0].rstrip())
    own = t.Word(Span(param.span.text, end - len(param.name), end), param.name)
    return (own, *(param.parts or ()))


def _end(word: str) -> str:
    return "front" if word == "front" else "back"


def _bag_like(kind: Type) -> bool:
    return isinstance(kind, Bag | Meld)


def _item(kind: Type) -> Type:
    return TILE if isinstance(kind, Meld) else kind.item if isinstance(kind, Bag) else kind


def _retyped(expr: ir.Expr, kind: Type) -> ir.Expr:
    from dataclasses import replace

    return replace(expr, type=kind)
