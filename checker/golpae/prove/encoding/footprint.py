"""What a definition reads of a table, itself and through others.

In: definitions. Out: for one of them the states, zones and words of the game that its value depends on, each with
the parameter whose seat is asked for, where it is that of a parameter. Guarantees that two tables which agree in all
of them give the definition the same value for the same arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import read_by
from golpae.ir.ruleset import Definition
from golpae.ir.structure import ReadKind
from golpae.ir.traverse import asks_earlier, bound_in, names_in, nodes
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, Group, Value
from golpae.prove.symbolic.zones import Zone


@dataclass(frozen=True, slots=True)
class Read:
    """Something of a table; of one seat, that of the parameter of this number, or (None) of all."""

    of: ReadKind
    name: str
    param: int | None = None


class Reads:
    """What definitions read, each worked out once."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self._definitions = definitions
        self._found: dict[str, tuple[Read, ...]] = {}
        self._bodies: dict[int, tuple[ir.Expr, tuple[Read, ...] | None]] = {}

    def of_body(self, expr: ir.Expr, name: str) -> tuple[Read, ...] | None:
        """What an expression reads in which one name stands for a seat; None where it speaks of other names too, or
        of what was earlier.
        """
        if id(expr) not in self._bodies:
            bound = bound_in(expr)
            alone = names_in(expr) <= {name} | bound and name not in bound
            alone = alone and not asks_earlier(expr)
            found = tuple(dict.fromkeys(self._in(expr, {name: 0}))) if alone else None
            self._bodies[id(expr)] = (expr, found)  # the expression is kept, so that its number stays its own
        return self._bodies[id(expr)][1]

    def of(self, name: str) -> tuple[Read, ...]:
        """What a definition reads, in an order that is always the same."""
        if name not in self._found:
            definition = self._definitions[name]
            params = {p.name: i for i, p in enumerate(definition.params)}
            found = dict.fromkeys(r for c in definition.cases for r in self._in(c.expr, params))
            self._found[name] = tuple(found)
        return self._found[name]

    def _in(self, expr: ir.Expr, params: Mapping[str, int]) -> Iterator[Read]:
        bound = bound_in(expr)

        def own(seat: ir.Expr | None) -> int | None:
            return params.get(seat.name) if isinstance(seat, ir.Local) and seat.name not in bound else None

        for node in nodes(expr):
            direct = read_by(node)
            if direct is not None:
                yield Read(direct.kind, direct.name, own(direct.seat) if direct.kind != "word" else None)
            if isinstance(node, ir.CallDef):
                for read in self.of(node.name):
                    at = None if read.param is None else own(node.args[read.param])
                    yield Read(read.of, read.name, at)


def values(reads: tuple[Read, ...], args: tuple[Value, ...], table: SymbolicState) -> tuple[Any, ...]:
    """What is read of a table, as values that can be told apart."""
    return tuple(_value(read, args, table) for read in reads)


def _value(read: Read, args: tuple[Value, ...], table: SymbolicState) -> Any:
    match read.of:
        case "state":
            found: Any = table.vars[read.name]
        case "zone":
            found = table.zones[read.name]
        case _:
            found = {
                "stake": table.stake,
                "winner": table.winner,
                "over": table.at,
                "hands-played": table.hands_played,
                "total": table.total,
            }[read.name]
    seat = None if read.param is None else args[read.param]
    if isinstance(seat, int) and isinstance(found, list):
        found = found[seat]
    return _parts(found)


def _parts(found: Any) -> Any:
    if isinstance(found, list):
        return [_parts(f) for f in found]
    if isinstance(found, Zone):
        row = found.row
        return [found.bag, *([] if row is None else [row.front, row.back, row.hidden, *row.places])]
    return found


def identity(value: Any) -> Any:
    """What tells a value that is read from others, as long as it is kept."""
    if isinstance(value, list):
        return tuple(map(identity, value))
    if value is None or isinstance(value, bool | int | str):
        return (value.__class__, value)
    return id(value)


def all_known(values: tuple[Any, ...]) -> bool:
    """Whether nothing of some values is unknown."""
    return all(
        all_known(tuple(v))
        if isinstance(v, list)
        else v.concrete
        if isinstance(v, Bag)
        else v is None or isinstance(v, bool | int | str | Group)
        for v in values
    )
