"""The scores of hands that an event asks for, with the arrangements that counted.

Input: the scores of a module. Output: functions of the module.
Guarantee: of several best ways, the one is told that golpae's words name. A score is told whenever the event asks for
it, so the same one may stand there several times.

    scored(action)    lets the event happen whose keys lie in memory, as `act` does, and writes the scores that it asks
                      for, as a list; its size

    {"score": "worth", "total": 3, "patterns": [["plain", 1], ["pure", 2]], "arrangement": "sets",
     "groups": [{"label": "run", "tiles": ["1m", "2m", "3m"]}]}
"""

from __future__ import annotations

from golpae.ir.ruleset import ScoreDecl
from golpae.ir.types import TILES
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.scoring.layouts import Layouts
from golpae.kernel.emit.scoring.noting import ShownWay
from golpae.kernel.emit.scoring.scores import told_by
from golpae.kernel.emit.telling.text import JsonText, TextArea
from golpae.kernel.language.code import Expr, Function, Lit
from golpae.kernel.language.writer import ONE, ZERO, add, eq, load, mul, ne, shl
from golpae.kernel.layout import NO_NUMBER

GROUP = "tell_group"


def scored_functions(area: TextArea) -> list[Function]:
    """Return `scored(action)`, and what tells each score that the functions of the module ask for so far."""
    parts = area.parts
    if parts.searches is None:
        return [_scored(area)]
    _, layouts, scores = parts.searches
    tells = [_tells(area, layouts, score, total, way) for score, total, way in scores.told()]
    return [_scored(area), *tells, _group(area, layouts)]


def _scored(area: TextArea) -> Function:
    writer, telling = area.parts.writer("scored", 1, 1), area.layout.telling
    text = JsonText(area, Expressions(area.parts, writer))
    text.begin()
    text.put("[")
    writer.store(8, ZERO, ONE, telling)
    writer.call_into((writer.new(),), "act", writer.param(0))
    writer.store(8, ZERO, ZERO, telling)
    text.close("]")
    writer.give(text.size())
    return writer.function()


def _tells(
    area: TextArea, layouts: Layouts, score: ScoreDecl, found: tuple[int, ...], way: ShownWay
) -> Function:
    """Return the function that writes the best way that was just found, and a comma behind it. Its total and numbers
    lie at the addresses `found`.
    """
    total, *numbers = found
    writer = area.parts.writer(told_by(score))
    text = JsonText(area, Expressions(area.parts, writer))
    counted = text.expressions.memory.counted
    text.put(f'{{"score":"{score.name}","total":')
    text.number(load(8, ZERO, total))
    if numbers:
        text.put(",")
        text.numbers({n: load(8, ZERO, at) for n, at in zip(score.numbers, numbers, strict=True)}, score)
    text.put(',"patterns":[')

    def pattern(place: Expr) -> None:
        points = writer.let(load(8, shl(place, Lit(3)), way.points))
        with writer.when(ne(points, Lit(NO_NUMBER))):
            text.put("[")
            text.one_of([f'"{p.name}",' for p in score.patterns], place)
            text.number(points)
            text.put("],")

    counted(Lit(len(score.patterns)), pattern)
    text.close("]")
    number = writer.let(load(8, ZERO, way.arrangement))
    text.put(',"arrangement":')
    text.one_of([f'"{name}"' for name in score.arrangements], number)
    text.put(',"groups":[')
    for place, name in enumerate(score.arrangements):
        labels = [part.shape for part in layouts.arrangements[name].parts for _ in range(part.count)]
        with writer.when(eq(number, Lit(place))):

            def group(at: Expr, labels: list[str] = labels) -> None:
                text.one_of([f'{{"label":"{label}","tiles":' for label in labels], at)
                writer.call_into((), GROUP, add(mul(at, Lit(layouts.slot)), Lit(way.groups)))

            counted(Lit(len(labels)), group)
    text.close("]")
    text.put("},")
    return writer.function()


def _group(area: TextArea, layouts: Layouts) -> Function:
    """Return the function that writes the tiles of the group in a slot, and the end of its object."""
    writer = area.parts.writer(GROUP, 1)
    text = JsonText(area, Expressions(area.parts, writer))
    text.value(layouts.group_at(writer, writer.param(0)).tiles, TILES)
    text.put("},")
    return writer.function()
