"""Where the text says what a mutant changes.

Input: a text. Output: the span of each place that mutants name.
Guarantee: every mutant of the text has one.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.diagnostics import Span
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import path_of
from golpae.mutate.mutants import place_of
from golpae.syntax import tree as t


def places(loaded: Loaded) -> dict[str, Span]:
    """Return the span of each place of a text."""
    return {place: span for decl in loaded.decls for place, span in _places_in(decl)}


def _places_in(decl: t.Decl) -> Iterator[tuple[str, Span]]:
    match decl:
        case t.Players():
            yield "players", decl.span
        case t.Option(name=name):
            yield f"option {name.text}", decl.span
        case t.Tiles():
            yield from ((f"tiles.{clause.name.text}", clause.span) for clause in decl.clauses)
        case t.State(vars=variables):
            yield from ((f"state {var.name.text}", var.span) for var in variables)
        case t.Kind(name=name, in_order=True):
            yield f"kind {name.text}", decl.span
        case t.Order(name=name):
            yield f"order {name.text}", decl.span
        case t.RowSlice(name=name):
            yield f"part {name.text}", decl.span
        case t.Define() | t.Action() | t.Group():
            if not isinstance(decl, t.Group):
                yield from ((f"{decl.name.text}.{w.name.text}", w.span) for w in decl.wheres)
            yield from ((place_of(decl, at), clause.span) for at, clause in enumerate(decl.clauses))
        case t.Score() | t.Shape() | t.Arrangement():
            yield decl.name.text, decl.span
        case t.Delta():
            yield path_of(decl), decl.span
        case t.Variant(name=name, deltas=deltas, parts=parts):
            yield from ((f"{name.text}, {path_of(delta)}", delta.span) for delta in deltas)
            for part in parts:
                yield from ((f"{name.text}, {place}", span) for place, span in _places_in(part))
        case _:
            pass
