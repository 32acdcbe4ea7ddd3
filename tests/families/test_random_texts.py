"""What is decided for all combinations of random texts is what each combination alone has."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.families.random_texts import check, no_small_families

pytestmark = [pytest.mark.slow, pytest.mark.solver]


def test_random_texts_agree(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    with no_small_families():
        assert [line for seed in range(11, 16) for line in check(seed, tmp_path, counts)] == []
    assert counts["the same"] > 20
