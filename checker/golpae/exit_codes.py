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
