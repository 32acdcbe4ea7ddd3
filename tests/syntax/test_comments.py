"""Comments: formatting keeps each of them, in its block and in its order."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from golpae.diagnostics import Text
from golpae.syntax import format as style
from golpae.syntax.parse import parse
from tests.committed import TOP
from tests.syntax.sprinkled import check_comments

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
TEXTS = {
    path.name: style.format_text(
        parse(Text.of(path.name, re.sub(r"#.*", "", path.read_text(encoding="utf-8"))))
    )
    for folder in ("spec", "docs/examples", "tests/games")
    for path in sorted((TOP / folder).glob("*.golpae"))
}
BLOCKS = [block for text in TEXTS.values() for block in text.split("\n\n")]


@settings(unhurried, max_examples=150)
@given(
    st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=3).map("\n\n".join),
    st.integers(1, 40),
    st.randoms(),
)
def test_comments_keep_block_and_order(source: str, many: int, chance: random.Random) -> None:
    check_comments(source, many, chance.randrange)


@pytest.mark.parametrize("name", TEXTS)
def test_comments_at_many_places_of_a_whole_text(name: str) -> None:
    source = TEXTS[name]
    check_comments(source, source.count("\n"), random.Random(name).randrange)
