"""A solver's model, read back: a table of unknown values as it is in the model, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from golpae.prove.algebra import Bag, Group, Pick, Value
from golpae.prove.encode import Rules
from golpae.prove.state import Table, Zone


def read(model: Any, value: Value) -> Any:
    """A value as it is in a model: a plain one, a sorted tuple for a bag."""
    if isinstance(value, Pick):
        for guard, plain in value.cases:
            if guard is True or z3.is_true(model.eval(guard, model_completion=True)):
                return read(model, plain)
        raise ValueError("no case of a value holds")
    if isinstance(value, Bag):
        out: list[Any] = []
        for key, count in value.items():
            out += [key] * read(model, count)
        return tuple(sorted(out, key=repr))
    if isinstance(value, z3.BoolRef):
        return z3.is_true(model.eval(value, model_completion=True))
    if isinstance(value, z3.ArithRef):
        return model.eval(value, model_completion=True).as_long()
    if isinstance(value, list):
        return [read(model, v) for v in value]
    return value


def said(rules: Rules, value: Any) -> str:
    """A plain tile, group or bag of them in words."""
    kinds = rules.eval.instance.kinds
    if isinstance(value, Group):
        return "+".join(kinds[t].name for t in value.tiles) + (f" ({value.label})" if value.label else "")
    if isinstance(value, int) and not isinstance(value, bool):
        return kinds[value].name
    return " ".join(said(rules, v) for v in value) if isinstance(value, tuple) else str(value)


def shown(rules: Rules, table: Table, model: Any) -> str:
    """A table in a model, a line a part; what is empty, none or no is left out."""
    return "\n".join(_lines(rules, table, model))


def _lines(rules: Rules, table: Table, model: Any) -> Iterator[str]:
    yield f"{read(model, table.at)}; winner {read(model, table.winner)}"
    for name, found in table.zones.items():
        zones: list[Zone] = found if isinstance(found, list) else [found]
        for seat, zone in enumerate(zones):
            tiles = read(model, zone.bag)
            if tiles:
                whose = f"{seat}'s " if isinstance(found, list) else ""
                yield f"{whose}{name}: {said(rules, tiles)}"
                if zone.row is not None and zone.row.back is not None:
                    end = read(model, zone.row.back)
                    yield f"  at its back: {end if end == '?' else said(rules, end)}"
    for var in rules.rules.vars:
        value = read(model, table.vars[var.name])
        if value is not None and value is not False and value != ():
            from golpae.ir.types import Opt, Tile

            tile = var.type in (Tile(), Opt(Tile())) and isinstance(value, int)
            yield f"{var.name}: {said(rules, value) if tile or isinstance(value, tuple) else value}"
