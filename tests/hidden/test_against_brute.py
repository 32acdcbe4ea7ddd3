"""Logs with unknown tiles of a few random texts; `python -m tests.hidden.against_brute` makes many."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.hidden.against_brute import compare_texts

pytestmark = pytest.mark.property


@pytest.mark.parametrize(
    "seed", [1, 5133, 30014]
)  # tiles that are dealt too often; a reserve whose order is read
def test_logs_of_random_games_are_judged_as_all_ways_to_fill_them_in_say(seed: int) -> None:
    counts: Counter[str] = Counter()
    assert list(compare_texts(seed, 4, counts)) == []
    assert counts["unknown"] == 0
    assert counts["illegal: illegal"] > 0
    assert counts["places"] > 20
    assert counts["counted"] > 10
    assert counts["legal: legal"] + counts["incomplete: incomplete"] > 10
