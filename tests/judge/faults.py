"""What can go wrong while the judge works.

Input: none. Output: the exceptions of the judge.
Guarantee: `CannotHappen` makes an event illegal; `Unclear` and `Unset` never become a verdict.
"""

from __future__ import annotations


class Unclear(Exception):
    """The page does not say what this means, or it is too large to be gone through."""


class Unset(Exception):
    """A state is read that has no value yet; 5.3 forbids such texts."""


class CannotHappen(Exception):
    """An effect cannot be carried out (6.3.6)."""


class Unmet(Exception):
    """What is asked after the effects does not hold (5.9)."""


class Refused(Exception):
    """An event is illegal under a name, found while its effects were tried."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
