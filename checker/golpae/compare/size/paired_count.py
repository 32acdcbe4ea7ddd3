"""Count the choices of tiles that two rule sets value differently.

Input: the copies of each kind that each is played with, a number of tiles, and the valuation of each rule set.
Output: `PairedCount`: how many choices, and how many ways to take them.
Guarantee: every choice is counted once.

Copies count separately, as for players who hold them: with two copies of each, a pair of 6-6 and 6-5 can be taken in
four ways. If the two have different numbers of copies, the copies that both have are the same tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from golpae.prove.symbolic.multiset_count import Count, choices, space, ways_to_take

Hand = tuple[int, ...]
Valuation = Callable[[Hand], Hashable]  # None or False: the choice does not count


@dataclass(frozen=True, slots=True)
class PairedCount:
    """The choices that only one rule set counts, and those that both count with different values."""

    of: Count
    only: tuple[Count, Count]
    otherwise: Mapping[tuple[Hashable, Hashable], Count]


def count_paired(
    copies: Sequence[Mapping[int, int]],
    size: int,
    ours: Valuation,
    theirs: Valuation,
    hands: Iterable[Hand] | None = None,
) -> PairedCount:
    """Return the counts for all choices of `size` tiles that at least one of the two has tiles for.

    If `hands` is given, no other choices count in either.
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
            count = otherwise.setdefault((one, other), [0, 0])
            count[0], count[1] = count[0] + 1, count[1] + both
    counts = {key: Count(*count) for key, count in otherwise.items()}
    return PairedCount(_all(first, second, size), (Count(*only_a), Count(*only_b)), counts)


def _is_nothing(answer: Hashable) -> bool:
    """Return whether a choice does not count. A choice with the value 0 does."""
    return answer is None or answer is False


def _all(first: Mapping[int, int], second: Mapping[int, int], size: int) -> Count:
    """Return the number of all choices of `size` tiles that at least one of the two has tiles for."""
    common = {k: min(n, second[k]) for k, n in first.items() if k in second}
    one, other, both = (space(copies, size) for copies in (first, second, common))
    return Count(one.different + other.different - both.different, one.ways + other.ways - both.ways)


def either(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    """Return the copies of each kind that at least one of the two has."""
    return {k: max(first.get(k, 0), second.get(k, 0)) for k in sorted({*first, *second})}


def _ways(hand: Hand, first: Mapping[int, int], second: Mapping[int, int]) -> tuple[int, int, int]:
    """Return the ways to take a choice from the copies of one, of the other, and of those that both have."""
    taken = Counter(hand)
    common = {k: min(first.get(k, 0), second.get(k, 0)) for k in taken}
    return ways_to_take(first, taken), ways_to_take(second, taken), ways_to_take(common, taken)


__all__ = ["PairedCount", "Valuation", "Count", "Hand", "count_paired", "either"]
