"""How to install what only some verbs need: the extras of the package.

Input: the name of an extra. Output: what to do, for a message.
Guarantee: it works from the folder of golpae's repository. No package index has golpae, so none is named.
"""

from __future__ import annotations

from typing import Literal

Extra = Literal["archive", "cluster", "crosscheck", "editor", "testing"]


def how_to_install(extra: Extra) -> str:
    """Return the command to install an extra, as it follows `install it: `."""
    return f"`pip install '.[{extra}]'` in the folder of golpae's repository"
