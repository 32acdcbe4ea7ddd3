"""The rule numbers in a text: those of a declaration and of all its parts.

Input: a declaration of the surface tree. Output: the words in `[ ]`, in reading order. Guarantee: a new kind of
declaration fails the type check here until its parts are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Protocol, assert_never

from golpae.syntax import tree as t


class _Cited(Protocol):
    @property
    def ids(self) -> tuple[t.Word, ...]: ...


def citations(decl: t.Decl) -> Iterator[t.Word]:
    """Yield the rule numbers of a declaration and of its parts."""
    match decl:
        case t.Include() | t.Source():
            return
        case t.Game(aim=aim):
            yield from chain(decl.ids, *(line.ids for line in aim))
        case t.Players() | t.Option() | t.Kind() | t.Order() | t.RowSlice():
            yield from decl.ids
        case t.Shape() | t.Arrangement():
            yield from decl.ids
        case t.Delta() | t.Reword() | t.Property():
            yield from decl.ids
        case t.Tiles(groups=groups):
            yield from chain(decl.ids, *(group.ids for group in groups))
            yield from chain(*(clause.ids for clause in decl.clauses))
        case t.Zones(zones=zones):
            yield from chain(*(zone.ids for zone in zones))
        case t.State(vars=variables):
            yield from chain(*(variable.ids for variable in variables))
        case t.Define(clauses=clauses, wheres=wheres) | t.Action(clauses=clauses, wheres=wheres):
            notes = decl.notes if isinstance(decl, t.Action) else ()
            named: tuple[_Cited, ...] = (*notes, *wheres, *clauses)
            yield from chain(decl.ids, *(line.ids for line in named))
        case t.Group(clauses=clauses):
            yield from chain(decl.ids, *(clause.ids for clause in clauses))
            yield from chain(*map(ids_of_rows, clauses))
        case t.Score():
            lines: tuple[_Cited, ...] = (
                *decl.given,
                *decl.provided,
                *decl.fields,
                *decl.defines,
                *(where for define in decl.defines for where in define.wheres),
                *decl.patterns,
                *decl.brings,
            )
            yield from chain(decl.ids, *(line.ids for line in lines))
        case t.Variant(deltas=deltas, properties=properties, parts=added, reworded=reworded):
            parts: tuple[_Cited, ...] = (*deltas, *reworded, *properties)
            yield from chain(decl.ids, *(part.ids for part in parts), *map(citations, added))
        case _:
            assert_never(decl)


def ids_of_rows(clause: t.Clause) -> Iterator[t.Word]:
    """Yield the rule numbers of the cases of a definition."""
    if isinstance(clause.body, t.Condition) and isinstance(clause.body.expr, t.Cases):
        yield from chain(*(row.ids for row in clause.body.expr.rows))
