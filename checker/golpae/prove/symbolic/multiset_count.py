"""Choices of so many members of a bag, counted exactly: how many there are, and of how many something holds.

In: a bag of known members, how many are chosen together, and a question about a choice. Out: for each answer how
many different choices have it, and how many ways there are to take them, where each copy is a member of its own.

    2 of {red, red, blue}    {red, red} 1 way, {red, blue} 2 ways: 2 different choices, 3 ways

Every different choice is asked once, so a space is small enough where `different` says that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from math import comb, prod
from typing import Any, TypeVar

MOST_COUNTED = 1_000_000  # different choices that are gone through
Answer = TypeVar("Answer", bound=Hashable)
Choice = tuple[Any, ...]  # members in the order of the bag, copies side by side


@dataclass(frozen=True, slots=True)
class Count:
    """`different` choices, copies not told apart, and the `ways` to take them, copies told apart."""

    different: int = 0
    ways: int = 0


def space(copies: Mapping[Any, int], size: int) -> Count:
    """How many choices of so many members there are."""
    by_size = [1] + [0] * max(0, size)  # different choices of the members looked at so far, by their size
    for often in copies.values():
        by_size = [sum(by_size[n - taken] for taken in range(min(often, n) + 1)) for n in range(len(by_size))]
    return Count(by_size[size], comb(sum(copies.values()), size)) if size >= 0 else Count()


def choices(copies: Mapping[Any, int], size: int) -> Iterator[tuple[Choice, int]]:
    """Every different choice of so many members, with the ways to take it."""
    members = [(member, often) for member, often in copies.items() if often > 0]
    left = [0] * (len(members) + 1)  # members from each one on
    for i in range(len(members) - 1, -1, -1):
        left[i] = left[i + 1] + members[i][1]

    def from_on(start: int, wanted: int) -> Iterator[tuple[Choice, int]]:
        if wanted == 0:
            yield (), 1
        if not 0 < wanted <= left[start]:
            return
        member, often = members[start]
        for taken in range(min(often, wanted), -1, -1):
            here, ways = (member,) * taken, comb(often, taken)
            for rest, more in from_on(start + 1, wanted - taken):
                yield here + rest, ways * more

    yield from from_on(0, size)


def ways_to_take(copies: Mapping[Any, int], wanted: Mapping[Any, int]) -> int:
    """In how many ways so many of each member can be taken, copies told apart; 0 where there are not as many."""
    return prod(comb(copies.get(member, 0), taken) for member, taken in wanted.items())


def tally(copies: Mapping[Any, int], size: int, ask: Callable[[Choice], Answer]) -> dict[Answer, Count]:
    """How many choices have which answer; answers in the order in which they first come."""
    found: dict[Answer, list[int]] = {}
    for choice, ways in choices(copies, size):
        both = found.setdefault(ask(choice), [0, 0])
        both[0] += 1
        both[1] += ways
    return {answer: Count(*both) for answer, both in found.items()}
