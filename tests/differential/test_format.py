"""Random texts in the one style: the same meaning, the same text the second time, no line too wide."""

from __future__ import annotations

import random

import pytest

from golpae.diagnostics import Text
from golpae.syntax import format as style
from golpae.syntax.parse import parse
from tests.differential.texts import draft
from tests.syntax.reading import too_wide
from tests.syntax.sprinkled import check_comments


@pytest.mark.parametrize("first", [0, 1000])
def test_a_random_text_keeps_its_meaning_and_the_width(first: int) -> None:
    for seed in range(first, first + 10):
        made = draft(seed)
        if made is None:
            continue
        tree = parse(Text.of("made", made.source))
        once = style.format_text(tree)
        again = parse(Text.of("made", once))
        assert again == tree, seed
        assert style.format_text(again) == once, seed
        assert too_wide(once) == [], seed


@pytest.mark.parametrize("first", [0, 1000])
def test_a_random_text_keeps_its_comments(first: int) -> None:
    for seed in range(first, first + 10):
        made = draft(seed)
        if made is None:
            continue
        source = style.format_text(parse(Text.of("made", made.source)))
        check_comments(source, source.count("\n"), random.Random(seed).randrange)
