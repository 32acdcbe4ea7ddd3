"""Rules that were taken out of a text are learned again from games."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from golpae.elaborate.check import check
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.learn.answer import learned
from golpae.learn.replays import Replays
from golpae.learn.sets import played_with
from golpae.mutate.recorded import Trace
from golpae.syntax import tree as t
from tests.learning.dropped import find_again, played
from tests.learning.sticks import TEXT, sticks

GAMES = 40

LEARNED = {
    "any-tile": "drop play.like",
    "sizes-alone": "replace alike: t's size = u's size",
    "must-play": "add draw.learned: top of pile is not none and (no t in p's hand: alike(t, top of pile)) "
    '"no recorded game does this"',
    "by-tiles": "replace payout.paid: when winner is not none: for each q in players - winner: "
    "q pays winner size of q's hand",
    "stake-and-tiles": "replace payout.paid: when winner is not none: for each q in players - winner: "
    "q pays winner stake + size of q's hand",
    "no-sixes": "add tiles.withdrawn: {6a, 6a, 6b, 6b}",
    "one-less": "add tiles.withdrawn: if size of players = 2 then {5a, 6a, 5b, 6b} else {}",
}


@pytest.mark.parametrize("switch", LEARNED)
def test_a_variant_that_was_taken_out_is_found(switch: str) -> None:
    found = find_again(sticks(), switch, GAMES, 1)
    assert found.same
    assert found.held >= GAMES
    best = found.answer.best
    assert best is not None
    assert best.legal == found.answer.games
    assert best.variant is not None
    said = " ".join(best.variant.split())
    assert said.startswith('variant learned "')
    assert LEARNED[switch] in said


def test_games_of_the_text_teach_nothing() -> None:
    loaded = sticks()
    games = [*played(check(resolve("sticks", loaded)), "sticks", GAMES, 5)]
    answer = learned(loaded, "sticks", games)
    assert answer.legal == answer.games == len(games)
    assert answer.best is None


def test_a_game_that_was_recorded_wrongly_hides_no_rule() -> None:
    loaded = sticks()
    without = replace(loaded, decls=tuple(d for d in loaded.decls if not isinstance(d, t.Variant)))
    games = [*played(check(resolve("sticks+any-tile", loaded)), "sticks", GAMES, 1)]
    games[7] = wrong(games[7])
    answer = learned(without, "sticks", games)
    assert answer.best is not None
    assert answer.best.said == (("play.like", "dropped"),)
    assert [number for number, _ in answer.best.illegal] == [7]


def test_odd_events_and_other_numbers_of_players_do_not_matter_to_a_set() -> None:
    loaded = sticks()
    without = replace(loaded, decls=tuple(d for d in loaded.decls if not isinstance(d, t.Variant)))
    rules = check(resolve("sticks", without))
    games = [*played(check(resolve("sticks+no-sixes", loaded)), "sticks", 24, 1)]
    two = [game for game in games if len(game.header.players) == 2]
    odd = replace(two[0], events=({"do": ["deal"]}, {"do": {}}, None, *two[0].events))
    (edit,) = played_with(without, Replays(rules), [odd, *two])
    assert edit.said == "if size of players = 2 then {6a, 6a, 6b, 6b} else {}"
    (edit,) = played_with(without, Replays(rules), [odd, *games])
    assert edit.said == "{6a, 6a, 6b, 6b}"


def test_a_set_that_the_language_cannot_write_is_not_learned() -> None:
    hearts = load_text(TEXT.replace('"{size}a"', '"{size}\u2660"').replace("{6a, 6a, 6b, 6b}", "a-tiles"))
    without = replace(hearts, decls=tuple(d for d in hearts.decls if not isinstance(d, t.Variant)))
    rules = check(resolve("sticks", without))
    games = [*played(rules, "sticks", 12, 1)]
    fewer = [
        replace(
            game,
            events=tuple(
                event and {key: _without(value, "6\u2660") for key, value in event.items()}
                for event in game.events
            ),
        )
        for game in games
    ]
    assert played_with(without, Replays(rules), fewer) == []


def _without(value: object, tile: str) -> object:
    """Return a value of an event without a tile."""
    return [_without(one, tile) for one in value if one != tile] if isinstance(value, list) else value


def wrong(game: Trace) -> Trace:
    """Return a game with an event of somebody whose turn it is not."""
    at = random.Random(1).randrange(2, 5)
    event = game.events[at]
    assert event is not None
    by = event["by"]
    assert isinstance(by, int)
    other = {**event, "by": (by + 1) % len(game.header.players)}
    return replace(game, events=(*game.events[:at], other, *game.events[at + 1 :]))
