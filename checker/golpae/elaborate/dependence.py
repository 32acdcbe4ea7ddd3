"""Find parts that depend on what they must not: themselves, too many definitions, a game in progress.

Input: the checked declarations of a text.
Output: a fault for each shape, arrangement, score and state that depends on itself (T005), for a definition that uses
too many others (S006), and for each shape, and each condition on what is given with a score, that reads a game (T001).
Guarantee: each cycle is reported once, at its first part in the text; cycles of definitions alone are reported when
definitions are checked.

    shape good: near or fine        `good` depends on itself, through `fine`
    shape fine: good or three
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from graphlib import CycleError, TopologicalSorter

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck.symbols import SymbolTable
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, Part, read_by, refers_to
from golpae.ir.ruleset import ArrangementDecl, Definition, ParamDecl, ScoreDecl, ShapeDecl, VarDecl
from golpae.ir.traverse import nodes
from golpae.ir.types import Opt
from golpae.syntax import tree as t

MOST_USES = 1_000_000  # of definitions by one of them
Decl = Definition | ShapeDecl | ArrangementDecl | ScoreDecl | VarDecl


def refuse_cycles(
    symbols: SymbolTable,
    shapes: Iterable[ShapeDecl],
    arrangements: Collection[ArrangementDecl],
    scores: Iterable[ScoreDecl],
    states: Iterable[VarDecl],
) -> None:
    """Enter a fault for each cycle."""
    graph: dict[Part, set[Part]] = {}
    groups: tuple[tuple[str, Iterable[Decl]], ...] = (
        ("definition", symbols.definitions.values()),
        ("shape", shapes),
        ("arrangement", arrangements),
        ("score", scores),
        ("state", states),
    )
    arranged = {a.name for a in arrangements}
    for kind, decls in groups:
        for decl in decls:
            used = {("arrangement", n) if k == "shape" and n in arranged else (k, n) for k, n in _used(decl)}
            graph[kind, decl.name] = used
    while cycle := _cycle(graph):
        start = min(range(len(cycle)), key=lambda i: _span(symbols, cycle[i]).start)
        first, *others = cycle[start:] + cycle[:start]
        way = f", through {quoted_list(name for _, name in others)}" if others else ""
        advice = f"define it without `{(others or [first])[-1][1]}`"
        symbols.fault("T005", f"`{first[1]}` depends on itself{way}", _span(symbols, first), advice)
        for part in cycle:
            del graph[part]


def refuse_reads_of_games(
    symbols: SymbolTable, dependencies: Dependencies, shapes: Iterable[ShapeDecl], scores: Iterable[ScoreDecl]
) -> None:
    """Enter a fault for each shape, and for each condition on what is given together, that reads a game in progress."""
    for shape in shapes:
        tests = (test for test in (shape.test, shape.wild) if test is not None)
        read = next(filter(None, map(dependencies.first_read, tests)), None)
        if read is not None:
            message = f"a shape depends only on its tiles, not on `{read}`"
            advice = f"use `{read}` in the condition that asks for the shape"
            symbols.fault("T001", message, symbols.shapes[shape.name].body.span, advice)
    for score in scores:
        lines = {line.name.text: line for line in symbols.scores[score.name].provided}
        for condition in score.provided:
            read = dependencies.first_read(condition.expr)
            if read is not None:
                message = f"what can be given together does not depend on `{read}`"
                body = lines[condition.name].body
                assert isinstance(body, t.Condition)
                symbols.fault("T001", message, body.expr.span, "use only the values under `given`")


def without_usual_of_games(scores: Iterable[ScoreDecl], dependencies: Dependencies) -> tuple[ScoreDecl, ...]:
    """Return the scores, in which a value that a game gives by itself is no usual value of a hand."""

    def of_hand(param: ParamDecl) -> ParamDecl:
        if param.initial is None or not dependencies.reads([param.initial]):
            return param
        return replace(param, optional=isinstance(param.type, Opt), initial=None)

    return tuple(replace(score, params=tuple(map(of_hand, score.params))) for score in scores)


def refuse_large_definitions(symbols: SymbolTable) -> None:
    """Enter a fault for the first definition that uses others too often, counted through all that it uses.

    A definition is computed anew for each use.
    """
    uses: dict[str, int] = {}
    for name, definition in symbols.definitions.items():  # each after those that it uses
        called = [n for case in definition.cases for n in nodes(case.expr) if isinstance(n, ir.CallDef)]
        uses[name] = sum(1 + uses.get(call.name, 0) for call in called)
        if uses[name] > MOST_USES and name in symbols.defines:
            message = f"`{name}` uses definitions more than {MOST_USES:,} times, counted through all of them"
            advice = "a definition that is used twice is computed twice: write `2 * a` for `a + a`"
            symbols.fault("S006", message, symbols.defines[name].name.span, advice)
            return


def _cycle(graph: dict[Part, set[Part]]) -> list[Part]:
    """Return one cycle, each part before the one that it depends on; empty if there is none."""
    try:
        TopologicalSorter(
            {part: [o for o in sorted(others) if o in graph] for part, others in graph.items()}
        ).prepare()
    except CycleError as fault:
        cycle: list[Part] = fault.args[1]
        return cycle[:0:-1]
    return []


def _used(decl: Decl) -> Iterator[Part]:
    """Return the parts that a declaration refers to; an arrangement counts as a shape."""
    if isinstance(decl, ShapeDecl):
        yield from (("shape", name) for name in decl.union)
    elif isinstance(decl, ArrangementDecl):
        yield from (("shape", name) for name in (*(p.shape for p in decl.parts), *decl.union))
    elif isinstance(decl, ScoreDecl):
        yield from (("shape", name) for name in decl.arrangements)
    for expr in _exprs_in(decl.initial if isinstance(decl, VarDecl) else decl):
        for node in nodes(expr):
            yield from refers_to(node)
            read = read_by(node)
            if read is not None:
                yield read.kind, read.name


def _exprs_in(value: object) -> Iterator[ir.Expr]:
    """Return the expressions in all fields of a declaration."""
    if isinstance(value, ir.Expr):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _exprs_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _exprs_in(getattr(value, field.name))


def _span(symbols: SymbolTable, part: Part) -> Span:
    kind, name = part
    if kind == "state":
        return symbols.var_spans[name]
    if kind == "definition":
        return symbols.defines[name].name.span
    if kind == "shape":
        return symbols.shapes[name].name.span
    if kind == "arrangement":
        return symbols.arrangements[name].name.span
    return symbols.scores[name].name.span
