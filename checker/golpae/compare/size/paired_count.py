"""Choices of tiles asked of two rule sets: how many ways there are to take those that the two answer differently.

In: the copies that each is played with, how many tiles are chosen, and what each says of a choice. Out: `Compared`.
Copies are told apart, as players do who hold them: where there are two of each, a pair of 6-6 and 6-5 can be taken in
four ways. Where the two are not played with as many copies, those that both have are the same tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from golpae.prove.symbolic.multiset_count import Count, choices, space, ways_to_take

Hand = tuple[int, ...]
Ask = Callable[[Hand], Hashable]


@dataclass(frozen=True, slots=True)
class Compared:
    """What two say of choices: those that only one counts, and those that both count, but not the same."""

    of: Count
    only: tuple[Count, Count]
    otherwise: Mapping[tuple[Hashable, Hashable], Count]


def count_paired(
    copies: Sequence[Mapping[int, int]],
    size: int,
    ours: Ask,
    theirs: Ask,
    hands: Iterable[Hand] | None = None,
) -> Compared:
    """Ask both about every choice of so many tiles that one of the two can be made of, by the copies of each kind.

    `ours` and `theirs` give None or False for a choice that does not count. Where `hands` are given, no other ones
    count in either.
    """
    first, second = copies
    only_a, only_b = [0, 0], [0, 0]
    otherwise: dict[tuple[Hashable, Hashable], list[int]] = {}
    if hands is None:
        hands = (hand for hand, _ in choices(either(first, second), size))
    for hand in hands:
        in_a, in_b, both = _ways(hand, first, second)
        one = ours(hand) if in_a else None
        other = theirs(hand) if in_b else None
        none, no_other = _is_nothing(one), _is_nothing(other)
        lost = 0 if none else in_a if no_other else in_a - both
        gained = 0 if no_other else in_b if none else in_b - both
        if lost:
            only_a[0], only_a[1] = only_a[0] + no_other, only_a[1] + lost
        if gained:
            only_b[0], only_b[1] = only_b[0] + none, only_b[1] + gained
        if one != other and not none and not no_other:
            found = otherwise.setdefault((one, other), [0, 0])
            found[0], found[1] = found[0] + 1, found[1] + both
    told = {key: Count(*count) for key, count in otherwise.items()}
    return Compared(_all(first, second, size), (Count(*only_a), Count(*only_b)), told)


def _is_nothing(answer: Hashable) -> bool:
    """Whether a choice does not count. One that counts 0 does."""
    return answer is None or answer is False


def _all(first: Mapping[int, int], second: Mapping[int, int], size: int) -> Count:
    """All choices of so many tiles that one of the two can be made of."""
    common = {k: min(n, second[k]) for k, n in first.items() if k in second}
    one, other, both = (space(copies, size) for copies in (first, second, common))
    return Count(one.different + other.different - both.different, one.ways + other.ways - both.ways)


def either(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    """The copies of each kind that at least one of the two has."""
    return {k: max(first.get(k, 0), second.get(k, 0)) for k in sorted({*first, *second})}


def _ways(hand: Hand, first: Mapping[int, int], second: Mapping[int, int]) -> tuple[int, int, int]:
    """The ways to take a choice from the copies of the one, of the other, and of those that both have."""
    wanted = Counter(hand)
    common = {k: min(first.get(k, 0), second.get(k, 0)) for k in wanted}
    return ways_to_take(first, wanted), ways_to_take(second, wanted), ways_to_take(common, wanted)


__all__ = ["Ask", "Compared", "Count", "Hand", "count_paired", "either"]
