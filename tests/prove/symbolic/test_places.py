"""The places of a row are computed when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3

from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import PARTS
from golpae.prove.symbolic.values import Bag, Value, bag_of, same
from golpae.prove.symbolic.zones import PLACES, Places, SymbolicRow, Tracking, Zone, merged_zones, put, take

LINE = Tracking("line", front=True, back=True, may_hide=False, places=True)
CAN_LIE = z3.Bool("can lie")


def row(made: list[int]) -> Zone:
    """Return a row of two tiles whose places note that they are computed."""

    def place(number: int) -> Callable[[], Value]:
        def make() -> Value:
            made.append(number)
            return (0, 1)[number] if number < 2 else None

        return make

    places = Places([place(number) for number in range(PLACES)])
    return Zone(Bag({0: 1, 1: 1}), SymbolicRow(0, 1, places=places))


def test_a_move_computes_no_place_but_the_front() -> None:
    made: list[int] = []
    symbols = SymbolFactory("")
    for end in ("front", "back"):
        zone = put(row(made), bag_of([2]), end, 2, symbols, LINE)
        merged_zones([(CAN_LIE, zone), (z3.Not(CAN_LIE), row(made))])
    assert {*made} <= {0}
    made.clear()
    take(row(made), bag_of([0]), "front", symbols, LINE)
    assert made == [1]  # the new front


@pytest.mark.parametrize(("end", "lying"), [("front", [2, 0, 1, None]), ("back", [0, 1, 2, None])])
def test_a_place_is_what_it_was_before(end: str, lying: list[int | None]) -> None:
    made: list[int] = []
    zone = put(row(made), bag_of([2]), end, 2, SymbolFactory(""), LINE)
    assert zone.row is not None
    assert list(zone.row.places[:4]) == lying
    assert list(zone.row.places[:4]) == lying
    assert len(made) == len(set(made))


def test_what_a_place_is_made_of_counts_for_nobody() -> None:
    zone = merged_zones(
        [(CAN_LIE, row([])), (z3.Not(CAN_LIE), Zone(Bag({}), SymbolicRow(places=(None,) * PLACES)))]
    )
    assert zone.row is not None
    with parts_apart():
        before = PARTS.left
        first = zone.row.places[0]
        assert PARTS.left == before
    assert str(same(first, 0)) == "can lie"
