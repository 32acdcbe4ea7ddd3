"""Types, definitions, shapes, arrangements and scores: from the parser's tree to the surface tree.

Input: the grammar's rules of types, parameters and definitions. Output: `tree.Type`, `tree.Param`,
`tree.Define`, `tree.Shape`, `tree.Arrangement`, `tree.Score`. Guarantee: one method for each grammar rule, named
after it; no name is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, SpecError
from golpae.syntax import tree as t
from golpae.syntax.build.spans import SpanBuilder, optional_text


@dataclass(frozen=True, slots=True)
class _Given:
    """A block `given` of a score."""

    remarks: t.Remarks
    lines: tuple[t.GivenParam, ...]


@dataclass(frozen=True, slots=True)
class _Provided:
    """A block `provided` of a score."""

    remarks: t.Remarks
    lines: tuple[t.Clause, ...]


_Rows = tuple[t.Cases, tuple[t.Where, ...], tuple[t.Word, ...]]  # cases, names for values, rule numbers


def _named_and_rows(
    lines: Sequence[t.Where | t.CaseRow],
) -> tuple[tuple[t.Where, ...], tuple[t.CaseRow, ...]]:
    """Return the names for values above the cases of a definition, and the cases."""
    wheres = tuple(line for line in lines if isinstance(line, t.Where))
    return wheres, tuple(line for line in lines if isinstance(line, t.CaseRow))


def _together(blocks: Sequence[_Given | _Provided]) -> t.Remarks:
    """Return the comments of blocks that become one."""
    if not blocks:
        return t.NO_REMARKS
    first, *others = (block.remarks for block in blocks)
    more = [each for r in others for each in (*r.above, *([] if r.behind is None else [r.behind]), *r.below)]
    return t.Remarks(first.above, first.behind, (*first.below, *more))


def _as_use(clause: t.Clause) -> t.Clause:
    """Return a line `next: group(p)` among effects as what it is: a use of a group, and no condition."""
    body = clause.body
    effects = None if not isinstance(body, t.Condition) else effects_of_call(body)
    return clause if effects is None else replace(clause, body=effects)


def effects_of_call(body: t.Condition) -> t.Effects | None:
    """Return the use of a group that reads like a condition, or None if it can only be a condition."""
    expr = body.expr
    if body.message is not None or body.if_stated or not isinstance(expr, t.Call):
        return None
    return t.Effects(body.span, (t.Use(body.span, expr),))


@v_args(meta=True)
class DefinitionBuilder(SpanBuilder):
    """Builds definitions, shapes, arrangements, scores, and the types and parameters that they have."""

    def or_none(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeOrNone(self._span(meta), c[0])

    def type_name(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeName(self._span(meta), str(c[0]))

    def type_number(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeName(self._span(meta), "number")

    def type_truth(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeTruth(self._span(meta))

    def type_choice(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeChoice(self._span(meta), self._words(c))

    def type_range(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeRange(self._span(meta), c[0], c[1])

    def type_list(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeList(self._span(meta), c[0])

    def type_each(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeEach(self._span(meta), c[0])

    def params(self, meta: Meta, c: list[Any]) -> tuple[t.Param, ...]:
        return tuple(c)

    def param(self, meta: Meta, c: list[Any]) -> t.Param:
        optional, name, kind = c
        if isinstance(kind, tuple):
            return t.Param(self._span(meta), str(name), None, kind, optional is not None)
        return t.Param(self._span(meta), str(name), kind, None, optional is not None)

    def param_names(self, meta: Meta, c: list[Any]) -> tuple[t.Word, ...]:
        return self._words(c)

    # ------------------------------------------------------------------ definitions, shapes, scores

    def define(self, meta: Meta, c: list[Any]) -> t.Define:
        (name, owner, params), ids, *rest = c
        span = self._span(meta)
        if rest and not isinstance(rest[0], t.Clause | t.Where | None):
            expr, wheres, more = rest
            clause = t.Clause(span, name, t.Condition(expr.span, expr, None), ())
            return t.Define(span, name, owner, params, (clause,), False, ids + more, wheres=wheres or ())
        cases = tuple(x for x in rest if isinstance(x, t.Clause))
        wheres = tuple(x for x in rest if isinstance(x, t.Where))
        if word := next((case.name for case in cases if case.name.text == "otherwise"), None):
            message = "`otherwise` is a case of a value, but the other lines of this block are questions"
            advice = "write `when` before each of them, as in `when n > 3: ...`"
            raise SpecError([Diagnostic("S001", message, word.span, advice)])
        return t.Define(span, name, owner, params, cases, True, ids, wheres=wheres)

    def where(self, meta: Meta, c: list[Any]) -> t.Where:
        return t.Where(self._span(meta), self._word(c[1]), c[2], c[3])

    def where_tail(self, meta: Meta, c: list[Any]) -> tuple[t.Where, ...]:
        return tuple(c[1:])

    def where_part(self, meta: Meta, c: list[Any]) -> t.Where:
        return t.Where(self._span(meta), self._word(c[0]), c[1])

    def shared(self, meta: Meta, c: list[Any]) -> t.Group:
        kind, name, params, ids, *lines = c
        clauses = tuple(x for x in lines if x is not None)
        word = str(kind)
        if word == "effects":
            clauses = tuple(map(_as_use, clauses))
        return t.Group(
            self._span(meta),
            "effects" if word == "effects" else "conditions",
            self._word(name),
            params or (),
            clauses,
            ids,
        )

    def define_by_cases(self, meta: Meta, c: list[Any]) -> t.Define:
        (name, owner, params), ids, (cases, wheres, more) = c
        span = self._span(meta)
        clause = t.Clause(span, name, t.Condition(cases.span, cases, None), ())
        return t.Define(span, name, owner, params, (clause,), False, ids + more, wheres=wheres)

    def cases_when(self, meta: Meta, c: list[Any]) -> _Rows:
        wheres, rows = _named_and_rows(c)
        return t.Cases(rows[0].span.to(rows[-1].span), None, rows), wheres, ()

    def cases_by(self, meta: Meta, c: list[Any]) -> _Rows:
        by, ids, *lines = c
        wheres, rows = _named_and_rows(lines)
        return t.Cases(by.span.to(rows[-1].span), by, rows), wheres, ids

    def cases_by_line(self, meta: Meta, c: list[Any]) -> _Rows:
        by, *rows, wheres, ids = c
        return t.Cases(by.span.to(rows[-1].span), by, tuple(rows), True), wheres or (), ids

    def when_row(self, meta: Meta, c: list[Any]) -> t.CaseRow:
        *keys, value, ids = c
        return t.CaseRow(self._span(meta), tuple(keys), value, ids)

    key_row = otherwise_row = when_row

    def short_row(self, meta: Meta, c: list[Any]) -> t.CaseRow:
        *keys, value = c
        return t.CaseRow(self._span(meta), tuple(keys), value)

    short_otherwise = short_row

    def define_plain(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), None, c[1] or ()

    def define_tile(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), "tile", ()

    def define_seat(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), "player", ()

    def case(self, meta: Meta, c: list[Any]) -> t.Clause:
        name, expr, message, ids = c
        return t.Clause(
            self._span(meta), self._word(name), t.Condition(expr.span, expr, optional_text(message)), ids
        )

    def shape(self, meta: Meta, c: list[Any]) -> t.Shape:
        names = [x for x in c[1:] if isinstance(x, Token)]
        ids, body, more = [x for x in c[1:] if x is not None and not isinstance(x, Token)]
        return t.Shape(self._span(meta), self._word(c[0]), self._words(names), None, body, ids + more)

    def shape_of(self, meta: Meta, c: list[Any]) -> t.Shape:
        name, size, most, ids, body, more = c
        return t.Shape(self._span(meta), self._word(name), (), self._int(size), body, ids + more, most)

    def shape_in_a_row(self, meta: Meta, c: list[Any]) -> t.Shape:
        name, *names, size, most, ids, body, more = c
        words, number = self._words(names), self._int(size)
        return t.Shape(self._span(meta), self._word(name), words, number, body, ids + more, most)

    def up_to(self, meta: Meta, c: list[Any]) -> int:
        return self._int(c[0])

    def or_more(self, meta: Meta, c: list[Any]) -> int:
        return t.OR_MORE

    def arrangement(self, meta: Meta, c: list[Any]) -> t.Arrangement:
        name, ids, *parts, more = c
        return t.Arrangement(self._span(meta), self._word(name), tuple(parts), (), ids + more)

    def arrangement_union(self, meta: Meta, c: list[Any]) -> t.Arrangement:
        name, ids, *others, more = c
        return t.Arrangement(self._span(meta), self._word(name), (), self._words(others), ids + more)

    def part(self, meta: Meta, c: list[Any]) -> t.Part:
        return t.Part(self._span(meta), self._int(c[0]), c[1] is not None, self._word(c[2]))

    def score(self, meta: Meta, c: list[Any]) -> t.Score:
        name, params, title, ids, *clauses = c
        given = [x for x in clauses if isinstance(x, _Given)]
        provided = [x for x in clauses if isinstance(x, _Provided)]
        return t.Score(
            self._span(meta),
            self._word(name),
            params or (),
            optional_text(title),
            tuple(line for x in given for line in x.lines),
            tuple(line for x in provided for line in x.lines),
            tuple(x for x in clauses if isinstance(x, t.ScoreField)),
            tuple(x for x in clauses if isinstance(x, t.ScoreDefine)),
            tuple(x for x in clauses if isinstance(x, t.Pattern)),
            tuple(x for x in clauses if isinstance(x, t.Brings)),
            ids,
            given_remarks=_together(given),
            provided_remarks=_together(provided),
            counts=tuple(x for x in clauses if isinstance(x, t.Counts)),
        )

    def given(self, meta: Meta, c: list[Any]) -> _Given:
        return _Given(self.remarks_at(self._span(meta).start), tuple(c))

    def given_param(self, meta: Meta, c: list[Any]) -> t.GivenParam:
        name, type_, _, initial, ids = c
        return t.GivenParam(self._span(meta), self._word(name), type_, initial, ids)

    def provided(self, meta: Meta, c: list[Any]) -> _Provided:
        return _Provided(self.remarks_at(self._span(meta).start), tuple(c))

    def provided_line(self, meta: Meta, c: list[Any]) -> t.Clause:
        return t.Clause(self._span(meta), self._word(c[0]), c[1], c[2])

    def brings(self, meta: Meta, c: list[Any]) -> t.Brings:
        pattern, *brought, ids = c
        return t.Brings(self._span(meta), self._word(pattern), self._words(brought), ids)

    def score_define(self, meta: Meta, c: list[Any]) -> t.ScoreDefine:
        name, params, expr, wheres, ids = c
        return t.ScoreDefine(
            self._span(meta), self._word(name), expr, ids, params=params or (), wheres=wheres or ()
        )

    def score_where(self, meta: Meta, c: list[Any]) -> t.ScoreDefine:
        return t.ScoreDefine(self._span(meta), self._word(c[1]), c[2], c[3])

    def score_define_by_cases(self, meta: Meta, c: list[Any]) -> t.ScoreDefine:
        name, params, ids, (cases, wheres, more) = c
        return t.ScoreDefine(
            self._span(meta), self._word(name), cases, ids + more, params=params or (), wheres=wheres
        )

    def score_field(self, meta: Meta, c: list[Any]) -> t.ScoreField:
        name, expr, label, ids = c
        word = None if label is None else self._word(label)
        return t.ScoreField(self._span(meta), self._word(name), expr, word, ids)

    def counts(self, meta: Meta, c: list[Any]) -> t.Counts:
        _, *names, ids = c
        return t.Counts(self._span(meta), self._words(names), ids)

    def pattern(self, meta: Meta, c: list[Any]) -> t.Pattern:
        name, value, number, each, mark, test, message, ids = c
        return t.Pattern(
            self._span(meta),
            self._word(name),
            value,
            each,
            mark == "extra",
            test,
            optional_text(message),
            ids,
            mark == "alone",
            number=None if number is None else self._word(number),
        )

    def pattern_each(self, meta: Meta, c: list[Any]) -> tuple[t.Word, t.Expr]:
        return self._word(c[0]), c[1]
