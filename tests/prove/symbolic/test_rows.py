"""Tiles without an order that arrive in a row lie there as replay says."""

from __future__ import annotations

from itertools import product

import pytest
import z3

from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import Bag, Value, bag_of, cases
from golpae.prove.symbolic.zones import HIDDEN, PLACES, SymbolicRow, Tracking, Zone, put_unordered
from golpae.replay import runtime

LINE = Tracking("line", front=True, back=True, may_hide=True, places=True)
BEFORE: list[tuple[list[int], list[int]]] = [  # the places, and the tiles of the hidden ones
    ([], []),
    ([0], []),
    ([0, 1, 2], []),
    ([runtime.HIDDEN, 1], [0]),
    ([2, runtime.HIDDEN, runtime.HIDDEN], [0, 2]),
]
ARRIVING = [[], [1], [2], [1, 1], [0, 1], [0, 1, 2]]


def in_prover(row: runtime.Row) -> Zone:
    lying = [HIDDEN if tile == runtime.HIDDEN else tile for tile in row.slots]
    ends = (lying[0], lying[-1]) if lying else (None, None)
    places = (*lying, *(None for _ in range(PLACES - len(lying))))
    return Zone(bag_of(row.all()), SymbolicRow(ends[0], ends[1], bag_of(row.hidden), places))


def plain(value: Value, known: z3.ModelRef) -> Value:
    """Return the value that an unknown one has in a model."""
    there = [
        v for guard, v in cases(value) if z3.is_true(known.eval(z3.BoolVal(True) if guard is True else guard))
    ]
    assert len(there) == 1
    return there[0]


def number(count: Value, known: z3.ModelRef) -> int:
    return count if isinstance(count, int) else known.eval(count).as_long()


@pytest.mark.parametrize("end", ["front", "back", None])
@pytest.mark.parametrize("is_known", [True, False])
def test_tiles_without_an_order_lie_as_replay_says(end: str | None, is_known: bool) -> None:
    for (slots, hidden), arriving in product(BEFORE, ARRIVING):
        row = runtime.Row(slots, hidden)
        unknown = {kind: z3.Int(f"arriving {kind}") for kind in range(3)}
        solver = z3.Solver()
        solver.add(*(unknown[kind] == arriving.count(kind) for kind in unknown))
        assert solver.check() == z3.sat
        known = solver.model()
        tiles = bag_of(arriving) if is_known else Bag(dict(unknown))
        zone = put_unordered(in_prover(row), tiles, end, SymbolFactory(""), LINE)
        row.put_hidden(arriving, 0 if end == "front" else -1)
        expected = in_prover(row)
        assert zone.row is not None
        assert expected.row is not None
        for one, other in ((zone.bag, expected.bag), (zone.row.hidden, expected.row.hidden)):
            assert [number(one.count(k), known) for k in range(3)] == [other.count(k) for k in range(3)]
        for one, other in zip(
            (zone.row.front, zone.row.back, *zone.row.places),
            (expected.row.front, expected.row.back, *expected.row.places),
            strict=True,
        ):
            assert plain(one, known) == other
