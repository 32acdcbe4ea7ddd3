"""The exit status of every verb, stated once.

Input: none, this module holds data.
Output: the codes that `golpae` ends with.
Guarantee: a verb ends with HOLDS only if it has shown what it was called for.
"""

from __future__ import annotations

HOLDS = 0
FAILS = 1  # it does not hold
WRONG_INPUT = 2
UNKNOWN = 3
FAULT = 4  # a fault in golpae itself
INTERRUPTED, UNHEARD = 130, 141  # as for any program: Ctrl-C; nobody reads the output any more


def worst(*statuses: int) -> int:
    """Return the status of a call that had these: a fault goes first, then wrong input, then what does not hold."""
    return min(statuses, key=(FAULT, WRONG_INPUT, FAILS, UNKNOWN, HOLDS).index)
