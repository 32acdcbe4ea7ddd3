"""Bounds of a value: of the numbers in it, and of the members of the bags in it.

Input: bounds of the arguments of an operator. Output: bounds of its value.
Guarantee: no value is outside its bounds. A bound from `ENDLESS` on bounds nothing.
"""

from __future__ import annotations

from functools import lru_cache

from golpae.ir.limits import LIMIT, WIDEST
from golpae.records import dataclass

ENDLESS = 10**20_000
FAST = 2  # a factor at which a number may double at each event


@dataclass(frozen=True, slots=True)
class Bound:
    """Every number in a value is from `low` to `high`, and every bag in it has at most `most` members.

    With a `factor`, a number may be outside, by as much as the factor times the largest of the states that are looked
    at: 0 is none of it, 1 once, `FAST` more often.
    """

    low: int = 0
    high: int = 0
    most: int = 0
    factor: int = 0

    @property
    def size(self) -> int:
        """How far from 0 a number can be, the states that are looked at aside."""
        return max(abs(self.low), abs(self.high))

    @property
    def is_endless(self) -> bool:
        """Whether nothing bounds a number."""
        return self.size >= ENDLESS

    @property
    def fits_state(self) -> bool:
        """Whether a state can be set to any such value."""
        return self.factor == 0 and self.size < LIMIT and self.most <= WIDEST

    def for_state(self) -> Bound:
        """Return what a state has that is set to this: a larger number, or bag, would make the event illegal."""
        low, high = (max(1 - LIMIT, min(end, LIMIT - 1)) for end in (self.low, self.high))
        return Bound(low, high, min(self.most, WIDEST), self.factor)


NOTHING = Bound()
ANYTHING = Bound(-ENDLESS, ENDLESS, ENDLESS)
ANY_STATE = ANYTHING.for_state()


def of_number(low: int, high: int, factor: int, *of: Bound) -> Bound:
    """Return the bounds of a number that is computed from numbers with the bounds `of`."""
    if any(one.is_endless for one in of) or max(-low, high) >= ENDLESS:
        low, high = -ENDLESS, ENDLESS
    return Bound(low, high, 0, min(factor, FAST))


def either(*of: Bound) -> Bound:
    """Return bounds of what has one of these bounds."""
    if not of:
        return NOTHING
    return Bound(
        min(one.low for one in of),
        max(one.high for one in of),
        max(one.most for one in of),
        max(one.factor for one in of),
    )


def added(a: Bound, b: Bound) -> Bound:
    return of_number(a.low + b.low, a.high + b.high, a.factor + b.factor, a, b)


def negated(a: Bound) -> Bound:
    return of_number(-a.high, -a.low, a.factor, a)


def multiplied(a: Bound, b: Bound) -> Bound:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    both = FAST if a.factor and b.factor else 0
    return of_number(min(ends), max(ends), a.factor * b.size + b.factor * a.size + both, a, b)


def divided(a: Bound, b: Bound) -> Bound:
    low, high = (0, a.high) if a.low >= 0 and b.low >= 0 and not b.factor else (-a.size, a.size)
    return of_number(low, high, a.factor, a)


def remainder(a: Bound, b: Bound) -> Bound:
    low, high = (0, b.high) if b.low >= 0 and not b.factor else (-b.size, b.size)
    return of_number(low, high, b.factor, b)


def times(count: int, a: Bound) -> Bound:
    """Return the bounds of the sum of so many such numbers at most."""
    return of_number(min(0, count * a.low), max(0, count * a.high), count * a.factor, a)


def passes_as_power(base: Bound, exponent: Bound) -> bool:
    """Return whether a power may have too many digits."""
    if base.size <= 1 and not base.factor:
        return False
    if base.factor or exponent.factor:
        return True
    return exponent.high > largest_exponent(base.size)


def raised(base: Bound, exponent: Bound) -> Bound:
    """Return the bounds of a power, which is within the limit where it has a value."""
    if base.factor or exponent.factor:
        return Bound(1 - LIMIT, LIMIT - 1)
    if base.size <= 1:
        highest = 1
    else:
        within = min(exponent.high, largest_exponent(base.size))
        whole = within == exponent.high
        highest = base.size ** max(0, within) if whole else LIMIT - 1
    return Bound(0 if base.low >= 0 else -highest, highest)


@lru_cache(maxsize=256)
def largest_exponent(base: int) -> int:
    """Return the largest exponent with which a number above 1 is within the limit."""
    if base >= LIMIT:
        return 0
    exponent = (LIMIT.bit_length() - 1) // base.bit_length()  # its power has fewer bits than the limit
    power: int = int(base**exponent)
    while power * base < LIMIT:
        power *= base
        exponent += 1
    return int(exponent)


@lru_cache(maxsize=256)
def largest_base(exponent: int) -> int:
    """Return the largest number whose power with this exponent above 0 is within the limit."""
    low, high = 1, LIMIT
    if exponent > 1:
        high = 1 << (LIMIT.bit_length() // exponent + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**exponent < LIMIT else (low, middle)
    return low
