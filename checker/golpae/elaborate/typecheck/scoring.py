"""Check and type shapes, arrangements and scores.

Input: surface nodes. Output: their IR; faults go to the symbol table.
Guarantee: in a score, unions of arrangements are replaced by their members.

A pattern can read the score's parameters, the parts of the arrangement by their words (`sets` for `4 sets`, `rest`
for `1 rest`), the marked part, and `arrangement` itself (`arrangement is by-colour`). It is false for an arrangement
without the parts that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial, reduce

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.calls import given_with
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.messages import check_message
from golpae.elaborate.typecheck.names import faces_of, require_arrangement
from golpae.elaborate.typecheck.overloads import member_type
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import UNKNOWN, RefusedExpression, SymbolTable, advice_for
from golpae.elaborate.typecheck.type_errors import no_members
from golpae.ir import expr as ir
from golpae.ir.ruleset import (
    AS_IT_LIES,
    SCORE_TOTALS,
    ArrangementDecl,
    BringsDecl,
    Condition,
    PartDecl,
    PatternDecl,
    ScoreDecl,
    ScoreTotal,
    ShapeDecl,
    without_words,
)
from golpae.ir.scoring import WILD
from golpae.ir.traverse import nodes
from golpae.ir.types import BOOL, INT, MELD, MELDS, TILE, TILES, Type, has_tiles
from golpae.syntax import tree as t
from golpae.syntax.traverse import children
from golpae.syntax.traverse import nodes as written

NEEDED = {"hand": "hand: hand", "as": "as: name-of-an-arrangement"}  # if a hand is laid out
LAYING_OUT = ("hand", "fixed", "as", "marking")
NO_TOTAL: tuple[ScoreTotal, None] = ("sum", None)
MOST = 1000  # tiles of a shape, or shapes of an arrangement


def check_shape(checker: Checker, node: t.Shape) -> ShapeDecl:
    """Return the typed shape: a test by name or of all tiles, a bag of tiles, or a union."""
    symbols = checker.symbols
    ids = tuple(w.text for w in node.ids)
    name = node.name.text
    if node.names:
        symbols.refuse_hiding(node.names)
        symbols.once_each(node.names, f"`{name}` has two tiles", "give each its own name")
        names = tuple(w.text for w in node.names)
        scope = Scope(dict.fromkeys(names, TILE), by_face=frozenset(names if symbols.likes else ()))
        test, wild = _tests(checker, node, scope)
        if node.size is None:
            return ShapeDecl(name, names, test, (), len(node.names), ids, wild=wild)
        _bounded(checker, node.size, _after(node, " of "))
        if len(node.names) != 2:
            places = node.names[0].span.to(node.names[-1].span)
            message = f"a shape of tiles in a row names two of them, not {len(node.names)}"
            advice = (
                f"write `shape {name}(t, next) of {node.size} or more: ...` about each tile and the next one"
            )
            symbols.fault("G007", message, places, advice)
        most = _largest(checker, node, node.size) or node.size
        return ShapeDecl(name, names, test, (), node.size, ids, most, wild)
    if node.size is not None:
        _bounded(checker, node.size, _after(node, " of "))
        by_face = frozenset({"it"} if symbols.likes else ())
        test, wild = _tests(checker, node, Scope({"it": TILES}, by_face=by_face))
        return ShapeDecl(name, (), test, (), node.size, ids, _largest(checker, node, node.size), wild)
    if isinstance(node.body, t.Bag):
        letters = tuple(f"t{i}" for i in range(len(node.body.items)))
        body = checker.expect(node.body, TILES, Scope({}))
        named = tuple(ir.Local(letter, TILE) for letter in letters)
        tiles = ir.BagOf(tuple(map(partial(faces_of, symbols), named)) if symbols.likes else named, TILES)
        _require_faces(checker, node.body, body)
        return ShapeDecl(name, letters, ir.Op("bag_eq", (tiles, body), BOOL), (), len(letters), ids)
    joined = _joined(node.body)
    if joined is None:
        advice = f"write `shape {name}(a, b, c): ...`, tiles in braces, or shapes joined by `or`"
        symbols.fault("T001", f"`{node.body.span.excerpt}` is not a shape", node.body.span, advice)
        joined = []
    for member in joined:
        _require_shape(checker, member.name, member.span)
    return ShapeDecl(name, (), None, tuple(m.name for m in joined), 0, ids)


def _largest(checker: Checker, node: t.Shape, size: int) -> int:
    """Return how many tiles a shape of several sizes may have, 0 for a shape of one size."""
    if node.most is None:
        return 0
    if node.most == t.OR_MORE:
        return MOST
    end = _after(node, " to ")
    _bounded(checker, node.most, end)
    if node.most < size:
        place = Span(end.text, end.start, end.start + len(str(node.most)))
        message = f"no number of tiles is from {size} to {node.most}"
        checker.symbols.fault(
            "G007", message, place, f"write the smaller one first: `of {node.most} to {size}`"
        )
    return node.most


def _after(node: t.Shape, word: str) -> Span:
    """Return the span from behind a word in the head of a shape to the end of the shape."""
    return Span(node.span.text, node.span.start + node.span.words.find(word) + len(word), node.span.end)


def _tests(checker: Checker, node: t.Shape, scope: Scope) -> tuple[ir.Expr, ir.Expr | None]:
    """Return a shape's test of its tiles, and what it asks about the number of wild ones; None if that is nothing."""
    parts = [*_conjuncts(node.body)]
    of_wild = [part for part in parts if WILD in _names_in(part)]
    if not of_wild:
        return _of_tiles_alone(checker, node, node.body, scope), None
    rest = [part for part in parts if part not in of_wild]
    tests: list[ir.Expr] = []
    for part in of_wild:
        if names_of_tiles := [*_tiles_named(part, node.names)]:
            message = "beside the number of wild tiles, a shape asks how many tiles it has, and nothing else"
            advice = "write `size of it`, and join what it asks about its tiles with `and`"
            checker.symbols.fault("T001", message, names_of_tiles[0].span, advice)
            continue
        tests.append(_of_tiles_alone(checker, node, part, Scope({"it": TILES, WILD: INT})))
    test = _of_tiles_alone(checker, node, _together(rest), scope) if rest else ir.Const(True, BOOL)
    return test, reduce(lambda one, other: ir.Op("and", (one, other), BOOL), tests) if tests else None


def _conjuncts(expr: t.Expr) -> Iterator[t.Expr]:
    if isinstance(expr, t.Binary) and expr.op == "and":
        yield from _conjuncts(expr.left)
        yield from _conjuncts(expr.right)
    else:
        yield expr


def _together(parts: list[t.Expr]) -> t.Expr:
    return reduce(lambda one, other: t.Binary(one.span.to(other.span), "and", one, other), parts)


def _names_in(expr: t.Expr) -> set[str]:
    return {node.name for node in written([expr]) if isinstance(node, t.Name)}


def _tiles_named(part: t.Node, names: tuple[t.Word, ...]) -> Iterator[t.Name]:
    """Yield the names of a shape's tiles in what it asks about wild ones, and `it` but for its size."""
    if isinstance(part, t.Unary) and part.op == "size of" and isinstance(part.arg, t.Name):
        return
    if isinstance(part, t.Name) and part.name in ("it", *(word.text for word in names)):
        yield part
    for inner in children(part):
        yield from _tiles_named(inner, names)


def _of_tiles_alone(checker: Checker, node: t.Shape, body: t.Expr, scope: Scope) -> ir.Expr:
    """Return a shape's test."""
    test = checker.truth(body, scope)
    _require_faces(checker, body, test)
    return test


def _require_faces(checker: Checker, node: t.Expr, value: ir.Expr) -> None:
    """Enter a fault if a shape names a tile that counts as another one, or the line of such tiles."""
    symbols = checker.symbols
    if symbols.wild is not None:
        _refuse_wild(checker, node, value)
    for inner in nodes(value):
        if isinstance(inner, ir.Const) and inner.type == TILE and inner.value in symbols.likes:
            face = symbols.likes[str(inner.value)]
            message = f"a shape asks about faces, and `{inner.value}` counts as `{face}` there"
            symbols.fault(
                "T001", message, node.span, f"write `{face}`, or ask in the condition that asks for the shape"
            )
        elif isinstance(inner, ir.Group) and inner.name in symbols.lines_of_likes:
            message = f"a shape asks about faces, and no face is one of `{inner.name}`"
            symbols.fault("T001", message, node.span, "ask in the condition that asks for the shape")


def _refuse_wild(checker: Checker, node: t.Expr, value: ir.Expr) -> None:
    """Enter a fault if a shape asks which of its tiles are wild, and not how many."""
    symbols = checker.symbols
    advice = "write how many of them are wild: `number of t in it: t in wild`"
    word = next((n for n in written([node]) if isinstance(n, t.Name) and n.name == "wild"), None)
    if word is not None:
        symbols.fault("T001", "a shape asks only how many of its tiles are wild", word.span, advice)
        return
    for inner in nodes(value):
        of_group = isinstance(inner, ir.Group) and inner.name in symbols.wild_groups
        of_tile = isinstance(inner, ir.Const) and inner.type == TILE and inner.value in symbols.wild_tiles
        if of_group or of_tile:
            named = inner.name if isinstance(inner, ir.Group) else getattr(inner, "value", "")
            message = f"a wild tile is what it counts as, and `{named}` is wild"
            symbols.fault("T001", message, node.span, advice)
            return


def _joined(expr: t.Expr) -> list[t.Name] | None:
    """Return the names that `or` joins, or None if it joins anything but names."""
    if isinstance(expr, t.Name):
        return [expr]
    if isinstance(expr, t.Binary) and expr.op == "or":
        first, second = _joined(expr.left), _joined(expr.right)
        return None if first is None or second is None else first + second
    return None


def _require_shape(checker: Checker, name: str, span: Span) -> None:
    """Enter a fault if there is no shape of this name."""
    shapes = checker.symbols.shapes
    if name not in shapes:
        checker.symbols.fault(
            "N001", f"there is no shape `{name}`", span, advice_for(name, shapes, "define it with `shape`")
        )


def check_arrangement(checker: Checker, node: t.Arrangement) -> ArrangementDecl:
    """Return the typed arrangement: parts, or a union."""
    parts = []
    twice = f"`{node.name.text}` has two parts"
    checker.symbols.once_each((p.shape for p in node.parts), twice, "join them, or rename one of the shapes")
    for member in node.union:
        _is_arrangement(checker, member.text, member.span)
    for part in node.parts:
        word = shape = part.shape.text
        if word not in checker.symbols.shapes and word.removesuffix("s") in checker.symbols.shapes:
            shape = word.removesuffix("s")
        _require_shape(checker, shape, part.shape.span)
        _bounded(checker, part.count, part.span)
        parts.append(PartDecl(part.count, part.different, shape, word))
    union = tuple(w.text for w in node.union)
    return ArrangementDecl(node.name.text, tuple(parts), union, tuple(w.text for w in node.ids))


def _bounded(checker: Checker, count: int, span: Span) -> None:
    """Check the size of a shape, or how often it is part of an arrangement."""
    if not 1 <= count <= MOST:
        place = Span(span.text, span.start, span.start + len(str(count)))
        checker.symbols.fault(
            "G007",
            f"this must be a number from 1 to {MOST}, not {count}",
            place,
            "write how many tiles a shape has, or how often an arrangement has it",
        )


def _is_arrangement(checker: Checker, name: str, span: Span) -> bool:
    """Return whether there is an arrangement of this name; enter a fault if not."""
    try:
        require_arrangement(checker.symbols, name, span)
    except RefusedExpression as fault:
        checker.symbols.record(fault)
        return False
    return True


def check_score(checker: Checker, node: t.Score) -> ScoreDecl:
    """Return the typed score, and enter what its `keep` may read."""
    symbols = checker.symbols
    params = tuple(value.param for value in given_with(checker, node) if value.of_hand)
    scope = Scope(
        {p.name: p.type for p in params}, by_face=frozenset(p.name for p in params if has_tiles(p.type))
    )
    fields = {f.name.text: f for f in node.fields}
    lays_out = any(name in fields for name in LAYING_OUT)
    _require_fields(symbols, node, fields, lays_out)
    provided = tuple(_provided(checker, node, scope))
    hand = checker.expect(fields["hand"].expr, TILES, scope) if "hand" in fields else ir.BagOf((), TILES)
    fixed = checker.expect(fields["fixed"].expr, MELDS, scope) if "fixed" in fields else None
    faults = len(symbols.diagnostics)
    names = _alternatives(checker, fields["as"].expr) if "as" in fields else ()
    if not lays_out:
        names = (AS_IT_LIES,)
    elif "as" not in fields or len(symbols.diagnostics) > faults:
        # the names that the lines below read are missing
        return ScoreDecl(node.name.text, params, hand, fixed, (), None, None, "sum", (), (), ())
    declared = [part for name in names if lays_out for part in symbols.arrangements[name].parts]
    parts = {(p.shape.text, p.count == 1): p.shape for p in declared}
    _refuse_same_names(symbols, node, parts.values())
    inside = scope
    for part in declared:
        inside = inside.with_local(part.shape.text, MELD if part.count == 1 else MELDS)
    marking = _marking(checker, fields.get("marking"), scope)
    if marking is not None:
        inside = inside.with_local(marking[1], MELD)
    defines, inside = _defines(checker, node, inside.with_asked("arrangement", TILES))
    patterns = tuple(_patterns(checker, node, inside))
    brings = tuple(_brings(checker, node))
    keep_scope = _with_counts(inside, patterns, node.numbers)
    total, formula = (
        _total(checker, node, fields["total"].expr, keep_scope) if "total" in fields else NO_TOTAL
    )
    if "points" not in keep_scope.locals:
        keep_scope = keep_scope.with_local("points", INT)
    symbols.keep_scopes[node.name.text] = keep_scope
    keep = checker.truth(fields["keep"].expr, keep_scope) if "keep" in fields else None
    _refuse_alone(symbols, node, total)
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
        tuple(_conditions(fields["keep"].expr)) if "keep" in fields else (),
        tuple(word.text for word in node.numbers),
        formula,
    )


def _marking(checker: Checker, field: t.ScoreField | None, scope: Scope) -> tuple[ir.Expr, str] | None:
    """Return the tile that completes a hand, and the name of the meld that it completes."""
    if field is None:
        return None
    label = "completed" if field.label is None else field.label.text
    return checker.expect(field.expr, TILE, scope), label


def _defines(checker: Checker, node: t.Score, scope: Scope) -> tuple[list[tuple[str, ir.Expr]], Scope]:
    """Return the typed definitions of a score, by name, and the scope that has them."""
    defines = []
    for line in node.defines:
        value = checker.any(line.expr, scope)
        if value is not None:
            defines.append((line.name.text, value))
        scope = scope.with_local(line.name.text, UNKNOWN if value is None else value.type)
    return defines, scope


def _require_fields(
    symbols: SymbolTable, node: t.Score, fields: Mapping[str, t.ScoreField], lays_out: bool
) -> None:
    """Refuse a score without a line that it needs, or with two lines or patterns of the same name."""
    for needed, example in (*(NEEDED.items() if lays_out else ()), ("total", "total: sum")):
        if needed not in fields:
            advice = f"write `{example}` under it"
            if needed == "as":
                advice += "; without `hand:` and `as:` a score counts what is given as it lies"
            symbols.fault("G004", f"`{node.name.text}` has no `{needed}:`", node.name.span, advice)
    for what, words in (("lines", node.fields), ("patterns", node.patterns)):
        twice = f"`{node.name.text}` has two {what}"
        symbols.once_each((w.name for w in words), twice, "keep one, or rename one of them")


def _refuse_same_names(symbols: SymbolTable, node: t.Score, parts: Iterable[t.Word]) -> None:
    """Refuse two things of a score that are called the same, its `parts` included."""
    given = [t.Word(p.span, p.name) for p in node.params] + [g.name for g in node.given]
    labels = [f.label for f in node.fields if f.label is not None]
    named = (*given, *parts, *labels, *(d.name for d in node.defines), *node.numbers)
    symbols.once_each(named, f"`{node.name.text}` has two things called", "rename one of them")


def _with_counts(scope: Scope, patterns: Iterable[PatternDecl], numbers: Iterable[t.Word]) -> Scope:
    """Return the scope of a line that may also read which patterns count, and the numbers that these bring."""
    counted = scope
    pattern_types: list[tuple[str, Type]] = [(p.name, BOOL) for p in patterns]
    number_types: list[tuple[str, Type]] = [(word.text, INT) for word in numbers]
    for name, kind in (*pattern_types, ("eligible", INT), *number_types):
        if name not in scope.locals:  # a parameter hides a pattern of the same name
            counted = counted.with_local(name, kind)
    return counted


def _refuse_alone(symbols: SymbolTable, node: t.Score, total: ScoreTotal) -> None:
    """Refuse patterns with `alone` in a score that takes the highest one."""
    for pattern in node.patterns:
        if pattern.alone and total == "highest":
            advice = "leave `alone` out, or write `total: sum`"
            message = "`alone` says what a sum leaves out, and this total takes the highest pattern"
            symbols.fault("T001", message, pattern.name.span, advice)


def _total(checker: Checker, node: t.Score, total: t.Expr, scope: Scope) -> tuple[ScoreTotal, ir.Expr | None]:
    """Return how patterns are added up, and what makes the points of several numbers. `scope` has these numbers."""
    symbols, words = checker.symbols, total.span.excerpt
    named = SCORE_TOTALS.get(total.name) if isinstance(total, t.Name) else None
    if not node.numbers:
        if named is not None:
            return named, None
        totals = tuple(SCORE_TOTALS)
        advice = f"write one of {quoted_list(totals)}"
        if not isinstance(total, t.Name):
            advice += ", or name what the patterns count: `counts: points` and `pattern NAME 1 points: ...`"
        symbols.fault("N001", f"there is no total `{words}`", total.span, advice_for(words, totals, advice))
        return NO_TOTAL
    if named is None:
        return "sum", checker.expect(total, INT, scope)
    if named == "highest":
        advice = f"write what they come to, such as `{' + '.join(w.text for w in node.numbers)}`"
        message = f"of {quoted_list([w.text for w in node.numbers])} no pattern is the highest"
        symbols.fault("T001", message, total.span, advice)
        return NO_TOTAL
    first, *others = [ir.Local(word.text, INT) for word in node.numbers]
    formula: ir.Expr = first
    for other in others:
        formula = ir.Op("add", (formula, other), INT)
    return named, formula


def _conditions(expr: t.Expr) -> Iterator[str]:
    """Yield the conditions that an expression joins by `and`, as the text has them."""
    match expr:
        case t.Binary(op="and", left=left, right=right):
            yield from _conditions(left)
            yield from _conditions(right)
        case _:
            from golpae.syntax.format.expressions import format_expression

            yield format_expression(expr)


def _provided(checker: Checker, node: t.Score, scope: Scope) -> Iterator[Condition]:
    """Return the conditions on what can be given together. Each is checked as if those before it were true."""
    symbols = checker.symbols
    twice = f"`{node.name.text}` has two clauses"
    symbols.once_each((line.name for line in node.provided), twice, "rename one of them")
    lines: tuple[t.ScoreField | t.ScoreDefine | t.Pattern, ...]
    lines = (*node.fields, *node.defines, *node.patterns)
    others = {w.name.text: w.name.span for w in lines}
    for line in node.provided:
        name = line.name.text
        if name in others:
            symbols.twice(f"{twice} `{name}`", line.name.span, "rename one of them", others[name])
        assert isinstance(line.body, t.Condition)
        expr, scope, fails = checker.condition(line.body.expr, scope)
        words = check_message(checker, line.body, fails)
        ids = tuple(w.text for w in line.ids) or tuple(w.text for w in node.ids)
        yield Condition(name, expr, words or (without_words(name),), ids)


def _brings(checker: Checker, node: t.Score) -> Iterator[BringsDecl]:
    """Return which patterns bring other patterns, one line for each."""
    symbols = checker.symbols
    patterns = [p.name.text for p in node.patterns]
    twice = f"`{node.name.text}` has two `brings` lines for"
    symbols.once_each((line.pattern for line in node.brings), twice, "write all of it in one line")
    for line in node.brings:
        name = line.pattern.text
        symbols.once_each(line.brought, f"`{name}` brings the same pattern twice:", "leave one out")
        for word in (line.pattern, *line.brought):
            if word.text not in patterns:
                advice = advice_for(word.text, patterns, f"define it as a `pattern` of `{node.name.text}`")
                symbols.fault("N001", f"there is no pattern `{word.text}`", word.span, advice)
        for word in line.brought:
            if word.text == name:
                symbols.fault("N002", f"`{name}` brings itself", word.span, "leave it out")
        yield BringsDecl(name, tuple(w.text for w in line.brought), tuple(w.text for w in line.ids))


def _alternatives(checker: Checker, expr: t.Expr) -> tuple[str, ...]:
    """Return the arrangements that a score tries, joined by `or`."""
    words = _joined(expr)
    if words is None:
        checker.symbols.fault(
            "T001",
            f"`{expr.span.excerpt}` is not an arrangement",
            expr.span,
            "name arrangements, joined by `or`",
        )
        return ()
    out: list[str] = []
    for word in words:
        if _is_arrangement(checker, word.name, word.span):
            out.extend(_plain(checker, word.name, ()))
    return tuple(dict.fromkeys(out))


def _plain(checker: Checker, name: str, above: tuple[str, ...]) -> list[str]:
    """Return the arrangements that a name means, unions replaced by their members."""
    node = checker.symbols.arrangements.get(name)
    if node is None:
        return []
    if name in above:
        return []  # a cycle, which has its own fault
    if not node.union:
        return [name]
    return [plain for word in node.union for plain in _plain(checker, word.text, (*above, name))]


def _patterns(checker: Checker, node: t.Score, scope: Scope) -> Iterator[PatternDecl]:
    """Return the patterns. Each may ask whether those above it hold; whatever else has such a name hides it."""
    hidden = {*scope.locals, *checker.symbols.plain_words()}
    for pattern in node.patterns:
        _check_number(checker, node, pattern)
        yield _pattern(checker, pattern, scope)
        if pattern.name.text not in hidden:
            scope = scope.with_local(pattern.name.text, BOOL)


def _pattern(checker: Checker, node: t.Pattern, scope: Scope) -> PatternDecl:
    each = None
    if node.each is not None:
        word, domain = node.each
        members = checker.any(domain, scope)
        kind = None if members is None else member_type(members.type)
        if members is not None and kind is not None:
            each = (word.text, members)
        elif members is not None:
            checker.symbols.record(no_members(domain, members.type))
        scope = scope.with_local(word.text, UNKNOWN if kind is None else kind)
    value = checker.expect(node.value, INT, scope)
    return PatternDecl(
        node.name.text,
        value,
        each,
        checker.truth(node.test, scope),
        node.extra,
        tuple(w.text for w in node.ids),
        node.alone,
        "" if node.number is None else node.number.text,
        node.message,
    )


def _check_number(checker: Checker, score: t.Score, pattern: t.Pattern) -> None:
    """Check that a pattern says which number it counts if its score has several, and only then."""
    numbers, number = [word.text for word in score.numbers], pattern.number
    value = pattern.value.span.excerpt
    if number is None:
        if numbers:
            message = f"`{pattern.name.text}` does not say which number it counts"
            advice = f"write {' or '.join(f'`{value} {name}`' for name in numbers)}"
            checker.symbols.fault("G004", message, pattern.value.span, advice)
    elif not numbers:
        message = f"`{score.name.text}` has no `counts:`, so its patterns count in one number without a name"
        advice = f"leave `{number.text}` out, or write `counts: {number.text}` under `{score.name.text}`"
        checker.symbols.fault("N001", message, number.span, advice)
    elif number.text not in numbers:
        message = f"`{score.name.text}` counts no `{number.text}`"
        advice = advice_for(number.text, numbers, f"it counts {quoted_list(numbers)}")
        checker.symbols.fault("N001", message, number.span, advice)
