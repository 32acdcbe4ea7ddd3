"""Parts that are put into a text and checked together; those with faults are left out.

Input: parts by number or name, how a text is made with some of them, and which of them its faults are about.
Output: what is made, with the parts that it has.
Guarantee: if a fault is about no part, halves are looked at by themselves, until each part alone has a fault or none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TypeVar

from golpae.diagnostics import SpecError

Key = TypeVar("Key")
Part = TypeVar("Part")
Made = TypeVar("Made")


def meaningful(
    parts: Mapping[Key, Part],
    make: Callable[[dict[Key, Part]], Made],
    at_fault: Callable[[SpecError, dict[Key, Part]], set[Key]],
    most_rounds: int | None = None,
) -> list[tuple[dict[Key, Part], Made]]:
    """Return what is made of parts that mean something, each time with these parts.

    `make` raises `SpecError`, and `at_fault` says which of the parts that was about. None is left after `most_rounds`.
    """
    left = dict(parts)
    rounds = 0
    while left and rounds != most_rounds:
        rounds += 1
        try:
            return [(left, make(left))]
        except SpecError as fault:
            bad = at_fault(fault, left)
        if bad:
            left = {key: part for key, part in left.items() if key not in bad}
        elif len(left) == 1:
            return []
        else:
            items = iter(left.items())
            halves = dict(islice(items, len(left) // 2)), dict(items)
            return [one for half in halves for one in meaningful(half, make, at_fault, most_rounds)]
    return []
