"""Shapes, arrangements and scores, checked.

In: surface nodes. Out: their IR. A pattern may speak of the score's parameters, of the parts of the
arrangement by the word they are written with (`sets` after `4 sets`, `rest` after `1 rest`), of the marked
part, and of `arrangement` itself (`arrangement is by-colour`). A pattern that speaks of parts which an
arrangement lacks does not hold of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.messages import check_message
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import UNKNOWN, advice_for
from golpae.elaborate.typecheck.type_errors import no_members
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read
from golpae.ir.ruleset import (
    ArrangementDecl,
    BringsDecl,
    Condition,
    PartDecl,
    PatternDecl,
    ScoreDecl,
    ShapeDecl,
)
from golpae.ir.types import BOOL, INT, MELD, MELDS, TILE, TILES, Bag, Meld, Type
from golpae.syntax import tree as t

NEEDED = {"hand": "hand: hand", "as": "as: name-of-an-arrangement", "total": "total: sum"}
MOST = 1000  # tiles of a shape, or shapes of an arrangement
TOTALS = ("sum", "highest", "unimplied")


def check_shape(checker: Checker, node: t.Shape) -> ShapeDecl:
    symbols = checker.symbols
    ids = tuple(w.text for w in node.ids)
    name = node.name.text
    if node.names:
        symbols.once_each(node.names, f"`{name}` has two tiles", "give each its own name")
        scope = Scope({})
        for word in node.names:
            scope = scope.with_local(word.text, TILE)
        test = _of_tiles_alone(checker, node, scope)
        return ShapeDecl(name, tuple(w.text for w in node.names), test, (), len(node.names), ids)
    if node.size is not None:
        start = node.span.start + node.span.words.find(" of ") + len(" of ")
        _bounded(checker, node.size, Span(node.span.text, start, node.span.end))
        return ShapeDecl(name, (), _of_tiles_alone(checker, node, Scope({"it": TILES})), (), node.size, ids)
    if isinstance(node.body, t.Bag):
        letters = tuple(f"t{i}" for i in range(len(node.body.items)))
        wanted = checker.expect(node.body, TILES, Scope({}))
        held = ir.BagOf(tuple(ir.Local(letter, TILE) for letter in letters), TILES)
        return ShapeDecl(name, letters, ir.Op("bag_eq", (held, wanted), BOOL), (), len(letters), ids)
    joined = _joined(node.body)
    if joined is None:
        advice = f"write `shape {name}(a, b, c): ...`, or the tiles in braces, or shapes joined by `or`"
        symbols.fault("T001", f"`{node.body.span.excerpt}` is no shape", node.body.span, advice)
        joined = []
    for member in joined:
        _shape_named(checker, member.name, member.span)
    return ShapeDecl(name, (), None, tuple(m.name for m in joined), 0, ids)


def _of_tiles_alone(checker: Checker, node: t.Shape, scope: Scope) -> ir.Expr:
    """A shape's test, which asks nothing of a game under way: the same tiles are always of the same shape."""
    test = checker.truth(node.body, scope)
    asked = first_read(test, checker.symbols.definitions)
    if asked is not None:
        advice = f"ask `{asked}` where the shape is asked for"
        checker.symbols.fault(
            "T001", f"a shape is a matter of its tiles, not of `{asked}`", node.body.span, advice
        )
    return test


def _joined(expr: t.Expr) -> list[t.Name] | None:
    """The names that `or` joins, or None where something else stands among them."""
    match expr:
        case t.Name():
            return [expr]
        case t.Binary(op="or", left=left, right=right):
            first, second = _joined(left), _joined(right)
            return None if first is None or second is None else first + second
        case _:
            return None


def _shape_named(checker: Checker, name: str, span: Span) -> None:
    shapes = checker.symbols.shapes
    if name not in shapes:
        checker.symbols.fault(
            "N001", f"there is no shape `{name}`", span, advice_for(name, shapes, "write it with `shape`")
        )


def check_arrangement(checker: Checker, node: t.Arrangement) -> ArrangementDecl:
    parts = []
    said = f"`{node.name.text}` has two parts"
    checker.symbols.once_each(
        (p.shape for p in node.parts), said, "join them, or give one shape another name"
    )
    for word in node.union:
        _arrangement_named(checker, word.text, word.span)
    for part in node.parts:
        said = shape = part.shape.text
        if said not in checker.symbols.shapes and said.removesuffix("s") in checker.symbols.shapes:
            shape = said.removesuffix("s")
        _shape_named(checker, shape, part.shape.span)
        _bounded(checker, part.count, part.span)
        parts.append(PartDecl(part.count, part.different, shape, said))
    union = tuple(w.text for w in node.union)
    return ArrangementDecl(node.name.text, tuple(parts), union, tuple(w.text for w in node.ids))


def _bounded(checker: Checker, count: int, span: Span) -> None:
    """The size of a shape, or how often it is part of an arrangement."""
    if not 1 <= count <= MOST:
        place = Span(span.text, span.start, span.start + len(str(count)))
        checker.symbols.fault(
            "G007", f"nothing is made of {count}", place, f"write a number from 1 to {MOST}"
        )


def _arrangement_named(checker: Checker, name: str, span: Span) -> bool:
    arrangements = checker.symbols.arrangements
    if name not in arrangements:
        checker.symbols.fault(
            "N001",
            f"there is no arrangement `{name}`",
            span,
            advice_for(name, arrangements, "write it with `arrangement`"),
        )
    return name in arrangements


def check_score(checker: Checker, node: t.Score) -> ScoreDecl:
    symbols = checker.symbols
    params = checker.score_parameters(node)
    scope = Scope({p.name: p.type for p in params})
    fields = {f.name.text: f for f in node.fields}
    for needed, example in NEEDED.items():
        if needed not in fields:
            message = f"`{node.name.text}` has no `{needed}:`"
            symbols.fault("G004", message, node.name.span, f"write `{example}` under it")
    for what, words in (("lines", node.fields), ("patterns", node.patterns)):
        said = f"`{node.name.text}` has two {what}"
        symbols.once_each((w.name for w in words), said, "keep one, or give one another name")
    provided = tuple(_provided(checker, node, scope))
    hand: ir.Expr = ir.BagOf((), TILES)
    if "hand" in fields:
        hand = checker.expect(fields["hand"].expr, TILES, scope)
    fixed = checker.expect(fields["fixed"].expr, MELDS, scope) if "fixed" in fields else None
    faults = len(symbols.diagnostics)
    names = _alternatives(checker, fields["as"].expr) if "as" in fields else ()
    if "as" not in fields or len(symbols.diagnostics) > faults:
        # what the lines below speak of is not known
        return ScoreDecl(node.name.text, params, hand, fixed, (), None, None, "sum", (), (), ())
    parts = {
        (p.shape.text, p.count == 1): p.shape for name in names for p in symbols.arrangements[name].parts
    }
    asked = [t.Word(p.span, p.name) for p in node.params] + [g.name for g in node.given]
    labels = [f.label for f in node.fields if f.label is not None]
    named = (*asked, *parts.values(), *labels, *(d.name for d in node.defines))
    symbols.once_each(named, f"`{node.name.text}` speaks of two things called", "give one another name")
    inside = scope
    for name in names:
        for part in symbols.arrangements[name].parts:
            inside = inside.with_local(part.shape.text, MELD if part.count == 1 else MELDS)
    marking = None
    if "marking" in fields:
        field = fields["marking"]
        label = "completed" if field.label is None else field.label.text
        marking = (checker.expect(field.expr, TILE, scope), label)
        inside = inside.with_local(label, MELD)
    inside = inside.with_local("arrangement", TILES)
    defines: list[tuple[str, ir.Expr]] = []
    for line in node.defines:
        found = checker.any(line.expr, inside)
        if found is not None:
            defines.append((line.name.text, found))
        inside = inside.with_local(line.name.text, UNKNOWN if found is None else found.type)
    patterns = tuple(_pattern(checker, p, inside) for p in node.patterns)
    brings = tuple(_brings(checker, node))
    judged = inside
    known: list[tuple[str, Type]] = [(p.name, BOOL) for p in patterns]
    for counted, kind in (*known, ("points", INT), ("eligible", INT)):
        if counted not in inside.locals:  # a pattern may be called like what it is asked with
            judged = judged.with_local(counted, kind)
    symbols.keep_scopes[node.name.text] = judged
    keep = checker.truth(fields["keep"].expr, judged) if "keep" in fields else None
    total = "sum"
    if "total" in fields:
        word = fields["total"].expr
        total = word.name if isinstance(word, t.Name) else ""
        if total not in TOTALS:
            advice = advice_for(word.span.excerpt, TOTALS, f"write one of {quoted_list(TOTALS)}")
            symbols.fault("N001", f"there is no total `{word.span.excerpt}`", word.span, advice)
    return ScoreDecl(
        node.name.text,
        params,
        hand,
        fixed,
        names,
        marking,
        keep,
        total,
        tuple(defines),
        patterns,
        tuple(w.text for w in node.ids),
        provided,
        brings,
    )


def _provided(checker: Checker, node: t.Score, scope: Scope) -> Iterator[Condition]:
    """What can be given together. A condition knows that those before it hold."""
    symbols = checker.symbols
    said = f"`{node.name.text}` has two clauses"
    symbols.once_each((line.name for line in node.provided), said, "give one another name")
    lines: tuple[t.ScoreField | t.ScoreDefine | t.Pattern, ...]
    lines = (*node.fields, *node.defines, *node.patterns)
    others = {w.name.text: w.name.span for w in lines}
    for line in node.provided:
        name = line.name.text
        if name in others:
            symbols.twice(f"{said} `{name}`", line.name.span, "give one another name", others[name], "here")
        assert isinstance(line.body, t.Condition)
        expr, scope, fails = checker.condition(line.body.expr, scope)
        asked = first_read(expr, symbols.definitions)
        if asked is not None:
            message = f"what can be given together is no matter of `{asked}`"
            symbols.fault("T001", message, line.body.expr.span, "speak of what is `given` alone")
        words = check_message(checker, line.body, fails)
        ids = tuple(w.text for w in line.ids) or tuple(w.text for w in node.ids)
        yield Condition(name, expr, words or (f"`{name}` does not hold",), ids)


def _brings(checker: Checker, node: t.Score) -> Iterator[BringsDecl]:
    """Which patterns bring others along, each in one line."""
    symbols = checker.symbols
    patterns = [p.name.text for p in node.patterns]
    said = f"`{node.name.text}` says twice what is brought by"
    symbols.once_each((line.pattern for line in node.brings), said, "write all of it in one line")
    for line in node.brings:
        name = line.pattern.text
        symbols.once_each(line.brought, f"`{name}` brings twice", "leave one out")
        for word in (line.pattern, *line.brought):
            if word.text not in patterns:
                advice = advice_for(word.text, patterns, f"write it as a `pattern` of `{node.name.text}`")
                symbols.fault("N001", f"there is no pattern `{word.text}`", word.span, advice)
        for word in line.brought:
            if word.text == name:
                symbols.fault("N002", f"`{name}` brings itself along", word.span, "leave it out")
        yield BringsDecl(name, tuple(w.text for w in line.brought), tuple(w.text for w in line.ids))


def _alternatives(checker: Checker, expr: t.Expr) -> tuple[str, ...]:
    """The arrangements that a score tries, joined by `or`."""
    words = _joined(expr)
    if words is None:
        checker.symbols.fault(
            "T001", f"`{expr.span.excerpt}` is no arrangement", expr.span, "name arrangements, joined by `or`"
        )
        return ()
    out: list[str] = []
    for word in words:
        if _arrangement_named(checker, word.name, word.span):
            out.extend(_plain(checker, word.name, ()))
    return tuple(dict.fromkeys(out))


def _plain(checker: Checker, name: str, above: tuple[str, ...]) -> list[str]:
    """The arrangements of parts that a name stands for, unions taken apart."""
    node = checker.symbols.arrangements.get(name)
    if node is None:
        return []
    if name in above:
        return []  # a circle, which is reported as such
    if not node.union:
        return [name]
    return [plain for word in node.union for plain in _plain(checker, word.text, (*above, name))]


def _pattern(checker: Checker, node: t.Pattern, scope: Scope) -> PatternDecl:
    each = None
    if node.each is not None:
        word, domain = node.each
        found = checker.any(domain, scope)
        item: Type = UNKNOWN
        if found is not None and isinstance(found.type, Bag | Meld):
            item = found.type.item if isinstance(found.type, Bag) else TILE
            each = (word.text, found)
        elif found is not None:
            checker.symbols.record(no_members(domain, found.type, "go through"))
        scope = scope.with_local(word.text, item)
    value = checker.expect(node.value, INT, scope)
    return PatternDecl(
        node.name.text,
        value,
        each,
        checker.truth(node.test, scope),
        node.extra,
        tuple(w.text for w in node.ids),
    )
