"""A position that induction cannot rule out, in words: what the solver found where a proof fails.

Input: an induction, a failure of it, and the states and zones that matter.
Output: the values of these states and how many tiles lie in these zones, and what would help.
Guarantee: nothing is decided here. The position may be one that no game reaches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.types import Opt, Seat, Tile, Type
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.model import Model, read
from golpae.prove.symbolic.values import BLANK, how_many_tiles

MOST_PARTS = 12  # of a position that are shown


def advice(induction: Induction, failure: Failure, exprs: Iterable[ir.Expr]) -> str:
    """Return the position of a failure, as far as expressions read it, and what would help; "" if there is none."""
    if failure.model is None:
        return ""
    names = induction.system.evaluator.context.dependencies.reads(exprs)
    parts = [*_parts(induction, failure.model, names)][:MOST_PARTS]
    if not parts:
        return ""
    return f"; perhaps no game gets to {', '.join(parts)}: an `always` of the text can say so"


def _parts(induction: Induction, model: Model, names: Collection[str]) -> Iterator[str]:
    """Yield the value of each state, and the number of tiles in each zone, of all players if each has one."""
    rules, state = induction.system.rules, induction.state
    instance = induction.system.evaluator.instance
    for var in rules.vars:
        value = state.vars[var.name]
        values = value if var.each_player else [value]
        if var.name in names and not any(v is BLANK for v in values):
            shown = (_shown(read(model, v), var.type, instance) for v in values)
            yield f"{var.name} = {' '.join(shown)}"
    for zone in rules.zones:
        if zone.name in names:
            lying = state.zones[zone.name]
            bags = [one.bag for one in (lying if zone.each_player else [lying])]
            yield f"size of {zone.name} = {' '.join(str(model.number(how_many_tiles(b))) for b in bags)}"


def _shown(value: Any, kind: Type, instance: Instance) -> str:
    inner = kind.item if isinstance(kind, Opt) else kind
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int() if isinstance(inner, Tile):
            return instance.kinds[value].name
        case int() if isinstance(inner, Seat):
            return f"P{value + 1}"
        case int() | str():
            return str(value)
        case tuple() | list():
            return f"{len(value)} values"
        case _:
            return "some value"
