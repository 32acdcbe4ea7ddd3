"""Shapes, arrangements and scores, checked.

In: surface nodes. Out: their IR. A pattern may speak of the score's parameters, of the parts of the
arrangement by the plural of their shape (`sets` for parts that are each a `set`), of the marked part, and of
`arrangement` itself (`arrangement is seven-pairs`).
"""

from __future__ import annotations

from golpae.elaborate.expressions import Checker
from golpae.elaborate.scope import Scope, advice_for
from golpae.ir import expr as ir
from golpae.ir.ruleset import ArrangementDecl, PartDecl, PatternDecl, ScoreDecl, ShapeDecl
from golpae.ir.types import BOOL, INT, MELD, MELDS, TILE, TILES, Type
from golpae.syntax import tree as t


def check_shape(checker: Checker, node: t.Shape) -> ShapeDecl:
    tables = checker.tables
    ids = tuple(w.text for w in node.ids)
    match node.body:
        case t.ShapeTest(names=names, test=test):
            scope = Scope({})
            for word in names:
                scope = scope.with_local(word.text, TILE)
            return ShapeDecl(node.name.text, tuple(w.text for w in names), checker.truth(test, scope), (), len(names), ids)
        case t.ShapeTiles(tiles=words):
            if len(words) == 1 and words[0].text in tables.shapes:
                return _union(checker, node, words, ids)
            items: list[ir.Expr] = []
            for word in words:
                if word.text not in tables.tile_names:
                    advice = advice_for(word.text, tables.tile_names, "tiles of the set stand under `tiles`")
                    tables.fault("N001", f"there is no tile `{word.text}`", word.span, advice)
                    continue
                items.append(ir.Const(tables.tile_names[word.text], TILE))
            letters = tuple(f"t{i}" for i in range(len(items)))
            test_expr = ir.Op("bag_eq", (ir.BagOf(tuple(ir.Local(x, TILE) for x in letters), TILES), ir.BagOf(tuple(items), TILES)), BOOL)
            return ShapeDecl(node.name.text, letters, test_expr, (), len(items), ids)
        case t.ShapeUnion(shapes=words):
            return _union(checker, node, words, ids)


def _union(checker: Checker, node: t.Shape, words: tuple[t.Word, ...], ids: tuple[str, ...]) -> ShapeDecl:
    for word in words:
        _shape_named(checker, word)
    return ShapeDecl(node.name.text, (), None, tuple(w.text for w in words), 0, ids)


def _shape_named(checker: Checker, word: t.Word) -> None:
    shapes = checker.tables.shapes
    if word.text not in shapes:
        checker.tables.fault("N001", f"there is no shape `{word.text}`", word.span, advice_for(word.text, shapes, "write it with `shape`"))


def check_arrangement(checker: Checker, node: t.Arrangement) -> ArrangementDecl:
    parts = []
    for part in node.parts:
        _shape_named(checker, part.shape)
        parts.append(PartDecl(part.count, part.different, part.shape.text))
    return ArrangementDecl(node.name.text, tuple(parts), tuple(w.text for w in node.ids))


def check_score(checker: Checker, node: t.Score) -> ScoreDecl:
    tables = checker.tables
    params = checker.parameters(node.params)
    scope = Scope({p.name: p.type for p in params})
    fields = {c.name.text: c for c in node.fields}
    for needed in ("hand", "as", "total"):
        if needed not in fields:
            tables.fault("G004", f"`{node.name.text}` has no `{needed}:`", node.name.span, f"write `{needed}: ...`")
    hand: ir.Expr = ir.BagOf((), TILES)
    if "hand" in fields:
        hand = checker.expect(_expr(fields["hand"]), TILES, scope)
    fixed = checker.expect(_expr(fields["fixed"]), MELDS, scope) if "fixed" in fields else None
    names = _alternatives(checker, fields["as"]) if "as" in fields else ()
    inside = scope
    for name in names:
        for part in tables.arrangements[name].parts:
            shape = part.shape.text
            inside = inside.with_local(shape if shape.endswith("s") else f"{shape}s", MELDS)
    marking = None
    if "marking" in fields:
        marking = (checker.expect(_expr(fields["marking"]), TILE, scope), "completed")
        inside = inside.with_local("completed", MELD)
    inside = inside.with_local("parts", MELDS)
    tables.labels |= set(names)
    inside = inside.with_local("arrangement", TILES)
    patterns = tuple(_pattern(checker, p, inside) for p in node.patterns)
    counted: dict[str, Type] = {p.name: BOOL for p in patterns}
    judged = inside
    for name, kind in (*counted.items(), ("points", INT), ("eligible", INT)):
        judged = judged.with_local(name, kind)
    keep = checker.truth(_expr(fields["keep"]), judged) if "keep" in fields else None
    total = "sum"
    if "total" in fields:
        word = _expr(fields["total"])
        total = word.name if isinstance(word, t.Name) else ""
        if total not in ("sum", "highest"):
            tables.fault("N001", f"a total is `sum` or `highest`, not `{word.span.words}`", word.span, None)
    return ScoreDecl(
        node.name.text, params, hand, fixed, names, marking, keep, total, patterns, tuple(w.text for w in node.ids)
    )


def _expr(clause: t.Clause) -> t.Expr:
    assert isinstance(clause.body, t.Condition)
    return clause.body.expr


def _alternatives(checker: Checker, clause: t.Clause) -> tuple[str, ...]:
    arrangements = checker.tables.arrangements
    out: list[str] = []

    def walk(node: t.Expr) -> None:
        if isinstance(node, t.Binary) and node.op == "or":
            walk(node.left)
            walk(node.right)
        elif isinstance(node, t.Name) and node.name in arrangements:
            out.append(node.name)
        else:
            words = node.span.words
            checker.tables.fault("N001", f"there is no arrangement `{words}`", node.span, advice_for(words, arrangements, "write it with `arrangement`"))

    walk(_expr(clause))
    return tuple(out)


def _pattern(checker: Checker, node: t.Pattern, scope: Scope) -> PatternDecl:
    each = None
    if node.each is not None:
        word, domain = node.each
        found = checker.any(domain, scope)
        if found is not None:
            item = getattr(found.type, "item", TILE)
            each = (word.text, found)
            scope = scope.with_local(word.text, item)
    value = checker.expect(node.value, INT, scope)
    return PatternDecl(node.name.text, value, each, checker.truth(node.test, scope), node.extra, tuple(w.text for w in node.ids))


