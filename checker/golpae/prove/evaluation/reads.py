"""What a definition reads of a state, itself and through others, and what a score reads.

Input: definitions and scores. Output: for each the states, zones and words of the game that its value depends on; each
with the parameter whose seat it is about, if it is about one. Guarantee: if two states agree in all of them, the
definition or score has the same value for the same arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import read_by
from golpae.ir.ruleset import Definition, ScoreDecl
from golpae.ir.scoring import exprs_of_score
from golpae.ir.structure import ReadKind
from golpae.ir.traverse import asks_earlier, bound_in, names_in, nodes
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Value
from golpae.prove.symbolic.zones import Places, Zone


@dataclass(frozen=True, slots=True)
class StatePart:
    """A part of a state: of the seat that the parameter with this number is, or (None) of all seats."""

    of: ReadKind
    name: str
    param: int | None = None


class DefinitionReads:
    """What definitions and scores read, each computed once."""

    def __init__(self, definitions: Mapping[str, Definition], scores: Mapping[str, ScoreDecl]) -> None:
        self._definitions, self._scores = definitions, scores
        self._of_scores: dict[str, tuple[StatePart, ...]] = {}
        self._reads: dict[str, tuple[StatePart, ...]] = {}
        self._bodies: dict[int, tuple[ir.Expr, tuple[StatePart, ...] | None]] = {}

    def of_body(self, expr: ir.Expr, name: str) -> tuple[StatePart, ...] | None:
        """Return the parts of the state that an expression reads in which one name stands for a seat.

        None if it depends on other names too, or on the state before the event.
        """
        if id(expr) not in self._bodies:
            bound = bound_in(expr)
            alone = names_in(expr) <= {name} | bound and name not in bound
            alone = alone and not asks_earlier(expr)
            reads = tuple(dict.fromkeys(self._in(expr, {name: 0}))) if alone else None
            self._bodies[id(expr)] = (
                expr,
                reads,
            )  # the expression is referenced, so that its number stays its own
        return self._bodies[id(expr)][1]

    def of_expr(self, expr: ir.Expr) -> tuple[StatePart, ...]:
        """Return the parts of the state that an expression reads, of all seats, always in the same order."""
        return tuple(dict.fromkeys(self._in(expr, {})))

    def of(self, name: str) -> tuple[StatePart, ...]:
        """Return the parts of the state that a definition reads, always in the same order."""
        if name not in self._reads:
            definition = self._definitions[name]
            params = {p.name: i for i, p in enumerate(definition.params)}
            reads = dict.fromkeys(r for c in definition.cases for r in self._in(c.expr, params))
            self._reads[name] = tuple(reads)
        return self._reads[name]

    def of_score(self, name: str) -> tuple[StatePart, ...]:
        """Return the parts of the state that a score reads, of all seats, always in the same order."""
        if name not in self._of_scores:
            exprs = exprs_of_score(self._scores[name])
            self._of_scores[name] = tuple(
                dict.fromkeys(read for expr in exprs for read in self._in(expr, {}))
            )
        return self._of_scores[name]

    def _in(self, expr: ir.Expr, params: Mapping[str, int]) -> Iterator[StatePart]:
        bound = bound_in(expr)

        def own(seat: ir.Expr | None) -> int | None:
            return params.get(seat.name) if isinstance(seat, ir.Local) and seat.name not in bound else None

        for node in nodes(expr):
            direct = read_by(node)
            if direct is not None:
                yield StatePart(direct.kind, direct.name, own(direct.seat) if direct.kind != "word" else None)
            if isinstance(node, ir.CallDef):
                for read in self.of(node.name):
                    at = None if read.param is None else own(node.args[read.param])
                    yield StatePart(read.of, read.name, at)
            if isinstance(node, ir.CallScore):
                yield from self.of_score(node.name)


def values_read(
    reads: tuple[StatePart, ...], args: tuple[Value, ...], state: SymbolicState
) -> tuple[Any, ...]:
    """Return the values of a state that are read."""
    return tuple(_value(read, args, state) for read in reads)


def _value(read: StatePart, args: tuple[Value, ...], state: SymbolicState) -> Any:
    match read.of:
        case "state":
            value: Any = state.vars[read.name]
        case "zone":
            value = state.zones[read.name]
        case "word":
            value = {
                "stake": state.stake,
                "winner": state.winner,
                "over": state.at,
                "hands-played": state.hands_played,
                "total": state.total,
            }[read.name]
        case _:
            assert_never(read.of)
    seat = None if read.param is None else args[read.param]
    if isinstance(seat, int) and isinstance(value, list):
        value = value[seat]
    return _parts(value)


def _parts(value: Any) -> Any:
    if isinstance(value, list):
        return [_parts(v) for v in value]
    if isinstance(value, Zone):
        row = value.row
        if row is None:
            return [value.bag]
        places = [row.places] if isinstance(row.places, Places) else row.places
        return [value.bag, row.front, row.back, row.hidden, *places]
    return value
