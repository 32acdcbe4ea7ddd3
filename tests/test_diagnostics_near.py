"""Advice that names what the author may have meant."""

from __future__ import annotations

import pytest

from golpae.diagnostics import near


@pytest.mark.parametrize(
    ("word", "words", "nearest"),
    [("2N", ["2n", "2b"], "2n"), ("AND", ["and", "hand"], "and"), ("tiel", ["tile", "by"], "tile")],
)
def test_the_nearest_word_is_advised(word: str, words: list[str], nearest: str) -> None:
    assert near(word, words) == f"did you mean `{nearest}`?"
