"""Blocks of a text, and their clauses: what a delta can name and change.

Input: a definition, action, score, shape, arrangement or the tiles. Output: its parts as clauses, each with a name; and
the same block made of other clauses.
Guarantee: a block made of its own clauses is equal to itself, if no two of them share a name; in a score, lines of
different kinds may share one.

    score worth ...                    hand: p's hand
      hand: p's hand           ->      pairs: ...
      pattern pairs 2: ...             pairs-brings: other
      pairs brings other
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar, assert_never

from golpae.diagnostics import Diagnostic, Span, SpecError, near
from golpae.elaborate.switches.case_rows import by_cases, rows_of, with_rows
from golpae.ir.ruleset import paths_of
from golpae.syntax import tree as t
from golpae.syntax.build.definitions import effects_of_call

Line = TypeVar("Line", t.ScoreField, t.ScoreDefine)
Block = t.Define | t.Action | t.Group | t.Score | t.Tiles | t.Shape | t.Arrangement

BRINGS = "-brings"  # `a brings b` is the clause `a-brings`; what the patterns of score `s` bring is property `s-brings`


def with_uses(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return declarations in which a use of effects after a `:`, which reads like a condition, is an effect."""
    groups = _of_effects(decls)
    declares = groups or any(_of_effects(d.parts) for d in decls if isinstance(d, t.Variant))
    return tuple(_with_uses(d, groups) for d in decls) if declares else decls


def _of_effects(decls: Iterable[t.Decl]) -> set[str]:
    return {d.name.text for d in decls if isinstance(d, t.Group) and d.kind == "effects"}


def _with_uses(decl: t.Decl, groups: set[str]) -> t.Decl:
    match decl:
        case t.Action() | t.Group():
            return _part_with_uses(decl, groups)
        case t.Delta(body=body) if body is not None:
            return replace(decl, body=_as_use(body, groups))
        case t.Variant(deltas=deltas, parts=parts):
            known = groups | _of_effects(parts)
            read = (d if d.body is None else replace(d, body=_as_use(d.body, known)) for d in deltas)
            return replace(
                decl, deltas=tuple(read), parts=tuple(_part_with_uses(part, known) for part in parts)
            )
        case _:
            return decl


def _part_with_uses(part: t.Added, groups: set[str]) -> t.Added:
    if isinstance(part, t.Action | t.Group):
        return replace(part, clauses=tuple(replace(c, body=_as_use(c.body, groups)) for c in part.clauses))
    return part


def _as_use(body: t.Body, groups: set[str]) -> t.Body:
    if not isinstance(body, t.Condition) or not isinstance(body.expr, t.Call) or body.expr.name not in groups:
        return body
    return effects_of_call(body) or body


def name_of(block: Block) -> str:
    """Return the name by which a delta means a block."""
    return "tiles" if isinstance(block, t.Tiles) else block.name.text


def nothing_to_change(decls: Iterable[t.Decl], word: t.Word, advice: str) -> SpecError:
    """Return the fault that no block or property has a name; `advice` is for a name that is like no other."""
    message = f"there is no `{word.text}` to change"
    return SpecError([Diagnostic("R002", message, word.span, near(word.text, places_of(decls)) or advice)])


def places_of(decls: Iterable[t.Decl]) -> dict[str, int]:
    """Return the places of blocks and properties by their names."""
    return {
        d.name.text if isinstance(d, t.Property) else name_of(d): place
        for place, d in enumerate(decls)
        if isinstance(d, t.Property | Block)
    }


def clauses_of(block: Block) -> tuple[t.Clause, ...]:
    """Return the parts of a block that a delta can name. A whole shape or arrangement has the name of its block."""
    match block:
        case t.Define() | t.Action():
            rows = rows_of(block) if isinstance(block, t.Define) else ()
            return (*(_clause(w.name, w.expr, w.ids) for w in block.wheres), *block.clauses, *rows)
        case t.Group():
            return block.clauses
        case t.Score():
            fields = [_clause(f.name, f.expr, f.ids) for f in block.fields]
            defines = [_clause(d.name, d.expr, d.ids) for d in block.defines]
            patterns = [_pattern_clause(p) for p in block.patterns]
            return (*block.provided, *fields, *defines, *patterns, *map(_brings_clause, block.brings))
        case t.Tiles():
            return block.clauses
        case t.Shape():
            members = (
                [_clause(t.Word(m.span, m.name), m, ()) for m in _members(block.body)]
                if not block.names
                else []
            )
            return (_clause(block.name, block.body, block.ids), *(members if len(members) > 1 else ()))
        case t.Arrangement():
            if block.union:
                return ()
            span = block.parts[0].span.to(block.parts[-1].span)
            return (t.Clause(block.span, block.name, t.Parts(span, block.parts), block.ids),)
        case _:
            assert_never(block)


def _clause(name: t.Word, expr: t.Expr, ids: tuple[t.Word, ...]) -> t.Clause:
    return t.Clause(name.span.to(expr.span), name, t.Condition(expr.span, expr, None), ids)


def _pattern_clause(pattern: t.Pattern) -> t.Clause:
    clause = _clause(pattern.name, pattern.test, pattern.ids)
    return replace(clause, body=t.Condition(pattern.test.span, pattern.test, pattern.message))


def _replaced(line: Line, left: Mapping[str, list[t.Clause]]) -> Line:
    """Return a line with what its clause says now, the first of its name that is left."""
    clause = left[line.name.text].pop(0)
    return replace(line, expr=_expr(clause), ids=clause.ids)


def _brings_clause(line: t.Brings) -> t.Clause:
    """Return the clause of `a brings b, c`, which is named `a-brings`."""
    name = t.Word(line.pattern.span, line.pattern.text + BRINGS)
    span = line.brought[0].span.to(line.brought[-1].span)
    return t.Clause(line.span, name, t.Names(span, line.brought), line.ids, line.remarks)


def _members(expr: t.Expr) -> list[t.Name]:
    """Return the shapes that a union joins; none if it is no union."""
    if isinstance(expr, t.Binary) and expr.op == "or":
        return [*_members(expr.left), *_members(expr.right)]
    return [expr] if isinstance(expr, t.Name) else []


def with_clauses(block: Block, clauses: tuple[t.Clause, ...]) -> t.Decl:
    """Return the block with other clauses."""
    match block:
        case t.Define() | t.Action():
            if isinstance(block, t.Define) and by_cases(block) is not None:
                block, clauses = with_rows(block, clauses)
            named = {w.name.text for w in block.wheres}
            by_name = {c.name.text: c for c in clauses if c.name.text in named}
            wheres = tuple(
                replace(w, expr=_expr(by_name[w.name.text]), ids=by_name[w.name.text].ids)
                for w in block.wheres
                if w.name.text in by_name
            )
            return replace(
                block, clauses=tuple(c for c in clauses if c.name.text not in named), wheres=wheres
            )
        case t.Group():
            return replace(block, clauses=clauses)
        case t.Score():
            return _score_with(block, clauses)
        case t.Tiles():
            by_word = {clause.name.text: clause for clause in clauses}
            return replace(
                block,
                withdrawn=by_word.get("withdrawn"),
                wild=by_word.get("wild"),
                wild_as=by_word.get("wild-as"),
            )
        case t.Shape():
            whole, *members = clauses
            exprs = [_expr(member) for member in members]
            if exprs and exprs != _members(block.body):
                joined = exprs[0]
                for expr in exprs[1:]:
                    joined = t.Binary(joined.span.to(expr.span), "or", joined, expr)
                return replace(block, body=joined)
            return replace(block, body=_expr(whole), ids=whole.ids)
        case t.Arrangement():
            body = clauses[0].body
            assert isinstance(body, t.Parts)
            return replace(block, parts=body.parts, ids=clauses[0].ids)
        case _:
            assert_never(block)


def _score_with(block: t.Score, clauses: tuple[t.Clause, ...]) -> t.Score:
    """Return a score with other clauses."""
    brings = [c for c in clauses if isinstance(c.body, t.Names)]
    left: dict[str, list[t.Clause]] = {}  # a definition and a pattern may have one name
    for clause in clauses:
        if not isinstance(clause.body, t.Names):
            left.setdefault(clause.name.text, []).append(clause)
    provided = [left[p.name.text].pop(0) for p in block.provided if left.get(p.name.text)]
    fields = tuple(_replaced(f, left) for f in block.fields if left.get(f.name.text))
    defines = tuple(_replaced(d, left) for d in block.defines if left.get(d.name.text))
    dropped = {p.name.text for p in block.patterns if not left.get(p.name.text)}
    patterns = []
    for pattern in block.patterns:
        if left.get(pattern.name.text):
            clause = left[pattern.name.text].pop(0)
            body = clause.body
            assert isinstance(body, t.Condition)
            patterns.append(replace(pattern, test=body.expr, message=body.message, ids=clause.ids))
    provided += [c for c in clauses if c in left.get(c.name.text, ())]
    return replace(
        block,
        provided=tuple(provided),
        fields=fields,
        defines=defines,
        patterns=tuple(patterns),
        brings=tuple(line for c in brings for line in _brings(c, dropped)),
    )


def _brings(clause: t.Clause, dropped: set[str]) -> Iterator[t.Brings]:
    """Return the line of a clause, without patterns that are dropped; none if nothing is left."""
    assert isinstance(clause.body, t.Names)
    pattern = clause.name.text.removesuffix(BRINGS)
    left = tuple(word for word in clause.body.words if word.text not in dropped)
    if left and pattern not in dropped:
        yield t.Brings(clause.span, t.Word(clause.name.span, pattern), left, clause.ids, clause.remarks)


def _expr(clause: t.Clause) -> t.Expr:
    assert isinstance(clause.body, t.Condition)
    return clause.body.expr


def clause_spans(decls: Iterable[t.Decl]) -> dict[str, Span]:
    """Return the span of each clause by its path; one that a variant replaced has that of its new text.

    action put(tile) by p              put
      turn: p = mover "not yours"      put.turn
      then mover := p's right          put.then
      then move tile from ...          put.then 2
    """
    out: dict[str, Span] = {}
    for node in decls:
        match node:
            case t.Property(name=name):
                out[f"property {name.text}"] = node.span
            case t.State(vars=vars_):
                out |= {f"state.{var.name.text}": var.span for var in vars_}
            case t.Define(name=name, clauses=clauses):
                out |= {f"{name.text}.{c.name.text}": c.span for c in clauses} if node.cases else {}
                out[name.text] = node.span
            case t.Group():
                pass  # its clauses are those of the actions that use it
            case t.Action(name=name, clauses=clauses):
                out[name.text] = node.span
                effects = [c for c in clauses if isinstance(c.body, t.Effects)]
                out |= {f"{name.text}.{c.name.text}": c.span for c in clauses if c not in effects}
                paths = paths_of(name.text, [c.name.text for c in effects])
                out |= dict(zip(paths, (c.span for c in effects), strict=True))
            case t.Players() | t.Option() | t.Kind() | t.Order() | t.Tiles() | t.Zones() | t.RowSlice():
                pass  # nothing names a part of these
            case t.Shape() | t.Arrangement() | t.Score():
                pass  # nothing names a part of these
            case t.Game() | t.Source() | t.Include() | t.Delta() | t.Reword() | t.Variant():
                pass
            case _:
                assert_never(node)
    return out
