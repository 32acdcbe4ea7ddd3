"""Hypothesis draws games, positions and spoilt games, and what it finds is short."""

from __future__ import annotations

import json

import pytest
from hypothesis import find, given, settings

import golpae
from golpae import Game, TableError
from golpae.testing import Spoilt, games, positions, spoilt

FEW = settings(max_examples=8, deadline=None)


@FEW
@given(games("jjak", hands=2))
def test_a_game_is_legal_and_its_hands_are_over(game: Game) -> None:
    checked = golpae.check(game.lines())
    assert checked.verdict == golpae.Verdict.LEGAL
    assert [event.do for event in game.events].count("end") == 2


@FEW
@given(positions("three-dozen", players=3, options={"double": 7}))
def test_a_position_is_one_of_a_game(game: Game) -> None:
    assert game.events[0].do == "deal"
    assert len(game.players) == 3
    assert golpae.check(game.lines()).verdict in (golpae.Verdict.INCOMPLETE, golpae.Verdict.LEGAL)


@FEW
@given(spoilt(golpae.load("ho-hpai").at(4)))
def test_the_rules_refuse_a_spoilt_game_at_its_last_event(case: Spoilt) -> None:
    assert not case.refused.malformed
    checked = golpae.check([*case.game.lines(), json.dumps(case.event)])
    assert (checked.verdict, checked.clause) == (golpae.Verdict.ILLEGAL, case.refused.clause)
    assert checked.event == len(case.game.events) + 1


def test_what_is_found_is_short_and_has_low_tiles() -> None:
    # A wish for one kind of event would tie what is dealt to which of the events is drawn: hypothesis may then end at
    # tiles of which only two choices at once lead to lower ones.
    game = find(
        positions("three-dozen", players=2),
        lambda game: len(game.events) > 1,
        settings=settings(max_examples=50, deadline=None, database=None),
    )
    assert len(game.events) == 2
    assert '"hands":[["1-0","1-1","2-0"' in game.events[0].line


def test_wrong_tables_are_told_at_once() -> None:
    with pytest.raises(TableError, match="2 to 4 players"):
        games("jjak", players=5)
    with pytest.raises(golpae.RulesError, match="no rules called `jjac`"):
        spoilt("jjac")
    with pytest.raises(TypeError, match="its players"):
        positions(golpae.load("jjak").at(2), players=2)
