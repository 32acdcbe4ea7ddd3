"""Small games to begin a text of one's own with.

Input: none. Output: their kinds, and the sets that they are there with. The texts lie beside this module, as
`KIND-SET.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

TEXTS = __name__
# The small games to begin with, and with which sets each is there, the usual one first.
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "shed": ("get rid of all tiles, each of which goes with the last one", ("tiles", "cards")),
    "discard": ("draw and discard, until a hand goes together", ("tiles", "cards")),
    "tricks": ("follow suit, and take tricks", ("cards",)),
    "line": ("put tiles at the ends of a line", ("dominoes",)),
}
SETS = ("tiles", "cards", "dominoes")


def small_game(text: str, name: str, title: str, how: str, proof: str) -> str:
    """Return a small game under a name of one's own. `how` says what to do with it, and `proof` what decides its
    properties. Raises OSError.
    """
    small = files(TEXTS).joinpath(f"{text}.txt").read_text("utf-8")
    words = {"HOW": how, "PROOF": proof, "NAME": name, "TITLE": title}
    return re.sub("|".join(words), lambda found: words[found[0]], small)
