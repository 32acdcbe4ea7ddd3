"""Small games to begin a text of one's own with.

Input: none. Output: their kinds, and the sets that they are there with. The texts lie beside this module, as
`KIND-SET.txt`, with the words NAME and TITLE for those of the new game.
"""

from collections.abc import Mapping

TEXTS = __name__
# The small games to begin with, and with which sets each is there, the usual one first.
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "shed": ("get rid of all tiles, each of which goes with the last one", ("tiles", "cards")),
    "discard": ("draw and discard, until a hand goes together", ("tiles", "cards")),
    "tricks": ("follow suit, and take tricks", ("cards",)),
    "line": ("put tiles at the ends of a line", ("dominoes",)),
}
SETS = ("tiles", "cards", "dominoes")
