"""Comments: formatting keeps each of them, in its block and in its order."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from golpae.diagnostics import Text
from golpae.syntax import format as style
from golpae.syntax.parse import parse
from tests.committed import TOP
from tests.syntax.sprinkled import check_comments

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
PATHS = {
    path.name: path
    for folder in ("spec", "docs/examples", "tests/games")
    for path in sorted((TOP / folder).glob("*.golpae"))
}


@cache
def bare(name: str) -> str:
    """Return a text in the style, without its comments."""
    text = re.sub(r"#.*", "", PATHS[name].read_text(encoding="utf-8"))
    return style.format_text(parse(Text.of(name, text)))


BLOCKS = st.deferred(lambda: st.sampled_from([block for name in PATHS for block in bare(name).split("\n\n")]))


@settings(unhurried, max_examples=150)
@given(
    st.lists(BLOCKS, min_size=1, max_size=3).map("\n\n".join),
    st.integers(1, 40),
    st.randoms(),
)
def test_comments_keep_block_and_order(source: str, many: int, chance: random.Random) -> None:
    check_comments(source, many, chance.randrange)


@pytest.mark.parametrize("name", PATHS)
def test_comments_at_many_places_of_a_whole_text(name: str) -> None:
    source = bare(name)
    check_comments(source, source.count("\n"), random.Random(name).randrange)
