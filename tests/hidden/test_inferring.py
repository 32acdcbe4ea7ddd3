"""What is certain of hidden tiles in a game of jjak. Tiny games are held against all ways in `against_brute`."""

from __future__ import annotations

import pytest

from golpae.hidden.inferring import InferredHand, infer
from tests.hidden.game_of_jjak import GAME, changed, report_on


def known(*events: dict[str, object], why: bool = False) -> list[InferredHand]:
    """Return what is certain of a game of jjak, whose deal has hidden tiles."""
    report = report_on(events)
    assert report.end is not None
    assert report.outcome.completion is not None
    machine, header, _ = report.end
    return [*infer(machine, header, machine.new_state(1), events, report.outcome.completion, why)]


def test_what_can_lie_in_a_hidden_place_is_found_and_counted() -> None:
    [hand] = known(*changed(e1={"hands": [["?", "3-1", "5-1", "4-4", "1-1"], GAME[0]["hands"][1]]}))
    [tile, reserve] = hand.places
    assert (tile.place.key, tile.place.seat, tile.place.tiles) == ("hands", 0, 1)
    assert not tile.certain
    assert not tile.open
    assert set(tile.possible) >= {"6-1", "6-4"}
    assert "6-6" not in tile.possible  # Bo was dealt both
    assert hand.ways.exact
    assert hand.ways.low == len(tile.possible)
    assert reserve.place.tiles == 21
    assert tile.shares == dict.fromkeys(tile.possible, pytest.approx(1 / hand.ways.low))


def test_a_certain_tile_has_its_reason() -> None:
    events = changed(e1={"hands": [GAME[0]["hands"][0], 6]})
    [hand] = known(*events, why=True)
    own = hand.places[0]
    assert own.certain == ("6-6", "6-6", "2-2", "6-3", "5-4", "4-2")
    assert {event for event, _ in own.why["4-2"]} == {4}
    assert hand.ways.low == hand.ways.high == 1


def test_at_the_end_of_a_game_that_breaks_off_the_zones_are_told() -> None:
    [hand] = known(*changed(e1={"hands": [5, GAME[0]["hands"][1]]})[:4])
    zones = {(one.place.key, one.place.seat): one for one in hand.places if one.place.is_zone}
    assert ("hand", 0) in zones
    assert zones["hand", 0].place.tiles == 5
    assert "6-6" not in zones["hand", 0].possible


def test_more_of_a_certain_tile_is_possible() -> None:
    [hand] = known(*changed(e1={"hands": [5, GAME[0]["hands"][1]]}))
    [reserve] = [one for one in hand.places if one.place.key == "reserve"]
    assert "5-5" in reserve.certain
    assert "5-5" in reserve.more
    assert reserve.is_sized
