"""A text with many edits has, for the number of each, the games of the text with this edit alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.learn.edits import put, slips
from golpae.learn.replays import Replays
from golpae.learn.superposed import Alternative, edited, superposed
from golpae.learn.text import flat
from golpae.mutate.judge import silent
from golpae.mutate.recorded import Trace
from tests.learning.dropped import played
from tests.learning.sticks import sticks

EVERY = 9  # of the edits of the text


@pytest.fixture(scope="module")
def text() -> Loaded:
    return silent(flat(sticks(), "sticks"))


@pytest.fixture(scope="module")
def games(text: Loaded) -> list[Trace]:
    by_base = played(check(resolve("sticks", text)), "sticks", 6, 3)
    loaded = sticks()
    others = [
        one
        for switch in ("any-tile", "by-tiles")
        for one in played(check(resolve(f"sticks+{switch}", loaded)), "sticks", 6, 3)
    ]
    return [*by_base, *others]


def alternatives(text: Loaded) -> list[Alternative]:
    named = put(text, check(resolve("sticks", text)), {"alike", "play", "payout", "end"})
    return [*slips(text)[0], *named][::EVERY]


def test_each_number_has_the_games_of_its_edit(text: Loaded, games: list[Trace]) -> None:
    found = superposed(text, alternatives(text))
    held = 0
    for whole in found:
        together = Replays(whole.rules)
        for number, one in whole.numbered.items():
            try:
                alone = Replays(check(resolve("sticks", edited(text, one))))
            except SpecError:
                continue
            outcomes = [(o.events, o.legal) for o in alone.outcomes(games)]
            assert [
                (o.events, o.legal) for o in (together.outcome(game, number) for game in games)
            ] == outcomes, one
            held += 1
    assert held > 40


def test_number_0_has_the_games_of_the_text(text: Loaded, games: list[Trace]) -> None:
    plain = Replays(check(resolve("sticks", text)))
    for whole in superposed(text, alternatives(text)):
        assert [Replays(whole.rules).outcome(game, 0) for game in games] == plain.outcomes(games)


def test_what_is_not_well_typed_is_left_out(text: Loaded) -> None:
    good = [one for one in slips(text)[0] if one.place == "alike"]
    first = good[0]
    seat = next(one for one in slips(text)[0] if one.place == "play.turn" and one.body is not None)
    wrong = replace(first, body=seat.body, said="a player in a definition of tiles")
    (found,) = superposed(text, [*good, wrong])
    assert wrong not in found.numbered.values()
    assert list(found.numbered.values()) == good
