"""Parts of rows that have a name: `part dead: last 14 of wall`.

Input: the declarations of a resolved text. Output: the same; each question about such a part, and each move from it, is
one about a place of its row. The declarations of the parts stay, for messages.
Guarantee: raises `SpecError` where a part stands for its tiles: which ones lie in it nobody may know.

    dead at 2 from the back          wall at 2 from the back
    size of dead                     if size of wall > 14 then 14 else size of wall
    front of live                    wall at (if 1 <= [size of live] then 1 else 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeVar

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, quoted_list
from golpae.elaborate.expand.effects import free_name
from golpae.elaborate.expand.rewrite import rewritten
from golpae.syntax import tree as t
from golpae.syntax.bound_names import bound_by
from golpae.syntax.format.effects import inline
from golpae.syntax.format.expressions import format_expression
from golpae.syntax.traverse import nodes

Side = Literal["front", "back"]
N = TypeVar("N", bound=Any)
Slices = Mapping[str, t.RowSlice]


def row_slices_written_out(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return a text in which nothing but its declaration speaks of a part of a row. Raises `SpecError`."""
    slices = {d.name.text: d for d in decls if isinstance(d, t.RowSlice)}
    if not slices:
        return decls
    _check_rows(slices, decls)
    made: list[t.Decl] = []
    for name, part in slices.items():
        if not isinstance(part.number, t.Number):
            word = t.Word(part.number.span, free_name(f"{name}-size", decls))
            clause = t.Clause(word.span, word, t.Condition(word.span, part.number, None), ())
            made.append(t.Define(word.span, word, None, (), (clause,), False, ()))
            slices[name] = replace(part, number=t.Name(word.span, word.text))
    out = tuple(slices[d.name.text] if isinstance(d, t.RowSlice) else written_out(d, slices) for d in decls)
    return (*out, *made)


def written_out(node: N, slices: Slices) -> N:
    """Return a part of a text that speaks of places of rows alone. Raises `SpecError`."""
    if not slices:
        return node
    for inner in nodes([node]):
        for word in bound_by(inner):
            if word.text in slices:
                first = Label(slices[word.text].name.span, "the part of a row")
                message = f"`{word.text}` is already the name of a part of a row"
                raise SpecError([Diagnostic("N002", message, word.span, "choose another name", (first,))])
    node = rewritten(node, lambda part: _with_target(part, slices) if isinstance(part, t.Move) else part)
    node = rewritten(node, lambda part: _written(part, slices))
    _refuse_tiles(node, slices)
    return node


def _with_target(move: t.Move, slices: Slices) -> t.Move:
    """Return a move to a part of a row as one to the end of the row at which the part lies. Raises `SpecError`."""
    target = move.target
    row = target.row if isinstance(target, t.RowPart) else target
    part = _part(row, slices)
    if part is None:
        return move
    side = target.side if isinstance(target, t.RowEnd) else "back"
    if not isinstance(target, t.RowEnd | t.Name | t.Possessive) or side != _side(part):
        whole = _whole(row, part)
        message = (
            f"tiles come to a row at an end of it, and `{target.span.excerpt}` is none of `{part.row.text}`"
        )
        advice = f"write `to {_side(part)} of {format_expression(whole)}`"
        raise SpecError([Diagnostic("T004", message, target.span, advice)])
    return replace(move, target=t.RowEnd(target.span, _side(part), _whole(row, part)))


def _written(node: t.Node, slices: Slices) -> t.Node:
    match node:
        case t.RowEnd(row=row) if (part := _part(row, slices)) is not None:
            side: Side = "back" if node.side == "back" else "front"
            return _place(row, part, t.Number(node.span, 1), side, node.span)
        case t.Unary(op="size of", arg=row) if (part := _part(row, slices)) is not None:
            return _size(row, part, node.span)
        case t.Is(arg=row, word=t.Word(text="empty")) if (part := _part(row, slices)) is not None:
            size = _size(row, part, row.span)
            return t.Binary(node.span, "/=" if node.negated else "=", size, t.Number(node.span, 0))
        case _:
            if not isinstance(node, t.RowPart) or isinstance(node, t.RowEnd):
                return node
            part = _part(node.row, slices)
            return node if part is None else _place(node.row, part, node.number, node.end, node.span)


def _part(row: t.Expr, slices: Slices) -> t.RowSlice | None:
    """Return the part of a row that an expression names, None if it names none."""
    return slices.get(row.name) if isinstance(row, t.Name | t.Possessive) else None


def _whole(row: t.Expr, part: t.RowSlice) -> t.Expr:
    """Return the row of a part: `p's wall` of `p's dead`."""
    assert isinstance(row, t.Name | t.Possessive)
    return replace(row, name=part.row.text)


def _side(part: t.RowSlice) -> Side:
    """Return the end of its row at which a part lies."""
    return "back" if (part.end == "last") is not part.rest else "front"


def _place(row: t.Expr, part: t.RowSlice, number: t.Expr, side: Side, span: Span) -> t.Expr:
    """Return a place of a part, counted from one of its sides, as a place of its row."""
    whole, outside = _whole(row, part), side == _side(part)
    if isinstance(number, t.Number) and isinstance(part.number, t.Number) and number.value > 0:
        if outside and not part.rest and number.value <= part.number.value:
            return (
                t.RowEnd(span, side, whole)
                if number.value == 1
                else t.place_in_row(span, whole, number, side)
            )
        if part.rest and not outside:
            return t.place_in_row(span, whole, t.Number(span, number.value + part.number.value), side)
    size, one = _size(row, part, span), t.Number(span, 1)
    there: t.Expr = t.Binary(span, "<=", number, size)
    if not isinstance(number, t.Number) or number.value == 0:
        there = t.Binary(span, "and", t.Binary(span, ">=", number, one), there)
    place = number
    if not outside:  # counted from the side that lies within the row
        place = t.Binary(span, "-", t.Binary(span, "+", size, one), number)
        side = _side(part)
    return t.place_in_row(span, whole, t.If(span, there, place, t.Number(span, 0)), side)


def _size(row: t.Expr, part: t.RowSlice, span: Span) -> t.Expr:
    """Return how many places a part has: no more than its row, and no fewer than none."""
    whole, number, nothing = _size_of(_whole(row, part), span), part.number, t.Number(span, 0)
    are_more = t.Binary(span, ">", whole, number)
    size: t.Expr
    if part.rest:
        size = t.If(span, are_more, t.Binary(span, "-", whole, number), nothing)
        below = whole
    else:
        size = t.If(span, are_more, number, whole)
        below = nothing
    if isinstance(number, t.Number):
        return size
    return t.If(span, t.Binary(span, "<", number, nothing), below, size)


def _size_of(row: t.Expr, span: Span) -> t.Expr:
    return t.Unary(span, "size of", row)


# ---------------------------------------------------------------- faults


def _check_rows(slices: Slices, decls: Iterable[t.Decl]) -> None:
    """Refuse parts of what is no row. Raises `SpecError`."""
    zones = {zone.name.text: zone for d in decls if isinstance(d, t.Zones) for zone in d.zones}
    for part in slices.values():
        row, name = part.row.text, part.name.text
        zone = zones.get(row)
        if row in slices:
            message, advice = f"`{row}` is itself a part of a row", f"name the row: `{slices[row].row.text}`"
        elif zone is None:
            rows = [z.name.text for z in zones.values() if z.kind.text == "row"]
            message, advice = f"there is no row `{row}`", f"the rows are {quoted_list(rows)}"
            if not rows:
                advice = "write `wall: row seen by ...` under `zones`"
        elif zone.kind.text != "row":
            message = f"`{row}` has no order: it is not a row"
            advice = f"write `{row}: row seen by ...` under `zones`"
        elif name in zones:
            message, advice = f"`{name}` is already the name of a zone", "choose another name"
            raise SpecError([Diagnostic("N002", message, part.name.span, advice)])
        else:
            continue
        raise SpecError([Diagnostic("T004", message, part.row.span, advice)])


def _refuse_tiles(node: t.Node, slices: Slices) -> None:
    """Refuse a part that stands for its tiles, or whose order changes without that of its row. Raises `SpecError`."""
    for inner in nodes([node]):
        if (
            isinstance(inner, t.Shuffle | t.Cut | t.Arrange)
            and (part := _part(inner.row, slices)) is not None
        ):
            message = f"`{inner.row.span.excerpt}` is a part of a row, and a row changes its order as a whole"
            advice = f"name the row: `{inline((replace(inner, row=_whole(inner.row, part)),))}`"
            raise SpecError([Diagnostic("T004", message, inner.row.span, advice)])
        if isinstance(inner, t.Name | t.Possessive) and inner.name in slices:
            words = inner.span.excerpt
            message = f"`{words}` is a part of a row: nobody may know which tiles lie in it"
            advice = (
                f"ask for a place, `tile fits front of {words}` or `{words} at 2`, or for `size of {words}`"
            )
            raise SpecError([Diagnostic("T004", message, inner.span, advice)])
