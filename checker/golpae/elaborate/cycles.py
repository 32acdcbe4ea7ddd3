"""Shapes, arrangements and scores that rest on themselves, directly or by way of one another.

In: the checked declarations of a text. Out: a fault (T005) for each circle. Circles of definitions alone are
found where definitions are checked.

    shape good: near or fine        `good` rests on itself, by way of `fine`
    shape fine: good or three
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from graphlib import CycleError, TopologicalSorter

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir import expr as ir
from golpae.ir.ruleset import ArrangementDecl, ScoreDecl, ShapeDecl, VarDecl

Thing = tuple[str, str]  # definition, shape, arrangement or score; its name


def refuse_cycles(
    symbols: SymbolTable,
    shapes: Iterable[ShapeDecl],
    arrangements: Iterable[ArrangementDecl],
    scores: Iterable[ScoreDecl],
    states: Iterable[VarDecl],
) -> None:
    """Enter a fault for each circle."""
    graph: dict[Thing, set[Thing]] = {}
    for kind, decls in (
        ("definition", symbols.definitions.values()),
        ("shape", shapes),
        ("arrangement", arrangements),
        ("score", scores),
    ):
        for decl in decls:
            graph[kind, decl.name] = set(_mentioned(decl))
    for state in states:
        graph["state", state.name] = set(_mentioned(state.initial))
    while circle := _circle(graph):
        start = min(range(len(circle)), key=lambda i: _span(symbols, circle[i]).start)
        first, *others = circle[start:] + circle[:start]
        way = f", by way of {quoted_list(name for _, name in others)}" if others else ""
        advice = f"say what it is without `{(others or [first])[-1][1]}`"
        symbols.fault("T005", f"`{first[1]}` rests on itself{way}", _span(symbols, first), advice)
        for thing in circle:
            del graph[thing]


def _circle(graph: dict[Thing, set[Thing]]) -> list[Thing]:
    """One circle, each thing before the one that it rests on; empty where there is none."""
    try:
        TopologicalSorter(
            {thing: [o for o in sorted(others) if o in graph] for thing, others in graph.items()}
        ).prepare()
    except CycleError as fault:
        circle: list[Thing] = fault.args[1]
        return circle[:0:-1]
    return []


def _mentioned(part: object) -> Iterator[Thing]:
    """What an expression, or a declaration made of them, speaks of."""
    match part:
        case ir.CallDef(name=name):
            yield "definition", name
        case ir.CallScore(name=name):
            yield "score", name
        case ir.IsShape(shape=name):
            yield "shape", name
            yield "arrangement", name
        case ir.StateRead(name=name):
            yield "state", name
        case ir.LayOut(arrangement=name):
            yield "arrangement", name
        case ShapeDecl(union=union):
            yield from (("shape", name) for name in union)
        case ArrangementDecl(parts=parts, union=union):
            yield from (("shape", p.shape) for p in parts)
            yield from (("arrangement", name) for name in union)
        case ScoreDecl(arrangements=names):
            yield from (("arrangement", name) for name in names)
        case _:
            pass
    if isinstance(part, tuple):
        for item in part:
            yield from _mentioned(item)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _mentioned(getattr(part, field.name))


def _span(symbols: SymbolTable, thing: Thing) -> Span:
    kind, name = thing
    match kind:
        case "definition":
            return symbols.defines[name].name.span
        case "shape":
            return symbols.shapes[name].name.span
        case "arrangement":
            return symbols.arrangements[name].name.span
        case "state":
            return symbols.var_spans[name]
        case _:
            return symbols.scores[name].name.span
