"""Characters that are not shown, and the joiner between emoji, which is."""

from __future__ import annotations

import pytest

from golpae.diagnostics import SpecError, Text
from golpae.diagnostics.hidden import hidden, on_one_line
from golpae.syntax.parse import parse
from golpae.trace import quoted

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f\u200d\U0001f525"  # with the selector of pictures before the joiner
DARK = "\U0001f9d1\U0001f3fd\u200d\u2708\ufe0f"  # with the colour of a skin before the joiner


@pytest.mark.parametrize("name", [FAMILY, HEART, DARK])
def test_a_joiner_between_emoji_stays(name: str) -> None:
    assert on_one_line(name) == name
    assert quoted(name) == f"`{name}`"
    assert hidden().search(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "a\u200db",
        "\u200d\U0001f467",
        "\U0001f469\u200d",
        "\U0001f469\u200d\u200d\U0001f467",
        "\U0001f469\u200da",
        "1\ufe0f\u200d\U0001f467",
        "\u202eabc",
        "\u2066abc\u2069",
        f"{FAMILY}\u202e",
    ],
)
def test_any_other_joiner_and_every_mark_of_direction_goes(name: str) -> None:
    assert FAMILY in name or on_one_line(name).count("\u200d") == 0
    assert hidden().search(on_one_line(name)) is None
    assert "\u202e" not in quoted(name)
    assert hidden().search(name) is not None


def test_a_title_may_hold_emoji_of_several_parts() -> None:
    parse(Text.of("sea", f'game sea "{FAMILY}"\n'))
    with pytest.raises(SpecError):
        parse(Text.of("sea", 'game sea "a\u200db"\n'))
