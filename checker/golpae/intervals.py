"""How far an estimate may be from the truth.

Input: how many of how many cases; or how many numbers, their sum and the sum of their squares.
Output: the bounds of an interval at 95 %.
Guarantee: Wilson's interval is right at shares of 0 and 1 and for small numbers too. That of a mean is right for many
cases.
Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the bounds of a share that was estimated as `count` of `of` independent cases."""
    if not 0 <= count <= of or of == 0:
        raise ValueError(f"{count} of {of} is no share")
    share, spread = count / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return (0.0 if count == 0 else middle - half), (1.0 if count == of else middle + half)


def mean_interval(count: int, total: int, squares: int) -> tuple[float, float, float]:
    """Return the mean of `count` independent whole numbers, and its bounds; `squares` is the sum of their squares.

    Of a single number nobody knows how far it is from the mean; its bounds are the number itself.
    """
    if count < 1:
        raise ValueError("there is no mean of nothing")
    mean = total / count
    if count == 1:
        return mean, mean, mean
    spread = (count * squares - total * total) / (count * (count - 1))  # exact until the division
    half = Z * sqrt(max(0.0, spread) / count)
    return mean, mean - half, mean + half
