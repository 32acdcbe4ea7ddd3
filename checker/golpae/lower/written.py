"""Expressions of the IR in the words of the language.

Input: an expression. Output: its text, on one line, in the one style.
Guarantee: where the text is read in the scope of the expression, it means the same expression. It may be written
otherwise than its author wrote it, for several ways to write one thing are one expression.

    not(eq(Local a, Local b))    ->    a /= b
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from golpae.diagnostics.diagnostic import Span, Text
from golpae.ir import expr as ir
from golpae.ir.distinct_names import word_of
from golpae.ir.ruleset import ParamDecl, RuleSet
from golpae.ir.substitute import substituted
from golpae.ir.traverse import free
from golpae.ir.types import INT, NONE, Bag, Choice, Meld, Tile
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression

_NOWHERE = Span(Text.of("", ""), 0, 0)
_INFIX: dict[ir.OpName, t.BinaryOp] = {
    "and": "and", "or": "or", "implies": "implies", "otherwise": "otherwise",
    "eq": "=", "bag_eq": "=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "member": "in", "bag_member": "in", "within": "in",
    "add": "+", "sub": "-", "mul": "*", "div": "div", "mod": "mod", "pow": "^", "bag_add": "+", "bag_sub": "-",
}  # fmt: skip
_DENIED: dict[t.BinaryOp, t.BinaryOp] = {"=": "/=", "in": "not in"}
_FOLDS: dict[ir.FoldKind, t.FoldKind] = {
    "count": "number of", "sum": "sum of", "gather": "sum of", "most": "most of", "least": "least of",
    "the": "the", "those": "those",
}  # fmt: skip


class NotWritten(Exception):
    """No text says this expression: it is a part of every game."""


def written(expr: ir.Expr, rules: RuleSet) -> str:
    """Return an expression as a text writes it. Raises `NotWritten`."""
    return format_expression(_Writer(rules).tree(expr))


def _asked(tiles: ir.Expr) -> ir.Expr:
    """Return the tiles that a text asks about: an arrangement is always one of faces."""
    return tiles.arg if isinstance(tiles, ir.Faces) else tiles


class _Writer:
    def __init__(self, rules: RuleSet) -> None:
        self._definitions = {d.name: d for d in rules.definitions}
        self._scores = {s.name: s for s in rules.scores}

    def tree(self, expr: ir.Expr) -> t.Expr:
        """Return an expression as a tree. Raises `NotWritten`."""
        match expr:
            case ir.Const():
                return _constant(expr)
            case ir.Local(name=name):
                return t.Name(_NOWHERE, word_of(name))
            case ir.OptionRead(name=name) | ir.Group(name=name):
                return t.Name(_NOWHERE, name)
            case ir.StateRead(name=name, seat=seat) | ir.ZoneRead(name=name, seat=seat):
                return self._of(name, seat)
            case ir.Builtin(name=name, seat=seat):
                return self._of(name, seat)
            case ir.ZoneEnd(name=name, seat=seat, end=end):
                return t.RowEnd(_NOWHERE, "front" if end == "front" else "back", self._of(name, seat))
            case ir.ZonePlace(name=name, seat=seat, number=number):
                return t.RowPlace(_NOWHERE, self._of(name, seat), self.tree(number))
            case ir.Earlier(expr=inner):
                return t.Earlier(_NOWHERE, self.tree(inner))
            case ir.Fits(tile=tile, name=name, seat=seat, end=end):
                row = t.RowEnd(_NOWHERE, "front" if end == "front" else "back", self._of(name, seat))
                return t.Binary(_NOWHERE, "fits", self.tree(tile), row)
            case ir.FitsPlace(tile=tile, name=name, seat=seat, number=number):
                at = t.RowPlace(_NOWHERE, self._of(name, seat), self.tree(number))
                return t.Binary(_NOWHERE, "fits", self.tree(tile), at)
            case ir.FitsOrder(tiles=tiles, name=name, seat=seat):
                return t.Binary(_NOWHERE, "fits", self.tree(tiles), self._of(name, seat))
            case ir.FitsScore(patterns=patterns, score=score):
                return t.Binary(_NOWHERE, "fits", self.tree(patterns), self.tree(score))
            case ir.ScoreNumber(score=score, number=number):
                return t.Possessive(_NOWHERE, self.tree(score), number)
            case ir.Attr(name=name, tile=tile):
                return self._of(name, tile)
            case ir.Faces(arg=arg, type=Tile()):
                return self._of("face", arg)
            case ir.Faces(arg=arg):
                return t.Unary(_NOWHERE, "faces of", self.tree(arg))
            case ir.OwnValue(values=values, seat=seat) if isinstance(values, ir.Local):
                return self._of(word_of(values.name), seat)
            case ir.OwnValue():
                raise NotWritten
            case ir.CallDef():
                return self._call(expr)
            case ir.CallScore():
                return self._score(expr)
            case ir.Op():
                return self._operation(expr)
            case ir.BagOf(items=items):
                return t.Bag(_NOWHERE, tuple(map(self.tree, items)))
            case ir.Quant(kind=kind, names=names, domain=domain, body=body, size=size):
                several = None if size is None else self.tree(size)
                return t.Quantified(
                    _NOWHERE, kind, _words(names), self.tree(domain), self.tree(body), several
                )
            case ir.Ways(kind=kind, score=name, body=body):
                return t.Ways(_NOWHERE, kind, t.Word(_NOWHERE, name), self.tree(body))
            case ir.Fold():
                return self._fold(expr)
            case ir.If(test=test, yes=yes, no=no):
                return t.If(_NOWHERE, self.tree(test), self.tree(yes), self.tree(no))
            case ir.IsShape(arg=arg, shape=shape):
                return t.Is(_NOWHERE, self.tree(_asked(arg)), t.Word(_NOWHERE, shape), False)
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=name):
                asked = self.tree(_asked(groups)), self.tree(_asked(tiles))
                return t.LayOut(_NOWHERE, *asked, t.Word(_NOWHERE, name))
            case ir.IsBeside(tiles=tiles, melds=melds, arrangement=name):
                beside = self.tree(_asked(tiles)), self.tree(_asked(melds))
                return t.Beside(_NOWHERE, *beside, t.Word(_NOWHERE, name), False)
            case ir.Parted(kind=kind, shape=shape, tiles=tiles):
                return t.Parted(_NOWHERE, kind, t.Word(_NOWHERE, shape), self.tree(tiles))
            case ir.Implicit():
                raise NotWritten
            case _:
                assert_never(expr)

    def _of(self, name: str, owner: ir.Expr | None) -> t.Name | t.Possessive:
        """Return a name, with its owner if it has one."""
        if owner is None:
            return t.Name(_NOWHERE, name)
        whose = self.tree(owner)
        if not isinstance(whose, t.Name | t.Possessive):
            if not isinstance(whose, t.TileName):
                raise NotWritten
            whose = t.Name(_NOWHERE, whose.name)
        return t.Possessive(_NOWHERE, whose, name)

    def _call(self, expr: ir.CallDef) -> t.Expr:
        params = self._definitions[expr.name].params
        if [param.name for param in params] == ["it"]:
            return self._of(expr.name, expr.args[0])
        if not expr.args:
            return t.Name(_NOWHERE, expr.name)
        return t.Call(_NOWHERE, expr.name, tuple(map(self.tree, expr.args)))

    def _score(self, expr: ir.CallScore) -> t.Expr:
        """Return the call of a score: what is left out has its first value, or none."""
        params = self._scores[expr.name].params
        values = {param.name: arg for param, arg in zip(params, expr.args, strict=True)}
        given = [
            (param.name, values[param.name])
            for param in params
            if values[param.name] != ir.Const(None, NONE) and not self._is_usual(param, values)
        ]
        names, args = _words(name for name, _ in given), tuple(self.tree(arg) for _, arg in given)
        return t.Call(_NOWHERE, expr.name, args, () if len(given) == len(expr.args) else names)

    def _is_usual(self, param: ParamDecl, values: Mapping[str, ir.Expr]) -> bool:
        """Return whether a score would have this value if it was left out. What it binds may have other names."""
        if param.initial is None:
            return False
        value, usual = values[param.name], substituted(param.initial, values)
        return value == usual or (bool(free(param.initial)) and self.tree(value) == self.tree(usual))

    def _operation(self, expr: ir.Op) -> t.Expr:
        op, args = expr.op, expr.args
        match op:
            case "not":
                return self._denied(self.tree(args[0]))
            case "is_none":
                return t.Is(_NOWHERE, self.tree(args[0]), t.Word(_NOWHERE, "none"), False)
            case "neg":
                return t.Unary(_NOWHERE, "-", self.tree(args[0]))
            case "size":
                return t.Unary(_NOWHERE, "size of", self.tree(args[0]))
            case "kinds":
                return t.Unary(_NOWHERE, "kinds of", self.tree(args[0]))
            case "range":
                return t.RangeBag(_NOWHERE, self.tree(args[0]), self.tree(args[1]))
            case "eq" if isinstance(args[0], ir.Op) and args[0].op == "size" and args[1] == ir.Const(0, INT):
                return t.Is(_NOWHERE, self.tree(args[0].args[0]), t.Word(_NOWHERE, "empty"), False)
            case "tiles" | "total":  # of a meld or a score that is used as these: it is not written
                return self.tree(args[0])
            case (
                "and" | "or" | "implies" | "otherwise" | "eq" | "bag_eq" | "lt" | "le" | "gt" | "ge"
                | "member" | "bag_member" | "within" | "add" | "sub" | "mul" | "div" | "mod" | "pow"
                | "bag_add" | "bag_sub"
            ):  # fmt: skip
                return t.Binary(_NOWHERE, _INFIX[op], self.tree(args[0]), self._right(expr))
            case _:
                assert_never(op)

    def _right(self, expr: ir.Op) -> t.Expr:
        """Return the right side of an operation: a single tile is added and taken away as it is."""
        right = expr.args[1]
        if expr.op in ("bag_add", "bag_sub") and isinstance(right, ir.BagOf) and len(right.items) == 1:
            [item] = right.items
            if not isinstance(item.type, Bag | Meld):
                return self.tree(item)
        return self.tree(right)

    def _denied(self, arg: t.Expr) -> t.Expr:
        """Return the negation of an expression, as a text writes it."""
        match arg:
            case t.Binary(op="=" | "in" as op, left=left, right=right):
                return t.Binary(_NOWHERE, _DENIED[op], left, right)
            case t.Is(arg=inner, word=word, negated=False):
                return t.Is(_NOWHERE, inner, word, True)
            case _:
                return t.Unary(_NOWHERE, "not", arg)

    def _fold(self, expr: ir.Fold) -> t.Expr:
        domain, names = self.tree(expr.domain), _words(expr.names)
        test = None if expr.test is None else self.tree(expr.test)
        size = None if expr.size is None else self.tree(expr.size)
        item = expr.item
        if expr.kind != "each":
            of = None if item is None else self.tree(item)
            return t.Fold(_NOWHERE, _FOLDS[expr.kind], names, domain, of, test, size)
        assert item is not None
        if expr.names == ("it",) and isinstance(item, ir.Op) and item.op == "tiles":
            return domain  # melds that are used as tiles
        return t.EachOf(_NOWHERE, self.tree(item), names[0], domain, test, size)


def _constant(expr: ir.Const) -> t.Expr:
    value = expr.value
    if value is None:
        return t.Nothing(_NOWHERE)
    if isinstance(value, bool):
        return t.Truth(_NOWHERE, value)
    if isinstance(value, int):
        number = t.Number(_NOWHERE, abs(value))
        return number if value >= 0 else t.Unary(_NOWHERE, "-", number)
    if isinstance(expr.type, Choice | Tile):
        return t.TileName(_NOWHERE, str(value))
    raise NotWritten


def _words(names: Iterable[str]) -> tuple[t.Word, ...]:
    return tuple(t.Word(_NOWHERE, word_of(name)) for name in names)
