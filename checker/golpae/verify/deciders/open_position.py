"""A position that induction cannot rule out, in words: what the solver found where a proof fails.

Input: an induction, a failure of it, and the states and zones that matter.
Output: the values of these states and how many tiles lie in these zones, and what would help.
Guarantee: nothing is decided here. The position may be one that no game reaches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from golpae.diagnostics.diagnostic import quoted_list
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import PropertyDecl, ZoneDecl
from golpae.ir.types import TILE, Opt, Seat, Tile, Type
from golpae.prove.induction.candidate import START, Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.model import Model, read
from golpae.prove.symbolic.values import BLANK, how_many_tiles
from golpae.prove.symbolic.zones import HIDDEN

MOST_PARTS = 12  # of a position that are shown


def advice(induction: Induction, failure: Failure, exprs: Iterable[ir.Expr]) -> str:
    """Return the position of a failure, as far as expressions read it, and what would help; "" if there is none."""
    if failure.model is None:
        return ""
    names = induction.system.evaluator.context.dependencies.reads(exprs)
    parts = [*_parts(induction, failure.model, names)][:MOST_PARTS]
    if not parts:
        return ""
    refused = failure.refused
    fail = f", where {quoted_list(refused)} {'fails' if len(refused) == 1 else 'fail'}" if refused else ""
    return f"; perhaps no game gets to {', '.join(parts)}{fail}: an `always` of the text can say so"


def what_fails_first(induction: Induction, prop: PropertyDecl) -> str:
    """Return which other property of the text fails before this one, which may need it; "" if there is none."""
    proved = {c.name for c in induction.invariants}
    stated = {p.name for p in induction.system.rules.properties if p.after is None} - proved
    for name, failure in induction.failures.items():
        if name == prop.name:
            break
        if name in stated and failure.where not in ("", START):
            return f"; it may need `{name}`, which may fail after `{failure.where}`: decide that first"
    return ""


def _parts(induction: Induction, model: Model, names: Collection[str]) -> Iterator[str]:
    """Yield the value of each state, and the number of tiles in each zone, of all players if each has one."""
    rules, state = induction.system.rules, induction.state
    instance = induction.system.evaluator.instance
    for var in rules.vars:
        value = state.vars[var.name]
        values = value if var.each_player else [value]
        if var.name in names and not any(v is BLANK for v in values):
            shown = [_shown(read(model, v), var.type, instance) for v in values]
            yield f"{var.name} = {of_each(shown, var.each_player)}"
    for zone in rules.zones:
        if zone.name in names:
            lying = state.zones[zone.name]
            bags = [one.bag for one in (lying if zone.each_player else [lying])]
            sizes = [str(model.number(how_many_tiles(bag))) for bag in bags]
            yield f"size of {zone.name} = {of_each(sizes, zone.each_player)}"
            yield from _ends(induction, model, zone)


def _ends(induction: Induction, model: Model, zone: ZoneDecl) -> Iterator[str]:
    """Yield lines on the tiles at the ends of a row that rules read, of all players if each has one."""
    system, lying = induction.system, induction.state.zones[zone.name]
    tracked = system.states.tracking.get(zone.name)
    rows = [one.row for one in (lying if zone.each_player else [lying])]
    for end in ("front", "back"):
        if tracked is not None and getattr(tracked, end):
            tiles = [_end(read(model, getattr(row, end)), system.evaluator.instance) for row in rows]
            yield f"{end} of {zone.name} = {of_each(tiles, zone.each_player)}"


def of_each(values: list[str], each_player: bool) -> str:
    """Return the value of each player, with the player's name."""
    if len(set(values)) == 1:
        return values[0] + (" for everyone" if each_player else "")
    *first, last = (f"{value} for P{seat}" for seat, value in enumerate(values))
    return f"{', '.join(first)} and {last}"


def _end(value: Any, instance: Instance) -> str:
    """Return the tile at an end of a row, in words; of a hidden tile nobody knows which one it is."""
    return "a hidden tile" if value == HIDDEN else _shown(value, TILE, instance)


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
            return f"P{value}"
        case int() | str():
            return str(value)
        case tuple() | list():
            return f"{len(value)} values"
        case _:
            return "some value"
