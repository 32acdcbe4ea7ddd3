"""How far an estimated share may be from the true one.

Input: how many of how many cases.
Output: the Wilson interval at 95 %.
Guarantee: it is right at shares of 0 and 1 and for small numbers too.
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
