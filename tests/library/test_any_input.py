"""Whatever a caller gives: an answer, a `GolpaeError` or a `TypeError`, and a refused event changes nothing."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import golpae

WORDS = st.sampled_from(["6-6", "1m", "?", "do", "by", "tile", "tiles", "hands", "first", "golpae", "rules"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | WORDS, inner, max_size=4)
    ),
    max_leaves=8,
)


@cache
def dealt(rules: str) -> golpae.Game:
    game = golpae.load(rules).at().game()
    assert game.deal(1)
    return game


def try_events(data: st.DataObject) -> None:
    """Give a game an event of its actions with any values."""
    before = dealt(data.draw(st.sampled_from(["jjak", "three-dozen", "ho-hpai", "korean-mahjong"])))
    game = before.copy()
    action = data.draw(st.sampled_from(game.rules.actions))
    tiles = st.sampled_from(game.table.tiles)
    event: dict[str, Any] = {"do": action.name, "by": data.draw(st.integers(-1, 4) | VALUES)}
    event |= {key.name: data.draw(VALUES | tiles | st.lists(tiles, max_size=4)) for key in action.keys}
    try:
        found = game.apply(data.draw(st.just(event) | VALUES))  # type: ignore[arg-type]
    except TypeError:
        return
    if isinstance(found, golpae.Refused):
        assert str(found)
        assert game.lines() == before.lines()
    else:
        assert game.seen_by(1).seat == 1
        assert game.event_seen_by(1).do == found.event.do
        game.undo()
    assert game.position == before.position


def try_calls(value: Any, text: str) -> None:
    """Give any value and any text to what takes one."""
    given = {"win": value}
    for call in (
        lambda: golpae.live(value),
        lambda: golpae.check([value]),
        lambda: golpae.score("korean-mahjong", value),
        lambda: golpae.score("korean-mahjong", ["1m"], given),
        lambda: golpae.load(text),
        lambda: golpae.load_text(f'game any "Any"\n{text}'),
        lambda: golpae.check("{" + text),
        lambda: golpae.load("jjak").plus(text),
    ):
        with suppress(TypeError, golpae.GolpaeError):
            call()


@given(st.data())
@settings(max_examples=40)
def test_any_event_is_accepted_or_refused(data: st.DataObject) -> None:
    try_events(data)


@given(VALUES, st.text(max_size=30))
@settings(max_examples=15)
def test_any_value_gets_an_answer_or_a_known_exception(value: Any, text: str) -> None:
    try_calls(value, text)


@pytest.mark.fuzz
@given(st.data(), VALUES, st.text(max_size=30))
@settings(max_examples=5_000)
def test_many_values_get_an_answer_or_a_known_exception(data: st.DataObject, value: Any, text: str) -> None:
    try_events(data)
    try_calls(value, text)
