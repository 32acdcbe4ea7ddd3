"""What the compiled path does not say yet: the reference decides it.

Input: none. Output: the exception that a translation raises, with the reason for the docs.
"""

from __future__ import annotations


class NotCompiled(Exception):
    """A construct that is not compiled; whoever catches it writes code that refers.

    `clause` is the path of the clause that it is in, such as `put.turn`, if that is known.
    """

    clause: str | None = None
