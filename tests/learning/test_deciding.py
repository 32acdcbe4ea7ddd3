"""Games that tell two rule sets apart."""

from __future__ import annotations

import pytest

from golpae.elaborate.check import check
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.deciding import Deciding, deciding
from golpae.learn.replays import Replays
from golpae.mutate.recorded import Trace
from golpae.trace import read_header
from golpae.trace.header import Header
from tests.learning.dropped import played
from tests.learning.sticks import sticks

SWITCHES = ("any-tile", "sizes-alone", "must-play", "by-tiles", "no-sixes", "one-less")


def rules(name: str) -> RuleSet:
    return check(resolve(name, sticks()))


def as_trace(game: Deciding) -> Trace:
    header = read_header(
        {"golpae": 1, "rules": "sticks", "players": [*game.players], "options": {**game.options}}
    )
    assert isinstance(header, Header)
    return Trace("deciding", header, tuple(dict(event) for event in game.events))


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("turned", [False, True])
def test_one_of_two_rule_sets_allows_the_whole_game_and_the_other_all_but_its_end(
    switch: str, turned: bool
) -> None:
    one, other = rules("sticks"), rules(f"sticks+{switch}")
    if turned:
        one, other = other, one
    games = [*played(rules("sticks"), "sticks", 8, 1)]
    found = deciding(one, other, games)
    assert found is not None
    allowing, refusing = (other, one) if found.by_other else (one, other)
    trace = as_trace(found)
    assert Replays(allowing).outcome(trace).legal
    outcome = Replays(refusing).outcome(trace)
    assert outcome.events == len(found.events) - 1
    assert outcome.refused_by == found.clause
    again = deciding(one, other, games)
    assert again == found


def test_no_game_tells_a_rule_set_from_itself() -> None:
    games = [*played(rules("sticks"), "sticks", 4, 1)]
    assert deciding(rules("sticks"), rules("sticks"), games) is None


def test_the_tables_are_those_of_the_recorded_games() -> None:
    games = [game for game in played(rules("sticks"), "sticks", 8, 1) if len(game.header.players) == 3]
    found = deciding(rules("sticks"), rules("sticks+any-tile"), games)
    assert found is not None
    assert found.players == games[0].header.players
    assert (
        deciding(rules("sticks"), rules("sticks+one-less"), games) is None
    )  # they differ only with two players
