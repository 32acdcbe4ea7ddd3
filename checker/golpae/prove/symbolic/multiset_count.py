"""Exact counts of the choices of several members of a bag.

Input: a concrete bag, the size of a choice, and a function of a choice. Output: for each result the number of different
choices that have it, and the number of ways to take them if copies are distinct. Guarantee: the function is called once
for each different choice, so the size of a space is its `different`.

    2 of {red, red, blue}    {red, red} 1 way, {red, blue} 2 ways: 2 different choices, 3 ways
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from math import comb, prod
from typing import Any, TypeVar

MOST_COUNTED = 1_000_000  # different choices that are enumerated
Answer = TypeVar("Answer", bound=Hashable)
Choice = tuple[Any, ...]  # members in the order of the bag, copies side by side


@dataclass(frozen=True, slots=True)
class Count:
    """The number of `different` choices (copies are alike), and of `ways` to take them (copies are distinct)."""

    different: int = 0
    ways: int = 0


def space(copies: Mapping[Any, int], size: int) -> Count:
    """Return the number of choices of so many members."""
    by_size = [1] + [0] * max(0, size)  # different choices of the members looked at so far, by their size
    for often in copies.values():
        by_size = [sum(by_size[n - taken] for taken in range(min(often, n) + 1)) for n in range(len(by_size))]
    return Count(by_size[size], comb(sum(copies.values()), size)) if size >= 0 else Count()


def choices(copies: Mapping[Any, int], size: int) -> Iterator[tuple[Choice, int]]:
    """Yield every different choice of so many members, with the ways to take it."""
    members = [(member, often) for member, often in copies.items() if often > 0]
    left = [0] * (len(members) + 1)  # members from each one on
    for i in range(len(members) - 1, -1, -1):
        left[i] = left[i + 1] + members[i][1]

    def from_on(start: int, missing: int) -> Iterator[tuple[Choice, int]]:
        if missing == 0:
            yield (), 1
        if not 0 < missing <= left[start]:
            return
        member, often = members[start]
        for taken in range(min(often, missing), -1, -1):
            here, ways = (member,) * taken, comb(often, taken)
            for rest, more in from_on(start + 1, missing - taken):
                yield here + rest, ways * more

    yield from from_on(0, size)


def ways_to_take(copies: Mapping[Any, int], choice: Mapping[Any, int]) -> int:
    """Return the number of ways to take a choice if copies are distinct; 0 if the bag has too few."""
    return prod(comb(copies.get(member, 0), taken) for member, taken in choice.items())


def tally(copies: Mapping[Any, int], size: int, function: Callable[[Choice], Answer]) -> dict[Answer, Count]:
    """Return the number of choices for each result; results in the order of their first choice."""
    counts: dict[Answer, list[int]] = {}
    for choice, ways in choices(copies, size):
        both = counts.setdefault(function(choice), [0, 0])
        both[0] += 1
        both[1] += ways
    return {answer: Count(*both) for answer, both in counts.items()}
