"""Intervals of estimates."""

from __future__ import annotations

import random
from math import sqrt
from statistics import fmean, stdev

import pytest

from golpae.intervals import Z, mean_interval, wilson


def test_the_interval_of_a_mean_is_the_usual_one() -> None:
    rng = random.Random(1)
    numbers = [rng.randrange(-50, 50) for _ in range(200)]
    mean, low, high = mean_interval(len(numbers), sum(numbers), sum(n * n for n in numbers))
    half = Z * stdev(numbers) / sqrt(len(numbers))
    assert (mean, low, high) == pytest.approx((fmean(numbers), fmean(numbers) - half, fmean(numbers) + half))


def test_equal_numbers_have_no_spread_however_large() -> None:
    huge = 10**40
    assert mean_interval(3, 3 * huge, 3 * huge * huge) == (1e40, 1e40, 1e40)
    assert mean_interval(1, 7, 49) == (7, 7, 7)
    with pytest.raises(ValueError, match="nothing"):
        mean_interval(0, 0, 0)


def test_wilson_holds_at_the_ends_and_in_the_middle() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert (wilson(0, 10)[0], wilson(10, 10)[1]) == (0.0, 1.0)
    for count, of in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="no share"):
            wilson(count, of)
